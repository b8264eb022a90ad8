/* Momentum of bodies between sweeps (momentum.h), written with the vectors of sweep_kernel.h and load_eights.
 * Include it after that file. */

/* Returns m |dv|^2 + |dq|^2/k of LANES bodies, twice the kinetic energy of their velocity changes; 0 for
 * bodies that cannot move. q: spin times the length s of the body; k: s^2 / moment of inertia
 * (sc_solver_body). k is 0 for general bodies, which count as solid balls of radius s. */
static inline VEC energy_of_change(const VEC now[8], const VEC before[8]) {
  const VEC none = splat(0), inv_mass = now[3], k = now[7];
  VEC v = none, q = none;
  for (int e = 0; e < 3; e++) {
    const VEC dv = now[e] - before[e], dq = now[4 + e] - before[4 + e];
    v += dv * dv;
    q += dq * dq;
  }
  const VEC sum = v / inv_mass + q / pick(above(k, none), k, 2.5 * inv_mass);
  return pick(above(inv_mass, none), sum, none);
}

/* Implements sc_body_change: returns the sum of energy_of_change over all bodies, in their order. */
static double measure_change(const sc_solver_body *body, const sc_solver_body *before, int32_t count) {
  static const double still[8] = {0};
  double sum = 0;
  for (int32_t b = 0; b < count; b += LANES) {
    const double *row[LANES], *old[LANES];
    VEC now[8], then[8];
    for (int l = 0; l < LANES; l++) {
      row[l] = b + l < count ? (const double *)(body + b + l) : still;
      old[l] = b + l < count ? (const double *)(before + b + l) : still;
    }
    load_eights(row, now);
    load_eights(old, then);
    const VEC change = energy_of_change(now, then);
    for (int l = 0; l < LANES; l++) sum += change[l];
  }
  return sum;
}

/* Implements sc_body_move. Masses are equal in both arrays, so they do not change. */
static void extrapolate_bodies(sc_solver_body *body, sc_solver_body *before, int32_t count, double beta) {
  double *y = (double *)body, *old = (double *)before;
  for (int64_t k = 0; k < 8 * (int64_t)count; k += LANES) {
    const VEC now = load1(y + k);
    store1(now + beta * (now - load1(old + k)), y + k);
    store1(now, old + k);
  }
}
