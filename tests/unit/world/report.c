/* Computes numbers of the report again from the states of bodies and the list of contacts: counts, energies,
 * momenta, speeds, penetrations, overlaps and running means. Also compares views and shapes with the
 * definitions of bodies. */
#include "base/base.h"
#include "math/vec.h"
#include "scree/joint.h"
#include "support/scene.h"

enum { BODIES = 18, STEPS = 140 };

static const double DT = 2e-3, G[3] = {1, -2, -9};

typedef struct made {
  scree_id id;
  int type, kind;
  double width; /* half the smallest width [m] */
  scree_shape_def shape;
} made;

typedef struct scene {
  scree_world *w;
  made b[BODIES];
  bool joined; /* true: bodies 0 and 1 are joined, and overlap */
  double sampled, looks, overlap_most, unbalanced_most, record;
  int64_t solved, capped;
} scene;

static double between(sc_rng *rng, double a, double b) { return a + (b - a) * sc_rng_unit(rng); }

static void make_body(scene *s, sc_rng *rng, int i) {
  static const int types[] = {SCREE_SPHERE, SCREE_BOX, SCREE_CAPSULE};
  made *b = s->b + i;
  scree_body_def def = scree_body_defaults();
  b->shape = scree_shape_defaults();
  b->type = b->shape.type = i == BODIES - 1 ? SCREE_HALFSPACE : types[i % 3];
  b->kind = def.kind = i == BODIES - 1 ? SCREE_FIXED : i == BODIES - 2 ? SCREE_KINEMATIC : SCREE_DYNAMIC;
  const double r = between(rng, 0.05, 0.09);
  if (b->type == SCREE_SPHERE) b->shape.radius = b->width = r;
  if (b->type == SCREE_CAPSULE) b->shape.radius = b->width = r, b->shape.length = 0.1;
  if (b->type == SCREE_BOX) sc_set3(3 * r, 2 * r, 2.5 * r, b->shape.size), b->width = r;
  if (b->type == SCREE_HALFSPACE) b->shape.normal[2] = 1, b->width = INFINITY;
  for (int k = 0; k < 3 && i < BODIES - 1; k++) {
    def.position[k] = k < 2 ? 0.21 * (i / (k ? 3 : 1) % 3) : 0.12 + 0.16 * (i / 9);
    if (def.kind == SCREE_FIXED) continue;
    def.velocity[k] = between(rng, -1, 1), def.spin[k] = between(rng, -5, 5);
    def.orientation[k + 1] = between(rng, -1, 1);
  }
  if (s->joined && i == 1) def.position[0] = 0.05, def.position[1] = 0, def.position[2] = 0.12;
  b->id = add_shape(s->w, b->shape, def);
}

static void make_scene(scene *s, bool joined) {
  scree_world_def def = scree_world_defaults();
  scree_error error = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 3);
  *s = (scene){.joined = joined};
  def.dt = DT, def.solver.iterations = 12, def.solver.name = "nbgs";
  sc_copy3(G, def.gravity);
  s->w = scree_world_create(&def, &error);
  for (int i = 0; i < BODIES; i++) make_body(s, &rng, i);
  if (!joined) return;
  scree_joint_def joint = scree_joint_defaults(SCREE_JOINT_FIXED);
  joint.a = s->b[0].id, joint.b = s->b[1].id, joint.at[2] = 0.12;
  assert_true(scree_world_add_joint(s->w, &joint, &error) != 0);
}

static const made *made_of(const scene *s, scree_id id) {
  for (int i = 0; i < BODIES; i++)
    if (s->b[i].id == id) return s->b + i;
  fail_msg("no such body");
  return NULL;
}

/* Sets L to the angular momentum of a body about its centre. */
static void spin_momentum(const scree_body_state *s, double L[3]) {
  const double *I = s->inertia;
  double w[3];
  sc_quat_unrotate(s->orientation, s->spin, w);
  sc_set3(I[0] * w[0] + I[1] * w[1] + I[2] * w[2], I[1] * w[0] + I[3] * w[1] + I[4] * w[2],
      I[2] * w[0] + I[4] * w[1] + I[5] * w[2], L);
  sc_quat_rotate(s->orientation, L, L);
}

