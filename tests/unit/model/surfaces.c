/* Compares tables of hulls and meshes, member by member, with values that the test computes from points and
 * corners by the definition of the member. Checks nearest points by the conditions of the optimum, and
 * insides by closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

static sc_rng rng;

static double draw(double low, double high) { return low + (high - low) * sc_rng_unit(&rng); }

static void near_to(double value, double wanted, double within) {
  if (!(fabs(value - wanted) <= within)) print_error("%.17g instead of %.17g\n", value, wanted);
  assert_true(fabs(value - wanted) <= within);
}

/* ---- hulls ---- */

static bool has_corner(const scree_geometry *g, int32_t f, int32_t p) {
  for (int32_t k = g->first[f]; k < g->first[f + 1]; k++)
    if (g->corner[k] == p) return true;
  return false;
}

/* Returns whether face f has the edge from p to q in this direction. */
static bool has_edge(const scree_geometry *g, int32_t f, int32_t p, int32_t q) {
  for (int32_t k = g->first[f]; k < g->first[f + 1]; k++)
    if (g->corner[k] == p && g->corner[k + 1 < g->first[f + 1] ? k + 1 : g->first[f]] == q) return true;
  return false;
}

static bool are_neighbours(const scree_geometry *g, int32_t p, int32_t q) {
  for (int32_t f = 0; f < g->faces; f++)
    if (has_edge(g, f, p, q)) return true;
  return false;
}

static double depth_below(const scree_geometry *g, int32_t f, int32_t p) {
  return g->plane[f][3] - sc_dot(g->plane[f], g->point[p]);
}

static void check_neighbours(const scree_geometry *g) {
  for (int32_t p = 0; p < g->points; p++) {
    int32_t count = 0;
    for (int32_t q = 0; q < g->points; q++) count += are_neighbours(g, p, q);
    assert_int_equal(g->near_first[p + 1] - g->near_first[p], count);
    for (int32_t k = g->near_first[p]; k < g->near_first[p + 1]; k++) {
      const sc_edge *e = g->edge + g->near_edge[k];
      assert_true(are_neighbours(g, p, g->near[k]));
      for (int32_t i = g->near_first[p]; i < k; i++) assert_int_not_equal(g->near[i], g->near[k]);
      assert_int_equal(e->end[0], p < g->near[k] ? p : g->near[k]);
      assert_int_equal(e->end[1], p < g->near[k] ? g->near[k] : p);
    }
  }
}

static void check_edges(const scree_geometry *g) {
  assert_int_equal(g->edges, g->first[g->faces] / 2);
  for (const sc_edge *e = g->edge; e < g->edge + g->edges; e++) {
    assert_true(has_edge(g, e->face[0], e->end[0], e->end[1]));
    assert_true(has_edge(g, e->face[1], e->end[1], e->end[0]));
    for (int k = 0; k < 3; k++)
      near_to(e->way[k], g->point[e->end[1]][k] - g->point[e->end[0]][k], 1e-15 * g->bound);
    near_to(e->cosine, sc_dot(g->plane[e->face[0]], g->plane[e->face[1]]), 1e-14);
    for (int side = 0; side < 2; side++) {
      double least = INFINITY;
      for (int end = 0; end < 2; end++)
        for (int32_t q = 0; q < g->points; q++)
          if (are_neighbours(g, e->end[end], q) && !has_corner(g, e->face[side], q))
            least = fmin(least, depth_below(g, e->face[side], q));
      near_to(e->depth[side], least, 1e-12 * g->bound);
    }
  }
}

