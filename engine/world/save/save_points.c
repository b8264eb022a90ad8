/* Named points in checkpoints: section world.points, if there are any. */
#include <string.h>
#include "world/save/save.h"

scree_status sc_save_points(const scree_world *w, sc_sections *out, scree_error *error) {
  if (!w->points) return SCREE_OK;
  return sc_section_write(out, "world.points", w->point, (size_t)w->points * sizeof *w->point, error);
}

scree_status sc_load_points(scree_world *w, const sc_sections *in, scree_error *error) {
  size_t size = 0;
  const void *bytes = sc_section_find(in, "world.points", &size, NULL);
  const size_t count = size / sizeof *w->point;
  w->points = 0;
  if (!bytes || !size) return SCREE_OK;
  if (size % sizeof *w->point || count > INT32_MAX)
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's named points are damaged");
  if (!SC_GROW(w->point, w->point_capacity, count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %zu named points", count);
  memcpy(w->point, bytes, size);
  for (size_t i = 0; i < count; i++)
    if (!memchr(w->point[i].name, 0, SC_NAME_MAX) || !sc_save_finite(w->point[i].at, 3))
      return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's named points are damaged");
  w->points = (int32_t)count;
  return SCREE_OK;
}
