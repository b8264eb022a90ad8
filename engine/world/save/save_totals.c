/* Checkpoint sections of the sums over the substeps of the last step: world.totals, world.joint_means and
 * world.bond_means. The tag of a saved contact is its row in world.totals, counted from 1. If these sections
 * are missing, or if steps have one substep, a loaded world reports the impulses of the last substep. */
#include "world/world.h"
#include "world/save/save.h"

#include <math.h>
#include <string.h>
#include "world/account/totals.h"

int32_t sc_save_total_rows(const scree_world *w) {
  return w->totals && w->totals->known ? w->totals->rows : 0;
}

static scree_status save_means(
    const sc_reactions *means, const char *name, sc_sections *out, scree_error *error) {
  return means->count
      ? sc_section_write(out, name, means->row, (size_t)means->count * sizeof *means->row, error)
      : SCREE_OK;
}

scree_status sc_save_means(const scree_world *w, sc_sections *out, scree_error *error) {
  if (!w->totals || !w->totals->known) return SCREE_OK;
  scree_status status = save_means(&w->totals->joints, "world.joint_means", out, error);
  return status ? status : save_means(&w->totals->bonds, "world.bond_means", out, error);
}

scree_status sc_save_totals(const scree_world *w, sc_sections *out, scree_error *error) {
  const size_t rows = (size_t)sc_save_total_rows(w);
  return rows ? sc_section_write(out, "world.totals", w->totals->row, rows * sizeof *w->totals->row, error)
              : SCREE_OK;
}

/* ---- loading ---- */

static scree_status fail_damaged(scree_error *error) {
  return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's sums over substeps are damaged");
}

static bool is_sound(const scree_world *w, const sc_total *t) {
  const int32_t n = w->pairs.materials;
  return sc_save_finite(t->impulse, 3) && sc_save_finite(t->impact, 3) && sc_save_finite(t->moment, 3) &&
      sc_save_finite(t->point, 3) && sc_save_finite(t->normal, 3) &&
      isfinite(t->pull + t->lost + t->lost_since + t->gap) && t->material1 >= 0 && t->material1 < n &&
      t->material2 >= 0 && t->material2 < n && t->state >= SCREE_SEPARATING && t->state <= SCREE_SLIDING &&
      t->part >= 0;
}

/* Sets *bytes to the content of a section and returns its number of rows. each: bytes per row. Returns 0 if
 * the section is missing, and -1 if its size is not a multiple of `each`. */
static int32_t rows_in(const sc_sections *in, const char *name, size_t each, const void **bytes) {
  size_t size = 0;
  *bytes = sc_section_find(in, name, &size, NULL);
  if (!*bytes) return 0;
  return size % each == 0 && size / each < 1u << 30 ? (int32_t)(size / each) : -1;
}

static scree_status load_means(
    sc_reactions *means, const char *name, const sc_sections *in, scree_error *error) {
  const void *bytes;
  const int32_t count = rows_in(in, name, sizeof *means->row, &bytes);
  if (count < 0) return fail_damaged(error);
  if (!SC_GROW(means->row, means->capacity, (size_t)count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the reactions of %d joints", count);
  if (count) memcpy(means->row, bytes, (size_t)count * sizeof *means->row);
  for (int32_t i = 0; i < count; i++) {
    const sc_reaction *r = means->row + i;
    if ((i && r->id <= r[-1].id) || !sc_save_finite(r->force, 3) || !sc_save_finite(r->torque, 3) ||
        !sc_save_finite(r->effort, 5))
      return fail_damaged(error);
  }
  means->count = count;
  return SCREE_OK;
}

static scree_status load_rows(scree_world *w, const sc_sections *in, scree_error *error) {
  sc_totals *totals = w->totals;
  const void *bytes;
  const int32_t count = rows_in(in, "world.totals", sizeof *totals->row, &bytes);
  if (count < 0) return fail_damaged(error);
  if (!SC_GROW(totals->row, totals->capacity, (size_t)count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the sums of %d contacts", count);
  if (count) memcpy(totals->row, bytes, (size_t)count * sizeof *totals->row);
  for (int32_t i = 0; i < count; i++) {
    sc_total *total = totals->row + i;
    if (!is_sound(w, total)) return fail_damaged(error);
    if (total->part >= w->def.substeps) total->part = (int32_t)w->def.substeps - 1;
  }
  totals->rows = count;
  return SCREE_OK;
}

/* Returns false if the tag of a contact refers to a row that does not exist. If rows is 0, sets all tags to
 * 0. */
static bool match_tags(scree_world *w, int32_t rows) {
  for (int32_t c = 0; c < w->contacts.count; c++) {
    if (!rows) sc_collide_set_tag(w->collide, c, 0);
    if (sc_collide_tag(w->collide, c) > rows) return false;
  }
  return true;
}

scree_status sc_load_totals(scree_world *w, const sc_sections *in, scree_error *error) {
  sc_totals *totals = w->totals;
  sc_totals_forget(totals);
  if (!totals) return match_tags(w, 0), SCREE_OK;
  scree_status status = load_rows(w, in, error);
  if (!status) status = load_means(&totals->joints, "world.joint_means", in, error);
  if (!status) status = load_means(&totals->bonds, "world.bond_means", in, error);
  if (status) return status;
  if (!match_tags(w, totals->rows)) return fail_damaged(error);
  totals->known = totals->rows || totals->joints.count || totals->bonds.count;
  if (totals->known && !sc_totals_list_gone(w))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the sums of %d contacts", totals->rows);
  return SCREE_OK;
}
