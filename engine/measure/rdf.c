/* Radial distribution function of the centres in a region.
 *
 *   g_i = 2 pairs_i / (N rho shell_i),   rho = N / V,   shell_i = 4/3 pi (r_{i+1}^3 - r_i^3)
 *
 * N grains lie in the region of volume V. pairs_i is the number of pairs with distances in [r_i, r_{i+1}).
 * The normalisation is that of Preclik, Eibl & Ruede (2017, section 4.3). Near the edges of the region a
 * grain has fewer neighbours than a full shell contains. For a box a x b x c the mean share of the shell that
 * lies inside is known in closed form, from the isotropic set covariance of a box,
 *
 *   share(r) = 1 - r/2 (1/a + 1/b + 1/c) + 2 r^2/(3 pi) (1/(ab) + 1/(bc) + 1/(ca)) - r^3/(4 pi a b c),
 *   r <= min(a,b,c).
 *
 * If `edges` is set, g is divided by this share. To find pairs, points are sorted by counting sort into cells
 * that are at least as wide as the largest distance (reach).
 *
 * Without a region the measurement uses the cell of a periodic world, which has no edges. The points are then
 * all grains, wrapped into the cell, and those of their images that lie within the reach of the cell. */
#include "measure/measure.h"
#include "math/vec.h"
#include "model/cell.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct cloud {
  int64_t count;
  double (*point)[3]; /* [count] points [m], sorted by cell */
  size_t capacity;
  double min[3], max[3];
  int64_t n[3], *first; /* number of cells along each axis; first: [cells + 1] index of the first point of
                           each cell */
} cloud;

static void clear_cloud(cloud *c) {
  sc_free(c->point);
  sc_free(c->first);
}

static bool put_point(cloud *c, const double x[3]) {
  if (!SC_GROW(c->point, c->capacity, (size_t)c->count + 1)) return false;
  for (int k = 0; k < 3; k++) {
    c->min[k] = c->count ? fmin(c->min[k], x[k]) : x[k];
    c->max[k] = c->count ? fmax(c->max[k], x[k]) : x[k];
  }
  sc_copy3(x, c->point[c->count++]);
  return true;
}

static bool collect_grains(cloud *c, const scree_frame *f, const scree_rdf_def *def) {
  for (int64_t i = 0; i < f->bodies; i++)
    if (sc_measure_grain(f, i, def->region, def->group) && !put_point(c, scree_frame_shown(f, i).position))
      return false;
  return true;
}

static int64_t cloud_cell_of(const cloud *c, const double x[3], int64_t index[3]) {
  for (int k = 0; k < 3; k++) {
    double span = c->max[k] - c->min[k];
    index[k] = span > 0 ? (int64_t)((x[k] - c->min[k]) / span * (double)c->n[k]) : 0;
    if (index[k] >= c->n[k]) index[k] = c->n[k] - 1;
  }
  return index[0] + c->n[0] * (index[1] + c->n[1] * index[2]);
}

/* Sorts the points by cells that are at least `reach` wide, or one cell if the points extend less. Returns
 * false if out of memory. */
static bool sort_cells(cloud *c, double reach) {
  int64_t cells = 1, index[3], most = 2 + (int64_t)cbrt((double)c->count);
  for (int k = 0; k < 3; k++) {
    double n = floor((c->max[k] - c->min[k]) / reach);
    c->n[k] = n < 1 ? 1 : n > (double)most ? most : (int64_t)n;
    cells *= c->n[k];
  }
  c->first = sc_alloc((size_t)(cells + 1) * sizeof *c->first);
  double(*sorted)[3] = sc_alloc((size_t)c->count * sizeof *sorted + 1);
  if (!c->first || !sorted) {
    sc_free(sorted);
    return false;
  }
  for (int64_t i = 0; i < c->count; i++) c->first[cloud_cell_of(c, c->point[i], index) + 1]++;
  for (int64_t i = 0; i < cells; i++) c->first[i + 1] += c->first[i];
  for (int64_t i = c->count - 1; i >= 0; i--)
    sc_copy3(c->point[i], sorted[--c->first[cloud_cell_of(c, c->point[i], index) + 1]]);
  for (int64_t i = 0; i < cells; i++) c->first[i] = c->first[i + 1];
  c->first[cells] = c->count;
  sc_free(c->point);
  c->point = sorted;
  return true;
}

