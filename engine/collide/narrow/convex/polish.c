/* Distance and depth of cores with curved surfaces, refined by Newton's method on the normal.
 *
 * For a unit normal n let s(n) = min over a of n.x - max over b of n.x. If the cores are apart, the largest s
 * is the distance. If they overlap, it is minus the depth. s is minus a sum of support functions. It is
 * smooth except at normals of flat parts, where all points of the part support n. With the point w = a - b
 * that supports n, the gradient of s in the tangent plane is P w, and the Hessian is -(K + s E). P:
 * projection onto the plane perpendicular to n. E: unit matrix. K: radii of curvature of both surfaces at w
 * (0 at corners and across edges). At most one flat line of each core is active, eA from a1 to a2 and eB from
 * b1 to b2 (an edge, or the side of a cylinder or cone). Then n is orthogonal to the line, and w = w0 + tA eA
 * - tB eB. Newton's method on
 *     (K + s E) d = P w,   eA.(n + d) = 0,   eB.(n + d) = 0
 * solves for the change d of the normal and for tA, tB. It converges quadratically from the result of a rough
 * search. A line becomes active if the support point jumps to its other end, and inactive if t leaves [0, 1].
 * Faces are tried first: if the lowest point of one core over a face of the other projects into this face,
 * the face's normal is the result.
 *
 * Certificate: w is parallel to n up to rounding. If the cores are apart, this proves the distance, because
 * |w| >= distance >= s(n). If they overlap, the result is a local optimum, and the caller must start near the
 * global optimum. If the iteration does not end in such a point, the function returns false. */
#include "collide/narrow/convex/convex.h"

enum { STEPS = 30 };                /* largest number of Newton steps */
static const double FARTHEST = 0.1; /* longest step of the normal [rad] */

/* One core with its active features: those that support the normal n, so the nearest point lies on them. */
typedef struct side {
  const sc_convex *core;
  double sign;        /* the core's outward direction is sign * n */
  int count;          /* number of active features: 1, or 2 if a flat line is active */
  int32_t id[2];      /* [count] ids of the features */
  double point[2][3]; /* [count] support points of the features, world axes */
  double share;       /* weight t of point[1], 0 to 1; point[0] has the weight 1 - t */
} side;

/* ---- features ---- */

/* Returns the id of the feature that supports direction d, in the core's axes. */
static int32_t feature_of(const sc_convex *c, const double d[3]) {
  if (c->shape) return sc_kind_of(c->shape)->feature ? sc_kind_of(c->shape)->feature(c->shape, d) : 0;
  return sc_largest_of(sc_dot(c->triangle[0], d), sc_dot(c->triangle[1], d), sc_dot(c->triangle[2], d));
}

/* Computes the point of a feature that supports direction d, in the core's axes. */
static void feature_point(const sc_convex *c, int32_t id, const double d[3], double out[3]) {
  const sc_shape_kind *kind = c->shape ? sc_kind_of(c->shape) : NULL;
  if (!kind) sc_copy3(c->triangle[id], out);
  else if (kind->feature_point) kind->feature_point(c->shape, id, d, out);
  else kind->support(c->shape, d, out);
}

/* Returns u.K v in the core's axes. K: derivative of the feature's support point by the direction. */
static double feature_curvature(
    const sc_convex *c, int32_t id, const double d[3], const double u[3], const double v[3]) {
  return c->shape && sc_kind_of(c->shape)->bend ? sc_kind_of(c->shape)->bend(c->shape, id, d, u, v) : 0;
}

/* ---- sides ---- */

static void local_direction(const side *p, const double n[3], double local[3]) {
  double d[3];
  sc_scale(p->sign, n, d);
  sc_mat_tvec(p->core->R, d, local);
}

static void place_features(side *p, const double n[3]) {
  double d[3];
  local_direction(p, n, d);
  for (int k = 0; k < p->count; k++) {
    feature_point(p->core, p->id[k], d, p->point[k]);
    sc_mat_vec(p->core->R, p->point[k], p->point[k]);
    sc_add(p->point[k], p->core->position, p->point[k]);
  }
}

