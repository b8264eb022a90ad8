/* Simultaneous impacts: contacts with shared bodies that close at the same time.
 *
 * A solution of one impact after another would break symmetries: a box that lands flat would rotate about the
 * corner that is solved first. The velocities u = u- + A x of all contacts of the group are therefore
 * computed together, in two phases (u-: velocities before, x: impulses, A: Delassus operator):
 *   compression   the inelastic problem: u_n >= 0, x_n >= 0, complementary, Coulomb friction. Solved by
 *                 symmetric block Gauss-Seidel to rounding. The normal impulses x_n of a face are not
 *                 unique, but the velocities are.
 *   rebound       Poisson's hypothesis: every contact gets e times its normal impulse again. Friction
 *                 dissipates as much as these normal impulses allow (a second, convex problem). Under the
 *                 energetic law the rebound is scaled such that the normal impulses return e^2 of the work
 *                 that they absorbed in compression, summed over the group.
 * Without friction this is the generalised reflection of Smith, Kaufman, Vouga, Tamstorf & Grinspun (2012),
 * which conserves energy for e = 1. With friction the loss is L + s M + s^2 N in the scale s of the rebound,
 * with L >= 0. s is reduced if the loss would be negative. Newton's law is replaced by Poisson's in groups.
 * If e differs within a group, each contact uses its own e in the rebound.
 *
 * With tangential restitution e_t, friction in the rebound aims at a slip of -e_t times the slip before the
 * impact, as in Garwin's superball (1969). Without e_t friction aims at a slip of 0. The friction bound and
 * the limit of s are unchanged. */
#include "world/impact/impact.h"
#include "law/law.h"
#include "law/law_parts.h"
#include "math/vec.h"
#include "scree/impact.h"

/* Velocity change that counts as 0, divided by the largest speed in the group. */
static const double precision = 1e-14;

/* Changes the impulse of an impact from x to `next` and applies the difference to the bodies. Sets x to
 * `next`. Returns the size of the change of the contact's relative velocity [m/s]. */
static double apply_change(sc_bodies *bodies, const sc_impact *b, const double next[3], double x[3]) {
  double step[3], moved[3];
  sc_sub(next, x, step);
  sc_mat_vec(b->A, step, moved);
  sc_impact_apply(bodies, b, step);
  sc_copy3(next, x);
  return sc_norm(moved);
}

/* Sets out to the right side b = A x - u of the one-contact problem. u: present relative velocity, x: present
 * impulse. */
static void compute_right_side(
    const sc_bodies *bodies, const sc_impact *b, const double x[3], double out[3]) {
  double u[3];
  sc_impact_velocity(bodies, b, u);
  sc_mat_vec(b->A, x, out);
  sc_sub(out, u, out);
}

/* Solves the inelastic problem with Coulomb friction at one contact. Returns the change of the contact's
 * relative velocity [m/s]. */
static double compress_one(sc_bodies *bodies, sc_impact *impact) {
  double b[3], next[3] = {0, 0, 0}, par[SC_PAR_COUNT] = {0};
  compute_right_side(bodies, impact, impact->x, b);
  par[SC_PAR_MU] = impact->mu;
  const sc_law *law = sc_law_find("coulomb");
  law->solve(law, 3, impact->A, b, par, next, NULL);
  return apply_change(bodies, impact, next, impact->x);
}

/* Sets y to the friction impulse with |y| <= max that comes nearest to zero slip. y solves (H + l E) y = g
 * with l = 0 or |y| = max (H: symmetric 2x2 block xx, xy, yy; E: identity). l is found by Newton's method on
 * 1/|y|. */
static void solve_friction(const double H[3], const double g[2], double max, double y[2]) {
  double l = 0;
  for (int i = 0; i < 60; i++) {
    double a = H[0] + l, c = H[2] + l, det = a * c - H[1] * H[1];
    y[0] = (c * g[0] - H[1] * g[1]) / det, y[1] = (a * g[1] - H[1] * g[0]) / det;
    double size = sqrt(y[0] * y[0] + y[1] * y[1]);
    if (size <= max * (1 + 1e-15)) break;
    // d|y|/dl = -y.(H + l E)^-1 y / |y|
    double z0 = (c * y[0] - H[1] * y[1]) / det, z1 = (a * y[1] - H[1] * y[0]) / det,
           move = (size / max - 1) * size * size / (y[0] * z0 + y[1] * z1);
    l += move;
    if (move <= 1e-15 * l) break;
  }
}

/* Solves the rebound at one contact. The normal impulse is e times the normal impulse of compression.
 * Friction aims at a slip of -e_t times the slip before the round. Returns the change of the contact's
 * relative velocity [m/s]. */
static double rebound_one(sc_bodies *bodies, sc_impact *impact) {
  double b[3], next[3] = {impact->e * impact->x[0], 0, 0};
  compute_right_side(bodies, impact, impact->rebound, b);
  const double *A = impact->A, H[3] = {A[4], A[5], A[8]},
               g[2] = {b[1] - A[3] * next[0] - impact->tangential * impact->start[1],
                   b[2] - A[6] * next[0] - impact->tangential * impact->start[2]};
  if (impact->mu * next[0] > 0) solve_friction(H, g, impact->mu * next[0], next + 1);
  return apply_change(bodies, impact, next, impact->rebound);
}

