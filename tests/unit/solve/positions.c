/* Compares position corrections with a dense solution of the position problem. The problem: shifts d of the
 * bodies with d_n + w >= 0, complementary to impulses along normals, without friction. Locked rows of joints,
 * and rows below their bounds, do not move. Limits move up to the limit. Rows at their bounds do not act. The
 * reference sweeps over the rows of the dense matrices of dense_problem.h until nothing changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../problem/dense_problem.h"
#include "solve/sweeps/positions.h"

/* Condition of a row of the reference: J d + soft y + bias = 0, or J d + soft y + bias >= 0 complementary to
 * y >= 0. */
typedef struct demand {
  bool acts, is_limit;
  double bias, soft;
} demand;

static double closing(
    const sc_positions_in *in, const sc_contact_spring *spring, double gap, double u_n, double x_n) {
  if (spring->normal > 0) return fmax(0, u_n + spring->bias + spring->normal * x_n);
  const double left = gap + u_n;
  return left >= 0 ? left : fmax(in->correction_fraction * left, -in->speed_limit);
}

static void list_demands(const dense *d, const sc_positions_in *in, demand out[MOST]) {
  const sc_problem *p = &d->problem;
  int row = 0;
  memset(out, 0, MOST * sizeof *out);
  for (int32_t c = 0; c < p->balls + p->generals; c++) {
    const sc_general_contact *g = p->general + (c - p->balls);
    const double drift = c >= p->balls && p->drifts ? g->drift[0] : 0;
    out[row] = (demand){.acts = true,
        .is_limit = true,
        .bias = closing(in, c < p->balls ? &p->ball[c].spring : &g->spring, p->gap[c],
            seen(d, p->body, row) + drift, d->x[row])};
    row += c < p->balls ? 3 : g->dim;
  }
  for (int32_t r = 0; r < p->joint_rows; r++, row++) {
    const sc_joint_row *joint = p->joint_row + r;
    const bool limit = joint->lo == 0 && joint->hi == INFINITY,
               below = joint->lo < joint->x && joint->x < joint->hi;
    out[row] = (demand){.acts = limit || below, .is_limit = limit, .soft = joint->softness};
    if (limit) out[row].bias = fmax(0, seen(d, p->body, row) + joint->bias);
  }
}

/* Solves the conditions by sweeps over all rows. Sets shift to the velocities of all bodies. */
static void solve_demands(const dense *d, const demand *want, double shift[COLUMNS]) {
  double y[MOST] = {0}, change;
  memset(shift, 0, COLUMNS * sizeof *shift);
  for (int round = 0; round < 200000; round++) {
    change = 0;
    for (int row = 0; row < d->rows; row++) {
      double now = want[row].bias + want[row].soft * y[row];
      if (!want[row].acts) continue;
      for (int k = 0; k < COLUMNS; k++) now += d->J[row][k] * shift[k];
      const double next = y[row] - now / (entry(d, row, row) + want[row].soft),
                   to = want[row].is_limit ? fmax(0, next) : next;
      effect(d, row, to - y[row], shift);
      change = fmax(change, fabs(to - y[row]));
      y[row] = to;
    }
    if (change < 1e-15) return;
  }
  fail_msg("the reference does not converge: %g", change);
}

static void shifts_solve_their_problem(void **unused) {
  (void)unused;
  static const kind cases[] = {{0}, {.springs = true}, {.wide = true}, {.drifts = true}, {.joints = true},
      {.planar = true}, {.planar = true, .wide = true}};
  int moved = 0;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int round = 0; round < 4; round++) {
      static dense d;
      static demand want[MOST];
      double wanted[COLUMNS], position[BODIES][3], gap[BALLS + CONTACTS];
      sc_rng rng;
      sc_rng_seed(&rng, 7);
      make_problem(&d, cases + k, 200 + 10 * (uint64_t)k + (uint64_t)round);
      sc_problem *p = &d.problem;
      if (p->joint_rows) p->joint_row[4].lo = -1, p->joint_row[4].hi = 1; // a motor below its bound
      if (p->joint_rows) p->joint_row[3].x = 0.4;                         // a motor at its bound
      if (p->joint_rows) p->joint_row[2].lo = -0.5, p->joint_row[2].hi = 0.5;
      for (int32_t r = 0; r < p->joint_rows; r++) p->joint_row[r].softness += 0.05; // a unique solution
      for (int b = 0; b < BODIES; b++) random_vector(&rng, 2, position[b]);
      p->position = (const double(*)[3])position;
      for (int c = 0; c < p->balls + p->generals; c++) gap[c] = random_between(&rng, -1, 0.3);
      p->gap = gap;
      list_rows(&d);
      const sc_positions_in in = {.problem = p,
          .correction_fraction = round % 2 ? 1 : 0.4,
          .speed_limit = round > 1 ? 0.3 : INFINITY};
      const scree_solver_def par = {.iterations = 10,
          .min_iterations = 1,
          .correction_iterations = 100000,
          .tolerance = 1e-14,
          .relaxation = 1,
          .acceleration = round % 2};
      const sc_solver_body *shift = NULL;
      list_demands(&d, &in, want);
      solve_demands(&d, want, wanted);
      sc_solver_body before[BODIES + 1];
      memcpy(before, p->body, sizeof before);
      assert_int_equal(sc_positions_solve(&in, &par, NULL, &d.arena, &shift, NULL), SCREE_OK);
      assert_memory_equal(before, p->body, sizeof before);
      for (int b = 0; b < BODIES; b++)
        for (int e = 0; e < 3; e++) {
          near(shift[b].v[e], wanted[6 * b + e], 1e-9);
          near(shift[b].q[e], wanted[6 * b + 3 + e], 1e-9);
          moved += fabs(shift[b].v[e]) > 1e-3;
        }
      sc_arena_free(&d.arena);
    }
  assert_true(moved > 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shifts_solve_their_problem)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
