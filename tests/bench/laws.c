/* Cost of the single-contact laws: nanoseconds per general solve, one thread, and how many solves stick,
 * slide and separate.
 *
 *   build/release/bench/bench.laws [problems] [repeats]      (default 20000 100)
 *
 * Two sets: bodies with random inertia and arm touching the ground, b_n > 0, mu = 0.4 (what a simulation
 * of rods and blocks asks), and sliding problems only (every answer of coulomb slides, so that no solve
 * is cheap). Each law walks the same problems in the same order. Prints Markdown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "law/law.h"
#include "law_problems.h"

static const char *const names[] = {
    "frictionless", "decoupled", "coulomb", "max_dissipation", "cone", "polyhedral"};

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fill(law_problem *set, int count, bool sliding) {
  const sc_law *coulomb = sc_law_find("coulomb");
  double par[SCREE_LAW_MAX_PARAMS], x[3];
  sc_rng rng;
  sc_rng_seed(&rng, 2017);
  scree_param_defaults(coulomb->params, coulomb->params_count, par);
  par[0] = 0.4;
  for (int i = 0; i < count;) {
    set[i] = random_problem(&rng, FAMILY_BODY);
    set[i].mu = 0.4;
    set[i].b[0] = fabs(set[i].b[0]);
    if (!sliding && sc_rng_unit(&rng) < 0.2) set[i].b[0] = -set[i].b[0];
    if (!sliding || coulomb->solve(coulomb, 3, set[i].A, set[i].b, par, x, NULL) == SCREE_SLIDING) i++;
  }
}

/* Prints one row: best of the repeats. */
static void measure(const char *name, const law_problem *set, int count, int repeats) {
  const sc_law *law = sc_law_find(name);
  double par[SCREE_LAW_MAX_PARAMS], x[3], best = INFINITY, sum = 0;
  long states[3] = {0}, inner = 0;
  scree_param_defaults(law->params, law->params_count, par);
  if (law->params_count) par[0] = 0.4;
  for (int r = 0; r < repeats; r++) {
    double start = cpu_seconds();
    for (int i = 0; i < count; i++) {
      law->solve(law, 3, set[i].A, set[i].b, par, x, NULL);
      sum += x[0];
    }
    best = fmin(best, cpu_seconds() - start);
  }
  for (int i = 0; i < count; i++) {
    int iterations = 0;
    states[law->solve(law, 3, set[i].A, set[i].b, par, x, &iterations)]++;
    inner += iterations;
  }
  if (!isfinite(sum)) exit(1);
  printf("| `%s` | %.0f | %.2f | %.1f %% | %.1f %% | %.1f %% |\n", name, 1e9 * best / count,
      (double)inner / count, 100.0 * (double)states[0] / count, 100.0 * (double)states[1] / count,
      100.0 * (double)states[2] / count);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 20000, repeats = argc > 2 ? atoi(argv[2]) : 100;
  law_problem *set = count > 0 ? malloc((size_t)count * sizeof *set) : NULL;
  if (!set || repeats < 1) return 2;
  for (int sliding = 0; sliding < 2; sliding++) {
    fill(set, count, sliding);
    printf("%s%s, %d problems, one thread\n\n| law | ns per solve | inner steps | separate | stick | slide "
           "|\n|---|---|---|---|---|---|\n",
        sliding ? "\n" : "", sliding ? "Sliding contacts" : "Mixed contacts", count);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) measure(names[i], set, count, repeats);
  }
  free(set);
  return 0;
}
