/* The sweep one lane at a time: the reference for the wider ones, and the path of processors without them. */
#include "solve/sweeps/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LANES 1
#define SWEEP sc_sweep_scalar
#define SWEEP_COUPLE sc_sweep_couple_scalar
#define SWEEP_PUSH sc_sweep_push_scalar
typedef double VEC __attribute__((vector_size(8)));
typedef int64_t MASK __attribute__((vector_size(8)));

static inline VEC vector_sqrt(VEC v) { return (VEC){sqrt(v[0])}; }
static inline void load_bodies(const sc_solver_body *body, const int32_t *index, VEC column[8]) {
  memcpy(column, body + index[0], 64);
}
static inline void store_bodies(const VEC column[8], sc_solver_body *const *target) {
  memcpy(target[0], column, 64);
}

#include "solve/sweeps/sweep_kernel.h"
#include "solve/sweeps/sweep_couple.h"
#include "solve/sweeps/sweep_push.h"

sc_sweep sc_sweep_best(void) {
  const char *wanted = getenv("SCREE_SIMD");
#if defined(__x86_64__)
  bool avx512 = __builtin_cpu_supports("avx512f"), avx2 = __builtin_cpu_supports("avx2");
  if (avx512 && (!wanted || !strcmp(wanted, "avx512"))) return sc_sweep_avx512;
  if (avx2 && (!wanted || !strcmp(wanted, "avx2") || !strcmp(wanted, "avx512"))) return sc_sweep_avx2;
#endif
  (void)wanted;
  return sc_sweep_scalar;
}

sc_sweep sc_sweep_couple_best(void) {
  sc_sweep best = sc_sweep_best();
  return best == sc_sweep_avx512 ? sc_sweep_couple_avx512
      : best == sc_sweep_avx2    ? sc_sweep_couple_avx2
                                 : sc_sweep_couple_scalar;
}

sc_sweep sc_sweep_push_best(void) {
  sc_sweep best = sc_sweep_best();
  return best == sc_sweep_avx512 ? sc_sweep_push_avx512
      : best == sc_sweep_avx2    ? sc_sweep_push_avx2
                                 : sc_sweep_push_scalar;
}
