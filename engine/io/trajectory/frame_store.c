#include "io/trajectory/frame_store.h"
#include "io/container/column.h"
#include "scree/geometry.h"

#include <string.h>

void sc_frame_store_free(sc_frame_store *store) {
  void *blocks[] = {store->id, store->group, store->kind, store->radius, store->mass, store->position,
      store->orientation, store->velocity, store->spin, store->value, store->column, store->shape,
      store->contact, store->inertia};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) sc_free(blocks[i]);
  memset(store, 0, sizeof *store);
}

/* Replaces an array by a new, uninitialised array of `count` elements of `size` bytes. Returns false if out
 * of memory. */
static bool renew_array(void **array, size_t count, size_t size) {
  sc_free(*array);
  *array = count > SIZE_MAX / 2 / size ? NULL : sc_realloc(NULL, count * size);
  return *array != NULL;
}
#define RENEW(array, count) renew_array((void **)&(array), (count), sizeof *(array))

static bool more_bodies(sc_frame_store *s, size_t need) {
  if (s->bodies_capacity && need <= s->bodies_capacity) return true;
  size_t n = sc_lean_capacity(s->bodies_capacity, need);
  s->bodies_capacity = 0;
  if (!RENEW(s->id, n) || !RENEW(s->group, n) || !RENEW(s->kind, n) || !RENEW(s->radius, n) ||
      !RENEW(s->mass, n) || !RENEW(s->position, 3 * n) || !RENEW(s->orientation, 4 * n) ||
      !RENEW(s->velocity, 3 * n) || !RENEW(s->spin, 3 * n))
    return false;
  s->bodies_capacity = n;
  return true;
}

bool sc_frame_store_shape(
    sc_frame_store *store, int64_t bodies, int64_t shapes, int64_t contacts, int fields) {
  SC_ASSERT(store && bodies >= 0 && shapes >= 0 && contacts >= 0);
  memset(&store->frame, 0, sizeof store->frame);
  if (!more_bodies(store, (size_t)bodies)) return false;
  if ((size_t)shapes > store->shapes_capacity) {
    size_t n = sc_lean_capacity(store->shapes_capacity, (size_t)shapes);
    store->shapes_capacity = 0;
    if (!RENEW(store->shape, n)) return false;
    store->shapes_capacity = n;
  }
  if ((size_t)contacts > store->contacts_capacity) {
    size_t n = sc_lean_capacity(store->contacts_capacity, (size_t)contacts);
    store->contacts_capacity = 0;
    if (!RENEW(store->contact, n)) return false;
    store->contacts_capacity = n;
  }
  store->frame = (scree_frame){.bodies = bodies,
      .shapes = shapes,
      .contacts = contacts,
      .id = store->id,
      .group = store->group,
      .kind = store->kind,
      .radius = store->radius,
      .mass = store->mass,
      .shape = store->shape,
      .contact = store->contact,
      .position = fields & SCREE_FIELD_POSITION ? store->position : NULL,
      .orientation = fields & SCREE_FIELD_ORIENTATION ? store->orientation : NULL,
      .velocity = fields & SCREE_FIELD_VELOCITY ? store->velocity : NULL,
      .spin = fields & SCREE_FIELD_SPIN ? store->spin : NULL};
  return true;
}

bool sc_frame_store_columns(sc_frame_store *store, const scree_column *column, int32_t columns) {
  SC_ASSERT(store && columns >= 0 && columns <= SCREE_COLUMNS_MOST && (column || !columns));
  scree_frame *f = &store->frame;
  const size_t need = (size_t)f->bodies * (size_t)columns + 1;
  f->columns = 0, f->column = NULL, f->value = NULL;
  if (!columns) return true;
  if (!store->column && !RENEW(store->column, SCREE_COLUMNS_MOST)) return false;
  if (need > store->values_capacity) {
    const size_t n = sc_lean_capacity(store->values_capacity, need);
    store->values_capacity = 0;
    if (!RENEW(store->value, n)) return false;
    store->values_capacity = n;
  }
  memmove(store->column, column, (size_t)columns * sizeof *column);
  f->columns = columns, f->column = store->column, f->value = store->value;
  return true;
}

