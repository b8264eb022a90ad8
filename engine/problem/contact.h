/* Records of the contacts of a problem. problem/contacts/contacts.h reads and writes them, in rows or
 * bundles. */
#ifndef SC_CONTACT_ROWS_H
#define SC_CONTACT_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include "law/law.h"

/* Implicit spring of a contact with stiffness k, damped over the relaxation time T. The spring replaces the
 * velocity u in the law: by u + normal x_n + bias along the normal, and by u + tangent (x - last) across the
 * normal. Here normal = 1/(k dt (dt + T)) and tangent = 1/(k_t dt^2). The bias is gap/(dt + T) if the
 * contact is closed, gap/dt if it is open (problem/assembly/assemble_spring.c). The diagonal of the contact's
 * Delassus block includes normal and tangent. */
typedef struct sc_contact_spring {
  double normal, tangent; /* compliances [1/kg]; normal 0: the contact is rigid */
  double bias;            /* velocity that replaces the contact's bias [m/s] */
  /* overlap beyond the deflection of the spring, divided by the time scale of `bias` [m/s], >= 0; position
   * corrections remove this overlap */
  double rest;
  double
      last[3]; /* tangential impulse of the last step [N s]: world axes (ball), or rows n, t, o (general) */
} sc_contact_spring;
/* Returns the bias of a contact's spring, or the contact's own bias if it is rigid [m/s]. */
static inline double sc_spring_bias(const sc_contact_spring *spring, double own) {
  return spring->normal > 0 ? spring->bias : own;
}

typedef struct sc_ball_contact {
  double n[3];  /* unit normal from body 2 to body 1, world axes */
  double p[3];  /* impulse on body 1, world frame [N s] */
  double bias;  /* added to the normal velocity by the law (problem.h) [m/s] */
  double mu;    /* coefficient of friction */
  int32_t i, j; /* [bodies] bodies 1 and 2; j may be immovable */
  sc_contact_spring spring;
} sc_ball_contact;

/* Moments of a ball contact with torsional and rolling friction (problem/operator/couple.c). There is one
 * record per ball contact, with the same index. Moments are divided by s1, the length that scales the spin of
 * body 1 (problem.h), so they are impulses. The relative spin times s1, q1 - ratio q2, is a velocity. */
typedef struct sc_ball_couple {
  double m[3];             /* moment impulse on body 1, world frame, over s1 [N s] */
  double torsion, rolling; /* largest |m| along the normal and across the normal, per unit of normal
                              impulse */
  double ratio;            /* ratio s1/s2 of the lengths that scale the spins */
} sc_ball_couple;

typedef struct sc_general_contact {
  int32_t i, j;            /* [bodies] bodies 1 and 2 */
  int32_t law;             /* index of the law in problem.law */
  int32_t dim;             /* number of rows, 3..6 */
  double n[3], t[3], o[3]; /* contact frame, world axes: unit normal (body 2 to body 1), two unit tangents */
  double arm1[3], arm2[3]; /* arm from the centre to the contact, over the length s (problem.h), world axes */
  double scale1, scale2;   /* lengths s of bodies 1 and 2 [m]: rows past the third act on the spins w = q/s */
  double bias;             /* added to the velocity of the normal row by the law [m/s] */
  double drift[3];         /* velocity that a moving periodic image adds to u, rows n, t, o [m/s] */
  bool drifts;             /* true: `drift` is nonzero, or may become so while the problem is solved */
  int32_t par;             /* offset of the law's parameters in problem.par */
  int32_t block;           /* offset into problem.block: dim x dim Delassus block, row-major */
  int32_t x;               /* offset into problem.x: dim impulses in frame axes */
  int32_t contact;         /* index of the contact in the collision stage */
  sc_contact_spring spring;
} sc_general_contact;

/* A general contact with its Delassus block and its impulses. */
typedef struct sc_general {
  const sc_general_contact *c;
  const double *A, *x;
} sc_general;
/* Memory for a copy of a general contact that lies in a bundle. */
typedef struct sc_general_room {
  sc_general_contact c;
  double A[SCREE_LAW_MAX_DIM * SCREE_LAW_MAX_DIM], x[SCREE_LAW_MAX_DIM];
} sc_general_room;
/* State of a general contact at the bodies' present velocities: normal, impulse p and moment m on body 1
 * (world axes), and relative velocity u in the contact's frame. */
typedef struct sc_general_state {
  double n[3], p[3], m[3], u[3];
} sc_general_state;
/* Rule for the bias of a contact [m/s]: gap/dt if it is open, max(min_bias, back gap/time) if it penetrates.
 * closed: gaps and depths up to this bound count as 0 [m]. back: share of a penetration to correct within
 * `time`. dt, time [s]. */
typedef struct sc_gap_rule {
  double dt, closed, back, time, min_bias;
} sc_gap_rule;
/* Number of general contacts that are assembled together, one per SIMD lane. */
enum { SC_GROUP = 8 };
/* Input for the assembly of the general contacts of a bundle, one per lane. The problem is not planar. All
 * lanes are set: unused lanes have a contact of the immovable world with itself. */
typedef struct sc_general_source {
  const sc_gap_rule *gap;
  double warm_start;
  const double *touch[SC_GROUP];   /* point (3), normal (3), gap [m], and an unused number */
  const double *impulse[SC_GROUP]; /* impulse of the last step, world axes [N s] */
  const double *position1[SC_GROUP], *position2[SC_GROUP]; /* points from which the arms are measured [m] */
  double shift[3][SC_GROUP]; /* displacement of the periodic image of body 2 [m] */
  double off[SC_GROUP];      /* normal velocity of a moving surface, added to the bias [m/s] */
  /* lengths s of bodies 1 and 2 (problem.h) [m]. Negative: the body is a ball, and its arm ends at its own
   * surface */
  double scale1[SC_GROUP], scale2[SC_GROUP];
  const double *moment[SC_GROUP];     /* moment of the last step [N m s]; only read in bundles with moments */
  sc_contact_spring spring[SC_GROUP]; /* `last` is set by the store; only read if there are springs */
  const sc_law_lane *lane[SC_GROUP];
  int32_t i[SC_GROUP], j[SC_GROUP];
} sc_general_source;

/* Bodies and rule of a contact of the collision stage. body1, body2: rows of the bodies. rule: row of the
 * law's parameters in problem.par. The first rows of problem.par belong to the rules between materials. A
 * contact with parameters of its own has a later row, once its parameters are set. */
typedef struct sc_partners {
  int32_t body1, body2, rule;
} sc_partners;

#endif
