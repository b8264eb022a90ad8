/* What a loaded checkpoint says of materials, pairs, names and joints, held against what a world made by
 * its makers can be: texts that end, words that are known, numbers that are numbers. Checkpoints may come
 * from anyone. */
#include "scree/impact.h"
#include "world/save/save.h"

#include <math.h>
#include <string.h>

static bool ends(const char name[SC_NAME_MAX]) { return strnlen(name, SC_NAME_MAX) < SC_NAME_MAX; }

static bool numbers(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (isnan(values[i])) return false;
  return true;
}

static bool rule_fits(const sc_rule *rule, int32_t laws) {
  return rule->law >= 0 && rule->law < laws && rule->restitution_law >= SCREE_STRONGE &&
      rule->restitution_law <= SCREE_NEWTON && rule->restitution >= 0 && rule->restitution <= 1 &&
      numbers(rule->params, SCREE_LAW_MAX_PARAMS);
}

static bool joint_fits(const sc_joint *j) {
  const scree_joint_def *def = &j->def;
  const double given[] = {def->lower, def->upper, def->speed, def->force, def->friction, def->length};
  bool known = scree_joint_type_name(def->type) && def->motor >= SCREE_MOTOR_NONE &&
      def->motor <= SCREE_MOTOR_FORCE && j->rows >= 0 && j->rows <= SC_JOINT_ROWS;
  return known && numbers(given, sizeof given / sizeof *given) && isfinite(def->ratio) &&
      sc_save_finite(def->at, 3) && sc_save_finite(def->axis, 3) && sc_save_finite(def->axis_b, 3) &&
      sc_save_finite(j->anchor1, 3) && sc_save_finite(j->anchor2, 3) && sc_save_finite(j->axis1, 3) &&
      sc_save_finite(j->axis2, 3) && sc_save_finite(j->side1, 3) && sc_save_finite(j->side2, 3) &&
      sc_save_finite(j->relative, 4) && isfinite(j->position) && isfinite(j->travel) &&
      sc_save_finite(j->x, SC_JOINT_ROWS) && sc_save_finite(j->force, 3) && sc_save_finite(j->torque, 3);
}

scree_status sc_save_check_rules(const scree_world *w, scree_error *error) {
  const sc_pairs *p = &w->pairs;
  bool fit = true;
  for (int32_t i = 0; i < w->names; i++) fit = fit && ends(w->name[i].name);
  for (int32_t i = 0; i < p->materials; i++)
    fit = fit && ends(p->material[i].name) && p->material[i].density > 0 && isfinite(p->material[i].density);
  if (!fit) return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's materials or names are damaged");
  for (int32_t i = 0; i < p->materials * p->materials; i++)
    fit = fit && p->table[i] >= 0 && p->table[i] < p->rules;
  if (!fit) return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's pairs are damaged");
  for (int32_t i = 0; i < p->rules; i++) fit = fit && rule_fits(p->rule + i, w->laws);
  return fit ? SCREE_OK : sc_fail(error, SCREE_E_FORMAT, "the checkpoint's laws are damaged");
}

scree_status sc_save_check_joints(const sc_joint *joints, int32_t count, scree_error *error) {
  for (int32_t i = 0; i < count; i++)
    if (!joint_fits(joints + i) || !joints[i].def.a || (i && joints[i].id <= joints[i - 1].id))
      return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's joints are damaged");
  return SCREE_OK;
}
