/* Moving surfaces on several ranks. Grains on a belt cross the borders of ranks and must move as on one rank.
 * A checkpoint of all ranks must keep the moving surface. mpirun -n N mpi.belt FILE */
#include <math.h>

#include "check.h"
#include "scree/checkpoint.h"
#include "scree/measure.h"

/* Single grains on a box whose surface runs. */
static scree_world *belt(void) {
  scree_world_def def = scree_world_defaults();
  scree_shape_def plate = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  def.solver.iterations = 200, def.solver.tolerance = 1e-10;
  scree_world *world = scree_world_create(&def, &error);
  CHECK(world, "%s", error.text);
  plate.type = SCREE_BOX;
  plate.size[0] = plate.size[1] = 20, plate.size[2] = 1;
  body.kind = SCREE_FIXED, body.position[2] = -0.5, body.surface_velocity[0] = 2, body.shapes = &plate,
  body.shapes_count = 1, body.name = "belt";
  CHECK(scree_world_add(world, &body, &error), "%s", error.text);
  scree_fill_def fill = scree_fill_defaults();
  fill.max[0] = 2, fill.max[1] = 2, fill.min[2] = 0.001, fill.max[2] = 0.1, fill.radius = 0.04,
  fill.spacing = 0.2, fill.seed = 1;
  CHECK(scree_world_fill(world, &fill, &error) > 50, "%s", error.text);
  return world;
}

static double mean_speed(const scree_world *world) {
  scree_report r;
  scree_world_report(world, &r);
  return r.momentum[0] / (1000 * 4.0 / 3 * M_PI * 0.04 * 0.04 * 0.04 * (double)r.dynamic);
}

int main(int count, char **argument) {
  FINE(scree_dist_start(&rank, &ranks, &error));
  CHECK(count == 2, "a file is missing");
  scree_world *one = belt(), *several = belt();
  scree_dist_def def = scree_dist_defaults();
  FINE(scree_world_distribute(several, &def, &error));
  FINE(scree_world_step(one, 60, &error));
  FINE(scree_world_step(several, 60, &error));
  double speed = mean_speed(one);
  CHECK(
      speed > 0.05 && fabs(mean_speed(several) - speed) < 1e-9, "%g and %g m/s", speed, mean_speed(several));
  // the checkpoint of all goes on in a whole world
  scree_checkpoint *saved = scree_checkpoint_create();
  FINE(scree_world_save(several, saved, &error));
  if (rank == 0) FINE(scree_checkpoint_write(saved, argument[1], 1, &error));
  scree_checkpoint_destroy(saved);
  FINE(scree_world_step(one, 300, &error));
  FINE(scree_world_step(several, 300, &error));
  double later = mean_speed(one);
  CHECK(later > speed + 0.05 && fabs(mean_speed(several) - later) < 1e-9, "%g and %g m/s", later,
      mean_speed(several));
  if (rank == 0) {
    scree_world *again = belt();
    int generation;
    CHECK((saved = scree_checkpoint_read(argument[1], &generation, &error)) != NULL, "%s", error.text);
    FINE(scree_world_load(again, saved, &error));
    scree_body_state state;
    FINE(scree_world_get(again, scree_world_find(again, "belt", &error), &state, &error));
    CHECK(state.surface_velocity[0] == 2 && state.velocity[0] == 0 && state.position[0] == 0,
        "the belt of the checkpoint stands");
    FINE(scree_world_step(again, 300, &error));
    CHECK(fabs(mean_speed(again) - later) < 1e-9, "%g and %g m/s after a restart", later, mean_speed(again));
    scree_checkpoint_destroy(saved);
    scree_world_destroy(again);
  }
  scree_world_destroy(one);
  scree_world_destroy(several);
  scree_dist_stop();
  return 0;
}