static void check_faces(const scree_geometry *g) {
  bool is_square = false;
  for (int32_t f = 0; f < g->faces; f++) {
    double least = INFINITY, most = -1, top = -INFINITY;
    for (int32_t q = 0; q < g->points; q++)
      for (int32_t k = g->first[f]; k < g->first[f + 1]; k++)
        if (are_neighbours(g, g->corner[k], q) && !has_corner(g, f, q))
          least = fmin(least, depth_below(g, f, q));
    near_to(g->depth[f], least, 1e-12 * g->bound);
    near_to(sc_norm(g->plane[f]), 1, 1e-14);
    for (int32_t p = 0; p < g->points; p++) {
      top = fmax(top, sc_dot(g->plane[f], g->point[p]));
      near_to(has_corner(g, f, p) ? depth_below(g, f, p) : 0, 0, 2e-7 * g->bound);
    }
    near_to(g->plane[f][3], top, 1e-9 * g->bound);
    for (int32_t k = 0; k < g->faces; k++)
      if (k != f) most = fmax(most, sc_dot(g->plane[f], g->plane[k]));
    near_to(g->nearer[f], sqrt(fmax(0, (1 + most) / 2)), 2e-9);
    assert_true(g->nearer[f] >= sqrt(fmax(0, (1 + most) / 2)));
    for (int32_t k = g->first[f]; k < g->first[f + 1]; k++) {
      near_to(sc_norm(g->rim[k]), 1, 1e-14);
      near_to(sc_dot(g->rim[k], g->plane[f]), 0, 1e-12);
      for (int32_t i = g->first[f]; i < g->first[f + 1]; i++) {
        const double inward = sc_dot(g->rim[k], g->point[g->corner[i]]) - g->rim[k][3];
        const bool is_end = i == k || i == (k + 1 < g->first[f + 1] ? k + 1 : g->first[f]);
        if (is_end) near_to(inward, 0, 1e-12 * g->bound);
        else assert_true(inward > 0);
      }
    }
    for (int32_t other = 0; other < f; other++)
      for (int32_t p = 0; p < g->points; p++)
        is_square = is_square ||
            (has_corner(g, f, p) && has_corner(g, other, p) &&
                sc_dot(g->plane[f], g->plane[other]) <= SC_SQUARE);
  }
  assert_int_equal(g->side_faces, is_square);
}

static void check_box(const scree_geometry *g) {
  double min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY}, bound = 0;
  for (int32_t p = 0; p < g->points; p++) {
    bound = fmax(bound, sc_norm(g->point[p]));
    for (int k = 0; k < 3; k++) min[k] = fmin(min[k], g->point[p][k]), max[k] = fmax(max[k], g->point[p][k]);
  }
  near_to(g->bound, bound, 0);
  for (int k = 0; k < 3; k++) near_to(g->min[k], min[k], 0), near_to(g->max[k], max[k], 0);
}

static void tables_of_hulls(void **unused) {
  (void)unused;
  static const double solids[][12][3] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
      {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
      {{-1, -2, -3}, {1, -2, -3}, {-1, 2, -3}, {1, 2, -3}, {-1, -2, 3}, {1, -2, 3}, {-1, 2, 3}, {1, 2, 3}},
      {{0, 0, 0}, {2, 0, 0}, {1, 1.5, 0}, {0, 0, 1}, {2, 0, 1}, {1, 1.5, 1}},
      {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 0.1}}};
  static const int counts[] = {4, 6, 8, 6, 5};
  sc_rng_seed(&rng, 21);
  for (int trial = 0; trial < 60; trial++) {
    double points[40][3], q[4];
    const int kind = trial % 10, count = kind < 5 ? counts[kind] : 6 + 3 * kind;
    for (int k = 0; k < 4; k++) q[k] = draw(-1, 1);
    sc_quat_normalise(q, q);
    for (int p = 0; p < count; p++) {
      double x[3] = {draw(-1, 1), draw(-1, 1), draw(-1, 1)};
      if (kind < 5) sc_copy3(solids[kind][p], x);
      if (kind > 7) sc_normalise(x, x);
      if (trial < 10) sc_copy3(x, points[p]);
      else sc_quat_rotate(q, x, points[p]);
      points[p][trial % 3] += trial % 7;
    }
    scree_geometry *g = scree_geometry_hull((const double(*)[3])points, count, NULL);
    assert_non_null(g);
    check_neighbours(g), check_edges(g), check_faces(g), check_box(g);
    scree_geometry_release(g);
  }
}

