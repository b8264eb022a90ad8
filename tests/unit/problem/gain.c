/* Compares kinetic energies, the bound of the energy that impulses add, and velocity scales with a dense
 * reference (dense_problem.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dense_problem.h"
#include "problem/contacts/apply.h"
#include "problem/residual/gain.h"
#include "problem/residual/residual.h"

/* ---- energies ---- */

/* Returns the kinetic energy of all bodies, computed from the inverse masses. Planar bodies have one rate of
 * rotation. */
static double kinetic(const dense *d, const sc_solver_body *body, const sc_solver_body *other) {
  double sum = 0;
  for (int32_t b = 0; b < BODIES; b++) {
    const double *K = d->problem.K[b];
    double x[3], L[3];
    sc_copy3(other[b].q, x);
    sum += sc_dot(body[b].v, other[b].v) / d->problem.body[b].inv_mass;
    if (d->problem.planar) {
      const double *p = d->problem.plane, stiff = K[0] + K[3] + K[5]; // K = stiff p p'
      sum += sc_dot(p, body[b].q) * sc_dot(p, x) / stiff;
      continue;
    }
    /* L = K^-1 x by Cramer's rule */
    const double M[3][3] = {{K[0], K[1], K[2]}, {K[1], K[3], K[4]}, {K[2], K[4], K[5]}};
    double column[3][3], yz[3];
    for (int c = 0; c < 3; c++)
      for (int r = 0; r < 3; r++) column[c][r] = M[r][c];
    sc_cross(column[1], column[2], yz);
    const double det = sc_dot(column[0], yz);
    for (int c = 0; c < 3; c++) {
      double kept[3], cross[3];
      sc_copy3(column[c], kept), sc_copy3(x, column[c]);
      sc_cross(column[1], column[2], cross);
      L[c] = sc_dot(column[0], cross) / det;
      sc_copy3(kept, column[c]);
    }
    sum += sc_dot(body[b].q, L);
  }
  return sum / 2;
}

static void energies_follow(void **unused) {
  (void)unused;
  for (int k = 0; k < KINDS; k++) {
    static dense d;
    make_problem(&d, kinds + k, 90 + (uint64_t)k);
    list_rows(&d);
    sc_problem *p = &d.problem;
    sc_solver_body before[BODIES + 1], change[BODIES + 1];
    memcpy(before, p->body, sizeof before);
    near(sc_problem_kinetic(p, NULL), kinetic(&d, before, before), 1e-11);
    sc_problem_apply_all(p, NULL);
    memcpy(change, p->body, sizeof change);
    for (int32_t b = 0; b < BODIES; b++)
      sc_sub(p->body[b].v, before[b].v, change[b].v), sc_sub(p->body[b].q, before[b].q, change[b].q);
    const sc_gain gain = sc_problem_gain(p, before);
    near(gain.linear, 2 * kinetic(&d, before, change), 1e-10);
    near(gain.square, 2 * kinetic(&d, change, change), 1e-10);
    near(sc_problem_kinetic(p, NULL) - kinetic(&d, before, before), gain.linear + gain.square / 2, 1e-10);
    /* of all shares of the impulses the best one leaves the least energy */
    const double best = sc_gain_best_share(&gain),
                 energy = best * gain.linear + best * best * gain.square / 2;
    for (double share = 0; share <= 1; share += 0.01)
      assert_true(energy <= share * gain.linear + share * share * gain.square / 2 + 1e-12);
    sc_problem_scale_impulses(p, -best);
    sc_problem_apply_all(p, NULL); // a share 1 - best remains
    for (int32_t b = 0; b < BODIES; b++)
      for (int e = 0; e < 3; e++) {
        near(p->body[b].v[e], before[b].v[e] + (1 - best) * change[b].v[e], 1e-12);
        near(p->body[b].q[e], before[b].q[e] + (1 - best) * change[b].q[e], 1e-12);
      }
    sc_arena_free(&d.arena);
  }
  assert_true(sc_gain_best_share(&(sc_gain){-2, 1}) == 1 && sc_gain_best_share(&(sc_gain){-1, 2}) == 0.5);
  assert_true(sc_gain_best_share(&(sc_gain){1, 2}) == 0);
}

