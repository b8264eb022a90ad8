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
  /* hash table of the names. first: [places] start of each chain. next: [count] next name of the chain of
   * each name. Values are indices in `name` plus 1; 0: none */
  int32_t *first, *next;
  size_t places, next_capacity; /* length of `first`: 0 or a power of two, at least `count`; length of
                                   `next` */
  sc_named_point *point;        /* [points] sorted by body, then by name */
  int32_t points;
  size_t point_capacity;
} sc_names;

/* Reserves memory for the names of `more` further bodies. Returns false if out of memory. */
bool sc_names_reserve_bodies(sc_names *names, int32_t more);
/* Builds the hash table of the first `count` names of the list. The caller has reserved memory for the
 * names. */
void sc_names_link_bodies(sc_names *names, int32_t count);
/* Adds the name of a body to the list. The caller has reserved memory for the name. */
void sc_names_add_body(sc_names *names, scree_id body, const char *name);
/* Returns the index of a name in the list, -1 if no body has the name. */
int32_t sc_names_find_body(const sc_names *names, const char *name);
/* Removes the name with the index `place` from the list. The last name moves to this index. */
void sc_names_drop_body(sc_names *names, int32_t place);
/* Frees all memory of the names and of the points. */
void sc_names_free(sc_names *names);

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
