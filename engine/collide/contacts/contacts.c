/* Contacts of one step: the narrow phase over the list, and the contact cache of the last step.
 *
 * A touch becomes a contact if
 *     gap <= margin min_radius(r_1, r_2) + dt max(0, closing speed at the touch).
 * The margin keeps the neighbours of a packing in the problem although they separate a little. The second
 * term admits gaps that would close within the step (discrete non-penetration, Preclik et al. 2017, section
 * 3). Old and new contacts are both sorted by pair. One scan over the pairs therefore finds the old contacts
 * of each pair. Old and new contacts of a pair are matched by feature id, else by position. */
#include <string.h>
#include "collide/contacts/box_batch.h"
#include "collide/contacts/filter.h"
#include "collide/contacts/match.h"
#include "collide/contacts/pair_caches.h"
#include "collide/narrow/narrow.h"
#include "collide/state.h"
#include "math/vec.h"
#include "model/pairs.h"
#include "model/relative.h"
#include "model/rest.h"

/* A scan over pairs of the list. It appends the contacts of the pairs to `next`. */
typedef struct pair_scan {
  sc_collide *collide;
  const sc_bodies *bodies;
  const sc_shapes *shapes;
  const sc_contact_cache *past; /* contacts of the last step */
  int32_t old;                  /* row in `past`: first contact of the current pair or of a later pair */
  double dt, deepest;           /* duration of the step [s]; largest penetration found [m] */
  double fall;                  /* gap that gravity closes within the step [m] */
  /* index in the law state of a number that is > 0 if cohesion holds the contact; -1: there is no such
   * number */
  int held_at;
  const double *flow;     /* velocity gradient of a deforming cell, row-major [1/s]; else NULL */
  sc_contact_cache *next; /* contacts of this step */
  uint8_t *touched;       /* [bodies] set to 1 if a body has a contact; NULL: not recorded */
  bool merges;            /* true if contacts of bodies of several shapes are merged */
  int32_t owner, run;     /* owner of the current pair (row of a body, -1: none); row in `next` of the owner's
                         first contact */
} pair_scan;

/* Returns the row after the last row of `past` that belongs to a pair. The pair's rows start at w->old. */
static int32_t find_old_end(const pair_scan *w, int32_t pair) {
  int32_t end = w->old;
  while (end < w->past->count && w->past->row[end].pair == pair) end++;
  return end;
}

/* Marks the bodies of a pair as having a contact. Stores are atomic because threads may mark the same
 * body. */
static void mark_bodies(const pair_scan *w, int32_t pair) {
  sc_pair rows = w->collide->list.pair[pair];
  __atomic_store_n(w->touched + w->collide->poses.cache[rows.one].body, 1, __ATOMIC_RELAXED);
  __atomic_store_n(w->touched + w->collide->poses.cache[rows.two].body, 1, __ATOMIC_RELAXED);
}

/* Copies the part of the law state that contacts of a pair share (sc_collide_share) from an old contact of
 * the pair with a similar normal. Does nothing if there is no such contact. */
static void share_state(const pair_scan *w, int32_t pair, const double normal[3], double *state) {
  const int at = w->collide->shared_at, end = w->past->stride;
  for (int32_t old = w->old; w->past->touches && old < find_old_end(w, pair); old++) {
    if (!(sc_dot(w->past->touch[old].normal, normal) > 0.9) || at + w->collide->shared > end) continue;
    memcpy(state + at, sc_contact_cache_state(w->past, old) + at, (size_t)w->collide->shared * sizeof *state);
    return;
  }
}

/* Applies the smallest rotation from the unit vector a to the unit vector b to v. Does not change v if the
 * angle is 90 degrees or more. */
static void rotate_between(const double a[3], const double b[3], double v[3]) {
  double axis[3], turned[3], cosine = sc_dot(a, b);
  if (!(cosine > 0) || !memcmp(a, b, 3 * sizeof *a)) return;
  sc_cross(a, b, axis);
  sc_cross(axis, v, turned);
  sc_axpy(sc_dot(axis, v) / (1 + cosine), axis, turned, turned);
  sc_axpy(cosine, v, turned, v);
}