/* The hull of points that are 2^k times as large has the same faces and corners, for any k. */
static void hulls_of_all_sizes(void **unused) {
  (void)unused;
  double points[30][3], scaled[30][3];
  sc_rng_seed(&rng, 23);
  for (int i = 0; i < 30; i++)
    for (int k = 0; k < 3; k++) points[i][k] = draw(-1, 1);
  scree_geometry *g = scree_geometry_hull((const double(*)[3])points, 30, NULL);
  assert_non_null(g);
  for (int power = -240; power <= 240; power += 60) {
    for (int i = 0; i < 30; i++)
      for (int k = 0; k < 3; k++) scaled[i][k] = ldexp(points[i][k], power);
    scree_error error = {SCREE_OK, ""};
    scree_geometry *h = scree_geometry_hull((const double(*)[3])scaled, 30, &error);
    if (!h) print_error("2^%d: %s\n", power, error.text);
    assert_non_null(h);
    assert_int_equal(h->points, g->points);
    assert_int_equal(h->faces, g->faces);
    for (int32_t i = 0; i < g->points; i++)
      for (int k = 0; k < 3; k++) near_to(ldexp(h->point[i][k], -power), g->point[i][k], 1e-12);
    scree_geometry_release(h);
  }
  scree_geometry_release(g);
}

/* The summit of a hull along a direction is its highest point; `drop` is its height above its highest
 * neighbour. */
static void summits(void **unused) {
  (void)unused;
  double points[200][3];
  sc_rng_seed(&rng, 22);
  for (int p = 0; p < 200; p++) {
    sc_set3(draw(-1, 1), draw(-1, 1), draw(-1, 1), points[p]);
    sc_normalise(points[p], points[p]);
  }
  scree_geometry *g = scree_geometry_hull((const double(*)[3])points, 200, NULL);
  assert_non_null(g);
  for (int trial = 0; trial < 500; trial++) {
    double d[3] = {draw(-1, 1), draw(-1, 1), draw(-1, 1)}, high = -INFINITY, next = -INFINITY, drop;
    const int32_t best = sc_hull_summit(g, d, (int32_t)draw(0, g->points), &drop);
    for (int32_t p = 0; p < g->points; p++) {
      high = fmax(high, sc_dot(d, g->point[p]));
      if (are_neighbours(g, best, p)) next = fmax(next, sc_dot(d, g->point[p]));
    }
    near_to(sc_dot(d, g->point[best]), high, 0);
    near_to(drop, high - next, 1e-15);
  }
  scree_geometry_release(g);
}

