/* Back-off of `auto` (auto.h). In demolitions and flows the contacts change in every step, so the impulses
 * of the last step are a poor start for the second-order solver. After a solve that did not pay off, `auto`
 * therefore only sweeps the island for some steps. Each body stores its back-off. An island backs off if one
 * of its bodies does. */
#include "solve/auto/auto.h"

/* Longest back-off in steps. 31 changes the result of a regression scene (tests/golden). With 31 and 127 the
 * work for poured boxes changes by 1 %. */
enum { MOST_WAIT = 63 };
/* Longest back-off of a large island in steps. Measured on a resting heap of 1200 boxes for which the
 * second-order solver did not converge: a back-off of 63 took 60 factorisations and 45 to 86 ms per step, a
 * back-off of 255 took 24 factorisations and 19 to 24 ms per step. */
enum { LARGE_WAIT = 255 };

sc_wait sc_backoff_after(sc_wait before, bool pays, bool is_large) {
  const int most = is_large ? LARGE_WAIT : MOST_WAIT, twice = 2 * before.last + 1;
  const uint8_t longer = (uint8_t)(twice < most ? twice : most);
  return pays ? (sc_wait){0, before.last / 2} : (sc_wait){longer, longer};
}

sc_wait sc_backoff_step(sc_wait wait) { return (sc_wait){(uint8_t)(wait.left - (wait.left > 0)), wait.last}; }
