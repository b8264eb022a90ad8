/* Inside of a step: what contacts take of the energy, each by itself and by pairs of materials, in a world
 * that keeps losses (losses.c). The last SC_LOSSES doubles of a contact's state are its own. */
#ifndef SC_WORLD_LOSSES_H
#define SC_WORLD_LOSSES_H

#include "world/parts/contacts.h"

typedef struct sc_loss {
  double step;   /* in the last step [J] */
  double since;  /* since the contact began */
  double coming; /* of the last step, not yet in either (penalty stepper) */
} sc_loss;
/* Returns the losses of a contact; NULL if the world has none. */
static inline sc_loss *sc_contact_loss(const sc_contact_data *contacts, int32_t contact) {
  if (!contacts->losses || !contacts->state) return NULL;
  return (sc_loss *)(void *)(sc_contact_state(contacts, contact) + sc_losses_place(contacts));
}

/* All sums begin at 0. */
void sc_world_forget_losses(scree_world *world);
/* Sets the losses of all contacts in this step to 0. */
void sc_losses_begin(sc_contact_data *contacts);
/* Half of -p.u of all contacts, with the step's impulses and the present velocities: once with those
 * before the solution, once with those after it. */
void sc_losses_add_half(scree_world *world);
/* Adds a loss of one contact. */
static inline void sc_losses_add(sc_contact_data *contacts, int32_t contact, double energy) {
  sc_loss *loss = sc_contact_loss(contacts, contact);
  if (loss) loss->step += energy;
}
/* The step's losses into the sums of contacts and pairs of materials. */
scree_status sc_losses_close(scree_world *world, scree_error *error);

#endif
