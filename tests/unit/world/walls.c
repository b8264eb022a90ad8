/* Compares searches at walls with brute force in random worlds: bodies that are too fast for the thinnest
 * wall, and bodies that start inside walls. */
#include "support/scene.h"
#include "base/base.h"
#include "math/vec.h"
#include "scree/geometry.h"
#include "scree/shape.h"

enum { BODIES = 14, ROUNDS = 60 };

typedef struct solid {
  int kind, type; /* a sphere, box, capsule or half-space */
  double x[3], q[4], radius, half[3], speed;
  double off[3];            /* hulls and meshes: middle of the box of the geometry, in the body's frame */
  scree_geometry *geometry; /* hulls and solid meshes */
  bool fast;
  scree_id id;
} solid;

static double between(sc_rng *rng, double a, double b) { return a + (b - a) * sc_rng_unit(rng); }

static void turn_randomly(sc_rng *rng, double q[4]) {
  do
    for (int k = 0; k < 4; k++) q[k] = between(rng, -1, 1);
  while (!sc_quat_normalise(q, q));
}

/* Makes the box of a solid a hull or a solid mesh about the point `off`. */
static void make_geometry(solid *s, bool hull) {
  static const int32_t triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  double p[8][3];
  for (int c = 0; c < 8; c++)
    for (int e = 0; e < 3; e++) p[c][e] = s->off[e] + (c >> e & 1 ? 1 : -1) * s->half[e];
  const scree_mesh_def def = {.points = (const double(*)[3])p,
      .points_count = 8,
      .triangles = triangles,
      .triangles_count = 12,
      .solid = 1};
  s->type = hull ? SCREE_HULL : SCREE_MESH;
  s->geometry = hull ? scree_geometry_hull((const double(*)[3])p, 8, NULL) : scree_geometry_mesh(&def, NULL);
  assert_non_null(s->geometry);
}

static scree_id add_solid(scree_world *w, const solid *s) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = s->type;
  if (s->type == SCREE_SPHERE || s->type == SCREE_CAPSULE) shape.radius = s->radius;
  if (s->type == SCREE_CAPSULE) shape.length = 2 * s->half[2];
  if (s->type == SCREE_BOX) sc_scale(2, s->half, shape.size);
  if (s->type == SCREE_HALFSPACE) shape.normal[2] = 1;
  if (s->geometry) shape.geometry = s->geometry;
  body.kind = s->kind, body.fast = s->fast;
  sc_copy3(s->x, body.position);
  if (s->type != SCREE_HALFSPACE) memcpy(body.orientation, s->q, sizeof s->q);
  if (s->kind != SCREE_FIXED) sc_set3(0.6 * s->speed, 0, -0.8 * s->speed, body.velocity);
  return add_shape(w, shape, body);
}

static solid random_solid(sc_rng *rng, double size) {
  static const int types[] = {SCREE_SPHERE, SCREE_BOX, SCREE_CAPSULE, SCREE_HALFSPACE};
  solid s = {.kind = (int)between(rng, 0, 3), .type = types[(int)between(rng, 0, 4)]};
  if (s.kind == SCREE_DYNAMIC && s.type == SCREE_HALFSPACE) s.type = SCREE_BOX;
  s.radius = between(rng, 0.2, 1) * size, s.speed = between(rng, 0, 600);
  for (int k = 0; k < 3; k++) s.x[k] = between(rng, -1, 1), s.half[k] = between(rng, 0.02, 1) * size;
  turn_randomly(rng, s.q);
  s.fast = s.kind == SCREE_DYNAMIC && sc_rng_unit(rng) < 0.3;
  return s;
}

/* ---- bodies that are too fast ---- */

static double half_width(const solid *s) {
  if (s->type == SCREE_HALFSPACE) return INFINITY;
  return s->type == SCREE_BOX ? fmin(s->half[0], fmin(s->half[1], s->half[2])) : s->radius;
}

/* Returns the thickness of a body as a wall; INFINITY: the body is not a wall. A dynamic body is a wall if
 * half its width is below a quarter of its bounding radius. */
