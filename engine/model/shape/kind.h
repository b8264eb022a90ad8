/* Kinds of shapes. Each kind has a file and a constant sc_shape_kind with its functions and properties.
 * SCREE_SHAPE_LIST (scree/shape.h) lists all kinds.
 *
 * Coordinates are those of the shape's own frame, whose origin is the shape's position. A convex kind
 * consists of a core and a radius about it. A sphere is a point with a radius, a capsule a segment with a
 * radius. All other convex kinds have the radius 0. Newton's method for contacts of curved cores
 * (collide/narrow/convex/polish.c) needs the features of a core: corners, rims (circles along which the
 * support point moves if the direction changes), and smooth surfaces. Each feature has an id. */
#ifndef SC_SHAPE_KIND_H
#define SC_SHAPE_KIND_H

#include "math/mass.h"
#include "math/vec.h"
#include "model/shapes.h"
#include "scree/shape.h"

enum { SC_MAX_CORNERS = 32 }; /* largest number of corners of an sc_face */
/* The face, edge or corner of a core that faces a given direction. */
typedef struct sc_face {
  int count; /* number of corners: 1: a point, 2: an edge, 3 or more: a polygon */
  uint32_t id;
  double corner[SC_MAX_CORNERS][3];
  double normal[3]; /* outward unit normal of a polygon */
  /* > 0: the polygon approximates a disc of this radius [m] about the mean of its corners */
  double disc;
} sc_face;

enum { SC_MAX_SIDE_FACES = 8 }; /* largest number of side faces that the function `side_faces` returns */

/* A receiver of points. A shape calls put(to, point, name) for each of its points. name: feature id of the
 * point. to: data of the receiver. */
typedef struct sc_point_sink {
  void (*put)(void *to, const double point[3], uint32_t name);
  void *to;
} sc_point_sink;
/* A receiver of triangles with the corners a, b and c. to: data of the receiver. */
typedef struct sc_triangle_sink {
  /* called for each triangle; corners are counter-clockwise seen from outside; some triangles may have no
   * area */
  void (*put)(void *to, const double a[3], const double b[3], const double c[3]);
  void *to;
  int sides; /* number of sides with which round shapes are drawn, a multiple of 4 from 4 to 48; 0: 48 */
} sc_triangle_sink;

