/* Worlds with a periodic cell on several ranks, against the same world on one: mpirun -n N mpi.cell PATH.
 * Every rank also makes a whole world of its own, which nobody spreads. */
#include <math.h>
#include <string.h>

#include "contacts.h"
#include "scree/checkpoint.h"

static const double side = 6e-3;

/* A world in a cell, periodic along z or not. */
static scree_world *make_cell(int along_z, double gravity, int64_t iterations, double tolerance) {
  scree_world_def def = scree_world_defaults();
  def.gravity[2] = -gravity, def.dt = 1e-4, def.threads = threads;
  def.correction = SCREE_CORRECTION_VELOCITY; // which converges, where shifts end after some sweeps
  def.solver.iterations = iterations, def.solver.tolerance = tolerance, def.solver.contacts_per_thread = 1;
  for (int k = 0; k < 3; k++) def.cell.size[k] = side, def.cell.periodic[k] = k < 2 || along_z;
  for (int k = 0; k < 3; k++) def.cell.origin[k] = k < 2 || along_z ? 1.7e-3 : 0;
  scree_world *world = scree_world_create(&def, &error);
  CHECK(world, "%s", error.text);
  scree_pair_def pair = {.law = "coulomb"};
  int count;
  const scree_param *params = scree_world_law_params(world, "coulomb", &count);
  scree_param_defaults(params, count, pair.params);
  for (int i = 0; i < count; i++)
    if (!strcmp(params[i].name, "mu")) pair.params[i] = 0.3;
  FINE(scree_world_set_pair(world, &pair, &error));
  return world;
}

static void add_capsule(scree_world *world, double x, double y, double z) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = SCREE_CAPSULE, shape.radius = 0.25e-3, shape.length = 0.5e-3;
  const double at[3] = {x, y, z}, turn[4] = {0.8, 0.6, 0, 0};
  memcpy(body.position, at, sizeof at), memcpy(body.orientation, turn, sizeof turn);
  body.velocity[0] = 2 * x, body.shapes = &shape, body.shapes_count = 1;
  CHECK(scree_world_add(world, &body, &error), "%s", error.text);
}

/* A gas that flows through the faces of a cell, which is sheared fast: v_x = rate y. */
static scree_world *gas(double rate) {
  scree_world *world = make_cell(1, 0, 2000, 1e-12);
  int64_t added = 0;
  for (int i = 0; i < 64; i++) {
    const double x = 1.5e-3 * (i % 4), y = 1.5e-3 * (i / 4 % 4), z = 1.5e-3 * (i / 16);
    const double vx = 1 + 0.3 * (i * 37 % 11 - 5), vy = 0.3 * (i * 53 % 13 - 6);
    if (i % 8 == 5) add_capsule(world, x, y, z);
    else add_ball(world, 0.5e-3, x, y, z, vx, vy);
    added++;
  }
  const double gradient[9] = {0, rate};
  FINE(scree_world_cell_set_gradient(world, gradient, 1, &error));
  return world;
}

/* Largest distance of a body's place, and of its velocity, from that in another world. */
static void apart(const scree_world *a, const scree_world *b, double off[2]) {
  scree_frame_buffer *buffer[2] = {scree_frame_buffer_create(), scree_frame_buffer_create()};
  const scree_frame *f = scree_frame_capture(buffer[0], a, 0, &error),
                    *g = scree_frame_capture(buffer[1], b, 0, &error);
  CHECK(f && g && f->bodies == g->bodies, "%s", error.text);
  off[0] = off[1] = 0;
  for (int64_t i = 0; i < 3 * f->bodies; i++) {
    CHECK(f->id[i / 3] == g->id[i / 3], "body %lld", (long long)i / 3);
    off[0] = fmax(off[0], fabs(f->position[i] - g->position[i]));
    off[1] = fmax(off[1], fabs(f->velocity[i] - g->velocity[i]));
  }
  for (int k = 0; k < 2; k++) scree_frame_buffer_destroy(buffer[k]);
}

