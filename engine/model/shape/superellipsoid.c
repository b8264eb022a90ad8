/* Superellipsoids (Barr 1981): with u = |x|/a, v = |y|/b, w = |z|/c
 *
 *     (u^(2/e2) + v^(2/e2))^(e2/e1) + w^(2/e1) = 1.
 *
 * The exponent e1 determines the meridians, e2 the sections perpendicular to z. Exponents 1 and 1 give an
 * ellipsoid, 0 a box, 2 an octahedron. Between these limits the body is the unit ball of a nested norm. The
 * support function h of a direction d is therefore the nested dual norm, with exponents q = 2/(2 - e) instead
 * of p = 2/e,
 *
 *     m(d) = (|a dx|^q2 + |b dy|^q2)^(1/q2),   h(d) = (m^q1 + |c dz|^q1)^(1/q1).
 *
 * The support point is the gradient of h. The second derivatives of h give the radii of curvature. For
 * exponents below 1 the surface is flat where an axis crosses it. The radii of curvature are bounded there,
 * but only for Newton's method. Mass and inertia are Beta functions (Jaklic, Leonardis & Solina 2000). */
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
    SC_SHAPE_SIZE("full axes, twice its radii"),
    EXPONENT(e1, "exponent along the z axis; 1: ellipsoid, towards 0: box, towards 2: octahedron"),
    EXPONENT(e2, "exponent across the z axis"),
};

/* Returns x^y with an error of a few units in the last place, for y of order one. Contacts need no higher
 * precision. */
static double power_of(double x, double y) {
  return y == 1   ? x
      : y == 0.5  ? sqrt(x)
      : y == 0.75 ? sqrt(x) * sqrt(sqrt(x))
      : y == 3    ? x * x * x
      : y == 0.25 ? sqrt(sqrt(x))
      : x > 0     ? sc_exp(y * sc_log(x))
                  : y == 0;
}

/* The norm (p^q + r^q)^(1/q) of p, r >= 0, with q = 1 + k. dp, dr: its derivatives with respect to p and
 * r. */
typedef struct dual {
  double k, norm, dp, dr;
} dual;

static dual dual_norm_of(double p, double r, double e) {
  const double k = e / (2 - e), large = fmax(p, r), small = fmin(p, r);
  if (!(large > 0)) return (dual){.k = k};
  const double part = small / large, least = power_of(part, k), sum = 1 + part * least,
               root = power_of(sum, 1 / (1 + k));
  const double most = root / sum, other = least * root / sum;
  return (dual){.k = k, .norm = large * root, .dp = p >= r ? most : other, .dr = p >= r ? other : most};
}

/* Sets out to the second derivatives of a norm (dual) with respect to pp, pr and rr: d2/dp2 = k s (r/norm)^2,
 * d2/dpdr = -k s p r/norm^2, d2/dr2 = k s (p/norm)^2, with s = (p r / norm^2)^(k - 1) / norm. The power in s
 * follows from the first derivatives, because dp = (p / norm)^k. Values of p/norm and r/norm below 1e-6 are
 * replaced by 1e-6. */
static void curve_of(const dual *d, double p, double r, double out[3]) {
  const double a = p / d->norm, b = r / d->norm, x = fmax(a, 1e-6), y = fmax(b, 1e-6);
  const double steep = x == a && y == b ? d->dp * d->dr / (x * y) : power_of(x * y, d->k - 1),
               s = d->k * steep / d->norm;
  out[0] = s * y * y, out[1] = -s * x * y, out[2] = s * x * x;
}

/* Terms of the support function for one direction. d: the direction multiplied by the semi-axes; size:
 * absolute values of d; across: inner norm m(d); whole: outer norm h(d). */
typedef struct norms {
  double d[3], size[3];
  dual across, whole;
} norms;

static norms norms_of(const sc_shape *s, const double d[3]) {
  norms n;
  for (int i = 0; i < 3; i++) n.d[i] = s->extent[i] * d[i], n.size[i] = fabs(n.d[i]);
  n.across = dual_norm_of(n.size[0], n.size[1], s->own[E2]);
  n.whole = dual_norm_of(n.across.norm, n.size[2], s->own[E1]);
  return n;
}

