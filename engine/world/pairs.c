/* Functions of the public interface for materials, pairs and laws. */
#include "world/fits.h"
#include "model/rest.h"
#include "scree/param.h"
#include "law/cohesion/cohesion.h"
#include "law/joint_law.h"
#include "scree/impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AT(member) offsetof(scree_pair_def, member)
const scree_param scree_pair_params[] = {
    SCREE_ROW_STRING("law", AT(law), "friction law"),
    SCREE_ROW_REAL("restitution", AT(restitution), "", 0, 0, 1,
        "cor, the coefficient e with which contacts that close fast bounce; 0: inelastic"),
    SCREE_ROW_CHOICE("restitution_law", AT(restitution_law), SCREE_STRONGE, "stronge|poisson|newton",
        "what the coefficient means"),
    SCREE_ROW_REAL("tangential_restitution", AT(tangential_restitution), "", 0, 0, 1,
        "share of the slip that a rebound reverses, within the cone; 1: a superball"),
};
const int scree_pair_params_count = sizeof scree_pair_params / sizeof *scree_pair_params;

static const char *material_name(const void *context, int i) {
  return ((const sc_pairs *)context)->material[i].name;
}

int scree_world_add_material(scree_world *world, const scree_material_def *def, scree_error *error) {
  SC_DEMAND(world && def, error, -1);
  if (!def->name || !*def->name) return (void)sc_fail(error, SCREE_E_ARGUMENT, "a material needs a name"), -1;
  if (strlen(def->name) >= SC_NAME_MAX)
    return (void)sc_fail(error, SCREE_E_ARGUMENT, "material name \"%.20s...\" is longer than %d", def->name,
               SC_NAME_MAX - 1),
           -1;
  if (sc_pairs_find(&world->pairs, def->name) >= 0)
    return (void)sc_fail(error, SCREE_E_ARGUMENT, "there is already a material \"%s\"", def->name), -1;
  if (scree_param_check_all(scree_material_params, scree_material_params_count, def, "", error) != SCREE_OK)
    return -1;
  int index = sc_pairs_add_material(&world->pairs, def->name, def->density);
  if (index < 0) sc_fail(error, SCREE_E_MEMORY, "no memory for material \"%s\"", def->name);
  return index;
}

int scree_world_find_material(const scree_world *world, const char *name, scree_error *error) {
  SC_DEMAND(world && name, error, -1);
  int index = sc_pairs_find(&world->pairs, name);
  if (index >= 0) return index;
  const char *near = scree_nearest_name(name, world->pairs.materials, material_name, &world->pairs);
  sc_fail(error, SCREE_E_ARGUMENT, "unknown material \"%s\"%s%s%s", name, near ? "; did you mean \"" : "",
      near ? near : "", near ? "\"?" : "");
  return -1;
}

int scree_world_materials(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  return world->pairs.materials;
}

const char *scree_world_material_name(const scree_world *world, int index) {
  SC_DEMAND(world, NULL, NULL);
  return index >= 0 && index < world->pairs.materials ? world->pairs.material[index].name : NULL;
}

static const char *law_name(const void *context, int i) { return ((const sc_laws *)context)->law[i]->name; }

int32_t sc_laws_find(const sc_laws *laws, const char *name, scree_error *error) {
  for (int32_t i = 0; i < laws->count; i++)
    if (!strcmp(laws->law[i]->name, name)) return i;
  const char *near = scree_nearest_name(name, laws->count, law_name, laws);
  sc_fail(error, SCREE_E_ARGUMENT, "unknown law \"%s\"%s%s%s", name, near ? "; did you mean \"" : "",
      near ? near : "", near ? "\"?" : "");
  return -1;
}

const scree_param *scree_world_law_params(const scree_world *world, const char *name, int *count) {
  SC_DEMAND(world && name && count, NULL, NULL);
  int32_t index = sc_laws_find(&world->laws, name, NULL);
  *count = index < 0 ? 0 : world->laws.law[index]->params_count;
  return index < 0 ? NULL : world->laws.law[index]->params;
}

/* Widens the state of every contact so that it can store the law states and moments of `law` with these
 * parameters. pulls: true to include the pull of cohesion. faces: true to include the data of faces
 * (model/face.h). */
static void widen_state(scree_world *world, const sc_law *law, const double *params, bool pulls, bool faces) {
  int states = sc_face_room(&world->contacts) / SCREE_LAW_MAX_STATE * SCREE_LAW_MAX_STATE,
      rest = sc_face_room(&world->contacts) - states, moment = rest / SC_MOMENT * SC_MOMENT,
      pull = rest - moment;
  if ((law->states ? law->states(params) : law->state_count) > 0) states = SCREE_LAW_MAX_STATE;
  if (law->dim && law->dim(params) > 3) moment = SC_MOMENT;
  if (pulls) pull = 1;
  if (faces) world->contacts.faces = SC_FACE;
  world->contacts.stride = states + moment + pull + world->contacts.faces + world->contacts.losses +
      world->contacts.curve;
}

