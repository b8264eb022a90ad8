/* Energy and mean load of the springs of contacts, stored after each step. */
#ifndef SC_SPRINGS_KEPT_H
#define SC_SPRINGS_KEPT_H

#include "scree/world.h"

/* Stores the energy of all springs of the solved problem, which counts as elastic and not as dissipated, the
 * mean load of contacts for stiffness by hardness, and the time for which impulses acted. Collective. */
void sc_springs_keep(scree_world *world);

#endif
