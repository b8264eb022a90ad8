/* Options and buffers of functions that read a world (query/). */
#ifndef SC_WORLD_QUERY_H
#define SC_WORLD_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include "scree/forces.h"

typedef struct sc_query {
  bool records_forces; /* true: frames carry forces (query/forces.c) */
  scree_forces_def recorded;
  double *recorded_table;      /* stiffnesses by material (recorded.table), owned; NULL: none */
  void *gathered;              /* last result of scree_world_gather, owned */
  struct sc_ray_keep *rays;    /* shapes prepared for the last rays (query/rays.c); NULL: none */
  bool (*stop)(void *context); /* returns true to end long work early; NULL: never */
  void *stop_context;
  /* true: a writable view was returned since the state was last checked (bodies/viewed.c) */
  bool viewed;
  double *made_view[3]; /* columns computed on demand: mass, id, kind */
  size_t made_capacity[3];
} sc_query;

#endif