/* Returns a pointer to the parameter `name` in params; NULL if the law has no such parameter. */
static double *find_parameter(const sc_law *law, const char *name, double *params) {
  const scree_param *p = scree_param_find(law->params, law->params_count, name);
  return p ? params + p->offset / sizeof *params : NULL;
}

static void scale_parameter(const sc_law *law, const char *name, double factor, double *params) {
  double *value = find_parameter(law, name, params);
  if (value) *value *= factor;
}

/* Scales a parameter that is a friction angle: multiplies its tangent by `factor`. Leaves negative angles
 * unchanged, because they mean that the pair has no such angle. */
static void scale_angle(const sc_law *law, const char *name, double factor, double *params) {
  double *angle = find_parameter(law, name, params);
  if (angle && *angle > 0) *angle = atan(factor * tan(*angle));
}

/* Multiplies friction and cohesion of a pair by the world's friction_factor and cohesion_factor. */
static void scale_strength(const scree_world *world, const sc_law *law, scree_pair_def *def) {
  const double friction = world->def.friction_factor, cohesion = world->def.cohesion_factor;
  static const char *const coefficient[] = {"mu", "mu_static", "mu2"},
                           *const stress[] = {"cohesion", "residual_cohesion", "tension"},
                           *const angle[] = {"friction", "residual_friction"};
  for (int k = 0; k < 3; k++) scale_parameter(law, coefficient[k], friction, def->params);
  for (int k = 0; k < 3; k++) scale_parameter(law, stress[k], cohesion, def->params);
  for (int k = 0; k < 2 && friction != 1; k++) scale_angle(law, angle[k], friction, def->params);
  if (sc_law_is_joint(law) && friction != 1) sc_joint_limit_dilation(def->params);
  def->cohesion.force *= cohesion, def->cohesion.work *= cohesion, def->cohesion.tension *= cohesion;
}

scree_status scree_world_set_pair(scree_world *world, const scree_pair_def *given, scree_error *error) {
  SC_DEMAND(world && given && given->law, error, SCREE_E_ARGUMENT);
  scree_pair_def scaled = *given, *def = &scaled;
  int32_t n = world->pairs.materials;
  if (def->material1 < 0 || def->material1 >= n || def->material2 < 0 || def->material2 >= n)
    return sc_fail(error, SCREE_E_ARGUMENT, "a pair names a material that does not exist");
  int32_t law = sc_laws_find(&world->laws, def->law, error);
  if (law < 0) return SCREE_E_ARGUMENT;
  const sc_law *const chosen = world->laws.law[law];
  const bool joins = sc_law_is_joint(chosen);
  char path[256];
  snprintf(path, sizeof path, "pair(%s, %s)", world->pairs.material[def->material1].name,
      world->pairs.material[def->material2].name);
  scree_status status = scree_param_check_all(scree_pair_params, scree_pair_params_count, def, path, error);
  if (status == SCREE_OK && def->tangential_restitution > 0 && !(def->restitution > 0))
    status = sc_fail(error, SCREE_E_ARGUMENT,
        "%s.tangential_restitution acts in the rebound: restitution must be above 0, too", path);
  if (status == SCREE_OK)
    status = scree_param_check_all(chosen->params, chosen->params_count, def->params, path, error);
  if (status == SCREE_OK && !chosen->user) /* a law of a script may use every parameter of its base law */
    status = sc_law_check_place(chosen, def->params, SC_IN_WORLDS, path, error);
  if (status == SCREE_OK) status = scree_cohesion_check(&def->cohesion, path, error);
  if (status == SCREE_OK) status = scree_stiffness_check(&def->stiffness, path, error);
  if (status == SCREE_OK && joins) status = sc_joint_check(def, path, error);
  if (status != SCREE_OK) return status;
  scale_strength(world, chosen, def);
  /* scree_world_create sets the first rule, which is not checked here. If it is not supported, its contacts
   * raise an error. */
  if (world->pairs.rule[0].set) status = sc_world_check_pair_fits(world, def, law, error);
  if (status != SCREE_OK) return status;
  sc_rule *rule = sc_pairs_rule(&world->pairs, def->material1, def->material2, true);
  if (!rule) return sc_fail(error, SCREE_E_MEMORY, "no memory for a pair");
  if (joins && !sc_law_is_joint(world->laws.law[rule->law])) world->contacts.knowns = 0;
  rule->law = law;
  rule->set = rule->set ? 2 : 1;
  rule->first = def->material1;
  rule->restitution = def->restitution;
  rule->restitution_law = def->restitution_law;
  rule->tangential_restitution = def->tangential_restitution;
  rule->cohesion = sc_cohesion_prepared(&def->cohesion);
  rule->stiffness = def->stiffness;
  memcpy(rule->params, def->params, sizeof rule->params);
  sc_bodies_wake_all(&world->bodies);
  const int stride = world->contacts.stride;
  widen_state(world, chosen, def->params, sc_cohesion_acts(&rule->cohesion), rule->stiffness.kn > 0);
  if (world->contacts.stride != stride)
    world->contacts.state = NULL; /* states of contacts are wider from the next step on */
  return SCREE_OK;
}

