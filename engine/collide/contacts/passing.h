/* Shapes that pass each other. */
#ifndef SC_PASSING_H
#define SC_PASSING_H

#include "collide/contacts/held.h"

/* Two shapes of a pair, with what is needed to follow their motion within the step. */
typedef struct sc_passing {
  const sc_placed *a, *b;
  const sc_bodies *bodies;
  int32_t body1, body2;
  const sc_image *image; /* periodic image of body 2 */
  double size, dt;       /* bounding radius of the smaller shape [m], step [s] */
  double fall;           /* gap that gravity closes within the step [m] */
  const sc_hint *hint;   /* contact cache of the pair; may be NULL */
  const sc_held *held;   /* the pair in its list; NULL: no list */
} sc_passing;

/* Drops touches that would act in this step although the shapes only pass each other. Convex shapes that
 * meet keep all touches. Returns the number of touches that remain. */
int sc_drop_passing(const sc_passing *p, sc_touch *touch, int count);

#endif
