/* Checks materials, pairs, names and joints of a loaded checkpoint, which may be damaged or malicious.
 * Strings must be zero-terminated, values of enums must be known, and numbers must be in their ranges. */
#include "law/cohesion/cohesion.h"
#include "scree/impact.h"
#include "world/world.h"
#include "world/save/save.h"
#include "world/mechanism/ties.h"

#include <math.h>
#include <string.h>

/* Returns true if both bodies of a joint exist and at least one of them is movable. b: 0 for the ground. */
static bool sides_fit(const sc_bodies *bodies, scree_id a, scree_id b) {
  const int32_t one = sc_bodies_row(bodies, a), two = sc_bodies_row(bodies, b);
  return one >= 0 && (two >= 0 || !b) &&
      (bodies->inv_mass[one] > 0 || (two >= 0 && bodies->inv_mass[two] > 0));
}

/* Returns true if the body may have bonds: if it is not dynamic, or is a ball. */
static bool holds_bonds(const sc_bodies *bodies, scree_id id) {
  const int32_t row = sc_bodies_row(bodies, id);
  return bodies->kind[row] != SCREE_DYNAMIC || bodies->tensor_row[row] == SC_TENSOR_BALL;
}

static bool is_terminated(const char name[SC_NAME_MAX]) { return strnlen(name, SC_NAME_MAX) < SC_NAME_MAX; }

static bool has_no_nan(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (isnan(values[i])) return false;
  return true;
}

/* Returns true if the derived numbers in a saved cohesion are those that follow from its definition. */
static bool cohesion_fits(const sc_cohesion *saved) {
  if (scree_cohesion_check(&saved->def, "pair", NULL) != SCREE_OK) return false;
  sc_cohesion c = sc_cohesion_prepared(&saved->def);
  return c.strength == saved->strength && c.size == saved->size && c.near == saved->near &&
      c.farthest == saved->farthest;
}

static bool rule_fits(const sc_rule *rule, int32_t laws) {
  return rule->law >= 0 && rule->law < laws && rule->restitution_law >= SCREE_STRONGE &&
      rule->restitution_law <= SCREE_NEWTON && rule->restitution >= 0 && rule->restitution <= 1 &&
      rule->tangential_restitution >= 0 && rule->tangential_restitution <= 1 &&
      has_no_nan(rule->params, SCREE_LAW_MAX_PARAMS) && cohesion_fits(&rule->cohesion);
}

static bool drive_fits(const scree_drive *d) {
  const double given[] = {d->lower, d->upper, d->speed, d->force, d->friction};
  return d->motor >= SCREE_MOTOR_NONE && d->motor <= SCREE_MOTOR_SERVO &&
      has_no_nan(given, sizeof given / sizeof *given) && isfinite(d->target) && isfinite(d->feed) &&
      d->gain >= 0 && isfinite(d->gain) && d->rate_gain >= 0 && isfinite(d->rate_gain) && d->stiffness >= 0 &&
      isfinite(d->stiffness) && d->damping >= 0 && isfinite(d->damping) && isfinite(d->rest);
}

static bool joint_fits(const sc_joint *j) {
  const scree_joint_def *def = &j->def;
  const double given[] = {def->length, def->break_force, def->break_torque, def->break_energy,
      def->break_tension, def->break_compression, def->break_shear, def->break_bending, def->break_twist};
  bool known = scree_joint_type_name(def->type) && drive_fits(&def->drive) && drive_fits(&def->second) &&
      j->rows >= 0 && j->rows <= SC_JOINT_ROWS;
  return known && has_no_nan(given, sizeof given / sizeof *given) && isfinite(def->ratio) &&
      def->turn_stiffness >= 0 && isfinite(def->turn_stiffness) && def->turn_damping >= 0 &&
      isfinite(def->turn_damping) && sc_save_finite(j->effort, 5) && sc_save_finite(j->held, 3) &&
      sc_save_finite(j->placed, 4) && sc_save_finite(def->at, 3) && sc_save_finite(def->axis, 3) &&
      sc_save_finite(def->axis_b, 3) && sc_save_finite(j->anchor1, 3) && sc_save_finite(j->anchor2, 3) &&
      sc_save_finite(j->axis1, 3) && sc_save_finite(j->axis2, 3) && sc_save_finite(j->side1, 3) &&
      sc_save_finite(j->side2, 3) && sc_save_finite(j->relative, 4) && sc_save_finite(j->position, 2) &&
      isfinite(j->travel) && sc_save_finite(j->housed, 8) && sc_save_finite(j->x, SC_JOINT_ROWS) &&
      sc_save_finite(j->rotor, 2) && sc_save_finite(j->rotor_before, 2) && sc_save_finite(j->force, 3) &&
      sc_save_finite(j->torque, 3) && sc_save_finite(j->friction, 3) && sc_save_finite(j->friction_axis, 3) &&
      isfinite(j->friction_spin) && sc_save_finite(j->servo_axis, 3);
}

