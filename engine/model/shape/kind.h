/* Kinds of shapes. Each kind has one file and one const row of functions and properties; SCREE_SHAPE_LIST
 * (scree/shape.h) lists all kinds.
 *
 * Coordinates are those of the shape's own frame, whose origin is the shape's position. Convex kinds are a
 * core and a radius about it: a sphere is a point with a radius, a capsule a segment with a radius; all
 * others have radius 0. Newton's method for the contact of curved cores (collide/narrow/convex/polish.c)
 * needs their features: corners, rims (a circle; its support point moves along it with the direction) and
 * smooth surfaces. */
#ifndef SC_SHAPE_KIND_H
#define SC_SHAPE_KIND_H

#include "math/mass.h"
#include "math/vec.h"
#include "model/shapes.h"
#include "scree/shape.h"

/* A face, edge or corner of a core that faces a direction. */
enum { SC_MAX_CORNERS = 32 };
typedef struct sc_face {
  int count; /* corners: 1 point, 2 edge, 3.. polygon */
  uint32_t id;
  double corner[SC_MAX_CORNERS][3];
  double normal[3]; /* polygon: outward unit normal */
  double disc;      /* > 0: the polygon approximates a disc of this radius about the mean of its corners */
} sc_face;

enum { SC_MAX_FLANKS = 8 }; /* largest number of side faces that a kind returns */

/* Receivers of the points and triangles of a shape. The shape calls put(to, ...) once per point or triangle.
 * name: feature id of the point. */
typedef struct sc_point_sink {
  void (*put)(void *to, const double point[3], uint32_t name);
  void *to;
} sc_point_sink;
typedef struct sc_triangle_sink {
  /* corners counter-clockwise seen from outside; triangles without area may be among them */
  void (*put)(void *to, const double a[3], const double b[3], const double c[3]);
  void *to;
  int sides; /* of round shapes, a multiple of 4 from 4 to 48; 0: 48 */
} sc_triangle_sink;

/* Selects the function of the narrow phase for a pair (collide/narrow/narrow.c). SOLID: any convex kind that
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

  /* ---- matter and size; mass is NULL for kinds without a solid ---- */
  sc_mass (*mass)(const sc_shape *s, double density); /* mass 0 without a solid */
  /* radius of a sphere about the origin that contains the shape */
  double (*bound)(const sc_shape *s);
  void (*box)(const sc_shape *s, double middle[3], double half[3]);

  /* ---- contact of convex kinds ---- */
  /* Returns the radius about the core; *size: bounding radius of the core. NULL: the radius is 0. */
  double (*core)(const sc_shape *s, double *size);
  /* Sets out to the point of the core that is furthest along d (any length). */
  void (*support)(const sc_shape *s, const double d[3], double out[3]);
  /* Sets f to the face, edge or corner that faces a unit vector d most. NULL: use the support point. The
   * caller zeroes f; f->id may be a guess. */
  void (*face)(const sc_shape *s, const double d[3], sc_face *f);
  /* Returns the id of the feature that supports d, and its point for d. NULL: one feature, the support
   * point. */
  int32_t (*feature)(const sc_shape *s, const double d[3]);
  void (*feature_point)(const sc_shape *s, int32_t id, const double d[3], double out[3]);
  /* Returns u.K v with K = d(point)/d(d), the derivative of the feature's point by the direction. NULL: K =
   * 0. */
  double (*bend)(const sc_shape *s, int32_t id, const double d[3], const double u[3], const double v[3]);
  /* For a smooth kind: sets the support point and all of K: xx, xy, xz, yy, yz, zz. NULL: use bend. */
  void (*curve)(const sc_shape *s, const double d[3], double point[3], double K[6]);
  /* For a smooth kind: returns a lower bound for the radius of a ball that rolls inside along the whole
   * surface. */
  double (*rolls)(const sc_shape *s);
  bool (*smooth)(const sc_shape *s); /* true: Newton's method converges on this shape from any start */
  /* Passes the points that may be lowest above a plane with unit normal n to the sink. NULL: use the support
   * point of -n. */
  void (*drop)(const sc_shape *s, const double n[3], const sc_point_sink *sink);
  /* Finds the flat faces within `off` of a point x whose normals have a cosine of at most `cosine` with the
   * unit vectors n and -n. Returns their number and sets their planes: outward unit normal m and offset m.x.
   * NULL: the kind has no flat faces. */
  int (*flanks)(const sc_shape *s, const double x[3], const double n[3], double cosine, double off,
      double plane[SC_MAX_FLANKS][4]);
  /* Returns the distance of x from the surface, negative inside, at any depth; n: outward unit normal at the
   * nearest point. NULL: computed as for any convex pair. */
  double (*distance)(const sc_shape *s, const double x[3], double n[3]);

  /* ---- drawing ---- */
  /* Half extents for exports (z of round bars is their whole length, as OVITO reads it); NULL: none. */
  void (*axes)(const sc_shape *s, double axes[3]);
  void (*triangles)(const sc_shape *s, const sc_triangle_sink *sink); /* surface; NULL: none */
  /* Corners of a polyhedron that, with the radius about the core, represents the shape; NULL: none. */
  void (*corners)(const sc_shape *s, const sc_point_sink *sink);
} sc_shape_kind;

