/* Finds the mechanisms on which contacts and bonds act. */
#include "math/vec.h"
#include "world/world.h"
#include "world/mechanism/swing.h"
#include "world/steps.h"
#include "world/mechanism/ties.h"

#include <string.h>

/* Returns true if a body is part of a mechanism and can move. row: -1 for the ground. */
static bool is_mechanism_body(const scree_world *world, const sc_swings *s, int32_t row) {
  return row >= 0 && s->held[row] == SC_LISTED && sc_mechanism_is_movable(&world->bodies, row);
}

/* Sets body[leader] to 1 for the leader of every mechanism with a listed contact. */
static void mark_listed(const scree_world *world, const sc_swings *s, uint8_t *body) {
  for (int32_t c = 0; c < world->contacts.count; c++) {
    sc_sides sides;
    sc_collide_sides(world->collide, &world->shapes, c, &sides);
    const bool one = is_mechanism_body(world, s, sides.body1), two = is_mechanism_body(world, s, sides.body2);
    if ((!one && !two) || sc_world_keeps_out(world, c)) continue;
    if (one) body[sc_leader_of(s->leader, sides.body1)] = 1;
    if (two) body[sc_leader_of(s->leader, sides.body2)] = 1;
  }
}

/* Sets row[0] and row[1] to the rows of a contact's bodies. Reads them from the step's problem if it has been
 * assembled. */
static void read_contact_rows(const scree_world *world, int32_t contact, int32_t row[2]) {
  const sc_partners *who = world->assembled.partners;
  sc_sides sides;
  if (who) {
    row[0] = who[contact].body1, row[1] = who[contact].body2;
    return;
  }
  sc_collide_sides(world->collide, &world->shapes, contact, &sides);
  row[0] = sides.body1, row[1] = sides.body2;
}

/* Sets body[leader] to 1 for the leader of every mechanism with a contact that had an impulse in the
 * solution. */
static void mark_pushed(const scree_world *world, const sc_swings *s, uint8_t *body) {
  for (int32_t c = 0; c < world->contacts.count; c++) {
    const double *impulse = sc_collide_impulse(world->collide, c);
    int32_t row[2];
    if (sc_dot(impulse, impulse) == 0) continue;
    read_contact_rows(world, c, row);
    for (int side = 0; side < 2; side++)
      if (is_mechanism_body(world, s, row[side])) body[sc_leader_of(s->leader, row[side])] = 1;
  }
}

static void mark_bonded(const scree_world *world, const sc_swings *s, uint8_t *body) {
  for (int32_t i = 0; i < world->joints.bonds.count; i++) {
    const sc_bond *bond = world->joints.bonds.row + i;
    const int32_t row[2] = {sc_bodies_row(&world->bodies, bond->a), sc_bodies_row(&world->bodies, bond->b)};
    for (int side = 0; side < 2; side++)
      if (is_mechanism_body(world, s, row[side])) body[sc_leader_of(s->leader, row[side])] = 1;
  }
}

scree_status sc_mechanism_touched(
    scree_world *world, const sc_swings *s, bool listed, uint8_t **touched, scree_error *error) {
  int32_t joints = world->joints.count;
  uint8_t *body = SC_TAKE(&world->arena, uint8_t, world->bodies.count);
  double *max = SC_TAKE(&world->arena, double, joints);
  *touched = SC_TAKE(&world->arena, uint8_t, joints);
  if (!body || !max || !*touched) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints", joints);
  memset(body, 0, (size_t)world->bodies.count);
  if (listed) mark_listed(world, s, body);
  else mark_pushed(world, s, body);
  mark_bonded(world, s, body);
  /* second_order.c itself applies the forces of mechanisms, in halves */
  for (int32_t i = 0; i < joints; i++) max[i] = s->lead[i] < 0 || body[s->lead[i]] || world->phase;
  world->ranks->most(world->ranks->context, max, joints);
  for (int32_t i = 0; i < joints; i++) (*touched)[i] = max[i] > 0;
  return SCREE_OK;
}
