/* Contact stiffness: keys, checks and values (scree/stiffness.h). */
#include "scree/stiffness.h"

#include <math.h>
#include <stddef.h>

#include "base/base.h"
#include "model/pairs.h"

#define AT(member) offsetof(scree_stiffness, member)
const scree_param scree_stiffness_params[] = {
    {"contact_stiffness", SCREE_REAL, 0, "N/m", 0, 0, INFINITY, AT(stiffness), NULL,
        "stiffness of the normal spring; 0: rigid"},
    {"young", SCREE_REAL, 0, "Pa", 0, 0, INFINITY, AT(young), NULL,
        "Young's modulus, in place of contact_stiffness"},
    {"poisson", SCREE_REAL, 0, "", 0, 0, 0.5, AT(poisson), NULL, "Poisson's ratio (young)"},
    {"hardness", SCREE_REAL, 0, "", 0, 0, INFINITY, AT(hardness), NULL,
        "stiffness over the mean load and the grain diameter, in place of contact_stiffness"},
    {"softness", SCREE_REAL, 0, "", 0, 0, 1e6, AT(softness), NULL,
        "compliance over that of the masses in a step, in place of contact_stiffness"},
    {"kn", SCREE_REAL, 0, "Pa/m", 0, 0, INFINITY, AT(kn), NULL,
        "normal stiffness per area of the face, in place of contact_stiffness"},
    {"ks", SCREE_REAL, 0, "Pa/m", 0, 0, INFINITY, AT(ks), NULL,
        "tangential stiffness per area (kn); 0: by stiffness_ratio"},
    {"stiffness_law", SCREE_CHOICE, 0, "", SCREE_STIFFNESS_LINEAR, 0, 0, AT(law), "linear|hertz",
        "how the force grows with the overlap (young)"},
    {"stiffness_ratio", SCREE_REAL, 0, "", 0, 0, INFINITY, AT(ratio), NULL,
        "tangential over normal stiffness; 0: by Poisson's ratio, else 0.8"},
    {"relaxation_time", SCREE_REAL, 0, "s", 0, 0, INFINITY, AT(relaxation), NULL,
        "time in which the spring relaxes towards its force; damps its oscillation"},
};
const int scree_stiffness_params_count = sizeof scree_stiffness_params / sizeof *scree_stiffness_params;

/* Ratio of tangential to normal stiffness of grains whose Poisson's ratio is not known (2/7 to 1 in the
 * literature). */
static const double PLAIN_RATIO = 0.8;

static scree_status check_owner(
    bool given, bool owner, const char *path, const char *key, const char *needs, scree_error *error) {
  if (!given || owner) return SCREE_OK;
  return sc_fail(error, SCREE_E_ARGUMENT, "%s.%s needs %s", path, key, needs);
}

scree_status scree_stiffness_check(const scree_stiffness *s, const char *path, scree_error *error) {
  SC_DEMAND(s, error, SCREE_E_ARGUMENT);
  scree_status status = scree_param_check_all(
      scree_stiffness_params, scree_stiffness_params_count, s, path, error);
  if (status != SCREE_OK) return status;
  if ((s->stiffness > 0) + (s->young > 0) + (s->hardness > 0) + (s->softness > 0) + (s->kn > 0) > 1)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s: contact_stiffness, young, hardness, softness and kn all give the stiffness of contacts; give "
        "one",
        path);
  static const char *const any = "contact_stiffness, young, hardness, softness or kn";
  status = check_owner(s->poisson > 0, s->young > 0, path, "poisson", "young", error);
  if (status == SCREE_OK)
    status = check_owner(
        s->law == SCREE_STIFFNESS_HERTZ, s->young > 0, path, "stiffness_law", "young", error);
  if (status == SCREE_OK) status = check_owner(s->ks > 0, s->kn > 0, path, "ks", "kn", error);
  if (status == SCREE_OK && s->ks > 0 && s->ratio > 0)
    status = sc_fail(
        error, SCREE_E_ARGUMENT, "%s: ks and stiffness_ratio both give the stiffness across; give one", path);
  if (status == SCREE_OK)
    status = check_owner(s->ratio > 0, sc_stiffness_acts(s), path, "stiffness_ratio", any, error);
  if (status == SCREE_OK)
    status = check_owner(s->relaxation > 0, sc_stiffness_acts(s), path, "relaxation_time", any, error);
  return status;
}

double scree_stiffness_normal(const scree_stiffness *s, double radius, double overlap, double load) {
  SC_DEMAND(s, NULL, 0);
  if (s->stiffness > 0) return s->stiffness;
  if (!(radius < INFINITY) || s->softness > 0 || s->kn > 0) return 0;
  if (s->hardness > 0) return s->hardness * load / (4 * radius); /* two equal grains: d = 4 R */
  const double modulus = s->young / (2 * (1 - s->poisson * s->poisson));
  if (s->law == SCREE_STIFFNESS_HERTZ) return 4.0 / 3 * modulus * sqrt(radius * overlap);
  return 2 * modulus * radius;
}

double scree_stiffness_ratio(const scree_stiffness *s) {
  SC_DEMAND(s, NULL, 0);
  if (s->ks > 0) return s->ks / s->kn;
  if (s->ratio > 0) return s->ratio;
  return s->poisson > 0 ? 2 * (1 - s->poisson) / (2 - s->poisson) : PLAIN_RATIO;
}
