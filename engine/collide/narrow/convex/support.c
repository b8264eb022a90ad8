/* Support points and faces of convex cores and triangles, in world axes. */
#include "collide/narrow/convex/convex.h"

void sc_convex_of(const sc_placed *placed, const double origin[3], sc_convex *out) {
  const sc_shape *shape = placed->shape;
  const sc_shape_kind *kind = sc_kind_of(shape);
  *out = (sc_convex){.shape = shape, .size = shape->bound};
  sc_sub(placed->position, origin, out->position);
  memcpy(out->R, placed->R, sizeof out->R);
  if (kind->core) out->radius = kind->core(shape, &out->size);
}

void sc_convex_middle(const sc_convex *c, double out[3]) {
  if (c->shape && c->shape->geometry) sc_convex_to_world(c, c->shape->geometry->solid.centre, out);
  else sc_copy3(c->position, out);
}

static void triangle_support(const double (*corner)[3], const double d[3], double out[3]) {
  sc_copy3(corner[sc_largest_of(sc_dot(corner[0], d), sc_dot(corner[1], d), sc_dot(corner[2], d))], out);
}

static void local_support(const sc_convex *c, const double d[3], double out[3]) {
  if (c->shape) sc_kind_of(c->shape)->support(c->shape, d, out);
  else triangle_support(c->triangle, d, out);
}

void sc_convex_support(const sc_convex *c, const double direction[3], double out[3]) {
  double d[3], local[3];
  sc_mat_tvec(c->R, direction, d);
  local_support(c, d, local);
  sc_mat_vec(c->R, local, out);
  sc_add(out, c->position, out);
}

void sc_convex_corner(const sc_convex *a, const sc_convex *b, const double direction[3], sc_corner *out) {
  double back[3] = {-direction[0], -direction[1], -direction[2]};
  sc_convex_support(a, direction, out->a);
  sc_convex_support(b, back, out->b);
  sc_sub(out->a, out->b, out->w);
}

static void triangle_face(const double (*corner)[3], const double d[3], sc_face *f) {
  double e[3], g[3];
  f->count = 3;
  sc_sub(corner[1], corner[0], e);
  sc_sub(corner[2], corner[0], g);
  sc_cross(e, g, f->normal);
  sc_normalise(f->normal, f->normal);
  if (sc_dot(f->normal, d) < 0) sc_scale(-1, f->normal, f->normal);
  for (int k = 0; k < 3; k++) sc_copy3(corner[k], f->corner[k]);
}

static void local_face(const sc_convex *c, const double d[3], sc_face *f) {
  const sc_shape_kind *kind = c->shape ? sc_kind_of(c->shape) : NULL;
  if (!kind) {
    triangle_face(c->triangle, d, f);
  } else if (kind->face) {
    kind->face(c->shape, d, f);
  } else {
    f->count = 1;
    kind->support(c->shape, d, f->corner[0]);
  }
}

void sc_convex_own_face(const sc_convex *c, const double direction[3], uint32_t guess, sc_face *out) {
  out->count = 0, out->id = guess, out->disc = 0;
  local_face(c, direction, out);
}

void sc_convex_face(const sc_convex *c, const double direction[3], sc_face *out) {
  double d[3];
  sc_mat_tvec(c->R, direction, d);
  sc_convex_own_face(c, d, 0, out);
  for (int k = 0; k < out->count; k++) {
    sc_mat_vec(c->R, out->corner[k], out->corner[k]);
    sc_add(out->corner[k], c->position, out->corner[k]);
  }
  if (out->count > 2) sc_mat_vec(c->R, out->normal, out->normal);
}
