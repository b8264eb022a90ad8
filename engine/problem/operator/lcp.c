/* Builds the complementarity problem of lcp.h: computes the dense Delassus matrix of all rows, eliminates
 * free rows, and changes to the unknowns of polyhedral cones and boxes.
 *
 * Every unknown is a combination of at most two base rows: a direction in the tangent plane, a normal, or
 * a boxed row. The entry M_uv is therefore the sum of products of coefficients with W after elimination.
 * The rows of lambda and of upper bounds contain only constants. */
#include "problem/operator/lcp.h"
#include "problem/operator/local.h"

#include <math.h>
#include <string.h>
#include "law/law_parts.h"
#include "math/dense.h"
#include "math/vec.h"

/* Rank tolerance, as a share of a free row's diagonal. If less remains of the diagonal after elimination, the
 * row is redundant. */
static const double DEPENDENT = 1e-11;
enum { MAX_ROWS = 40000 }; /* rows of a dense table, so that indices of entries have at most 32 bits */

/* ---- directions ---- */

/* Computes out = (cos, sin) of an angle in [0, pi], by their series about pi/2. C libraries are not used,
 * because their results differ. */
static void cos_sin(double angle, double out[2]) {
  double x = angle - 1.5707963267948966, term = 1, c = 0, s = 0;
  for (int i = 0; i < 28; i++) {
    if (i % 2) s += i % 4 == 1 ? term : -term;
    else c += i % 4 == 0 ? term : -term;
    term *= x / (i + 1);
  }
  out[0] = -s;
  out[1] = c;
}

/* Returns k directions at equal angles, the first along t; NULL if out of memory. Components of opposite
 * directions and of mirror images are equal without rounding errors, except for their sign. */
static const double (*even_directions(int k, sc_arena *arena))[2] {
  double(*d)[2] = sc_arena_take(arena, (size_t)k * sizeof *d);
  if (!d) return NULL;
  d[0][0] = 1, d[0][1] = 0;
  for (int i = 1; i <= k / 2; i++) {
    cos_sin(6.283185307179586 * i / k, d[i]);
    if (2 * i == k) d[i][0] = -1, d[i][1] = 0;
    if (4 * i == k) d[i][0] = 0, d[i][1] = 1;
    if (k % 2 == 0 && 4 * i > k) d[i][0] = -d[k / 2 - i][0], d[i][1] = d[k / 2 - i][1];
    d[k - i][0] = d[i][0];
    d[k - i][1] = -d[i][1];
  }
  return (const double(*)[2])d;
}

/* Returns the number of friction directions of a contact: 2 in a planar problem, else parameter "directions"
 * of its law. fallback: result if the law has no such parameter. */
static int direction_count(const sc_problem *problem, const sc_general_contact *contact, int fallback) {
  if (problem->planar) return 2;
  int k = (int)sc_problem_parameter(problem, contact, "directions", fallback);
  return k < 2 ? 2 : k;
}

/* Sets the directions of a law that defines a polygon of friction: the nonzero corners of the polygon.
 * Friction is at most the normal impulse times a corner, so mu is 1. Returns false if out of memory. */
static bool list_corners(
    const sc_problem *problem, const sc_general_contact *contact, sc_arena *arena, sc_lcp_item *item) {
  double corner[SC_LAW_MOST_CORNERS][2], (*d)[2] = sc_arena_take(arena, sizeof corner);
  int count = problem->law[contact->law]->corners(problem->par + contact->par, corner), k = 0;
  if (!d) return false;
  for (int i = 0; i < count; i++)
    if (corner[i][0] != 0 || corner[i][1] != 0) memcpy(d[k++], corner[i], sizeof *d);
  *item = (sc_lcp_item){.kind = SC_LCP_CONTACT, .directions = k, .mu = 1, .direction = (const double(*)[2])d};
  return true;
}

/* ---- base rows ---- */

