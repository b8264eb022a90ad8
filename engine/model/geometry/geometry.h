/* Internals of geometry: convex hulls and triangle meshes, built once and then only read.
 *
 * A hull is a closed convex polyhedron with polygonal faces; corners run counter-clockwise seen from outside.
 * A mesh is a set of triangles: a wall that acts on both sides, or a solid if is_solid is set. The sense of a
 * triangle is the order of its corners; it decides to which side the triangle's normal points. */
#ifndef SC_GEOMETRY_H
#define SC_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>
#include "math/mass.h"
#include "math/vec.h"
#include "scree/geometry.h"

/* A node of the binary tree over triangles: children at left and left + 1, or a leaf (left < 0). */
typedef struct sc_tree_node {
  double min[3], max[3];
  int32_t left;
  int32_t first, count; /* leaf: range in tree_triangle */
} sc_tree_node;

/* Four boxes in one cache line (geometry_wide.c), in quanta of the whole box. child: index of another node,
 * or ~(4 first + count - 1) for a range in tree_triangle. An empty box has min > max. */
typedef struct sc_wide_node {
  uint16_t min[3][4], max[3][4];
  int32_t child[4];
} sc_wide_node;

/* An edge of a hull. Seen from outside, face[0] has it from end[0] to end[1], face[1] from end[1] to end[0].
 * way: end[1] - end[0]. lift: for each face, the smallest depth below its plane among the neighbours of both
 * ends that are not on the face [m]. cosine: of the angle between the faces' normals. */
typedef struct sc_edge {
  int32_t end[2], face[2];
  double way[3], lift[2], cosine;
} sc_edge;

struct scree_geometry {
  int type;       /* SCREE_HULL or SCREE_MESH */
  int32_t owners; /* reference count, changed atomically */
  int32_t points;
  double (*point)[3];
  int32_t triangles;
  int32_t (*triangle)[3];
  bool closed;   /* bounds a volume */
  bool is_solid; /* a hull, or a closed mesh that pushes out bodies inside; false: a wall */
  /* mesh: number of triangles whose sense was reversed, to face outwards or to agree with most of their
   * piece */
  int32_t turned;
  int32_t welded;        /* mesh: number of points merged with a point at other coordinates */
  int32_t dropped;       /* mesh: number of triangles dropped because they have no area */
  sc_mass solid;         /* mass properties at density 1; mass 0 unless closed */
  double bound;          /* largest distance of a point from the origin */
  double min[3], max[3]; /* box of the points */
  /* hull: faces as polygons, corner[first[f] .. first[f + 1]), outward unit normal and offset */
  int32_t faces, *first, *corner;
  double (*plane)[4];
  /* hull: [faces] smallest depth below the face's plane among the neighbours of its corners that are not next
   * to them on the face [m] */
  double *lift;
  /* hull: [faces] cosine bound: if a direction's cosine with the face normal exceeds it, no other face normal
   * is nearer to the direction */
  double *nearer;
  /* hull: [corner] inward normal and offset, in the face's plane, of the edge that starts at this corner */
  double (*rim)[4];
  /* hull: true if two faces at one corner may have normals at 90 degrees or more to each other */
  bool flanks;
  /* hull: neighbours of point p are near[near_first[p] .. near_first[p + 1]), for climbing to a support
   * point; near_edge: the edge to each. edges: 0 if the hull has 2^16 edges or more */
  int32_t *near_first, *near, *near_edge, edges;
  sc_edge *edge;
  /* mesh: unit normal per triangle; triangle across each edge (corner k to k + 1), -1: border */
  double (*normal)[3];
  int32_t (*across)[3];
  /* mesh: bit k: edge k can be touched from the side (ridge, border); bit 3 + k: corner k can */
  uint8_t *sharp;
  /* mesh: bit k: the triangle across edge k rises above the front of this one; bit 3 + k: corner k is on a
   * border */
  uint8_t *fold;
  int32_t nodes;
  sc_tree_node *node;
  int32_t *tree_triangle;
  sc_wide_node *wide; /* cache-line aligned pointer into wide_block */
  void *wide_block;
  double quantum[3]; /* [m] side of a quantum of the wide nodes */
};

/* Cosine up to which two normals count as perpendicular. */
#define SC_SQUARE 0.1

/* Allocates points and triangles of zeroed geometry. Returns false if out of memory. */
bool sc_geometry_alloc(scree_geometry *g, int64_t points, int64_t triangles);
/* Computes box and bound, and `solid` for closed geometry. */
void sc_geometry_measure(scree_geometry *g);
/* Computes the tables of a hull from its points and faces: edges, neighbours of corners, and the members
 * `lift` and `rim` of the faces. Returns false if out of memory. */
