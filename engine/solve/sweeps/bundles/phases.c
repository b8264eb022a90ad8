/* Phases of threads: see phases.h. */
#include "solve/sweeps/bundles/phases.h"

#include <string.h>

/* Who met a body last, and in which phase; thread below 0: nobody, or nobody ever, for it cannot move. */
enum { NOBODY = -1, STILL = -2 };
typedef struct touch {
  int16_t thread, phase;
} touch;
typedef struct sorter {
  const sc_problem *problem;
  const sc_ball_pairs *in;
  const sc_order *order;
  sc_phases *phases;
  touch *last;    /* per body */
  uint8_t *phase; /* per visit */
} sorter;

static int after(const touch *last, int thread) {
  return last->thread < 0 || last->thread == thread ? last->phase : last->phase + 1;
}

static void touch_both(const sorter *s, const int32_t side[2], int thread, int phase) {
  for (int k = 0; k < 2; k++)
    if (s->last[side[k]].thread != STILL) s->last[side[k]] = (touch){(int16_t)thread, (int16_t)phase};
}

/* The phase of a contact that comes after all before it. */
static uint8_t meet(const sorter *s, int32_t contact, int thread) {
  const size_t at = (size_t)contact * s->in->stride;
  const int32_t side[2] = {s->in->first[at], s->in->second[at]};
  int phase = 0;
  for (int k = 0; k < 2; k++) {
    int own = after(s->last + side[k], thread);
    phase = own > phase ? own : phase;
  }
  SC_ASSERT(phase < SC_COLOURS); /* threads meet in bodies of different colours alone */
  touch_both(s, side, thread, phase);
  return (uint8_t)phase;
}

/* Phases of all visits, and how many contacts each thread has in each. */
static void find_phases(const sorter *s) {
  const int threads = s->phases->threads;
  for (int colour = 0; colour < SC_COLOURS; colour++)
    for (int thread = 0; thread < threads; thread++) {
      int32_t begin, end;
      sc_order_share(s->order, colour, thread, threads, &begin, &end);
      for (int32_t v = begin; v < end; v++) {
        s->phase[v] = meet(s, s->order->visit[v], thread);
        s->phases->first[s->phase[v] * threads + thread + 1]++;
      }
    }
}

/* The largest share of a thread in each phase; and their number. */
static void find_most(sc_phases *phases, int32_t most[SC_COLOURS]) {
  for (int k = 0; k < SC_COLOURS * phases->threads; k++) {
    const int phase = k / phases->threads;
    const int32_t share = phases->first[k + 1];
    if (k % phases->threads == 0) most[phase] = 0;
    if (share > most[phase]) most[phase] = share;
    if (share) phases->count = phase + 1;
  }
}

/* The last phase for a contact that comes before all that `last` knows of. */
static int latest(const sorter *s, int32_t contact, int thread) {
  const size_t at = (size_t)contact * s->in->stride;
  const int32_t side[2] = {s->in->first[at], s->in->second[at]};
  int phase = s->phases->count - 1;
  for (int k = 0; k < 2; k++) {
    const touch *next = s->last + side[k];
    if (next->thread < 0) continue;
    int own = next->thread == thread ? next->phase : next->phase - 1;
    phase = own < phase ? own : phase;
  }
  return phase;
}

/* Contacts wait for a phase in which their thread has less to do than another, the last ones first. */
static void wait_for_room(const sorter *s, int32_t v, int thread, const int32_t most[SC_COLOURS]) {
  const int threads = s->phases->threads;
  int32_t *share = s->phases->first + 1, contact = s->order->visit[v];
  int phase = latest(s, contact, thread);
  while (phase > s->phase[v] && share[phase * threads + thread] >= most[phase]) phase--;
  share[s->phase[v] * threads + thread]--;
  share[phase * threads + thread]++;
  s->phase[v] = (uint8_t)phase;
  const size_t at = (size_t)contact * s->in->stride;
  touch_both(s, (const int32_t[2]){s->in->first[at], s->in->second[at]}, thread, phase);
}

static void spread(const sorter *s) {
  const int threads = s->phases->threads;
  int32_t most[SC_COLOURS];
  find_most(s->phases, most);
  for (int colour = SC_COLOURS - 1; colour >= 0; colour--)
    for (int thread = threads - 1; thread >= 0; thread--) {
      int32_t begin, end;
      sc_order_share(s->order, colour, thread, threads, &begin, &end);
      for (int32_t v = end - 1; v >= begin; v--) wait_for_room(s, v, thread, most);
    }
}

static void forget(const sorter *s) {
  for (int32_t b = 0; b < s->problem->bodies; b++)
    s->last[b] = (touch){sc_problem_moves(s->problem, b) ? NOBODY : STILL, 0};
}

/* Visits by phases and threads, else in their order. */
static void sort_visits(const sorter *s, int32_t *next, int32_t *visit) {
  const int threads = s->phases->threads;
  memcpy(next, s->phases->first, (size_t)(SC_COLOURS * threads) * sizeof *next);
  for (int colour = 0; colour < SC_COLOURS; colour++)
    for (int thread = 0; thread < threads; thread++) {
      int32_t begin, end;
      sc_order_share(s->order, colour, thread, threads, &begin, &end);
      for (int32_t v = begin; v < end; v++)
        visit[next[s->phase[v] * threads + thread]++] = s->order->visit[v];
    }
}

static bool move_up(sorter *s, sc_arena *arena, sc_order *order) {
  int32_t *visit = SC_TAKE(arena, int32_t, order->count),
          *next = SC_TAKE(arena, int32_t, SC_COLOURS * s->phases->threads);
  s->last = SC_TAKE(arena, touch, s->problem->bodies);
  s->phase = SC_TAKE(arena, uint8_t, order->count);
  if (!visit || !next || !s->last || !s->phase) return false;
  forget(s);
  find_phases(s);
  forget(s);
  spread(s);
  for (int k = 0; k < SC_COLOURS * s->phases->threads; k++) s->phases->first[k + 1] += s->phases->first[k];
  sort_visits(s, next, visit);
  order->visit = visit;
  return true;
}

static void take_colours(const sc_order *order, sc_phases *phases) {
  const int threads = phases->threads;
  phases->count = threads > 1 ? SC_COLOURS : 1;
  for (int k = 1; k <= SC_COLOURS; k++) phases->first[k] = order->count; /* one thread's have no barriers */
  for (int k = 0; k < SC_COLOURS * threads && threads > 1; k++)
    sc_order_share(order, k / threads, k % threads, threads, phases->first + k, phases->first + k + 1);
}

bool sc_phases_build(const sc_problem *problem, const sc_ball_pairs *pairs, int threads, bool moves,
    sc_arena *arena, sc_order *order, sc_phases *phases) {
  *phases = (sc_phases){.threads = threads, .first = SC_TAKE(arena, int32_t, SC_COLOURS * threads + 1)};
  sorter s = {.problem = problem, .in = pairs, .order = order, .phases = phases};
  if (!phases->first) return false;
  memset(phases->first, 0, ((size_t)(SC_COLOURS * threads) + 1) * sizeof *phases->first);
  if (threads > 1 && moves) return move_up(&s, arena, order);
  take_colours(order, phases);
  return true;
}
