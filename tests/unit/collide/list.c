/* Tests the neighbour list against a search of all pairs by brute force. Also tests the order of the list, a
 * restart, and that the contact cache survives rebuilds, removals and permutations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include "bed.h"
#include "collide/contacts/filter.h"

typedef struct found {
  sc_collide *collide;
  sc_contact *contact;
  int32_t count;
  double *state;
} found;
enum { SETS = 4, MOST = 20000 };

static found contacts(sc_collide *collide, const bed *b, double dt, int stride) {
  static sc_contact set[SETS][MOST];
  static int next;
  found f = {.collide = collide, .contact = set[next++ % SETS]};
  scree_error error = {0};
  if (sc_collide_stale(collide, &b->bodies, &b->shapes, dt))
    assert_int_equal(sc_collide_build(collide, &b->bodies, &b->shapes, NULL, dt, &error), SCREE_OK);
  scree_status status = sc_collide_contacts(
      collide, &b->bodies, &b->shapes, stride, -1, dt, &f.count, &f.state, &error);
  if (status) print_error("%s\n", error.text);
  assert_int_equal(status, SCREE_OK);
  assert_true(f.count <= MOST);
  for (int32_t c = 0; c < f.count; c++) sc_collide_contact(collide, &b->shapes, c, f.contact + c);
  return f;
}

/* Makes a random bed: spheres, capsules and boxes with radii from `least` to 1, and half-spaces about them.
 * All bodies move, except some that are fixed. */
static void random_bed(bed *b, uint64_t seed, int32_t count, double side, double least, double speed) {
  bed_init(b, seed);
  for (int32_t i = 0; i < count; i++) {
    double x[3] = {bed_between(b, 0, side), bed_between(b, 0, side), bed_between(b, 0, side)};
    sc_shape shape = bed_shape(i % 3 ? SCREE_SPHERE : i % 2 ? SCREE_BOX : SCREE_CAPSULE);
    shape.radius = least * exp(bed_between(b, 0, 1) * log(1 / least));
    if (shape.type == SCREE_CAPSULE) shape.half = shape.radius, shape.radius *= 0.5;
    for (int k = 0; k < 3 && shape.type == SCREE_BOX; k++) shape.extent[k] = (0.3 + 0.4 * k) * shape.radius;
    int32_t row = bed_add(b, i % 17 ? SCREE_DYNAMIC : SCREE_FIXED, x, shape);
    bed_random_turn(b, b->bodies.orientation[row]);
    for (int k = 0; k < 3 && i % 17; k++)
      b->bodies.velocity[row][k] = bed_between(b, -speed, speed),
      b->bodies.spin[row][k] = bed_between(b, -speed, speed);
  }
  bed_add(b, SCREE_KINEMATIC, (double[3]){0, 0, 0.3}, bed_shape(SCREE_HALFSPACE));
  bed_random_turn(b, b->bodies.orientation[count]);
}

/* Returns the closing speed of a touch, as in the definition of a contact (contacts.c). */
static double closing(const bed *b, int32_t one, int32_t two, const sc_touch *t) {
  double v[3] = {0, 0, 0};
  for (int side = 0; side < 2; side++) {
    int32_t body = side ? two : one;
    double arm[3], turn[3];
    sc_sub(t->point, b->bodies.position[body], arm);
    sc_cross(b->bodies.spin[body], arm, turn);
    for (int k = 0; k < 3; k++) v[k] += (side ? 1 : -1) * (b->bodies.velocity[body][k] + turn[k]);
  }
  return sc_dot(v, t->normal);
}

/* Returns the distance that the fastest point of a body of one shape can move in a step. */
static double travel(const bed *b, int32_t i, double dt) {
  double lever = b->shapes.row[i].slot < 0 ? 0 : isfinite(b->shapes.row[i].bound) ? b->bodies.radius[i] : 1e3;
  return dt * (sc_norm(b->bodies.velocity[i]) + sc_norm(b->bodies.spin[i]) * lever);
}

/* Returns the number of contacts of all pairs, and checks that each of them is in f. Every body has one
 * shape. */