bool sc_geometry_tables(scree_geometry *g);
/* Builds the binary tree over the triangles. Returns false if out of memory. */
bool sc_geometry_tree(scree_geometry *g);
/* Makes the senses of triangles agree. Triangles of a closed mesh then face outwards; those of each piece of
 * an open mesh agree with most triangles of the piece. Counts reversed triangles in g->turned. Needs
 * neighbours, normals and the tree. Returns false if out of memory. *two_sided: false if the mesh has one
 * side; no triangle is then reversed. */
bool sc_geometry_turn(scree_geometry *g, bool *two_sided);
/* Returns whether a point in the frame of the shape lies inside a closed mesh. */
bool sc_geometry_holds(const scree_geometry *g, const double x[3]);
/* Finds two parts of a closed mesh that run through each other: a triangle of each, or -1. Needs neighbours,
 * normals and the tree. Returns false if out of memory. */
bool sc_geometry_overlap(const scree_geometry *g, int32_t triangle[2]);
/* Builds the tree of wide nodes from the binary tree. Returns false if out of memory. */
bool sc_geometry_widen(scree_geometry *g);
/* Returns a coordinate along an axis in quanta; the whole box begins at 2. */
static inline double sc_geometry_quanta(const scree_geometry *g, int axis, double x) {
  return 2 + (x / g->quantum[axis] - g->node->min[axis] / g->quantum[axis]);
}
/* Frees a geometry, even if it still has owners. NULL is allowed. */
void sc_geometry_free(scree_geometry *g);

/* Returns the corner of a hull that is highest along d, climbing along edges from corner `best`. *drop:
 * height of the corner above the highest of its neighbours. */
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
/* Like sc_hull_summit, without *drop. */
static inline int32_t sc_hull_highest(const scree_geometry *hull, const double d[3], int32_t best) {
  double drop;
  return sc_hull_summit(hull, d, best, &drop);
}

/* Calls visit for every triangle whose box overlaps the box min, max. Stops when visit returns false. */
typedef bool sc_tree_visit(void *context, int32_t triangle);
/* Calls visit for the triangles of the box. */
void sc_geometry_query(
    const scree_geometry *g, const double min[3], const double max[3], sc_tree_visit *visit, void *context);

/* Computes the nearest point of a triangle to x (Ericson 2005). Returns its region: 0 inside, 1..3 edge k -
 * 1, 4..6 corner k - 4. */
int sc_triangle_nearest(const scree_geometry *g, int32_t t, const double x[3], double foot[3]);
/* Returns the height above a plane of the corner of a triangle that is furthest from the plane, negative
 * below [m]. The plane goes through x and has the unit normal up. */
double sc_geometry_rise(const scree_geometry *g, int32_t t, const double x[3], const double up[3]);
/* Returns the distance of the surface from x and sets foot to its nearest point; returns `within` if the
 * surface is not nearer than this. */
double sc_geometry_nearest(const scree_geometry *g, const double x[3], double within, double foot[3]);

/* Triangles read from a file: three separate points each (STL), or points and indices (OBJ). */
typedef struct sc_soup {
  double (*point)[3];
  size_t points, point_capacity;
  int32_t (*triangle)[3];
  size_t triangles, triangle_capacity;
} sc_soup;
/* Frees the arrays and zeroes the struct. */
void sc_soup_free(sc_soup *soup);
/* Reads a whole regular file; the caller frees *bytes. */
scree_status sc_soup_slurp(const char *path, unsigned char **bytes, size_t *count, scree_error *error);
/* Readers of the content of STL, OBJ and PLY files; path is for messages. */
scree_status sc_soup_stl(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error);
/* Reads an OBJ file. */
scree_status sc_soup_obj(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error);
/* Reads a PLY file. */
scree_status sc_soup_ply(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error);
/* Reads a glTF or COLLADA file and converts lengths to metres. up: 0 rotates the file's up axis to z,
 * otherwise axes are not changed. */
scree_status sc_soup_scene(
    const char *path, const unsigned char *bytes, size_t count, int up, sc_soup *soup, scree_error *error);
/* Rejects a glTF or COLLADA file whose lengths, offsets or indices are not whole numbers in range. */
scree_status sc_soup_scan(const char *path, const unsigned char *bytes, size_t count, scree_error *error);
/* Merges points with equal coordinates. Returns false if out of memory. */
bool sc_soup_weld(sc_soup *soup);
/* Merges points if no coordinate differs by more than the tolerance (0: equal points). Moves the remaining
 * points to the front of the array, writes their number to *points, and renumbers the triangles' corners.
 * *welded: the number of points that moved. Returns false if out of memory. */
bool sc_weld_points(double (*point)[3], int32_t *points, int32_t (*triangle)[3], size_t triangles,
    double tolerance, int32_t *welded);
/* Cuts a polygon into triangles that keep its sense, and adds them to the soup. A convex polygon becomes a
 * fan from its first corner; any other polygon is cut by ears. corner: rows of points in the soup. Returns
 * false if out of memory. */
bool sc_soup_add_polygon(sc_soup *soup, const int32_t *corner, int32_t corners);

#endif
