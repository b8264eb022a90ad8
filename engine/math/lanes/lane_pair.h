/* Arithmetic over vectors of two lanes (lane_vector.h), which every processor supports. For files that are
 * compiled for this width only. */
#ifndef SC_LANE_PAIR_H
#define SC_LANE_PAIR_H

#include <math.h>
#include <stdint.h>

enum { LANES = 2 };
typedef double VEC __attribute__((vector_size(16)));
typedef int64_t MASK __attribute__((vector_size(16)));

static inline VEC vector_sqrt(VEC v) { return (VEC){sqrt(v[0]), sqrt(v[1])}; }

#include "math/lanes/lane_vector.h"

#endif
