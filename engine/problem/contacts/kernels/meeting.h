/* The two bodies of general contacts, in vectors of lanes. Included after vector_scalar.h, vector_avx2.h or
 * vector_avx512.h, which define:
 *   VEC, MASK      vector of LANES doubles, and of as many 64-bit integers
 *   LANES          lanes per vector; divides SC_LANES
 *   load_bodies(body, index, column)   column[k] = member k of LANES bodies (sc_solver_body as 8 doubles)
 *   load_sixes(row, column)            column[k] = member k of the tensors at LANES addresses */

#include "math/lanes/lane_vector.h"

/* One body per lane. The order of members is that of sc_solver_body. */
typedef struct {
  VEC v[3], inv_mass, q[3], k;
} columns;
_Static_assert(sizeof(sc_solver_body) == 64, "a body is one cache line, eight doubles");

static inline VEC size_of(VEC a) { return pick(above(splat(0), a), -a, a); }

static inline void load3(double (*from)[SC_LANES], int l, VEC to[3]) {
  for (int k = 0; k < 3; k++) memcpy(&to[k], &from[k][l], sizeof to[k]);
}

static inline void store3(const VEC from[3], int l, double (*to)[SC_LANES]) {
  for (int k = 0; k < 3; k++) memcpy(&to[k][l], &from[k], sizeof from[k]);
}

/* Bodies, inertias, frames and arms of one contact per lane. */
typedef struct {
  columns a, b;
  VEC Ka[6], Kb[6], n[3], t[3], o[3], arm1[3], arm2[3];
  int32_t i[LANES], j[LANES];
} meeting;

static inline void load_tensors(const sc_inertia_row *K, const int32_t *row, VEC column[6]) {
  const double *from[LANES];
  for (int e = 0; e < LANES; e++) from[e] = K[row[e]];
  load_sixes(from, column);
}

static inline void load_inertia(meeting *m, const sc_inertia_row *K) {
  load_tensors(K, m->i, m->Ka);
  load_tensors(K, m->j, m->Kb);
}

/* Computes the relative velocity at the contact point, world axes. */
static inline void relative_velocity(const meeting *m, VEC du[3]) {
  VEC turn1[3], turn2[3];
  cross(m->a.q, m->arm1, turn1);
  cross(m->b.q, m->arm2, turn2);
  for (int k = 0; k < 3; k++) du[k] = m->a.v[k] + turn1[k] - m->b.v[k] - turn2[k];
}

static inline void turn_by(const VEC K[6], const VEC a[3], VEC out[3]) {
  out[0] = K[0] * a[0] + K[1] * a[1] + K[2] * a[2];
  out[1] = K[1] * a[0] + K[3] * a[1] + K[4] * a[2];
  out[2] = K[2] * a[0] + K[4] * a[1] + K[5] * a[2];
}

/* Prefetch distance in bundles. Bundles are prefetched into the second-level cache, because the first level
 * has too few places for pending lines. A sweep over 950 000 contacts takes 28 ns per contact with the
 * second level and 37 ns with the first. */
enum { GENERALS_AHEAD = 6, LINE = 64 };

SC_FETCH fetch_general(const sc_general_bundle *s) {
#pragma GCC unroll 24
  for (size_t at = 0; at < sizeof *s; at += LINE) __builtin_prefetch((const char *)s + at, 0, 2);
}

/* Prefetches the members that velocities along the normals need. */
SC_FETCH fetch_approach(const sc_general_bundle *s) {
  for (int k = 0; k < 3; k++) {
    __builtin_prefetch(s->n[k], 0, 2);
    __builtin_prefetch(s->arm1[k], 0, 2);
    __builtin_prefetch(s->arm2[k], 0, 2);
  }
  __builtin_prefetch(s->i, 0, 2);
}
