/* Life of the neighbour list: when it is stale, how it is rebuilt, what removals do to it.
 *
 * The list holds every pair whose bounds were within  slack_1 + slack_2 + margin min(r_1, r_2)
 * when it was built (skin.c: the
 * slacks). As long as no point of a shape has gone, or can go within the coming step, further than its
 * own slack, every pair that could touch in the step is in it. A shape has gone at most |x - x0| + 2 L
 * |q - q0| (L: its lever about the body's position; a turn by theta moves a point by at most 2 L
 * sin(theta/2) <= 2 L |q - q0|) and can go dt (|v| + L |w|). Fixed bodies have no slack; moving them by
 * hand must be told (dirty).
 *
 * What a step finds must not depend on when lists were built, or the skin would show in the results. So
 * rows are put in order on a clock of their own (after so many steps, or when something was added or
 * moved by hand), and the list is always sorted by the ranks that rows had then (rank.c), whoever has
 * moved into which row since. */
#include <string.h>
#include "collide/list/list.h"
#include "math/vec.h"

sc_collide *sc_collide_create(const sc_collide_def *def) {
  sc_collide *collide = sc_alloc(sizeof *collide);
  if (!collide) return NULL;
  collide->def = *def;
  collide->dirty = true;
  collide->factor = 1;
  collide->scratch = def->scratch ? def->scratch : &collide->own;
  return collide;
}

sc_arena_mark sc_collide_begin(sc_collide *collide) {
  if (collide->scratch == &collide->own) sc_arena_reset(&collide->own);
  return sc_arena_here(collide->scratch);
}

scree_status sc_collide_end(sc_collide *collide, sc_arena_mark mark, scree_status status) {
  sc_arena_back(collide->scratch, mark);
  return status;
}

static void free_shares(sc_collide *collide) {
  for (int t = 0; t < collide->shares; t++) {
    sc_memory_free(&collide->share[t].memory);
    sc_free(collide->share[t].pair);
  }
  sc_free(collide->share);
}

scree_status sc_collide_set_pool(sc_collide *collide, sc_pool *pool) {
  int threads = sc_pool_threads(pool);
  sc_share *share = sc_alloc((size_t)threads * sizeof *share);
  if (!share) return SCREE_E_MEMORY;
  free_shares(collide);
  collide->share = share, collide->shares = threads, collide->pool = pool;
  return SCREE_OK;
}

void sc_collide_destroy(sc_collide *collide) {
  if (!collide) return;
  sc_free(collide->pair);
  sc_free(collide->anchor);
  sc_free(collide->turned);
  sc_free(collide->drift);
  sc_free(collide->alias);
  sc_free(collide->origin);
  sc_free(collide->rank);
  sc_free(collide->cache);
  sc_free(collide->placed);
  sc_memory_free(&collide->now);
  sc_memory_free(&collide->early);
  sc_memory_free(&collide->rest);
  sc_free(collide->late);
  sc_free(collide->touched);
  free_shares(collide);
  sc_arena_free(&collide->own);
  sc_free(collide);
}

void sc_collide_bytes(const sc_collide *collide, size_t *shapes, size_t *contacts) {
  *shapes = collide->anchor_capacity * sizeof *collide->anchor +
      collide->turned_capacity * sizeof *collide->turned + collide->drift_capacity * sizeof *collide->drift +
      collide->names_capacity * (sizeof *collide->alias + sizeof *collide->origin + sizeof *collide->rank) +
      collide->cache_capacity * sizeof *collide->cache + collide->placed_capacity * sizeof *collide->placed;
  *contacts = collide->pair_capacity * sizeof *collide->pair + sc_memory_bytes(&collide->now) +
      collide->own.size + sc_memory_bytes(&collide->early) + sc_memory_bytes(&collide->rest) +
      collide->late_capacity + collide->touched_capacity;
  for (int t = 0; t < collide->shares; t++)
    *contacts += sc_memory_bytes(&collide->share[t].memory) +
        collide->share[t].pair_capacity * sizeof *collide->pair;
}

int64_t sc_collide_rebuilds(const sc_collide *collide) { return collide->rebuilds; }
int64_t sc_collide_pairs(const sc_collide *collide) { return collide->pairs; }
double sc_collide_skin(const sc_collide *collide) {
  return sc_collide_base_skin(collide) * (collide->def.skin > 0 ? 1 : collide->factor);
}
void sc_collide_tick(sc_collide *collide) {
  collide->age++, collide->lived++, collide->elapsed += collide->stepped;
}
void sc_collide_dirty(sc_collide *collide) {
  collide->dirty = true;
  collide->ahead = false;
}

/* Way the points of a shape have gone from where its anchor has drifted since the list was built, from
 * above. */
static double gone(const sc_anchor *anchor, const double drifted[3], const sc_turned *turned,
    const sc_bodies *bodies, int32_t body) {
  double d[3];
  sc_sub(bodies->position[body], anchor->position, d);
  sc_sub(d, drifted, d);
  double way = sc_norm(d);
  if (!turned || !(turned->lever > 0)) return way;
  const double *p = turned->orientation, *q = bodies->orientation[body];
  double cosine = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3], sign = cosine < 0 ? -1 : 1,
         square = 0;
  for (int k = 0; k < 4; k++) square += (q[k] - sign * p[k]) * (q[k] - sign * p[k]);
  return square > 0 ? way + 2 * turned->lever * sqrt(square) : way;
}

