/* Impact of two rigid bodies at one point, in three dimensions, with Coulomb friction and restitution.
 *
 * Frame of this header: x and y span the tangent plane. z is the contact normal and points from body 2 into
 * body 1. The impulse acts on body 1, the opposite impulse on body 2.
 *   W  3x3 inverse inertia matrix [1/kg], row-major, symmetric positive definite: velocity change per
 *      impulse
 *   v  velocity of body 1 relative to body 2 at the contact point [m/s]; v_z < 0 before an impact
 * The normal impulse I_z grows from 0. While the contact slips, friction is -mu times the slip direction.
 * When the slip vanishes (event s), the contact sticks, or slips again in the one direction that leads away
 * from rest. Compression ends (event c) when v_z = 0. Restitution ends (event r) as the law of restitution
 * determines. Source: Jia & Wang (2016); docs/theory/impact.md. The functions allocate no memory and store
 * nothing between calls. */
#ifndef SCREE_IMPACT_H
#define SCREE_IMPACT_H

#include "scree/param.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_restitution {
  /* Stronge's law (energetic): restitution returns e^2 of the energy stored at event c. Never gains energy */
  SCREE_STRONGE = 0,
  /* Poisson's law (kinetic): I_z at event r is (1 + e) times I_z at event c. Can gain energy if the slip
   * direction changes */
  SCREE_POISSON = 1,
  /* Newton's law (kinematic): v_z at event r is -e times v_z before the impact. Can gain energy if the slip
   * direction changes */
  SCREE_NEWTON = 2
} scree_restitution;

enum { SCREE_IMPACT_EVENTS = 4 };

typedef struct scree_impact_event {
  /* 'c': end of compression, 'r': end of restitution, 's': end of slip, 'l': straight slip begins */
  char name;
  double normal_impulse; /* I_z [N s] */
} scree_impact_event;

/* A point of the solution: its velocity is a point of the hodograph, its impulse a point of the impulse
 * curve. */
typedef struct scree_impact_point {
  double impulse[3];  /* impulse on body 1 [N s] */
  double velocity[3]; /* relative velocity [m/s]; x and y: slip velocity */
  double energy;      /* energy stored at the contact, -integral of v_z over I_z [J] */
} scree_impact_point;

typedef struct scree_impact_def {
  double W[9];
  double v[3];
  double mu; /* friction coefficient, >= 0 */
  double e;  /* coefficient of restitution, [0, 1] */
  int law;   /* law of restitution: a scree_restitution */
  /* angle in [0, pi/4] [rad]. Slip whose direction is within this angle of the invariant direction ahead
   * counts as straight (event l). 0: no slip counts as straight, and the solution is exact */
  double line_tolerance;
  scree_impact_point *points;
  int points_max; /* capacity of `points`, which receives points of the solution; NULL and 0: none */
} scree_impact_def;
/* Parameter table of the keys: W, v, mu, e, law, line_tolerance, hodograph (members points, points_max). */
extern const scree_param scree_impact_params[];
extern const int scree_impact_params_count;

typedef struct scree_impact_result {
  double impulse[3];    /* impulse on body 1 [N s] */
  double v_after[3];    /* relative velocity after the impact, v + W impulse [m/s] */
  double energy_lost;   /* kinetic energy before minus after [J]; negative if the law gained energy */
  double energy_stored; /* energy stored at the end of compression [J] */
  scree_impact_event events[SCREE_IMPACT_EVENTS];
  int events_count;
  char sequence[8]; /* names of the events in order, e.g. "csr" */
  int sticking;     /* 1: the contact sticks at the end */
  /* 1: the impact-solution condition, Eq. (18) of the paper, holds, so v_z only grows; 0: v_z may decrease
   * during the impact */
  int condition;
  int arcs;   /* number of pieces of curved slip that were integrated */
  int points; /* number of points written to def.points */
} scree_impact_result;

/* Returns a definition with all members 0 and the law SCREE_STRONGE. */
scree_impact_def scree_impact_defaults(void);

/* Solves one impact with a relative error below 1e-12, if W is well conditioned. Returns SCREE_E_ARGUMENT for
 * input that is not finite, mu < 0, e outside [0, 1], an unknown law, line_tolerance out of range, v_z >= 0
 * (no approach), and W not symmetric to 1e-9. Returns SCREE_E_NUMERIC if W is not positive definite. */
scree_status scree_impact_solve(const scree_impact_def *def, scree_impact_result *result, scree_error *error);

/* Computes the invariant directions of slip for W and mu: at most 4 unit vectors (x,y). rates: d|slip|/dI_z
 * along each direction; negative: slip decreases, positive: slip increases. Returns the number of directions;
 * 0 if every direction is invariant. */
int scree_impact_directions(const double W[9], double mu, double directions[4][2], double rates[4]);

/* ---- W and v of two bodies ---- */

typedef struct scree_impact_body {
  double mass;           /* mass [kg]; INFINITY: the body is immovable, and inertia is ignored */
  double inertia[6];     /* about the centre of mass, in the body's frame (xx,xy,xz,yy,yz,zz) [kg m2] */
  double position[3];    /* centre of mass [m] */
  double orientation[4]; /* quaternion (w,x,y,z) of the rotation from the body's frame to the world */
  double velocity[3];    /* velocity of the centre of mass [m/s] */
  double spin[3];        /* angular velocity in world axes [rad/s] */
} scree_impact_body;
/* Parameter table of the keys of a body. */
extern const scree_param scree_impact_body_params[];
extern const int scree_impact_body_params_count;

typedef struct scree_impact_pair {
  scree_impact_body body[2];
  double point[3];  /* contact point in the world frame [m] */
  double normal[3]; /* points from body 2 into body 1; of any length > 0 */
  /* direction of x; its component along the normal is removed. Zero: x axis of the world, or its y axis if
   * the normal is along x */
  double tangent[3];
} scree_impact_pair;
/* Parameter table of the keys: body1, body2 (members body[0], body[1]), point, normal, tangent. */
extern const scree_param scree_impact_pair_params[];
extern const int scree_impact_pair_params_count;

/* Returns a pair of immovable bodies without velocity and rotation, with the normal (0,0,1). */
scree_impact_pair scree_impact_pair_defaults(void);

/* Computes W of two bodies at a point. frame: receives x, y, z as rows; may be NULL. Fails for a mass that is
 * not positive, an inertia that is not positive definite, two immovable bodies, a normal of length 0, and a
 * tangent along the normal. */
scree_status scree_impact_inverse_inertia(
    const scree_impact_pair *pair, double W[9], double frame[9], scree_error *error);
/* Computes the velocity of body 1 relative to body 2 at the point, in the frame (x,y,z). Fails like
 * scree_impact_inverse_inertia. */
scree_status scree_impact_velocity(const scree_impact_pair *pair, double v[3], scree_error *error);
/* Applies an impulse in the frame (x,y,z) to both bodies: changes their velocity and spin. Fails like
 * scree_impact_inverse_inertia. */
scree_status scree_impact_apply(scree_impact_pair *pair, const double impulse[3], scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
