/* Compares the penalty stepper with a plain simulation of balls, a kinematic ball and a belt. The simulation
 * follows docs/penalty.md: position Verlet, and springs with sliders and dashpots. Positions, velocities,
 * spins, impulses, states, energies and the stable step must agree for both laws and all parameters of the
 * laws. */
#include "base/base.h"
#include "math/vec.h"
#include "support/scene.h"

enum { BALLS = 7, DRIVEN = 6, FLOOR = BALLS, ALL = BALLS + 1 }; /* ball 6 is kinematic, body 7 is the belt */

typedef struct law {
  bool hertz;
  double mu, stiffness, damping, tangential, tangential_damping, rolling, no_pull;
} law;

static const law laws[] = {{false, 0.5, 2e4, 0.1, 2.0 / 7, 0.5, 0, 0}, {true, 0.5, 1e7, 0.1, 0.6, 0.5, 0, 0},
    {false, 0, 2e4, 0.2, 2.0 / 7, 0.5, 0, 0}, {true, 0.3, 1e7, 0.3, 0.5, 0, 0.1, 0},
    {false, 0.2, 3e4, 0.05, 0.9, 1.5, 0.2, 1}, {true, 1, 2e7, 0.8, 0.4, 0.2, 0.05, 1},
    {false, 0.4, 2e4, 0, 0.5, 0, 0, 0}};
enum { LAWS = sizeof laws / sizeof *laws };

typedef struct pair {
  double spring[3], roll[3], slope; /* springs [N] and normal stiffness [N/m] of the last step */
  bool touches, slides;
  double force[3], r1[3], r2[3], elastic, store[3]; /* store: part of the force that stores energy */
} pair;

typedef struct model {
  const law *law;
  double dt, g[3], x[ALL][3], v[ALL][3], w[ALL][3], radius[ALL], mass[ALL], load[ALL][6];
  pair of[ALL][ALL]; /* first index: body 1 */
  double work, stable;
} model;

static bool moves(int i) { return i < DRIVEN; }

/* ---- the reference ---- */

/* Rotates a spring into the tangent plane and by an angle about the normal, scales it down if the stiffness
 * has fallen, stretches it by the slip, and limits it to the sliding force. */
static bool stretch(double before, double stiffness, const double n[3], double angle, const double v[3],
    double dt, double most, double s[3]) {
  const double length = sc_norm(s);
  double side[3];
  sc_axpy(-sc_dot(s, n), n, s, s);
  sc_cross(n, s, side);
  sc_scale(cos(angle), s, s), sc_axpy(sin(angle), side, s, s);
  if (sc_norm(s) > 0) sc_scale(length / sc_norm(s), s, s);
  if (stiffness < before) sc_scale(stiffness / before, s, s);
  sc_axpy(-stiffness * dt, v, s, s);
  const double size = sc_norm(s);
  if (size > most) sc_scale(most / size, s, s);
  return size > most;
}

static void velocity_at(const model *m, int i, const double r[3], const double n[3], double out[3]) {
  sc_cross(m->w[i], r, out), sc_add(m->v[i], out, out);
  if (i == FLOOR) sc_axpy(-sc_dot(out, n), n, out, out); // a belt runs within its surface
}

static void relative(const model *m, int i, int j, const double n[3], double out[3]) {
  double a[3], b[3];
  velocity_at(m, i, m->of[i][j].r1, n, a), velocity_at(m, j, m->of[i][j].r2, n, b);
  sc_sub(a, b, out);
}

/* Evaluates the contact of bodies i and j, and adds its force and torque to F and T. bound: Gershgorin sums
 * of stiffness and damping. */
