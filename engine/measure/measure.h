/* What the files of the measurements share: which bodies are grains, and how a kind is described. */
#ifndef SC_MEASURE_H
#define SC_MEASURE_H

#include <stdbool.h>
#include "base/base.h"
#include "scree/measure.h"

/* Whether body i of a frame is a grain of the group (-1: any) inside the region (NULL: anywhere). */
bool sc_measure_grain(const scree_frame *frame, int64_t i, const scree_region *region, int64_t group);
/* Where a branch vector ends: the centre of a grain of the group, or the point of the contact where the body
 * is none. */
const double *sc_measure_branch_end(
    const scree_frame *frame, scree_id body, int64_t group, const double *point);
/* Whether a contact's impulse is not zero. */
bool sc_measure_carries(const scree_frame_contact *contact);
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
