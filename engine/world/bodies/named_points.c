/* Named points of bodies, given in the frame that a body was made in. Every rank knows all of them. */
#include <math.h>
#include <string.h>
#include "scree/param.h"
#include "world/world.h"

/* Row of a body's point, -1 if there is none. */
static int32_t find(const scree_world *world, scree_id body, const char *name) {
  for (int32_t i = 0; i < world->points; i++)
    if (world->point[i].id == body && !strcmp(world->point[i].name, name)) return i;
  return -1;
}

void sc_world_forget_points(scree_world *world, scree_id body) {
  int32_t left = 0;
  for (int32_t i = 0; i < world->points; i++)
    if (world->point[i].id != body) world->point[left++] = world->point[i];
  world->points = left;
}

scree_status sc_world_add_point(
    scree_world *world, scree_id body, const char *name, const double at[3], scree_error *error) {
  SC_ASSERT(world && name && at);
  sc_named_point point = {.id = body};
  if (!*name || strlen(name) >= SC_NAME_MAX)
    return sc_fail(error, SCREE_E_ARGUMENT, "sites: a name has 1 to %d characters", SC_NAME_MAX - 1);
  if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2]))
    return sc_fail(error, SCREE_E_ARGUMENT, "sites.%s must be finite", name);
  if (find(world, body, name) >= 0)
    return sc_fail(error, SCREE_E_ARGUMENT, "sites: the body has a point \"%s\" already", name);
  if (!SC_GROW(world->point, world->point_capacity, (size_t)world->points + 1))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a named point");
  memcpy(point.name, name, strlen(name));
  memcpy(point.at, at, sizeof point.at);
  // by names, so that checkpoints do not depend on the order in which a script's table is read
  int32_t i = world->points++;
  for (; i > 0 && world->point[i - 1].id == body && strcmp(world->point[i - 1].name, name) > 0; i--)
    world->point[i] = world->point[i - 1];
  world->point[i] = point;
  return SCREE_OK;
}

/* The points of one body, which stand together. */
static const char *name_at(const void *context, int i) { return ((const sc_named_point *)context)[i].name; }

const double *sc_world_find_point(
    const scree_world *world, scree_id body, const char *name, scree_error *error) {
  SC_ASSERT(world && name);
  const int32_t i = find(world, body, name);
  if (i >= 0) return world->point[i].at;
  int32_t first = 0, count = 0;
  while (first < world->points && world->point[first].id != body) first++;
  while (first + count < world->points && world->point[first + count].id == body) count++;
  const char *near = count ? scree_nearest_name(name, count, name_at, world->point + first) : NULL;
  sc_fail(error, SCREE_E_ARGUMENT, "the body has no point \"%s\"%s%s%s", name,
      near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
  return NULL;
}
