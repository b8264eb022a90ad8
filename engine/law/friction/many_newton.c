/* Contacts with torsional and rolling friction, by Newton's method in the normal impulse and the multipliers
 * of the parts that slip: at most four unknowns.
 *
 * C, B, a and y are those of many_rows.c. With N = diag(nu_k) on the rows of part k and L_k its bound, all
 * three laws are
 *     (C + N) y = B - s a x_n,      |y_k| = L_k x_n where nu_k > 0,  |y_k| <= L_k x_n where nu_k = 0,
 *     a_nn x_n + a.y - b_n = e,
 *     coulomb   s = 1,                              e = 0
 *     cone      s = 1,                              e = sum nu_k L_k^2 x_n
 *     energy    s = 1 + sum nu_k L_k^2/a_nn,        e = 0
 * (energy: the least energy on the plane v_n = 0, with x_n = (b_n - a.y)/a_nn in the bounds |y_k|^2 - L_k^2
 * x_n^2 <= 0). For given x_n and nu the friction y costs one Cholesky factorisation, its derivatives one
 * solve each. The bounds are written as L_k x_n/|y_k| - 1, which is nearly linear in nu_k (More & Sorensen
 * 1983). A part slips once it leaves its disc and sticks once its multiplier falls below 0. The solution in
 * which no part slips is tried first.
 *
 * A result must be tested: is it the law's solution? The laws cone and energy are convex, so any result is
 * the solution. For coulomb, with s = 1/x_n and z = y/x_n, v_n has the sign of g(s) = a_nn + a.z(s) - b_n s.
 * z is the projection of C^-1 (B s - a) on the discs in the norm of C, so z' = P C^-1 B with 0 <= P <= 1, and
 * g falls everywhere if
 *     b_n > (a.C^-1 B + sqrt(a.C^-1 a  B.C^-1 B))/2.
 * Then its zero is the only one. Otherwise Newton's method starts from the cone's solution, which lies above
 * all solutions of coulomb, and its result is accepted if v_n > 0 at steps in between. If not, the nested
 * method decides (many_rows.c). */
#include "law/friction/many_rows.h"

#include <string.h>

enum { MOST = SC_MANY_FRICTION, UNKNOWNS = 1 + SC_MANY_PARTS, ROUNDS = 20 };
static const double CLOSE = 3e-9; /* relative step after which only rounding errors remain */
/* factor between successive normal impulses x_n at which the search for the largest solution tests v_n, as in
 * many_rows.c */
static const double DOWN = 0.8;

/* The rows of those parts whose bound is not 0, numbered without gaps. */
typedef struct reduced {
  int rows, parts;
  int row[MOST], part[MOST]; /* row in sc_many_rows of each row; part of each row, an index in this struct */
  /* [part] first row, end of rows, and number of the part in sc_many_rows */
  int from[SC_MANY_PARTS], to[SC_MANY_PARTS], of[SC_MANY_PARTS];
  double limit[SC_MANY_PARTS], C[MOST][MOST], a[MOST], B[MOST], ann, bn;
} reduced;

static void reduce_rows(const sc_many_rows *p, reduced *r) {
  r->rows = r->parts = 0;
  r->ann = p->ann, r->bn = p->bn;
  for (int k = 0; k < p->count; k++) {
    if (!(p->limit[k] > 0)) continue;
    r->from[r->parts] = r->rows, r->of[r->parts] = k, r->limit[r->parts] = p->limit[k];
    for (int i = p->at[k]; i < p->at[k] + p->size[k]; i++) r->row[r->rows] = i, r->part[r->rows++] = r->parts;
    r->to[r->parts++] = r->rows;
  }
  for (int i = 0; i < r->rows; i++) {
    r->a[i] = p->a[r->row[i]], r->B[i] = p->B[r->row[i]];
    for (int j = 0; j <= i; j++) r->C[i][j] = p->C[r->row[i]][r->row[j]];
  }
}

/* Computes the lower Cholesky factor of C + N, with the inverses of its diagonal. Returns false if C + N is
 * not positive definite. */
