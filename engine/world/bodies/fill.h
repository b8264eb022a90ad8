/* What filling on a lattice and inserting at random places share. */
#ifndef SC_FILL_H
#define SC_FILL_H

#include "base/base.h"
#include "math/vec.h"
#include "scree/world.h"

/* Uniform within +- half. */
static inline double sc_fill_within(sc_rng *rng, double half) { return half * (2 * sc_rng_unit(rng) - 1); }

/* Uniformly random rotation (Shoemake 1992, by rejection from the 4-ball). */
static inline void sc_fill_turn(sc_rng *rng, double q[4]) {
  double square;
  do {
    square = 0;
    for (int k = 0; k < 4; k++) q[k] = sc_fill_within(rng, 1), square += q[k] * q[k];
  } while (!(square > 1e-4) || square > 1);
  sc_quat_normalise(q, q);
}

/* A grain of the def, at the origin: a ball of the radius, or the def's own shape. */
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

/* For a radius of the def (of a ball, or of the ball with a clump's volume): the scale of the clump, and the
 * radius that it needs. */
static inline double sc_fill_scale(const scree_fill_def *def, double radius) {
  return 2 * radius / def->clump->diameter;
}
static inline double sc_fill_reach(const scree_fill_def *def, double radius) {
  return def->clump ? sc_fill_scale(def, radius) * def->clump->radius : radius;
}
/* The radius of the largest grain. */
static inline double sc_fill_most(const scree_fill_def *def) {
  return sc_fill_reach(def, def->radius_max > def->radius ? def->radius_max : def->radius);
}

/* Room for the shapes of a grain (one, or a clump's), to be given back with sc_free. */
scree_shape_def *sc_fill_room(const scree_fill_def *def, scree_error *error);
/* The shapes of a grain of that radius into such a room, and what the body's definition says of them. */
void sc_fill_grain(const scree_fill_def *def, double radius, scree_shape_def *room, scree_body_def *body);

/* Radii and velocities of a def that is to be carried out by the verb `what`; bounds of sizes go to
 * radius and radius_max, which stand for them wherever room is reckoned. */
scree_status sc_fill_take_grains(scree_fill_def *def, const char *what, scree_error *error);

#endif