static int32_t brute_force(const bed *b, double margin, double dt, const found *f) {
  int32_t count = 0;
  for (int32_t i = 0; i < b->shapes.count; i++)
    for (int32_t j = i + 1; j < b->shapes.count; j++) {
      if (!(b->bodies.inv_mass[i] > 0 || b->bodies.inv_mass[j] > 0)) continue;
      sc_placed placed[2];
      sc_touch touch[SC_MAX_TOUCHES];
      sc_shape shape[2];
      sc_shapes_get(&b->shapes, i, shape);
      sc_shapes_get(&b->shapes, j, shape + 1);
      sc_place(shape, b->bodies.position[i], b->bodies.orientation[i], placed);
      sc_place(shape + 1, b->bodies.position[j], b->bodies.orientation[j], placed + 1);
      double near = margin * fmin(b->shapes.row[i].bound, b->shapes.row[j].bound);
      int touches = sc_narrow(placed, placed + 1, near + travel(b, i, dt) + travel(b, j, dt), touch),
          kept = 0;
      for (int t = 0; t < touches; t++)
        if (touch[t].gap <= near + dt * fmax(0, closing(b, i, j, touch + t))) touch[kept++] = touch[t];
      const double size = fmin(b->shapes.row[i].bound, b->shapes.row[j].bound);
      const bool balls = shape[0].type == SCREE_SPHERE && shape[1].type == SCREE_SPHERE;
      const sc_filter filter = {placed, placed + 1, &b->bodies, i, j, NULL, size, dt};
      if (!balls) kept = sc_filter_touches(&filter, touch, kept);
      for (int t = 0; t < kept; t++) {
        count++;
        bool seen = false;
        for (int32_t c = 0; c < f->count && !seen; c++) {
          const sc_contact *contact = f->contact + c;
          bool same = (contact->body1 == i && contact->body2 == j) ||
              (contact->body1 == j && contact->body2 == i);
          seen = same && fabs(contact->gap - touch[t].gap) < 1e-12;
        }
        if (!seen)
          print_error(
              "bodies %d and %d, gap %g, not found among %d\n", (int)i, (int)j, touch[t].gap, (int)f->count);
        assert_true(seen);
      }
    }
  return count;
}

static void advance(bed *b, double dt) {
  for (int32_t i = 0; i < b->bodies.count; i++) {
    sc_axpy(dt, b->bodies.velocity[i], b->bodies.position[i], b->bodies.position[i]);
    double turn[4] = {0, b->bodies.spin[i][0], b->bodies.spin[i][1], b->bodies.spin[i][2]}, dq[4],
           *q = b->bodies.orientation[i];
    sc_quat_mul(turn, q, dq);
    for (int k = 0; k < 4; k++) q[k] += 0.5 * dt * dq[k];
    sc_quat_normalise(q, q);
  }
}

/* The contacts found are exactly those of the brute-force search: over steps that reuse the list, from equal
 * sizes to 1:100, slow and fast. */
static void list_finds_what_brute_force_finds(void **unused) {
  (void)unused;
  static const struct {
    int32_t count;
    double side, least, speed;
  } beds[] = {{300, 8, 0.6, 0.5}, {300, 8, 0.01, 0.5}, {400, 3, 0.05, 20}, {200, 40, 0.3, 200},
      {2, 1, 0.5, 1}, {250, 6, 1, 0}};
  for (size_t k = 0; k < sizeof beds / sizeof *beds; k++) {
    bed b;
    random_bed(&b, 11 + k, beds[k].count, beds[k].side, beds[k].least, beds[k].speed);
    b.bodies.spin[b.bodies.count - 1][1] = 0.1;
    sc_collide_def def = {.margin = 0.1, .threads = 1};
    sc_collide *collide = sc_collide_create(&def);
    for (int step = 0; step < 12; step++) {
      found f = contacts(collide, &b, 0.01, 0);
      assert_int_equal(brute_force(&b, def.margin, 0.01, &f), f.count);
      advance(&b, 0.01);
    }
    assert_true(sc_collide_rebuilds(collide) >= 1);
    if (k == 0) assert_true(sc_collide_rebuilds(collide) < 12);
    sc_collide_destroy(collide);
    bed_free(&b);
  }
}

enum { LAYERS = 8, ROW = 10 };

/* Makes layers of balls that slide over each other and over a floor, each in its own direction and fast. Some
 * balls lie off the centre of their bodies. Grains fly across the layers, and a slow plate moves above
 * them. */
