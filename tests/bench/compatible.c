/* Solvers for compatible forces on one pyramid: the paper's augmented Lagrangian with accelerated
 * projected gradients (Olsen & Kamrin 2018, section 7; Mazhar et al. 2015), the Newton method on
 * displacements, and the one-step variant. Usage: bench.compatible [n], base n x n, 20 by default. */
#include <stdio.h>
#include "pyramid.h"
#include "support/truss_step.h"

static const double TARGET = 1e-6; /* equilibrium asked of the augmented Lagrangian, in sphere weights */

/* ---- augmented Lagrangian: minimise w(f) - y.(B'f - F) + rho/2 |B'f - F|^2 over f >= 0 ---- */
typedef struct lagrangian {
  const pyramid *p;
  double exponent, rho;
  double (*y)[3], (*gap)[3]; /* multiplier and B'f - F per body */
  int64_t gradients;
} lagrangian;

static void balance(lagrangian *l, const double *f) {
  const pyramid *p = l->p;
  for (int32_t b = 0; b < p->bodies; b++) sc_set3(0, 0, p->held[b] ? 0 : -1, l->gap[b]);
  for (int32_t c = 0; c < p->contacts; c++) {
    const sc_truss_contact *k = p->contact + c;
    if (!p->held[k->i]) sc_axpy(f[c], k->n, l->gap[k->i], l->gap[k->i]);
    if (!p->held[k->j]) sc_axpy(-f[c], k->n, l->gap[k->j], l->gap[k->j]);
  }
}

/* Value, and gradient where g is given. */
static double value(lagrangian *l, const double *f, double *g) {
  const pyramid *p = l->p;
  double sum = 0, e = l->exponent, power = e / (e - 1);
  balance(l, f);
  for (int32_t b = 0; b < p->bodies; b++)
    sum += l->rho / 2 * sc_dot(l->gap[b], l->gap[b]) - sc_dot(l->y[b], l->gap[b]);
  for (int32_t c = 0; c < p->contacts; c++) {
    const sc_truss_contact *k = p->contact + c;
    double soft = pow(k->stiffness, 1 / (1 - e));
    sum += soft * pow(f[c], power) / power;
    if (!g) continue;
    double pull[3] = {0, 0, 0};
    for (int x = 0; x < 3; x++)
      pull[x] = l->rho * (l->gap[k->i][x] - l->gap[k->j][x]) - (l->y[k->i][x] - l->y[k->j][x]);
    g[c] = soft * pow(f[c], power - 1) + sc_dot(pull, k->n);
  }
  l->gradients++;
  return sum;
}

/* Accelerated projected gradients with backtracking and restart until the projected gradient is below
 * tolerance. */
static void descend(lagrangian *l, double *f, double *lipschitz, double tolerance, int64_t limit) {
  size_t n = (size_t)l->p->contacts;
  double *y = malloc(n * sizeof *y), *g = malloc(n * sizeof *g), *next = malloc(n * sizeof *next), theta = 1;
  memcpy(y, f, n * sizeof *y);
  for (int64_t step = 0; step < limit; step++) {
    double at = value(l, y, g), moved = 0, turn = 0;
    for (*lipschitz *= 0.9;; *lipschitz *= 2) {
      double bound = at;
      for (size_t c = 0; c < n; c++) {
        next[c] = fmax(0, y[c] - g[c] / *lipschitz);
        double d = next[c] - y[c];
        bound += g[c] * d + *lipschitz / 2 * d * d;
      }
      if (value(l, next, NULL) <= bound + 1e-12 * fabs(bound)) break;
    }
    double grown = (1 + sqrt(1 + 4 * theta * theta)) / 2, beta = (theta - 1) / grown;
    for (size_t c = 0; c < n; c++) turn += (y[c] - next[c]) * (next[c] - f[c]);
    if (turn > 0) grown = 1, beta = 0;
    for (size_t c = 0; c < n; c++) {
      moved = fmax(moved, fabs(next[c] - y[c]) * *lipschitz);
      y[c] = fmax(0, next[c] + beta * (next[c] - f[c]));
      f[c] = next[c];
    }
    theta = grown;
    if (moved < tolerance) break;
  }
  free(y), free(g), free(next);
}

