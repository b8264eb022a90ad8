/* Finds changes of an experiment since the start of its sweep: compares the sweep.yaml of the directory with
 * the present experiment, entry by entry. The number of runs at a time does not count as a change. */
#include "run/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = 256, SHOWN = 60 };

/* Writes the first line of a value as YAML, at most SHOWN bytes; "nothing" without a value. */
static void put_value(const sl_yaml_node *n, char out[SHOWN + 4]) {
  char *text = n ? sl_yaml_write(n) : NULL;
  const size_t line = strcspn(text ? text : "", "\n"), shown = line < SHOWN ? line : SHOWN;
  const bool cut = text && (line > SHOWN || strlen(text + line) > 1);
  snprintf(out, SHOWN + 4, "%.*s%s", (int)shown, text ? text : "", cut ? "..." : "");
  if (!n) snprintf(out, SHOWN + 4, "nothing");
  free(text);
}

static bool is_same(const sl_yaml_node *was, const sl_yaml_node *now) {
  char *a = was ? sl_yaml_write(was) : NULL, *b = now ? sl_yaml_write(now) : NULL;
  const bool same = a && b && !strcmp(a, b);
  free(a), free(b);
  return same;
}

static int compare(const sl_yaml_node *was, const sl_yaml_node *now, const char *path);

/* Compares the entries of a map with those of another. added: counts only the keys that `was` lacks. */
static int compare_keys(const sl_yaml_node *map, const sl_yaml_node *other, const char *path, bool added) {
  int changes = 0;
  for (size_t i = 0; i < map->count; i++) {
    const char *key = map->key[i]->text;
    char below[PATH];
    if (!key) continue;
    const sl_yaml_node *twin = sl_yaml_get(other, key);
    snprintf(below, sizeof below, "%.150s%s%.100s", path, *path ? "." : "", key);
    if (!added) changes += compare(map->item[i], twin, below);
    else if (!twin) changes += compare(NULL, map->item[i], below);
  }
  return changes;
}

/* Prints the entries that differ and returns their number. NULL: there is no such entry. */
static int compare(const sl_yaml_node *was, const sl_yaml_node *now, const char *path) {
  char before[SHOWN + 4], after[SHOWN + 4];
  if (!strcmp(path, "sweep.jobs")) return 0;
  if (was && now && was->kind == SL_YAML_MAP && now->kind == SL_YAML_MAP)
    return compare_keys(was, now, path, false) + compare_keys(now, was, path, true);
  if (is_same(was, now)) return 0;
  put_value(was, before), put_value(now, after);
  fprintf(stderr, "scree sweep: the experiment has changed: %s was %s and is %s\n", path, before, after);
  return 1;
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
  const int changes = was.root && !was.problems && root ? compare(was.root, root, "") : -1;
  sl_yaml_free(&was), sl_yaml_free(&now);
  free(text);
  return changes;
}
