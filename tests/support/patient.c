/* A library for LD_PRELOAD in tests with MPI: waiting ranks sleep for a moment instead of yielding. On a
 * busy machine they are then scheduled as soon as a message arrives, without waiting for all other
 * processes. */
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>

int sched_yield(void) {
  const struct timespec moment = {0, 20000};
  return nanosleep(&moment, NULL);
}
