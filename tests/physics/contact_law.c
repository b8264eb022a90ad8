/* Tests that every contact of every step obeys the contact laws. The test uses only the report of contacts
 * and the states of bodies. u is the relative velocity after the step, at the contact point from the start of
 * the step. b is the velocity that the gap or penetration demands. The conditions are:
 * - u_n + b >= 0, p_n >= 0, and at least one of these two numbers is 0,
 * - |p_t| <= mu p_n; a slipping contact has |p_t| = mu p_n, its friction opposes the slip, and its state is
 *   SCREE_SLIDING,
 * - impulses, gravity and loads together give the change of momentum and angular momentum of each body.
 * Scenes have balls, boxes, capsules, a moving plate, belts, three coefficients of friction, every option for
 * the correction of penetrations, several solvers, and a planar world. */
#include "base/base.h"
#include "math/vec.h"
#include "support/scene.h"

enum { BODIES = 15, ALL = BODIES + 6, STEPS = 250 };

typedef struct option {
  const char *solver;
  int correction;
  double erp, drift_time, max_correction;
  bool planar;
} option;

static const option options[] = {{"nbgs", SCREE_CORRECTION_VELOCITY, 0.8, 0, 0, false},
    {"nbgs", SCREE_CORRECTION_VELOCITY, 0.3, 0, 0.02, false},
    {"nbgs", SCREE_CORRECTION_VELOCITY, 0.8, 0.05, 0, false},
    {"nbgs", SCREE_CORRECTION_POSITION, 0.8, 0, 0, false},
    {"newton", SCREE_CORRECTION_VELOCITY, 0.5, 0, 0, false},
    {"newton", SCREE_CORRECTION_POSITION, 0.8, 0, 0, false},
    {"pgs", SCREE_CORRECTION_VELOCITY, 0.8, 0, 0, false},
    {"nbgs", SCREE_CORRECTION_VELOCITY, 0.8, 0, 0, true},
    {"newton", SCREE_CORRECTION_POSITION, 0.8, 0, 0, true}};
enum { OPTIONS = sizeof options / sizeof *options };

static const double DT = 2e-3, MU[2][2] = {{0.2, 0.6}, {0.6, 0.4}}, AXIS[3] = {0, 1, 0};

typedef struct body {
  scree_id id;
  int material;
  bool ball; /* arms of balls end on their own surfaces */
  scree_body_state before, after;
  double v[3], w[3];      /* solved velocity and spin */
  double load[6], sum[6]; /* load [N, N m]; impulse and angular impulse of contacts */
  int met, last;          /* number of contacts with an impulse in this step, and in the last step */
} body;

typedef struct scene {
  const option *o;
  scree_world *world;
  body b[ALL];
  int slips, sticks, opens;
} scene;

static scree_id add(scene *s, int i, int type, int kind, const double x[3], sc_rng *rng) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def def = scree_body_defaults();
  shape.type = type, shape.material = s->b[i].material = i % 2;
  if (type == SCREE_SPHERE)
    shape.radius = 0.05 + 0.02 * sc_rng_unit(rng), s->b[i].ball = kind == SCREE_DYNAMIC;
  if (type == SCREE_CAPSULE) shape.radius = 0.03, shape.length = 0.1;
  if (type == SCREE_BOX) sc_set3(0.1, 0.08 + 0.04 * sc_rng_unit(rng), 0.12, shape.size);
  if (type == SCREE_BOX && kind != SCREE_DYNAMIC) sc_set3(0.4, 0.5, 0.06, shape.size);
  if (type == SCREE_HALFSPACE) sc_copy3(x, shape.normal);
  else sc_copy3(x, def.position);
  if (i == BODIES + 5) def.position[0] = 0.8;
  def.kind = kind;
  for (int k = 0; k < 3 && kind == SCREE_DYNAMIC; k++) {
    def.velocity[k] = sc_rng_unit(rng) - 0.5, def.spin[k] = 4 * sc_rng_unit(rng) - 2;
    if (!s->o->planar) def.orientation[k + 1] = sc_rng_unit(rng) - 0.5;
  }
  if (kind == SCREE_KINEMATIC) sc_set3(0.2, 0, 0.05, def.velocity);
  if (i == BODIES) sc_set3(0.3, s->o->planar ? 0 : 0.1, 0, def.surface_velocity);
  if (i == BODIES + 1) sc_set3(0, s->o->planar ? 0 : 0.2, 0.1, def.surface_velocity);
  if (i == BODIES + 4) sc_set3(-0.3, 0, 0, def.surface_velocity);
  return add_shape(s->world, shape, def);
}

