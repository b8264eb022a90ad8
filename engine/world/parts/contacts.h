/* Data of the contacts of the last step that collide does not have: law states, impacts, and the age.
 *
 * Each contact has a state of `stride` doubles: 0 or SCREE_LAW_MAX_STATE doubles of law state, then 0 or
 * SC_MOMENT of the moment in the last step [N m s], world axes, then 0 or 1 of the impulse by which cohesion
 * pulled [N s], then 0 or SC_FACE (model/face.h), then 0 or SC_CURVE (step/second_order.h), then 0 or
 * SC_LOSSES (account/losses.h). */
#ifndef SC_WORLD_CONTACTS_H
#define SC_WORLD_CONTACTS_H

#include "base/base.h"
#include "law/law.h"
#include "model/face.h"
#include "scree/world.h"

enum { SC_MOMENT = 3, SC_LOSSES = 3, SC_CURVE = 27 };
typedef struct sc_contact_data {
  int32_t count;
  double *state; /* [count * stride], owned by collide; NULL: there are no states */
  int stride;
  int curve, losses; /* doubles of a state: 0 or SC_CURVE, 0 or SC_LOSSES */
  int faces;         /* doubles of a state: 0 or SC_FACE */
  uint32_t *known;   /* [knowns] by slot: generation + 1 of bodies that had a step with faces; 0: none */
  size_t knowns, known_capacity;
  bool found;        /* true: contacts have been searched in this step */
  int removals;      /* bodies removed since contacts were searched or settled (world/bodies/removed.c) */
  double age;        /* time from the positions at which contacts were found to the present [s] */
  double deepest;    /* largest penetration [m] */
  double (*blow)[3]; /* [blows] impulses of impacts [N s]; blows = 0: there were none */
  int32_t blows;
  size_t blow_capacity;
} sc_contact_data;

/* Returns the state of a contact. */
static inline double *sc_contact_state(const sc_contact_data *contacts, int32_t index) {
  return contacts->state + (size_t)index * (size_t)contacts->stride;
}
/* Returns the index of a contact's losses in its state. */
static inline int sc_losses_place(const sc_contact_data *contacts) {
  return contacts->stride - contacts->losses;
}
/* Returns the index of a contact's curve in its state. */
static inline int sc_curve_place(const sc_contact_data *contacts) {
  return contacts->stride - contacts->losses - contacts->curve;
}
/* Returns the index of a contact's sc_face_point in its state, or of what follows if states have none. */
static inline int sc_face_room(const sc_contact_data *contacts) {
  return sc_curve_place(contacts) - contacts->faces;
}
/* Returns the index of a contact's sc_face_point in its state; -1: states have none, or do not exist. */
static inline int sc_face_place(const sc_contact_data *contacts) {
  return contacts->state && contacts->faces ? sc_face_room(contacts) : -1;
}
/* Returns the part of a face that belongs to a contact; NULL: states have none. */
static inline sc_face_point *sc_contact_face(const sc_contact_data *contacts, int32_t index) {
  const int at = sc_face_place(contacts);
  return at < 0 ? NULL : (sc_face_point *)(void *)(sc_contact_state(contacts, index) + at);
}
/* Returns the index of a contact's moment in its state; -1: states have none. */
static inline int sc_moment_place(const sc_contact_data *contacts) {
  const int end = sc_face_room(contacts), rest = end % SCREE_LAW_MAX_STATE;
  return contacts->state && rest >= SC_MOMENT ? end - rest : -1;
}
/* Returns the index of the pull of cohesion in a state, even if no contacts exist yet; -1: states have none.
 */
static inline int sc_pull_room(const sc_contact_data *contacts) {
  const int end = sc_face_room(contacts);
  return end % SCREE_LAW_MAX_STATE % SC_MOMENT ? end - 1 : -1;
}
/* Returns the index of the pull of cohesion in a contact's state; -1: states have none, or do not exist. */
static inline int sc_pull_place(const sc_contact_data *contacts) {
  return contacts->state ? sc_pull_room(contacts) : -1;
}
/* Returns the impulse by which cohesion pulled at a contact, part of its impulse [N s]. */
static inline double sc_contact_pull(const sc_contact_data *contacts, int32_t index) {
  const int at = sc_pull_place(contacts);
  return at < 0 ? 0 : sc_contact_state(contacts, index)[at];
}

#endif
