/* Checkpoints that several ranks pack hold the whole world: bodies, shapes, contacts with their
 * impulses, also before the first step, after impacts and right after a removal. mpirun -n N mpi.saves
 * PATH. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "scree/checkpoint.h"
#include "scree/frame.h"
#include "scree/geometry.h"

static scree_geometry *hull[2];
static int64_t substeps; /* substeps of the worlds of this test */

static void add(
    scree_world *world, scree_shape_def *shape, int kind, const double position[3], double speed) {
  scree_body_def body = scree_body_defaults();
  body.kind = kind, body.shapes = shape, body.shapes_count = 1, body.velocity[0] = speed;
  memcpy(body.position, position, sizeof body.position);
  CHECK(scree_world_add(world, &body, &error), "%s", error.text);
}

/* Grains that strike each other and a floor, two kinds of hulls at opposite ends. */
static scree_world *make(void) {
  scree_world_def def = scree_world_defaults();
  def.gravity[2] = -9.81, def.dt = 2e-4, def.substeps = substeps, def.solver.iterations = 10;
  scree_world *world = scree_world_create(&def, &error);
  CHECK(world, "%s", error.text);
  int count;
  scree_pair_def pair = {0, 0, "coulomb", {0}, 0.4, 0};
  const scree_param *params = scree_world_law_params(world, "coulomb", &count);
  scree_param_defaults(params, count, pair.params);
  FINE(scree_world_set_pair(world, &pair, &error));
  scree_shape_def floor = scree_shape_defaults();
  floor.type = SCREE_HALFSPACE, floor.normal[2] = 1;
  add(world, &floor, SCREE_FIXED, (double[3]){0, 0, 0}, 0);
  scree_fill_def fill = scree_fill_defaults();
  for (int k = 0; k < 3; k++) fill.max[k] = k ? 5e-3 : 10e-3, fill.velocity_jitter[k] = 0.2;
  fill.spacing = 1.03e-3, fill.radius = 0.45e-3, fill.radius_max = 0.5e-3, fill.seed = 3;
  CHECK(scree_world_fill(world, &fill, &error) > 100, "%s", error.text);
  for (int i = 0; i < 4; i++) {
    scree_shape_def shape = scree_shape_defaults();
    shape.type = SCREE_HULL, shape.geometry = hull[i % 2];
    add(world, &shape, SCREE_DYNAMIC, (double[3]){(i % 2 ? 1 : 9) * 1e-3, 1e-3 + i * 0.8e-3, 7e-3},
        i % 2 ? 0.2 : -0.2);
  }
  return world;
}

static int64_t contacts_of(scree_frame_buffer *buffer, const scree_world *world, scree_frame_contact **out) {
  const scree_frame *frame = scree_frame_capture(buffer, world, SCREE_FRAME_CONTACTS, &error);
  CHECK(frame, "%s", error.text);
  *out = malloc(((size_t)frame->contacts + 1) * sizeof **out);
  if (frame->contacts) memcpy(*out, frame->contact, (size_t)frame->contacts * sizeof **out);
  qsort(*out, (size_t)frame->contacts, sizeof **out, by_bodies);
  return frame->contacts;
}

/* Checks that a world on a single rank loads from the file the state of all ranks. least: the state must have
 * more contacts than this; 0: before the first step, when the ranks list no contacts. */
static void check(scree_world *world, const char *path, int64_t least) {
  scree_checkpoint *file = scree_checkpoint_create();
  FINE(scree_world_save(world, file, &error));
  if (rank == 0) FINE(scree_checkpoint_write(file, path, 1, &error));
  scree_checkpoint_destroy(file);
  CHECK(scree_world_alive(world, 1), "the floor has gone"); /* all wait until the file is there */
  CHECK((file = scree_checkpoint_read(path, NULL, &error)) != NULL, "%s", error.text);
  scree_world *one = make();
  FINE(scree_world_load(one, file, &error));
  scree_checkpoint_info info;
  FINE(scree_checkpoint_about(file, &info, &error));
  scree_checkpoint_destroy(file);
  scree_report had, has;
  scree_world_report(world, &had);
  scree_world_report(one, &has);
  CHECK(scree_world_hash(one) == scree_world_hash(world), "the restored world differs");
  CHECK(had.bodies == has.bodies && info.bodies == has.bodies && had.elastic == has.elastic, "%lld bodies",
      (long long)has.bodies);
  scree_frame_buffer *buffer = scree_frame_buffer_create();
  scree_frame_contact *a, *b;
  int64_t n = contacts_of(buffer, world, &a), m = contacts_of(buffer, one, &b);
  CHECK((n == m || !least) && m > least && (info.contacts == m || (substeps > 1 && info.contacts < m)),
      "%lld and %lld contacts", (long long)n, (long long)m);
  for (int64_t c = 0; c < n && least; c++)
    CHECK(a[c].body1 == b[c].body1 && a[c].body2 == b[c].body2 &&
            !memcmp(a[c].point, b[c].point, sizeof a->point) &&
            !memcmp(a[c].impulse, b[c].impulse, sizeof a->impulse),
        "contact %lld differs", (long long)c);
  FINE(scree_world_step(one, 5, &error));
  free(a);
  free(b);
  scree_frame_buffer_destroy(buffer);
  scree_world_destroy(one);
}

static void run(const char *path) {
  scree_world *world = make();
  FINE(scree_world_step(world, 2, &error));
  scree_dist_def def = scree_dist_defaults();
  def.grid[0] = ranks, def.grid[1] = def.grid[2] = 1;
  FINE(scree_world_distribute(world, &def, &error));
  check(world, path, 0);
  for (int part = 0; part < 4; part++) {
    FINE(scree_world_step(world, 15, &error));
    check(world, path, 1);
  }
  scree_region middle = {.min = {3e-3, -1, -1}, .max = {6e-3, 1, 1}};
  CHECK(scree_world_remove_where(world, &(scree_select){-1, -1, &middle}) > 10, "nothing was removed");
  check(world, path, 1);
  FINE(scree_world_step(world, 15, &error));
  check(world, path, 1);
  scree_world_destroy(world);
}

int main(int argc, char **argv) {
  const double corner[2][4][3] = {{{1e-3, 0, 0}, {-0.5e-3, 0.9e-3, 0}, {-0.5e-3, -0.9e-3, 0}, {0, 0, 1.2e-3}},
      {{0.8e-3, 0, 0}, {-0.4e-3, 0.7e-3, 0}, {-0.4e-3, -0.7e-3, 0}, {0, 0, 1.5e-3}}};
  if (scree_dist_start(&rank, &ranks, &error) != SCREE_OK) return fprintf(stderr, "%s\n", error.text), 1;
  CHECK(argc == 2, "usage: mpi.saves PATH");
  for (int i = 0; i < 2; i++)
    CHECK((hull[i] = scree_geometry_hull(corner[i], 4, &error)) != NULL, "%s", error.text);
  for (substeps = 1; substeps <= 3; substeps += 2) run(argv[1]);
  for (int i = 0; i < 2; i++) scree_geometry_release(hull[i]);
  scree_dist_stop();
  return 0;
}
