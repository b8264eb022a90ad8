/* Distributions of grain sizes as passing curves: the share of the grains that is finer than a diameter
 * (scree/sizes.h).
 *
 * Normal, lognormal and Weibull distributions are sampled in equal steps of a variable t,
 *   normal     t = (d - mean) / deviation            density of t  exp(-t^2/2)
 *   lognormal  t = ln(d / median) / ln(g)            density of t  exp(-t^2/2)
 *   Weibull    t = modulus ln(d / scale)             density of t  e^t exp(-e^t)
 * (d: diameter, g: geometric deviation). The steps lie between the smallest and the largest diameter. They
 * also lie in a fixed range of t, which contains all but 1e-16 of the distribution. The share of the grains
 * in a step is an integral over the density by Simpson's rule. With 1024 steps the error of the curve is a
 * share of about 1e-5. The code uses only the elementary functions of math/elementary.h, so sizes have the
 * same bits everywhere. */
#include "scree/sizes.h"
#include "base/base.h"
#include "math/elementary.h"

#include <stddef.h>

enum { STEPS = 1024, CLASSES = 256 };

#define AT(member) offsetof(scree_sizes_def, member)
const scree_param scree_sizes_params[] = {
    {"distribution", SCREE_CHOICE, 0, "", 0, 0, 0, AT(distribution), "uniform|normal|lognormal|weibull",
        "of diameters, cut off at min and max"},
    {"by", SCREE_CHOICE, SCREE_REQUIRED, "", 0, 0, 0, AT(by), "number|mass",
        "what shares are of: numbers of grains, or their mass"},
    {"min", SCREE_REAL, SCREE_POSITIVE, "m", 0, 0, 0, AT(min), NULL, "smallest diameter"},
    {"max", SCREE_REAL, SCREE_POSITIVE, "m", 0, 0, 0, AT(max), NULL, "largest diameter"},
    {"mean", SCREE_REAL, SCREE_POSITIVE, "m", 0, 0, 0, AT(mean), NULL,
        "normal: mean diameter, before it is cut off"},
    {"deviation", SCREE_REAL, SCREE_POSITIVE, "m", 0, 0, 0, AT(deviation), NULL,
        "normal: standard deviation"},
    {"median", SCREE_REAL, SCREE_POSITIVE, "m", 0, 0, 0, AT(median), NULL,
        "lognormal: median diameter, before it is cut off"},
    {"geometric_deviation", SCREE_REAL, SCREE_POSITIVE, "", 0, 0, 0, AT(geometric_deviation), NULL,
        "lognormal: greater than 1; 68 % lie within this factor of the median"},
    {"scale", SCREE_REAL, SCREE_POSITIVE, "m", 0, 0, 0, AT(scale), NULL,
        "weibull: 63.2 % are finer than this diameter, before it is cut off"},
    {"modulus", SCREE_REAL, SCREE_POSITIVE, "", 0, 0, 0, AT(modulus), NULL,
        "weibull: exponent; greater is narrower"},
};
const int scree_sizes_params_count = sizeof scree_sizes_params / sizeof *scree_sizes_params;

/* A node of the curve: a diameter d [m], and the shares of the number and of the mass of grains that are
 * finer. */
typedef struct node {
  double d, number, mass;
} node;
struct scree_sizes {
  int by, nodes;
  double min, max;
  node node[];
};

/* ---- checks ---- */

static scree_status check_passing(const scree_sizes_def *def, scree_error *error) {
  const double(*p)[2] = def->passing;
  int last = def->passing_count - 1;
  if (last < 1)
    return sc_fail(error, SCREE_E_ARGUMENT, "sizes.passing must have at least two entries {diameter, share}");
  for (int i = 0; i <= last; i++) {
    if (!(p[i][0] > (i ? p[i - 1][0] : 0)) || isinf(p[i][0]))
      return sc_fail(error, SCREE_E_ARGUMENT,
          "sizes.passing[%d]: diameters must be greater than 0 and rise, %g does not", i + 1, p[i][0]);
    if (!(p[i][1] >= 0 && p[i][1] <= 1))
      return sc_fail(error, SCREE_E_ARGUMENT,
          "sizes.passing[%d]: a share lies between 0 and 1, not %g (per cent over 100)", i + 1, p[i][1]);
    if (i && p[i][1] < p[i - 1][1])
      return sc_fail(error, SCREE_E_ARGUMENT, "sizes.passing[%d]: shares must not fall, from %g to %g", i + 1,
          p[i - 1][1], p[i][1]);
  }
  if (p[0][1] != 0 || p[last][1] != 1)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "sizes.passing must begin with share 0, at the smallest diameter, and end with 1, not %g and %g",
        p[0][1], p[last][1]);
  return SCREE_OK;
}

