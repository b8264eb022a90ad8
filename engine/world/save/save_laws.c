/* Checkpoint section world.law_format: the version of the parameters of friction laws in world.rules.
 *
 * Files of version 1 were written before the parameter rolling_friction existed, and lack this section. In
 * these files, all parameters from SC_PAR_ROLLING_FRICTION on have an index lower by 1 than now. They are
 * `directions` of the law polyhedral, and the own parameters of script laws with a base law. When a file of
 * version 1 is loaded, 1 is added to these indices. */
#include <string.h>
#include "law/law_parts.h"
#include "world/world.h"
#include "world/save/save.h"

enum { FORMER_FORMAT = 1, LAW_FORMAT = 2 };

scree_status sc_save_laws(sc_sections *out, scree_error *error) {
  const uint32_t format = LAW_FORMAT;
  return sc_section_write(out, "world.law_format", &format, sizeof format, error);
}

static bool has_friction_params(const sc_law *law) {
  const sc_user_law *user = law->user;
  const sc_law *own = user ? user->base : law;
  return own && own->params == sc_friction_params;
}

static void move_params(const scree_world *w, sc_rule *rule) {
  double *at = rule->params + SC_PAR_ROLLING_FRICTION;
  if (rule->law < 0 || rule->law >= w->laws.count || !has_friction_params(w->laws.law[rule->law])) return;
  memmove(at + 1, at, (SCREE_LAW_MAX_PARAMS - SC_PAR_ROLLING_FRICTION - 1) * sizeof *at);
  *at = 0;
}

scree_status sc_load_laws(scree_world *w, const sc_sections *in, scree_error *error) {
  uint32_t format = FORMER_FORMAT;
  size_t size = 0;
  const void *bytes = sc_section_find(in, "world.law_format", &size, NULL);
  if (bytes && size != sizeof format)
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's laws are damaged");
  if (bytes) memcpy(&format, bytes, size);
  if (format != FORMER_FORMAT && format != LAW_FORMAT)
    return sc_fail(error, SCREE_E_FORMAT,
        "the checkpoint has laws of format version %u; this program reads versions up to %d", format,
        LAW_FORMAT);
  for (int32_t i = 0; i < w->pairs.rules && format == FORMER_FORMAT; i++) move_params(w, w->pairs.rule + i);
  return SCREE_OK;
}
