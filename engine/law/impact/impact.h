/* Inside the impact solver: sliding directions, arcs of curved sliding, and the closed form for balls.
 *
 * Everything but the last three functions works in the principal axes of the tangential block of W,
 * where B = diag(l), and in units in which W_zz and the largest velocity are near 1. */
#ifndef SC_IMPACT_H
#define SC_IMPACT_H

#include <stdbool.h>
#include "scree/impact.h"

/* What decides the sliding: B = diag(l), d = W_xy,z, k = W_zz. */
typedef struct sc_impact_matter {
  double mu, l[2], d[2], k;
} sc_impact_matter;

/* Brings W to the principal axes of its tangential block; axis receives the first of them. */
void sc_impact_principal(const double W[9], double mu, sc_impact_matter *matter, double axis[2]);

/* Where the impact stands. */
typedef struct sc_impact_state {
  double impulse[3], vz, energy; /* energy counted from 0 on, without the loss at c */
  double dir[2], speed;          /* sliding velocity = speed * dir; speed 0: no slip */
} sc_impact_state;

/* Sliding about the direction dir, in the coordinate t = tan(angle / 2) from dir:
 *   D(t) = (1 + t^2)^2 T and N(t) with  d ln(speed/(1+t^2))/dt = N/D;  see impact_arc.c. */
typedef struct sc_impact_chart {
  double dir[2], D[5], N[4];
} sc_impact_chart;

void sc_impact_chart_at(const sc_impact_matter *matter, const double dir[2], sc_impact_chart *chart);
/* Turns dir by the angle whose half has tangent t. */
void sc_impact_turn(const double dir[2], double t, double out[2]);
/* tan(half the angle from a to b), INFINITY at 180 degrees. */
double sc_impact_half_tangent(const double a[2], const double b[2]);
/* Rate of the speed R = g.(d - mu B g) and of the angle, speed times: T = g'.(d - mu B g), g' = g turned
 * by 90 degrees. */
void sc_impact_rates(const sc_impact_matter *matter, const double g[2], double *R, double *T);
/* The first invariant direction met when the angle grows (sign > 0) or falls from dir. False if there is
 * none. */
bool sc_impact_next_direction(
    const sc_impact_matter *matter, const double dir[2], double sign, double out[2]);
/* All invariant directions, at most 4; 0 where every direction is one. */
int sc_impact_all_directions(const sc_impact_matter *matter, double out[4][2]);
/* The direction in which slip grows out of rest, and its rate > 0. False where the contact sticks: |B^-1
 * d| <= mu. */
bool sc_impact_centrifugal(const sc_impact_matter *matter, double out[2], double *rate);

enum { SC_IMPACT_TERMS = 32 };

/* Series about an invariant direction ahead, good for |t| < reach. */
typedef struct sc_impact_root {
  sc_impact_chart chart;
  double alpha, reach;
  double A[SC_IMPACT_TERMS], Z[SC_IMPACT_TERMS];
} sc_impact_root;

/* A piece of curved sliding as power series in tau in [0,1], known for every p in [0, end]. */
typedef struct sc_impact_arc {
  sc_impact_chart chart;
  sc_impact_state from;
  const sc_impact_matter *matter;
  /* en is of int r dI_z, and the energy what the work leaves; else en is the energy's own */
  bool balance;
  /* the series is about the invariant direction ahead; tau = 1 at the start, 0 on it */
  bool root;
  double alpha, h; /* t = h tau */
  double end;      /* p at the end; INFINITY for a direction that leads away from rest */
  double gain;     /* speed = gain tau^alpha J D(t)/(1+t^2), D without its factor t for a root */
  double iz[SC_IMPACT_TERMS], ix[SC_IMPACT_TERMS], iy[SC_IMPACT_TERMS], vz[SC_IMPACT_TERMS],
      en[SC_IMPACT_TERMS];
} sc_impact_arc;

/* Prepares the series about an invariant direction. False where the direction is not approached, or only
 * marginally. */
bool sc_impact_root_make(const sc_impact_matter *matter, const double dir[2], sc_impact_root *root);
/* The arc from a state towards sign, no farther than limit in |t| (of the chart at its start); grazing:
 * the slip is far faster than the approach. */
void sc_impact_arc_regular(const sc_impact_matter *matter, const sc_impact_chart *chart,
    const sc_impact_state *from, double limit, bool grazing, sc_impact_arc *arc);
/* The arc from a state at t = ta about the root's direction up to tau = stop (0: all the way). */
void sc_impact_arc_root(const sc_impact_matter *matter, const sc_impact_root *root,
    const sc_impact_state *from, double ta, double stop, sc_impact_arc *arc);
/* The state at p. */
void sc_impact_arc_state(const sc_impact_arc *arc, double p, sc_impact_state *state);

enum { SC_IMPACT_IZ, SC_IMPACT_VZ, SC_IMPACT_ENERGY };
/* p in [lo, hi] where the quantity takes the value target, which lies between its values f_lo and f_hi
 * there. */
double sc_impact_arc_find(
    const sc_impact_arc *arc, int what, double target, double lo, double hi, double f_lo, double f_hi);

/* Solves a checked def. False where the way did not end within the pieces allowed for it. */
bool sc_impact_run(const scree_impact_def *def, scree_impact_result *result);

/* Impact of balls, or any with A = diag(An, At, At), in the order (n,t,o): v_n < 0 is the approach
 * velocity, v_to the slip. x receives the impulse on body 1. All three hypotheses agree here. mu >= 0, e
 * in [0, 1]. */
void sc_impact_ball(double An, double At, const double v[3], double mu, double e, double x[3]);
/* Impact at a contact with block A (3x3 row-major, SPD) in the order (n,t,o); v the velocity of body 1
 * against body 2. x = 0 where v_n >= 0. law is a scree_restitution. Falls back on the inelastic normal
 * impulse v_n/A_nn where A is not positive definite: then false. */
bool sc_impact_contact(const double A[9], const double v[3], double mu, double e, int law, double x[3]);

#endif
