/* Compares the insertion of grains with brute force. A copy of the world without obstacles and with tiny
 * grains shows the first random position of each grain. The grain must be at this position if it overlaps
 * neither obstacles nor earlier grains, with images in a periodic cell. Otherwise the grain must be at
 * another position without overlap. Positions in boxes, balls and cylinders must have the mean and the
 * variance of a uniform distribution. */
#include "support/scene.h"
#include "base/base.h"
#include "math/vec.h"
#include "scree/cell.h"
#include "scree/fill.h"

enum { GRAINS = 60, OBSTACLES = 12, MANY = 4000 };

typedef struct obstacle {
  int type; /* a sphere, box or half-space */
  double x[3], q[4], radius, half[3], normal[3];
} obstacle;

typedef struct scene {
  bool periodic[3], has_cell;
  scree_region region;
  int shape; /* 0: box, 1: ball, 2: cylinder */
  obstacle o[OBSTACLES];
  int count;
} scene;

static double between(sc_rng *rng, double a, double b) { return a + (b - a) * sc_rng_unit(rng); }

static scene make_scene(sc_rng *rng, int number) {
  scene s = {.shape = number % 3, .has_cell = number % 4 > 1};
  for (int k = 0; k < 3 && s.has_cell; k++) s.periodic[k] = number % 4 == 3 || k == number % 3;
  s.region = (scree_region){.type = s.shape == 1 ? SCREE_REGION_SPHERE : SCREE_REGION_CYLINDER,
      .point = {0.5, 0.5, s.shape == 1 ? 0.5 : 0.2},
      .axis = {0.1, 0.3, 1},
      .radius = 0.4,
      .length = 0.6};
  for (int i = 0; i < OBSTACLES; i++) {
    obstacle *o = s.o + s.count;
    *o = (obstacle){.type = i % 3 ? SCREE_SPHERE : SCREE_BOX, .radius = between(rng, 0.02, 0.15)};
    if (i == OBSTACLES - 1) {
      if (s.has_cell) continue; // half-spaces are no obstacles of a cell
      o->type = SCREE_HALFSPACE;
    }
    for (int k = 0; k < 3; k++) o->x[k] = between(rng, -0.1, 1.1), o->half[k] = between(rng, 0.02, 0.1);
    do
      for (int k = 0; k < 4; k++) o->q[k] = between(rng, -1, 1);
    while (!sc_quat_normalise(o->q, o->q));
    sc_set3(between(rng, -0.3, 0.3), between(rng, -0.3, 0.3), 1, o->normal);
    sc_normalise(o->normal, o->normal);
    if (o->type == SCREE_HALFSPACE) o->x[2] = 0.15;
    s.count++;
  }
  return s;
}

static scree_world *make_of(const scene *s, bool obstacles) {
  scree_error error = {0};
  scree_world_def def = scree_world_defaults();
  for (int k = 0; k < 3 && s->has_cell; k++) def.cell.size[k] = 1, def.cell.periodic[k] = s->periodic[k];
  scree_world *w = scree_world_create(&def, &error);
  if (!w) fail_msg("%s", error.text);
  for (int i = 0; i < s->count && obstacles; i++) {
    const obstacle *o = s->o + i;
    scree_shape_def shape = scree_shape_defaults();
    scree_body_def body = scree_body_defaults();
    shape.type = o->type;
    if (o->type == SCREE_SPHERE) shape.radius = o->radius;
    if (o->type == SCREE_BOX) sc_scale(2, o->half, shape.size);
    if (o->type == SCREE_HALFSPACE) sc_copy3(o->normal, shape.normal);
    body.kind = i % 2 ? SCREE_FIXED : SCREE_KINEMATIC;
    if (o->type == SCREE_SPHERE && i % 4 == 0) body.kind = SCREE_DYNAMIC;
    sc_copy3(o->x, body.position);
    if (o->type == SCREE_BOX) memcpy(body.orientation, o->q, sizeof o->q);
    add_shape(w, shape, body);
  }
  return w;
}

static double box_distance(const obstacle *o, const double x[3]) {
  double d[3], local[3], square = 0, inside = -INFINITY;
  sc_sub(x, o->x, d);
  sc_quat_unrotate(o->q, d, local);
  for (int k = 0; k < 3; k++) {
    const double out = fabs(local[k]) - o->half[k];
    square += out > 0 ? out * out : 0, inside = fmax(inside, out);
  }
  return square > 0 ? sqrt(square) : inside;
}

