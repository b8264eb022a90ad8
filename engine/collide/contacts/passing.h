/* Shapes that pass each other. */
#ifndef SC_PASSING_H
#define SC_PASSING_H

#include "collide/contacts/held.h"

/* Two shapes apart, with the touches that were found between them. */
typedef struct sc_passing {
  const sc_placed *a, *b;
  const sc_bodies *bodies;
  int32_t body1, body2;
  const sc_image *image; /* of body 2 */
  double size, dt;       /* radius of the smaller one's ball [m], step [s] */
  double fall;           /* gap that gravity closes within the step [m] */
  const sc_hint *hint;   /* what is known of the pair; may be NULL */
  const sc_held *held;   /* the list that it lies in; NULL: nothing else is there */
} sc_passing;

/* Takes out touches that would act in this step although the shapes only pass; how many are left. Shapes that
 * meet keep all. */
int sc_drop_passing(const sc_passing *p, sc_touch *touch, int count);

#endif
