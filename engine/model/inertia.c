/* Inertia of bodies. A ball has two numbers in its row: the moment of inertia and its inverse. Any other body
 * has a row of the table `tensor`; bodies with equal inertia share a row. */
#include "model/bodies.h"

/* Sets the inertia tensor and its inverse for a body that is not a ball. If out of memory, changes nothing
 * and returns false. */
static bool set_tensor(sc_bodies *bodies, int32_t row, const sc_tensor *tensor) {
  int32_t number = sc_alike_take(&bodies->tensor, sizeof *tensor, tensor);
  if (number < 0) return false;
  sc_inertia_drop(bodies, row);
  bodies->tensor_row[row] = number;
  return true;
}

void sc_inertia_drop(sc_bodies *bodies, int32_t row) {
  int32_t number = bodies->tensor_row[row];
  bodies->tensor_row[row] = SC_TENSOR_NONE;
  if (number >= 0) sc_alike_drop(&bodies->tensor, number);
}

bool sc_bodies_set_inverse_inertia(sc_bodies *bodies, int32_t row, const double inverse[6]) {
  SC_ASSERT(row >= 0 && row < bodies->count && inverse);
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  if (!tensor) {
    bodies->ball_inverse[row] = inverse[0];
    return true;
  }
  sc_tensor changed = *tensor;
  memcpy(changed.inverse, inverse, sizeof changed.inverse);
  return set_tensor(bodies, row, &changed);
}

static bool is_nonzero(const double tensor[6]) {
  for (int k = 0; k < 6; k++)
    if (tensor[k] != 0) return true;
  return false;
}

bool sc_bodies_set_inertia(
    sc_bodies *bodies, int32_t row, bool ball, const double inertia[6], const double inverse[6]) {
  SC_ASSERT(row >= 0 && row < bodies->count);
  sc_tensor tensor;
  memcpy(tensor.inertia, inertia, sizeof tensor.inertia);
  memcpy(tensor.inverse, inverse, sizeof tensor.inverse);
  if (ball || !is_nonzero(inertia)) sc_inertia_drop(bodies, row);
  else if (!set_tensor(bodies, row, &tensor)) return false;
  if (ball) bodies->tensor_row[row] = SC_TENSOR_BALL;
  bodies->ball_inertia[row] = ball ? inertia[0] : 0;
  bodies->ball_inverse[row] = ball ? inverse[0] : 0;
  return true;
}