static void evaluate(model *m, int i, int j, double F[ALL][3], double T[ALL][3], double bound[ALL][2]) {
  pair *p = &m->of[i][j];
  const law *l = m->law;
  double d[3], n[3], overlap, v[3], v_t[3], across[3], spin[3], torque[3], one[3];
  sc_sub(m->x[i], m->x[j], d);
  if (j == FLOOR) sc_set3(0, 0, 1, n), overlap = m->radius[i] - m->x[i][2];
  else overlap = m->radius[i] + m->radius[j] - sc_normalise(d, n);
  p->touches = overlap > 0;
  if (!p->touches) {
    *p = (pair){.slope = 0};
    return;
  }
  const double R = j == FLOOR ? m->radius[i] : m->radius[i] * m->radius[j] / (m->radius[i] + m->radius[j]);
  const double mass = moves(j) ? m->mass[i] * m->mass[j] / (m->mass[i] + m->mass[j]) : m->mass[i];
  const double power = l->hertz ? 1.5 : 1, k = l->hertz ? 4.0 / 3 * l->stiffness * sqrt(R) : l->stiffness;
  const double push = k * pow(overlap, power), slope = power * push / overlap;
  const double c = (l->hertz ? sqrt(10.0 / 3) : 2) * l->damping * sqrt(mass * slope);
  sc_scale(-(m->radius[i] - overlap / 2), n, p->r1);
  sc_sub(m->x[i], m->x[j], p->r2), sc_add(p->r2, p->r1, p->r2);
  if (j == FLOOR) sc_set3(m->x[i][0], m->x[i][1], -overlap / 2, p->r2);
  relative(m, i, j, n, v);
  double drag = -c * sc_dot(v, n);
  if (l->no_pull > 0 && push + drag < 0) drag = -push;
  const double most = l->mu * fmax(0, push + drag), stiff = l->tangential * slope;
  sc_scale(push, n, p->store), sc_scale(push + drag, n, p->force);
  p->elastic = push * overlap / (power + 1);
  p->slides = false;
  const double angle = m->dt * (sc_dot(m->w[i], n) + sc_dot(m->w[j], n)) / 2;
  sc_axpy(-sc_dot(v, n), n, v, v_t);
  if (l->mu > 0) {
    p->slides = stretch(l->tangential * p->slope, stiff, n, angle, v_t, m->dt, most, p->spring);
    p->elastic += sc_dot(p->spring, p->spring) / (2 * stiff);
    double both[3];
    sc_copy3(p->spring, both);
    if (!p->slides) {
      sc_add(p->store, p->spring, p->store);
      sc_axpy(-c * l->tangential_damping, v_t, both, both);
      if (sc_norm(both) > most) sc_scale(most / sc_norm(both), both, both);
    }
    sc_add(p->force, both, p->force);
  }
  sc_set3(0, 0, 0, torque);
  sc_sub(m->w[i], m->w[j], spin);
  if (l->rolling > 0) {
    sc_cross(spin, n, across), sc_scale(R, across, across);
    stretch(
        l->tangential * p->slope, stiff, n, angle, across, m->dt, l->rolling * fmax(0, push + drag), p->roll);
    p->elastic += sc_dot(p->roll, p->roll) / (2 * stiff);
    sc_cross(n, p->roll, torque), sc_scale(R, torque, torque);
  }
  p->slope = slope;
  sc_cross(p->r1, p->force, one), sc_add(one, torque, one);
  sc_add(F[i], p->force, F[i]), sc_add(T[i], one, T[i]);
  sc_cross(p->r2, p->force, one), sc_add(one, torque, one);
  sc_sub(F[j], p->force, F[j]), sc_sub(T[j], one, T[j]);
  if (!moves(j)) { // work of the kinematic ball or the belt
    double u[3];
    velocity_at(m, j, p->r2, n, u);
    m->work += m->dt * (sc_dot(p->force, u) + sc_dot(torque, m->w[j]));
  }
  for (int side = 0; side < 2; side++) {
    const int body = side ? j : i;
    if (!moves(body)) continue;
    const double inertia = 0.4 * m->mass[body] * m->radius[body] * m->radius[body], *r = side ? p->r2 : p->r1;
    const double both = 1 / m->mass[body] + sc_dot(r, r) * 3 / inertia;
    bound[body][0] += slope * (1 / m->mass[body] + (l->mu > 0 ? l->tangential : 0) * both);
    bound[body][1] += c * (1 / m->mass[body] + (l->mu > 0 ? l->tangential_damping : 0) * both);
  }
}