bool sc_frame_store_inertia(sc_frame_store *store) {
  SC_ASSERT(store);
  const size_t need = (size_t)store->frame.bodies * 6 + 1;
  if (need > store->inertia_capacity) {
    const size_t n = sc_lean_capacity(store->inertia_capacity, need);
    store->inertia_capacity = 0;
    if (!RENEW(store->inertia, n)) return false;
    store->inertia_capacity = n;
  }
  store->frame.inertia = store->inertia;
  return true;
}

/* Copies `rows` rows of `size` bytes if both arrays exist. */
static void copy_array(void *to, const void *from, int64_t rows, size_t size) {
  if (to && from && rows) memcpy(to, from, (size_t)rows * size);
}

/* Copies row `row` of the array `from` to row `to` of `out`. width: numbers per row. from NULL: does
 * nothing. */
static void copy_row(double *out, int64_t to, const double *from, int64_t row, int width) {
  if (from) memcpy(out + width * to, from + width * row, (size_t)width * sizeof *out);
}

void sc_frame_store_copy_body(sc_frame_store *store, int64_t to, const scree_frame *frame, int64_t row) {
  SC_ASSERT(store && frame && frame->columns == store->frame.columns);
  store->id[to] = frame->id[row], store->group[to] = frame->group[row], store->kind[to] = frame->kind[row];
  store->radius[to] = frame->radius[row], store->mass[to] = frame->mass[row];
  copy_row(store->position, to, frame->position, row, 3);
  copy_row(store->orientation, to, frame->orientation, row, 4);
  copy_row(store->velocity, to, frame->velocity, row, 3);
  copy_row(store->spin, to, frame->spin, row, 3);
  copy_row(store->value, to, frame->value, row, (int)frame->columns);
  if (!store->frame.inertia) return;
  memset(store->inertia + 6 * to, 0, 6 * sizeof *store->inertia);
  copy_row(store->inertia, to, frame->inertia, row, 6);
}

void sc_frame_store_copy_head(sc_frame_store *store, const scree_frame *frame) {
  SC_ASSERT(store && frame);
  scree_frame *own = &store->frame;
  own->time = frame->time, own->step = frame->step, own->dt = frame->dt;
  own->forces = frame->forces, own->images = frame->images;
  own->has_cell = frame->has_cell, own->cell = frame->cell;
}

bool sc_frame_store_copy(sc_frame_store *store, const scree_frame *frame, int fields) {
  SC_ASSERT(store && frame);
  const bool with_contacts = fields & SCREE_FIELD_CONTACTS;
  const int64_t n = frame->bodies, contacts = with_contacts ? frame->contacts : 0;
  fields &= sc_frame_fields(frame);
  if (!sc_frame_store_shape(store, n, frame->shapes, contacts, fields) ||
      !sc_frame_store_columns(store, frame->column, frame->columns) ||
      (frame->inertia && !sc_frame_store_inertia(store)))
    return false;
  copy_array(store->inertia, frame->inertia, n, 6 * sizeof *store->inertia);
  copy_array(store->value, frame->value, n * frame->columns, sizeof *store->value);
  sc_frame_store_copy_head(store, frame);
  if (!with_contacts) store->frame.forces = 0;
  copy_array(store->id, frame->id, n, sizeof *store->id);
  copy_array(store->group, frame->group, n, sizeof *store->group);
  copy_array(store->kind, frame->kind, n, sizeof *store->kind);
  copy_array(store->radius, frame->radius, n, sizeof *store->radius);
  copy_array(store->mass, frame->mass, n, sizeof *store->mass);
  copy_array((void *)store->frame.position, frame->position, n, 3 * sizeof(double));
  copy_array((void *)store->frame.orientation, frame->orientation, n, 4 * sizeof(double));
  copy_array((void *)store->frame.velocity, frame->velocity, n, 3 * sizeof(double));
  copy_array((void *)store->frame.spin, frame->spin, n, 3 * sizeof(double));
  copy_array(store->shape, frame->shape, frame->shapes, sizeof *store->shape);
  copy_array(store->contact, frame->contact, contacts, sizeof *store->contact);
  return true;
}