/* Appends a contact. from: row in `past` of the contact whose impulse and law state the new contact inherits;
 * -1: the new contact gets zeros. Returns false if out of memory. */
static bool append_contact(pair_scan *w, int32_t pair, const sc_touch *touch, int32_t from) {
  sc_contact_cache *next = w->next;
  size_t at = (size_t)next->count, need = at + 1;
  if (need > next->capacity || need * (size_t)next->stride > next->state_capacity ||
      (next->touches && need > next->touch_capacity))
    if (need > INT32_MAX || !sc_contact_cache_reserve(next, need)) return false;
  next->row[at] = (sc_cached_contact){.pair = pair};
  if (from >= 0) next->row[at] = w->past->row[from];
  if (next->touches) next->touch[at] = *touch;
  if (from >= 0 && w->collide->turns && w->past->touches)
    rotate_between(w->past->touch[from].normal, touch->normal, next->row[at].impulse);
  if (next->stride) {
    size_t bytes = (size_t)next->stride * sizeof *next->state;
    if (from >= 0)
      memcpy(sc_contact_cache_state(next, next->count), sc_contact_cache_state(w->past, from), bytes);
    else {
      memset(sc_contact_cache_state(next, next->count), 0, bytes);
      if (w->collide->shared) share_state(w, pair, touch->normal, sc_contact_cache_state(next, next->count));
    }
  }
  if (-touch->gap > w->deepest) w->deepest = -touch->gap;
  next->count++;
  if (w->touched) mark_bodies(w, pair);
  return true;
}

/* Returns true if cohesion held a contact of a pair in the last step. The old contacts start at w->old. */
static bool was_held_by_cohesion(const pair_scan *w, int32_t pair) {
  bool held = false;
  for (int32_t old = w->old; w->held_at >= 0 && old < find_old_end(w, pair); old++)
    held = held || sc_contact_cache_state(w->past, old)[w->held_at] > 0;
  return held;
}

static const sc_cohesion *cohesion_of(const pair_scan *w, int32_t pair) {
  const sc_pairs *rules = w->collide->def.pairs;
  sc_pair rows = w->collide->list.pair[pair];
  int32_t one = w->shapes->row[rows.one].material, two = w->shapes->row[rows.two].material;
  return &rules->rule[rules->table[one * rules->materials + two]].cohesion;
}

/* Returns true if cohesion acts across a gap, because the gap is within the range of new attraction. If
 * cohesion held a contact of the pair in the last step, the range of existing attraction counts instead. */
static bool is_cohesive(const pair_scan *w, int32_t pair, double gap) {
  if (!(gap <= w->collide->range)) return false;
  const sc_cohesion *c = cohesion_of(w, pair);
  if (!(c->strength > 0)) return false;
  if (gap <= c->near) return true;
  return gap <= c->farthest && was_held_by_cohesion(w, pair);
}

/* Relative error bound of cached velocities, which have 8 bits of mantissa: 2^-8 and a margin. */
static const double rounding = 0.005;

/* Returns an upper bound of the squared centre distance at which two spheres can still touch within the step.
 * d: vector between the centres. reach: centre distance without motion. The gap closes by at most
 * dt max(0, -dv.d) / |d|. dv: difference of the cached centre velocities. Spin closes no gap. */
static double max_squared_distance(
    const pair_scan *w, const sc_shape_cache *a, const sc_shape_cache *b, const double d[3], double reach) {
  double along = 0, travel = a->travel + b->travel;
  for (int k = 0; k < 3; k++) along -= (sc_of_short(a->velocity[k]) - sc_of_short(b->velocity[k])) * d[k];
  if (w->flow) {
    double flow[3]; /* cached velocities are relative to the flow of the cell */
    sc_mat_vec(w->flow, d, flow);
    along -= sc_dot(flow, d);
  }
  /* the caller has checked that |d| > reach */
  double far = reach * (1 + 1e-9) + rounding * travel + (along <= 0 ? 0 : w->dt * along / reach);
  return far < reach + travel ? far * far : (reach + travel) * (reach + travel);
}

