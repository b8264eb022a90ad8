/* Options and buffers of functions that read a world (query/). */
#ifndef SC_WORLD_QUERY_H
#define SC_WORLD_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include "scree/forces.h"

typedef struct sc_query {
  bool records_forces; /* true: frames contain compatible forces (query/forces.c) */
  scree_forces_def recorded;
  double *recorded_table; /* [materials x materials] stiffnesses (recorded.table), owned; NULL: none */
  void *gathered;         /* result of the last scree_world_gather, owned */
  /* shapes prepared for the last rays that were cast (query/rays.c); NULL: none */
  struct sc_ray_keep *rays;
  bool (*stop)(void *context); /* returns true to end long work early; NULL: never */
  void *stop_context;
  /* true: since the last check of the state, a caller got a writable view (bodies/viewed.c) */
  bool viewed;
  double *made_view[3]; /* arrays computed on demand: mass, id, kind */
  size_t made_capacity[3];
} sc_query;

#endif