/* Activates the feature that supports n if it lies further along n than the active features, by more than
 * `tolerance` [m]. A third feature replaces the active feature with the smaller weight. */
static void activate_feature(side *p, const double n[3], double tolerance, bool *changed, bool *third) {
  double d[3], point[3], high = -INFINITY;
  local_direction(p, n, d);
  int32_t id = feature_of(p->core, d);
  for (int k = 0; k < p->count; k++) {
    if (p->id[k] == id) return;
    high = fmax(high, p->sign * sc_dot(p->point[k], n));
  }
  feature_point(p->core, id, d, point);
  sc_mat_vec(p->core->R, point, point);
  sc_add(point, p->core->position, point);
  if (p->sign * sc_dot(point, n) <= high + tolerance) return;
  if (p->count == 2) {
    *third = true;
    if (p->share > 0.5) p->id[0] = p->id[1], sc_copy3(p->point[1], p->point[0]);
  }
  p->count = 2;
  p->id[1] = id;
  sc_copy3(point, p->point[1]);
  p->share = 0.5;
  *changed = true;
}

/* If an end of the active flat line has a negative weight, deactivates this end and returns true. */
static bool deactivate_feature(side *p) {
  if (p->count < 2 || (p->share >= -1e-9 && p->share <= 1 + 1e-9)) return false;
  if (p->share > 1) p->id[0] = p->id[1];
  p->count = 1, p->share = 0;
  return true;
}

static void active_point(const side *p, double out[3]) {
  sc_copy3(p->point[0], out);
  for (int k = 0; k < 3 && p->count == 2; k++) out[k] += p->share * (p->point[1][k] - p->point[0][k]);
}

/* Returns u.K v of a side for directions in world axes. K: derivative of the side's support point by the
 * direction. */
static double side_curvature(const side *p, const double n[3], const double u[3], const double v[3]) {
  double d[3], lu[3], lv[3];
  local_direction(p, n, d);
  sc_mat_tvec(p->core->R, u, lu);
  sc_mat_tvec(p->core->R, v, lv);
  double first = feature_curvature(p->core, p->id[0], d, lu, lv);
  return p->count == 2 ? (1 - p->share) * first + p->share * feature_curvature(p->core, p->id[1], d, lu, lv)
                       : first;
}

/* Adds t.Kt, t.Ko, o.Ko of a side for the unit vectors t and o perpendicular to n. */
static void add_curvatures(
    const side *p, const double n[3], const double t[3], const double o[3], double out[3]) {
  const sc_shape_kind *kind = p->core->shape ? sc_kind_of(p->core->shape) : NULL;
  if (!kind || !kind->curve) {
    out[0] += side_curvature(p, n, t, t), out[1] += side_curvature(p, n, t, o),
        out[2] += side_curvature(p, n, o, o);
    return;
  }
  double d[3], point[3];
  local_direction(p, n, d);
  sc_convex_curve(p->core, d, t, o, point, out);
}

/* ---- Newton ---- */

/* Solves A x = b by Gauss-Jordan elimination with pivots, in place. b, then x: column n of A. Returns false
 * if A is singular up to rounding. */
static bool solve_linear(double A[4][5], int n) {
  for (int c = 0; c < n; c++) {
    int p = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(A[r][c]) > fabs(A[p][c])) p = r;
    if (!(fabs(A[p][c]) > 1e-12)) return false;
    for (int k = 0; k <= n; k++) {
      double swap = A[c][k];
      A[c][k] = A[p][k], A[p][k] = swap;
    }
    for (int r = 0; r < n; r++) {
      double f = r == c ? 0 : A[r][c] / A[c][c];
      for (int k = c; f != 0 && k <= n; k++) A[r][k] -= f * A[c][k];
    }
  }
  for (int c = 0; c < n; c++) A[c][n] /= A[c][c];
  return true;
}

/* Makes one Newton step: changes n and the weights of the sides. *turn: set to the length of the step of n
 * before it is limited [rad]. The equations are scaled by 1/size. Returns false if the matrix is singular. */
