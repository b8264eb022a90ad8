/* Projected Gauss-Seidel, contact after contact in an order of the user's choice.
 *
 * This is the classic solver of contact dynamics, on one thread, without colours and bundles. If forces are
 * not unique, they depend on the order of visits. The user chooses this order:
 *     key        ascending key of the contact
 *     random     one shuffle per step, from a fixed seed
 *     bottom_up  ascending height against gravity; `key` if the problem has no heights */
#include <string.h>
#include "math/vec.h"
#include "solve/solver.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"
#include "problem/operator/local.h"

/* One contact to visit. */
typedef struct visit {
  double height;   /* 0 unless the order is bottom_up [m] */
  int32_t index;   /* row of problem.ball; from problem.balls on: row of problem.general */
  int32_t contact; /* index in the collision stage of the contact that the row belongs to */
} visit;

static int32_t contact_of(const sc_problem *problem, int32_t index) {
  return index < problem->balls ? sc_problem_ball_source(problem, index)
                                : sc_problem_general_source(problem, index - problem->balls);
}

static bool is_before(const visit *a, const visit *b) {
  return a->height < b->height || (a->height == b->height && a->contact < b->contact);
}

/* Moves the visit at index `at` down the heap to its position. Heap sort is used because it needs no
 * recursion and no memory, and has the same result on every platform. */
static void sift_down(visit *v, int32_t at, int32_t count) {
  visit moved = v[at];
  for (int32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && is_before(v + child, v + child + 1)) child++;
    if (!is_before(&moved, v + child)) break;
    v[at] = v[child];
  }
  v[at] = moved;
}

static void sort_visits(visit *v, int32_t count) {
  for (int32_t k = count / 2; k-- > 0;) sift_down(v, k, count);
  for (int32_t last = count - 1; last > 0; last--) {
    visit top = v[0];
    v[0] = v[last], v[last] = top;
    sift_down(v, 0, last);
  }
}

static void shuffle_visits(visit *v, int32_t count) {
  sc_rng rng;
  sc_rng_seed(&rng, 1);
  for (int32_t k = count - 1; k > 0; k--) {
    int32_t other = (int32_t)(sc_rng_next(&rng) % (uint64_t)(k + 1));
    visit kept = v[k];
    v[k] = v[other], v[other] = kept;
  }
}

static visit *list_visits(const sc_problem *problem, int order, sc_arena *arena) {
  int32_t count = problem->balls + problem->generals;
  visit *v = SC_TAKE(arena, visit, count);
  for (int32_t k = 0; v && k < count; k++) {
    v[k] = (visit){.index = k, .contact = contact_of(problem, k)};
    if (order == SCREE_ORDER_BOTTOM_UP && problem->height)
      v[k].height = problem->height(problem->height_context, v[k].contact);
  }
  if (v) sort_visits(v, count);
  if (v && order == SCREE_ORDER_RANDOM) shuffle_visits(v, count);
  return v;
}

/* ---- relaxation: functions return the squared velocity change; negative: a user's law failed ---- */

static double relax_ball(const sc_problem *problem, int32_t c, double omega) {
  sc_ball_contact *contact = problem->ball + c;
  double u[3], p[3], d[3], a = problem->body[contact->i].inv_mass + problem->body[contact->j].inv_mass;
  sc_problem_ball_velocity(problem, contact, u);
  sc_local_ball(problem, contact, u, p);
  for (int k = 0; k < 3; k++) d[k] = omega * (p[k] - contact->p[k]), contact->p[k] += d[k];
  sc_problem_ball_apply(problem, contact, d);
  return a * a * sc_dot(d, d);
}

static double relax_general_pgs(const sc_problem *problem, const sc_general_contact *contact, double omega) {
  const double *A = problem->block + contact->block;
  double *x = problem->x + contact->x, u[SCREE_LAW_MAX_DIM], next[SCREE_LAW_MAX_DIM], d[SCREE_LAW_MAX_DIM],
         square = 0;
  sc_problem_general_velocity(problem, contact, u);
  const sc_general own = sc_problem_row(problem, contact);
  if (sc_local_general(problem, &own, u, next) < 0) return -1;
  for (int r = 0; r < contact->dim; r++) d[r] = omega * (next[r] - x[r]), x[r] += d[r];
  sc_problem_general_apply(problem, contact, d);
  for (int r = 0; r < 3; r++) {
    double sum = 0;
    for (int s = 0; s < contact->dim; s++) sum += A[r * contact->dim + s] * d[s];
    square += sum * sum;
  }
  return square;
}

static double relax_joint(const sc_problem *problem, sc_joint_row *row) {
  double d = sc_local_joint(problem, row) - row->x, change = sc_problem_joint_diagonal(problem, row) * d;
  row->x += d;
  sc_problem_joint_apply(problem, row, d);
  return change * change;
}

static double sweep_visits(const sc_problem *problem, const visit *v, double omega) {
  double largest = 0;
  for (int32_t row = 0; row < problem->joint_rows; row++)
    largest = fmax(largest, relax_joint(problem, problem->joint_row + row));
  for (int32_t k = 0; k < problem->balls + problem->generals; k++) {
    int32_t general = v[k].index - problem->balls;
    double square = general < 0 ? relax_ball(problem, v[k].index, omega)
                                : relax_general_pgs(problem, problem->general + general, omega);
    if (square < 0) return -1;
    largest = fmax(largest, square);
  }
  return largest;
}

static scree_status solve_pgs(const sc_problem *problem, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, sc_solver_report *report, scree_error *error) {
  (void)pool;
  const visit *v = list_visits(problem, par->order, arena);
  if (!v)
    return sc_fail(
        error, SCREE_E_MEMORY, "no memory to order %d contacts", problem->balls + problem->generals);
  *report = (sc_solver_report){0, 0};
  for (int64_t k = 1; k <= par->iterations; k++) {
    double largest = sweep_visits(problem, v, par->relaxation);
    if (largest < 0) return sc_fail(error, SCREE_E_LAW, "a law defined by the scene failed");
    report->iterations = k;
    report->residual = sqrt(largest);
    if (report->residual <= par->tolerance && k >= par->min_iterations) break;
  }
  return SCREE_OK;
}

const sc_solver sc_solver_pgs = {.name = "pgs",
    .doc = "projected Gauss-Seidel in a chosen order of visits, one thread",
    .solve = solve_pgs};
