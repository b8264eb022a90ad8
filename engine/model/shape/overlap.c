/* Mass of the overlaps of the shapes of one body.
 *
 * The mass of a body is that of the union of its shapes. Where several shapes overlap, the density of the
 * first shape counts. A sum over the shapes counts the overlaps too often. This file computes the excess.
 *
 * Two overlapping spheres share a lens of two caps, whose volume and moments are polynomials. If all
 * overlapping shapes are spheres and no three of them overlap each other, the sum over lenses is exact.
 *
 * Otherwise the common volume is integrated along lines. A grid of lines parallel to each axis covers the box
 * of all overlaps. Shapes are convex, so a line has one segment in each shape. Segments are merged in the
 * order of the shapes. The mean over the three directions is used. Segments in spheres are computed in closed
 * form. Segments in other shapes are computed from triangles, which are scaled so that they enclose the
 * shape's volume. */
#include "model/shape/overlap.h"
#include "math/elementary.h"
#include "math/vec.h"
#include "model/mass.h"
#include "model/shape/kind.h"

static const double pi = 3.14159265358979323846;

/* Mass [kg], and its first [kg m] and second [kg m2] moments about the origin of the body's frame. */
typedef struct moments {
  double mass, first[3], second[6]; /* second: xx, xy, xz, yy, yz, zz */
} moments;

static void to_mass(const moments *m, sc_mass *out) {
  *out = (sc_mass){.mass = m->mass};
  if (!(m->mass > 0)) return;
  sc_scale(1 / m->mass, m->first, out->centre);
  const double *c = out->centre, *s = m->second;
  const double xx = s[0] - m->mass * c[0] * c[0], yy = s[3] - m->mass * c[1] * c[1],
               zz = s[5] - m->mass * c[2] * c[2];
  const double tensor[6] = {yy + zz, m->mass * c[0] * c[1] - s[1], m->mass * c[0] * c[2] - s[2], xx + zz,
      m->mass * c[1] * c[2] - s[4], xx + yy};
  memcpy(out->inertia, tensor, sizeof tensor);
}

/* ---- lenses ---- */

/* Adds the moments of a piece with rotational symmetry about the axis through c along the unit vector n.
 * height: height of its centre of mass above c along n. along, across: second moments about c, along n and
 * perpendicular to n. */
static void add_symmetric_piece(moments *m, const double c[3], const double n[3], double mass, double height,
    double along, double across) {
  int k = 0;
  for (int i = 0; i < 3; i++) {
    m->first[i] += mass * (c[i] + height * n[i]);
    for (int j = i; j < 3; j++, k++)
      m->second[k] += mass * (c[i] * c[j] + height * (c[i] * n[j] + n[i] * c[j])) +
          (along - across) * n[i] * n[j] + (i == j ? across : 0);
  }
  m->mass += mass;
}

/* Adds the moments of a cap of the ball with radius r and centre c: the part of the ball that is more than h
 * above c along n. h is in [-r, r]. */
static void add_cap(moments *m, const double c[3], const double n[3], double r, double h, double density) {
  const double r2 = r * r, h2 = h * h, h3 = h2 * h, h5 = h3 * h2, r3 = r2 * r, r5 = r3 * r2;
  const double mass = density * pi * (r2 * (r - h) - (r3 - h3) / 3),
               first = density * pi * (r2 - h2) * (r2 - h2) / 4,
               along = density * pi * (r2 * (r3 - h3) / 3 - (r5 - h5) / 5),
               across = density * pi / 4 * (r2 * r2 * (r - h) - 2 * r2 * (r3 - h3) / 3 + (r5 - h5) / 5);
  if (mass > 0) add_symmetric_piece(m, c, n, mass, first / mass, along, across);
}

static void add_lens(moments *m, const sc_shape *a, const sc_shape *b, double density) {
  double n[3], back[3];
  sc_sub(b->position, a->position, n);
  const double d = sc_normalise(n, n);
  const sc_shape *small = a->radius < b->radius ? a : b;
  if (d <= fabs(a->radius - b->radius)) {
    const double up[3] = {0, 0, 1};
    add_cap(m, small->position, up, small->radius, -small->radius, density);
    return;
  }
  const double plane = (d * d + (a->radius - b->radius) * (a->radius + b->radius)) / (2 * d);
  sc_scale(-1, n, back);
  add_cap(m, a->position, n, a->radius, plane, density);
  add_cap(m, b->position, back, b->radius, d - plane, density);
}

