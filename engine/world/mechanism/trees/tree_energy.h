/* Energy balance of the motion of a bundle (world/account/account.h). Included by tree_kernel.h. */

/* Returns w.I w of a body at its present pose [J]: twice its rotational energy. kind: symmetry of its inertia
 * (tree.h). */
static VEC twice_turning(const sc_tree_body *body, int kind, int l) {
  VEC q[4], w[3], I[6], e[3], own[3];
  load_vectors(4, body->q, l, q);
  load_vectors(3, body->w, l, w);
  load_vectors(6, body->inertia, l, I);
  if (kind == SC_TREE_BALL) return I[0] * dot(w, w);
  if (kind == SC_TREE_FREE) {
    unrotate(q, w, own);
    symmetric(I, own, e);
    return dot(own, e);
  }
  const top t = top_of(kind, I, I);
  compute_axis(kind, q, e);
  VEC rate = dot(w, e);
  return t.across * dot(w, w) + (t.along - t.across) * (rate * rate);
}

/* Returns the kinetic energy of those bodies that this rank's energy balance includes [J]. */
static VEC kinetic_energy_of(const sc_tree_run *r, int l) {
  VEC sum = splat(0);
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    VEC v[3];
    load_vectors(3, r->body[b].v, l, v);
    VEC twice = load_lanes(r->body[b].mass, l) * dot(v, v) + twice_turning(r->body + b, r->plan->turns[b], l);
    sum += load_lanes(r->body[b].counts, l) * (twice / 2);
  }
  return sum;
}

/* Stores the positions and spins before the step in from_x and from_w. Returns the kinetic energy [J]. */
static VEC open_energy_balance(const sc_tree_run *r, int l) {
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    VEC x[3], w[3];
    load_vectors(3, r->body[b].x, l, x);
    load_vectors(3, r->body[b].w, l, w);
    store_vectors(3, x, l, r->body[b].from_x);
    store_vectors(3, w, l, r->body[b].from_w);
  }
  return kinetic_energy_of(r, l);
}

/* Sets r->work to the work of loads. Sets r->change to the remaining change of kinetic energy, without the
 * work of gravity. before: kinetic energy before the step [J]. */
static void close_energy_balance(sc_tree_run *r, VEC before, int l) {
  VEC loads_did = splat(0), change = kinetic_energy_of(r, l) - before;
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    const sc_tree_body *body = r->body + b;
    const VEC mass = load_lanes(body->mass, l), counts = load_lanes(body->counts, l);
    VEC x[3], w[3], from[3], pull[3], load_pull[3], torque[3];
    load_vectors(3, body->x, l, x);
    load_vectors(3, body->from_x, l, from);
    load_vectors(3, body->pull, l, pull);
    for (int k = 0; k < 3; k++) x[k] -= from[k], load_pull[k] = pull[k] - r->gravity[k];
    load_vectors(3, body->w, l, w);
    load_vectors(3, body->from_w, l, from);
    load_vectors(3, body->torque, l, torque);
    for (int k = 0; k < 3; k++) w[k] += from[k];
    VEC turned = r->dt / 2 * dot(torque, w);
    loads_did += counts * (mass * dot(load_pull, x) + turned);
    change -= counts * (mass * dot(pull, x) + turned);
  }
  store_lanes(loads_did, l, r->work);
  store_lanes(change, l, r->change);
}