static void make_scene(scene *s, const option *o) {
  scree_world_def def = scree_world_defaults();
  scree_error error = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 3);
  *s = (scene){.o = o};
  def.dt = DT, def.correction = o->correction, def.erp = o->erp, def.drift_time = o->drift_time;
  def.max_correction = o->max_correction;
  def.gravity[0] = 0.5, def.gravity[2] = -9.81;
  if (o->planar) sc_copy3(AXIS, def.plane);
  def.solver.name = o->solver, def.solver.iterations = 1000, def.solver.tolerance = 1e-11;
  s->world = scree_world_create(&def, &error);
  if (!s->world) fail_msg("%s", error.text);
  for (int m = 0; m < 2; m++) {
    scree_material_def material = {.name = m ? "b" : "a", .density = 1000};
    if (m) assert_int_equal(scree_world_add_material(s->world, &material, &error), 1);
    for (int n = 0; n <= m; n++) {
      scree_pair_def pair = {n, m, "coulomb", {0}};
      int count;
      const scree_param *params = scree_world_law_params(s->world, "coulomb", &count);
      scree_param_defaults(params, count, pair.params);
      pair.params[0] = MU[n][m];
      if (scree_world_set_pair(s->world, &pair, &error)) fail_msg("%s", error.text);
    }
  }
  static const int types[] = {SCREE_SPHERE, SCREE_BOX, SCREE_CAPSULE};
  /* corrections of positions rotate other bodies, so that their solved spins are not known afterwards */
  const bool balls = o->correction == SCREE_CORRECTION_POSITION && !o->planar;
  for (int i = 0; i < BODIES; i++) {
    const double x[3] = {0.14 * (i % 5), o->planar ? 0 : 0.12 * (i / 5 % 2), 0.2 + 0.16 * (i / 5)};
    s->b[i].id = add(s, i, balls ? SCREE_SPHERE : types[i % 3], SCREE_DYNAMIC, x, &rng);
  }
  s->b[BODIES].id = add(s, BODIES, SCREE_HALFSPACE, SCREE_FIXED, (double[3]){0, 0, 1}, &rng);
  s->b[BODIES + 1].id = add(s, BODIES + 1, SCREE_HALFSPACE, SCREE_FIXED, (double[3]){1, 0, 0.1}, &rng);
  s->b[BODIES + 2].id = add(s, BODIES + 2, SCREE_BOX, SCREE_KINEMATIC, (double[3]){-0.1, 0, 0.05}, &rng);
  s->b[BODIES + 3].id = add(s, BODIES + 3, SCREE_SPHERE, SCREE_FIXED, (double[3]){0.3, 0, 0}, &rng);
  s->b[BODIES + 4].id = add(s, BODIES + 4, SCREE_BOX, SCREE_FIXED, (double[3]){0.7, 0, 0.02}, &rng);
  s->b[BODIES + 5].id = add(s, BODIES + 5, SCREE_HALFSPACE, SCREE_FIXED, (double[3]){-1, 0, 0.2}, &rng);
}

/* Sets out = R I R' a, or R I^-1 R' a, for inertia I in the frame of the body with orientation q. */
static void apply_inertia(
    const double I[6], bool invert, const double q[4], const double a[3], double out[3]) {
  const double det = I[0] * (I[3] * I[5] - I[4] * I[4]) - I[1] * (I[1] * I[5] - I[4] * I[2]) +
      I[2] * (I[1] * I[4] - I[3] * I[2]);
  const double J[6] = {(I[3] * I[5] - I[4] * I[4]) / det, (I[2] * I[4] - I[1] * I[5]) / det,
      (I[1] * I[4] - I[2] * I[3]) / det, (I[0] * I[5] - I[2] * I[2]) / det, (I[1] * I[2] - I[0] * I[4]) / det,
      (I[0] * I[3] - I[1] * I[1]) / det};
  const double *T = invert ? J : I;
  double b[3], c[3];
  sc_quat_unrotate(q, a, b);
  sc_set3(T[0] * b[0] + T[1] * b[1] + T[2] * b[2], T[1] * b[0] + T[3] * b[1] + T[4] * b[2],
      T[2] * b[0] + T[4] * b[1] + T[5] * b[2], c);
  sc_quat_rotate(q, c, out);
}

