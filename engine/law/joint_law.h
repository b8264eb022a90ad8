/* Parameters of the law `joint`, and the strength of a contact point that follows from them. */
#ifndef SC_JOINT_LAW_H
#define SC_JOINT_LAW_H

#include "law/law.h"

enum {
  SC_JOINT_MU,                /* coefficient of friction */
  SC_JOINT_FRICTION,          /* angle of friction [rad], used in place of mu; 0: mu is used */
  SC_JOINT_COHESION,          /* cohesion [Pa] */
  SC_JOINT_TENSION,           /* largest tension [Pa] */
  SC_JOINT_RESIDUAL_FRICTION, /* angle of friction after failure [rad]; -1: as before failure */
  SC_JOINT_RESIDUAL_COHESION, /* cohesion after failure [Pa] */
  SC_JOINT_DILATION,          /* angle of dilation of the joint [rad] */
  SC_JOINT_DILATION_SLIP,     /* slip after which dilation ends [m]; 0: dilation never ends */
  SC_JOINT_COHESION_IMPULSE,  /* cohesion as an impulse, set by refresh, or given in a bare problem [N s] */
  SC_JOINT_TENSION_IMPULSE,   /* largest tension as an impulse, set by refresh, or given in a bare problem [N
                                 s] */
  SC_JOINT_COUNT
};

/* Strength of a contact point: friction |f_t| <= cohesion + mu f_n, normal force f_n >= -tension. cohesion
 * and tension are impulses [N s] or stresses [Pa]. */
typedef struct sc_joint_strength {
  double mu, cohesion, tension;
} sc_joint_strength;

/* Returns true if a law is `joint`. */
bool sc_law_is_joint(const sc_law *law);
/* Returns the stresses that a face with this scree_face_state can bear [Pa]. The tension is at most
 * cohesion/mu. */
sc_joint_strength sc_joint_strength_of(const double *par, int status);
/* Returns the tangent of the angle of dilation; 0 if the face has slid by more than dilation_slip. */
double sc_joint_dilation(const double *par, double slip);
/* Reduces the angle of dilation to the friction, if friction has been reduced below it. */
void sc_joint_limit_dilation(double *par);
/* Returns SCREE_E_ARGUMENT with a text that names `path` and the key unless a pair of law `joint` is
 * complete and consistent. */
scree_status sc_joint_check(const scree_pair_def *def, const char *path, scree_error *error);

#endif
