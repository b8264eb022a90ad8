/* Back-off of `auto`: see auto.h. Demolitions and flows change their contacts in every step, so no answer
 * is near the last one. Each body remembers the wait, so a body that joins an island makes it wait too. */
#include "solve/auto/auto.h"

/* Longest wait in steps. 31 changes a golden scene; 31 and 127 change the work for poured boxes by 1 %. */
enum { MOST_WAIT = 63 };
/* Longest wait of a large island. A heap of 1200 boxes at rest whose answers failed took 45 to 86 ms a
 * step with 63 steps and 60 factorisations, and 19 to 24 ms with 255 and 24. */
enum { LARGE_WAIT = 255 };

sc_wait sc_backoff_after(sc_wait before, bool pays, bool is_large) {
  const int most = is_large ? LARGE_WAIT : MOST_WAIT, twice = 2 * before.last + 1;
  const uint8_t longer = (uint8_t)(twice < most ? twice : most);
  return pays ? (sc_wait){0, before.last / 2} : (sc_wait){longer, longer};
}

sc_wait sc_backoff_step(sc_wait wait) { return (sc_wait){(uint8_t)(wait.left - (wait.left > 0)), wait.last}; }
