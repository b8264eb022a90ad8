/* YAML as a tree with places: what an experiment is read from. docs/experiments.md has the rules.
 *
 * Plain YAML 1.2 with the core schema and nothing surprising: no tags, no merge keys, no duplicate keys,
 * no tabs, one document; aliases only where what they stand for stays small. Every node knows its file,
 * line and column. */
#ifndef SL_YAML_H
#define SL_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "scree/status.h"

enum {
  SL_YAML_DEPTH = 64,
  SL_YAML_NODES = 1000000,
  SL_YAML_BYTES = 16 << 20,
  SL_YAML_SCALAR = 1 << 20,
  SL_YAML_KEY = 1 << 10,
  SL_YAML_KEYS = 10000, /* of one map */
  SL_YAML_FILES = 64,
  SL_YAML_PROBLEMS = 100,
  SL_YAML_INCLUDES = 16
};

typedef enum sl_yaml_kind {
  SL_YAML_NULL,
  SL_YAML_BOOL,
  SL_YAML_NUMBER,
  SL_YAML_TEXT,
  SL_YAML_LIST,
  SL_YAML_MAP
} sl_yaml_kind;

typedef struct sl_yaml_node sl_yaml_node;
struct sl_yaml_node {
  sl_yaml_kind kind;
  int file, line, column;        /* line and column from 1; file: index into the document's */
  bool quoted, open;             /* open: still being read */
  int truth;                     /* BOOL */
  double number;                 /* NUMBER */
  bool whole;                    /* NUMBER written without point and exponent */
  const char *text;              /* scalars: as written, 0-terminated */
  const char *quantity;          /* NUMBER made from a text with a unit: that text, else NULL */
  size_t count;                  /* LIST, MAP: entries */
  sl_yaml_node **item;           /* LIST: items; MAP: values */
  sl_yaml_node **key;            /* MAP */
  size_t capacity, size, height; /* size: nodes with aliases spelled out */
};

typedef struct sl_problem {
  int file, line, column;
  char *text; /* NULL: memory ran out */
} sl_problem; /* line 0: no place */

/* A tree made of one or several files, and all that is wrong with it. */
typedef struct sl_yaml {
  sl_yaml_node *root; /* NULL after a fatal problem */
  int files;
  char *path[SL_YAML_FILES], *source[SL_YAML_FILES];
  int problems;
  sl_problem problem[SL_YAML_PROBLEMS];
  struct sl_yaml_block *blocks; /* memory of the nodes */
  size_t nodes;
} sl_yaml;

/* Reads a file. The result must be freed in any case; problems > 0 tells that something is wrong. */
void sl_yaml_open(sl_yaml *yaml, const char *path);
/* Reads a text that is called `name` in messages and makes it another file of the document; NULL after a
 * problem. */
sl_yaml_node *sl_yaml_parse(sl_yaml *yaml, const char *name, const char *text, size_t length);
void sl_yaml_free(sl_yaml *yaml);

/* Notes a problem at a node (NULL: without place). */
void sl_yaml_problem(sl_yaml *yaml, const sl_yaml_node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* All problems as text, ordered by place, each with its line and a caret. Released with free. */
char *sl_yaml_problems(const sl_yaml *yaml);

/* Value of a key, or NULL. */
sl_yaml_node *sl_yaml_get(const sl_yaml_node *map, const char *key);
/* Value at a dotted path, or NULL. */
sl_yaml_node *sl_yaml_find(const sl_yaml_node *root, const char *path);
/* Replaces `include:` entries by the maps in the files that they name, relative to the including file.
 * Maps are merged key by key; the including file's keys replace included ones. Without trust, a file
 * outside the folder of the first file is a problem: its text could end up in results. */
void sl_yaml_include(sl_yaml *yaml, bool trust);
/* Puts a value at a dotted path, making maps on the way; shared nodes are copied first. False without
 * memory or where a list is in the way. */
bool sl_yaml_set(sl_yaml *yaml, const char *path, sl_yaml_node *value);
/* A new node at the place of another. */
sl_yaml_node *sl_yaml_new(sl_yaml *yaml, sl_yaml_kind kind, const sl_yaml_node *at);
sl_yaml_node *sl_yaml_new_text(sl_yaml *yaml, const char *text, const sl_yaml_node *at);
sl_yaml_node *sl_yaml_new_number(sl_yaml *yaml, double value, const sl_yaml_node *at);
bool sl_yaml_push(sl_yaml *yaml, sl_yaml_node *list_or_map, sl_yaml_node *key, sl_yaml_node *item);
/* Deep copy: nothing is shared with the original. */
sl_yaml_node *sl_yaml_copy(sl_yaml *yaml, const sl_yaml_node *node);
/* The tree as YAML text that reads back to the same values. Released with free; NULL without memory. */
char *sl_yaml_write(const sl_yaml_node *root);

#endif
