/* Drift: anchors of the neighbour list that move with the flow.
 *
 * Neighbours in a flow move together. So the validity of a list depends on how far a shape has moved relative
 * to the flow about it. Space is divided into blocks. The anchor of a dynamic shape drifts with the mean
 * velocity U of its block. The anchor of a fixed shape stays. The anchor of a kinematic shape moves with its
 * body. Slack is measured from the drifting anchor (list.c), so a layer that flows as a whole needs no more
 * slack than a bed at rest.
 *
 * A list is valid for a span T. Let m1, m2 be the positions of two anchors in the middle of the span and u1,
 * u2 their drifts. Their distance is at least |m1 - m2| - h |u1 - u2|, with h = T/2 + dt, because a step
 * looks ahead. So the search (grid.c) uses the positions m, and the extent of each shape is enlarged by a
 * spread. The sum of two spreads must be at least h |u1 - u2|. The spread of a shape with the drift u is
 *
 *   h |u - U| + g / 2,  if its pairs reach no further than neighbouring blocks
 *   h |u - U| + h G,    otherwise.
 *
 * U is the mean velocity of its block, and U' that of another block. g is the largest h |U - U'| to a
 * neighbouring block. G is at least |U - U'| for all blocks. Pairs reach no further than neighbouring blocks
 * if both shapes satisfy
 *
 *   radius + slack + margin + 2 h |u - U| + h G <= width / 2.
 *
 * To make this true for most shapes, the difference of U from the mean velocity is limited to c. With width =
 * 8 r + 8 h s (r: mean radius, s: mean of |v - mean|) and G = 2 c, the limit is c = r / h + 2 s. A shape that
 * is faster than the limited mean of its block uses up slack, as in a world without drift.
 *
 * Anchors do not drift with several ranks (bodies.distributed), because a rank does not know the blocks of
 * others. They do not drift in periodic cells either, nor if bodies hardly move. */
#include <string.h>
#include "collide/state.h"
#include "math/vec.h"

/* The flow of all shapes, averaged over blocks. */
typedef struct field {
  sc_collide *collide;
  const sc_bodies *bodies;
  int32_t shapes, blocks;
  int32_t cells[3];       /* blocks per axis, powers of two; the blocks are periodic like a torus */
  double width;           /* width of a block [m] */
  double mean[3];         /* mean velocity of dynamic shapes [m/s] */
  double deviation;       /* s: mean of |v - mean| [m/s] */
  double cut;             /* c: limit of |U - mean| [m/s] */
  double half;            /* h of the file head: span / 2 + step [s] */
  double low[3], high[3]; /* bounding box of the centres [m] */
  int32_t *block;         /* [shapes] block of the shape; -1: unbounded shape */
  int32_t *members;       /* [blocks] number of shapes in the block */
  int32_t *moving;        /* [blocks] number of dynamic shapes in the block */
  double *step;           /* [blocks] g of the file head: largest h |U - U'| to a neighbouring block [m] */
} field;

static bool is_bounded(const field *f, int32_t row) { return isfinite(f->collide->poses.cache[row].radius); }
static const double *velocity_of(const field *f, int32_t row) {
  return f->bodies->velocity[f->collide->poses.cache[row].body];
}
static int kind_of(const field *f, int32_t row) { return f->bodies->kind[f->collide->poses.cache[row].body]; }

/* Computes mean velocity and deviation of dynamic shapes, and the bounding box of all bounded shapes. Returns
 * false if no shape is dynamic or a value is not finite. */
static bool measure_flow(field *f) {
  int64_t count = 0;
  double d[3];
  sc_set3(INFINITY, INFINITY, INFINITY, f->low);
  sc_set3(-INFINITY, -INFINITY, -INFINITY, f->high);
  for (int32_t row = 0; row < f->shapes; row++) {
    if (!is_bounded(f, row)) continue;
    const double *x = f->collide->poses.cache[row].centre;
    if (!isfinite(x[0] + x[1] + x[2])) return false;
    for (int k = 0; k < 3; k++) f->low[k] = fmin(f->low[k], x[k]), f->high[k] = fmax(f->high[k], x[k]);
    if (kind_of(f, row) == SCREE_DYNAMIC) sc_add(f->mean, velocity_of(f, row), f->mean), count++;
  }
  if (!count) return false;
  sc_scale(1 / (double)count, f->mean, f->mean);
  for (int32_t row = 0; row < f->shapes; row++) {
    if (!is_bounded(f, row) || kind_of(f, row) != SCREE_DYNAMIC) continue;
    sc_sub(velocity_of(f, row), f->mean, d);
    f->deviation += sc_norm(d) / (double)count;
  }
  return isfinite(f->deviation) &&
      isfinite(f->high[0] - f->low[0] + f->high[1] - f->low[1] + f->high[2] - f->low[2]);
}

