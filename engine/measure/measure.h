/* What the files of the measurements share: which bodies are grains, and how a kind is described. */
#ifndef SC_MEASURE_H
#define SC_MEASURE_H

#include <stdbool.h>
#include "base/base.h"
#include "scree/measure.h"

/* Whether body i of a frame is a grain of the group (-1: any) that is shown inside the region (NULL:
 * anywhere). */
bool sc_measure_grain(const scree_frame *frame, int64_t i, const scree_region *region, int64_t group);
/* Whether a contact's impulse is not zero. */
bool sc_measure_carries(const scree_frame_contact *contact);
/* Whether it carries, and its point is shown inside the region. */
bool sc_measure_contact(
    const scree_frame *frame, const scree_frame_contact *contact, const scree_region *region);
/* Arms of a contact: from the centres of its bodies, in a cell of body 2's image, to the point [m]; a ball's
 * reaches its surface as in the step itself. 0 for a body that is no grain of the group. The branch, from
 * centre 2 to centre 1, is r2 - r1. */
void sc_measure_arms(
    const scree_frame *frame, const scree_frame_contact *contact, int64_t group, double r1[3], double r2[3]);
/* Velocity of a grain less the flow of the cell, the same for all images [m/s]. */
void sc_measure_peculiar(const scree_frame *frame, int64_t i, double v[3]);
/* Refuses contacts of a cell that do not tell images. */
scree_status sc_measure_images(const scree_frame *frame, const char *kind, scree_error *error);
/* Refuses a step that is not positive and finite. */
scree_status sc_measure_dt(double dt, scree_error *error);

/* Whether space repeats itself along all edges of a cell. */
bool sc_measure_repeats(const scree_frame *frame);

/* ---- results ---- */
void sc_measure_set(scree_measure_result *result, int field, double figure);
/* Room for a list of zeros, owned by the result; NULL without memory. */
double *sc_measure_list(scree_measure_result *result, int field, int64_t count);
/* The same, filled with the middles of bins between low and high; false without memory. */
bool sc_measure_middles(scree_measure_result *result, int field, double low, double high, int64_t bins);
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
/* The members of a kind that its tables say: params, fields and the struct keys. */
#define SC_MEASURE_TABLES \
  .params = params, .params_count = SC_MEASURE_COUNT(params), .size = sizeof(keys), .field = fields, \
  .fields = SC_MEASURE_COUNT(fields)
/* The functions of one that looks again and again, under their own names. */
#define SC_MEASURE_FUNCTIONS \
  .every_step = 1, .create = create, .destroy = destroy, .add = add, .get = get, .reset = reset, \
  .save = save, .load = load

#endif
