/* Compares velocities, impulses, blocks, the operator and the complementarity problem with a dense reference
 * (dense_problem.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dense_problem.h"
#include "problem/contacts/apply.h"
#include "problem/operator/delassus.h"
#include "problem/operator/lcp.h"
#include "problem/operator/local.h"
#include "problem/operator/operator.h"

/* ---- single contacts and rows ---- */

static void velocities_follow(void **unused) {
  (void)unused;
  for (int k = 0; k < KINDS; k++) {
    static dense d;
    make_problem(&d, kinds + k, 10 + (uint64_t)k);
    list_rows(&d);
    const sc_problem *p = &d.problem;
    int row = 0;
    for (int32_t c = 0; c < p->balls; c++) {
      double u[3], axis[3][3];
      sc_problem_ball_velocity(p, p->ball + c, u);
      sc_copy3(p->ball[c].n, axis[0]), sc_frame(axis[0], axis[1], axis[2]);
      for (int e = 0; e < 3; e++) near(sc_dot(u, axis[e]), seen(&d, p->body, row++), 1e-12);
    }
    for (int32_t c = 0; c < p->generals; c++) {
      const sc_general_contact *g = p->general + c;
      double u[SCREE_LAW_MAX_DIM], A[36], *block = p->block + g->block;
      sc_problem_general_velocity(p, g, u);
      sc_problem_general_block(p, g, A);
      for (int r = 0; r < g->dim; r++) {
        const double drift = r < 3 && p->drifts ? g->drift[r] : 0;
        near(u[r], seen(&d, p->body, row + r) + drift, 1e-12);
        for (int s = 0; s < g->dim; s++) {
          assert_true(A[r * g->dim + s] == block[r * g->dim + s]);
          if (r != s) near(A[r * g->dim + s], entry(&d, row + r, row + s), 1e-12);
          else if (!d.dead[row + r])
            near(A[r * g->dim + r], entry(&d, row + r, row + r) + d.soft[row + r], 1e-12);
          else if (r == 2) near(A[2 * g->dim + 2], entry(&d, row + 1, row + 1) + d.soft[row + 2], 1e-12);
          else if (g->dim > 5) near(A[r * g->dim + r], entry(&d, row + 5, row + 5), 1e-12);
        }
      }
      row += g->dim;
    }
    for (int32_t r = 0; r < p->joint_rows; r++, row++) {
      const sc_joint_row *joint = p->joint_row + r;
      near(sc_problem_joint_velocity(p, joint), seen(&d, p->body, row), 1e-12);
      near(sc_problem_joint_unmet(p, joint),
          seen(&d, p->body, row) + joint->bias + joint->softness * joint->x, 1e-12);
      near(sc_problem_joint_diagonal(p, joint), entry(&d, row, row) + joint->softness, 1e-12);
      const double free = joint->x - sc_problem_joint_unmet(p, joint) / sc_problem_joint_diagonal(p, joint);
      near(sc_local_joint(p, joint), fmin(fmax(free, joint->lo), joint->hi), 1e-14);
    }
    assert_int_equal(row, d.rows);
    sc_arena_free(&d.arena);
  }
}

static void impulses_act(void **unused) {
  (void)unused;
  for (int k = 0; k < KINDS; k++) {
    static dense d;
    make_problem(&d, kinds + k, 30 + (uint64_t)k);
    list_rows(&d);
    sc_problem *p = &d.problem;
    sc_solver_body before[BODIES + 1];
    double whole[COLUMNS] = {0};
    int row = 0;
    for (int32_t c = 0; c < p->balls + p->generals + p->joint_rows; c++) {
      double change[COLUMNS] = {0};
      const int32_t general = c - p->balls, joint = general - p->generals;
      const int dim = c < p->balls ? 3 : joint < 0 ? p->general[general].dim : 1;
      memcpy(before, p->body, sizeof before);
      for (int r = 0; r < dim; r++)
        effect(&d, row + r, d.x[row + r], change), effect(&d, row + r, d.x[row + r], whole);
      if (c < p->balls) sc_problem_ball_apply(p, p->ball + c, p->ball[c].p);
      else if (joint >= 0) sc_problem_joint_apply(p, p->joint_row + joint, p->joint_row[joint].x);
      else sc_problem_general_apply(p, p->general + general, p->x + p->general[general].x);
      check_bodies(before, p->body, change);
      memcpy(p->body, before, sizeof before);
      if (c >= p->balls && joint < 0) { // only bodies within a range of rows move
        const sc_general_contact *g = p->general + general;
        for (int32_t low = 0; low <= BODIES; low++) {
          double part[COLUMNS];
          memcpy(part, change, sizeof part);
          for (int32_t b = 0; b <= BODIES; b++)
            for (int e = 0; e < 6 && (b < low || b > low + 1); e++) part[6 * b + e] = 0;
          sc_problem_general_apply_within(p, g, p->x + g->x, low, low + 1);
          check_bodies(before, p->body, part);
          memcpy(p->body, before, sizeof before);
        }
      }
      row += dim;
    }
    p->bonds = 0; // the operator has no rows for bonds
    memcpy(before, p->body, sizeof before);
    sc_problem_apply_all(p, NULL);
    check_bodies(before, p->body, whole);
    sc_arena_free(&d.arena);
  }
}

