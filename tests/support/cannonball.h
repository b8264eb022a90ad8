/* A world with the pyramid of cannonballs of Olsen & Kamrin (2018, section 8.2): spheres of diameter 2.5 mm
 * and density 2000 kg/m3, with the law hooke or hertz and without friction. The base layer is fixed. Layer L
 * is raised by L times `lift` radii. The group of a sphere is its index, layer by layer from the bottom and
 * row by row. */
#ifndef TEST_CANNONBALL_H
#define TEST_CANNONBALL_H

#include <stdlib.h>
#include "scree/forces.h"
#include "support/scene.h"

enum { UNIFORM_HOOKE, UNIFORM_HERTZ, TWO_SPECIES, MODELS };
static const double CANNON_RADIUS = 1.25e-3;

/* Adds the materials "even" and "odd" and their pairs. stiffness: law hooke: stiffness of the stiffest pair
 * [N/m]; law hertz: parameter of the law [Pa]. */
static inline void cannonball_pairs(scree_world *world, int model, double stiffness) {
  scree_error error;
  scree_world_add_material(world, &(scree_material_def){"even", 2000}, &error);
  scree_world_add_material(world, &(scree_material_def){"odd", 2000}, &error);
  const char *law = model == UNIFORM_HERTZ ? "hertz" : "hooke";
  int count;
  const scree_param *params = scree_world_law_params(world, law, &count);
  for (int a = 1; a <= 2; a++)
    for (int b = a; b <= 2; b++) {
      scree_pair_def pair = {a, b, law, {0}};
      scree_param_defaults(params, count, pair.params);
      pair.params[0] = 0;
      pair.params[2] = 0.3;
      pair.params[1] = stiffness * (model != TWO_SPECIES || a + b == 4 ? 1 : a + b == 3 ? 1.0 / 3 : 1.0 / 5);
      if (scree_world_set_pair(world, &pair, &error) != SCREE_OK) fail_msg("%s", error.text);
    }
}

static inline void cannonball_fill(scree_world *world, int n, double lift) {
  int64_t index = 0;
  double d = 2 * CANNON_RADIUS;
  for (int layer = 0; layer < n; layer++)
    for (int i = 0; i < n - layer; i++)
      for (int j = 0; j < n - layer; j++, index++) {
        scree_shape_def shape = scree_shape_defaults();
        scree_body_def body = scree_body_defaults();
        shape.radius = CANNON_RADIUS;
        shape.material = 1 + (int)(index % 2);
        body.kind = layer ? SCREE_DYNAMIC : SCREE_FIXED;
        body.group = index;
        body.position[0] = (i + 0.5 * layer) * d;
        body.position[1] = (j + 0.5 * layer) * d;
        body.position[2] = layer * (d / sqrt(2) + lift * CANNON_RADIUS);
        add_shape(world, shape, body);
      }
}

/* Returns a def whose margin is wide enough for the fall of the upper layers in one step of hard contact. */
static inline scree_world_def cannonball_def(int stepper, double dt) {
  scree_world_def def = scree_world_defaults();
  def.dt = dt;
  def.stepper = stepper;
  def.margin = 0.3;
  if (stepper == SCREE_STEPPER_PENALTY) return def; /* the penalty stepper has no solver */
  def.solver.iterations = 3000;
  def.solver.tolerance = 1e-10;
  return def;
}

static inline scree_world *cannonball(
    int n, int model, int stepper, double dt, double stiffness, double lift) {
  scree_world_def def = cannonball_def(stepper, dt);
  scree_error error = {0};
  scree_world *world = scree_world_create(&def, &error);
  if (!world) fail_msg("%s", error.text);
  cannonball_pairs(world, model, stiffness);
  cannonball_fill(world, n, lift);
  return world;
}

/* Multiplies all velocities by `keep`, so that the packing comes to rest sooner. The state of rest does not
 * depend on `keep`. */
static inline void cannonball_calm(scree_world *world, double keep) {
  void *data;
  int64_t rows;
  scree_world_view(world, SCREE_VIEW_VELOCITY, &data, &rows);
  for (int64_t i = 0; i < 3 * rows; i++) ((double *)data)[i] *= keep;
}

/* Returns the weight of one sphere [N]. */
static inline double cannonball_weight(void) {
  return 2000 * 4.0 / 3 * M_PI * CANNON_RADIUS * CANNON_RADIUS * CANNON_RADIUS * 9.81;
}

/* Computes the vertical force on each of the n x n base spheres, in weights of a sphere. force: [contacts]
 * force on body 1 of each contact [N]; NULL: impulses of the step divided by dt. */
static inline void cannonball_floor(
    scree_world *world, int n, const double (*force)[3], double dt, double *base) {
  memset(base, 0, (size_t)(n * n) * sizeof *base);
  for (int64_t c = 0; c < scree_world_contacts_count(world); c++) {
    scree_contact contact;
    scree_body_state a, b;
    scree_world_contact(world, c, &contact);
    scree_world_get(world, contact.body1, &a, NULL);
    scree_world_get(world, contact.body2, &b, NULL);
    double up = force ? force[c][2] : contact.impulse[2] / dt;
    if (a.kind == SCREE_FIXED) base[a.group] -= up / cannonball_weight();
    if (b.kind == SCREE_FIXED) base[b.group] += up / cannonball_weight();
  }
}

static inline double relative_distance(const double *a, const double *b, int count) {
  double up = 0, down = 0;
  for (int i = 0; i < count; i++) up += (a[i] - b[i]) * (a[i] - b[i]), down += b[i] * b[i];
  return sqrt(up / down);
}

#endif
