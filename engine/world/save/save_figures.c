/* Checkpoint section world.figures: figures of the report that no later step reads. Each figure belongs to
 * the last step or is a count since the start. Checkpoints of worlds on several ranks have no such
 * section. */
#include <string.h>
#include "world/world.h"
#include "world/save/save.h"

typedef struct figures {
  double solved_residual, load_scale, bundle_fill;
  int64_t impacts, resolved;
  sc_noted crossed, held_back;
} figures;

scree_status sc_save_figures(const scree_world *w, sc_sections *out, scree_error *error) {
  const figures f = {.solved_residual = w->figures.residual,
      .load_scale = w->figures.load_scale,
      .bundle_fill = w->figures.bundle_fill,
      .impacts = w->figures.impacts,
      .resolved = w->joints.resolved,
      .crossed = w->tracks.crossed,
      .held_back = w->tracks.held_back};
  return sc_section_write(out, "world.figures", &f, sizeof f, error);
}

/* Loads the figures. All figures are 0 if the section is missing. */
scree_status sc_load_figures(scree_world *w, const sc_sections *in, scree_error *error) {
  figures f = {0};
  size_t size = 0;
  const void *bytes = sc_section_find(in, "world.figures", &size, NULL);
  const bool fits = !bytes || size == sizeof f;
  if (fits && bytes) memcpy(&f, bytes, sizeof f);
  if (!fits || !sc_save_finite(&f, 3) || f.impacts < 0 || f.resolved < 0 || f.crossed.times < 0 ||
      f.held_back.times < 0)
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's figures are damaged");
  w->figures.residual = f.solved_residual, w->figures.load_scale = f.load_scale,
  w->figures.bundle_fill = f.bundle_fill;
  w->figures.impacts = f.impacts, w->joints.resolved = f.resolved;
  w->tracks.crossed = f.crossed, w->tracks.held_back = f.held_back;
  return SCREE_OK;
}
