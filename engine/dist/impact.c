/* Rounds of impacts over ranks. */
#include "dist/dist.h"
#include "math/vec.h"
#include "world/account/account.h"
#include "world/impact/impact.h"

/* A mechanism of which a body is struck is struck as a whole. */
static void mark_mechanisms(const sc_rounds *r, uint8_t *part) {
  int32_t rows = r->world->bodies.count, lead;
  for (int32_t row = 0; row < rows; row++)
    if (part[row] && (lead = sc_tied_leader(r->tied, row)) >= 0) part[lead] = 1;
  for (int32_t row = 0; row < rows; row++)
    if ((lead = sc_tied_leader(r->tied, row)) >= 0) part[row] = part[lead];
}

/* The contacts of a round by the bodies they strike; false where no rank has any. */
static bool mark_struck(void *context, const sc_rounds *r, double least, uint8_t *part) {
  const scree_world *world = r->world;
  double blows = 0;
  memset(part, 0, (size_t)world->bodies.count);
  for (int32_t c = 0; c < world->contacts; c++) {
    sc_sides sides;
    if (!(sc_rounds_closing(world, c, r->dt) > least)) continue;
    sc_collide_sides(world->collide, &world->shapes, c, &sides);
    part[sides.body1] = part[sides.body2] = 1, blows++;
  }
  mark_mechanisms(r, part);
  sd_most(context, &blows, 1);
  return blows > 0;
}

/* Copies of a body have a share of its mass while several ranks strike it; the inverse masses are kept
 * meanwhile. Bodies of a mechanism are struck by the same ranks: with all of their masses a share, it answers
 * as much faster, and means of velocities that meet its joints do so. */
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

/* A round's blows on this rank, as are those of the others at a time. */
static scree_status strike_here(
    sc_rounds *r, double least, const int32_t *copies, double (*kept)[7], scree_error *error) {
  sc_bodies *bodies = &r->world->bodies;
  if (!share_masses(bodies, copies, kept))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for impacts on %d bodies", bodies->count);
  scree_status status = sc_rounds_gather(r, least, error);
  if (!status && r->blows) sc_rounds_strike(r);
  if (restore_masses(bodies, copies, kept) || status) return status;
  return sc_fail(error, SCREE_E_MEMORY, "no memory for impacts on %d bodies", bodies->count);
}

/* What several ranks struck gets the mean of its copies, as in the solver; then all ghosts follow their
 * owners. */
static scree_status meet(void *context, sc_rounds *r, sc_solver_body *copy, scree_error *error) {
  sc_bodies *bodies = &r->world->bodies;
  for (int32_t row = 0; row < bodies->count; row++)
    sc_copy3(bodies->velocity[row], copy[row].v), sc_copy3(bodies->spin[row], copy[row].q);
  sc_exchange_meet(&((sd_dist *)context)->exchange, copy);
  for (int32_t row = 0; row < bodies->count; row++)
    if (bodies->inv_mass[row] > 0)
      sc_copy3(copy[row].v, bodies->velocity[row]), sc_copy3(copy[row].q, bodies->spin[row]);
  return sd_refresh(context, r->world, error);
}

/* Rounds as on one rank, each on all ranks; what copies lose when they meet is lost in the impact. A
 * body that one rank strikes is struck whole. */
scree_status sd_strike(void *context, sc_rounds *r, double least, scree_error *error) {
  scree_world *world = r->world;
  size_t rows = (size_t)world->bodies.count + 1;
  uint8_t *part = SC_TAKE(&world->arena, uint8_t, rows);
  int32_t *copies = SC_TAKE(&world->arena, int32_t, rows);
  double(*kept)[7] = sc_arena_take(&world->arena, rows * sizeof *kept),
  lost = world->dissipated - world->work, before = sc_account_kinetic(world);
  sc_solver_body *copy = SC_TAKE(&world->arena, sc_solver_body, rows);
  scree_status status = part && copies && kept && copy
      ? SCREE_OK
      : sc_fail(error, SCREE_E_MEMORY, "no memory for impacts on %d bodies", world->bodies.count);
  for (int round = 0; round < SC_ROUNDS && !status && mark_struck(context, r, least, part); round++) {
    status = sd_share(context, world, part, copies, error);
    if (!status) status = strike_here(r, least, copies, kept, error);
    if (!status) status = meet(context, r, copy, error);
    if (!status) sc_rounds_book(r);
  }
  world->dissipated = lost + world->work + before - sc_account_kinetic(world);
  return status;
}