static void ball_rows(
    const sc_problem *problem, int32_t c, sc_lcp *lcp, int32_t base, double *x, double *bias) {
  const sc_ball_contact *contact = problem->ball + c;
  const sc_contact_spring *s = &contact->spring;
  double axis[3][3];
  sc_copy3(contact->n, axis[0]);
  sc_frame(contact->n, axis[1], axis[2]);
  for (int k = 0; k < 3; k++) {
    sc_row_of_ball(contact, axis[k], lcp->row + base + k);
    x[base + k] = sc_dot(contact->p, axis[k]);
    bias[base + k] = k  ? s->tangent * (x[base + k] - sc_dot(s->last, axis[k]))
        : s->normal > 0 ? s->normal * x[base] + s->bias
                        : contact->bias;
  }
}

static void general_rows(
    const sc_problem *problem, int32_t c, sc_lcp *lcp, int32_t base, double *x, double *bias) {
  const sc_general_contact *contact = problem->general + c;
  sc_set3(0, 0, 0, bias + base);
  bias[base] += sc_spring_general(contact, problem->x + contact->x, bias + base);
  for (int k = 0; k < 3; k++) {
    sc_row_of_general(contact, k, lcp->row + base + k);
    x[base + k] = problem->x[contact->x + k];
    if (problem->drifts) bias[base + k] += contact->drift[k];
  }
}

const char *sc_lcp_misfit(const sc_law *law, const double *par) {
  if (law->user) return "is defined by a script";
  if (law->corners || !law->params_count || law->penalty) return NULL;
  if (strcmp(law->name, "polyhedral") != 0 && !(law->project && law->shift))
    return "is none of coulomb, polyhedral, directional and frictionless";
  if (law->dim && law->dim(par) > 3) return "has torsional or rolling friction";
  if (par[SC_PAR_MU_STATIC] > par[SC_PAR_MU]) return "has mu_static above mu";
  return par[SC_PAR_MU2] > 0 ? "has mu2, which directional gives by its vectors" : NULL;
}

static scree_status check_law(
    const sc_problem *problem, const sc_general_contact *contact, scree_error *error) {
  const sc_law *law = problem->law[contact->law];
  const char *why = sc_lcp_misfit(law, problem->par + contact->par);
  return !why ? SCREE_OK
              : sc_fail(error, SCREE_E_ARGUMENT, "lemke cannot take law %s: it %s; nbgs can", law->name, why);
}

/* Lists contacts and joint rows with their base rows. x: set to the impulses of the base rows. bias: set to
 * their biases. */
static scree_status list_rows(const sc_problem *problem, int directions, sc_arena *arena, sc_lcp *lcp,
    double *x, double *bias, scree_error *error) {
  int32_t base = 0;
  sc_lcp_item *item = lcp->item;
  for (int32_t c = 0; c < problem->balls + problem->generals; c++, item++, base += 3) {
    bool ball = c < problem->balls;
    const sc_general_contact *general = ball ? NULL : problem->general + (c - problem->balls);
    if (!ball && check_law(problem, general, error) != SCREE_OK) return SCREE_E_ARGUMENT;
    if (!ball && problem->law[general->law]->corners) {
      if (!list_corners(problem, general, arena, item))
        return sc_fail(error, SCREE_E_MEMORY, "no memory for friction directions");
      item->source = c;
      item->base = base;
      general_rows(problem, c - problem->balls, lcp, base, x, bias);
      continue;
    }
    double mu = ball ? problem->ball[c].mu : sc_problem_mu(problem, general);
    int k = mu > 0 ? ball ? directions : direction_count(problem, general, directions) : 0;
    *item = (sc_lcp_item){.kind = SC_LCP_CONTACT, .source = c, .base = base, .directions = k, .mu = mu};
    item->direction = k ? even_directions(k, arena) : NULL;
    if (k && !item->direction) return sc_fail(error, SCREE_E_MEMORY, "no memory for friction directions");
    if (ball) ball_rows(problem, c, lcp, base, x, bias);
    else general_rows(problem, c - problem->balls, lcp, base, x, bias);
  }
  for (int32_t r = 0; r < problem->joint_rows; r++, item++, base++) {
    const sc_joint_row *joint = problem->joint_row + r;
    bool is_free = isinf(joint->lo) && isinf(joint->hi);
    *item = (sc_lcp_item){.kind = is_free ? SC_LCP_FREE : SC_LCP_BOXED,
        .source = r,
        .base = base,
        .sign = isinf(joint->lo) ? -1 : 1};
    sc_row_of_joint(problem, joint, lcp->row + base);
    x[base] = joint->x;
    bias[base] = joint->bias + joint->softness * joint->x;
    if (is_free) lcp->free_row[lcp->frees++] = base;
  }
  return SCREE_OK;
}

