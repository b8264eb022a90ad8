/* Geometry shared by shapes: convex hulls and triangle meshes, made once, read only afterwards.
 *
 * Points lie in the frame of the shape. A hull is a closed convex polyhedron with polygonal faces, corners counter-clockwise
 * seen from outside. A mesh is a set of triangles, closed (it then has a volume) or open (a wall, solid on neither side). */
#ifndef SC_GEOMETRY_H
#define SC_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>
#include "math/mass.h"
#include "scree/world.h"

/* A node of the tree over triangles: children at left and left + 1, or a leaf with count triangles from first on. */
typedef struct sc_tree_node {
  double min[3], max[3];
  int32_t left;            /* < 0: leaf */
  int32_t first, count;    /* range in tree_triangle */
} sc_tree_node;

struct scree_geometry {
  int type;                /* SCREE_HULL or SCREE_MESH */
  int32_t points; double (*point)[3];
  int32_t triangles; int32_t (*triangle)[3];
  bool closed;
  sc_mass solid;           /* at density 1; mass 0 unless closed */
  double bound;            /* largest distance of a point from the origin */
  double min[3], max[3];   /* box of the points */
  /* hull: faces as polygons; corner[first[f] .. first[f + 1]) */
  int32_t faces; int32_t *first; int32_t *corner; double (*plane)[4]; /* outward unit normal and offset */
  /* hull: neighbours of every point, near[near_first[p] .. near_first[p + 1]), for climbing to a support point */
  int32_t *near_first, *near;
  /* mesh */
  double (*normal)[3];     /* unit normal per triangle */
  int32_t (*across)[3];    /* triangle across edge k (from corner k to k + 1), -1: border */
  uint8_t *convex;         /* bit k: the edge k is a ridge, bit 3 + k: corner k may touch */
  int32_t nodes; sc_tree_node *node; int32_t *tree_triangle;
};

#endif
