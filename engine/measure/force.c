/* Force and torque that contacts exert on one body. */
#include "measure/measure.h"
#include "math/vec.h"
#include "model/frame.h"

int64_t scree_forces_on(const scree_frame *f, scree_id body, double dt, double force[3], double torque[3]) {
  SC_DEMAND(f && force && torque, NULL, 0);
  int64_t index = scree_frame_row(f, body), count = 0;
  sc_set3(0, 0, 0, force);
  sc_set3(0, 0, 0, torque);
  for (int64_t k = 0; k < f->contacts && index >= 0; k++) {
    const scree_frame_contact *c = f->contact + k;
    double sign = (c->body1 == body) - (c->body2 == body), arm[3], moment[3], shift[3];
    if (sign == 0 || !sc_measure_carries(c)) continue;
    sc_axpy(sign / dt, c->impulse, force, force);
    sc_sub(c->point, f->position + 3 * index, arm);
    sc_frame_shift(f, c, shift);
    if (sign < 0) sc_sub(arm, shift, arm);
    sc_cross(arm, c->impulse, moment);
    sc_axpy(sign / dt, moment, torque, torque);
    count++;
  }
  return count;
}

/* ---- the kind ---- */

typedef scree_measure_def keys;
static const scree_param params[] = {
    SC_MEASURE_PART("body", SCREE_REQUIRED, "name of the body on which contacts act")};
enum { FORCE, TORQUE = 3, CONTACTS = 6 };
static const scree_measure_field fields[] = {{"x", "x", SCREE_FIGURE}, {"y", "y", SCREE_FIGURE},
    {"z", "z", SCREE_FIGURE}, {"torque_x", "torque_x", SCREE_FIGURE}, {"torque_y", "torque_y", SCREE_FIGURE},
    {"torque_z", "torque_z", SCREE_FIGURE}, {"contacts", NULL, SCREE_WHOLE}};

static scree_status measure_force(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  double force[3], torque[3];
  scree_status status = sc_measure_dt(def->dt, error);
  if (!status) status = sc_measure_images(frame, "force", error);
  if (status) return status;
  sc_measure_set(out, CONTACTS, (double)scree_forces_on(frame, def->body, def->dt, force, torque));
  for (int k = 0; k < 3; k++)
    sc_measure_set(out, FORCE + k, force[k]), sc_measure_set(out, TORQUE + k, torque[k]);
  return SCREE_OK;
}

const scree_measure_kind sc_measure_force = {.name = "force",
    .doc = "force [N] and torque about its centre [N m] of the contacts on a body",
    SC_MEASURE_TABLES,
    .contacts = 1,
    .take = measure_force};