static void check_bodies(const scene *s, const scree_report *r) {
  double kinetic = 0, potential = 0, speed = 0, p[3] = {0, 0, 0}, L[3] = {0, 0, 0};
  int dynamic = 0;
  for (int i = 0; i < BODIES; i++) {
    const scree_body_state b = state_of(s->w, s->b[i].id);
    double own[3], turn[3], arm[3];
    assert_int_equal(b.kind, s->b[i].kind);
    if (b.kind != SCREE_DYNAMIC) continue;
    spin_momentum(&b, own);
    sc_cross(b.position, b.velocity, turn), sc_scale(b.mass, turn, arm);
    kinetic += (b.mass * sc_dot(b.velocity, b.velocity) + sc_dot(b.spin, own)) / 2;
    potential -= b.mass * sc_dot(G, b.position);
    sc_axpy(b.mass, b.velocity, p, p), sc_add(L, own, L), sc_add(L, arm, L);
    speed = fmax(speed, sc_norm(b.velocity));
    dynamic++;
  }
  assert_true(r->bodies == BODIES && r->dynamic == dynamic);
  CLOSE(r->kinetic, kinetic, 1e-12 * kinetic);
  CLOSE(r->potential, potential, 1e-11);
  CLOSE(r->max_speed, speed, 1e-15);
  for (int k = 0; k < 3; k++) {
    CLOSE(r->momentum[k], p[k], 1e-11);
    CLOSE(r->angular_momentum[k], L[k], 1e-11);
  }
}

static void check_contacts(scene *s, const scree_report *r) {
  int64_t active = 0, touching = 0;
  double depth = 0, deepest = 0, overlap = 0;
  assert_int_equal(r->contacts, scree_world_contacts_count(s->w));
  for (int64_t c = 0; c < r->contacts; c++) {
    scree_contact contact;
    scree_world_contact(s->w, c, &contact);
    const made *one = made_of(s, contact.body1), *two = made_of(s, contact.body2);
    active += sc_norm(contact.impulse) > 0;
    assert_true((sc_norm(contact.impulse) > 0) == (contact.state != SCREE_SEPARATING));
    if (contact.gap > 0 || (s->joined && one->id + two->id == s->b[0].id + s->b[1].id)) continue;
    touching++;
    depth -= contact.gap, deepest = fmax(deepest, -contact.gap);
    overlap = fmax(overlap, -contact.gap / fmin(one->width, two->width));
  }
  assert_true(r->active == active && r->touching == touching);
  CLOSE(r->penetration, deepest, 1e-15);
  CLOSE(r->mean_penetration, touching ? depth / (double)touching : 0, 1e-15);
  CLOSE(r->overlap, overlap, 1e-12);
  if (r->step % 32 == 0) s->overlap_most = fmax(s->overlap_most, overlap);
  CLOSE(r->overlap_max, fmax(s->overlap_most, overlap), 1e-12);
}

static void check_effort(scene *s, const scree_report *r) {
  double residual, scale;
  scree_world_solved(s->w, &residual, &scale);
  assert_true(r->residual >= 0 && r->unbalanced >= 0 && scale > 0);
  s->solved += r->iterations > 0;
  s->capped += r->iterations > 0 && residual > scree_world_defaults().solver.tolerance * scale;
  const bool regular = r->step % 32 == 0;
  if (regular) s->sampled = s->sampled * 15 / 16 + r->unbalanced, s->looks = s->looks * 15 / 16 + 1;
  CLOSE(r->unbalanced_mean, s->looks > 0 ? s->sampled / s->looks : r->unbalanced, 1e-15);
  /* a residual of more than 1.5 times the largest one so far is also evaluated */
  const double relative = residual / scale;
  const bool record = relative > 1.5 * s->record && relative > scree_world_defaults().solver.tolerance;
  if (record) s->record = relative;
  if (record || regular) s->unbalanced_most = fmax(s->unbalanced_most, r->unbalanced);
  CLOSE(r->unbalanced_most, fmax(s->unbalanced_most, r->unbalanced), 1e-15);
  assert_true(r->steps_solved == s->solved && r->steps_capped == s->capped);
}