void sc_frame_store_set_static(sc_frame_store *store, int id, int64_t row, uint64_t word) {
  SC_ASSERT(store);
  switch (id) {
  case SC_COLUMN_GROUP: store->group[row] = (int64_t)word; break;
  case SC_COLUMN_KIND: store->kind[row] = (uint8_t)word; break;
  case SC_COLUMN_RADIUS: store->radius[row] = sc_from_bits(word); break;
  case SC_COLUMN_MASS: store->mass[row] = sc_from_bits(word); break;
  default: store->inertia[6 * row + id - SC_COLUMN_INERTIA] = sc_from_bits(word); break;
  }
}

void sc_frame_store_copy_static(sc_frame_store *store, const scree_frame *from, int id) {
  SC_ASSERT(store && from);
  const int64_t n = from->bodies;
  switch (id) {
  case SC_COLUMN_GROUP: copy_array(store->group, from->group, n, sizeof *store->group); break;
  case SC_COLUMN_KIND: copy_array(store->kind, from->kind, n, sizeof *store->kind); break;
  case SC_COLUMN_RADIUS: copy_array(store->radius, from->radius, n, sizeof *store->radius); break;
  default: copy_array(store->mass, from->mass, n, sizeof *store->mass); break;
  }
}

void sc_frame_store_hold(sc_frame_store *store, bool hold) {
  for (int64_t s = 0; s < store->frame.shapes; s++) {
    if (hold) {
      if (store->shape[s].geometry) scree_geometry_retain(store->shape[s].geometry);
    } else scree_geometry_release(store->shape[s].geometry);
  }
}

int sc_frame_fields(const scree_frame *frame) {
  return (frame->position ? SCREE_FIELD_POSITION : 0) | (frame->orientation ? SCREE_FIELD_ORIENTATION : 0) |
      (frame->velocity ? SCREE_FIELD_VELOCITY : 0) | (frame->spin ? SCREE_FIELD_SPIN : 0) |
      (frame->contact ? SCREE_FIELD_CONTACTS : 0);
}

scree_status sc_frame_check(const scree_frame *frame, scree_error *error) {
  SC_ASSERT(frame);
  if (frame->bodies < 0 || frame->shapes < 0 || frame->contacts < 0)
    return sc_fail(error, SCREE_E_ARGUMENT, "frame: a count is negative");
  if (frame->bodies && (!frame->id || !frame->group || !frame->kind || !frame->radius || !frame->mass))
    return sc_fail(error, SCREE_E_ARGUMENT, "frame: id, group, kind, radius and mass must be there");
  if (frame->columns < 0 || frame->columns > SCREE_COLUMNS_MOST ||
      (frame->columns && (!frame->column || (frame->bodies && !frame->value))))
    return sc_fail(error, SCREE_E_ARGUMENT, "frame: columns are counted but missing");
  if ((frame->shapes && !frame->shape) || (frame->contacts && !frame->contact))
    return sc_fail(error, SCREE_E_ARGUMENT, "frame: shapes or contacts are counted but missing");
  for (int64_t i = 1; i < frame->bodies; i++)
    if (frame->id[i] <= frame->id[i - 1])
      return sc_fail(error, SCREE_E_ARGUMENT, "frame: ids are not ascending at row %lld", (long long)i);
  /* every shape belongs to a body of the frame */
  int64_t row = 0;
  for (int64_t s = 0; s < frame->shapes; s++) {
    while (row < frame->bodies && frame->id[row] < frame->shape[s].body) row++;
    if (row == frame->bodies || frame->id[row] != frame->shape[s].body)
      return sc_fail(
          error, SCREE_E_ARGUMENT, "frame: shape %lld belongs to no body or is out of order", (long long)s);
  }
  return SCREE_OK;
}

bool sc_shape_same(const scree_shape_info *a, const scree_shape_info *b) {
  SC_ASSERT(a && b);
  return a->type == b->type && a->material == b->material &&
      !memcmp(&a->radius, &b->radius, sizeof a->radius) &&
      !memcmp(&a->length, &b->length, sizeof a->length) && !memcmp(a->size, b->size, sizeof a->size) &&
      !memcmp(a->normal, b->normal, sizeof a->normal) &&
      !memcmp(a->position, b->position, sizeof a->position) &&
      !memcmp(a->orientation, b->orientation, sizeof a->orientation) &&
      !memcmp(a->own, b->own, sizeof a->own);
}
