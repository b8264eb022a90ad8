/* YAML as a tree whose nodes know their file, line and column. Experiments are read from it;
 * docs/experiments.md has the rules.
 *
 * The language is YAML 1.2 with the core schema, without tags, merge keys, duplicate keys and tabs, and
 * with a single document. The size of the tree with all aliases expanded is limited. */
#ifndef SL_YAML_H
#define SL_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "scree/status.h"

enum {
  SL_YAML_DEPTH = 64,       /* maximum number of nested levels */
  SL_YAML_NODES = 1000000,  /* maximum number of nodes, with aliases expanded */
  SL_YAML_BYTES = 16 << 20, /* maximum size of a file [bytes] */
  SL_YAML_SCALAR = 1 << 20, /* maximum size of a scalar [bytes] */
  SL_YAML_KEY = 1 << 10,    /* maximum size of a key [bytes] */
  SL_YAML_KEYS = 10000,     /* maximum number of keys of one map */
  SL_YAML_FILES = 64,       /* maximum number of files of a document */
  SL_YAML_PROBLEMS = 100,   /* maximum number of stored problems */
  SL_YAML_INCLUDES = 16     /* maximum number of nested includes */
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
  int file, line, column; /* line and column from 1; file: index into sl_yaml.path */
  bool quoted, open;      /* quoted: scalar in quotes; open: still being read */
  int truth;              /* value of a node of kind BOOL */
  double number;          /* value of a node of kind NUMBER */
  bool whole;             /* NUMBER without point and exponent */
  const char *text;       /* scalars: the source text */
  const char *quantity;   /* NUMBER converted from a text with a unit: this text; else NULL */
  size_t count;           /* LIST, MAP: number of entries */
  sl_yaml_node **item;    /* LIST: items; MAP: values */
  sl_yaml_node **key;     /* [count] keys of a node of kind MAP */
  /* capacity: length of item and key; size: number of nodes of the subtree with aliases expanded; height:
   * levels of the subtree */
  size_t capacity, size, height;
};

/* A mistake in a document. */
typedef struct sl_problem {
  int file, line, column; /* line 0: the mistake has no place */
  char *text;             /* message; NULL: memory ran out */
} sl_problem;

/* A document: a tree made of one or several files, and its problems. */
typedef struct sl_yaml {
  sl_yaml_node *root; /* NULL after a fatal problem */
  int files;
  char *path[SL_YAML_FILES], *source[SL_YAML_FILES];
  int problems;
  sl_problem problem[SL_YAML_PROBLEMS];
  struct sl_yaml_block *blocks; /* memory blocks of the nodes */
  size_t nodes;
} sl_yaml;

/* Reads a file. The caller must call sl_yaml_free in any case. yaml->problems > 0 after a failure. */
void sl_yaml_open(sl_yaml *yaml, const char *path);
/* Reads a text as a further file of the document and returns its root; NULL after a problem. name: for
 * messages. */
sl_yaml_node *sl_yaml_parse(sl_yaml *yaml, const char *name, const char *text, size_t length);
/* Frees the memory of a document. */
void sl_yaml_free(sl_yaml *yaml);

/* Adds a problem at a node (NULL: without a place). */
void sl_yaml_problem(sl_yaml *yaml, const sl_yaml_node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns all problems as a text, sorted by place, each with its source line and a caret. The caller frees
 * it. */
char *sl_yaml_problems(const sl_yaml *yaml);

/* Returns the value of a key, or NULL. */
sl_yaml_node *sl_yaml_get(const sl_yaml_node *map, const char *key);
/* Returns the value at a dotted path, or NULL. */
sl_yaml_node *sl_yaml_find(const sl_yaml_node *root, const char *path);
/* Replaces `include:` entries by the maps in the named files. Paths are relative to the including file.
 * Maps are merged key by key; keys of the including file replace included ones. Without trust, a file
 * outside the folder of the first file is a problem, because its text could appear in results. */
void sl_yaml_include(sl_yaml *yaml, bool trust);
/* Sets the value at a dotted path and creates missing maps. Shared nodes are copied first. Returns false
 * if memory runs out or if a node of the path is not a map. */
bool sl_yaml_set(sl_yaml *yaml, const char *path, sl_yaml_node *value);
/* Returns a new node with the place (file, line, column) of the node `at`; NULL if memory runs out. */
sl_yaml_node *sl_yaml_new(sl_yaml *yaml, sl_yaml_kind kind, const sl_yaml_node *at);
/* Returns a new text node with the place of the node `at`; NULL if memory runs out. */
sl_yaml_node *sl_yaml_new_text(sl_yaml *yaml, const char *text, const sl_yaml_node *at);
/* Returns a new number node with the place of the node `at`; NULL if memory runs out. */
sl_yaml_node *sl_yaml_new_number(sl_yaml *yaml, double value, const sl_yaml_node *at);
/* Appends an item to a list, or a key and an item to a map. Returns false if memory runs out. */
bool sl_yaml_push(sl_yaml *yaml, sl_yaml_node *list_or_map, sl_yaml_node *key, sl_yaml_node *item);
/* Returns a deep copy, which shares no node with the original; NULL if memory runs out. */
sl_yaml_node *sl_yaml_copy(sl_yaml *yaml, const sl_yaml_node *node);
/* Returns the tree as YAML text that reads back to the same values; the caller frees it. NULL if memory
 * runs out. */
char *sl_yaml_write(const sl_yaml_node *root);

#endif
