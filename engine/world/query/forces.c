/* Compatible forces of the last step: from the world's contacts to the truss of solve/truss.h and back.
 *
 * Which contacts take part: those that carried an impulse, and those that end the step closed, for they
 * might have carried one. An open contact must not: complementarity forbids its force.
 *
 * Cohesion pulls by a force that is known; what is compatible is what elastic grains push against it, the
 * contact's force and the pull together. So a contact that hangs by its bridge pushes, too.
 *
 * Load: the impulses of the step divided by its length, summed per body. That equals M (v' - v)/dt -
 * F_ext of the paper's Eq. 37, joints left out, and balances exactly, since the solver's own impulses
 * are pushing forces. Without friction only their normal parts count. Alternatively the load is the
 * weight of each body.
 *
 * A periodic cell that moves or that stress drives is a body of the truss, too. Its displacement gradient G
 * is unknown. An image moves by G S beside its body, S the shift between them. The forces must have the load
 * - sum f S' that the step's contacts had. With V s = sum f l' over the arms l of bodies that move, and F the
 * contact forces on them, that is V s - sum F x'. So a wanted stress s gives it for weights. */
#include "scree/forces.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include "law/soft/penalty.h"
#include "math/vec.h"
#include "model/relative.h"
#include "solve/truss/truss.h"
#include "world/step/totals.h"

#define AT(member) offsetof(scree_forces_def, member)
const scree_param scree_forces_params[] = {
    {"law", SCREE_CHOICE, 0, "", SCREE_FORCES_HOOKE, 0, 0, AT(law), "hooke|hertz",
        "contact law of the stiff grains"},
    {"exponent", SCREE_REAL, 0, "", 0, 0, 100, AT(exponent), NULL,
        "p > 1 of a contact energy k c^p/p in place of the law's; 0: the law's"},
    {"load", SCREE_CHOICE, 0, "", SCREE_LOAD_STEP, 0, 0, AT(load), "step|weight",
        "what the forces carry: the last step's impulses, or the bodies' weights"},
    {"friction", SCREE_CHOICE, 0, "", SCREE_FRICTION_NONE, 0, 0, AT(friction), "none|coulomb|cone",
        "tangential forces too (hooke): coulomb, or least complementary energy in the cones"},
    {"tangential", SCREE_REAL, SCREE_POSITIVE, "", 2.0 / 7, 0, 100, AT(tangential), NULL,
        "tangential over normal stiffness, with friction"},
    {"cell", SCREE_CHOICE, 0, "", SCREE_CELL_DRIVEN, 0, 0, AT(cell), "driven|free|held",
        "periodic cell: components of its strain that are unknown and carry its stress"},
    {"closed", SCREE_REAL, 0, "", 1e-4, 0, 1, AT(closed), NULL,
        "contacts without an impulse take part up to this gap, in units of the smaller radius"},
    {"tolerance", SCREE_REAL, SCREE_POSITIVE, "", 1e-12, 0, 1, AT(tolerance), NULL,
        "unbalanced force left on a body, as a share of the largest load"},
    {"iterations", SCREE_INTEGER, 0, "", 200, 1, 1e6, AT(iterations), NULL,
        "most Newton steps of a solve; with Coulomb friction 10 times as many in all"},
    {"stiffness", SCREE_OPAQUE, 0, "", 0, 0, 0, AT(stiffness), NULL,
        "relative stiffness: a number, a list of {material, material, value}, or a function of a contact"},
};
const int scree_forces_params_count = sizeof scree_forces_params / sizeof *scree_forces_params;

scree_forces_def scree_forces_defaults(void) {
  scree_forces_def def = {0};
  scree_param_defaults(scree_forces_params, scree_forces_params_count, &def);
  return def;
}

enum { CG_STEPS = 500 }; /* allowed in all for each Newton step that is allowed */
/* Impulses below this share of the largest are rounding: their contacts carry nothing. */
static const double ROUNDING = 1e-14;
/* Loads below this share of the contact forces are what a solver leaves of a balance. */
static const double UNLOADED = 1e-2;