static void flowing_bed(bed *b, uint64_t seed, double speed) {
  bed_init(b, seed);
  for (int i = 0; i < LAYERS * ROW * ROW; i++) {
    int layer = i / (ROW * ROW);
    double x[3] = {2.05 * (i % ROW), 2.05 * (i / ROW % ROW), 1 + 2.02 * layer};
    sc_shape ball = bed_shape(SCREE_SPHERE);
    ball.radius = i % 31 ? bed_between(b, 0.9, 1) : bed_between(b, 0.05, 0.2);
    if (i % 13 == 0) ball.position[0] = 0.3;
    int32_t row = bed_add(b, i % 101 ? SCREE_DYNAMIC : SCREE_FIXED, x, ball);
    double *v = b->bodies.velocity[row];
    if (b->bodies.kind[row] == SCREE_FIXED) continue;
    v[0] = speed * (layer - LAYERS / 3), v[1] = 0.3 * speed * (layer % 3);
    for (int k = 0; k < 3; k++)
      v[k] += bed_between(b, -0.03, 0.03) * speed, b->bodies.spin[row][k] = bed_between(b, -0.1, 0.1) * speed;
    for (int k = 0; k < 3 && i % 97 == 50; k++) v[k] = bed_between(b, -20, 20) * speed;
  }
  bed_add(b, SCREE_FIXED, (double[3]){0, 0, 0}, bed_shape(SCREE_HALFSPACE));
  sc_shape plate = bed_shape(SCREE_BOX);
  plate.extent[0] = plate.extent[1] = 5, plate.extent[2] = 0.25;
  b->bodies.velocity[bed_add(b, SCREE_KINEMATIC, (double[3]){15, 15, 2.02 * LAYERS + 1}, plate)][2] = -0.2 *
      speed;
}

/* Changes the velocities of a few random grains. */
static void hit(bed *b, double speed) {
  for (int n = 0; n < 6; n++) {
    int32_t row = (int32_t)bed_between(b, 0, LAYERS * ROW * ROW);
    for (int k = 0; k < 3 && b->bodies.kind[row] == SCREE_DYNAMIC; k++)
      b->bodies.velocity[row][k] += bed_between(b, -6, 6) * speed;
  }
}

/* In flows the contacts found are complete, although lists live long: anchors drift, and strays are mended. A
 * bed that hardly moves builds its list once. The scratch is lent by the caller, so the search uses poses
 * that mending computed. */
static void flows_are_followed(void **unused) {
  (void)unused;
  enum { STEPS = 20 };
  const double dt = 0.01;
  const struct {
    double speed, hits, margin;
    int rebuilds;
  } flows[] = {
      {0.3, 0.3, 0.05, STEPS / 2}, {3, 3, 0.05, STEPS / 2}, {0.01, 0.5, 0.05, 1}, {0.01, 0.5, 0.4, 1}};
  for (int k = 0; k < 4; k++) {
    bed b;
    sc_arena arena = {0};
    flowing_bed(&b, 23 + (uint64_t)k, flows[k].speed);
    sc_collide_def def = {.margin = flows[k].margin, .threads = 1},
                   lent = {.margin = flows[k].margin, .threads = 1, .scratch = &arena};
    sc_collide *collide = sc_collide_create(&lent), *fresh = sc_collide_create(&def);
    for (int step = 0; step < STEPS; step++) {
      sc_arena_reset(&arena);
      found f = contacts(collide, &b, dt, 0);
      assert_int_equal(brute_force(&b, def.margin, dt, &f), f.count);
      scree_error error = {0};
      /* contacts and their order are those of a list built in this step */
      assert_int_equal(sc_collide_build(fresh, &b.bodies, &b.shapes, NULL, dt, &error), SCREE_OK);
      found g = contacts(fresh, &b, dt, 0);
      assert_int_equal(f.count, g.count);
      for (int32_t c = 0; c < f.count; c++)
        assert_memory_equal(f.contact[c].point, g.contact[c].point, sizeof g.contact->point);
      sc_collide_tick(collide);
      advance(&b, dt);
      if (step % 2) hit(&b, flows[k].hits);
    }
    assert_true(sc_collide_rebuilds(collide) <= flows[k].rebuilds);
    sc_collide_destroy(collide);
    sc_collide_destroy(fresh);
    sc_arena_free(&arena);
    bed_free(&b);
  }
}

