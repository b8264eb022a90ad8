/* Packing contacts into bundles: see lanes.h. */
#include "solve/lanes.h"

#include <string.h>

enum { WINDOW = 64 }; /* bundles open at a time: one bit each */

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

/* Assigns a bundle to each contact; returns the number of bundles. group and lane get one entry per contact. */
static int32_t assign(const sc_problem *problem, const int32_t *visit, int32_t begin, int32_t end, int32_t *last, int32_t base, unsigned char *fill,
                      int32_t *group, unsigned char *lane) {
  window w = {0, 0, 0, fill};
  for (int32_t k = begin; k < end; k++) {
    const sc_ball_contact *c = problem->ball + visit[k];
    bool still = immovable(problem, c->j);
    int64_t from = last[c->i];
    if (!still && last[c->j] > from) from = last[c->j];
    int64_t at = place(&w, from >= base ? from - base + 1 : 0);
    group[k - begin] = (int32_t)at;
    lane[k - begin] = fill[at]++;
    if (fill[at] == SC_LANES) w.open &= ~(1ull << (at - w.first));
    last[c->i] = base + (int32_t)at;
    if (!still) last[c->j] = base + (int32_t)at;
  }
  return (int32_t)w.next;
}

static void clear_lane(sc_bundle *b, int l, int32_t pad) {
  for (int k = 0; k < 3; k++) b->n[k][l] = b->p[k][l] = 0;
  b->bias[l] = 1; /* opens: its answer is zero */
  b->mu[l] = 0;
  b->i[l] = pad;
  b->j[l] = ~(pad + 1);
}

static void fill_lane(const sc_problem *problem, const sc_ball_contact *c, sc_bundle *b, int l) {
  for (int k = 0; k < 3; k++) {
    b->n[k][l] = c->n[k];
    b->p[k][l] = c->p[k];
  }
  b->bias[l] = c->bias;
  b->mu[l] = c->mu;
  b->i[l] = c->i;
  b->j[l] = immovable(problem, c->j) ? ~c->j : c->j;
}

bool sc_bundles_build(const sc_problem *problem, const int32_t *visit, int32_t begin, int32_t end, int32_t pad, int32_t *last, int32_t *base,
                      bool momentum, sc_arena *arena, sc_bundles *out) {
  size_t count = (size_t)(end - begin);
  *out = (sc_bundles){0};
  if (!count) return true;
  int32_t *group = SC_TAKE(arena, int32_t, count);
  unsigned char *lane = SC_TAKE(arena, unsigned char, count), *fill = SC_TAKE(arena, unsigned char, count + WINDOW);
  if (!group || !lane || !fill) return false;
  memset(fill, 0, count + WINDOW);
  out->count = assign(problem, visit, begin, end, last, *base, fill, group, lane);
  *base += out->count;
  out->bundle = SC_TAKE(arena, sc_bundle, out->count);
  out->contact = SC_TAKE(arena, int32_t, (size_t)out->count * SC_LANES);
  if (momentum) out->past = SC_TAKE(arena, sc_bundle_past, out->count);
  if (!out->bundle || !out->contact || (momentum && !out->past)) return false;
  out->lanes = (int64_t)count;
  for (int32_t b = 0; b < out->count; b++)
    for (int l = fill[b]; l < SC_LANES; l++) {
      clear_lane(out->bundle + b, l, pad);
      out->contact[b * SC_LANES + l] = -1;
    }
  for (size_t k = 0; k < count; k++) {
    int32_t c = visit[begin + (int32_t)k];
    fill_lane(problem, problem->ball + c, out->bundle + group[k], lane[k]);
    out->contact[group[k] * SC_LANES + lane[k]] = c;
  }
  for (int32_t b = 0; b < out->count && momentum; b++) memcpy(out->past[b].p, out->bundle[b].p, sizeof out->past[b].p);
  return true;
}
