/* Keeps, mends or builds the neighbour list. Sections of this file: how far a shape may move, how far it has
 * moved, the decision, mending, building, and calls between steps.
 *
 * The list has every pair whose bounds were within
 *
 *   slack_1 + slack_2 + margin min(r_1, r_2)
 *
 * when it was built. A shape has used up its slack if one of its points has moved further than the slack, or
 * can do so within the next step. As long as no shape has used up its slack, every pair that could touch in
 * the step is on the list. The reference position of a shape, its anchor, drifts with the flow about it
 * (drift.c). Fixed bodies have no slack; the list must be marked as dirty if they are moved.
 *
 * The contacts of a step must not depend on when lists were built; otherwise results would depend on the
 * skin. So rows are put in order independently of builds (after SC_ORDER_PERIOD steps, or when shapes were
 * added or moved by hand). The list is always sorted by the ranks that rows had then (names.c). */
#include <string.h>
#include "collide/state.h"
#include "math/vec.h"

/* Arguments shared by the functions of this file. */
typedef struct view {
  sc_collide *collide;
  const sc_bodies *bodies;
  const sc_shapes *shapes;
  double dt;
  bool strained;    /* true if the cell moves */
  double change[9]; /* F - 1, with F the deformation gradient of the cell since the build; only if strained */
  double *max_used; /* [ranges of shapes] largest fraction of its slack that a shape of the range has used */
} view;

/* ---- how far a shape may move ----
 *
 * The slack is half the skin times the mean radius. It is at most half the skin times twice the shape's own
 * radius, so that small grains among boulders do not search far. Fast shapes have a larger slack,
 * sqrt(6 radius way), with `way` the distance of the next step. It is at least twice this distance, so that a
 * bullet does not pass between two builds. */

static double slack_of(const sc_collide *collide, double radius, double mean, double way) {
  double own = isfinite(radius) ? radius : mean, skin = sc_collide_skin(collide);
  return fmax(fmax(0.5 * skin * fmin(mean, 2 * own), sqrt(6 * own * way)), 2 * way);
}

float sc_list_rounded_down(double x) {
  float f = (float)x;
  return (double)f <= x ? f : nextafterf(f, 0);
}

/* Returns true if a shape cannot move relative to its anchor, because its body is fixed. In a deforming cell
 * anchors move with the cell, so this holds for half-spaces only. */
static bool stays_at_anchor(const view *v, int32_t row) {
  const sc_shape_row *shape = v->shapes->row + row;
  bool carried = v->bodies->cell && v->bodies->cell->moves && isfinite(shape->bound);
  return v->bodies->kind[shape->body] == SCREE_FIXED && !carried;
}

/* Returns the slack of a shape [m]. Drifts must be chosen. */
static float slack_of_shape(const view *v, int32_t row, double lever, double mean) {
  int32_t body = v->shapes->row[row].body;
  if (stays_at_anchor(v, row)) return 0;
  double way = v->dt * sc_poses_speed(v->bodies, body, sc_drift(&v->collide->list, row), lever);
  return sc_list_rounded_down(slack_of(v->collide, v->shapes->row[row].bound, mean, way));
}

void sc_collide_set_mean(sc_collide *collide, double mean) {
  SC_ASSERT(mean > 0);
  collide->list.mean = mean;
}

double sc_collide_slack(const sc_collide *collide, const sc_bodies *bodies, int32_t body, double dt) {
  static const double none[3] = {0, 0, 0};
  SC_ASSERT(body >= 0 && body < bodies->count && collide->list.mean > 0);
  double radius = bodies->radius[body], lever = sc_bodies_ball(bodies, body) > 0 ? 0 : radius;
  return slack_of(collide, radius, collide->list.mean, dt * sc_poses_speed(bodies, body, none, lever));
}

/* ---- how far a shape has moved ----
 *
 * A point of a shape has moved by at most |x - x0| + 2 L |q - q0|, with the lever L about the body's
 * position. x, q: position and orientation of the body; x0, q0: those of the anchor. A rotation by theta
 * moves a point by at most 2 L sin(theta/2) <= 2 L |q - q0|. In the next step a point can move by
 * dt (|v| + L |w|). */

