/* Reads and finds single bodies of a distributed world. */
#include "world/bodies/rows.h"
#include "dist/calls.h"

/* Returns whether a body without a row on this rank may be on another rank: its id has a slot that exists. */
static bool may_be_elsewhere(const scree_world *world, scree_id id) {
  return (uint32_t)id - 1u < world->bodies.slots_count;
}

static int32_t fail_stale(scree_error *error) {
  sc_fail(error, SCREE_E_STALE, "the body has been removed (its handle is stale)");
  return -1;
}

int32_t sd_row(void *context, const scree_world *world, scree_id id, scree_error *error) {
  int32_t row = sc_bodies_row(&world->bodies, id);
  if (row >= 0 && world->bodies.replicated[row]) return row;
  if (row < 0 && !may_be_elsewhere(world, id)) return fail_stale(error);
  sc_fail(error, SCREE_E_STALE,
      "body %llu is known to one of %d ranks, if it was not removed: w:read(body) asks them all; w:count, "
      "w:profile, w:flow and views with sum, mean, min and max see all bodies",
      (unsigned long long)id, ((const sd_dist *)context)->ranks);
  return -1;
}

int32_t sd_row_to_change(void *context, const scree_world *world, scree_id id, scree_error *error) {
  (void)context;
  int32_t row = sc_bodies_row(&world->bodies, id);
  if (row < 0) return may_be_elsewhere(world, id) ? -2 : fail_stale(error);
  return world->bodies.replicated[row] || sc_bodies_own(&world->bodies, row) ? row : -2;
}

scree_status sd_read(
    void *context, const scree_world *world, scree_id id, scree_body_state *state, scree_error *error) {
  const sd_dist *d = context;
  int32_t row = sc_bodies_row(&world->bodies, id);
  double owner = row >= 0 && sc_bodies_own(&world->bodies, row) ? d->rank : -1;
  sd_most(context, &owner, 1);
  if (owner < 0) return fail_stale(error), SCREE_E_STALE;
  if ((int)owner == d->rank) sc_world_state(world, row, state);
  sd_send_all(context, state, sizeof *state, (int)owner);
  return SCREE_OK;
}

scree_status sd_refuse(void *context, const char *what, const char *instead, scree_error *error) {
  return sc_fail(error, SCREE_E_ARGUMENT, "%s on one rank only, not on %d: %s", what,
      ((const sd_dist *)context)->ranks, instead);
}
