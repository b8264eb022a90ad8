/* Contacts of a frame, found anew from its shapes.
 *
 * A world with the shapes of the frame at rest and without gravity makes one short step. Its contacts are
 * those of shapes that touch, or whose gap is within the margin of a world. */
#include "plot/plot_touch.h"

#include <stdlib.h>

#include "cli.h"

/* length of the step [s]; all bodies are at rest */
static const double SHORT_STEP = 1e-9;

static scree_shape_def define_shape(const scree_shape_info *s) {
  scree_shape_def def = scree_shape_defaults();
  def.type = s->type, def.radius = s->radius, def.length = s->length, def.geometry = s->geometry;
  for (int k = 0; k < 3; k++)
    def.size[k] = s->size[k], def.normal[k] = s->normal[k], def.position[k] = s->position[k];
  for (int k = 0; k < 4; k++) def.orientation[k] = s->orientation[k];
  for (int k = 0; k < SCREE_SHAPE_OWN; k++) def.own[k] = s->own[k];
  return def;
}

/* Adds the body in a row with its shapes. Masses do not matter, so all are 1. Returns its id, 0 on error. */
static scree_id add_body(scree_world *w, const scree_frame *f, int64_t row, scree_shape_def *shapes,
    int count, scree_error *error) {
  scree_body_def def = scree_body_defaults();
  def.kind = f->kind[row] == SCREE_DYNAMIC ? SCREE_DYNAMIC : SCREE_FIXED;
  def.shapes = shapes, def.shapes_count = count;
  for (int k = 0; k < 3; k++) def.position[k] = f->position[3 * row + k];
  for (int k = 0; k < 4; k++) def.orientation[k] = f->orientation[4 * row + k];
  if (def.kind == SCREE_DYNAMIC) {
    def.mass = def.inertia[0] = def.inertia[3] = def.inertia[5] = 1;
    def.has_centre = 1; /* shapes are relative to the centre of mass */
  }
  return scree_world_add(w, &def, error);
}

/* Adds the bodies of a frame. of[i]: set to the row of the body with the id i + 1. Returns true on success.
 */
static int add_bodies(
    scree_world *w, const scree_frame *f, scree_shape_def *shapes, int64_t *of, scree_error *error) {
  int64_t made = 0;
  for (int64_t row = 0, s = 0; row < f->bodies; row++) {
    int count = 0;
    while (s < f->shapes && f->shape[s].body < f->id[row]) s++;
    for (; s < f->shapes && f->shape[s].body == f->id[row]; s++) shapes[count++] = define_shape(f->shape + s);
    if (!count) continue;
    if (add_body(w, f, row, shapes, count, error) != (scree_id)(made + 1)) return 0;
    of[made++] = row;
  }
  return 1;
}

/* Copies the contacts of the world with the ids of the frame. */
static int copy_contacts(const scree_world *w, const scree_frame *f, const int64_t *of, touch_list *out) {
  scree_error error;
  scree_frame_buffer *buffer = scree_frame_buffer_create();
  const scree_frame *now = buffer ? scree_frame_capture(buffer, w, SCREE_FRAME_CONTACTS, &error) : NULL;
  out->contact = now ? malloc(((size_t)now->contacts + 1) * sizeof *out->contact) : NULL;
  for (int64_t k = 0; out->contact && k < now->contacts; k++) {
    out->contact[k] = now->contact[k];
    out->contact[k].body1 = f->id[of[now->contact[k].body1 - 1]];
    out->contact[k].body2 = f->id[of[now->contact[k].body2 - 1]];
    out->count = k + 1;
  }
  scree_frame_buffer_destroy(buffer);
  return out->contact != NULL;
}

int touch_find(const scree_frame *f, touch_list *out) {
  scree_error error = {SCREE_OK, ""};
  scree_world_def def = scree_world_defaults();
  *out = (touch_list){NULL, 0};
  if (f->has_cell) return 0;
  for (int k = 0; k < 3; k++) def.gravity[k] = 0;
  def.dt = SHORT_STEP, def.erp = 0;
  scree_world *w = scree_world_create(&def, &error);
  scree_shape_def *shapes = malloc(((size_t)f->shapes + 1) * sizeof *shapes);
  int64_t *of = malloc(((size_t)f->bodies + 1) * sizeof *of);
  const int fine = w && shapes && of && add_bodies(w, f, shapes, of, &error) &&
      !scree_world_step(w, 1, &error) && copy_contacts(w, f, of, out);
  free(shapes);
  free(of);
  if (w) scree_world_destroy(w);
  return fine;
}

void touch_free(touch_list *list) { free(list->contact); }