/* Returns the largest gap of a contact if no body moves [m]. min_radius: the smaller bounding radius. */
static double static_gap_of(const pair_scan *w, double min_radius) {
  const double margin = w->collide->margin * min_radius;
  return margin > w->fall ? margin : w->fall;
}

/* Appends the contact of two spheres if they have one. Tests the centre distance first, because most pairs of
 * most scenes are spheres out of reach. Returns false if out of memory. */
static bool scan_spheres(pair_scan *w, int32_t pair, const sc_shape_cache *a, const sc_shape_cache *b) {
  double d[3], radii = a->radius + b->radius,
               near = static_gap_of(w, a->radius < b->radius ? a->radius : b->radius);
  const sc_image *image = sc_list_image(&w->collide->list, pair);
  sc_poses_displacement(&w->collide->poses, a, b, image, d);
  double square = sc_dot(d, d), reach = radii + near, range = radii + w->collide->range;
  if (!(square <= reach * reach) && !(square <= max_squared_distance(w, a, b, d, reach)) &&
      !(square <= range * range))
    return true;
  sc_touch touch;
  sc_touch_spheres(a, b, d, sqrt(square), &touch);
  if (touch.gap > near &&
      !(touch.gap <=
          near + w->dt * sc_closing_speed(w->bodies, a->body, b->body, image, touch.point, touch.normal)) &&
      !is_cohesive(w, pair, touch.gap))
    return true;
  return append_contact(w, pair, &touch, find_old_end(w, pair) > w->old ? w->old : -1);
}

/* Returns the pose of a shape shifted to a periodic image. room: memory for the shifted pose. */
static const sc_placed *place_image(
    const sc_poses *poses, const sc_placed *placed, const sc_image *image, sc_placed *room) {
  double shift[3];
  if (sc_image_is_body(image)) return placed;
  sc_cell_shift(&poses->cell, image, shift);
  if (placed != room) *room = *placed;
  sc_add(room->position, shift, room->position);
  return room;
}

/* Drops touches whose gap does not close within the step and across which no cohesion acts. near: gap below
 * which a touch always stays [m]. Returns the number of touches that stay. */
static int drop_far_touches(const pair_scan *w, int32_t pair, const sc_shape_cache *a,
    const sc_shape_cache *b, const sc_image *image, double near, sc_touch *touch, int count) {
  int kept = 0;
  for (int k = 0; k < count; k++)
    if (touch[k].gap <= near ||
        touch[k].gap <= near +
                w->dt *
                    sc_closing_speed(w->bodies, a->body, b->body, image, touch[k].point, touch[k].normal) ||
        is_cohesive(w, pair, touch[k].gap))
      touch[kept++] = touch[k];
  return kept;
}

/* Computes from which contact of `past` each touch inherits (from[k]; -1: none). */
static void match_contacts(const pair_scan *w, int32_t pair, const sc_touch *touch, int count, double far,
    int32_t from[SC_MAX_TOUCHES]) {
  const int32_t olds = find_old_end(w, pair) - w->old;
  if (w->past->touches) sc_match_touches(w->past->touch + w->old, olds, touch, count, far, from);
  else /* geometry is not stored: each pair has one contact with feature id 0 */
    for (int k = 0; k < count; k++) from[k] = olds && touch[k].feature == 0 ? 0 : -1;
  for (int k = 0; k < count; k++)
    if (from[k] >= 0) from[k] += w->old;
}

static sc_pair_cache *pair_cache_of(const pair_scan *w, int32_t pair) {
  return w->collide->list.pair_caches ? w->collide->list.pair_cache + pair : NULL;
}

/* Finds the touches of a pair within reach and returns their number. batch: box batch or NULL
 * (box_batch.h). */
static int find_touches(const pair_scan *w, int32_t pair, const sc_placed *a, const sc_placed *b,
    double reach, const sc_box_batch *batch, sc_touch *out) {
  const int lane = sc_box_batch_lane(batch, pair);
  sc_pair_cache *pair_cache = pair_cache_of(w, pair);
  if (!pair_cache) return sc_narrow(a, b, reach, out);
  if (lane >= 0) return sc_narrow_boxes(&batch->boxes, lane, a, b, reach, pair_cache, out);
  return sc_narrow_again(
      a, b, reach, pair_cache, sc_triangle_cache_of(&w->collide->list, pair), w->collide->kernels, out);
}

