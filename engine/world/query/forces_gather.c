/* Builds the members of a truss: contacts of the last step that had an impulse or are closed at its end
 * (forces.c). */
#include "world/world.h"
#include "world/query/forces_gather.h"

#include <math.h>
#include <string.h>
#include "law/soft/penalty.h"
#include "math/vec.h"
#include "model/relative.h"
#include "world/account/totals.h"

/* Impulses below this share of the largest impulse are rounding errors and count as 0. */
static const double ROUNDING = 1e-14;
/* Loads below this share of the largest contact force count as residuals of the solver. */
static const double UNLOADED = 1e-2;

/* ---- choice of contacts ---- */

/* Sets arm to the vector from the body's centre of mass to the contact point, for the position of the body at
 * contact detection. The arm of a ball is along the normal. side: -1 for body 1, 1 for body 2. */
static void arm_of(const sc_gathering *g, int32_t row, const sc_listed *listed, double side, double arm[3]) {
  const sc_contact *contact = &listed->contact;
  const sc_bodies *bodies = &g->world->bodies;
  double ball = sc_bodies_ball(bodies, row);
  if (ball > 0) {
    sc_scale(side * ball, contact->normal, arm);
    return;
  }
  double found[3];
  sc_axpy(bodies->kind[row] == SCREE_FIXED ? 0 : -listed->age, bodies->velocity[row], bodies->position[row],
      found);
  sc_displacement(bodies, row == contact->body1 ? NULL : &contact->image, contact->point, found, arm);
}

/* Returns true if a contact becomes a member of the truss. push: normal impulse of the contact [N s]. arm1,
 * arm2: arms on both bodies [m]. */
static bool is_member(
    const sc_gathering *g, const sc_listed *listed, double push, const double arm1[3], const double arm2[3]) {
  const sc_bodies *bodies = &g->world->bodies;
  const sc_contact *contact = &listed->contact;
  if (push > g->least) return true;
  double u[3];
  sc_relative_velocity(
      bodies, contact->body1, arm1, contact->body2, &contact->image, arm2, contact->normal, u);
  double end = contact->gap + listed->age * sc_dot(u, contact->normal);
  return end <= g->def->closed * fmin(bodies->radius[contact->body1], bodies->radius[contact->body2]);
}

/* ---- stiffness ---- */

static const sc_law *law_of(const scree_world *world, const sc_contact *sides) {
  return world->laws.law[sc_world_rule(world, sides->material1, sides->material2)->law];
}

/* Fails if the pairs of some contacts have a stiffness and the pairs of others have none. Sets *from_pairs to
 * true if the pairs have stiffnesses. */
static scree_status check_stiffnesses(const scree_world *world, bool *from_pairs, scree_error *error) {
  bool with = false, without = false;
  sc_listed one;
  sc_contact last[2] = {{0}}, *a = last, *b = last + 1; /* a contact with and a contact without stiffness */
  for (int32_t c = 0; c < sc_world_listed_count(world); c++) {
    sc_world_listed(world, c, &one);
    if (law_of(world, &one.contact)->penalty) *a = one.contact, with = true;
    else *b = one.contact, without = true;
  }
  *from_pairs = with;
  if (!with || !without) return SCREE_OK;
  const sc_material *name = world->pairs.material;
  return sc_fail(error, SCREE_E_ARGUMENT,
      "compatible forces: the pair (%s, %s) has a stiffness, the pair (%s, %s) has none; "
      "give both law hooke or hertz, or give stiffness",
      name[a->material1].name, name[a->material2].name, name[b->material1].name, name[b->material2].name);
}

/* Returns the stiffness of a pair of materials from the table. Returns 0 if the table does not have the pair;
 * the caller then fails. */
static double table_value(const scree_forces_def *def, int32_t material1, int32_t material2) {
  int n = def->table_materials;
  return material1 < n && material2 < n ? def->table[material1 * n + material2] : 0;
}

static double stiffness_of(const sc_gathering *g, int32_t c, const sc_contact *contact, bool from_pairs) {
  const scree_world *world = g->world;
  if (g->uniform) return 1;
  if (g->def->stiffness) return g->def->stiffness[c];
  if (g->def->table) return table_value(g->def, contact->material1, contact->material2);
  if (!from_pairs) return 1;
  const sc_rule *rule = sc_world_rule(world, contact->material1, contact->material2);
  return world->laws.law[rule->law]->penalty->coefficient(
      rule->params, sc_bodies_contact_radius(&world->bodies, contact->body1, contact->body2));
}