bool sc_world_state_fits(scree_world *world) {
  const int stride = world->contacts.stride;
  const int most = SCREE_LAW_MAX_STATE + SC_MOMENT + 1;
  world->contacts.faces = sc_curve_place(&world->contacts) > most ? SC_FACE : 0;
  if (stride < 0 || sc_face_room(&world->contacts) > most || sc_face_room(&world->contacts) < 0) return false;
  for (int32_t i = 0; i < world->pairs.rules; i++) {
    const sc_rule *rule = world->pairs.rule + i;
    widen_state(world, world->laws.law[rule->law], rule->params, sc_cohesion_acts(&rule->cohesion),
        rule->stiffness.kn > 0);
  }
  return world->contacts.stride == stride;
}

/* The bodies that have shapes of a given material. */
typedef struct material_use {
  int32_t first; /* lowest row of such a body; -1: no body */
  bool moves;    /* true: at least one such body is dynamic */
  bool several;  /* true: there are at least two such bodies */
} material_use;

static void find_uses(const scree_world *world, material_use *use) {
  for (int32_t m = 0; m < world->pairs.materials; m++) use[m] = (material_use){.first = -1};
  for (int32_t s = 0; s < world->shapes.count; s++) {
    const int32_t row = world->shapes.row[s].body;
    material_use *u = use + world->shapes.row[s].material;
    u->moves |= world->bodies.kind[row] == SCREE_DYNAMIC;
    u->several |= u->first >= 0 && u->first != row;
    if (u->first < 0) u->first = row;
  }
}

static bool is_undefined(const sc_pairs *pairs, const material_use *use, int32_t a, int32_t b) {
  if (use[a].first < 0 || use[b].first < 0 || (!use[a].moves && !use[b].moves)) return false;
  if (a == b && !use[a].several) return false;
  return pairs->table[a * pairs->materials + b] == 0 && (a || b || pairs->rule[0].set < 2);
}

int64_t scree_world_undefined_pairs(const scree_world *world, int (*out)[2], int64_t most) {
  SC_DEMAND(world && (out || most <= 0), NULL, -1);
  const int32_t n = world->pairs.materials;
  int64_t count = 0;
  material_use *use = sc_alloc((size_t)n * sizeof *use);
  if (!use) return -1;
  find_uses(world, use);
  for (int32_t a = 0; a < n; a++)
    for (int32_t b = a; b < n; b++) {
      if (!is_undefined(&world->pairs, use, a, b)) continue;
      if (count < most) out[count][0] = a, out[count][1] = b;
      count++;
    }
  sc_free(use);
  return count;
}

const char *scree_world_get_pair(
    const scree_world *world, int material1, int material2, const double **params) {
  SC_DEMAND(world, NULL, NULL);
  int32_t n = world->pairs.materials;
  if (material1 < 0 || material1 >= n || material2 < 0 || material2 >= n) return NULL;
  const sc_rule *rule = world->pairs.rule + world->pairs.table[material1 * n + material2];
  *params = rule->params;
  return world->laws.law[rule->law]->name;
}

double scree_world_get_restitution(const scree_world *world, int material1, int material2, int *law) {
  SC_DEMAND(world, NULL, 0);
  int32_t n = world->pairs.materials;
  if (material1 < 0 || material1 >= n || material2 < 0 || material2 >= n) return 0;
  const sc_rule *rule = world->pairs.rule + world->pairs.table[material1 * n + material2];
  if (law) *law = rule->restitution_law;
  return rule->restitution;
}

double scree_world_get_tangential_restitution(const scree_world *world, int material1, int material2) {
  SC_DEMAND(world, NULL, 0);
  int32_t n = world->pairs.materials;
  if (material1 < 0 || material1 >= n || material2 < 0 || material2 >= n) return 0;
  return sc_world_rule(world, material1, material2)->tangential_restitution;
}

scree_cohesion scree_world_get_cohesion(const scree_world *world, int material1, int material2) {
  SC_DEMAND(world, NULL, (scree_cohesion){0});
  int32_t n = world->pairs.materials;
  if (material1 < 0 || material1 >= n || material2 < 0 || material2 >= n) return (scree_cohesion){0};
  return sc_world_rule(world, material1, material2)->cohesion.def;
}

scree_stiffness scree_world_get_stiffness(const scree_world *world, int material1, int material2) {
  SC_DEMAND(world, NULL, (scree_stiffness){0});
  int32_t n = world->pairs.materials;
  if (material1 < 0 || material1 >= n || material2 < 0 || material2 >= n) return (scree_stiffness){0};
  return sc_world_rule(world, material1, material2)->stiffness;
}
