/* Operations on YAML trees: finding and setting by path, copies, includes and the deep merge. */
#include "bind/sandbox/place.h"
#include "bind/tables/yaml.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sl_yaml_starve(sl_yaml *yaml);
char *sl_yaml_slurp(sl_yaml *yaml, const char *path, const sl_yaml_node *at, size_t *length);

static sl_yaml_node **slot_of(const sl_yaml_node *map, const char *key, size_t length) {
  if (!map || map->kind != SL_YAML_MAP) return NULL;
  for (size_t i = 0; i < map->count; i++)
    if (!strncmp(map->key[i]->text, key, length) && !map->key[i]->text[length]) return map->item + i;
  return NULL;
}

sl_yaml_node *sl_yaml_get(const sl_yaml_node *map, const char *key) {
  sl_yaml_node **slot = slot_of(map, key, strlen(key));
  return slot ? *slot : NULL;
}

sl_yaml_node *sl_yaml_find(const sl_yaml_node *root, const char *path) {
  const sl_yaml_node *node = root;
  while (node) {
    size_t length = strcspn(path, ".");
    sl_yaml_node **slot = slot_of(node, path, length);
    if (!slot) return NULL;
    node = *slot;
    if (!path[length]) return *slot;
    path += length + 1;
  }
  return NULL;
}

sl_yaml_node *sl_yaml_copy(sl_yaml *yaml, const sl_yaml_node *node) {
  sl_yaml_node *copy = sl_yaml_new(yaml, node->kind, node);
  if (!copy) return NULL;
  *copy = *node;
  copy->count = copy->capacity = 0;
  copy->item = copy->key = NULL;
  if (node->kind >= SL_YAML_LIST) copy->size = copy->height = 1;
  for (size_t i = 0; i < node->count; i++)
    if (!sl_yaml_push(yaml, copy, node->key[i], sl_yaml_copy(yaml, node->item[i]))) return NULL;
  return copy;
}

bool sl_yaml_set(sl_yaml *yaml, const char *path, sl_yaml_node *value) {
  if (!yaml->root || !value || !*path) return false;
  sl_yaml_node *node = yaml->root;
  for (;;) {
    size_t length = strcspn(path, ".");
    bool last = !path[length];
    if (!length || node->kind != SL_YAML_MAP) return false;
    sl_yaml_node **slot = slot_of(node, path, length), *next = last ? value : NULL;
    if (!last)
      next = slot && *slot && (*slot)->kind != SL_YAML_NULL ? sl_yaml_copy(yaml, *slot)
                                                            : sl_yaml_new(yaml, SL_YAML_MAP, value);
    if (!next) return false;
    if (slot) *slot = next;
    else {
      char name[SL_YAML_KEY + 1];
      snprintf(name, sizeof name, "%.*s", (int)length, path);
      sl_yaml_node *key = sl_yaml_new_text(yaml, name, value);
      if (!key || !sl_yaml_push(yaml, node, key, next)) return false;
    }
    if (last) return true;
    node = next;
    path += length + 1;
  }
}

/* ---- includes ---- */

/* Returns base with `over` merged into it: maps are merged key by key, other values of over replace those
 * of base. */
static sl_yaml_node *merge_maps(sl_yaml *yaml, sl_yaml_node *base, sl_yaml_node *over) {
  if (base->kind != SL_YAML_MAP || over->kind != SL_YAML_MAP) return over;
  sl_yaml_node *both = sl_yaml_new(yaml, SL_YAML_MAP, over);
  if (!both) return NULL;
  for (size_t i = 0; i < base->count; i++) {
    sl_yaml_node *mine = sl_yaml_get(over, base->key[i]->text);
    if (!sl_yaml_push(yaml, both, base->key[i], mine ? merge_maps(yaml, base->item[i], mine) : base->item[i]))
      return NULL;
  }
  for (size_t i = 0; i < over->count; i++)
    if (!sl_yaml_get(base, over->key[i]->text) && !sl_yaml_push(yaml, both, over->key[i], over->item[i]))
      return NULL;
  return both;
}

static sl_yaml_node *without_key(sl_yaml *yaml, const sl_yaml_node *map, const char *key) {
  sl_yaml_node *rest = sl_yaml_new(yaml, SL_YAML_MAP, map);
  for (size_t i = 0; rest && i < map->count; i++)
    if (strcmp(map->key[i]->text, key) && !sl_yaml_push(yaml, rest, map->key[i], map->item[i])) return NULL;
  return rest;
}

typedef struct trail {
  char *path[SL_YAML_INCLUDES]; /* [depth] the files that include each other, outermost first */
  int depth;
  bool trust; /* includes may lie outside the folder of the first file */
} trail;
static sl_yaml_node *resolve_includes(sl_yaml *yaml, sl_yaml_node *root, trail *t);

