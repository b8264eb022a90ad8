/* Parts shared by the friction laws: common parameters, the reduced problem, root finders, refinements.
 *
 * Reduced problem. A is the contact's block, b its right-hand side, x the impulse; index n is the normal row,
 * t and o are the tangential rows. If the contact closes, the normal row A_n x = b_n (the plane of maximum
 * compression) gives
 *     x_n = (b_n - a.y)/Ann,  a = (Ant,Ano),  y = (x_t,x_o).
 * The tangential rows are then v_to = H y - g with the Schur complement H = A_to - a a'/Ann and g = b_to - a
 * b_n/Ann. */
#ifndef SC_LAW_PARTS_H
#define SC_LAW_PARTS_H

#include <math.h>
#include "law/law.h"
#include "law/secular.h"

/* Row i of the parameter table of a law. SC_LAW_PAR_OF: a parameter that only worlds, or only bare problems,
 * read. */
#define SC_LAW_PAR(i, name, unit, fallback, min, max, doc) \
  SC_LAW_PAR_OF(NULL, i, name, unit, fallback, min, max, doc)
#define SC_LAW_PAR_OF(readers, i, name, unit, fallback, min, max, doc) \
  [i] = {name, SCREE_REAL, 0, unit, fallback, min, max, (size_t)(i) * sizeof(double), NULL, doc, readers}

/* ---- common parameters of Coulomb-like laws (params.c); all parameters after MU have no effect at their
 * defaults ---- */
enum {
  SC_PAR_MU,               /* coefficient of friction while sliding */
  SC_PAR_MU_STATIC,        /* coefficient while sticking; below mu: mu */
  SC_PAR_WEAKENING_SPEED,  /* [m/s] mu falls from mu_static with the slip speed; 0: off */
  SC_PAR_WEAKENING_SLIP,   /* [m] mu falls from mu_static over this slip; 0: off */
  SC_PAR_COHESION_IMPULSE, /* cohesion of a contact in a bare problem [N s] */
  SC_PAR_MU2,              /* coefficient across the main direction; 0: mu */
  SC_PAR_DIRECTION_X,
  SC_PAR_DIRECTION_Y,
  SC_PAR_DIRECTION_Z, /* main direction in the frame of the body of the pair's first material */
  /* main direction in the contact frame; set by refresh, read by solve */
  SC_PAR_AXIS_T,
  SC_PAR_AXIS_O,
  SC_PAR_TORSION,          /* largest torsion moment per normal impulse [m] */
  SC_PAR_ROLLING,          /* largest rolling moment per normal impulse [m] */
  SC_PAR_ROLLING_FRICTION, /* coefficient; refresh adds it, times the reduced radius, to SC_PAR_ROLLING */
  SC_PAR_COUNT,
  SC_PAR_DIRECTIONS = SC_PAR_COUNT /* number of directions; only the law `polyhedral` has it */
};
enum { SC_STATE_SLIP, SC_STATE_COUNT };
/* the last entry is only for the polyhedral law */
extern const scree_param sc_friction_params[SC_PAR_COUNT + 1];

/* Returns the number of rows of a contact (sc_law.dim; law.h describes all members of sc_law). */
int sc_friction_dim(const double *par);
/* Returns the number of states of a contact. */
int sc_friction_states(const double *par);
/* Returns whether a contact of balls needs only mu, and sets *mu. */
bool sc_friction_ball_mu(const double *par, double *mu);
/* Returns whether a contact of balls needs only mu, torsion and rolling, and sets them. */
bool sc_friction_ball_couple(const double *par, double *mu, double *torsion, double *rolling);
/* Returns the form and the parameters of vectorised kernels (sc_law_lane) for a law with this form and these
 * parameters. Its form is SC_FORM_NONE if no vectorised kernel fits. */
sc_law_lane sc_friction_lane(const double *par, sc_law_form form);
/* Sets t to the linear map that makes the cone circular (refine.c). */
void sc_friction_ellipse(const double *par, double t[2][2]);
/* Sets the coefficients of the cone that sc_friction_ellipse makes circular; mu_static >= mu. */
void sc_friction_coefficients(const double *par, double *mu, double *mu_static);
/* Returns whether refresh may change these parameters in some step (sc_law.varies). */
bool sc_friction_varies(const double *par, bool planar);
/* Returns whether friction is at its bound, which is a circle or an ellipse (sc_law.slides, slides.c). */
bool sc_friction_slides(const double *par, const double x[3]);
/* Returns whether the bound is a circle (sc_law.round). */
bool sc_friction_round(const double *par);
/* Sets y to the impulse x in the axes in which an elliptic bound is a circle. */
void sc_friction_to_circle(const double *par, const double x[3], double y[3]);
/* Common members of laws with these parameters. count: SC_PAR_COUNT plus the number of the law's further
 * parameters. */