/* Kinds, indexed by scree_shape_type. */
extern const sc_shape_kind *const sc_shape_kinds[SCREE_SHAPE_TYPES];
/* Returns the kind of a shape. */
static inline const sc_shape_kind *sc_kind_of(const sc_shape *shape) { return sc_shape_kinds[shape->type]; }
/* Sets out to the shape of an info of a frame, in its own frame. Returns false for an unknown type or a
 * missing geometry. */
bool sc_shape_of_info(const scree_shape_info *info, sc_shape *out);
/* Sets the sizes of a definition to those of a shape. */
void sc_shape_sizes(const sc_shape *shape, scree_shape_def *out);
/* Checks the bounds of the keys of a definition and its geometry. */
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

/* Returns the number of sides that round shapes have in a sink. */
static inline int sc_sink_sides(const sc_triangle_sink *sink) { return sink->sides ? sink->sides : 48; }
/* Calls put for each triangle of a shape of a scree_frame, in the shape's own axes. sides: as in
 * sc_triangle_sink. Returns false for a shape without triangles. */
bool sc_shape_draw(const scree_shape_info *info, int sides,
    void (*put)(void *to, const double a[3], const double b[3], const double c[3]), void *to);
/* Returns -1 for x < 0, else 1. */
static inline double sc_sign_of(double x) { return x < 0 ? -1 : 1; }
/* Sets out to the point furthest along d on a rim of radius r at height z; the centre of its disc if d is
 * along the axis. */
void sc_rim_point(double r, const double d[3], double z, double out[3]);
/* Sets f to a disc that faces up (side 1) or down (-1): an octagon on its rim, fixed to the body. */
void sc_disc_face(double r, double z, double side, sc_face *f);
/* Sets f to a line on the side of a solid of revolution, from (r0, z0) to (r1, z1) in the half-plane of d. */
void sc_side_face(const double d[3], double r0, double z0, double r1, double z1, sc_face *f);
/* Function `flanks` for the flat end of a solid of revolution at height z. Returns 1 and sets plane, or
 * returns 0 if the end does not qualify. */
static inline int sc_flat_end(
    const double x[3], const double n[3], double z, double cosine, double off, double plane[4]) {
  if (!(fabs(n[2]) <= cosine && fabs(x[2] - z) <= off)) return 0;
  sc_set3(0, 0, sc_sign_of(z), plane);
  plane[3] = fabs(z);
  return 1;
}
/* Returns u.K v of a rim of radius r. */
double sc_rim_bend(double r, const double d[3], const double u[3], const double v[3]);
enum {
  /* points of a rim that lies flat: the polygon tips at cos(pi/24) = 0.991 of the rim's radius */
  SC_RIM_POINTS = 24,
  SC_RIM_NAMES = 4 + SC_RIM_POINTS /* number of feature ids that the points of a rim use */
};
/* Sine of the tilt up to which a rim lies flat on a plane. */
#define SC_RIM_FLAT 1e-3
/* Passes the points of a rim that may be lowest above a plane with the unit normal n to the sink, with
 * feature ids from `name` on. A rim that lies flat has points that are fixed to the body, so that they
 * persist from step to step, and its lowest point if it is tilted. Other rims have their lowest point and
 * three more, a quarter turn apart, on which they land. */
void sc_drop_rim(double r, double z, uint32_t name, const double n[3], const sc_point_sink *sink);
/* Sets n to a normal given in the half-plane of x (away: from the axis, along: along it). rho: distance of x
 * from the axis; if 0, any half-plane is used. */
void sc_unfold(const double x[3], double rho, double away, double along, double n[3]);
/* Triangles of a capsule: a ball cut in half, with `length` between the halves; length 0: the ball. */
void sc_draw_capsule(double radius, double length, const double scale[3], const sc_triangle_sink *sink);
/* Triangles of a truncated cone with radii bottom and top: a cylinder, or a cone if top is 0. */
void sc_draw_frustum(double bottom, double top, double length, const sc_triangle_sink *sink);
/* Corners of a prism of 24 sides for such a truncated cone. */
void sc_frustum_corners(double bottom, double top, double half, const sc_point_sink *sink);

#endif