static int64_t migrated(const scree_world *world) {
  scree_dist_traffic traffic;
  scree_dist_get_traffic(world, &traffic);
  return traffic.migrated;
}

static double tilt_of(const scree_world *world) {
  scree_cell cell;
  CHECK(scree_world_get_cell(world, &cell), "no cell");
  return cell.matrix[1] / cell.matrix[0];
}

static void same_stress(const scree_world *a, const scree_world *b, double share) {
  double kinetic[2][9], contact[2][9], most = 0;
  FINE(scree_world_cell_stress(a, kinetic[0], contact[0], &error));
  FINE(scree_world_cell_stress(b, kinetic[1], contact[1], &error));
  for (int k = 0; k < 9; k++) most = fmax(most, fabs(kinetic[0][k]) + fabs(contact[0][k]));
  CHECK(most > 0, "no stress");
  for (int k = 0; k < 9; k++)
    CHECK(fabs(kinetic[0][k] - kinetic[1][k]) <= share * most &&
            fabs(contact[0][k] - contact[1][k]) <= share * most,
        "stress %d: %g and %g, not %g and %g", k, kinetic[1][k], contact[1][k], kinetic[0][k], contact[0][k]);
}

/* Where the same number of ranks cuts the cell otherwise: along x only, or as it likes. */
static void spread_cell(scree_world *world, int way) {
  const int grid[3][3] = {{ranks, 1, 1}, {0, 0, 0}, {1, ranks, 1}};
  spread_over(world, grid[way][0], grid[way][1], grid[way][2], 1.1);
}

/* A gas goes on as on one rank, also in a cell that is sheared through a remap: bodies cross its faces and
 * change their ranks, and momentum stays to rounding. */
static void flow(double rate, int way) {
  scree_world *one = gas(rate), *several = gas(rate);
  spread_cell(several, way);
  scree_report before = report(one);
  int64_t active = 0;
  double off[2], size = 0, most = 0;
  for (int part = 0; part < (rate > 0 ? 11 : 5); part++) { // the cell is remapped after 50 steps
    step(one, 5);
    step(several, 5);
    scree_report a = report(one), b = report(several);
    CHECK(a.active == b.active, "%lld contacts, not %lld", (long long)b.active, (long long)a.active);
    active += a.active;
    most = fmax(most, tilt_of(one));
    CHECK(tilt_of(one) == tilt_of(several), "tilt %g, not %g", tilt_of(several), tilt_of(one));
  }
  apart(one, several, off);
  CHECK(active > 20 && off[0] < 1e-9 * side && off[1] < 1e-8, "%lld contacts, %g and %g apart",
      (long long)active, off[0], off[1]);
  same_stress(one, several, 1e-6);
  double moved = (double)migrated(several), all = moved;
  scree_world_combine(several, 0, &all, 1);
  scree_report after = report(several);
  for (int k = 0; k < 3; k++) size += fabs(before.momentum[k]);
  for (int k = 0; k < 3; k++)
    CHECK(fabs(after.momentum[k] - before.momentum[k]) <= 1e-12 * size, "momentum %d: %.17g, then %.17g", k,
        before.momentum[k], after.momentum[k]);
  CHECK(all > 5 && (rate == 0 || tilt_of(one) < most), "%g bodies changed their rank, tilt %g", all,
      tilt_of(one));
  scree_world_destroy(one);
  scree_world_destroy(several);
}

/* A sample that stress drives: the cell's turn in each sweep is the same on all ranks, and what comes of it
 * is what one rank finds. */
