/* Bodies and shapes without a world, for tests of the collision stage. */
#ifndef TEST_BED_H
#define TEST_BED_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "collide/collide.h"
#include "math/vec.h"
#include "model/mass.h"

enum { BED_ROWS = 4096 };

typedef struct bed {
  sc_bodies bodies;
  sc_shapes shapes;
  sc_rng rng;
  int64_t made;
} bed;

static inline double bed_between(bed *b, double low, double high) {
  return low + (high - low) * sc_rng_unit(&b->rng);
}

static inline void bed_init(bed *b, uint64_t seed) {
  memset(b, 0, sizeof *b);
  sc_rng_seed(&b->rng, seed);
}

static inline void bed_free(bed *b) {
  sc_bodies_free(&b->bodies);
  sc_shapes_free(&b->shapes);
}

static inline sc_shape bed_shape(int type) { return (sc_shape){.type = type, .orientation = {1, 0, 0, 0}}; }

static inline void bed_attach(bed *b, int32_t body, sc_shape shape) {
  shape.bound = sc_shape_bound(&shape);
  double far = shape.bound + sc_norm(shape.position);
  if (far > b->bodies.radius[body]) b->bodies.radius[body] = far;
  assert_true(sc_shapes_reserve(&b->shapes, 1, 1));
  sc_shapes_attach(&b->shapes, &b->bodies, body, &shape);
}

static inline int32_t bed_add(bed *b, int kind, const double position[3], sc_shape shape) {
  sc_bodies *m = &b->bodies;
  int32_t row = sc_bodies_add(m);
  assert_true(row >= 0 && row < BED_ROWS && sc_bodies_set_group(m, row, b->made++));
  sc_copy3(position, m->position[row]);
  m->kind[row] = (uint8_t)kind;
  m->inv_mass[row] = kind == SCREE_DYNAMIC;
  bed_attach(b, row, shape);
  return row;
}

/* Returns the number of the body in a row, in the order of creation. The number does not change if the body
 * moves to another row. */
static inline double bed_number(const bed *b, int32_t row) {
  return (double)sc_bodies_group(&b->bodies, row);
}

static inline void bed_random_turn(bed *b, double q[4]) {
  double raw[4];
  do {
    for (int k = 0; k < 4; k++) raw[k] = bed_between(b, -1, 1);
  } while (raw[0] * raw[0] + raw[1] * raw[1] + raw[2] * raw[2] + raw[3] * raw[3] < 0.01 ||
      !sc_quat_normalise(raw, q));
}

/* Removes the body in a row. Every body must have one shape, in the same row. */
static inline void bed_remove(bed *b, int32_t row, sc_collide *collide) {
  int32_t last = sc_shapes_detach(&b->shapes, &b->bodies, row);
  sc_collide_removed(collide, row, last);
  sc_bodies_remove(&b->bodies, row);
  if (row < b->bodies.count) sc_shapes_body_moved(&b->shapes, &b->bodies, row);
}

/* Permutes bodies and their shapes. Every body must have one shape. order: [new row] old row. */
static inline void bed_permute(bed *b, const int32_t *order) {
  size_t of_bodies = sc_bodies_scratch(&b->bodies), of_shapes = sc_shapes_scratch(&b->shapes);
  void *scratch = malloc(of_bodies > of_shapes ? of_bodies : of_shapes);
  int32_t map[BED_ROWS];
  sc_bodies_permute(&b->bodies, order, scratch);
  sc_shapes_permute(&b->shapes, &b->bodies, map, scratch);
  free(scratch);
  for (int32_t row = 0; row < b->shapes.count; row++) assert_int_equal(map[row], order[row]);
}

#endif