#define SC_FRICTION_TABLES(count) \
  .params = sc_friction_params, .params_count = (count), .state_count = SC_STATE_COUNT, \
  .states = sc_friction_states, .dim = sc_friction_dim, .refresh = sc_friction_refresh, \
  .varies = sc_friction_varies
/* Functions of laws with a circular or elliptic bound. */
#define SC_FRICTION_BOUND .slides = sc_friction_slides, .round = sc_friction_round
/* Member `refresh` of sc_law: slip weakening, main direction, rolling friction, planar worlds. */
int sc_friction_refresh(
    const sc_law *law, double *par, double *state, const scree_contact_info *info, scree_error *error);

/* ---- 3x3 kernels and their extensions (refine.c, many_rows.c) ---- */

/* Solves the plain 3x3 problem of a law: circular cone mu, sticking tested with mu_static >= mu, numbers in
 * the range of sc_law_tame. */
typedef scree_contact_state (*sc_law_kernel)(const double *par, const double *A, const double *b, double mu,
    double mu_static, double *x, int *iterations);
/* Writes all solutions of the plain 3x3 problem in ascending order of energy. Returns their number. */
typedef int (*sc_law_kernel_all)(
    const double *par, const double *A, const double *b, double mu, double mu_static, double *x);
/* How a kernel's law is extended to more than 3 rows (many_rows.c). */
typedef enum sc_law_rule { SC_RULE_COULOMB, SC_RULE_ENERGY, SC_RULE_CONE, SC_RULE_SPLIT } sc_law_rule;

/* Solves with all refinements in par: scaling, cohesion, elliptic cone, more than 3 rows. */
scree_contact_state sc_friction_refined(sc_law_kernel kernel, sc_law_rule rule, int dim, const double *A,
    const double *b, const double *par, double *x, int *iterations);
/* Writes all solutions of a contact of 3 rows, with the refinements of par. Returns their number. */
int sc_friction_solutions(
    sc_law_kernel_all all, const double *A, const double *b, const double *par, double *x);

/* Solves a problem with 4 or 6 rows, a circular cone and no cohesion. */
scree_contact_state sc_law_many_rows(sc_law_kernel kernel, sc_law_rule rule, int dim, const double *A,
    const double *b, const double *par, double *x, int *iterations);

/* Sets x to 0 and returns SCREE_SEPARATING. */
static inline scree_contact_state sc_law_zero(double *x) {
  x[0] = x[1] = x[2] = 0;
  return SCREE_SEPARATING;
}

/* Returns whether the numbers are in a range in which products of six of them neither overflow nor vanish. */
static inline bool sc_law_tame(const double *A, const double *b) {
  double big = fabs(b[0]) + fabs(b[1]) + fabs(b[2]), sum = A[0] + A[4] + A[8];
  return big > 1e-30 && big < 1e30 && sum < 1e20 && A[0] > 1e-20;
}

/* Returns whether par has neither cohesion nor an elliptic cone. */
static inline bool sc_friction_plain(const double *par) {
  return par[SC_PAR_COHESION_IMPULSE] == 0 && par[SC_PAR_MU2] == 0;
}

/* Solves a contact: by the kernel if the problem is plain, else with refinements. */
static inline scree_contact_state sc_friction_solve(sc_law_kernel kernel, sc_law_rule rule, int dim,
    const double *A, const double *b, const double *par, double *x, int *iterations) {
  if (dim != 3 || !sc_friction_plain(par) || !sc_law_tame(A, b))
    return sc_friction_refined(kernel, rule, dim, A, b, par, x, iterations);
  double mu = par[SC_PAR_MU], mu_static = par[SC_PAR_MU_STATIC];
  if (iterations) *iterations = 0;
  scree_contact_state state = kernel(par, A, b, mu, mu_static > mu ? mu_static : mu, x, iterations);
  double sum = x[0] + x[1] + x[2];
  /* only a block that is not positive definite gives NaN */
  return sum == sum ? state : sc_law_zero(x);
}

/* Replaces x by the nearest impulse of the friction cone (sc_law.project). */
void sc_friction_project(const double *par, int dim, double *x);
/* Sets s to De Saxce's shift of the velocity u (sc_law.shift). */
void sc_friction_shift(const double *par, int dim, const double *u, double *s);

