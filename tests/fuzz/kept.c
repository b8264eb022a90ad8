/* Fuzzing what a run and its script keep in a checkpoint, behind the checksums: run.how, run.files and the
 * others are read as `scree resume` does, and state, clocks and probes of the script are put over a scene.
 * Nothing may crash, hang or leak; what a reader takes must be what its header promises.
 *
 * Input: edits.h. Corpus in corpus/kept, replayed by unit/cli/fuzz_replay.c in every build. */
#define _GNU_SOURCE
#include <math.h>
#include <unistd.h>

#include "bind/objects/files/restore.h"
#include "fuzz/edits.h"
#include "run/run_kept.h"

static const char kept_scene[] =
    "return { world = { dt = 1e-3 }, params = { a = 1 },\n"
    "  setup = function(w)\n"
    "    local b = w:sphere { radius = 0.1 }\n"
    "    w.state = { list = { 1, 2.5, 'text', true, { b } }, [3] = b }\n"
    "    w:profile { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, cells = { 2, 2, 1 } }:add()\n"
    "  end,\n"
    "  every = { { time = 0.01, call = function(w) end } }, stop = { time = 1 } }\n";

typedef struct kept_whole {
  sl_runtime *runtime;
  sl_scene scene;
  sc_sections sections;
} kept_whole;

static void kept_add_run(scree_checkpoint *c) {
  scree_error error;
  kept_how how = {.time = 1, .threads = 2, .overrides = 2};
  kept_files files = {.frames = 3, .series = 100, .last_frame = 0.1, .last_row = -1, .columns_count = 2};
  kept_stop stop = {NAN, 0};
  char hash[2][SL_SHA256_HEX];
  memset(how.source, 'a', SL_SHA256_HEX - 1);
  for (int i = 0; i < 2; i++) memcpy(hash[i], how.source, SL_SHA256_HEX);
  strcpy(files.columns[0], "first"), strcpy(files.columns[1], "second");
  scree_checkpoint_put(c, "run.how", &how, sizeof how, &error);
  scree_checkpoint_put(c, "run.files", &files, sizeof files, &error);
  scree_checkpoint_put(c, "run.stop_when", &stop, sizeof stop, &error);
  scree_checkpoint_put(c, "run.scene", "/a/scene.lua", sizeof "/a/scene.lua", &error);
  scree_checkpoint_put(c, "run.overrides", "a\0001\0b\0two", 8, &error);
  scree_checkpoint_put(c, "run.sources", hash, sizeof hash, &error);
}

/* A scene that has been set up, and its checkpoint; made once. */
static kept_whole *kept_make(void) {
  static kept_whole whole;
  scree_error error = {SCREE_OK, ""};
  char path[] = "/tmp/scree-fuzz-XXXXXX";
  if (whole.runtime) return &whole;
  int file = mkstemp(path);
  if (file < 0 || write(file, kept_scene, strlen(kept_scene)) < 0) abort();
  close(file);
  sl_runtime_def def = sl_runtime_defaults();
  def.script = path;
  whole.runtime = sl_runtime_open(&def, &error);
  scree_checkpoint *c = scree_checkpoint_create();
  if (!whole.runtime || !c || sl_scene_load(&whole.scene, whole.runtime, path, NULL, 0) ||
      sl_scene_build(&whole.scene, 1) || sl_scene_save(&whole.scene, c, &error))
    abort();
  unlink(path);
  kept_add_run(c);
  /* what the others keep is fuzz/checkpoint.c's */
  size_t size;
  const char *name;
  for (int64_t k = 0; (name = scree_checkpoint_section(c, k, &size)); k++)
    if (sc_section_write(&whole.sections, name, scree_checkpoint_get(c, name, &size, &error), size, NULL))
      abort();
  scree_checkpoint_destroy(c);
  return &whole;
}

/* What takes a section must be able to say it again. */
static void kept_read(const scree_checkpoint *c) {
  scree_error error = {SCREE_OK, ""};
  kept_how how;
  kept_files files;
  kept_stop stop;
  const char(*source)[SL_SHA256_HEX], *scene = kept_read_scene(c, &error);
  sl_override overrides[CLI_LIST_MOST];
  size_t count, total = scene ? strlen(scene) : 0;
  if (!kept_read_how(c, &how, &error)) {
    if (!(how.time >= 0) || strlen(how.source) != SL_SHA256_HEX - 1) abort();
    if (!kept_read_overrides(c, &how, overrides, &error))
      for (int i = 0; i < how.overrides; i++) total += strlen(overrides[i].key) + strlen(overrides[i].value);
  }
  if (!kept_read_files(c, &files, &error))
    for (int i = 0; i < files.columns_count; i++) total += strlen(files.columns[i]);
  if (!kept_read_stop(c, &stop, &error) && isinf(stop.since)) abort();
  if (!kept_read_sources(c, &source, &count, &error))
    for (size_t i = 0; i < count; i++) total += strlen(source[i]);
  if (total > 1 << 20) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  kept_whole *whole = kept_make();
  scree_error error = {SCREE_OK, ""};
  sc_sections edited = {0};
  /* the world's own sections stay as they are: the edits count through the others */
  sc_sections own = {0}, others = {0};
  for (size_t k = 0; k < whole->sections.count; k++) {
    const sc_section *s = whole->sections.row + k;
    sc_section_write(strncmp(s->name, "world.", 6) ? &own : &others, s->name, s->bytes, s->size, NULL);
  }
  edited = edited_sections(&own, data, size);
  scree_checkpoint *c = scree_checkpoint_create();
  for (size_t k = 0; k < edited.count; k++)
    scree_checkpoint_put(c, edited.row[k].name, edited.row[k].bytes, edited.row[k].size, &error);
  for (size_t k = 0; k < others.count; k++)
    scree_checkpoint_put(c, others.row[k].name, others.row[k].bytes, others.row[k].size, &error);
  kept_read(c);
  sl_scene_restore(&whole->scene, c, &error);
  scree_checkpoint_destroy(c);
  sc_sections_free(&edited);
  sc_sections_free(&own);
  sc_sections_free(&others);
  return 0;
}
