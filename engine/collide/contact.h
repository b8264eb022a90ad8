/* Contacts: what the collision stage hands on, one row each. */
#ifndef SC_CONTACT_H
#define SC_CONTACT_H

#include <stdint.h>
#include "model/cell.h"

/* Geometry of one contact point as a narrow-phase function finds it. Normal from shape 2 to shape 1.
 * feature tells apart the points of one pair of shapes and stays the same from step to step. */
typedef struct sc_touch {
  double point[3], normal[3], gap;
  uint32_t feature;
  int32_t triangle; /* of a mesh */
} sc_touch;

enum { SC_MAX_TOUCHES = 48 }; /* most contact points of one pair of convex shapes */

/* A contact as other stages see it, made on demand (sc_collide_contact); what is kept of it is list.h's. */
typedef struct sc_contact {
  int32_t body1, body2; /* rows */
  double point[3];      /* on the middle between the surfaces [m] */
  double normal[3];     /* unit, from body 2 to body 1 */
  double gap;           /* [m], negative: penetration */
  sc_image image;       /* of body 2, as body 1 sees it; 0 without a cell */
  /* world frame, on body 1 [N s]: last step's on the way in, this step's on the way out */
  double impulse[3];
  uint32_t feature;             /* within its pair of shapes */
  int32_t state;                /* scree_contact_state after solving */
  int32_t material1, material2; /* of the two shapes */
} sc_contact;

/* Its bodies and materials alone, which cost less to tell. */
typedef struct sc_sides {
  int32_t body1, body2, material1, material2;
} sc_sides;
/* These, with normal, gap and impulse as above. */
typedef struct sc_meeting {
  sc_sides sides;
  double normal[3], gap, impulse[3];
} sc_meeting;

#endif
