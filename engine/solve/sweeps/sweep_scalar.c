/* The sweep one lane at a time: the reference for the wider ones, and the path of processors without them. */
#include "solve/sweeps/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LANES 1
#define SWEEP sc_sweep_scalar
#define SWEEP_COUPLE sc_sweep_couple_scalar
#define SWEEP_PUSH sc_sweep_push_scalar
#define SWEEP_GENERAL sc_sweep_general_scalar
#define SWEEP_GENERAL_PUSH sc_sweep_general_push_scalar
typedef double VEC __attribute__((vector_size(8)));
typedef int64_t MASK __attribute__((vector_size(8)));

/* What a comparison says of each lane. */
typedef MASK TRUTH;
static inline bool any(TRUTH t) { return t[0] != 0; }
static inline bool lane_true(TRUTH t, int l) { return t[l] != 0; }
static inline TRUTH above(VEC a, VEC b) { return (TRUTH)(a > b); }
static inline TRUTH at_least(VEC a, VEC b) { return (TRUTH)(a >= b); }
static inline TRUTH equal(VEC a, VEC b) { return (TRUTH)(a == b); }
static inline VEC pick(TRUTH t, VEC yes, VEC no) { return t[0] ? yes : no; }
static inline bool any_bit(MASK m) { return any(m); }

static inline VEC vector_sqrt(VEC v) { return (VEC){sqrt(v[0])}; }
static inline void load_bodies(const sc_solver_body *body, const int32_t *index, VEC column[8]) {
  memcpy(column, body + index[0], 64);
}
static inline void store_bodies(const VEC column[8], sc_solver_body *const *target) {
  memcpy(target[0], column, 64);
}
static inline void load_tensors(const double (*K)[6], const int32_t *index, VEC column[6]) {
  memcpy(column, K[index[0]], sizeof *K);
}

#include "solve/sweeps/sweep_kernel.h"
#include "solve/sweeps/sweep_couple.h"
#include "solve/sweeps/sweep_push.h"
#include "solve/sweeps/sweep_law.h"
#include "solve/sweeps/sweep_forms.h"
#include "solve/sweeps/sweep_general.h"

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

sc_general_sweep sc_sweep_general_best(void) {
  sc_sweep best = sc_sweep_best();
  return best == sc_sweep_avx512 ? sc_sweep_general_avx512
      : best == sc_sweep_avx2    ? sc_sweep_general_avx2
                                 : sc_sweep_general_scalar;
}

sc_general_sweep sc_sweep_general_push_best(void) {
  sc_sweep best = sc_sweep_best();
  return best == sc_sweep_avx512 ? sc_sweep_general_push_avx512
      : best == sc_sweep_avx2    ? sc_sweep_general_push_avx2
                                 : sc_sweep_general_push_scalar;
}
