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

/* Gap up to which surfaces touch if no range of cohesion is given, as a fraction of the effective radius.
 * Solvers leave gaps of at most 1e-7 of this radius. */
#define SC_TOUCHING 1e-4

/* A cohesion and the values computed from its definition (law/cohesion). */
typedef struct sc_cohesion {
  scree_cohesion def;
  double strength; /* 0: no cohesion */
  double size;     /* capillary: cube root of the volume [m] */
  double near;     /* gap up to which cohesion starts to act [m] */
  double farthest; /* largest gap at which cohesion acts [m] */
} sc_cohesion;

/* Rule of a pair of materials. law: index into the world's list of laws (registered laws first, then those
 * defined by scripts). */
typedef struct sc_rule {
  int32_t law;
  int32_t set;   /* 0: never set; 1: set once; 2: set again (rule 0, set at creation and then by the user) */
  int32_t first; /* material that the user named first */
  int32_t restitution_law;
  double params[SCREE_LAW_MAX_PARAMS];
  double restitution, tangential_restitution;
  sc_cohesion cohesion;
  scree_stiffness stiffness;
} sc_rule;

/* Returns whether a stiffness makes contacts compliant. */
static inline bool sc_stiffness_acts(const scree_stiffness *s) {
  return s->stiffness > 0 || s->young > 0 || s->hardness > 0 || s->softness > 0 || s->kn > 0;
}
/* Returns whether contacts of this rule are compliant. */
static inline bool sc_rule_springs(const sc_rule *rule) { return sc_stiffness_acts(&rule->stiffness); }

typedef struct sc_pairs {
  int32_t materials, rules;
  size_t material_capacity, rule_capacity, table_capacity, lost_capacity;
  sc_material *material;
  sc_rule *rule;  /* [rules] rule 0 is used by every pair that was never set */
  int32_t *table; /* [materials][materials] row in `rule`, symmetric */
  double *lost;   /* [materials][materials] energy dissipated so far [J], at [smaller][larger] index */
} sc_pairs;

/* Frees all tables and zeroes the struct. */
void sc_pairs_free(sc_pairs *pairs);
/* Adds a material whose pairs use rule 0. Returns its index, or -1 if out of memory. */
int32_t sc_pairs_add_material(sc_pairs *pairs, const char *name, double density);
/* Returns the index of the material with this name, or -1. */
int32_t sc_pairs_find(const sc_pairs *pairs, const char *name);
/* Returns the rule of a pair. If `own`, first gives the pair a rule that no other pair uses. Returns NULL if
 * out of memory. */
sc_rule *sc_pairs_rule(sc_pairs *pairs, int32_t material1, int32_t material2, bool own);

#endif
