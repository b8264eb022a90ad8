/* A kind of shape: all there is to say of it. One file and one const row per kind; the list of all is
 * SCREE_SHAPE_LIST (scree/shape.h).
 *
 * Coordinates are those of the shape's own frame, whose origin is the shape's position. Convex kinds are
 * a core and a radius about it: a sphere is a point and a capsule a segment with a radius, all others
 * have radius 0. Newton's method for the contact of curved cores (collide/narrow/convex/polish.c) asks for
 * their features: corners, rims (a point that turns with the direction) and smooth surfaces. */
#ifndef SC_SHAPE_KIND_H
#define SC_SHAPE_KIND_H

#include "math/mass.h"
#include "math/vec.h"
#include "model/shapes.h"
#include "scree/shape.h"

/* A face, edge or corner of a core that looks in a direction. */
enum { SC_MAX_CORNERS = 32 };
typedef struct sc_face {
  int count; /* corners: 1 point, 2 edge, 3.. polygon */
  uint32_t id;
  double corner[SC_MAX_CORNERS][3];
  double normal[3]; /* polygon: outward unit normal */
  double disc;      /* > 0: the polygon stands for a disc of this radius about the middle of its corners */
} sc_face;

enum { SC_MAX_FLANKS = 8 }; /* most faces at a point that a kind returns */

/* Where points and triangles of a shape go. */
typedef struct sc_point_sink {
  void (*put)(void *to, const double point[3], uint32_t name);
  void *to;
} sc_point_sink;
typedef struct sc_triangle_sink {
  /* corners counter-clockwise seen from outside; triangles without area may be among them */
  void (*put)(void *to, const double a[3], const double b[3], const double c[3]);
  void *to;
} sc_triangle_sink;

/* Which function of the narrow phase takes a pair (collide/narrow/narrow.c). SOLID: any convex kind that
 * has support, face and drop. */
typedef enum sc_family {
  SC_FAMILY_SPHERE,
  SC_FAMILY_CAPSULE,
  SC_FAMILY_SOLID,
  SC_FAMILY_HALFSPACE,
  SC_FAMILY_MESH,
  SC_FAMILIES
} sc_family;

typedef struct sc_shape_kind {
  scree_shape_kind about;
  sc_family family;
  bool round;   /* the core has a curved surface */
  bool quadric; /* (x/a)^2 + (y/b)^2 + (z/c)^2 = 1 with the axes below */

  /* ---- matter and size; NULL mass: none ---- */
  sc_mass (*mass)(const sc_shape *s, double density); /* mass 0 without a solid */
  double (*bound)(const sc_shape *s);                 /* radius of a sphere about the origin that holds it */
  void (*box)(const sc_shape *s, double middle[3], double half[3]);

  /* ---- contact of convex kinds ---- */
  /* Radius about the core, NULL: 0; *size: bounding radius of the core. */
  double (*core)(const sc_shape *s, double *size);
  /* Point of the core furthest along d (any length). */
  void (*support)(const sc_shape *s, const double d[3], double out[3]);
  /* The part of the surface that looks most along a unit d; NULL: the support point. f is all 0, but for a
   * name that may be right. */
  void (*face)(const sc_shape *s, const double d[3], sc_face *f);
  /* Name of the feature that supports d, and its point for d; NULL: one feature, the support point. */
  int32_t (*feature)(const sc_shape *s, const double d[3]);
  void (*feature_point)(const sc_shape *s, int32_t id, const double d[3], double out[3]);
  /* u.K v, K = d(point)/d(d): how the feature's point moves as the direction turns; NULL: not at all. */
  double (*bend)(const sc_shape *s, int32_t id, const double d[3], const double u[3], const double v[3]);
  /* The same of a smooth kind, with the support point and all of K at once: xx, xy, xz, yy, yz, zz; NULL: by
   * bend. And of such a kind the radius of a ball that rolls inside along all of the surface, from below. */
  void (*curve)(const sc_shape *s, const double d[3], double point[3], double K[6]);
  double (*rolls)(const sc_shape *s);
  bool (*smooth)(const sc_shape *s); /* whether Newton's method finds its way over it from anywhere */
  /* Points that may be lowest over a plane with unit normal n; NULL: the support point against n. */
  void (*drop)(const sc_shape *s, const double n[3], const sc_point_sink *sink);
  /* Flat faces within `off` of a point x whose normals are no nearer than a cosine to the unit vectors n and
   * -n: planes, outward unit normal m and offset m.x; their number. NULL: the kind has none. */
  int (*flanks)(const sc_shape *s, const double x[3], const double n[3], double cosine, double off,
      double plane[SC_MAX_FLANKS][4]);
  /* Distance of x from the surface, negative inside, and the outward unit normal at the nearest point, at
   * any depth; NULL: found as for any convex pair. */
  double (*distance)(const sc_shape *s, const double x[3], double n[3]);

  /* ---- drawing ---- */
  /* Half extents as exports tell them (OVITO reads z of round bars as their whole length); NULL: none. */
  void (*axes)(const sc_shape *s, double axes[3]);
  void (*triangles)(const sc_shape *s, const sc_triangle_sink *sink); /* NULL: none */
  /* Corners of a polyhedron that, with the radius about the core, shows it; NULL: none. */
  void (*corners)(const sc_shape *s, const sc_point_sink *sink);
} sc_shape_kind;

