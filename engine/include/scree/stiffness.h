/* Contact stiffness between two materials. A step solves contacts with a stiffness implicitly, as springs. */
#ifndef SCREE_STIFFNESS_H
#define SCREE_STIFFNESS_H

#include "scree/param.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_stiffness_law {
  SCREE_STIFFNESS_LINEAR, /* k does not depend on the overlap */
  SCREE_STIFFNESS_HERTZ   /* k is the secant stiffness of Hertz's law at the overlap before the step */
} scree_stiffness_law;

/* At most one of stiffness, young, hardness, softness and kn may be > 0. If all are 0, contacts are rigid. */
typedef struct scree_stiffness {
  double stiffness; /* stiffness k of the normal spring [N/m] */
  double young;     /* Young's modulus of both bodies [Pa]: k = 2 E* R, see scree_stiffness_normal */
  double poisson;   /* Poisson's ratio of both bodies, [0, 0.5] */
  double hardness;  /* k = hardness F/d; F: mean load of all contacts, d: diameter of the grains */
  /* compliance of the spring in a step, divided by the compliance of the masses m1 and m2 of the bodies: k =
   * 1/(softness (1/m1 + 1/m2) dt^2) */
  double softness;
  /* normal and tangential stiffness per area of the contact's face [Pa/m]; ks 0: kn times the value of
   * scree_stiffness_ratio */
  double kn, ks;
  int law;      /* a scree_stiffness_law; only used with young */
  double ratio; /* tangential stiffness divided by normal stiffness; 0: not set */
  /* time in which the spring of a step relaxes [s]; 0: no damping in addition to that of the step */
  double relaxation;
} scree_stiffness;
/* Parameter table of the keys: contact_stiffness, young, poisson, hardness, softness, kn, ks, stiffness_law,
 * stiffness_ratio, relaxation_time. */
extern const scree_param scree_stiffness_params[];
extern const int scree_stiffness_params_count;

/* Returns SCREE_E_ARGUMENT with a message that names `path` and the key in two cases: if two of
 * contact_stiffness, young, hardness, softness and kn are set, or if a key is set without the key that it
 * belongs to. */
scree_status scree_stiffness_check(const scree_stiffness *stiffness, const char *path, scree_error *error);
/* Returns the normal stiffness k of a contact [N/m]. Returns 0 if the contact is rigid, or has a softness or
 * a stiffness per area.
 *   radius   effective radius R with 1/R = 1/R1 + 1/R2 [m], infinite between flat surfaces
 *   overlap  >= 0 [m]; only for Hertz's law
 *   load     mean normal force of all contacts [N]; only with hardness
 * linear: k = 2 E* R with E* = E/(2 (1 - nu^2)); Hertz: k = 4/3 E* sqrt(R overlap) (Johnson 1985, 4.2). */
double scree_stiffness_normal(const scree_stiffness *stiffness, double radius, double overlap, double load);
/* Returns the tangential stiffness divided by the normal stiffness: ks/kn or `ratio` if set; else 2 (1 -
 * nu)/(2 - nu) if a Poisson's ratio nu is set (Mindlin 1949); else 0.8. */
double scree_stiffness_ratio(const scree_stiffness *stiffness);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
