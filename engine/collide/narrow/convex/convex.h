/* Two convex shapes: cores with support functions, the distance or depth of two cores, and the contact
 * manifold between them.
 *
 * A convex shape is a core and a radius about it. The core of a sphere is a point, the core of a capsule is a
 * segment, and all other shapes have radius 0. Points have world axes and an origin near both shapes, so that
 * no digits are lost far from the world's origin. All lengths are in metres. */
#ifndef SC_CONVEX_H
#define SC_CONVEX_H

#include "collide/touch.h"
#include "model/geometry/geometry.h"
#include "model/shape/kind.h"

typedef struct sc_convex {
  const sc_shape *shape;       /* shape of the core; NULL: the core is `triangle` */
  const double (*triangle)[3]; /* corners relative to `position`, in the core's axes R */
  double position[3], R[9];
  double radius; /* radius of the shape about the core [m] */
  double size;   /* bounding radius of the core about `position` [m] */
} sc_convex;

/* A point w = a - b of the Minkowski difference of two cores. */
typedef struct sc_corner {
  double w[3], a[3], b[3];
} sc_corner;

typedef struct sc_simplex {
  sc_corner corner[4];
  double weight[4]; /* barycentric coordinates of the point nearest to the origin */
  int count;        /* number of corners, 1 to 4 */
} sc_simplex;

typedef struct sc_nearest {
  double distance;   /* distance of the cores [m]; negative: depth */
  double normal[3];  /* unit normal, from b to a */
  double a[3], b[3]; /* nearest points of cores a and b */
} sc_nearest;

/* Computes the core of a placed shape. origin: origin of the core's coordinates, in the world. */
void sc_convex_of(const sc_placed *placed, const double origin[3], sc_convex *out);
/* Transforms a point from the core's axes to world axes. */
static inline void sc_convex_to_world(const sc_convex *c, const double local[3], double out[3]) {
  sc_mat_vec(c->R, local, out);
  sc_add(out, c->position, out);
}
/* Computes a point well inside the core: the centre of mass of a hull, the position of any other shape. The
 * position of a hull is the origin of its points and may lie on its surface or outside. */
void sc_convex_middle(const sc_convex *c, double out[3]);
/* Returns true if the core has a curved surface. */
static inline bool sc_convex_is_round(const sc_convex *c) { return c->shape && sc_kind_of(c->shape)->round; }
/* Computes the point of the core furthest in a direction of any length. */
void sc_convex_support(const sc_convex *convex, const double direction[3], double out[3]);
/* Computes the point of the difference a - b furthest in a direction of any length. */
void sc_convex_corner(const sc_convex *a, const sc_convex *b, const double direction[3], sc_corner *out);
/* Computes the face, edge or corner of the core whose normal is nearest to a unit direction. */
void sc_convex_face(const sc_convex *convex, const double direction[3], sc_face *out);
/* Like sc_convex_face, with direction and result in the core's axes. guess: id where the search starts. */
void sc_convex_own_face(const sc_convex *convex, const double direction[3], uint32_t guess, sc_face *out);

/* Gilbert-Johnson-Keerthi algorithm. Returns true and the nearest points if the cores are apart. Returns
 * false and the simplex that contains the origin (or touches it) if they are not. If the cores are further
 * apart than `far`, only out->distance = INFINITY and out->normal, a separating axis, are set. roughly: stops
 * when the error is below 1e-3 of the distance or 1e-4 of the size. */
bool sc_gjk(
    const sc_convex *a, const sc_convex *b, double far, bool roughly, sc_simplex *simplex, sc_nearest *out);
/* Expanding polytope algorithm: computes depth and normal of overlapping cores. simplex: result of sc_gjk.
 * tolerance: error of the depth at which the search stops [m]. */
void sc_epa(
    const sc_convex *a, const sc_convex *b, const sc_simplex *simplex, double tolerance, sc_nearest *out);
/* Refines a rough normal by Newton's method, for cores with curved surfaces (polish.c). Returns false and
 * leaves `nearest` unchanged if it does not converge. */
bool sc_convex_polish(const sc_convex *a, const sc_convex *b, sc_nearest *nearest);
/* Returns true if a core is a point or a smooth surface, so that sc_convex_smooth applies. */
bool sc_convex_is_smooth(const sc_convex *c);
/* Computes distance or depth of two smooth cores, of which at most one is a point (smooth.c). Returns false
 * if the result is not certain. If the cores are further apart than `far`, the distance is INFINITY. */
