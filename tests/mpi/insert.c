/* Insertion on several ranks: the same grains at the same places as in a whole world, among bodies that
 * have moved between the ranks. Nothing touches, so that all positions agree in every bit. mpirun -n N
 * mpi.insert */
#include <math.h>

#include "check.h"

static void add(scree_world *world, int type, int kind, const double position[3], double radius) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = type, shape.radius = radius, shape.length = 4 * radius;
  for (int k = 0; k < 3; k++) body.position[k] = position[k];
  body.kind = kind, body.shapes = &shape, body.shapes_count = 1;
  CHECK(scree_world_add(world, &body, &error), "%s", error.text);
}

/* Creates a world with grains on a lattice that move along x, a floor, and fixed bars above the grains. */
static scree_world *cloud(void) {
  scree_world_def def = scree_world_defaults();
  def.gravity[2] = 0;
  scree_world *world = scree_world_create(&def, &error);
  CHECK(world, "%s", error.text);
  add(world, SCREE_HALFSPACE, SCREE_FIXED, (double[3]){0, 0, 0}, 1);
  for (int i = 0; i < 4; i++)
    add(world, SCREE_CAPSULE, SCREE_FIXED, (double[3]){0.2 + 0.2 * i, 0.5, 2}, 0.05);
  scree_fill_def fill = scree_fill_defaults();
  for (int k = 0; k < 3; k++) fill.min[k] = 0.05, fill.max[k] = 0.95;
  fill.min[2] = 0.2, fill.velocity[0] = 0.7, fill.radius = 0.02, fill.spacing = 0.1, fill.seed = 3;
  CHECK(scree_world_fill(world, &fill, &error) > 300, "%s", error.text);
  return world;
}

static scree_insert_result insert(scree_world *world, int64_t count, int64_t first) {
  const scree_sizes_def curve = {.distribution = SCREE_SIZES_LOGNORMAL,
      .min = 0.01,
      .max = 0.08,
      .median = 0.03,
      .geometric_deviation = 1.5};
  scree_insert_def def = scree_insert_defaults();
  scree_insert_result result;
  def.grains.sizes = scree_sizes_create(&curve, &error);
  CHECK(def.grains.sizes, "%s", error.text);
  for (int k = 0; k < 3; k++) def.grains.min[k] = 0, def.grains.max[k] = k < 2 ? 1.2 : 2.2;
  def.grains.velocity[0] = 0.7, def.grains.seed = 11, def.grains.limit = count, def.stream = 5,
  def.first = first, def.attempts = 40;
  FINE(scree_world_insert(world, &def, &result, &error));
  scree_sizes_destroy((scree_sizes *)def.grains.sizes);
  return result;
}

static void same_places(const scree_world *one, const scree_world *several) {
  scree_frame_buffer *buffer[2] = {scree_frame_buffer_create(), scree_frame_buffer_create()};
  const scree_frame *a = scree_frame_capture(buffer[0], one, 0, &error),
                    *b = scree_frame_capture(buffer[1], several, 0, &error);
  CHECK(a && b, "%s", error.text);
  for (int64_t i = 0; i < a->bodies && rank == 0; i++)
    CHECK(a->bodies == b->bodies && a->id[i] == b->id[i] &&
            !memcmp(a->position + 3 * i, b->position + 3 * i, sizeof(double[3])) &&
            a->radius[i] == b->radius[i],
        "body %lld of %lld differs", (long long)i, (long long)b->bodies);
  scree_frame_buffer_destroy(buffer[0]);
  scree_frame_buffer_destroy(buffer[1]);
}

int main(void) {
  FINE(scree_dist_start(&rank, &ranks, &error));
  scree_world *one = cloud(), *several = cloud();
  scree_dist_def def = scree_dist_defaults();
  FINE(scree_world_distribute(several, &def, &error));
  int64_t placed = 0;
  for (int part = 0; part < 6; part++) {
    FINE(scree_world_step(one, 2, &error));
    FINE(scree_world_step(several, 2, &error));
    scree_insert_result a = insert(one, 50 + 400 * part, placed),
                        b = insert(several, 50 + 400 * part, placed);
    CHECK(a.placed == b.placed && a.mass == b.mass && a.full == b.full, "%lld and %lld placed",
        (long long)a.placed, (long long)b.placed);
    placed += a.placed;
    same_places(one, several);
  }
  CHECK(placed > 1000, "%lld placed", (long long)placed);
  scree_report report;
  scree_world_report(one, &report);
  CHECK(!(report.penetration > 0) && report.touching == 0, "overlap of %g", report.penetration);
  scree_world_destroy(one);
  scree_world_destroy(several);
  scree_dist_stop();
  return 0;
}
