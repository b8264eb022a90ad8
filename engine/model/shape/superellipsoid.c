/* Superellipsoids (Barr 1981): with u = |x|/a, v = |y|/b, w = |z|/c
 *
 *     (u^(2/e2) + v^(2/e2))^(e2/e1) + w^(2/e1) = 1,
 *
 * e1 shapes the meridians, e2 the sections across z; 1 and 1 give an ellipsoid, 0 a box, 2 an octahedron.
 * Between these ends the body is the unit ball of a norm within a norm. The support function is therefore
 * the dual norm within the dual norm, with exponents q = 2/(2 - e) in place of p = 2/e,
 *
 *     m(d) = (|a dx|^q2 + |b dy|^q2)^(1/q2),   h(d) = (m^q1 + |c dz|^q1)^(1/q1),
 *
 * the support point is its gradient and the radii of curvature are in its second derivatives. Below
 * exponents of 1 the surface is flat where an axis leaves it; the radii of curvature are bounded there, for
 * Newton's method alone. Mass and inertia are Beta functions (Jaklic, Leonardis & Solina 2000). */
#include "math/elementary.h"
#include "model/shape/kind.h"

enum { E1, E2 };
#define EXPONENT(key, text) \
  { \
#key, SCREE_REAL, 0, "", 1, 0.1, 1.9, offsetof(scree_shape_def, own) + sizeof(double) * E##key, NULL, \
        text \
  }
#define Ee1 E1
#define Ee2 E2
static const scree_param keys[] = {
    SC_SHAPE_SIZE("full axes"),
    EXPONENT(e1, "exponent along the z axis; 1: ellipsoid, towards 0: box, towards 2: octahedron"),
    EXPONENT(e2, "exponent across the z axis"),
};

static double power(double x, double y) { return y == 1 ? x : y == 0.5 ? sqrt(x) : sc_pow(x, y); }

/* The norm (p^q + r^q)^(1/q), q = 1 + k, of p, r >= 0 and its derivatives. */
typedef struct dual {
  double k, norm, dp, dr;
} dual;

static dual norm_of(double p, double r, double e) {
  const double k = e / (2 - e), large = fmax(p, r), small = fmin(p, r);
  if (!(large > 0)) return (dual){.k = k};
  const double part = small / large, least = power(part, k), sum = 1 + part * least,
               root = power(sum, 1 / (1 + k));
  const double most = root / sum, other = least * root / sum;
  return (dual){.k = k, .norm = large * root, .dp = p >= r ? most : other, .dr = p >= r ? other : most};
}

/* Second derivatives: d2/dp2 = k s (r/norm)^2, and so on, s = (p r / norm^2)^(k - 1) / norm; of parts that
 * vanish at least a millionth is taken. */
static void curve_of(const dual *d, double p, double r, double out[3]) {
  const double x = fmax(p / d->norm, 1e-6), y = fmax(r / d->norm, 1e-6),
               s = d->k * power(x * y, d->k - 1) / d->norm;
  out[0] = s * y * y, out[1] = -s * x * y, out[2] = s * x * x;
}

/* The direction in units of the axes, its absolute values, and both norms. */
typedef struct norms {
  double d[3], size[3];
  dual across, whole;
} norms;

static norms norms_of(const sc_shape *s, const double d[3]) {
  norms n;
  for (int i = 0; i < 3; i++) n.d[i] = s->extent[i] * d[i], n.size[i] = fabs(n.d[i]);
  n.across = norm_of(n.size[0], n.size[1], s->own[E2]);
  n.whole = norm_of(n.across.norm, n.size[2], s->own[E1]);
  return n;
}

static void support(const sc_shape *s, const double d[3], double out[3]) {
  const norms n = norms_of(s, d);
  const double slope[3] = {n.whole.dp * n.across.dp, n.whole.dp * n.across.dr, n.whole.dr};
  for (int i = 0; i < 3; i++) out[i] = s->extent[i] * (n.d[i] < 0 ? -slope[i] : slope[i]);
}

static double bend(const sc_shape *s, int32_t id, const double d[3], const double u[3], const double v[3]) {
  (void)id;
  const norms n = norms_of(s, d);
  double a[3], b[3], in[3], out[3];
  if (!(n.whole.norm > 0)) return 0;
  for (int i = 0; i < 3; i++) {
    const double sign = s->extent[i] * sc_sign_of(n.d[i]);
    a[i] = sign * u[i], b[i] = sign * v[i];
  }
  curve_of(&n.whole, n.across.norm, n.size[2], out);
  // how the norm across changes along each direction
  const double ma = n.across.dp * a[0] + n.across.dr * a[1], mb = n.across.dp * b[0] + n.across.dr * b[1];
  double sum = out[0] * ma * mb + out[1] * (ma * b[2] + mb * a[2]) + out[2] * a[2] * b[2];
  if (!(n.across.norm > 0)) return sum;
  curve_of(&n.across, n.size[0], n.size[1], in);
  return sum + n.whole.dp * (in[0] * a[0] * b[0] + in[1] * (a[0] * b[1] + a[1] * b[0]) + in[2] * a[1] * b[1]);
}