/* Returns the bound of the gain as the sum of its terms: work of driven bodies, negative biases, springs,
 * motors at their bounds, biases of rows between their bounds, biases of bonds, and the tolerance at each
 * impulse [J]. */
static double bound_of(const dense *d, double tolerance) {
  const sc_problem *p = &d->problem;
  sc_solver_body driven[BODIES + 1];
  memset(driven, 0, sizeof driven);
  driven[BODIES] = p->body[BODIES];
  double sum = 0;
  int row = 0;
  for (int32_t c = 0; c < p->balls + p->generals; c++) {
    const sc_general_contact *g = p->general + (c - p->balls);
    const sc_contact_spring *s = c < p->balls ? &p->ball[c].spring : &g->spring;
    const int dim = c < p->balls ? 3 : g->dim;
    const double bias = s->normal > 0 ? s->bias : c < p->balls ? p->ball[c].bias : g->bias, *x = d->x + row;
    for (int r = 0; r < dim; r++) sum -= x[r] * seen(d, driven, row + r);
    for (int r = 0; r < 3 && c >= p->balls && p->drifts; r++) sum -= x[r] * g->drift[r];
    sum += tolerance * sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - x[0] * fmin(0, bias);
    double last[3];
    sc_copy3(s->last, last);
    if (c < p->balls) {
      double t[3], o[3];
      sc_frame(p->ball[c].n, t, o);
      sc_set3(sc_dot(s->last, p->ball[c].n), sc_dot(s->last, t), sc_dot(s->last, o), last);
    }
    const double back = sc_dot(x, last) - x[1] * x[1] - x[2] * x[2];
    if (s->normal > 0) sum += s->tangent * fmax(0, back);
    row += dim;
  }
  for (int32_t r = 0; r < p->joint_rows; r++, row++) {
    const sc_joint_row *joint = p->joint_row + r;
    const bool bounded = joint->x <= joint->lo || joint->x >= joint->hi;
    const double rate = bounded ? seen(d, p->body, row) : -joint->bias - joint->softness * joint->x;
    sum += joint->x * (rate - seen(d, driven, row)) + fabs(joint->x) * tolerance;
  }
  for (int32_t b = 0; b < p->bonds; b++) {
    const sc_bond_row *bond = p->bond + b;
    const sc_solver_body *j = driven + bond->j; /* body i can move */
    double arm[3], turn[3], u[3];
    sc_scale(bond->arm2, bond->d, arm), sc_cross(j->q, arm, turn);
    sc_sub(turn, j->v, u); /* u = v_i - v_j + (arm1 q_i + arm2 q_j) x d */
    sum -= sc_dot(bond->p, u) - bond->ratio * sc_dot(bond->m, j->q);
    sum += fabs(sc_dot(bond->p, bond->push)) + fabs(sc_dot(bond->m, bond->turn)) +
        tolerance * (sc_norm(bond->p) + sc_norm(bond->m));
  }
  return sum;
}

