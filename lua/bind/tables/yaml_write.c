/* Writes trees and problems as text. */
#include "bind/tables/yaml.h"
#include "bind/tables/units.h"
#include "scree/param.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
  char *data;
  size_t used, capacity;
  bool failed;
} text;

static void put_format(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put_format(text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int need = vsnprintf(NULL, 0, format, list);
  va_end(list);
  if (t->failed || need < 0) return;
  if (t->used + (size_t)need + 1 > t->capacity) {
    size_t capacity = 2 * (t->used + (size_t)need + 64);
    char *data = realloc(t->data, capacity);
    t->failed = !data;
    if (!data) return;
    t->data = data, t->capacity = capacity;
  }
  va_start(list, format);
  vsnprintf(t->data + t->used, (size_t)need + 1, format, list);
  va_end(list);
  t->used += (size_t)need;
}

static char *finish_text(text *t) {
  if (t->failed || !t->data) return free(t->data), t->failed ? NULL : strdup("");
  return t->data;
}

/* ---- trees ---- */

/* Returns the code of a UTF-8 character, which the reader has checked, and its length. */
static unsigned decode_utf8(const char *s, int *length) {
  const unsigned char *u = (const unsigned char *)s;
  *length = *u < 0x80 ? 1 : *u < 0xe0 ? 2 : *u < 0xf0 ? 3 : 4;
  unsigned code = *length == 1 ? *u : *u & (0xffu >> (*length + 1));
  for (int i = 1; i < *length; i++) {
    if ((u[i] & 0xc0) != 0x80) return *length = 1, *u;
    code = code << 6 | (u[i] & 0x3fu);
  }
  return code;
}

/* Returns whether a character must be escaped, because a reader would refuse or fold it. */
static bool is_special(unsigned code) {
  return code < 32 || (code >= 127 && code < 0xa0) || code == 0x2028 || code == 0x2029 || code == 0xfeff ||
      code == 0xfffe || code == 0xffff;
}

static void put_quoted(text *t, const char *s) {
  put_format(t, "\"");
  for (int length; *s; s += length) {
    unsigned code = decode_utf8(s, &length);
    if (code == '"' || code == '\\') put_format(t, "\\%c", (int)code);
    else if (code == '\n') put_format(t, "\\n");
    else if (is_special(code)) put_format(t, "\\u%04x", code);
    else put_format(t, "%.*s", length, s);
  }
  put_format(t, "\"");
}

/* Writes a key. Keys that are too long for the form "key:" on one line are written in the form "? key". */
static void put_key(text *t, const char *key, int indent) {
  bool longer = strlen(key) > 150;
  if (longer) put_format(t, "? ");
  put_quoted(t, key);
  if (longer && indent >= 0) put_format(t, "\n%*s", indent, "");
  put_format(t, longer && indent < 0 ? " :" : ":");
}

static bool plain_word(const char *s) {
  size_t n = strlen(s) > 150 ? 0
                             : strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  return n && !s[n] && !strchr("0123456789", *s) && strcmp(s, "null") && strcmp(s, "true") &&
      strcmp(s, "false");
}

static void put_scalar(text *t, const sl_yaml_node *n) {
  char number[32];
  if (n->kind == SL_YAML_NULL) put_format(t, "null");
  else if (n->kind == SL_YAML_BOOL) put_format(t, n->truth ? "true" : "false");
  else if (n->kind == SL_YAML_NUMBER && n->whole) put_format(t, "%s", n->text);
  else if (n->kind == SL_YAML_NUMBER) { /* "10.0", because "10" would read back as a whole number */
    scree_shortest(n->number, number);
    put_format(t, "%s%s", number, strpbrk(number, ".e") ? "" : ".0");
  } else if (!n->quoted && plain_word(n->text)) put_format(t, "%s", n->text);
  else put_quoted(t, n->text);
}

static bool is_flat(const sl_yaml_node *n) {
  for (size_t i = 0; i < n->count; i++)
    if (n->item[i]->kind >= SL_YAML_LIST) return false;
  return true;
}

static void put_node(text *t, const sl_yaml_node *n, int indent);

static void put_flow(text *t, const sl_yaml_node *n) {
  if (n->kind < SL_YAML_LIST) put_scalar(t, n);
  else {
    put_format(t, n->kind == SL_YAML_LIST ? "[" : "{");
    for (size_t i = 0; i < n->count; i++) {
      if (i) put_format(t, ", ");
      if (n->kind == SL_YAML_MAP) put_key(t, n->key[i]->text, -1), put_format(t, " ");
      put_flow(t, n->item[i]);
    }
    put_format(t, n->kind == SL_YAML_LIST ? "]" : "}");
  }
}

static void put_entry(text *t, const sl_yaml_node *value, int indent) {
  bool block = value->kind >= SL_YAML_LIST && value->count &&
      !(value->kind == SL_YAML_LIST && is_flat(value));
  put_format(t, block ? "\n" : " ");
  if (block) put_node(t, value, indent);
  else put_flow(t, value), put_format(t, "\n");
}

static void put_node(text *t, const sl_yaml_node *n, int indent) {
  for (size_t i = 0; i < n->count; i++) {
    put_format(t, "%*s", indent, "");
    if (n->kind == SL_YAML_LIST) {
      put_format(t, "- ");
      put_flow(t, n->item[i]);
      put_format(t, "\n");
      continue;
    }
    if (plain_word(n->key[i]->text)) put_format(t, "%s:", n->key[i]->text);
    else put_key(t, n->key[i]->text, indent);
    put_entry(t, n->item[i], indent + 2);
  }
}

char *sl_yaml_write(const sl_yaml_node *root) {
  text t = {0};
  if (root->kind == SL_YAML_MAP && root->count) put_node(&t, root, 0);
  else put_flow(&t, root), put_format(&t, "\n");
  return finish_text(&t);
}

/* ---- problems ---- */

static int by_place(const void *a, const void *b) {
  const sl_problem *p = *(sl_problem *const *)a, *q = *(sl_problem *const *)b;
  if (p->file != q->file) return p->file - q->file;
  if (p->line != q->line) return p->line - q->line;
  return p->column - q->column;
}

/* Writes the source line of a problem with a caret under its column. */
static void put_caret(text *t, const char *source, int line, int column) {
  for (int i = 1; i < line && source; i++) {
    source = strchr(source, '\n');
    if (source) source++;
  }
  if (!source) return;
  int length = (int)strcspn(source, "\r\n"), shown = length < 160 ? length : 160;
  if (!shown || column > shown + 1) return;
  for (int i = 0; i < shown; i++)
    if ((unsigned char)source[i] < 32 && source[i] != '\t') return;
  put_format(t, "    %.*s\n    ", shown, source);
  for (int bytes = 0, seen = 1; bytes < shown && seen < column; bytes++) {
    if (((unsigned char)source[bytes] & 0xc0) == 0x80) continue;
    put_format(t, source[bytes] == '\t' ? "\t" : " ");
    seen++;
  }
  put_format(t, "^\n");
}

char *sl_yaml_problems(const sl_yaml *yaml) {
  const sl_problem *order[SL_YAML_PROBLEMS];
  text t = {0};
  for (int i = 0; i < yaml->problems; i++) order[i] = yaml->problem + i;
  qsort(order, (size_t)yaml->problems, sizeof *order, by_place);
  for (int i = 0; i < yaml->problems; i++) {
    const sl_problem *p = order[i];
    const char *said = p->text ? p->text : "no memory";
    if (!p->line) put_format(&t, "%s\n", said);
    else {
      put_format(&t, "%s:%d:%d: %s\n", yaml->path[p->file], p->line, p->column, said);
      put_caret(&t, yaml->source[p->file], p->line, p->column);
    }
  }
  if (yaml->problems == SL_YAML_PROBLEMS) put_format(&t, "... and perhaps more\n");
  return finish_text(&t);
}