static void reports_follow_from_states(void **state) {
  (void)state;
  for (int joined = 0; joined < 2; joined++) {
    static scene s;
    int touched = 0;
    make_scene(&s, joined);
    for (int step = 0; step <= STEPS; step++) {
      if (step) step_world(s.w, 1);
      const scree_report r = report_of(s.w);
      assert_true(r.step == step && r.ranks == 1 && r.impacts == 0 && r.asleep == 0 && isinf(r.stable_dt));
      assert_true(r.crossed == 0 && r.held_back == 0 && r.bodies_lost == 0);
      CLOSE(r.time, step * DT, 1e-12);
      check_bodies(&s, &r);
      check_contacts(&s, &r);
      if (step) check_effort(&s, &r);
      touched += r.touching > 0;
    }
    assert_true(touched > 50 && s.capped > 0 && s.capped < s.solved);
    scree_world_destroy(s.w);
  }
}

/* ---- views and shapes ---- */

static void views_show_bodies(void **state) {
  (void)state;
  static scene s;
  make_scene(&s, false);
  step_world(s.w, 3);
  static const int parts[] = {3, 4, 3, 3, 1, 1, 1, 1, 1};
  void *data[9];
  int64_t rows;
  for (int v = 0; v < 9; v++) {
    assert_int_equal(scree_world_view(s.w, (scree_view)v, data + v, &rows), parts[v]);
    assert_int_equal(rows, BODIES);
  }
  for (int i = 0; i < BODIES; i++) {
    int row = 0;
    while (((int64_t *)data[SCREE_VIEW_ID])[row] != (int64_t)s.b[i].id) assert_true(++row < BODIES);
    const scree_body_state b = state_of(s.w, s.b[i].id);
    assert_memory_equal((double *)data[SCREE_VIEW_POSITION] + 3 * row, b.position, sizeof b.position);
    assert_memory_equal(
        (double *)data[SCREE_VIEW_ORIENTATION] + 4 * row, b.orientation, sizeof b.orientation);
    assert_memory_equal((double *)data[SCREE_VIEW_VELOCITY] + 3 * row, b.velocity, sizeof b.velocity);
    assert_memory_equal((double *)data[SCREE_VIEW_SPIN] + 3 * row, b.spin, sizeof b.spin);
    assert_true(((double *)data[SCREE_VIEW_RADIUS])[row] == b.radius);
    assert_true(((double *)data[SCREE_VIEW_MASS])[row] == b.mass);
    assert_true(((int64_t *)data[SCREE_VIEW_KIND])[row] == s.b[i].kind);
    assert_true(((int64_t *)data[SCREE_VIEW_GROUP])[row] == b.group);
    assert_true(isinf(b.mass) == (s.b[i].kind != SCREE_DYNAMIC));
  }
  assert_int_equal(scree_world_shapes_count(s.w), BODIES);
  for (int64_t k = 0; k < BODIES; k++) {
    scree_shape_info info;
    scree_world_shape(s.w, k, &info);
    const made *b = made_of(&s, info.body);
    assert_true(info.type == b->type && info.material == 0 && info.radius == b->shape.radius);
    CLOSE(info.length, b->shape.length, 1e-15);
    for (int e = 0; e < 3; e++) {
      CLOSE(info.size[e], b->shape.size[e], 1e-15);
      assert_true(info.position[e] == 0 && info.normal[e] == (e == 2));
    }
  }
  scree_world_destroy(s.w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reports_follow_from_states), cmocka_unit_test(views_show_bodies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
