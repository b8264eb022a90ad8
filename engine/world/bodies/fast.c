/* The list of fast bodies, for which the step searches collisions along their path (fast.h). */
#include "base/base.h"
#include "world/bodies/fast.h"

scree_status sc_tracks_reserve_fast(sc_tracks *tracks, const sc_cell *cell, scree_error *error) {
  if (cell)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "fast: a periodic cell has no fast bodies; a smaller dt, or substeps, keep bodies from crossing");
  if (!SC_GROW(tracks->fast, tracks->fast_capacity, (size_t)tracks->fasts + 1))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a fast body");
  return SCREE_OK;
}

void sc_tracks_add_fast(sc_tracks *tracks, scree_id body) {
  tracks->fast[tracks->fasts++] = (sc_fast_body){.id = body};
}

void sc_tracks_forget_fast(sc_tracks *tracks, scree_id body) {
  int32_t left = 0;
  for (int32_t k = 0; k < tracks->fasts; k++)
    if (tracks->fast[k].id != body) tracks->fast[left++] = tracks->fast[k];
  tracks->fasts = left;
}
