/* Friction laws: the single-contact problem.
 *
 * In the contact frame (n,t,o), with the normal n pointing from body 2 to body 1:
 *   A  3x3 symmetric positive definite Delassus block [1/kg], row-major
 *   b  minus the free relative velocity of body 1 against body 2 [m/s], b_n reduced by gap/dt
 *   x  impulse on body 1 [N s];  v = A x - b is the end-of-step relative velocity (plus gap/dt in n)
 * A law answers with the x that fulfils it. Source of the notation: Preclik, Eibl & Ruede (2017),
 * sections 2 and 3. */
#ifndef SCREE_LAW_H
#define SCREE_LAW_H

#include <stdint.h>
#include "scree/body.h"
#include "scree/param.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_contact_state {
  SCREE_SEPARATING = 0,
  SCREE_STICKING = 1,
  SCREE_SLIDING = 2
} scree_contact_state;

enum {
  SCREE_LAW_MAX_PARAMS = 24, /* parameters of one law, refinements included */
  SCREE_LAW_MAX_STATE = 8,   /* doubles of state per contact */
  SCREE_LAW_MAX_DIM = 6,     /* rows of the largest contact: n, t, o, torsion, rolling t, rolling o */
  SCREE_LAW_MAX_SOLUTIONS = 8
};

/* Result of scree_law_solve. */
typedef struct scree_law_result {
  double x[SCREE_LAW_MAX_DIM]; /* impulse [N s] (rows past 3: angular impulse [N m s]) */
  double v[SCREE_LAW_MAX_DIM]; /* A x - b [m/s] */
  double energy;               /* x'Ax/2 - x'b [J] */
  scree_contact_state state;
  int iterations; /* of the inner root finder, 0 for closed forms */
} scree_law_result;

/* Returns the number of registered laws. Laws defined in scripts belong to their world and are not
 * counted. */
int scree_law_count(void);
/* Returns the name of a registered law, in alphabetical order; NULL past the last. */
const char *scree_law_name(int index);

/* Returns the parameter table of a law (static) and its length in *count; NULL and 0 for an unknown law.
 * Offsets are indices in the parameter vector times sizeof(double): parameter i is params[i]. */
const scree_param *scree_law_params(const char *law, int *count);

/* Solves one contact. dim: scree_law_dim. A is dim x dim row-major, b has dim entries, params has as many
 * entries as the table. Errors: unknown law (nearest name in the text), A not symmetric (1e-9 relative) or
 * not positive definite (SCREE_E_NUMERIC), input that is not finite, a parameter out of bounds. */
scree_status scree_law_solve(const char *law, int dim, const double *A, const double *b, const double *params,
    scree_law_result *result, scree_error *error);

/* Computes all solutions of the single-contact problem in ascending order of energy. *count: their number, at
 * most SCREE_LAW_MAX_SOLUTIONS. Laws with a unique solution return one. */
scree_status scree_law_solutions(const char *law, int dim, const double *A, const double *b,
    const double *params, scree_law_result *results, int *count, scree_error *error);

/* Returns the number of rows of a contact with these parameters: 3, or up to 6 with torsional and rolling
 * friction; -1: unknown law. */
int scree_law_dim(const char *law, const double *params);

/* ---- laws defined by users ---- */

/* State of the face of a contact with law joint. */
typedef enum scree_face_state {
  SCREE_FACE_NONE, /* the pair has another law */
  SCREE_FACE_INTACT,
  SCREE_FACE_SLIPPED, /* it failed in shear */
  SCREE_FACE_OPEN     /* it failed in tension, or was never intact */
} scree_face_state;

/* A contact as a law sees it. Laws defined by users are called only from the thread that steps the world. */
typedef struct scree_contact_info {
  scree_id body1, body2;
  double point[3], normal[3]; /* normal from body 2 to body 1 */
  double gap, dt;
  /* free relative velocity (n,t,o) at the start of the step, body 1 relative to body 2 */
  double velocity[3];
  double impulse[3]; /* last step's impulse (n,t,o) */
  double t[3];       /* first tangent; o = n x t */
  /* tangential relative velocity (t,o) at the end of the last step, before this step's forces */
  double slip[2];
  double orientation1[4], orientation2[4]; /* of the bodies, body frame to world */
  /* 1: bodies move in a plane (world.plane): t lies in it, nothing acts along o */
  int planar;
  /* 1: body 1 has the pair's second material, so directions fixed in the first material's body are body
   * 2's */
  int swapped;
  /* reduced radius 1/(1/R1 + 1/R2) [m]; R: radius of a ball, bounding radius of another movable body,
   * infinite for another immovable body */
  double radius;
  double area; /* tributary area of the contact in its face [m2]; 0 unless a pair has a stiffness per area */
  int face;    /* scree_face_state of its face */
} scree_contact_info;

/* A law defined by the user. */
typedef struct scree_law_callbacks {
  const char *name;
  /* law that solves with the refreshed parameters; NULL if solve is given */
  const char *base;
  const scree_param *params;
  int params_count; /* copied */
  int state_count;  /* doubles of state per contact, <= SCREE_LAW_MAX_STATE */
  /* Called once per step and contact; may change params (a copy for this contact) and state. Nonzero ends the
   * run; text in error. */
  int (*refresh)(
      void *user, double *params, double *state, const scree_contact_info *contact, scree_error *error);
  /* Sets x. A is packed as Ann,Ant,Ano,Att,Ato,Aoo. Nonzero ends the run. */
  int (*solve)(void *user, const double *params, const double A[6], const double b[3], double x[3],
      scree_error *error);
  void *user;
} scree_law_callbacks;
/* Adds a law to a world. The name must be new. */
scree_status scree_world_define_law(scree_world *world, const scree_law_callbacks *law, scree_error *error);
/* Returns the parameter table of a law, registered or defined in this world. */
const scree_param *scree_world_law_params(const scree_world *world, const char *law, int *count);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