static void bounds_follow(void **unused) {
  (void)unused;
  for (int k = 0; k < KINDS; k++)
    for (int round = 0; round < 2; round++) {
      static dense d;
      make_problem(&d, kinds + k, 110 + (uint64_t)k);
      if (d.k.joints) d.problem.joint_row[3].x = round ? 0.4 : -0.3; // at its bounds
      list_rows(&d);
      const double tolerance = round ? 0.01 : 0;
      const sc_arena_mark mark = sc_arena_here(&d.arena);
      near(sc_problem_gain_bound(&d.problem, tolerance, &d.arena), bound_of(&d, tolerance), 1e-11);
      assert_true(sc_arena_here(&d.arena).held == mark.held);
      if (d.problem.planar) {
        sc_arena_free(&d.arena);
        continue;
      }
      /* moments of balls: the work of the immovable body's spin */
      double more = 0;
      for (int32_t c = 0; c < BALLS; c++) {
        d.couple[c] = (sc_ball_couple){.m = {0.1, -0.2, 0.3}, .ratio = 0.5 + c};
        if (d.problem.ball[c].j == BODIES)
          more += (0.5 + c) * sc_dot(d.couple[c].m, d.problem.body[BODIES].q);
      }
      list_rows(&d);
      d.problem.couple = d.couple;
      near(sc_problem_gain_bound(&d.problem, tolerance, &d.arena), bound_of(&d, tolerance) + more, 1e-11);
      sc_arena_free(&d.arena);
    }
}

/* ---- velocity scales ---- */

static void scales_follow(void **unused) {
  (void)unused;
  static dense d;
  make_problem(&d, &(kind){.joints = true, .bonds = true}, 130);
  list_rows(&d);
  sc_problem *p = &d.problem;
  const int first = d.rows - JOINTS;
  double speed[JOINTS], sum = 0, all = 0;
  for (int r = 0; r < JOINTS; r++) speed[r] = entry(&d, first + r, first + r) + d.soft[first + r];
  p->joint_row[0].motor = true; // a motor: its impulse of the last step
  sum += fabs(p->joint_row[0].x) * speed[0];
  p->joint_row[4].softness = 0; // a given impulse of 0.2
  speed[4] = entry(&d, first + 4, first + 4);
  sum += 0.2 * speed[4];
  const int soft[] = {1, 3, 5}; // springs: the bias, less the part that the spring gives way
  for (int k = 0; k < 3; k++)
    sum += fabs(p->joint_row[soft[k]].bias) * entry(&d, first + soft[k], first + soft[k]) / speed[soft[k]];
  near(sc_problem_drive_speed(p), sum / 5, 1e-12);
  assert_true(sum > 0.01);
  near(sc_problem_velocity_scale(p, 0.003), 9.81e-3, 1e-16);
  near(sc_problem_velocity_scale(p, 0.02), 0.02, 1e-16);
  p->gravity = 0;
  near(sc_problem_velocity_scale(p, 0), 1e-6 * sum / 5, 1e-18);
  /* without any of them: the mean speed of all rows and bonds */
  for (int r = 0; r < JOINTS; r++) {
    sc_joint_row *row = p->joint_row + r;
    row->motor = false, row->softness = 0;
    if (r == 4) row->lo = row->hi = 0;
    all += fabs(row->bias);
    const double *J = d.J[first + r];
    for (int32_t b = 0; b <= BODIES; b++) {
      const bool mine = b == row->i || b == row->j || (row->third && b == d.third.body);
      if (mine) all += fabs(sc_dot(J + 6 * b, p->body[b].v)) + fabs(sc_dot(J + 6 * b + 3, p->body[b].q));
    }
  }
  for (int b = 0; b < BONDS; b++) {
    const sc_bond_row *bond = p->bond + b;
    all += sc_norm(bond->push) + sc_norm(bond->turn);
    all += sc_norm(p->body[bond->i].v) + sc_norm(p->body[bond->i].q);
    all += sc_norm(p->body[bond->j].v) + sc_norm(p->body[bond->j].q);
  }
  assert_true(sc_problem_drive_speed(p) == 0);
  near(sc_problem_velocity_scale(p, 0), all / (JOINTS + BONDS), 1e-12);
  p->joint_rows = p->bonds = 0;
  assert_true(sc_problem_velocity_scale(p, 0) == 0);
  sc_arena_free(&d.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energies_follow), cmocka_unit_test(bounds_follow), cmocka_unit_test(scales_follow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
