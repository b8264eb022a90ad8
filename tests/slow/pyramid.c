/* Olsen & Kamrin's pyramid, 2870 spheres: compatible forces after hard contact against the penalty
 * stepper, three contact models. */
#include "support/cannonball.h"

enum { N = 20, BASE = N * N };

/* Floor forces of the penalty stepper at rest. Overlaps are some 1e-7 of a diameter, so the shape is
 * that of rigid spheres. */
static void penalty_floor(int model, double *base) {
  double weight = cannonball_weight(), overlap = 1e-7 * 2 * CANNON_RADIUS,
         power = model == UNIFORM_HERTZ ? 1.5 : 1;
  double stiffness = model == UNIFORM_HERTZ
      ? 0.75 * 4 * weight / (sqrt(CANNON_RADIUS / 2) * pow(overlap, 1.5))
      : 4 * weight / overlap;
  double dt = 0.06 * sqrt(weight / 9.81 * overlap / (4 * weight * power)), moved = 1, before[BASE];
  scree_world *world = cannonball(N, model, SCREE_STEPPER_PENALTY, dt, stiffness, 0);
  cannonball_floor(world, N, NULL, dt, before);
  for (int round = 0; round < 150 && moved > 1e-8; round++) {
    for (int k = 0; k < 20; k++) {
      step_world(world, 5);
      cannonball_calm(world, 0.97);
    }
    cannonball_floor(world, N, NULL, dt, base);
    moved = relative_distance(base, before, BASE);
    memcpy(before, base, sizeof before);
    assert_true(report_of(world).stable_dt > dt);
  }
  assert_true(moved <= 1e-8);
  scree_world_destroy(world);
}

/* Floor forces of the truss for one model, on the contacts that hard contact left. */
static void compatible_floor(scree_world *world, int model, double dt, double *base) {
  scree_forces_def def = scree_forces_defaults();
  scree_error error;
  int64_t contacts = scree_world_contacts_count(world);
  double(*force)[3] = calloc((size_t)contacts, sizeof *force), *same = calloc((size_t)contacts, sizeof *same);
  for (int64_t c = 0; c < contacts; c++) same[c] = 1;
  def.law = model == UNIFORM_HERTZ ? SCREE_FORCES_HERTZ : SCREE_FORCES_HOOKE;
  if (model != TWO_SPECIES) def.stiffness = same;
  if (scree_world_compatible_forces(world, &def, force, NULL, &error) != SCREE_OK) fail_msg("%s", error.text);
  cannonball_floor(world, N, (const double(*)[3])force, dt, base);
  free(force), free(same);
}

/* Drops the pyramid under hard contact; the solver's own floor forces and the compatible ones of all
 * models. */
static void drop(double hard[MODELS][BASE], double *solver) {
  double dt = 1e-3;
  scree_world *world = cannonball(N, TWO_SPECIES, SCREE_STEPPER_SEMI_IMPLICIT, dt, 1, 0.05);
  step_world(world, 40);
  assert_true(report_of(world).max_speed < 1e-9);
  for (int model = 0; model < MODELS; model++) compatible_floor(world, model, dt, hard[model]);
  cannonball_floor(world, N, NULL, dt, solver);
  scree_world_destroy(world);
}

static void compatible_equals_penalty(void **unused) {
  (void)unused;
  static double hard[MODELS][BASE], solver[BASE], soft[BASE];
  drop(hard, solver);
  for (int model = 0; model < MODELS; model++) {
    double sum = 0, skew = 0;
    penalty_floor(model, soft);
    for (int i = 0; i < BASE; i++)
      sum += hard[model][i], skew = fmax(skew, fabs(hard[model][i] - hard[model][BASE - 1 - i]));
    CLOSE(sum, 2470, 1e-10 * 2470);
    if (model != TWO_SPECIES) CLOSE(skew, 0, 1e-8);
    CLOSE(relative_distance(hard[model], soft, BASE), 0, 1e-5);
    assert_true(relative_distance(solver, soft, BASE) > 0.05);
    print_message("model %d: compatible %.2g, solver %.2g from the penalty stepper\n", model,
        relative_distance(hard[model], soft, BASE), relative_distance(solver, soft, BASE));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(compatible_equals_penalty)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
