/* sc_ranks_none: the implementation of world/ranks.h for a world on one rank. Most functions do nothing. */
#include "world/world.h"
#include "world/bodies/rows.h"
#include "world/query/frame.h"
#include "world/impact/impact.h"
#include "world/save/save.h"

#include <string.h>

static scree_status begin_alone(void *context, scree_world *world, bool stale, scree_error *error) {
  return (void)context, (void)world, (void)stale, (void)error, SCREE_OK;
}

static scree_status align_alone(
    void *context, scree_world *world, double dt, bool *stale, scree_error *error) {
  return (void)context, (void)world, (void)dt, (void)stale, (void)error, SCREE_OK;
}

static scree_status share_contacts(
    void *context, scree_world *world, const int32_t **copies, scree_error *error) {
  (void)context, (void)world, (void)error;
  *copies = NULL;
  return SCREE_OK;
}

static bool keeps_row(void *context, scree_world *world, int32_t row) {
  return (void)context, (void)world, (void)row, true;
}

static void combine_alone(void *context, double *value, int count) {
  (void)context, (void)value, (void)count;
}

static double mean_alone(void *context, double value, double weight) {
  return (void)context, (void)weight, value;
}

static void send_all(void *context, void *bytes, size_t size, int from) {
  (void)context, (void)bytes, (void)size, (void)from;
}

static scree_status gather_alone(void *context, const void *bytes, size_t size, bool to_all, void **all,
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

static int32_t find_row_alone(void *context, const scree_world *world, scree_id id, scree_error *error) {
  (void)context;
  int32_t row = sc_bodies_row(&world->bodies, id);
  if (row < 0) sc_fail(error, SCREE_E_STALE, "the body has been removed (its handle is stale)");
  return row;
}

static scree_status read_alone(
    void *context, const scree_world *world, scree_id id, scree_body_state *state, scree_error *error) {
  int32_t row = find_row_alone(context, world, id, error);
  if (row < 0) return SCREE_E_STALE;
  sc_world_state(world, row, state);
  return SCREE_OK;
}

static void report_alone(void *context, scree_report *r, double *depth) {
  (void)context, (void)depth;
  r->ranks = 1, r->waiting = 0, r->imbalance = 1;
}

static scree_status capture_frame(void *context, const scree_world *world, bool with_contacts,
    scree_frame_buffer *buffer, scree_error *error) {
  (void)context;
  return sc_frame_capture_here(buffer, world, with_contacts, error);
}

static scree_status solve_rounds(void *context, sc_rounds *rounds, double least, scree_error *error) {
  (void)context;
  return sc_rounds_run(rounds, least, error);
}

static scree_status refuse_nothing(void *context, const char *what, const char *instead, scree_error *error) {
  return (void)context, (void)what, (void)instead, (void)error, SCREE_OK;
}

static bool is_whole(void *context) { return (void)context, true; }

static scree_status tell_rows(void *context, const scree_world *world, int32_t *number, scree_error *error) {
  return (void)context, (void)world, (void)number, (void)error, SCREE_OK;
}

static scree_status save_alone(
    void *context, const scree_world *world, struct sc_sections *out, scree_error *error) {
  (void)context;
  return sc_save_whole(world, out, error);
}

static void destroy_nothing(void *context) { (void)context; }

const sc_ranks sc_ranks_none = {.ranks = 1,
    .begin = begin_alone,
    .align = align_alone,
    .share_contacts = share_contacts,
    .strike = solve_rounds,
    .keeps = keeps_row,
    .sum = combine_alone,
    .mean = mean_alone,
    .most = combine_alone,
    .send_all = send_all,
    .gather = gather_alone,
    .geometry_number = geometry_number,
    .geometry = geometry_of,
    .row = find_row_alone,
    .row_to_change = find_row_alone,
    .read = read_alone,
    .report = report_alone,
    .frame = capture_frame,
    .refuse = refuse_nothing,
    .rolls = true,
    .whole = is_whole,
    .tell_rows = tell_rows,
    .save = save_alone,
    .destroy = destroy_nothing,
    .exchange = &sc_exchange_none};