/* An affine map A multiplies the volume of a cube by |A| and maps its second moments to A C A^T. */
static void masses_under_maps(void **unused) {
  (void)unused;
  static const int32_t triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  sc_rng_seed(&rng, 23);
  for (int trial = 0; trial < 40; trial++) {
    double A[3][3], points[8][3], C[3][3], move[3];
    for (int i = 0; i < 3; i++) {
      move[i] = draw(-3, 3);
      for (int k = 0; k < 3; k++) A[i][k] = draw(-1, 1) + 2 * (i == k);
    }
    const double det = A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
        A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) + A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
    for (int p = 0; p < 8; p++)
      for (int i = 0; i < 3; i++) {
        points[p][i] = move[i];
        for (int k = 0; k < 3; k++) points[p][i] += A[i][k] * (p >> k & 1 ? 0.5 : -0.5);
      }
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        C[i][j] = 0;
        for (int k = 0; k < 3; k++) C[i][j] += fabs(det) * A[i][k] * A[j][k] / 12;
      }
    const double trace = C[0][0] + C[1][1] + C[2][2];
    const double inertia[6] = {
        trace - C[0][0], -C[0][1], -C[0][2], trace - C[1][1], -C[1][2], trace - C[2][2]};
    scree_mesh_def def = {.points = (const double(*)[3])points,
        .points_count = 8,
        .triangles = triangles,
        .triangles_count = 12,
        .closed = 1};
    scree_geometry *all[] = {
        scree_geometry_hull((const double(*)[3])points, 8, NULL), scree_geometry_mesh(&def, NULL)};
    for (int n = 0; n < 2; n++) {
      assert_non_null(all[n]);
      near_to(all[n]->solid.mass, fabs(det), 1e-12 * fabs(det));
      for (int k = 0; k < 3; k++) near_to(all[n]->solid.centre[k], move[k], 1e-13);
      for (int k = 0; k < 6; k++) near_to(all[n]->solid.inertia[k], inertia[k], 1e-11);
      check_box(all[n]);
      scree_geometry_info info;
      scree_geometry_get_info(all[n], &info);
      assert_int_equal(info.type, n ? SCREE_MESH : SCREE_HULL);
      assert_int_equal(info.points, 8);
      assert_int_equal(info.triangles, 12);
      assert_int_equal(info.faces, n ? 0 : 6);
      assert_true(info.closed && info.solid == !n && info.volume == all[n]->solid.mass);
      for (int k = 0; k < 3; k++)
        assert_true(info.min[k] == all[n]->min[k] && info.max[k] == all[n]->max[k] &&
            info.centre[k] == all[n]->solid.centre[k]);
      scree_geometry_release(all[n]);
    }
  }
}

/* ---- meshes ---- */

enum { SIDE = 9, CELLS = SIDE * SIDE, PLATES = 2 * CELLS, KNOTS = (SIDE + 1) * (SIDE + 1) };
typedef struct sheet {
  double point[KNOTS][3];
  int32_t triangle[PLATES][3];
} sheet;

/* Makes a rough sheet. tall: largest difference of heights. is_reversed: triangles of some cells are
 * reversed. */
static scree_geometry *make_sheet(sheet *s, double tall, bool is_reversed) {
  for (int i = 0; i <= SIDE; i++)
    for (int j = 0; j <= SIDE; j++) sc_set3(i, 1.5 * j, draw(0, tall), s->point[i * (SIDE + 1) + j]);
  for (int i = 0, t = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      const int p = i * (SIDE + 1) + j, q = p + SIDE + 1;
      const bool back = is_reversed && (i * 7 + j) % 5 == 0;
      memcpy(s->triangle[t++], (int32_t[3]){p, back ? p + 1 : q, back ? q : p + 1}, sizeof *s->triangle);
      memcpy(
          s->triangle[t++], (int32_t[3]){q, back ? p + 1 : q + 1, back ? q + 1 : p + 1}, sizeof *s->triangle);
    }
  scree_mesh_def def = {.points = (const double(*)[3])s->point,
      .points_count = KNOTS,
      .triangles = (const int32_t(*)[3])s->triangle,
      .triangles_count = PLATES};
  scree_geometry *g = scree_geometry_mesh(&def, NULL);
  assert_non_null(g);
  return g;
}

/* Returns the triangle with the edge p, q other than t; -1: there is none, or more than one. */
static int32_t find_across(const scree_geometry *g, int32_t t, int32_t p, int32_t q) {
  int32_t found = -1, count = 0;
  for (int32_t other = 0; other < g->triangles; other++) {
    bool has_p = false, has_q = false;
    for (int k = 0; k < 3; k++)
      has_p = has_p || g->triangle[other][k] == p, has_q = has_q || g->triangle[other][k] == q;
    if (other != t && has_p && has_q) found = other, count++;
  }
  return count == 1 ? found : -1;
}

static void check_normals(const scree_geometry *g) {
  for (int32_t t = 0; t < g->triangles; t++) {
    double e[3], f[3], n[3];
    sc_sub(g->point[g->triangle[t][1]], g->point[g->triangle[t][0]], e);
    sc_sub(g->point[g->triangle[t][2]], g->point[g->triangle[t][0]], f);
    sc_cross(e, f, n);
    sc_normalise(n, n);
    for (int k = 0; k < 3; k++) near_to(g->normal[t][k], n[k], 1e-14);
  }
}

