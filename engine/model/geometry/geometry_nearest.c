/* Finds the point of the surface of a mesh or hull that is nearest to a given point. */
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

int sc_triangle_nearest(const scree_geometry *g, int32_t t, const double x[3], double foot[3]) {
  const double *a = g->point[g->triangle[t][0]], *b = g->point[g->triangle[t][1]],
               *c = g->point[g->triangle[t][2]];
  double ab[3], ac[3], ap[3], bp[3], cp[3], bc[3];
  sc_sub(b, a, ab), sc_sub(c, a, ac), sc_sub(x, a, ap), sc_sub(x, b, bp), sc_sub(x, c, cp), sc_sub(c, b, bc);
  double d1 = sc_dot(ab, ap), d2 = sc_dot(ac, ap), d3 = sc_dot(ab, bp), d4 = sc_dot(ac, bp),
         d5 = sc_dot(ab, cp), d6 = sc_dot(ac, cp);
  if (d1 <= 0 && d2 <= 0) return sc_copy3(a, foot), 4;
  if (d3 >= 0 && d4 <= d3) return sc_copy3(b, foot), 5;
  if (d6 >= 0 && d5 <= d6) return sc_copy3(c, foot), 6;
  double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return sc_axpy(d1 / (d1 - d3), ab, a, foot), 1;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return sc_axpy(d2 / (d2 - d6), ac, a, foot), 3;
  if (va <= 0 && d4 >= d3 && d5 >= d6) return sc_axpy((d4 - d3) / ((d4 - d3) + (d5 - d6)), bc, b, foot), 2;
  sc_axpy(vb / (va + vb + vc), ab, a, foot);
  sc_axpy(vc / (va + vb + vc), ac, foot, foot);
  return 0;
}

typedef struct search {
  const scree_geometry *geometry;
  const double *x;
  double square, foot[3];
} search;

static bool try_triangle(void *context, int32_t triangle) {
  search *s = context;
  double foot[3], apart[3];
  sc_triangle_nearest(s->geometry, triangle, s->x, foot);
  sc_sub(s->x, foot, apart);
  const double square = sc_dot(apart, apart);
  if (square < s->square) s->square = square, sc_copy3(foot, s->foot);
  return true;
}

double sc_geometry_nearest(const scree_geometry *g, const double x[3], double within, double foot[3]) {
  SC_ASSERT(g && within >= 0);
  search s = {.geometry = g, .x = x, .square = within * within};
  const double min[3] = {x[0] - within, x[1] - within, x[2] - within},
               max[3] = {x[0] + within, x[1] + within, x[2] + within};
  sc_copy3(x, s.foot);
  if (g->nodes) sc_geometry_query(g, min, max, try_triangle, &s);
  for (int32_t t = 0; !g->nodes && t < g->triangles; t++) try_triangle(&s, t);
  sc_copy3(s.foot, foot);
  return sqrt(s.square);
}

double sc_geometry_rise(const scree_geometry *g, int32_t t, const double x[3], const double up[3]) {
  double most = 0;
  for (int c = 0; c < 3; c++) {
    double d[3];
    sc_sub(g->point[g->triangle[t][c]], x, d);
    const double height = sc_dot(d, up);
    if (fabs(height) > fabs(most)) most = height;
  }
  return most;
}
