/* Internals of geometry: convex hulls and triangle meshes, which are built once and then only read.
 *
 * A hull is a closed convex polyhedron with polygonal faces. Corners of a face are counter-clockwise seen
 * from outside. A mesh is a set of triangles. A mesh is a solid if is_solid is true; otherwise it is a wall
 * that acts on both sides. The sense of a triangle is the order of its corners, which determines the
 * direction of its normal. */
#ifndef SC_GEOMETRY_H
#define SC_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>
#include "math/mass.h"
#include "math/vec.h"
#include "scree/geometry.h"

/* A node of the binary tree over triangles. min, max: box around its triangles [m]. Its children are the
 * nodes left and left + 1; left < 0: a leaf. */
typedef struct sc_tree_node {
  double min[3], max[3];
  int32_t left;
  int32_t first, count; /* leaf: its triangles are tree_triangle[first .. first + count - 1] */
} sc_tree_node;

/* A node of the tree for rays, with four boxes in one cache line (geometry_wide.c). min, max: corners of the
 * boxes in quanta (sc_geometry_quanta). child: index of another wide node, or ~(4 first + count - 1) for the
 * triangles tree_triangle[first .. first + count - 1]. An empty box has min > max. */
typedef struct sc_wide_node {
  uint16_t min[3][4], max[3][4];
  int32_t child[4];
} sc_wide_node;

/* An edge of a hull. end: indices of its two points. face: indices of its two faces; seen from outside,
 * face[0] contains the edge from end[0] to end[1], face[1] from end[1] to end[0]. way: vector from end[0] to
 * end[1] [m]. depth[k]: smallest depth below the plane of face[k] [m], over the points that share an edge
 * with end[0] or end[1] and are not on face[k]. cosine: cosine of the angle between both face normals. */
typedef struct sc_edge {
  int32_t end[2], face[2];
  double way[3], depth[2], cosine;
} sc_edge;

struct scree_geometry {
  int type;       /* SCREE_HULL or SCREE_MESH */
  int32_t owners; /* reference count, changed atomically */
  int32_t points;
  double (*point)[3];
  int32_t triangles;
  int32_t (*triangle)[3];
  bool closed;   /* true: the geometry bounds a volume */
  bool is_solid; /* true: a hull, or a closed mesh that pushes out bodies inside; false: a wall */
  /* mesh: number of triangles whose sense (order of corners) was reversed. In a closed mesh, these triangles
   * now face outwards; in an open mesh, they agree with most triangles of their piece. */
  int32_t turned;
  int32_t welded;        /* mesh: number of points merged with a point at other coordinates */
  int32_t dropped;       /* mesh: number of triangles dropped because they have no area */
  sc_mass solid;         /* mass properties at density 1; mass 0 unless closed */
  double bound;          /* largest distance of a point from the origin [m] */
  double min[3], max[3]; /* axis-aligned box around the points [m] */
  /* hull: faces as polygons. Face f has the corners corner[first[f] .. first[f + 1] - 1], which are indices
   * in `point`. plane: [faces] outward unit normal and offset [m] of the face's plane. */
  int32_t faces, *first, *corner;
  double (*plane)[4];
  /* hull: [faces] depth of a face: smallest depth below the face's plane [m], over the points that share an
   * edge with a corner of the face. The two neighbours of a corner on the face do not count. */
  double *depth;
  /* hull: [faces] bound of the cosine of an angle. If the cosine of the angle between a direction and the
   * face normal exceeds this bound, no other face normal is closer to the direction. */
  double *nearer;
  /* hull: [entries of `corner`] the edge of the face that starts at this corner, as a line in the face's
   * plane: its inward unit normal and its offset [m] */
  double (*rim)[4];
  /* hull: true if there may be two faces at one corner whose normals have an angle of about 90 degrees or
   * more (SC_SQUARE) */
  bool side_faces;
  /* hull: the points near[near_first[p] .. near_first[p + 1] - 1] share an edge with point p (neighbours);
   * the search of support points needs them. near_edge: [entries of `near`] index in `edge` of the edge to
   * the neighbour. edges: number of entries of `edge`; 0 if the hull has 2^16 edges or more. */
  int32_t *near_first, *near, *near_edge, edges;
  sc_edge *edge;
  /* mesh: normal: [triangles] unit normal. across: [triangles] entry k: triangle on the other side of the
   * edge from corner k to corner k + 1; -1: the edge is a border. */
  double (*normal)[3];
  int32_t (*across)[3];
  /* mesh: [triangles] bit k: a shape can touch edge k from the side (ridge, border); bit 3 + k: a shape can
   * touch corner k from the side */
  uint8_t *sharp;
  /* mesh: [triangles] bit k: the neighbour across edge k rises above the plane of this triangle, on the side
   * of the normal; bit 3 + k: corner k is on a border */
  uint8_t *fold;
  int32_t nodes;
  sc_tree_node *node;
  int32_t *tree_triangle;
  sc_wide_node *wide; /* wide nodes, aligned to cache lines; points into wide_block */
  void *wide_block;
  double quantum[3]; /* length of a quantum of the wide nodes along each axis [m] */
};

