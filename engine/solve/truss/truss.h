/* Compatible contact forces: the no-tension truss of Olsen & Kamrin (2018), and its extension to
 * friction.
 *
 * Hard frictionless contacts determine the motion, but not the forces: a dense packing has more contacts than
 * equations of equilibrium. Grains with a finite stiffness have exactly one force network. The functions
 * compute its limit for infinite stiffness. Input and output are plain arrays, independent of the world. */
#ifndef SC_TRUSS_H
#define SC_TRUSS_H

#include <stdint.h>
#include "base/base.h"

/* One contact as a member that only pushes. */
typedef struct sc_truss_contact {
  int32_t i, j; /* indices of the two bodies */
  double n[3];  /* unit normal, from body j to body i */
  /* from the centres of mass to the contact point [m]; rounding errors of balls' arms are removed */
  double arm1[3], arm2[3];
  double stiffness; /* > 0: k of f = k c^(p-1), relative: a common factor has no effect */
  double offset;    /* compression is c = -(offset + B u) [units of u]; 0 for a closed contact */
  double mu;        /* friction coefficient, >= 0; 0: frictionless */
  double ratio;     /* tangential over normal stiffness; > 0 if mu > 0 */
  bool bounded;     /* friction up to `bound` instead of the cone; needs mu > 0 */
  double bound;     /* friction bound, independent of the normal force [N] */
  double shift[3];  /* vector from body j to its image that touches i [m]; 0 without a cell */
} sc_truss_contact;

/* A periodic cell with an unknown displacement gradient G (3 x 3). An image at the lattice vector `shift`
 * from its body moves by G shift relative to the body. Index [l][k] is component (k,l) of G. */
typedef struct sc_truss_cell {
  bool moves[3][3]; /* true: this component of G is unknown; false: it is 0, and its load is ignored */
  /* required value of minus the sum of f_k shift_l over the contacts (f: force on body i) [N m] */
  double load[3][3];
} sc_truss_cell;

/* Mass and inertia about the centre of mass in world axes (xx,xy,xz,yy,yz,zz), for the one-step variant. */
typedef struct sc_truss_mass {
  double mass, inertia[6];
} sc_truss_mass;

/* Input of the functions below. */
typedef struct sc_truss {
  int32_t bodies;
  const uint8_t *held; /* [bodies] nonzero: the displacement of the body is 0, and its load is ignored */
  /* [bodies] force and torque that the contacts must exert (F~ of Eq. 37 of the paper) [N], [N m] */
  const double (*load)[6];
  const sc_truss_mass *mass; /* [bodies] adds the kinetic term u'Mu/2; NULL: no such term */
  const sc_truss_cell *cell; /* NULL: no cell, or a cell of constant shape; must be NULL with mass */
  int32_t contacts;
  const sc_truss_contact *contact; /* [contacts] members of the truss */
  double exponent;                 /* p > 1 of the energy k c^p / p: 2 Hooke, 5/2 Hertz; 2 with friction */
  /* Maximum unbalanced force, relative to the largest load on a body. The cell's load counts as a mean force
   * of the contacts across the cell. */
  double tolerance;
  int64_t iterations;    /* maximum Newton steps per solve; with Coulomb friction 10 times as many in total */
  int64_t cg_iterations; /* maximum conjugate-gradient steps in total; 0: no limit */
  bool (*stop)(void *context); /* called repeatedly; the solve ends if it returns true; NULL: never */
  void *stop_context;          /* argument of `stop` */
} sc_truss;

typedef struct sc_truss_report {
  int64_t iterations, cg_iterations; /* number of Newton steps; total number of conjugate-gradient steps */
  /* largest unbalanced force on a body, relative to the largest load */
  double residual;
  /* body with this residual; -1: none; `bodies` or more: the cell. If the load cannot be balanced: the body
   * whose displacement grows without bound */
  int32_t worst;
} sc_truss_report;

/* Computes the forces. force: [contacts] components (n,t,o) on body i in the frame of sc_frame(n). u:
 * [bodies] displacement and rotation, may be NULL; input: a guess or 0; output: the dual solution. With a
 * cell u has three more rows, whose first three numbers are the columns of G. Returns SCREE_E_ARGUMENT if a
 * stiffness is not above 0, the exponent is not above 1, or friction has an exponent other than 2. Returns
 * SCREE_E_NUMERIC if no pushing forces can balance the load of body report->worst. Returns SCREE_E_NUMERIC
 * with worst = -1 if the allowed steps are not enough or `stop` returned true. Force and u are then those of
 * the last iteration. */
scree_status sc_truss_solve(const sc_truss *truss, sc_arena *arena, double (*force)[3], double (*u)[6],
    sc_truss_report *report, scree_error *error);

/* Computes the forces with Coulomb friction, which does not dilate, instead of associated cones: f_n = k
 * max(0, c), |f_t| <= mu f_n, friction opposes the slip. Arguments and errors as in sc_truss_solve, but u
 * must not be NULL. Returns SCREE_E_NUMERIC with worst = -1 also if the fixed point does not converge. */
scree_status sc_truss_coulomb(const sc_truss *truss, sc_arena *arena, double (*force)[3], double (*u)[6],
    sc_truss_report *report, scree_error *error);

#endif
