/* Rows of shapes, linked per body. */
#include "model/shapes.h"
#include "scree/geometry.h"

void sc_shapes_free(sc_shapes *shapes) {
  for (int32_t row = 0; row < shapes->count; row++) scree_geometry_release(shapes->row[row].geometry);
  sc_free(shapes->row);
  *shapes = (sc_shapes){0};
}

bool sc_shapes_reserve(sc_shapes *shapes, int32_t more) {
  return SC_GROW(shapes->row, shapes->capacity, (size_t)shapes->count + (size_t)more);
}

/* The link (a body's first_shape or a shape's next) that points at shape row `row`. */
static int32_t *link_to(sc_shapes *shapes, sc_bodies *bodies, int32_t row) {
  int32_t *link = &bodies->first_shape[shapes->row[row].body];
  while (*link != row) link = &shapes->row[*link].next;
  return link;
}

void sc_shapes_attach(sc_shapes *shapes, sc_bodies *bodies, const sc_shape *shape) {
  int32_t row = shapes->count++;
  shapes->row[row] = *shape;
  shapes->row[row].next = -1;
  scree_geometry_retain(shape->geometry);
  int32_t *link = &bodies->first_shape[shape->body];
  while (*link >= 0) link = &shapes->row[*link].next;
  *link = row;
  bodies->shapes_count[shape->body]++;
}

int32_t sc_shapes_detach(sc_shapes *shapes, sc_bodies *bodies, int32_t row) {
  *link_to(shapes, bodies, row) = shapes->row[row].next;
  bodies->shapes_count[shapes->row[row].body]--;
  scree_geometry_release(shapes->row[row].geometry);
  int32_t last = shapes->count - 1;
  if (row != last) {
    *link_to(shapes, bodies, last) = row;
    shapes->row[row] = shapes->row[last];
  }
  shapes->count--;
  return last;
}

void sc_shapes_body_moved(sc_shapes *shapes, const sc_bodies *bodies, int32_t body) {
  for (int32_t s = bodies->first_shape[body]; s >= 0; s = shapes->row[s].next) shapes->row[s].body = body;
}

void sc_shapes_permute(sc_shapes *shapes, sc_bodies *bodies, int32_t *map, sc_shape *scratch) {
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
  for (int32_t s = 0; s < count; s++) shapes->row[s] = scratch[s];
}