static void drift(model *m) {
  for (int i = 0; i < BALLS; i++) sc_axpy(m->dt / 2, m->v[i], m->x[i], m->x[i]);
}

static void step_model(model *m) {
  double F[ALL][3] = {{0}}, T[ALL][3] = {{0}}, bound[ALL][2] = {{0}};
  drift(m);
  for (int i = 0; i < DRIVEN; i++)
    for (int j = i + 1; j < ALL; j++) evaluate(m, i, j, F, T, bound);
  m->stable = INFINITY;
  for (int i = 0; i < DRIVEN; i++) {
    const double inertia = 0.4 * m->mass[i] * m->radius[i] * m->radius[i];
    for (int k = 0; k < 3; k++) {
      const double v = m->v[i][k], w = m->w[i][k];
      m->v[i][k] += m->dt * (m->g[k] + (F[i][k] + m->load[i][k]) / m->mass[i]);
      m->w[i][k] += m->dt * (T[i][k] + m->load[i][3 + k]) / inertia;
      m->work += m->dt / 2 * (m->load[i][k] * (v + m->v[i][k]) + m->load[i][3 + k] * (w + m->w[i][k]));
    }
    const double w2 = 2 * bound[i][0], g = 2 * bound[i][1]; // w2 dt^2/4 + g dt/2 = 1
    if (w2 > 0) m->stable = fmin(m->stable, (-g / 2 + sqrt(g * g / 4 + w2)) / (w2 / 2));
  }
  drift(m);
}

/* Returns the energy of all springs, extrapolated from the middle of the step to the end of the step. */
static double elastic_of(const model *m) {
  double sum = 0;
  for (int i = 0; i < DRIVEN; i++)
    for (int j = i + 1; j < ALL; j++) {
      const pair *p = &m->of[i][j];
      double n[3], v[3];
      if (!p->touches) continue;
      sc_set3(0, 0, 1, n); // only the belt needs the normal
      relative(m, i, j, n, v);
      sum += p->elastic - m->dt / 2 * sc_dot(p->store, v);
    }
  return sum;
}

/* ---- the world ---- */

static scree_world *make_twin(model *m, scree_id id[ALL], sc_rng *rng) {
  scree_world_def def = scree_world_defaults();
  scree_error error = {0};
  def.dt = m->dt, def.stepper = SCREE_STEPPER_PENALTY;
  sc_copy3(m->g, def.gravity);
  scree_world *w = scree_world_create(&def, &error);
  if (!w) fail_msg("%s", error.text);
  scree_pair_def both = {0, 0, m->law->hertz ? "hertz" : "hooke", {0}};
  const double values[] = {m->law->mu, m->law->stiffness, m->law->damping, m->law->tangential,
      m->law->tangential_damping, m->law->rolling, m->law->no_pull};
  memcpy(both.params, values, sizeof values);
  if (scree_world_set_pair(w, &both, &error) != SCREE_OK) fail_msg("%s", error.text);
  for (int i = 0; i < ALL; i++) {
    scree_shape_def shape = scree_shape_defaults();
    scree_body_def body = scree_body_defaults();
    shape.type = i == FLOOR ? SCREE_HALFSPACE : SCREE_SPHERE;
    if (i == FLOOR) shape.normal[2] = 1;
    else shape.radius = m->radius[i] = 0.05 + 0.02 * sc_rng_unit(rng);
    body.kind = i == FLOOR ? SCREE_FIXED : i == DRIVEN ? SCREE_KINEMATIC : SCREE_DYNAMIC;
    if (moves(i)) body.mass = m->mass[i] = 0.2 + 0.3 * sc_rng_unit(rng);
    for (int k = 0; k < 3; k++) {
      m->v[i][k] = i == FLOOR ? (k < 2 ? 0.4 - k : 0) : 0.6 * sc_rng_unit(rng) - 0.3;
      m->w[i][k] = i == FLOOR ? (k == 2) : 40 * sc_rng_unit(rng) - 20;
    }
    if (i < BALLS) sc_set3(0.11 * (i % 3), 0.11 * (i / 3), 0.07 + 0.03 * (i % 2), m->x[i]);
    sc_copy3(m->x[i], body.position);
    sc_copy3(m->v[i], i == FLOOR ? body.surface_velocity : body.velocity);
    sc_copy3(m->w[i], i == FLOOR ? body.surface_spin : body.spin);
    id[i] = add_shape(w, shape, body);
  }
  return w;
}

