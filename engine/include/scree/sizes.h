/* Distributions of grain sizes: the share of the grains, by number or by mass, that is finer than a diameter.
 *
 * Every distribution is stored as a passing curve: diameters d_0 < d_1 < ... and the share S_i that is finer
 * than d_i. S_0 is 0, the last S_i is 1, and the density between two diameters is uniform. If shares are
 * masses, numbers follow from mass ~ d^3. A segment from a to b with the share s of the mass then contains
 * numbers of grains in proportion to s (a+b)/(2 a^2 b^2), and 1/d^2 is uniform in it. Therefore no diameter
 * is outside the bounds, and a curve by mass is sampled exactly. Sizes are diameters, as sieves measure
 * them. */
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

/* Members that belong to other distributions must be 0. min and max truncate the distribution, which is then
 * normalised to 1. */
typedef struct scree_sizes_def {
  int distribution; /* kind of distribution: SCREE_SIZES_... */
  /* SCREE_BY_NUMBER or SCREE_BY_MASS: whether shares are shares of the number or of the mass of grains */
  int by;
  double min, max;        /* smallest and largest diameter [m]; not for PASSING */
  double mean, deviation; /* NORMAL: mean and standard deviation before truncation [m] */
  /* LOGNORMAL: median of the diameter d [m]; exp of the standard deviation of ln d, > 1. 68 % of the grains
   * are within this factor of the median */
  double median, geometric_deviation;
  /* WEIBULL: diameter [m] that 63.2 % of the grains are finer than; exponent (Rosin & Rammler 1933, by
   * mass) */
  double scale, modulus;
  /* PASSING: pairs of a diameter [m] and the share that is finer; both increase, the share from 0 to 1 */
  const double (*passing)[2];
  int passing_count;
} scree_sizes_def;
/* Parameter table of all members except passing. */
extern const scree_param scree_sizes_params[];
extern const int scree_sizes_params_count;

typedef struct scree_sizes scree_sizes;
/* Returns a distribution, or NULL with an error. */
scree_sizes *scree_sizes_create(const scree_sizes_def *def, scree_error *error);
/* Frees a distribution. NULL is allowed. */
void scree_sizes_destroy(scree_sizes *sizes);
/* Sets *min and *max to the smallest and largest diameter [m]. */
void scree_sizes_range(const scree_sizes *sizes, double *min, double *max);
/* Returns SCREE_BY_NUMBER or SCREE_BY_MASS, as in the definition. */
int scree_sizes_by(const scree_sizes *sizes);
/* Returns the diameter d [m] such that a share u in [0, 1] of the number of grains is finer than d. */
double scree_sizes_diameter(const scree_sizes *sizes, double u);
/* Returns the share of grains that is finer than a diameter. by: SCREE_BY_..., whether the share is by number
 * or by mass. */
double scree_sizes_passing(const scree_sizes *sizes, double diameter, int by);

/* State of a sequence of diameters, which `seed` identifies. The distribution is divided into 256 classes of
 * equal number. Any 256 successive diameters from a multiple of 256 on come from different classes, in random
 * order. Even a small number of grains therefore follows the curve closely. A stream is plain data,
 * initialised by {.seed = ...}. It may be initialised again at any time. */
typedef struct scree_sizes_stream {
  uint64_t seed;
  int64_t block;
  uint8_t ordered, order[256];
} scree_sizes_stream;
/* Returns diameter number `index` of a sequence [m]. stream: state of the sequence, which may change. */
double scree_sizes_draw(const scree_sizes *sizes, scree_sizes_stream *stream, int64_t index);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
