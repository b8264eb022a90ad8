/* Fuzzing the restart behind the checksums: the sections of a real checkpoint, edited. Loading may
 * refuse them; what it takes must be fit for stepping and saving. Nothing may crash, hang or leak.
 *
 * Input: edits.h, of a world in a periodic cell where its size is odd. Corpus in corpus/checkpoint, replayed
 * by unit/io/fuzz_replay.c in every build. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/edits.h"
#include "scree/checkpoint.h"
#include "scree/scree.h"

static scree_id restart_add(scree_world *w, int type, double x, double z) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  scree_error error;
  shape.type = type, shape.radius = 0.1, shape.length = 0.2;
  for (int k = 0; k < 3; k++) shape.size[k] = 0.2;
  body.shapes = &shape, body.shapes_count = 1;
  if (type == SCREE_HALFSPACE) shape.normal[2] = 1, body.kind = SCREE_FIXED;
  body.position[0] = x, body.position[2] = z;
  return scree_world_add(w, &body, &error);
}

/* A floor, one body of each simple shape in touch with it, two of them joined, one removed. */
static scree_world *restart_make(void) {
  scree_error error;
  scree_world_def def = scree_world_defaults();
  def.dt = 1e-3, def.gravity[2] = -9.81, def.solver.iterations = 5;
  scree_world *w = scree_world_create(&def, &error);
  if (!w) return NULL;
  restart_add(w, SCREE_HALFSPACE, 0, 0);
  restart_add(w, SCREE_SPHERE, 0, 0.099);
  scree_id b = restart_add(w, SCREE_SPHERE, 0.199, 0.1), c = restart_add(w, SCREE_BOX, 0.5, 0.1);
  restart_add(w, SCREE_CAPSULE, 0.9, 0.1);
  scree_joint_def joint = scree_joint_defaults(SCREE_JOINT_BALL);
  joint.a = b, joint.b = c, joint.at[0] = 0.35, joint.at[2] = 0.1;
  scree_world_add_joint(w, &joint, &error);
  scree_world_remove(w, restart_add(w, SCREE_SPHERE, -1, 1), &error);
  return w;
}

/* A periodic cell of grains that liquid bridges hold; a bond that breaks, shapes in layers of their own. */
static scree_world *restart_make_cell(void) {
  scree_error error;
  scree_world_def def = scree_world_defaults();
  def.dt = 1e-3, def.solver.iterations = 5;
  for (int k = 0; k < 3; k++) def.cell.size[k] = 1, def.cell.periodic[k] = 1;
  scree_world *w = scree_world_create(&def, &error);
  if (!w) return NULL;
  scree_pair_def pair = {.law = "coulomb",
      .params = {0.3},
      .cohesion = {.law = SCREE_COHESION_CAPILLARY, .volume = 1e-6, .tension = 0.07}};
  if (scree_world_set_pair(w, &pair, &error)) abort();
  scree_id a = restart_add(w, SCREE_SPHERE, 0.3, 0.5), b = restart_add(w, SCREE_SPHERE, 0.499, 0.5);
  restart_add(w, SCREE_BOX, 0.95, 0.5), restart_add(w, SCREE_CAPSULE, 0.1, 0.5);
  scree_joint_def joint = scree_joint_defaults(SCREE_JOINT_FIXED);
  joint.a = a, joint.b = b, joint.at[0] = 0.4, joint.at[2] = 0.5, joint.axis[0] = 1;
  joint.drive.stiffness = 1e3, joint.drive.damping = 1, joint.turn_stiffness = 10, joint.turn_damping = 0.01;
  joint.break_tension = 50, joint.break_shear = 50, joint.break_bending = 1;
  if (!scree_world_add_joint(w, &joint, &error)) abort();
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = SCREE_SPHERE, shape.radius = 0.1, shape.layers = 2, shape.avoids = 1;
  body.shapes = &shape, body.shapes_count = 1, body.position[0] = 0.3;
  scree_world_add(w, &body, &error);
  return w;
}

static scree_world *restart_make_one(bool cell) { return cell ? restart_make_cell() : restart_make(); }

/* The sections of a checkpoint after a few steps; made once. */
static scree_checkpoint *restart_whole(bool cell) {
  static scree_checkpoint *whole[2];
  scree_error error;
  if (whole[cell]) return whole[cell];
  scree_world *w = restart_make_one(cell);
  whole[cell] = scree_checkpoint_create();
  for (int k = 0; k < 5; k++) scree_world_step(w, 1, &error);
  if (scree_world_save(w, whole[cell], &error)) abort();
  scree_world_destroy(w);
  return whole[cell];
}

/* A copy of the sections with the edits carried out. */
static scree_checkpoint *restart_edited(const uint8_t *data, size_t size, bool cell) {
  scree_checkpoint *whole = restart_whole(cell), *out = scree_checkpoint_create();
  sc_sections sections = {0};
  scree_error error;
  const char *name;
  for (int64_t k = 0; (name = scree_checkpoint_section(whole, k, &(size_t){0})); k++) {
    size_t length;
    const void *bytes = scree_checkpoint_get(whole, name, &length, &error);
    if (sc_section_write(&sections, name, bytes, length, NULL)) abort();
  }
  sc_sections edited = edited_sections(&sections, data, size);
  for (size_t k = 0; k < edited.count; k++)
    if (scree_checkpoint_put(out, edited.row[k].name, edited.row[k].bytes, edited.row[k].size, &error))
      abort();
  sc_sections_free(&edited);
  sc_sections_free(&sections);
  return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bool cell = size % 2;
  scree_checkpoint *edited = restart_edited(data, size, cell), *again = scree_checkpoint_create();
  scree_world *w = restart_make_one(cell);
  scree_error error;
  scree_checkpoint_info info;
  scree_checkpoint_about(edited, &info, &error);
  if (scree_world_load(w, edited, &error) == SCREE_OK) {
    for (int k = 0; k < 3; k++)
      if (scree_world_step(w, 1, &error)) break;
    scree_world_save(w, again, &error);
  }
  scree_world_destroy(w);
  scree_checkpoint_destroy(edited);
  scree_checkpoint_destroy(again);
  return 0;
}
