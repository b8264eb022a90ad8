/* Packing contacts into bundles: see slots.h. */
#include "solve/sweeps/bundles/slots.h"

#include <string.h>

/* Bundles first .. next - 1 may be open, first being a multiple of 64; bit k of open[kind][w] says that
 * bundle first + 64 w + k is of that kind and has a free lane. */
enum { WORDS = SC_BUNDLES_OPEN / 64 };
typedef struct {
  int64_t first, next;
  uint64_t open[SC_SLOT_KINDS][WORDS];
} window;

/* First open bundle of a kind at or after `from`; negative: there is none. */
static int64_t find(const window *w, int64_t from, const uint64_t open[WORDS]) {
  int64_t at = from > w->first ? from - w->first : 0, word = at / 64;
  if (word >= WORDS) return -1;
  uint64_t bits = open[word] >> (at % 64) << (at % 64);
  while (!bits && ++word < WORDS) bits = open[word];
  return bits ? w->first + 64 * word + __builtin_ctzll(bits) : -1;
}

/* The same, made if there is none: from is at most the next. */
static int64_t place(window *w, int64_t from, int kind, uint8_t *taken) {
  int64_t found = find(w, from, w->open[kind]);
  if (found >= 0) return found;
  int64_t made = w->next++;
  if (made - w->first >= SC_BUNDLES_OPEN) {
    w->first += 64;
    for (int k = 0; k < SC_SLOT_KINDS; k++) {
      memmove(w->open[k], w->open[k] + 1, sizeof w->open[k] - sizeof *w->open[k]);
      w->open[k][WORDS - 1] = 0;
    }
  }
  w->open[kind][(made - w->first) / 64] |= 1ull << (made - w->first) % 64;
  taken[made] = (uint8_t)(kind << 4);
  return made;
}

/* Contacts are asked for first, then what their bodies lead to. */
enum { CONTACTS_AHEAD = 64, BODIES_AHEAD = 16 };

SC_FETCH fetch_plan(const sc_problem *problem, const sc_ball_pairs *in, const int32_t *visit, int32_t k,
    int32_t end, const int32_t *last) {
  if (k + CONTACTS_AHEAD < end) {
    size_t far = (size_t)visit[k + CONTACTS_AHEAD] * in->stride;
    __builtin_prefetch(in->first + far);
    __builtin_prefetch(in->second + far);
  }
  if (k + BODIES_AHEAD >= end) return;
  size_t near = (size_t)visit[k + BODIES_AHEAD] * in->stride;
  __builtin_prefetch(last + in->first[near], 1);
  __builtin_prefetch(last + in->second[near], 1);
  __builtin_prefetch(problem->body + in->second[near]);
}

int32_t sc_bundles_plan(const sc_problem *problem, const sc_ball_pairs *in, const uint8_t *kind,
    const int32_t *visit, const sc_bundle_plan *plan, int32_t *last, int32_t *base) {
  if (plan->begin == plan->end) return 0;
  window w = {.first = 0};
  for (int32_t k = plan->begin; k < plan->end; k++) {
    fetch_plan(problem, in, visit, k, plan->end, last);
    int32_t i = in->first[(size_t)visit[k] * in->stride], j = in->second[(size_t)visit[k] * in->stride];
    bool still = !(problem->body[j].inv_mass > 0);
    int64_t from = last[i];
    if (!still && last[j] > from) from = last[j];
    int own = kind ? kind[visit[k]] : 0;
    int64_t at = place(&w, from >= *base ? from - *base + 1 : 0, own, plan->taken);
    plan->place[k - plan->begin] = (int32_t)at * SC_LANES + sc_slot_taken(plan->taken[at]++);
    if (sc_slot_taken(plan->taken[at]) == SC_LANES)
      w.open[own][(at - w.first) / 64] &= ~(1ull << (at - w.first) % 64);
    last[i] = *base + (int32_t)at;
    if (!still) last[j] = *base + (int32_t)at;
  }
  *base += (int32_t)w.next;
  return (int32_t)w.next;
}