/* Adds the distances between point i and the points of a cell with an index above i to the histogram
 * `pairs`. */
static void pair_cell(const cloud *c, int64_t i, int64_t cell, const scree_rdf_def *def, double *pairs) {
  double d[3];
  int64_t from = c->first[cell] > i ? c->first[cell] : i + 1;
  for (int64_t j = from; j < c->first[cell + 1]; j++) {
    sc_sub(c->point[i], c->point[j], d);
    double r = sc_norm(d);
    if (r < def->reach) pairs[(int64_t)(r / def->reach * (double)def->bins)] += 1;
  }
}

static void count_pairs(const cloud *c, const scree_rdf_def *def, double *pairs) {
  int64_t home[3], at[3];
  for (int64_t i = 0; i < c->count; i++) {
    cloud_cell_of(c, c->point[i], home);
    for (int around = 0; around < 27; around++) {
      at[0] = home[0] + around % 3 - 1, at[1] = home[1] + around / 3 % 3 - 1,
      at[2] = home[2] + around / 9 - 1;
      bool in = true;
      for (int k = 0; k < 3; k++) in &= at[k] >= 0 && at[k] < c->n[k];
      if (in) pair_cell(c, i, at[0] + c->n[0] * (at[1] + c->n[1] * at[2]), def, pairs);
    }
  }
}

static double share_inside(const double e[3], double r) {
  double a = e[0], b = e[1], c = e[2];
  return 1 - r / 2 * (1 / a + 1 / b + 1 / c) +
      2 * r * r / (3 * pi) * (1 / (a * b) + 1 / (b * c) + 1 / (c * a)) - r * r * r / (4 * pi * a * b * c);
}

static scree_status check_numbers(const scree_rdf_def *def, scree_error *error) {
  if (!(def->reach > 0) || !isfinite(def->reach))
    return sc_fail(error, SCREE_E_ARGUMENT, "rdf: reach must be greater than 0, not %g", def->reach);
  if (def->bins < 1 || def->bins > 1000000)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "rdf: bins must lie in [1, 1000000], not %lld", (long long)def->bins);
  return SCREE_OK;
}

static scree_status check_rdf(const scree_rdf_def *def, scree_error *error) {
  double volume = def->region ? scree_region_volume(def->region) : INFINITY;
  if (!isfinite(volume) || !(volume > 0))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "rdf: the region must be a box, sphere or cylinder of finite volume");
  if ((def->fit || def->edges) && def->region->type != SCREE_REGION_BOX)
    return sc_fail(error, SCREE_E_ARGUMENT, "rdf: fit and edges need a box as region");
  return check_numbers(def, error);
}

/* Computes the edges of the space that the grains fill, and returns its volume [m3]. The space is the region.
 * With `fit` it is the bounding box of the points, enlarged by half a mean spacing of points on each side,
 * because each point stands for the space around it. */
static double compute_space(const cloud *c, const scree_rdf_def *def, double edge[3]) {
  const scree_region *r = def->region;
  for (int k = 0; k < 3; k++) edge[k] = r->max[k] - r->min[k];
  if (!def->fit || c->count < 2) return scree_region_volume(r);
  double widened[3], tight = 1;
  for (int k = 0; k < 3; k++) tight *= c->max[k] - c->min[k];
  double spacing = cbrt(tight / (double)c->count);
  for (int k = 0; k < 3; k++) widened[k] = fmin(edge[k], c->max[k] - c->min[k] + spacing);
  sc_copy3(widened, edge);
  return edge[0] * edge[1] * edge[2];
}

/* Returns the number of ordered pairs that a bin would contain if the grains had uniform density. */
static double expected_in(const scree_rdf_def *def, const scree_rdf_result *result, int64_t bin) {
  double width = def->reach / (double)def->bins, low = (double)bin * width, high = low + width;
  return (double)result->grains * result->density * 4.0 / 3 * pi * (high * high * high - low * low * low);
}

