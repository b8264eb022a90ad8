/* Computes the number of substeps of a step for the mechanisms of a bundle, from the rates of swing_parts.c.
 * Included by tree_kernel.h. */

/* Returns the largest inverse inertia about axes perpendicular to the unit vector n. K: inverse inertia
 * [1/(kg m2)]. */
static inline VEC largest_inverse_across(const VEC K[6], const VEC n[3]) {
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
  VEC max = dot(t, turned);
  symmetric(K, o, turned);
  return larger(max, dot(o, turned));
}

/* Adds the swing rate and the rotation rate that joint i causes in its body on side s. force: size of the
 * joint's reaction [N]. */
static void add_side_rates(const sc_tree_run *r, int32_t i, int s, VEC force, int l) {
  sc_tree_body *body = r->body + r->plan->body[i][s];
  VEC K[6], n[3], w[3], swept[3];
  load_vectors(6, body->K, l, K);
  load_vectors(3, r->joint[i].arm[s], l, n);
  load_vectors(3, body->w, l, w);
  const VEC length = vector_sqrt(dot(n, n)), none = splat(0);
  const MASK any = (MASK)(length > none);
  for (int k = 0; k < 3; k++) n[k] = choose(any, 1 / length * n[k], splat(k == 0));
  store_lanes(load_lanes(body->swing, l) + force * length * largest_inverse_across(K, n), l, body->swing);
  cross(w, n, swept);
  VEC turn = choose(
      (MASK)(length > 1e-6 * load_lanes(body->length, l)), vector_sqrt(dot(swept, swept)), none);
  store_lanes(larger(turn, load_lanes(body->turn, l)), l, body->turn);
}

/* Returns the number of substeps that the rates of each mechanism require, as a real number (swing_parts.c).
 * Uses the velocities after the step, and the larger one of the reactions before and after the step. Changes
 * the velocities of the bodies. */
static VEC required_parts_of(const sc_tree_run *r, int l) {
  VEC worst = splat(0), none[3] = {splat(0), splat(0), splat(0)};
  apply_forces(r, r->dt, l);
  relax_joints(r, 0, l);
  for (int32_t b = 0; b < r->plan->bodies; b++)
    store_lanes(none[0], l, r->body[b].swing), store_lanes(none[0], l, r->body[b].turn);
  for (int32_t i = 0; i < r->plan->joints; i++) {
    VEC x[3];
    load_vectors(3, r->joint[i].x, l, x);
    VEC force = larger(load_lanes(r->joint[i].force, l), vector_sqrt(dot(x, x)) / r->dt);
    for (int s = 0; s < 2; s++)
      if (r->plan->body[i][s] < r->plan->bodies) add_side_rates(r, i, s, force, l);
    store_vectors(3, none, l, r->joint[i].x);
  }
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    const VEC swing = vector_sqrt(load_lanes(r->body[b].swing, l)) * r->dt / SC_LARGEST_SWING,
              turn = load_lanes(r->body[b].turn, l) * r->dt / SC_LARGEST_TURN;
    worst = larger(larger(swing, turn), worst);
  }
  return worst;
}

/* Returns the number of substeps if all used lanes need an equal number. Otherwise marks all lanes as failed
 * and returns SC_TREE_OPEN. */
static int common_parts_of(sc_tree_run *r, int l) {
  VEC v[3], w[3];
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    load_vectors(3, r->body[b].v, l, v);
    load_vectors(3, r->body[b].w, l, w);
    store_vectors(3, v, l, r->body[b].to_x);
    store_vectors(3, w, l, r->body[b].to_w);
  }
  const VEC wanted = required_parts_of(r, l);
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    load_vectors(3, r->body[b].to_x, l, v);
    load_vectors(3, r->body[b].to_w, l, w);
    store_vectors(3, v, l, r->body[b].v);
    store_vectors(3, w, l, r->body[b].w);
  }
  bool same = true;
  for (int k = 0; k < LANES && l + k < r->lanes; k++) {
    r->needs[l + k] = sc_parts_for(((const double *)&wanted)[k]);
    same = same && r->needs[l + k] == r->needs[l];
  }
  for (int k = 0; k < LANES && !same; k++) r->failed[l + k] = true;
  return same ? r->needs[l] : SC_TREE_OPEN;
}