/* Returns an upper bound of the distance by which the body's rotation has moved points of a shape [m]. */
static double way_of_turn(const sc_turned *turned, const double q[4]) {
  const double *p = turned->orientation;
  double cosine = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3], sign = cosine < 0 ? -1 : 1,
         square = 0;
  for (int k = 0; k < 4; k++) square += (q[k] - sign * p[k]) * (q[k] - sign * p[k]);
  return 2 * turned->lever * sqrt(square);
}

/* Returns which fraction of its slack a shape has used, with the motion that is possible within the step. */
static double used_fraction(const view *v, int32_t row) {
  const sc_list *list = &v->collide->list;
  const sc_anchor *anchor = list->anchor + row;
  int32_t body = v->shapes->row[row].body, slot = v->shapes->row[row].slot;
  if (stays_at_anchor(v, row)) return 0;
  const double *drift = sc_drift(list, row);
  double d[3], lever = slot < 0 ? 0 : list->turned[slot].lever;
  sc_sub(v->bodies->position[body], anchor->position, d);
  if (v->strained && isfinite(v->shapes->row[row].bound)) sc_strain_way(list, v->change, anchor->position, d);
  sc_axpy(-list->elapsed, drift, d, d);
  double way = sc_norm(d) + v->dt * sc_poses_speed(v->bodies, body, drift, lever);
  if (lever > 0) way += way_of_turn(list->turned + slot, v->bodies->orientation[body]);
  return way > 0 ? way / (double)anchor->slack : way == 0 ? 0 : INFINITY;
}

static void find_max_used(void *context, int64_t first, int64_t end) {
  const view *v = context;
  double most = 0;
  for (int64_t row = first; row < end; row++) {
    double used = used_fraction(v, (int32_t)row);
    if (used > most) most = used;
  }
  v->max_used[first / SC_SHORT_RANGE] = most;
}

/* Returns true if some shape has used up its slack or can do so within the step. */
static bool any_used_up(const view *v) {
  const int32_t shapes = v->shapes->count;
  bool any = false;
  sc_pool_ranges(v->collide->pool, shapes, SC_SHORT_RANGE, find_max_used, (void *)v);
  for (int32_t row = 0; row < shapes; row += SC_SHORT_RANGE) any |= v->max_used[row / SC_SHORT_RANGE] > 1;
  return any;
}

/* ---- decision: keep, mend or build the list ---- */

bool sc_collide_disordered(const sc_collide *collide, const sc_shapes *shapes) {
  const sc_list *list = &collide->list;
  return list->dirty || shapes->count != list->known || list->age >= SC_ORDER_PERIOD;
}

/* Returns true if the next step exceeds the time for which drifting anchors are valid. */
static bool span_is_over(const sc_list *list, double dt) {
  return list->drifts && !(fabs(list->elapsed - 0.5 * list->span) + dt <= list->half * (1 + 1e-9));
}

static bool mend_list(const view *v);

bool sc_collide_stale(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt) {
  SC_ASSERT(bodies && shapes && dt >= 0);
  view v = {.collide = collide, .bodies = bodies, .shapes = shapes, .dt = dt};
  sc_poses_leave(&collide->poses);
  const double range = sc_collide_range(collide, dt), margin = sc_collide_margin(collide);
  const bool short_of = range > collide->range || margin > collide->margin;
  if (range > collide->range) collide->range = range;
  if (margin > collide->margin) collide->margin = margin;
  if (short_of || sc_collide_disordered(collide, shapes)) return true;
  v.strained = sc_strain_change(&collide->list, bodies, v.change);
  if (span_is_over(&collide->list, dt) || sc_strain_is_over(&collide->list, bodies, dt)) return true;
  sc_arena_mark mark = sc_collide_begin(collide);
  v.max_used = SC_TAKE(collide->scratch, double, shapes->count / SC_SHORT_RANGE + 1);
  bool stale = !v.max_used || (any_used_up(&v) && !mend_list(&v));
  if (collide->poses.fresh) { /* the search for contacts uses the poses that were computed to mend the list */
    collide->poses.from = mark, collide->poses.to = sc_arena_here(collide->scratch);
    return false;
  }
  sc_poses_leave(&collide->poses);
  sc_arena_back(collide->scratch, mark);
  return stale;
}

