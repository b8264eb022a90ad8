/* Functions shared by the files of assembly: bodies (assemble_bodies.c), general contacts
 * (assemble_general.c), and sorting of contacts and ball contacts (assemble.c). */
#ifndef SC_ASSEMBLE_H
#define SC_ASSEMBLE_H

#include <math.h>
#include "collide/collide.h"
#include "model/bodies.h"
#include "model/face.h"
#include "model/pairs.h"
#include "problem/problem.h"
#include "problem/assembly/assembly.h"

/* Returns the rule (law and parameters) between two materials. */
static inline const sc_rule *sc_assemble_rule(
    const sc_assemble_in *in, int32_t material1, int32_t material2) {
  return in->pairs->rule +
      in->pairs->table[(size_t)material1 * (size_t)in->pairs->materials + (size_t)material2];
}
/* Returns a gap [m], or 0 if the gap or depth is at most in->closed. */
static inline double sc_assemble_gap(const sc_assemble_in *in, double gap) {
  return fabs(gap) <= in->closed ? 0 : gap;
}
/* Returns the time in which open gaps may close [s]. */
static inline double sc_assemble_way(const sc_assemble_in *in) { return in->way > 0 ? in->way : in->dt; }
/* Returns the bias [m/s] of a contact with a gap [m]. */
static inline double sc_assemble_bias(const sc_assemble_in *in, double gap) {
  const double way = sc_assemble_way(in);
  if (gap > 0) return gap / way;
  if (in->positions) return 0;
  double bias = in->drift_time > 0 ? gap / fmax(in->drift_time, way) : in->erp * gap / way;
  return in->max_correction > 0 ? fmax(bias, -in->max_correction) : bias;
}
/* Returns the offset of a contact's second body, in cell edges, between the images that represent both bodies
 * (sc_assemble_in.wrap). image: offset of the second body between the bodies themselves. */
static inline sc_image sc_assemble_image(const sc_assemble_in *in, int32_t one, int32_t two, sc_image image) {
  return in->wrap ? sc_image_sub(image, sc_image_sub(in->wrap[one], in->wrap[two])) : image;
}
/* Returns the moment of a contact in the last step, world axes [N m s]. Returns NULL if moments are not
 * stored. */
static inline const double *sc_assemble_moment(const sc_assemble_in *in, int32_t contact) {
  return in->couple_at < 0 || !in->state_stride
      ? NULL
      : in->state + (size_t)contact * (size_t)in->state_stride + in->couple_at;
}

/* Returns the entry that describes the contact's part of a contact face. Returns NULL if no pair of materials
 * has a stiffness per area. */
static inline const sc_face_point *sc_assemble_face(const sc_assemble_in *in, int32_t contact) {
  return !in->faces || !in->state_stride ? NULL
                                         : (const sc_face_point *)(const void *)(in->state +
                                               (size_t)contact * (size_t)in->state_stride + in->face_at);
}

/* Sets free velocities, masses and inertias of all bodies. Clears the row of the immovable world, and
 * allocates the spare rows of the store behind this row. Returns false if out of memory. */
bool sc_assemble_bodies(const sc_assemble_in *in, sc_arena *arena, sc_problem *problem);
/* Computes the free velocity, mass and inertia of one body. Reads only bodies, dt and gravity of in. */
void sc_assemble_body(const sc_assemble_in *in, int32_t row, sc_solver_body *body, double K[6]);

/* Returns whether sc_assemble_spring reads the closing velocity of contacts with this rule. */
static inline bool sc_spring_needs_closing(const sc_rule *rule) {
  return rule->stiffness.hardness > 0 || rule->stiffness.law == SCREE_STIFFNESS_HERTZ;
}
/* A contact and its bodies. */
typedef struct sc_contact_bodies {
  int32_t contact;      /* index in the collision stage */
  int32_t body1, body2; /* [bodies] */
} sc_contact_bodies;
/* Computes the spring of a contact (assemble_spring.c). Without stiffness the spring is rigid. gap: from
 * sc_assemble_gap [m]. n: unit normal from body 2 to body 1. impulse: impulse of the last step, world axes
 * [N s]. closing: speed at which free velocities close the contact [m/s]. */
void sc_assemble_spring(const sc_assemble_in *in, const sc_contact_bodies *who, const sc_rule *rule,
    double gap, const double n[3], const double impulse[3], double closing, sc_contact_spring *out);

/* Returns the impulse by which cohesion pulls a contact in this step, >= 0 [N s] (assemble_pull.c). Adds the
 * pull of the last step to `impulse`, the impulse of the last step. The sum is the start value of a contact
 * without cohesion. Requires in->pull_at >= 0. */
double sc_assemble_pull(const sc_assemble_in *in, int32_t index, const sc_sides *sides, double gap,
    const double n[3], double impulse[3]);

/* Running totals over the general contacts before a contact, which are the offsets of its own entries.
 * general: contacts. row: rows. par, block, x: entries of the pools of these names. par counts from the end
 * of the parameters of all rules, because a contact with unchanged parameters uses those of its rule. plain:
 * contacts that need only sc_assemble_groups, so sc_assemble_general skips them. */
typedef struct sc_general_place {
  int32_t general, row, par, block, x, plain;
} sc_general_place;
/* Computes in *size what one contact of a rule adds to the totals. row: true if the contact has a row even if
 * its law has a form (sc_law_form). */
void sc_assemble_general_size(
    const sc_assemble_in *in, const sc_rule *rule, bool row, sc_general_place *size);
/* Adds the entries of one contact to the totals. */
static inline void sc_general_place_add(sc_general_place *place, const sc_general_place *size) {
  place->general += size->general;
  place->row += size->row;
  place->par += size->par;
  place->block += size->block;
  place->x += size->x;
  place->plain += size->plain;
}
/* Returns the form of a rule's law (closed form that bundles can compute) and its coefficients. The form is
 * SC_FORM_NONE if the law has none. */
sc_law_lane sc_assemble_lane(const sc_assemble_in *in, const sc_rule *rule);

/* Allocates rows and pools with the sizes of the totals in `end`. Returns false if out of memory. */
bool sc_assemble_take_generals(const sc_assemble_in *in, const sc_general_place *end, sc_arena *arena,
    sc_problem *problem, sc_assembled *assembled);
/* Sets general contact `place->general` from contact `index` of the collision stage. Requires that the bodies
 * and the plan of the store are set. Threads may set different contacts at the same time if no law is defined
 * by a script. row: true if the contact has a row in problem->general. */
scree_status sc_assemble_general(const sc_assemble_in *in, int32_t index, const sc_general_place *place,
    bool row, const sc_problem *problem, sc_assembled *assembled, scree_error *error);
/* Sets the general contacts of all bundles (assemble_group.c). Contacts that sc_assemble_general_size does
 * not count as plain must be set again by sc_assemble_general. lane: [rules] results of sc_assemble_lane. */
void sc_assemble_groups(const sc_assemble_in *in, const sc_law_lane *lane, const sc_problem *problem);

#endif
