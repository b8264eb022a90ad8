/* Parts of frames that several ranks pack make the trajectory that one of them would write from whole
 * frames: mpirun -n N mpi.frames PATH. */
#include "check.h"
#include "scree/frame.h"
#include "scree/geometry.h"
#include "scree/trajectory.h"

typedef struct film {
  scree_world *world;
  scree_geometry *hull;
  scree_frame_buffer *buffer;
  scree_packer *packer;
  uint32_t named;
  char path[2][512];       /* of whole frames, of parts */
  scree_writer *writer[2]; /* on rank 0 */
} film;

static void add(film *f, scree_shape_def *shape, int kind, double x, double z) {
  scree_body_def body = scree_body_defaults();
  body.kind = kind, body.shapes = shape, body.shapes_count = 1, body.position[0] = body.position[1] = x,
  body.position[2] = z;
  CHECK(scree_world_add(f->world, &body, &error), "%s", error.text);
}

/* Grains that move about above a floor. */
static void make_world(film *f) {
  scree_world_def def = scree_world_defaults();
  def.gravity[2] = -9.81, def.dt = 1e-4, def.solver.iterations = 10;
  CHECK((f->world = scree_world_create(&def, &error)) != NULL, "%s", error.text);
  scree_shape_def floor = scree_shape_defaults();
  floor.type = SCREE_HALFSPACE, floor.normal[2] = 1;
  add(f, &floor, SCREE_FIXED, 0, 0);
  scree_fill_def fill = scree_fill_defaults();
  for (int k = 0; k < 3; k++) fill.max[k] = 6e-3, fill.velocity_jitter[k] = 0.2;
  fill.spacing = 1.1e-3, fill.radius = 0.4e-3, fill.radius_max = 0.5e-3;
  CHECK(scree_world_fill(f->world, &fill, &error) > 50, "%s", error.text);
}

static void drop_hull(film *f) {
  const double corner[4][3] = {{1e-3, 0, 0}, {-0.5e-3, 0.9e-3, 0}, {-0.5e-3, -0.9e-3, 0}, {0, 0, 1.2e-3}};
  scree_shape_def shape = scree_shape_defaults();
  CHECK((f->hull = scree_geometry_hull(corner, 4, &error)) != NULL, "%s", error.text);
  shape.type = SCREE_HULL, shape.geometry = f->hull;
  add(f, &shape, SCREE_DYNAMIC, 3e-3, 9e-3);
}

static void open_files(film *f, const char *path) {
  scree_trajectory_def def = scree_trajectory_defaults();
  def.precision = 1e-8, def.fields |= SCREE_FIELD_CONTACTS, def.key_every = 4;
  f->buffer = scree_frame_buffer_create();
  CHECK(f->buffer && (f->packer = scree_packer_create(&def, &error)), "%s", error.text);
  for (int w = 0; w < 2 && rank == 0; w++) {
    snprintf(f->path[w], sizeof f->path[w], "%s-%d.scree", path, w);
    remove(f->path[w]);
    CHECK((f->writer[w] = scree_writer_open(f->path[w], &def, &error)) != NULL, "%s", error.text);
  }
}

static void write_whole(film *f, double largest[SCREE_FRAME_LARGEST]) {
  const scree_frame *whole = scree_frame_capture(f->buffer, f->world, SCREE_FRAME_CONTACTS, &error);
  CHECK(whole, "%s", error.text);
  scree_frame_largest(whole, largest);
  if (rank == 0) FINE(scree_writer_frame(f->writer[0], whole, &error));
}

/* The hull's place is the same in both files: it is the only one. */
static void write_parts(film *f, int64_t number, const double *largest) {
  const void *bytes, *all;
  size_t count, total;
  const scree_frame *part = scree_frame_capture(
      f->buffer, f->world, SCREE_FRAME_CONTACTS | SCREE_FRAME_PART, &error);
  CHECK(part, "%s", error.text);
  for (const scree_geometry *g; (g = scree_world_geometry(f->world, f->named + 1)); f->named++) {
    FINE(scree_packer_name(f->packer, g, f->named, &error));
    if (rank == 0) CHECK(scree_writer_place(f->writer[1], g, &error) == f->named, "%s", error.text);
  }
  FINE(scree_packer_frame(f->packer, part, number, largest, &bytes, &count, &error));
  FINE(scree_world_gather(f->world, bytes, count, &all, &total, &error));
  CHECK(!all == (rank > 0) && (rank > 0 || total > count), "%zu bytes, %zu here", total, count);
  if (rank == 0) FINE(scree_writer_parts(f->writer[1], all, total, &error));
}

static void close_files(film *f, int64_t frames) {
  scree_reader *reader[2];
  scree_comparison result;
  for (int w = 0; w < 2 && rank == 0; w++) {
    FINE(scree_writer_close(f->writer[w], &error));
    CHECK((reader[w] = scree_reader_open(f->path[w], &error)) != NULL, "%s", error.text);
    CHECK(scree_reader_info(reader[w])->frames == frames, "%lld frames",
        (long long)scree_reader_info(reader[w])->frames);
  }
  if (rank == 0) {
    FINE(scree_compare(reader[0], reader[1], 0, &result, &error));
    CHECK(result.same, "%lld differences, the first in frame %lld: %s of body %llu",
        (long long)result.differences, (long long)result.first.frame,
        scree_diff_field_name(result.first.field), (unsigned long long)result.first.body);
  }
  for (int w = 0; w < 2 && rank == 0; w++) scree_reader_close(reader[w]), remove(f->path[w]);
}

int main(int argc, char **argv) {
  enum { FRAMES = 14 };
  film f = {0};
  CHECK(argc == 2, "usage: mpi.frames PATH");
  FINE(scree_dist_start(&rank, &ranks, &error));
  make_world(&f);
  scree_dist_def def = scree_dist_defaults();
  def.imbalance = 0; /* grains cross planes that stay */
  FINE(scree_world_distribute(f.world, &def, &error));
  open_files(&f, argv[1]);
  for (int64_t n = 0; n < FRAMES; n++) {
    if (n == 5) drop_hull(&f);
    double largest[SCREE_FRAME_LARGEST];
    write_whole(&f, largest);
    write_parts(&f, n, largest);
    FINE(scree_world_step(f.world, 40, &error));
  }
  CHECK(f.named == 1, "%u hulls", f.named);
  scree_dist_traffic traffic;
  scree_dist_get_traffic(f.world, &traffic);
  double moved = (double)traffic.migrated;
  scree_world_combine(f.world, 0, &moved, 1);
  CHECK(moved > 0, "no grain has changed its rank");
  close_files(&f, FRAMES);
  scree_packer_destroy(f.packer);
  scree_frame_buffer_destroy(f.buffer);
  scree_geometry_release(f.hull);
  scree_world_destroy(f.world);
  scree_dist_stop();
  return 0;
}
