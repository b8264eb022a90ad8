/* Data that readers of a world need, and buffers of their answers (query/). */
#ifndef SC_WORLD_QUERY_H
#define SC_WORLD_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include "scree/forces.h"

typedef struct sc_query {
  bool records_forces; /* true: frames carry forces (query/forces.c) */
  scree_forces_def recorded;
  double *recorded_table;      /* table of `recorded`, owned */
  void *gathered;              /* last answer of scree_world_gather */
  struct sc_ray_keep *rays;    /* shapes that rays were cast at last (query/rays.c); NULL: none */
  bool (*stop)(void *context); /* returns whether to end long work; NULL: nobody asks */
  void *stop_context;
  /* a view that can be written was handed out since the state was last checked (bodies/viewed.c) */
  bool viewed;
  double *made_view[3]; /* columns made on demand: mass, id, kind */
  size_t made_capacity[3];
} sc_query;

#endif
