/* Inside of a step: what contacts take of the energy, each by itself and by pairs of materials, in a world
 * that keeps losses (losses.c). The last SC_LOSSES doubles of a contact's state are its own. */
#ifndef SC_WORLD_LOSSES_H
#define SC_WORLD_LOSSES_H

#include "world/world.h"

typedef struct sc_loss {
  double step;   /* in the last step [J] */
  double since;  /* since the contact began */
  double coming; /* of the last step, not yet in either (penalty stepper) */
} sc_loss;
/* NULL where the world keeps none. */
static inline sc_loss *sc_world_loss(const scree_world *world, int32_t contact) {
  if (!world->def.losses || !world->state) return NULL;
  return (sc_loss *)(void *)(world->state + (size_t)contact * (size_t)world->state_stride +
      sc_world_losses_at(world));
}

/* All sums begin at 0. */
void sc_world_forget_losses(scree_world *world);
/* A step begins: its contacts have been found. */
void sc_losses_begin(scree_world *world);
/* Half of -p.u of all contacts, with the step's impulses and the present velocities: once with those
 * before the solution, once with those after it. */
void sc_losses_add_half(scree_world *world);
/* More of one contact. */
static inline void sc_losses_add(scree_world *world, int32_t contact, double energy) {
  sc_loss *loss = sc_world_loss(world, contact);
  if (loss) loss->step += energy;
}
/* The step's losses into the sums of contacts and pairs of materials. */
scree_status sc_losses_close(scree_world *world, scree_error *error);

#endif
