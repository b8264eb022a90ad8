/* Table of shapes: rows, linked per body; slots and forms of shapes that are not balls (shapes.h). */
#include "model/shapes.h"
#include "scree/geometry.h"

static const sc_shape *form_of(const sc_shapes *shapes, int32_t form) {
  return sc_alike_row(&shapes->form, form);
}

void sc_shapes_free(sc_shapes *shapes) {
  for (int32_t form = 0; form < shapes->form.rows; form++)
    if (sc_alike_users(&shapes->form, form)) scree_geometry_release(form_of(shapes, form)->geometry);
  sc_alike_free(&shapes->form);
  sc_free(shapes->row);
  sc_free(shapes->slot);
  *shapes = (sc_shapes){0};
}

size_t sc_shapes_bytes(const sc_shapes *shapes) {
  return shapes->capacity * sizeof *shapes->row + shapes->slot_capacity * sizeof *shapes->slot +
      sc_alike_bytes(&shapes->form);
}

bool sc_shapes_reserve(sc_shapes *shapes, int32_t more, int32_t forms) {
  SC_ASSERT(more >= 0 && forms >= 0);
  return SC_GROW_LEAN(shapes->row, shapes->capacity, (size_t)shapes->count + (size_t)more) &&
      SC_GROW_LEAN(shapes->slot, shapes->slot_capacity, (size_t)shapes->slots + (size_t)forms) &&
      sc_alike_reserve(&shapes->form, sizeof(sc_shape), (size_t)forms);
}

/* Returns true if the shape is a ball, whose row needs no form. */
static bool is_ball(const sc_shape *s) {
  for (int k = 0; k < 3; k++)
    if (s->extent[k] != 0 || s->position[k] != 0 || s->orientation[1 + k] != 0) return false;
  return s->type == SCREE_SPHERE && s->serial == 0 && s->half == 0 && s->orientation[0] == 1 &&
      s->bound == s->radius && !s->geometry && s->layers <= 1 && !s->avoids;
}

void sc_shapes_get(const sc_shapes *shapes, int32_t row, sc_shape *out) {
  SC_ASSERT(row >= 0 && row < shapes->count && out);
  const sc_shape_row *from = shapes->row + row;
  const sc_shape *form = sc_shapes_form(shapes, row);
  if (form) *out = *form;
  else
    *out = (sc_shape){.type = SCREE_SPHERE,
        .material = from->material,
        .radius = from->bound,
        .orientation = {1, 0, 0, 0},
        .bound = from->bound,
        .layers = 1};
}

/* Returns true if all forms have one of the given types. types: bit t for the type t. */
static bool are_all(const sc_shapes *shapes, uint32_t types) {
  for (int32_t form = 0; form < shapes->form.rows; form++)
    if (sc_alike_users(&shapes->form, form) && !(types >> form_of(shapes, form)->type & 1)) return false;
  return true;
}

bool sc_shapes_plain(const sc_shapes *shapes) {
  return are_all(shapes, 1u << SCREE_SPHERE | 1u << SCREE_HALFSPACE);
}

bool sc_shapes_closed(const sc_shapes *shapes) {
  return are_all(shapes, 1u << SCREE_SPHERE | 1u << SCREE_CAPSULE | 1u << SCREE_HALFSPACE);
}

int32_t sc_shapes_of(const sc_shapes *shapes, const sc_bodies *bodies, int32_t body) {
  SC_ASSERT(body >= 0 && body < bodies->count);
  int32_t count = 0;
  for (int32_t s = bodies->first_shape[body]; s >= 0; s = shapes->row[s].next) count++;
  return count;
}

/* Returns a slot (an index that the shape's row stores) that refers to the form (the shared data) of a shape.
 * Adds the form if no shape has it yet. Memory must have been reserved. */
static int32_t add_slot(sc_shapes *shapes, const sc_shape *shape) {
  if (!shapes->slots) shapes->free_slot = -1;
  int32_t slot = shapes->free_slot, form = sc_alike_take(&shapes->form, sizeof *shape, shape);
  SC_ASSERT(form >= 0);
  if (slot < 0) slot = shapes->slots++;
  else shapes->free_slot = shapes->slot[slot];
  shapes->slot[slot] = form;
  if (sc_alike_users(&shapes->form, form) == 1) scree_geometry_retain(shape->geometry);
  return slot;
}

