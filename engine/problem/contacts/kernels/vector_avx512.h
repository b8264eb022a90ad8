/* Vectors of contacts and bodies with eight lanes. Only included by files that are compiled for this
 * width. */
#include <math.h>
#include <string.h>

#include <immintrin.h>

/* forces inlining in large files, too, because sweeps keep vectors in registers only if all functions are
 * inlined */
#define INLINE static inline __attribute__((always_inline))
#define LANES 8
typedef __m512d VEC;
typedef int64_t MASK __attribute__((vector_size(64)));

/* Result of a comparison, per lane. */
typedef __mmask8 TRUTH;
static inline bool any(TRUTH t) { return t != 0; }
static inline bool lane_true(TRUTH t, int l) { return t >> l & 1; }
static inline TRUTH above(VEC a, VEC b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
static inline TRUTH at_least(VEC a, VEC b) { return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ); }
static inline TRUTH equal(VEC a, VEC b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
static inline VEC pick(TRUTH t, VEC yes, VEC no) { return _mm512_mask_blend_pd(t, no, yes); }
static inline bool any_bit(MASK m) { return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0; }

static inline VEC vector_sqrt(VEC v) { return _mm512_sqrt_pd(v); }

/* Transposes an 8 x 8 matrix: first pairs within 128-bit lanes, then the lanes in two rounds. */
INLINE void transpose(const VEC r[8], VEC out[8]) {
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

INLINE void load_bodies(const sc_solver_body *body, const int32_t *index, VEC column[8]) {
  VEC row[8];
  for (int m = 0; m < 8; m++) row[m] = _mm512_load_pd(body + index[m]);
  transpose(row, column);
}

INLINE void store_bodies(const VEC column[8], sc_solver_body *const *target) {
  VEC row[8];
  transpose(column, row);
  for (int m = 0; m < 8; m++) _mm512_store_pd(target[m], row[m]);
}
/* Loads the first `columns` numbers of 8 rows: column[k] = from[m][k]. */
INLINE void load_columns(const double *const *from, int columns, VEC *column) {
  VEC row[8], all[8];
  for (int m = 0; m < 8; m++) row[m] = _mm512_maskz_loadu_pd((__mmask8)((1 << columns) - 1), from[m]);
  transpose(row, all);
  for (int k = 0; k < columns; k++) column[k] = all[k];
}
static inline void load_threes(const double *const *row, VEC column[3]) { load_columns(row, 3, column); }
INLINE void load_eights(const double *const *row, VEC column[8]) { load_columns(row, 8, column); }
INLINE void load_sixes(const double *const *row, VEC column[6]) { load_columns(row, 6, column); }
