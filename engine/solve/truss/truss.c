/* Forces of the no-tension truss by semi-smooth Newton steps on the displacement field.
 *
 * Olsen & Kamrin (2018, Eq. 36) minimise the complementary energy sum (p-1)/p k^(1/(1-p)) f^(p/(p-1))
 * over forces f >= 0 that balance the load, B'f = F~. The dual problem has no constraints. Its unknowns are
 * one displacement per body, 0 for held bodies:
 *     minimise  E(u) = sum k/p max(0, c)^p + F~.u (+ u.Mu/2),
 *     c = -(offset + B u),   f = k max(0, c)^(p-1),
 * whose gradient F~ + M u - B'f is the unbalanced force. E is convex, once differentiable and piecewise
 * smooth:
 *
 *   direction    (M + shift + B'DB) d = -gradient with D the derivative of f, by preconditioned conjugate
 *                gradients. The shift falls with good steps. It prevents motion of loose bodies.
 *   length       the zero of the slope along d, which is monotone. A trial costs one pass over the members.
 *   end          the largest unbalanced force is below tolerance times the largest load
 *
 * For Hooke contacts the energy is piecewise quadratic. As soon as the pushing members are known, one step is
 * exact. Hertz contacts start from the scaled Hooke field. Newton's steps can stall for loads at the limit of
 * pushing forces, because many members carry almost nothing. Then the corners at c = 0 are rounded and
 * sharpened step by step. This is the central path of an interior-point method. If no pushing forces can
 * balance the load, E falls without bound, and the displacement of some body diverges. */
#include "solve/truss/truss.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include "math/vec.h"
#include "solve/truss/truss_system.h"

enum { PATIENCE = 25 }; /* number of Newton steps without progress after which a load counts as unsupported */

typedef struct newton {
  sc_truss_system *system;
  double *u, *g, *d, *md; /* [system.size] displacements, gradient, direction, M d */
  double shift; /* shift of the tangent, in mean diagonals; falls with good steps, rises with short steps */
} newton;

/* Returns the slope of the energy E along the direction d at the step length t. */
static double slope_along(const newton *n, double constant, double curvature, double t) {
  const sc_truss_system *s = n->system;
  double sum = constant + t * curvature, c[3], f[3];
  for (int32_t k = 0; k < s->members; k++) {
    const sc_member *m = s->member + k;
    for (int row = 0; row < m->rows; row++) c[row] = m->c[row] + t * m->step[row];
    sc_member_force(m, s->exponent, s->smooth, c, f, NULL);
    for (int row = 0; row < m->rows; row++) sum += f[row] * m->step[row];
  }
  return sum;
}

/* Returns the step length along d: 1 if the slope of the energy is small there, else the zero of the slope
 * (Illinois method). */
static double step_length(const newton *n) {
  const sc_truss_system *s = n->system;
  double constant = 0, curvature = 0;
  for (size_t k = 0; k < s->size; k++)
    constant += s->load[k] * n->d[k] + n->md[k] * n->u[k], curvature += n->md[k] * n->d[k];
  double low = 0, at_low = slope_along(n, constant, curvature, 0), high = 1,
         at_high = slope_along(n, constant, curvature, 1);
  double good = 0.1 * fabs(at_low);
  if (!(at_low < 0)) return 0;
  for (int k = 0; k < 30 && at_high < -good; k++) {
    low = high, at_low = at_high;
    high *= 2, at_high = slope_along(n, constant, curvature, high);
  }
  if (at_high <= good) return high;
  int side = 0;
  for (int k = 0; k < 40; k++) {
    double t = low + (high - low) * at_low / (at_low - at_high), at = slope_along(n, constant, curvature, t);
    if (fabs(at) <= good) return t;
    if (at > 0) {
      high = t, at_high = at;
      if (side == 1) at_low *= 0.5;
      side = 1;
    } else {
      low = t, at_low = at;
      if (side == -1) at_high *= 0.5;
      side = -1;
    }
  }
  return low > 0 ? low : high;
}

/* Returns the largest unbalanced force, or torque over arm, and sets *worst to its body. Returns INFINITY if
 * a force is not a number. */
static double find_residual(const newton *n, int32_t *worst) {
  const sc_truss_system *s = n->system;
  double largest = 0;
  for (int32_t b = 0; b < s->bodies; b++) {
    const double *g = n->g + (ptrdiff_t)b * s->dofs;
    double size = fmax(sc_norm(g), s->dofs == 6 ? sc_norm(g + 3) : 0);
    if (!(size <= largest))
      largest = isnan(size) ? INFINITY : size, *worst = b; // not a number: the displacements diverged
  }
  return largest;
}