/* Checks `across`, `sharp` and `fold` of a mesh. */
static void check_marks(const scree_geometry *g) {
  bool *at_sharp = calloc((size_t)g->points, sizeof *at_sharp),
       *at_border = calloc((size_t)g->points, sizeof *at_border);
  for (int32_t t = 0; t < g->triangles; t++)
    for (int k = 0; k < 3; k++) {
      const int32_t p = g->triangle[t][k], q = g->triangle[t][(k + 1) % 3], other = find_across(g, t, p, q);
      assert_int_equal(g->across[t][k], other);
      double rise = 0;
      for (int c = 0; c < 3 && other >= 0; c++) {
        double d[3];
        sc_sub(g->point[g->triangle[other][c]], g->point[p], d);
        if (g->triangle[other][c] != p && g->triangle[other][c] != q) rise = sc_dot(d, g->normal[t]);
      }
      const bool bent = other >= 0 && sc_dot(g->normal[t], g->normal[other]) < 0.9999;
      const bool sharp = other < 0 || (bent && (!g->is_solid || rise < 0));
      assert_int_equal(g->sharp[t] >> k & 1, sharp);
      if (fabs(rise) > 1e-9) assert_int_equal(g->fold[t] >> k & 1, rise > 0);
      at_sharp[p] |= sharp, at_sharp[q] |= sharp, at_border[p] |= other < 0, at_border[q] |= other < 0;
    }
  for (int32_t t = 0; t < g->triangles; t++)
    for (int k = 0; k < 3; k++) {
      assert_int_equal(g->sharp[t] >> (3 + k) & 1, at_sharp[g->triangle[t][k]]);
      assert_int_equal(g->fold[t] >> (3 + k) & 1, at_border[g->triangle[t][k]]);
    }
  free(at_sharp), free(at_border);
}

/* Checks that each triangle is below one leaf, and that the boxes of nodes are those of their triangles. */
static void check_tree(const scree_geometry *g) {
  uint8_t *seen = calloc((size_t)g->triangles, 1);
  for (int32_t n = 0; n < g->nodes; n++) {
    const sc_tree_node *node = g->node + n;
    double min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = node->first; i < node->first + node->count; i++)
      for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
          const double x = g->point[g->triangle[g->tree_triangle[i]][c]][k];
          min[k] = fmin(min[k], x), max[k] = fmax(max[k], x);
        }
    for (int k = 0; k < 3; k++) near_to(node->min[k], min[k], 0), near_to(node->max[k], max[k], 0);
    if (node->left >= 0) {
      const sc_tree_node *a = g->node + node->left, *b = a + 1;
      assert_true(a->first == node->first && b->first == a->first + a->count && a->count == node->count / 2 &&
          a->count + b->count == node->count && node->count > 4);
      /* halves lie one behind the other along the longest axis, by the centres of their triangles */
      int axis = 0;
      for (int k = 1; k < 3; k++)
        if (max[k] - min[k] > max[axis] - min[axis]) axis = k;
      double last = -INFINITY, first = INFINITY;
      for (int32_t i = node->first; i < node->first + node->count; i++) {
        double sum = 0;
        for (int c = 0; c < 3; c++) sum += g->point[g->triangle[g->tree_triangle[i]][c]][axis];
        if (i < b->first) last = fmax(last, sum);
        else first = fmin(first, sum);
      }
      assert_true(last <= first);
      continue;
    }
    assert_true(node->count <= 4);
    for (int32_t i = node->first; i < node->first + node->count; i++)
      assert_int_equal(seen[g->tree_triangle[i]]++, 0);
  }
  for (int32_t t = 0; t < g->triangles; t++) assert_int_equal(seen[t], 1);
  free(seen);
}

