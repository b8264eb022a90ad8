/* Shapes that lie beside each other. */
#ifndef SC_BESIDE_H
#define SC_BESIDE_H

#include "collide/collide.h"

/* Takes out touches of two shapes that meet in edges or corners alone; how many are left. slack [m]: by how
 * much they may overlap across. */
int sc_drop_beside(const sc_placed *a, const sc_placed *b, double slack, sc_touch *touch, int count);

#endif
