/* Compatible forces of the last step. Converts the world's contacts to the truss of solve/truss/truss.h, and
 * the forces of the truss to forces of the contacts.
 *
 * The truss contains contacts with an impulse, and contacts that are closed at the end of the step, because
 * they might have had an impulse. It does not contain open contacts, because complementarity forbids a force
 * there.
 *
 * The pull of cohesion is a known force. The truss computes the compressive force of elastic grains: the sum
 * of the contact's force and the pull. A contact that hangs by its liquid bridge therefore also pushes.
 *
 * The load of a body is the sum of the step's impulses on it, divided by the length of the step. Without
 * joints, the load equals M (v' - v)/dt - F_ext of the paper's Eq. 37. Forces that balance it exist exactly,
 * because the solver's impulses are pushing forces. Without friction only their normal parts count.
 * Alternatively the load is the weight of each body.
 *
 * A periodic cell that moves or that stress drives is also a body of the truss. Its displacement gradient G
 * is unknown. An image moves by G S relative to its body, where S is the shift between both. The load on the
 * cell is - sum f S' over the step's contacts (f: force, ': transpose). With V s = sum f l' over the arms l
 * of movable bodies, and with the contact forces F on these bodies at x, this load is V s - sum F x'. With
 * SCREE_LOAD_WEIGHT the prescribed stress s therefore determines the load. */
#include "scree/forces.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include "math/vec.h"
#include "world/world.h"
#include "world/query/forces.h"
#include "world/bodies/rows.h"
#include "world/query/forces_gather.h"
#include "world/account/totals.h"

#define AT(member) offsetof(scree_forces_def, member)
const scree_param scree_forces_params[] = {
    {"law", SCREE_CHOICE, 0, "", SCREE_FORCES_HOOKE, 0, 0, AT(law), "hooke|hertz",
        "contact law of the stiff grains"},
    {"exponent", SCREE_REAL, 0, "", 0, 0, 100, AT(exponent), NULL,
        "exponent p > 1 of the contact energy k c^p/p; 0: the exponent of the law"},
    {"load", SCREE_CHOICE, 0, "", SCREE_LOAD_STEP, 0, 0, AT(load), "step|weight",
        "load on the bodies: the impulses of the last step, or their weights"},
    {"friction", SCREE_CHOICE, 0, "", SCREE_FRICTION_NONE, 0, 0, AT(friction), "none|coulomb|cone",
        "tangential forces (law hooke only). coulomb: Coulomb's law; cone: minimum of the complementary "
        "energy "
        "in the cones"},
    {"tangential", SCREE_REAL, SCREE_POSITIVE, "", 2.0 / 7, 0, 100, AT(tangential), NULL,
        "ratio of tangential to normal stiffness, with friction"},
    {"cell", SCREE_CHOICE, 0, "", SCREE_CELL_DRIVEN, 0, 0, AT(cell), "driven|free|held",
        "periodic cell: which components of its strain are unknown, so that contacts carry its stress"},
    {"closed", SCREE_REAL, 0, "", 1e-4, 0, 1, AT(closed), NULL,
        "contacts without an impulse are included up to this gap, in units of the smaller radius"},
    {"tolerance", SCREE_REAL, SCREE_POSITIVE, "", 1e-12, 0, 1, AT(tolerance), NULL,
        "largest unbalanced force on a body, as a share of the largest load"},
    {"iterations", SCREE_INTEGER, 0, "", 200, 1, 1e6, AT(iterations), NULL,
        "maximum number of Newton steps; with Coulomb friction 10 times as many"},
    {"stiffness", SCREE_OPAQUE, 0, "", 0, 0, 0, AT(stiffness), NULL,
        "relative stiffness: a number, a list of {material, material, value}, or a function of a contact"},
};
const int scree_forces_params_count = sizeof scree_forces_params / sizeof *scree_forces_params;

scree_forces_def scree_forces_defaults(void) {
  scree_forces_def def = {0};
  scree_param_defaults(scree_forces_params, scree_forces_params_count, &def);
  return def;
}

/* Bound of the number of conjugate-gradient steps in a whole solve: CG_STEPS times the bound of the number of
 * Newton steps. */
enum { CG_STEPS = 500 };

/* ---- forces of the world's contacts ---- */

static void add_pulls(const sc_gathering *g, double (*force)[3]) {
  sc_listed listed;
  for (int32_t c = 0; c < sc_world_listed_count(g->world) && sc_pull_place(&g->world->contacts) >= 0; c++) {
    sc_world_listed(g->world, c, &listed);
    sc_axpy(-listed.pull / g->dt, listed.contact.normal, force[c], force[c]);
  }
}

static void write_forces(const sc_gathering *g, const double (*part)[3], double (*force)[3]) {
  memset(force, 0, (size_t)sc_world_listed_count(g->world) * sizeof *force);
  for (int32_t k = 0; k < g->count; k++) {
    double t[3], o[3], *f = force[g->row[k]];
    sc_frame(g->contact[k].n, t, o);
    for (int x = 0; x < 3; x++)
      f[x] = part[k][0] * g->contact[k].n[x] + part[k][1] * t[x] + part[k][2] * o[x];
  }
  add_pulls(g, force);
}

