/* Inside of geometry: convex hulls and triangle meshes, made once, read only afterwards.
 *
 * A hull is a closed convex polyhedron with polygonal faces, corners counter-clockwise seen from outside. A
 * mesh is a set of triangles: a wall that acts on both sides, or a solid if is_solid is set. */
#ifndef SC_GEOMETRY_H
#define SC_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>
#include "math/mass.h"
#include "math/vec.h"
#include "scree/geometry.h"

/* A node of the tree over triangles: children at left and left + 1, or a leaf (left < 0). */
typedef struct sc_tree_node {
  double min[3], max[3];
  int32_t left;
  int32_t first, count; /* leaf: range in tree_triangle */
} sc_tree_node;

/* Four boxes in one line of the cache (geometry_wide.c), counted in quanta of the whole box. Of what is in a
 * box: another node, or ~(4 first + count - 1), a range in tree_triangle. A box without anything is inside
 * out. */
typedef struct sc_wide_node {
  uint16_t min[3][4], max[3][4];
  int32_t child[4];
} sc_wide_node;

/* An edge of a hull, from end[0] to end[1] along face[0], back along face[1]. lift: how far the nearest
 * neighbour of its ends lies below the plane of each face, but for those on it. */
typedef struct sc_edge {
  int32_t end[2], face[2];
  double way[3], lift[2], cosine; /* of the faces' normals */
} sc_edge;

struct scree_geometry {
  int type;       /* SCREE_HULL or SCREE_MESH */
  int32_t owners; /* changed atomically */
  int32_t points;
  double (*point)[3];
  int32_t triangles;
  int32_t (*triangle)[3];
  bool closed;           /* bounds a volume */
  bool is_solid;         /* a hull, or a closed mesh that pushes out bodies inside; false: a wall */
  int32_t turned;        /* mesh: triangles that were turned to look outwards, or as most of their piece do */
  int32_t welded;        /* mesh: points merged with a point at other coordinates */
  int32_t dropped;       /* mesh: triangles left out because they have no area */
  sc_mass solid;         /* at density 1; mass 0 unless closed */
  double bound;          /* largest distance of a point from the origin */
  double min[3], max[3]; /* box of the points */
  /* hull: faces as polygons, corner[first[f] .. first[f + 1]), outward unit normal and offset */
  int32_t faces, *first, *corner;
  double (*plane)[4];
  /* hull: how far the nearest corner beside each face lies below its plane */
  double *lift;
  /* hull: a direction whose cosine with a face's normal is above this has none that is nearer */
  double *nearer;
  /* hull: inward normals and offsets in the face's plane, of the edge behind each corner */
  double (*rim)[4];
  bool flanks; /* hull: two faces at one corner may be square to each other, or turned away by more */
  /* hull: neighbours of every point, near[near_first[p] .. near_first[p + 1]), for climbing to a support
   * point; and the edge to each. edges: 0 where there are more than 2^16 */
  int32_t *near_first, *near, *near_edge, edges;
  sc_edge *edge;
  /* mesh: unit normal per triangle; the triangle across each edge (corner k to k + 1), -1: border */
  double (*normal)[3];
  int32_t (*across)[3];
  /* bit k: edge k can be touched from aside (ridge, border); bit 3 + k: corner k can */
  uint8_t *sharp;
  /* bit k: the triangle across edge k rises over the front of this one; bit 3 + k: corner k is on a border */
  uint8_t *fold;
  int32_t nodes;
  sc_tree_node *node;
  int32_t *tree_triangle;
  sc_wide_node *wide; /* in wide_block */
  void *wide_block;
  double quantum[3]; /* [m] */
};

/* Normals are square to each other up to this cosine. */
#define SC_SQUARE 0.1

/* All of these take zeroed geometry with points and triangles set, and return false without memory. */
bool sc_geometry_alloc(scree_geometry *g, int64_t points, int64_t triangles);
/* Box, bound, and for closed geometry the solid. */
void sc_geometry_measure(scree_geometry *g);
/* Edges, neighbours of corners, lifts and rims of faces, of a hull whose corners and faces are there. */
bool sc_geometry_tables(scree_geometry *g);
bool sc_geometry_tree(scree_geometry *g);
/* Gives the triangles of a mesh one sense. Those of a closed mesh look outwards. Those of each piece of an
 * open mesh look as most triangles of the piece do. Counts turned triangles in g->turned. Needs neighbours,
 * normals and the tree. Returns false without memory. *two_sided: false if the mesh has one side; nothing is
 * turned then. */
