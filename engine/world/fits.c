/* Checks that the stepper and the solver of a world support its options, joints, bonds and pairs. Each error
 * names the unsupported feature and a stepper or solver that supports it. docs/solvers.md and docs/penalty.md
 * have the tables; tests/lua/steppers_fit.lua tests every entry. */
#include "world/fits.h"

#include <string.h>
#include "scree/impact.h"
#include "law/law_parts.h"
#include "law/soft/penalty.h"

const char *sc_stepper_name(int stepper) {
  static const char *const names[] = {
      [SCREE_STEPPER_SEMI_IMPLICIT] = "semi_implicit",
      [SCREE_STEPPER_STEWART_TRINKLE] = "stewart_trinkle",
      [SCREE_STEPPER_PENALTY] = "penalty",
      [SCREE_STEPPER_SECOND_ORDER] = "second_order",
  };
  return stepper >= 0 && stepper < (int)(sizeof names / sizeof *names) ? names[stepper] : "?";
}

/* ---- options of the world ---- */

static const char *solver_name(int index) {
  const sc_solver *solver = sc_solver_at(index);
  return solver ? solver->name : NULL;
}

static const char *correction_name(int index) {
  static const char *const names[] = {
      [SCREE_CORRECTION_POSITION] = "position", [SCREE_CORRECTION_VELOCITY] = "velocity"};
  return index >= 0 && index <= SCREE_CORRECTION_VELOCITY ? names[index] : NULL;
}

static const char *stepper_name(int index) {
  return index >= 0 && index <= SCREE_STEPPER_SECOND_ORDER ? sc_stepper_name(index) : NULL;
}

static scree_status check_read(
    const scree_world_def *def, const scree_param_reader *reader, scree_error *error) {
  scree_status status = scree_param_check_read(
      scree_world_params, scree_world_params_count, def, reader, "world", error);
  return status != SCREE_OK ? status
                            : scree_param_check_read(scree_solver_params, scree_solver_params_count,
                                  &def->solver, reader, "world.solver", error);
}

scree_status sc_world_check_options(const scree_world_def *def, scree_error *error) {
  const bool named = def->solver.name && strcmp(def->solver.name, "auto") != 0;
  if (def->stepper == SCREE_STEPPER_PENALTY && named)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "world.solver.name: the stepper \"penalty\" has no solver; leave \"%s\" out, or take the stepper "
        "\"semi_implicit\"",
        def->solver.name);
  const scree_param_reader readers[] = {{"with the stepper", sc_stepper_name(def->stepper), stepper_name},
      {"with the solver", def->solver.name ? def->solver.name : "auto", solver_name},
      {"with correction by", correction_name(def->correction), correction_name}};
  scree_status status = SCREE_OK;
  for (size_t k = 0; k < sizeof readers / sizeof *readers && status == SCREE_OK; k++)
    status = check_read(def, readers + k, error);
  return status;
}

/* ---- joints ---- */

static bool has_soft_parts(const scree_joint_def *def) {
  return def->drive.armature > 0 || def->second.armature > 0 || sc_drive_springs(&def->drive) ||
      sc_drive_springs(&def->second) || def->turn_stiffness > 0 || def->turn_damping > 0 ||
      sc_turn_servos(&def->turn_servo) || def->drive.motor == SCREE_MOTOR_SERVO ||
      def->second.motor == SCREE_MOTOR_SERVO;
}

scree_status sc_world_check_joint_fits(
    const scree_world *world, const scree_joint_def *def, scree_error *error) {
  const char *name = scree_joint_type_name(def->type);
  if (world->def.stepper == SCREE_STEPPER_PENALTY)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s: the stepper \"penalty\" takes no joints; semi_implicit takes all, stewart_trinkle those without "
        "springs, servos and armatures",
        name);
  if (world->ranks->ranks > 1 && (def->drive.armature > 0 || def->second.armature > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s: armatures need a world on one rank", name);
  if (world->def.stepper != SCREE_STEPPER_SEMI_IMPLICIT && has_soft_parts(def))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s: springs, servos and armatures need the stepper semi_implicit; this world has \"%s\"", name,
        sc_stepper_name(world->def.stepper));
  return SCREE_OK;
}