/* Checks the part of the wide tree below a node: collects its triangles in *seen. A box is that of its
 * triangles, rounded outwards and enlarged by one quantum. */
static void check_wide(const scree_geometry *g, int32_t number, uint8_t *seen, double min[3], double max[3]) {
  const sc_wide_node *node = g->wide + number;
  for (int k = 0; k < 3; k++) min[k] = INFINITY, max[k] = -INFINITY;
  for (int lane = 0; lane < 4; lane++) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    if (node->min[0][lane] > node->max[0][lane]) continue;
    if (node->child[lane] >= 0) check_wide(g, node->child[lane], seen, low, high);
    else {
      const int32_t first = ~node->child[lane] / 4, count = ~node->child[lane] % 4 + 1;
      for (int32_t i = first; i < first + count; i++) {
        assert_int_equal(seen[g->tree_triangle[i]]++, 0);
        for (int c = 0; c < 3; c++)
          for (int k = 0; k < 3; k++) {
            const double x = g->point[g->triangle[g->tree_triangle[i]][c]][k];
            low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
          }
      }
    }
    for (int k = 0; k < 3; k++) {
      const double size = g->node->max[k] - g->node->min[k],
                   a = 2 + (low[k] - g->node->min[k]) / (size > 0 ? g->quantum[k] : 1),
                   b = 2 + (high[k] - g->node->min[k]) / (size > 0 ? g->quantum[k] : 1);
      assert_true(node->min[k][lane] <= a - 1 + 1e-6 && node->min[k][lane] > a - 2 - 1e-6);
      assert_true(node->max[k][lane] >= b + 1 - 1e-6 && node->max[k][lane] < b + 2 + 1e-6);
      min[k] = fmin(min[k], low[k]), max[k] = fmax(max[k], high[k]);
    }
  }
}

static void check_mesh(const scree_geometry *g) {
  uint8_t *seen = calloc((size_t)g->triangles, 1);
  double min[3], max[3], largest = 0;
  check_normals(g), check_marks(g), check_tree(g), check_box(g);
  check_wide(g, 0, seen, min, max);
  for (int32_t t = 0; t < g->triangles; t++) assert_int_equal(seen[t], 1);
  for (int k = 0; k < 3; k++) largest = fmax(largest, g->max[k] - g->min[k]);
  for (int k = 0; k < 3; k++)
    near_to(g->quantum[k], fmax(g->max[k] - g->min[k], 1e-6 * largest) / 65531, 1e-12 * largest / 65531);
  free(seen);
}

static void tables_of_meshes(void **unused) {
  (void)unused;
  static sheet s;
  sc_rng_seed(&rng, 24);
  for (int trial = 0; trial < 4; trial++) {
    scree_geometry *g = make_sheet(&s, trial % 2 ? 3 : 0, trial > 1);
    assert_false(g->closed || g->is_solid);
    int back = 0;
    for (int i = 0; i < SIDE; i++)
      for (int j = 0; j < SIDE; j++) back += 2 * ((i * 7 + j) % 5 == 0);
    assert_int_equal(g->turned, trial > 1 ? back : 0);
    for (int32_t t = 0; t < g->triangles; t++) assert_true(g->normal[t][2] > 0);
    check_mesh(g);
    scree_geometry_release(g);
  }
}

/* ---- nearest points ---- */

/* Checks by the conditions of the optimum that `foot` is the point of triangle t nearest to x, and that
 * `where` says on which part of the triangle it is. */
