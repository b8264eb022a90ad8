/* Functions that create small worlds for tests, one call per body. An error fails the test with the engine's
 * message. */
#ifndef TEST_SCENE_H
#define TEST_SCENE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "scree/world.h"

#define CLOSE(a, b, tolerance) \
  do { \
    double va = (a), vb = (b), vt = (tolerance); \
    if (!(fabs(va - vb) <= vt)) fail_msg("%s = %.17g, expected %.17g within %.3g", #a, va, vb, vt); \
  } while (0)

static inline scree_world *make_world(double dt, double g) {
  scree_world_def def = scree_world_defaults();
  scree_error error = {0};
  def.dt = dt;
  def.gravity[2] = -g;
  def.solver.name = "nbgs";
  def.solver.iterations = 5000;
  def.solver.tolerance = 1e-10;
  scree_world *world = scree_world_create(&def, &error);
  if (!world) fail_msg("%s", error.text);
  return world;
}

/* Sets the law and mu of the default pair. */
static inline void set_law(scree_world *world, const char *law, double mu) {
  scree_pair_def pair = {0, 0, law, {0}};
  scree_error error = {0};
  int count;
  const scree_param *params = scree_world_law_params(world, law, &count);
  scree_param_defaults(params, count, pair.params);
  for (int i = 0; i < count; i++)
    if (!strcmp(params[i].name, "mu")) pair.params[i] = mu;
  if (scree_world_set_pair(world, &pair, &error) != SCREE_OK) fail_msg("%s", error.text);
}

static inline scree_id add_shape(scree_world *world, scree_shape_def shape, scree_body_def body) {
  scree_error error = {0};
  body.shapes = &shape;
  body.shapes_count = 1;
  scree_id id = scree_world_add(world, &body, &error);
  if (!id) fail_msg("%s", error.text);
  return id;
}

static inline scree_id add_sphere(scree_world *world, double r, double x, double y, double z) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = SCREE_SPHERE;
  shape.radius = r;
  body.position[0] = x;
  body.position[1] = y;
  body.position[2] = z;
  return add_shape(world, shape, body);
}

/* Adds a fixed half-space through (px,py,pz) with the outward normal (nx,ny,nz). */
static inline scree_id add_plane(
    scree_world *world, double px, double py, double pz, double nx, double ny, double nz) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = SCREE_HALFSPACE;
  shape.normal[0] = nx;
  shape.normal[1] = ny;
  shape.normal[2] = nz;
  body.kind = SCREE_FIXED;
  body.position[0] = px;
  body.position[1] = py;
  body.position[2] = pz;
  return add_shape(world, shape, body);
}

/* Adds the floor and four walls of an open box on [0, width]^2. */
static inline void add_box_walls(scree_world *world, double width) {
  add_plane(world, 0, 0, 0, 0, 0, 1);
  add_plane(world, 0, 0, 0, 1, 0, 0);
  add_plane(world, width, 0, 0, -1, 0, 0);
  add_plane(world, 0, 0, 0, 0, 1, 0);
  add_plane(world, 0, width, 0, 0, -1, 0);
}

static inline scree_body_state state_of(scree_world *world, scree_id id) {
  scree_body_state state;
  scree_error error = {0};
  if (scree_world_get(world, id, &state, &error) != SCREE_OK) fail_msg("%s", error.text);
  return state;
}

static inline void set_velocity(scree_world *world, scree_id id, double x, double y, double z) {
  scree_body_state state = {.velocity = {x, y, z}};
  scree_error error = {0};
  if (scree_world_set(world, id, SCREE_SET_VELOCITY, &state, &error) != SCREE_OK) fail_msg("%s", error.text);
}

static inline void set_spin(scree_world *world, scree_id id, double x, double y, double z) {
  scree_body_state state = {.spin = {x, y, z}};
  scree_error error = {0};
  if (scree_world_set(world, id, SCREE_SET_SPIN, &state, &error) != SCREE_OK) fail_msg("%s", error.text);
}

static inline void step_world(scree_world *world, int64_t count) {
  scree_error error = {0};
  if (scree_world_step(world, count, &error) != SCREE_OK) fail_msg("%s", error.text);
}

static inline scree_report report_of(scree_world *world) {
  scree_report report;
  scree_world_report(world, &report);
  return report;
}

#endif
