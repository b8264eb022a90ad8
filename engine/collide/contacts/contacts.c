/* Contacts of one step: the narrow phase over the list, and the memory of the step before.
 *
 * A touch becomes a contact where
 *     gap <= margin min(r_1, r_2) + dt max(0, closing speed at the touch).
 * The margin keeps the neighbours of a packing in the problem although they part a little. The second term
 * holds what would close within the step (discrete non-penetration, Preclik et al. 2017, section 3). Old and
 * new contacts both lie in the order of the pairs: the old contacts of a pair are found by walking along and
 * matched by feature, else by place. */
#include <string.h>
#include "collide/contacts/ahead.h"
#include "collide/contacts/filter.h"
#include "collide/contacts/hints.h"
#include "collide/narrow/narrow.h"
#include "collide/state.h"
#include "math/vec.h"
#include "model/pairs.h"
#include "model/relative.h"

/* A walk over pairs of the list: contacts of the pairs go behind those that are in `next` already. */
typedef struct walk {
  sc_collide *collide;
  const sc_bodies *bodies;
  const sc_shapes *shapes;
  const sc_memory *past; /* contacts of the step before */
  int32_t old;           /* next row of them */
  double dt, deepest;
  double fall;        /* gap that gravity closes within the step [m] */
  int held_at;        /* place in the state, above 0 where cohesion holds a contact; negative: none */
  const double *flow; /* gradient of a cell that is deformed, else NULL */
  sc_memory *next;    /* where contacts go */
  uint8_t *touched;   /* a byte per body, set to 1 where a contact is found; NULL: nobody asks */
  bool merges;        /* whether contacts of bodies of several shapes are merged */
  int32_t owner, run; /* whose pairs are walked, and its first contact */
} walk;

/* Rows of the old memory that belong to a pair: from w->old to the result. */
static int32_t old_end(const walk *w, int32_t pair) {
  int32_t end = w->old;
  while (end < w->past->count && w->past->row[end].pair == pair) end++;
  return end;
}

/* Threads may note the same body. */
static void note_bodies(const walk *w, int32_t pair) {
  sc_pair rows = w->collide->list.pair[pair];
  __atomic_store_n(w->touched + w->collide->poses.cache[rows.one].body, 1, __ATOMIC_RELAXED);
  __atomic_store_n(w->touched + w->collide->poses.cache[rows.two].body, 1, __ATOMIC_RELAXED);
}

/* Adds a contact that goes on from an old one, -1: none, impulse and law state are zero. */
static bool emit(walk *w, int32_t pair, const sc_touch *touch, int32_t from) {
  sc_memory *next = w->next;
  size_t at = (size_t)next->count, need = at + 1;
  if (need > next->capacity || need * (size_t)next->stride > next->state_capacity ||
      (next->touches && need > next->touch_capacity))
    if (need > INT32_MAX || !sc_memory_reserve(next, need)) return false;
  next->row[at] = (sc_kept){.pair = pair};
  if (from >= 0) next->row[at] = w->past->row[from];
  if (next->touches) next->touch[at] = *touch;
  if (next->stride) {
    size_t bytes = (size_t)next->stride * sizeof *next->state;
    if (from >= 0) memcpy(sc_memory_state(next, next->count), sc_memory_state(w->past, from), bytes);
    else memset(sc_memory_state(next, next->count), 0, bytes);
  }
  if (-touch->gap > w->deepest) w->deepest = -touch->gap;
  next->count++;
  if (w->touched) note_bodies(w, pair);
  return true;
}

/* Whether cohesion held a contact of a pair, whose old contacts come next, in the step before. */
static bool holds(const walk *w, int32_t pair) {
  bool held = false;
  for (int32_t old = w->old; w->held_at >= 0 && old < old_end(w, pair); old++)
    held = held || sc_memory_state(w->past, old)[w->held_at] > 0;
  return held;
}

static const sc_cohesion *cohesion_of(const walk *w, int32_t pair) {
  const sc_pairs *rules = w->collide->def.pairs;
  sc_pair rows = w->collide->list.pair[pair];
  int32_t one = w->shapes->row[rows.one].material, two = w->shapes->row[rows.two].material;
  return &rules->rule[rules->table[one * rules->materials + two]].cohesion;
}

/* Whether cohesion keeps a touch of a pair beyond the margin: its materials pull each other from there, or
 * it holds what it held. */
static bool cohesive(const walk *w, int32_t pair, double gap) {
  if (!(gap <= w->collide->range)) return false;
  const sc_cohesion *c = cohesion_of(w, pair);
  if (!(c->strength > 0)) return false;
  if (gap <= c->near) return true;
  return gap <= c->farthest && holds(w, pair);
}