/* ---- whole systems ---- */

static void operators_follow(void **unused) {
  (void)unused;
  for (int k = 0; k < KINDS; k++) {
    static dense d;
    make_problem(&d, kinds + k, 50 + (uint64_t)k);
    list_rows(&d);
    sc_problem *p = &d.problem;
    p->bonds = 0;
    sc_operator op, again;
    assert_int_equal(sc_operator_build(p, &d.arena, &op, NULL), SCREE_OK);
    assert_true(op.rows == d.rows && op.blocks == p->balls + p->generals + p->joint_rows);
    double x[MOST], u[MOST], A[36];
    for (int row = 0; row < d.rows; row++) {
      near(op.x[row], d.x[row], 1e-13);
      memset(x, 0, sizeof x), x[row] = 1;
      sc_operator_apply(&op, x, u);
      for (int b = 0; b < d.rows; b++)
        if (!d.dead[row] || b != row) near(u[b], entry(&d, b, row) + (b == row ? d.soft[row] : 0), 1e-12);
        else assert_true(u[row] > 0.01);
    }
    sc_operator_apply(&op, op.x, u);
    for (int row = 0; row < d.rows; row++) /* u = A x + b has all velocities and biases */
      near(u[row] + op.b[row], seen(&d, p->body, row) + d.given[row] + d.soft[row] * d.x[row], 1e-12);
    for (int32_t c = 0; c < op.blocks; c++)
      for (int32_t e = 0; e < op.blocks; e++) {
        const sc_operator_block *to = op.block + c, *from = op.block + e;
        sc_operator_entries(&op, c, e, A);
        for (int r = 0; r < to->dim; r++)
          for (int s = 0; s < from->dim; s++) {
            const int a = (int)to->row + r, b = (int)from->row + s;
            if (a == b && d.dead[a]) assert_true(A[r * from->dim + s] > 0.01);
            else near(A[r * from->dim + s], entry(&d, a, b) + (a == b ? d.soft[a] : 0), 1e-12);
          }
      }
    for (int row = 0; row < d.rows; row++) x[row] = d.dead[row] ? 0 : 0.01 * row;
    double change[COLUMNS] = {0};
    sc_solver_body before[BODIES + 1];
    memcpy(before, p->body, sizeof before);
    for (int row = 0; row < d.rows; row++) effect(&d, row, x[row] - d.x[row], change);
    sc_operator_store(&op, x, p);
    check_bodies(before, p->body, change);
    assert_int_equal(sc_operator_build(p, &d.arena, &again, NULL), SCREE_OK);
    for (int row = 0; row < d.rows; row++) near(again.x[row], x[row], 1e-12);
    sc_arena_free(&d.arena);
  }
}

/* The complementarity problem must have the matrix of the dense reference. Its right-hand side must be the
 * velocities without impulses. */
static void complementarity_follows(void **unused) {
  (void)unused;
  for (int k = 0; k < KINDS; k++) {
    static dense d;
    if (kinds[k].wide) continue;
    make_problem(&d, kinds + k, 70 + (uint64_t)k);
    list_rows(&d);
    memset(d.dead, 0, sizeof d.dead); // rows that cannot move have no direction in the tables
    sc_lcp lcp;
    assert_int_equal(sc_lcp_build(&d.problem, 8, &d.arena, &lcp, NULL), SCREE_OK);
    assert_int_equal(lcp.rows, d.rows);
    for (int a = 0; a < d.rows; a++) {
      double without = seen(&d, d.problem.body, a) + d.given[a];
      for (int b = 0; b < d.rows; b++) {
        near(lcp.W[a * d.rows + b], entry(&d, a, b) + (a == b ? d.soft[a] : 0), 1e-12);
        without -= entry(&d, a, b) * d.x[b];
      }
      near(lcp.free[a], without, 1e-12);
    }
    sc_arena_free(&d.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(velocities_follow), cmocka_unit_test(impulses_act),
      cmocka_unit_test(operators_follow), cmocka_unit_test(complementarity_follows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
