/* Box against triangle: separating axes, all in the box's own axes.
 *
 * The difference of box and triangle is bounded by faces along the box's normals, the triangle's normal and
 * the cross products of their edges. If both overlap, the largest separation along these axes is minus the
 * depth. If they are apart and the features of the axis lie over each other, the largest separation is the
 * distance. If the axis is the triangle's normal, the overlap of the faces gives the touches
 * (narrow/mesh/mesh_box.c). If the features do not lie over each other, the general search is used. */
#include "collide/narrow/box/triangle_lanes.h"

/* minimum advantage of edge axes (sc_triangle_lanes.lead), as a share of the box's bounding radius */
static const double min_lead = 1e-9;
enum { EDGES = 3 }; /* number of the first axis that is a cross product of edges */

void sc_triangle_lanes_open(
    const sc_convex *box, const double turn[9], const double shift[3], sc_triangle_lanes *out) {
  memcpy(out->turn, turn, sizeof out->turn);
  sc_copy3(shift, out->shift), sc_copy3(box->shape->extent, out->half);
  out->lead = min_lead * box->size, out->count = 0;
}

void sc_triangle_lanes_add(
    sc_triangle_lanes *x, int32_t t, const double *const corner[3], const double normal[3]) {
  const int lane = x->count++;
  x->triangle[lane] = t;
  for (int k = 0; k < 3; k++) {
    x->plane[k][lane] = normal[k];
    for (int i = 0; i < 3; i++) x->point[3 * k + i][lane] = corner[k][i];
  }
}

void sc_triangle_lanes_get(const sc_triangle_lanes *x, int lane, sc_beside *out) {
  for (int k = 0; k < 3; k++) {
    out->normal[k] = x->normal[k][lane];
    for (int i = 0; i < 3; i++) out->corner[k][i] = x->corner[3 * k + i][lane];
  }
  out->face = x->face[lane], out->apart = x->apart[lane], out->axis = (int)x->axis[lane];
}

/* ---- nearest points, in the box's axes ---- */

/* Clips the segment from p to q by the sides of the box that are perpendicular to the axes other than i.
 * Computes the midpoint of the part that is left. Returns false if no part is left. */
static bool clip_to_midpoint(const double *h, int i, const double p[3], const double q[3], double out[3]) {
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

/* Computes normal n and nearest points p (box) and q (triangle) for a corner or edge of the triangle over a
 * face of the box. tolerance: corners of the triangle whose heights over the face differ by less form an edge
 * [m]. Returns false if the corner or edge does not lie over the face. */
static bool nearest_over_face(
    const double *h, const sc_beside *b, double tolerance, double n[3], double p[3], double q[3]) {
  const double(*c)[3] = b->corner;
  const int i = b->axis;
  const double low = fmin(c[0][i], fmin(c[1][i], c[2][i])), high = fmax(c[0][i], fmax(c[1][i], c[2][i])),
               side = low > -high ? 1 : -1;
  int nearest = 0;
  for (int k = 1; k < 3; k++)
    if (side * c[k][i] < side * c[nearest][i]) nearest = k;
  int other = (nearest + 1) % 3, last = (nearest + 2) % 3;
  if (side * c[last][i] < side * c[other][i]) other = last;
  bool edge = side * (c[other][i] - c[nearest][i]) <= tolerance;
  if (!clip_to_midpoint(h, i, c[nearest], edge ? c[other] : c[nearest], q)) return false;
  sc_set3(0, 0, 0, n);
  n[i] = -side;
  sc_copy3(q, p);
  p[i] = side * h[i];
  return true;
}

/* Computes normal and nearest points for an edge of the triangle that crosses an edge of the box. Returns
 * false if the edges do not cross. */
static bool nearest_across_edge(
    const double *h, const sc_beside *b, double tolerance, double n[3], double p[3], double q[3]) {
  const double(*c)[3] = b->corner;
  const int k = (b->axis - EDGES) / 3, i = (b->axis - EDGES) % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  double edge[3], d[3];
  sc_sub(c[(k + 1) % 3], c[k], edge);
  double square = edge[i1] * edge[i1] + edge[i2] * edge[i2], length = sqrt(square);
  n[i] = 0, n[i1] = -edge[i2] / length, n[i2] = edge[i1] / length;
  double mine = sc_dot(n, c[k]), third = sc_dot(n, c[(k + 2) % 3]);
  /* n leads from the triangle to the box, and no point of the triangle may lie beyond the edge */
  if (mine > 0) sc_scale(-1, n, n), mine = -mine, third = -third;
  if (third > mine + tolerance) return false;
  p[i] = 0, p[i1] = n[i1] > 0 ? -h[i1] : h[i1], p[i2] = n[i2] > 0 ? -h[i2] : h[i2];
  sc_sub(c[k], p, d);
  double t = -(d[i1] * edge[i1] + d[i2] * edge[i2]) / square, s = d[i] + t * edge[i];
  if (!(t >= 0 && t <= 1 && fabs(s) <= h[i])) return false;
  p[i] = s;
  sc_axpy(t, edge, c[k], q);
  return true;
}

bool sc_box_nearest(const sc_convex *box, const sc_beside *b, sc_nearest *nearest) {
  const double *h = box->shape->extent, tolerance = min_lead * box->size;
  nearest->distance = b->apart;
  return b->axis < EDGES ? nearest_over_face(h, b, tolerance, nearest->normal, nearest->a, nearest->b)
                         : nearest_across_edge(h, b, tolerance, nearest->normal, nearest->a, nearest->b);
}
