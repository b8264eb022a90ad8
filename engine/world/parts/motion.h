/* Data of a step's motion: poses at the start of a substep, fast bodies, and planned velocities. */
#ifndef SC_WORLD_MOTION_H
#define SC_WORLD_MOTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "scree/body.h"

/* Number of events of one kind, and the first few bodies with such an event. */
enum { SC_NOTED_MOST = 5 };
typedef struct sc_noted {
  int64_t times;
  scree_id body[SC_NOTED_MOST]; /* distinct bodies; 0: none */
} sc_noted;

/* Poses of bodies at the start of the present substep, and fast bodies (step/track.h). */
typedef struct sc_tracks {
  int32_t count; /* rows of the arrays below; 0: no body can pass through another */
  double (*position)[3];
  uint32_t *slot;           /* slot of the body that was in the row */
  double (*orientation)[4]; /* recorded if has_turns is set */
  bool has_turns;
  size_t positions, slots, orientations;
  struct sc_fast_body *fast; /* in the order of their creation */
  int32_t fasts;
  size_t fast_capacity;
  sc_noted crossed;   /* bodies that went into or through walls so far (step/crossing.c) */
  sc_noted held_back; /* fast bodies whose ways ended early because the search gave up (step/sweep.c) */
} sc_tracks;

/* Velocities that substeps of the next step start with (step/plan.h). */
typedef struct sc_plan {
  struct sc_planned *entry;
  int64_t count;
  size_t capacity;
} sc_plan;

#endif