/* A far outlier costs no memory, and its contacts are found. */
static void outliers_do_not_matter(void **unused) {
  (void)unused;
  bed b;
  random_bed(&b, 3, 200, 6, 0.5, 0.1);
  sc_shape ball = bed_shape(SCREE_SPHERE);
  ball.radius = 1;
  bed_add(&b, SCREE_DYNAMIC, (double[3]){1e12, -1e12, 0}, ball);
  bed_add(&b, SCREE_DYNAMIC, (double[3]){1e12, -1e12, 1.5}, ball);
  sc_collide_def def = {.margin = 0.1, .threads = 1};
  sc_collide *collide = sc_collide_create(&def);
  found f = contacts(collide, &b, 0.001, 0);
  assert_int_equal(brute_force(&b, def.margin, 0.001, &f), f.count);
  b.bodies.position[5][1] = NAN;
  sc_collide_dirty(collide);
  scree_error error = {0};
  assert_int_equal(sc_collide_build(collide, &b.bodies, &b.shapes, NULL, 0.001, &error), SCREE_E_NUMERIC);
  assert_non_null(strstr(error.text, "not finite"));
  sc_collide_destroy(collide);
  bed_free(&b);
}

/* Writes an impulse and a state into every contact that identify its bodies and its feature. */
static void mark(const bed *b, found *f, int stride) {
  for (int32_t c = 0; c < f->count; c++) {
    sc_contact *contact = f->contact + c;
    sc_set3(bed_number(b, contact->body1) + 1, bed_number(b, contact->body2) + 1, contact->feature + 1,
        contact->impulse);
    sc_collide_keep(f->collide, c, contact->impulse, contact->state);
    for (int k = 0; k < stride; k++)
      f->state[c * stride + k] = contact->impulse[0] * 1000 + contact->impulse[1] + k;
  }
}

/* Returns the number of contacts with a mark, and checks that each mark is the right one. */
static int32_t marked(const bed *b, const found *f, int stride) {
  int32_t count = 0;
  for (int32_t c = 0; c < f->count; c++) {
    const sc_contact *contact = f->contact + c;
    if (contact->impulse[0] == 0) continue;
    count++;
    assert_true(contact->impulse[0] == bed_number(b, contact->body1) + 1);
    assert_true(contact->impulse[1] == bed_number(b, contact->body2) + 1);
    assert_true(contact->impulse[2] == contact->feature + 1);
    for (int k = 0; k < stride; k++)
      assert_true(f->state[c * stride + k] == contact->impulse[0] * 1000 + contact->impulse[1] + k);
  }
  return count;
}

static void memory_survives_rebuilds_removals_and_permutations(void **unused) {
  (void)unused;
  bed b;
  random_bed(&b, 5, 500, 9, 0.3, 0);
  sc_collide_def def = {.margin = 0.1, .threads = 1};
  sc_collide *collide = sc_collide_create(&def);
  found f = contacts(collide, &b, 0.01, 2);
  assert_true(f.count > 300);
  assert_int_equal(marked(&b, &f, 2), 0);
  mark(&b, &f, 2);
  /* the list is reused */
  f = contacts(collide, &b, 0.01, 2);
  assert_int_equal(marked(&b, &f, 2), f.count);
  /* a rebuild at the same positions */
  sc_collide_dirty(collide);
  f = contacts(collide, &b, 0.01, 2);
  assert_int_equal(marked(&b, &f, 2), f.count);
  /* removals without a rebuild, in the middle and at the end; some remove rows that were moved before */
  int64_t rebuilds = sc_collide_rebuilds(collide);
  for (int k = 0; k < 60; k++)
    bed_remove(&b, k % 5 ? (k * 37) % b.bodies.count : b.bodies.count - 1, collide);
  for (int k = 0; k < 5; k++) bed_remove(&b, 3, collide);
  f = contacts(collide, &b, 0.01, 2);
  assert_int_equal(sc_collide_rebuilds(collide), rebuilds);
  assert_int_equal(marked(&b, &f, 2), f.count);
  assert_int_equal(brute_force(&b, def.margin, 0.01, &f), f.count);
  /* removals, then a permutation into Morton order with a new shape among them */
  for (int k = 0; k < 20; k++) bed_remove(&b, (k * 53) % b.bodies.count, collide);
  sc_shape ball = bed_shape(SCREE_SPHERE);
  ball.radius = 0.5;
  bed_add(&b, SCREE_DYNAMIC, (double[3]){4, 4, 4}, ball);
  sc_collide_dirty(collide);
  bed_remove(&b, 2, collide); /* the new shape moves into row 2 */
  int32_t *order = malloc(sizeof *order * (size_t)b.bodies.count);
  assert_int_equal(sc_collide_order(collide, &b.bodies, order, NULL), SCREE_OK);
  bed_permute(&b, order);
  assert_int_equal(sc_collide_build(collide, &b.bodies, &b.shapes, order, 0.01, NULL), SCREE_OK);
  f = contacts(collide, &b, 0.01, 2);
  int32_t newcomers = 0;
  for (int32_t c = 0; c < f.count; c++)
    newcomers += bed_number(&b, f.contact[c].body1) == 501 || bed_number(&b, f.contact[c].body2) == 501;
  assert_true(newcomers > 0);
  assert_int_equal(marked(&b, &f, 2), f.count - newcomers);
  free(order);
  sc_collide_destroy(collide);
  bed_free(&b);
}

