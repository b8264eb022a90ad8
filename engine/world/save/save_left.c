/* Checkpoint sections with which sc_account_changed (world/account/account.h) detects changes between steps.
 * world.left: velocities of bodies at the end of the last step. world.met: largest joint id in this step.
 * Both are written only if a velocity or the joints were changed since that step. */
#include <string.h>
#include "world/world.h"
#include "world/save/save.h"
#include "world/account/account.h"

scree_status sc_save_left(const scree_world *w, sc_sections *out, scree_error *error) {
  const sc_bodies *b = &w->bodies;
  if (!sc_account_changed(&w->bodies, &w->joints)) return SCREE_OK;
  scree_status status = sc_section_write(
      out, "world.left", b->left, (size_t)b->count * sizeof *b->left, error);
  return status ? status : sc_section_write(out, "world.met", &w->joints.met, sizeof w->joints.met, error);
}

scree_status sc_load_left(scree_world *w, const sc_sections *in, scree_error *error) {
  sc_bodies *b = &w->bodies;
  size_t size = 0, wanted = (size_t)b->count * sizeof *b->left, met_size = 0;
  const void *left = sc_section_find(in, "world.left", &size, NULL),
             *met = sc_section_find(in, "world.met", &met_size, NULL);
  const bool any = sc_joints_any(&w->joints);
  if (any && !sc_bodies_hold_left(b))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", b->count);
  sc_account_note(&w->bodies, &w->joints);
  if (!any) return SCREE_OK;
  if (!left && !met) return SCREE_OK;
  if (!left || size != wanted || met_size != sizeof w->joints.met ||
      !sc_save_finite(left, (size_t)b->count * 6))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's bodies are damaged");
  memcpy(b->left, left, wanted);
  memcpy(&w->joints.met, met, sizeof w->joints.met);
  return SCREE_OK;
}