/* Returns the maximum over contacts of the relative speed plus the speeds of both bodies [m/s]. Rounding
 * errors of this size limit the accuracy of the sweeps. */
static double fastest_speed_of(const sc_bodies *bodies, sc_impact *const *impact, int32_t count) {
  double max = 0;
  for (int32_t i = 0; i < count; i++) {
    const sc_contact *c = &impact[i]->contact;
    max = fmax(max,
        sc_norm(impact[i]->before) + sc_norm(bodies->velocity[c->body1]) +
            sc_norm(bodies->velocity[c->body2]));
  }
  return max;
}

/* Sweeps over the impacts, in alternating directions, until no velocity changes by more than `still` [m/s].
 * The maximum number of sweeps decreases with `count`. one: function that solves one impact and returns the
 * change of its velocity. */
static void sweep_group(sc_bodies *bodies, sc_impact *const *impact, int32_t count,
    double (*one)(sc_bodies *, sc_impact *), double still) {
  int32_t sweeps = 60 + 12000 / count;
  for (int32_t sweep = 0; sweep < sweeps; sweep++) {
    double moved = 0;
    for (int32_t i = 0; i < count; i++)
      moved = fmax(moved, one(bodies, impact[sweep & 1 ? count - 1 - i : i]));
    if (moved <= still) return;
  }
}

/* Returns the largest s' in [0, s] such that loss + t first + t^2 second >= 0 for all t in [0, s']. Requires
 * loss >= 0. */
static double limit_scale(double loss, double first, double second, double s) {
  if (loss + s * (first + s * second) >= 0) return s;
  double root = first * first - 4 * loss * second;
  if (!(root >= 0)) return 0;
  double q = -first + sqrt(root);
  return q > 0 ? fmin(s, 2 * loss / q) : 0;
}

/* Returns the factor s by which the impulses of the rebound are scaled. The bodies must have the velocities
 * after the unscaled rebound (s = 1). loss: energy dissipated in compression [J]. */
static double compute_rebound_scale(
    const sc_bodies *bodies, sc_impact *const *impact, int32_t count, double loss) {
  double target = 0, given = 0, first = 0, second = 0, s = 1;
  bool energetic = false;
  for (int32_t i = 0; i < count; i++) {
    const sc_impact *b = impact[i];
    double by[3];
    sc_impact_velocity(bodies, b, by);
    sc_sub(by, b->middle, by);
    target -= b->e * b->e * b->x[0] * (b->before[0] + b->middle[0]) / 2;
    given += b->rebound[0] * by[0] / 2;
    first -= sc_dot(b->rebound, b->middle);
    second -= sc_dot(b->rebound, by) / 2;
    energetic = energetic || b->law == SCREE_STRONGE;
  }
  if (energetic && target > 0 && given > 0) s = fmin(2, sqrt(target / given));
  return limit_scale(loss, first, second, s);
}

/* Returns the energy that the impulses x dissipate [J], from the velocities before the impact and the present
 * velocities. */
static double group_loss_of(const sc_bodies *bodies, sc_impact *const *impact, int32_t count) {
  double sum = 0;
  for (int32_t i = 0; i < count; i++) {
    double u[3];
    sc_impact_velocity(bodies, impact[i], u);
    sc_add(u, impact[i]->before, u);
    sum -= sc_dot(impact[i]->x, u) / 2;
  }
  return sum;
}

/* Fallback if the compression did not converge and gained energy: removes its impulses, then solves one
 * impact after another. Returns the dissipated energy [J]. */
static double solve_one_by_one(sc_bodies *bodies, sc_impact *const *impact, int32_t count) {
  double sum = 0, u[3], back[3];
  for (int32_t i = 0; i < count; i++) {
    sc_scale(-1, impact[i]->x, back);
    sc_impact_apply(bodies, impact[i], back);
    sc_set3(0, 0, 0, impact[i]->x);
  }
  for (int32_t i = 0; i < count; i++) {
    sc_impact_velocity(bodies, impact[i], u);
    if (u[0] < 0) sum += sc_impact_solve(bodies, impact[i]);
  }
  return sum;
}

double sc_impact_solve_group(sc_bodies *bodies, sc_impact *const *impact, int32_t count) {
  double still = precision * fastest_speed_of(bodies, impact, count);
  sweep_group(bodies, impact, count, compress_one, still);
  double loss = group_loss_of(bodies, impact, count);
  if (!(loss >= 0)) return solve_one_by_one(bodies, impact, count);
  for (int32_t i = 0; i < count; i++) sc_impact_velocity(bodies, impact[i], impact[i]->middle);
  sweep_group(bodies, impact, count, rebound_one, still);
  double s = compute_rebound_scale(bodies, impact, count, loss), part[3];
  for (int32_t i = 0; i < count; i++) {
    sc_scale(s - 1, impact[i]->rebound, part);
    sc_impact_apply(bodies, impact[i], part);
    sc_axpy(s, impact[i]->rebound, impact[i]->x, impact[i]->x);
  }
  return group_loss_of(bodies, impact, count);
}
