/* The domain of a world: the box in which dynamic bodies should stay. The world checks the positions of
 * bodies after each whole step. In a periodic cell it checks the positions of the images that frames show. */
#include "math/vec.h"
#include "world/bodies/domain.h"
#include "world/world.h"

static bool has_domain(const scree_domain_def *def) {
  for (int k = 0; k < 3; k++)
    if (def->min[k] != 0 || def->max[k] != 0) return true;
  return false;
}

scree_status sc_world_check_domain(const scree_domain_def *def, scree_error *error) {
  for (int k = 0; k < 3 && has_domain(def); k++)
    if (!(def->min[k] < def->max[k]) || !isfinite(def->min[k]) || !isfinite(def->max[k]))
      return sc_fail(error, SCREE_E_ARGUMENT,
          "world.domain: min must be below max along each axis, not %g and %g along %c", def->min[k],
          def->max[k], "xyz"[k]);
  for (int i = 0; i < scree_domain_params_count; i++) {
    if (scree_domain_params[i].type != SCREE_CHOICE) continue;
    scree_status status = scree_param_check(scree_domain_params + i, def, "world.domain.lost", error);
    if (status) return status;
  }
  return SCREE_OK;
}

static scree_region region_outside(const scree_domain_def *def) {
  scree_region region = {.type = SCREE_REGION_BOX, .invert = 1};
  sc_copy3(def->min, region.min);
  sc_copy3(def->max, region.max);
  return region;
}

static int64_t count_outside(const scree_world *world) {
  const scree_region region = region_outside(&world->def.domain);
  return scree_world_count(world, &(scree_select){.kind = SCREE_DYNAMIC, .group = -1, .region = &region});
}

/* Fails if a dynamic body of this rank is outside the domain. The message names the one with the smallest
 * id. */
static scree_status refuse_lost(const scree_world *world, scree_error *error) {
  const scree_region region = region_outside(&world->def.domain);
  const sc_bodies *bodies = &world->bodies;
  scree_id first = 0;
  double at[3] = {0, 0, 0};
  for (int32_t row = 0; row < bodies->count; row++) {
    const scree_id id = sc_bodies_id(bodies, row);
    if (bodies->kind[row] != SCREE_DYNAMIC || !sc_bodies_own(bodies, row) || (first && id > first)) continue;
    double x[3];
    if (bodies->cell) sc_cell_wrap(bodies->cell, bodies->position[row], x);
    else sc_copy3(bodies->position[row], x);
    if (!scree_region_contains(&region, x)) continue;
    first = id;
    sc_copy3(x, at);
  }
  if (!first)
    return sc_fail(error, SCREE_E_ARGUMENT, "a body of another rank left the domain in step %lld",
        (long long)world->step);
  return sc_fail(error, SCREE_E_ARGUMENT,
      "body %llu left the domain in step %lld, at (%g, %g, %g) m (world.domain.lost = \"error\")",
      (unsigned long long)first, (long long)world->step, at[0], at[1], at[2]);
}

scree_status sc_world_watch_domain(scree_world *world, scree_error *error) {
  const scree_domain_def *def = &world->def.domain;
  if (!has_domain(def) || def->lost == SCREE_LOST_KEEP || !count_outside(world)) return SCREE_OK;
  if (def->lost == SCREE_LOST_ERROR) return refuse_lost(world, error);
  const scree_region region = region_outside(def);
  int64_t removed = 0;
  scree_status status = scree_world_remove_selected(world,
      &(scree_select){.kind = SCREE_DYNAMIC, .group = -1, .region = &region}, SCREE_JOINED_RELEASE, &removed,
      error);
  world->lost += removed;
  return status;
}

int64_t sc_world_lost(const scree_world *world) {
  const scree_domain_def *def = &world->def.domain;
  if (!has_domain(def)) return 0;
  return def->lost == SCREE_LOST_REMOVE ? world->lost : count_outside(world);
}