/* ---- mending: shapes that have used up their slack (strays) get new anchors at their present positions, and
 * the list gets the pairs of these anchors. When all mending since the last build has cost as much as a
 * build, the list is built. ---- */

enum {
  FEW_STRAYS = 8,    /* at most FEW_STRAYS + shapes / STRAYS_SHARE shapes are mended */
  STRAYS_SHARE = 32, /* divisor in the number above */
  STRAY_RADII = 4    /* largest radius of a mended shape, in mean radii */
};
static const double stray_share = 0.8; /* shapes that have used this fraction of their slack are mended too */
/* Costs in visited pairs. The ratios were measured and rounded. */
static const double build_pair = 4;    /* cost of a build per pair */
static const double build_shape = 30;  /* cost of a build per shape */
static const double search_pair = 0.1; /* cost of a search for strays per pair */
static const double search_shape = 2;  /* cost of a search for strays per shape */
static const double insert_pair = 20;  /* cost of inserting a pair of a stray */

void sc_collide_set_part(sc_collide *collide, const double low[3], const double high[3], double far) {
  sc_copy3(low, collide->list.part_low);
  sc_copy3(high, collide->list.part_high);
  collide->list.far = far;
}

static bool is_inside(const sc_list *list, const double x[3], double reach) {
  for (int k = 0; k < 3; k++)
    if (!(x[k] - reach >= list->part_low[k]) || !(x[k] + reach < list->part_high[k])) return false;
  return true;
}

/* Returns true if a shape may get a new anchor without informing other ranks.
 *
 * Ranks export copies of the bodies near a border (engine/dist/align.c). The choice of these bodies assumes
 * that a body of radius r stays within its slack s of its anchor until the next build. It is exported to
 * every box within
 *
 *   reach = r + margin r + s + far,        far: the largest r + s of all bodies.
 *
 * A ball that has used up its slack breaks this assumption. A new anchor with a slack s' is allowed if r + s'
 * <= far, and if both the old and the new anchor lie further inside the rank's box than the reach. Then no
 * other rank has a copy of the ball. It stays at least r + margin r + far inside the box. No body of another
 * box can touch it there, because bodies are at most far - (their radius) outside of their box. In all other
 * cases all ranks build new lists. */
static bool is_inner(const view *v, int32_t row) {
  const sc_list *list = &v->collide->list;
  const sc_anchor *anchor = list->anchor + row;
  const sc_bodies *bodies = v->bodies;
  int32_t body = v->shapes->row[row].body;
  if (!sc_bodies_own(bodies, body) || bodies->replicated[body] || !(sc_bodies_ball(bodies, body) > 0))
    return false;
  double radius = bodies->radius[body],
         most = fmax((double)anchor->slack, sc_collide_slack(v->collide, bodies, body, v->dt));
  /* slacks are rounded to floats */
  double reach = (radius + sc_reach(v->collide, radius) + most + list->far) * (1 + 1e-6);
  return radius + most <= list->far && is_inside(list, anchor->position, reach) &&
      is_inside(list, bodies->position[body], reach);
}

/* Returns the rows of the shapes that have used most of their slack, in scratch. Returns NULL if there are
 * too many of them, if a shape must not be mended, or if out of memory. */
static int32_t *collect_strays(const view *v, int32_t *count) {
  const sc_list *list = &v->collide->list;
  int32_t most = v->shapes->count / STRAYS_SHARE + FEW_STRAYS,
          *stray = SC_TAKE(v->collide->scratch, int32_t, most);
  *count = 0;
  for (int32_t row = 0; stray && row < v->shapes->count; row++) {
    if (v->max_used[row / SC_SHORT_RANGE] <= stray_share) { // the whole range has no stray
      row |= SC_SHORT_RANGE - 1;
      continue;
    }
    double used = used_fraction(v, row);
    if (used <= stray_share) continue;
    if (v->bodies->distributed && !is_inner(v, row)) {
      if (used > 1) return NULL;
      continue;
    }
    if (*count == most || !(v->shapes->row[row].bound <= STRAY_RADII * list->typical)) return NULL;
    stray[(*count)++] = row;
  }
  return stray;
}