/* ---- integration along lines ---- */

enum { LINES = 128, CELLS = 1 << 22 };

typedef struct segment {
  double low, high;
} segment;

/* A grid of n x n lines parallel to the coordinate axis `axis`. u, v: indices of the other two axes. */
typedef struct lines {
  int axis, u, v, n;
  double min[3], max[3], step[2];
  segment *row;           /* [n n] segment of each line inside the present shape, computed by put_triangle */
  double R[9], origin[3]; /* pose of the present shape */
  /* factor that enlarges the triangles of the present shape so that they enclose its volume */
  double swell;
} lines;

static double line_at(const lines *l, int which, int i) {
  return l->min[which ? l->v : l->u] + (i + 0.5) * l->step[which];
}

/* Extends the segments of all lines that cross the triangle a, b, c, so that they contain the points of
 * crossing. A callback of sc_triangle_sink. */
static void put_triangle(void *to, const double a[3], const double b[3], const double c[3]) {
  lines *l = to;
  const double *corner[3] = {a, b, c};
  double p[3][3];
  for (int i = 0; i < 3; i++) {
    sc_mat_vec(l->R, corner[i], p[i]);
    sc_axpy(l->swell, p[i], l->origin, p[i]);
  }
  const int u = l->u, v = l->v, w = l->axis;
  const double eu = p[1][u] - p[0][u], ev = p[1][v] - p[0][v], fu = p[2][u] - p[0][u], fv = p[2][v] - p[0][v];
  const double det = eu * fv - ev * fu;
  if (det == 0) return;
  double low[2], high[2];
  const int both[2] = {u, v};
  for (int k = 0; k < 2; k++) {
    const double x = p[0][both[k]], y = p[1][both[k]], z = p[2][both[k]];
    low[k] = (fmin(x, fmin(y, z)) - l->min[both[k]]) / l->step[k] - 0.5;
    high[k] = (fmax(x, fmax(y, z)) - l->min[both[k]]) / l->step[k] - 0.5;
    low[k] = fmax(ceil(low[k] - 1e-9), 0), high[k] = fmin(floor(high[k] + 1e-9), l->n - 1);
  }
  for (int j = (int)low[1]; j <= (int)high[1]; j++)
    for (int i = (int)low[0]; i <= (int)high[0]; i++) {
      const double x = line_at(l, 0, i) - p[0][u], y = line_at(l, 1, j) - p[0][v];
      const double s = (x * fv - y * fu) / det, t = (eu * y - ev * x) / det;
      if (s < -1e-12 || t < -1e-12 || s + t > 1 + 1e-12) continue;
      const double height = p[0][w] + s * (p[1][w] - p[0][w]) + t * (p[2][w] - p[0][w]);
      segment *at = l->row + (size_t)j * (size_t)l->n + (size_t)i;
      at->low = fmin(at->low, height), at->high = fmax(at->high, height);
    }
}

/* Adds six times the signed volume of the tetrahedron between the triangle a, b, c and the origin to *to. A
 * callback of sc_triangle_sink. */
static void add_volume(void *to, const double a[3], const double b[3], const double c[3]) {
  double normal[3];
  sc_cross(b, c, normal);
  *(double *)to += sc_dot(a, normal);
}

/* Computes the segment of each line inside a shape that is not a sphere. Stores the segments in l->row. */
static void trace_shape(lines *l, const sc_shape *shape) {
  for (size_t k = 0; k < (size_t)l->n * (size_t)l->n; k++) l->row[k] = (segment){INFINITY, -INFINITY};
  sc_quat_matrix(shape->orientation, l->R);
  sc_copy3(shape->position, l->origin);
  const sc_shape_kind *kind = sc_kind_of(shape);
  double six = 0;
  kind->triangles(shape, &(sc_triangle_sink){add_volume, &six});
  l->swell = six > 0 ? sc_pow(6 * kind->mass(shape, 1).mass / six, 1.0 / 3) : 1;
  kind->triangles(shape, &(sc_triangle_sink){put_triangle, l});
}

