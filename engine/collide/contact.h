/* Contacts: the result of the collision stage. */
#ifndef SC_CONTACT_H
#define SC_CONTACT_H

#include <stdint.h>
#include "model/cell.h"

/* Geometry of one contact point of two shapes. */
typedef struct sc_touch {
  double point[3];  /* contact point, midway between the surfaces [m] */
  double normal[3]; /* unit, from shape 2 to shape 1 */
  double gap;       /* distance of the surfaces [m]; negative: penetration */
  uint32_t feature; /* feature id: distinguishes the points of a pair of shapes, stable from step to step */
  int32_t triangle; /* row of the touched triangle in the mesh, if a shape is a mesh */
} sc_touch;

enum { SC_MAX_TOUCHES = 48 }; /* largest number of contact points of one pair of shapes */

/* A contact as other stages read it, computed on demand by sc_collide_contact. contact_cache.h has the stored
 * part. */
typedef struct sc_contact {
  int32_t body1, body2;         /* rows of bodies 1 and 2 */
  double point[3];              /* contact point, midway between the surfaces [m] */
  double normal[3];             /* unit, from body 2 to body 1 */
  double gap;                   /* distance of the surfaces [m]; negative: penetration */
  sc_image image;               /* periodic image of body 2, as body 1 sees it; 0 without a cell */
  double impulse[3];            /* impulse on body 1, world axes [N s]; before the solve: that of the last
                                   step */
  uint32_t feature;             /* feature id within the pair of shapes */
  int32_t state;                /* state after the solve, a scree_contact_state */
  int32_t material1, material2; /* indices of the materials of the two shapes */
} sc_contact;

/* Bodies and materials of a contact, which are cheaper to compute than a whole sc_contact. */
typedef struct sc_sides {
  int32_t body1, body2, material1, material2;
} sc_sides;
/* Bodies and materials of a contact, and its normal, gap and impulse as in sc_contact: the input of ball
 * contacts. */
typedef struct sc_meeting {
  sc_sides sides;
  double normal[3], gap, impulse[3];
} sc_meeting;

#endif