/* Sets the anchor of a stray such that, with its drift since the list was built, the anchor is now at the
 * present position. Also sets a new slack. */
static void move_anchor(const view *v, int32_t row) {
  sc_list *list = &v->collide->list;
  int32_t body = v->shapes->row[row].body, slot = v->shapes->row[row].slot;
  sc_anchor *anchor = list->anchor + row;
  sc_axpy(-list->elapsed, sc_drift(list, row), v->bodies->position[body], anchor->position);
  if (slot >= 0)
    memcpy(
        list->turned[slot].orientation, v->bodies->orientation[body], sizeof list->turned[slot].orientation);
  anchor->slack = slack_of_shape(v, row, slot < 0 ? 0 : list->turned[slot].lever, list->typical);
}

/* Inserts new pairs into the list, from its end, and updates the pair rows of contacts. Returns false if out
 * of memory. */
static bool insert_pairs(sc_collide *collide, const sc_found *found, int32_t pairs) {
  sc_list *list = &collide->list;
  if ((size_t)list->pairs + (size_t)pairs > INT32_MAX ||
      !SC_GROW_LEAN(list->pair, list->pair_capacity, (size_t)list->pairs + (size_t)pairs))
    return false;
  if (!SC_GROW_LEAN(list->pair_cache, list->pair_cache_capacity,
          list->pair_caches ? (size_t)(list->pair_caches + pairs) : 0))
    return false;
  int32_t end = list->pairs;
  for (int32_t k = pairs - 1; k >= 0; k--) {
    int32_t at = (int32_t)found[k].key;
    size_t behind = (size_t)(end - at);
    memmove(list->pair + at + k + 1, list->pair + at, behind * sizeof *list->pair);
    list->pair[at + k] = found[k].pair;
    end = at;
    if (!list->pair_caches) continue;
    memmove(list->pair_cache + at + k + 1, list->pair_cache + at, behind * sizeof *list->pair_cache);
    list->pair_cache[at + k] = (sc_pair_cache){.axis = {0, 0, 0}};
  }
  list->pairs += pairs, list->excluded_version = 0;
  if (list->pair_caches) list->pair_caches += pairs;
  for (int32_t c = 0, k = 0; c < collide->now.count; c++) {
    sc_cached_contact *row = collide->now.row + c;
    while (k < pairs && (int32_t)found[k].key <= row->pair) k++;
    row->pair += k;
  }
  return true;
}

static scree_status refresh_poses(const view *v, scree_error *error) {
  sc_collide *c = v->collide;
  return sc_poses_refresh(&c->poses, v->bodies, v->shapes, v->dt, c->pool, c->scratch, error);
}

/* Moves the anchors of strays and inserts their pairs. Returns false if out of memory or if a build is
 * cheaper. */
static bool insert_strays(const view *v, const int32_t *stray, int32_t strays) {
  sc_list *list = &v->collide->list;
  int32_t pairs;
  sc_found *found;
  for (int32_t s = 0; s < strays; s++) move_anchor(v, stray[s]);
  double time = list->span - list->elapsed + 2 * v->dt;
  if (!sc_list_search_about(v->collide, v->bodies, stray, strays, time, &found, &pairs)) return false;
  list->mended += insert_pair * (double)pairs;
  return insert_pairs(v->collide, found, pairs);
}

