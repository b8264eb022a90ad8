/* The plug of a law of cohesion between rigid grains: one row of the table in cohesion.c. */
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
  const char *needs; /* keys it has to be given, each above 0, a space behind each */
  const char *takes; /* further keys */
  /* fills strength, size, near, farthest of c from c->def */
  void (*prepare)(sc_cohesion *c);
  /* as the public functions */
  double (*pull)(const sc_cohesion *c, double gap, double radius);
  double (*rupture)(const sc_cohesion *c, double radius);
} sc_cohesion_kind;

/* What a checked definition comes to. */
sc_cohesion sc_cohesion_prepared(const scree_cohesion *def);
static inline bool sc_cohesion_acts(const sc_cohesion *c) { return c->strength > 0; }
double sc_cohesion_pull(const sc_cohesion *c, double gap, double radius);

/* The pull of a contact in a step [N]. pressed: it ended the last step closed; held: it was pulled in the
 * last step. A pull goes on to its rupture distance, and comes about where grains touch or are near. */
double sc_cohesion_at(const sc_cohesion *c, double gap, double radius, bool pressed, bool held);

/* bridge.c */
void sc_bridge_prepare(sc_cohesion *c);
double sc_bridge_pull(const sc_cohesion *c, double gap, double radius);
double sc_bridge_rupture(const sc_cohesion *c, double radius);

#endif
