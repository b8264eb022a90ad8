/* Laws of cohesion, and the checks of their parameters.
 *
 * For rigid grains theories of adhesion reduce to one number, the pull-off force. With the work of adhesion W
 * and 1/R = 1/R1 + 1/R2, it is 3/2 pi W R by Johnson, Kendall & Roberts (1971), and 2 pi W R by Derjaguin,
 * Muller & Toporov (1975). The force acts while a contact is closed. It does not act between flat shapes.
 *
 * Solvers and rounding leave gaps at closed contacts. The default range is therefore the share SC_TOUCHING of
 * R. This share is larger than the gap that a solver leaves at a contact that the pull can balance. */
#include "law/cohesion/cohesion.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define AT(member) offsetof(scree_cohesion, member)
const scree_param scree_cohesion_params[] = {
    {"cohesion_law", SCREE_CHOICE, 0, "", SCREE_COHESION_CONSTANT, 0, 0, AT(law),
        "constant|linear|capillary|jkr|dmt", "how grains pull each other"},
    {"cohesion", SCREE_REAL, 0, "N", 0, 0, INFINITY, AT(force), NULL,
        "force that holds a closed contact together (constant, linear)"},
    {"cohesion_range", SCREE_REAL, 0, "m", 0, 0, INFINITY, AT(range), NULL,
        "gap up to which it acts (constant; 0: 1e-4 of the effective radius), at which it has fallen to 0 "
        "(linear)"},
    {"volume", SCREE_REAL, 0, "m3", 0, 0, INFINITY, AT(volume), NULL, "liquid of a bridge (capillary)"},
    {"contact_angle", SCREE_REAL, 0, "rad", 0, 0, SC_PI / 2, AT(contact_angle), NULL,
        "angle between liquid and grain (capillary)"},
    {"tension", SCREE_REAL, 0, "N/m", 0, 0, INFINITY, AT(tension), NULL, "surface tension (capillary)"},
    {"work", SCREE_REAL, 0, "J/m2", 0, 0, INFINITY, AT(work), NULL, "work of adhesion (jkr, dmt)"},
};
const int scree_cohesion_params_count = sizeof scree_cohesion_params / sizeof *scree_cohesion_params;

/* ---- the laws ---- */

static void prepare_range(sc_cohesion *c) {
  c->strength = c->def.force;
  c->near = c->farthest = c->def.range;
}
static double constant_pull(const sc_cohesion *c, double gap, double radius) {
  return (void)gap, (void)radius, c->strength;
}
static double linear_pull(const sc_cohesion *c, double gap, double radius) {
  (void)radius;
  return gap <= 0 ? c->strength : gap < c->near ? c->strength * (1 - gap / c->near) : 0;
}
/* Returns the gap up to which surfaces count as touching [m]: the given range, or SC_TOUCHING times the
 * radius. */
static double touching_gap(const sc_cohesion *c, double radius) {
  return c->near > 0 ? c->near : radius < INFINITY ? SC_TOUCHING * radius : 0;
}
static double at_range(const sc_cohesion *c, double radius) { return touching_gap(c, radius); }

static void prepare_jkr(sc_cohesion *c) { c->strength = 1.5 * SC_PI * c->def.work; }
static void prepare_dmt(sc_cohesion *c) { c->strength = 2 * SC_PI * c->def.work; }
static double pull_off(const sc_cohesion *c, double gap, double radius) {
  return (void)gap, radius < INFINITY ? c->strength * radius : 0;
}

static const sc_cohesion_kind kinds[] = {
    [SCREE_COHESION_CONSTANT] = {"constant", "", "cohesion cohesion_range ", prepare_range, constant_pull,
        at_range},
    [SCREE_COHESION_LINEAR] = {"linear", "cohesion cohesion_range ", "", prepare_range, linear_pull,
        at_range},
    [SCREE_COHESION_CAPILLARY] = {"capillary", "volume tension ", "contact_angle ", sc_bridge_prepare,
        sc_bridge_pull, sc_bridge_rupture},
    [SCREE_COHESION_JKR] = {"jkr", "work ", "", prepare_jkr, pull_off, at_range},
    [SCREE_COHESION_DMT] = {"dmt", "work ", "", prepare_dmt, pull_off, at_range},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

sc_cohesion sc_cohesion_prepared(const scree_cohesion *def) {
  sc_cohesion c = {.def = *def};
  kinds[def->law].prepare(&c);
  return c;
}

double sc_cohesion_at(const sc_cohesion *c, double gap, double radius, bool pressed, bool held) {
  if (!(gap <= touching_gap(c, radius) || pressed || (held && gap <= kinds[c->def.law].rupture(c, radius))))
    return 0;
  return kinds[c->def.law].pull(c, gap, radius);
}

double scree_cohesion_pull(const scree_cohesion *cohesion, double gap, double radius) {
  SC_DEMAND(cohesion, NULL, 0);
  sc_cohesion c = sc_cohesion_prepared(cohesion);
  return sc_cohesion_at(&c, gap, radius, false, true);
}
double scree_cohesion_rupture(const scree_cohesion *cohesion, double radius) {
  SC_DEMAND(cohesion, NULL, 0);
  sc_cohesion c = sc_cohesion_prepared(cohesion);
  return kinds[cohesion->law].rupture(&c, radius);
}

/* ---- checks of parameters ---- */

static bool has_key(const char *keys, const char *key) {
  size_t length = strlen(key);
  for (const char *at = keys; (at = strstr(at, key)); at += length)
    if (at[length] == ' ' && (at == keys || at[-1] == ' ')) return true;
  return false;
}

static scree_status check_key(
    const scree_cohesion *c, const scree_param *p, const char *path, scree_error *error) {
  const sc_cohesion_kind *kind = kinds + c->law;
  const double value = *(const double *)(const void *)((const char *)c + p->offset);
  char name[256] = "";
  if (error) snprintf(name, sizeof name, "%s.%s", path, p->name); // restoring a world checks without words
  scree_status status = scree_param_check(p, c, name, error);
  const bool needed = has_key(kind->needs, p->name);
  if (!status && needed && !(value > 0))
    status = sc_fail(
        error, SCREE_E_ARGUMENT, "%s is missing: cohesion_law \"%s\" needs it above 0", name, kind->name);
  if (!status && !needed && value != 0 && !has_key(kind->takes, p->name))
    status = sc_fail(error, SCREE_E_ARGUMENT, "%s does not belong to cohesion_law \"%s\"", name, kind->name);
  return status;
}

scree_status scree_cohesion_check(const scree_cohesion *c, const char *path, scree_error *error) {
  SC_DEMAND(c, error, SCREE_E_ARGUMENT);
  if (c->law < 0 || c->law >= KINDS)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s.cohesion_law %d is none of constant, linear, capillary, jkr, dmt", path, c->law);
  scree_status status = SCREE_OK;
  for (int i = 1; i < scree_cohesion_params_count && !status; i++)
    status = check_key(c, scree_cohesion_params + i, path, error);
  if (!status && c->range > 0 && !(c->force > 0) && has_key(kinds[c->law].takes, "cohesion_range"))
    status = sc_fail(error, SCREE_E_ARGUMENT, "%s.cohesion_range needs %s.cohesion above 0", path, path);
  return status;
}
