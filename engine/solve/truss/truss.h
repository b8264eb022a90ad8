/* Compatible contact forces: the no-tension truss of Olsen & Kamrin (2018), and its extension to
 * friction.
 *
 * Contacts in frictionless hard contact determine the motion, but not the forces: a dense packing has
 * more contacts than equations of equilibrium. Grains of large but finite stiffness have exactly one
 * force network; this is its limit. Plain arrays in, forces out; nothing here knows the world. */
#ifndef SC_TRUSS_H
#define SC_TRUSS_H

#include <stdint.h>
#include "base/base.h"

/* One contact as a member that only pushes. Normal from body j to body i; arms from the centres of mass
 * to the contact point. */
typedef struct sc_truss_contact {
  int32_t i, j;
  double n[3]; /* unit */
  /* [m]; exactly parallel to n for balls is not required, rounding is cleaned away */
  double arm1[3], arm2[3];
  double stiffness; /* k of f = k c^(p-1), relative: a common factor changes nothing, > 0 */
  double offset;    /* compression is c = -(offset + B u) [units of u]; 0 for a closed contact */
  double mu;        /* >= 0; 0: frictionless */
  double ratio;     /* tangential over normal stiffness, > 0 where mu > 0 */
  bool bounded;    /* mu > 0: friction up to `bound`, independent of the normal force, in place of the cone */
  double bound;    /* [N] */
  double shift[3]; /* from body j to the image of it that touches i; 0 without a cell [m] */
} sc_truss_contact;

/* A periodic cell whose displacement gradient G is unknown, too: an image moves by G shift beside its body.
 * Index [l][k] is component (k,l) of G. */
typedef struct sc_truss_cell {
  bool moves[3][3];  /* true: unknown; false: the component is 0 and its load is ignored */
  double load[3][3]; /* required - sum over contacts of f_k shift_l [N m] */
} sc_truss_cell;

/* Mass and inertia about the centre of mass in world axes (xx,xy,xz,yy,yz,zz), for the one-step variant. */
typedef struct sc_truss_mass {
  double mass, inertia[6];
} sc_truss_mass;

typedef struct sc_truss {
  int32_t bodies;
  const uint8_t *held; /* per body: 1 where it does not move (u = 0), its load is ignored */
  /* per body: force and torque that its contacts must exert, F~ of the paper's Eq. 37 */
  const double (*load)[6];
  const sc_truss_mass *mass; /* NULL, or adds the kinetic term u'Mu/2 */
  const sc_truss_cell *cell; /* NULL: no cell, or a cell of constant shape; not supported with mass */
  int32_t contacts;
  const sc_truss_contact *contact;
  /* p > 1: energy k c^p / p. 2 Hooke, 5/2 Hertz; contacts with friction need 2 */
  double exponent;
  /* largest unbalanced force, relative to the largest load on a body; the cell's load counts as a mean force
   * of the contacts across it */
  double tolerance;
  int64_t iterations;    /* most Newton steps of each solve; with Coulomb friction 10 times as many in all */
  int64_t cg_iterations; /* most conjugate-gradient steps in all; 0: any number */
  /* asked now and then whether to end at once; NULL: nobody asks */
  bool (*stop)(void *context);
  void *stop_context;
} sc_truss;

typedef struct sc_truss_report {
  int64_t iterations, cg_iterations; /* Newton steps; conjugate-gradient steps in all */
  /* largest unbalanced force on a body, relative to the largest load */
  double residual;
  /* body with this residual; -1: none; `bodies` or more: the cell. If the load cannot be balanced: the body
   * that runs away */
  int32_t worst;
} sc_truss_report;

/* Finds force[c] = (n,t,o) components on body i in the frame of sc_frame(n). u (bodies x 6, may be NULL) is
 * the displacement and turning: a guess on the way in (zeros for none), the dual solution on the way out.
 * With a cell u has three more rows, whose first three numbers are the columns of G. Errors: SCREE_E_ARGUMENT
 * for a stiffness not above 0, an exponent not above 1, friction with an exponent other than 2;
 * SCREE_E_NUMERIC for a body (report->worst) whose load no pushing forces can balance; and, with worst -1, if
 * the allowed steps are not enough or `stop` returns true. Force and u are then those of the last
 * iteration. */
scree_status sc_truss_solve(const sc_truss *truss, sc_arena *arena, double (*force)[3], double (*u)[6],
    sc_truss_report *report, scree_error *error);

/* The same with Coulomb friction, which does not dilate, in place of the associated cones: f_n = k
 * max(0, c), |f_t| <= mu f_n, sliding against the slip. u must be given (bodies x 6, zeros for no
 * guess). SCREE_E_NUMERIC with worst -1 also where the fixed point does not settle. */
scree_status sc_truss_coulomb(const sc_truss *truss, sc_arena *arena, double (*force)[3], double (*u)[6],
    sc_truss_report *report, scree_error *error);

/* The one-step variant: contact problem and compatibility at once. Minimises v'Mv/2 - v'M v_free +
 * contact energy of stiffness k * rigidity, rigidity rising by factors of 100 with warm starts until
 * `rigidity` times the mean mass is reached; velocities in v, impulses in force. truss->load = -M
 * v_free, truss->mass given, contact offsets = gap/dt, truss->load on held bodies ignored. As the
 * rigidity grows the impulses tend to the compatible ones with an error in proportion to 1/rigidity
 * (Hooke). */
scree_status sc_truss_one_step(const sc_truss *truss, double rigidity, sc_arena *arena, double (*force)[3],
    double (*v)[6], sc_truss_report *report, scree_error *error);

#endif