static bool mend_list(const view *v) {
  sc_collide *collide = v->collide;
  sc_list *list = &collide->list;
  double shapes = v->shapes->count, visited = list->pairs;
  int32_t strays;
  if (v->bodies->cell) return false; /* the search below does not find pairs with periodic images */
  list->mended += search_shape * shapes + search_pair * visited;
  if (list->mended > build_shape * shapes + build_pair * visited) return false;
  const int32_t *stray = collect_strays(v, &strays);
  if (!stray || sc_collide_settle(collide, NULL) != SCREE_OK || refresh_poses(v, NULL) != SCREE_OK)
    return false;
  sc_arena_mark mark = sc_arena_here(collide->scratch);
  bool fine = insert_strays(v, stray, strays);
  sc_arena_back(collide->scratch, mark);
  collide->poses.fresh = fine && !v->bodies->distributed; /* on several ranks ghosts move after the list is
                                                             mended */
  return fine;
}

/* ---- building ---- */

/* Sets anchor and slack of a range of shapes. */
static void set_anchor_range(void *context, int64_t first, int64_t end) {
  const view *v = context;
  sc_list *list = &v->collide->list;
  for (int32_t row = (int32_t)first; row < end; row++) {
    sc_anchor *anchor = list->anchor + row;
    const sc_shape_row *shape = v->shapes->row + row;
    sc_copy3(v->bodies->position[shape->body], anchor->position);
    double lever = isfinite(shape->bound) ? sc_poses_lever(v->shapes, row)
                                          : sc_poses_sweep(&v->collide->poses, v->bodies, anchor->position);
    if (shape->slot >= 0) {
      sc_turned *turned = list->turned + shape->slot;
      memcpy(turned->orientation, v->bodies->orientation[shape->body], sizeof turned->orientation);
      turned->lever = lever;
    }
    anchor->slack = slack_of_shape(v, row, lever, list->typical);
  }
}

/* Chooses drifts, sets all anchors, and computes the spreads (sc_drift_spread). Returns false if out of
 * memory. */
static bool set_anchors(view *v, double *spread) {
  sc_list *list = &v->collide->list;
  sc_drifting drifting;
  list->typical = list->mean > 0 ? list->mean : sc_poses_mean_radius(&v->collide->poses, v->bodies);
  if (!sc_drift_choose(v->collide, v->bodies, v->dt, &drifting)) return false;
  sc_pool_ranges(v->collide->pool, v->shapes->count, SC_SHORT_RANGE, set_anchor_range, v);
  memset(spread, 0, (size_t)v->shapes->count * sizeof *spread);
  if (list->drifts) sc_drift_spread(v->collide, &drifting, spread);
  return true;
}

/* Returns the new row of each row of the old list (-1: removed), in scratch. Returns NULL if out of
 * memory. */
static int32_t *rename_rows(sc_collide *collide, const int32_t *shape_map, int32_t shapes) {
  const sc_list *list = &collide->list;
  int32_t *new_row = SC_TAKE(collide->scratch, int32_t, list->listed + 1);
  for (int32_t k = 0; new_row && k < list->listed; k++) new_row[k] = -1;
  for (int32_t row = 0; new_row && row < shapes; row++) {
    int32_t old = shape_map ? shape_map[row] : row;
    if (old < list->known && sc_names_origin(list, old) >= 0) new_row[sc_names_origin(list, old)] = row;
  }
  return new_row;
}

static bool reserve_rows(sc_list *list, const sc_shapes *shapes) {
  size_t count = (size_t)shapes->count;
  return sc_names_reserve(list, count) && SC_GROW_LEAN(list->anchor, list->anchor_capacity, count) &&
      SC_GROW_LEAN(list->turned, list->turned_capacity, (size_t)shapes->slots);
}

static scree_status fail_to_build(const view *v, scree_error *error) {
  return sc_fail(
      error, SCREE_E_MEMORY, "no memory for the neighbour list of %d shapes", (int)v->shapes->count);
}