/* ---- cells ---- */

scree_status sc_world_check_flow_fits(const scree_world *world, scree_error *error) {
  if (world->def.stepper == SCREE_STEPPER_SEMI_IMPLICIT) return SCREE_OK;
  return sc_fail(error, SCREE_E_ARGUMENT, "the stepper \"%s\" deforms no cell; semi_implicit does",
      sc_stepper_name(world->def.stepper));
}

/* ---- pairs of materials ---- */

typedef struct pair_names {
  const char *first, *second;
} pair_names;

static scree_status check_rebound(const scree_world *world, const pair_names *at, double restitution,
    int restitution_law, scree_error *error) {
  const int stepper = world->def.stepper;
  const bool given = restitution > 0 || restitution_law != SCREE_STRONGE;
  if (!given || stepper == SCREE_STEPPER_SEMI_IMPLICIT || stepper == SCREE_STEPPER_SECOND_ORDER)
    return SCREE_OK;
  const char *key = restitution > 0 ? "restitution" : "restitution_law";
  if (stepper == SCREE_STEPPER_PENALTY)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "pair(%s, %s).%s: with the stepper \"penalty\" damping gives the rebound (docs/penalty.md); "
        "semi_implicit takes restitution",
        at->first, at->second, key);
  return sc_fail(error, SCREE_E_ARGUMENT,
      "pair(%s, %s).%s: impacts under the stepper \"%s\" are inelastic; semi_implicit takes "
      "restitution",
      at->first, at->second, key, sc_stepper_name(stepper));
}

static scree_status check_springs(const scree_world *world, const pair_names *at, const sc_law *law,
    const double *params, scree_error *error) {
  const bool soft = world->def.stepper == SCREE_STEPPER_PENALTY;
  if (soft && !law->penalty)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "pair(%s, %s).law: the stepper \"penalty\" needs law \"hooke\" or \"hertz\", not \"%s\"", at->first,
        at->second, law->name);
  if (!soft && law->penalty && params[SC_PENALTY_ROLLING] > 0)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "pair(%s, %s).rolling_friction: law \"%s\" has it with the stepper \"penalty\" alone; with \"%s\" "
        "take law \"coulomb\"",
        at->first, at->second, law->name, sc_stepper_name(world->def.stepper));
  return SCREE_OK;
}

static scree_status check_pair_stiffness(const scree_world *world, const pair_names *at, const sc_law *law,
    const scree_stiffness *stiffness, scree_error *error) {
  const scree_stiffness *s = stiffness;
  if (!sc_stiffness_acts(s)) return SCREE_OK;
  if (law->penalty)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "pair(%s, %s): law \"%s\" has its own stiffness; contact_stiffness, young, hardness, softness and kn "
        "belong to hard laws such as \"coulomb\"",
        at->first, at->second, law->name);
  if (world->def.stepper != SCREE_STEPPER_SEMI_IMPLICIT)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "pair(%s, %s): under the stepper \"%s\" contacts are rigid; semi_implicit takes contact_stiffness, "
        "young, hardness, softness and kn",
        at->first, at->second, sc_stepper_name(world->def.stepper));
  return SCREE_OK;
}

/* Sets `out` to the parameters that the law will have after its refresh. A refresh sets the parameters of
 * some extensions of Coulomb friction to 0, and the world then need not support them. */
static void foresee_refresh(const scree_world *world, const sc_law *law, const double *params, double *out) {
  memcpy(out, params, SCREE_LAW_MAX_PARAMS * sizeof *out);
  if (law->params != sc_friction_params) return;
  if (out[SC_PAR_WEAKENING_SPEED] > 0 || out[SC_PAR_WEAKENING_SLIP] > 0) out[SC_PAR_MU_STATIC] = 0;
  if (world->bodies.planar) out[SC_PAR_MU2] = 0;
}