/* Two normals count as perpendicular if the cosine of their angle is at most this number. */
#define SC_SQUARE 0.1

/* Allocates the points and triangles of a zeroed geometry. Returns false if out of memory. */
bool sc_geometry_alloc(scree_geometry *g, int64_t points, int64_t triangles);
/* Computes the members min, max and bound; for a closed geometry also `solid`. */
void sc_geometry_measure(scree_geometry *g);
/* Computes the tables of a hull from its points and faces: edges, neighbours of points, and the members
 * depth, nearer, rim and side_faces. Returns false if out of memory. */
bool sc_geometry_tables(scree_geometry *g);
/* Builds the binary tree over the triangles. Returns false if out of memory. */
bool sc_geometry_tree(scree_geometry *g);
/* Makes the senses (orders of corners) of the triangles of a mesh consistent. Triangles of a closed mesh then
 * face outwards. Triangles of each piece of an open mesh agree with most triangles of the piece. Counts
 * reversed triangles in g->turned. *two_sided: set to false if the surface has only one side; no triangle is
 * then reversed. The members across, normal and node must be set. Returns false if out of memory. */
bool sc_geometry_turn(scree_geometry *g, bool *two_sided);
/* Returns true if a point in the frame of the shape is inside a closed mesh. */
bool sc_geometry_holds(const scree_geometry *g, const double x[3]);
/* Finds two parts of a closed mesh that intersect. A part is a set of triangles that are connected by edges.
 * triangle: set to a triangle of each part; -1: no parts intersect. The members across, normal and node must
 * be set. Returns false if out of memory. */
bool sc_geometry_overlap(const scree_geometry *g, int32_t triangle[2]);
/* Builds the tree of wide nodes from the binary tree. Returns false if out of memory. */
bool sc_geometry_widen(scree_geometry *g);
/* Returns a coordinate x along an axis in quanta, the integer units of the wide nodes (member quantum). The
 * lower face of the box of all triangles has the coordinate 2. */
static inline double sc_geometry_quanta(const scree_geometry *g, int axis, double x) {
  return 2 + (x / g->quantum[axis] - g->node->min[axis] / g->quantum[axis]);
}
/* Frees a geometry, even if it still has owners. NULL is allowed. */
void sc_geometry_free(scree_geometry *g);

/* Returns the index of the point of a hull that is highest along d. Climbs along edges from the point `best`.
 * *drop: difference of the products with d of the result and of its highest neighbour; for a unit vector d
 * the height of the result above its neighbours [m]. */
static inline int32_t sc_hull_summit(
    const scree_geometry *hull, const double d[3], int32_t best, double *drop) {
  double high = sc_dot(hull->point[best], d), next = 0;
  for (int32_t from = -1; from != best;) {
    from = best, next = -INFINITY;
    for (int32_t k = hull->near_first[from]; k < hull->near_first[from + 1]; k++) {
      const double height = sc_dot(hull->point[hull->near[k]], d);
      next = height > next ? height : next;
      if (height > high) high = height, best = hull->near[k];
    }
  }
  *drop = high - next;
  return best;
}
/* Returns the index of the point of a hull that is highest along d, like sc_hull_summit. */
static inline int32_t sc_hull_highest(const scree_geometry *hull, const double d[3], int32_t best) {
  double drop;
  return sc_hull_summit(hull, d, best, &drop);
}

