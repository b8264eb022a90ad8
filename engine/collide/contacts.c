/* Contacts of one step: the narrow phase over the list, and the memory of the step before.
 *
 * A touch becomes a contact where   gap <= margin min(r_1, r_2) + dt max(0, closing speed at the touch):  the margin keeps the
 * neighbours of a packing in the problem although they part a little, the second term holds what would close within the step
 * (discrete non-penetration, Preclik et al. 2017, section 3). Old and new contacts both lie in the order of the pairs, so the
 * old contacts of a pair are found by walking along, and matched by feature, else by place. */
#include <string.h>
#include "collide/list.h"
#include "math/vec.h"

typedef struct walk {
  sc_collide *collide;
  const sc_bodies *bodies;
  const sc_shapes *shapes;
  const int32_t *rule_table;
  int32_t materials, old;  /* columns of the table; next row of the old memory */
  int32_t stride;
  double dt;
  sc_memory *next;         /* where contacts go */
} walk;

/* Speed at which the surfaces of two bodies approach each other at a touch. */
static double closing_speed(const sc_bodies *bodies, int32_t one, int32_t two, const sc_touch *touch) {
  double v[3], arm[3], turn[3];
  sc_sub(bodies->velocity[two], bodies->velocity[one], v);
  sc_sub(touch->point, bodies->position[two], arm);
  sc_cross(bodies->spin[two], arm, turn);
  sc_add(v, turn, v);
  sc_sub(touch->point, bodies->position[one], arm);
  sc_cross(bodies->spin[one], arm, turn);
  sc_sub(v, turn, v);
  return sc_dot(v, touch->normal);
}

/* Rows of the old memory that belong to a pair: from w->old to the result. */
static int32_t old_end(const walk *w, int32_t pair) {
  const sc_memory *old = &w->collide->now;
  int32_t end = w->old;
  while (end < old->count && old->contact[end].pair == pair) end++;
  return end;
}

/* Impulse and state of an old contact, -1: none, zero. */
static void recall(const walk *w, int32_t from, sc_contact *contact, double *state) {
  if (from < 0) return;
  const sc_memory *old = &w->collide->now;
  sc_copy3(old->contact[from].impulse, contact->impulse);
  contact->state = old->contact[from].state;
  if (w->stride) memcpy(state, old->state + (size_t)from * (size_t)w->stride, (size_t)w->stride * sizeof(double));
}

static bool emit(walk *w, int32_t pair, const sc_hot *a, const sc_hot *b, const sc_touch *touch, int32_t from) {
  sc_memory *next = w->next;
  if ((size_t)next->count >= next->capacity ||
      (w->stride && (size_t)(next->count + 1) * (size_t)w->stride > next->state_capacity)) {
    if (next->count == INT32_MAX || !sc_memory_reserve(next, (size_t)next->count + 1, w->stride)) return false;
  }
  double *state = w->stride ? next->state + (size_t)next->count * (size_t)w->stride : NULL;
  if (state) memset(state, 0, (size_t)w->stride * sizeof *state);
  sc_pair rows = w->collide->pair[pair];
  int32_t material1 = w->shapes->row[rows.one].material, material2 = w->shapes->row[rows.two].material;
  sc_contact *contact = next->contact + next->count++;
  *contact = (sc_contact){.body1 = a->body, .body2 = b->body, .gap = touch->gap, .feature = touch->feature, .pair = pair,
                          .rule = w->rule_table[(size_t)material1 * (size_t)w->materials + (size_t)material2],
                          .material1 = material1, .material2 = material2};
  sc_copy3(touch->point, contact->point);
  sc_copy3(touch->normal, contact->normal);
  recall(w, from, contact, state);
  return true;
}

/* Two spheres: most pairs of most scenes; rejects by the distance of the centres before anything else. */
static bool pair_of_spheres(walk *w, int32_t pair, const sc_hot *a, const sc_hot *b) {
  double d[3], radii = a->radius + b->radius, near = w->collide->def.margin * (a->radius < b->radius ? a->radius : b->radius);
  double far = radii + near + a->travel + b->travel;
  sc_sub(a->centre, b->centre, d);
  double square = sc_dot(d, d);
  if (!(square <= far * far)) return true;
  sc_touch touch = {.normal = {0, 0, 1}};
  double distance = sqrt(square);
  if (distance > 0) sc_scale(1 / distance, d, touch.normal);
  touch.gap = distance - radii;
  sc_axpy(-(a->radius + 0.5 * touch.gap), touch.normal, a->centre, touch.point);
  if (touch.gap > near && !(touch.gap <= near + w->dt * closing_speed(w->bodies, a->body, b->body, &touch))) return true;
  return emit(w, pair, a, b, &touch, old_end(w, pair) > w->old ? w->old : -1);
}