static scree_status check_pair_law(const scree_world *world, const pair_names *at, const sc_law *law,
    const double *params, scree_error *error) {
  double seen[SCREE_LAW_MAX_PARAMS];
  scree_status status = check_springs(world, at, law, params, error);
  if (status != SCREE_OK || world->def.stepper == SCREE_STEPPER_PENALTY || !world->solver->misfit)
    return status;
  foresee_refresh(world, law, params, seen);
  const char *why = world->solver->misfit(law, seen);
  return !why ? SCREE_OK
              : sc_fail(error, SCREE_E_ARGUMENT,
                    "pair(%s, %s): the solver \"%s\" cannot take law \"%s\": it %s; auto and nbgs can",
                    at->first, at->second, world->solver->name, law->name, why);
}

scree_status sc_world_check_pair_fits(
    const scree_world *world, const scree_pair_def *def, int32_t law, scree_error *error) {
  const pair_names at = {
      world->pairs.material[def->material1].name, world->pairs.material[def->material2].name};
  scree_status status = check_rebound(world, &at, def->restitution, def->restitution_law, error);
  if (status == SCREE_OK) status = check_springs(world, &at, world->laws.law[law], def->params, error);
  if (status == SCREE_OK)
    status = check_pair_stiffness(world, &at, world->laws.law[law], &def->stiffness, error);
  return status == SCREE_OK ? check_pair_law(world, &at, world->laws.law[law], def->params, error) : status;
}

/* ---- checks of a whole world ---- */

scree_status sc_world_check_bonds_fit(const scree_world *world, scree_error *error) {
  static const char *const exact = "; exact = true makes fixed joints of them, which it takes";
  if (!world->solver->bonds)
    return sc_fail(error, SCREE_E_ARGUMENT, "bond: solver \"%s\" takes no bonds; auto and nbgs do%s",
        world->solver->name, exact);
  if (world->def.stepper != SCREE_STEPPER_SEMI_IMPLICIT)
    return sc_fail(error, SCREE_E_ARGUMENT, "bond: the stepper \"%s\" takes no bonds; semi_implicit does%s",
        sc_stepper_name(world->def.stepper),
        world->def.stepper == SCREE_STEPPER_PENALTY ? "" : "; rigid bonds are fixed joints, which it takes");
  if (world->def.sleep > 0)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "bond: bodies of a world that sleeps (world.sleep) take no bonds%s", exact);
  if (world->bodies.cell)
    return sc_fail(error, SCREE_E_ARGUMENT, "bond: a world with a cell takes no bonds%s", exact);
  if (world->bodies.planar)
    return sc_fail(error, SCREE_E_ARGUMENT, "bond: a planar world takes no bonds%s", exact);
  return world->ranks->refuse(world->ranks->context, "bond: bonds work",
      "exact = true makes fixed joints of them, which work on several", error);
}

scree_status sc_world_check_fits(const scree_world *world, scree_error *error) {
  const sc_pairs *pairs = &world->pairs;
  scree_status status = world->cell.moves ? sc_world_check_flow_fits(world, error) : SCREE_OK;
  if (status == SCREE_OK && world->joints.bonds.count) status = sc_world_check_bonds_fit(world, error);
  for (int32_t i = 0; i < world->joints.count && status == SCREE_OK; i++)
    status = sc_world_check_joint_fits(world, &world->joints.row[i].def, error);
  for (int32_t k = 0; k < pairs->materials * pairs->materials && status == SCREE_OK; k++) {
    const sc_rule *rule = pairs->rule + pairs->table[k];
    const pair_names at = {
        pairs->material[k / pairs->materials].name, pairs->material[k % pairs->materials].name};
    status = check_rebound(world, &at, rule->restitution, rule->restitution_law, error);
    /* contacts with the default law are refused later if the law does not fit */
    if (status == SCREE_OK && pairs->table[k] != 0)
      status = check_pair_law(world, &at, world->laws.law[rule->law], rule->params, error);
    if (status == SCREE_OK)
      status = check_pair_stiffness(world, &at, world->laws.law[rule->law], &rule->stiffness, error);
  }
  return status;
}
