/* The sweep in scalar code: the reference for wider sweeps, and for processors without SIMD. */
#include "solve/sweeps/kernels/sweep.h"

#include <stdlib.h>

#include "problem/contacts/kernels/vector_scalar.h"
#define SWEEPS sc_sweeps_scalar
#include "solve/sweeps/kernels/sweep_set.h"

const sc_sweeps *sc_sweeps_best(void) {
#if defined(__x86_64__)
  const sc_sweeps *const by_width[] = {&sc_sweeps_scalar, &sc_sweeps_avx2, &sc_sweeps_avx512};
  return by_width[sc_simd_best()];
#else
  return &sc_sweeps_scalar;
#endif
}
