/* Functions shared by filling on a lattice (fill.c) and inserting at random positions (insert.c). */
#ifndef SC_FILL_H
#define SC_FILL_H

#include "base/base.h"
#include "math/vec.h"
#include "scree/world.h"

/* Returns a uniformly distributed number in [-half, half]. */
static inline double sc_fill_within(sc_rng *rng, double half) { return half * (2 * sc_rng_unit(rng) - 1); }

/* Sets q to a uniformly distributed random rotation (Shoemake 1992, by rejection from the unit ball in four
 * dimensions). */
static inline void sc_fill_turn(sc_rng *rng, double q[4]) {
  double square;
  do {
    square = 0;
    for (int k = 0; k < 4; k++) q[k] = sc_fill_within(rng, 1), square += q[k] * q[k];
  } while (!(square > 1e-4) || square > 1);
  sc_quat_normalise(q, q);
}

/* Returns the shape of a grain at the origin: def->shape if it is set, else a ball with this radius. */
static inline scree_shape_def sc_fill_shape(const scree_fill_def *def, double radius) {
  scree_shape_def ball = scree_shape_defaults();
  ball.type = SCREE_SPHERE;
  ball.material = def->material;
  ball.density = def->density;
  ball.radius = radius;
  ball.layers = def->layers ? def->layers : 1;
  ball.avoids = def->avoids;
  return def->shape ? *def->shape : ball;
}

/* Returns the factor by which the template of def->clump is scaled. radius: radius of the ball that has the
 * volume of the clump [m]. */
static inline double sc_fill_scale(const scree_fill_def *def, double radius) {
  return 2 * radius / def->clump->diameter;
}
/* Returns the radius of the bounding sphere of a grain [m]. radius: radius of a ball, or of the ball with the
 * clump's volume. */
static inline double sc_fill_reach(const scree_fill_def *def, double radius) {
  return def->clump ? sc_fill_scale(def, radius) * def->clump->radius : radius;
}
/* Returns the bounding radius of the largest grain [m]. */
static inline double sc_fill_max_radius(const scree_fill_def *def) {
  return sc_fill_reach(def, def->radius_max > def->radius ? def->radius_max : def->radius);
}

/* Allocates the shapes of one grain or clump; the caller frees them with sc_free. Without memory returns NULL
 * and sets *error. */
scree_shape_def *sc_fill_alloc_shapes(const scree_fill_def *def, scree_error *error);
/* Writes the shapes of a grain with this radius to `room`, which comes from sc_fill_alloc_shapes. Sets shapes
 * and group in *body. For clumps also sets mass, inertia and centre. */
void sc_fill_grain(const scree_fill_def *def, double radius, scree_shape_def *room, scree_body_def *body);

/* Checks radii and velocities of *def. Sets radius and radius_max to the bounds of its size distribution.
 * what: name of the verb for messages, such as "fill". */
scree_status sc_fill_check_grains(scree_fill_def *def, const char *what, scree_error *error);

#endif
