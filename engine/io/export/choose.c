/* Exports of chosen bodies: the present frame without all others. */
#include "io/export/export.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b) {
  const scree_id x = *(const scree_id *)a, y = *(const scree_id *)b;
  return (x > y) - (x < y);
}

static bool has_id(const scree_frame_choice *choice, scree_id id) {
  return choice->ids && bsearch(&id, choice->id, (size_t)choice->ids, sizeof id, by_id);
}

static bool is_chosen(const scree_frame_choice *choice, const scree_frame *f, int64_t row) {
  for (int64_t i = 0; i < choice->groups; i++)
    if (choice->group[i] == f->group[row]) return true;
  return has_id(choice, f->id[row]);
}

static void copy_row(const double *from, int64_t row, int width, int64_t to, double *out) {
  if (from) memcpy(out + width * to, from + width * row, (size_t)width * sizeof *out);
}

static void copy_body(const scree_frame *f, int64_t row, int64_t to, sc_frame_store *out) {
  out->id[to] = f->id[row], out->group[to] = f->group[row], out->kind[to] = f->kind[row];
  out->radius[to] = f->radius[row], out->mass[to] = f->mass[row];
  copy_row(f->position, row, 3, to, out->position);
  copy_row(f->orientation, row, 4, to, out->orientation);
  copy_row(f->velocity, row, 3, to, out->velocity);
  copy_row(f->spin, row, 3, to, out->spin);
}

static int64_t copy_contacts(const scree_frame *f, sc_frame_store *out) {
  int64_t count = 0;
  for (int64_t i = 0; i < f->contacts; i++) {
    const scree_frame_contact *c = f->contact + i;
    bool touches = false;
    for (int k = 0; k < 2 && !touches; k++) {
      const scree_id id = k ? c->body2 : c->body1;
      touches = out->frame.bodies &&
          bsearch(&id, out->id, (size_t)out->frame.bodies, sizeof id, by_id) != NULL;
    }
    if (touches) out->contact[count++] = *c;
  }
  return count;
}

scree_status sc_export_choose(sc_export *ex, scree_error *error) {
  const scree_frame *f = ex->frame;
  sc_frame_store *out = &ex->chosen;
  int64_t bodies = 0, shapes = 0;
  for (int64_t row = 0, s = 0; row < f->bodies; row++) {
    const bool chosen = is_chosen(&ex->def->choice, f, row);
    bodies += chosen;
    for (; s < f->shapes && f->shape[s].body == f->id[row]; s++) shapes += chosen;
  }
  if (!sc_frame_store_shape(out, bodies, shapes, f->contacts, sc_frame_fields(f)))
    return sc_export_no_memory(error);
  int64_t to = 0, shape = 0;
  for (int64_t row = 0, s = 0; row < f->bodies; row++) {
    const bool chosen = is_chosen(&ex->def->choice, f, row);
    if (chosen) copy_body(f, row, to++, out);
    for (; s < f->shapes && f->shape[s].body == f->id[row]; s++)
      if (chosen) out->shape[shape++] = f->shape[s];
  }
  out->frame.contacts = copy_contacts(f, out);
  out->frame.time = f->time, out->frame.step = f->step;
  out->frame.forces = f->forces, out->frame.images = f->images;
  out->frame.has_cell = f->has_cell, out->frame.cell = f->cell;
  ex->frame = &out->frame;
  return SCREE_OK;
}