static bool scan_shapes(pair_scan *w, int32_t pair, int32_t one, int32_t two, const sc_box_batch *batch) {
  const sc_shape_cache *a = w->collide->poses.cache + one, *b = w->collide->poses.cache + two;
  sc_placed_room room[2];
  sc_touch touch[SC_MAX_TOUCHES];
  int32_t from[SC_MAX_TOUCHES];
  const int lane = sc_box_batch_lane(batch, pair);
  if (lane == SC_BATCH_APART) return true;
  double min_radius = a->radius < b->radius ? a->radius : b->radius, near = static_gap_of(w, min_radius),
         reach = sc_pair_reach(w->collide, a, b);
  const sc_image *image = sc_list_image(&w->collide->list, pair);
  if (lane < 0 && sc_poses_apart(&w->collide->poses, a, b, image, reach)) return true;
  const sc_placed *pa = sc_poses_placed(&w->collide->poses, one, room),
                  *pb = sc_poses_placed(&w->collide->poses, two, room + 1);
  pb = place_image(&w->collide->poses, pb, image, &room[1].placed);
  int count = find_touches(w, pair, pa, pb, reach, batch, touch);
  if (!count) return true;
  count = drop_far_touches(w, pair, a, b, image, near, touch, count);
  const bool adds_up = w->collide->def.springs || (w->held_at >= 0 && cohesion_of(w, pair)->strength > 0);
  count = sc_filter_touches(&(sc_filter){pa, pb, w->bodies, a->body, b->body, image, min_radius, w->dt,
                                w->fall, pair_cache_of(w, pair), w->collide, pair, adds_up},
      touch, count);
  match_contacts(w, pair, touch, count, 0.1 * min_radius, from);
  for (int k = 0; k < count; k++)
    if (!append_contact(w, pair, touch + k, from[k])) return false;
  return true;
}

/* Copies the old contacts of a pair that sleeps. */
static bool copy_old_contacts(pair_scan *w, int32_t pair) {
  int32_t end = find_old_end(w, pair);
  for (int32_t old = w->old; old < end; old++)
    if (!append_contact(w, pair, w->past->touch + old, old)) return false;
  return true;
}

/* Begins a pair whose owner is `owner`. If the pair before had another owner, all contacts of that owner have
 * been found, and the function merges them. */
static void begin_run(pair_scan *w, int32_t owner) {
  if (owner == w->owner) return;
  if (w->run < w->next->count) sc_filter_merge(w->collide, w->shapes, w->next, w->run);
  w->owner = owner, w->run = w->next->count;
}

/* Appends the contacts of pair p. keeps: pairs that sleep keep their contacts. Returns false if out of
 * memory. */
static bool scan_pair(pair_scan *w, int32_t p, bool keeps, const sc_box_batch *batch) {
  const sc_collide *collide = w->collide;
  const sc_pair pair = collide->list.pair[p];
  const sc_shape_cache *a = collide->poses.cache + pair.one, *b = collide->poses.cache + pair.two;
  if (keeps && sc_bodies_rest(w->bodies, a->body, b->body)) return copy_old_contacts(w, p);
  if (a->placed < 0 && b->placed < 0) return scan_spheres(w, p, a, b);
  return scan_shapes(w, p, pair.one, pair.two, batch);
}

/* Appends the contacts of the pairs first..end - 1. Returns false if out of memory. */
static bool scan_pairs(pair_scan *w, int32_t first, int32_t end) {
  const sc_collide *collide = w->collide;
  const sc_contact_cache *old = w->past;
  const bool keeps = w->bodies->rest && old->touches && w->next->touches,
             looks = collide->list.pair_caches && sc_has_many_solids(&collide->poses);
  sc_box_batch batch = {.end = first};
  w->old = sc_contact_cache_find(old, first);
  w->owner = -1, w->run = w->next->count;
  for (int32_t p = first; p < end; p++) {
    if (!looks) sc_pair_prefetch(collide, p, end);
    else if (p == batch.end) sc_box_batch_fill(collide, keeps ? w->bodies : NULL, p, end, &batch);
    while (w->old < old->count && old->row[w->old].pair < p) w->old++;
    if (collide->list.excluded_version && collide->list.excluded[p] && !was_held_by_cohesion(w, p)) continue;
    if (w->merges) begin_run(w, sc_pair_owner(collide, p));
    if (!scan_pair(w, p, keeps, looks ? &batch : NULL)) return false;
  }
  if (w->merges) begin_run(w, -1);
  return true;
}