static bool factor_rows(const reduced *r, const double *nu, double F[MOST][MOST]) {
  for (int i = 0; i < r->rows; i++) {
    for (int j = 0; j < i; j++) {
      double sum = r->C[i][j];
      for (int k = 0; k < j; k++) sum -= F[i][k] * F[j][k];
      F[i][j] = sum * F[j][j];
    }
    double own = r->C[i][i] + nu[r->part[i]], sum = own;
    for (int k = 0; k < i; k++) sum -= F[i][k] * F[i][k];
    if (!(sum > 1e-14 * own)) return false;
    F[i][i] = 1 / sqrt(sum);
  }
  return true;
}

static void substitute_rows(int n, double F[MOST][MOST], const double *b, double *x) {
  for (int i = 0; i < n; i++) {
    double sum = b[i];
    for (int k = 0; k < i; k++) sum -= F[i][k] * x[k];
    x[i] = sum * F[i][i];
  }
  for (int i = n - 1; i >= 0; i--) {
    double sum = x[i];
    for (int k = i + 1; k < n; k++) sum -= F[k][i] * x[k];
    x[i] = sum * F[i][i];
  }
}

static double dot_rows(int n, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static double part_dot(const reduced *r, int k, const double *x, const double *y) {
  return dot_rows(r->to[k] - r->from[k], x + r->from[k], y + r->from[k]);
}

/* Solves by Gaussian elimination with row pivots. Returns false if singular. */
static bool eliminate_unknowns(int n, double M[UNKNOWNS][UNKNOWNS + 1]) {
  for (int c = 0; c < n; c++) {
    int pivot = c;
    for (int i = c + 1; i < n; i++)
      if (fabs(M[i][c]) > fabs(M[pivot][c])) pivot = i;
    if (!(fabs(M[pivot][c]) > 0)) return false;
    for (int j = c; j <= n && pivot != c; j++) {
      double swap = M[c][j];
      M[c][j] = M[pivot][j], M[pivot][j] = swap;
    }
    for (int i = c + 1; i < n; i++) {
      double share = M[i][c] / M[c][c];
      for (int j = c + 1; j <= n; j++) M[i][j] -= share * M[c][j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) M[i][n] -= M[i][j] * M[j][n];
    M[i][n] /= M[i][i];
  }
  return true;
}

/* ---- one round ---- */

typedef struct state {
  double xn, nu[SC_MANY_PARTS], y[MOST], F[MOST][MOST];
} state;

/* Problem that an iteration solves. held: true: x_n is constant, and only the friction is computed. */
typedef struct task {
  sc_law_rule rule;
  bool held;
} task;

/* Returns sum nu_k L_k^2. */
static double multiplier_sum(const reduced *r, const state *s) {
  double sum = 0;
  for (int k = 0; k < r->parts; k++) sum += s->nu[k] * r->limit[k] * r->limit[k];
  return sum;
}

static bool compute_friction(task t, const reduced *r, state *s) {
  double g[MOST], scale = t.rule == SC_RULE_ENERGY ? 1 + multiplier_sum(r, s) / r->ann : 1;
  if (!factor_rows(r, s->nu, s->F)) return false;
  for (int i = 0; i < r->rows; i++) g[i] = r->B[i] - scale * s->xn * r->a[i];
  substitute_rows(r->rows, s->F, g, s->y);
  return true;
}

/* Data of a Newton step: of: what each unknown is (-1: x_n, else the multiplier of this part); derivatives of
 * y by the unknowns; |y_k| of each part. */
typedef struct tangent {
  int count, of[UNKNOWNS];
  double d[UNKNOWNS][MOST], size[SC_MANY_PARTS];
} tangent;

static bool find_tangent(task t, const reduced *r, const bool *slips, state *s, tangent *out) {
  double g[MOST], share = t.rule == SC_RULE_ENERGY ? 1 / r->ann : 0;
  out->count = 0;
  if (!t.held) {
    for (int i = 0; i < r->rows; i++) g[i] = -(1 + share * multiplier_sum(r, s)) * r->a[i];
    out->of[out->count] = -1;
    substitute_rows(r->rows, s->F, g, out->d[out->count++]);
  }
  for (int k = 0; k < r->parts; k++) {
    if (!slips[k]) continue;
    double lifted = share * r->limit[k] * r->limit[k] * s->xn;
    for (int i = 0; i < r->rows; i++) g[i] = -lifted * r->a[i] - (r->part[i] == k ? s->y[i] : 0);
    out->of[out->count] = k;
    substitute_rows(r->rows, s->F, g, out->d[out->count++]);
    out->size[k] = sqrt(part_dot(r, k, s->y, s->y));
    if (!(out->size[k] > 0)) return false;
  }
  return true;
}

/* Makes a step. The step is shortened if x_n or a multiplier would change its order of magnitude. Returns the
 * largest relative change of the step before it is shortened. */
static double move_unknowns(const reduced *r, const tangent *t, double M[UNKNOWNS][UNKNOWNS + 1], state *s) {
  double length = 1, change = 0;
  for (int i = 0; i < t->count; i++) {
    double by = M[i][t->count], old = t->of[i] < 0 ? s->xn : s->nu[t->of[i]],
           wide = t->of[i] < 0 ? 0 : r->C[r->from[t->of[i]]][r->from[t->of[i]]];
    double share = fabs(by) / (old + wide);
    if (!(share <= change)) change = share;
    if (by < -0.9 * old && old > 1e-3 * wide) length = -0.8 * old / by < length ? -0.8 * old / by : length;
    if (by > 4 * (old + wide)) length = 4 * (old + wide) / by < length ? 4 * (old + wide) / by : length;
  }
  for (int i = 0; i < t->count; i++) {
    double *to = t->of[i] < 0 ? &s->xn : s->nu + t->of[i];
    double next = *to + length * M[i][t->count];
    *to = next > 0 ? next : 0;
  }
  return change;
}

/* Makes one Newton step of x_n and the multipliers of the parts in `slips`. *change: set to the result of
 * move_unknowns. */
static bool step_newton(task t, const reduced *r, const bool *slips, state *s, double *change) {
  double M[UNKNOWNS][UNKNOWNS + 1], sum = multiplier_sum(r, s);
  bool cone = t.rule == SC_RULE_CONE;
  tangent u;
  *change = 0;
  if (!find_tangent(t, r, slips, s, &u)) return false;
  int n = u.count;
  for (int i = 0; i < n; i++) {
    int k = u.of[i];
    for (int c = 0; c < n; c++) {
      int l = u.of[c];
      if (k < 0) {
        double own = l < 0 ? -sum : -r->limit[l] * r->limit[l] * s->xn;
        M[i][c] = (l < 0 ? r->ann : 0) + dot_rows(r->rows, r->a, u.d[c]) + (cone ? own : 0);
      } else {
        double turn = part_dot(r, k, s->y, u.d[c]) / (u.size[k] * u.size[k] * u.size[k]);
        M[i][c] = (l < 0 ? r->limit[k] / u.size[k] : 0) - r->limit[k] * s->xn * turn;
      }
    }
    M[i][n] = k < 0 ? r->bn - r->ann * s->xn - dot_rows(r->rows, r->a, s->y) + (cone ? sum * s->xn : 0)
                    : 1 - r->limit[k] * s->xn / u.size[k];
  }
  if (!eliminate_unknowns(n, M)) return false;
  *change = move_unknowns(r, &u, M, s);
  return s->xn > 0;
}

/* Updates which parts slip: a part outside its disc begins to slip, a part with a multiplier of 0 sticks.
 * Returns true if nothing changed. */
static bool sort_parts(const reduced *r, state *s, bool *slips) {
  bool same = true;
  for (int k = 0; k < r->parts; k++) {
    double most = r->limit[k] * s->xn, size = sqrt(part_dot(r, k, s->y, s->y)), wide = 0;
    bool was = slips[k];
    for (int i = r->from[k]; i < r->to[k]; i++) wide = r->C[i][i] > wide ? r->C[i][i] : wide;
    if (was) slips[k] = s->nu[k] > 0 || size > most;
    else if (size > most * (1 + 1e-14)) slips[k] = true, s->nu[k] = wide * (size / most - 1);
    same &= slips[k] == was;
  }
  return same;
}

/* Iterates from x_n and the multipliers in s. Returns false if it does not converge. */
static bool iterate_task(task t, const reduced *r, state *s) {
  bool slips[SC_MANY_PARTS];
  double change = 1;
  for (int k = 0; k < SC_MANY_PARTS; k++) slips[k] = s->nu[k] > 0;
  if (!compute_friction(t, r, s)) return false;
  for (int round = 0; round < ROUNDS; round++) {
    bool same = sort_parts(r, s, slips);
    if (!same && !compute_friction(t, r, s)) return false;
    if (same && round && change <= CLOSE) return true;
    if (!step_newton(t, r, slips, s, &change) || !compute_friction(t, r, s)) return false;
  }
  return false;
}

/* ---- entry point ---- */

/* Tries the solution without slip: A x = b within the discs. */
static bool try_sticking(const reduced *r, state *s, const double *onto_a, const double *onto_B) {
  double rest = r->ann - dot_rows(r->rows, r->a, onto_a);
  if (!(rest > 1e-14 * r->ann)) return false;
  s->xn = (r->bn - dot_rows(r->rows, r->a, onto_B)) / rest;
  if (!(s->xn > 0)) return false;
  for (int i = 0; i < r->rows; i++) s->y[i] = onto_B[i] - s->xn * onto_a[i];
  for (int k = 0; k < r->parts; k++)
    if (!(part_dot(r, k, s->y, s->y) <= r->limit[k] * r->limit[k] * s->xn * s->xn)) return false;
  return true;
}

/* Returns whether Coulomb's law has only one solution, by the condition of the file head. onto_a, onto_B:
 * C^-1 a, C^-1 B. */
static bool has_single_solution(const reduced *r, const double *onto_a, const double *onto_B) {
  double aa = dot_rows(r->rows, r->a, onto_a), bb = dot_rows(r->rows, r->B, onto_B);
  return r->bn > (dot_rows(r->rows, r->a, onto_B) + sqrt(fmax(0, aa * bb))) / 2;
}

/* Returns v_n at the normal impulse xn; NAN if the iteration fails. s: in: friction at another normal
 * impulse, from which the iteration starts. */
static double velocity_at(const reduced *r, double xn, state *s) {
  s->xn = xn;
  return iterate_task((task){SC_RULE_COULOMB, true}, r, s)
      ? r->ann * xn + dot_rows(r->rows, r->a, s->y) - r->bn
      : NAN;
}

/* Finds the solution of Coulomb's law if there may be several. Newton's method starts from the solution of
 * the cone law. Its result is accepted if v_n > 0 at several normal impulses between the two. Returns false
 * otherwise. */
static bool find_largest(const reduced *r, state *s) {
  if (!iterate_task((task){SC_RULE_CONE, false}, r, s)) return false;
  state probe = *s;
  double most = s->xn;
  if (!iterate_task((task){SC_RULE_COULOMB, false}, r, s) || !(s->xn <= most * (1 + 1e-13))) return false;
  for (double xn = DOWN * most; xn > s->xn * (1 + 1e-6); xn *= DOWN)
    if (!(velocity_at(r, xn, &probe) > 0)) return false;
  probe = *s;
  return velocity_at(r, (1 - 1e-6) * s->xn, &probe) < 0;
}

static bool find_solution(sc_law_rule rule, const reduced *r, state *s) {
  double onto_a[MOST], onto_B[MOST];
  if (!factor_rows(r, s->nu, s->F)) return false;
  substitute_rows(r->rows, s->F, r->a, onto_a);
  substitute_rows(r->rows, s->F, r->B, onto_B);
  if (try_sticking(r, s, onto_a, onto_B)) return true;
  s->xn = r->bn / r->ann;
  return rule == SC_RULE_COULOMB && !has_single_solution(r, onto_a, onto_B)
      ? find_largest(r, s)
      : iterate_task((task){rule, false}, r, s);
}

bool sc_many_newton(sc_law_rule rule, sc_many_rows *p, double *xn) {
  reduced r;
  state s = {.nu = {0}};
  if (!(p->bn > 0)) return false;
  reduce_rows(p, &r);
  if (!find_solution(rule, &r, &s)) return false;
  memset(p->y, 0, sizeof p->y);
  memset(p->nu, 0, sizeof p->nu);
  for (int i = 0; i < r.rows; i++) p->y[r.row[i]] = s.y[i];
  for (int k = 0; k < r.parts; k++) p->nu[r.of[k]] = s.nu[k];
  *xn = s.xn;
  return true;
}
