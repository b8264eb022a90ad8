/* Options of a phase: one of the contact solutions within a step of the stepper second_order. */
#ifndef SC_WORLD_PHASE_H
#define SC_WORLD_PHASE_H

#include <stdbool.h>
#include <stdint.h>

/* A phase. Its forces act for the time problem.dt, which may differ from the duration `way` of its motion. */
typedef struct sc_phase {
  double way; /* duration of the motion until the next contact detection [s] */
  /* the contact law applies to the relative velocity that the contact has this time after the solution [s] */
  double rate_time;
  double warm;   /* factor of the contacts' stored impulses for the warm start */
  double closed; /* gaps up to this bound count as 0 [m] */
  bool arrives;  /* true: the bodies already have their end positions */
  bool strikes;  /* true: the solution is an impact, in which no forces act */
  /* [contacts] nonzero: the problem does not contain the contact; NULL: it contains all contacts */
  const uint8_t *skip;
} sc_phase;

#endif
