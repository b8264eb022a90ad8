/* Builds and searches a binary tree of boxes over the triangles of a mesh. A node is split at the median
 * triangle along its longest axis. A leaf has at most four triangles. */
#include <stdlib.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

enum { LEAF = 4 };

static inline double smaller_of(double a, double b) { return b < a ? b : a; }
static inline double larger_of(double a, double b) { return b > a ? b : a; }

static void triangles_box_of(
    const scree_geometry *g, const int32_t *triangle, int32_t count, double min[3], double max[3]) {
  for (int k = 0; k < 3; k++) min[k] = INFINITY, max[k] = -INFINITY;
  for (int32_t t = 0; t < count; t++)
    for (int c = 0; c < 3; c++) {
      const double *p = g->point[g->triangle[triangle[t]][c]];
      for (int k = 0; k < 3; k++) min[k] = smaller_of(min[k], p[k]), max[k] = larger_of(max[k], p[k]);
    }
}

typedef struct along {
  const scree_geometry *geometry;
  int axis;
} along;

/* Returns three times the coordinate of a triangle's centroid along an axis, by which triangles are sorted. A
 * callback of sc_select_rank. */
static double centroid_of(const void *context, int32_t triangle) {
  const along *by = context;
  const scree_geometry *g = by->geometry;
  const int32_t *c = g->triangle[triangle];
  return g->point[c[0]][by->axis] + g->point[c[1]][by->axis] + g->point[c[2]][by->axis];
}

bool sc_geometry_tree(scree_geometry *g) {
  SC_ASSERT(g);
  g->node = sc_alloc((2 * (size_t)g->triangles + 2) * sizeof *g->node);
  g->tree_triangle = sc_alloc((size_t)g->triangles * sizeof *g->tree_triangle);
  if (!g->node || !g->tree_triangle) return false;
  for (int32_t t = 0; t < g->triangles; t++) g->tree_triangle[t] = t;
  g->node[0] = (sc_tree_node){.left = -1, .first = 0, .count = g->triangles};
  g->nodes = 1;
  /* Nodes are split in the order of their creation, without recursion. */
  for (int32_t k = 0; k < g->nodes; k++) {
    sc_tree_node *node = g->node + k;
    int32_t *t = g->tree_triangle + node->first, half = node->count / 2;
    triangles_box_of(g, t, node->count, node->min, node->max);
    if (node->count <= LEAF) continue;
    double d[3];
    sc_sub(node->max, node->min, d);
    along longest = {g, d[0] >= d[1] && d[0] >= d[2] ? 0 : d[1] >= d[2] ? 1 : 2};
    sc_select_rank(t, node->count, half, centroid_of, &longest);
    node->left = g->nodes;
    g->node[g->nodes++] = (sc_tree_node){.left = -1, .first = node->first, .count = half};
    g->node[g->nodes++] = (sc_tree_node){
        .left = -1, .first = node->first + half, .count = node->count - half};
  }
  return true;
}

static bool boxes_overlap(
    const double amin[3], const double amax[3], const double bmin[3], const double bmax[3]) {
  return amin[0] <= bmax[0] && bmin[0] <= amax[0] && amin[1] <= bmax[1] && bmin[1] <= amax[1] &&
      amin[2] <= bmax[2] && bmin[2] <= amax[2];
}

/* Returns true if the box of triangle t overlaps the box min, max. */
static bool triangle_overlaps(const scree_geometry *g, int32_t t, const double min[3], const double max[3]) {
  const double *p = g->point[g->triangle[t][0]], *q = g->point[g->triangle[t][1]],
               *r = g->point[g->triangle[t][2]];
  for (int k = 0; k < 3; k++)
    if (!(smaller_of(smaller_of(p[k], q[k]), r[k]) <= max[k] &&
            min[k] <= larger_of(larger_of(p[k], q[k]), r[k])))
      return false;
  return true;
}

static bool visit_leaf(const scree_geometry *g, const sc_tree_node *node, const double min[3],
    const double max[3], sc_tree_visit *visit, void *context) {
  for (int32_t k = node->first; k < node->first + node->count; k++) {
    if (triangle_overlaps(g, g->tree_triangle[k], min, max) && !visit(context, g->tree_triangle[k]))
      return false;
  }
  return true;
}

void sc_geometry_query(
    const scree_geometry *g, const double min[3], const double max[3], sc_tree_visit *visit, void *context) {
  SC_ASSERT(g && visit);
  int32_t stack[96], depth = 0;
  stack[depth++] = 0;
  while (depth) {
    const sc_tree_node *node = g->node + stack[--depth];
    if (!boxes_overlap(node->min, node->max, min, max)) continue;
    if (node->left < 0) {
      if (!visit_leaf(g, node, min, max, visit, context)) return;
      continue;
    }
    /* the depth of the tree is at most 31, because nodes are split at the median */
    stack[depth++] = node->left + 1;
    stack[depth++] = node->left;
  }
}