static const double rounding = 0.005; /* over 2^-8, of velocities */

/* Square of the distance up to which two spheres with their centres d apart can close within the step, from
 * above: there the gap is made good by  dt max(0, -dv d) / |d|  with the velocities of the centres, rounded
 * to 8 bits. A sphere that turns about its centre closes no gap. */
static double square_of_reach(
    const walk *w, const sc_shape_cache *a, const sc_shape_cache *b, const double d[3], double reach) {
  double along = 0, travel = a->travel + b->travel;
  for (int k = 0; k < 3; k++) along -= (sc_of_short(a->velocity[k]) - sc_of_short(b->velocity[k])) * d[k];
  if (w->flow) {
    double flow[3]; /* velocities are those beside the cell's */
    sc_mat_vec(w->flow, d, flow);
    along -= sc_dot(flow, d);
  }
  /* the distance is over reach here */
  double far = reach * (1 + 1e-9) + rounding * travel + (along <= 0 ? 0 : w->dt * along / reach);
  return far < reach + travel ? far * far : (reach + travel) * (reach + travel);
}

/* The gap up to which a pair makes a contact though nothing moves; least: the smaller radius. */
static double near_of(const walk *w, double least) {
  const double margin = w->collide->margin * least;
  return margin > w->fall ? margin : w->fall;
}

/* Two spheres: most pairs of most scenes; rejects by the distance of the centres before anything else. */
static bool pair_of_spheres(walk *w, int32_t pair, const sc_shape_cache *a, const sc_shape_cache *b) {
  double d[3], radii = a->radius + b->radius,
               near = near_of(w, a->radius < b->radius ? a->radius : b->radius);
  const sc_image *image = sc_list_image(&w->collide->list, pair);
  sc_poses_displacement(&w->collide->poses, a, b, image, d);
  double square = sc_dot(d, d), reach = radii + near, range = radii + w->collide->range;
  if (!(square <= reach * reach) && !(square <= square_of_reach(w, a, b, d, reach)) &&
      !(square <= range * range))
    return true;
  sc_touch touch;
  sc_touch_spheres(a, b, d, sqrt(square), &touch);
  if (touch.gap > near &&
      !(touch.gap <=
          near + w->dt * sc_closing_speed(w->bodies, a->body, b->body, image, touch.point, touch.normal)) &&
      !cohesive(w, pair, touch.gap))
    return true;
  return emit(w, pair, &touch, old_end(w, pair) > w->old ? w->old : -1);
}

/* Moves a shape's pose to an image of it. */
static const sc_placed *place_image(
    const sc_poses *poses, const sc_placed *placed, const sc_image *image, sc_placed *room) {
  double shift[3];
  if (sc_image_is_body(image)) return placed;
  sc_cell_shift(&poses->cell, image, shift);
  if (placed != room) *room = *placed;
  sc_add(room->position, shift, room->position);
  return room;
}

/* Drops touches that are too far apart to matter in this step. */
static int keep_near(const walk *w, int32_t pair, const sc_shape_cache *a, const sc_shape_cache *b,
    const sc_image *image, double near, sc_touch *touch, int count) {
  int kept = 0;
  for (int k = 0; k < count; k++)
    if (touch[k].gap <= near ||
        touch[k].gap <= near +
                w->dt *
                    sc_closing_speed(w->bodies, a->body, b->body, image, touch[k].point, touch[k].normal) ||
        cohesive(w, pair, touch[k].gap))
      touch[kept++] = touch[k];
  return kept;
}

typedef struct matching {
  const sc_touch *old, *touch;
  int32_t olds, count;
  uint64_t taken; /* of the old ones */
  int32_t *from;  /* per touch; -1: none yet */
} matching;

/* Touches take the old one of their name that is left, within the root of `square`. */
static void match_names(matching *m, double square) {
  double d[3];
  for (int32_t k = 0; k < m->count; k++)
    for (int32_t c = 0; c < m->olds && m->from[k] < 0; c++) {
      if (m->taken >> c & 1 || m->old[c].feature != m->touch[k].feature) continue;
      sc_sub(m->old[c].point, m->touch[k].point, d);
      if (sc_dot(d, d) <= square) m->from[k] = c, m->taken |= UINT64_C(1) << c;
    }
}

