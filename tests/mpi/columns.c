/* Columns on several ranks: values go with grains that change their ranks, frames and parts of frames have
 * them, and a whole world loads them from a checkpoint. mpirun -n N mpi.columns PATH. */
#include "check.h"
#include "scree/checkpoint.h"
#include "scree/column.h"
#include "scree/trajectory.h"

enum { GRAINS = 60, FRAMES = 10 };
static scree_id grain[GRAINS];

/* Grains that fly to and fro along x, between the parts of all ranks, and a floor that all ranks have. */
static scree_world *make_world(void) {
  scree_world_def def = scree_world_defaults();
  def.gravity[2] = 0, def.dt = 1e-3, def.solver.iterations = 10;
  scree_world *world = scree_world_create(&def, &error);
  CHECK(world, "%s", error.text);
  CHECK(scree_world_declare_column(world, "temperature", "K", 293, &error) == 0, "%s", error.text);
  scree_shape_def shape = scree_shape_defaults();
  shape.type = SCREE_HALFSPACE, shape.normal[2] = 1;
  scree_body_def body = scree_body_defaults();
  body.kind = SCREE_FIXED, body.shapes = &shape, body.shapes_count = 1;
  CHECK(scree_world_add(world, &body, &error), "%s", error.text);
  shape = scree_shape_defaults();
  shape.type = SCREE_SPHERE, shape.radius = 1e-3;
  body.kind = SCREE_DYNAMIC;
  for (int k = 0; k < GRAINS; k++) {
    body.position[0] = 0.01 * (k % 10), body.position[1] = 0.01 * (k / 10),
    body.position[2] = 0.01 * (1 + k % 2);
    body.velocity[0] = k % 2 ? 1 : -1;
    CHECK((grain[k] = scree_world_add(world, &body, &error)) != 0, "%s", error.text);
    FINE(scree_world_set_value(world, 0, grain[k], 300 + k / 7.0, &error));
  }
  return world;
}

static double value_of(int k, int step) { return step >= 50 && k == 3 ? -1.5 : 300 + k / 7.0; }

static void check_world(const scree_world *world, int step) {
  double value;
  for (int k = 0; k < GRAINS; k++) {
    FINE(scree_world_get_value(world, 0, grain[k], &value, &error));
    CHECK(value == value_of(k, step), "grain %d at step %d has %.17g", k, step, value);
  }
}

static void check_frame(const scree_frame *f, int step) {
  CHECK(f && f->columns == 1 && !strcmp(f->column->name, "temperature") && !strcmp(f->column->unit, "K"),
      "%s", error.text);
  CHECK(f->bodies == GRAINS + 1, "%lld bodies", (long long)f->bodies);
  CHECK(f->value[0] == 293, "the floor has %g", f->value[0]);
  for (int k = 0; k < GRAINS; k++) {
    const int64_t row = scree_frame_row(f, grain[k]);
    CHECK(row >= 0 && f->value[row] == value_of(k, step), "grain %d in the frame of step %d", k, step);
  }
}

static void check_checkpoint(const scree_world *world, const char *path, int step) {
  scree_checkpoint *file = scree_checkpoint_create();
  FINE(scree_world_save(world, file, &error));
  if (rank == 0) FINE(scree_checkpoint_write(file, path, 1, &error));
  scree_checkpoint_destroy(file);
  CHECK(scree_world_alive(world, 1), "the floor has gone"); /* all wait until the file is there */
  CHECK((file = scree_checkpoint_read(path, NULL, &error)) != NULL, "%s", error.text);
  scree_world *one = make_world();
  FINE(scree_world_fill_column(one, 0, 7, &error));
  FINE(scree_world_load(one, file, &error));
  scree_checkpoint_destroy(file);
  check_world(one, step);
  scree_world_destroy(one);
}

int main(int argc, char **argv) {
  char path[600];
  CHECK(argc == 2, "usage: mpi.columns PATH");
  FINE(scree_dist_start(&rank, &ranks, &error));
  scree_world *world = make_world();
  scree_dist_def dist = scree_dist_defaults();
  dist.grid[0] = ranks, dist.grid[1] = dist.grid[2] = 1, dist.imbalance = 0;
  FINE(scree_world_distribute(world, &dist, &error));
  scree_trajectory_def def = scree_trajectory_defaults();
  def.key_every = 4, def.precision = 1e-6;
  scree_packer *packer = scree_packer_create(&def, &error);
  scree_frame_buffer *buffer = scree_frame_buffer_create();
  snprintf(path, sizeof path, "%s.scree", argv[1]);
  scree_writer *writer = NULL;
  if (rank == 0) {
    remove(path);
    writer = scree_writer_open(path, &def, &error);
  }
  CHECK(writer || rank, "%s", error.text);
  for (int n = 0; n < FRAMES; n++) {
    const int step = 10 * n;
    if (n == 5) FINE(scree_world_set_value(world, 0, grain[3], -1.5, &error));
    check_world(world, step);
    const scree_frame *whole = scree_frame_capture(buffer, world, 0, &error);
    check_frame(whole, step);
    double largest[SCREE_FRAME_LARGEST];
    scree_frame_largest(whole, largest);
    const scree_frame *part = scree_frame_capture(buffer, world, SCREE_FRAME_PART, &error);
    const void *bytes, *all;
    size_t count, total;
    FINE(scree_packer_frame(packer, part, n, largest, &bytes, &count, &error));
    FINE(scree_world_gather(world, bytes, count, &all, &total, &error));
    if (rank == 0) FINE(scree_writer_parts(writer, all, total, &error));
    FINE(scree_world_step(world, 10, &error));
  }
  scree_dist_traffic traffic;
  scree_dist_get_traffic(world, &traffic);
  double moved = (double)traffic.migrated;
  scree_world_combine(world, 0, &moved, 1);
  CHECK(moved > GRAINS / 4, "only %g grains have changed their rank", moved);
  if (rank == 0) {
    FINE(scree_writer_close(writer, &error));
    scree_reader *reader = scree_reader_open(path, &error);
    CHECK(reader, "%s", error.text);
    for (int n = 0; n < FRAMES; n++) check_frame(scree_reader_frame(reader, n, &error), 10 * n);
    scree_reader_close(reader);
    remove(path);
  }
  check_checkpoint(world, argv[1], 100);
  FINE(scree_world_fill_column(world, 0, 5, &error));
  double value;
  FINE(scree_world_get_value(world, 0, grain[9], &value, &error));
  CHECK(value == 5, "%g", value);
  CHECK(scree_world_get_value(world, 0, (scree_id)1 << 40, &value, &error) == SCREE_E_STALE,
      "a body that never was");
  scree_packer_destroy(packer);
  scree_frame_buffer_destroy(buffer);
  scree_world_destroy(world);
  scree_dist_stop();
  return 0;
}