static void check_contacts(scree_world *w, const model *m, const scree_id id[ALL]) {
  int touching = 0, wanted = 0;
  for (int i = 0; i < DRIVEN; i++)
    for (int j = i + 1; j < ALL; j++) wanted += m->of[i][j].touches;
  for (int64_t c = 0; c < scree_world_contacts_count(w); c++) {
    scree_contact contact;
    int i = 0, j = 0;
    scree_world_contact(w, c, &contact);
    while (id[i] != contact.body1) i++;
    while (id[j] != contact.body2) j++;
    const pair *p = i < j ? &m->of[i][j] : &m->of[j][i];
    assert_true(p->touches == (contact.state != SCREE_SEPARATING));
    touching += p->touches;
    if (p->touches) assert_int_equal(contact.state, p->slides ? SCREE_SLIDING : SCREE_STICKING);
    for (int k = 0; k < 3; k++)
      CLOSE(contact.impulse[k], p->touches ? (i < j ? 1 : -1) * m->dt * p->force[k] : 0, 1e-10);
  }
  assert_int_equal(touching, wanted);
}

static void worlds_follow_the_reference(void **state) {
  (void)state;
  for (int l = 0; l < LAWS; l++) {
    sc_rng rng;
    sc_rng_seed(&rng, 5);
    static model m;
    scree_id id[ALL];
    m = (model){.law = laws + l, .dt = 1e-4, .g = {0.5, 0, -9.81}};
    scree_world *w = make_twin(&m, id, &rng);
    int touched = 0, slid = 0;
    for (int step = 0; step < 3000; step++) {
      scree_error error = {0};
      for (int b = 0; b < DRIVEN && step % 100 < 90; b++) { // loads pull the balls together
        const double to[3] = {0.1, 0.05, 0.1};
        sc_sub(to, m.x[b], m.load[b]), sc_scale(30, m.load[b], m.load[b]);
        sc_set3(1e-3, 2e-3, -1e-3 * b, m.load[b] + 3);
        if (scree_world_apply(w, id[b], m.load[b], m.load[b] + 3, &error)) fail_msg("%s", error.text);
      }
      if (step % 100 == 90) memset(m.load, 0, sizeof m.load);
      step_world(w, 1);
      step_model(&m);
      for (int i = 0; i < BALLS; i++) {
        const scree_body_state s = state_of(w, id[i]);
        for (int k = 0; k < 3; k++) {
          CLOSE(s.position[k], m.x[i][k], 1e-9);
          CLOSE(s.velocity[k], m.v[i][k], 1e-7);
          CLOSE(s.spin[k], m.w[i][k], 1e-5);
        }
      }
      if (step % 10) continue;
      check_contacts(w, &m, id);
      const scree_report report = report_of(w);
      CLOSE(report.elastic, elastic_of(&m), 1e-9);
      CLOSE(report.work, m.work, 1e-8);
      if (isfinite(m.stable)) CLOSE(report.stable_dt, m.stable, 1e-9 * m.stable);
      else assert_true(isinf(report.stable_dt));
      for (int i = 0; i < DRIVEN; i++)
        for (int j = i + 1; j < ALL; j++) touched += m.of[i][j].touches, slid += m.of[i][j].slides;
    }
    assert_true(touched > 60 && (laws[l].mu == 0 || (slid > 9 && slid < touched - 9)));
    scree_world_destroy(w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(worlds_follow_the_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
