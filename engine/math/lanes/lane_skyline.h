/* Cholesky factorisation in skyline storage (skyline.h) of one matrix per lane, over the vectors of
 * lane_vector.h. The matrices are n x n. Row i has the columns first[i] to i, stored from entry[at[i]] on.
 * After the factorisation, each diagonal entry is the inverse of the diagonal entry of L. It is 0 for a row
 * that depends on earlier rows. */

/* Factorises `entry` in place. dependent: a row depends on earlier rows if its pivot is at most this number
 * times its diagonal entry. l: first of the LANES lanes that are computed. */
static inline void skyline_factor(
    int32_t n, const int32_t *first, const int32_t *at, double dependent, int l, sc_lane *entry) {
  for (int32_t i = 0; i < n; i++) {
    sc_lane *row = entry + at[i] - first[i];
    for (int32_t j = first[i]; j < i; j++) {
      const sc_lane *above = entry + at[j] - first[j];
      VEC sum = load1(row[j] + l);
      for (int32_t c = first[i] > first[j] ? first[i] : first[j]; c < j; c++)
        sum -= load1(row[c] + l) * load1(above[c] + l);
      store1(sum * load1(above[j] + l), row[j] + l);
    }
    VEC own = load1(row[i] + l), left = own;
    for (int32_t c = first[i]; c < i; c++) left -= load1(row[c] + l) * load1(row[c] + l);
    VEC pivot = choose((MASK)(left > dependent * own), 1 / vector_sqrt(left), splat(0));
    store1(pivot, row[i] + l);
  }
}

/* Solves A x = b in place (x: b on entry) with the factor `entry`. Only independent rows are solved; x is 0
 * for dependent rows. l: first of the LANES lanes that are computed. */
static inline void skyline_solve(
    int32_t n, const int32_t *first, const int32_t *at, const sc_lane *entry, int l, sc_lane *x) {
  for (int32_t i = 0; i < n; i++) {
    const sc_lane *row = entry + at[i] - first[i];
    VEC sum = load1(x[i] + l);
    for (int32_t j = first[i]; j < i; j++) sum -= load1(row[j] + l) * load1(x[j] + l);
    store1(sum * load1(row[i] + l), x[i] + l);
  }
  for (int32_t i = n - 1; i >= 0; i--) {
    const sc_lane *row = entry + at[i] - first[i];
    VEC own = load1(x[i] + l) * load1(row[i] + l);
    store1(own, x[i] + l);
    for (int32_t j = first[i]; j < i; j++) store1(load1(x[j] + l) - load1(row[j] + l) * own, x[j] + l);
  }
}
