/* Inside of the convex-convex pair: cores with support functions, their distance or depth, and the
 * manifold between them.
 *
 * A convex shape is a core and a radius about it: spheres are points and capsules segments with a
 * radius, all others have radius 0. Coordinates are world axes about an origin near both shapes, so that
 * no digits are lost far from the world's. */
#ifndef SC_CONVEX_H
#define SC_CONVEX_H

#include "collide/touch.h"
#include "model/geometry/geometry.h"
#include "model/shape/kind.h"

typedef struct sc_convex {
  const sc_shape *shape;       /* NULL: the triangle */
  const double (*triangle)[3]; /* corners about position, axes of R */
  double position[3], R[9];
  double radius; /* of rounding */
  double size;   /* bounding radius of the core */
} sc_convex;

/* A point of the difference a - b with the points it comes from. */
typedef struct sc_corner {
  double w[3], a[3], b[3];
} sc_corner;

typedef struct sc_simplex {
  sc_corner corner[4];
  double weight[4];
  int count;
} sc_simplex;

typedef struct sc_nearest {
  double distance;   /* between the cores, negative: depth */
  double normal[3];  /* unit, from b to a */
  double a[3], b[3]; /* points of the cores */
} sc_nearest;

void sc_convex_of(const sc_placed *placed, const double origin[3], sc_convex *out);
/* Computes the place of a point of the core's own axes. */
static inline void sc_convex_to_world(const sc_convex *c, const double local[3], double out[3]) {
  sc_mat_vec(c->R, local, out);
  sc_add(out, c->position, out);
}
/* Computes a point well inside the core: the centre of mass of a hull, the position of any other shape. The
 * position of a hull is the origin of its points, which may lie on its surface or outside. */
void sc_convex_middle(const sc_convex *c, double out[3]);
/* Whether the core has a curved surface. */
static inline bool sc_convex_is_round(const sc_convex *c) { return c->shape && sc_kind_of(c->shape)->round; }
/* Point of the core furthest in a direction (any length), and the corner of a - b furthest in it. */
void sc_convex_support(const sc_convex *convex, const double direction[3], double out[3]);
void sc_convex_corner(const sc_convex *a, const sc_convex *b, const double direction[3], sc_corner *out);
/* The part of the core's surface that looks most in a unit direction; and all of it in the core's own axes,
 * guess: its name, if it is known. */
void sc_convex_face(const sc_convex *convex, const double direction[3], sc_face *out);
void sc_convex_own_face(const sc_convex *convex, const double direction[3], uint32_t guess, sc_face *out);

/* Gilbert-Johnson-Keerthi: true and nearest points if the cores are apart; false and the simplex about the
 * origin (or the touching simplex) otherwise. Cores further apart than far are only known to be so: INFINITY
 * then, and the normal an axis that says so. roughly: nearest points to 1e-3 of their distance or 1e-4 of the
 * size. */
bool sc_gjk(
    const sc_convex *a, const sc_convex *b, double far, bool roughly, sc_simplex *simplex, sc_nearest *out);
/* Expanding polytope from that simplex: depth and normal, to `slight` of the depth's error. */
void sc_epa(
    const sc_convex *a, const sc_convex *b, const sc_simplex *simplex, double slight, sc_nearest *out);
/* From a normal that is roughly right to the exact one, for cores with curved surfaces; nearest is only
 * changed where that succeeds. */
bool sc_convex_polish(const sc_convex *a, const sc_convex *b, sc_nearest *nearest);
/* smooth.c: whether a core is a point or a smooth surface; and distance or depth of two of them, one of
 * which is a surface. False where that gives no certain answer. INFINITY where they are further apart than
 * far. */
bool sc_convex_is_smooth(const sc_convex *c);
bool sc_convex_smooth(const sc_convex *a, const sc_convex *b, double far, sc_nearest *out);
/* The support point of a smooth core for a direction, both about its middle in its own axes; how the point
 * moves as the direction turns is added, as seen along t and o across it, world axes: tt, to, oo. */
void sc_convex_curve(const sc_convex *c, const double d[3], const double t[3], const double o[3],
    double point[3], double bends[3]);
/* Distance or depth, whichever it is. False if the cores are further apart than reach. */
bool sc_convex_nearest(const sc_convex *a, const sc_convex *b, double reach, sc_nearest *out);
/* Touches between the faces that look at each other, after sc_convex_nearest; origin is added back. seen:
 * names of these faces that may be right, and those that are; NULL: nothing is known. */
int sc_manifold(const sc_convex *a, const sc_convex *b, const sc_nearest *nearest, double reach,
    const double origin[3], uint16_t seen[2], sc_touch *out);

/* The same without nearest points to go with the normal: where the faces overlap, and where a is lowest
 * over b's face. */
int sc_manifold_faces(const sc_convex *a, const sc_convex *b, const sc_nearest *nearest, double reach,
    const double origin[3], sc_touch *out);
/* The same where the normal is that of a face: corners of the overlap alone; -1 where none is as near as
 * nearest->distance says. */
int sc_manifold_flat(const sc_convex *a, const sc_convex *b, const sc_nearest *nearest, double reach,
    const double origin[3], sc_touch *out);
/* Keeps at most `most` touches, in place: the deepest, then whichever is furthest from those kept. */
int sc_thin_out(sc_touch *touch, int count, int most);
/* Hands on what is left of touches that were found; how many. */
int sc_touch_give(sc_touch *found, int count, sc_touch out[SC_MAX_TOUCHES]);
/* redundant.c: leaves out touches that others with the same normal imply, for shapes of such a size; the
 * rest keep their order. */
int sc_drop_redundant(sc_touch *touch, int count, double size);
/* The same of at most so many, which are marked; the others' marks stay. */
enum { SC_MOST_TOUCHES = 1024 };
void sc_mark_redundant(const sc_touch *touch, int count, double size, bool *drop);
/* Computes the touches of two convex shapes with gap <= reach by the general search. Returns their number.
 * hint: contact cache of the pair, may be NULL. */
int sc_convex_search(const sc_placed *a, const sc_placed *b, double reach, sc_hint *hint, sc_touch *out);

/* features.c: distance or depth of two hulls by the features of a hint, which may be moved on to others
 * beside them; false where these do not prove that they are the nearest. And the features that a search has
 * found, with its answer made better; false, and no hint, where they prove nothing. */
bool sc_features_nearest(
    const sc_convex *a, const sc_convex *b, double reach, sc_hint *hint, sc_nearest *nearest);
bool sc_features_find(
    const sc_convex *a, const sc_convex *b, double reach, sc_hint *hint, sc_nearest *nearest);
static inline bool sc_are_hulls(const sc_placed *a, const sc_placed *b) {
  return a->shape->type == SCREE_HULL && b->shape->type == SCREE_HULL;
}
/* How far two hulls overlap, with what is known of the pair, which is brought up to date. */
double sc_hulls_overlap(const sc_placed *a, const sc_placed *b, sc_hint *hint);
/* The faces that a hint with features remembers; NULL of others. */
static inline uint16_t *sc_features_seen(sc_hint *hint) {
  return hint && hint->feature.kind > 1 ? hint->feature.face : NULL;
}

/* axis.c: true if the axis proves that two convex shapes are further apart than reach. */
bool sc_axis_separates(const sc_placed *a, const sc_placed *b, const sc_hint *hint, double reach);
void sc_axis_set(sc_hint *hint, const double n[3]); /* hint may be NULL */

#endif