static segment through_ball(const lines *l, const sc_shape *ball, double x, double y) {
  const double dx = x - ball->position[l->u], dy = y - ball->position[l->v],
               square = ball->radius * ball->radius - dx * dx - dy * dy;
  if (!(square > 0)) return (segment){INFINITY, -INFINITY};
  const double half = sqrt(square), middle = ball->position[l->axis];
  return (segment){middle - half, middle + half};
}

/* Adds the moments of the segment s of the line at the coordinates x, y along the axes u, v. The segment
 * counts as a box whose cross-section is a cell of the grid. */
static void add_segment(moments *m, const lines *l, double x, double y, segment s, double density) {
  double at[3], full[9] = {0};
  const double length = s.high - s.low, mass = density * length * l->step[0] * l->step[1];
  if (!(length > 0)) return;
  at[l->u] = x, at[l->v] = y, at[l->axis] = (s.low + s.high) / 2;
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++) m->second[k] += mass * at[i] * at[j];
  full[4 * l->axis] = length * length, full[4 * l->u] = l->step[0] * l->step[0],
           full[4 * l->v] = l->step[1] * l->step[1];
  m->second[0] += mass * full[0] / 12, m->second[3] += mass * full[4] / 12,
      m->second[5] += mass * full[8] / 12;
  sc_axpy(mass, at, m->first, m->first);
  m->mass += mass;
}

/* Adds to m the moments of those parts of segment s that are also inside earlier shapes. Merges s into the
 * list of the segments inside earlier shapes. list: `count` disjoint segments in ascending order. Returns the
 * new number of segments. */
static int cover_segment(
    moments *m, const lines *l, double x, double y, segment s, double density, segment *list, int count) {
  int first = 0, last;
  while (first < count && list[first].high < s.low) first++;
  for (last = first; last < count && list[last].low <= s.high; last++) {
    const segment common = {fmax(s.low, list[last].low), fmin(s.high, list[last].high)};
    add_segment(m, l, x, y, common, density);
  }
  segment whole = s;
  if (last > first) whole = (segment){fmin(s.low, list[first].low), fmax(s.high, list[last - 1].high)};
  memmove(list + first + 1, list + last, (size_t)(count - last) * sizeof *list);
  list[first] = whole;
  return count - (last - first) + 1;
}

/* ---- sums over lines and directions ---- */

typedef struct quadrature {
  const sc_matter *part;
  const int *involved; /* [count] indices of the parts that overlap other parts, in ascending order */
  /* count: number of entries of `involved`; general: number of these parts that are not spheres */
  int count, general;
  segment *traced; /* [general][n n] segment of each line inside each part that is not a sphere */
  segment *list;   /* [count + 1] segments of one line that are inside the shapes visited so far */
} quadrature;

/* Adds to m the moments of the overlaps along all lines of one direction. */
static void sum_lines(const quadrature *q, lines *l, moments *m) {
  const size_t cells = (size_t)l->n * (size_t)l->n;
  for (int k = 0, g = 0; k < q->count; k++) {
    const sc_shape *shape = q->part[q->involved[k]].shape;
    if (shape->type == SCREE_SPHERE) continue;
    l->row = q->traced + (size_t)g++ * cells;
    trace_shape(l, shape);
  }
  for (int j = 0; j < l->n; j++)
    for (int i = 0; i < l->n; i++) {
      const double x = line_at(l, 0, i), y = line_at(l, 1, j);
      int segments = 0;
      for (int k = 0, g = 0; k < q->count; k++) {
        const sc_matter *part = q->part + q->involved[k];
        const segment s = part->shape->type == SCREE_SPHERE
            ? through_ball(l, part->shape, x, y)
            : q->traced[(size_t)g++ * cells + (size_t)j * (size_t)l->n + (size_t)i];
        if (s.high > s.low) segments = cover_segment(m, l, x, y, s, part->density, q->list, segments);
      }
    }
}

/* Computes the axis-aligned box around a shape in the body's frame [m]. */
static void bound_shape(const sc_shape *s, double min[3], double max[3]) {
  double middle[3], half[3], R[9];
  sc_shape_box(s, middle, half);
  sc_quat_matrix(s->orientation, R);
  sc_mat_vec(R, middle, middle);
  for (int k = 0; k < 3; k++) {
    const double reach = fabs(R[3 * k]) * half[0] + fabs(R[3 * k + 1]) * half[1] +
        fabs(R[3 * k + 2]) * half[2];
    min[k] = s->position[k] + middle[k] - reach, max[k] = s->position[k] + middle[k] + reach;
  }
}

