/* What the friction laws share: the common parameters, the reduced problem, root finders, refinements.
 *
 * Reduced problem. Where the contact closes, the normal row A_n x = b_n (the plane of maximum
 * compression) gives
 *     x_n = (b_n - a.y)/Ann,  a = (Ant,Ano),  y = (x_t,x_o),
 * and leaves the tangential rows v_to = H y - g with the Schur complement H = A_to - a a'/Ann and g =
 * b_to - a b_n/Ann. */
#ifndef SC_LAW_PARTS_H
#define SC_LAW_PARTS_H

#include <math.h>
#include "law/law.h"
#include "law/secular.h"

/* ---- the common parameters of Coulomb-like laws (params.c); everything past MU is off at its default
 * ---- */
enum {
  SC_PAR_MU,               /* coefficient while sliding */
  SC_PAR_MU_STATIC,        /* coefficient while sticking; below mu: mu */
  SC_PAR_WEAKENING_SPEED,  /* [m/s] mu falls from mu_static with the slip speed; 0: off */
  SC_PAR_WEAKENING_SLIP,   /* [m] mu falls from mu_static over this slip; 0: off */
  SC_PAR_COHESION_IMPULSE, /* [N s] of a bare problem */
  SC_PAR_MU2,              /* coefficient across the main direction; 0: mu */
  SC_PAR_DIRECTION_X,
  SC_PAR_DIRECTION_Y,
  SC_PAR_DIRECTION_Z, /* main direction in the body's frame */
  /* main direction in the contact frame: what solve reads; refresh writes it */
  SC_PAR_AXIS_T,
  SC_PAR_AXIS_O,
  SC_PAR_TORSION,          /* [m] */
  SC_PAR_ROLLING,          /* [m] */
  SC_PAR_ROLLING_FRICTION, /* times the reduced radius of the contact, adds to rolling; refresh adds it */
  SC_PAR_COUNT,
  SC_PAR_DIRECTIONS = SC_PAR_COUNT /* polyhedral only */
};
enum { SC_STATE_SLIP, SC_STATE_COUNT };
/* the last entry belongs to the polyhedral law alone */
extern const scree_param sc_friction_params[SC_PAR_COUNT + 1];

int sc_friction_dim(const double *par);
int sc_friction_states(const double *par);
bool sc_friction_ball_mu(const double *par, double *mu);
bool sc_friction_ball_couple(const double *par, double *mu, double *torsion, double *rolling);
/* The lane of a law of a form whose parameters these are. */
sc_law_lane sc_friction_lane(const double *par, sc_law_form form);
/* The linear map that makes the cone circular, and coefficients of the circle (refine.c). */
void sc_friction_ellipse(const double *par, double t[2][2]);
void sc_friction_coefficients(const double *par, double *mu, double *mu_static);
bool sc_friction_varies(const double *par, bool planar);
/* Returns whether friction is at its bound, a circle or an ellipse (slides.c). */
bool sc_friction_slides(const double *par, const double x[3]);
bool sc_friction_round(const double *par);
/* Computes an impulse in the axes in which the ellipse is a circle. */
void sc_friction_to_circle(const double *par, const double x[3], double y[3]);
/* What laws with these parameters have in common; count: SC_PAR_COUNT and what follows it. */
#define SC_FRICTION_TABLES(count) \
  .params = sc_friction_params, .params_count = (count), .state_count = SC_STATE_COUNT, \
  .states = sc_friction_states, .dim = sc_friction_dim, .refresh = sc_friction_refresh, \
  .varies = sc_friction_varies
/* Functions of laws with a circular or elliptic bound. */
#define SC_FRICTION_BOUND .slides = sc_friction_slides, .round = sc_friction_round
int sc_friction_refresh(
    const sc_law *law, double *par, double *state, const scree_contact_info *info, scree_error *error);

/* ---- 3x3 kernels and what is built around them (refine.c, many_rows.c) ---- */

/* Solves the plain 3x3 problem of a law: circular cone mu, sticking judged by mu_static >= mu, numbers
 * tame. */
typedef scree_contact_state (*sc_law_kernel)(const double *par, const double *A, const double *b, double mu,
    double mu_static, double *x, int *iterations);
/* All solutions of the same, least energy first. */
typedef int (*sc_law_kernel_all)(
    const double *par, const double *A, const double *b, double mu, double mu_static, double *x);
/* What the rows past 3 make of a kernel's law (many_rows.c). */
typedef enum sc_law_rule { SC_RULE_COULOMB, SC_RULE_ENERGY, SC_RULE_CONE, SC_RULE_SPLIT } sc_law_rule;

/* Solves with every refinement in par: scaling, cohesion, elliptic cone, rows past 3. */
scree_contact_state sc_friction_refined(sc_law_kernel kernel, sc_law_rule rule, int dim, const double *A,
    const double *b, const double *par, double *x, int *iterations);
int sc_friction_solutions(
    sc_law_kernel_all all, const double *A, const double *b, const double *par, double *x);

/* Problem with 4 or 6 rows, circular cone, no cohesion. */
scree_contact_state sc_law_many_rows(sc_law_kernel kernel, sc_law_rule rule, int dim, const double *A,
    const double *b, const double *par, double *x, int *iterations);

static inline scree_contact_state sc_law_zero(double *x) {
  x[0] = x[1] = x[2] = 0;
  return SCREE_SEPARATING;
}

/* A range of numbers in which products of six of them neither overflow nor vanish. */
static inline bool sc_law_tame(const double *A, const double *b) {
  double big = fabs(b[0]) + fabs(b[1]) + fabs(b[2]), sum = A[0] + A[4] + A[8];
  return big > 1e-30 && big < 1e30 && sum < 1e20 && A[0] > 1e-20;
}