static scree_status normalise_rdf(
    const cloud *c, const scree_rdf_def *def, double *g, scree_rdf_result *result, scree_error *error) {
  double edge[3];
  *result = (scree_rdf_result){.grains = c->count, .volume = compute_space(c, def, edge)};
  result->density = (double)c->count / result->volume;
  if (def->edges && def->reach > fmin(edge[0], fmin(edge[1], edge[2])))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "rdf: with edges, reach (%g) must not exceed the shortest edge of the region (%g)", def->reach,
        fmin(edge[0], fmin(edge[1], edge[2])));
  for (int64_t i = 0; i < def->bins; i++) {
    double expected = expected_in(def, result, i);
    if (def->edges) expected *= share_inside(edge, ((double)i + 0.5) * def->reach / (double)def->bins);
    g[i] = expected > 0 ? 2 * g[i] / expected : 0;
  }
  return SCREE_OK;
}

/* ---- a periodic cell ---- */

static scree_status check_cell(const scree_frame *f, const scree_rdf_def *def, scree_error *error) {
  if (!sc_measure_repeats(f))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "rdf.region is missing: only a cell that is periodic along all edges can take its place");
  if (def->fit || def->edges)
    return sc_fail(error, SCREE_E_ARGUMENT, "rdf: fit and edges need a box as region");
  const sc_cell cell = sc_cell_from(&f->cell);
  double width[3];
  sc_cell_widths(&cell, width);
  const double least = fmin(width[0], fmin(width[1], width[2]));
  if (def->reach > least)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "rdf: reach (%g) must not exceed the smallest distance between opposite faces of the cell (%g)",
        def->reach, least);
  return check_numbers(def, error);
}

/* Adds those images of a point x in the cell that lie within `reach` of the cell. Does not add x. Returns
 * false if out of memory. */