static void check_foot(
    const scree_geometry *g, int32_t t, const double x[3], const double foot[3], int where) {
  double away[3], e[3], f[3], d[3], n[3], c[3], weight[3];
  const double *corner[3] = {
      g->point[g->triangle[t][0]], g->point[g->triangle[t][1]], g->point[g->triangle[t][2]]};
  sc_sub(x, foot, away);
  for (int k = 0; k < 3; k++) {
    sc_sub(corner[k], foot, d);
    assert_true(sc_dot(away, d) <= 1e-12);
  }
  sc_sub(corner[1], corner[0], e), sc_sub(corner[2], corner[0], f);
  sc_cross(e, f, n);
  for (int k = 0; k < 3; k++) { /* weight of the corner opposite to edge k + 1 */
    sc_sub(corner[(k + 2) % 3], corner[(k + 1) % 3], e), sc_sub(foot, corner[(k + 1) % 3], d);
    sc_cross(e, d, c);
    weight[k] = sc_dot(c, n) / sc_dot(n, n);
    assert_true(weight[k] >= -1e-12);
  }
  near_to(weight[0] + weight[1] + weight[2], 1, 1e-12);
  sc_sub(foot, corner[0], d);
  near_to(sc_dot(d, n), 0, 1e-12);
  for (int k = 0; k < 3; k++) {
    const bool is_zero = where == 1 + (k + 1) % 3 || (where > 3 && where != 4 + k);
    if (is_zero) near_to(weight[k], 0, 1e-12);
    else assert_true(weight[k] > 0);
  }
}

static void nearest_points(void **unused) {
  (void)unused;
  static sheet s;
  sc_rng_seed(&rng, 25);
  scree_geometry *g = make_sheet(&s, 2, false);
  int seen[7] = {0};
  for (int trial = 0; trial < 2000; trial++) {
    const double x[3] = {draw(-2, 11), draw(-2, 16), draw(-2, 4)};
    double best = INFINITY, foot[3], nearest[3] = {0};
    for (int32_t t = 0; t < g->triangles; t += trial < 40 ? 1 : 41) {
      double away[3];
      const int where = sc_triangle_nearest(g, t, x, foot);
      seen[where]++;
      check_foot(g, t, x, foot, where);
      sc_sub(x, foot, away);
      if (sc_norm(away) < best) best = sc_norm(away), sc_copy3(foot, nearest);
    }
    if (trial >= 40) continue;
    for (int k = 0; k < 4; k++) {
      const double within = best * (0.5 + 0.4 * k), found = sc_geometry_nearest(g, x, within, foot);
      near_to(found, fmin(best, within), 1e-14);
      for (int c = 0; c < 3; c++) near_to(foot[c], best < within ? nearest[c] : x[c], 1e-14);
    }
  }
  for (int k = 0; k < 7; k++) assert_true(seen[k] > 20);
  scree_geometry_release(g);
  /* a hull has no tree */
  static const double cube[8][3] = {
      {-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}};
  g = scree_geometry_hull(cube, 8, NULL);
  double foot[3];
  near_to(sc_geometry_nearest(g, (double[3]){3, 0.5, 0.25}, 5, foot), 2, 1e-14);
  near_to(foot[0], 1, 1e-14), near_to(foot[1], 0.5, 1e-14), near_to(foot[2], 0.25, 1e-14);
  scree_geometry_release(g);
}

/* Returns the height above a plane of the corner furthest from the plane. */
static void rises(void **unused) {
  (void)unused;
  static sheet s;
  sc_rng_seed(&rng, 26);
  scree_geometry *g = make_sheet(&s, 2, false);
  for (int32_t t = 0; t < g->triangles; t++) {
    const double x[3] = {draw(0, 9), draw(0, 13), draw(0, 2)};
    double up[3] = {draw(-1, 1), draw(-1, 1), draw(-1, 1)}, most = 0;
    for (int c = 0; c < 3; c++) {
      double d[3];
      sc_sub(g->point[g->triangle[t][c]], x, d);
      if (fabs(sc_dot(d, up)) > fabs(most)) most = sc_dot(d, up);
    }
    near_to(sc_geometry_rise(g, t, x, up), most, 0);
  }
  scree_geometry_release(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_of_hulls), cmocka_unit_test(hulls_of_all_sizes),
      cmocka_unit_test(summits), cmocka_unit_test(masses_under_maps), cmocka_unit_test(tables_of_meshes),
      cmocka_unit_test(nearest_points), cmocka_unit_test(rises)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