static double thickness(const solid *s) {
  const double bound = s->type == SCREE_BOX ? sc_norm(s->half)
      : s->type == SCREE_CAPSULE            ? s->half[2] + s->radius
                                            : s->radius;
  if (s->kind == SCREE_DYNAMIC && !(half_width(s) < 0.25 * bound)) return INFINITY;
  return 2 * half_width(s);
}

/* Returns the index of the thinnest wall, or of the narrowest body that is not fast, except body `not`.
 * Returns -1 if there is no such body. */
static int least_of(const solid *s, int count, bool walls, int not ) {
  int least = -1;
  for (int i = 0; i < count; i++) {
    if (i == not || (!walls && (s[i].kind != SCREE_DYNAMIC || s[i].fast))) continue;
    const double own = walls ? thickness(s + i) : half_width(s + i);
    if (own == INFINITY || (least >= 0 && own >= (walls ? thickness(s + least) : half_width(s + least))))
      continue;
    least = i;
  }
  return least;
}

/* Returns the limit of the displacement of body i. Sets *struck to the body that may pass the wall, and *wall
 * to the wall; -1: none. */
static double limit_of(const solid *s, int count, int i, int *struck, int *wall) {
  double limit = INFINITY;
  *struck = *wall = -1;
  const int candidates[2] = {least_of(s, count, false, i), s[i].kind == SCREE_DYNAMIC && !s[i].fast ? i : -1};
  for (int k = 0; k < 2; k++) {
    const int body = candidates[k], at = body < 0 ? -1 : least_of(s, count, true, body);
    if (at < 0 || !(thickness(s + at) + half_width(s + body) < limit)) continue;
    limit = thickness(s + at) + half_width(s + body), *struck = body, *wall = at;
  }
  return limit;
}

static void too_fast(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 7);
  int found = 0, none = 0;
  for (int round = 0; round < ROUNDS; round++) {
    const double dt = 1e-3;
    const int count = 1 + round % BODIES;
    scree_world *w = make_world(dt, 0);
    solid s[BODIES];
    scree_too_fast list[BODIES];
    scree_id wall_body, thinnest_body = 0;
    double wall, thinnest = INFINITY, last = INFINITY;
    int64_t wanted = 0;
    for (int i = 0; i < count; i++) s[i] = random_solid(&rng, 0.2), s[i].id = add_solid(w, s + i);
    const int most = round % 3 ? BODIES : 2;
    const int64_t told = scree_world_too_fast(w, list, most, &wall, &wall_body);
    for (int i = 0; i < count; i++) {
      int struck, at, listed = -1;
      const double limit = limit_of(s, count, i, &struck, &at),
                   way = s[i].kind == SCREE_FIXED ? 0 : s[i].speed * dt;
      for (int k = 0; k < told && k < most; k++)
        if (list[k].body == s[i].id) listed = k;
      if (!(way > limit)) {
        assert_int_equal(listed, -1);
        continue;
      }
      wanted++;
      if (thickness(s + at) < thinnest) thinnest = thickness(s + at), thinnest_body = s[at].id;
      if (listed < 0) continue;
      CLOSE(list[listed].way, way, 1e-12);
      CLOSE(list[listed].may, limit, 1e-12);
      assert_true(list[listed].struck == s[struck].id);
    }
    assert_int_equal(told, wanted);
    for (int k = 0; k < told && k < most; k++) { // the largest ratio first
      assert_true(list[k].way / list[k].may <= last);
      last = list[k].way / list[k].may;
    }
    if (most < told) { // bodies that are not listed have smaller ratios
      scree_too_fast all[BODIES];
      assert_int_equal(scree_world_too_fast(w, all, BODIES, &wall, &wall_body), told);
      for (int k = 0; k < most; k++) assert_true(all[k].body == list[k].body);
    }
    if (wanted) CLOSE(wall, thinnest, 1e-12);
    else assert_true(isinf(wall));
    assert_true(wall_body == thinnest_body);
    found += (int)wanted, none += !wanted;
    scree_world_destroy(w);
  }
  assert_true(found > 30 && none > 5);
}