typedef struct gathering {
  const scree_world *world;
  const scree_forces_def *def;
  double exponent, dt, least; /* normal impulse from which on a contact carries [N s] */
  uint8_t *held;
  double (*load)[6];
  sc_truss_contact *contact;
  int32_t *row; /* row of the world's contact each truss contact came from */
  int32_t count;
  sc_truss_cell cell; /* where has_cell */
  bool has_cell;
  double most; /* largest normal impulse of a contact, with its pull [N s] */
} gathering;

/* ---- which contacts ---- */

/* Arm at the time the contact was found; a ball's arm is along the normal. */
static void arm_of(const gathering *g, int32_t row, const sc_listed *listed, double side, double arm[3]) {
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

/* push: of the elastic grains along the normal [N s]. */
static bool takes_part(
    const gathering *g, const sc_listed *listed, double push, const double arm1[3], const double arm2[3]) {
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
  return world->law[sc_world_rule(world, sides->material1, sides->material2)->law];
}

/* All contacts have one, or none has: a stiffness of some pairs says nothing about the others. */
static scree_status check_stiffness(const scree_world *world, bool *from_pairs, scree_error *error) {
  bool with = false, without = false;
  sc_listed one;
  sc_contact last[2] = {{0}}, *a = last, *b = last + 1; /* with, without */
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

/* A pair that the table does not name has 0, which is refused. */
static double table_value(const scree_forces_def *def, int32_t material1, int32_t material2) {
  int n = def->table_materials;
  return material1 < n && material2 < n ? def->table[material1 * n + material2] : 0;
}

static double stiffness_of(const gathering *g, int32_t c, const sc_contact *contact, bool from_pairs) {
  const scree_world *world = g->world;
  if (g->def->stiffness) return g->def->stiffness[c];
  if (g->def->table) return table_value(g->def, contact->material1, contact->material2);
  if (!from_pairs) return 1;
  const sc_rule *rule = sc_world_rule(world, contact->material1, contact->material2);
  return world->law[rule->law]->penalty->coefficient(rule->params, sc_world_contact_radius(world, contact));
}

static scree_status friction_of(
    const gathering *g, const sc_contact *from, sc_truss_contact *to, scree_error *error) {
  if (!g->def->friction) return SCREE_OK;
  const scree_world *world = g->world;
  const sc_rule *rule = sc_world_rule(world, from->material1, from->material2);
  const sc_law *law = world->law[rule->law];
  to->ratio = g->def->tangential;
  if (law->ball_mu && law->ball_mu(rule->params, &to->mu)) return SCREE_OK;
  return sc_fail(error, SCREE_E_ARGUMENT,
      "compatible forces with friction need a law with a plain mu between \"%s\" and \"%s\", not \"%s\"",
      world->pairs.material[from->material1].name, world->pairs.material[from->material2].name, law->name);
}

/* ---- gathering ---- */

static void add_load(gathering *g, const sc_truss_contact *contact, const double f[3]) {
  double torque[3];
  sc_add(g->load[contact->i], f, g->load[contact->i]);
  sc_sub(g->load[contact->j], f, g->load[contact->j]);
  sc_cross(contact->arm1, f, torque);
  sc_add(g->load[contact->i] + 3, torque, g->load[contact->i] + 3);
  sc_cross(contact->arm2, f, torque);
  sc_sub(g->load[contact->j] + 3, torque, g->load[contact->j] + 3);
  for (int l = 0; l < 3; l++) sc_axpy(-contact->shift[l], f, g->cell.load[l], g->cell.load[l]);
}

static scree_status gather_contact(gathering *g, int32_t c, bool from_pairs, scree_error *error) {
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
  if (!takes_part(g, &listed, push, to.arm1, to.arm2)) return SCREE_OK;
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

/* ---- the cell ---- */

/* Which components of the cell's displacement gradient are unknown. */
static void open_cell(gathering *g) {
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

/* What a wanted stress is to the contacts across the cell, V s - sum F x', F = -m g. */
static void add_wanted_stress(gathering *g) {
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

/* Whether loads are tiny beside the contact forces, as for a packing under stress in a held cell. */
static bool is_unloaded(const gathering *g) {
  const double *gravity = g->world->def.gravity;
  double most = 0;
  if (!g->world->bodies.cell || g->def->cell != SCREE_CELL_DRIVEN || g->has_cell || sc_norm(gravity) > 0)
    return false;
  for (int32_t b = 0; b < g->world->bodies.count; b++)
    if (!g->held[b]) most = fmax(most, sc_norm(g->load[b]));
  return most <= UNLOADED * g->most / g->dt;
}

static scree_status gather(gathering *g, scree_error *error) {
  const scree_world *world = g->world;
  bool from_pairs = false;
  g->most = largest_impulse(world);
  g->least = ROUNDING * g->most;
  open_cell(g);
  if (!g->def->stiffness && !g->def->table) {
    scree_status status = check_stiffness(world, &from_pairs, error);
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

static bool take_arrays(gathering *g, sc_arena *arena) {
  size_t bodies = (size_t)g->world->bodies.count, contacts = (size_t)sc_world_listed_count(g->world);
  g->held = SC_TAKE(arena, uint8_t, bodies);
  g->load = sc_arena_take(arena, bodies * sizeof *g->load);
  g->contact = SC_TAKE(arena, sc_truss_contact, contacts);
  g->row = SC_TAKE(arena, int32_t, contacts);
  return g->held && g->load && g->contact && g->row;
}

/* ---- back to the world ---- */

static void add_pulls(const gathering *g, double (*force)[3]) {
  sc_listed listed;
  for (int32_t c = 0; c < sc_world_listed_count(g->world) && sc_world_pull_at(g->world) >= 0; c++) {
    sc_world_listed(g->world, c, &listed);
    sc_axpy(-listed.pull / g->dt, listed.contact.normal, force[c], force[c]);
  }
}

static void write_forces(const gathering *g, const double (*part)[3], double (*force)[3]) {
  memset(force, 0, (size_t)sc_world_listed_count(g->world) * sizeof *force);
  for (int32_t k = 0; k < g->count; k++) {
    double t[3], o[3], *f = force[g->row[k]];
    sc_frame(g->contact[k].n, t, o);
    for (int x = 0; x < 3; x++)
      f[x] = part[k][0] * g->contact[k].n[x] + part[k][1] * t[x] + part[k][2] * o[x];
  }
  add_pulls(g, force);
}

static scree_status not_carried(const gathering *g, int32_t row, double left, scree_error *error) {
  const scree_world *world = g->world;
  if (row >= world->bodies.count)
    return sc_fail(error, SCREE_E_NUMERIC,
        "compatible forces: no contacts carry the stress of the cell; %.2g of it is left over", left);
  unsigned long long id = (unsigned long long)sc_bodies_id(&world->bodies, row);
  for (int32_t k = 0; k < world->names; k++)
    if (world->name[k].id == id)
      return sc_fail(error, SCREE_E_NUMERIC,
          "compatible forces: nothing holds body \"%s\"; %.2g of the largest load is not carried",
          world->name[k].name, left);
  const double *p = world->bodies.position[row];
  return sc_fail(error, SCREE_E_NUMERIC,
      "compatible forces: nothing holds body %llu at (%.6g, %.6g, %.6g); %.2g of the largest load is not "
      "carried",
      id, p[0], p[1], p[2], left);
}

static scree_status solve(
    gathering *g, sc_arena *arena, double (*force)[3], scree_forces_report *report, scree_error *error) {
  if (!take_arrays(g, arena)) return sc_fail(error, SCREE_E_MEMORY, "no memory for compatible forces");
  scree_status status = gather(g, error);
  if (status != SCREE_OK) return status;
  if (is_unloaded(g))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "compatible forces: the cell is held and its bodies have no load, so elastic grains would carry "
        "nothing; cell = \"free\" keeps the stress of the step, cell = \"held\" takes the cell for walls");
  double(*part)[3] = sc_arena_take(arena, (size_t)g->count * sizeof *part);
  if (!part) return sc_fail(error, SCREE_E_MEMORY, "no memory for compatible forces");
  sc_truss truss = {.bodies = g->world->bodies.count,
      .held = g->held,
      .load = (const double(*)[6])g->load,
      .contacts = g->count,
      .contact = g->contact,
      .cell = g->has_cell ? &g->cell : NULL,
      .exponent = g->exponent,
      .tolerance = g->def->tolerance,
      .iterations = g->def->iterations,
      .cg_iterations = CG_STEPS * g->def->iterations,
      .stop = g->world->stop,
      .stop_context = g->world->stop_context};
  sc_truss_report inner;
  if (g->def->friction == SCREE_FRICTION_COULOMB) {
    const size_t rows = (size_t)truss.bodies + 3; /* three for the cell */
    double(*u)[6] = sc_arena_take(arena, rows * sizeof *u);
    if (!u) return sc_fail(error, SCREE_E_MEMORY, "no memory for compatible forces");
    memset(u, 0, rows * sizeof *u);
    status = sc_truss_coulomb(&truss, arena, part, u, &inner, error);
  } else {
    status = sc_truss_solve(&truss, arena, part, NULL, &inner, error);
  }
  *report = (scree_forces_report){.iterations = inner.iterations,
      .cg_iterations = inner.cg_iterations,
      .closed = g->count,
      .residual = inner.residual,
      .worst = inner.worst < 0 || inner.worst >= truss.bodies ? 0
                                                              : sc_bodies_id(&g->world->bodies, inner.worst)};
  if (status == SCREE_OK || status == SCREE_E_NUMERIC) write_forces(g, (const double(*)[3])part, force);
  return status == SCREE_E_NUMERIC && inner.worst >= 0 ? not_carried(g, inner.worst, inner.residual, error)
                                                       : status;
}

static scree_status check(const scree_forces_def *def, scree_error *error) {
  for (int i = 0; i < scree_forces_params_count; i++) {
    scree_status status = scree_param_check(scree_forces_params + i, def, scree_forces_params[i].name, error);
    if (status != SCREE_OK) return status;
  }
  return SCREE_OK;
}

scree_status scree_world_compatible_forces(const scree_world *world, const scree_forces_def *def,
    double (*force)[3], scree_forces_report *report, scree_error *error) {
  if (sc_world_check_whole(world, "compatible forces are found",
          "w:forces_on and w:stress see the solver's own on all", error) != SCREE_OK)
    return SCREE_E_ARGUMENT;
  sc_world_settle_contacts((scree_world *)world);
  scree_forces_report unread;
  scree_status status = check(def, error);
  if (status != SCREE_OK) return status;
  gathering g = {.world = world, .def = def, .dt = world->def.dt};
  g.exponent = def->exponent > 0 ? def->exponent : def->law == SCREE_FORCES_HERTZ ? 2.5 : 2;
  sc_arena arena = {0};
  status = solve(&g, &arena, force, report ? report : &unread, error);
  sc_arena_free(&arena);
  return status;
}

void scree_world_set_stop(scree_world *world, bool (*asked)(void *context), void *context) {
  world->stop = asked, world->stop_context = context;
}

/* ---- what frames carry ---- */

scree_status scree_world_record_forces(scree_world *world, const scree_forces_def *def, scree_error *error) {
  if (def &&
      sc_world_check_whole(
          world, "compatible forces are recorded", "frames hold the solver's own on all", error) != SCREE_OK)
    return SCREE_E_ARGUMENT;
  scree_status status = def ? check(def, error) : SCREE_OK;
  if (status != SCREE_OK) return status;
  if (def && def->stiffness)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "recorded forces take their stiffness by material, not by contact");
  size_t bytes = def && def->table
      ? (size_t)def->table_materials * (size_t)def->table_materials * sizeof(double)
      : 0;
  double *table = bytes ? sc_alloc(bytes) : NULL;
  if (bytes && !table)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a table of %d materials", def->table_materials);
  if (bytes) memcpy(table, def->table, bytes);
  sc_free(world->recorded_table);
  world->recorded_table = table;
  world->records_forces = def != NULL;
  if (def) world->recorded = *def;
  world->recorded.table = table;
  return SCREE_OK;
}

scree_status sc_world_recorded_forces(
    const scree_world *world, sc_arena *arena, double (**force)[3], scree_error *error) {
  *force = NULL;
  if (!world->records_forces) return SCREE_OK;
  const size_t count = (size_t)sc_world_listed_count(world);
  *force = sc_arena_take(arena, (count + 1) * sizeof **force);
  if (!*force) return sc_fail(error, SCREE_E_MEMORY, "no memory for compatible forces");
  memset(*force, 0, count * sizeof **force);
  scree_status status = scree_world_compatible_forces(world, &world->recorded, *force, NULL, error);
  return status == SCREE_E_NUMERIC ? SCREE_OK : status;
}
