/* The ranks of a world that is whole: this one alone. */
#include "world/ranks.h"

#include <string.h>
#include "world/save/save.h"

static scree_status begin(void *context, scree_world *world, bool stale, scree_error *error) {
  return (void)context, (void)world, (void)stale, (void)error, SCREE_OK;
}

static scree_status align(void *context, scree_world *world, double dt, bool *stale, scree_error *error) {
  return (void)context, (void)world, (void)dt, (void)stale, (void)error, SCREE_OK;
}

static scree_status share(
    void *context, scree_world *world, const uint8_t *part, int32_t *copies, scree_error *error) {
  (void)context, (void)part, (void)error;
  for (int32_t row = 0; row < world->bodies.count; row++) copies[row] = 1;
  return SCREE_OK;
}

static scree_status share_contacts(
    void *context, scree_world *world, const int32_t **copies, scree_error *error) {
  (void)context, (void)world, (void)error;
  *copies = NULL;
  return SCREE_OK;
}

static scree_status refresh(void *context, scree_world *world, scree_error *error) {
  return (void)context, (void)world, (void)error, SCREE_OK;
}

static bool keeps(void *context, scree_world *world, int32_t row) {
  return (void)context, (void)world, (void)row, true;
}

static void combine(void *context, double *value, int count) { (void)context, (void)value, (void)count; }

static double mean(void *context, double value, double weight) { return (void)context, (void)weight, value; }

static void send_all(void *context, void *bytes, size_t size, int from) {
  (void)context, (void)bytes, (void)size, (void)from;
}

static scree_status gather(void *context, const void *bytes, size_t size, bool to_all, void **all,
    size_t *total, scree_error *error) {
  (void)context, (void)to_all;
  if (!(*all = sc_alloc(size + 1))) return sc_fail(error, SCREE_E_MEMORY, "no memory for %zu bytes", size);
  if (size) memcpy(*all, bytes, size);
  *total = size;
  return SCREE_OK;
}

static uint32_t geometry_number(void *context, const scree_geometry *geometry) {
  return (void)context, (void)geometry, 0;
}

static const scree_geometry *geometry_of(void *context, uint32_t number) {
  return (void)context, (void)number, NULL;
}

static void seconds(void *context, double *waiting, double *imbalance) {
  (void)context;
  *waiting = 0, *imbalance = 1;
}

static bool whole(void *context) { return (void)context, true; }

static scree_status tell_rows(void *context, const scree_world *world, int32_t *number, scree_error *error) {
  return (void)context, (void)world, (void)number, (void)error, SCREE_OK;
}

static scree_status save(
    void *context, const scree_world *world, struct sc_sections *out, scree_error *error) {
  (void)context;
  return sc_save_whole(world, out, error);
}

static void destroy(void *context) { (void)context; }

const sc_ranks sc_ranks_none = {.ranks = 1,
    .begin = begin,
    .align = align,
    .share = share,
    .share_contacts = share_contacts,
    .refresh = refresh,
    .keeps = keeps,
    .sum = combine,
    .mean = mean,
    .most = combine,
    .send_all = send_all,
    .gather = gather,
    .geometry_number = geometry_number,
    .geometry = geometry_of,
    .seconds = seconds,
    .whole = whole,
    .tell_rows = tell_rows,
    .save = save,
    .destroy = destroy,
    .exchange = &sc_exchange_none};