static scree_status build_list(view *v, const int32_t *shape_map, scree_error *error) {
  sc_collide *collide = v->collide;
  sc_list *list = &collide->list;
  bool reordered = shape_map || sc_collide_disordered(collide, v->shapes);
  int32_t shapes = v->shapes->count, *new_row = rename_rows(collide, shape_map, shapes);
  double *spread = SC_TAKE(collide->scratch, double, shapes + 1);
  sc_contact_transfer transfer;
  if (!new_row || !spread || !reserve_rows(list, v->shapes)) return fail_to_build(v, error);
  /* anchors of the old list are not valid for permuted rows */
  list->known = 0;
  if (!sc_strain_begin(collide, v->bodies, v->dt))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "the cell is deformed too fast for the step of %g s: it would strain by more than 0.2 in one", v->dt);
  scree_status status = refresh_poses(v, error);
  if (status) return status;
  if (reordered) sc_names_rank_rows(list, shapes);
  if (!set_anchors(v, spread)) return fail_to_build(v, error);
  status = sc_contacts_pack(collide, new_row, &transfer, error);
  if (!status) status = sc_list_search(collide, v->bodies, spread, error);
  return status ? status : sc_contacts_unpack(collide, &transfer, error);
}

scree_status sc_collide_build(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    const int32_t *shape_map, double dt, scree_error *error) {
  SC_ASSERT(bodies && shapes && dt >= 0);
  sc_list *list = &collide->list;
  view v = {.collide = collide, .bodies = bodies, .shapes = shapes, .dt = dt};
  collide->range = sc_collide_range(collide, dt);
  collide->margin = sc_collide_margin(collide);
  sc_arena_mark mark = sc_collide_begin(collide);
  scree_status status = sc_collide_end(collide, mark, build_list(&v, shape_map, error));
  sc_poses_leave(&collide->poses);
  if (status) {
    sc_list_forget(collide); /* the contacts are dropped, so only the warm start is lost */
    return status;
  }
  sc_names_number(list, shapes->count);
  list->excluded_version = 0;
  list->dirty = false;
  list->rebuilds++;
  list->lived = 0;
  list->mended = 0;
  return SCREE_OK;
}

/* ---- calls between steps ---- */

void sc_collide_tick(sc_collide *collide) {
  sc_list *list = &collide->list;
  list->age++, list->lived++, list->elapsed += list->stepped;
}

void sc_collide_dirty(sc_collide *collide) { collide->list.dirty = true; }

void sc_collide_removed(sc_collide *collide, int32_t row, int32_t last) {
  sc_list *list = &collide->list;
  SC_ASSERT(row >= 0 && row <= last);
  if (row >= list->known) return;
  if (!sc_names_keep(list, (size_t)list->listed)) {
    sc_list_forget(collide); /* without memory for the maps the contacts are dropped, so only the warm start
                                is lost */
    return;
  }
  list->removals = true;
  bool known = last < list->known;
  sc_names_move(list, row, last);
  if (!known) {
    list->dirty = true; /* the shape that moved to `row` was added after the list was built */
    return;
  }
  list->anchor[row] = list->anchor[last];
  if (last < collide->poses.count) collide->poses.cache[row] = collide->poses.cache[last];
  list->known = last;
}

void sc_list_forget(sc_collide *collide) {
  sc_list *list = &collide->list;
  list->pairs = list->pair_caches = list->known = list->listed = collide->now.count = 0;
  list->excluded_version = 0;
  list->removals = false;
  list->dirty = true;
}

int64_t sc_collide_rebuilds(const sc_collide *collide) { return collide->list.rebuilds; }
int64_t sc_collide_pairs(const sc_collide *collide) { return collide->list.pairs; }
int32_t sc_collide_known(const sc_collide *collide) { return collide->list.known; }

void sc_list_free(sc_list *list) {
  sc_free(list->pair);
  sc_free(list->image);
  sc_free(list->pair_cache);
  sc_free(list->triangles);
  sc_free(list->excluded);
  sc_free(list->anchor);
  sc_free(list->turned);
  sc_free(list->drift);
  sc_free(list->alias);
  sc_free(list->origin);
  sc_free(list->rank);
}

size_t sc_list_bytes(const sc_list *list) {
  return list->anchor_capacity * sizeof *list->anchor + list->turned_capacity * sizeof *list->turned +
      list->drift_capacity * sizeof *list->drift +
      list->names_capacity * (sizeof *list->alias + sizeof *list->origin + sizeof *list->rank);
}
