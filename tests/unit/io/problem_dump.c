/* Problem dumps: a problem reads back in every bit, and a solver finds the same solution for it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "io/trajectory/checkpoint.h"
#include "io/trajectory/problem_dump.h"
#include "solve/solver.h"
#include "support/frames.h"
#include "problem/operator/delassus.h"

/* Balls in a row on the immovable world, a general contact between the first two, and a gear between them
 * with the third as its housing. */
typedef struct made {
  sc_problem p;
  sc_solver_body body[5];
  double position[5][3];
  sc_inertia_row K[5];
  sc_ball_contact ball[4];
  int32_t ball_contact[4];
  sc_general_contact general[1];
  double par[SCREE_LAW_MAX_PARAMS], block[9], x[3];
  const sc_law *law[2];
  sc_joint_row row[1];
  sc_joint_third third[1];
} made;

static void make(made *m) {
  memset(m, 0, sizeof *m);
  for (int i = 0; i < 5; i++) {
    m->body[i] = (sc_solver_body){
        .v = {i < 4 ? 0.1 * i : 0, 0, i < 4 ? -0.5 : 0}, .inv_mass = i < 4 ? 1 : 0, .k = i < 4 ? 2.5 : 0};
    if (i < 4) m->K[i][0] = m->K[i][3] = m->K[i][5] = 2.5;
    m->position[i][0] = i;
  }
  for (int c = 0; c < 4; c++) {
    m->ball[c] = (sc_ball_contact){.n = {0, 0, 1}, .mu = 0.3, .i = c, .j = 4};
    m->ball_contact[c] = c;
  }
  m->law[0] = sc_law_find("frictionless");
  m->law[1] = sc_law_find("coulomb");
  m->par[0] = 0.4;
  m->general[0] = (sc_general_contact){.i = 0,
      .j = 1,
      .law = 1,
      .dim = 3,
      .n = {-1, 0, 0},
      .t = {0, 1, 0},
      .o = {0, 0, -1},
      .arm1 = {1, 0, 0},
      .arm2 = {-1, 0, 0},
      .scale1 = 1,
      .scale2 = 1,
      .contact = 4};
  m->row[0] = (sc_joint_row){
      .i = 0, .j = 1, .third = 1, .ang1 = {0, 1, 0}, .ang2 = {0, 2, 0}, .lo = -INFINITY, .hi = INFINITY};
  m->third[0] = (sc_joint_third){.body = 2, .ang = {0, -3, 0}};
  m->p = (sc_problem){.bodies = 5,
      .joint_rows = 1,
      .joint_row = m->row,
      .thirds = 1,
      .third = m->third,
      .body = m->body,
      .position = (const double(*)[3])m->position,
      .K = m->K,
      .balls = 4,
      .ball = m->ball,
      .ball_contact = m->ball_contact,
      .generals = 1,
      .general = m->general,
      .laws = 2,
      .law = m->law,
      .par = m->par,
      .block = m->block,
      .x = m->x,
      .dt = 1e-3,
      .gravity = 9.81};
  sc_problem_general_block(&m->p, m->general, m->block);
}

static void same_problem(const sc_problem *a, const sc_problem *b) {
  assert_int_equal(a->bodies, b->bodies);
  assert_memory_equal(a->body, b->body, (size_t)a->bodies * sizeof *a->body);
  assert_memory_equal(a->position, b->position, (size_t)(a->bodies - 1) * sizeof *a->position);
  for (int32_t k = 0; k < a->bodies; k++) assert_memory_equal(a->K[k], b->K[k], 6 * sizeof **a->K);
  assert_int_equal(a->balls, b->balls);
  assert_memory_equal(a->ball, b->ball, (size_t)a->balls * sizeof *a->ball);
  assert_memory_equal(a->ball_contact, b->ball_contact, (size_t)a->balls * sizeof *a->ball_contact);
  assert_int_equal(a->generals, b->generals);
  assert_memory_equal(a->general, b->general, (size_t)a->generals * sizeof *a->general);
  assert_memory_equal(a->par, b->par, SCREE_LAW_MAX_PARAMS * sizeof(double));
  assert_memory_equal(a->block, b->block, 9 * sizeof(double));
  assert_memory_equal(a->x, b->x, 3 * sizeof(double));
  assert_int_equal(a->joint_rows, b->joint_rows);
  assert_memory_equal(a->joint_row, b->joint_row, sizeof *a->joint_row);
  assert_int_equal(a->thirds, b->thirds);
  assert_memory_equal(a->third, b->third, sizeof *a->third);
  assert_int_equal(a->laws, b->laws);
  for (int i = 0; i < a->laws; i++) assert_ptr_equal(a->law[i], b->law[i]);
  assert_true(a->dt == b->dt && a->gravity == b->gravity);
}