/* Returns the name of a parameter, set by the pair, that extends Coulomb's law beyond a constant mu. Returns
 * NULL if the pair sets no such parameter. */
static const char *given_beside_mu(const sc_law *law, const double *params) {
  static const char *const names[] = {"mu_static", "mu2", "torsion", "rolling"};
  for (int i = 0; i < law->params_count && !strcmp(law->name, "coulomb"); i++)
    for (int k = 0; k < (int)(sizeof names / sizeof *names); k++)
      if (!strcmp(law->params[i].name, names[k]) && params[law->params[i].offset / sizeof *params] > 0)
        return names[k];
  return NULL;
}

static scree_status friction_of(
    const sc_gathering *g, const sc_contact *from, sc_truss_contact *to, scree_error *error) {
  if (!g->def->friction) return SCREE_OK;
  const scree_world *world = g->world;
  const sc_rule *rule = sc_world_rule(world, from->material1, from->material2);
  const sc_law *law = world->laws.law[rule->law];
  to->ratio = g->def->tangential;
  if (law->ball_mu && law->ball_mu(rule->params, &to->mu)) return SCREE_OK;
  const char *who = g->uniform ? "rest_range" : "compatible forces",
             *given = given_beside_mu(law, rule->params);
  const char *one = world->pairs.material[from->material1].name,
             *two = world->pairs.material[from->material2].name;
  if (given)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s: friction between \"%s\" and \"%s\" must be a plain mu, but the pair has %s", who, one, two,
        given);
  return sc_fail(error, SCREE_E_ARGUMENT,
      "%s: friction needs a law with a plain mu between \"%s\" and \"%s\", not \"%s\"", who, one, two,
      law->name);
}

/* ---- members and loads ---- */

static void add_load(sc_gathering *g, const sc_truss_contact *contact, const double f[3]) {
  double torque[3];
  sc_add(g->load[contact->i], f, g->load[contact->i]);
  sc_sub(g->load[contact->j], f, g->load[contact->j]);
  sc_cross(contact->arm1, f, torque);
  sc_add(g->load[contact->i] + 3, torque, g->load[contact->i] + 3);
  sc_cross(contact->arm2, f, torque);
  sc_sub(g->load[contact->j] + 3, torque, g->load[contact->j] + 3);
  for (int l = 0; l < 3; l++) sc_axpy(-contact->shift[l], f, g->cell.load[l], g->cell.load[l]);
}

static scree_status gather_contact(sc_gathering *g, int32_t c, bool from_pairs, scree_error *error) {
  sc_listed listed;
  sc_world_listed(g->world, c, &listed);
  const sc_contact *from = &listed.contact;
  sc_truss_contact to = {.i = from->body1, .j = from->body2};
  sc_copy3(from->normal, to.n);
  arm_of(g, to.i, &listed, -1, to.arm1);
  arm_of(g, to.j, &listed, 1, to.arm2);
  if (g->has_cell) sc_cell_shift(g->world->bodies.cell, &from->image, to.shift);
  const double pull = listed.pull, push = sc_dot(from->impulse, to.n) + pull;
  double f[3];
  if (g->def->load == SCREE_LOAD_WEIGHT && pull > 0) sc_scale(pull / g->dt, to.n, f), add_load(g, &to, f);
  if (!is_member(g, &listed, push, to.arm1, to.arm2)) return SCREE_OK;
  to.stiffness = stiffness_of(g, c, from, from_pairs);
  if (!(to.stiffness > 0) || isinf(to.stiffness)) {
    const sc_material *name = g->world->pairs.material;
    return sc_fail(error, SCREE_E_ARGUMENT,
        "compatible forces: stiffness between \"%s\" and \"%s\" must be positive and finite, not %g",
        name[from->material1].name, name[from->material2].name, to.stiffness);
  }
  scree_status status = friction_of(g, from, &to, error);
  if (status != SCREE_OK) return status;
  if (g->def->load == SCREE_LOAD_STEP) {
    sc_axpy(pull, to.n, from->impulse, f);
    if (g->def->friction) sc_scale(1 / g->dt, f, f);
    else sc_scale(fmax(0, push) / g->dt, to.n, f);
    add_load(g, &to, f);
  }
  g->row[g->count] = c;
  g->contact[g->count++] = to;
  return SCREE_OK;
}

static double largest_impulse(const scree_world *world) {
  double most = 0;
  for (int32_t c = 0; c < sc_world_listed_count(world); c++) {
    sc_listed listed;
    sc_world_listed(world, c, &listed);
    most = fmax(most, sc_dot(listed.contact.impulse, listed.contact.normal) + listed.pull);
  }
  return most;
}

