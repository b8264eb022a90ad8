/* What a solution of contacts within a step of second order differs in from the solution of a whole step. */
#ifndef SC_WORLD_PHASE_H
#define SC_WORLD_PHASE_H

#include <stdbool.h>
#include <stdint.h>

/* One solution of contacts in a step of second order. Forces act for the problem's dt. */
typedef struct sc_phase {
  double way;          /* time of the motion until contacts are found again [s] */
  double rate_time;    /* the contact law applies to the velocity this time later [s] */
  double warm;         /* share of the impulses of contacts to start from */
  double closed;       /* gaps up to this bound count as 0 [m] */
  bool arrives;        /* true: the bodies have moved already */
  bool strikes;        /* true: an impact, without forces */
  const uint8_t *skip; /* per contact, nonzero: left out; NULL: none */
} sc_phase;

#endif