static void point_of(const sc_shape *s, const norms *n, double out[3]) {
  const double slope[3] = {n->whole.dp * n->across.dp, n->whole.dp * n->across.dr, n->whole.dr};
  for (int i = 0; i < 3; i++) out[i] = s->extent[i] * (n->d[i] < 0 ? -slope[i] : slope[i]);
}

static void support_superellipsoid(const sc_shape *s, const double d[3], double out[3]) {
  const norms n = norms_of(s, d);
  point_of(s, &n, out);
}

/* Adds the symmetric part of the matrix w a b' to K (xx, xy, xz, yy, yz, zz). */
static void add_outer(double w, const double a[3], const double b[3], double K[6]) {
  for (int i = 0, at = 0; i < 3; i++)
    for (int j = i; j < 3; j++, at++) K[at] += 0.5 * w * (a[i] * b[j] + a[j] * b[i]);
}

/* Sets the support point and K (sc_shape_kind.curve). The derivatives follow from the chain rule. An argument
 * of the norms is the absolute value of a component of d times the semi-axis; its derivative is the semi-axis
 * times the sign of the component. The first argument of the outer norm is the inner norm. */
static void curve_superellipsoid(const sc_shape *s, const double d[3], double point[3], double K[6]) {
  const norms n = norms_of(s, d);
  double sign[3], in[3], out[3];
  point_of(s, &n, point);
  for (int k = 0; k < 6; k++) K[k] = 0;
  if (!(n.whole.norm > 0)) return;
  for (int i = 0; i < 3; i++) sign[i] = s->extent[i] * sc_sign_of(n.d[i]);
  const double x[3] = {sign[0], 0, 0}, y[3] = {0, sign[1], 0}, z[3] = {0, 0, sign[2]},
               m[3] = {n.across.dp * sign[0], n.across.dr * sign[1], 0};
  curve_of(&n.whole, n.across.norm, n.size[2], out);
  add_outer(out[0], m, m, K), add_outer(2 * out[1], m, z, K), add_outer(out[2], z, z, K);
  if (!(n.across.norm > 0)) return;
  curve_of(&n.across, n.size[0], n.size[1], in);
  const double w = n.whole.dp;
  add_outer(w * in[0], x, x, K), add_outer(2 * w * in[1], x, y, K), add_outer(w * in[2], y, y, K);
}

static double bend_superellipsoid(
    const sc_shape *s, int32_t id, const double d[3], const double u[3], const double v[3]) {
  double K[6], point[3];
  (void)id;
  curve_superellipsoid(s, d, point, K);
  return u[0] * (K[0] * v[0] + K[1] * v[1] + K[2] * v[2]) + u[1] * (K[1] * v[0] + K[3] * v[1] + K[4] * v[2]) +
      u[2] * (K[2] * v[0] + K[4] * v[1] + K[5] * v[2]);
}

/* Returns the radius of a ball that can roll inside along the whole surface (sc_shape_kind.rolls). The square
 * of a nested norm with exponents p >= 2 has second derivatives of at most 2 (p - 1) times the square of the
 * norm (Ball, Carlen & Lieb 1994), which is less than the square of the length. The gradient of the norm is
 * at least 1/sqrt 3. If all semi-axes are 1, radii of curvature are therefore at least 1/(sqrt 3 (p - 1)).
 * Scaling by the semi-axes turns a ball of this radius into an ellipsoid, whose smallest radius of curvature
 * is a^2/c times as large (a, c: smallest and largest semi-axis). For exponents p below 2 the surface has
 * edges. */
static double rolling_radius_of(const sc_shape *s) {
  const double *e = s->extent, least = fmin(s->own[E1], s->own[E2]), a = fmin(e[0], fmin(e[1], e[2])),
               c = fmax(e[0], fmax(e[1], e[2]));
  if (s->own[E1] > 1 || s->own[E2] > 1) return 0;
  return a * a / (c * sqrt(3) * (2 / least - 1));
}

/* Returns true if both exponents are at least 0.4. For smaller exponents the support point is nearly constant
 * over most directions and jumps between them. */
static bool is_superellipsoid_smooth(const sc_shape *s) { return fmin(s->own[E1], s->own[E2]) >= 0.4; }

