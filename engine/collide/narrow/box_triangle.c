/* Box against triangle: separating axes, all in the box's own axes.
 *
 * The difference of the two is bounded by faces that look along the box's normals, the triangle's normal and
 * the cross products of their edges; the largest separation along these is the depth where they overlap, and
 * the distance where the features that give it lie over each other. Where the triangle's face is best its
 * overlap with the box's tells more (manifold.c). Where features do not lie so the answer is left to the
 * general search. */
#include "collide/narrow/convex.h"
#include "math/lane_pair.h"

/* Cross products of edges that are nearly parallel say nothing; faces are taken where edges are no better. */
static const double parallel = 1e-6, favour = 1e-9;
enum { EDGES = 3 };

/* Separation of a box of half width `reach` about 0 and three numbers. */
static double beside(double reach, double p, double q, double r) {
  double low = p < q ? (p < r ? p : r) : (q < r ? q : r), high = p > q ? (p > r ? p : r) : (q > r ? q : r);
  return (low > -high ? low : -high) - reach;
}

static void consider(sc_beside *b, double apart, int axis, double lead) {
  if (apart > b->apart + lead) b->apart = apart, b->axis = axis;
}

/* The axes e_i x edge for two edges at once: 0, -edge[i2], edge[i1] along i, i1, i2. Along these the edge is
 * one point and the third corner another. own, next, third: the corners of either edge by axes. */
static void look_across(
    const double *h, int i, const VEC *own, const VEC *next, const VEC *third, double apart[2]) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  const VEC x = next[i] - own[i], y = own[i2] - next[i2], z = next[i1] - own[i1], square = y * y + z * z,
            one = y * own[i1] + z * own[i2], other = y * third[i1] + z * third[i2],
            reach = splat(h[i1]) * magnitude(y) + splat(h[i2]) * magnitude(z),
            most = larger(smaller(one, other), -larger(one, other));
  const MASK says = (MASK)(square > splat(parallel * parallel) * (x * x + square));
  store1(choose(says, (most - reach) / vector_sqrt(square), splat(-INFINITY)), apart);
}

static void look_at_edges(const double *h, double lead, sc_beside *b) {
  double apart[3][4];
  VEC at[3][3]; /* corners 0 and 1, 1 and 2, 2 and 0 */
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < 3; i++) at[c][i] = (VEC){b->corner[c][i], b->corner[(c + 1) % 3][i]};
  for (int i = 0; i < 3; i++) {
    look_across(h, i, at[0], at[1], at[2], apart[i]);
    look_across(h, i, at[2], at[0], at[1], apart[i] + 2);
  }
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) consider(b, apart[i][k], EDGES + 3 * k + i, lead);
}

/* The triangle lies in one plane: how far the box's middle is from it says how far the box is. */
static double over_plane(const double *h, const sc_beside *b) {
  double reach = h[0] * fabs(b->normal[0]) + h[1] * fabs(b->normal[1]) + h[2] * fabs(b->normal[2]);
  return fabs(sc_dot(b->normal, b->corner[0])) - reach;
}

void sc_box_beside(const sc_convex *box, double enough, sc_beside *b) {
  const double *h = box->shape->extent, lead = favour * box->size;
  const double(*c)[3] = (const double(*)[3])b->corner;
  b->apart = b->face = -INFINITY;
  for (int i = 0; i < 3; i++) consider(b, beside(h[i], c[0][i], c[1][i], c[2][i]), i, 0);
  if (b->apart > enough) return;
  b->face = over_plane(h, b);
  if (b->face > enough) b->apart = b->face;
  if (b->apart <= enough) look_at_edges(h, lead, b);
}

/* ---- nearest points, in the box's axes ---- */

/* The middle of what lies within the box's sides across axis i of the edge from p to q; false: none does. */
static bool middle_within(const double *h, int i, const double p[3], const double q[3], double out[3]) {
  double from = 0, to = 1;
  for (int k = 0; k < 3; k++) {
    double way = q[k] - p[k];
    if (k == i) continue;
    if (way == 0 && fabs(p[k]) > h[k]) return false;
    if (way == 0) continue;
    double one = (-h[k] - p[k]) / way, two = (h[k] - p[k]) / way;
    from = fmax(from, fmin(one, two));
    to = fmin(to, fmax(one, two));
  }
  if (!(from <= to)) return false;
  for (int k = 0; k < 3; k++) out[k] = p[k] + 0.5 * (from + to) * (q[k] - p[k]);
  return true;
}

/* A corner or edge of the triangle over a face of the box. */
static bool over_face(
    const double *h, const sc_beside *b, double slight, double n[3], double p[3], double q[3]) {
  const double(*c)[3] = b->corner;
  const int i = b->axis;
  const double low = fmin(c[0][i], fmin(c[1][i], c[2][i])), high = fmax(c[0][i], fmax(c[1][i], c[2][i])),
               side = low > -high ? 1 : -1;
  int nearest = 0;
  for (int k = 1; k < 3; k++)
    if (side * c[k][i] < side * c[nearest][i]) nearest = k;
  int other = (nearest + 1) % 3, last = (nearest + 2) % 3;
  if (side * c[last][i] < side * c[other][i]) other = last;
  bool edge = side * (c[other][i] - c[nearest][i]) <= slight;
  if (!middle_within(h, i, c[nearest], edge ? c[other] : c[nearest], q)) return false;
  sc_set3(0, 0, 0, n);
  n[i] = -side;
  sc_copy3(q, p);
  p[i] = side * h[i];
  return true;
}

/* An edge of the triangle across an edge of the box. */
static bool across_edge(
    const double *h, const sc_beside *b, double slight, double n[3], double p[3], double q[3]) {
  const double(*c)[3] = b->corner;
  const int k = (b->axis - EDGES) / 3, i = (b->axis - EDGES) % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  double edge[3], d[3];
  sc_sub(c[(k + 1) % 3], c[k], edge);
  double square = edge[i1] * edge[i1] + edge[i2] * edge[i2], length = sqrt(square);
  n[i] = 0, n[i1] = -edge[i2] / length, n[i2] = edge[i1] / length;
  double mine = sc_dot(n, c[k]), third = sc_dot(n, c[(k + 2) % 3]);
  /* n leads from the triangle to the box, and the edge is what lies foremost */
  if (mine > 0) sc_scale(-1, n, n), mine = -mine, third = -third;
  if (third > mine + slight) return false;
  p[i] = 0, p[i1] = n[i1] > 0 ? -h[i1] : h[i1], p[i2] = n[i2] > 0 ? -h[i2] : h[i2];
  sc_sub(c[k], p, d);
  double t = -(d[i1] * edge[i1] + d[i2] * edge[i2]) / square, s = d[i] + t * edge[i];
  if (!(t >= 0 && t <= 1 && fabs(s) <= h[i])) return false;
  p[i] = s;
  sc_axpy(t, edge, c[k], q);
  return true;
}

bool sc_box_nearest(const sc_convex *box, const sc_beside *b, sc_nearest *nearest) {
  const double *h = box->shape->extent, slight = favour * box->size;
  nearest->distance = b->apart;
  return b->axis < EDGES ? over_face(h, b, slight, nearest->normal, nearest->a, nearest->b)
                         : across_edge(h, b, slight, nearest->normal, nearest->a, nearest->b);
}