/* Family of a kind. It selects the function of the narrow phase for a pair (collide/narrow/narrow.c). SOLID:
 * any convex kind with the functions support, face and drop. */
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
  bool round;   /* true: the core has a curved surface */
  bool quadric; /* true: the surface is (x/a)^2 + (y/b)^2 + (z/c)^2 = 1; a, b, c: see `axes` below */

  /* ---- mass and size ---- */
  /* Returns the mass properties for a uniform density [kg/m3]; mass 0: this shape is not a solid. Pointer
   * NULL: no shape of this kind is a solid. */
  sc_mass (*mass)(const sc_shape *s, double density);
  /* Returns the radius of a sphere about the origin that contains the shape [m]. */
  double (*bound)(const sc_shape *s);
  void (*box)(const sc_shape *s, double middle[3], double half[3]);

  /* ---- contact of convex kinds ---- */
  /* Returns the radius about the core [m] and sets *size to the bounding radius of the core [m]. Pointer
   * NULL: the radius about the core is 0. */
  double (*core)(const sc_shape *s, double *size);
  /* Sets out to the support point of the core: its furthest point along d. d may have any length. */
  void (*support)(const sc_shape *s, const double d[3], double out[3]);
  /* Sets *f to the face, edge or corner whose outward direction is closest to the unit vector d. Before the
   * call, all members of *f are 0, except f->id, which may be a guess of the result. Pointer NULL: callers
   * use the support point. */
  void (*face)(const sc_shape *s, const double d[3], sc_face *f);
  /* Returns the id of the feature to which the support point for d belongs. Pointer NULL: the only feature is
   * the support point. */
  int32_t (*feature)(const sc_shape *s, const double d[3]);
  /* Sets out to the point of feature `id` that is furthest along d. */
  void (*feature_point)(const sc_shape *s, int32_t id, const double d[3], double out[3]);
  /* Returns u.K v. K: derivative of the feature's point (see feature_point) with respect to the direction d,
   * 3x3. Pointer NULL: K = 0. */
  double (*bend)(const sc_shape *s, int32_t id, const double d[3], const double u[3], const double v[3]);
  /* For a smooth kind: sets `point` to the support point for d, and K to its derivative with respect to d
   * (xx,xy,xz,yy,yz,zz). Pointer NULL: callers use bend. */
  void (*curve)(const sc_shape *s, const double d[3], double point[3], double K[6]);
  /* For a smooth kind: returns a lower bound of the radius of a ball that can roll inside along the whole
   * surface [m]. */
  double (*rolls)(const sc_shape *s);
  /* Returns true if Newton's method for contacts converges on this shape from any starting direction. */
  bool (*smooth)(const sc_shape *s);
  /* Passes to the sink all points of the shape that may be the closest to a plane with the unit normal n; the
   * shape is above the plane. Pointer NULL: callers use the support point of -n. */
  void (*drop)(const sc_shape *s, const double n[3], const sc_point_sink *sink);
  /* Finds the side faces at point x for the contact normal n (unit vector): flat faces whose planes are
   * within the distance `off` [m] of x, and whose normals are nearly perpendicular to n. The cosine of the
   * angle to n must be between -cosine and cosine. Returns the number of faces and sets `plane` to their
   * planes: outward unit normal m and offset m.x. Pointer NULL: the kind has no flat faces. */
  int (*side_faces)(const sc_shape *s, const double x[3], const double n[3], double cosine, double off,
      double plane[SC_MAX_SIDE_FACES][4]);
  /* Returns the distance of x from the surface [m], negative inside, also far inside. Sets n to the outward
   * unit normal at the nearest point. Pointer NULL: callers compute the distance as for any pair of convex
   * shapes. */
  double (*distance)(const sc_shape *s, const double x[3], double n[3]);

  /* ---- drawing and exports ---- */
  /* Sets axes to the half extents along x, y and z, for exports. For cylinders, cones and capsules, the z
   * entry is the whole length, as OVITO expects. Pointer NULL: none. */
  void (*axes)(const sc_shape *s, double axes[3]);
  /* Passes the triangles of the surface to the sink. Pointer NULL: the kind has none. */
  void (*triangles)(const sc_shape *s, const sc_triangle_sink *sink);
  /* Passes the corners of a convex polyhedron to the sink. Together with the radius about the core, the
   * polyhedron approximates the shape. Pointer NULL: none. */
  void (*corners)(const sc_shape *s, const sc_point_sink *sink);
} sc_shape_kind;

/* [scree_shape_type] all kinds. */
extern const sc_shape_kind *const sc_shape_kinds[SCREE_SHAPE_TYPES];
/* Returns the kind of a shape. */
static inline const sc_shape_kind *sc_kind_of(const sc_shape *shape) { return sc_shape_kinds[shape->type]; }
/* Sets *out to the shape that `info` describes in a frame of a trajectory. *out has position 0 and no
 * rotation. Returns false for an unknown type or a missing geometry. */
bool sc_shape_of_info(const scree_shape_info *info, sc_shape *out);
/* Sets *out to a definition with the type, sizes and geometry of a shape, and default values of other
 * members. */
void sc_shape_sizes(const sc_shape *shape, scree_shape_def *out);
/* Checks the sizes and the geometry of a definition. */
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

/* ---- functions for several kinds (parts.c) ---- */

/* Returns the number of sides with which round shapes are drawn. */
static inline int sc_sink_sides(const sc_triangle_sink *sink) { return sink->sides ? sink->sides : 48; }
/* Calls put(to, corners) for each triangle of the shape that `info` describes, in the shape's own frame.
 * sides: see sc_triangle_sink. Returns false for a shape without triangles. */
