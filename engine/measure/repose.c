/* The angle of repose of a heap: the slope of its surface, z upwards.
 *
 * The horizontal plane is divided into rings of equal width about the vertical through the centre of mass,
 * and the rings into sectors. The surface in a sector is the highest point of the bounding balls of its
 * grains. The surface in a ring is the mean over its sectors. A straight line is fitted to the rings whose
 * surface lies between two shares of the height of the heap (keys from and to). The round top and the foot of
 * the heap therefore do not count.
 *
 *   tan angle = -slope,   deviation = root mean square distance of the rings from the line. */
#include "measure/measure.h"

#include <math.h>

typedef struct keys {
  scree_measure_def head;
  double from, to;
  int64_t bins;
} keys;
static const scree_param params[] = {
    SC_MEASURE_PART("region", 0, "the heap; everywhere without it"),
    SC_MEASURE_GROUP,
    {"from", SCREE_REAL, 0, "", 0.2, 0, 1, SC_MEASURE_AT(from), NULL,
        "share of the height from which rings count"},
    {"to", SCREE_REAL, 0, "", 0.8, 0, 1, SC_MEASURE_AT(to), NULL,
        "share of the height up to which rings count"},
    {"bins", SCREE_INTEGER, 0, "", 20, 3, 100000, SC_MEASURE_AT(bins), NULL, "rings"},
};
enum { ANGLE, SLOPE, HEIGHT, DEVIATION, RINGS, RADIUS, SURFACE };
static const scree_measure_field fields[] = {{"angle", "angle", SCREE_FIGURE}, {"slope", NULL, SCREE_FIGURE},
    {"height", "height", SCREE_FIGURE}, {"deviation", "deviation", SCREE_FIGURE},
    {"rings", NULL, SCREE_WHOLE}, {"radius", "radius", SCREE_LIST}, {"surface", "surface", SCREE_LIST}};

enum { SECTORS = 8 };

/* Geometry of the heap [m]: x and y of its vertical axis, radius about the axis of the outermost centre of a
 * grain, lowest and highest points. */
typedef struct heap {
  double centre[2], reach, low, high;
} heap;

static bool find_heap(const scree_frame *f, const scree_measure_def *def, heap *h) {
  double mass = 0;
  *h = (heap){.low = INFINITY, .high = -INFINITY};
  for (int64_t i = 0; i < f->bodies; i++) {
    if (!sc_measure_grain(f, i, def->region, def->group)) continue;
    const scree_shown at = scree_frame_shown(f, i);
    mass += f->mass[i];
    for (int k = 0; k < 2; k++) h->centre[k] += f->mass[i] * at.position[k];
    h->low = fmin(h->low, at.position[2] - f->radius[i]);
    h->high = fmax(h->high, at.position[2] + f->radius[i]);
  }
  for (int k = 0; k < 2; k++) h->centre[k] /= mass;
  for (int64_t i = 0; i < f->bodies && mass > 0; i++) {
    const scree_shown at = scree_frame_shown(f, i);
    if (sc_measure_grain(f, i, def->region, def->group))
      h->reach = fmax(h->reach, hypot(at.position[0] - h->centre[0], at.position[1] - h->centre[1]));
  }
  return h->reach > 0;
}

/* Sets top [rings][SECTORS] to the height of the highest point in each ring and sector [m]; -INFINITY if
 * there are no grains. */
static void find_tops(
    const scree_frame *f, const scree_measure_def *def, const heap *h, int64_t rings, double *top) {
  const double pi = 3.14159265358979323846;
  for (int64_t i = 0; i < rings * SECTORS; i++) top[i] = -INFINITY;
  for (int64_t i = 0; i < f->bodies; i++) {
    if (!sc_measure_grain(f, i, def->region, def->group)) continue;
    const scree_shown at = scree_frame_shown(f, i);
    const double x = at.position[0] - h->centre[0], y = at.position[1] - h->centre[1];
    const int64_t ring = (int64_t)fmin(hypot(x, y) / h->reach * (double)rings, (double)rings - 1),
                  sector = (int64_t)fmin((atan2(y, x) / (2 * pi) + 0.5) * SECTORS, SECTORS - 1);
    double *highest = top + SECTORS * ring + sector;
    *highest = fmax(*highest, at.position[2] + f->radius[i]);
  }
}

/* Returns the mean height over the sectors of a ring that have grains [m]. top: [SECTORS] heights. Returns
 * NaN if no sector has grains. */
static double mean_top(const double *top) {
  double sum = 0, count = 0;
  for (int s = 0; s < SECTORS; s++)
    if (isfinite(top[s])) sum += top[s], count++;
  return sum / count;
}

/* Fits a line to the rings whose surface lies in [low, high], and sets the figures of the result. r, z:
 * [rings] radius and surface height [m]. height: height of the heap [m]. */
static void fit_line(const double *r, const double *z, int64_t rings, double low, double high, double height,
    scree_measure_result *out) {
  double n = 0, sr = 0, sz = 0, rr = 0, rz = 0, off = 0;
  for (int64_t i = 0; i < rings; i++)
    if (z[i] >= low && z[i] <= high) n++, sr += r[i], sz += z[i];
  sr /= n, sz /= n;
  for (int64_t i = 0; i < rings; i++)
    if (z[i] >= low && z[i] <= high) rr += (r[i] - sr) * (r[i] - sr), rz += (r[i] - sr) * (z[i] - sz);
  const double slope = n > 1 ? rz / rr : NAN;
  for (int64_t i = 0; i < rings; i++)
    if (z[i] >= low && z[i] <= high) off += pow(z[i] - sz - slope * (r[i] - sr), 2);
  sc_measure_set(out, ANGLE, atan(-slope));
  sc_measure_set(out, SLOPE, slope);
  sc_measure_set(out, HEIGHT, height);
  sc_measure_set(out, DEVIATION, sqrt(off / n));
  sc_measure_set(out, RINGS, n);
}

static scree_status measure_repose(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  const keys *k = (const keys *)def;
  heap h;
  if (!(k->from < k->to))
    return sc_fail(error, SCREE_E_ARGUMENT, "repose.to must be greater than from: %g <= %g", k->to, k->from);
  double *r = sc_measure_list(out, RADIUS, k->bins), *z = sc_measure_list(out, SURFACE, k->bins),
         *top = sc_alloc((size_t)k->bins * SECTORS * sizeof *top);
  if (!r || !z || !top) return sc_free(top), sc_measure_no_memory(error);
  out->empty = !find_heap(frame, def, &h);
  const double height = out->empty ? NAN : h.high - h.low;
  if (!out->empty) find_tops(frame, def, &h, k->bins, top);
  for (int64_t i = 0; i < k->bins; i++) {
    r[i] = out->empty ? NAN : h.reach * ((double)i + 0.5) / (double)k->bins;
    z[i] = out->empty ? NAN : mean_top(top + SECTORS * i);
  }
  fit_line(r, z, k->bins, h.low + k->from * height, h.low + k->to * height, height, out);
  sc_free(top);
  return SCREE_OK;
}

const scree_measure_kind sc_measure_repose = {
    .name = "repose", .doc = "angle of repose of a heap", SC_MEASURE_TABLES, .take = measure_repose};
