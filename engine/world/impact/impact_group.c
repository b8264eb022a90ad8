/* Blows that happen together: contacts that close at the same time on bodies they share.
 *
 * One after the other they would break symmetries: a box that lands flat would turn on the corner that
 * happens to be struck first. So the velocities u = u- + A x of all contacts of the group are found
 * together (A their Delassus operator), in two phases:
 *   compression   the inelastic problem: u_n >= 0, x_n >= 0, complementary, Coulomb friction; by block
 *                 Gauss-Seidel, forwards and back, to rounding. The normal impulses x_n of a face are
 *                 not unique, the velocities are.
 *   rebound       every contact pushes on with e times its normal impulse, and friction with the largest
 *                 dissipation that these normal impulses allow (a second, convex problem): Poisson's
 *                 hypothesis. Under the energetic law the rebound is scaled until the normal impulses
 *                 give back e^2 of the work that they took in compression, summed over the group.
 * Without friction this is the generalised reflection of Smith, Kaufman, Vouga, Tamstorf & Grinspun
 * (2012): energy stays for e =
 * 1. With friction the energy lost is L + s M + s^2 N in the scale s of the rebound, L >= 0; s is cut
 * back where it would fall below 0. Newton's law is taken as Poisson's here, and unequal e within a
 * group only matter through each contact's own rebound.
 *
 * With tangential restitution the rebound's friction seeks the slip -e_t times that before the blow in place
 * of none, as in Garwin's superball (1969): its bound and the cut of s stay. */
#include "world/impact/impact.h"
#include "law/law.h"
#include "law/law_parts.h"
#include "math/vec.h"
#include "scree/impact.h"

static const double precision = 1e-14;

/* Gives the change of a blow's impulse to the bodies; returns how far it moves the contact, as a velocity. */
static double change(sc_bodies *bodies, const sc_blow *b, const double next[3], double x[3]) {
  double step[3], moved[3];
  sc_sub(next, x, step);
  sc_mat_vec(b->A, step, moved);
  sc_blow_give(bodies, b, step);
  sc_copy3(next, x);
  return sc_norm(moved);
}

/* What the free problem of a contact is: b = A x - u. */
static void free_problem(const sc_bodies *bodies, const sc_blow *b, const double x[3], double out[3]) {
  double u[3];
  sc_blow_velocity(bodies, b, u);
  sc_mat_vec(b->A, x, out);
  sc_sub(out, u, out);
}

/* Inelastic contact with Coulomb friction. */
static double compress_one(sc_bodies *bodies, sc_blow *blow) {
  double b[3], next[3] = {0, 0, 0}, par[SC_PAR_COUNT] = {0};
  free_problem(bodies, blow, blow->x, b);
  par[SC_PAR_MU] = blow->mu;
  const sc_law *law = sc_law_find("coulomb");
  law->solve(law, 3, blow->A, b, par, next, NULL);
  return change(bodies, blow, next, blow->x);
}

/* Nearest to no slip that |y| <= most allows:  (H + l E) y = g,  l = 0 or |y| = most, by Newton on 1/|y|. */
static void limited_friction(const double H[3], const double g[2], double most, double y[2]) {
  double l = 0;
  for (int i = 0; i < 60; i++) {
    double a = H[0] + l, c = H[2] + l, det = a * c - H[1] * H[1];
    y[0] = (c * g[0] - H[1] * g[1]) / det, y[1] = (a * g[1] - H[1] * g[0]) / det;
    double size = sqrt(y[0] * y[0] + y[1] * y[1]);
    if (size <= most * (1 + 1e-15)) break;
    // d|y|/dl = -y.(H + l E)^-1 y / |y|
    double z0 = (c * y[0] - H[1] * y[1]) / det, z1 = (a * y[1] - H[1] * y[0]) / det,
           move = (size / most - 1) * size * size / (y[0] * z0 + y[1] * z1);
    l += move;
    if (move <= 1e-15 * l) break;
  }
}

/* The normal impulse given, friction as it can: towards no slip, or the slip before the blow reversed. */
static double rebound_one(sc_bodies *bodies, sc_blow *blow) {
  double b[3], next[3] = {blow->e * blow->x[0], 0, 0};
  free_problem(bodies, blow, blow->rebound, b);
  const double *A = blow->A, H[3] = {A[4], A[5], A[8]},
               g[2] = {b[1] - A[3] * next[0] - blow->tangential * blow->start[1],
                   b[2] - A[6] * next[0] - blow->tangential * blow->start[2]};
  if (blow->mu * next[0] > 0) limited_friction(H, g, blow->mu * next[0], next + 1);
  return change(bodies, blow, next, blow->rebound);
}