/* The order is a permutation, neighbours in the order are near in space, and fixed bodies come last. */
static void order_follows_a_curve(void **unused) {
  (void)unused;
  bed b;
  random_bed(&b, 7, 2000, 30, 0.9, 0);
  sc_collide_def def = {.margin = 0.1, .threads = 1};
  sc_collide *collide = sc_collide_create(&def);
  int32_t order[BED_ROWS], again[BED_ROWS], n = b.bodies.count;
  bool seen[BED_ROWS] = {false};
  assert_int_equal(sc_collide_order(collide, &b.bodies, order, NULL), SCREE_OK);
  double way = 0, before = 0, d[3];
  bool immovable = false;
  for (int32_t i = 0; i < n; i++) {
    assert_true(order[i] >= 0 && order[i] < n && !seen[order[i]]);
    seen[order[i]] = true;
    bool now = !(b.bodies.inv_mass[order[i]] > 0);
    assert_true(now || !immovable);
    immovable = now;
    if (i == 0 || immovable) continue;
    sc_sub(b.bodies.position[order[i]], b.bodies.position[order[i - 1]], d);
    way += sc_norm(d);
    sc_sub(b.bodies.position[i], b.bodies.position[i - 1], d);
    before += sc_norm(d);
  }
  assert_true(way < 0.25 * before);
  bed_permute(&b, order);
  assert_int_equal(sc_collide_order(collide, &b.bodies, again, NULL), SCREE_OK);
  for (int32_t i = 0; i < n; i++) assert_int_equal(again[i], i);
  sc_collide_destroy(collide);
  bed_free(&b);
}

/* After loading, the contacts are those of the run that was not interrupted, bit for bit. Damaged bytes are
 * refused. */
static void restart_is_exact(void **unused) {
  (void)unused;
  bed b;
  random_bed(&b, 9, 400, 8, 0.4, 0.3);
  sc_collide_def def = {.margin = 0.1, .threads = 1};
  sc_collide *one = sc_collide_create(&def), *two = sc_collide_create(&def);
  found f, g;
  for (int step = 0; step < 5; step++) {
    f = contacts(one, &b, 0.01, 1);
    mark(&b, &f, 1);
    advance(&b, 0.01);
  }
  bed_remove(&b, 17, one);
  void *bytes;
  size_t count;
  assert_int_equal(sc_collide_save(one, &b.shapes, &bytes, &count), SCREE_OK);
  assert_int_equal(sc_collide_load(two, &b.shapes, bytes, count, NULL), SCREE_OK);
  for (int step = 0; step < 10; step++) {
    f = contacts(one, &b, 0.01, 1), g = contacts(two, &b, 0.01, 1);
    assert_int_equal(f.count, g.count);
    assert_memory_equal(f.contact, g.contact, sizeof *f.contact * (size_t)f.count);
    assert_memory_equal(f.state, g.state, sizeof *f.state * (size_t)f.count);
    assert_int_equal(sc_collide_rebuilds(one), sc_collide_rebuilds(two));
    advance(&b, 0.01);
  }
  scree_error error;
  for (size_t length = 0; length < count; length += 1 + length / 7)
    assert_int_equal(sc_collide_load(two, &b.shapes, bytes, length, &error), SCREE_E_FORMAT);
  for (size_t at = 0; at < count && at < 4000; at++) {
    ((unsigned char *)bytes)[at] ^= 0x80;
    sc_collide_load(two, &b.shapes, bytes, count, &error);
    ((unsigned char *)bytes)[at] ^= 0x80;
  }
  sc_free(bytes);
  sc_collide_destroy(one);
  sc_collide_destroy(two);
  bed_free(&b);
}

/* Shapes of one body have no contact with each other. Body 2 of a contact is the immovable body, and the
 * normal points to the movable body. */
