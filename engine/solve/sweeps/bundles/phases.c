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
  sc_pool *pool;
  touch *last;    /* per body */
  uint8_t *phase; /* per visit */
  int32_t *visit; /* in their new order */
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

/* Visits of a thread in one colour. */
typedef struct visits {
  int32_t begin, end;
} visits;
static visits visits_of(const sorter *s, int colour, int thread) {
  visits v;
  sc_order_share(s->order, colour, thread, s->phases->threads, &v.begin, &v.end);
  return v;
}

/* Phases of a thread's visits in a colour; share: how many contacts it has in each. */
static void find_phases(const sorter *s, int colour, int thread, int32_t share[SC_COLOURS]) {
  const visits own = visits_of(s, colour, thread);
  for (int32_t v = own.begin; v < own.end; v++) share[s->phase[v] = meet(s, s->order->visit[v], thread)]++;
}

/* The largest share of a thread in each phase. Returns how many phases there are. */
static int find_most(const sc_phases *phases, int32_t most[SC_COLOURS]) {
  int count = 0;
  for (int k = 0; k < SC_COLOURS * phases->threads; k++) {
    const int phase = k / phases->threads;
    const int32_t share = phases->first[k + 1];
    if (k % phases->threads == 0) most[phase] = 0;
    if (share > most[phase]) most[phase] = share;
    if (share) count = phase + 1;
  }
  return count;
}

/* The last phase below `count` for a contact that comes before all that `last` knows of. */
static int latest(const sorter *s, const int32_t side[2], int thread, int count) {
  int phase = count - 1;
  for (int k = 0; k < 2; k++) {
    const touch *next = s->last + side[k];
    if (next->thread < 0) continue;
    int own = next->thread == thread ? next->phase : next->phase - 1;
    phase = own < phase ? own : phase;
  }
  return phase;
}

/* Contacts wait for a phase in which their thread has less to do than another, the last ones first. */
static void wait_for_room(const sorter *s, int colour, int thread, int count, const int32_t most[SC_COLOURS],
    int32_t share[SC_COLOURS]) {
  const visits own = visits_of(s, colour, thread);
  for (int32_t v = own.end - 1; v >= own.begin; v--) {
    const size_t at = (size_t)s->order->visit[v] * s->in->stride;
    const int32_t side[2] = {s->in->first[at], s->in->second[at]};
    int phase = latest(s, side, thread, count);
    while (phase > s->phase[v] && share[phase] >= most[phase]) phase--;
    share[s->phase[v]]--, share[phase]++;
    s->phase[v] = (uint8_t)phase;
    touch_both(s, side, thread, phase);
  }
}

static void forget(const sorter *s, int thread) {
  int64_t first, end;
  sc_part(s->problem->bodies, thread, s->phases->threads, &first, &end);
  for (int64_t b = first; b < end; b++)
    s->last[b] = (touch){sc_problem_moves(s->problem, (int32_t)b) ? NOBODY : STILL, 0};
}

static void write_shares(const sc_phases *phases, int thread, const int32_t share[SC_COLOURS]) {
  for (int k = 0; k < SC_COLOURS; k++) phases->first[k * phases->threads + thread + 1] = share[k];
}

/* What one thread does for its own visits, colour by colour: in one colour no two threads meet in a body. */
static void move_own(void *context, int thread, int threads) {
  const sorter *s = context;
  int32_t share[SC_COLOURS] = {0}, most[SC_COLOURS];
  SC_ASSERT(threads == s->phases->threads);
  forget(s, thread);
  for (int colour = 0; colour < SC_COLOURS; colour++) {
    sc_pool_barrier(s->pool);
    find_phases(s, colour, thread, share);
  }
  write_shares(s->phases, thread, share);
  sc_pool_barrier(s->pool);
  const int count = find_most(s->phases, most);
  if (thread == 0) s->phases->count = count;
  forget(s, thread);
  for (int colour = SC_COLOURS - 1; colour >= 0; colour--) {
    sc_pool_barrier(s->pool);
    wait_for_room(s, colour, thread, count, most, share);
  }
  write_shares(s->phases, thread, share);
}

/* A thread's visits by phases, else in their order. */
static void sort_own(void *context, int thread, int threads) {
  const sorter *s = context;
  int32_t next[SC_COLOURS];
  for (int k = 0; k < SC_COLOURS; k++) next[k] = s->phases->first[k * threads + thread];
  for (int colour = 0; colour < SC_COLOURS; colour++) {
    const visits own = visits_of(s, colour, thread);
    for (int32_t v = own.begin; v < own.end; v++) s->visit[next[s->phase[v]]++] = s->order->visit[v];
  }
}

static bool move_up(sorter *s, sc_arena *arena, sc_order *order) {
  s->visit = SC_TAKE(arena, int32_t, order->count);
  s->last = SC_TAKE(arena, touch, s->problem->bodies);
  s->phase = SC_TAKE(arena, uint8_t, order->count);
  if (!s->visit || !s->last || !s->phase) return false;
  sc_pool_run(s->pool, move_own, s);
  for (int k = 0; k < SC_COLOURS * s->phases->threads; k++) s->phases->first[k + 1] += s->phases->first[k];
  sc_pool_run(s->pool, sort_own, s);
  order->visit = s->visit;
  return true;
}

static void take_colours(const sc_order *order, sc_phases *phases) {
  const int threads = phases->threads;
  phases->count = threads > 1 ? SC_COLOURS : 1;
  for (int k = 1; k <= SC_COLOURS; k++) phases->first[k] = order->count; /* one thread's have no barriers */
  for (int k = 0; k < SC_COLOURS * threads && threads > 1; k++)
    sc_order_share(order, k / threads, k % threads, threads, phases->first + k, phases->first + k + 1);
}

bool sc_phases_build(const sc_problem *problem, const sc_ball_pairs *pairs, sc_pool *pool, bool moves,
    sc_arena *arena, sc_order *order, sc_phases *phases) {
  const int threads = sc_pool_threads(pool);
  *phases = (sc_phases){.threads = threads, .first = SC_TAKE(arena, int32_t, SC_COLOURS * threads + 1)};
  sorter s = {.problem = problem, .in = pairs, .order = order, .phases = phases, .pool = pool};
  if (!phases->first) return false;
  memset(phases->first, 0, ((size_t)(SC_COLOURS * threads) + 1) * sizeof *phases->first);
  if (threads > 1 && moves) return move_up(&s, arena, order);
  take_colours(order, phases);
  return true;
}
