/* Vectors of contacts and bodies with one lane. Only included by files that are compiled for this width. */
#include <math.h>
#include <string.h>

#define LANES 1
typedef double VEC __attribute__((vector_size(8)));
typedef int64_t MASK __attribute__((vector_size(8)));

/* Result of a comparison, per lane. */
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
static inline void load_threes(const double *const *row, VEC column[3]) { memcpy(column, row[0], 24); }
static inline void load_eights(const double *const *row, VEC column[8]) { memcpy(column, row[0], 64); }
static inline void load_sixes(const double *const *row, VEC column[6]) { memcpy(column, row[0], 48); }
