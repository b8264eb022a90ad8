/* The domain that bodies must not leave. */
#ifndef SC_WORLD_DOMAIN_H
#define SC_WORLD_DOMAIN_H

#include "scree/world.h"

/* Checks that min < max along each axis of a domain, if there is one, and checks its `lost`. */
scree_status sc_world_check_domain(const scree_domain_def *def, scree_error *error);
/* Removes or reports bodies that a step has moved out of the domain. Collective. */
scree_status sc_world_watch_domain(scree_world *world, scree_error *error);
/* Returns the number of bodies that have left the domain, as scree_report.bodies_lost. Collective. */
int64_t sc_world_lost(const scree_world *world);

#endif
