/* Finds changes since the start of a sweep. Compares the sweep.yaml of the directory with the present
 * experiment, entry by entry, and the scene and its own modules with the sums in the run.json of each run.
 * The number of simultaneous runs does not count as a change. */
#include "bind/sandbox/sha256.h"
#include "files.h"
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = 256, SHOWN = 60 };

/* Writes the first line of a value as YAML, at most SHOWN bytes; "nothing" without a value. */
static void write_yaml_value(const sl_yaml_node *n, char out[SHOWN + 4]) {
  char *text = n ? sl_yaml_write(n) : NULL;
  const size_t line = strcspn(text ? text : "", "\n"), shown = line < SHOWN ? line : SHOWN;
  const bool cut = text && (line > SHOWN || strlen(text + line) > 1);
  snprintf(out, SHOWN + 4, "%.*s%s", (int)shown, text ? text : "", cut ? "..." : "");
  if (!n) snprintf(out, SHOWN + 4, "nothing");
  free(text);
}

/* Returns whether two values are equal. Spellings of a number do not matter; the order of a map does. */
static bool is_same(const sl_yaml_node *was, const sl_yaml_node *now) {
  if (!was || !now || was->kind != now->kind) return false;
  if (was->kind == SL_YAML_NUMBER) return was->number == now->number;
  if (was->kind == SL_YAML_BOOL) return was->truth == now->truth;
  if (was->kind == SL_YAML_NULL) return true;
  if (was->kind == SL_YAML_TEXT) return was->text && now->text && !strcmp(was->text, now->text);
  bool same = was->count == now->count;
  for (size_t i = 0; same && i < was->count; i++)
    same = (was->kind == SL_YAML_LIST || is_same(was->key[i], now->key[i])) &&
        is_same(was->item[i], now->item[i]);
  return same;
}

static int compare_nodes(const sl_yaml_node *was, const sl_yaml_node *now, const char *path);

/* Compares the entries of a map with those of another map. added: counts only keys that `other` lacks. */
static int compare_keys(const sl_yaml_node *map, const sl_yaml_node *other, const char *path, bool added) {
  int changes = 0;
  for (size_t i = 0; i < map->count; i++) {
    const char *key = map->key[i]->text;
    char below[PATH];
    if (!key) continue;
    const sl_yaml_node *twin = sl_yaml_get(other, key);
    snprintf(below, sizeof below, "%.150s%s%.100s", path, *path ? "." : "", key);
    if (!added) changes += compare_nodes(map->item[i], twin, below);
    else if (!twin) changes += compare_nodes(NULL, map->item[i], below);
  }
  return changes;
}

/* Prints the entries that differ and returns their number. NULL: there is no such entry. */
static int compare_nodes(const sl_yaml_node *was, const sl_yaml_node *now, const char *path) {
  char before[SHOWN + 4], after[SHOWN + 4];
  if (!strcmp(path, "sweep.jobs")) return 0;
  if (was && now && was->kind == SL_YAML_MAP && now->kind == SL_YAML_MAP)
    return compare_keys(was, now, path, false) + compare_keys(now, was, path, true);
  if (is_same(was, now)) return 0;
  write_yaml_value(was, before), write_yaml_value(now, after);
  fprintf(stderr, "scree sweep: the experiment has changed: %s was %s and is %s\n", path, before, after);
  return 1;
}

bool sweep_is_same_experiment(const char *a, const char *b) {
  sl_yaml first = {0}, second = {0};
  const sl_yaml_node *was = sl_yaml_parse(&first, "experiment", a, strlen(a)),
                     *now = sl_yaml_parse(&second, "experiment", b, strlen(b));
  const bool same = was && now && !first.problems && !second.problems && is_same(was, now);
  sl_yaml_free(&first), sl_yaml_free(&second);
  return same;
}

int sweep_print_changes(const sweep *s) {
  char path[RUN_PATH + 32];
  struct stat info;
  sl_yaml was, now = {0};
  snprintf(path, sizeof path, "%.2000s/sweep.yaml", s->directory);
  if (stat(path, &info)) return 0;
  sl_yaml_open(&was, path);
  char *text = sl_experiment_write(s->experiment, true);
  const sl_yaml_node *root = text ? sl_yaml_parse(&now, "experiment", text, strlen(text)) : NULL;
  const int changes = was.root && !was.problems && root ? compare_nodes(was.root, root, "") : -1;
  sl_yaml_free(&was), sl_yaml_free(&now);
  free(text);
  return changes;
}

/* ---- sources ---- */

enum { FILES = 64 };

/* A present source file. The table makes sure that each file is read once. */
typedef struct source_now {
  char path[RUN_PATH];
  char sha256[SL_SHA256_HEX]; /* "": the file cannot be read */
  bool was_printed;
} source_now;

typedef struct sources_now {
  source_now file[FILES];
  int count, changes;
} sources_now;

/* Returns the file at a path with its present sum; NULL if the table is full. */
static source_now *find_source(sources_now *all, const char *path) {
  for (int i = 0; i < all->count; i++)
    if (!strcmp(all->file[i].path, path)) return all->file + i;
  if (all->count == FILES) return NULL;
  source_now *f = all->file + all->count++;
  size_t size;
  snprintf(f->path, sizeof f->path, "%s", path);
  char *text = cli_read(path, &size);
  if (text) sl_sha256(text, size, f->sha256);
  free(text);
  return f;
}

/* Computes the present path of a source of a run. The first source of a run is its scene; modules in the
 * scene's folder move with the scene. Returns false for modules of the library. */
static bool locate_source(const sweep *s, const char *scene, const char *path, char now[RUN_PATH]) {
  const char *own = s->experiment->scene, *slash = strrchr(own, '/'),
             *module = run_path_in_scene_folder(scene, path);
  if (scene == path) return snprintf(now, RUN_PATH, "%s", own) < RUN_PATH;
  if (!module) return false;
  return snprintf(now, RUN_PATH, "%.*s%s", slash ? (int)(slash - own) + 1 : 0, own, module) < RUN_PATH;
}

static void compare_sources(const sweep *s, sweep_run *r, const sl_yaml_node *list, sources_now *all) {
  const char *scene = NULL;
  char now[RUN_PATH];
  for (size_t i = 0; list && list->kind == SL_YAML_LIST && i < list->count; i++) {
    const sl_yaml_node *path = sl_yaml_get(list->item[i], "path"),
                       *sum = sl_yaml_get(list->item[i], "sha256");
    if (!path || !path->text || !sum || !sum->text) continue;
    if (!scene) scene = path->text;
    source_now *f = locate_source(s, scene, path->text, now) ? find_source(all, now) : NULL;
    if (!f || !strcmp(f->sha256, sum->text)) continue;
    r->has_changed = true;
    if (f->was_printed) continue;
    f->was_printed = true;
    all->changes++;
    fprintf(stderr, "scree sweep: %s %s since run %04d was made\n", f->path,
        *f->sha256 ? "has changed" : "cannot be read any more", r->number);
  }
}

int sweep_print_changed_sources(sweep *s) {
  sources_now *all = calloc(1, sizeof *all);
  for (int i = 0; all && i < s->count; i++) {
    sl_yaml json;
    if (sweep_open_record(s, s->run + i, &json))
      compare_sources(s, s->run + i, sl_yaml_get(json.root, "sources"), all);
    sl_yaml_free(&json);
  }
  const int changes = all ? all->changes : -1;
  free(all);
  return changes;
}
