/* Contacts of a problem: the numbers that make up one, as values. contacts/contacts.h says where they lie. */
#ifndef SC_CONTACT_ROWS_H
#define SC_CONTACT_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include "law/law.h"

typedef struct sc_ball_contact {
  double n[3]; /* from body 2 to body 1 */
  double p[3]; /* impulse on body 1, world frame [N s] */
  double bias; /* [m/s] */
  double mu;
  int32_t i, j; /* bodies 1 and 2; j may be immovable */
} sc_ball_contact;

/* Moments of a ball contact with torsional and rolling friction (couple.c), in the row of its ball. Over
 * the scale s1 of body 1 they are impulses, and the relative spin in the same measure is a velocity, q1
 * - ratio q2. */
typedef struct sc_ball_couple {
  double m[3];             /* moment impulse on body 1, world frame, over s1 [N s] */
  double torsion, rolling; /* bounds of m along the normal and across it, per normal impulse */
  double ratio;            /* s1/s2 */
} sc_ball_couple;

typedef struct sc_general_contact {
  int32_t i, j;
  int32_t law;             /* index into problem.laws */
  int32_t dim;             /* 3..6 */
  double n[3], t[3], o[3]; /* frame, world axes */
  double arm1[3], arm2[3]; /* r/s of either body, world axes */
  double scale1, scale2;   /* s of either body: rows past 3 act on w = q/s */
  double bias;             /* on the normal row [m/s] */
  double drift[3];         /* where the problem has drifts: added to u, rows n, t, o [m/s] */
  bool drifts;             /* it has one, or may come to have one while the problem is solved */
  int32_t par;             /* offset into problem.par */
  int32_t block;           /* offset into problem.block: dim x dim Delassus block, row-major */
  int32_t x;               /* offset into problem.x: dim impulses in frame axes */
  int32_t contact;         /* row of the contact this came from */
} sc_general_contact;

/* A general contact with its block and impulses; and room for a copy of one that lies in a bundle. */
typedef struct sc_general {
  const sc_general_contact *c;
  const double *A, *x;
} sc_general;
typedef struct sc_general_room {
  sc_general_contact c;
  double A[SCREE_LAW_MAX_DIM * SCREE_LAW_MAX_DIM], x[SCREE_LAW_MAX_DIM];
} sc_general_room;
/* What a general contact does at the bodies' present velocities: impulse and moment on body 1 (world axes),
 * relative velocity in its frame. */
typedef struct sc_general_state {
  double n[3], p[3], m[3], u[3];
} sc_general_state;
/* States of at most SC_GROUP contacts side by side, with their numbers. */
enum { SC_GROUP = 8 };
typedef struct sc_general_group {
  int count;
  const int32_t *general;                                      /* numbers of the contacts */
  int32_t number[SC_GROUP];                                    /* room of these */
  int32_t i[SC_GROUP], j[SC_GROUP];                            /* bodies */
  const double (*n)[SC_GROUP], (*m)[SC_GROUP];                 /* m: NULL where there are no moments */
  double p[3][SC_GROUP], u[3][SC_GROUP], room[2][3][SC_GROUP]; /* of n and m */
} sc_general_group;

/* What a gap asks of a contact: bias = gap/dt where it is open, else back gap/time, at least `least`; a gap
 * up to `closed` is none. */
typedef struct sc_gap_rule {
  double dt, closed, back, time, least;
} sc_gap_rule;
/* What general contacts whose bodies are free in space are made from side by side. All
 * lanes are set: past the last contact is one of the immovable world with itself. */
typedef struct sc_general_source {
  const sc_gap_rule *gap;
  double warm_start;
  const double *touch[SC_GROUP]; /* point, normal, gap, and a number that is not looked at */
  const double *impulse[SC_GROUP], *position1[SC_GROUP], *position2[SC_GROUP]; /* the step before's; bodies */
  double shift[3][SC_GROUP];                 /* of the image of body 2 that is meant */
  double off[SC_GROUP];                      /* on the bias, of a surface that runs */
  double scale1[SC_GROUP], scale2[SC_GROUP]; /* negated: a ball, whose arm reaches its own surface */
  const double *moment[SC_GROUP];            /* the step before's, of groups with moments */
  const sc_law_lane *lane[SC_GROUP];
  int32_t i[SC_GROUP], j[SC_GROUP];
} sc_general_source;

/* Who meets in a contact of the collision stage: rows of bodies, and of the rule between their materials, by
 * which problem.par has its law's parameters; where these are the contact's own, behind those of all rules,
 * the row of those, once they are set. */
typedef struct sc_partners {
  int32_t body1, body2, rule;
} sc_partners;

#endif