/* Steps the world, and computes the solved velocities: bodies rotate with constant angular momentum after the
 * solution, so their spins change with their orientations. */
static void step_scene(scene *s, int step) {
  scree_error error = {0};
  for (int i = 0; i < ALL; i++) {
    body *b = s->b + i;
    b->before = state_of(s->world, b->id);
    b->last = b->met, b->met = 0;
    memset(b->sum, 0, sizeof b->sum), memset(b->load, 0, sizeof b->load);
    if (i >= 3 || step % 5) continue;
    sc_set3(2, s->o->planar ? 0 : -1, 1.5, b->load), sc_set3(0, 0.02, s->o->planar ? 0 : 0.01, b->load + 3);
    if (scree_world_apply(s->world, b->id, b->load, b->load + 3, &error)) fail_msg("%s", error.text);
  }
  step_world(s->world, 1);
  for (int i = 0; i < ALL; i++) {
    body *b = s->b + i;
    b->after = state_of(s->world, b->id);
    const bool fixed = b->after.kind == SCREE_FIXED;
    sc_copy3(fixed ? b->after.surface_velocity : b->after.velocity, b->v);
    sc_copy3(fixed ? b->after.surface_spin : b->after.spin, b->w);
    if (b->after.kind != SCREE_DYNAMIC || s->o->planar) continue;
    double L[3];
    apply_inertia(b->after.inertia, false, b->after.orientation, b->w, L);
    apply_inertia(b->after.inertia, true, b->before.orientation, L, b->w);
  }
}

/* Returns the velocity of the surface of a body at an arm. A surface velocity has no normal component. */
static void surface(const body *b, const double r[3], const double n[3], double out[3]) {
  sc_cross(b->w, r, out), sc_add(b->v, out, out);
  if (b->after.kind == SCREE_FIXED) sc_axpy(-sc_dot(out, n), n, out, out);
}

/* Returns the velocity that the gap or penetration of a contact demands. */
static double bias_of(const option *o, double gap) {
  if (gap > 0) return gap / DT;
  if (o->correction == SCREE_CORRECTION_POSITION) return 0;
  const double back = o->drift_time > 0 ? gap / o->drift_time : o->erp * gap / DT;
  return o->max_correction > 0 ? fmax(back, -o->max_correction) : back;
}

/* Returns true for a body that is not a ball and had one impulse in the last step. Such a body may have
 * rolled. The contact then retains half of the velocity that rolling gives the contact
 * (docs/theory/stepping.md). */
static bool may_roll(const body *b) { return b->after.kind == SCREE_DYNAMIC && !b->ball && b->last == 1; }

static void count_impulses(scene *s) {
  for (int64_t c = 0; c < scree_world_contacts_count(s->world); c++) {
    scree_contact contact;
    scree_world_contact(s->world, c, &contact);
    for (int i = 0; i < ALL && contact.state != SCREE_SEPARATING; i++)
      s->b[i].met += contact.body1 == s->b[i].id || contact.body2 == s->b[i].id;
  }
}