/* Extends the box min, max so that it contains the overlap of the boxes of two shapes. */
static void bound_pair(const sc_shape *a, const sc_shape *b, double min[3], double max[3]) {
  double amin[3], amax[3], bmin[3], bmax[3];
  bound_shape(a, amin, amax), bound_shape(b, bmin, bmax);
  for (int k = 0; k < 3; k++) {
    min[k] = fmin(min[k], fmax(amin[k], bmin[k]));
    max[k] = fmax(max[k], fmin(amax[k], bmax[k]));
  }
}

static void sum_directions(const quadrature *q, const double min[3], const double max[3], int n, moments *m) {
  for (int axis = 0; axis < 3; axis++) {
    lines l = {.axis = axis, .u = (axis + 1) % 3, .v = (axis + 2) % 3, .n = n};
    sc_copy3(min, l.min), sc_copy3(max, l.max);
    l.step[0] = (max[l.u] - min[l.u]) / n, l.step[1] = (max[l.v] - min[l.v]) / n;
    sum_lines(q, &l, m);
  }
  m->mass /= 3;
  for (int k = 0; k < 3; k++) m->first[k] /= 3;
  for (int k = 0; k < 6; k++) m->second[k] /= 3;
}

static bool integrate_overlap(const sc_matter *part, const int *involved, int count, const double min[3],
    const double max[3], moments *m) {
  quadrature q = {.part = part, .involved = involved, .count = count};
  int n = LINES;
  for (int k = 0; k < count; k++) q.general += part[involved[k]].shape->type != SCREE_SPHERE;
  while (n > 8 && (int64_t)n * n * q.general > CELLS) n /= 2;
  q.traced = sc_alloc((size_t)(q.general ? q.general : 1) * (size_t)n * (size_t)n * sizeof *q.traced);
  q.list = sc_alloc(((size_t)count + 1) * sizeof *q.list);
  const bool fine = q.traced && q.list;
  if (fine) sum_directions(&q, min, max, n, m);
  sc_free(q.traced);
  sc_free(q.list);
  return fine;
}

/* ---- public function ---- */

/* Returns true if all pairs are pairs of spheres and no three of the spheres overlap each other. */
static bool only_lenses(const sc_matter *part, const sc_overlap_pair *pair, int pairs) {
  for (int p = 0; p < pairs; p++) {
    if (part[pair[p].i].shape->type != SCREE_SPHERE || part[pair[p].j].shape->type != SCREE_SPHERE)
      return false;
    for (int q = 0; q < pairs; q++) {
      /* index of a third sphere that overlaps sphere i of pair p; -1: pair q does not contain sphere i of
       * pair p */
      const int third = pair[q].i == pair[p].i ? pair[q].j : pair[q].j == pair[p].i ? pair[q].i : -1;
      if (third < 0 || third == pair[p].j) continue;
      for (int r = 0; r < pairs; r++)
        if ((pair[r].i == third && pair[r].j == pair[p].j) || (pair[r].j == third && pair[r].i == pair[p].j))
          return false;
    }
  }
  return true;
}

bool sc_overlap_mass(const sc_matter *part, int parts, const sc_overlap_pair *pair, int pairs, sc_mass *out) {
  SC_ASSERT(part && pair && out);
  moments m = {0};
  double min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
  if (only_lenses(part, pair, pairs)) {
    for (int p = 0; p < pairs; p++)
      add_lens(&m, part[pair[p].i].shape, part[pair[p].j].shape, part[pair[p].j].density);
    return to_mass(&m, out), true;
  }
  int *involved = sc_alloc((size_t)parts * sizeof *involved), count = 0;
  if (!involved) return false;
  for (int p = 0; p < pairs; p++) {
    involved[pair[p].i] = involved[pair[p].j] = 1;
    bound_pair(part[pair[p].i].shape, part[pair[p].j].shape, min, max);
  }
  for (int i = 0; i < parts; i++)
    if (involved[i]) involved[count++] = i;
  const bool fine = integrate_overlap(part, involved, count, min, max, &m);
  sc_free(involved);
  return to_mass(&m, out), fine;
}