bool sc_convex_smooth(const sc_convex *a, const sc_convex *b, double far, sc_nearest *out);
/* Computes the support point of a smooth core in direction d. d and point: in the core's axes, relative to
 * its position. Adds the radii of curvature K = d(point)/d(d) to bends: t.Kt, t.Ko, o.Ko, for the unit
 * vectors t and o perpendicular to the direction, in world axes. */
void sc_convex_curve(const sc_convex *c, const double d[3], const double t[3], const double o[3],
    double point[3], double bends[3]);
/* Computes distance or depth of two cores. Returns false if the shapes are further apart than reach. */
bool sc_convex_nearest(const sc_convex *a, const sc_convex *b, double reach, sc_nearest *out);
/* Computes the touches between the two facing faces of a and b. Returns their number. nearest: result of
 * sc_convex_nearest. origin: origin of the coordinates, in the world. seen: in: ids of the faces of a and b
 * at which the search for the facing faces starts; out: ids found; NULL: not used. */
int sc_manifold(const sc_convex *a, const sc_convex *b, const sc_nearest *nearest, double reach,
    const double origin[3], uint16_t seen[2], sc_touch *out);
/* Like sc_manifold, but uses only the normal of `nearest`. The touches are the corners of the overlap of the
 * faces, and the lowest point of a over the face of b. */
int sc_manifold_faces(const sc_convex *a, const sc_convex *b, const sc_nearest *nearest, double reach,
    const double origin[3], sc_touch *out);
/* Reduces touches to at most `max`, in place. Selects the deepest touch first, then repeatedly the touch
 * furthest from all selected touches. Returns the number of touches that remain. */
int sc_thin_out(sc_touch *touch, int count, int max);
/* Reduces touches to SC_MAX_TOUCHES by sc_thin_out and copies them to `out`. Returns their number. */
int sc_touch_copy_thinned(sc_touch *found, int count, sc_touch out[SC_MAX_TOUCHES]);
/* Drops touches that other touches with the same normal imply (redundant.c), in place and in order. Returns
 * the number left. size: size of the shapes [m]. */
int sc_drop_redundant(sc_touch *touch, int count, double size);
/* maximum of `count` for sc_mark_redundant */
enum { SC_MOST_TOUCHES = 1024 };
/* Finds the touches that other touches with the same normal imply, and sets drop[k] of these touches to true.
 * Sets the elements of other touches to false or leaves them unchanged. size: size of the shapes [m]. */
void sc_mark_redundant(const sc_touch *touch, int count, double size, bool *drop);
/* Computes the touches of two convex shapes with gap <= reach by the general search. Returns their number.
 * cache: pair cache, may be NULL. */
int sc_convex_search(
    const sc_placed *a, const sc_placed *b, double reach, sc_pair_cache *cache, sc_touch *out);

/* Computes distance or depth of two hulls from the features in the pair cache, or from features next to them
 * (features.c). Returns false if these features are not proven to be the nearest. Updates the cache. */
bool sc_features_nearest(
    const sc_convex *a, const sc_convex *b, double reach, sc_pair_cache *cache, sc_nearest *nearest);
/* Stores the features of the result of a search in the pair cache, and computes the result from them. Returns
 * false and stores no features if they are not proven to be the nearest. */
bool sc_features_find(
    const sc_convex *a, const sc_convex *b, double reach, sc_pair_cache *cache, sc_nearest *nearest);
static inline bool sc_are_hulls(const sc_placed *a, const sc_placed *b) {
  return a->shape->type == SCREE_HULL && b->shape->type == SCREE_HULL;
}
/* Returns the depth by which two hulls overlap [m]; 0 if they do not overlap. cache: pair cache, updated; may
 * be NULL. */
double sc_hulls_overlap(const sc_placed *a, const sc_placed *b, sc_pair_cache *cache);
/* Returns the ids of the two faces in a pair cache of hulls. Returns NULL if the cache has no features. */
static inline uint16_t *sc_features_seen(sc_pair_cache *cache) {
  return cache && cache->feature.kind > 1 ? cache->feature.face : NULL;
}

/* Returns true if the axis in the pair cache proves that two convex shapes are further apart than reach. */
bool sc_axis_separates(const sc_placed *a, const sc_placed *b, const sc_pair_cache *cache, double reach);
/* Stores a unit separating axis in the pair cache. cache: may be NULL. */
void sc_axis_set(sc_pair_cache *cache, const double n[3]);

#endif
