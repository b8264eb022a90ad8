/* Rows of shapes, linked per body, and the forms of those that are no balls. */
#include "model/shapes.h"
#include "scree/geometry.h"

void sc_shapes_free(sc_shapes *shapes) {
  for (int32_t form = 0; form < shapes->forms; form++)
    if (shapes->form[form].type >= 0) scree_geometry_release(shapes->form[form].geometry);
  sc_free(shapes->row);
  sc_free(shapes->form);
  *shapes = (sc_shapes){0};
}

size_t sc_shapes_bytes(const sc_shapes *shapes) {
  return shapes->capacity * sizeof *shapes->row + shapes->form_capacity * sizeof *shapes->form;
}

bool sc_shapes_reserve(sc_shapes *shapes, int32_t more, int32_t forms) {
  SC_ASSERT(more >= 0 && forms >= 0);
  return SC_GROW_LEAN(shapes->row, shapes->capacity, (size_t)shapes->count + (size_t)more) &&
      SC_GROW_LEAN(shapes->form, shapes->form_capacity, (size_t)shapes->forms + (size_t)forms);
}

/* Whether a row holds all of a shape, so that it needs no form. */
static bool is_ball(const sc_shape *s) {
  for (int k = 0; k < 3; k++)
    if (s->extent[k] != 0 || s->position[k] != 0 || s->orientation[1 + k] != 0) return false;
  return s->type == SCREE_SPHERE && s->serial == 0 && s->half == 0 && s->orientation[0] == 1 &&
      s->bound == s->radius && !s->geometry && s->layers <= 1 && !s->avoids;
}

void sc_shapes_get(const sc_shapes *shapes, int32_t row, sc_shape *out) {
  SC_ASSERT(row >= 0 && row < shapes->count && out);
  const sc_shape_row *from = shapes->row + row;
  if (from->form >= 0) *out = shapes->form[from->form];
  else
    *out = (sc_shape){.type = SCREE_SPHERE,
        .material = from->material,
        .radius = from->bound,
        .orientation = {1, 0, 0, 0},
        .bound = from->bound,
        .layers = 1};
}

int32_t sc_shapes_of(const sc_shapes *shapes, const sc_bodies *bodies, int32_t body) {
  SC_ASSERT(body >= 0 && body < bodies->count);
  int32_t count = 0;
  for (int32_t s = bodies->first_shape[body]; s >= 0; s = shapes->row[s].next) count++;
  return count;
}

/* A free form; room must be there. */
static int32_t take_form(sc_shapes *shapes) {
  if (!shapes->forms) shapes->free_form = -1;
  if (shapes->free_form < 0) return shapes->forms++;
  int32_t form = shapes->free_form;
  shapes->free_form = shapes->form[form].material;
  return form;
}

static void drop_form(sc_shapes *shapes, int32_t form) {
  if (form < 0) return;
  scree_geometry_release(shapes->form[form].geometry);
  shapes->form[form] = (sc_shape){.type = -1, .material = shapes->free_form};
  shapes->free_form = form;
}

int32_t sc_shapes_append(sc_shapes *shapes, int32_t body, const sc_shape *shape) {
  SC_ASSERT(body >= 0 && shape);
  int32_t row = shapes->count++, form = is_ball(shape) ? -1 : take_form(shapes);
  shapes->row[row] = (sc_shape_row){
      .body = body, .next = -1, .material = shape->material, .form = form, .bound = shape->bound};
  if (form < 0) return row;
  shapes->form[form] = *shape;
  scree_geometry_retain(shape->geometry);
  return row;
}

void sc_shapes_attach(sc_shapes *shapes, sc_bodies *bodies, int32_t body, const sc_shape *shape) {
  SC_ASSERT(body >= 0 && body < bodies->count && shape);
  int32_t *link = &bodies->first_shape[body];
  while (*link >= 0) link = &shapes->row[*link].next;
  *link = sc_shapes_append(shapes, body, shape);
}

/* The link (a body's first_shape or a shape's next) that points at shape row `row`. */
static int32_t *link_to(sc_shapes *shapes, sc_bodies *bodies, int32_t row) {
  int32_t *link = &bodies->first_shape[shapes->row[row].body];
  while (*link != row) link = &shapes->row[*link].next;
  return link;
}

int32_t sc_shapes_detach(sc_shapes *shapes, sc_bodies *bodies, int32_t row) {
  SC_ASSERT(row >= 0 && row < shapes->count);
  *link_to(shapes, bodies, row) = shapes->row[row].next;
  drop_form(shapes, shapes->row[row].form);
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
  size_t rows = (size_t)shapes->count * sizeof *shapes->row,
         forms = (size_t)shapes->forms * sizeof *shapes->form;
  return rows > forms ? rows : forms;
}

/* Rows in the order of the bodies and, within a body, of its list. */
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

/* Forms in the order of rows, without holes. */
static void permute_forms(sc_shapes *shapes, sc_shape *scratch) {
  int32_t count = 0;
  for (int32_t row = 0; row < shapes->count && shapes->forms; row++) {
    int32_t form = shapes->row[row].form;
    if (form < 0) continue;
    scratch[count] = shapes->form[form];
    shapes->row[row].form = count++;
  }
  if (count) memcpy(shapes->form, scratch, (size_t)count * sizeof *scratch);
  shapes->forms = count;
  shapes->free_form = -1;
}

void sc_shapes_permute(sc_shapes *shapes, sc_bodies *bodies, int32_t *map, void *scratch) {
  permute_rows(shapes, bodies, map, scratch);
  permute_forms(shapes, scratch);
}
