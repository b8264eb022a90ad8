/* The sweep eight lanes at a time. */
#include "solve/sweeps/sweep.h"

#include <math.h>
#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>

#define LANES 8
#define SWEEP sc_sweep_avx512
#define SWEEP_COUPLE sc_sweep_couple_avx512
#define SWEEP_PUSH sc_sweep_push_avx512
typedef __m512d VEC;
typedef int64_t MASK __attribute__((vector_size(64)));

static inline VEC vector_sqrt(VEC v) { return _mm512_sqrt_pd(v); }

/* 8 x 8: pairs within 128-bit lanes, then lanes in two rounds. */
static inline void transpose(const VEC r[8], VEC out[8]) {
  VEC a[8], b[8];
  for (int m = 0; m < 8; m += 2) {
    a[m] = _mm512_unpacklo_pd(r[m], r[m + 1]);
    a[m + 1] = _mm512_unpackhi_pd(r[m], r[m + 1]);
  }
  for (int h = 0; h < 8; h += 4)
    for (int e = 0; e < 2; e++) {
      b[h + e] = _mm512_shuffle_f64x2(a[h + e], a[h + 2 + e], 0x88);
      b[h + 2 + e] = _mm512_shuffle_f64x2(a[h + e], a[h + 2 + e], 0xdd);
    }
  for (int e = 0; e < 2; e++) {
    out[e] = _mm512_shuffle_f64x2(b[e], b[4 + e], 0x88);
    out[4 + e] = _mm512_shuffle_f64x2(b[e], b[4 + e], 0xdd);
    out[2 + e] = _mm512_shuffle_f64x2(b[2 + e], b[6 + e], 0x88);
    out[6 + e] = _mm512_shuffle_f64x2(b[2 + e], b[6 + e], 0xdd);
  }
}

static inline void load_bodies(const sc_solver_body *body, const int32_t *index, VEC column[8]) {
  VEC row[8];
  for (int m = 0; m < 8; m++) row[m] = _mm512_load_pd(body + index[m]);
  transpose(row, column);
}

static inline void store_bodies(const VEC column[8], sc_solver_body *const *target) {
  VEC row[8];
  transpose(column, row);
  for (int m = 0; m < 8; m++) _mm512_store_pd(target[m], row[m]);
}

#include "solve/sweeps/sweep_kernel.h"
#include "solve/sweeps/sweep_couple.h"
#include "solve/sweeps/sweep_push.h"
#else
double sc_sweep_avx512(const sc_sweep_in *in) { return sc_sweep_avx2(in); }
double sc_sweep_couple_avx512(const sc_sweep_in *in) { return sc_sweep_couple_avx2(in); }
double sc_sweep_push_avx512(const sc_sweep_in *in) { return sc_sweep_push_avx2(in); }
#endif
