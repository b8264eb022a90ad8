/* Materials, and the rules between them: which law with which parameters acts between two materials. */
#ifndef SC_PAIRS_H
#define SC_PAIRS_H

#include "base/base.h"
#include "scree/cohesion.h"
#include "scree/stiffness.h"
#include "scree/world.h"

enum { SC_NAME_MAX = 64 };

typedef struct sc_material {
  char name[SC_NAME_MAX];
  double density;
} sc_material;

/* Gap up to which surfaces touch if no range of cohesion is given, over the effective radius. Solvers leave
 * gaps of at most 1e-7 of this radius. */
#define SC_TOUCHING 1e-4

/* Cohesion with what follows from its definition (law/cohesion). */
typedef struct sc_cohesion {
  scree_cohesion def;
  double strength; /* 0: there is none */
  double size;     /* capillary: cube root of the volume [m] */
  double near;     /* gap up to which it comes about by itself [m] */
  double farthest; /* largest gap at which two can hold each other [m] */
} sc_cohesion;

/* law is an index into the world's list of laws (registered ones first, then those defined by scripts). */
typedef struct sc_rule {
  int32_t law;
  int32_t set;   /* 0: not yet; 1: set once; 2: set again, of rule 0 by the user because creation sets it */
  int32_t first; /* the material named first */
  int32_t restitution_law;
  double params[SCREE_LAW_MAX_PARAMS];
  double restitution, tangential_restitution;
  sc_cohesion cohesion;
  scree_stiffness stiffness;
} sc_rule;

/* Returns whether a stiffness makes springs of contacts. */
static inline bool sc_stiffness_acts(const scree_stiffness *s) {
  return s->stiffness > 0 || s->young > 0 || s->hardness > 0 || s->softness > 0;
}
static inline bool sc_rule_springs(const sc_rule *rule) { return sc_stiffness_acts(&rule->stiffness); }

typedef struct sc_pairs {
  int32_t materials, rules;
  size_t material_capacity, rule_capacity, table_capacity, lost_capacity;
  sc_material *material;
  sc_rule *rule;  /* rule 0 serves every pair that was never set */
  int32_t *table; /* materials x materials, symmetric: row in rule */
  double *lost;   /* the same, [smaller][larger]: energy that contacts took so far [J] */
} sc_pairs;

void sc_pairs_free(sc_pairs *pairs);
/* New material; its pairs use rule 0. -1 without memory. */
int32_t sc_pairs_add_material(sc_pairs *pairs, const char *name, double density);
/* -1 if there is none. */
int32_t sc_pairs_find(const sc_pairs *pairs, const char *name);
/* Rule for a pair, made its own if `own`; NULL without memory. */
sc_rule *sc_pairs_rule(sc_pairs *pairs, int32_t material1, int32_t material2, bool own);

#endif