static void a_problem_comes_back_and_solves_the_same(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "p.scree");
  made m;
  make(&m);
  scree_error error;
  sc_problem back;
  sc_arena arena = {0}, scratch = {0};
  assert_int_equal(sc_problem_save(&m.p, path, &error), SCREE_OK);
  assert_int_equal(sc_problem_load(&back, path, &arena, &error), SCREE_OK);
  same_problem(&m.p, &back);
  scree_solver_def def = scree_world_defaults().solver;
  def.iterations = 10000, def.tolerance = 1e-10;
  sc_solver_report one, two;
  const sc_solver *solver = sc_solver_at(0);
  assert_int_equal(solver->solve(&m.p, &def, NULL, &scratch, &one, &error), SCREE_OK);
  sc_arena_reset(&scratch);
  assert_int_equal(solver->solve(&back, &def, NULL, &scratch, &two, &error), SCREE_OK);
  same_problem(&m.p, &back);
  assert_true(one.iterations == two.iterations && m.p.ball[0].p[2] > 0);
  assert_true(m.p.joint_row->x != 0 && fabs(sc_problem_joint_velocity(&m.p, m.p.joint_row)) < 1e-9);
  sc_arena_free(&arena);
  sc_arena_free(&scratch);
  support_clean(folder);
}

/* Sections changed in a dump that is sound as a file. */
static void problems_that_contradict_themselves_are_refused(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "p.scree");
  made m;
  scree_error error;
  sc_problem back;
  sc_arena arena = {0};
  for (int change = 0; change < 11; change++) {
    make(&m);
    assert_int_equal(sc_problem_save(&m.p, path, &error), SCREE_OK);
    sc_sections s;
    assert_int_equal(sc_sections_load(&s, path, SC_SCHEMA_PROBLEM, &error), SCREE_OK);
    size_t size;
    int32_t *head = (int32_t *)(uintptr_t)sc_section_find(&s, "problem.head", &size, &error);
    sc_general_contact *g = (sc_general_contact *)(uintptr_t)sc_section_find(
        &s, "problem.general", &size, &error);
    sc_ball_contact *b = (sc_ball_contact *)(uintptr_t)sc_section_find(&s, "problem.ball", &size, &error);
    sc_joint_row *row = (sc_joint_row *)(uintptr_t)sc_section_find(&s, "problem.joint_row", &size, &error);
    sc_joint_third *third = (sc_joint_third *)(uintptr_t)sc_section_find(&s, "problem.third", &size, &error);
    char *laws = (char *)(uintptr_t)sc_section_find(&s, "problem.laws", &size, &error);
    switch (change) {
    case 0: head[0] = 1 << 30; break;
    case 1: head[1] = -1; break;
    case 2: head[8]++; break;
    case 3: g->law = 2; break;
    case 4: g->par = 1 << 30; break;
    case 5: g->dim = 7; break;
    case 6: /* rows of a file end before the spring */
      ((sc_ball_contact *)(void *)((char *)b + 2 * offsetof(sc_ball_contact, spring)))->i = 5;
      break;
    case 8: row->third = 2; break;
    case 9: row->third = -1; break;
    case 10: third->body = 5; break;
    default: laws[0] = 'x'; break;
    }
    assert_int_equal(sc_sections_store(&s, path, SC_SCHEMA_PROBLEM, 1, &error), SCREE_OK);
    sc_sections_free(&s);
    assert_int_equal(
        sc_problem_load(&back, path, &arena, &error), change == 7 ? SCREE_E_MISSING : SCREE_E_FORMAT);
    assert_non_null(strstr(error.text, path));
    sc_arena_reset(&arena);
  }
  sc_arena_free(&arena);
  support_clean(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_problem_comes_back_and_solves_the_same),
      cmocka_unit_test(problems_that_contradict_themselves_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