/* Writes the path of an include, which is relative to the file `from`. */
static void make_include_path(const char *from, const char *name, char out[PATH_MAX]) {
  const char *slash = strrchr(from, '/');
  snprintf(out, PATH_MAX, "%.*s%s", slash ? (int)(slash - from) + 1 : 0, from, name);
}

/* Returns whether a path stays in or below the folder of the document's first file, both as text and after
 * all links are followed. The test of the text comes first, so that a message does not show which files exist
 * elsewhere. */
static bool is_in_folder(const sl_yaml *yaml, const char *path) {
  const char *first = yaml->path[0], *slash = strrchr(first, '/');
  const int length = slash ? (int)(slash - first) + 1 : 0;
  char folder[PATH_MAX];
  int depth = 0;
  for (const char *at = path + length; *at && depth >= 0;) {
    const size_t part = strcspn(at, "/");
    if (part == 2 && !strncmp(at, "..", 2)) depth--;
    else if (part && !(part == 1 && *at == '.')) depth++;
    at += part;
    at += strspn(at, "/");
  }
  snprintf(folder, sizeof folder, "%.*s", length, first);
  /* depth 0: the path is the folder itself. It passes here, but opening it fails later because it is not a
   * file. */
  return depth == 0 || (depth > 0 && sl_is_inside(folder, path));
}

static char *real_path(sl_yaml *yaml, const char *path) {
  char *real = realpath(path, NULL);
  if (!real && errno == ENOMEM) sl_yaml_starve(yaml);
  return real;
}

static sl_yaml_node *load_include(sl_yaml *yaml, const sl_yaml_node *name, trail *t) {
  char path[PATH_MAX];
  if (name->kind != SL_YAML_TEXT)
    return sl_yaml_problem(yaml, name, "include: expected the name of a file"), NULL;
  if (*name->text == '/')
    return sl_yaml_problem(yaml, name, "include: '%.200s' must be relative to this file", name->text), NULL;
  make_include_path(yaml->path[name->file], name->text, path);
  if (!t->trust && !is_in_folder(yaml, path))
    return sl_yaml_problem(yaml, name,
               "include: '%.200s' leads out of the folder of the experiment (--trust allows it)", name->text),
           NULL;
  char *real = real_path(yaml, path);
  for (int i = 0; real && i < t->depth; i++)
    if (!strcmp(real, t->path[i])) {
      free(real);
      return sl_yaml_problem(yaml, name, "include: '%.200s' includes itself in the end", name->text), NULL;
    }
  if (t->depth == SL_YAML_INCLUDES)
    return free(real), sl_yaml_problem(yaml, name, "include: more than %d levels", SL_YAML_INCLUDES), NULL;
  size_t length;
  char *text = sl_yaml_slurp(yaml, path, name, &length);
  sl_yaml_node *root = text ? sl_yaml_parse(yaml, path, text, length) : NULL;
  free(text);
  if (real && root) {
    t->path[t->depth++] = real;
    root = resolve_includes(yaml, root, t);
    t->depth--;
  }
  free(real);
  return root;
}

/* Returns the tree of a file merged over its includes. Later includes replace earlier ones. */
static sl_yaml_node *resolve_includes(sl_yaml *yaml, sl_yaml_node *root, trail *t) {
  sl_yaml_node *list = sl_yaml_get(root, "include"), *under = NULL;
  if (!list) return root;
  size_t count = list->kind == SL_YAML_LIST ? list->count : 1;
  for (size_t i = 0; i < count; i++) {
    sl_yaml_node *base = load_include(yaml, list->kind == SL_YAML_LIST ? list->item[i] : list, t);
    if (base && base->kind != SL_YAML_MAP) sl_yaml_problem(yaml, base, "an included file must hold a map");
    else if (base) under = under ? merge_maps(yaml, under, base) : base;
  }
  sl_yaml_node *rest = without_key(yaml, root, "include");
  return rest && under ? merge_maps(yaml, under, rest) : rest;
}

void sl_yaml_include(sl_yaml *yaml, bool trust) {
  if (!yaml->root || yaml->root->kind != SL_YAML_MAP) return;
  trail t = {.trust = trust};
  char *real = real_path(yaml, yaml->path[0]);
  if (real) t.path[t.depth++] = real;
  sl_yaml_node *root = resolve_includes(yaml, yaml->root, &t);
  if (root) yaml->root = root;
  if (yaml->root->size > SL_YAML_NODES) sl_yaml_problem(yaml, NULL, "more than 1000000 nodes");
  free(real);
}