bool sc_geometry_turn(scree_geometry *g, bool *two_sided);
/* Returns whether a point in the frame of the shape lies inside a closed mesh. */
bool sc_geometry_holds(const scree_geometry *g, const double x[3]);
/* Finds two parts of a closed mesh that run through each other: a triangle of each, or -1. Needs neighbours,
 * normals and the tree. Returns false without memory. */
bool sc_geometry_overlap(const scree_geometry *g, int32_t triangle[2]);
/* The tree of wide nodes from that tree. */
bool sc_geometry_widen(scree_geometry *g);
/* A place along an axis in quanta; the whole box begins at 2. */
static inline double sc_geometry_quanta(const scree_geometry *g, int axis, double x) {
  return 2 + (x / g->quantum[axis] - g->node->min[axis] / g->quantum[axis]);
}
void sc_geometry_free(scree_geometry *g);

/* The corner of a hull that is highest along d, climbed to along edges from another. And how much lower the
 * highest of its neighbours is. */
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
static inline int32_t sc_hull_highest(const scree_geometry *hull, const double d[3], int32_t best) {
  double drop;
  return sc_hull_summit(hull, d, best, &drop);
}

/* Calls visit for every triangle whose box meets the box; stops early when visit returns false. */
typedef bool sc_tree_visit(void *context, int32_t triangle);
void sc_geometry_query(
    const scree_geometry *g, const double min[3], const double max[3], sc_tree_visit *visit, void *context);

/* Nearest point of a triangle to x by the regions of Ericson (2005): part 0 inside, 1..3 edge k - 1,
 * 4..6 corner k - 4. */
int sc_triangle_nearest(const scree_geometry *g, int32_t t, const double x[3], double foot[3]);
/* Returns the height above a plane of the corner of a triangle that is furthest from the plane, negative
 * below [m]. The plane goes through x and has the unit normal up. */
double sc_geometry_rise(const scree_geometry *g, int32_t t, const double x[3], const double up[3]);
/* Distance of the surface from x, and its nearest point; `within` where it is no nearer. */
double sc_geometry_nearest(const scree_geometry *g, const double x[3], double within, double foot[3]);

/* Triangles read from a file: three corners each, not yet joined (STL), or points and indices (OBJ). */
typedef struct sc_soup {
  double (*point)[3];
  size_t points, point_capacity;
  int32_t (*triangle)[3];
  size_t triangles, triangle_capacity;
} sc_soup;
void sc_soup_free(sc_soup *soup);
/* Reads a whole regular file; the caller frees *bytes. */
scree_status sc_soup_slurp(const char *path, unsigned char **bytes, size_t *count, scree_error *error);
/* Reads the content of an STL, OBJ or PLY file; path is for messages. */
scree_status sc_soup_stl(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error);
scree_status sc_soup_obj(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error);
scree_status sc_soup_ply(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error);
/* Reads a glTF or COLLADA file in metres. up: 0 turns its up axis to z, else its axes are left alone. */
scree_status sc_soup_scene(
    const char *path, const unsigned char *bytes, size_t count, int up, sc_soup *soup, scree_error *error);
/* Refuses a glTF or COLLADA file whose lengths, offsets or indices are not whole numbers in range. */
scree_status sc_soup_scan(const char *path, const unsigned char *bytes, size_t count, scree_error *error);
/* Makes points with equal coordinates one. */
bool sc_soup_weld(sc_soup *soup);
/* Merges points if no coordinate differs by more than the tolerance (0: equal points). Moves the remaining
 * points to the front of the array, writes their number to *points, and renumbers the triangles' corners.
 * *welded: the number of points that moved. Returns false without memory. */
bool sc_weld_points(double (*point)[3], int32_t *points, int32_t (*triangle)[3], size_t triangles,
    double tolerance, int32_t *welded);
/* Cuts a polygon into triangles that keep its sense, and adds them to the soup. A convex polygon becomes a
 * fan from its first corner; any other polygon is cut by ears. corner: rows of points in the soup. Returns
 * false without memory. */
bool sc_soup_add_polygon(sc_soup *soup, const int32_t *corner, int32_t corners);

#endif
