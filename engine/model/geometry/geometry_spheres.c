/* Fills a solid with overlapping balls.
 *
 * Points are distributed over the surface. For each point, a search finds the largest ball inside the solid
 * that touches the surface at the point. The search shrinks a ball until no part of the surface is inside the
 * ball (Ma, Bae and Choi 2012). The centre of this ball is a point of the medial axis. Balls are then
 * selected greedily for the clump: each time the ball that most reduces the mean squared distance between the
 * points and the clump. The first balls form the coarse shape, later balls fill edges and corners. All balls
 * are inside the solid, so the clump is never larger than its mesh. */
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

typedef struct sample {
  double point[3], inward[3];
  double away; /* distance of the point from the selected balls [m] */
} sample;

typedef struct filling {
  const scree_geometry *geometry;
  sample *sample;
  int64_t samples;
  scree_sphere *candidate;
  int64_t candidates;
  const scree_spheres_def *def;
  bool stopped;
} filling;

static bool check_stop(filling *f) {
  return f->stopped = f->stopped || (f->def->stop && f->def->stop(f->def->context));
}

/* ---- samples ---- */

static double area_vector(const scree_geometry *g, int32_t t, double n[3]) {
  double a[3], b[3];
  const int32_t *c = g->triangle[t];
  sc_sub(g->point[c[1]], g->point[c[0]], a), sc_sub(g->point[c[2]], g->point[c[0]], b);
  sc_cross(a, b, n);
  return sc_normalise(n, n) / 2;
}

static double fraction_of(double x) { return x - floor(x); }

/* Distributes the samples over the surface so that each sample represents an equal area. Positions within a
 * triangle follow an additive recurrence, which is a quasi-random sequence. */
static void spread_samples(filling *f) {
  const scree_geometry *g = f->geometry;
  double all = 0, n[3], before = 0;
  int64_t k = 0;
  for (int32_t t = 0; t < g->triangles; t++) all += area_vector(g, t, n);
  for (int32_t t = 0; t < g->triangles; t++) {
    const double area = area_vector(g, t, n);
    const int32_t *c = g->triangle[t];
    before += area;
    for (; k < f->samples && ((double)k + 0.5) * all / (double)f->samples <= before; k++) {
      sample *s = f->sample + k;
      double u = fraction_of((double)(k + 1) * 0.7548776662466927),
             v = fraction_of((double)(k + 1) * 0.5698402909980532);
      if (u + v > 1) u = 1 - u, v = 1 - v;
      for (int i = 0; i < 3; i++)
        s->point[i] = (1 - u - v) * g->point[c[0]][i] + u * g->point[c[1]][i] + v * g->point[c[2]][i];
      sc_scale(-1, n, s->inward);
    }
  }
  f->samples = k;
}

/* ---- candidates ---- */

/* Returns the largest ball inside the solid that touches the surface at the sample. Its radius is 0 if the
 * search fails. most: upper bound of the radius [m]. */
static scree_sphere shrink_ball(const scree_geometry *g, const sample *s, double most) {
  enum { ROUNDS = 60 };
  scree_sphere ball = {.radius = most};
  for (int round = 0; round < ROUNDS; round++) {
    double foot[3], apart[3];
    sc_axpy(ball.radius, s->inward, s->point, ball.centre);
    const double nearest = sc_geometry_nearest(g, ball.centre, ball.radius, foot);
    if (nearest >= ball.radius * (1 - 1e-9)) return ball;
    sc_sub(foot, s->point, apart);
    const double along = sc_dot(apart, s->inward);
    if (!(along > 0)) break;
    ball.radius = fmin(sc_dot(apart, apart) / (2 * along), ball.radius * (1 - 1e-9));
  }
  ball.radius = 0;
  return ball;
}

/* Fills f->candidate with the largest balls at all samples. Drops balls that are smaller than
 * def->smallest. */
static void find_candidates(filling *f) {
  const scree_geometry *g = f->geometry;
  double size[3], largest = 0, smallest = f->def->smallest;
  sc_sub(g->max, g->min, size);
  const double most = fmin(size[0], fmin(size[1], size[2])) / 2 * (1 + 1e-12);
  for (int64_t k = 0; k < f->samples && !check_stop(f); k++) {
    f->candidate[k] = shrink_ball(g, f->sample + k, most);
    largest = fmax(largest, f->candidate[k].radius);
  }
  if (f->stopped) return;
  if (!(smallest > 0)) smallest = largest / 10;
  for (int64_t k = 0; k < f->samples; k++)
    if (f->candidate[k].radius > 0 && f->candidate[k].radius >= smallest)
      f->candidate[f->candidates++] = f->candidate[k];
}

/* ---- selection ---- */

static double distance_to(const scree_sphere *ball, const double x[3]) {
  double apart[3];
  sc_sub(x, ball->centre, apart);
  return fmax(0, sc_norm(apart) - ball->radius);
}