/* A sphere as the narrow phase wants it. */
typedef struct sphere { sc_shape shape; sc_placed placed; } sphere;

static const sc_placed *placed_of(const walk *w, int32_t row, sphere *room) {
  const sc_hot *hot = w->collide->hot + row;
  if (hot->placed >= 0) return w->collide->placed + hot->placed;
  sc_shapes_get(w->shapes, row, &room->shape);
  room->placed = (sc_placed){.shape = &room->shape, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  sc_copy3(hot->centre, room->placed.position);
  return &room->placed;
}

/* Drops touches that are too far apart to matter in this step. */
static int keep_near(const walk *w, const sc_hot *a, const sc_hot *b, double near, sc_touch *touch, int count) {
  int kept = 0;
  for (int k = 0; k < count; k++)
    if (touch[k].gap <= near || touch[k].gap <= near + w->dt * closing_speed(w->bodies, a->body, b->body, touch + k))
      touch[kept++] = touch[k];
  return kept;
}

/* Which old contact each touch goes on from: the one of the same name; failing that the nearest nameless one within `far` and
 * with a like normal (where edges of two bodies lie on each other, a corner changes its name at the least motion). */
static void match(const walk *w, int32_t pair, const sc_touch *touch, int count, double far, int32_t from[SC_MAX_TOUCHES]) {
  const sc_contact *old = w->collide->now.contact + w->old;
  int32_t olds = old_end(w, pair) - w->old;
  uint64_t taken = 0;
  if (olds > 64) olds = 64;
  for (int k = 0; k < count; k++) {
    from[k] = -1;
    for (int32_t c = 0; c < olds && from[k] < 0; c++)
      if (old[c].feature == touch[k].feature) from[k] = w->old + c, taken |= UINT64_C(1) << c;
  }
  for (int k = 0; k < count; k++) {
    double best = far * far, d[3];
    int32_t nearest = -1;
    for (int32_t c = 0; c < olds && from[k] < 0; c++) {
      sc_sub(old[c].point, touch[k].point, d);
      double square = sc_dot(d, d);
      if (taken >> c & 1 || !(square < best) || sc_dot(old[c].normal, touch[k].normal) < 0.9) continue;
      best = square, nearest = c;
    }
    if (nearest >= 0) from[k] = w->old + nearest, taken |= UINT64_C(1) << nearest;
  }
}

static bool pair_of_any(walk *w, int32_t pair, int32_t one, int32_t two) {
  const sc_hot *a = w->collide->hot + one, *b = w->collide->hot + two;
  sphere room[2];
  sc_touch touch[SC_MAX_TOUCHES];
  int32_t from[SC_MAX_TOUCHES];
  double least = fmin(a->radius, b->radius), near = w->collide->def.margin * least, reach = near + a->travel + b->travel;
  int count = sc_narrow(placed_of(w, one, room), placed_of(w, two, room + 1), reach, touch);
  count = keep_near(w, a, b, near, touch, count);
  match(w, pair, touch, count, 0.1 * least, from);
  for (int k = 0; k < count; k++)
    if (!emit(w, pair, a, b, touch + k, from[k])) return false;
  return true;
}

/* Row of the first old contact of a pair or a later one. */
static int32_t first_old(const sc_memory *old, int32_t pair) {
  int32_t low = 0, high = old->count;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (old->contact[middle].pair < pair) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Contacts of the pairs first..end - 1. What their shapes hold is asked for ahead. */
enum { SHAPES_AHEAD = 16 };
static bool walk_pairs(walk *w, int32_t first, int32_t end) {
  const sc_collide *collide = w->collide;
  const sc_memory *old = &collide->now;
  w->old = first_old(old, first);
  w->next->count = 0;
  for (int32_t p = first; p < end; p++) {
    if (p + SHAPES_AHEAD < end) {
      __builtin_prefetch(collide->hot + collide->pair[p + SHAPES_AHEAD].one);
      __builtin_prefetch(collide->hot + collide->pair[p + SHAPES_AHEAD].two);
    }
    while (w->old < old->count && old->contact[w->old].pair < p) w->old++;
    sc_pair pair = collide->pair[p];
    const sc_hot *a = collide->hot + pair.one, *b = collide->hot + pair.two;
    bool spheres = a->placed < 0 && b->placed < 0;
    if (!(spheres ? pair_of_spheres(w, p, a, b) : pair_of_any(w, p, pair.one, pair.two))) return false;
  }
  return true;
}

typedef struct crew { const walk *walk; int failed; } crew;

/* Makes room behind the first thread's contacts for those of the others. */
static bool make_room(sc_collide *collide) {
  size_t total = (size_t)collide->next.count;
  for (int t = 1; t < collide->shares; t++) total += (size_t)collide->share[t].memory.count;
  return total <= INT32_MAX && sc_memory_reserve(&collide->next, total, collide->state_stride);
}

/* Puts the contacts of the threads behind the first in their places: a share of each, so that no thread copies alone. */
static void put_shares(sc_collide *collide, int thread, int threads) {
  sc_memory *next = &collide->next;
  size_t at = (size_t)next->count, stride = (size_t)collide->state_stride;
  for (int t = 1; t < threads; t++) {
    const sc_memory *part = &collide->share[t].memory;
    int64_t first, end;
    sc_part(part->count, thread, threads, &first, &end);
    size_t count = (size_t)(end - first), to = at + (size_t)first;
    if (count) memcpy(next->contact + to, part->contact + first, count * sizeof *part->contact);
    if (count && stride) memcpy(next->state + to * stride, part->state + (size_t)first * stride, count * stride * sizeof *part->state);
    at += (size_t)part->count;
  }
}

/* A thread's part of the pairs, into its own memory and then into place; the first writes where the result will be. */
static void walk_part(void *context, int thread, int threads) {
  crew *c = context;
  walk w = *c->walk;
  int64_t first, end;
  sc_part(w.collide->pairs, thread, threads, &first, &end);
  if (thread) w.next = &w.collide->share[thread].memory;
  if (!walk_pairs(&w, (int32_t)first, (int32_t)end)) __atomic_store_n(&c->failed, 1, __ATOMIC_RELAXED);
  if (threads == 1) return;
  sc_pool_barrier(w.collide->pool);
  if (thread == 0 && !make_room(w.collide)) c->failed = 1;
  sc_pool_barrier(w.collide->pool);
  if (!__atomic_load_n(&c->failed, __ATOMIC_RELAXED)) put_shares(w.collide, thread, threads);
}

enum { FEW_PAIRS = 2000 }; /* not worth waking anyone for */

static bool walk_all(const walk *w) {
  crew c = {w, 0};
  if (!w->collide->pool || w->collide->pairs < FEW_PAIRS) {
    walk_part(&c, 0, 1);
    return !c.failed;
  }
  sc_pool_run(w->collide->pool, walk_part, &c);
  for (int t = 1; t < w->collide->shares && !c.failed; t++) w->collide->next.count += w->collide->share[t].memory.count;
  return !c.failed;
}

/* Law state of another width than remembered: the impulses stay, the state starts at zero. */
static void change_stride(sc_collide *collide, int32_t stride) {
  if (stride == collide->state_stride) return;
  collide->state_stride = stride;
  size_t count = (size_t)collide->now.count;
  if (sc_memory_reserve(&collide->now, count, stride)) {
    if (stride && count) memset(collide->now.state, 0, count * (size_t)stride * sizeof(double));
  } else {
    collide->now.count = 0;
  }
}

static scree_status find_contacts(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    const int32_t *rule_table, int32_t materials, int state_stride, double dt, scree_error *error) {
  change_stride(collide, state_stride);
  scree_status status = sc_collide_settle(collide, error);
  if (status) return status;
  if (shapes->count != collide->known)
    return sc_fail(error, SCREE_E_ARGUMENT, "the neighbour list knows %d shapes, not %d: build it first", (int)collide->known,
        (int)shapes->count);
  status = sc_collide_refresh(collide, bodies, shapes, dt, error);
  if (status) return status;
  walk w = {.collide = collide, .bodies = bodies, .shapes = shapes, .rule_table = rule_table, .materials = materials, .stride = state_stride,
      .dt = dt,
            .next = &collide->next};
  if (!walk_all(&w)) return sc_fail(error, SCREE_E_MEMORY, "no memory for more than %d contacts", (int)collide->next.count);
  sc_memory swap = collide->now;
  collide->now = collide->next, collide->next = swap;
  return SCREE_OK;
}

scree_status sc_collide_contacts(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    const int32_t *rule_table, int32_t materials,
                                 int state_stride, double dt, sc_contact **contacts, int32_t *count, double **state,
                                 scree_error *error) {
  sc_arena_mark mark = sc_collide_begin(collide);
  scree_status status = find_contacts(collide, bodies, shapes, rule_table, materials, state_stride, dt, error);
  if (status) return sc_collide_end(collide, mark, status);
  *contacts = collide->now.contact;
  *count = collide->now.count;
  *state = collide->now.state;
  return sc_collide_end(collide, mark, status);
}