/* Checks that all members of the chosen distribution are set, and no members of other distributions. */
static scree_status check_members(const scree_sizes_def *def, scree_error *error) {
  static const char *const names[] = {"uniform", "normal", "lognormal", "weibull", "passing"};
  const struct {
    const char *name;
    double value;
    int of;
  } members[] = {{"mean", def->mean, SCREE_SIZES_NORMAL}, {"deviation", def->deviation, SCREE_SIZES_NORMAL},
      {"median", def->median, SCREE_SIZES_LOGNORMAL},
      {"geometric_deviation", def->geometric_deviation, SCREE_SIZES_LOGNORMAL},
      {"scale", def->scale, SCREE_SIZES_WEIBULL}, {"modulus", def->modulus, SCREE_SIZES_WEIBULL}};
  if (def->distribution < 0 || def->distribution > SCREE_SIZES_PASSING || def->by < 0 ||
      def->by > SCREE_BY_MASS)
    return sc_fail(error, SCREE_E_ARGUMENT, "sizes.distribution is unknown");
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    if (members[i].of != def->distribution && members[i].value != 0)
      return sc_fail(error, SCREE_E_ARGUMENT, "sizes.%s belongs to %s, not to %s", members[i].name,
          names[members[i].of], names[def->distribution]);
    if (members[i].of == def->distribution && !(members[i].value > 0 && isfinite(members[i].value)))
      return sc_fail(error, SCREE_E_ARGUMENT, "sizes.%s is missing: %s", members[i].name,
          scree_param_find(scree_sizes_params, scree_sizes_params_count, members[i].name)->doc);
  }
  return SCREE_OK;
}

static scree_status check_sizes(const scree_sizes_def *def, scree_error *error) {
  scree_status status = check_members(def, error);
  if (status != SCREE_OK || def->distribution == SCREE_SIZES_PASSING)
    return status ? status : check_passing(def, error);
  if (!(def->min > 0)) return sc_fail(error, SCREE_E_ARGUMENT, "sizes.min is missing: smallest diameter");
  if (!(def->max > 0)) return sc_fail(error, SCREE_E_ARGUMENT, "sizes.max is missing: largest diameter");
  if (!(def->max > def->min) || isinf(def->max))
    return sc_fail(error, SCREE_E_ARGUMENT, "sizes.max must be finite and greater than min: %g and %g",
        def->max, def->min);
  if (def->distribution == SCREE_SIZES_LOGNORMAL && !(def->geometric_deviation > 1))
    return sc_fail(error, SCREE_E_ARGUMENT, "sizes.geometric_deviation must be greater than 1, not %g",
        def->geometric_deviation);
  return SCREE_OK;
}

/* ---- passing curve of a distribution ---- */

static double t_of(const scree_sizes_def *def, double d) {
  if (def->distribution == SCREE_SIZES_NORMAL) return (d - def->mean) / def->deviation;
  if (def->distribution == SCREE_SIZES_LOGNORMAL)
    return sc_log(d / def->median) / sc_log(def->geometric_deviation);
  return def->modulus * sc_log(d / def->scale);
}

static double d_of(const scree_sizes_def *def, double t) {
  if (def->distribution == SCREE_SIZES_NORMAL) return def->mean + def->deviation * t;
  if (def->distribution == SCREE_SIZES_LOGNORMAL)
    return def->median * sc_exp(t * sc_log(def->geometric_deviation));
  return def->scale * sc_exp(t / def->modulus);
}

static double density_of(const scree_sizes_def *def, double t) {
  return def->distribution == SCREE_SIZES_WEIBULL ? sc_exp(t - sc_exp(t)) : sc_exp(-t * t / 2);
}

