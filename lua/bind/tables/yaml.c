/* Reads YAML into nodes with the events of libyaml.
 *
 * The input is untrusted; the tree must be safe to traverse. The limits of bind/tables/yaml.h apply to the
 * text and to expanded aliases: every finished node knows its number of nodes and levels with aliases
 * expanded, so an alias that would exceed a limit is refused. An alias to a node that is still open would
 * be a cycle and is refused. The core schema of YAML 1.2 gives the types of scalars: null, true, false,
 * decimal numbers; all others are texts. */
#include "bind/tables/yaml.h"
#include "bind/sandbox/place.h"
#include "bind/tables/units.h"
#include "scree/param.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* ---- memory of a document ---- */

/* Adds the problem that memory ran out, so that the tree is incomplete. The problem has no text, because
 * there may be no memory for it. */
void sl_yaml_starve(sl_yaml *yaml) {
  if (yaml->problems < SL_YAML_PROBLEMS) yaml->problem[yaml->problems++] = (sl_problem){0, 0, 0, NULL};
}

typedef struct sl_yaml_block {
  struct sl_yaml_block *next;
  max_align_t data[];
} sl_yaml_block;

static void *allocate_nodes(sl_yaml *yaml, size_t bytes) {
  sl_yaml_block *block = calloc(1, sizeof *block + bytes);
  if (!block) return sl_yaml_starve(yaml), NULL;
  block->next = yaml->blocks;
  yaml->blocks = block;
  return block->data;
}

