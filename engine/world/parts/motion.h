/* Data of the motion in a step: poses at the start of a substep, fast bodies, and planned velocities. */
#ifndef SC_WORLD_MOTION_H
#define SC_WORLD_MOTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "scree/body.h"

/* An sc_noted counts events and lists the first bodies to which they happened. SC_NOTED_MOST: largest number
 * of listed bodies. */
enum { SC_NOTED_MOST = 5 };
typedef struct sc_noted {
  int64_t times;
  scree_id body[SC_NOTED_MOST]; /* ids of distinct bodies; 0: none */
} sc_noted;

/* Poses of bodies at the start of the present substep, and the list of fast bodies (step/track.h). */
typedef struct sc_tracks {
  int32_t count; /* number of rows in the arrays below; 0: no body can pass through another */
  double (*position)[3];
  uint32_t *slot;           /* slot of the body in the row */
  double (*orientation)[4]; /* only recorded if has_turns is true */
  bool has_turns;
  size_t positions, slots, orientations;
  struct sc_fast_body *fast; /* [fasts] fast bodies in the order in which they were added */
  int32_t fasts;
  size_t fast_capacity;
  sc_noted crossed; /* bodies that moved into or through walls so far (step/crossing.c) */
  /* fast bodies that were stopped too early, because the search for their collisions gave up
   * (step/sweep.c) */
  sc_noted held_back;
} sc_tracks;

/* Velocities at which the substeps of the next step start (step/plan.h). */
typedef struct sc_plan {
  struct sc_planned *entry;
  int64_t count;
  size_t capacity;
} sc_plan;

#endif
