/* Energy of the springs of contacts and mean load of contacts. Both are stored after each step. */
#ifndef SC_SPRINGS_KEPT_H
#define SC_SPRINGS_KEPT_H

#include "scree/world.h"

/* Stores three results of the solved problem in world->energy: the energy of all springs, the mean load of
 * contacts and the time for which impulses acted. The energy of springs counts as elastic, not as dissipated.
 * Stiffness by hardness uses the mean load. Collective. */
void sc_springs_keep(scree_world *world);

#endif