/* Returns the axis k with the largest absolute stress component (k, l). l: axis of the cell's edge. */
static int largest_stress(const scree_world *world, int l) {
  const double *stress = world->bodies.cell->stress;
  int found = l;
  for (int k = 0; k < 3; k++)
    if (fabs(stress[3 * k + l]) > fabs(stress[3 * found + l])) found = k;
  return found;
}

static scree_status not_carried(const sc_gathering *g, int32_t row, double left, scree_error *error) {
  const scree_world *world = g->world;
  if (row >= world->bodies.count) {
    const int l = row - world->bodies.count, k = largest_stress(world, l);
    return sc_fail(error, SCREE_E_NUMERIC,
        "compatible forces: no contacts carry the stress of the cell; its component %c%c is %.4g Pa, and "
        "%.2g "
        "of the largest load is left over",
        "xyz"[k], "xyz"[l], world -> bodies.cell->stress[3 * k + l], left);
  }
  unsigned long long id = (unsigned long long)sc_bodies_id(&world->bodies, row);
  for (int32_t k = 0; k < world->names.count; k++)
    if (world->names.name[k].id == id)
      return sc_fail(error, SCREE_E_NUMERIC,
          "compatible forces: nothing holds body \"%s\"; %.2g of the largest load is not carried",
          world->names.name[k].name, left);
  const double *p = world->bodies.position[row];
  return sc_fail(error, SCREE_E_NUMERIC,
      "compatible forces: nothing holds body %llu at (%.6g, %.6g, %.6g); %.2g of the largest load is not "
      "carried",
      id, p[0], p[1], p[2], left);
}

static double exponent_of(const scree_forces_def *def) {
  return def->exponent > 0 ? def->exponent : def->law == SCREE_FORCES_HERTZ ? 2.5 : 2;
}

static scree_status solve_forces(
    sc_gathering *g, sc_arena *arena, double (*force)[3], scree_forces_report *report, scree_error *error) {
  scree_status status = sc_forces_gather(g, arena, error);
  if (status != SCREE_OK) return status;
  if (sc_forces_unloaded(g))
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
      .exponent = exponent_of(g->def),
      .tolerance = g->def->tolerance,
      .iterations = g->def->iterations,
      .cg_iterations = CG_STEPS * g->def->iterations,
      .stop = g->world->query.stop,
      .stop_context = g->world->query.stop_context};
  sc_truss_report inner;
  if (g->def->friction == SCREE_FRICTION_COULOMB) {
    const size_t rows = (size_t)truss.bodies + 3; /* three rows for the cell */
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

scree_status scree_world_compatible_forces(const scree_world *world, const scree_forces_def *def,
    double (*force)[3], scree_forces_report *report, scree_error *error) {
  SC_DEMAND(world && def, error, SCREE_E_ARGUMENT);
  if (sc_ranks_check_whole(world->ranks, "compatible forces are found",
          "w:forces_on and w:stress see the solver's own on all", error) != SCREE_OK)
    return SCREE_E_ARGUMENT;
  sc_world_settle_contacts((scree_world *)world);
  scree_forces_report unread;
  scree_status status = scree_param_check_all(scree_forces_params, scree_forces_params_count, def, "", error);
  if (status != SCREE_OK) return status;
  sc_gathering g = {.world = world, .def = def, .dt = world->def.dt};
  sc_arena arena = {0};
  status = solve_forces(&g, &arena, force, report ? report : &unread, error);
  sc_arena_free(&arena);
  return status;
}

void scree_world_set_stop(scree_world *world, bool (*asked)(void *context), void *context) {
  SC_DEMAND(world, NULL, );
  world->query.stop = asked, world->query.stop_context = context;
}

/* ---- forces in frames ---- */

scree_status scree_world_record_forces(scree_world *world, const scree_forces_def *def, scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  if (def &&
      sc_ranks_check_whole(world->ranks, "compatible forces are recorded",
          "frames hold the solver's own on all", error) != SCREE_OK)
    return SCREE_E_ARGUMENT;
  scree_status status = def
      ? scree_param_check_all(scree_forces_params, scree_forces_params_count, def, "", error)
      : SCREE_OK;
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
  sc_free(world->query.recorded_table);
  world->query.recorded_table = table;
  world->query.records_forces = def != NULL;
  if (def) world->query.recorded = *def;
  world->query.recorded.table = table;
  return SCREE_OK;
}

scree_status sc_world_recorded_forces(
    const scree_world *world, sc_arena *arena, double (**force)[3], scree_error *error) {
  *force = NULL;
  if (!world->query.records_forces) return SCREE_OK;
  const size_t count = (size_t)sc_world_listed_count(world);
  *force = sc_arena_take(arena, (count + 1) * sizeof **force);
  if (!*force) return sc_fail(error, SCREE_E_MEMORY, "no memory for compatible forces");
  memset(*force, 0, count * sizeof **force);
  scree_status status = scree_world_compatible_forces(world, &world->query.recorded, *force, NULL, error);
  return status == SCREE_E_NUMERIC ? SCREE_OK : status;
}
