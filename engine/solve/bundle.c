/* Packing contacts into bundles: see lanes.h. */
#include "solve/lanes.h"

#include <string.h>

enum {
  WINDOW = 64, /* bundles open at a time: one bit each */
  STILL = 64   /* beside a lane: the contact's second body is immovable */
};

/* Bundles first .. first + 63 may be open; bit k of `open` says that bundle first + k has a free lane. */
typedef struct { int64_t first, next; uint64_t open; unsigned char *fill; } window;

/* First open bundle at or after `from`, made if there is none. */
static int64_t place(window *w, int64_t from) {
  if (from < w->first) from = w->first;
  if (from < w->next) {
    uint64_t open = w->open >> (from - w->first);
    if (open) return from + __builtin_ctzll(open);
  }
  int64_t made = w->next > from ? w->next : from;
  if (made - w->first >= WINDOW) {
    int64_t shift = made - w->first - WINDOW + 1;
    w->open = shift >= 64 ? 0 : w->open >> shift;
    w->first += shift;
  }
  for (int64_t b = w->next > w->first ? w->next : w->first; b <= made; b++) w->open |= 1ull << (b - w->first);
  w->next = made + 1;
  return made;
}

static bool immovable(const sc_problem *problem, int32_t body) { return !(problem->body[body].inv_mass > 0); }

/* Contacts are asked for first, then what their bodies lead to. */
enum { CONTACTS_AHEAD = 64, BODIES_AHEAD = 16, BUNDLES_AHEAD = 4, LINE = 64 };

SC_FETCH fetch_plan(const sc_problem *problem, const int32_t *visit, int32_t k, int32_t end, const int32_t *last) {
  if (k + CONTACTS_AHEAD < end) __builtin_prefetch(&problem->ball[visit[k + CONTACTS_AHEAD]].i);
  if (k + BODIES_AHEAD >= end) return;
  const sc_ball_contact *c = problem->ball + visit[k + BODIES_AHEAD];
  __builtin_prefetch(last + c->i, 1);
  __builtin_prefetch(last + c->j, 1);
  __builtin_prefetch(problem->body + c->j);
}

int32_t sc_bundles_plan(const sc_problem *problem, const int32_t *visit, const sc_bundle_plan *plan, int32_t *last, int32_t *base) {
  if (plan->begin == plan->end) return 0;
  memset(plan->fill, 0, (size_t)(plan->end - plan->begin) + WINDOW);
  window w = {0, 0, 0, plan->fill};
  for (int32_t k = plan->begin; k < plan->end; k++) {
    fetch_plan(problem, visit, k, plan->end, last);
    const sc_ball_contact *c = problem->ball + visit[k];
    bool still = immovable(problem, c->j);
    int64_t from = last[c->i];
    if (!still && last[c->j] > from) from = last[c->j];
    int64_t at = place(&w, from >= *base ? from - *base + 1 : 0);
    plan->group[k - plan->begin] = (int32_t)at;
    plan->lane[k - plan->begin] = (unsigned char)(plan->fill[at]++ | (still ? STILL : 0));
    if (plan->fill[at] == SC_LANES) w.open &= ~(1ull << (at - w.first));
    last[c->i] = *base + (int32_t)at;
    if (!still) last[c->j] = *base + (int32_t)at;
  }
  *base += (int32_t)w.next;
  return (int32_t)w.next;
}

static void clear_lane(sc_bundle *b, int l, int32_t pad) {
  for (int k = 0; k < 3; k++) b->n[k][l] = b->p[k][l] = 0;
  b->bias[l] = 1; /* opens: its answer is zero */
  b->mu[l] = 0;
  b->i[l] = pad;
  b->j[l] = ~(pad + 1);
}

static void fill_lane(const sc_ball_contact *c, bool still, sc_bundle *b, int l) {
  for (int k = 0; k < 3; k++) {
    b->n[k][l] = c->n[k];
    b->p[k][l] = c->p[k];
  }
  b->bias[l] = c->bias;
  b->mu[l] = c->mu;
  b->i[l] = c->i;
  b->j[l] = still ? ~c->j : c->j;
}

bool sc_bundles_take(int32_t count, bool momentum, sc_arena *arena, sc_bundles *out) {
  *out = (sc_bundles){.count = count};
  if (!count) return true;
  out->bundle = SC_TAKE(arena, sc_bundle, count);
  out->contact = SC_TAKE(arena, int32_t, (size_t)count * SC_LANES);
  if (momentum) out->past = SC_TAKE(arena, sc_bundle_past, count);
  return out->bundle && out->contact && (!momentum || out->past);
}

/* Contacts are asked for ahead, and so are bundles as the contacts come to new ones. */
SC_FETCH fetch_fill(const sc_problem *problem, const int32_t *visit, int32_t k, int32_t end, int32_t group, int32_t *asked,
    const sc_bundles *out) {
  if (k + CONTACTS_AHEAD < end) {
    const sc_ball_contact *c = problem->ball + visit[k + CONTACTS_AHEAD];
    __builtin_prefetch(c);
    __builtin_prefetch(&c->j);
  }
  for (; *asked <= group + BUNDLES_AHEAD && *asked < out->count; ++*asked)
    for (size_t at = 0; at < sizeof *out->bundle; at += LINE) __builtin_prefetch((const char *)(out->bundle + *asked) + at, 1);
}

void sc_bundles_fill(const sc_problem *problem, const int32_t *visit, const sc_bundle_plan *plan, int32_t pad, sc_bundles *out) {
  int32_t asked = 0;
  out->lanes = plan->end - plan->begin;
  for (int32_t b = 0; b < out->count; b++)
    for (int l = plan->fill[b]; l < SC_LANES; l++) {
      clear_lane(out->bundle + b, l, pad);
      out->contact[b * SC_LANES + l] = -1;
    }
  for (int32_t k = plan->begin; k < plan->end; k++) {
    int32_t c = visit[k], group = plan->group[k - plan->begin], lane = plan->lane[k - plan->begin];
    fetch_fill(problem, visit, k, plan->end, group, &asked, out);
    fill_lane(problem->ball + c, lane & STILL, out->bundle + group, lane & (SC_LANES - 1));
    out->contact[group * SC_LANES + (lane & (SC_LANES - 1))] = c;
  }
  for (int32_t b = 0; b < out->count && out->past; b++) memcpy(out->past[b].p, out->bundle[b].p, sizeof out->past[b].p);
}