static double clamp_value(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* Sets diameter and `number` of all nodes, at equal steps of t. `number` becomes the integral of the density
 * up to the node, with a constant factor that compute_shares removes. */
static scree_status lay_out(const scree_sizes_def *def, scree_sizes *sizes, scree_error *error) {
  const bool weibull = def->distribution == SCREE_SIZES_WEIBULL;
  /* range of t; less than 1e-16 of the distribution is outside */
  const double least = weibull ? -36 : -9, most = weibull ? 3.7 : 9;
  const double t0 = clamp_value(t_of(def, def->min), least, most),
               t1 = clamp_value(t_of(def, def->max), least, most), h = (t1 - t0) / STEPS;
  if (!(t1 > t0))
    return sc_fail(error, SCREE_E_ARGUMENT, "sizes: nothing of the distribution lies between min and max");
  sizes->nodes = STEPS + 1;
  for (int i = 0; i <= STEPS; i++) {
    double t = t0 + i * h;
    sizes->node[i].d = clamp_value(d_of(def, t), def->min, def->max);
    sizes->node[i].number = i ? sizes->node[i - 1].number + density_of(def, t - h) +
            4 * density_of(def, t - h / 2) + density_of(def, t)
                              : 0;
  }
  if (t0 > least) sizes->node[0].d = def->min;
  if (t1 < most) sizes->node[STEPS].d = def->max;
  return SCREE_OK;
}

static void copy_curve(const scree_sizes_def *def, scree_sizes *sizes) {
  const double ends[2][2] = {{def->min, 0}, {def->max, 1}}, (*from)[2] = def->passing ? def->passing : ends;
  sizes->nodes = def->passing ? def->passing_count : 2;
  for (int i = 0; i < sizes->nodes; i++) sizes->node[i].d = from[i][0], sizes->node[i].number = from[i][1];
}

/* Computes the shares `number` and `mass` of all nodes, scaled to 1. Before the call, `number` contains the
 * cumulative shares by number or by mass. Diameters are divided by the smallest diameter, so that their
 * powers do not overflow. */
static void compute_shares(scree_sizes *sizes) {
  node *n = sizes->node;
  double before = n[0].number;
  n[0].number = n[0].mass = 0;
  for (int i = 1; i < sizes->nodes; i++) {
    const double share = n[i].number - before, a = n[i - 1].d / n[0].d, b = n[i].d / n[0].d;
    before = n[i].number;
    const double cubes = (a + b) * (a * a + b * b) / 4, inverse_cubes = (a + b) / (2 * a * a * b * b);
    n[i].number = n[i - 1].number + (sizes->by == SCREE_BY_MASS ? share * inverse_cubes : share);
    n[i].mass = n[i - 1].mass + (sizes->by == SCREE_BY_MASS ? share : share * cubes);
  }
  const node all = n[sizes->nodes - 1];
  for (int i = 0; i < sizes->nodes; i++) n[i].number /= all.number, n[i].mass /= all.mass;
}

scree_sizes *scree_sizes_create(const scree_sizes_def *def, scree_error *error) {
  SC_DEMAND(def && (def->passing || def->distribution != SCREE_SIZES_PASSING), error, NULL);
  if (check_sizes(def, error) != SCREE_OK) return NULL;
  const bool passing = def->distribution == SCREE_SIZES_PASSING,
             plain = passing || def->distribution == SCREE_SIZES_UNIFORM;
  const size_t nodes = passing ? (size_t)def->passing_count : STEPS + 1;
  scree_sizes *sizes = sc_alloc(sizeof *sizes + nodes * sizeof(node));
  if (!sizes) return sc_fail(error, SCREE_E_MEMORY, "no memory for a distribution of sizes"), NULL;
  sizes->by = def->by;
  sizes->min = passing ? def->passing[0][0] : def->min;
  sizes->max = passing ? def->passing[nodes - 1][0] : def->max;
  if (plain) copy_curve(def, sizes);
  else if (lay_out(def, sizes, error) != SCREE_OK) return sc_free(sizes), NULL;
  compute_shares(sizes);
  return sizes;
}

void scree_sizes_destroy(scree_sizes *sizes) { sc_free(sizes); }

void scree_sizes_range(const scree_sizes *sizes, double *min, double *max) {
  SC_DEMAND(sizes && min && max, NULL, );
  *min = sizes->min, *max = sizes->max;
}

int scree_sizes_by(const scree_sizes *sizes) {
  SC_DEMAND(sizes, NULL, 0);
  return sizes->by;
}

/* ---- evaluation ---- */

/* Returns a diameter in the segment [a, b] of the curve [m]. The fraction v of the number of grains in the
 * segment is finer than this diameter. */
static double diameter_within(const scree_sizes *sizes, double a, double b, double v) {
  if (sizes->by == SCREE_BY_NUMBER) return a + v * (b - a);
  const double ratio = a / b; /* 1/d^2 decreases linearly with v from 1/a^2 to 1/b^2 */
  return a / sqrt(1 - v * (1 - ratio * ratio));
}

/* Returns the fraction of the number of grains in the segment [a, b] of the curve that is finer than d. */
static double number_part_of(const scree_sizes *sizes, double a, double b, double d) {
  if (sizes->by == SCREE_BY_NUMBER) return (d - a) / (b - a);
  return (1 - a / d * (a / d)) / (1 - a / b * (a / b));
}

/* Returns the fraction of the mass of the grains in the segment [a, b] of the curve that is finer than d. */
static double mass_part_of(const scree_sizes *sizes, double a, double b, double d) {
  if (sizes->by == SCREE_BY_MASS) return (d - a) / (b - a);
  const double x = d / b, r = a / b;
  return (x * x * x * x - r * r * r * r) / (1 - r * r * r * r);
}

double scree_sizes_diameter(const scree_sizes *sizes, double u) {
  SC_DEMAND(sizes, NULL, 0);
  const node *n = sizes->node;
  int low = 0, high = sizes->nodes - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (n[middle].number <= u) low = middle;
    else high = middle;
  }
  const double width = n[high].number - n[low].number;
  const double d = width > 0
      ? diameter_within(sizes, n[low].d, n[high].d, clamp_value((u - n[low].number) / width, 0, 1))
      : n[high].d;
  return clamp_value(d, n[low].d, n[high].d);
}

