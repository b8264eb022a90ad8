/* Edges over which a surface goes on. */
#ifndef SC_SEAM_H
#define SC_SEAM_H

#include "collide/contacts/held.h"

/* Whether a touch of a pair, a first, is one of an edge or corner that lies in a surface which goes on,
 * flat or rising, beyond it. size [m]: the radius of the ball about the smaller shape. slack [m]: the
 * step up or down that counts as flat; up to ten times that where the larger shape is large. */
bool sc_is_on_seam(const sc_held *held, const sc_placed *a, const sc_placed *b, double size, double slack,
    const sc_touch *touch);

#endif
