/* scree.law.check(name, {problems=, seed=, parameters...}): tests conditions that a friction law must satisfy
 * on thousands of random contacts. A contact has the Delassus block A and minus the free velocity b. The law
 * computes the impulse x; the velocity after the impulse is v = A x - b. n: normal; t, o: tangents.
 *
 *   cone      |x_to| <= mu x_n, if the law has a parameter mu
 *   pull      x_n >= 0 (not tested with cohesion)
 *   approach  v_n >= 0: the bodies do not approach each other any more
 *   energy    x'Ax/2 - x'b <= 0: the kinetic energy does not increase
 *   scaling   x(s b) = s x(b)
 *   rotation  rotating the tangents rotates the solution
 *
 * The problems start simple (A of a ball, b of small whole numbers) and become general, so that the first
 * example of a violation is simple. Among examples of the same level the one with the smallest numbers is
 * stored. */
#include "bind/objects/law/law.h"
#include "bind/errors.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/sandbox/inside.h"

#include <math.h>
#include <string.h>

enum { CONE, PULL, APPROACH, ENERGY, SCALING, ROTATION, KINDS };
static const char *const kind_names[KINDS] = {"cone", "pull", "approach", "energy", "scaling", "rotation"};

typedef struct example {
  double A[9], b[3], x[3], size;
  int level;
} example;
typedef struct finding {
  int64_t count;
  double worst;
  example example;
} finding;

typedef struct checker {
  const char *name;
  sl_law *own;
  const scree_param *params;
  int count;        /* number of parameters */
  int mu, cohesion; /* indices of the parameters mu and cohesion; -1: the law has no such parameter */
  double defaults[SCREE_LAW_MAX_PARAMS];
  uint64_t random[4];
  finding finding[KINDS];
  scree_error error;
} checker;

/* ---- problems ---- */

static double random_unit(checker *c) { return sl_random_unit(c->random); }
static double random_whole(checker *c, int lo, int hi) {
  return lo + (double)(sl_random_next(c->random) % (uint64_t)(hi - lo + 1));
}

/* Makes a random problem. level 0: A of a ball; then a diagonal A, small whole numbers, any positive
 * definite A. */
static void draw_problem(checker *c, int level, example *e) {
  memset(e->A, 0, sizeof e->A);
  e->level = level;
  if (level < 3) {
    e->A[0] = random_whole(c, 1, 3);
    e->A[4] = e->A[8] = random_whole(c, 1, 3);
    if (level > 0) e->A[8] = random_whole(c, 1, 3);
    if (level == 2) {
      for (int i = 0; i < 9; i += 4) e->A[i] += 2;
      e->A[1] = e->A[3] = random_whole(c, -1, 1);
      e->A[2] = e->A[6] = random_whole(c, -1, 1);
      e->A[5] = e->A[7] = random_whole(c, -1, 1);
    }
    for (int i = 0; i < 3; i++) e->b[i] = random_whole(c, i ? -3 : -1, 3);
  } else {
    double M[9];
    for (int i = 0; i < 9; i++) M[i] = 2 * random_unit(c) - 1;
    for (int i = 0; i < 9; i++) {
      e->A[i] = i % 4 ? 0 : 0.05;
      for (int k = 0; k < 3; k++) e->A[i] += M[3 * (i / 3) + k] * M[3 * (i % 3) + k];
    }
    for (int i = 0; i < 3; i++) e->b[i] = 2 * random_unit(c) - 1;
    e->b[0] += 0.5;
  }
  e->size = 0;
  for (int i = 0; i < 9; i++) e->size += fabs(e->A[i]);
  for (int i = 0; i < 3; i++) e->size += fabs(e->b[i]);
}

/* ---- judging ---- */

static bool solve_contact(checker *c, const double *A, const double *b, const double *params, double x[3]) {
  scree_law_result result;
  if (sl_law_solve(c->name, c->own, A, b, params, &result, &c->error) != SCREE_OK) return false;
  memcpy(x, result.x, 3 * sizeof *x);
  return true;
}

static void note_violation(checker *c, int kind, double error, const example *e) {
  finding *found = c->finding + kind;
  if (!(error > 1e-9)) return;
  found->worst = fmax(found->worst, error);
  bool simpler = !found->count || e->level < found->example.level ||
      (e->level == found->example.level && e->size < found->example.size);
  if (simpler) found->example = *e;
  found->count++;
}

static void judge_contact(checker *c, const double *params, const example *e) {
  const double *A = e->A, *b = e->b, *x = e->x;
  double v[3], energy = 0, impulse = 0, terms = 0, speed = 0;
  for (int i = 0; i < 3; i++) {
    double sum = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
    v[i] = sum - b[i];
    energy += x[i] * (sum / 2 - b[i]);
    terms += fabs(x[i] * sum) + fabs(x[i] * b[i]);
    speed += fabs(sum) + fabs(b[i]);
    impulse += fabs(x[i]);
  }
  double cohesion = c->cohesion >= 0 ? params[c->cohesion] : 0, slide = sqrt(x[1] * x[1] + x[2] * x[2]);
  if (impulse > 0 && cohesion == 0) {
    note_violation(c, PULL, -x[0] / impulse, e);
    note_violation(c, ENERGY, energy / terms, e);
    if (c->mu >= 0) note_violation(c, CONE, (slide - params[c->mu] * fmax(0, x[0])) / impulse, e);
  }
  if (speed > 0) note_violation(c, APPROACH, -v[0] / speed, e);
}

