/* Distributions of grain sizes: the share of the grains, by number or by mass, that is finer than a diameter.
 *
 * Every distribution is stored as a passing curve: diameters d_0 < d_1 < ... and the share S_i finer than
 * d_i, with S_0 = 0, the last S_i = 1, and uniform density in between. If shares are masses, numbers follow
 * from mass ~ d^3: a segment with share s of the mass has numbers in proportion to s (a+b)/(2 a^2 b^2), and
 * within it 1/d^2 is uniform. So no diameter is outside the bounds, and a curve by mass is sampled exactly.
 * Sizes are diameters, as sieves measure them. */
#ifndef SCREE_SIZES_H
#define SCREE_SIZES_H

#include <stdint.h>
#include "scree/param.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SCREE_SIZES_UNIFORM,
  SCREE_SIZES_NORMAL,
  SCREE_SIZES_LOGNORMAL,
  SCREE_SIZES_WEIBULL,
  SCREE_SIZES_PASSING
};
enum { SCREE_BY_NUMBER, SCREE_BY_MASS };

/* Members of other distributions than the chosen one must be 0. min and max truncate the distribution, which
 * is then scaled to 1. */
typedef struct scree_sizes_def {
  int distribution;       /* SCREE_SIZES_... */
  int by;                 /* SCREE_BY_...: quantity whose shares the distribution gives */
  double min, max;        /* smallest and largest diameter [m], not of PASSING */
  double mean, deviation; /* NORMAL, before truncation [m] */
  /* LOGNORMAL [m]; e^(deviation of ln d), > 1: 68 % lie within this factor of the median */
  double median, geometric_deviation;
  /* WEIBULL: 63.2 % are finer than scale [m]; the exponent (Rosin & Rammler 1933, by mass) */
  double scale, modulus;
  /* PASSING: pairs of a diameter [m], rising, and the share that is finer, from 0 to 1 */
  const double (*passing)[2];
  int passing_count;
} scree_sizes_def;
/* All members but passing. */
extern const scree_param scree_sizes_params[];
extern const int scree_sizes_params_count;

typedef struct scree_sizes scree_sizes;
/* Returns a distribution; NULL on error. */
scree_sizes *scree_sizes_create(const scree_sizes_def *def, scree_error *error);
/* Frees a distribution. NULL is allowed. */
void scree_sizes_destroy(scree_sizes *sizes);
/* Sets *min and *max to the smallest and largest diameter [m]. */
void scree_sizes_range(const scree_sizes *sizes, double *min, double *max);
/* Returns whether shares are of the number or of the mass of grains, as in the def. */
int scree_sizes_by(const scree_sizes *sizes);
/* Returns the diameter below which a share u in [0, 1] of the number of grains lies [m]. */
double scree_sizes_diameter(const scree_sizes *sizes, double u);
/* Returns the share, by number or by mass (by: SCREE_BY_...), that is finer than a diameter. */
double scree_sizes_passing(const scree_sizes *sizes, double diameter, int by);

/* A sequence of diameters, identified by `seed`. Each of 256 successive diameters, starting at a multiple
 * of 256, comes from another of 256 classes of equal number, in random order, so that few grains already
 * follow the curve closely. A stream is plain data, initialised as {.seed = ...}; it may be discarded and
 * initialised again at any time. */
typedef struct scree_sizes_stream {
  uint64_t seed;
  int64_t block;
  uint8_t ordered, order[256];
} scree_sizes_stream;
/* Returns diameter number `index` of a sequence [m]. */
double scree_sizes_draw(const scree_sizes *sizes, scree_sizes_stream *stream, int64_t index);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
