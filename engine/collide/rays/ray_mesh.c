/* Rays against meshes, searched with the mesh's tree, which has four boxes per node.
 *
 * If two triangles share an edge, their edge products have the same value with opposite sign. No ray
 * therefore passes between them (Woop, Benthin & Wald 2013). The tree is searched in floats. Coordinates are
 * relative to the point where the ray enters the mesh's bounding box. Their unit is the quantum, the integer
 * step in which the tree stores boxes. The errors of coordinates are less than a twentieth of a quantum, and
 * each box is one quantum larger than its contents on all sides. So all triangles that the ray may hit are
 * tested in doubles, and the result is the result of a test of all triangles. */
#include <math.h>
#include <string.h>
#include "collide/rays/ray_mesh.h"
#include "math/vec.h"

enum { LANES = 4 };
typedef float lanes __attribute__((vector_size(16)));
typedef int32_t masks __attribute__((vector_size(16)));
typedef uint16_t quanta __attribute__((vector_size(8)));

/* A ray in a mesh. */
typedef struct mesh_walk {
  const scree_geometry *g;
  const double *o, *d; /* origin and unit direction in the mesh's axes */
  double reach;
  int kx, ky, kz;             /* order of the axes; kz: axis of the largest component of d */
  double shear[3], origin[3]; /* shear factors, and o in the order kx, ky, kz */
  double start, unit;         /* distance = start + unit t [m] */
  float from[3], rate[3];     /* position at t = 0, and 1/speed, in quanta */
  float most;                 /* t of the nearest hit so far; if there is no hit, t of the reach */
  bool found;
  double distance; /* distance of the nearest hit so far [m] */
  int32_t triangle;
} mesh_walk;

static void set_shear(mesh_walk *w) {
  const double *d = w->d;
  w->kz = fabs(d[0]) > fabs(d[1]) ? fabs(d[0]) > fabs(d[2]) ? 0 : 2 : fabs(d[1]) > fabs(d[2]) ? 1 : 2;
  w->kx = (w->kz + 1) % 3;
  w->ky = (w->kz + 2) % 3;
  w->shear[0] = d[w->kx] / d[w->kz];
  w->shear[1] = d[w->ky] / d[w->kz];
  w->shear[2] = 1 / d[w->kz];
  sc_set3(w->o[w->kx], w->o[w->ky], w->o[w->kz], w->origin);
}

/* Returns an upper bound of t for a distance. */
static float time_of(const mesh_walk *w, double distance) {
  const float above = 1 + 4e-7f;
  return above * (float)fmax((distance - w->start) / w->unit, 0);
}

/* Sets the start of the search where the ray enters the mesh's box. Returns false if the ray misses it. */
static bool start_search(mesh_walk *w) {
  const double slowest = 1e-30;
  const scree_geometry *g = w->g;
  const double inverse[3] = {1 / w->d[0], 1 / w->d[1], 1 / w->d[2]};
  w->start = sc_ray_enter(w->o, inverse, g->node->min, g->node->max, w->reach);
  if (!(w->start < INFINITY)) return false;
  w->unit = fmax(g->quantum[0], fmax(g->quantum[1], g->quantum[2]));
  for (int k = 0; k < 3; k++) {
    const double speed = w->d[k] * (w->unit / g->quantum[k]);
    w->from[k] = (float)sc_geometry_quanta(g, k, w->o[k] + w->start * w->d[k]);
    w->rate[k] = (float)(1 / (fabs(speed) > slowest ? speed : copysign(slowest, speed)));
  }
  w->most = time_of(w, w->reach);
  return true;
}

/* Transforms a corner. out: x and y in the plane perpendicular to kz, sheared along the ray, and the distance
 * along the ray. */
static inline void shear_point(const mesh_walk *w, const double p[3], double out[3]) {
  const double up = p[w->kz] - w->origin[2];
  out[2] = w->shear[2] * up;
  out[0] = p[w->kx] - w->origin[0] - w->shear[0] * up;
  out[1] = p[w->ky] - w->origin[1] - w->shear[1] * up;
}

