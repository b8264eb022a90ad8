/* Selection of the bodies and contacts of a frame for measurements. In a periodic cell, the position of a
 * body is that of its image in the cell. */
#include "measure/measure.h"
#include "math/vec.h"
#include "model/cell.h"
#include "model/frame.h"

#include <math.h>

bool sc_measure_grain(const scree_frame *f, int64_t i, const scree_region *region, int64_t group) {
  if (f->kind[i] != SCREE_DYNAMIC || (group >= 0 && f->group[i] != group)) return false;
  return !region || scree_region_contains(region, scree_frame_shown(f, i).position);
}

bool sc_measure_carries(const scree_frame_contact *c) {
  return c->impulse[0] != 0 || c->impulse[1] != 0 || c->impulse[2] != 0;
}

bool sc_measure_contact(const scree_frame *f, const scree_frame_contact *c, const scree_region *region) {
  double at[3];
  int32_t image[3];
  if (!sc_measure_carries(c) || !region) return sc_measure_carries(c);
  sc_copy3(c->point, at);
  if (f->has_cell) scree_cell_wrap(&f->cell, c->point, at, image);
  return scree_region_contains(region, at);
}

/* Returns the radius of a body that is one ball about its centre of mass; 0 for other bodies. */
static double ball_of(const scree_frame *f, int64_t row) {
  int64_t low = 0, high = f->shapes;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (f->shape[middle].body < f->id[row]) low = middle + 1;
    else high = middle;
  }
  const scree_shape_info *s = f->shape + low;
  if (low == f->shapes || s->body != f->id[row] || s->type != SCREE_SPHERE) return 0;
  if (low + 1 < f->shapes && s[1].body == s->body) return 0;
  return sc_dot(s->position, s->position) == 0 ? s->radius : 0;
}

/* Sets r to the arm of one body of a contact [m], 0 if the body is not a grain of the group. sign: -1 for
 * body 1, 1 for body 2. sign * c->normal points out of the body. */
static void arm_of(const scree_frame *f, scree_id body, int64_t group, const scree_frame_contact *c,
    double sign, double r[3]) {
  const int64_t row = scree_frame_row(f, body);
  sc_set3(0, 0, 0, r);
  if (row < 0 || !sc_measure_grain(f, row, NULL, group)) return;
  const double ball = ball_of(f, row);
  if (ball > 0) sc_scale(sign * ball, c->normal, r);
  else sc_sub(c->point, f->position + 3 * row, r);
  if (ball > 0 || sign < 0 || !f->has_cell) return;
  double shift[3];
  sc_frame_shift(f, c, shift);
  sc_sub(r, shift, r);
}

void sc_measure_arms(
    const scree_frame *f, const scree_frame_contact *c, int64_t group, double r1[3], double r2[3]) {
  arm_of(f, c->body1, group, c, -1, r1);
  arm_of(f, c->body2, group, c, 1, r2);
}

void sc_measure_peculiar(const scree_frame *f, int64_t i, double v[3]) {
  sc_copy3(f->velocity + 3 * i, v);
  if (!f->has_cell) return;
  const sc_cell cell = sc_cell_from(&f->cell);
  double flow[3];
  sc_cell_flow(&cell, f->position + 3 * i, flow);
  sc_sub(v, flow, v);
}

scree_status sc_measure_images(const scree_frame *f, const char *kind, scree_error *error) {
  if (!f->has_cell || !f->contacts || f->images) return SCREE_OK;
  return sc_fail(error, SCREE_E_ARGUMENT,
      "%s: the contacts of this frame do not tell which images touch: its file was written before they did",
      kind);
}

bool sc_measure_repeats(const scree_frame *f) {
  return f->has_cell && f->cell.periodic[0] && f->cell.periodic[1] && f->cell.periodic[2];
}
