/* Names of bodies, and named points on them. */
#ifndef SC_WORLD_NAMES_H
#define SC_WORLD_NAMES_H

#include "model/pairs.h"
#include "scree/body.h"

typedef struct sc_body_name {
  scree_id id;
  char name[SC_NAME_MAX];
} sc_body_name;

/* A named point of a body. `at` is its position in the frame in which the body was created [m]. */
typedef struct sc_named_point {
  scree_id id;
  char name[SC_NAME_MAX];
  double at[3];
} sc_named_point;

typedef struct sc_names {
  sc_body_name *name;
  int32_t count;
  size_t capacity;
  sc_named_point *point; /* [points] sorted by body, then by name */
  int32_t points;
  size_t point_capacity;
} sc_names;

/* Removes all points of a body (bodies/named_points.c). */
void sc_names_forget_points(sc_names *names, scree_id body);
/* Adds a named point to a body. Fails if the name or the coordinates are not valid, or if the body has a
 * point with this name. */
scree_status sc_names_add_point(
    sc_names *names, scree_id body, const char *name, const double at[3], scree_error *error);
/* Returns the position of a body's point, in the frame in which the body was created [m]. Returns NULL and an
 * error that suggests the most similar name if there is no such point. */
const double *sc_names_find_point(const sc_names *names, scree_id body, const char *name, scree_error *error);

#endif
