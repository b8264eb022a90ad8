/* Table 1 of Jia & Wang (2016) as ratios in one run: plain integration with a fixed step to the end
 * (NI), the paper's Algorithm 1 with a fixed (FS) and an adaptive step (VS), and scree. Prints markdown.
 * The three are Euler schemes and live only here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "../impact_reference.h"
#include "scree/impact.h"

typedef struct problem {
  const char *name;
  scree_impact_def def;
  double step_ni, step_fs;
} problem;

/* State of an Euler run. */
typedef struct run {
  const scree_impact_def *def;
  double g[2], x, y, z, vz, E, before[2];
  bool compressed;
  int steps;
} run;

static void start(run *r, const scree_impact_def *def) {
  *r = (run){.def = def, .g = {def->v[0], def->v[1]}, .vz = def->v[2], .before = {def->v[0], def->v[1]}};
}

/* gamma' = d - mu B g */
static void slope(const scree_impact_def *def, const double g[2], double out[2]) {
  const double *W = def->W;
  double size = hypot(g[0], g[1]), c = size > 0 ? g[0] / size : 0, s = size > 0 ? g[1] / size : 0;
  out[0] = W[2] - def->mu * (W[0] * c + W[1] * s);
  out[1] = W[5] - def->mu * (W[1] * c + W[4] * s);
}

/* Impulse from the sliding velocity, paper (26), then v_z and E by one step. True when restitution has
 * ended. */
static bool follow(run *r, double h) {
  const double *W = r->def->W;
  double det = W[0] * W[4] - W[1] * W[1], a = r->g[0] - r->before[0] - r->z * W[2],
         b = r->g[1] - r->before[1] - r->z * W[5];
  r->x = (W[4] * a - W[1] * b) / det;
  r->y = (W[0] * b - W[1] * a) / det;
  r->vz = r->def->v[2] + W[6] * r->x + W[7] * r->y + W[8] * r->z;
  r->E -= h * r->vz;
  r->steps++;
  if (!r->compressed && r->vz >= 0) r->compressed = true, r->E *= r->def->e * r->def->e;
  return r->compressed && r->E <= 0;
}

static void euler(run *r, double h) {
  double f[2];
  slope(r->def, r->g, f);
  r->g[0] += h * f[0];
  r->g[1] += h * f[1];
  r->z += h;
}

/* Whether the contact has come to rest within a step, to be held there. */
static bool at_rest(const run *r, double h) {
  double f[2];
  slope(r->def, r->g, f);
  return hypot(r->g[0], r->g[1]) <= h * hypot(f[0], f[1]) && r->g[0] * f[0] + r->g[1] * f[1] < 0;
}

/* NI: Euler to the end; at rest the slip is set to 0 and stays there. */
static int plain(const scree_impact_def *def, double h, double out[3]) {
  run r;
  start(&r, def);
  bool rest = false;
  do {
    rest = rest || at_rest(&r, h);
    if (rest) r.g[0] = r.g[1] = 0, r.z += h;
    else euler(&r, h);
  } while (!follow(&r, h) && r.steps < 100000000);
  out[0] = r.x;
  out[1] = r.y;
  out[2] = r.z;
  return r.steps;
}

/* The closed form of section 6.2 from event s on: both impacts of the table stick (|B^-1 d| < mu). */
static void stick(run *r, double out[3]) {
  const double *W = r->def->W;
  double det = W[0] * W[4] - W[1] * W[1], sx = -(W[4] * W[2] - W[1] * W[5]) / det,
         sy = -(W[0] * W[5] - W[1] * W[2]) / det;
  double rise = W[8] + W[6] * sx + W[7] * sy;
  r->g[0] = r->g[1] = 0;
  follow(r, 0);
  double z = r->z, vz = r->vz, E = r->E;
  if (!r->compressed) {
    double dz = -vz / rise;
    E = r->def->e * r->def->e * (E - dz * (vz + rise * dz / 2));
    z += dz;
    vz = 0;
  }
  z += (-vz + sqrt(vz * vz + 2 * rise * E)) / rise;
  out[0] = r->x + (z - r->z) * sx;
  out[1] = r->y + (z - r->z) * sy;
  out[2] = z;
}

/* Paper (36) and (37), eps = 1/2, h1 = h2 = 0.01. */
static double paper_step(const run *r) {
  const double *W = r->def->W;
  double f[2], size = hypot(r->g[0], r->g[1]), c = r->g[0] / size, s = r->g[1] / size, mu = r->def->mu;
  slope(r->def, r->g, f);
  double speed = hypot(f[0], f[1]), turn = (c * f[1] - s * f[0]) / size; // d th / d I_z
  double a = -mu * turn * (-W[0] * s + W[1] * c), b = -mu * turn * (-W[1] * s + W[4] * c);
  double kappa = fabs(f[0] * b - f[1] * a) / (speed * speed * speed);
  return 0.5 * 0.01 / speed + 0.5 * 0.01 / (kappa * speed + 1e-12);
}

/* Algorithm 1: Euler until rest, then closed form. h = 0: the paper's adaptive step. */
static int algorithm_1(const scree_impact_def *def, double h, double out[3]) {
  run r;
  start(&r, def);
  while (r.steps < 100000000) {
    double step = h > 0 ? h : paper_step(&r);
    // a step does not run over the origin
    double f[2], size = hypot(r.g[0], r.g[1]);
    slope(def, r.g, f);
    double rate = -(r.g[0] * f[0] + r.g[1] * f[1]) / size, most = rate > 0 ? size / rate : INFINITY;
    if (step >= most) {
      r.z += most;
      r.steps++;
      r.E -= most * r.vz;
      stick(&r, out);
      return r.steps;
    }
    r.g[0] += step * f[0];
    r.g[1] += step * f[1];
    r.z += step;
    if (follow(&r, step)) break;
  }
  out[0] = r.x;
  out[1] = r.y;
  out[2] = r.z;
  return r.steps;
}

