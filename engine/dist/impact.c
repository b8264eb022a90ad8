/* Rounds of impacts (world/impact/impact.h) over several ranks. */
#include "dist/calls.h"
#include "math/vec.h"
#include "world/account/account.h"
#include "world/impact/impact.h"

/* Extends marks to whole mechanisms: if one body of a mechanism is marked, marks all of its bodies. part:
 * [bodies] 1: marked. */
static void mark_mechanisms(const sc_rounds *r, uint8_t *part) {
  int32_t rows = r->world->bodies.count, lead;
  for (int32_t row = 0; row < rows; row++)
    if (part[row] && (lead = sc_tied_leader(r->tied, row)) >= 0) part[lead] = 1;
  for (int32_t row = 0; row < rows; row++)
    if ((lead = sc_tied_leader(r->tied, row)) >= 0) part[row] = part[lead];
}

/* Sets part [bodies] to 1 for the bodies of contacts that close faster than `least` [m/s], and for their
 * mechanisms. Returns false if no rank has such a contact. */
static bool mark_impacted(void *context, const sc_rounds *r, double least, uint8_t *part) {
  const scree_world *world = r->world;
  double impacts = 0;
  memset(part, 0, (size_t)world->bodies.count);
  for (int32_t c = 0; c < world->contacts.count; c++) {
    sc_sides sides;
    if (!(sc_rounds_closing(world, c, r->dt) > least)) continue;
    sc_collide_sides(world->collide, &world->shapes, c, &sides);
    part[sides.body1] = part[sides.body2] = 1, impacts++;
  }
  mark_mechanisms(r, part);
  sd_most(context, &impacts, 1);
  return impacts > 0;
}

/* Multiplies the inverse mass and the inverse inertia of shared bodies by their number of copies n. Saves the
 * original values in kept [bodies]: inverse mass, inverse inertia. Returns false if out of memory. The bodies
 * of a mechanism are marked by the same ranks, so the inverse mass of the whole mechanism is multiplied by n.
 * The velocities of a mechanism are the means over its n ranks. They satisfy the mechanism's joints, because
 * the velocities on each rank do. */
static bool share_masses(sc_bodies *bodies, const int32_t *copies, double (*kept)[7]) {
  for (int32_t row = 0; row < bodies->count; row++) {
    if (copies[row] < 2) continue;
    kept[row][0] = bodies->inv_mass[row];
    bodies->inv_mass[row] *= copies[row];
    double inverse[6];
    sc_bodies_inverse_inertia(bodies, row, inverse);
    memcpy(kept[row] + 1, inverse, sizeof inverse);
    for (int k = 0; k < 6; k++) inverse[k] *= copies[row];
    if (!sc_bodies_set_inverse_inertia(bodies, row, inverse)) return false;
  }
  return true;
}

static bool restore_masses(sc_bodies *bodies, const int32_t *copies, double (*kept)[7]) {
  for (int32_t row = 0; row < bodies->count; row++) {
    if (copies[row] < 2) continue;
    bodies->inv_mass[row] = kept[row][0];
    if (!sc_bodies_set_inverse_inertia(bodies, row, kept[row] + 1)) return false;
  }
  return true;
}

/* Solves the impacts of a round at the contacts of this rank. All ranks do so at the same time. */
static scree_status solve_own_impacts(
    sc_rounds *r, double least, const int32_t *copies, double (*kept)[7], scree_error *error) {
  sc_bodies *bodies = &r->world->bodies;
  if (!share_masses(bodies, copies, kept))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for impacts on %d bodies", bodies->count);
  scree_status status = sc_rounds_gather(r, least, error);
  if (!status && r->impacts) sc_rounds_strike(r);
  if (restore_masses(bodies, copies, kept) || status) return status;
  return sc_fail(error, SCREE_E_MEMORY, "no memory for impacts on %d bodies", bodies->count);
}

/* Sets the velocities of shared bodies to the means of their copies, as after a sweep of the solver, and
 * updates ghosts. copy: scratch [bodies]. */
static scree_status average_velocities(
    void *context, sc_rounds *r, sc_solver_body *copy, scree_error *error) {
  sc_bodies *bodies = &r->world->bodies;
  for (int32_t row = 0; row < bodies->count; row++)
    sc_copy3(bodies->velocity[row], copy[row].v), sc_copy3(bodies->spin[row], copy[row].q);
  sc_exchange_meet(&((sd_dist *)context)->exchange, copy);
  for (int32_t row = 0; row < bodies->count; row++)
    if (bodies->inv_mass[row] > 0)
      sc_copy3(copy[row].v, bodies->velocity[row]), sc_copy3(copy[row].q, bodies->spin[row]);
  return sd_refresh(context, r->world, error);
}

/* All ranks run each round at the same time. The kinetic energy that averaging removes counts as loss of the
 * impacts. A body with impacts on one rank only has its full mass. */
scree_status sd_strike(void *context, sc_rounds *r, double least, scree_error *error) {
  scree_world *world = r->world;
  size_t rows = (size_t)world->bodies.count + 1;
  uint8_t *part = SC_TAKE(&world->arena, uint8_t, rows);
  int32_t *copies = SC_TAKE(&world->arena, int32_t, rows);
  double(*kept)[7] = sc_arena_take(&world->arena, rows * sizeof *kept),
  lost = world->energy.dissipated - world->energy.work, before = sc_account_kinetic(&world->bodies);
  sc_solver_body *copy = SC_TAKE(&world->arena, sc_solver_body, rows);
  scree_status status = part && copies && kept && copy
      ? SCREE_OK
      : sc_fail(error, SCREE_E_MEMORY, "no memory for impacts on %d bodies", world->bodies.count);
  for (int round = 0; round < SC_ROUNDS && !status && mark_impacted(context, r, least, part); round++) {
    status = sd_share(context, world, part, copies, error);
    if (!status) status = solve_own_impacts(r, least, copies, kept, error);
    if (!status) status = average_velocities(context, r, copy, error);
    if (!status) sc_rounds_book(r);
  }
  world->energy.dissipated = lost + world->energy.work + before - sc_account_kinetic(&world->bodies);
  return status;
}