static sc_mass compute_superellipsoid_mass(const sc_shape *s, double density) {
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

/* Returns the maximum of p^2 x + r^2 y over x, y >= 0 with x^(1/e) + y^(1/e) = 1, by Hoelder's inequality. */
static double max_weighted_sum(double p, double r, double e) {
  const double large = fmax(p, r), small = fmin(p, r);
  if (e >= 1) return large;
  return large * sc_pow(1 + sc_pow(small / large, 1 / (1 - e)), 1 - e);
}
static double bound_superellipsoid(const sc_shape *s) {
  const double *e = s->extent, across = max_weighted_sum(e[0] * e[0], e[1] * e[1], s->own[E2]);
  return sqrt(max_weighted_sum(across, e[2] * e[2], s->own[E1])) * (1 + 1e-14);
}
static void box_of_superellipsoid(const sc_shape *s, double middle[3], double half[3]) {
  (void)middle;
  sc_copy3(s->extent, half);
}

/* ---- drawing ---- */

enum { SIDES = 48, RINGS = 24 };

static double signed_power(double x, double e) { return x < 0 ? -sc_pow(-x, e) : sc_pow(x, e); }

/* Sets out to a point of the surface for drawing. i: index of the ring, from 0 (lower pole) to rings (upper
 * pole). k: index of the point in the ring, 0 to sides - 1. */
static void compute_surface_point(const sc_shape *s, int i, int rings, int k, int sides, double out[3]) {
  static const double pi = 3.14159265358979323846;
  double rise, level, side, front;
  sc_sin_cos(pi * (i - rings / 2.0) / rings, &rise, &level);
  sc_sin_cos(2 * pi * (k % sides) / sides, &side, &front);
  const double across = i % rings ? sc_pow(level, s->own[E1]) : 0;
  // uses exact zeros on the axes, because the computed cosine of a right angle is not 0
  const double c = (4 * k + sides) % (2 * sides) ? front : 0, o = (4 * k) % (2 * sides) ? side : 0;
  out[0] = s->extent[0] * across * signed_power(c, s->own[E2]);
  out[1] = s->extent[1] * across * signed_power(o, s->own[E2]);
  out[2] = s->extent[2] * signed_power(2 * i == rings ? 0 : rise, s->own[E1]);
}

static void draw_superellipsoid(const sc_shape *s, const sc_triangle_sink *sink) {
  const int sides = sc_sink_sides(sink), rings = sides / 2;
  for (int i = 0; i < rings; i++)
    for (int k = 0; k < sides; k++) {
      double p[4][3];
      for (int e = 0; e < 4; e++)
        compute_surface_point(s, i + (e > 1), rings, k + (e == 1 || e == 2), sides, p[e]);
      sink->put(sink->to, p[0], p[1], p[2]);
      sink->put(sink->to, p[0], p[2], p[3]);
    }
}

static void corners_of_superellipsoid(const sc_shape *s, const sc_point_sink *sink) {
  uint32_t name = 0;
  for (int i = 0; i <= RINGS / 2; i++)
    for (int k = 0; k < (i % (RINGS / 2) ? SIDES / 2 : 1); k++) {
      double point[3];
      compute_surface_point(s, i, RINGS / 2, k, SIDES / 2, point);
      sink->put(sink->to, point, name++);
    }
}

static void axes_of_superellipsoid(const sc_shape *s, double out[3]) { sc_copy3(s->extent, out); }

const sc_shape_kind sc_kind_superellipsoid = {
    SC_SHAPE_ABOUT("superellipsoid", keys, SCREE_SHAPE_CONVEX | SCREE_SHAPE_SOLID), .family = SC_FAMILY_SOLID,
    .round = true, .mass = compute_superellipsoid_mass, .bound = bound_superellipsoid,
    .box = box_of_superellipsoid, .support = support_superellipsoid, .bend = bend_superellipsoid,
    .curve = curve_superellipsoid, .rolls = rolling_radius_of, .smooth = is_superellipsoid_smooth,
    .axes = axes_of_superellipsoid, .triangles = draw_superellipsoid, .corners = corners_of_superellipsoid};
