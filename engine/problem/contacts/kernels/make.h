/* Computes bundles of general contacts from their input: arms, frames, biases, start impulses, blocks.
 * Included after meeting.h and vector_*.h, which defines two loads:
 *   load_threes(row, column)   column[k] = row[m][k] of LANES rows of 3
 *   load_eights(row, column)   column[k] = row[m][k] of LANES rows of 8
 * Every lane does the operations of the code for rows (problem/assembly/assemble_general.c,
 * problem/operator/delassus.c) in the same order. */

/* Computes the arms of one side, r / scale with r = point - position. The arm of a ball (scale < 0) is `out`
 * times the normal. */
static inline void find_arms(const VEC r[3], const VEC n[3], const double *scale, double out, VEC arm[3]) {
  const VEC s = load1(scale), by = 1 / s;
  const TRUTH ball = above(splat(0), s);
  for (int k = 0; k < 3; k++) arm[k] = pick(ball, out * n[k], by * r[k]);
}

static inline void find_both_arms(const sc_general_source *from, const VEC point[3], int l, meeting *m) {
  VEC x1[3], x2[3], r1[3], r2[3];
  load_threes(from->position1 + l, x1);
  load_threes(from->position2 + l, x2);
  for (int k = 0; k < 3; k++) {
    r1[k] = point[k] - x1[k];
    r2[k] = point[k] - x2[k] - load1(from->shift[k] + l);
  }
  find_arms(r1, m->n, from->scale1 + l, -1, m->arm1);
  find_arms(r2, m->n, from->scale2 + l, 1, m->arm2);
}

/* Computes the axes t and o across a normal (sc_frame). */
static inline void find_frame(const VEC n[3], VEC t[3], VEC o[3]) {
  const VEC none = splat(0), one = splat(1), a[3] = {size_of(n[0]), size_of(n[1]), size_of(n[2])};
  const TRUTH x = at_least(a[1], a[0]) & at_least(a[2], a[0]), y = at_least(a[2], a[1]);
  const VEC e[3] = {pick(x, one, none), pick(x, none, pick(y, one, none)), pick(x | y, none, one)};
  cross(n, e, t);
  const VEC size = vector_sqrt(dot(t, t)), by = 1 / size;
  for (int k = 0; k < 3; k++) t[k] = pick(above(size, none), by * t[k], k ? none : one);
  cross(n, t, o);
}

/* Computes the bias, and gap/dt in `want`. The velocity of moving surfaces is added to both. */
static inline void find_bias(const sc_general_source *from, VEC gap, int l, double *bias, double *want) {
  const sc_gap_rule *rule = from->gap;
  const VEC none = splat(0), off = load1(from->off + l);
  gap = pick(at_least(splat(rule->closed), size_of(gap)), none, gap);
  const VEC opens = gap / rule->dt, back = larger(rule->back * gap / rule->time, splat(rule->min_bias));
  store1(pick(above(gap, none), opens, back) + off, bias + l);
  store1(opens + off, want + l);
}

/* Computes A = J M^-1 J' for bodies that can move in all directions. */
static inline void find_block(const meeting *m, int l, double (*A)[SC_LANES]) {
  const VEC *axis[3] = {m->n, m->t, m->o}, inv_mass = m->a.inv_mass + m->b.inv_mass;
  VEC ang1[3][3], ang2[3][3], k1[3], k2[3];
  static const int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (int r = 0; r < 3; r++) {
    cross(m->arm1, axis[r], ang1[r]);
    cross(m->arm2, axis[r], ang2[r]);
    turn_by(m->Ka, ang1[r], k1);
    turn_by(m->Kb, ang2[r], k2);
    for (int c = 0; c <= r; c++)
      store1(inv_mass * dot(axis[r], axis[c]) + dot(k1, ang1[c]) + dot(k2, ang2[c]), A[place[r][c]] + l);
  }
}

