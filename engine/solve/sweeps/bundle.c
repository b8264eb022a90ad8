/* Packing contacts into bundles: see lanes.h. */
#include "solve/sweeps/lanes.h"

#include <string.h>

/* Bundles first .. first + 63 may be open; bit k of `open` says that bundle first + k has a free lane. */
typedef struct {
  int64_t first, next;
  uint64_t open;
} window;

/* First open bundle at or after `from`, made if there is none. */
static int64_t place(window *w, int64_t from) {
  if (from < w->first) from = w->first;
  if (from < w->next) {
    uint64_t open = w->open >> (from - w->first);
    if (open) return from + __builtin_ctzll(open);
  }
  int64_t made = w->next > from ? w->next : from;
  if (made - w->first >= SC_BUNDLES_OPEN) {
    int64_t shift = made - w->first - SC_BUNDLES_OPEN + 1;
    w->open = shift >= 64 ? 0 : w->open >> shift;
    w->first += shift;
  }
  for (int64_t b = w->next > w->first ? w->next : w->first; b <= made; b++) w->open |= 1ull << (b - w->first);
  w->next = made + 1;
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

int32_t sc_bundles_plan(const sc_problem *problem, const sc_ball_pairs *in, const int32_t *visit,
    const sc_bundle_plan *plan, int32_t *last, int32_t *base) {
  if (plan->begin == plan->end) return 0;
  memset(plan->taken, 0, (size_t)(plan->end - plan->begin) + SC_BUNDLES_OPEN);
  window w = {0, 0, 0};
  for (int32_t k = plan->begin; k < plan->end; k++) {
    fetch_plan(problem, in, visit, k, plan->end, last);
    int32_t i = in->first[(size_t)visit[k] * in->stride], j = in->second[(size_t)visit[k] * in->stride];
    bool still = !(problem->body[j].inv_mass > 0);
    int64_t from = last[i];
    if (!still && last[j] > from) from = last[j];
    int64_t at = place(&w, from >= *base ? from - *base + 1 : 0);
    plan->place[k - plan->begin] = (int32_t)at * SC_LANES + plan->taken[at]++;
    if (plan->taken[at] == SC_LANES) w.open &= ~(1ull << (at - w.first));
    last[i] = *base + (int32_t)at;
    if (!still) last[j] = *base + (int32_t)at;
  }
  *base += (int32_t)w.next;
  return (int32_t)w.next;
}
