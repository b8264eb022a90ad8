/* Ball contacts with torsional and rolling friction: impulse p and moment m.
 *
 * With q = s w of either ball, m divided by s1 and ratio = s1/s2, impulse and moment change velocities by
 *     v1 += p/m1,  q1 += k1 (p x n + m),      v2 -= p/m2,  q2 += k2 (p x n - ratio m).
 * The relative velocities are u = v1 - v2 - (q1 + q2) x n and w = q1 - ratio q2. Along n they are
 * decoupled:
 *     a_n = 1/m1 + 1/m2,      a_r = k1 + ratio^2 k2.
 * Across n let t = n x m and r = n x w. The blocks are multiples of the unit matrix:
 *     (u_t, r) changes by  [a_t  c; c  a_r] (p_t, t),    a_t = a_n + k1 + k2,   c = k1 - ratio k2.
 * A tangential impulse thus makes unequal balls, and a ball on a wall, roll, and a moment makes them
 * slide. For equal balls c = 0.
 *
 * The law: x_n = p_n - (u_n + bias)/a_n. Then m_n, p_t and m_t oppose torsion, slip and rolling, each with
 * its own bound times x_n (many_rows.c; none of them is coupled to n). m_n is clamped separately. p_t and
 * t minimise a convex energy on two discs. Each block is a multiple of the unit matrix, so with the other
 * variable eliminated the minimum on a disc is the clamped free minimum:
 *     neither slides, or only rolling slips:  t is the clamped free t, and p_t makes u_t = 0, within its disc
 *     only p_t slides:                        p_t is the clamped free p_t, and t makes r = 0, within its disc
 *     both slide:                             p_t and t are computed in turns, each clamped. The only fixed
 *                                             point is the minimum, because the constraints are separate. */
#include "problem/problem.h"
#include "math/vec.h"
#include "problem/operator/delassus.h"
#include "problem/operator/local.h"

void sc_problem_couple_velocity(
    const sc_problem *problem, const sc_ball_contact *contact, const sc_ball_couple *couple, double w[3]) {
  sc_axpy(-couple->ratio, problem->body[contact->j].q, problem->body[contact->i].q, w);
}

/* Delassus block of a contact: a_n, a_t, a_r, c, and det = a_t a_r - c^2. */
typedef struct block {
  double n, t, r, c, det;
} block;

static block compute_block(const sc_problem *problem, const sc_ball_contact *contact, double ratio) {
  const sc_solver_body *a = problem->body + contact->i, *b = problem->body + contact->j;
  block A = {.n = a->inv_mass + b->inv_mass, .r = a->k + ratio * ratio * b->k, .c = a->k - ratio * b->k};
  A.t = A.n + a->k + b->k;
  return A;
}

/* Shortens x to length `max` if x is longer. Returns true if x was not longer. */
static bool clamp_length(double max, double x[3]) {
  double square = sc_dot(x, x);
  if (square <= max * max) return true;
  sc_scale(max / sqrt(square), x, x);
  return false;
}

/* Computes the impulse x at which its velocity is 0: x = old - (seen + coupling * change)/a. seen: velocity
 * at x = old. change: change of the contact's second impulse, which adds coupling * change to this
 * velocity. */
static void cancel_velocity(const double old[3], const double seen[3], double coupling,
    const double change[3], double a, double x[3]) {
  for (int k = 0; k < 3; k++) x[k] = old[k] - (seen[k] + coupling * change[k]) / a;
}

/* Solves for p_t and t (here p and t) within their discs. u, r: velocities, which include the effect of the
 * present p and t. P, T: largest lengths of p and t. */
static void slide_and_roll(
    const block *A, const double u[3], const double r[3], double P, double T, double p[3], double t[3]) {
  double p_old[3], t_old[3], d[3], last[3];
  sc_copy3(p, p_old);
  sc_copy3(t, t_old);
  // case 1: only rolling slips, or neither slides
  for (int k = 0; k < 3; k++) t[k] = t_old[k] - (A->t * r[k] - A->c * u[k]) / A->det;
  clamp_length(T, t);
  sc_sub(t, t_old, d);
  cancel_velocity(p_old, u, A->c, d, A->t, p);
  if (clamp_length(P, p)) return;
  // case 2: only p slides
  for (int k = 0; k < 3; k++) p[k] = p_old[k] - (A->r * u[k] - A->c * r[k]) / A->det;
  clamp_length(P, p);
  sc_sub(p, p_old, d);
  cancel_velocity(t_old, r, A->c, d, A->r, t);
  if (clamp_length(T, t)) return;
  // case 3: both slide
  for (int round = 0; round < 200; round++) {
    sc_copy3(t, last);
    sc_sub(t, t_old, d);
    cancel_velocity(p_old, u, A->c, d, A->t, p);
    clamp_length(P, p);
    sc_sub(p, p_old, d);
    cancel_velocity(t_old, r, A->c, d, A->r, t);
    clamp_length(T, t);
    sc_sub(t, last, d);
    if (sc_dot(d, d) <= 1e-32 * T * T) return;
  }
}

void sc_local_couple(const sc_problem *problem, const sc_ball_contact *contact, const sc_ball_couple *couple,
    const double velocity[3], const double w[3], double p[3], double m[3]) {
  const double *n = contact->n;
  block A = compute_block(problem, contact, couple->ratio);
  double u[3], bias;
  sc_copy3(velocity, u);
  sc_spring_ball(contact, u, &bias, &A.n, &A.t);
  A.det = A.t * A.r - A.c * A.c;
  double u_n = sc_dot(u, n), p_n = sc_dot(contact->p, n), w_n = sc_dot(w, n), m_n = sc_dot(couple->m, n),
         u_t[3], r[3], t[3];
  double x_n = p_n - (u_n + bias) / A.n;
  sc_set3(0, 0, 0, p);
  sc_set3(0, 0, 0, m);
  if (!(x_n > 0)) return;
  for (int k = 0; k < 3; k++) {
    p[k] = contact->p[k] - p_n * n[k];
    u_t[k] = u[k] - u_n * n[k];
  }
  sc_cross(n, couple->m, t);
  sc_cross(n, w, r);
  slide_and_roll(&A, u_t, r, contact->mu * x_n, couple->rolling * x_n, p, t);
  double twist = m_n - w_n / A.r, max_twist = couple->torsion * x_n;
  twist = twist > max_twist ? max_twist : twist < -max_twist ? -max_twist : twist;
  sc_cross(t, n, m);
  sc_axpy(x_n, n, p, p);
  sc_axpy(twist, n, m, m);
}

double sc_problem_couple_residual(
    const sc_problem *problem, const sc_ball_contact *contact, const sc_ball_couple *couple) {
  const double *n = contact->n;
  block A = compute_block(problem, contact, couple->ratio);
  double u[3], w[3], p[3], m[3], t[3], square, bias;
  sc_problem_ball_velocity(problem, contact, u);
  sc_problem_couple_velocity(problem, contact, couple, w);
  sc_local_couple(problem, contact, couple, u, w, p, m);
  sc_spring_ball(contact, u, &bias, &A.n, &A.t);
  sc_sub(p, contact->p, p);
  sc_sub(m, couple->m, m);
  double p_n = sc_dot(p, n), m_n = sc_dot(m, n);
  sc_cross(n, m, t);
  square = A.n * A.n * p_n * p_n + A.r * A.r * m_n * m_n;
  for (int k = 0; k < 3; k++) {
    double p_t = p[k] - p_n * n[k], slip = A.t * p_t + A.c * t[k], roll = A.c * p_t + A.r * t[k];
    square += slip * slip + roll * roll;
  }
  return sqrt(square);
}