/* ---- bodies inside walls ---- */

static bool holds(const solid *s, const double x[3]) {
  double d[3], local[3];
  sc_sub(x, s->x, d);
  if (s->type == SCREE_HALFSPACE) return d[2] < 0;
  sc_quat_unrotate(s->q, d, local);
  sc_sub(local, s->off, local);
  if (s->type == SCREE_SPHERE) return sc_norm(d) < s->radius;
  if (s->type == SCREE_BOX || s->geometry)
    return fabs(local[0]) < s->half[0] && fabs(local[1]) < s->half[1] && fabs(local[2]) < s->half[2];
  local[2] -= fmin(fmax(local[2], -s->half[2]), s->half[2]);
  return sc_norm(local) < s->radius;
}

static void inside_walls(void **state) {
  (void)state;
  enum { WALLS = 40, GUESTS = 60 };
  sc_rng rng;
  sc_rng_seed(&rng, 9);
  int all = 0;
  for (int round = 0; round < 20; round++) {
    scree_world *w = make_world(1e-3, 0);
    static solid s[WALLS + GUESTS];
    scree_error error = {0};
    scree_start_note note[WALLS];
    int64_t count;
    const int walls = round % 5 ? WALLS : 1 + round / 5;
    for (int i = 0; i < walls + GUESTS; i++) {
      s[i] = random_solid(&rng, i < walls ? pow(10, between(&rng, -2, -0.3)) : 0.01);
      s[i].kind = i >= walls ? SCREE_DYNAMIC : i % 2 ? SCREE_FIXED : SCREE_KINEMATIC;
      if (i >= walls && s[i].type == SCREE_HALFSPACE) s[i].type = SCREE_SPHERE;
      if (s[i].type == SCREE_HALFSPACE) s[i].x[2] = between(&rng, -1, -0.7);
      s[i].fast = false;
      if (i >= walls || s[i].type != SCREE_BOX || i % 3 == 0) continue;
      for (int k = 0; k < 3; k++) s[i].off[k] = between(&rng, -0.5, 0.5);
      make_geometry(s + i, i % 3 == 1);
    }
    for (int i = 0; i < walls + GUESTS; i++) { // bodies and walls in turn
      const int k = (i * 37) % (walls + GUESTS);
      if ((walls + GUESTS) % 37 == 0) fail_msg("the order repeats");
      s[k].id = add_solid(w, s + k);
    }
    assert_int_equal(scree_world_start_notes(w, note, WALLS, &count, &error), SCREE_OK);
    int noted = 0;
    for (int i = 0; i < walls; i++) {
      int64_t inside = 0;
      scree_id first = 0;
      const scree_start_note *found = NULL;
      for (int k = walls; k < walls + GUESTS; k++) {
        if (!holds(s + i, s[k].x)) continue;
        inside++;
        if (!first || s[k].id < first) first = s[k].id;
      }
      for (int k = 0; k < count; k++)
        if (note[k].wall == s[i].id) found = note + k;
      if (!found != !inside) fail_msg("round %d, wall %d: %d inside", round, i, (int)inside);
      if (!found) continue;
      noted++;
      assert_true(found->what == SCREE_START_INSIDE && found->type == s[i].type && found->count == inside);
      assert_true(found->first == first && found->of == 0 && found->depth == 0);
    }
    assert_int_equal(noted, count);
    for (int k = 1; k < count; k++) assert_true(note[k - 1].wall < note[k].wall);
    if (count > 1) { // fewer notes than there are
      scree_start_note some[WALLS];
      int64_t whole;
      memset(some, 0, sizeof some);
      assert_int_equal(scree_world_start_notes(w, some, 1, &whole, &error), SCREE_OK);
      assert_true(whole == count && some[0].wall == note[0].wall && some[1].wall == 0);
    }
    for (int i = 0; i < walls; i++)
      if (s[i].geometry) scree_geometry_release(s[i].geometry);
    all += noted;
    scree_world_destroy(w);
  }
  assert_true(all > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(too_fast), cmocka_unit_test(inside_walls)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
