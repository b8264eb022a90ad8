/* Impacts on mechanisms that several ranks strike, against the same world on one: mpirun -n N mpi.struck. */
#include <math.h>

#include "scenes.h"
#include "scree/joint.h"

/* Creates a hinged bar across the rank boundary and a row of hanging balls. `strikers` balls (0 to 2) hit the
 * bar, one at each end. */
static scree_world *mechanisms(int strikers) {
  scree_world *world = make(0, 1e-4, 50, 1e-9);
  scree_pair_def pair = {0, 0, "coulomb", {0}, 1, 0};
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  scree_joint_def joint = scree_joint_defaults(SCREE_JOINT_HINGE);
  FINE(scree_world_set_pair(world, &pair, &error));
  shape.type = SCREE_BOX, shape.size[0] = 20e-3, shape.size[1] = shape.size[2] = 1e-3;
  body.position[0] = 10e-3, body.shapes = &shape, body.shapes_count = 1;
  joint.a = scree_world_add(world, &body, &error);
  joint.at[0] = 10e-3, joint.axis[2] = 1;
  CHECK(scree_world_add_joint(world, &joint, &error), "%s", error.text);
  for (int i = 0; i < strikers; i++)
    add_ball(world, 0.5e-3, i ? 19e-3 : 1e-3, i ? -1.02e-3 : 1.02e-3, 0, 0, i ? 1 : -1);
  for (int i = 0; i < 4; i++) {
    scree_joint_def string = scree_joint_defaults(SCREE_JOINT_DISTANCE);
    string.a = add_ball(world, 0.5e-3, 1e-3 * i, 5e-3, 0, i ? 0 : 1, 0);
    for (int k = 0; k < 3; k++) string.at[k] = k ? k == 1 ? 5e-3 : 0 : 1e-3 * i;
    for (int k = 0; k < 3; k++) string.at_b[k] = string.at[k] + (k == 2 ? 1 : 0);
    CHECK(scree_world_add_joint(world, &string, &error), "%s", error.text);
  }
  for (int i = 0; i < 8; i++) add_ball(world, 0.5e-3, 2.5e-3 * i, 9e-3, 0, 0, 0);
  return world;
}

/* Impacts run through joints as on one rank; with strikers on two ranks they keep energy and momentum. */
static void struck(void) {
  for (int strikers = 1; strikers <= 2; strikers++) {
    scree_world *world[2] = {mechanisms(strikers), mechanisms(strikers)};
    spread_over(world[0], ranks, 1, 1, 0);
    scree_report start = report(world[0]);
    for (int w = 0; w < 2; w++) step(world[w], 40);
    scree_report end = report(world[0]);
    CHECK(end.kinetic <= start.kinetic * (1 + 1e-12) &&
            end.kinetic + end.dissipated - end.correction <= start.kinetic * (1 + 1e-9),
        "energy %g, then %g, %g lost", start.kinetic, end.kinetic, end.dissipated);
    for (scree_id id = 1; id <= (scree_id)(5 + strikers); id++) {
      scree_body_state a, b;
      FINE(scree_world_read(world[0], id, &a, &error));
      FINE(scree_world_read(world[1], id, &b, &error));
      for (int k = 0; k < 3; k++)
        CHECK(fabs(a.velocity[k] - b.velocity[k]) < 1e-6 && fabs(a.spin[k] - b.spin[k]) * 10e-3 < 1e-6,
            "body %d of %d strikers: velocity %g, not %g, spin %g, not %g", (int)id, strikers, a.velocity[k],
            b.velocity[k], a.spin[k], b.spin[k]);
    }
    scree_body_state bar, last;
    FINE(scree_world_read(world[0], 1, &bar, &error));
    FINE(scree_world_read(world[0], (scree_id)(5 + strikers), &last, &error));
    CHECK(fabs(bar.spin[2]) > 10 && fabs(last.velocity[0] - 1) < 1e-4, "spin %g, speed %g", bar.spin[2],
        last.velocity[0]);
    for (int w = 0; w < 2; w++) scree_world_destroy(world[w]);
  }
}

int main(void) {
  if (scree_dist_start(&rank, &ranks, &error) != SCREE_OK) return fprintf(stderr, "%s\n", error.text), 1;
  struck();
  scree_dist_stop();
  return 0;
}
