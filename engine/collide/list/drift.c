/* Drift: what the neighbour list knows of the flow.
 *
 * Neighbours in a flow move together, so what makes a list stale is how far a shape has gone from where
 * the flow about it would have taken it. Space is cut into blocks; the anchor of a dynamic shape drifts
 * with the mean velocity U of its block, that of a fixed one stays, that of a kinematic one goes with
 * its body. Slack is measured from there (list.c), so a layer that flows as a whole needs no more of
 * it than a bed at rest.
 *
 * A list is good for a span T of drifting. Two anchors with drifts u1, u2 that lie m1, m2 in the middle
 * of the span are never nearer than |m1 - m2| - h |u1 - u2|, with h = T/2 and a step more, since a step
 * looks ahead. So the search (grid.c) takes the middles, and every shape's extent is wider by a spread,
 * two of which are at least h |u1 - u2|:
 *
 *   h |u - U| + g / 2,  g the largest h |U - U'| of a neighbouring block, where pairs reach no further
 *                       than such;
 *   h |u - U| + h G,    G >= |U - U'| for all blocks, for a shape that reaches further.
 *
 * Pairs reach no further than neighbouring blocks where
 * radius + slack + margin + 2 h |u - U| + h G <= width / 2  for both. For most
 * shapes to be so, U is cut to c about the mean velocity: with width = 8 r + 8 h s (r mean radius, s
 * mean of |v - mean|) and G = 2 c it is c = r / h + 2 s. Whoever is faster than its block's cut mean
 * pays with slack, as in a world without drift.
 *
 * Lists of parts of a world (bodies.distributed) do not drift: their neighbours could not know the blocks.
 * Nor do those of cells, nor of bodies that hardly move. */
#include <string.h>
#include "collide/state.h"
#include "math/vec.h"

typedef struct field {
  sc_collide *collide;
  const sc_bodies *bodies;
  int32_t shapes, blocks;
  /* blocks per axis, powers of two; the blocks are wrapped round like a torus */
  int32_t cells[3];
  double width, mean[3], deviation, cut, half, margin;
  double low[3], high[3];    /* box of the centres */
  int32_t *block;            /* per shape, -1: unbounded */
  int32_t *members, *moving; /* per block: shapes, dynamic ones */
  double *step;              /* per block: g */
} field;

static bool bounded(const field *f, int32_t row) { return isfinite(f->collide->poses.cache[row].radius); }
static const double *velocity_of(const field *f, int32_t row) {
  return f->bodies->velocity[f->collide->poses.cache[row].body];
}
static int kind_of(const field *f, int32_t row) { return f->bodies->kind[f->collide->poses.cache[row].body]; }

/* Mean velocity of what is dynamic, mean distance of velocities from it, box of all that is bounded.
 * False if nothing is dynamic. */
static bool measure_flow(field *f) {
  int64_t count = 0;
  double d[3];
  sc_set3(INFINITY, INFINITY, INFINITY, f->low);
  sc_set3(-INFINITY, -INFINITY, -INFINITY, f->high);
  for (int32_t row = 0; row < f->shapes; row++) {
    if (!bounded(f, row)) continue;
    const double *x = f->collide->poses.cache[row].centre;
    if (!isfinite(x[0] + x[1] + x[2])) return false;
    for (int k = 0; k < 3; k++) f->low[k] = fmin(f->low[k], x[k]), f->high[k] = fmax(f->high[k], x[k]);
    if (kind_of(f, row) == SCREE_DYNAMIC) sc_add(f->mean, velocity_of(f, row), f->mean), count++;
  }
  if (!count) return false;
  sc_scale(1 / (double)count, f->mean, f->mean);
  for (int32_t row = 0; row < f->shapes; row++) {
    if (!bounded(f, row) || kind_of(f, row) != SCREE_DYNAMIC) continue;
    sc_sub(velocity_of(f, row), f->mean, d);
    f->deviation += sc_norm(d) / (double)count;
  }
  return isfinite(f->deviation) &&
      isfinite(f->high[0] - f->low[0] + f->high[1] - f->low[1] + f->high[2] - f->low[2]);
}

