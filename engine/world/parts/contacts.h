/* Data of the contacts of the last step that engine/collide does not store: law states, impulses of impacts,
 * and the age.
 *
 * The state of a contact is an array of `stride` doubles. It consists of these blocks, each of which may be
 * absent:
 * - SCREE_LAW_MAX_STATE doubles: law state
 * - SC_MOMENT doubles: moment in the last step [N m s], world axes
 * - 1 double: impulse by which cohesion pulled [N s]
 * - SC_FACE doubles: data of faces (model/face.h)
 * - SC_CURVE doubles: data of the stepper second_order (step/second_order.h)
 * - SC_LOSSES doubles: losses (account/losses.h) */
#ifndef SC_WORLD_CONTACTS_H
#define SC_WORLD_CONTACTS_H

#include "base/base.h"
#include "law/law.h"
#include "model/face.h"
#include "scree/world.h"

enum { SC_MOMENT = 3, SC_LOSSES = 3, SC_CURVE = 27 };
typedef struct sc_contact_data {
  int32_t count;
  double *state; /* [count * stride] states, owned by collide; NULL: contacts have no states */
  int stride;
  /* curve: SC_CURVE if a state contains curve data, else 0; losses: SC_LOSSES if a state contains losses,
   * else 0 */
  int curve, losses;
  int faces; /* SC_FACE if a state contains face data, else 0 */
  /* [knowns] by slot of a body: generation + 1 of the last body in this slot that took part in a step with
   * faces; 0: none did */
  uint32_t *known;
  size_t knowns, known_capacity;
  bool found;     /* true: contacts have been detected in this step */
  int removals;   /* number of bodies removed since contacts were detected or settled (bodies/removed.c) */
  double age;     /* time since the positions for which contacts were detected [s] */
  double deepest; /* largest penetration of a contact [m] */
  double (*impact)[3]; /* [impacts] impulses of impacts [N s]; impacts = 0: no impacts in the last step */
  int32_t impacts;
  size_t impact_capacity;
} sc_contact_data;

/* Returns the state of contact `index`. */
static inline double *sc_contact_state(const sc_contact_data *contacts, int32_t index) {
  return contacts->state + (size_t)index * (size_t)contacts->stride;
}
/* Returns the offset of the losses in a contact's state. */
static inline int sc_losses_place(const sc_contact_data *contacts) {
  return contacts->stride - contacts->losses;
}
/* Returns the offset of the curve data (step/second_order.h) in a contact's state. */
static inline int sc_curve_place(const sc_contact_data *contacts) {
  return contacts->stride - contacts->losses - contacts->curve;
}
/* Returns the offset of the face data in a contact's state, whether or not states contain face data at
 * present. */
static inline int sc_face_room(const sc_contact_data *contacts) {
  return sc_curve_place(contacts) - contacts->faces;
}
/* Returns the offset of the face data in a contact's state; -1: states have no face data, or no states
 * exist. */
static inline int sc_face_place(const sc_contact_data *contacts) {
  return contacts->state && contacts->faces ? sc_face_room(contacts) : -1;
}
/* Returns the face data of contact `index`; NULL: states have no face data. */
static inline sc_face_point *sc_contact_face(const sc_contact_data *contacts, int32_t index) {
  const int at = sc_face_place(contacts);
  return at < 0 ? NULL : (sc_face_point *)(void *)(sc_contact_state(contacts, index) + at);
}
/* Returns the offset of the moment in a contact's state; -1: states have no moment. */
static inline int sc_moment_place(const sc_contact_data *contacts) {
  const int end = sc_face_room(contacts), rest = end % SCREE_LAW_MAX_STATE;
  return contacts->state && rest >= SC_MOMENT ? end - rest : -1;
}
/* Returns the offset of the pull of cohesion in a contact's state, even if no states exist yet. Returns -1 if
 * states have no pull. */
static inline int sc_pull_room(const sc_contact_data *contacts) {
  const int end = sc_face_room(contacts);
  return end % SCREE_LAW_MAX_STATE % SC_MOMENT ? end - 1 : -1;
}
/* Returns the offset of the pull of cohesion in a contact's state; -1: states have no pull, or no states
 * exist. */
static inline int sc_pull_place(const sc_contact_data *contacts) {
  return contacts->state ? sc_pull_room(contacts) : -1;
}
/* Returns the impulse by which cohesion pulled at contact `index` [N s]. It is part of the contact's
 * impulse. */
static inline double sc_contact_pull(const sc_contact_data *contacts, int32_t index) {
  const int at = sc_pull_place(contacts);
  return at < 0 ? 0 : sc_contact_state(contacts, index)[at];
}

#endif