scree_status sc_save_check_parts(const scree_world *w, const sc_sections *in, scree_error *error) {
  const bool has_cell = sc_section_at(in, "world.cell"), has_losses = sc_section_at(in, "world.losses");
  if (has_cell != (w->bodies.cell != NULL))
    return sc_fail(error, SCREE_E_ARGUMENT, "the checkpoint is of a world %s, this world has %s",
        has_cell ? "with a cell" : "without a cell", has_cell ? "none" : "one");
  if (has_losses == (w->def.losses != 0)) return SCREE_OK;
  return sc_fail(error, SCREE_E_ARGUMENT, "the checkpoint is of a world %s losses (world.losses)",
      has_losses ? "that keeps" : "without");
}

scree_status sc_save_check_rules(const scree_world *w, scree_error *error) {
  const sc_pairs *p = &w->pairs;
  bool fit = true;
  for (int32_t i = 0; i < w->names.count; i++) fit = fit && is_terminated(w->names.name[i].name);
  for (int32_t i = 0; i < p->materials; i++)
    fit = fit && is_terminated(p->material[i].name) && p->material[i].density > 0 &&
        isfinite(p->material[i].density);
  if (!fit) return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's materials or names are damaged");
  for (int32_t i = 0; i < p->materials * p->materials; i++)
    fit = fit && p->table[i] >= 0 && p->table[i] < p->rules;
  if (!fit) return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's pairs are damaged");
  for (int32_t i = 0; i < p->rules; i++) fit = fit && rule_fits(p->rule + i, w->laws.count);
  return fit ? SCREE_OK : sc_fail(error, SCREE_E_FORMAT, "the checkpoint's laws are damaged");
}

static bool ways_fit(const scree_bond_ways *w) {
  const double x[] = {w->normal, w->shear, w->bending, w->twist};
  for (int k = 0; k < 4; k++)
    if (!(x[k] >= 0 && isfinite(x[k]))) return false;
  return true;
}

static bool glue_fits(const scree_glue *g) {
  const double bound[] = {
      g->tension, g->compression, g->shear, g->bending, g->twist, g->edge_tension, g->edge_shear};
  for (size_t k = 0; k < sizeof bound / sizeof *bound; k++)
    if (!(bound[k] > 0)) return false;
  return g->young >= 0 && isfinite(g->young) && g->ratio > 0 && isfinite(g->ratio) && g->radius > 0 &&
      isfinite(g->radius) && ways_fit(&g->stiffness) && ways_fit(&g->damping);
}

static bool bond_fits(const sc_bodies *bodies, const sc_bond *b, int32_t glues) {
  return b->b && b->a != b->b && sides_fit(bodies, b->a, b->b) && holds_bonds(bodies, b->a) &&
      holds_bonds(bodies, b->b) && b->glue >= 0 && b->glue < glues && ways_fit(&b->stiffness) &&
      b->radius > 0 && isfinite(b->radius) && sc_save_finite(b->anchor1, 3) &&
      sc_save_finite(b->anchor2, 3) && b->share == sc_bond_share(b) && sc_save_finite(b->relative, 4) &&
      sc_save_finite(b->force, 3) && sc_save_finite(b->torque, 3);
}

scree_status sc_save_check_bonds(const sc_bodies *bodies, const sc_bond *bonds, int32_t count,
    const scree_glue *glue, int32_t glues, scree_error *error) {
  bool fit = true;
  for (int32_t i = 0; i < glues; i++) fit = fit && glue_fits(glue + i);
  for (int32_t i = 0; i < count; i++)
    fit = fit && bond_fits(bodies, bonds + i, glues) && (!i || bonds[i].id > bonds[i - 1].id);
  return fit ? SCREE_OK : sc_fail(error, SCREE_E_FORMAT, "the checkpoint's bonds are damaged");
}

/* Returns true if the housing of a gear or rack exists and differs from both bodies of the joint. Also
 * returns true if the joint has no housing. */
static bool frame_fits(const sc_bodies *bodies, const scree_joint_def *def) {
  if (!def->frame) return !def->find_frame || sc_joint_geared(def->type);
  return sc_joint_geared(def->type) && !def->find_frame && def->frame != def->a && def->frame != def->b &&
      sc_bodies_row(bodies, def->frame) >= 0 && (!bodies->cell || def->type == SCREE_JOINT_GEAR);
}

scree_status sc_save_check_joints(
    const scree_world *w, const sc_joint *joints, int32_t count, scree_error *error) {
  for (int32_t i = 0; i < count; i++)
    if (!joint_fits(joints + i) || !frame_fits(&w->bodies, &joints[i].def) ||
        !sides_fit(&w->bodies, joints[i].def.a, joints[i].def.b) || (i && joints[i].id <= joints[i - 1].id) ||
        sc_world_check_drives(&joints[i].def, NULL) != SCREE_OK)
      return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's joints are damaged");
  return SCREE_OK;
}