bool sc_shape_draw(const scree_shape_info *info, int sides,
    void (*put)(void *to, const double a[3], const double b[3], const double c[3]), void *to);
/* Returns -1 for x < 0, else 1. */
static inline double sc_sign_of(double x) { return x < 0 ? -1 : 1; }
/* Sets out to the point that is furthest along d on a rim about z of radius r at height z. If d is along the
 * axis, sets out to the centre of the rim. */
void sc_rim_point(double r, const double d[3], double z, double out[3]);
/* Sets *f to a disc at height z that faces up (side 1) or down (side -1): an octagon on its rim, which
 * rotates with the body. */
void sc_disc_face(double r, double z, double side, sc_face *f);
/* Sets *f to an edge: a line on the side of a solid of revolution about z, in the half-plane through the z
 * axis and d. The line goes from radius r0 at height z0 to radius r1 at height z1. */
void sc_side_face(const double d[3], double r0, double z0, double r1, double z1, sc_face *f);
/* Does the work of sc_shape_kind.side_faces for the flat end at height z of a solid of revolution about z.
 * Returns 1 and sets plane if the end is a side face at x for the normal n, else 0. */
static inline int sc_flat_end(
    const double x[3], const double n[3], double z, double cosine, double off, double plane[4]) {
  if (!(fabs(n[2]) <= cosine && fabs(x[2] - z) <= off)) return 0;
  sc_set3(0, 0, sc_sign_of(z), plane);
  plane[3] = fabs(z);
  return 1;
}
/* Returns u.K v (sc_shape_kind.bend) for the support point of a rim of radius r about z in the direction
 * d. */
double sc_rim_bend(double r, const double d[3], const double u[3], const double v[3]);
enum {
  /* number of contact points on a rim that lies flat; the distance of the edges of this polygon from the
   * centre is cos(pi/24) = 0.991 times the rim's radius */
  SC_RIM_POINTS = 24,
  SC_RIM_NAMES = 4 + SC_RIM_POINTS /* number of feature ids that the points of a rim use */
};
/* Largest sine of the tilt at which a rim counts as lying flat on a plane. */
#define SC_RIM_FLAT 1e-3
/* Passes to the sink the points of a rim that may be the closest to a plane with the unit normal n below the
 * rim. The rim is a circle of radius r about z at height z. Feature ids start at `name`. A rim that lies flat
 * (SC_RIM_FLAT) has SC_RIM_POINTS points, which rotate with the body, so that contacts persist from step to
 * step. If the tilt of such a rim is noticeable, its lowest point is added. Any other rim has its lowest
 * point and three more points, a quarter turn apart, on which it can land. */
void sc_drop_rim(double r, double z, uint32_t name, const double n[3], const sc_point_sink *sink);
/* Sets n to a normal in the half-plane through the z axis and x. away: component away from the axis; along:
 * component along the axis. rho: distance of x from the axis; 0: the half-plane of the x axis is used. */
void sc_unfold(const double x[3], double rho, double away, double along, double n[3]);
/* Passes the triangles of a capsule about z to the sink. length: distance between the centres of its
 * half-spheres; 0: a sphere. scale: factors along x, y and z. */
void sc_draw_capsule(double radius, double length, const double scale[3], const sc_triangle_sink *sink);
/* Passes the triangles of a truncated cone about z to the sink. bottom, top: radii of its ends; top = 0: a
 * cone; top = bottom: a cylinder. */
void sc_draw_frustum(double bottom, double top, double length, const sc_triangle_sink *sink);
/* Passes the corners of a polyhedron with 24 sides, which approximates a truncated cone about z, to the sink.
 * bottom, top: radii of its ends. half: half its height. */
void sc_frustum_corners(double bottom, double top, double half, const sc_point_sink *sink);

#endif