static double evaluate_gradient(newton *n, int32_t *worst) {
  sc_truss_compress(n->system, n->u, 1, offsetof(sc_member, c));
  sc_truss_forces(n->system);
  sc_truss_gradient(n->system, n->u, n->g);
  return find_residual(n, worst);
}

/* Makes one Newton step. The tolerance of the direction falls with the residual. The shift rises after a
 * short step, which members that start or stop pushing cause, and falls after a full step. Returns the number
 * of conjugate-gradient steps. */
static int64_t make_truss_step(newton *n, double unbalanced) {
  sc_truss_system *s = n->system;
  double share = fmin(1, unbalanced);
  sc_truss_tangent(s, n->shift);
  int64_t steps = sc_truss_cg(
      s, n->g, fmax(1e-10, fmin(0.03, 0.1 * share)), 20 * (int64_t)s->size + 50, n->d);
  sc_truss_compress(s, n->d, 0, offsetof(sc_member, step));
  sc_truss_mass_times(s, n->d, n->md);
  double t = step_length(n);
  if (t < 0.3) n->shift = fmin(1, 4 * n->shift);
  else if (t > 0.7) n->shift = fmax(1e-13, 0.2 * n->shift);
  for (size_t k = 0; k < s->size; k++) n->u[k] += t * n->d[k];
  return steps;
}

/* Returns the rounding error of the balance of forces, relative to the largest load. It matters if forces are
 * much larger than the load, as between wedged bodies. */
static double rounding_error(const sc_truss_system *s) {
  double most = 0;
  for (int32_t k = 0; k < s->members; k++) most = fmax(most, fabs(s->member[k].f[0]));
  return 8 * 2.3e-16 * most;
}

/* Makes Newton steps until the largest unbalanced force is below the tolerance or the rounding error. Returns
 * false if it does not fall. */
static bool iterate_newton(newton *n, double tolerance, int64_t limit, sc_truss_report *report) {
  double best = INFINITY;
  int64_t since = 0;
  for (int64_t k = 0; k < limit; k++) {
    report->residual = evaluate_gradient(n, &report->worst);
    if (report->residual <= fmax(tolerance, rounding_error(n->system))) return true;
    if (sc_truss_ends(n->system)) return false;
    since = report->residual < 0.9 * best ? 0 : since + 1;
    best = fmin(best, report->residual);
    if (since > PATIENCE) break;
    report->cg_iterations += make_truss_step(n, report->residual);
    report->iterations++;
  }
  report->residual = evaluate_gradient(n, &report->worst);
  return report->residual <= fmax(tolerance, rounding_error(n->system));
}

/* Makes Newton steps with rounded corners of the energy, whose width falls step by step, then with sharp
 * corners. The residual at each width must fall to the size of the smoothing. Sharp corners make Newton's
 * steps very short if many members carry almost nothing. Returns false if the residual does not fall. */
static bool follow_path(newton *n, double tolerance, int64_t limit, sc_truss_report *report) {
  sc_truss_system *s = n->system;
  memset(n->u, 0, s->size * sizeof *n->u);
  n->shift = 1e-13;
  s->smooth = 1;
  for (int64_t k = 0; k < limit; k++) {
    report->residual = evaluate_gradient(n, &report->worst);
    while (s->smooth > 0 && report->residual <= pow(s->smooth, s->exponent - 1)) {
      s->smooth = s->smooth > 1e-14 ? 0.3 * s->smooth : 0;
      report->residual = evaluate_gradient(n, &report->worst);
    }
    if (s->smooth == 0 || sc_truss_ends(s)) break;
    report->cg_iterations += make_truss_step(n, report->residual);
    n->shift = 1e-13;
    report->iterations++;
  }
  s->smooth = 0;
  return iterate_newton(n, tolerance, limit, report);
}

