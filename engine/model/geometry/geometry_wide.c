/* A tree with four boxes per node over the triangles of a mesh, for rays.
 *
 * A node divides its triangles into at most four parts of the binary tree (geometry_tree.c), down to one or
 * two triangles. A node fills one cache line. Box coordinates are stored as integers (quanta): each side of
 * the box around all triangles has 65531 quanta. Boxes are rounded outwards and enlarged by one quantum on
 * all sides. A search in single precision therefore misses no triangle (collide/rays/ray_mesh.c). Triangles
 * are then tested in double precision. (Quantised boxes: Mahovsky & Wyvill 2006; four per node: Wald, Benthin
 * & Boulos 2008.) */
#include <float.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

enum { LANES = 4, LINE = 64, MOST_TRIANGLES = 1 << 29 };
static const double QUANTA = 65531; /* number of quanta along each side of the box of all triangles */
/* smallest length of a quantum along an axis, divided by the largest length along any axis */
static const double FLATTEST = 1e-6;

/* Triangles of one box of a wide node: all `count` triangles below the node `node` of the binary tree. node =
 * -1: some triangles of a leaf, tree_triangle[first .. first + count - 1]. */
typedef struct part {
  int32_t node, first, count;
} part;

static part part_of_node(const scree_geometry *g, int32_t node) {
  const sc_tree_node *n = g->node + node;
  return (part){n->left < 0 ? -1 : node, n->first, n->count};
}

/* Splits a part into halves. *from becomes the first half; the second half is returned. */
static part halve_part(const scree_geometry *g, part *from) {
  const part whole = *from;
  if (whole.node >= 0) {
    *from = part_of_node(g, g->node[whole.node].left);
    return part_of_node(g, g->node[whole.node].left + 1);
  }
  from->count = whole.count / 2;
  return (part){-1, whole.first + from->count, whole.count - from->count};
}

/* Splits a part into at most four parts: halves the largest part until there are four, or until no part has
 * two triangles. Returns the number of parts. */
static int divide_part(const scree_geometry *g, part whole, part out[LANES]) {
  int count = 1;
  out[0] = whole;
  while (count < LANES) {
    int largest = 0;
    for (int k = 1; k < count; k++)
      if (out[k].count > out[largest].count) largest = k;
    if (out[largest].count < 2) break;
    out[count] = halve_part(g, out + largest);
    count++;
  }
  return count;
}

static void part_box_of(const scree_geometry *g, const part *p, double min[3], double max[3]) {
  if (p->node >= 0) {
    sc_copy3(g->node[p->node].min, min);
    sc_copy3(g->node[p->node].max, max);
    return;
  }
  for (int k = 0; k < 3; k++) min[k] = INFINITY, max[k] = -INFINITY;
  for (int32_t t = p->first; t < p->first + p->count; t++)
    for (int c = 0; c < 3; c++) {
      const double *x = g->point[g->triangle[g->tree_triangle[t]][c]];
      for (int k = 0; k < 3; k++) min[k] = fmin(min[k], x[k]), max[k] = fmax(max[k], x[k]);
    }
}

static uint16_t clamp_quanta(double quanta) {
  return (uint16_t)(quanta > 0 ? quanta < UINT16_MAX ? quanta : UINT16_MAX : 0);
}

static void set_box(const scree_geometry *g, const part *p, sc_wide_node *node, int lane) {
  double min[3], max[3];
  part_box_of(g, p, min, max);
  for (int k = 0; k < 3; k++) {
    node->min[k][lane] = clamp_quanta(floor(sc_geometry_quanta(g, k, min[k])) - 1);
    node->max[k][lane] = clamp_quanta(ceil(sc_geometry_quanta(g, k, max[k])) + 1);
  }
}

static void set_quanta(scree_geometry *g) {
  const sc_tree_node *root = g->node;
  double largest = DBL_MIN;
  for (int k = 0; k < 3; k++) largest = fmax(largest, root->max[k] / QUANTA - root->min[k] / QUANTA);
  for (int k = 0; k < 3; k++)
    g->quantum[k] = fmax(root->max[k] / QUANTA - root->min[k] / QUANTA, FLATTEST * largest);
}

bool sc_geometry_widen(scree_geometry *g) {
  SC_ASSERT(g && g->node);
  // each wide node represents an inner node of the binary tree, or its root
  const size_t most = (size_t)g->nodes / 2 + 1;
  if (g->triangles >= MOST_TRIANGLES) return false;
  g->wide_block = sc_alloc(most * sizeof *g->wide + LINE);
  part *whole = sc_alloc(most * sizeof *whole);
  if (!g->wide_block || !whole) {
    sc_free(whole);
    return false;
  }
  g->wide = (sc_wide_node *)((uintptr_t)g->wide_block + LINE - (uintptr_t)g->wide_block % LINE);
  set_quanta(g);
  whole[0] = part_of_node(g, 0);
  for (int32_t k = 0, nodes = 1; k < nodes; k++) {
    part lane[LANES];
    const int lanes = divide_part(g, whole[k], lane);
    sc_wide_node *node = g->wide + k;
    for (int l = 0; l < LANES; l++)
      for (int axis = 0; axis < 3; axis++) node->min[axis][l] = UINT16_MAX, node->max[axis][l] = 0;
    for (int l = 0; l < lanes; l++) {
      set_box(g, lane + l, node, l);
      if (lane[l].node < 0) node->child[l] = ~(LANES * lane[l].first + lane[l].count - 1);
      else whole[nodes] = lane[l], node->child[l] = nodes++;
    }
  }
  sc_free(whole);
  return true;
}
