/* Energy dissipated by each contact and by pairs of materials, in a world with world.losses (losses.c). The
 * last SC_LOSSES doubles of a contact's state are its losses. */
#ifndef SC_WORLD_LOSSES_H
#define SC_WORLD_LOSSES_H

#include "world/parts/contacts.h"

typedef struct sc_loss {
  double step;   /* energy dissipated in the last step [J] */
  double since;  /* energy dissipated since the contact began [J] */
  double coming; /* penalty stepper: loss of the last step, not yet in `step` and `since` [J] */
} sc_loss;
/* Returns the losses of a contact; NULL if the world has none. */
static inline sc_loss *sc_contact_loss(const sc_contact_data *contacts, int32_t contact) {
  if (!contacts->losses || !contacts->state) return NULL;
  return (sc_loss *)(void *)(sc_contact_state(contacts, contact) + sc_losses_place(contacts));
}

/* Resets the sums of pairs of materials, and the losses without contacts, to 0. */
void sc_world_forget_losses(scree_world *world);
/* Sets the losses of all contacts in this step to 0. */
void sc_losses_begin(sc_contact_data *contacts);
/* Adds -p.u/2 to the step's loss of each contact, with the step's impulses p and the present velocities u.
 * Call once with the velocities before the solution and once with the velocities after it. */
void sc_losses_add_half(scree_world *world);
/* Adds a loss of one contact. */
static inline void sc_losses_add(sc_contact_data *contacts, int32_t contact, double energy) {
  sc_loss *loss = sc_contact_loss(contacts, contact);
  if (loss) loss->step += energy;
}
/* Adds the step's losses to the sums of contacts and of pairs of materials. Fails only without memory. */
scree_status sc_losses_close(scree_world *world, scree_error *error);

#endif
