/* Overlaps of the balls of a file: counts them, and removes them.
 *
 * Relaxation moves the grains of each overlapping pair apart along their line of centres. A sweep removes
 * the share W of each overlap, for all pairs at the same time (Jacobi's method on distance constraints).
 * The mean displacement of all grains is subtracted after each sweep, so the bed is neither raised nor
 * lowered. A grain stays within the box that the balls fill. Its displacement along each axis is at most
 * the deepest overlap. Finally, all radii are scaled so that the remaining overlaps vanish. */
#include <math.h>
#include <string.h>
#include "io/grains/pairs.h"
#include "math/vec.h"
#include "model/bodies.h"

static const double ROUNDING =
    /* relative to the sum of radii: overlaps up to this size are rounding errors of the file's positions */
    1e-12;

enum { NAMED = 4 }; /* number of other grains that the message names */

typedef struct finder {
  const scree_grain *row;
  scree_overlaps *out;
  double sum;
  int64_t last, others; /* last visited grain that shares its place; number of grains at its place so far */
  int64_t named[NAMED]; /* [NAMED] rows of the first grains at the place of grain `last` */
  bool crowded;         /* true: more than SC_CROWD grains share the place of grain `last`; the search ends
                           after its overlaps */
} finder;

/* Counts the grains that share the place of grain i: the centre of each lies inside the other. The search
 * visits all overlaps of a grain in sequence. If too many grains share the place of a grain, returns false at
 * the first overlap of the next grain. The search then ends, because n grains at one place have n^2 / 2
 * overlaps. */
static bool count_others(finder *f, int64_t i, int64_t j, double distance) {
  if (i != f->last && f->crowded) return false;
  if (!(distance < fmin(f->row[i].radius, f->row[j].radius))) return true;
  if (i != f->last) f->last = i, f->others = 0;
  if (f->others < NAMED) f->named[f->others] = j;
  f->crowded = ++f->others > SC_CROWD;
  return true;
}

static bool count_overlap(void *context, int64_t i, int64_t j, const double d[3], const double shift[3]) {
  finder *f = context;
  (void)shift;
  scree_overlaps *o = f->out;
  const double a = f->row[i].radius, b = f->row[j].radius, reach = a + b, distance = sc_norm(d),
               depth = reach - distance;
  if (depth > 0) o->factor = fmin(o->factor, distance / reach);
  if (!(depth > ROUNDING * reach)) return true;
  if (!count_others(f, i, j, distance)) return false;
  f->sum += depth;
  o->count++;
  o->share = fmax(o->share, depth / fmin(a, b));
  if (depth > o->largest) o->largest = depth, o->first = i < j ? i : j, o->second = i < j ? j : i;
  return true;
}

static scree_status refuse_crowd(const finder *f, scree_error *error) {
  const double *x = f->row[f->last].position;
  return sc_fail(error, SCREE_E_ARGUMENT,
      "the grain in row %lld at (%g, %g, %g) shares its place with %lld others (rows %lld, %lld, %lld, %lld, "
      "...): the centre of each is inside the other; are the columns and units of positions and radii right?",
      (long long)f->last + 1, x[0], x[1], x[2], (long long)f->others, (long long)f->named[0] + 1,
      (long long)f->named[1] + 1, (long long)f->named[2] + 1, (long long)f->named[3] + 1);
}

scree_status scree_grains_find_overlaps(
    const scree_grains *grains, const scree_cell *cell, scree_overlaps *out, scree_error *error) {
  SC_DEMAND(grains && out, error, SCREE_E_ARGUMENT);
  *out = (scree_overlaps){.first = -1, .second = -1, .factor = 1};
  finder f = {.row = grains->row, .out = out, .last = -1};
  const scree_status status = sc_grain_visit_pairs(grains, cell, 0, count_overlap, &f, error);
  if (f.crowded) return refuse_crowd(&f, error);
  if (out->count) out->mean = f.sum / (double)out->count;
  return status;
}

void scree_grains_scale(scree_grains *grains, double factor) {
  SC_DEMAND(grains && factor > 0, NULL, );
  for (int64_t i = 0; i < grains->info.count; i++) {
    grains->row[i].radius *= factor;
    grains->row[i].mass *= factor * factor * factor;
  }
  grains->info.radius_min *= factor, grains->info.radius_max *= factor;
}

/* ---- moving apart ---- */

enum { SWEEPS = 300 };
static const double W =
    0.4; /* share of an overlap that a sweep removes; below 1 because a grain may have 12 neighbours */

typedef struct near_pair {
  int32_t i, j;
  double shift[3]; /* [m] position of i - position of j + shift = vector from j to i or to an image of i */
} near_pair;

typedef struct relaxer {
  scree_grains *g;
  near_pair *pair;
  size_t pairs, capacity;
  double (*moved)[3], (*push)[3]; /* [count] displacement since the start; displacement in this sweep [m] */
  double low[3], high[3];         /* box that the balls fill; infinite along periodic edges */
  double most;                    /* largest displacement of a grain along an axis [m] */
} relaxer;

static bool keep_pair(void *context, int64_t i, int64_t j, const double d[3], const double shift[3]) {
  relaxer *r = context;
  const scree_grain *a = r->g->row + i, *b = r->g->row + j;
  if (!SC_GROW(r->pair, r->capacity, r->pairs + 1)) return false;
  near_pair *p = r->pair + r->pairs++;
  *p = (near_pair){(int32_t)i, (int32_t)j, {0}};
  (void)shift;
  /* the file's positions may differ by a periodic vector from those between which d was measured */
  for (int k = 0; k < 3; k++) p->shift[k] = d[k] - (a->position[k] - b->position[k]);
  return true;
}