bool sc_collide_disordered(const sc_collide *collide, const sc_shapes *shapes) {
  return collide->dirty || shapes->count != collide->known || collide->age >= SC_ORDER_PERIOD;
}

typedef struct check {
  const sc_collide *collide;
  const sc_bodies *bodies;
  const sc_shapes *shapes;
  double dt;
} check;

double sc_collide_used(
    const sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, int32_t row) {
  const sc_anchor *anchor = collide->anchor + row;
  int32_t body = shapes->row[row].body, form = shapes->row[row].form;
  if (bodies->kind[body] == SCREE_FIXED) return 0;
  const sc_turned *turned = form < 0 ? NULL : collide->turned + form;
  const double *drift = sc_drift(collide, row);
  double drifted[3], lever = turned ? turned->lever : 0;
  sc_scale(collide->elapsed, drift, drifted);
  double way = gone(anchor, drifted, turned, bodies, body) +
      dt * sc_collide_speed_from(bodies, body, drift, lever);
  return way > 0 ? way / (double)anchor->slack : way == 0 ? 0 : INFINITY;
}

/* The largest share of a slack that a range of shapes has used or can use. */
static double used_share(void *context, int64_t first, int64_t end) {
  const check *k = context;
  double most = 0;
  for (int64_t row = first; row < end; row++) {
    double used = sc_collide_used(k->collide, k->bodies, k->shapes, k->dt, (int32_t)row);
    if (used > most) most = used;
  }
  return most;
}

bool sc_collide_stale(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt) {
  if (sc_collide_disordered(collide, shapes)) return true;
  check k = {collide, bodies, shapes, dt};
  collide->used = sc_pool_most(collide->pool, shapes->count, used_share, &k);
  sc_collide_count_used(collide, collide->used);
  /* the span of drifting is over */
  if (collide->drifts && !(fabs(collide->elapsed - 0.5 * collide->span) + dt <= collide->half * (1 + 1e-9))) {
    collide->used = fmin(collide->used, 1);
    return true;
  }
  return !(collide->used <= 1) && !sc_collide_mend(collide, bodies, shapes, dt);
}

/* Names of the list's shapes in new rows: new_row[list row] = new row, -1 gone. */
static bool rename_rows(sc_collide *collide, const int32_t *shape_map, int32_t shapes, int32_t **new_row) {
  *new_row = SC_TAKE(collide->scratch, int32_t, collide->listed + 1);
  if (!*new_row) return false;
  for (int32_t k = 0; k < collide->listed; k++) (*new_row)[k] = -1;
  for (int32_t row = 0; row < shapes; row++) {
    int32_t old = shape_map ? shape_map[row] : row;
    if (old < collide->known && sc_names_origin(collide, old) >= 0)
      (*new_row)[sc_names_origin(collide, old)] = row;
  }
  return true;
}

static scree_status build(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    const int32_t *shape_map, double dt, scree_error *error) {
  size_t count = (size_t)shapes->count;
  int32_t *new_row;
  bool reordered = shape_map || sc_collide_disordered(collide, shapes);
  if (!sc_names_reserve(collide, count) || !SC_GROW_LEAN(collide->anchor, collide->anchor_capacity, count) ||
      !SC_GROW_LEAN(collide->turned, collide->turned_capacity, (size_t)shapes->forms) ||
      !rename_rows(collide, shape_map, shapes->count, &new_row))
    return sc_fail(
        error, SCREE_E_MEMORY, "no memory for the neighbour list of %d shapes", (int)shapes->count);
  /* anchors of the last list say nothing about rows that were permuted */
  collide->known = 0;
  scree_status status = sc_collide_refresh(collide, bodies, shapes, dt, error);
  if (status) return status;
  if (reordered) {
    collide->counted.period = collide->age;
    sc_collide_rank_rows(collide, shapes->count);
  }
  sc_collide_tune(collide);
  double *spread = SC_TAKE(collide->scratch, double, count + 1);
  if (!spread || !sc_collide_drop_anchors(collide, bodies, shapes, dt, spread))
    return sc_fail(
        error, SCREE_E_MEMORY, "no memory for the neighbour list of %d shapes", (int)shapes->count);
  sc_contact_transfer transfer;
  status = sc_collide_pack(collide, new_row, shapes->count, &transfer, error);
  sc_arena_mark mark = sc_arena_here(collide->scratch);
  if (!status) status = sc_collide_find_pairs(collide, bodies, shapes->count, spread, error);
  sc_arena_back(collide->scratch, mark);
  if (!status && bodies->distributed && !sc_collide_mark_late(collide, bodies, shapes))
    status = sc_fail(error, SCREE_E_MEMORY, "no memory for a list of %d pairs", (int)collide->pairs);
  return status ? status : sc_collide_unpack(collide, &transfer, error);
}

scree_status sc_collide_build(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    const int32_t *shape_map, double dt, scree_error *error) {
  sc_arena_mark mark = sc_collide_begin(collide);
  collide->ahead = false;
  scree_status status = sc_collide_end(collide, mark, build(collide, bodies, shapes, shape_map, dt, error));
  if (status) {
    sc_collide_forget(collide); /* the warm start is lost, nothing else */
    return status;
  }
  sc_names_number(collide, shapes->count);
  collide->dirty = false;
  collide->rebuilds++;
  collide->lived = 0;
  collide->mended = 0;
  return SCREE_OK;
}
