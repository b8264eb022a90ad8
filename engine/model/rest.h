/* Bodies that sleep: rest.c. world/step/sleep.c puts islands of bodies to sleep. */
#ifndef SC_REST_H
#define SC_REST_H

#include "model/bodies.h"

/* Returns true if the body in a row sleeps. */
static inline bool sc_bodies_asleep(const sc_bodies *bodies, int32_t row) {
  return bodies->rest && bodies->rest[row].island;
}
/* Returns true if a contact of two bodies cannot have changed: one body sleeps, and the other body sleeps,
 * too, or is a kinematic or fixed body that does not move. */
static inline bool sc_bodies_rest(const sc_bodies *bodies, int32_t one, int32_t two) {
  if (!bodies->rest) return false;
  const sc_rest *a = bodies->rest + one, *b = bodies->rest + two;
  bool still1 = a->island || (bodies->kind[one] != SCREE_DYNAMIC && !a->moved),
       still2 = b->island || (bodies->kind[two] != SCREE_DYNAMIC && !b->moved);
  return still1 && still2 && (a->island || b->island);
}
/* Wakes all bodies of a sleeping island. island: number of the island, > 0. */
void sc_bodies_wake(sc_bodies *bodies, uint32_t island);
void sc_bodies_wake_all(sc_bodies *bodies); /* Wakes all bodies. */
/* Wakes the island of a body if the body sleeps. Does nothing if no body has this id. */
void sc_bodies_wake_with(sc_bodies *bodies, scree_id id);
/* Returns true if a sleeping body was changed outside a step, or if a body that is not dynamic moves or was
 * moved. Stores the pose of a body that is not dynamic for the next call. */
bool sc_bodies_changed(sc_bodies *bodies, int32_t row);
/* Puts a body to sleep: stores its pose, sets its velocity and spin to 0. island: its island, > 0. */
void sc_bodies_sleep(sc_bodies *bodies, int32_t row, uint32_t island);

#endif