/* Whether par asks for nothing but mu and mu_static. */
static inline bool sc_friction_plain(const double *par) {
  return par[SC_PAR_COHESION_IMPULSE] == 0 && par[SC_PAR_MU2] == 0;
}

static inline scree_contact_state sc_friction_solve(sc_law_kernel kernel, sc_law_rule rule, int dim,
    const double *A, const double *b, const double *par, double *x, int *iterations) {
  if (dim != 3 || !sc_friction_plain(par) || !sc_law_tame(A, b))
    return sc_friction_refined(kernel, rule, dim, A, b, par, x, iterations);
  double mu = par[SC_PAR_MU], mu_static = par[SC_PAR_MU_STATIC];
  if (iterations) *iterations = 0;
  scree_contact_state state = kernel(par, A, b, mu, mu_static > mu ? mu_static : mu, x, iterations);
  double sum = x[0] + x[1] + x[2];
  /* only a block that is not positive definite comes to NaN */
  return sum == sum ? state : sc_law_zero(x);
}

void sc_friction_project(const double *par, int dim, double *x);
void sc_friction_shift(const double *par, int dim, const double *u, double *s);

/* ---- friction in a polygon (polygon.c) ---- */
enum { SC_POLYGON_MOST = 64 };
/* corners (t,o), counter-clockwise, 0 inside or on the border */
typedef struct sc_polygon {
  int count;
  double corner[SC_POLYGON_MOST][2];
} sc_polygon;
/* The impulse of a contact with friction in mu x_n P, sticking judged by mu_static P. */
scree_contact_state sc_polygon_solve(
    const sc_polygon *P, const double *A, const double *b, double mu, double mu_static, double *x);
/* All of them, least energy first. */
int sc_polygon_solutions(
    const sc_polygon *P, const double *A, const double *b, double mu, double mu_static, double *x);
/* Returns whether friction x[1], x[2] is on the border of mu x[0] P. Returns false beyond the border, where
 * only mu_static holds. */
bool sc_polygon_slides(const sc_polygon *P, double mu, double mu_static, const double x[3]);
/* Convex hull of points and 0; at most SC_POLYGON_MOST - 1 points. It has at most one corner more than
 * points, whatever numbers they are. */
void sc_polygon_hull(const double (*point)[2], int count, sc_polygon *P);
/* Where the axis o = 0 lies in P: from range[0] <= 0 to range[1] >= 0. */
void sc_polygon_section(const sc_polygon *P, double range[2]);

/* ---- the reduced problem ---- */
typedef struct sc_reduced {
  double ann, inv, at, ao, bn, htt, hto, hoo, gt, go, det, pt, po;
} sc_reduced;

/* inv = 1/Ann. det is kept above its rounding error, so that nothing divides by 0 where the block is
 * singular to working precision. p = adj(H) g. */
static inline sc_reduced sc_reduce(const double *A, const double *b) {
  sc_reduced r = {.ann = A[0], .inv = 1 / A[0], .at = A[1], .ao = A[2], .bn = b[0]};
  double st = r.at * r.inv, so = r.ao * r.inv;
  r.htt = A[4] - r.at * st;
  r.hto = A[5] - r.at * so;
  r.hoo = A[8] - r.ao * so;
  r.gt = b[1] - st * r.bn;
  r.go = b[2] - so * r.bn;
  r.det = fmax(r.htt * r.hoo - r.hto * r.hto, 1e-32 * A[4] * A[8]);
  r.pt = r.hoo * r.gt - r.hto * r.go;
  r.po = r.htt * r.go - r.hto * r.gt;
  return r;
}

/* Whether A^-1 b lies in the cone. */
static inline bool sc_sticks(const sc_reduced *r, double mu_static) {
  double room = mu_static * r->inv * (r->bn * r->det - r->at * r->pt - r->ao * r->po);
  return room >= 0 && r->pt * r->pt + r->po * r->po <= room * room;
}

/* Sticking: x = A^-1 b if it lies in the cone. */
static inline bool sc_stick(const sc_reduced *r, double mu_static, double *x) {
  if (!sc_sticks(r, mu_static)) return false;
  double inv = 1 / r->det;
  x[1] = r->pt * inv;
  x[2] = r->po * inv;
  x[0] = fmax(0, (r->bn - r->at * x[1] - r->ao * x[2]) * r->inv);
  return true;
}

/* Slides without friction: mu = 0. */
static inline scree_contact_state sc_slip_free(const sc_reduced *r, double *x) {
  x[0] = r->bn * r->inv;
  x[1] = x[2] = 0;
  return SCREE_SLIDING;
}

static inline double sc_energy3(const double *A, const double *b, const double *x) {
  return x[0] * (A[0] * x[0] / 2 + A[1] * x[1] + A[2] * x[2] - b[0]) +
      x[1] * (A[4] * x[1] / 2 + A[5] * x[2] - b[1]) + x[2] * (A[8] * x[2] / 2 - b[2]);
}

/* ---- root finders ---- */

/* h(u) = c0 + c1 u_t + s1 u_o + c2 (u_t^2 - u_o^2) + 2 s2 u_t u_o on the unit circle. */
typedef struct sc_circle {
  double c0, c1, s1, c2, s2;
} sc_circle;
/* Zeros on the circle as unit vectors, nearly double ones included; at most 8. See circle.c. */
int sc_circle_roots(const sc_circle *h, double u[8][2]);
/* A few Newton steps along the circle. */
void sc_circle_polish(const sc_circle *h, double u[2]);
/* Real roots of a polynomial (coefficients ascending, degree <= 4) within [lo, hi], with points where it
 * almost touches zero. */
int sc_poly_roots(const double *p, int degree, double lo, double hi, double *roots);

#endif