/* Returns by how much a further ball reduces the sum of the squared distances of the samples from the
 * selected balls [m2]. */
static double gain_of(const filling *f, const scree_sphere *ball) {
  double gain = 0;
  for (int64_t k = 0; k < f->samples; k++) {
    const sample *s = f->sample + k;
    const double away = distance_to(ball, s->point);
    if (away < s->away) gain += s->away * s->away - away * away;
  }
  return gain;
}

static const scree_sphere *choose_ball(filling *f) {
  const scree_sphere *best = NULL;
  double most = 0;
  for (int64_t k = 0; k < f->candidates && !check_stop(f); k++) {
    const double gain = gain_of(f, f->candidate + k);
    if (gain > most) most = gain, best = f->candidate + k;
  }
  return best;
}

/* Sets result->deviation to the largest distance of samples and corners from the balls, and result->mean to
 * the mean distance of the samples [m]. */
static void measure_deviation(const filling *f, const scree_sphere *ball, scree_spheres_result *result) {
  const scree_geometry *g = f->geometry;
  result->deviation = result->mean = 0;
  for (int64_t k = 0; k < f->samples; k++) {
    result->deviation = fmax(result->deviation, f->sample[k].away);
    result->mean += f->sample[k].away / (double)f->samples;
  }
  for (int32_t p = 0; p < g->points; p++) {
    double away = INFINITY;
    for (int64_t i = 0; i < result->count; i++) away = fmin(away, distance_to(ball + i, g->point[p]));
    result->deviation = fmax(result->deviation, away);
  }
}

static void fill_solid(filling *f, scree_sphere *out, scree_spheres_result *result) {
  double size[3];
  sc_sub(f->geometry->max, f->geometry->min, size);
  for (int64_t k = 0; k < f->samples; k++) f->sample[k].away = sc_norm(size);
  while (result->count < f->def->count) {
    const scree_sphere *ball = choose_ball(f);
    if (!ball || f->stopped) break;
    out[result->count++] = *ball;
    for (int64_t k = 0; k < f->samples; k++)
      f->sample[k].away = fmin(f->sample[k].away, distance_to(ball, f->sample[k].point));
    measure_deviation(f, out, result);
    if (result->deviation <= f->def->deviation) break;
  }
}

const scree_param scree_spheres_params[] = {
    SCREE_ROW_INTEGER("count", offsetof(scree_spheres_def, count), 20, 1, 4096, "balls at most"),
    SCREE_ROW_REAL("deviation", offsetof(scree_spheres_def, deviation), "m", 0, 0, INFINITY,
        "fewer, once the surface is no further from them"),
    SCREE_ROW_REAL("smallest", offsetof(scree_spheres_def, smallest), "m", 0, 0, INFINITY,
        "radius of the smallest; 0: a tenth of the largest"),
    SCREE_ROW_INTEGER("samples", offsetof(scree_spheres_def, samples), 1000, 100, 20000,
        "points of the surface that are looked at"),
};
const int scree_spheres_params_count = sizeof scree_spheres_params / sizeof *scree_spheres_params;

scree_spheres_def scree_spheres_defaults(void) { return (scree_spheres_def){.count = 20, .samples = 1000}; }

static scree_status check_spheres(const scree_geometry *g, const scree_spheres_def *def, scree_error *error) {
  if (!g->closed)
    return sc_fail(error, SCREE_E_ARGUMENT, "only a closed mesh or a hull can be filled with balls");
  return scree_param_check_all(scree_spheres_params, scree_spheres_params_count, def, "spheres", error);
}

scree_status scree_geometry_spheres(const scree_geometry *geometry, const scree_spheres_def *def,
    scree_sphere *out, scree_spheres_result *result, scree_error *error) {
  SC_DEMAND(geometry && def && out && result, error, SCREE_E_ARGUMENT);
  filling f = {.geometry = geometry, .samples = def->samples, .def = def};
  *result = (scree_spheres_result){0};
  scree_status status = check_spheres(geometry, def, error);
  if (status != SCREE_OK) return status;
  f.sample = sc_alloc((size_t)def->samples * sizeof *f.sample);
  f.candidate = sc_alloc((size_t)def->samples * sizeof *f.candidate);
  if (f.sample && f.candidate) {
    spread_samples(&f);
    find_candidates(&f);
    fill_solid(&f, out, result);
    if (f.stopped) status = sc_fail(error, SCREE_E_NUMERIC, "stopped before the solid was filled");
    else if (!result->count)
      status = sc_fail(error, SCREE_E_ARGUMENT, "no ball of that size fits into the solid");
  } else status = sc_fail(error, SCREE_E_MEMORY, "no memory to fill a solid with balls");
  sc_free(f.sample);
  sc_free(f.candidate);
  return status;
}