static double relative_difference(const double *x, const double *y) {
  double size = 0, error = 0;
  for (int i = 0; i < 3; i++) {
    size += fabs(x[i]) + fabs(y[i]);
    error += fabs(x[i] - y[i]);
  }
  return size > 0 ? error / size : 0;
}

/* Tests scaling and rotation. Returns false if the law fails. */
static bool judge_symmetry(checker *c, const double *params, const example *e) {
  double y[3], b[3], A[9] = {0}, angle = 6.283185307179586 * random_unit(c), co = cos(angle), si = sin(angle),
                     back[3];
  const double R[9] = {1, 0, 0, 0, co, si, 0, -si, co};
  for (int i = 0; i < 3; i++) b[i] = 8 * e->b[i];
  if (!solve_contact(c, e->A, b, params, y)) return false;
  for (int i = 0; i < 3; i++) y[i] /= 8;
  bool cohesive = c->cohesion >= 0 && params[c->cohesion] != 0;
  if (!cohesive) note_violation(c, SCALING, fmax(0, relative_difference(e->x, y) - 1e-7), e);
  for (int i = 0; i < 3; i++) {
    b[i] = R[3 * i] * e->b[0] + R[3 * i + 1] * e->b[1] + R[3 * i + 2] * e->b[2];
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 9; k++) A[3 * i + j] += R[3 * i + k / 3] * e->A[k] * R[3 * j + k % 3];
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++) A[3 * i + j] = A[3 * j + i];
  if (!solve_contact(c, A, b, params, y)) return false;
  back[0] = y[0];
  back[1] = co * y[1] - si * y[2];
  back[2] = si * y[1] + co * y[2];
  note_violation(c, ROTATION, fmax(0, relative_difference(e->x, back) - 1e-7), e);
  return true;
}

static bool judge_one(checker *c, int level) {
  example e;
  double params[SCREE_LAW_MAX_PARAMS], state[SCREE_LAW_MAX_STATE] = {0};
  draw_problem(c, level, &e);
  memcpy(params, c->defaults, sizeof params);
  const scree_contact_info contact = {.normal = {0, 0, 1},
      .t = {1, 0, 0},
      .dt = 1e-3,
      .velocity = {-e.b[0], -e.b[1], -e.b[2]},
      .slip = {-e.b[1], -e.b[2]},
      .orientation1 = {1, 0, 0, 0},
      .orientation2 = {1, 0, 0, 0}};
  if (sl_law_refresh(c->own, params, state, &contact, &c->error) != SCREE_OK) return false;
  if (!solve_contact(c, e.A, e.b, params, e.x)) return false;
  judge_contact(c, params, &e);
  return judge_symmetry(c, params, &e);
}

/* ---- the report ---- */

static void push_example(lua_State *L, const example *e) {
  lua_createtable(L, 0, 3);
  sl_push_matrix(L, e->A);
  lua_setfield(L, -2, "A");
  sl_set_vector(L, "b", e->b, 3);
  sl_set_vector(L, "x", e->x, 3);
}

/* Pushes {ok=, problems=, violations={{kind=, count=, worst=, example={A=, b=, x=}}, ...}}. */
static void push_report(lua_State *L, const checker *c, int64_t problems) {
  int kinds = 0;
  lua_createtable(L, 0, 4);
  sl_set_string(L, "law", c->name);
  sl_set_integer(L, "problems", problems);
  lua_newtable(L);
  for (int i = 0; i < KINDS; i++) {
    if (!c->finding[i].count) continue;
    lua_createtable(L, 0, 4);
    sl_set_string(L, "kind", kind_names[i]);
    sl_set_integer(L, "count", c->finding[i].count);
    sl_set_number(L, "worst", c->finding[i].worst);
    push_example(L, &c->finding[i].example);
    lua_setfield(L, -2, "example");
    lua_rawseti(L, -2, ++kinds);
  }
  lua_setfield(L, -2, "violations");
  sl_set_boolean(L, "ok", kinds == 0);
}

typedef struct options {
  int64_t problems, seed;
} options;
static const scree_param option_keys[] = {
    SL_INTEGER("problems", offsetof(options, problems), 4000, 1, 1e7, "number of random problems"),
    SL_INTEGER("seed", offsetof(options, seed), 1, 0, 1e15, "seed of the random problems"),
};

int sl_law_check(lua_State *L) {
  checker c = {.mu = -1, .cohesion = -1, .error = {SCREE_OK, ""}};
  options wanted;
  c.name = luaL_checkstring(L, 1);
  c.params = sl_law_params(L, c.name, "law", &c.count, &c.own);
  if (c.count) scree_param_defaults(c.params, c.count, c.defaults);
  scree_param_defaults(option_keys, 2, &wanted);
  if (!lua_isnoneornil(L, 2))
    sl_read(L, 2, "check", (sl_section[]){{option_keys, 2, &wanted}, {c.params, c.count, c.defaults}},
        c.count ? 2 : 1, 0);
  for (int i = 0; i < c.count; i++) {
    if (!strcmp(c.params[i].name, "mu")) c.mu = i;
    if (!strcmp(c.params[i].name, "cohesion_impulse")) c.cohesion = i;
  }
  sl_random_seed(c.random, (uint64_t)wanted.seed);
  for (int64_t i = 0; i < wanted.problems; i++)
    if (!judge_one(&c, (int)(4 * i / wanted.problems))) sl_raise(L, c.error.status, "%s", c.error.text);
  push_report(L, &c, wanted.problems);
  return 1;
}