/* Touches without one take the nearest that is left and has a like normal. */
static void match_places(matching *m, double square) {
  for (int32_t k = 0; k < m->count; k++) {
    double best = square, d[3];
    int32_t nearest = -1;
    for (int32_t c = 0; c < m->olds && m->from[k] < 0; c++) {
      sc_sub(m->old[c].point, m->touch[k].point, d);
      double apart = sc_dot(d, d);
      if (m->taken >> c & 1 || !(apart < best) || sc_dot(m->old[c].normal, m->touch[k].normal) < 0.9)
        continue;
      best = apart, nearest = c;
    }
    if (nearest >= 0) m->from[k] = nearest, m->taken |= UINT64_C(1) << nearest;
  }
}

/* Which old contact each touch goes on from: the one of the same name within `far`; failing that the
 * nearest one within `far` and with a like normal, for where edges of two bodies lie on each other,
 * corners change and exchange their names at the least motion; failing that the one of the same name. */
static void match(
    const walk *w, int32_t pair, const sc_touch *touch, int count, double far, int32_t from[SC_MAX_TOUCHES]) {
  matching m = {
      w->past->touches ? w->past->touch + w->old : NULL, touch, old_end(w, pair) - w->old, count, 0, from};
  if (m.olds > 64) m.olds = 64;
  for (int k = 0; k < count; k++) from[k] = -1;
  if (m.old) {
    match_names(&m, far * far);
    match_places(&m, far * far);
    match_names(&m, INFINITY);
  } else { // without, each pair has one contact of feature 0
    for (int k = 0; k < count && m.olds; k++)
      if (touch[k].feature == 0) from[k] = 0;
  }
  for (int k = 0; k < count; k++)
    if (from[k] >= 0) from[k] += w->old;
}

static sc_hint *hint_of(const walk *w, int32_t pair) {
  return w->collide->list.hints ? w->collide->list.hint + pair : NULL;
}

/* Touches of a pair; ahead: what is known of it (ahead.h), NULL: nothing. */
static int touches_of(const walk *w, int32_t pair, const sc_placed *a, const sc_placed *b, double reach,
    const sc_ahead *ahead, sc_touch *out) {
  const int lane = sc_ahead_lane(ahead, pair);
  sc_hint *hint = hint_of(w, pair);
  if (!hint) return sc_narrow(a, b, reach, out);
  if (lane >= 0) return sc_narrow_boxes(&ahead->boxes, lane, a, b, reach, hint, out);
  return sc_narrow_again(a, b, reach, hint, sc_hints_near(&w->collide->list, pair), w->collide->kernels, out);
}

static bool pair_of_any(walk *w, int32_t pair, int32_t one, int32_t two, const sc_ahead *ahead) {
  const sc_shape_cache *a = w->collide->poses.cache + one, *b = w->collide->poses.cache + two;
  sc_placed_room room[2];
  sc_touch touch[SC_MAX_TOUCHES];
  int32_t from[SC_MAX_TOUCHES];
  const int lane = sc_ahead_lane(ahead, pair);
  if (lane == SC_AHEAD_APART) return true;
  double least = a->radius < b->radius ? a->radius : b->radius, near = near_of(w, least),
         reach = sc_pair_reach(w->collide, a, b);
  const sc_image *image = sc_list_image(&w->collide->list, pair);
  if (lane < 0 && sc_poses_apart(&w->collide->poses, a, b, image, reach)) return true;
  const sc_placed *pa = sc_poses_placed(&w->collide->poses, one, room),
                  *pb = sc_poses_placed(&w->collide->poses, two, room + 1);
  pb = place_image(&w->collide->poses, pb, image, &room[1].placed);
  int count = touches_of(w, pair, pa, pb, reach, ahead, touch);
  if (!count) return true;
  count = keep_near(w, pair, a, b, image, near, touch, count);
  const bool adds_up = w->collide->def.springs || (w->held_at >= 0 && cohesion_of(w, pair)->strength > 0);
  count = sc_filter_touches(&(sc_filter){pa, pb, w->bodies, a->body, b->body, image, least, w->dt, w->fall,
                                hint_of(w, pair), w->collide, pair, adds_up},
      touch, count);
  match(w, pair, touch, count, 0.1 * least, from);
  for (int k = 0; k < count; k++)
    if (!emit(w, pair, touch + k, from[k])) return false;
  return true;
}

/* Contacts of a pair at rest stay as they were. */
static bool keep_pair(walk *w, int32_t pair) {
  int32_t end = old_end(w, pair);
  for (int32_t old = w->old; old < end; old++)
    if (!emit(w, pair, w->past->touch + old, old)) return false;
  return true;
}

/* Pairs of an owner come next: if it is another, all of the last one are there. */
static void begin_run(walk *w, int32_t owner) {
  if (owner == w->owner) return;
  if (w->run < w->next->count) sc_filter_merge(w->collide, w->shapes, w->next, w->run);
  w->owner = owner, w->run = w->next->count;
}

