/* Materials, and the rules for pairs of materials: law and parameters of contacts between them. */
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

/* Largest gap at which a cohesion without a range of its own begins to act, divided by the effective radius.
 * Solvers leave gaps of at most 1e-7 of this radius. */
#define SC_TOUCHING 1e-4

/* A cohesion, and values computed from its definition (law/cohesion). */
typedef struct sc_cohesion {
  scree_cohesion def;
  /* largest attractive force [N]; capillary, jkr, dmt: this force divided by the effective radius [N/m]; 0:
   * no cohesion */
  double strength;
  double size;     /* capillary cohesion: cube root of the volume of a liquid bridge [m] */
  double near;     /* gap at which cohesion begins to act when surfaces approach [m] */
  double farthest; /* largest gap at which cohesion acts after it has begun [m] */
} sc_cohesion;

/* Rule of a pair of materials: the law of its contacts and all parameters. law: index in the world's list of
 * laws, which has registered laws first, then laws of scripts. */
typedef struct sc_rule {
  int32_t law;
  /* 0: never set; 1: set once; 2: set again (rule 0 is set when the world is created, and again by the
   * user) */
  int32_t set;
  int32_t first; /* index of the material that the user named first when the rule was set */
  int32_t restitution_law;
  double params[SCREE_LAW_MAX_PARAMS];
  double restitution, tangential_restitution;
  sc_cohesion cohesion;
  scree_stiffness stiffness;
} sc_rule;

/* Returns true if a stiffness makes contacts compliant. */
static inline bool sc_stiffness_acts(const scree_stiffness *s) {
  return s->stiffness > 0 || s->young > 0 || s->hardness > 0 || s->softness > 0 || s->kn > 0;
}
/* Returns true if contacts with this rule are compliant. */
static inline bool sc_rule_springs(const sc_rule *rule) { return sc_stiffness_acts(&rule->stiffness); }

typedef struct sc_pairs {
  int32_t materials, rules;
  size_t material_capacity, rule_capacity, table_capacity, lost_capacity;
  sc_material *material;
  sc_rule *rule;  /* [rules] rules; rule 0 applies to all pairs that were never set */
  int32_t *table; /* [materials][materials] index in `rule`, symmetric */
  /* [materials][materials] energy dissipated so far [J]; the pair i <= j uses the entry [i][j] */
  double *lost;
} sc_pairs;

/* Frees all tables and zeroes the struct. */
void sc_pairs_free(sc_pairs *pairs);
/* Adds a material. Its pairs use rule 0. Returns its index, or -1 if out of memory. */
int32_t sc_pairs_add_material(sc_pairs *pairs, const char *name, double density);
/* Returns the index of the material with this name, or -1 if there is none. */
int32_t sc_pairs_find(const sc_pairs *pairs, const char *name);
/* Returns the rule of a pair of materials. own: true to create a rule for this pair alone if it does not have
 * one. Returns NULL if out of memory. */
sc_rule *sc_pairs_rule(sc_pairs *pairs, int32_t material1, int32_t material2, bool own);

#endif