/* Callback of sc_geometry_query. Returns false to stop the query. */
typedef bool sc_tree_visit(void *context, int32_t triangle);
/* Calls visit for every triangle whose box overlaps the box min, max. Stops when visit returns false. */
void sc_geometry_query(
    const scree_geometry *g, const double min[3], const double max[3], sc_tree_visit *visit, void *context);

/* Sets foot to the point of triangle t that is nearest to x (Ericson 2005). Returns where foot is: 0: inside
 * the triangle; 1, 2, 3: on edge 0, 1, 2; 4, 5, 6: at corner 0, 1, 2. */
int sc_triangle_nearest(const scree_geometry *g, int32_t t, const double x[3], double foot[3]);
/* Returns the height above a plane of that corner of triangle t that is furthest from the plane [m];
 * negative: below the plane. The plane goes through x and has the unit normal `up`. */
double sc_geometry_rise(const scree_geometry *g, int32_t t, const double x[3], const double up[3]);
/* Returns the distance of x from the surface [m] and sets foot to the nearest point of the surface. Returns
 * `within` if the distance is not smaller. */
double sc_geometry_nearest(const scree_geometry *g, const double x[3], double within, double foot[3]);

/* A statement of an OBJ file that begins a group (g) or an object (o): its name, kind and first triangle. */
typedef struct sc_soup_group {
  char name[64];
  bool is_object;
  size_t first;
} sc_soup_group;

/* Triangles read from a file, as indices in `point`. The triangles of an STL file share no points. */
typedef struct sc_soup {
  double (*point)[3];
  size_t points, point_capacity;
  int32_t (*triangle)[3];
  size_t triangles, triangle_capacity;
  sc_soup_group *group; /* [groups] groups and objects of an OBJ file, in the order of the file */
  size_t groups, group_capacity;
} sc_soup;
/* Reads the file of a definition, in the format that its name and content indicate. Rotates, scales and
 * places the points as the definition says. weld: true to merge points with equal coordinates. */
scree_status sc_soup_read(const scree_file_def *def, bool weld, sc_soup *soup, scree_error *error);
/* Frees the arrays and zeroes the struct. */
void sc_soup_free(sc_soup *soup);
/* Reads a whole regular file. The caller frees *bytes with sc_free. */
scree_status sc_soup_slurp(const char *path, unsigned char **bytes, size_t *count, scree_error *error);
/* Reads the content of an STL file into *soup. path: name of the file, for messages. */
scree_status sc_soup_stl(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error);
/* Reads the content of an OBJ file into *soup. path: name of the file, for messages. */
scree_status sc_soup_obj(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error);
/* Reads the content of a PLY file into *soup. path: name of the file, for messages. */
scree_status sc_soup_ply(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error);
/* Reads a glTF or COLLADA file and converts lengths to metres. up: 0 to rotate the file's up axis to z; any
 * other value leaves the axes unchanged. */
scree_status sc_soup_scene(
    const char *path, const unsigned char *bytes, size_t count, int up, sc_soup *soup, scree_error *error);
/* Checks a glTF or COLLADA file. Fails if lengths, offsets or indices are not whole numbers in range. */
scree_status sc_soup_scan(const char *path, const unsigned char *bytes, size_t count, scree_error *error);
/* Merges points with equal coordinates. Returns false if out of memory. */
bool sc_soup_weld(sc_soup *soup);
/* Merges points if none of their coordinates differs by more than the tolerance [m]; tolerance 0: equal
 * points. Moves the remaining points to the front of the array, sets *points to their number, and renumbers
 * the corners of triangles. *welded: number of points that were merged with a point at other coordinates.
 * Returns false if out of memory. */
bool sc_weld_points(double (*point)[3], int32_t *points, int32_t (*triangle)[3], size_t triangles,
    double tolerance, int32_t *welded);
/* Cuts a polygon into triangles with the polygon's order of corners and adds the triangles to the soup. A
 * convex polygon becomes a fan from its first corner. Any other polygon is cut by ears (geometry_ears.c).
 * corner: [corners] indices of points in the soup. Returns false if out of memory. */
bool sc_soup_add_polygon(sc_soup *soup, const int32_t *corner, int32_t corners);

#endif
