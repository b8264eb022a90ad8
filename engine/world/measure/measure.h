/* What the files of the measurements share. */
#ifndef SC_MEASURE_H
#define SC_MEASURE_H

#include <stdbool.h>
#include "base/base.h"
#include "scree/measure.h"

/* Whether body i of a frame is a grain of the group (-1: any) inside the region (NULL: anywhere). */
bool sc_measure_grain(const scree_frame *frame, int64_t i, const scree_region *region, int64_t group);
/* Index of a body in a frame, or -1. */
int64_t sc_measure_index(const scree_frame *frame, scree_id body);
/* Whether a contact's impulse is not zero. */
bool sc_measure_carries(const scree_frame_contact *contact);
/* Refuses frames without contacts although bodies may touch. */
scree_status sc_measure_dt(double dt, scree_error *error);

#endif