/* The contacts of a pair. */
static bool walk_pair(walk *w, int32_t p, bool keeps, const sc_ahead *ahead) {
  const sc_collide *collide = w->collide;
  const sc_pair pair = collide->list.pair[p];
  const sc_shape_cache *a = collide->poses.cache + pair.one, *b = collide->poses.cache + pair.two;
  if (keeps && sc_bodies_rest(w->bodies, a->body, b->body)) return keep_pair(w, p);
  if (a->placed < 0 && b->placed < 0) return pair_of_spheres(w, p, a, b);
  return pair_of_any(w, p, pair.one, pair.two, ahead);
}

/* Contacts of the pairs first..end - 1. */
static bool walk_pairs(walk *w, int32_t first, int32_t end) {
  const sc_collide *collide = w->collide;
  const sc_memory *old = w->past;
  const bool keeps = w->bodies->rest && old->touches && w->next->touches,
             looks = collide->list.hints && sc_hints_solid(&collide->poses);
  sc_ahead ahead = {.end = first};
  w->old = sc_memory_first(old, first);
  w->owner = -1, w->run = w->next->count;
  for (int32_t p = first; p < end; p++) {
    if (!looks) sc_pair_ask(collide, p, end);
    else if (p == ahead.end) sc_ahead_look(collide, keeps ? w->bodies : NULL, p, end, &ahead);
    while (w->old < old->count && old->row[w->old].pair < p) w->old++;
    if (collide->list.parted && collide->list.apart[p] && !holds(w, p)) continue;
    if (w->merges) begin_run(w, sc_pair_owner(collide, p));
    if (!walk_pair(w, p, keeps, looks ? &ahead : NULL)) return false;
  }
  if (w->merges) begin_run(w, -1);
  return true;
}

typedef struct crew {
  const walk *walk;
  int failed;
} crew;

/* Makes room behind the first thread's contacts for those of the others. */
static bool make_room(const sc_collide *collide, sc_memory *to) {
  size_t total = (size_t)to->count;
  for (int t = 1; t < collide->shares; t++) total += (size_t)collide->share[t].memory.count;
  return total <= INT32_MAX && sc_memory_reserve(to, total);
}

/* Puts the contacts of the threads behind the first in their places: a share of each, so that no thread
 * copies alone. */
static void put_shares(const sc_collide *collide, int thread, int threads, sc_memory *to) {
  size_t at = (size_t)to->count;
  for (int t = 1; t < threads; t++) {
    const sc_memory *part = &collide->share[t].memory;
    int64_t first, end;
    sc_part(part->count, thread, threads, &first, &end);
    sc_memory_put(part, (size_t)first, (size_t)(end - first), to, at + (size_t)first);
    at += (size_t)part->count;
  }
}

/* Returns the first pair from p on whose owner is not the owner of the pair before. */
static int32_t next_run(const sc_collide *collide, int32_t p) {
  while (p > 0 && p < collide->list.pairs && sc_pair_owner(collide, p) == sc_pair_owner(collide, p - 1)) p++;
  return p;
}

/* A thread's part of the pairs, into its own memory and then into place; the first writes where the
 * result will be. */
static void walk_part(void *context, int thread, int threads) {
  crew *c = context;
  walk w = *c->walk;
  sc_collide *collide = w.collide;
  int64_t first, end;
  sc_part(collide->list.pairs, thread, threads, &first, &end);
  if (w.merges) first = next_run(collide, (int32_t)first), end = next_run(collide, (int32_t)end);
  if (thread) w.next = &collide->share[thread].memory;
  if (!walk_pairs(&w, (int32_t)first, (int32_t)end)) __atomic_store_n(&c->failed, 1, __ATOMIC_RELAXED);
  collide->share[thread].deepest = w.deepest;
  sc_pool_barrier(collide->pool);
  if (thread == 0 && !make_room(collide, w.next)) c->failed = 1;
  sc_pool_barrier(collide->pool);
  if (!__atomic_load_n(&c->failed, __ATOMIC_RELAXED)) put_shares(collide, thread, threads, c->walk->next);
}

/* What threads beside the first write to: scratch for as many as there can be where a pair has one contact at
 * most, else for some more than there were. What does not suffice becomes memory of their own. */