/* Computes the Delassus block of the moments over the scale s1, R = s1^2 A. */
static inline void find_moment_block(
    const meeting *m, int l, VEC s1, VEC s2, TRUTH rolls, double (*R)[SC_LANES]) {
  const VEC *axis[3] = {m->n, m->t, m->o}, by1 = 1 / s1, by2 = 1 / s2, none = splat(0);
  VEC ang1[3][3], ang2[3][3], k1[3], k2[3];
  static const int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (int r = 0; r < 3; r++) {
    for (int k = 0; k < 3; k++) ang1[r][k] = by1 * axis[r][k], ang2[r][k] = by2 * axis[r][k];
    turn_by(m->Ka, ang1[r], k1);
    turn_by(m->Kb, ang2[r], k2);
    for (int c = 0; c <= r; c++) {
      const VEC entry = s1 * s1 * (none + dot(k1, ang1[c]) + dot(k2, ang2[c]));
      store1(r == 0 ? entry : pick(rolls, entry, splat(r == c)), R[place[r][c]] + l);
    }
  }
}

/* Sets moments, bounds and moment block of contacts with torsional or rolling friction. */
static inline void make_moments(
    const sc_generals *generals, const meeting *m, int32_t at, int l, const sc_general_source *from) {
  sc_general_couple *c = generals->couple + at;
  sc_general_moments *kept = generals->moments + at;
  const VEC s1 = size_of(load1(from->scale1 + l)), s2 = size_of(load1(from->scale2 + l)),
            *axis[3] = {m->n, m->t, m->o};
  const TRUTH rolls = above(load1(c->rolling + l), splat(0));
  VEC p[3];
  find_moment_block(m, l, s1, s2, rolls, c->R);
  load_threes(from->moment + l, p);
  for (int k = 0; k < 3; k++) {
    const VEC whole = from->warm_start * dot(p, axis[k]), x = k ? pick(rolls, whole, splat(0)) : whole;
    store1(x, kept->x[k] + l);
    store1(x / s1, c->m[k] + l);
  }
  store1(load1(c->torsion + l) / s1, c->torsion + l);
  store1(load1(c->rolling + l) / s1, c->rolling + l);
  store1(s1 / s2, c->ratio + l);
  store1(s1, kept->scale1 + l);
  store1(s2, kept->scale2 + l);
}

/* Computes the contacts in lanes l .. l + LANES - 1. */
static inline void make_lanes(const sc_generals *generals, const sc_solver_body *body, int32_t at, int l,
    const sc_general_source *from) {
  sc_general_bundle *s = generals->bundle + at;
  VEC touch[8], p[3];
  meeting m;
  load_pair(body, s, l, &m);
  load_eights(from->touch + l, touch);
  load_threes(from->impulse + l, p);
  for (int k = 0; k < 3; k++) m.n[k] = touch[3 + k];
  find_both_arms(from, touch, l, &m);
  find_frame(m.n, m.t, m.o);
  store3(m.n, l, s->n);
  store3(m.t, l, s->t);
  store3(m.arm1, l, s->arm1);
  store3(m.arm2, l, s->arm2);
  const VEC *axis[3] = {m.n, m.t, m.o};
  for (int k = 0; k < 3; k++) store1(from->warm_start * dot(p, axis[k]), s->x[k] + l);
  find_bias(from, touch[6], l, s->bias, generals->push[at].want);
  load_inertia(&m, generals->K);
  find_block(&m, l, s->A);
  if (sc_law_rolls(sc_slot_kind(generals->taken[at]))) make_moments(generals, &m, at, l, from);
}

static void make_generals(
    const sc_generals *generals, const sc_solver_body *body, int32_t at, const sc_general_source *from) {
  if (at + GENERALS_AHEAD < generals->slots.count) fetch_general(generals->bundle + at + GENERALS_AHEAD);
  for (int l = 0; l < sc_slot_taken(generals->taken[at]); l += LANES) make_lanes(generals, body, at, l, from);
}
