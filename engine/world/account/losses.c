/* Energy dissipated by each contact, by pairs of materials, and by joints.
 *
 * The impulse p of a contact dissipates -p.(u + u')/2. u is the relative velocity before the forces of a
 * step, u' the relative velocity after the impulses. A moment dissipates energy in the same way with the
 * relative spins. The sum over contacts and joints equals `dissipated` of the energy balance (account.c) up
 * to rounding errors, because both computations use the means of the same velocities. Losses of impacts are
 * added separately in each impact round, with the velocities before and after the round (impact/impact.c). */
#include "world/account/losses.h"

#include <string.h>
#include "math/vec.h"
#include "model/relative.h"
#include "world/world.h"

void sc_world_forget_losses(scree_world *world) {
  size_t n = (size_t)world->pairs.materials;
  memset(world->pairs.lost, 0, n * n * sizeof *world->pairs.lost);
  for (int k = 0; k < SCREE_LOST_ELSEWHERE; k++) world->energy.elsewhere[k] = 0;
}

void sc_losses_begin(sc_contact_data *contacts) {
  for (int32_t c = 0; contacts->losses && c < contacts->count; c++) sc_contact_loss(contacts, c)->step = 0;
}

static void add_half(void *context, int64_t first, int64_t end) {
  scree_world *world = context;
  const sc_bodies *bodies = &world->bodies;
  const int moment_at = sc_moment_place(&world->contacts);
  for (int32_t c = (int32_t)first; c < end; c++) {
    sc_contact found, *contact = &found;
    double r1[3], r2[3], u[3], turn[3];
    sc_world_contact(world, c, contact);
    if (contact->state == SCREE_SEPARATING) continue;
    int32_t i = contact->body1, j = contact->body2;
    sc_contact_arms(bodies, i, j, &contact->image, contact->point, contact->normal, r1, r2);
    sc_relative_velocity(bodies, i, r1, j, &contact->image, r2, contact->normal, u);
    double power = sc_dot(contact->impulse, u);
    if (moment_at >= 0) {
      sc_sub(bodies->spin[i], bodies->spin[j], turn);
      power += sc_dot(sc_contact_state(&world->contacts, c) + moment_at, turn);
    }
    sc_contact_loss(&world->contacts, c)->step -= power / 2;
  }
}

void sc_losses_add_half(scree_world *world) {
  if (world->def.losses) sc_pool_ranges(world->pool, world->contacts.count, SC_RANGE, add_half, world);
}

typedef struct pair_sums {
  scree_world *world;
  /* [chunks of contacts][materials x materials] energy that the contacts of a chunk dissipated in the step
   * [J] */
  double *part;
} pair_sums;

static void sum_pairs(void *context, int64_t first, int64_t end) {
  const pair_sums *sums = context;
  const scree_world *world = sums->world;
  size_t n = (size_t)world->pairs.materials;
  double *part = sums->part + (size_t)(first / SC_RANGE) * n * n;
  memset(part, 0, n * n * sizeof *part);
  for (int32_t c = (int32_t)first; c < end; c++) {
    sc_loss *loss = sc_contact_loss(&world->contacts, c);
    sc_sides sides;
    if (loss->step == 0) continue;
    sc_collide_sides(world->collide, &world->shapes, c, &sides);
    size_t a = (size_t)sides.material1, b = (size_t)sides.material2;
    part[a < b ? a * n + b : b * n + a] += loss->step;
    loss->since += loss->step;
  }
}

scree_status sc_losses_close(scree_world *world, scree_error *error) {
  if (!world->def.losses || !world->contacts.count) return SCREE_OK;
  size_t n = (size_t)world->pairs.materials,
         chunks = ((size_t)world->contacts.count + SC_RANGE - 1) / SC_RANGE;
  sc_arena_mark mark = sc_arena_here(&world->arena);
  pair_sums sums = {world, SC_TAKE(&world->arena, double, chunks *n *n)};
  if (!sums.part)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the losses of %d contacts", world->contacts.count);
  sc_pool_ranges(world->pool, world->contacts.count, SC_RANGE, sum_pairs, &sums);
  for (size_t chunk = 0; chunk < chunks; chunk++)
    for (size_t k = 0; k < n * n; k++) world->pairs.lost[k] += sums.part[chunk * n * n + k];
  sc_arena_back(&world->arena, mark);
  return SCREE_OK;
}

scree_status scree_world_losses(
    const scree_world *world, double *lost, double elsewhere[SCREE_LOST_ELSEWHERE], scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  int n = world->pairs.materials;
  if (!world->def.losses)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "this world keeps no losses: say world.losses = true when it is made");
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) lost[i * n + j] = world->pairs.lost[i < j ? i * n + j : j * n + i];
  memcpy(elsewhere, world->energy.elsewhere, sizeof world->energy.elsewhere);
  sc_ranks_sum(world->ranks, lost, n * n);
  sc_ranks_sum(world->ranks, elsewhere, SCREE_LOST_ELSEWHERE);
  return SCREE_OK;
}