static void fill_delassus(const sc_problem *problem, sc_lcp *lcp) {
  int n = lcp->rows;
  for (int a = 0; a < n; a++)
    for (int b = 0; b <= a; b++)
      lcp->W[a * n + b] = lcp->W[b * n + a] = sc_row_couple(problem, lcp->row + a, lcp->row + b);
  for (int i = 0; i < lcp->items; i++) {
    const sc_lcp_item *item = lcp->item + i;
    const int32_t general = item->source - problem->balls;
    if (item->kind != SC_LCP_CONTACT) {
      lcp->W[item->base * n + item->base] += problem->joint_row[item->source].softness;
      continue;
    }
    const sc_contact_spring *s = general < 0 ? &problem->ball[item->source].spring
                                             : &problem->general[general].spring;
    for (int k = 0; k < 3; k++) lcp->W[(item->base + k) * (n + 1)] += k ? s->tangent : s->normal;
  }
}

/* Computes free = J v + bias - W x, the velocities of rows without impulses, plus bias. */
static void fill_free(const sc_problem *problem, sc_lcp *lcp, const double *x, const double *bias) {
  int n = lcp->rows;
  for (int a = 0; a < n; a++) {
    double sum = sc_row_velocity(problem, lcp->row + a) + bias[a];
    for (int b = 0; b < n; b++) sum -= lcp->W[a * n + b] * x[b];
    lcp->free[a] = sum;
  }
}

/* ---- elimination of free rows ---- */

static bool factor_free(sc_lcp *lcp, sc_arena *arena) {
  int n = lcp->frees;
  lcp->factor = SC_TAKE(arena, double, n *n + n);
  lcp->order = SC_TAKE(arena, int, n);
  if (!lcp->factor || !lcp->order) return false;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      lcp->factor[a * n + b] = lcp->W[lcp->free_row[a] * lcp->rows + lcp->free_row[b]];
  lcp->rank = sc_cholesky_factor(n, lcp->factor, lcp->order, DEPENDENT, lcp->factor + n * n);
  return true;
}

/* Eliminates the set E of free rows: S = W - W_E W_EE^+ W_E and s = free - W_E W_EE^+ free_E over all base
 * rows (^+: pseudo-inverse). The rows of E become 0. Returns false if out of memory. */
static bool eliminate_free(sc_lcp *lcp, sc_arena *arena, double *S, double *s) {
  int n = lcp->rows, m = lcp->frees;
  memcpy(S, lcp->W, (size_t)n * (size_t)n * sizeof *S);
  memcpy(s, lcp->free, (size_t)n * sizeof *s);
  if (!m) return true;
  double *column = SC_TAKE(arena, double, 3 * m), *answer = column + m, *scratch = answer + m;
  if (!column || !factor_free(lcp, arena)) return false;
  for (int b = 0; b <= n; b++) { // column n stands for the free velocities
    for (int e = 0; e < m; e++)
      column[e] = b < n ? lcp->W[lcp->free_row[e] * n + b] : lcp->free[lcp->free_row[e]];
    sc_cholesky_solve(m, lcp->rank, lcp->factor, lcp->order, column, answer, scratch);
    for (int a = 0; a < n; a++) {
      double sum = 0;
      for (int e = 0; e < m; e++) sum += lcp->W[a * n + lcp->free_row[e]] * answer[e];
      if (b < n) S[a * n + b] -= sum;
      else s[a] -= sum;
    }
  }
  return true;
}

/* ---- unknowns ---- */

/* An unknown as a combination of base rows: ca times row a plus cb times row b. a = -1: lambda or the slack
 * of an upper bound, whose entries are constants. b = -1: only row a. */
typedef struct unknown {
  int32_t a, b;
  double ca, cb;
} unknown;

