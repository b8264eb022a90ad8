/* Grids of rays, and the sights (projections) of solids on such a grid. */
#include "draw/draw.h"
#include "math/vec.h"

static double across_at(const sc_view *v, double x) { return (2 * x / v->width - 1) * v->half_u; }
static double along_up(const sc_view *v, double y) { return (1 - 2 * y / v->height) * v->half_v; }

void sc_view_ray(const sc_view *v, double x, double y, double from[3], double along[3]) {
  double a = across_at(v, x), b = along_up(v, y);
  double *turned = v->parallel ? from : along;
  sc_copy3(v->eye, from);
  sc_copy3(v->out, along);
  sc_axpy(a, v->right, turned, turned);
  sc_axpy(b, v->up, turned, turned);
}

/* ---- the box on the grid ---- */

typedef struct box {
  double u0, u1, v0, v1, near;
} box;

/* Computes the slopes x/z of the two tangents from the origin to the circle of radius r about (x, z). Slopes
 * are infinite if the origin is not in front of the circle (z <= r). */
static void find_tangents(double x, double z, double r, double *low, double *high) {
  double square = z * z - r * r;
  if (!(z > r)) {
    *low = -INFINITY, *high = INFINITY;
    return;
  }
  double root = r * sqrt(x * x + square);
  *low = (x * z - root) / square, *high = (x * z + root) / square;
}

static box around_ball(const sc_view *v, const double at[3], double r) {
  box b = {at[0] - r, at[0] + r, at[1] - r, at[1] + r, at[2] - r};
  if (v->parallel) return b;
  find_tangents(at[0], at[2], r, &b.u0, &b.u1);
  find_tangents(at[1], at[2], r, &b.v0, &b.v1);
  return b;
}

static box around_corners(const sc_view *v, const sc_solid *s, const double at[3]) {
  box b = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY};
  double reach[3][3];
  bool behind = false;
  for (int k = 0; k < 3; k++)
    sc_set3(sc_dot(s->reach[k], v->right), sc_dot(s->reach[k], v->up), sc_dot(s->reach[k], v->out), reach[k]);
  for (int i = 0; i < 8; i++) {
    double c[3] = {at[0], at[1], at[2]};
    for (int k = 0; k < 3; k++) sc_axpy(i >> k & 1 ? 1 : -1, reach[k], c, c);
    double scale = v->parallel ? 1 : 1 / c[2];
    behind |= !v->parallel && !(c[2] > 0);
    b.u0 = fmin(b.u0, c[0] * scale), b.u1 = fmax(b.u1, c[0] * scale);
    b.v0 = fmin(b.v0, c[1] * scale), b.v1 = fmax(b.v1, c[1] * scale);
    b.near = fmin(b.near, c[2]);
  }
  if (behind) b.u0 = b.v0 = -INFINITY, b.u1 = b.v1 = INFINITY;
  return b;
}

/* Computes the pixels low..high - 1, of `count` pixels along an axis, that lie at least partly between the
 * positions from and to. Returns false if there are none. */
static bool find_pixels(double from, double to, int count, int16_t *low, int16_t *high) {
  double a = floor(fmax(from, 0)), b = ceil(fmin(to, count));
  if (!(a < b)) return false;
  *low = (int16_t)a, *high = (int16_t)b;
  return true;
}

static bool box_pixels(const sc_view *v, const box *b, sc_sight *out) {
  double x0 = (b->u0 / v->half_u + 1) * v->width / 2, x1 = (b->u1 / v->half_u + 1) * v->width / 2;
  double y0 = (1 - b->v1 / v->half_v) * v->height / 2, y1 = (1 - b->v0 / v->half_v) * v->height / 2;
  return find_pixels(x0, x1, v->width, &out->x0, &out->x1) &&
      find_pixels(y0, y1, v->height, &out->y0, &out->y1);
}

/* ---- rays in standard coordinates ---- */

static void to_standard(const sc_solid *s, const double a[3], float out[3]) {
  double b[3];
  sc_mat_vec(s->to, a, b);
  for (int k = 0; k < 3; k++) out[k] = (float)b[k];
}

static void set_rays(const sc_view *v, const sc_solid *s, double t0, sc_sight *out) {
  double from[3], along[3], p[3], dx[3], dy[3], none[3] = {0};
  sc_view_ray(v, out->x0, out->y0, from, along);
  sc_sub(from, s->centre, p);
  sc_axpy(t0, along, p, p);
  sc_scale(2 * v->half_u / v->width, v->right, dx);
  sc_scale(-2 * v->half_v / v->height, v->up, dy);
  to_standard(s, p, out->p);
  to_standard(s, along, out->d);
  to_standard(s, v->parallel ? none : dx, out->dx);
  to_standard(s, v->parallel ? none : dy, out->dy);
  if (!v->parallel) sc_scale(t0, dx, dx), sc_scale(t0, dy, dy);
  to_standard(s, dx, out->px);
  to_standard(s, dy, out->py);
}

bool sc_view_sight(const sc_view *v, const sc_solid *s, int32_t index, sc_sight *out) {
  double middle[3], at[3];
  for (int k = 0; k < 3; k++) middle[k] = s->centre[k] + s->middle[k] - v->eye[k];
  sc_set3(sc_dot(middle, v->right), sc_dot(middle, v->up), sc_dot(middle, v->out), at);
  bool ball = s->form == SC_BALL;
  box b = ball ? around_ball(v, at, s->bound) : around_corners(v, s, at);
  if (!v->parallel && !(at[2] + s->bound > 0)) return false;
  if (!box_pixels(v, &b, out)) return false;
  out->t0 = (float)at[2];
  out->near = (float)b.near;
  out->extra = (float)s->extra;
  out->solid = index;
  out->form = (int8_t)s->form;
  out->face = s->face;
  out->faces = s->faces;
  set_rays(v, s, (double)out->t0, out);
  return true;
}
