/* Position sweep over bundles of balls (positions.c), written with the vectors of sweep_kernel.h. Include it
 * after that file. A push is an impulse along the normal. The operations are those of sweep_plain without
 * friction, in the same order. Terms of sweep_plain that are 0 here are left out. */

/* Relaxes one vector of contacts in place. want: speed at which a contact may close, negative: at which it
 * must open. Returns the squared velocity changes. */
static inline VEC relax_push(columns *a, columns *b, const VEC n[3], VEC want, double omega, VEC *x) {
  VEC p[3], u[3], d[3], old = *x;
  for (int k = 0; k < 3; k++) p[k] = old * n[k];
  meeting_velocity(a, b, n, u);
  VEC a_n = a->inv_mass + b->inv_mass, a_t = (a_n + a->k) + b->k, next = dot(p, n) - (dot(u, n) + want) / a_n;
  next = choose((MASK)(next > 0), next, splat(0));
  if (omega != 1) next = old + omega * (next - old);
  for (int k = 0; k < 3; k++) d[k] = next * n[k] - p[k];
  push_balls(a, b, n, d);
  *x = next;
  return (a_t * a_t) * dot(d, d);
}

SC_FETCH fetch_pushed(const sc_bundle *s, const sc_bundle_push *push) {
  for (int k = 0; k < 3; k++) __builtin_prefetch(s->n[k]);
  __builtin_prefetch(s->i);
  __builtin_prefetch(push->want);
  __builtin_prefetch(push->x, 1);
}

static double sweep_push(const sc_sweep_in *in) {
  sc_bundle *const bundle = in->bundles->bundle;
  const int32_t end = in->end, last = in->last;
  VEC largest = splat(0);
  for (int32_t c = in->first; c < end; c++) {
    if (c + BUNDLES_AHEAD < last) fetch_pushed(bundle + c + BUNDLES_AHEAD, in->push + c + BUNDLES_AHEAD);
    if (c + BODIES_AHEAD < last) fetch_bodies(bundle + c + BODIES_AHEAD, in->body);
    for (int l = 0; l < SC_LANES; l += LANES) {
      sc_solver_body *to_i[LANES], *to_j[LANES];
      columns a, b;
      VEC n[3], x = load1(in->push[c].x + l);
      take_bodies(bundle + c, l, in->body, in->sink, &a, &b, to_i, to_j);
      load3(bundle[c].n, l, n);
      largest = larger(relax_push(&a, &b, n, load1(in->push[c].want + l), in->omega, &x), largest);
      memcpy(in->push[c].x + l, &x, sizeof x);
      store_bodies((const VEC *)&a, to_i);
      store_bodies((const VEC *)&b, to_j);
    }
  }
  return largest_of(largest);
}