/* ---- the periodic cell ---- */

/* Marks the components of the cell's displacement gradient that are unknowns of the truss. */
static void open_cell(sc_gathering *g) {
  const sc_cell *cell = g->world->bodies.cell;
  if (!cell || g->def->cell == SCREE_CELL_HELD) return;
  for (int l = 0; l < 3; l++)
    for (int k = 0; k < 3; k++) {
      const int at = 3 * k + l;
      const bool weighs = g->def->load == SCREE_LOAD_WEIGHT;
      const bool free = !weighs && (g->def->cell == SCREE_CELL_FREE || cell->gradient[at] != 0);
      g->cell.moves[l][k] = cell->driven[at] || free;
      g->has_cell |= g->cell.moves[l][k];
    }
}

/* Adds the load of the prescribed stress s to the load on the cell: V s - sum F x' with F = -m g. V: volume
 * of the cell, x: positions of bodies. */
static void add_wanted_stress(sc_gathering *g) {
  const sc_bodies *bodies = &g->world->bodies;
  const double volume = g->has_cell ? sc_cell_volume(bodies->cell) : 0;
  double centre[3] = {0, 0, 0}, mass = 0, x[3];
  for (int32_t b = 0; b < bodies->count && g->has_cell; b++)
    if (!g->held[b]) sc_axpy(bodies->mass[b], bodies->position[b], centre, centre), mass += bodies->mass[b];
  if (mass > 0) sc_scale(1 / mass, centre, centre);
  for (int l = 0; l < 3 && g->has_cell; l++)
    for (int k = 0; k < 3; k++) g->cell.load[l][k] += volume * bodies->cell->stress[3 * k + l];
  for (int32_t b = 0; b < bodies->count && g->has_cell; b++) {
    if (g->held[b]) continue;
    sc_sub(bodies->position[b], centre, x);
    for (int l = 0; l < 3; l++) sc_axpy(-x[l], g->load[b], g->cell.load[l], g->cell.load[l]);
  }
}

static bool alloc_arrays(sc_gathering *g, sc_arena *arena) {
  size_t bodies = (size_t)g->world->bodies.count, contacts = (size_t)sc_world_listed_count(g->world);
  g->held = SC_TAKE(arena, uint8_t, bodies);
  g->load = sc_arena_take(arena, bodies * sizeof *g->load);
  g->contact = SC_TAKE(arena, sc_truss_contact, contacts);
  g->row = SC_TAKE(arena, int32_t, contacts);
  return g->held && g->load && g->contact && g->row;
}

scree_status sc_forces_gather(sc_gathering *g, sc_arena *arena, scree_error *error) {
  const scree_world *world = g->world;
  if (!alloc_arrays(g, arena)) return sc_fail(error, SCREE_E_MEMORY, "no memory for compatible forces");
  bool from_pairs = false;
  g->most = largest_impulse(world);
  g->least = ROUNDING * g->most;
  open_cell(g);
  if (!g->def->stiffness && !g->def->table && !g->uniform) {
    scree_status status = check_stiffnesses(world, &from_pairs, error);
    if (status != SCREE_OK) return status;
  }
  for (int32_t b = 0; b < world->bodies.count; b++) {
    g->held[b] = world->bodies.kind[b] != SCREE_DYNAMIC;
    memset(g->load[b], 0, sizeof g->load[b]);
    if (g->def->load == SCREE_LOAD_WEIGHT && !g->held[b])
      sc_scale(-world->bodies.mass[b], world->def.gravity, g->load[b]);
  }
  if (g->def->load == SCREE_LOAD_WEIGHT) add_wanted_stress(g);
  for (int32_t c = 0; c < sc_world_listed_count(world); c++) {
    scree_status status = gather_contact(g, c, from_pairs, error);
    if (status != SCREE_OK) return status;
  }
  return SCREE_OK;
}

bool sc_forces_unloaded(const sc_gathering *g) {
  const double *gravity = g->world->def.gravity;
  double most = 0;
  if (!g->world->bodies.cell || g->def->cell != SCREE_CELL_DRIVEN || g->has_cell || sc_norm(gravity) > 0)
    return false;
  for (int32_t b = 0; b < g->world->bodies.count; b++)
    if (!g->held[b]) most = fmax(most, sc_norm(g->load[b]));
  return most <= UNLOADED * g->most / g->dt;
}