static void sides_of_a_contact(void **unused) {
  (void)unused;
  bed b;
  bed_init(&b, 1);
  sc_shape ball = bed_shape(SCREE_SPHERE);
  ball.radius = 1;
  bed_add(&b, SCREE_KINEMATIC, (double[3]){0, 0, 0}, bed_shape(SCREE_HALFSPACE));
  bed_add(&b, SCREE_FIXED, (double[3]){0, 0, 0.5}, ball);
  int32_t body = bed_add(&b, SCREE_DYNAMIC, (double[3]){0, 0, 2.5}, ball);
  ball.position[0] = 0.5;
  bed_attach(&b, body, ball);
  b.bodies.velocity[body][2] = -200;
  sc_collide_def def = {.margin = 0.1, .threads = 1};
  sc_collide *collide = sc_collide_create(&def);
  found f = contacts(collide, &b, 0.01, 0);
  assert_int_equal(f.count, 4);
  for (int32_t c = 0; c < f.count; c++) {
    assert_int_equal(f.contact[c].body1, body);
    assert_int_equal(f.contact[c].material1, 0);
    assert_true(f.contact[c].normal[2] > 0.9);
  }
  sc_collide_destroy(collide);
  bed_free(&b);
}

/* A step that needs no more memory than the last step makes no heap call. */
static void warm_steps_make_no_heap_call(void **unused) {
  (void)unused;
  bed b;
  random_bed(&b, 13, 800, 10, 0.5, 0.2);
  sc_collide_def def = {.margin = 0.1, .threads = 1};
  sc_collide *collide = sc_collide_create(&def);
  for (int k = 0; k < 3; k++) {
    sc_collide_dirty(collide);
    contacts(collide, &b, 1e-5, 1);
    contacts(collide, &b, 1e-5, 1);
  }
  uint64_t calls = sc_alloc_count();
  for (int k = 0; k < 20; k++) {
    if (k % 3 == 0) sc_collide_dirty(collide);
    contacts(collide, &b, 1e-5, 1);
  }
  assert_int_equal(sc_alloc_count(), calls);
  sc_collide_destroy(collide);
  bed_free(&b);
}

/* Threads change nothing: list, contacts and states have the same bits. */
static void threads_change_nothing(void **unused) {
  (void)unused;
  bed b;
  random_bed(&b, 17, 3000, 18, 0.4, 0.3);
  sc_collide_def def = {.margin = 0.1, .threads = 1};
  sc_collide *one = sc_collide_create(&def), *many = sc_collide_create(&def);
  sc_pool *pool = sc_pool_create(3);
  assert_non_null(pool);
  assert_int_equal(sc_collide_set_pool(many, pool), SCREE_OK);
  for (int step = 0; step < 12; step++) {
    found f = contacts(one, &b, 0.01, 2), g = contacts(many, &b, 0.01, 2);
    assert_true(f.count > 2000);
    assert_int_equal(f.count, g.count);
    assert_int_equal(sc_collide_pairs(one), sc_collide_pairs(many));
    assert_memory_equal(f.contact, g.contact, sizeof *f.contact * (size_t)f.count);
    assert_memory_equal(f.state, g.state, sizeof *f.state * 2 * (size_t)f.count);
    mark(&b, &f, 2), mark(&b, &g, 2);
    advance(&b, 0.01);
  }
  sc_collide_destroy(one);
  sc_collide_destroy(many);
  sc_pool_destroy(pool);
  bed_free(&b);
}

/* sc_names_place finds the places of keys in lists of all lengths up to 20, with equal pairs, from any start
 * row. */
static void places(void **state) {
  (void)state;
  sc_pair pair[20];
  sc_list list = {.pair = pair};
  for (int32_t k = 0; k < 20; k++) pair[k] = (sc_pair){1 + k / 6, 10 + k / 3 * 2};
  for (list.pairs = 0; list.pairs <= 20; list.pairs++)
    for (int32_t one = 0; one < 6; one++)
      for (int32_t two = 8; two < 26; two++) {
        const uint64_t key = sc_names_key(&list, (sc_pair){one, two});
        int32_t place = 0;
        while (place < list.pairs && sc_names_key(&list, pair[place]) < key) place++;
        for (int32_t at = 0; at <= 20 + 1; at++) assert_int_equal(sc_names_place(&list, key, at), place);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places),
      cmocka_unit_test(list_finds_what_brute_force_finds), cmocka_unit_test(flows_are_followed),
      cmocka_unit_test(outliers_do_not_matter),
      cmocka_unit_test(memory_survives_rebuilds_removals_and_permutations),
      cmocka_unit_test(order_follows_a_curve), cmocka_unit_test(restart_is_exact),
      cmocka_unit_test(sides_of_a_contact), cmocka_unit_test(warm_steps_make_no_heap_call),
      cmocka_unit_test(threads_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