/* A scan shared by all threads of the pool. */
typedef struct shared_scan {
  const pair_scan *scan;
  int failed; /* atomic; 1: a thread is out of memory */
} shared_scan;

/* Reserves memory behind the contacts of the first thread for the contacts of all other threads. */
static bool reserve_total(const sc_collide *collide, sc_contact_cache *to) {
  size_t total = (size_t)to->count;
  for (int t = 1; t < collide->buffers; t++) total += (size_t)collide->buffer[t].contacts.count;
  return total <= INT32_MAX && sc_contact_cache_reserve(to, total);
}

/* Appends the contacts of all other threads to the contacts of the first thread. Each thread copies a share
 * of every buffer, so that no thread copies alone. */
static void copy_buffers(const sc_collide *collide, int thread, int threads, sc_contact_cache *to) {
  size_t at = (size_t)to->count;
  for (int t = 1; t < threads; t++) {
    const sc_contact_cache *part = &collide->buffer[t].contacts;
    int64_t first, end;
    sc_part(part->count, thread, threads, &first, &end);
    sc_contact_cache_copy_rows(part, (size_t)first, (size_t)(end - first), to, at + (size_t)first);
    at += (size_t)part->count;
  }
}

/* Returns the first pair >= p whose owner is not the owner of the preceding pair. */
static int32_t find_next_run(const sc_collide *collide, int32_t p) {
  while (p > 0 && p < collide->list.pairs && sc_pair_owner(collide, p) == sc_pair_owner(collide, p - 1)) p++;
  return p;
}

/* Scans the pairs of one thread into the thread's buffer, then copies a share of all buffers. The first
 * thread writes to the result directly. */
static void scan_thread_part(void *context, int thread, int threads) {
  shared_scan *c = context;
  pair_scan w = *c->scan;
  sc_collide *collide = w.collide;
  int64_t first, end;
  sc_part(collide->list.pairs, thread, threads, &first, &end);
  if (w.merges) first = find_next_run(collide, (int32_t)first), end = find_next_run(collide, (int32_t)end);
  if (thread) w.next = &collide->buffer[thread].contacts;
  if (!scan_pairs(&w, (int32_t)first, (int32_t)end)) __atomic_store_n(&c->failed, 1, __ATOMIC_RELAXED);
  collide->buffer[thread].deepest = w.deepest;
  sc_pool_barrier(collide->pool);
  if (thread == 0 && !reserve_total(collide, w.next)) c->failed = 1;
  sc_pool_barrier(collide->pool);
  if (!__atomic_load_n(&c->failed, __ATOMIC_RELAXED)) copy_buffers(collide, thread, threads, c->scan->next);
}

/* Allocates the buffers of the other threads in scratch. If each pair has at most one contact, a buffer has
 * memory for one contact per pair. Otherwise a buffer has memory for 25 % + SPARE more contacts than the last
 * step had. If a buffer overflows, it moves to the heap. Returns false if out of memory. */
static bool allocate_buffers(const pair_scan *w, int32_t pairs) {
  enum { SPARE = 256 };
  for (int t = 1; t < w->collide->buffers; t++) {
    int64_t first, end;
    sc_part(pairs, t, w->collide->buffers, &first, &end);
    const int32_t olds = sc_contact_cache_find(w->past, (int32_t)end) -
        sc_contact_cache_find(w->past, (int32_t)first);
    const int64_t max = w->next->touches ? olds + olds / 4 + SPARE : end - first;
    if (!sc_contact_cache_borrow(w->next, (size_t)max, w->collide->scratch, &w->collide->buffer[t].contacts))
      return false;
  }
  return true;
}