/* Chooses the blocks: enough for the bounding box, and at most one block per eight shapes (at most 64 if
 * shapes are few). */
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

/* Computes the drifts 1 .. blocks: limited mean velocities of the dynamic shapes of each block, 0 if a block
 * has none. Drift 0 is zero. */
static void average_flow(field *f) {
  double(*drift)[3] = f->collide->list.drift, d[3];
  memset(drift, 0, ((size_t)f->blocks + 1) * sizeof *drift);
  for (int32_t row = 0; row < f->shapes; row++) {
    if ((f->block[row] = is_bounded(f, row) ? block_of(f, f->collide->poses.cache[row].centre) : -1) < 0)
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

/* Returns g: h times the largest difference of drift to one of the 27 blocks about a block [m]. */
static double step_of(const field *f, int32_t block) {
  const double(*drift)[3] = (const double(*)[3])f->collide->list.drift + 1;
  int32_t at[3] = {block % f->cells[0], block / f->cells[0] % f->cells[1], block / f->cells[0] / f->cells[1]};
  double max = 0, d[3];
  for (int32_t n = 0; n < 27; n++) {
    int32_t shift[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1}, i[3];
    for (int k = 0; k < 3; k++) i[k] = (at[k] + shift[k]) & (f->cells[k] - 1);
    int32_t other = (i[2] * f->cells[1] + i[1]) * f->cells[0] + i[0];
    if (!f->members[other]) continue;
    sc_sub(drift[other], drift[block], d);
    max = fmax(max, sc_dot(d, d));
  }
  return f->half * sqrt(max);
}

/* Assigns a drift to every anchor: the drift of its block for a dynamic shape, 0 for a fixed shape, a new
 * drift for a kinematic shape. Sets list->difference. Returns false if out of memory. */
static bool assign_drifts(field *f) {
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

/* Returns an upper bound of the difference of two drifts of blocks [m/s]. The bound is the diagonal of the
 * drifts' bounding box, or the diameter of their bounding ball about the mean if this is smaller. */
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
    bool is_near = reach + 2 * own + far <= 0.5 * drifting->width;
    spread[row] = (own + (is_near ? 0.5 * drifting->step[block] : far)) * (1 + 1e-12);
  }
}

enum { LEAST_SPAN = 8 }; /* smallest span of a list, in steps */
/* bodies hardly move if their mean motion until rows are next put in order is at most this many skins */
static const double CREEP = 0.25;

/* Returns the number of steps for which the next list should be valid: 1.5 times the life of the last list,
 * but not beyond the next ordering of rows. */
static double choose_span(const sc_list *list) {
  int64_t steps = 2 + (int64_t)list->lived + list->lived / 2, left = SC_ORDER_PERIOD - (int64_t)list->age;
  if (steps < LEAST_SPAN) steps = LEAST_SPAN;
  return (double)(steps < left ? steps : left > 1 ? left : 1);
}

static bool allocate_field(field *f, sc_list *list) {
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

/* Returns true if bodies move so slowly that on average the list is valid until the next ordering of rows.
 * Anchors do not drift then, because the present velocities of bodies at rest do not predict their motion. */
static bool hardly_moves(const field *f, double dt) {
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
      hardly_moves(&f, dt))
    return true;
  list->span = choose_span(list) * dt;
  list->half = f.half = 0.5 * list->span + dt;
  choose_blocks(&f, list->typical);
  if (!allocate_field(&f, list)) return false;
  average_flow(&f);
  list->drifts = f.blocks + 1;
  for (int32_t b = 0; b < f.blocks; b++) f.step[b] = f.members[b] ? step_of(&f, b) : 0;
  *out = (sc_drifting){f.block, f.step, f.width, largest_difference(&f), f.half};
  return assign_drifts(&f);
}
