/* Saving and restoring a scene: world, w.state, random numbers, clocks, profiles and flows.
 *
 * Functions, upvalues and globals of the script are not saved. setup runs again before a restore, so data
 * outside w.state has the values that setup gives it. */
#include "bind/objects/files/restore.h"
#include "bind/object.h"
#include "bind/objects/query/measure.h"
#include "bind/sandbox/inside.h"
#include "bind/sandbox/state.h"

#include <stdio.h>
#include <string.h>

/* ---- clocks ---- */

typedef struct clocks {
  int64_t trajectory, series, every[SL_EVERY_MOST];
  int32_t every_count;
  uint64_t seed, random[4];
} clocks;

static void read_clocks(const sl_scene *scene, clocks *c) {
  *c = (clocks){.trajectory = scene->trajectory.done,
      .series = scene->series.done,
      .every_count = scene->every_count,
      .seed = sl_runtime_get_seed(scene->runtime)};
  for (int i = 0; i < scene->every_count; i++) c->every[i] = scene->every[i].clock.done;
  memcpy(c->random, sl_runtime_random(scene->runtime), sizeof c->random);
}

static scree_status fail_damaged(scree_error *error) {
  snprintf(error->text, sizeof error->text, "the checkpoint's clocks are damaged");
  return error->status = SCREE_E_FORMAT;
}

static scree_status write_clocks(sl_scene *scene, const clocks *c, scree_error *error) {
  bool sound = c->trajectory >= 0 && c->series >= 0 &&
      (c->random[0] | c->random[1] | c->random[2] | c->random[3]);
  for (int i = 0; i < SL_EVERY_MOST; i++) sound = sound && c->every[i] >= 0;
  if (!sound) return fail_damaged(error);
  if (c->every_count != scene->every_count)
    return error->status = SCREE_E_ARGUMENT,
           snprintf(error->text, sizeof error->text, "the scene has %d entries in every, the checkpoint %d",
               scene->every_count, c->every_count),
           error->status;
  scene->trajectory.done = c->trajectory, scene->series.done = c->series;
  for (int i = 0; i < scene->every_count; i++) scene->every[i].clock.done = c->every[i];
  sl_runtime_seed(scene->runtime, c->seed);
  memcpy(sl_runtime_random(scene->runtime), c->random, sizeof c->random);
  return SCREE_OK;
}

/* ---- probes ---- */

/* Saves the world's probes to the checkpoint `to`, or loads them from `from`, in the order of their
 * creation. */
static scree_status each_probe(
    sl_scene *scene, scree_checkpoint *to, const scree_checkpoint *from, scree_error *error) {
  lua_State *L = scene->runtime->L;
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->world_ref);
  lua_getiuservalue(L, -1, SL_PROBES_SLOT);
  scree_status status = SCREE_OK;
  for (int i = 1; !status && lua_rawgeti(L, -1, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
    char name[32];
    size_t size = 0;
    snprintf(name, sizeof name, "script.probe.%d", i);
    if (to) {
      void *data = NULL;
      status = sl_probe_save(L, -1, &data, &size, error);
      if (!status) status = scree_checkpoint_put(to, name, data, size, error);
      scree_measure_free(data);
    } else {
      const void *data = scree_checkpoint_get(from, name, &size, error);
      status = data ? sl_probe_load(L, -1, data, size, error) : SCREE_E_FORMAT;
    }
  }
  lua_settop(L, 0);
  return status;
}

/* ---- the whole ---- */

static scree_status script_trouble(const sl_scene *scene, scree_status status, scree_error *error) {
  error->status = status;
  snprintf(error->text, sizeof error->text, "%.500s", sl_message(scene->runtime));
  return status;
}

static scree_status save_state(sl_scene *scene, scree_checkpoint *checkpoint, scree_error *error) {
  const char *bytes;
  size_t size;
  if (sl_scene_pack_state(scene, &bytes, &size)) return script_trouble(scene, SCREE_E_ARGUMENT, error);
  scree_status status = scree_checkpoint_put(checkpoint, "script.state", bytes, size, error);
  lua_pop(scene->runtime->L, 1);
  return status;
}

scree_status sl_scene_save(sl_scene *scene, scree_checkpoint *checkpoint, scree_error *error) {
  clocks c;
  if (scene->world->motions > scene->world->motions_of_setup) {
    snprintf(error->text, sizeof error->text,
        "a body got its motion after setup: its function of time would not be there in a resumed run");
    return error->status = SCREE_E_ARGUMENT;
  }
  scree_status status = save_state(scene, checkpoint, error);
  read_clocks(scene, &c);
  if (!status) status = scree_checkpoint_put(checkpoint, "script.clocks", &c, sizeof c, error);
  if (!status) status = each_probe(scene, checkpoint, NULL, error);
  return status ? status : scree_world_save(scene->world->world, checkpoint, error);
}

scree_status sl_scene_restore(sl_scene *scene, const scree_checkpoint *checkpoint, scree_error *error) {
  size_t size;
  clocks c;
  const void *state = scree_checkpoint_get(checkpoint, "script.state", &size, error);
  if (!state) return error->status;
  scree_status status = scree_world_load(scene->world->world, checkpoint, error);
  if (!status && sl_scene_unpack_state(scene, state, size))
    status = script_trouble(scene, SCREE_E_FORMAT, error);
  const void *clock = status ? NULL : scree_checkpoint_get(checkpoint, "script.clocks", &size, error);
  if (status) return status;
  if (!clock || size != sizeof c) return fail_damaged(error);
  memcpy(&c, clock, sizeof c);
  status = write_clocks(scene, &c, error);
  return status ? status : each_probe(scene, NULL, checkpoint, error);
}
