#include "world/world.h"
#include "world/bodies/viewed.h"

#include <math.h>

/* Returns the sum of squares of `count` numbers. The sum is not finite if a number is NaN, infinite or too
 * large. */
static double sum_squares(const double *v, int count) {
  double sum = 0;
  for (int k = 0; k < count; k++) sum += v[k] * v[k];
  return sum;
}

static scree_status refuse_value(
    const scree_world *world, int32_t row, const char *what, scree_error *error) {
  return sc_fail(error, SCREE_E_ARGUMENT,
      "the %s of body %llu was set to a value that is not finite, or too large", what,
      (unsigned long long)sc_bodies_id(&world->bodies, row));
}

scree_status sc_world_check_viewed(scree_world *world, scree_error *error) {
  sc_bodies *b = &world->bodies;
  if (scree_world_ranks(world, NULL) > 1) return SCREE_OK;
  for (int32_t row = 0; row < b->count; row++) {
    if (!isfinite(sum_squares(b->position[row], 3))) return refuse_value(world, row, "position", error);
    if (!isfinite(sum_squares(b->velocity[row], 3))) return refuse_value(world, row, "velocity", error);
    if (!isfinite(sum_squares(b->spin[row], 3))) return refuse_value(world, row, "spin", error);
    const double square = sum_squares(b->orientation[row], 4);
    if (!(square > 0 && isfinite(square))) return refuse_value(world, row, "orientation", error);
    if (fabs(square - 1) > 1e-12) sc_quat_normalise(b->orientation[row], b->orientation[row]);
  }
  world->query.viewed = false;
  return SCREE_OK;
}
