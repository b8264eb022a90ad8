/* Named points of bodies. Coordinates are in the frame in which the body was created. Every rank has all
 * points. */
#include <math.h>
#include <string.h>
#include "scree/param.h"
#include "base/base.h"
#include "world/parts/names.h"

/* Returns the index in names->point of a body's point; -1: the body has no such point. */
static int32_t find_point(const sc_names *names, scree_id body, const char *name) {
  for (int32_t i = 0; i < names->points; i++)
    if (names->point[i].id == body && !strcmp(names->point[i].name, name)) return i;
  return -1;
}

void sc_names_forget_points(sc_names *names, scree_id body) {
  int32_t left = 0;
  for (int32_t i = 0; i < names->points; i++)
    if (names->point[i].id != body) names->point[left++] = names->point[i];
  names->points = left;
}

scree_status sc_names_add_point(
    sc_names *names, scree_id body, const char *name, const double at[3], scree_error *error) {
  SC_ASSERT(names && name && at);
  sc_named_point point = {.id = body};
  if (!*name || strlen(name) >= SC_NAME_MAX)
    return sc_fail(error, SCREE_E_ARGUMENT, "sites: a name has 1 to %d characters", SC_NAME_MAX - 1);
  if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2]))
    return sc_fail(error, SCREE_E_ARGUMENT, "sites.%s must be finite", name);
  if (find_point(names, body, name) >= 0)
    return sc_fail(error, SCREE_E_ARGUMENT, "sites: the body has a point \"%s\" already", name);
  if (!SC_GROW(names->point, names->point_capacity, (size_t)names->points + 1))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a named point");
  memcpy(point.name, name, strlen(name));
  memcpy(point.at, at, sizeof point.at);
  // sorted by names, so that checkpoints do not depend on the order in which a script's table is read
  int32_t i = names->points++;
  for (; i > 0 && names->point[i - 1].id == body && strcmp(names->point[i - 1].name, name) > 0; i--)
    names->point[i] = names->point[i - 1];
  names->point[i] = point;
  return SCREE_OK;
}

/* Returns the name of point i of one body. context: first point of the body. A callback for
 * scree_nearest_name. */
static const char *read_name(const void *context, int i) { return ((const sc_named_point *)context)[i].name; }

const double *sc_names_find_point(
    const sc_names *names, scree_id body, const char *name, scree_error *error) {
  SC_ASSERT(names && name);
  const int32_t i = find_point(names, body, name);
  if (i >= 0) return names->point[i].at;
  int32_t first = 0, count = 0;
  while (first < names->points && names->point[first].id != body) first++;
  while (first + count < names->points && names->point[first + count].id == body) count++;
  const char *near = count ? scree_nearest_name(name, count, read_name, names->point + first) : NULL;
  sc_fail(error, SCREE_E_ARGUMENT, "the body has no point \"%s\"%s%s%s", name,
      near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
  return NULL;
}
