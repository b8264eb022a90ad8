/* The domain in which bodies should stay. */
#ifndef SC_WORLD_DOMAIN_H
#define SC_WORLD_DOMAIN_H

#include "scree/world.h"

/* Checks that min < max along each axis of a domain and that `lost` is valid. A definition without a domain
 * is valid. */
scree_status sc_world_check_domain(const scree_domain_def *def, scree_error *error);
/* Removes or reports dynamic bodies outside the domain. Call after a step. Collective. */
scree_status sc_world_watch_domain(scree_world *world, scree_error *error);
/* Returns the number of bodies that have left the domain (scree_report.bodies_lost). If the world removes
 * such bodies, this is the number removed so far; else the number of bodies outside now. Collective. */
int64_t sc_world_lost(const scree_world *world);

#endif
