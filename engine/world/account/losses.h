/* Energy dissipated by each contact and by pairs of materials (losses.c), if the world's definition sets
 * `losses`. The last SC_LOSSES doubles of a contact's state are its losses. */
#ifndef SC_WORLD_LOSSES_H
#define SC_WORLD_LOSSES_H

#include "world/parts/contacts.h"

typedef struct sc_loss {
  double step;   /* energy dissipated in the last step [J] */
  double since;  /* energy dissipated since the contact began [J] */
  double coming; /* penalty stepper: loss of the last step, not yet in `step` and `since` [J] */
} sc_loss;
/* Returns the losses of a contact, or NULL if the world does not record losses. */
static inline sc_loss *sc_contact_loss(const sc_contact_data *contacts, int32_t contact) {
  if (!contacts->losses || !contacts->state) return NULL;
  return (sc_loss *)(void *)(sc_contact_state(contacts, contact) + sc_losses_place(contacts));
}

/* Resets the losses of all pairs of materials, and the losses that belong to no contact, to 0. */
void sc_world_forget_losses(scree_world *world);
/* Sets the loss in the present step to 0 for all contacts. */
void sc_losses_begin(sc_contact_data *contacts);
/* Adds -p.u/2 to the step's loss of each contact, with the step's impulses p and the present velocities u.
 * Call once with the velocities before the solution and once with the velocities after it. */
void sc_losses_add_half(scree_world *world);
/* Adds a loss of one contact. */
static inline void sc_losses_add(sc_contact_data *contacts, int32_t contact, double energy) {
  sc_loss *loss = sc_contact_loss(contacts, contact);
  if (loss) loss->step += energy;
}
/* Adds the step's loss of each contact to the sums of the contact and of its pair of materials. Fails only
 * without memory. */
scree_status sc_losses_close(scree_world *world, scree_error *error);

#endif
