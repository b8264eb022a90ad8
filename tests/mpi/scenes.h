/* Functions that create and step the worlds of the test mpi.world. */
#ifndef TESTS_MPI_SCENES_H
#define TESTS_MPI_SCENES_H

#include "check.h"

static int64_t threads = 1; /* number of threads of each world that make() creates */
static int acceleration;

static scree_world *make(double gravity, double dt, int64_t iterations, double tolerance) {
  scree_world_def def = scree_world_defaults();
  def.gravity[0] = def.gravity[1] = 0, def.gravity[2] = -gravity;
  def.dt = dt;
  def.solver.iterations = iterations;
  def.solver.tolerance = tolerance;
  def.threads = threads, def.solver.contacts_per_thread = 1, def.solver.acceleration = acceleration;
  scree_world *world = scree_world_create(&def, &error);
  CHECK(world, "%s", error.text);
  return world;
}

static void add_plane(scree_world *world, double x, double y, double z, double distance) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = SCREE_HALFSPACE;
  const double normal[3] = {x, y, z};
  for (int k = 0; k < 3; k++) shape.normal[k] = normal[k], shape.position[k] = distance * normal[k];
  body.kind = SCREE_FIXED, body.shapes = &shape, body.shapes_count = 1;
  CHECK(scree_world_add(world, &body, &error), "%s", error.text);
}

/* Adds a floor and four walls around the square [0, side]^2. */
static void add_box(scree_world *world, double side) {
  add_plane(world, 0, 0, 1, 0);
  add_plane(world, 1, 0, 0, 0);
  add_plane(world, -1, 0, 0, -side);
  add_plane(world, 0, 1, 0, 0);
  add_plane(world, 0, -1, 0, -side);
}

static scree_id add_ball(
    scree_world *world, double radius, double x, double y, double z, double vx, double vy) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = SCREE_SPHERE, shape.radius = radius;
  body.position[0] = x, body.position[1] = y, body.position[2] = z, body.velocity[0] = vx,
  body.velocity[1] = vy;
  body.shapes = &shape, body.shapes_count = 1;
  scree_id id = scree_world_add(world, &body, &error);
  CHECK(id, "%s", error.text);
  return id;
}

static int64_t fill(scree_world *world, double x, double y, double z, double width, double depth,
    double height, uint64_t seed) {
  scree_fill_def def = scree_fill_defaults();
  const double low[3] = {x, y, z}, size[3] = {width, depth, height};
  for (int k = 0; k < 3; k++)
    def.min[k] = low[k], def.max[k] = low[k] + size[k], def.velocity_jitter[k] = 0.1;
  def.spacing = 1.02e-3, def.radius = 0.46e-3, def.radius_max = 0.5e-3, def.seed = seed;
  int64_t added = scree_world_fill(world, &def, &error);
  CHECK(added >= 0, "%s", error.text);
  return added;
}

/* Returns a world with grains in the lower half of a box with the edge `side`. */
static inline scree_world *bed(double side, uint64_t seed, int64_t iterations) {
  scree_world *world = make(9.81, 1e-4, iterations, 1e-3);
  add_box(world, side);
  fill(world, 0, 0, 0, side, side, 0.5 * side, seed);
  return world;
}

static void spread_over(scree_world *world, int x, int y, int z, double imbalance) {
  scree_dist_def def = scree_dist_defaults();
  def.grid[0] = x, def.grid[1] = y, def.grid[2] = z, def.imbalance = imbalance;
  def.interval = 10;
  FINE(scree_world_distribute(world, &def, &error));
}
static inline void spread(scree_world *world) { spread_over(world, 0, 0, 0, 1.1); }

static void step(scree_world *world, int64_t count) { FINE(scree_world_step(world, count, &error)); }

static scree_report report(const scree_world *world) {
  scree_report r;
  scree_world_report(world, &r);
  return r;
}

#endif