static int upper_bounded(const sc_problem *problem, const sc_lcp_item *item) {
  const sc_joint_row *joint = problem->joint_row + item->source;
  return isfinite(joint->lo) && isfinite(joint->hi);
}

/* Sets first unknown and scale of every item. Returns the number of unknowns. */
static int32_t number_unknowns(const sc_problem *problem, sc_lcp *lcp, const double *S) {
  int32_t z = 0;
  for (int i = 0; i < lcp->items; i++) {
    sc_lcp_item *item = lcp->item + i;
    double own = lcp->W[item->base * lcp->rows + item->base], left = S[item->base * lcp->rows + item->base];
    item->scale = 1 / sqrt(left > 1e-12 * own ? left : own > 0 ? own : 1);
    item->z = item->kind == SC_LCP_FREE ? -1 : z;
    if (item->kind == SC_LCP_CONTACT) z += item->directions ? item->directions + 2 : 1;
    if (item->kind == SC_LCP_BOXED) z += 1 + upper_bounded(problem, item);
  }
  return z;
}

static void list_unknowns(const sc_problem *problem, const sc_lcp *lcp, unknown *u) {
  for (int i = 0; i < lcp->items; i++) {
    const sc_lcp_item *item = lcp->item + i;
    unknown *at = u + item->z;
    if (item->kind == SC_LCP_BOXED) {
      at[0] = (unknown){item->base, -1, item->sign * item->scale, 0};
      if (upper_bounded(problem, item)) at[1] = (unknown){-1, -1, 0, 0};
    }
    if (item->kind != SC_LCP_CONTACT) continue;
    for (int d = 0; d < item->directions; d++)
      *at++ = (unknown){item->base + 1, item->base + 2, item->scale * item->direction[d][0],
          item->scale * item->direction[d][1]};
    at[0] = (unknown){item->base, -1, item->scale, 0};
    if (item->directions) at[1] = (unknown){-1, -1, 0, 0};
  }
}

/* Returns the entry of S between an unknown and base row b. */
static double combine_entry(const unknown *u, const double *S, int n, int b) {
  double sum = u->ca * S[u->a * n + b];
  return u->b < 0 ? sum : sum + u->cb * S[u->b * n + b];
}

static void fill_products(sc_lcp *lcp, const unknown *u, const double *S, const double *s) {
  int n = lcp->n, rows = lcp->rows;
  for (int i = 0; i < n; i++) {
    if (u[i].a < 0) continue;
    lcp->q[i] = u[i].ca * s[u[i].a] + (u[i].b < 0 ? 0 : u[i].cb * s[u[i].b]);
    for (int j = 0; j < n; j++) {
      if (u[j].a < 0) continue;
      double sum = u[j].ca * combine_entry(u + i, S, rows, u[j].a);
      if (u[j].b >= 0) sum += u[j].cb * combine_entry(u + i, S, rows, u[j].b);
      lcp->M[i * n + j] = sum;
    }
  }
}

/* Sets the entries of M and q that do not depend on S: those between lambda and the directions, mu, and those
 * of upper bounds of boxes. */
static void fill_constants(const sc_problem *problem, sc_lcp *lcp) {
  int n = lcp->n;
  for (int i = 0; i < lcp->items; i++) {
    const sc_lcp_item *item = lcp->item + i;
    if (item->kind == SC_LCP_BOXED && upper_bounded(problem, item)) {
      const sc_joint_row *joint = problem->joint_row + item->source;
      lcp->M[item->z * n + item->z + 1] = 1;
      lcp->M[(item->z + 1) * n + item->z] = -1;
      lcp->q[item->z + 1] = (joint->hi - joint->lo) / item->scale;
    }
    if (item->kind != SC_LCP_CONTACT || !item->directions) continue;
    int normal = item->z + item->directions, lambda = normal + 1;
    for (int d = 0; d < item->directions; d++)
      lcp->M[(item->z + d) * n + lambda] = 1, lcp->M[lambda * n + item->z + d] = -1;
    lcp->M[lambda * n + normal] = item->mu;
  }
}

/* Adds the effect of constant impulses to the velocities s: a boxed row whose unknown is 0 has the impulse of
 * its bound. */