static bool make_newton_step(side p[2], double n[3], double size, double *turn) {
  double t[3], o[3], a[3], b[3], w[3], A[4][5] = {{0}};
  sc_frame(n, t, o);
  active_point(p, a), active_point(p + 1, b);
  sc_sub(a, b, w);
  double s = sc_dot(w, n), K[3] = {s, 0, s}, inv = 1 / size;
  for (int k = 0; k < 2; k++) add_curvatures(p + k, n, t, o, K);
  const double tt = K[0], to = K[1], oo = K[2];
  int rows = 2;
  A[0][0] = tt * inv, A[0][1] = A[1][0] = to * inv, A[1][1] = oo * inv;
  double g[2] = {sc_dot(w, t) * inv, sc_dot(w, o) * inv}, e[3];
  int line[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    if (p[k].count < 2) continue;
    sc_sub(p[k].point[1], p[k].point[0], e);
    line[k] = rows;
    // the unknown is the change of p[k].share; the two sides contribute to w with opposite signs
    double sign = k ? 1 : -1;
    A[0][rows] = sign * sc_dot(e, t) * inv, A[1][rows] = sign * sc_dot(e, o) * inv;
    A[rows][0] = sc_dot(e, t) * inv, A[rows][1] = sc_dot(e, o) * inv;
    A[rows++][4] = -sc_dot(e, n) * inv;
  }
  A[0][4] = g[0], A[1][4] = g[1];
  // The upper left 2 x 2 block of A is minus the Hessian of s, divided by size. The step leads to a maximum
  // of s only if this block is positive definite. If A has three rows, the block must be positive only along
  // the direction that the third row leaves free. Otherwise the diagonal of the block is enlarged.
  double half = 0.5 * (A[0][0] - A[1][1]),
         min = 0.5 * (A[0][0] + A[1][1]) - sqrt(half * half + A[0][1] * A[0][1]);
  if (rows == 3) {
    double x = A[2][0], y = A[2][1], square = x * x + y * y;
    min = square > 0 ? (y * y * A[0][0] - 2 * x * y * A[0][1] + x * x * A[1][1]) / square : min;
  }
  if (rows < 4 && !(min > 1e-6)) A[0][0] += 0.05 - min, A[1][1] += 0.05 - min;
  for (int r = 0; r < rows; r++) A[r][rows] = A[r][4];
  if (!solve_linear(A, rows)) return false;
  double x = A[0][rows], y = A[1][rows];
  *turn = sqrt(x * x + y * y);
  // long steps are shortened, because other features become active on the way
  double cut = *turn > FARTHEST ? FARTHEST / *turn : 1;
  for (int k = 0; k < 2; k++)
    if (line[k]) p[k].share = sc_clamp(p[k].share + cut * A[line[k]][rows], -1, 2);
  for (int k = 0; k < 3; k++) n[k] += cut * (x * t[k] + y * o[k]);
  sc_normalise(n, n);
  return true;
}

static bool is_converged(const side p[2], const double n[3], double size, sc_nearest *out) {
  double w[3], across[3];
  active_point(p, out->a), active_point(p + 1, out->b);
  sc_sub(out->a, out->b, w);
  out->distance = sc_dot(w, n);
  sc_axpy(-out->distance, n, w, across);
  sc_copy3(n, out->normal);
  return sc_norm(across) <= 1e-9 * size;
}

/* ---- faces ---- */

/* Returns true if `holder` has a face with a normal near holder->sign * n, and the lowest point of `other`
 * over this face projects into the face. Then also computes the nearest points. */