/* By scree_shape_type. */
extern const sc_shape_kind *const sc_shape_kinds[SCREE_SHAPE_TYPES];
static inline const sc_shape_kind *sc_kind_of(const sc_shape *shape) { return sc_shape_kinds[shape->type]; }
/* The shape that a frame tells of, in its own frame; false for a type that is none. */
bool sc_shape_of_info(const scree_shape_info *info, sc_shape *out);
/* The sizes of a shape as its definition has them. */
void sc_shape_sizes(const sc_shape *shape, scree_shape_def *out);
/* Checks the keys of a definition's own kind: bounds, geometry. */
scree_status sc_shape_check(const scree_shape_def *def, scree_error *error);

/* ---- rows of parameter tables ---- */
#define SC_SHAPE_AT(member) offsetof(scree_shape_def, member)
#define SC_SHAPE_RADIUS \
  { \
    "radius", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, SC_SHAPE_AT(radius), NULL, \
        "radius r, half the diameter" \
  }
#define SC_SHAPE_LENGTH(doc) \
  { "length", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, SC_SHAPE_AT(length), NULL, doc }
#define SC_SHAPE_SIZE(doc) \
  { "size", SCREE_VEC3, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, SC_SHAPE_AT(size), NULL, doc }
#define SC_SHAPE_ABOUT(word, keys, marks) \
  .about = { \
      .name = word, .params = keys, .params_count = (int)(sizeof(keys) / sizeof *(keys)), .flags = marks}

/* ---- parts that several kinds have (parts.c) ---- */

static inline double sc_sign_of(double x) { return x < 0 ? -1 : 1; }
/* Point of a rim furthest along d, at height z; the middle of its disc where d is along the axis. */
void sc_rim_point(double r, const double d[3], double z, double out[3]);
/* A disc that looks up or down: an octagon on its rim, fixed to the body. */
void sc_disc_face(double r, double z, double side, sc_face *f);
/* A line of the side of a solid of revolution, from (r0, z0) to (r1, z1) in the half-plane of d. */
void sc_side_face(const double d[3], double r0, double z0, double r1, double z1, sc_face *f);
/* The flat end of a solid of revolution at height z as a flank: plane told, 1, or 0 where it is none. */
static inline int sc_flat_end(
    const double x[3], const double n[3], double z, double cosine, double off, double plane[4]) {
  if (!(fabs(n[2]) <= cosine && fabs(x[2] - z) <= off)) return 0;
  sc_set3(0, 0, sc_sign_of(z), plane);
  plane[3] = fabs(z);
  return 1;
}
/* u.K v of a rim. */
double sc_rim_bend(double r, const double d[3], const double u[3], const double v[3]);
enum {
  SC_RIM_POINTS = 24, /* points of a rim that lies flat: it tips at cos(pi/24) = 0.991 of its radius */
  SC_RIM_NAMES = 4 + SC_RIM_POINTS /* names that the points of a rim take up */
};
/* Sine of the tilt up to which a rim lies flat on a plane. */
#define SC_RIM_FLAT 1e-3
/* Points of a rim that may be lowest over a plane with the unit normal n, named from `name` on. A rim that
 * lies flat has points that are fixed to the body, so that they persist from step to step, and its lowest
 * point if it is tilted. Other rims have their lowest point and three more a quarter turn apart, on which
 * they land. */
void sc_drop_rim(double r, double z, uint32_t name, const double n[3], const sc_point_sink *sink);
/* Puts a normal of the half-plane of x (away from the axis, along it) back into space; on the axis any
 * side will do. */
void sc_unfold(const double x[3], double rho, double away, double along, double n[3]);
/* A ball cut in half and pulled apart by length; length 0 is the ball. */
void sc_draw_capsule(double radius, double length, const double scale[3], const sc_triangle_sink *sink);
/* A cylinder, or with top 0 a cone: triangles; corners of a prism of 24 sides. */
void sc_draw_frustum(double bottom, double top, double length, const sc_triangle_sink *sink);
void sc_frustum_corners(double bottom, double top, double half, const sc_point_sink *sink);

#endif
