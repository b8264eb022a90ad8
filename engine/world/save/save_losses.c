/* Checkpoint section world.losses: energy dissipated by pairs of materials and by joints, if the world
 * records losses. The losses of contacts are part of the states of contacts. */
#include <string.h>
#include "world/world.h"
#include "world/save/save.h"

scree_status sc_save_losses(const scree_world *w, sc_sections *out, scree_error *error) {
  size_t n = (size_t)w->pairs.materials, count = n * n + SCREE_LOST_ELSEWHERE;
  if (!w->def.losses) return SCREE_OK;
  double *all = sc_alloc(count * sizeof *all);
  if (!all) return sc_fail(error, SCREE_E_MEMORY, "no memory for the losses of %zu materials", n);
  scree_status status = scree_world_losses(w, all + SCREE_LOST_ELSEWHERE, all, error);
  if (!status && w->ranks->rank == 0)
    status = sc_section_write(out, "world.losses", all, count * sizeof *all, error);
  sc_free(all);
  return status;
}

scree_status sc_load_losses(scree_world *w, const sc_sections *in, scree_error *error) {
  size_t n = (size_t)w->pairs.materials, cells = n * n, count = cells + SCREE_LOST_ELSEWHERE, size = 0;
  const double *all = sc_section_find(in, "world.losses", &size, NULL);
  if (!all != !w->def.losses)
    return sc_fail(error, SCREE_E_ARGUMENT, "the checkpoint is of a world %s losses (world.losses)",
        all ? "that keeps" : "without");
  if (!all) return SCREE_OK;
  if (size != count * sizeof *all || !sc_save_finite(all, count))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's losses are damaged");
  memcpy(w->energy.elsewhere, all, sizeof w->energy.elsewhere);
  memcpy(w->pairs.lost, all + SCREE_LOST_ELSEWHERE, cells * sizeof *all);
  return SCREE_OK;
}
