/* Converts cells, shapes, contacts and column names of a frame to numbers and back. */
#include <math.h>
#include <stddef.h>
#include <string.h>
#include "io/trajectory/frame_codec.h"

void sc_frame_cell_pack(const scree_cell *cell, double out[SC_CELL_ROWS]) {
  memcpy(out, cell->matrix, sizeof cell->matrix);
  memcpy(out + 9, cell->gradient, sizeof cell->gradient);
  memcpy(out + 18, cell->origin, sizeof cell->origin);
  out[21] = cell->volume;
  out[22] = (cell->periodic[0] ? 1 : 0) + (cell->periodic[1] ? 2 : 0) + (cell->periodic[2] ? 4 : 0);
}

bool sc_frame_cell_unpack(const double in[SC_CELL_ROWS], scree_cell *cell) {
  *cell = (scree_cell){.volume = 0};
  bool regular = scree_cell_set(cell, in);
  memcpy(cell->gradient, in + 9, sizeof cell->gradient);
  memcpy(cell->origin, in + 18, sizeof cell->origin);
  for (int k = 0; k < 3; k++) cell->periodic[k] = in[22] >= 0 && in[22] <= 7 && (int)in[22] >> k & 1;
  return regular;
}

/* Returns the offset in scree_shape_info of the doubles of the shape column `id` [bytes]. */
static size_t place_of(int id) {
  switch (id) {
  case SC_COLUMN_SHAPE_RADIUS: return offsetof(scree_shape_info, radius);
  case SC_COLUMN_SHAPE_LENGTH: return offsetof(scree_shape_info, length);
  case SC_COLUMN_SHAPE_SIZE: return offsetof(scree_shape_info, size);
  case SC_COLUMN_SHAPE_NORMAL: return offsetof(scree_shape_info, normal);
  case SC_COLUMN_SHAPE_POSITION: return offsetof(scree_shape_info, position);
  case SC_COLUMN_SHAPE_OWN: return offsetof(scree_shape_info, own);
  default: return offsetof(scree_shape_info, orientation);
  }
}

int sc_frame_shape_components(int id) {
  switch (id) {
  case SC_COLUMN_SHAPE_SIZE:
  case SC_COLUMN_SHAPE_NORMAL:
  case SC_COLUMN_SHAPE_POSITION: return 3;
  case SC_COLUMN_SHAPE_ORIENTATION: return 4;
  case SC_COLUMN_SHAPE_OWN: return SCREE_SHAPE_OWN;
  default: return 1;
  }
}

uint64_t sc_frame_shape_word(const scree_shape_info *shape, int id, int component) {
  SC_ASSERT(shape && component < sc_frame_shape_components(id));
  switch (id) {
  case SC_COLUMN_SHAPE_BODY: return shape->body;
  case SC_COLUMN_SHAPE_TYPE: return (uint64_t)shape->type;
  case SC_COLUMN_SHAPE_MATERIAL: return (uint64_t)(int64_t)shape->material;
  default: return sc_bits(((const double *)((const char *)shape + place_of(id)))[component]);
  }
}

void sc_frame_set_shape_words(scree_shape_info *list, int64_t count, int id, const uint64_t *word) {
  SC_ASSERT(list && word);
  const int components = sc_frame_shape_components(id);
  const size_t place = place_of(id);
  switch (id) {
  case SC_COLUMN_SHAPE_BODY:
    for (int64_t i = 0; i < count; i++) list[i].body = word[i];
    return;
  case SC_COLUMN_SHAPE_TYPE:
    for (int64_t i = 0; i < count; i++) list[i].type = (int)word[i];
    return;
  case SC_COLUMN_SHAPE_MATERIAL:
    for (int64_t i = 0; i < count; i++) list[i].material = (int)word[i];
    return;
  default: break;
  }
  for (int64_t i = 0; i < count; i++)
    for (int c = 0; c < components; c++)
      ((double *)(void *)((char *)(list + i) + place))[c] = sc_from_bits(word[c * count + i]);
}

void sc_frame_set_contact(scree_frame_contact *contact, int id, int c, double value) {
  switch (id) {
  case SC_COLUMN_CONTACT_POINT: contact->point[c] = value; break;
  case SC_COLUMN_CONTACT_NORMAL: contact->normal[c] = value; break;
  case SC_COLUMN_CONTACT_GAP: contact->gap = value; break;
  case SC_COLUMN_CONTACT_FORCE: contact->force[c] = value; break;
  case SC_COLUMN_CONTACT_MOMENT: contact->moment[c] = value; break;
  default: contact->impulse[c] = value; break;
  }
}

void sc_frame_straighten(scree_frame_contact *contact, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    double *n = contact[i].normal, length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int c = 0; c < 3 && length > 0; c++) n[c] /= length;
  }
}

bool sc_frame_same_columns(const scree_frame *a, const scree_frame *b) {
  if (a->columns != b->columns) return false;
  for (int32_t k = 0; k < a->columns; k++)
    if (strcmp(a->column[k].name, b->column[k].name) || strcmp(a->column[k].unit, b->column[k].unit))
      return false;
  return true;
}

void sc_frame_column_words(const scree_column *list, int32_t count, uint64_t *word) {
  for (int32_t k = 0; k < count; k++)
    for (int c = 0; c < SC_COLUMN_TEXTS; c++) {
      const char *text = c < SC_COLUMN_TEXTS / 2 ? list[k].name : list[k].unit;
      word[k * SC_COLUMN_TEXTS + c] = (unsigned char)text[c % (SC_COLUMN_TEXTS / 2)];
    }
}

void sc_frame_set_column_words(scree_column *list, int32_t count, const uint64_t *word) {
  memset(list, 0, (size_t)count * sizeof *list);
  for (int32_t k = 0; k < count; k++)
    for (int c = 0; c < SC_COLUMN_TEXTS; c++) {
      char *text = c < SC_COLUMN_TEXTS / 2 ? list[k].name : list[k].unit;
      const int at = c % (SC_COLUMN_TEXTS / 2);
      if (at < SCREE_COLUMN_TEXT) text[at] = (char)word[k * SC_COLUMN_TEXTS + c];
    }
}