enum { NI, FS, VS, SCREE, METHODS };

static int solve(const problem *p, int method, double out[3]) {
  if (method == NI) return plain(&p->def, p->step_ni, out);
  if (method == FS) return algorithm_1(&p->def, p->step_fs, out);
  if (method == VS) return algorithm_1(&p->def, 0, out);
  scree_impact_result r;
  if (scree_impact_solve(&p->def, &r, NULL) != SCREE_OK) return -1;
  memcpy(out, r.impulse, sizeof r.impulse);
  return r.arcs;
}

static double seconds(const problem *p, int method) {
  double out[3], best = INFINITY;
  // the least of many short rounds: what others do on the machine only ever adds
  double once = sc_clock_wall();
  solve(p, method, out);
  once = sc_clock_wall() - once;
  int n = once > 1e-3 ? 1 : 200;
  for (int round = 0; round < (n > 1 ? 60 : 10); round++) {
    double from = sc_clock_wall();
    for (int i = 0; i < n; i++) solve(p, method, out);
    best = fmin(best, (sc_clock_wall() - from) / n);
  }
  return best;
}

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Both impacts side by side, rows and columns as in Table 1 of the paper. */
static void table(const problem problems[2], const double truth[2][3]) {
  static const char *const rows[] = {
      "step size", "iterations (scree: arcs)", "time [us]", "times scree's", "error of I [N s]"};
  double out[3], time[2][METHODS], error[2][METHODS];
  int steps[2][METHODS];
  for (int i = 0; i < 2; i++)
    for (int m = 0; m < METHODS; m++) {
      time[i][m] = seconds(problems + i, m);
      steps[i][m] = solve(problems + i, m, out);
      error[i][m] = distance(out, truth[i]);
    }
  printf("\n| | icosa-tetra NI | FS | VS | scree | pin-ball NI | FS | VS | scree "
         "|\n|---|---|---|---|---|---|---|---|---|\n");
  for (int row = 0; row < 5; row++) {
    printf("| %s |", rows[row]);
    for (int i = 0; i < 2; i++)
      for (int m = 0; m < METHODS; m++) {
        double step = m == NI ? problems[i].step_ni : problems[i].step_fs;
        if (row == 0 && m <= FS) printf(" %g |", step);
        if (row == 0 && m > FS) printf(" - |");
        if (row == 1) printf(" %d |", steps[i][m]);
        if (row == 2) printf(" %.3f |", time[i][m] * 1e6);
        if (row == 3) printf(" %.2f |", time[i][m] / time[i][SCREE]);
        if (row == 4) printf(" %.3g |", error[i][m]);
      }
    printf("\n");
  }
}

/* Euler against scree at equal errors: the step of FS at which it comes below an error, and its time. */
static void equal_errors(problem p, const double truth[3]) {
  double out[3], scree = seconds(&p, SCREE);
  printf("\n| FS with step | steps | error of I [N s] | times scree's |\n|---|---|---|---|\n");
  for (double h = 1e-3; h > 5e-7; h /= 10) {
    p.step_fs = h;
    int steps = solve(&p, FS, out);
    printf("| %.0e | %d | %.2g | %.1f |\n", h, steps, distance(out, truth), seconds(&p, FS) / scree);
  }
}

int main(void) {
  problem problems[2] = {
      {"Icosahedron and tetrahedron",
          {.W = {11.5984, -0.910367, 2.442355, -0.910367, 9.90134, 1.957465, 2.442355, 1.957465, 2.59042},
              .v = {-.2619758, .3863284, -.0771748},
              .mu = 0.8,
              .e = 0.95},
          0.00095, 0.001},
      {"Pin and ball",
          {.W = {1.55465, .002386755, -.360808, .002386755, 5.15191, -.00313296, -.360808, -.00313296, 1.105},
              .v = {-.196438942, .1113696, -1.493251258}, /* velocity printed in the paper */
              .mu = 0.7,
              .e = 0.7},
          0.001, 0.002}};
  printf("Two-body impact, times on this machine in one run; the paper's table has Mathematica's.\n");
  double truth[2][3];
  // the truth is an independent integration in long double, by extrapolation
  for (int i = 0; i < 2; i++) {
    reference exact_way;
    if (!reference_solve(&problems[i].def, &exact_way)) return 1;
    for (int k = 0; k < 3; k++) truth[i][k] = (double)exact_way.y[REF_X + k];
  }
  table(problems, (const double(*)[3])truth);
  for (int i = 0; i < 2; i++) {
    printf("\n%s, fixed step against scree:\n", problems[i].name);
    equal_errors(problems[i], truth[i]);
  }
  double coarse[3] = {0}, exact[3] = {0};
  int steps = solve(problems, NI, coarse);
  solve(problems, SCREE, exact);
  printf("\nThe printed impulse (15), (-0.00326657, -0.0592263, 0.1007), beside Euler with step 0.00095 (%d "
         "steps): (%.8f, %.7f, %.4f); exact: (%.8f, %.7f, %.7f).\n",
      steps, coarse[0], coarse[1], coarse[2], exact[0], exact[1], exact[2]);
  return 0;
}
