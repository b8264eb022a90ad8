/* Functions and macros that measurements share: selection of grains and contacts of a frame, results, rows of
 * parameter tables. */
#ifndef SC_MEASURE_H
#define SC_MEASURE_H

#include <stdbool.h>
#include "base/base.h"
#include "scree/measure.h"

/* Returns whether body i of a frame is a grain of the group (-1: any) whose displayed position lies in the
 * region (NULL: anywhere). */
bool sc_measure_grain(const scree_frame *frame, int64_t i, const scree_region *region, int64_t group);
/* Returns whether a contact of a frame has a nonzero impulse. */
bool sc_measure_carries(const scree_frame_contact *contact);
/* Returns whether a contact has a nonzero impulse and its displayed point lies in the region. region: NULL:
 * anywhere. */
bool sc_measure_contact(
    const scree_frame *frame, const scree_frame_contact *contact, const scree_region *region);
/* Computes the arms of a contact from the centres of its bodies to the contact point [m]. r1, r2: arms of
 * body 1 and body 2. In a cell, r2 starts at the centre of body 2's image. The arm of a ball ends on its
 * surface, as in the step. The arm is 0 for a body that is not a grain of the group. r2 - r1 is the branch
 * vector, from centre 2 to centre 1. */
void sc_measure_arms(
    const scree_frame *frame, const scree_frame_contact *contact, int64_t group, double r1[3], double r2[3]);
/* Sets v to the velocity of body i minus the velocity of the cell's flow at the body [m/s]. All images of a
 * body have the same v. */
void sc_measure_peculiar(const scree_frame *frame, int64_t i, double v[3]);
/* Returns SCREE_E_ARGUMENT if the frame has a cell but its contacts have no images, as in old files. kind:
 * name of the measurement in the message. */
scree_status sc_measure_images(const scree_frame *frame, const char *kind, scree_error *error);
/* Returns SCREE_E_ARGUMENT if the step length dt is not positive and finite. */
scree_status sc_measure_dt(double dt, scree_error *error);

/* Returns whether the frame has a cell that is periodic along all edges. */
bool sc_measure_repeats(const scree_frame *frame);

/* ---- results ---- */
/* Sets a field of a result to one number. field: index in the kind's fields. */
void sc_measure_set(scree_measure_result *result, int field, double figure);
/* Sets a field of a result to a list of `count` zeros. The result owns the list. Returns the list, NULL if
 * out of memory. */
double *sc_measure_list(scree_measure_result *result, int field, int64_t count);
/* Sets a field of a result to the list of the middles of `bins` equal bins between low and high. Returns
 * false if out of memory. */
bool sc_measure_middles(scree_measure_result *result, int field, double low, double high, int64_t bins);
/* Sets *error to SCREE_E_MEMORY with a message and returns SCREE_E_MEMORY. */
scree_status sc_measure_no_memory(scree_error *error);

/* ---- rows of parameter tables; keys begins with a scree_measure_def called head ---- */
#define SC_MEASURE_AT(member) offsetof(keys, member)
#define SC_MEASURE_PART(name, flags, doc) \
  { name, SCREE_OPAQUE, flags, "", 0, 0, 0, 0, NULL, doc }
#define SC_MEASURE_REGION SC_MEASURE_PART("region", 0, "where; everywhere without it")
#define SC_MEASURE_GROUP \
  { \
    "group", SCREE_INTEGER, 0, "", -1, -1, 9e15, offsetof(scree_measure_def, group), NULL, \
        "only bodies of this group" \
  }
#define SC_MEASURE_BINS(fallback, most) \
  { "bins", SCREE_INTEGER, 0, "", fallback, 1, most, SC_MEASURE_AT(bins), NULL, "of the histogram" }
#define SC_MEASURE_COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
/* Members of a scree_measure_kind that follow from the kind's tables: params, fields and the struct keys. */
#define SC_MEASURE_TABLES \
  .params = params, .params_count = SC_MEASURE_COUNT(params), .size = sizeof(keys), .field = fields, \
  .fields = SC_MEASURE_COUNT(fields)
/* Functions of a kind that accumulates samples. Their names are VERB_name, such as add_flow. */
#define SC_MEASURE_FUNCTIONS(name) \
  .every_step = 1, .create = create_##name, .destroy = destroy_##name, .add = add_##name, .get = get_##name, \
  .reset = reset_##name, .save = save_##name, .load = load_##name

#endif
