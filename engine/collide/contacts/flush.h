/* Balls over seams between shapes. */
#ifndef SC_FLUSH_H
#define SC_FLUSH_H

#include "collide/contacts/held.h"

/* Removes the touches of a ball with a shape whose points on the shape lie on a neighbour of the shape that
 * is nearer to the ball; returns how many are left. The neighbour belongs to the same body, or both are
 * fixed. a, b: the pair as it is placed. Returns count if neither is a ball. */
int sc_drop_flush(const sc_held *held, const sc_placed *a, const sc_placed *b, sc_touch *touch, int count);

#endif
