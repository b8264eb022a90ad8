/* Exports of chosen bodies: a copy of the present frame that contains only them. */
#include "io/export/export.h"

#include <string.h>

#include "model/frame.h"

static bool is_chosen(const scree_frame_choice *choice, const scree_frame *f, int64_t row) {
  return sc_frame_choice_has(choice, f->id[row], f->group[row]);
}

static void copy_chosen_row(const double *from, int64_t row, int width, int64_t to, double *out) {
  if (from) memcpy(out + width * to, from + width * row, (size_t)width * sizeof *out);
}

static void copy_chosen_body(const scree_frame *f, int64_t row, int64_t to, sc_frame_store *out) {
  out->id[to] = f->id[row], out->group[to] = f->group[row], out->kind[to] = f->kind[row];
  out->radius[to] = f->radius[row], out->mass[to] = f->mass[row];
  copy_chosen_row(f->position, row, 3, to, out->position);
  copy_chosen_row(f->orientation, row, 4, to, out->orientation);
  copy_chosen_row(f->velocity, row, 3, to, out->velocity);
  copy_chosen_row(f->spin, row, 3, to, out->spin);
  copy_chosen_row(f->value, row, (int)f->columns, to, out->value);
  copy_chosen_row(f->inertia, row, 6, to, out->inertia);
}

static int64_t copy_contacts(const scree_frame *f, sc_frame_store *out) {
  int64_t count = 0;
  for (int64_t i = 0; i < f->contacts; i++) {
    const scree_frame_contact *c = f->contact + i;
    if (scree_frame_row(&out->frame, c->body1) >= 0 || scree_frame_row(&out->frame, c->body2) >= 0)
      out->contact[count++] = *c;
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
  if (!sc_frame_store_shape(out, bodies, shapes, f->contacts, sc_frame_fields(f)) ||
      !sc_frame_store_columns(out, f->column, f->columns) || (f->inertia && !sc_frame_store_inertia(out)))
    return sc_export_no_memory(error);
  int64_t to = 0, shape = 0;
  for (int64_t row = 0, s = 0; row < f->bodies; row++) {
    const bool chosen = is_chosen(&ex->def->choice, f, row);
    if (chosen) copy_chosen_body(f, row, to++, out);
    for (; s < f->shapes && f->shape[s].body == f->id[row]; s++)
      if (chosen) out->shape[shape++] = f->shape[s];
  }
  out->frame.contacts = copy_contacts(f, out);
  out->frame.time = f->time, out->frame.step = f->step, out->frame.dt = f->dt;
  out->frame.forces = f->forces, out->frame.images = f->images;
  out->frame.has_cell = f->has_cell, out->frame.cell = f->cell;
  ex->frame = &out->frame;
  return SCREE_OK;
}