static bool put_images(cloud *c, const sc_cell *cell, const double x[3], double reach) {
  double from[3], width[3], part, y[3];
  sc_sub(x, cell->origin, from);
  sc_cell_widths(cell, width);
  for (int image = 0; image < 27; image++) {
    const double n[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
    bool near = image != 13;
    for (int k = 0; k < 3 && near; k++) {
      /* distance of the image from the cell face at the origin, normal to the face */
      part = (sc_dot(cell->inverse + 3 * k, from) + n[k]) * width[k];
      near = part > -reach && part < width[k] + reach;
    }
    for (int m = 0; m < 3; m++) y[m] = x[m] + sc_dot(cell->matrix + 3 * m, n);
    if (near && !put_point(c, y)) return false;
  }
  return true;
}

/* Sets `home` to the grains, wrapped into the cell. Sets `all` to these points and their images within reach,
 * sorted by cells. Returns false if out of memory. */
static bool collect_cell(cloud *home, cloud *all, const scree_frame *f, const scree_rdf_def *def) {
  const sc_cell cell = sc_cell_from(&f->cell);
  for (int64_t i = 0; i < f->bodies; i++) {
    if (!sc_measure_grain(f, i, NULL, def->group)) continue;
    const scree_shown at = scree_frame_shown(f, i);
    if (!put_point(home, at.position) || !put_point(all, at.position)) return false;
    if (!put_images(all, &cell, at.position, def->reach)) return false;
  }
  return sort_cells(all, def->reach);
}

/* Adds the distances between x and all points, x included, to the histogram `pairs`. */
static void count_around(const cloud *c, const double x[3], const scree_rdf_def *def, double *pairs) {
  int64_t home[3], low[3], high[3];
  double d[3];
  cloud_cell_of(c, x, home);
  for (int k = 0; k < 3; k++)
    low[k] = home[k] > 0 ? home[k] - 1 : 0, high[k] = home[k] + 1 < c->n[k] ? home[k] + 1 : home[k];
  for (int64_t z = low[2]; z <= high[2]; z++)
    for (int64_t y = low[1]; y <= high[1]; y++) {
      const int64_t row = c->n[0] * (y + c->n[1] * z);
      for (int64_t j = c->first[row + low[0]]; j < c->first[row + high[0] + 1]; j++) {
        sc_sub(x, c->point[j], d);
        const double r = sc_norm(d);
        if (r < def->reach) pairs[(int64_t)(r / def->reach * (double)def->bins)] += 1;
      }
    }
}

static scree_status rdf_of_cell(
    const scree_frame *f, const scree_rdf_def *def, double *g, scree_rdf_result *result, scree_error *error) {
  cloud home = {0}, all = {0};
  const bool good = collect_cell(&home, &all, f, def);
  if (good) {
    *result = (scree_rdf_result){home.count, f->cell.volume, (double)home.count / f->cell.volume};
    for (int64_t i = 0; i < home.count; i++) count_around(&all, home.point[i], def, g);
    g[0] -= (double)home.count; /* removes the pair that each point forms with itself */
    for (int64_t i = 0; i < def->bins && home.count; i++) g[i] /= expected_in(def, result, i);
  }
  clear_cloud(&home);
  clear_cloud(&all);
  return good ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory for a radial distribution function");
}

scree_status scree_rdf(const scree_frame *frame, const scree_rdf_def *def, double *g,
    scree_rdf_result *result, scree_error *error) {
  SC_DEMAND(frame && def, error, SCREE_E_ARGUMENT);
  scree_status status = def->region ? check_rdf(def, error) : check_cell(frame, def, error);
  if (status) return status;
  cloud c = {0};
  memset(g, 0, (size_t)def->bins * sizeof *g);
  if (!def->region) return rdf_of_cell(frame, def, g, result, error);
  if (!collect_grains(&c, frame, def) || !sort_cells(&c, def->reach)) {
    clear_cloud(&c);
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a radial distribution function");
  }
  count_pairs(&c, def, g);
  status = normalise_rdf(&c, def, g, result, error);
  clear_cloud(&c);
  return status;
}

/* ---- the kind ---- */

typedef struct keys {
  scree_measure_def head;
  double reach;
  int64_t bins;
  int fit, edges;
} keys;
static const scree_param params[] = {
    SC_MEASURE_PART("region", 0, "where the grains lie; a periodic cell without it"),
    {"reach", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, SC_MEASURE_AT(reach), NULL,
        "largest distance"},
    SC_MEASURE_BINS(100, 1000000),
    {"fit", SCREE_BOOLEAN, 0, "", 0, 0, 0, SC_MEASURE_AT(fit), NULL, "shrink the region to the grains in it"},
    {"edges", SCREE_BOOLEAN, 0, "", 0, 0, 0, SC_MEASURE_AT(edges), NULL, "correct for what lies outside"},
    SC_MEASURE_GROUP,
};
enum { DISTANCE, G, GRAINS, DENSITY, VOLUME };
static const scree_measure_field fields[] = {{"r", "r", SCREE_LIST}, {"g", "g", SCREE_MEAN_LIST},
    {"grains", NULL, SCREE_WHOLE}, {"density", NULL, SCREE_FIGURE}, {"volume", NULL, SCREE_FIGURE}};

static scree_status measure_rdf(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  const keys *k = (const keys *)def;
  const scree_rdf_def rdf = {def->region, k->reach, k->bins, k->fit, k->edges, def->group};
  scree_rdf_result r;
  double *g = sc_measure_list(out, G, k->bins);
  if (!g || !sc_measure_middles(out, DISTANCE, 0, k->reach, k->bins)) return sc_measure_no_memory(error);
  scree_status status = scree_rdf(frame, &rdf, g, &r, error);
  if (status) return status;
  sc_measure_set(out, GRAINS, (double)r.grains);
  sc_measure_set(out, DENSITY, r.density);
  sc_measure_set(out, VOLUME, r.volume);
  out->empty = r.grains < 2;
  return SCREE_OK;
}

const scree_measure_kind sc_measure_rdf = {
    .name = "rdf", .doc = "radial distribution function", SC_MEASURE_TABLES, .take = measure_rdf};
