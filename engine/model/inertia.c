/* Inertia of bodies: two numbers in the rows of balls, side rows for all others.
 *
 * A side row belongs to one body and keeps its place while the body lives; those given back are linked
 * and used again. Putting bodies in order puts side rows in the same order, without holes. */
#include "model/bodies.h"

void sc_bodies_set_inverse_inertia(sc_bodies *bodies, int32_t row, const double inverse[6]) {
  SC_ASSERT(row >= 0 && row < bodies->count && inverse);
  int32_t side = bodies->tensor_row[row];
  if (side >= 0) memcpy(bodies->tensor[side].inverse, inverse, sizeof bodies->tensor->inverse);
  else bodies->ball_inverse[row] = inverse[0];
}

/* The number of the next free row stands in a free row. */
static int32_t next_free(const sc_tensor *tensor) { return (int32_t)tensor->inertia[0]; }

/* A side row for a body; false without memory. */
static bool take(sc_bodies *bodies, int32_t row) {
  if (!bodies->tensors) bodies->free_tensor = -1;
  if (bodies->free_tensor >= 0) {
    bodies->tensor_row[row] = bodies->free_tensor;
    bodies->free_tensor = next_free(bodies->tensor + bodies->free_tensor);
    bodies->tensor[bodies->tensor_row[row]].roll = (sc_roll){0};
    return true;
  }
  if (!SC_GROW_LEAN(bodies->tensor, bodies->tensor_capacity, (size_t)bodies->tensors + 1)) return false;
  bodies->tensor_row[row] = bodies->tensors++;
  bodies->tensor[bodies->tensor_row[row]].roll = (sc_roll){0};
  return true;
}

void sc_inertia_drop(sc_bodies *bodies, int32_t row) {
  int32_t side = bodies->tensor_row[row];
  bodies->tensor_row[row] = SC_TENSOR_NONE;
  if (side < 0) return;
  bodies->tensor[side].inertia[0] = bodies->free_tensor;
  bodies->free_tensor = side;
}

static bool any(const double tensor[6]) {
  for (int k = 0; k < 6; k++)
    if (tensor[k] != 0) return true;
  return false;
}

bool sc_bodies_set_inertia(
    sc_bodies *bodies, int32_t row, bool ball, const double inertia[6], const double inverse[6]) {
  SC_ASSERT(row >= 0 && row < bodies->count);
  bool side = !ball && any(inertia);
  if (!side) sc_inertia_drop(bodies, row);
  else if (bodies->tensor_row[row] < 0 && !take(bodies, row)) return false;
  if (ball) bodies->tensor_row[row] = SC_TENSOR_BALL;
  bodies->ball_inertia[row] = ball ? inertia[0] : 0;
  bodies->ball_inverse[row] = 0;
  if (side) memcpy(bodies->tensor[bodies->tensor_row[row]].inertia, inertia, sizeof bodies->tensor->inertia);
  if (side || ball) sc_bodies_set_inverse_inertia(bodies, row, inverse);
  return true;
}

void sc_inertia_permute(sc_bodies *bodies, sc_tensor *scratch) {
  int32_t count = 0;
  for (int32_t row = 0; row < bodies->count && bodies->tensors; row++) {
    int32_t side = bodies->tensor_row[row];
    if (side < 0) continue;
    scratch[count] = bodies->tensor[side];
    bodies->tensor_row[row] = count++;
  }
  if (count) memcpy(bodies->tensor, scratch, (size_t)count * sizeof *scratch);
  bodies->tensors = count;
  bodies->free_tensor = -1;
}