static void check_contact(scene *s, const scree_contact *c, double within) {
  body *one = s->b, *two = s->b;
  while (one->id != c->body1) one++;
  while (two->id != c->body2) two++;
  assert_true(one->material == c->material1 && two->material == c->material2);
  double r1[3], r2[3], v1[3], v2[3], u[3], t[3], turn[3];
  const double *n = c->normal, mu = MU[one->material][two->material], p_n = sc_dot(c->impulse, n);
  sc_sub(c->point, one->before.position, r1), sc_sub(c->point, two->before.position, r2);
  if (one->ball) sc_scale(-one->before.radius, n, r1);
  if (two->ball) sc_scale(two->before.radius, n, r2);
  surface(one, r1, n, v1), surface(two, r2, n, v2), sc_sub(v1, v2, u);
  const double u_n = sc_dot(u, n), left = u_n + bias_of(s->o, c->gap);
  const bool rolls = may_roll(one) || may_roll(two);
  if (!rolls && !(p_n >= 0 && left >= -within && (p_n == 0 || left <= within)))
    fail_msg("option %d, time %g, bodies %d and %d: gap %g, speed %g, off by %g, impulse %g, slip %g",
        (int)(s->o - options), report_of(s->world).time, (int)(one - s->b), (int)(two - s->b), c->gap, u_n,
        left, p_n, sc_norm(u));
  sc_axpy(-p_n, n, c->impulse, t), sc_axpy(-u_n, n, u, u);
  const double slip = sc_norm(u), force = sc_norm(t), m = 0.3; /* kg: the scale of impulses */
  assert_true((c->state == SCREE_SEPARATING) == (p_n == 0));
  assert_true(force <= mu * p_n * (1 + 1e-9));
  for (int side = 0; side < 2; side++) {
    body *b = side ? two : one;
    sc_axpy(side ? -1 : 1, c->impulse, b->sum, b->sum);
    sc_cross(side ? r2 : r1, c->impulse, turn);
    sc_axpy(side ? -1 : 1, turn, b->sum + 3, b->sum + 3);
  }
  s->opens += p_n == 0;
  if (!(p_n > 1e-6) || rolls) return;
  if (slip > 100 * within) {
    sc_axpy(mu * p_n / slip, u, t, t); /* friction against the slip, at its bound */
    if (!(sc_norm(t) <= 1e-4 * mu * p_n + m * within))
      fail_msg("contact of bodies %d and %d: slip %g, impulse %g, friction %g, off by %g", (int)(one - s->b),
          (int)(two - s->b), slip, p_n, force, sc_norm(t));
    assert_int_equal(c->state, SCREE_SLIDING);
    s->slips++;
  } else if (force < 0.99 * mu * p_n) {
    assert_int_equal(c->state, SCREE_STICKING);
    s->sticks++;
  }
}

static void check_body(const scene *s, const body *b) {
  static const double g[3] = {0.5, 0, -9.81};
  double change[3], L[3], turn[3];
  const double m = b->after.mass;
  for (int k = 0; k < 3; k++) {
    const double given = m * g[k] * DT + b->load[k] * DT + b->sum[k];
    if (!s->o->planar || k != 1) CLOSE(m * (b->v[k] - b->before.velocity[k]), given, 1e-12 * m * 10);
  }
  sc_sub(b->w, b->before.spin, change);
  apply_inertia(b->after.inertia, false, b->before.orientation, change, L);
  sc_scale(DT, b->load + 3, turn), sc_add(turn, b->sum + 3, turn);
  const double size = sc_norm(L) + sc_norm(turn) + 1e-3 * m;
  for (int k = 0; k < 3; k++)
    if (!s->o->planar || k == 1) CLOSE(L[k], turn[k], 1e-10 * size);
}

/* Checks the position after the step, with corrections by velocities: x + dt v', or x + dt (v + v')/2 in free
 * flight. A body that has just left a contact may count as not free, because the warm start of the contact
 * leaves rounding errors. */
static void check_way(const scene *s, const body *b) {
  const bool touched = sc_norm(b->sum) > 0;
  double ended = 0, mean = 0;
  for (int k = 0; k < 3; k++) {
    if (s->o->planar && k == 1) continue; /* a planar world drops the initial velocity out of the plane */
    const double way = b->after.position[k] - b->before.position[k];
    ended = fmax(ended, fabs(way - DT * b->v[k]));
    mean = fmax(mean, fabs(way - DT * (b->before.velocity[k] + b->v[k]) / 2));
  }
  if (s->o->correction == SCREE_CORRECTION_POSITION) return;
  if (touched) CLOSE(ended, 0, 1e-12);
  else CLOSE(b->last ? fmin(ended, mean) : mean, 0, 1e-12);
}

static void contacts_obey_their_laws(void **state) {
  (void)state;
  for (int o = 0; o < OPTIONS; o++) {
    static scene s;
    int checked = 0;
    make_scene(&s, options + o);
    for (int step = 0; step < STEPS; step++) {
      step_scene(&s, step);
      count_impulses(&s);
      if (report_of(s.world).residual > 1e-9) continue; // the solver did not converge
      checked++;
      for (int64_t c = 0; c < scree_world_contacts_count(s.world); c++) {
        scree_contact contact;
        scree_world_contact(s.world, c, &contact);
        check_contact(&s, &contact, 1e-7);
      }
      for (int i = 0; i < BODIES; i++) check_body(&s, s.b + i), check_way(&s, s.b + i);
    }
    if (!(checked > STEPS / 2 && s.slips > 50 && s.sticks > 50 && s.opens > 50))
      fail_msg("option %d: %d steps, %d slip, %d stick, %d open", o, checked, s.slips, s.sticks, s.opens);
    scree_world_destroy(s.world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_obey_their_laws)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
