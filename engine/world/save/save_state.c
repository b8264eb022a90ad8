/* States in memory: checkpoints of a world that can be restored into this world or into a copy of it.
 *
 * A state has two more sections than a checkpoint. world.settings has the settings that the restoring world
 * must share. world.law_names has the names of the laws that the program defined. If a world with equal
 * settings has saved the state in this process, the state loads without errors, except for a lack of memory.
 * Any other state may be damaged or may not fit the world. The world is then saved before loading, and
 * restored if loading fails. */
#include "world/world.h"
#include "world/save/save.h"

#include <string.h>

/* ---- checks of settings ---- */

typedef struct settings {
  int64_t stepper, is_planar;
  double plane[3];
} settings;

static settings settings_of(const scree_world *w) {
  settings k = {.stepper = w->def.stepper, .is_planar = w->bodies.planar};
  memcpy(k.plane, w->bodies.plane, sizeof k.plane);
  return k;
}

static scree_status save_settings(const scree_world *w, sc_sections *out, scree_error *error) {
  const settings k = settings_of(w);
  scree_status status = sc_section_write(out, "world.settings", &k, sizeof k, error);
  char(*name)[SC_NAME_MAX] = sc_alloc((size_t)w->laws.users * sizeof *name + 1);
  if (!name) return sc_fail(error, SCREE_E_MEMORY, "no memory for a state");
  for (int32_t i = 0; i < w->laws.users; i++) memcpy(name[i], w->laws.user[i]->name, sizeof name[i]);
  if (!status)
    status = sc_section_write(out, "world.law_names", name, (size_t)w->laws.users * sizeof *name, error);
  sc_free(name);
  return status;
}

static scree_status check_laws(const scree_world *w, const sc_sections *in, scree_error *error) {
  size_t size = 0;
  const char(*name)[SC_NAME_MAX] = sc_section_find(in, "world.law_names", &size, NULL);
  for (int32_t i = 0; i < w->laws.users && name && size == (size_t)w->laws.users * sizeof *name; i++)
    if (strncmp(name[i], w->laws.user[i]->name, SC_NAME_MAX) != 0)
      return sc_fail(error, SCREE_E_ARGUMENT, "the state has the law \"%.63s\" where this world has \"%s\"",
          name[i], w->laws.user[i]->name);
  return SCREE_OK;
}

/* Fails if the settings of state and world differ. Checkpoints of runs do not have these sections and pass
 * the check. */
static scree_status check_settings(const scree_world *w, const sc_sections *in, scree_error *error) {
  settings saved, own = settings_of(w);
  size_t size = 0;
  const void *bytes = sc_section_find(in, "world.settings", &size, NULL);
  if (!bytes) return SCREE_OK;
  if (size != sizeof saved) return sc_fail(error, SCREE_E_FORMAT, "the state is damaged");
  memcpy(&saved, bytes, sizeof saved);
  if (saved.stepper != own.stepper)
    return sc_fail(error, SCREE_E_ARGUMENT, "the state is of a world with another stepper (world.stepper)");
  if (saved.is_planar != own.is_planar || memcmp(saved.plane, own.plane, sizeof own.plane) != 0)
    return sc_fail(error, SCREE_E_ARGUMENT, "the state is of a world with another plane (world.plane)");
  return check_laws(w, in, error);
}

/* ---- saving, restoring and cloning ---- */

scree_checkpoint *scree_world_save_state(const scree_world *w, scree_error *error) {
  SC_DEMAND(w, error, NULL);
  scree_checkpoint *state = scree_checkpoint_create();
  if (!state) {
    sc_fail(error, SCREE_E_MEMORY, "no memory for a state");
    return NULL;
  }
  scree_status status = save_settings(w, &state->sections, error);
  if (!status) status = scree_world_save(w, state, error);
  if (!status) return state;
  scree_checkpoint_destroy(state);
  return NULL;
}

/* Returns true if the state was saved in this process by a world with equal settings. Time step and gravity
 * may differ, because the state contains them. */
static bool is_of_kin(const scree_world *w, const scree_checkpoint *state) {
  scree_world_def saved = state->def, own = w->def;
  saved.dt = own.dt;
  memcpy(saved.gravity, own.gravity, sizeof saved.gravity);
  return state->was_saved_here && memcmp(&saved, &own, sizeof own) == 0;
}

/* Loads a state that may be damaged or may not fit. If loading fails, restores the world to its former
 * state. */
static scree_status load_or_return(scree_world *w, const scree_checkpoint *state, scree_error *error) {
  scree_checkpoint *before = scree_world_save_state(w, error);
  if (!before) return SCREE_E_MEMORY;
  scree_status status = sc_load_world(w, state, error);
  if (status && sc_load_world(w, before, NULL) != SCREE_OK)
    status = sc_fail(error, SCREE_E_MEMORY, "no memory to set the world back after a damaged state");
  scree_checkpoint_destroy(before);
  return status;
}

scree_status scree_world_restore_state(scree_world *w, const scree_checkpoint *state, scree_error *error) {
  SC_DEMAND(w && state, error, SCREE_E_ARGUMENT);
  scree_status status = sc_ranks_check_whole(
      w->ranks, "states are restored", "save checkpoints and resume", error);
  if (!status) status = check_settings(w, &state->sections, error);
  if (status) return status;
  return is_of_kin(w, state) ? sc_load_world(w, state, error) : load_or_return(w, state, error);
}

static scree_status copy_laws(const scree_world *from, scree_world *to, scree_error *error) {
  scree_status status = SCREE_OK;
  for (int32_t i = 0; i < from->laws.users && !status; i++) {
    const sc_user_law *law = from->laws.user[i];
    scree_law_callbacks callbacks = law->callbacks;
    callbacks.name = law->name, callbacks.params = law->params;
    callbacks.base = law->base ? law->base->name : NULL;
    status = scree_world_define_law(to, &callbacks, error);
  }
  return status;
}

scree_world *scree_world_clone(const scree_world *w, scree_error *error) {
  SC_DEMAND(w, error, NULL);
  if (sc_ranks_check_whole(w->ranks, "worlds are cloned", "make a second world by the same script", error))
    return NULL;
  scree_world *clone = scree_world_create(&w->def, error);
  scree_checkpoint *state = clone ? scree_world_save_state(w, error) : NULL;
  const bool made = state && copy_laws(w, clone, error) == SCREE_OK &&
      sc_load_world(clone, state, error) == SCREE_OK;
  scree_checkpoint_destroy(state);
  if (made) return clone;
  scree_world_destroy(clone);
  return NULL;
}