/* The paper's outer loop; forces into p->force. The number of gradients. */
static int64_t augmented_lagrangian(pyramid *p, double exponent) {
  size_t bodies = (size_t)p->bodies;
  lagrangian l = {.p = p,
      .exponent = exponent,
      .rho = 10,
      .y = calloc(bodies, sizeof *l.y),
      .gap = calloc(bodies, sizeof *l.gap)};
  double *f = calloc((size_t)p->contacts, sizeof *f), lipschitz = 100, last = INFINITY;
  for (int outer = 0; outer < 60; outer++) {
    descend(&l, f, &lipschitz, fmax(1e-2 * pow(0.3, outer), TARGET / 10), 5000);
    balance(&l, f);
    double most = 0;
    for (size_t b = 0; b < bodies; b++) {
      most = fmax(most, sc_norm(l.gap[b]));
      sc_axpy(-l.rho, l.gap[b], l.y[b], l.y[b]);
    }
    if (most < TARGET) break;
    if (most > 0.5 * last) l.rho *= 2;
    last = most;
  }
  for (int32_t c = 0; c < p->contacts; c++) p->force[c][0] = f[c];
  free(l.y), free(l.gap), free(f);
  return l.gradients;
}

/* ---- comparison ---- */
static double distance(const pyramid *p, const double (*reference)[3]) {
  double up = 0, down = 0;
  for (int32_t c = 0; c < p->contacts; c++) {
    double d = p->force[c][0] - reference[c][0];
    up += d * d, down += reference[c][0] * reference[c][0];
  }
  return sqrt(up / down);
}

static void row(const char *method, const sc_truss_report *report, double seconds, double error) {
  printf("| %-24s | %6d | %7d | %9.1e | %9.1e | %8.3f |\n", method, (int)report->iterations,
      (int)report->cg_iterations, report->residual, error, seconds);
}

static void one_step(pyramid *p, double exponent, const double (*reference)[3]) {
  sc_truss truss = pyramid_truss(p, exponent);
  sc_truss_mass *mass = calloc((size_t)p->bodies, sizeof *mass);
  double(*v)[6] = calloc((size_t)p->bodies, sizeof *v);
  for (int32_t b = 0; b < p->bodies; b++) mass[b] = (sc_truss_mass){1, {.1, 0, 0, .1, 0, .1}};
  truss.mass = mass;
  for (double rigidity = 1e4; rigidity < 1e9; rigidity *= 100) {
    sc_arena arena = {0};
    sc_truss_report report;
    memset(v, 0, (size_t)p->bodies * sizeof *v);
    double start = sc_clock_wall();
    solve_one_step(&truss, rigidity, &arena, p->force, v, &report, NULL);
    double end = sc_clock_wall();
    char name[40];
    snprintf(name, sizeof name, "one step, rigidity %.0e", rigidity);
    row(name, &report, end - start, distance(p, reference));
    sc_arena_free(&arena);
  }
  free(mass), free(v);
}

static void compare(int n, const char *name, double exponent, int species) {
  pyramid p = pyramid_make(n);
  if (species) pyramid_two_species(&p);
  printf("\n%s: %d spheres, %d contacts\n| method                   | outer  | inner   | residual  | error   "
         "  | seconds  |\n",
      name, (int)p.bodies, (int)p.contacts);
  printf("|--------------------------|--------|---------|-----------|-----------|----------|\n");
  sc_truss truss = pyramid_truss(&p, exponent);
  sc_arena arena = {0};
  sc_truss_report report;
  double start = sc_clock_wall();
  sc_truss_solve(&truss, &arena, p.force, NULL, &report, NULL);
  double end = sc_clock_wall();
  double(*reference)[3] = malloc((size_t)p.contacts * sizeof *reference);
  memcpy(reference, p.force, (size_t)p.contacts * sizeof *reference);
  row("Newton on displacements", &report, end - start, 0);
  start = sc_clock_wall();
  report = (sc_truss_report){.cg_iterations = augmented_lagrangian(&p, exponent), .residual = TARGET};
  row("augmented Lagrangian", &report, sc_clock_wall() - start, distance(&p, (const double(*)[3])reference));
  one_step(&p, exponent, (const double(*)[3])reference);
  free(reference);
  sc_arena_free(&arena);
  pyramid_free(&p);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  if (n < 2 || n > 100) return fprintf(stderr, "usage: bench.compatible [base 2..100]\n"), 2;
  compare(n, "uniform Hooke", 2, 0);
  compare(n, "uniform Hertz", 2.5, 0);
  compare(n, "two species Hooke", 2, 1);
  return 0;
}