/* Returns the smallest distance of a point from all images of an obstacle's surface, or of the point `at` if
 * o is NULL. */
static double distance_to(const scene *s, const obstacle *o, const double at[3], const double x[3]) {
  double least = INFINITY, y[3];
  for (int i = -2; i <= 2; i++)
    for (int j = -2; j <= 2; j++)
      for (int k = -2; k <= 2; k++) {
        const int n[3] = {i, j, k};
        bool image = true;
        for (int e = 0; e < 3; e++) image = image && (n[e] == 0 || s->periodic[e]), y[e] = x[e] + n[e];
        if (!image) continue;
        double d[3], found;
        sc_sub(y, o ? o->x : at, d);
        if (!o) found = sc_norm(d);
        else if (o->type == SCREE_HALFSPACE) found = sc_dot(d, o->normal);
        else found = o->type == SCREE_BOX ? box_distance(o, y) : sc_norm(d) - o->radius;
        least = fmin(least, found);
      }
  return least;
}

typedef struct grains {
  int count;
  double x[GRAINS][3], radius[GRAINS];
  scree_insert_result result;
} grains;

static void insert(const scene *s, bool obstacles, double scale, int64_t attempts, grains *out) {
  scree_world *w = make_of(s, obstacles);
  scree_error error = {0};
  scree_insert_def def = scree_insert_defaults();
  const int64_t before = report_of(w).bodies;
  sc_set3(0.1, 0, 0.2, def.grains.min), sc_set3(1, 0.9, 1, def.grains.max);
  if (s->shape) def.grains.region = &s->region;
  def.grains.radius = 0.03 * scale, def.grains.radius_max = 0.06 * scale, def.grains.limit = GRAINS;
  sc_set3(1, 0, 0.5, def.grains.velocity_jitter);
  def.attempts = attempts;
  if (scree_world_insert(w, &def, &out->result, &error)) fail_msg("%s", error.text);
  void *x, *r;
  int64_t rows;
  scree_world_view(w, SCREE_VIEW_POSITION, &x, &rows);
  scree_world_view(w, SCREE_VIEW_RADIUS, &r, &rows);
  out->count = (int)(rows - before);
  assert_int_equal(out->count, out->result.placed);
  for (int g = 0; g < out->count; g++) {
    sc_copy3((double *)x + 3 * (before + g), out->x[g]);
    out->radius[g] = ((double *)r)[before + g];
  }
  scree_world_destroy(w);
}

/* Returns true if grain g of `of` at x would overlap neither obstacles nor earlier grains. */
static bool is_free(const scene *s, const grains *of, int g, double radius, const double x[3]) {
  for (int i = 0; i < s->count; i++)
    if (distance_to(s, s->o + i, NULL, x) < radius) return false;
  for (int i = 0; i < g; i++)
    if (distance_to(s, NULL, of->x[i], x) < radius + of->radius[i]) return false;
  return true;
}

static void grains_are_at_the_first_free_position(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 4);
  int first = 0, later = 0, ended = 0;
  for (int number = 0; number < 24; number++) {
    const scene s = make_scene(&rng, number);
    static grains drawn, placed, once;
    insert(&s, false, 1e-7, 1, &drawn);
    assert_true(drawn.count == GRAINS && !drawn.result.full);
    insert(&s, true, 1, 400, &placed);
    for (int g = 0; g < placed.count; g++) {
      const double radius = drawn.radius[g] * 1e7;
      CLOSE(placed.radius[g], radius, 1e-12);
      const bool free = is_free(&s, &placed, g, radius, drawn.x[g]);
      for (int k = 0; k < 3; k++) assert_true((placed.x[g][k] == drawn.x[g][k]) == free);
      assert_true(is_free(&s, &placed, g, radius, placed.x[g]));
      first += free, later += !free;
    }
    insert(&s, true, 1, 1, &once); // one attempt: the call ends at the first grain without a position
    int end = 0;
    while (end < GRAINS && is_free(&s, &once, end, drawn.radius[end] * 1e7, drawn.x[end])) end++;
    assert_true(once.count == end && once.result.full == (end < GRAINS));
    ended += end < GRAINS;
  }
  assert_true(first > 100 && later > 100 && ended > 5);
}

/* Checks by the sums of u and u^2 of `count` numbers that mean and variance are those of the distribution,
 * within 4.5 standard errors. kurtosis: fourth central moment over the squared variance. */
