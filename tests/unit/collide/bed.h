/* Bodies and shapes by hand, for tests of the collision stage that need no world. */
#ifndef TEST_BED_H
#define TEST_BED_H

#include <assert.h>
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
  uint32_t slots;
} bed;

static inline double bed_between(bed *b, double low, double high) { return low + (high - low) * sc_rng_unit(&b->rng); }

static inline void bed_init(bed *b, uint64_t seed) {
  memset(b, 0, sizeof *b);
  sc_rng_seed(&b->rng, seed);
  sc_bodies *m = &b->bodies;
  m->capacity = b->shapes.capacity = BED_ROWS;
  m->position = calloc(BED_ROWS, sizeof *m->position);
  m->orientation = calloc(BED_ROWS, sizeof *m->orientation);
  m->velocity = calloc(BED_ROWS, sizeof *m->velocity);
  m->spin = calloc(BED_ROWS, sizeof *m->spin);
  m->inv_mass = calloc(BED_ROWS, sizeof *m->inv_mass);
  m->radius = calloc(BED_ROWS, sizeof *m->radius);
  m->kind = calloc(BED_ROWS, sizeof *m->kind);
  m->slot = calloc(BED_ROWS, sizeof *m->slot);
  b->shapes.row = calloc(BED_ROWS, sizeof *b->shapes.row);
}

static inline void bed_free(bed *b) {
  sc_bodies *m = &b->bodies;
  free(m->position);
  free(m->orientation);
  free(m->velocity);
  free(m->spin);
  free(m->inv_mass);
  free(m->radius);
  free(m->kind);
  free(m->slot);
  free(b->shapes.row);
}

static inline sc_shape bed_shape(int type) { return (sc_shape){.type = type, .next = -1, .orientation = {1, 0, 0, 0}}; }

static inline void bed_attach(bed *b, int32_t body, sc_shape shape) {
  shape.body = body;
  shape.bound = sc_shape_bound(&shape);
  double far = shape.bound + sc_norm(shape.position);
  if (far > b->bodies.radius[body]) b->bodies.radius[body] = far;
  b->shapes.row[b->shapes.count++] = shape;
}

static inline int32_t bed_add(bed *b, int kind, const double position[3], sc_shape shape) {
  sc_bodies *m = &b->bodies;
  int32_t row = m->count++;
  assert(row < BED_ROWS);
  sc_copy3(position, m->position[row]);
  sc_set3(0, 0, 0, m->velocity[row]);
  sc_set3(0, 0, 0, m->spin[row]);
  memcpy(m->orientation[row], (double[4]){1, 0, 0, 0}, sizeof *m->orientation);
  m->kind[row] = (uint8_t)kind;
  m->inv_mass[row] = kind == SCREE_DYNAMIC;
  m->radius[row] = 0;
  m->slot[row] = b->slots++;
  bed_attach(b, row, shape);
  return row;
}

static inline void bed_random_turn(bed *b, double q[4]) {
  double raw[4];
  do {
    for (int k = 0; k < 4; k++) raw[k] = bed_between(b, -1, 1);
  } while (raw[0] * raw[0] + raw[1] * raw[1] + raw[2] * raw[2] + raw[3] * raw[3] < 0.01 || !sc_quat_normalise(raw, q));
}

static inline void bed_copy_body(sc_bodies *m, int32_t to, const sc_bodies *n, int32_t from) {
  memmove(m->position[to], n->position[from], sizeof *m->position);
  memmove(m->orientation[to], n->orientation[from], sizeof *m->orientation);
  memmove(m->velocity[to], n->velocity[from], sizeof *m->velocity);
  memmove(m->spin[to], n->spin[from], sizeof *m->spin);
  m->inv_mass[to] = n->inv_mass[from], m->radius[to] = n->radius[from];
  m->kind[to] = n->kind[from], m->slot[to] = n->slot[from];
}

/* Removes the body in a row, all bodies holding one shape each in the same row. */
static inline void bed_remove(bed *b, int32_t row, sc_collide *collide) {
  int32_t last = --b->bodies.count;
  b->shapes.count--;
  sc_collide_removed(collide, row, last);
  if (row == last) return;
  bed_copy_body(&b->bodies, row, &b->bodies, last);
  b->shapes.row[row] = b->shapes.row[last];
  b->shapes.row[row].body = row;
}

/* Permutes bodies and their shapes, one each: new row i is old row order[i]. */
static inline void bed_permute(bed *b, const int32_t *order) {
  bed old;
  bed_init(&old, 1);
  for (int32_t row = 0; row < b->bodies.count; row++)
    bed_copy_body(&old.bodies, row, &b->bodies, row), old.shapes.row[row] = b->shapes.row[row];
  for (int32_t row = 0; row < b->bodies.count; row++) {
    bed_copy_body(&b->bodies, row, &old.bodies, order[row]);
    b->shapes.row[row] = old.shapes.row[order[row]];
    b->shapes.row[row].body = row;
  }
  bed_free(&old);
}

#endif