static void drop_slot(sc_shapes *shapes, int32_t slot) {
  if (slot < 0) return;
  const int32_t form = shapes->slot[slot];
  if (sc_alike_drop(&shapes->form, form)) scree_geometry_release(form_of(shapes, form)->geometry);
  shapes->slot[slot] = shapes->free_slot;
  shapes->free_slot = slot;
}

int32_t sc_shapes_append(sc_shapes *shapes, int32_t body, const sc_shape *shape) {
  SC_ASSERT(body >= 0 && shape);
  int32_t row = shapes->count++, slot = is_ball(shape) ? -1 : add_slot(shapes, shape);
  shapes->row[row] = (sc_shape_row){
      .body = body, .next = -1, .material = shape->material, .slot = slot, .bound = shape->bound};
  return row;
}

void sc_shapes_attach(sc_shapes *shapes, sc_bodies *bodies, int32_t body, const sc_shape *shape) {
  SC_ASSERT(body >= 0 && body < bodies->count && shape);
  int32_t *link = &bodies->first_shape[body];
  while (*link >= 0) link = &shapes->row[*link].next;
  *link = sc_shapes_append(shapes, body, shape);
}

/* Returns the link that contains `row`: first_shape of its body, or `next` of another shape. */
static int32_t *link_to(sc_shapes *shapes, sc_bodies *bodies, int32_t row) {
  int32_t *link = &bodies->first_shape[shapes->row[row].body];
  while (*link != row) link = &shapes->row[*link].next;
  return link;
}

int32_t sc_shapes_detach(sc_shapes *shapes, sc_bodies *bodies, int32_t row) {
  SC_ASSERT(row >= 0 && row < shapes->count);
  *link_to(shapes, bodies, row) = shapes->row[row].next;
  drop_slot(shapes, shapes->row[row].slot);
  int32_t last = shapes->count - 1;
  if (row != last) {
    *link_to(shapes, bodies, last) = row;
    shapes->row[row] = shapes->row[last];
  }
  shapes->count--;
  return last;
}

void sc_shapes_body_moved(sc_shapes *shapes, const sc_bodies *bodies, int32_t body) {
  SC_ASSERT(body >= 0 && body < bodies->count);
  for (int32_t s = bodies->first_shape[body]; s >= 0; s = shapes->row[s].next) shapes->row[s].body = body;
}

size_t sc_shapes_scratch(const sc_shapes *shapes) {
  size_t rows = (size_t)shapes->count * sizeof *shapes->row, forms = sc_alike_scratch(&shapes->form);
  return rows > forms ? rows : forms;
}

/* Sorts the rows in the order of the bodies. Shapes of one body remain in the order of the body's list. map:
 * [rows] receives the old row of each new row. */
static void permute_rows(sc_shapes *shapes, sc_bodies *bodies, int32_t *map, sc_shape_row *scratch) {
  int32_t count = 0;
  for (int32_t body = 0; body < bodies->count; body++) {
    int32_t *link = &bodies->first_shape[body];
    for (int32_t s = *link, next; s >= 0; s = next) {
      next = shapes->row[s].next;
      scratch[count] = shapes->row[s];
      scratch[count].body = body;
      scratch[count].next = -1;
      map[count] = s;
      *link = count;
      link = &scratch[count].next;
      count++;
    }
  }
  if (count) memcpy(shapes->row, scratch, (size_t)count * sizeof *scratch);
}

/* Sorts the slots in the order of the rows that use them, and drops free slots. */
static void permute_slots(sc_shapes *shapes, int32_t *scratch) {
  int32_t count = 0;
  for (int32_t row = 0; row < shapes->count; row++) {
    int32_t *slot = &shapes->row[row].slot;
    if (*slot < 0) continue;
    scratch[count] = shapes->slot[*slot];
    *slot = count++;
  }
  if (count) memcpy(shapes->slot, scratch, (size_t)count * sizeof *scratch);
  shapes->slots = count;
  shapes->free_slot = -1;
}

void sc_shapes_permute(sc_shapes *shapes, sc_bodies *bodies, int32_t *map, void *scratch) {
  permute_rows(shapes, bodies, map, scratch);
  permute_slots(shapes, scratch);
  sc_alike_order(&shapes->form, shapes->slot, shapes->slots, scratch);
}
