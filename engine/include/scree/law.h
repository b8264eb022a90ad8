/* Friction laws: the single-contact problem.
 *
 * In the contact frame (n,t,o), with the normal n pointing from body 2 to body 1:
 *   A  3x3 symmetric positive definite Delassus block [1/kg], row-major
 *   b  minus the free relative velocity of body 1 against body 2 [m/s], b_n reduced by gap/dt
 *   x  impulse on body 1 [N s];  v = A x - b is the end-of-step relative velocity (plus gap/dt in n)
 * A law computes the impulse x with which its conditions on x and v hold. Source of the notation: Preclik,
 * Eibl & Ruede (2017), sections 2 and 3. */
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
  SCREE_LAW_MAX_PARAMS = 24, /* largest number of parameters of a law, including refinements */
  SCREE_LAW_MAX_STATE = 8,   /* largest number of doubles in the law state of a contact */
  SCREE_LAW_MAX_DIM = 6,     /* largest number of rows of a contact: n, t, o, torsion, rolling t, rolling o */
  SCREE_LAW_MAX_SOLUTIONS = 8
};

/* Result of scree_law_solve. */
typedef struct scree_law_result {
  double x[SCREE_LAW_MAX_DIM]; /* impulse [N s]; from index 3 on moments [N m s] */
  double v[SCREE_LAW_MAX_DIM]; /* relative velocity A x - b [m/s] */
  double energy;               /* energy x'Ax/2 - x'b of the solution [J] */
  scree_contact_state state;
  int iterations; /* iterations of the inner root finder; 0 for closed forms */
} scree_law_result;

/* Returns the number of registered laws. A law that a script defines belongs to its world and does not
 * count. */
int scree_law_count(void);
/* Returns the name of the registered law with an index, in alphabetical order; NULL past the last. */
const char *scree_law_name(int index);

/* Returns the parameter table of a registered law, which is static, and sets *count to its length. Returns
 * NULL and 0 for an unknown law. The offset of parameter i is i sizeof(double), so its value is params[i]. */
const scree_param *scree_law_params(const char *law, int *count);

/* Solves one contact. dim: scree_law_dim. A: dim x dim, row-major; b: dim entries; params: one entry per row
 * of the parameter table. Fails for an unknown law (the message suggests the most similar name), for A not
 * symmetric to 1e-9, for A not positive definite (SCREE_E_NUMERIC), for input that is not finite, and for a
 * parameter out of bounds. */
scree_status scree_law_solve(const char *law, int dim, const double *A, const double *b, const double *params,
    scree_law_result *result, scree_error *error);

/* Computes all solutions of the single-contact problem, in ascending order of energy. *count: their number,
 * at most SCREE_LAW_MAX_SOLUTIONS. A law with a unique solution returns one. */
scree_status scree_law_solutions(const char *law, int dim, const double *A, const double *b,
    const double *params, scree_law_result *results, int *count, scree_error *error);

/* Returns the number of rows of a contact with these parameters: 3, or up to 6 with torsional and rolling
 * friction. Returns -1 for an unknown law. */
int scree_law_dim(const char *law, const double *params);

/* ---- laws defined by scripts and programs ---- */

/* Status of the face of a contact whose pair has the law "joint". */
typedef enum scree_face_state {
  SCREE_FACE_NONE, /* the pair has another law */
  SCREE_FACE_INTACT,
  SCREE_FACE_SLIPPED, /* the face has failed in shear */
  SCREE_FACE_OPEN     /* the face has failed in tension, or was never intact */
} scree_face_state;

/* Data of a contact for a law. Laws that scripts define are only called from the thread that steps the
 * world. */
typedef struct scree_contact_info {
  scree_id body1, body2;
  double point[3], normal[3]; /* contact point [m]; normal from body 2 to body 1; world axes */
  double gap, dt;
  /* free relative velocity (n,t,o) at the start of the step, body 1 relative to body 2 */
  double velocity[3];
  double impulse[3]; /* impulse in the last step (n,t,o) [N s] */
  double t[3];       /* first tangent, in world axes; the second is o = n x t */
  /* tangential relative velocity (t,o) at the end of the last step, before this step's forces */
  double slip[2];
  double orientation1[4], orientation2[4]; /* orientations of the bodies, from body frame to world */
  /* 1: bodies move in a plane (world.plane): t lies in the plane, and nothing acts along o */
  int planar;
  /* 1: body 1 has the second material of the pair. Directions that are fixed in the body of the first
   * material are then fixed in body 2. */
  int swapped;
  /* effective radius 1/(1/R1 + 1/R2) [m]. R is the radius of a ball, the bounding radius of another movable
   * body, and infinite for an immovable body that is not a ball. */
  double radius;
  double area; /* tributary area of the contact in its face [m2]; 0 unless a pair has a stiffness per area */
  int face;    /* scree_face_state of the contact's face */
} scree_contact_info;

/* A law defined by a script or program. */
typedef struct scree_law_callbacks {
  const char *name;
  /* name of a law that solves the contact with the parameters after `refresh`; NULL if `solve` is set */
  const char *base;
  const scree_param *params;
  int params_count; /* length of params, which are copied */
  int state_count;  /* number of doubles in the law state of a contact, <= SCREE_LAW_MAX_STATE */
  /* Called once per step and contact. May change params, which are a copy for this contact, and the state. A
   * nonzero result ends the run with the message in *error. */
  int (*refresh)(
      void *user, double *params, double *state, const scree_contact_info *contact, scree_error *error);
  /* Sets x to the impulse. A is packed as Ann,Ant,Ano,Att,Ato,Aoo. A nonzero result ends the run with the
   * message in *error. */
  int (*solve)(void *user, const double *params, const double A[6], const double b[3], double x[3],
      scree_error *error);
  void *user;
} scree_law_callbacks;
/* Adds a law to a world. Its name must be new. */
scree_status scree_world_define_law(scree_world *world, const scree_law_callbacks *law, scree_error *error);
/* Returns the parameter table of a law that is registered or defined in this world, and sets *count to its
 * length. */
const scree_param *scree_world_law_params(const scree_world *world, const char *law, int *count);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
