/* What the friction laws share: the common parameter vector, the reduced problem, the secular root finder.
 *
 * Reduced problem. Where the contact closes, the normal row A_n x = b_n (the plane of maximum compression) gives
 *     x_n = (b_n - a.y)/Ann,  a = (Ant,Ano),  y = (x_t,x_o),
 * and leaves the tangential rows v_to = H y - g with the Schur complement H = A_to - a a'/Ann and g = b_to - a b_n/Ann. */
#ifndef SC_LAW_PARTS_H
#define SC_LAW_PARTS_H

#include <math.h>
#include "law/law.h"

/* ---- the common parameter vector of Coulomb-like laws (params.c); everything past MU is off at its default ---- */
enum {
  SC_PAR_MU,               /* coefficient while sliding */
  SC_PAR_MU_STATIC,        /* coefficient while sticking; 0: mu */
  SC_PAR_WEAKENING_SPEED,  /* [m/s] mu falls from mu_static with the slip speed; 0: off */
  SC_PAR_WEAKENING_SLIP,   /* [m] mu falls from mu_static over this slip; 0: off */
  SC_PAR_COHESION,         /* [N] */
  SC_PAR_COHESION_RANGE,   /* [m] */
  SC_PAR_COHESION_IMPULSE, /* [N s] what solve reads; refresh writes cohesion dt here */
  SC_PAR_MU2,              /* coefficient across the main direction; 0: mu */
  SC_PAR_DIRECTION_X, SC_PAR_DIRECTION_Y, SC_PAR_DIRECTION_Z, /* main direction in the body's frame */
  SC_PAR_AXIS_T, SC_PAR_AXIS_O, /* main direction in the contact frame: what solve reads; refresh writes it */
  SC_PAR_TORSION,          /* [m] */
  SC_PAR_ROLLING,          /* [m] */
  SC_PAR_COUNT,
  SC_PAR_DIRECTIONS = SC_PAR_COUNT /* polyhedral only */
};
enum { SC_STATE_SLIP, SC_STATE_BOND, SC_STATE_COUNT };
extern const scree_param sc_friction_params[SC_PAR_COUNT + 1]; /* the last entry belongs to the polyhedral law alone */

int sc_friction_dim(const double *par);
bool sc_friction_ball_mu(const double *par, double *mu);
int sc_friction_refresh(const sc_law *law, double *par, double *state, const scree_contact_info *info, scree_error *error);

/* ---- the reduced problem ---- */
typedef struct sc_reduced { double ann, at, ao, bn, htt, hto, hoo, gt, go, det; } sc_reduced;

static inline sc_reduced sc_reduce(const double *A, const double *b) {
  sc_reduced r = {.ann = A[0], .at = A[1], .ao = A[2], .bn = b[0]};
  double inv = 1 / r.ann, st = r.at * inv, so = r.ao * inv;
  r.htt = A[4] - r.at * st;
  r.hto = A[5] - r.at * so;
  r.hoo = A[8] - r.ao * so;
  r.gt = b[1] - st * r.bn;
  r.go = b[2] - so * r.bn;
  r.det = r.htt * r.hoo - r.hto * r.hto;
  return r;
}

/* Smallest positive root of  h(l) = sqrt(n0 + 2 n1 l + n2 l^2) + k0 + k1 l - k2 l^2  with h(0) > 0, n >= 0, k2 >= 0;
 * INFINITY if there is none (k2 = 0 only). See secular.c. */
double sc_law_secular(const double n[3], double k0, double k1, double k2, int *iterations);

/* A range of numbers in which products of six of them neither overflow nor vanish. */
bool sc_law_tame(const double *A, const double *b);
/* Scales (A,b) by powers of two into that range; x of the original is ldexp(x, *shift). */
void sc_law_scale(const double *A, const double *b, double *As, double *bs, int *shift);

static inline scree_contact_state sc_law_zero(double *x) {
  x[0] = x[1] = x[2] = 0;
  return SCREE_SEPARATING;
}

#endif
