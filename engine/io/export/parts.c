/* Exports of parts: a row for each shape of a body of several shapes, such as the balls of a clump.
 *
 * A part has the pose of its shape, and the velocity of its centre as a point of the body. Parts share the
 * mass of the body in proportion to their volumes, so their sum is the mass of the body. Values of columns
 * are those of the body. The id of a row is its place in the frame, from 1; sc_export.clump has the id of the
 * body. */
#include "io/export/export.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "model/mass.h"
#include "model/shape/kind.h"

static const double unturned[4] = {1, 0, 0, 0};

/* Returns the volume of a shape [m3]; 0 if the shape is not solid. */
static double find_volume(const scree_shape_info *info) {
  sc_shape shape;
  double mass = 0, centre[3], inertia[6];
  if (sc_shape_of_info(info, &shape)) sc_shape_mass(&shape, 1, &mass, centre, inertia);
  return mass;
}

static double find_part_radius(const scree_shape_info *info) {
  sc_shape shape;
  return sc_shape_of_info(info, &shape) ? sc_shape_bound(&shape) : info->radius;
}

/* Sets position, orientation and velocity of row `to` to those of shape s of the body in row `row`. */
static void place_part(
    const scree_frame *f, int64_t row, const scree_shape_info *s, int64_t to, sc_frame_store *out) {
  const double *q = f->orientation ? f->orientation + 4 * row : unturned;
  double arm[3], extra[3];
  sc_quat_rotate(q, s->position, arm);
  if (f->position) sc_add(f->position + 3 * row, arm, out->position + 3 * to);
  if (f->orientation) sc_quat_mul(q, s->orientation, out->orientation + 4 * to);
  if (f->velocity && f->spin) {
    sc_cross(f->spin + 3 * row, arm, extra);
    sc_add(f->velocity + 3 * row, extra, out->velocity + 3 * to);
  }
}

/* Adds a row to ex->parts for each of the `count` shapes of the body in row `row`, from row `to` on. */
static void add_parts(
    const scree_frame *f, int64_t row, const scree_shape_info *s, int64_t count, int64_t to, sc_export *ex) {
  sc_frame_store *out = &ex->parts;
  double total = 0;
  for (int64_t k = 0; k < count && count > 1; k++) total += find_volume(s + k);
  for (int64_t k = 0; k < count; k++, to++) {
    sc_frame_store_copy_body(out, to, f, row);
    out->id[to] = (uint64_t)to + 1;
    ex->clumps[to] = f->id[row];
    out->shape[to] = s[k];
    out->shape[to].body = out->id[to];
    if (count == 1) continue;
    place_part(f, row, s + k, to, out);
    out->radius[to] = find_part_radius(s + k);
    if (total > 0 && isfinite(f->mass[row])) out->mass[to] = f->mass[row] * find_volume(s + k) / total;
    sc_set3(0, 0, 0, out->shape[to].position);
    memcpy(out->shape[to].orientation, unturned, sizeof unturned);
  }
}

scree_status sc_export_parts(sc_export *ex, scree_error *error) {
  const scree_frame *f = ex->frame;
  sc_frame_store *out = &ex->parts;
  int64_t to = 0;
  if (!sc_frame_store_shape(out, f->shapes, f->shapes, 0, sc_frame_fields(f)) ||
      !sc_frame_store_columns(out, f->column, f->columns) ||
      !SC_GROW(ex->clumps, ex->clumps_capacity, (size_t)f->shapes + 1))
    return sc_export_no_memory(error);
  for (int64_t row = 0, s = 0, first; row < f->bodies; row++) {
    for (first = s; s < f->shapes && f->shape[s].body == f->id[row];) s++;
    add_parts(f, row, f->shape + first, s - first, to, ex);
    to += s - first;
  }
  sc_frame_store_copy_head(out, f);
  out->frame.contacts = f->contacts, out->frame.contact = f->contact;
  ex->clump = ex->clumps;
  ex->frame = &out->frame;
  return SCREE_OK;
}