/* ---- friction in a polygon (polygon.c) ---- */
enum { SC_POLYGON_MOST = 64 };
/* Convex polygon: corners (t,o), counter-clockwise. The point 0 lies inside or on the border. */
typedef struct sc_polygon {
  int count;
  double corner[SC_POLYGON_MOST][2];
} sc_polygon;
/* Sets x to the impulse of a contact with friction in mu x_n P, sticking tested with mu_static P. */
scree_contact_state sc_polygon_solve(
    const sc_polygon *P, const double *A, const double *b, double mu, double mu_static, double *x);
/* Writes all solutions in ascending order of energy. Returns their number. */
int sc_polygon_solutions(
    const sc_polygon *P, const double *A, const double *b, double mu, double mu_static, double *x);
/* Returns whether friction x[1], x[2] is on the border of mu x[0] P. Returns false beyond the border, where
 * only mu_static holds. */
bool sc_polygon_slides(const sc_polygon *P, double mu, double mu_static, const double x[3]);
/* Sets P to the convex hull of points and 0. count: at most SC_POLYGON_MOST - 1. P has at most one corner
 * more than points, also if numbers are NaN or infinite. */
void sc_polygon_hull(const double (*point)[2], int count, sc_polygon *P);
/* Sets range to the section of P with the axis o = 0: range[0] <= 0 to range[1] >= 0. */
void sc_polygon_section(const sc_polygon *P, double range[2]);

/* ---- the reduced problem ---- */
typedef struct sc_reduced {
  double ann, inv, at, ao, bn, htt, hto, hoo, gt, go, det, pt, po;
} sc_reduced;

/* Returns true, because the bound of friction is a circle for all parameters (sc_law.round). */
static inline bool sc_law_round(const double *par) {
  (void)par;
  return true;
}

/* Returns the reduced problem of a contact. inv = 1/Ann. det is bounded below by its rounding error, so that
 * no division by 0 occurs if the block is singular to working precision. p = adj(H) g. */
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

/* Returns whether A^-1 b, the impulse that stops all motion, lies in the cone with mu_static. */
static inline bool sc_sticks(const sc_reduced *r, double mu_static) {
  double room = mu_static * r->inv * (r->bn * r->det - r->at * r->pt - r->ao * r->po);
  return room >= 0 && r->pt * r->pt + r->po * r->po <= room * room;
}

/* If the impulse A^-1 b that stops all motion lies in the cone with mu_static, sets x to this impulse and
 * returns true. Otherwise returns false. */
static inline bool sc_stick(const sc_reduced *r, double mu_static, double *x) {
  if (!sc_sticks(r, mu_static)) return false;
  double inv = 1 / r->det;
  x[1] = r->pt * inv;
  x[2] = r->po * inv;
  x[0] = fmax(0, (r->bn - r->at * x[1] - r->ao * x[2]) * r->inv);
  return true;
}

/* Sets x to the impulse of a closing contact without friction (mu = 0). */
static inline scree_contact_state sc_slip_free(const sc_reduced *r, double *x) {
  x[0] = r->bn * r->inv;
  x[1] = x[2] = 0;
  return SCREE_SLIDING;
}

/* Returns the energy x'Ax/2 - x'b. */
static inline double sc_energy3(const double *A, const double *b, const double *x) {
  return x[0] * (A[0] * x[0] / 2 + A[1] * x[1] + A[2] * x[2] - b[0]) +
      x[1] * (A[4] * x[1] / 2 + A[5] * x[2] - b[1]) + x[2] * (A[8] * x[2] / 2 - b[2]);
}

/* ---- root finders ---- */

/* A trigonometric polynomial on the unit circle, h(u) = c0 + c1 u_t + s1 u_o + c2 (u_t^2 - u_o^2) + 2 s2 u_t
 * u_o. */
typedef struct sc_circle {
  double c0, c1, s1, c2, s2;
} sc_circle;
/* Writes the zeros of h as unit vectors, at most 8, including nearly double zeros. Returns their number
 * (circle.c). */
int sc_circle_roots(const sc_circle *h, double u[8][2]);
/* Improves a zero by a few Newton steps along the circle. */
void sc_circle_polish(const sc_circle *h, double u[2]);
/* Writes the real roots of a polynomial (coefficients ascending, degree <= 4) in [lo, hi], and the points
 * where the polynomial almost touches zero. Returns their number. */
int sc_poly_roots(const double *p, int degree, double lo, double hi, double *roots);

#endif