static bool find_face_contact(
    const side *holder, const side *other, const double n[3], double size, sc_nearest *out) {
  double d[3], e[3], f[3], point[3], back[3], foot[3];
  sc_face face;
  sc_scale(holder->sign, n, d);
  sc_convex_face(holder->core, d, &face);
  if (face.count < 3 || sc_dot(face.normal, d) < 0.99) return false;
  sc_scale(-1, face.normal, back);
  sc_convex_support(other->core, back, point);
  sc_sub(point, face.corner[0], e);
  double height = sc_dot(e, face.normal);
  sc_axpy(-height, face.normal, point, foot);
  if (face.disc > 0) {
    // the centre of the disc is the middle of opposite corners of its octagon
    for (int k = 0; k < 3; k++) e[k] = foot[k] - 0.5 * (face.corner[0][k] + face.corner[4][k]);
    if (sc_norm(e) > face.disc) return false;
  } else {
    double c[3];
    sc_sub(face.corner[1], face.corner[0], e);
    sc_sub(face.corner[2], face.corner[0], f);
    sc_cross(e, f, c);
    double turn = sc_dot(c, face.normal) < 0 ? -1 : 1;
    for (int k = 0; k < face.count; k++) {
      sc_sub(face.corner[(k + 1) % face.count], face.corner[k], e);
      sc_sub(foot, face.corner[k], f);
      sc_cross(e, f, c);
      if (turn * sc_dot(c, face.normal) < -1e-12 * size * size) return false;
    }
  }
  sc_scale(holder->sign, face.normal, out->normal);
  sc_copy3(holder->sign < 0 ? foot : point, out->a);
  sc_copy3(holder->sign < 0 ? point : foot, out->b);
  out->distance = height;
  return true;
}

/* ---- surfaces that are flat in places ----
 *
 * Near flat places of a superellipsoid the support point moves like a root of the angle, so Newton steps are
 * too long. A step that increases |P w| is halved. */

/* State of the step control. */
typedef struct caution {
  bool needed;   /* true if a core has flat places */
  int halved;    /* number of halvings of the present step */
  double before; /* |P w| after the last accepted step [m] */
  double n[3];   /* normal after the last accepted step */
} caution;

static bool is_flat_in_places(const sc_convex *c) { return c->shape && sc_kind_of(c->shape)->curve; }

/* Halves the last step and returns true if the step increased |P w|. */
static bool halve_step(caution *c, const side p[2], double n[3], double *turn) {
  double a[3], b[3], w[3], across[3];
  if (!c->needed) return false;
  active_point(p, a), active_point(p + 1, b);
  sc_sub(a, b, w);
  sc_axpy(-sc_dot(w, n), n, w, across);
  const double miss = sc_norm(across);
  if (miss > c->before && c->halved < 6) {
    for (int k = 0; k < 3; k++) n[k] += c->n[k];
    sc_normalise(n, n);
    *turn /= 2, c->halved++;
    return true;
  }
  c->before = miss, c->halved = 0;
  sc_copy3(n, c->n);
  return false;
}

bool sc_convex_polish(const sc_convex *a, const sc_convex *b, sc_nearest *nearest) {
  double n[3], size = a->size + b->size, turn = 1;
  side p[2] = {{.core = a, .sign = -1, .count = 1}, {.core = b, .sign = 1, .count = 1}};
  sc_nearest out;
  sc_copy3(nearest->normal, n);
  if (find_face_contact(p, p + 1, n, size, &out) || find_face_contact(p + 1, p, n, size, &out)) {
    *nearest = out;
    return true;
  }
  for (int k = 0; k < 2; k++) {
    double d[3];
    local_direction(p + k, n, d);
    p[k].id[0] = feature_of(p[k].core, d);
  }
  caution care = {.needed = is_flat_in_places(a) || is_flat_in_places(b), .before = INFINITY};
  for (int step = 0; step < STEPS; step++) {
    bool changed = false, third = false;
    place_features(p, n), place_features(p + 1, n);
    activate_feature(p, n, 1e-14 * size, &changed, &third),
        activate_feature(p + 1, n, 1e-14 * size, &changed, &third);
    if (third && (find_face_contact(p, p + 1, n, size, &out) || find_face_contact(p + 1, p, n, size, &out))) {
      *nearest = out;
      return true;
    }
    if (!changed && turn < 1e-7) {
      bool gone = deactivate_feature(p), left = deactivate_feature(p + 1);
      if (!gone && !left && is_converged(p, n, size, &out)) {
        *nearest = out;
        return true;
      }
      place_features(p, n), place_features(p + 1, n);
    }
    if (halve_step(&care, p, n, &turn)) continue;
    if (!make_newton_step(p, n, size, &turn)) return false;
  }
  return false;
}
