/* w:report(): a table of results of the last step. w:start_notes(): a list of probable mistakes at the walls
 * before the first step. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/sandbox/inside.h"

#include <stdio.h>

enum { NOTES = 1000, WARNED_WORLDS = 3, WARNED_NOTES = 5, NOTE_TEXT = 400 };

#include <string.h>

/* __index of a report: the value of a field by its former name, with a warning. */
static int find_former(lua_State *L) {
  if (strcmp(luaL_optstring(L, 2, ""), "overlap_most")) return 0;
  lua_warning(L, "overlap_most of w:report() is overlap_max now; the old name goes with the next release", 0);
  lua_getfield(L, 1, "overlap_max");
  return 1;
}

/* Sets a metatable for the report on top of the stack, so that a field is also found by its former name. */
static void know_former_names(lua_State *L) {
  if (luaL_newmetatable(L, "scree.report")) {
    sl_set_function(L, "__index", find_former);
    sl_set_boolean(L, "__metatable", 0);
  }
  lua_setmetatable(L, -2);
}

static int world_report(lua_State *L) {
  scree_report r;
  scree_world *world = sl_check_world(L, 1)->world;
  scree_world_report(world, &r);
  scree_world_note_report(world, &r);
  lua_createtable(L, 0, 40);
  const struct {
    const char *name;
    int64_t value;
  } counts[] = {{"step", r.step}, {"bodies", r.bodies}, {"dynamic", r.dynamic}, {"contacts", r.contacts},
      {"active", r.active}, {"rigid", r.rigid}, {"touching", r.touching}, {"iterations", r.iterations},
      {"rebuilds", r.rebuilds}, {"impacts", r.impacts}, {"asleep", r.asleep}, {"ranks", r.ranks},
      {"bytes_bodies", r.bytes_bodies}, {"bytes_contacts", r.bytes_contacts}, {"pairs", r.pairs},
      {"crossed", r.crossed}, {"held_back", r.held_back}, {"bodies_lost", r.bodies_lost}},
    ways[] = {{"untouched", r.steps_untouched}, {"sweeps", r.steps_swept}, {"momentum", r.steps_momentum},
        {"newton", r.islands_newton}, {"unfit", r.islands_unfit}, {"dear", r.islands_dear},
        {"moving", r.islands_moving}, {"again", r.steps_again}, {"gaining", r.steps_gaining},
        {"steps", r.steps_solved}, {"capped", r.steps_capped}, {"softened", r.softened}};
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"time", r.time}, {"residual", r.residual}, {"kinetic", r.kinetic},
      {"potential", r.potential}, {"energy", r.kinetic + r.potential + r.elastic},
      {"penetration", r.penetration}, {"mean_penetration", r.mean_penetration}, {"dissipated", r.dissipated},
      {"elastic", r.elastic}, {"work", r.work}, {"correction", r.correction}, {"stable_dt", r.stable_dt},
      {"max_speed", r.max_speed}, {"bundle_fill", r.bundle_fill}, {"skin", r.skin},
      {"imbalance", r.imbalance}, {"waiting", r.waiting}, {"unbalanced", r.unbalanced},
      {"unbalanced_mean", r.unbalanced_mean}, {"unbalanced_most", r.unbalanced_most}, {"overlap", r.overlap},
      {"overlap_max", r.overlap_max}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    sl_set_integer(L, counts[i].name, counts[i].value);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sl_set_number(L, numbers[i].name, numbers[i].value);
  lua_createtable(L, 0, 6);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) sl_set_integer(L, ways[i].name, ways[i].value);
  lua_setfield(L, -2, "solved");
  sl_set_vector(L, "momentum", r.momentum, 3);
  sl_set_vector(L, "angular_momentum", r.angular_momentum, 3);
  lua_createtable(L, 0, SCREE_STAGES);
  for (int i = 0; i < SCREE_STAGES; i++) sl_set_number(L, scree_stage_name(i), r.seconds[i]);
  lua_setfield(L, -2, "seconds");
  know_former_names(L);
  return 1;
}

static void push_note(lua_State *L, const scree_world *world, const scree_start_note *note) {
  static const char *const what[] = {"", "inside", "between", "turned", "across"};
  char text[NOTE_TEXT];
  scree_start_note_text(world, note, text, sizeof text);
  lua_createtable(L, 0, 7);
  sl_set_string(L, "what", what[note->what]);
  sl_set_string(L, "type", scree_shape_kind_at(note->type)->name);
  sl_set_string(L, "text", text);
  sl_set_integer(L, "count", note->count);
  if (note->of) sl_set_integer(L, "of", note->of);
  if (note->what == SCREE_START_ACROSS) sl_set_number(L, "depth", note->depth);
  sl_set_body(L, "wall", note->wall);
  if (!note->first) return;
  sl_set_body(L, "first", note->first);
}

static int enter_to_look(const sl_world *world) {
  sl_guard_credit(world->runtime, scree_world_shapes_count(world->world));
  return sl_engine_enter(world->runtime);
}

static int world_start_notes(lua_State *L) {
  const sl_world *world = sl_check_world(L, 1);
  scree_start_note *note = lua_newuserdatauv(L, NOTES * sizeof *note, 0);
  scree_error error = {SCREE_OK, ""};
  int64_t count = 0;
  int before = enter_to_look(world);
  scree_status status = scree_world_start_notes(world->world, note, NOTES, &count, &error);
  sl_engine_leave(world->runtime, before);
  if (status != SCREE_OK) return sl_raise(L, status, "%s", error.text);
  lua_newtable(L);
  for (int k = 0; k < NOTES && k < count; k++) {
    push_note(L, world->world, note + k);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

/* w:faults(): a list of { name, value, limit }, empty for a valid run. */
static int world_faults(lua_State *L) {
  const scree_world *world = sl_check_world(L, 1)->world;
  scree_fault fault[SCREE_FAULTS];
  scree_report report;
  scree_world_report(world, &report);
  const int count = scree_world_faults(world, &report, fault);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 0, 3);
    sl_set_string(L, "name", fault[i].name);
    sl_set_number(L, "value", fault[i].value);
    sl_set_number(L, "limit", fault[i].limit);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

void sl_warn_of_walls(sl_world *world) {
  scree_start_note note[WARNED_NOTES];
  scree_error error = {SCREE_OK, ""};
  char text[NOTE_TEXT];
  int64_t count = 0;
  sl_runtime *runtime = world->runtime;
  if (world->walls_checked || runtime->is_scene || runtime->warned_worlds >= WARNED_WORLDS) return;
  world->walls_checked = true;
  if (scree_world_steps(world->world)) return;
  int before = enter_to_look(world);
  if (scree_world_start_notes(world->world, note, WARNED_NOTES, &count, &error)) count = 0;
  sl_engine_leave(runtime, before);
  for (int k = 0; k < WARNED_NOTES && k < count; k++) {
    scree_start_note_text(world->world, note + k, text, sizeof text);
    if (runtime->def.warn) runtime->def.warn(runtime->def.warn_context, text);
    else fprintf(stderr, "scree: warning: %s\n", text);
  }
  runtime->warned_worlds += count > 0;
}

const luaL_Reg sl_report_methods[] = {
    {"report", world_report}, {"start_notes", world_start_notes}, {"faults", world_faults}, {NULL, NULL}};