/* Speeds whose rounding errors limit what can be reached. */
static double fastest(const sc_bodies *bodies, sc_blow *const *blow, int32_t count) {
  double most = 0;
  for (int32_t i = 0; i < count; i++) {
    const sc_contact *c = &blow[i]->contact;
    most = fmax(most,
        sc_norm(blow[i]->before) + sc_norm(bodies->velocity[c->body1]) + sc_norm(bodies->velocity[c->body2]));
  }
  return most;
}

/* Sweeps to and fro until nothing moves any more; large groups get fewer sweeps. */
static void relax(sc_bodies *bodies, sc_blow *const *blow, int32_t count,
    double (*one)(sc_bodies *, sc_blow *), double still) {
  int32_t sweeps = 60 + 12000 / count;
  for (int32_t sweep = 0; sweep < sweeps; sweep++) {
    double moved = 0;
    for (int32_t i = 0; i < count; i++) moved = fmax(moved, one(bodies, blow[sweep & 1 ? count - 1 - i : i]));
    if (moved <= still) return;
  }
}

/* Largest s' in [0, s] with loss + s' first + s'^2 second >= 0 all the way, loss >= 0. */
static double affordable(double loss, double first, double second, double s) {
  if (loss + s * (first + s * second) >= 0) return s;
  double root = first * first - 4 * loss * second;
  if (!(root >= 0)) return 0;
  double q = -first + sqrt(root);
  return q > 0 ? fmin(s, 2 * loss / q) : 0;
}

/* How far the rebound goes; the bodies stand at the end of the whole one. */
static double rebound_scale(const sc_bodies *bodies, sc_blow *const *blow, int32_t count, double loss) {
  double target = 0, given = 0, first = 0, second = 0, s = 1;
  bool energetic = false;
  for (int32_t i = 0; i < count; i++) {
    const sc_blow *b = blow[i];
    double by[3];
    sc_blow_velocity(bodies, b, by);
    sc_sub(by, b->middle, by);
    target -= b->e * b->e * b->x[0] * (b->before[0] + b->middle[0]) / 2;
    given += b->rebound[0] * by[0] / 2;
    first -= sc_dot(b->rebound, b->middle);
    second -= sc_dot(b->rebound, by) / 2;
    energetic = energetic || b->law == SCREE_STRONGE;
  }
  if (energetic && target > 0 && given > 0) s = fmin(2, sqrt(target / given));
  return affordable(loss, first, second, s);
}

/* Energy lost between velocities before and those of the bodies, under the impulses x. */
static double lost(const sc_bodies *bodies, sc_blow *const *blow, int32_t count) {
  double sum = 0;
  for (int32_t i = 0; i < count; i++) {
    double u[3];
    sc_blow_velocity(bodies, blow[i], u);
    sc_add(u, blow[i]->before, u);
    sum -= sc_dot(blow[i]->x, u) / 2;
  }
  return sum;
}

/* Takes a compression back that did not converge and would gain energy, and strikes one after the other. */
static double one_by_one(sc_bodies *bodies, sc_blow *const *blow, int32_t count) {
  double sum = 0, u[3], back[3];
  for (int32_t i = 0; i < count; i++) {
    sc_scale(-1, blow[i]->x, back);
    sc_blow_give(bodies, blow[i], back);
    sc_set3(0, 0, 0, blow[i]->x);
  }
  for (int32_t i = 0; i < count; i++) {
    sc_blow_velocity(bodies, blow[i], u);
    if (u[0] < 0) sum += sc_blow_strike(bodies, blow[i]);
  }
  return sum;
}

double sc_blow_strike_group(sc_bodies *bodies, sc_blow *const *blow, int32_t count) {
  double still = precision * fastest(bodies, blow, count);
  relax(bodies, blow, count, compress_one, still);
  double loss = lost(bodies, blow, count);
  if (!(loss >= 0)) return one_by_one(bodies, blow, count);
  for (int32_t i = 0; i < count; i++) sc_blow_velocity(bodies, blow[i], blow[i]->middle);
  relax(bodies, blow, count, rebound_one, still);
  double s = rebound_scale(bodies, blow, count, loss), part[3];
  for (int32_t i = 0; i < count; i++) {
    sc_scale(s - 1, blow[i]->rebound, part);
    sc_blow_give(bodies, blow[i], part);
    sc_axpy(s, blow[i]->rebound, blow[i]->x, blow[i]->x);
  }
  return lost(bodies, blow, count);
}