static bool share_out(const walk *w, int32_t pairs) {
  enum { SPARE = 256 };
  for (int t = 1; t < w->collide->shares; t++) {
    int64_t first, end;
    sc_part(pairs, t, w->collide->shares, &first, &end);
    const int32_t olds = sc_memory_first(w->past, (int32_t)end) - sc_memory_first(w->past, (int32_t)first);
    const int64_t most = w->next->touches ? olds + olds / 4 + SPARE : end - first;
    if (!sc_memory_lend(w->next, (size_t)most, w->collide->scratch, &w->collide->share[t].memory))
      return false;
  }
  return true;
}

enum { FEW_PAIRS = 2000 }; /* not worth waking anyone for */

static bool walk_all(walk *w) {
  sc_collide *collide = w->collide;
  int32_t pairs = collide->list.pairs;
  if (!collide->pool || collide->shares < 2 || pairs < FEW_PAIRS) return walk_pairs(w, 0, pairs);
  crew c = {w, 0};
  if (!share_out(w, pairs)) return false;
  sc_pool_run(collide->pool, walk_part, &c);
  for (int t = 0; t < collide->shares; t++) w->deepest = fmax(w->deepest, collide->share[t].deepest);
  for (int t = 1; t < collide->shares; t++) {
    sc_memory *memory = &collide->share[t].memory;
    if (!c.failed) w->next->count += memory->count;
    sc_memory_free(memory);
    *memory = (sc_memory){.lent = true};
  }
  return !c.failed;
}

/* Where a search in a part of many notes the bodies that it finds contacts of: none yet. */
static bool touch_none(sc_collide *collide, const sc_bodies *bodies) {
  if (!SC_GROW_LEAN(collide->touched, collide->touched_capacity, (size_t)bodies->count + 1)) return false;
  memset(collide->touched, 0, (size_t)bodies->count + 1);
  return true;
}

const uint8_t *sc_collide_touched(const sc_collide *collide) { return collide->touched; }

/* Settles the list and places all shapes. */
static scree_status make_ready(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, scree_error *error) {
  scree_status status = sc_collide_settle(collide, error);
  if (status) return status;
  if (shapes->count != collide->list.known)
    return sc_fail(error, SCREE_E_ARGUMENT, "the neighbour list knows %d shapes, not %d: build it first",
        (int)collide->list.known, (int)shapes->count);
  if (collide->poses.fresh) return SCREE_OK;
  return sc_poses_refresh(&collide->poses, bodies, shapes, dt, collide->pool, collide->scratch, error);
}

static scree_status find_contacts(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    int state_stride, int held_at, double dt, scree_error *error) {
  scree_status status = make_ready(collide, bodies, shapes, dt, error);
  if (status) return status;
  /* what there was moves to scratch, what there will be takes its place */
  sc_memory past, *now = &collide->now;
  bool fine = sc_memory_shape(now, state_stride, now->touches) &&
      sc_memory_copy(now, collide->pool, collide->scratch, &past);
  now->count = 0;
  collide->list.stepped = dt;
  walk w = {.collide = collide,
      .bodies = bodies,
      .shapes = shapes,
      .past = &past,
      .dt = dt,
      .fall = sc_collide_fall(collide, dt),
      .held_at = held_at,
      .next = now};
  if (bodies->cell && bodies->cell->moves) w.flow = bodies->cell->gradient;
  if (bodies->distributed) {
    fine = fine && touch_none(collide, bodies);
    w.touched = collide->touched;
  }
  fine = fine && sc_hints_keep(collide) && sc_memory_shape(now, state_stride, !collide->poses.plain);
  w.merges = fine && sc_filter_merges(now, shapes);
  fine = fine && walk_all(&w);
  collide->deepest = w.deepest;
  if (fine) return SCREE_OK;
  status = sc_fail(error, SCREE_E_MEMORY, "no memory for the contacts (%d were found)", (int)now->count);
  now->count = 0;
  return status;
}

/* What scratch goes back to: fresh poses go, too, where nothing lies behind them. */
static sc_arena_mark begin(sc_collide *collide) {
  const sc_arena_mark here = sc_collide_begin(collide), *to = &collide->poses.to;
  const bool last = here.used == to->used && here.held == to->held && here.extra == to->extra;
  return collide->poses.fresh && last ? collide->poses.from : here;
}

scree_status sc_collide_contacts(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    int state_stride, int held_at, double dt, int32_t *count, double **state, scree_error *error) {
  SC_ASSERT(collide && bodies && shapes && state_stride >= 0 && dt >= 0 && count && state);
  sc_arena_mark mark = begin(collide);
  scree_status status = sc_collide_end(
      collide, mark, find_contacts(collide, bodies, shapes, state_stride, held_at, dt, error));
  sc_poses_leave(&collide->poses);
  if (status) return status;
  *count = collide->now.count;
  *state = collide->now.state;
  return SCREE_OK;
}
