/* Functions for frames: find bodies and columns, compute inertia, and wrap positions into the cell for
 * display. */
#include "model/frame.h"
#include "base/base.h"
#include "model/cell.h"

#include <stdlib.h>
#include <string.h>

void scree_frame_inertia(const scree_frame *frame, int64_t row, double inertia[6]) {
  static const double none[6];
  SC_DEMAND(frame && inertia && row >= 0 && row < frame->bodies, NULL, );
  memcpy(inertia, frame->inertia ? frame->inertia + 6 * row : none, sizeof none);
  if (frame->kind[row] != SCREE_DYNAMIC || memcmp(inertia, none, sizeof none)) return;
  inertia[0] = inertia[3] = inertia[5] = 0.4 * frame->mass[row] * frame->radius[row] * frame->radius[row];
}

int64_t scree_frame_row(const scree_frame *frame, scree_id body) {
  SC_DEMAND(frame, NULL, -1);
  int64_t low = 0, high = frame->bodies;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (frame->id[middle] < body) low = middle + 1;
    else high = middle;
  }
  return low < frame->bodies && frame->id[low] == body ? low : -1;
}

int32_t scree_frame_column(const scree_frame *frame, const char *name) {
  SC_DEMAND(frame && name, NULL, -1);
  for (int32_t k = 0; k < frame->columns; k++)
    if (!strcmp(frame->column[k].name, name)) return k;
  return -1;
}

scree_shown scree_frame_shown(const scree_frame *f, int64_t row) {
  SC_DEMAND(f && row >= 0 && row < f->bodies, NULL, (scree_shown){0});
  scree_shown s = {.image = {0, 0, 0}};
  if (f->position) sc_copy3(f->position + 3 * row, s.position);
  if (f->velocity) sc_copy3(f->velocity + 3 * row, s.velocity);
  if (!f->has_cell || !f->position) return s;
  const sc_cell cell = sc_cell_from(&f->cell);
  const sc_image image = sc_cell_wrap(&cell, f->position + 3 * row, s.position);
  double drift[3];
  memcpy(s.image, image.n, sizeof s.image);
  sc_cell_drift(&cell, &image, drift);
  if (f->velocity) sc_sub(s.velocity, drift, s.velocity);
  return s;
}

void sc_frame_shift(const scree_frame *f, const scree_frame_contact *contact, double shift[3]) {
  const double n[3] = {(double)contact->image[0], (double)contact->image[1], (double)contact->image[2]};
  if (f->has_cell) sc_mat_vec(f->cell.matrix, n, shift);
  else sc_set3(0, 0, 0, shift);
}

/* Sets end to an end of the line that shows a contact: the centre of a dynamic body plus d. For any other
 * body, sets end to `point`. */
static void end_of(
    const scree_frame *f, scree_id body, const double d[3], const double point[3], double end[3]) {
  const int64_t row = scree_frame_row(f, body);
  if (row < 0 || f->kind[row] != SCREE_DYNAMIC || !f->position) sc_copy3(point, end);
  else sc_add(f->position + 3 * row, d, end);
}

scree_shown_contact scree_frame_shown_contact(const scree_frame *f, const scree_frame_contact *contact) {
  SC_DEMAND(f && contact, NULL, (scree_shown_contact){0});
  scree_shown_contact s;
  double move[3], beside[3];
  int32_t wraps[3];
  sc_copy3(contact->point, s.point);
  if (f->has_cell) scree_cell_wrap(&f->cell, contact->point, s.point, wraps);
  sc_sub(s.point, contact->point, move);
  sc_frame_shift(f, contact, beside);
  sc_add(beside, move, beside);
  end_of(f, contact->body1, move, s.point, s.end1);
  end_of(f, contact->body2, beside, s.point, s.end2);
  return s;
}

static int by_id(const void *a, const void *b) {
  const scree_id x = *(const scree_id *)a, y = *(const scree_id *)b;
  return (x > y) - (x < y);
}

bool sc_frame_choice_has(const scree_frame_choice *choice, scree_id id, int64_t group) {
  SC_ASSERT(choice);
  for (int64_t i = 0; i < choice->groups; i++)
    if (choice->group[i] == group) return true;
  return choice->ids && bsearch(&id, choice->id, (size_t)choice->ids, sizeof id, by_id);
}