static void add_offsets(const sc_problem *problem, const sc_lcp *lcp, const double *S, double *s) {
  for (int i = 0; i < lcp->items; i++) {
    const sc_lcp_item *item = lcp->item + i;
    if (item->kind != SC_LCP_BOXED) continue;
    const sc_joint_row *joint = problem->joint_row + item->source;
    double offset = item->sign > 0 ? joint->lo : joint->hi;
    for (int a = 0; offset != 0 && a < lcp->rows; a++) s[a] += S[a * lcp->rows + item->base] * offset;
  }
}

/* ---- building and storing ---- */

static scree_status no_memory(scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "no memory for the complementarity problem");
}

/* Checks that dense tables of count x count numbers fit into memory, before they are allocated. */
static scree_status check_size(size_t count, int tables, const char *what, scree_error *error) {
  double bytes = (double)count * (double)count * tables * sizeof(double);
  if (count <= MAX_ROWS && sc_alloc_affordable((size_t)bytes)) return SCREE_OK;
  return sc_fail(error, SCREE_E_MEMORY, "no memory for %d dense tables of %zu %s each way: %.0f MiB", tables,
      count, what, bytes / 1048576);
}

static scree_status assemble_unknowns(
    const sc_problem *problem, sc_arena *arena, sc_lcp *lcp, scree_error *error) {
  size_t rows = (size_t)lcp->rows;
  double *S = SC_TAKE(arena, double, rows *rows), *s = SC_TAKE(arena, double, rows);
  if (!S || !s || !eliminate_free(lcp, arena, S, s)) return no_memory(error);
  add_offsets(problem, lcp, S, s);
  lcp->n = number_unknowns(problem, lcp, S);
  size_t n = (size_t)lcp->n;
  // the three tables are M, the tableau of Lemke's method, and the matrix of its final basis
  scree_status status = check_size(n, 3, "unknowns", error);
  if (status != SCREE_OK) return status;
  lcp->M = SC_TAKE(arena, double, n *n);
  lcp->q = SC_TAKE(arena, double, n);
  unknown *u = SC_TAKE(arena, unknown, n + 1);
  if (!lcp->M || !lcp->q || !u) return no_memory(error);
  memset(lcp->M, 0, n * n * sizeof *lcp->M);
  memset(lcp->q, 0, n * sizeof *lcp->q);
  list_unknowns(problem, lcp, u);
  fill_products(lcp, u, S, s);
  fill_constants(problem, lcp);
  return SCREE_OK;
}

/* Sets items, base rows, W and free of the complementarity problem. *x: set to the present impulses of the
 * base rows. */
static scree_status find_rows(
    const sc_problem *problem, int directions, sc_arena *arena, sc_lcp *lcp, double **x, scree_error *error) {
  memset(lcp, 0, sizeof *lcp);
  size_t contacts = (size_t)(problem->balls + problem->generals), joints = (size_t)problem->joint_rows,
         rows = 3 * contacts + joints;
  // the two tables are W, and S, which W becomes when free rows are eliminated
  scree_status status = check_size(rows, 2, "rows", error);
  if (status != SCREE_OK) return status;
  lcp->items = (int)(contacts + joints);
  lcp->rows = (int)rows;
  lcp->item = SC_TAKE(arena, sc_lcp_item, lcp->items);
  lcp->row = SC_TAKE(arena, sc_row, rows);
  lcp->W = SC_TAKE(arena, double, rows *rows);
  lcp->free = SC_TAKE(arena, double, 3 * rows);
  lcp->free_row = SC_TAKE(arena, int32_t, joints);
  if (!lcp->item || !lcp->row || !lcp->W || !lcp->free || !lcp->free_row) return no_memory(error);
  double *bias = lcp->free + 2 * rows;
  *x = lcp->free + rows;
  status = list_rows(problem, directions, arena, lcp, *x, bias, error);
  if (status != SCREE_OK) return status;
  fill_delassus(problem, lcp);
  fill_free(problem, lcp, *x, bias);
  return SCREE_OK;
}