static void driven(void) {
  scree_world *world[2];
  const double P = 500, stress[9] = {P, 0, 0, 0, P, 0, 0, 0, P}, rate[9] = {0, 20};
  const int all[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, one[9] = {0, 0, 0, 0, 1};
  scree_cell cell[2];
  for (int several = 0; several < 2; several++) {
    scree_world *w = world[several] = gas(0);
    FINE(scree_world_cell_set_stress(w, stress, all, 1, &error));
    if (several) spread_cell(w, 1);
    step(w, 8);
    FINE(scree_world_cell_set_gradient(w, rate, 1, &error));
    FINE(scree_world_cell_set_stress(w, stress, one, 1, &error));
    step(w, 6);
    CHECK(scree_world_get_cell(w, cell + several), "no cell");
  }
  for (int k = 0; k < 9; k++)
    CHECK(fabs(cell[0].matrix[k] - cell[1].matrix[k]) < 1e-8 * side &&
            fabs(cell[0].gradient[k] - cell[1].gradient[k]) < 1e-5 * 20,
        "H %d: %.17g, not %.17g; L: %.17g, not %.17g", k, cell[1].matrix[k], cell[0].matrix[k],
        cell[1].gradient[k], cell[0].gradient[k]);
  scree_report a = report(world[0]), b = report(world[1]);
  CHECK(cell[0].gradient[4] != 0 && a.active > 5 && a.active == b.active, "%lld contacts, not %lld",
      (long long)b.active, (long long)a.active);
  CHECK(fabs(a.work - b.work) <= 1e-6 * fabs(a.work) &&
          fabs(a.dissipated - b.dissipated) <= 1e-6 * a.dissipated,
      "work %g, not %g, dissipated %g, not %g", b.work, a.work, b.dissipated, a.dissipated);
  same_stress(world[0], world[1], 1e-5);
  for (int k = 0; k < 2; k++) scree_world_destroy(world[k]);
}

/* A bed on a floor, periodic along x and y: contacts of one step are the same, bit for bit, images too, and
 * grains that come in later keep off the images of all others. */
static void bed_in_cell(void) {
  scree_world *world[2];
  scree_insert_result result[2];
  for (int several = 0; several < 2; several++) {
    scree_world *w = world[several] = make_cell(0, 9.81, 50, 1e-3);
    add_plane(w, 0, 0, 1, 0);
    fill(w, 0, 0, 0, side, side, 3e-3, 1);
    step(w, 150);
    if (several) spread_cell(w, 1);
    scree_insert_def def = scree_insert_defaults();
    for (int k = 0; k < 3; k++) def.grains.min[k] = 0, def.grains.max[k] = k < 2 ? side : 2.6e-3;
    def.grains.radius = 0.2e-3, def.grains.limit = 40, def.grains.seed = 7;
    FINE(scree_world_insert(w, &def, result + several, &error));
    step(w, 1);
  }
  CHECK(result[0].placed > 5 && result[0].placed == result[1].placed, "%lld grains, not %lld",
      (long long)result[1].placed, (long long)result[0].placed);
  same_contacts(world[0], world[1]);
  for (int k = 0; k < 2; k++) scree_world_destroy(world[k]);
}

/* Liquid bridges, formed by contact, hold pairs that fly apart slowly and fast through faces and from rank
 * to rank: what is remembered of a contact goes with it, under its image. */
static void bridges(void) {
  scree_world *world[2];
  double off[2], moved;
  for (int several = 0; several < 2; several++) {
    scree_world *w = world[several] = make_cell(1, 0, 200, 1e-12);
    scree_pair_def pair = {
        .law = "coulomb", .cohesion = {SCREE_COHESION_CAPILLARY, .volume = 5e-12, .tension = 5e-3}};
    FINE(scree_world_set_pair(w, &pair, &error));
    for (int i = 0; i < 4; i++) {
      const double x = 1.5e-3 * i, y = 1.5e-3 * i;
      add_ball(w, 0.5e-3, x, y, 0, 3, 0);
      add_ball(w, 0.5e-3, x + 1e-3 - (i % 2 ? side : 0), y, 0, 3.1, 0); // of every other pair an image
    }
    if (several) spread_cell(w, 0);
    step(w, 14);
    scree_report r = report(w);
    CHECK(r.contacts == 4, "%lld bridges on %d ranks", (long long)r.contacts, several ? ranks : 1);
  }
  apart(world[0], world[1], off);
  moved = (double)migrated(world[1]);
  scree_world_combine(world[1], 0, &moved, 1);
  CHECK(off[0] < 1e-12 && off[1] < 1e-9 && moved > 4, "%g and %g apart, %g moved", off[0], off[1], moved);
  for (int k = 0; k < 2; k++) scree_world_destroy(world[k]);
}

static scree_checkpoint *file_of(const scree_world *world, const char *path) {
  scree_checkpoint *file = scree_checkpoint_create();
  FINE(scree_world_save(world, file, &error));
  if (rank == 0) FINE(scree_checkpoint_write(file, path, 1, &error));
  scree_checkpoint_destroy(file);
  CHECK(scree_world_alive(world, 1), "the first body has gone"); /* all wait until the file is there */
  CHECK((file = scree_checkpoint_read(path, NULL, &error)) != NULL, "%s", error.text);
  return file;
}

/* A checkpoint that ranks pack in the middle of a shear holds the world, its cell and the images of contacts;
 * what goes on from it, on one rank and on several, is what would have followed. */
static void saved(const char *path) {
  scree_world *several = gas(100), *resumed[2];
  spread_cell(several, 1);
  step(several, 42);
  scree_checkpoint *file = file_of(several, path);
  for (int k = 0; k < 2; k++) {
    resumed[k] = gas(0);
    FINE(scree_world_load(resumed[k], file, &error));
    CHECK(tilt_of(resumed[k]) == tilt_of(several), "tilt %g", tilt_of(resumed[k]));
  }
  scree_checkpoint_destroy(file);
  CHECK(scree_world_hash(resumed[0]) == scree_world_hash(several), "the restored world differs");
  same_contacts(resumed[0], several);
  spread_cell(resumed[1], 0);
  for (int k = 0; k < 2; k++) {
    double off[2];
    step(resumed[k], 12);
    if (!k) step(several, 12);
    apart(several, resumed[k], off);
    CHECK(off[0] < 1e-10 * side && off[1] < 1e-9, "%g and %g apart", off[0], off[1]);
    scree_world_destroy(resumed[k]);
  }
  scree_world_destroy(several);
}

/* Two ranks cut a cell that is periodic along x and y, but not z, into layers. A cut across x or y would need
 * a second plane at the cell's face: 1.8 side^2 in all instead of side^2. Balls that fly once around the cell
 * along x and y then stay on their rank. */
static void layers(void) {
  scree_world *world = make_cell(0, 0, 10, 1e-12);
  for (int i = 0; i < 16; i++)
    add_ball(world, 0.2e-3, 1.5e-3 * (i * 5 % 4), 1.5e-3 * (i % 4), 0.3 * side * (i / 4), 1, 1);
  spread(world);
  step(world, 60);
  scree_dist_traffic traffic;
  scree_dist_get_traffic(world, &traffic);
  CHECK(traffic.own == 8 && traffic.migrated == 0, "%lld balls, %lld from the other rank",
      (long long)traffic.own, (long long)traffic.migrated);
  scree_world_destroy(world);
}

/* The same number of ranks gives the same bits, with any number of threads in each. */
static void repeat(void) {
  uint64_t hash[2];
  for (int turn = 0; turn < 2; turn++) {
    threads = 1 + turn;
    scree_world *world = gas(100);
    spread_cell(world, 1);
    step(world, 20);
    hash[turn] = scree_world_hash(world);
    scree_world_destroy(world);
  }
  threads = 1;
  CHECK(
      hash[0] == hash[1], "%016llx, then %016llx", (unsigned long long)hash[0], (unsigned long long)hash[1]);
}

int main(int argc, char **argv) {
  if (scree_dist_start(&rank, &ranks, &error) != SCREE_OK) return fprintf(stderr, "%s\n", error.text), 1;
  CHECK(argc == 2, "usage: mpi.cell PATH");
  flow(0, 2);
  flow(100, 0);
  driven();
  bed_in_cell();
  bridges();
  saved(argv[1]);
  repeat();
  if (ranks == 2) layers();
  scree_dist_stop();
  return 0;
}
