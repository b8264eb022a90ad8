/* Internals of the impact solver: sliding directions, arcs of curved sliding, and the closed form for balls.
 *
 * All functions except the last three use the principal axes of the tangential block of W, where B = diag(l).
 * These functions use units in which W_zz and the largest velocity are nearly 1. */
#ifndef SC_IMPACT_H
#define SC_IMPACT_H

#include <stdbool.h>
#include "scree/impact.h"

/* Coefficients of sliding at a contact with the inverse-mass matrix W (z: normal), in the principal axes of
 * its tangential block: B = diag(l) is this block, d = W_xy,z, k = W_zz. mu: coefficient of friction. */
typedef struct sc_impact_matter {
  double mu, l[2], d[2], k;
} sc_impact_matter;

/* Transforms W to the principal axes of its tangential block. axis: set to the first of these axes. */
void sc_impact_principal(const double W[9], double mu, sc_impact_matter *matter, double axis[2]);

/* State of an impact: impulse, normal velocity, energy and sliding velocity. */
typedef struct sc_impact_state {
  double impulse[3], vz, energy; /* energy: energy stored since the start; the loss by restitution at c, the
                                    end of compression, is not subtracted */
  double dir[2], speed;          /* sliding velocity = speed * dir; speed 0: no slip */
} sc_impact_state;

/* Slip directions near the direction dir: their coordinate is t = tan(angle / 2), with the angle from dir.
 * D(t) = (1 + t^2)^2 T is a quartic, N(t) a cubic with d ln(speed/(1+t^2))/dt = N/D (impact_arc.c; T:
 * sc_impact_rates). */
typedef struct sc_impact_chart {
  double dir[2], D[5], N[4];
} sc_impact_chart;

/* Computes the chart about a direction. */
void sc_impact_chart_at(const sc_impact_matter *matter, const double dir[2], sc_impact_chart *chart);
/* Rotates dir by the angle whose half has the tangent t. */
void sc_impact_turn(const double dir[2], double t, double out[2]);
/* Returns tan(half the angle from a to b), INFINITY at 180 degrees. */
double sc_impact_half_tangent(const double a[2], const double b[2]);
/* Computes the rates of sliding by the normal impulse: R = g.(d - mu B g) of the speed, and T = g'.(d - mu B
 * g), which is the speed times the rate of the angle. g: direction of slip; g' = g rotated by 90 degrees. */
void sc_impact_rates(const sc_impact_matter *matter, const double g[2], double *R, double *T);
/* Finds the first invariant direction (T = 0) that is reached from dir as the angle grows (sign > 0) or
 * falls. Returns false if there is none. */
bool sc_impact_next_direction(
    const sc_impact_matter *matter, const double dir[2], double sign, double out[2]);
/* Finds all invariant directions. Returns their number, at most 4; 0 if every direction is invariant. */
int sc_impact_all_directions(const sc_impact_matter *matter, double out[4][2]);
/* Finds the direction out in which slip grows out of rest, and its rate > 0 by the normal impulse. Returns
 * false if the contact sticks: |B^-1 d| <= mu. */
bool sc_impact_centrifugal(const sc_impact_matter *matter, double out[2], double *rate);

enum { SC_IMPACT_TERMS = 32 };

/* Power series in t about an invariant direction that the slip approaches, accurate for |t| < reach. t:
 * coordinate of slip directions in `chart`. Up to constant factors, dI_z/dt is (1+t^2)^2 t^(alpha-1) A(t),
 * and speed dI_z/dt is (1+t^2)^3 t^(2alpha-1) Z(t). I_z: normal impulse. See impact_arc.c. */
typedef struct sc_impact_root {
  sc_impact_chart chart;
  double alpha, reach;
  double A[SC_IMPACT_TERMS], Z[SC_IMPACT_TERMS];
} sc_impact_root;

/* A piece of curved sliding as power series in tau in [0,1], evaluated at any p in [0, end]. */
typedef struct sc_impact_arc {
  sc_impact_chart chart;
  sc_impact_state from;
  const sc_impact_matter *matter;
  /* energy along the arc. true: en is the series of int r dI_z, and the energy follows from the work of the
   * impulse; false: en is the series of the energy itself */
  bool balance;
  /* true: the series is about the invariant direction ahead; tau = 1 at the start, 0 at this direction */
  bool root;
  double alpha, h; /* exponent alpha of the series of a root (sc_impact_root); scale h: t = h tau */
  double end;      /* p at the end of the arc; INFINITY for a direction along which the slip does not come to
                      rest */
  double gain;     /* speed = gain tau^alpha J D(t)/(1+t^2), D without its factor t for a root */
  /* coefficients c_k of I_z, I_x, I_y, v_z and the energy; each quantity is sum c_k int tau^k dp */
  double iz[SC_IMPACT_TERMS], ix[SC_IMPACT_TERMS], iy[SC_IMPACT_TERMS], vz[SC_IMPACT_TERMS],
      en[SC_IMPACT_TERMS];
} sc_impact_arc;

/* Computes the series about an invariant direction. Returns false if the slip does not approach the
 * direction, or only marginally. */
bool sc_impact_root_make(const sc_impact_matter *matter, const double dir[2], sc_impact_root *root);
/* Computes the regular arc (impact_arc.c) from a state, at most to |t| = limit in the chart at its start.
 * grazing: true: the slip is much faster than the approach. */
void sc_impact_arc_regular(const sc_impact_matter *matter, const sc_impact_chart *chart,
    const sc_impact_state *from, double limit, bool grazing, sc_impact_arc *arc);
/* Computes the arc of a root: from a state at t = ta in the root's chart up to tau = stop. stop = 0: up to
 * the root's direction itself. */
void sc_impact_arc_root(const sc_impact_matter *matter, const sc_impact_root *root,
    const sc_impact_state *from, double ta, double stop, sc_impact_arc *arc);
/* Computes the state of an arc at p, 0 to arc->end. */
void sc_impact_arc_state(const sc_impact_arc *arc, double p, sc_impact_state *state);

enum { SC_IMPACT_IZ, SC_IMPACT_VZ, SC_IMPACT_ENERGY };
/* Returns p in [lo, hi] where the quantity `what` (SC_IMPACT_...) has the value target. target lies between
 * the values f_lo at lo and f_hi at hi. */
double sc_impact_arc_find(
    const sc_impact_arc *arc, int what, double target, double lo, double hi, double f_lo, double f_hi);

/* Solves a checked def. Returns false if the impact did not end within the allowed number of pieces. */
bool sc_impact_run(const scree_impact_def *def, scree_impact_result *result);

/* Computes the impact of two balls, or any impact with A = diag(An, At, At), in the order (n,t,o). v_n < 0:
 * approach velocity, v_to: slip. x: impulse on body 1. All laws of restitution agree for this A. mu >= 0, e
 * in [0, 1]. */
void sc_impact_ball(double An, double At, const double v[3], double mu, double e, double x[3]);
/* Computes the impact at a contact with block A (3x3 row-major, SPD) in the order (n,t,o). v: velocity of
 * body 1 relative to body 2. law: a scree_restitution. x: set to the impulse, 0 if v_n >= 0. Returns false
 * if A is not positive definite; x is then the inelastic normal impulse v_n/A_nn. */
bool sc_impact_contact(const double A[9], const double v[3], double mu, double e, int law, double x[3]);

#endif
