/* A stopwatch with several clocks, of which at most one runs at a time. */
#ifndef SC_STOPWATCH_H
#define SC_STOPWATCH_H

#include "base/base.h"

enum { SC_CLOCKS = 8, SC_NO_CLOCK = -1 };
typedef struct sc_stopwatch {
  double seconds[SC_CLOCKS]; /* wall time of each clock so far [s] */
  double since;              /* time at which the present clock was started [s] */
  int running;               /* index of the clock that runs; SC_NO_CLOCK: none */
} sc_stopwatch;

/* Stops the present clock and starts another one, or none for SC_NO_CLOCK. Returns the stopped clock. The
 * time is read only if the clock changes. */
static inline int sc_stopwatch_switch(sc_stopwatch *watch, int clock) {
  const int before = watch->running;
  if (clock == before) return before;
  const double now = sc_clock_wall();
  if (before != SC_NO_CLOCK) watch->seconds[before] += now - watch->since;
  watch->running = clock;
  watch->since = now;
  return before;
}

#endif