static sc_mass mass(const sc_shape *s, double density) {
  const double e1 = s->own[E1], e2 = s->own[E2], a = s->extent[0], b = s->extent[1], c = s->extent[2],
               unit = density * a * b * c * e1 * e2;
  const double side = sc_beta(1.5 * e2, 0.5 * e2) * sc_beta(0.5 * e1, 2 * e1 + 1),
               up = 4 * sc_beta(0.5 * e2, 0.5 * e2 + 1) * sc_beta(1.5 * e1, e1 + 1);
  sc_mass m = {.mass = 2 * unit * sc_beta(0.5 * e1 + 1, e1) * sc_beta(0.5 * e2, 0.5 * e2)};
  m.inertia[0] = 0.5 * unit * (b * b * side + c * c * up);
  m.inertia[3] = 0.5 * unit * (a * a * side + c * c * up);
  m.inertia[5] = 0.5 * unit * (a * a + b * b) * side;
  return m;
}

/* Largest p^2 x + r^2 y where x^(1/e) + y^(1/e) = 1, by Hoelder's inequality. */
static double widest(double p, double r, double e) {
  const double large = fmax(p, r), small = fmin(p, r);
  if (e >= 1) return large;
  return large * sc_pow(1 + sc_pow(small / large, 1 / (1 - e)), 1 - e);
}
static double bound(const sc_shape *s) {
  const double *e = s->extent, across = widest(e[0] * e[0], e[1] * e[1], s->own[E2]);
  return sqrt(widest(across, e[2] * e[2], s->own[E1])) * (1 + 1e-14);
}
static void box(const sc_shape *s, double middle[3], double half[3]) {
  (void)middle;
  sc_copy3(s->extent, half);
}

/* ---- drawing ---- */

enum { SIDES = 48, RINGS = 24 };

static double signed_power(double x, double e) { return x < 0 ? -sc_pow(-x, e) : sc_pow(x, e); }

/* Point of ring i (0 the lower pole, rings the upper) and side k. */
static void surface(const sc_shape *s, int i, int rings, int k, int sides, double out[3]) {
  static const double pi = 3.14159265358979323846;
  const double up = pi * (i - rings / 2.0) / rings, turn = 2 * pi * (k % sides) / sides,
               across = i % rings ? sc_pow(cos(up), s->own[E1]) : 0;
  // the axes exactly: a cosine of a right angle is not quite 0
  const double c = (4 * k + sides) % (2 * sides) ? cos(turn) : 0, o = (4 * k) % (2 * sides) ? sin(turn) : 0;
  out[0] = s->extent[0] * across * signed_power(c, s->own[E2]);
  out[1] = s->extent[1] * across * signed_power(o, s->own[E2]);
  out[2] = s->extent[2] * signed_power(2 * i == rings ? 0 : sin(up), s->own[E1]);
}

static void triangles(const sc_shape *s, const sc_triangle_sink *sink) {
  for (int i = 0; i < RINGS; i++)
    for (int k = 0; k < SIDES; k++) {
      double p[4][3];
      for (int e = 0; e < 4; e++) surface(s, i + (e > 1), RINGS, k + (e == 1 || e == 2), SIDES, p[e]);
      sink->put(sink->to, p[0], p[1], p[2]);
      sink->put(sink->to, p[0], p[2], p[3]);
    }
}

static void corners(const sc_shape *s, const sc_point_sink *sink) {
  uint32_t name = 0;
  for (int i = 0; i <= RINGS / 2; i++)
    for (int k = 0; k < (i % (RINGS / 2) ? SIDES / 2 : 1); k++) {
      double point[3];
      surface(s, i, RINGS / 2, k, SIDES / 2, point);
      sink->put(sink->to, point, name++);
    }
}

static void axes(const sc_shape *s, double out[3]) { sc_copy3(s->extent, out); }

const sc_shape_kind sc_kind_superellipsoid = {
    SC_SHAPE_ABOUT("superellipsoid", keys, SCREE_SHAPE_CONVEX | SCREE_SHAPE_SOLID), .family = SC_FAMILY_SOLID,
    .round = true, .mass = mass, .bound = bound, .box = box, .support = support, .bend = bend, .axes = axes,
    .triangles = triangles, .corners = corners};