scree_status sc_lcp_build(
    const sc_problem *problem, int directions, sc_arena *arena, sc_lcp *lcp, scree_error *error) {
  double *x;
  scree_status status = find_rows(problem, directions, arena, lcp, &x, error);
  return status == SCREE_OK ? assemble_unknowns(problem, arena, lcp, error) : status;
}

/* Computes the impulses x of contacts and boxed rows, per base row, from z. Sets the impulses of free rows to
 * 0. */
static void base_impulses(const sc_lcp *lcp, const double *z, const sc_problem *problem, double *x) {
  memset(x, 0, (size_t)lcp->rows * sizeof *x);
  for (int i = 0; i < lcp->items; i++) {
    const sc_lcp_item *item = lcp->item + i;
    if (item->kind == SC_LCP_BOXED) {
      const sc_joint_row *joint = problem->joint_row + item->source;
      x[item->base] = (item->sign > 0 ? joint->lo : joint->hi) + item->sign * item->scale * z[item->z];
    }
    if (item->kind != SC_LCP_CONTACT) continue;
    x[item->base] = item->scale * z[item->z + item->directions];
    for (int d = 0; d < item->directions; d++) {
      x[item->base + 1] += item->scale * z[item->z + d] * item->direction[d][0];
      x[item->base + 2] += item->scale * z[item->z + d] * item->direction[d][1];
    }
  }
}

/* Computes the impulses of the set E of free rows: x_E = -W_EE^+ (free_E + W_E x). */
static void free_impulses(const sc_lcp *lcp, double *x, double *work) {
  int m = lcp->frees, n = lcp->rows;
  double *load = work, *answer = work + m, *scratch = answer + m;
  for (int e = 0; e < m; e++) {
    load[e] = -lcp->free[lcp->free_row[e]];
    for (int b = 0; b < n; b++) load[e] -= lcp->W[lcp->free_row[e] * n + b] * x[b];
  }
  sc_cholesky_solve(m, lcp->rank, lcp->factor, lcp->order, load, answer, scratch);
  for (int e = 0; e < m; e++) x[lcp->free_row[e]] = answer[e];
}

/* Sets the impulse of a contact in the problem. change: set to the difference from its previous impulse,
 * along n, t, o. */
static void put_contact(const sc_lcp *lcp, const sc_lcp_item *item, const double *x,
    const sc_problem *problem, double change[3]) {
  if (item->source >= problem->balls) {
    double *old = problem->x + problem->general[item->source - problem->balls].x;
    for (int k = 0; k < 3; k++) change[k] = x[item->base + k] - old[k], old[k] = x[item->base + k];
    return;
  }
  sc_ball_contact *ball = problem->ball + item->source;
  double old[3];
  sc_copy3(ball->p, old);
  sc_set3(0, 0, 0, ball->p);
  for (int k = 0; k < 3; k++) {
    const double *axis = lcp->row[item->base + k].lin1;
    change[k] = x[item->base + k] - sc_dot(old, axis);
    sc_axpy(x[item->base + k], axis, ball->p, ball->p);
  }
}

static void put_impulses(const sc_lcp *lcp, const double *x, const sc_problem *problem) {
  for (int i = 0; i < lcp->items; i++) {
    const sc_lcp_item *item = lcp->item + i;
    double change[3];
    if (item->kind == SC_LCP_CONTACT) put_contact(lcp, item, x, problem, change);
    else {
      sc_joint_row *joint = problem->joint_row + item->source;
      change[0] = x[item->base] - joint->x;
      joint->x = x[item->base];
    }
    for (int k = 0; k < (item->kind == SC_LCP_CONTACT ? 3 : 1); k++)
      sc_row_apply(problem, lcp->row + item->base + k, change[k]);
  }
}

scree_status sc_lcp_finish(
    const sc_lcp *lcp, const double *z, const sc_problem *problem, sc_arena *arena, scree_error *error) {
  double *x = SC_TAKE(arena, double, lcp->rows + 3 * lcp->frees);
  if (!x) return no_memory(error);
  base_impulses(lcp, z, problem, x);
  if (lcp->frees) free_impulses(lcp, x, x + lcp->rows);
  put_impulses(lcp, x, problem);
  return SCREE_OK;
}
