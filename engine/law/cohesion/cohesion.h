/* Interface of a law of cohesion between rigid grains: one row of the table in cohesion.c. */
#ifndef SC_COHESION_H
#define SC_COHESION_H

#include <math.h>
#include <stdbool.h>
#include "base/base.h"
#include "model/pairs.h"
#include "scree/cohesion.h"

#define SC_PI 3.14159265358979323846

typedef struct sc_cohesion_kind {
  const char *name;
  const char *needs; /* keys that are required and above 0; each key is followed by a space */
  const char *takes; /* optional keys; each key is followed by a space */
  /* sets strength, size, near and farthest of c from c->def */
  void (*prepare)(sc_cohesion *c);
  /* members of the law for scree_cohesion_pull and scree_cohesion_rupture */
  double (*pull)(const sc_cohesion *c, double gap, double radius);
  double (*rupture)(const sc_cohesion *c, double radius);
} sc_cohesion_kind;

/* Returns the cohesion of a checked definition, with all derived values. */
sc_cohesion sc_cohesion_prepared(const scree_cohesion *def);
/* Returns whether a pair has cohesion. */
static inline bool sc_cohesion_acts(const sc_cohesion *c) { return c->strength > 0; }

/* Returns the pull of a contact in a step [N]. pressed: the contact was closed at the end of the last step.
 * held: the contact had a pull in the last step. A pull begins if the gap is within the touching gap, and
 * ends at the rupture distance. */
double sc_cohesion_at(const sc_cohesion *c, double gap, double radius, bool pressed, bool held);

/* Member `prepare` of sc_cohesion_kind for the law `capillary` (bridge.c). */
void sc_bridge_prepare(sc_cohesion *c);
/* Returns the pull of a liquid bridge at a gap [N]. */
double sc_bridge_pull(const sc_cohesion *c, double gap, double radius);
/* Returns the gap at which a liquid bridge breaks [m]. */
double sc_bridge_rupture(const sc_cohesion *c, double radius);

#endif