double scree_sizes_passing(const scree_sizes *sizes, double diameter, int by) {
  SC_DEMAND(sizes, NULL, 0);
  const node *n = sizes->node;
  int low = 0, high = sizes->nodes - 1;
  if (!(diameter > n[0].d)) return 0;
  if (diameter >= n[high].d) return 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (n[middle].d <= diameter) low = middle;
    else high = middle;
  }
  if (by == SCREE_BY_MASS)
    return n[low].mass + (n[high].mass - n[low].mass) * mass_part_of(sizes, n[low].d, n[high].d, diameter);
  return n[low].number +
      (n[high].number - n[low].number) * number_part_of(sizes, n[low].d, n[high].d, diameter);
}

/* ---- sequences ---- */

/* Sets stream->order to a random permutation (Fisher & Yates) of the 256 classes. A class is an interval of
 * diameters with 1/256 of the number of grains. A block is 256 successive draws, one from each class. */
static void shuffle_classes(scree_sizes_stream *stream, int64_t block) {
  sc_rng rng;
  sc_rng_seed(&rng, stream->seed ^ (0xd1b54a32d192ed03ull * ((uint64_t)block + 1)));
  for (int i = 0; i < CLASSES; i++) stream->order[i] = (uint8_t)i;
  for (int i = CLASSES - 1; i > 0; i--) {
    int j = (int)(sc_rng_unit(&rng) * (i + 1));
    uint8_t held = stream->order[i];
    stream->order[i] = stream->order[j], stream->order[j] = held;
  }
  stream->block = block, stream->ordered = 1;
}

double scree_sizes_draw(const scree_sizes *sizes, scree_sizes_stream *stream, int64_t index) {
  SC_DEMAND(sizes && stream, NULL, 0);
  sc_rng rng;
  if (!stream->ordered || stream->block != index / CLASSES) shuffle_classes(stream, index / CLASSES);
  sc_rng_seed(&rng, stream->seed ^ (0x9e3779b97f4a7c15ull * ((uint64_t)index + 1)));
  return scree_sizes_diameter(sizes, (stream->order[index % CLASSES] + sc_rng_unit(&rng)) / CLASSES);
}
