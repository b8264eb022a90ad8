/* Chooses the bodies of a frame that formats of points export, and copies their values as floats. */
#include "io/export/export.h"

#include <math.h>
#include <string.h>

const char *sc_drawn_name(int type) {
  return type == SC_DRAWN_COMPOUND ? "compound" : scree_shape_kind_at(type)->name;
}

const unsigned char *sc_export_floats(sc_export *ex, const double *values, int components) {
  const sc_drawn *d = &ex->drawn;
  const size_t bytes = (size_t)d->count * (size_t)components * 4;
  ex->scratch.count = 0;
  unsigned char *start = sc_bytes_take(&ex->scratch, bytes + 1), *at = start;
  for (int64_t i = 0; i < d->count && at; i++)
    for (int c = 0; c < components; c++, at += 4) sc_put_f32(at, values[components * d->row[i] + c]);
  ex->scratch.count = bytes;
  return start;
}

const double *sc_export_column(sc_export *ex, int32_t column, int components) {
  const scree_frame *f = ex->frame;
  ex->column_values.count = 0;
  const size_t width = (size_t)components * sizeof(double);
  double *value = (double *)(void *)sc_bytes_take(&ex->column_values, (size_t)f->bodies * width + 1);
  for (int64_t row = 0; row < f->bodies && value; row++)
    memcpy(value + row * components, f->value + row * f->columns + column, width);
  return value;
}

static bool is_drawn_as_point(const scree_frame *frame, int64_t row, int type) {
  return isfinite(frame->radius[row]) && (frame->kind[row] == SCREE_DYNAMIC || type == SCREE_SPHERE);
}

static void widen_box(sc_drawn *drawn, const double *x, double radius) {
  for (int k = 0; k < 3; k++) {
    drawn->low[k] = fmin(drawn->low[k], x[k] - radius);
    drawn->high[k] = fmax(drawn->high[k], x[k] + radius);
  }
}

/* Fills ex->drawn with the bodies that are drawn as points. Bodies and shapes of the frame are both sorted by
 * body id, so one loop over the bodies also reads the shapes of each body. */
scree_status sc_drawn_choose(sc_export *ex, scree_error *error) {
  const scree_frame *frame = ex->frame;
  sc_drawn *d = &ex->drawn;
  size_t n = (size_t)frame->bodies + 1;
  if (!SC_GROW(d->row, d->row_capacity, n) || !SC_GROW(d->shape, d->shape_capacity, n) ||
      !SC_GROW(d->type, d->type_capacity, n))
    return sc_export_no_memory(error);
  d->count = 0;
  for (int k = 0; k < 3; k++) {
    d->low[k] = INFINITY;
    d->high[k] = -INFINITY;
  }
  int64_t s = 0;
  for (int64_t r = 0; r < frame->bodies; r++) {
    int64_t first = s;
    while (s < frame->shapes && frame->shape[s].body == frame->id[r]) s++;
    int type = s - first > 1 ? SC_DRAWN_COMPOUND : s > first ? frame->shape[first].type : SCREE_SPHERE;
    if (!is_drawn_as_point(frame, r, type)) continue;
    d->row[d->count] = r;
    d->shape[d->count] = s > first ? frame->shape + first : NULL;
    d->type[d->count++] = type;
    widen_box(d, frame->position + 3 * r, frame->radius[r]);
  }
  for (int k = 0; k < 3 && !d->count; k++) d->low[k] = d->high[k] = 0;
  return SCREE_OK;
}
