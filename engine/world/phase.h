/* Options of one of the contact solutions within a step of the stepper second_order. */
#ifndef SC_WORLD_PHASE_H
#define SC_WORLD_PHASE_H

#include <stdbool.h>
#include <stdint.h>

/* Forces act for the time problem.dt, which may differ from the time `way` of the motion. */
typedef struct sc_phase {
  double way;       /* duration of the motion until the next contact detection [s] */
  double rate_time; /* the contact law applies to the velocity at this time after the solution [s] */
  double warm;      /* factor of the contacts' stored impulses for the warm start */
  double closed;    /* gaps up to this bound count as 0 [m] */
  bool arrives;     /* true: the bodies already have their end positions */
  bool strikes;     /* true: the solution is an impact, in which no forces act */
  /* [contacts] nonzero: the problem does not contain the contact; NULL: it contains all contacts */
  const uint8_t *skip;
} sc_phase;

#endif