/* Blocks per axis: enough for the box, at most one for eight shapes in all. */
static void choose_blocks(field *f, double radius) {
  double need[3];
  f->width = 8 * radius + 8 * f->half * f->deviation;
  f->cut = radius / f->half + 2 * f->deviation;
  for (int k = 0; k < 3; k++) need[k] = (f->high[k] - f->low[k]) / f->width + 1;
  f->blocks = (int32_t)sc_cells_fold(need, f->shapes < 512 ? 64 : f->shapes / 8, f->cells);
}

static int32_t block_of(const field *f, const double x[3]) {
  int32_t i[3];
  for (int k = 0; k < 3; k++)
    i[k] = (int32_t)((int64_t)fmin((x[k] - f->low[k]) / f->width, 1e15) & (f->cells[k] - 1));
  return (i[2] * f->cells[1] + i[1]) * f->cells[0] + i[0];
}

/* Drifts 1 .. blocks: mean velocities of the blocks' dynamic shapes, cut; 0 where there are none. Drift
 * 0 is none. */
static void average(field *f) {
  double(*drift)[3] = f->collide->list.drift, d[3];
  memset(drift, 0, ((size_t)f->blocks + 1) * sizeof *drift);
  for (int32_t row = 0; row < f->shapes; row++) {
    if ((f->block[row] = bounded(f, row) ? block_of(f, f->collide->poses.cache[row].centre) : -1) < 0)
      continue;
    int32_t b = f->block[row];
    f->members[b]++;
    if (kind_of(f, row) != SCREE_DYNAMIC) continue;
    f->moving[b]++;
    sc_add(drift[1 + b], velocity_of(f, row), drift[1 + b]);
  }
  for (int32_t b = 0; b < f->blocks; b++) {
    if (!f->moving[b]) continue;
    sc_scale(1 / (double)f->moving[b], drift[1 + b], drift[1 + b]);
    sc_sub(drift[1 + b], f->mean, d);
    double far = sc_norm(d);
    if (far > f->cut) sc_axpy(f->cut / far, d, f->mean, drift[1 + b]);
  }
}

/* The largest difference to a block about this one, times h. */
static double step_of(const field *f, int32_t block) {
  const double(*drift)[3] = (const double(*)[3])f->collide->list.drift + 1;
  int32_t at[3] = {block % f->cells[0], block / f->cells[0] % f->cells[1], block / f->cells[0] / f->cells[1]};
  double most = 0, d[3];
  for (int32_t n = 0; n < 27; n++) {
    int32_t shift[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1}, i[3];
    for (int k = 0; k < 3; k++) i[k] = (at[k] + shift[k]) & (f->cells[k] - 1);
    int32_t other = (i[2] * f->cells[1] + i[1]) * f->cells[0] + i[0];
    if (!f->members[other]) continue;
    sc_sub(drift[other], drift[block], d);
    most = fmax(most, sc_dot(d, d));
  }
  return f->half * sqrt(most);
}

/* Gives every anchor its drift: the block's, none, or one of its own, appended; and notes what those of
 * bounded shapes differ. */
static bool hand_out(field *f) {
  sc_list *list = &f->collide->list;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, d[3];
  for (int32_t row = 0; row < f->shapes; row++) {
    sc_anchor *anchor = list->anchor + row;
    int kind = kind_of(f, row);
    anchor->drift = kind == SCREE_DYNAMIC && f->block[row] >= 0 ? 1 + f->block[row] : 0;
    if (kind == SCREE_KINEMATIC) {
      if (!SC_GROW_LEAN(list->drift, list->drift_capacity, (size_t)list->drifts + 1)) return false;
      anchor->drift = list->drifts;
      sc_copy3(velocity_of(f, row), list->drift[list->drifts++]);
    }
    const double *u = sc_drift(list, row);
    for (int k = 0; k < 3 && f->block[row] >= 0; k++)
      low[k] = fmin(low[k], u[k]), high[k] = fmax(high[k], u[k]);
  }
  sc_sub(high, low, d);
  list->difference = sc_norm(d);
  return true;
}

/* What two drifts of blocks can differ, from above: from their box, and from the ball about the mean
 * that holds them. */