/* Starts from the field for Hooke contacts, times the best factor for the true exponent. */
static void start_from_hooke(newton *n, int64_t limit, sc_truss_report *report) {
  sc_truss_system *s = n->system;
  double exponent = s->exponent;
  s->exponent = 2;
  iterate_newton(n, 1e-3, limit, report);
  s->exponent = exponent;
  memcpy(n->d, n->u, s->size * sizeof *n->d);
  memset(n->u, 0, s->size * sizeof *n->u);
  sc_truss_compress(s, n->u, 1, offsetof(sc_member, c));
  sc_truss_compress(s, n->d, 0, offsetof(sc_member, step));
  sc_truss_mass_times(s, n->d, n->md);
  double t = step_length(n);
  for (size_t k = 0; k < s->size; k++) n->u[k] = t * n->d[k];
}

/* Returns the longest image shift of all members, in units of cell_scale; 1 if no member crosses the cell. */
static double longest_shift(const sc_truss_system *s) {
  double most = 0;
  for (int32_t k = 0; k < s->members; k++) most = fmax(most, sc_norm(s->member[k].shift));
  return most > 0 ? most : 1;
}

/* Returns the body with the largest displacement, whose load is therefore not supported. -1: no body
 * moves. */
static int32_t find_furthest_body(const newton *n) {
  const sc_truss_system *s = n->system;
  int32_t found = -1;
  double most = 0;
  for (int32_t b = 0; b < s->bodies; b++) {
    const double *u = n->u + (ptrdiff_t)b * s->dofs;
    double size = sc_norm(u) + (s->dofs == 6 ? sc_norm(u + 3) : 0);
    if (s->cell && b >= s->cell_at) size *= longest_shift(s);
    // a displacement that is not a number has diverged, so it counts as the largest
    if (!(size <= most)) most = isnan(size) ? INFINITY : size, found = b;
  }
  return found;
}

/* Copies the caller's displacements (lengths and angles) to the scaled displacements. */
static void read_field(newton *n, double (*u)[6]) {
  const sc_truss_system *s = n->system;
  for (int32_t b = 0; b < s->bodies; b++)
    for (int d = 0; d < s->dofs; d++)
      n->u[b * s->dofs + d] = u && !s->held[b]
          ? u[b][d] * (d < 3 ? sc_truss_unit(s, b) : s->arm_scale[b]) / s->move_scale
          : 0;
}

static void write_field(const newton *n, double (*u)[6]) {
  const sc_truss_system *s = n->system;
  for (int32_t b = 0; u && b < s->bodies; b++) {
    memset(u[b], 0, sizeof u[b]);
    for (int d = 0; d < s->dofs; d++)
      u[b][d] = n->u[b * s->dofs + d] * s->move_scale / (d < 3 ? sc_truss_unit(s, b) : s->arm_scale[b]);
  }
}

static bool is_zero_field(const newton *n) {
  for (size_t k = 0; k < n->system->size; k++)
    if (n->u[k] != 0) return false;
  return true;
}

scree_status sc_truss_solve(const sc_truss *truss, sc_arena *arena, double (*force)[3], double (*u)[6],
    sc_truss_report *report, scree_error *error) {
  sc_truss_system system;
  scree_status status = sc_truss_scale(truss, arena, &system, report, error);
  if (status) return status;
  newton n = {.system = &system, .shift = 1e-4, .u = SC_TAKE(arena, double, 4 * system.size)};
  if (!n.u) return sc_fail(error, SCREE_E_MEMORY, "no memory for compatible forces");
  n.g = n.u + system.size;
  n.d = n.g + system.size;
  n.md = n.d + system.size;
  read_field(&n, u);
  if (system.exponent != 2 && is_zero_field(&n)) start_from_hooke(&n, truss->iterations, report);
  bool balanced = iterate_newton(&n, truss->tolerance, truss->iterations, report) ||
      follow_path(&n, truss->tolerance, truss->iterations, report);
  for (int32_t c = 0; c < truss->contacts; c++)
    for (int row = 0; row < 3; row++) force[c][row] = system.member[c].f[row] * system.force_scale;
  write_field(&n, u);
  if (balanced) return SCREE_OK;
  if (sc_truss_ends(&system)) {
    report->worst = -1;
    return sc_fail(error, SCREE_E_NUMERIC,
        "compatible forces: %s after %lld conjugate-gradient steps, with %.2g of the largest load left over",
        system.stopped ? "stopped" : "not found", (long long)report->cg_iterations, report->residual);
  }
  report->worst = find_furthest_body(&n);
  return sc_fail(error, SCREE_E_NUMERIC,
      "no pushing forces balance the load on body %d: %.2g of the largest load is left over",
      (int)report->worst + 1, report->residual);
}