enum { FEW_PAIRS = 2000 }; /* scans of fewer pairs use one thread, because waking threads costs more */

static bool scan_all_pairs(pair_scan *w) {
  sc_collide *collide = w->collide;
  int32_t pairs = collide->list.pairs;
  if (!collide->pool || collide->buffers < 2 || pairs < FEW_PAIRS) return scan_pairs(w, 0, pairs);
  shared_scan c = {w, 0};
  if (!allocate_buffers(w, pairs)) return false;
  sc_pool_run(collide->pool, scan_thread_part, &c);
  for (int t = 0; t < collide->buffers; t++) w->deepest = fmax(w->deepest, collide->buffer[t].deepest);
  for (int t = 1; t < collide->buffers; t++) {
    sc_contact_cache *cache = &collide->buffer[t].contacts;
    if (!c.failed) w->next->count += cache->count;
    sc_contact_cache_free(cache);
    *cache = (sc_contact_cache){.lent = true};
  }
  return !c.failed;
}

/* Several ranks only: clears the flags of the bodies that have contacts. Returns false if out of memory. */
static bool clear_touched(sc_collide *collide, const sc_bodies *bodies) {
  if (!SC_GROW_LEAN(collide->touched, collide->touched_capacity, (size_t)bodies->count + 1)) return false;
  memset(collide->touched, 0, (size_t)bodies->count + 1);
  return true;
}

const uint8_t *sc_collide_touched(const sc_collide *collide) { return collide->touched; }

/* Removes pairs of removed shapes from the list, and computes the poses of all shapes for this step. */
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
  /* the old contacts are moved to scratch, and the new contacts are written to collide->now */
  sc_contact_cache past, *now = &collide->now;
  bool fine = sc_contact_cache_set_layout(now, state_stride, now->touches) &&
      sc_contact_cache_copy(now, collide->pool, collide->scratch, &past);
  now->count = 0;
  collide->list.stepped = dt;
  pair_scan w = {.collide = collide,
      .bodies = bodies,
      .shapes = shapes,
      .past = &past,
      .dt = dt,
      .fall = sc_collide_fall(collide, dt),
      .held_at = held_at,
      .next = now};
  if (bodies->cell && bodies->cell->moves) w.flow = bodies->cell->gradient;
  if (bodies->distributed) {
    fine = fine && clear_touched(collide, bodies);
    w.touched = collide->touched;
  }
  fine = fine && sc_pair_caches_reserve(collide) &&
      sc_contact_cache_set_layout(now, state_stride, !collide->poses.plain || collide->turns);
  w.merges = fine && !collide->poses.plain && sc_filter_merges(now, shapes);
  fine = fine && scan_all_pairs(&w);
  collide->deepest = w.deepest;
  if (fine) return SCREE_OK;
  status = sc_fail(error, SCREE_E_MEMORY, "no memory for the contacts (%d were found)", (int)now->count);
  now->count = 0;
  return status;
}

void sc_collide_share(sc_collide *collide, int at, int count) {
  collide->shared_at = at, collide->shared = count;
}

void sc_collide_turn(sc_collide *collide, bool turns) { collide->turns = turns; }

/* Returns the arena mark to restore after the call. The mark lies before the fresh poses if they are the last
 * block of the arena. The poses are then freed after the call, too. */
static sc_arena_mark begin_search(sc_collide *collide) {
  const sc_arena_mark here = sc_collide_begin(collide), *to = &collide->poses.to;
  const bool last = here.used == to->used && here.held == to->held && here.extra == to->extra;
  return collide->poses.fresh && last ? collide->poses.from : here;
}

scree_status sc_collide_contacts(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    int state_stride, int held_at, double dt, int32_t *count, double **state, scree_error *error) {
  SC_ASSERT(collide && bodies && shapes && state_stride >= 0 && dt >= 0 && count && state);
  sc_arena_mark mark = begin_search(collide);
  scree_status status = sc_collide_end(
      collide, mark, find_contacts(collide, bodies, shapes, state_stride, held_at, dt, error));
  sc_poses_leave(&collide->poses);
  if (status) return status;
  *count = collide->now.count;
  *state = collide->now.state;
  return SCREE_OK;
}
