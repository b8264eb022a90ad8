/* Fuzzing the restart behind the checksums: the sections of a real checkpoint, edited. Loading may
 * refuse them; what it takes must be fit for stepping and saving. Nothing may crash, hang or leak.
 *
 * Input: a byte that names one of the worlds of support/worlds, which hold everything a checkpoint can; then
 * edits.h. Corpus in corpus/checkpoint, replayed by unit/io/fuzz_replay.c in every build. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/edits.h"
#include "scree/checkpoint.h"
#include "support/worlds/worlds.h"

static const char *const restart_names[] = {
    "of_all_kinds", "of_joints", "of_bonds", "of_springs", "pressed", "wet_cell", "tired", "bounced"};
enum { RESTARTS = sizeof restart_names / sizeof *restart_names };
static worlds restart_worlds;
static sc_sections restart_sections[RESTARTS];

/* Leaves the makers alone on the stack; worlds that were there are gone. */
static void restart_clean(void) {
  lua_settop(restart_worlds.L, 1);
  lua_gc(restart_worlds.L, LUA_GCCOLLECT);
}

/* The sections of a world's checkpoint; made once. */
static const sc_sections *restart_whole(int k) {
  scree_error error;
  if (!restart_worlds.runtime) restart_worlds = worlds_open();
  if (restart_sections[k].count) return restart_sections + k;
  scree_checkpoint *c = scree_checkpoint_create();
  if (!c || scree_world_save(worlds_make(&restart_worlds, restart_names[k]), c, &error)) abort();
  const char *name;
  size_t size;
  for (int64_t s = 0; (name = scree_checkpoint_section(c, s, &size)); s++)
    if (sc_section_write(
            restart_sections + k, name, scree_checkpoint_get(c, name, &size, &error), size, NULL))
      abort();
  scree_checkpoint_destroy(c);
  restart_clean();
  return restart_sections + k;
}

static scree_checkpoint *restart_edited(int k, const uint8_t *data, size_t size) {
  scree_checkpoint *out = scree_checkpoint_create();
  scree_error error;
  sc_sections edited = edited_sections(restart_whole(k), data, size);
  for (size_t s = 0; s < edited.count; s++)
    if (scree_checkpoint_put(out, edited.row[s].name, edited.row[s].bytes, edited.row[s].size, &error))
      abort();
  sc_sections_free(&edited);
  return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  const int k = data[0] % RESTARTS;
  scree_checkpoint *edited = restart_edited(k, data + 1, size - 1), *again = scree_checkpoint_create();
  scree_world *w = worlds_make(&restart_worlds, restart_names[k]);
  scree_error error = {SCREE_OK, ""};
  scree_checkpoint_info info;
  scree_checkpoint_about(edited, &info, &error);
  if (scree_world_load(w, edited, &error) == SCREE_OK) {
    for (int n = 0; n < 3; n++)
      if (scree_world_step(w, 1, &error)) break;
    scree_world_save(w, again, &error);
  } else if (!*error.text) abort();
  restart_clean();
  scree_checkpoint_destroy(edited);
  scree_checkpoint_destroy(again);
  return 0;
}
