/* Checkpoint sections world.points (named points) and world.fast (ids of fast bodies). A section without rows
 * is not written. */
#include <string.h>
#include "world/world.h"
#include "world/save/save.h"
#include "world/bodies/fast.h"

scree_status sc_save_points(const scree_world *w, sc_sections *out, scree_error *error) {
  if (!w->names.points) return SCREE_OK;
  return sc_section_write(
      out, "world.points", w->names.point, (size_t)w->names.points * sizeof *w->names.point, error);
}

scree_status sc_save_fast(const scree_world *w, sc_sections *out, scree_error *error) {
  const size_t count = (size_t)w->tracks.fasts;
  if (!count) return SCREE_OK;
  scree_id *ids = sc_alloc(count * sizeof *ids);
  if (!ids) return sc_fail(error, SCREE_E_MEMORY, "no memory for %zu fast bodies", count);
  for (size_t k = 0; k < count; k++) ids[k] = w->tracks.fast[k].id;
  const scree_status status = sc_section_write(out, "world.fast", ids, count * sizeof *ids, error);
  sc_free(ids);
  return status;
}

scree_status sc_load_fast(scree_world *w, const sc_sections *in, scree_error *error) {
  size_t size = 0;
  const scree_id *ids = sc_section_find(in, "world.fast", &size, NULL);
  w->tracks.fasts = 0;
  if (ids && (size % sizeof *ids || size / sizeof *ids > INT32_MAX))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's fast bodies are damaged");
  for (size_t k = 0; ids && k < size / sizeof *ids; k++) {
    scree_id id;
    memcpy(&id, ids + k, sizeof id);
    const scree_status status = sc_tracks_reserve_fast(&w->tracks, w->bodies.cell, error);
    if (status != SCREE_OK) return status;
    sc_tracks_add_fast(&w->tracks, id);
  }
  return SCREE_OK;
}

scree_status sc_load_points(scree_world *w, const sc_sections *in, scree_error *error) {
  size_t size = 0;
  const void *bytes = sc_section_find(in, "world.points", &size, NULL);
  const size_t count = size / sizeof *w->names.point;
  w->names.points = 0;
  if (!bytes || !size) return SCREE_OK;
  if (size % sizeof *w->names.point || count > INT32_MAX)
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's named points are damaged");
  if (!SC_GROW(w->names.point, w->names.point_capacity, count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %zu named points", count);
  memcpy(w->names.point, bytes, size);
  for (size_t i = 0; i < count; i++)
    if (!memchr(w->names.point[i].name, 0, SC_NAME_MAX) || !sc_save_finite(w->names.point[i].at, 3))
      return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's named points are damaged");
  w->names.points = (int32_t)count;
  return SCREE_OK;
}
