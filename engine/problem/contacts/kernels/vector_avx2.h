/* Vectors of contacts and bodies with four lanes. Only included by files that are compiled for this width. */
#include <math.h>
#include <string.h>

#include <immintrin.h>

/* forces inlining in large files, too, because sweeps keep vectors in registers only if all functions are
 * inlined */
#define INLINE static inline __attribute__((always_inline))
#define LANES 4
typedef __m256d VEC;
typedef int64_t MASK __attribute__((vector_size(32)));

/* Result of a comparison, per lane. */
typedef MASK TRUTH;
static inline bool any(TRUTH t) { return _mm256_movemask_pd((VEC)t) != 0; }
static inline bool lane_true(TRUTH t, int l) { return t[l] != 0; }
static inline TRUTH above(VEC a, VEC b) { return (TRUTH)(a > b); }
static inline TRUTH at_least(VEC a, VEC b) { return (TRUTH)(a >= b); }
static inline TRUTH equal(VEC a, VEC b) { return (TRUTH)(a == b); }
static inline VEC pick(TRUTH t, VEC yes, VEC no) { return _mm256_blendv_pd(no, yes, (VEC)t); }
static inline bool any_bit(MASK m) { return any(m); }

static inline VEC vector_sqrt(VEC v) { return _mm256_sqrt_pd(v); }

INLINE void transpose(VEC r0, VEC r1, VEC r2, VEC r3, VEC out[4]) {
  VEC a = _mm256_unpacklo_pd(r0, r1), b = _mm256_unpackhi_pd(r0, r1), c = _mm256_unpacklo_pd(r2, r3),
      d = _mm256_unpackhi_pd(r2, r3);
  out[0] = _mm256_permute2f128_pd(a, c, 0x20);
  out[1] = _mm256_permute2f128_pd(b, d, 0x20);
  out[2] = _mm256_permute2f128_pd(a, c, 0x31);
  out[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

INLINE void load_bodies(const sc_solver_body *body, const int32_t *index, VEC column[8]) {
  const double *r[4];
  for (int m = 0; m < 4; m++) r[m] = (const double *)(body + index[m]);
  transpose(_mm256_load_pd(r[0]), _mm256_load_pd(r[1]), _mm256_load_pd(r[2]), _mm256_load_pd(r[3]), column);
  transpose(_mm256_load_pd(r[0] + 4), _mm256_load_pd(r[1] + 4), _mm256_load_pd(r[2] + 4),
      _mm256_load_pd(r[3] + 4), column + 4);
}

INLINE void store_bodies(const VEC column[8], sc_solver_body *const *target) {
  VEC row[8];
  transpose(column[0], column[1], column[2], column[3], row);
  transpose(column[4], column[5], column[6], column[7], row + 4);
  for (int m = 0; m < 4; m++) {
    double *to = (double *)target[m];
    _mm256_store_pd(to, row[m]);
    _mm256_store_pd(to + 4, row[m + 4]);
  }
}
static inline void load_threes(const double *const *row, VEC column[3]) {
  const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
  VEC all[4], r[4];
  for (int m = 0; m < 4; m++) r[m] = _mm256_maskload_pd(row[m], three);
  transpose(r[0], r[1], r[2], r[3], all);
  for (int k = 0; k < 3; k++) column[k] = all[k];
}
INLINE void load_eights(const double *const *r, VEC column[8]) {
  for (int h = 0; h < 8; h += 4)
    transpose(_mm256_loadu_pd(r[0] + h), _mm256_loadu_pd(r[1] + h), _mm256_loadu_pd(r[2] + h),
        _mm256_loadu_pd(r[3] + h), column + h);
}
INLINE void load_sixes(const double *const *r, VEC column[6]) {
  transpose(
      _mm256_loadu_pd(r[0]), _mm256_loadu_pd(r[1]), _mm256_loadu_pd(r[2]), _mm256_loadu_pd(r[3]), column);
  VEC low = _mm256_set_m128d(_mm_loadu_pd(r[2] + 4), _mm_loadu_pd(r[0] + 4)),
      high = _mm256_set_m128d(_mm_loadu_pd(r[3] + 4), _mm_loadu_pd(r[1] + 4));
  column[4] = _mm256_unpacklo_pd(low, high);
  column[5] = _mm256_unpackhi_pd(low, high);
}