static void hit_triangle(mesh_walk *w, int32_t index) {
  const scree_geometry *g = w->g;
  const int32_t *corner = g->triangle[index];
  double a[3], b[3], c[3];
  shear_point(w, g->point[corner[0]], a);
  shear_point(w, g->point[corner[1]], b);
  shear_point(w, g->point[corner[2]], c);
  double u = c[0] * b[1] - c[1] * b[0], v = a[0] * c[1] - a[1] * c[0], s = b[0] * a[1] - b[1] * a[0];
  if ((u < 0 || v < 0 || s < 0) && (u > 0 || v > 0 || s > 0)) return;
  double det = u + v + s;
  if (det == 0) return;
  double t = (u * a[2] + v * b[2] + s * c[2]) / det;
  if (!(t >= 0) || t > w->reach || t > w->distance) return;
  if (t == w->distance && w->found && index > w->triangle) return;
  w->distance = t;
  w->triangle = index;
  w->found = true;
  w->most = time_of(w, t);
}

static inline lanes select_lanes(masks yes, lanes a, lanes b) {
  return (lanes)(((masks)a & yes) | ((masks)b & ~yes));
}

/* Returns t at which the ray passes the planes of one side of the four boxes of a node. */
static inline lanes pass_sides(const mesh_walk *w, int axis, const uint16_t side[LANES]) {
  quanta q;
  memcpy(&q, side, sizeof q);
  return (__builtin_convertvector(__builtin_convertvector(q, masks), lanes) - w->from[axis]) * w->rate[axis];
}

/* Returns t where the ray enters the four boxes of a node; INFINITY if the ray does not enter before
 * w->most. */
static inline lanes enter_boxes(const mesh_walk *w, const sc_wide_node *node) {
  const lanes never = {INFINITY, INFINITY, INFINITY, INFINITY};
  lanes in = {0, 0, 0, 0}, out = in + w->most;
  for (int k = 0; k < 3; k++) {
    const bool back = w->rate[k] < 0;
    const lanes one = pass_sides(w, k, back ? node->max[k] : node->min[k]);
    const lanes two = pass_sides(w, k, back ? node->min[k] : node->max[k]);
    in = select_lanes(one > in, one, in);
    out = select_lanes(two < out, two, out);
  }
  return select_lanes(in <= out, in, never);
}

/* A box that the ray enters at t. */
typedef struct entry {
  int32_t child; /* child of a node: index of a node if >= 0, else ~(4 first + count - 1) of a leaf */
  float t;
} entry;

/* Pushes the children that the ray enters on the stack, the nearest last. Returns their number. */
static inline int push_children(const sc_wide_node *node, const lanes t, entry *stack) {
  int depth = 0;
  for (int l = 0; l < LANES; l++) {
    if (!(t[l] < INFINITY)) continue;
    int at = depth++;
    for (; at > 0 && stack[at - 1].t < t[l]; at--) stack[at] = stack[at - 1];
    stack[at] = (entry){node->child[l], t[l]};
  }
  return depth;
}

static void test_leaf(mesh_walk *w, int32_t child) {
  const int32_t first = ~child / LANES, count = ~child % LANES + 1;
  for (int32_t k = first; k < first + count; k++) hit_triangle(w, w->g->tree_triangle[k]);
}

bool sc_ray_mesh(
    const scree_geometry *g, const double o[3], const double d[3], double reach, sc_ray_hit *hit) {
  mesh_walk w = {.g = g, .o = o, .d = d, .reach = reach, .distance = INFINITY};
  entry stack[96] = {{0, 0}};
  int depth = 1;
  if (!start_search(&w)) return false;
  set_shear(&w);
  while (depth) {
    const entry top = stack[--depth];
    if (top.t > w.most) continue;
    if (top.child < 0) {
      test_leaf(&w, top.child);
      continue;
    }
    const sc_wide_node *node = g->wide + top.child;
    depth += push_children(node, enter_boxes(&w, node), stack + depth);
  }
  if (!w.found) return false;
  const double *n = g->normal[w.triangle];
  hit->distance = w.distance;
  hit->triangle = w.triangle;
  sc_scale(sc_dot(n, d) > 0 ? -1 : 1, n, hit->normal);
  return true;
}
