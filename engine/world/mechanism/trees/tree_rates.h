/* Computes the number of parts of a step for the mechanisms of a bundle, from the rates of swing_parts.c.
 * Included by tree_kernel.h. */

/* Returns the largest inverse inertia about axes perpendicular to n. */
static inline VEC across(const VEC K[6], const VEC n[3]) {
  const VEC one = splat(1), none = splat(0);
  VEC size[3], e[3], t[3], o[3], turned[3];
  for (int k = 0; k < 3; k++) size[k] = larger(n[k], -n[k]);
  MASK x = (MASK)(size[0] <= size[1]) & (MASK)(size[0] <= size[2]), y = ~x & (MASK)(size[1] <= size[2]);
  e[0] = choose(x, one, none), e[1] = choose(y, one, none), e[2] = choose(x | y, none, one);
  cross(n, e, t);
  VEC share = 1 / vector_sqrt(dot(t, t));
  for (int k = 0; k < 3; k++) t[k] = share * t[k];
  cross(n, t, o);
  symmetric(K, t, turned);
  VEC most = dot(t, turned);
  symmetric(K, o, turned);
  return larger(most, dot(o, turned));
}

/* Adds the swing rate and the rotation rate that joint i causes to its body of side s. force: size of the
 * reaction [N]. */
static void add_rates(const sc_tree_run *r, int32_t i, int s, VEC force, int l) {
  sc_tree_body *body = r->body + r->plan->body[i][s];
  VEC K[6], n[3], w[3], swept[3];
  loads(6, body->K, l, K);
  loads(3, r->joint[i].arm[s], l, n);
  loads(3, body->w, l, w);
  const VEC length = vector_sqrt(dot(n, n)), none = splat(0);
  const MASK any = (MASK)(length > none);
  for (int k = 0; k < 3; k++) n[k] = choose(any, 1 / length * n[k], splat(k == 0));
  store(load(body->swing, l) + force * length * across(K, n), l, body->swing);
  cross(w, n, swept);
  VEC turn = choose((MASK)(length > 1e-6 * load(body->length, l)), vector_sqrt(dot(swept, swept)), none);
  store(larger(turn, load(body->turn, l)), l, body->turn);
}

/* Returns the required number of parts, as a real number (swing_parts.c). Uses the velocities after the step
 * and the larger of the reactions before and after the step. Changes the velocities of the bodies. */
static VEC demand(const sc_tree_run *r, int l) {
  VEC worst = splat(0), none[3] = {splat(0), splat(0), splat(0)};
  kick(r, r->dt, l);
  relax(r, 0, l);
  for (int32_t b = 0; b < r->plan->bodies; b++)
    store(none[0], l, r->body[b].swing), store(none[0], l, r->body[b].turn);
  for (int32_t i = 0; i < r->plan->joints; i++) {
    VEC x[3];
    loads(3, r->joint[i].x, l, x);
    VEC force = larger(load(r->joint[i].force, l), vector_sqrt(dot(x, x)) / r->dt);
    for (int s = 0; s < 2; s++)
      if (r->plan->body[i][s] < r->plan->bodies) add_rates(r, i, s, force, l);
    stores(3, none, l, r->joint[i].x);
  }
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    const VEC swing = vector_sqrt(load(r->body[b].swing, l)) * r->dt / SC_LARGEST_SWING,
              turn = load(r->body[b].turn, l) * r->dt / SC_LARGEST_TURN;
    worst = larger(larger(swing, turn), worst);
  }
  return worst;
}

/* Returns the number of parts that all lanes in use need. If the lanes need different numbers, marks them as
 * failed and returns SC_TREE_OPEN. */
static int agree(sc_tree_run *r, int l) {
  VEC v[3], w[3];
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    loads(3, r->body[b].v, l, v);
    loads(3, r->body[b].w, l, w);
    stores(3, v, l, r->body[b].to_x);
    stores(3, w, l, r->body[b].to_w);
  }
  const VEC wanted = demand(r, l);
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    loads(3, r->body[b].to_x, l, v);
    loads(3, r->body[b].to_w, l, w);
    stores(3, v, l, r->body[b].v);
    stores(3, w, l, r->body[b].w);
  }
  bool same = true;
  for (int k = 0; k < LANES && l + k < r->lanes; k++) {
    r->needs[l + k] = sc_parts_for(((const double *)&wanted)[k]);
    same = same && r->needs[l + k] == r->needs[l];
  }
  for (int k = 0; k < LANES && !same; k++) r->failed[l + k] = true;
  return same ? r->needs[l] : SC_TREE_OPEN;
}
