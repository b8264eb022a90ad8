/* Options of one solution of contacts within a step of the stepper second_order. */
#ifndef SC_WORLD_PHASE_H
#define SC_WORLD_PHASE_H

#include <stdbool.h>
#include <stdint.h>

/* Forces act for the problem's dt, which may differ from `way`. */
typedef struct sc_phase {
  double way;          /* duration of the motion until contacts are found again [s] */
  double rate_time;    /* the contact law applies to the velocity this time later [s] */
  double warm;         /* share of the contacts' stored impulses with which the solver starts */
  double closed;       /* gaps up to this bound count as 0 [m] */
  bool arrives;        /* true: the bodies are at the end positions already */
  bool strikes;        /* true: an impact; no forces act */
  const uint8_t *skip; /* [contacts] nonzero: not part of the problem; NULL: all contacts are */
} sc_phase;

#endif