/* Computes the displacement of each grain in this sweep (r->push), which moves all overlapping pairs apart.
 * Returns the largest ratio of a pair's overlap to its sum of radii. */
static double push_pairs(relaxer *r) {
  double worst = 0;
  memset(r->push, 0, (size_t)r->g->info.count * sizeof *r->push);
  for (size_t k = 0; k < r->pairs; k++) {
    const near_pair *p = r->pair + k;
    const scree_grain *a = r->g->row + p->i, *b = r->g->row + p->j;
    double d[3];
    for (int c = 0; c < 3; c++)
      d[c] = a->position[c] + r->moved[p->i][c] - b->position[c] - r->moved[p->j][c] + p->shift[c];
    const double distance = sc_norm(d), reach = a->radius + b->radius, depth = reach - distance;
    if (!(depth > 0) || !(distance > 0)) continue;
    worst = fmax(worst, depth / reach);
    /* the smaller grain moves more: shares are inverse to the cubes of the radii, as if these were masses */
    const double x = a->radius * a->radius * a->radius, y = b->radius * b->radius * b->radius,
                 part = y / (x + y);
    for (int c = 0; c < 3; c++) {
      r->push[p->i][c] += W * depth * part * d[c] / distance;
      r->push[p->j][c] -= W * depth * (1 - part) * d[c] / distance;
    }
  }
  return worst;
}

/* Adds the displacements of this sweep (r->push), minus the mean displacement of all grains, to r->moved.
 * Clamps r->moved to r->most and to the box. Fixed grains and balls of clumps do not move. */
static void move_grains(relaxer *r) {
  const int64_t count = r->g->info.count;
  double mean[3] = {0};
  for (int64_t i = 0; i < count; i++)
    for (int c = 0; c < 3; c++) mean[c] += r->moved[i][c] + r->push[i][c];
  for (int64_t i = 0; i < count; i++) {
    const scree_grain *g = r->g->row + i;
    if (g->is_fixed || g->clump > 0) continue;
    for (int c = 0; c < 3; c++) {
      double to = r->moved[i][c] + r->push[i][c] - mean[c] / (double)count;
      to = fmin(fmax(to, -r->most), r->most);
      to = fmax(to, r->low[c] + g->radius - g->position[c]);
      r->moved[i][c] = fmin(to, r->high[c] - g->radius - g->position[c]);
    }
  }
}

static void find_box(relaxer *r, const scree_cell *cell) {
  for (int c = 0; c < 3; c++) {
    const bool repeats = cell && cell->periodic[c];
    r->low[c] = repeats ? -INFINITY : INFINITY, r->high[c] = -r->low[c];
    for (int64_t i = 0; i < r->g->info.count && !repeats; i++) {
      const scree_grain *g = r->g->row + i;
      r->low[c] = fmin(r->low[c], g->position[c] - g->radius);
      r->high[c] = fmax(r->high[c], g->position[c] + g->radius);
    }
  }
}

scree_status scree_grains_relax(
    scree_grains *grains, const scree_cell *cell, const scree_overlaps *overlaps, scree_error *error) {
  SC_DEMAND(grains && overlaps, error, SCREE_E_ARGUMENT);
  const size_t count = (size_t)grains->info.count + 1;
  relaxer r = {.g = grains, .most = overlaps->largest};
  if (!overlaps->count) return SCREE_OK;
  r.moved = sc_alloc(count * sizeof *r.moved), r.push = sc_alloc(count * sizeof *r.push);
  scree_status status = r.moved && r.push
      ? sc_grain_visit_pairs(grains, cell, 4 * r.most, keep_pair, &r, error)
      : sc_fail(error, SCREE_E_MEMORY, "no memory to relax grains");
  if (!status) find_box(&r, cell);
  for (int k = 0; k < SWEEPS && !status; k++) {
    if (push_pairs(&r) < ROUNDING) break;
    move_grains(&r);
  }
  for (int64_t i = 0; i < grains->info.count && !status; i++)
    for (int c = 0; c < 3; c++) grains->row[i].position[c] += r.moved[i][c];
  sc_free(r.pair), sc_free(r.moved), sc_free(r.push);
  return status;
}

/* Scales all radii so that no grains overlap, and sets *factor to the factor. */
static scree_status shrink_grains(
    scree_grains *grains, const scree_overlaps *overlaps, double *factor, scree_error *error) {
  if (!(overlaps->factor < 1)) return SCREE_OK;
  if (!(overlaps->factor > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "shrink: rows %lld and %lld lie at the same place",
        (long long)overlaps->first + 1, (long long)overlaps->second + 1);
  /* a little less, because distances and sums of radii are rounded */
  *factor = overlaps->factor * (1 - 1e-12);
  scree_grains_scale(grains, *factor);
  return SCREE_OK;
}

scree_status scree_grains_separate(scree_grains *grains, const scree_cell *cell,
    const scree_grains_place *place, scree_overlaps *found, double *factor, scree_error *error) {
  SC_DEMAND(grains && place && found && factor, error, SCREE_E_ARGUMENT);
  *factor = 1;
  scree_status status = scree_grains_find_overlaps(grains, cell, found, error);
  scree_overlaps left = *found;
  if (!status && place->relax) status = scree_grains_relax(grains, cell, found, error);
  if (!status && place->relax) status = scree_grains_find_overlaps(grains, cell, &left, error);
  if (!status && (place->relax || place->shrink)) status = shrink_grains(grains, &left, factor, error);
  return status;
}