static double largest_difference(const field *f) {
  double low[3], high[3], d[3], far = 0;
  sc_copy3(f->mean, low), sc_copy3(f->mean, high);
  for (int32_t b = 0; b < f->blocks; b++) {
    if (!f->members[b]) continue;
    const double *u = f->collide->list.drift[1 + b];
    for (int k = 0; k < 3; k++) low[k] = fmin(low[k], u[k]), high[k] = fmax(high[k], u[k]);
    sc_sub(u, f->mean, d);
    far = fmax(far, sc_dot(d, d));
  }
  sc_sub(high, low, d);
  return fmin(sc_norm(d), 2 * sqrt(far) * (1 + 1e-12));
}

void sc_drift_spread(const sc_collide *collide, const sc_drifting *drifting, double *spread) {
  double d[3], far = drifting->half * drifting->difference;
  for (int32_t row = 0; row < collide->poses.count; row++) {
    int32_t block = drifting->block[row];
    spread[row] = 0;
    if (block < 0) continue;
    const sc_shape_cache *cache = collide->poses.cache + row;
    sc_sub(sc_drift(&collide->list, row), collide->list.drift[1 + block], d);
    double own = drifting->half * sc_norm(d),
           reach = cache->radius + sc_reach(collide, cache->radius) + collide->list.anchor[row].slack;
    bool near = reach + 2 * own + far <= 0.5 * drifting->width;
    spread[row] = (own + (near ? 0.5 * drifting->step[block] : far)) * (1 + 1e-12);
  }
}

enum { LEAST_SPAN = 8 };
static const double CREEP = 0.25; /* way, in skins */

/* Steps that the coming list should be good for: half as many again as the last one lived, up to where
 * rows are put in order. */
static double choose_span(const sc_list *list) {
  int64_t steps = 2 + (int64_t)list->lived + list->lived / 2, left = SC_ORDER_PERIOD - (int64_t)list->age;
  if (steps < LEAST_SPAN) steps = LEAST_SPAN;
  return (double)(steps < left ? steps : left > 1 ? left : 1);
}

static bool take_room(field *f, sc_list *list) {
  sc_arena *scratch = f->collide->scratch;
  f->block = SC_TAKE(scratch, int32_t, f->shapes + 1);
  f->members = SC_TAKE(scratch, int32_t, f->blocks);
  f->moving = SC_TAKE(scratch, int32_t, f->blocks);
  f->step = SC_TAKE(scratch, double, f->blocks);
  if (!f->block || !f->members || !f->moving || !f->step ||
      !SC_GROW_LEAN(list->drift, list->drift_capacity, (size_t)f->blocks + 1))
    return false;
  memset(f->members, 0, (size_t)f->blocks * sizeof *f->members);
  memset(f->moving, 0, (size_t)f->blocks * sizeof *f->moving);
  return true;
}

/* Whether bodies go so slowly that the list lasts until rows are put in order, on average: at rest the
 * velocities of a moment say little about where they go. */
static bool creeps(const field *f, double dt) {
  const sc_list *list = &f->collide->list;
  const double steps = SC_ORDER_PERIOD - list->age, speed = sc_norm(f->mean) + f->deviation;
  return steps * dt * speed <= CREEP * sc_collide_skin(f->collide) * list->typical;
}

bool sc_drift_choose(sc_collide *collide, const sc_bodies *bodies, double dt, sc_drifting *out) {
  sc_list *list = &collide->list;
  field f = {.collide = collide, .bodies = bodies, .shapes = collide->poses.count};
  list->drifts = 0, list->elapsed = 0, list->difference = 0;
  *out = (sc_drifting){.half = 0};
  for (int32_t row = 0; row < f.shapes; row++) list->anchor[row].drift = 0;
  if (bodies->distributed || bodies->cell || !(list->typical > 0) || !(dt > 0) || !measure_flow(&f) ||
      creeps(&f, dt))
    return true;
  list->span = choose_span(list) * dt;
  list->half = f.half = 0.5 * list->span + dt;
  choose_blocks(&f, list->typical);
  if (!take_room(&f, list)) return false;
  average(&f);
  list->drifts = f.blocks + 1;
  for (int32_t b = 0; b < f.blocks; b++) f.step[b] = f.members[b] ? step_of(&f, b) : 0;
  *out = (sc_drifting){f.block, f.step, f.width, largest_difference(&f), f.half};
  return hand_out(&f);
}