static void check_moments(const double *u, int count, double mean, double variance, double kurtosis) {
  double sum = 0, square = 0;
  for (int i = 0; i < count; i++) sum += u[i] / count, square += (u[i] - mean) * (u[i] - mean) / count;
  CLOSE(sum, mean, 4.5 * sqrt(variance / count));
  CLOSE(square, variance, 4.5 * variance * sqrt((kurtosis - 1) / count));
}

static void positions_are_uniform(void **state) {
  (void)state;
  static double x[MANY][3], u[MANY];
  for (int shape = 0; shape < 3; shape++) {
    scree_world *w = make_world(1e-3, 0);
    scree_error error = {0};
    scree_insert_def def = scree_insert_defaults();
    scree_insert_result result;
    scree_region region = {.type = shape == 1 ? SCREE_REGION_SPHERE : SCREE_REGION_CYLINDER,
        .point = {1, 2, 3},
        .axis = {0.6, 0, 0.8},
        .radius = 0.5,
        .length = 2};
    sc_set3(1, 2, 3, def.grains.min), sc_set3(2, 4, 3.5, def.grains.max);
    if (shape) def.grains.region = &region;
    def.grains.radius = 1e-6, def.grains.limit = MANY, def.attempts = 10;
    assert_int_equal(scree_world_insert(w, &def, &result, &error), SCREE_OK);
    void *data;
    int64_t rows;
    scree_world_view(w, SCREE_VIEW_POSITION, &data, &rows);
    memcpy(x, data, sizeof x);
    for (int k = 0; k < 3 && shape == 0; k++) {
      const double width = def.grains.max[k] - def.grains.min[k];
      for (int i = 0; i < MANY; i++) u[i] = x[i][k];
      check_moments(u, MANY, (def.grains.min[k] + def.grains.max[k]) / 2, width * width / 12, 1.8);
    }
    const double axes[3][3] = {{0.6, 0, 0.8}, {0, 1, 0}, {-0.8, 0, 0.6}};
    for (int k = 0; k < 3 && shape; k++) {
      for (int i = 0; i < MANY; i++) {
        double d[3];
        sc_sub(x[i], region.point, d);
        u[i] = sc_dot(d, axes[k]);
        if (shape == 1) assert_true(sc_dot(d, d) <= 0.25);
        else assert_true(sc_dot(d, d) - sc_dot(d, axes[0]) * sc_dot(d, axes[0]) <= 0.25 * (1 + 1e-12));
        if (shape == 2) assert_true(sc_dot(d, axes[0]) >= 0 && sc_dot(d, axes[0]) <= 2);
      }
      /* along a diameter of a ball: R^2/5; of a disc: R^2/4; along the axis of a cylinder: L^2/12 */
      if (shape == 1) check_moments(u, MANY, 0, 0.25 / 5, 15.0 / 7);
      else if (k) check_moments(u, MANY, 0, 0.25 / 4, 2);
      else check_moments(u, MANY, 1, 4.0 / 12, 1.8);
    }
    scree_world_destroy(w);
  }
}

/* A total mass ends an insertion before the grain that would exceed it. */
static void a_mass_ends_it(void **state) {
  (void)state;
  scree_world *w = make_world(1e-3, 0);
  scree_error error = {0};
  scree_insert_def def = scree_insert_defaults();
  scree_insert_result result;
  sc_set3(0, 0, 0, def.grains.min), sc_set3(1, 1, 1, def.grains.max);
  def.grains.radius = 0.01, def.grains.density = 3 / (4 * 3.14159265358979323846 * 1e-6); // 1 kg each
  def.mass = 7.5, def.attempts = 100;
  assert_int_equal(scree_world_insert(w, &def, &result, &error), SCREE_OK);
  assert_true(result.placed == 7 && !result.full && fabs(result.mass - 7) < 1e-12);
  def.mass = 3 * (1 + 1e-12), def.grains.limit = 5;
  assert_int_equal(scree_world_insert(w, &def, &result, &error), SCREE_OK);
  assert_true(result.placed == 3 && report_of(w).dynamic == 10);
  def.grains.limit = 2;
  assert_int_equal(scree_world_insert(w, &def, &result, &error), SCREE_OK);
  assert_true(result.placed == 2 && !result.full);
  scree_world_destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(grains_are_at_the_first_free_position),
      cmocka_unit_test(positions_are_uniform), cmocka_unit_test(a_mass_ends_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
