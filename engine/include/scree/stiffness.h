/* Contact stiffness between two materials: contacts are springs that the step solves implicitly. */
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
  SCREE_STIFFNESS_HERTZ   /* secant of Hertz's law at the overlap before the step */
} scree_stiffness_law;

/* At most one of stiffness, young, hardness, softness and kn is above 0. With none of them contacts are
 * rigid. */
typedef struct scree_stiffness {
  double stiffness; /* k of the normal spring [N/m] */
  double young;     /* Young's modulus of both bodies [Pa]: k = 2 E* R, see scree_stiffness_normal */
  double poisson;   /* Poisson's ratio of both bodies, [0, 0.5] */
  double hardness;  /* k = hardness F/d, with the mean load F of all contacts and the grain diameter d */
  /* compliance of a step over that of the masses: k = 1/(softness (1/m1 + 1/m2) dt^2) */
  double softness;
  double kn, ks;     /* stiffness along and across the normal, per area of the face [Pa/m]; ks 0: by ratio */
  int law;           /* scree_stiffness_law, with young */
  double ratio;      /* tangential over normal stiffness; 0: none given */
  double relaxation; /* time in which the step's spring relaxes [s], 0: no damping of its own */
} scree_stiffness;
/* The table of its keys: contact_stiffness, young, poisson, hardness, softness, kn, ks, stiffness_law,
 * stiffness_ratio, relaxation_time. */
extern const scree_param scree_stiffness_params[];
extern const int scree_stiffness_params_count;

/* Returns SCREE_E_ARGUMENT with a text that names `path` and the key if two of contact_stiffness, young,
 * hardness, softness and kn are given, or a key without the one that it belongs to. */
scree_status scree_stiffness_check(const scree_stiffness *stiffness, const char *path, scree_error *error);
/* Returns the normal stiffness k [N/m] of a contact, 0 if it is rigid, or has a softness or a stiffness
 * per area.
 *   radius   1/R = 1/R1 + 1/R2 [m], infinite between flats
 *   overlap  at least 0 [m]; used by Hertz's law alone
 *   load     mean normal force of all contacts [N]; used with hardness alone
 * linear: k = 2 E* R with E* = E/(2 (1 - nu^2)); Hertz: k = 4/3 E* sqrt(R overlap) (Johnson 1985, 4.2). */
double scree_stiffness_normal(const scree_stiffness *stiffness, double radius, double overlap, double load);
/* Returns the tangential stiffness over the normal one: ks/kn or the given ratio, else 2 (1 - nu)/(2 - nu)
 * with a Poisson's ratio (Mindlin 1949), else 0.8. */
double scree_stiffness_ratio(const scree_stiffness *stiffness);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