void sl_yaml_free(sl_yaml *yaml) {
  for (sl_yaml_block *b = yaml->blocks, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  for (int i = 0; i < yaml->files; i++) free(yaml->path[i]), free(yaml->source[i]);
  for (int i = 0; i < yaml->problems; i++) free(yaml->problem[i].text);
  memset(yaml, 0, sizeof *yaml);
}

/* ---- problems ---- */

static void note_problem(sl_yaml *yaml, int file, int line, int column, const char *format, va_list list) {
  if (yaml->problems == SL_YAML_PROBLEMS) return;
  char text[1024];
  vsnprintf(text, sizeof text, format, list);
  yaml->problem[yaml->problems++] = (sl_problem){file, line, column, strdup(text)};
}

void sl_yaml_problem(sl_yaml *yaml, const sl_yaml_node *at, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (at) note_problem(yaml, at->file, at->line, at->column, format, list);
  else note_problem(yaml, 0, 0, 0, format, list);
  va_end(list);
}

static void problem_at(sl_yaml *yaml, int file, size_t line, size_t column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
static void problem_at(sl_yaml *yaml, int file, size_t line, size_t column, const char *format, ...) {
  va_list list;
  va_start(list, format);
  note_problem(yaml, file, (int)line + 1, (int)column + 1, format, list);
  va_end(list);
}

/* ---- nodes ---- */

static sl_yaml_node *new_node(sl_yaml *yaml, sl_yaml_kind kind, int file, int line, int column) {
  sl_yaml_node *node = allocate_nodes(yaml, sizeof *node);
  if (node)
    *node = (sl_yaml_node){
        .kind = kind, .file = file, .line = line, .column = column, .size = 1, .height = 1};
  return node;
}

sl_yaml_node *sl_yaml_new(sl_yaml *yaml, sl_yaml_kind kind, const sl_yaml_node *at) {
  return new_node(yaml, kind, at ? at->file : 0, at ? at->line : 0, at ? at->column : 0);
}

static char *keep_text(sl_yaml *yaml, const char *text, size_t length) {
  char *copy = allocate_nodes(yaml, length + 1);
  if (copy) memcpy(copy, text, length);
  return copy;
}

sl_yaml_node *sl_yaml_new_text(sl_yaml *yaml, const char *text, const sl_yaml_node *at) {
  sl_yaml_node *node = sl_yaml_new(yaml, SL_YAML_TEXT, at);
  if (node) node->quoted = true;
  if (node && !(node->text = keep_text(yaml, text, strlen(text)))) return NULL;
  return node;
}

sl_yaml_node *sl_yaml_new_number(sl_yaml *yaml, double value, const sl_yaml_node *at) {
  char text[32];
  scree_shortest(value, text);
  sl_yaml_node *node = sl_yaml_new(yaml, SL_YAML_NUMBER, at);
  if (node && !(node->text = keep_text(yaml, text, strlen(text)))) return NULL;
  if (node) node->number = value, node->whole = !strpbrk(text, ".eE");
  return node;
}

bool sl_yaml_push(sl_yaml *yaml, sl_yaml_node *into, sl_yaml_node *key, sl_yaml_node *item) {
  if (!item) return false;
  if (into->count == into->capacity) {
    size_t capacity = into->capacity ? 2 * into->capacity : 4;
    sl_yaml_node **items = allocate_nodes(yaml, capacity * sizeof *items),
                 **keys = allocate_nodes(yaml, capacity * sizeof *keys);
    if (!items || !keys) return false;
    if (into->count) memcpy(items, into->item, into->count * sizeof *items);
    if (into->count) memcpy(keys, into->key, into->count * sizeof *keys);
    into->item = items, into->key = keys, into->capacity = capacity;
  }
  into->key[into->count] = key;
  into->item[into->count++] = item;
  into->size += item->size + (key ? 1 : 0);
  if (item->height + 1 > into->height) into->height = item->height + 1;
  return true;
}

/* ---- the reader of events ---- */

typedef struct anchor {
  char *name;
  sl_yaml_node *node;
} anchor;
typedef struct reader {
  sl_yaml *yaml;
  yaml_parser_t parser;
  int file;
  sl_yaml_node *stack[SL_YAML_DEPTH + 1];
  /* [depth] key of an open map that waits for its value; NULL: none */
  sl_yaml_node *pending[SL_YAML_DEPTH + 1];
  int depth;
  anchor anchors[256];
  int anchors_count;
  sl_yaml_node *root;
  bool failed;
} reader;

static void type_scalar(sl_yaml_node *node, const char *text, size_t length) {
  node->kind = SL_YAML_TEXT;
  if (node->quoted) return;
  if (!length || !strcmp(text, "~") || !strcmp(text, "null")) node->kind = SL_YAML_NULL;
  else if (!strcmp(text, "true") || !strcmp(text, "false"))
    node->kind = SL_YAML_BOOL, node->truth = *text == 't';
  else if (sl_number_read(text, length, &node->number))
    node->kind = SL_YAML_NUMBER, node->whole = !strpbrk(text, ".eE");
}

static void fail_at(reader *r, const yaml_mark_t *mark, const char *text) {
  if (!r->failed) problem_at(r->yaml, r->file, mark->line, mark->column, "%s", text);
  r->failed = true;
}

/* Adds a problem, with the places of both keys, if a key occurs twice. */
static void check_key(reader *r, const sl_yaml_node *map, const sl_yaml_node *key, const yaml_mark_t *mark) {
  if (map->count == SL_YAML_KEYS) return fail_at(r, mark, "more than 10000 keys in one map");
  for (size_t i = 0; i < map->count; i++)
    if (!strcmp(map->key[i]->text, key->text))
      sl_yaml_problem(r->yaml, key, "the key '%.200s' stands twice in this map; the first is in line %d",
          key->text, map->key[i]->line);
}

/* Adds a finished node to the open node above it, or makes it the root. */
static void attach_node(reader *r, sl_yaml_node *node, const yaml_mark_t *mark) {
  if (!node) return fail_at(r, mark, "no memory");
  if (!r->depth) {
    r->root = node;
    return;
  }
  sl_yaml_node *parent = r->stack[r->depth];
  if (parent->kind == SL_YAML_LIST) {
    if (!sl_yaml_push(r->yaml, parent, NULL, node)) fail_at(r, mark, "no memory");
  } else if (!r->pending[r->depth]) {
    if (node->kind >= SL_YAML_LIST) return fail_at(r, mark, "a key must be a word, not a list or map");
    if (strlen(node->text) > SL_YAML_KEY) return fail_at(r, mark, "a key of more than 1024 bytes");
    if (!node->quoted && !strcmp(node->text, "<<"))
      return fail_at(r, mark, "merge keys (<<) are not taken; use include: or write the values out");
    if (!*node->text) return fail_at(r, mark, "an empty key");
    check_key(r, parent, node, mark);
    r->pending[r->depth] = node;
  } else {
    if (!sl_yaml_push(r->yaml, parent, r->pending[r->depth], node)) fail_at(r, mark, "no memory");
    r->pending[r->depth] = NULL;
  }
  if (parent->size > SL_YAML_NODES)
    fail_at(r, mark, "more than 1000000 nodes, aliases counted as what they stand for");
}

static sl_yaml_node *make_node(reader *r, const yaml_event_t *event, sl_yaml_kind kind,
    const yaml_char_t *name, const yaml_char_t *tag) {
  sl_yaml_node *node = new_node(
      r->yaml, kind, r->file, (int)event->start_mark.line + 1, (int)event->start_mark.column + 1);
  if (!node || ++r->yaml->nodes > SL_YAML_NODES)
    return fail_at(r, &event->start_mark, node ? "more than 1000000 nodes" : "no memory"), NULL;
  if (tag) fail_at(r, &event->start_mark, "tags (!...) are not taken");
  if (!name) return node;
  if (r->anchors_count == 256) return fail_at(r, &event->start_mark, "more than 256 anchors"), node;
  char *copy = keep_text(r->yaml, (const char *)name, strlen((const char *)name));
  if (copy) r->anchors[r->anchors_count++] = (anchor){copy, node};
  return node;
}

static void open_node(reader *r, const yaml_event_t *event, sl_yaml_kind kind, const yaml_char_t *name,
    const yaml_char_t *tag) {
  if (r->depth == SL_YAML_DEPTH) return fail_at(r, &event->start_mark, "more than 64 levels");
  sl_yaml_node *node = make_node(r, event, kind, name, tag);
  if (!node) return;
  if (r->depth && r->stack[r->depth]->kind == SL_YAML_MAP && !r->pending[r->depth])
    return fail_at(r, &event->start_mark, "a key must be a word, not a list or map");
  node->open = true;
  r->stack[++r->depth] = node;
  r->pending[r->depth] = NULL;
}

static void close_node(reader *r, const yaml_event_t *event) {
  sl_yaml_node *node = r->stack[r->depth--];
  node->open = false;
  attach_node(r, node, &event->end_mark);
}

static void read_alias(reader *r, const yaml_event_t *event) {
  const char *name = (const char *)event->data.alias.anchor;
  sl_yaml_node *node = NULL;
  for (int i = 0; i < r->anchors_count; i++)
    if (!strcmp(r->anchors[i].name, name)) node = r->anchors[i].node;
  if (!node) return fail_at(r, &event->start_mark, "an alias to an anchor that is not there");
  if (node->open) return fail_at(r, &event->start_mark, "an alias to a node that contains it: a cycle");
  if ((size_t)r->depth + node->height > SL_YAML_DEPTH)
    return fail_at(r, &event->start_mark, "more than 64 levels through an alias");
  attach_node(r, node, &event->start_mark);
}

static void read_scalar(reader *r, const yaml_event_t *event) {
  const char *text = (const char *)event->data.scalar.value;
  size_t length = event->data.scalar.length;
  if (length > SL_YAML_SCALAR) return fail_at(r, &event->start_mark, "a text of more than 1 MiB");
  if (memchr(text, 0, length)) return fail_at(r, &event->start_mark, "a zero byte in a text");
  sl_yaml_node *node = make_node(r, event, SL_YAML_TEXT, event->data.scalar.anchor, event->data.scalar.tag);
  if (!node) return;
  node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  if (!(node->text = keep_text(r->yaml, text, length))) return fail_at(r, &event->start_mark, "no memory");
  type_scalar(node, text, length);
  attach_node(r, node, &event->start_mark);
}

static void read_event(reader *r, const yaml_event_t *event) {
  switch (event->type) {
  case YAML_DOCUMENT_START_EVENT:
    if (r->root) fail_at(r, &event->start_mark, "a second document; one file holds one");
    break;
  case YAML_ALIAS_EVENT: read_alias(r, event); break;
  case YAML_SCALAR_EVENT: read_scalar(r, event); break;
  case YAML_SEQUENCE_START_EVENT:
    open_node(r, event, SL_YAML_LIST, event->data.sequence_start.anchor, event->data.sequence_start.tag);
    break;
  case YAML_MAPPING_START_EVENT:
    open_node(r, event, SL_YAML_MAP, event->data.mapping_start.anchor, event->data.mapping_start.tag);
    break;
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT: close_node(r, event); break;
  default: break;
  }
}

/* Adds the problem that libyaml reports, with a hint if its text is known to be confusing. */
static void parser_problem(reader *r) {
  const yaml_parser_t *p = &r->parser;
  const char *problem = p->problem    ? p->problem
      : p->error == YAML_MEMORY_ERROR ? "no memory to read on"
                                      : "not YAML";
  size_t line = p->problem_mark.line, column = p->problem_mark.column;
  bool reading = p->error == YAML_READER_ERROR, tab = !reading && strstr(problem, "cannot start any token");
  if (reading) line = p->mark.line, column = p->mark.column;
  problem_at(r->yaml, r->file, line, column, "%s%s%s%s%s", problem, p->context ? " (" : "",
      p->context ? p->context : "", p->context ? ")" : "",
      tab           ? "; indent with blanks, not with tabs"
          : reading ? "; the file must be UTF-8 text"
                    : "");
  r->failed = true;
}

static void read_events(reader *r) {
  for (bool end = false; !end && !r->failed;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&r->parser, &event)) {
      parser_problem(r);
      return;
    }
    read_event(r, &event);
    end = event.type == YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
}

/* ---- files ---- */

static bool add_file(sl_yaml *yaml, const char *name, const char *text, size_t length) {
  if (yaml->files == SL_YAML_FILES) {
    sl_yaml_problem(yaml, NULL, "%s: more than %d files", name, SL_YAML_FILES);
    return false;
  }
  char *path = strdup(name), *source = malloc(length + 1);
  if (!path || !source) {
    free(path);
    free(source);
    return sl_yaml_starve(yaml), false;
  }
  memcpy(source, text, length);
  source[length] = 0;
  yaml->path[yaml->files] = path;
  yaml->source[yaml->files++] = source;
  return true;
}

sl_yaml_node *sl_yaml_parse(sl_yaml *yaml, const char *name, const char *text, size_t length) {
  if (!add_file(yaml, name, text, length)) return NULL;
  reader *r = calloc(1, sizeof *r);
  if (!r || !yaml_parser_initialize(&r->parser)) {
    free(r);
    return sl_yaml_starve(yaml), NULL;
  }
  r->yaml = yaml, r->file = yaml->files - 1;
  if (length > SL_YAML_BYTES) problem_at(yaml, r->file, 0, 0, "a file of more than 16 MiB"), r->failed = true;
  yaml_parser_set_input_string(&r->parser, (const unsigned char *)text, length);
  if (!r->failed) read_events(r);
  sl_yaml_node *root = r->failed ? NULL : r->root;
  if (!r->failed && !root) problem_at(yaml, r->file, 0, 0, "the file is empty");
  yaml_parser_delete(&r->parser);
  free(r);
  return root;
}

/* Reads a whole file into memory, which the caller frees. On failure adds a problem at the node `at` and
 * returns NULL. */
char *sl_yaml_slurp(sl_yaml *yaml, const char *path, const sl_yaml_node *at, size_t *length) {
  FILE *file = sl_open_regular(path);
  if (!file) {
    sl_yaml_problem(yaml, at, "cannot read %s: %s", path, sl_open_reason());
    return NULL;
  }
  size_t size = 0, capacity = 65536;
  char *text = malloc(capacity);
  for (size_t got; text && (got = fread(text + size, 1, capacity - size, file)) > 0;) {
    size += got;
    if (size > SL_YAML_BYTES) break;
    if (size == capacity) {
      char *more = realloc(text, capacity *= 2);
      if (!more) free(text);
      text = more;
    }
  }
  if (!text || ferror(file))
    sl_yaml_problem(yaml, at, "cannot read %s: %s", path, text ? strerror(errno) : "no memory"), free(text),
        text = NULL;
  fclose(file);
  *length = size;
  return text;
}

void sl_yaml_open(sl_yaml *yaml, const char *path) {
  memset(yaml, 0, sizeof *yaml);
  size_t length;
  char *text = sl_yaml_slurp(yaml, path, NULL, &length);
  if (text) yaml->root = sl_yaml_parse(yaml, path, text, length);
  free(text);
}
