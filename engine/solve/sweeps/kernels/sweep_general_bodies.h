/* Bodies of bundles of general contacts (generals.h): addresses, loads, and impulses, written with the
 * vectors of sweep_kernel.h. Include it after that file. The including file also defines
 *   load_sixes(row, column)   column[k] = member k of the tensors at LANES addresses */

/* Addresses of the bodies of one side (body 1 or body 2). They are computed one bundle ahead, so that vector
 * stores to this struct are complete when its entries are read one by one. */
typedef struct {
  const double *from[LANES], *K[LANES]; /* bodies and inertias to read */
  sc_solver_body *to[LANES];            /* bodies to write; the sink for bodies that cannot move */
} side;
typedef struct {
  side one, other;
} places;
typedef int32_t NAMES __attribute__((vector_size(sizeof(int32_t) * LANES)));

static inline void find_side(const sc_general_sweep_in *in, const int32_t name[LANES], side *out) {
  NAMES names;
  memcpy(&names, name, sizeof names);
  const MASK lane = __builtin_convertvector(names, MASK), still = (MASK)(lane < 0), row = lane ^ still,
             from = row * (int64_t)sizeof *in->body + (int64_t)in->body,
             K = row * (int64_t)sizeof *in->generals->K + (int64_t)in->generals->K,
             to = (still & (int64_t)in->sink) | (~still & from);
  memcpy(out->from, &from, sizeof from);
  memcpy(out->K, &K, sizeof K);
  memcpy(out->to, &to, sizeof to);
}

SC_FETCH fetch_side(const side *s) {
  for (int e = 0; e < LANES; e++) {
    __builtin_prefetch(s->from[e], 1);
    __builtin_prefetch(s->K[e]);
  }
}

static inline void load_meeting(const places *p, meeting *m) {
  load_eights(p->one.from, (VEC *)&m->a);
  load_eights(p->other.from, (VEC *)&m->b);
}

/* Computes the part of an impulse that changes velocities, in world axes. In a planar world this is p without
 * its component normal to the plane. */
static inline void find_felt(const sc_general_sweep_in *in, const VEC p[3], VEC felt[3]) {
  for (int k = 0; k < 3; k++) felt[k] = p[k];
  if (!in->planar) return;
  VEC out = p[0] * in->plane[0] + p[1] * in->plane[1] + p[2] * in->plane[2];
  for (int k = 0; k < 3; k++) felt[k] = p[k] + -out * in->plane[k];
}

static inline void push_one(const VEC p[3], const VEC felt[3], meeting *m) {
  VEC turn[3], dq[3];
  cross(m->arm1, p, turn);
  turn_by(m->Ka, turn, dq);
  for (int k = 0; k < 3; k++) {
    m->a.v[k] += m->a.inv_mass * felt[k];
    m->a.q[k] += dq[k];
  }
}

static inline void push_other(const VEC p[3], const VEC felt[3], meeting *m) {
  VEC turn[3], dq[3];
  cross(m->arm2, p, turn);
  turn_by(m->Kb, turn, dq);
  for (int k = 0; k < 3; k++) {
    m->b.v[k] -= m->b.inv_mass * felt[k];
    m->b.q[k] -= dq[k];
  }
}

/* Applies impulse p to both bodies and stores them. Inertias are loaded here and not before the law, because
 * they would be spilled to the stack. */
static inline __attribute__((always_inline)) void apply_impulse(
    const sc_general_sweep_in *in, const VEC p[3], const places *at, meeting *m) {
  VEC felt[3];
  find_felt(in, p, felt);
  load_sixes(at->one.K, m->Ka);
  push_one(p, felt, m);
  load_sixes(at->other.K, m->Kb);
  store_bodies((const VEC *)&m->a, at->one.to);
  push_other(p, felt, m);
  store_bodies((const VEC *)&m->b, at->other.to);
}
