/* Reduces the present frame to the bodies that the caller chose (scree_export_def.choice). */
#include "io/export/export.h"

#include "model/frame.h"

static bool is_chosen(const scree_frame_choice *choice, const scree_frame *f, int64_t row) {
  return sc_frame_choice_has(choice, f->id[row], f->group[row]);
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
    if (chosen) sc_frame_store_copy_body(out, to++, f, row);
    for (; s < f->shapes && f->shape[s].body == f->id[row]; s++)
      if (chosen) out->shape[shape++] = f->shape[s];
  }
  out->frame.contacts = copy_contacts(f, out);
  sc_frame_store_copy_head(out, f);
  ex->frame = &out->frame;
  return SCREE_OK;
}
