/* Finds values in JSON text by skipping other values; copies nothing. Stops at the end of incomplete text. */
#include "picture/json.h"

#include <string.h>

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

/* Returns the end of the string that starts at `at`. */
static const char *skip_string(const char *at) {
  for (at++; *at && *at != '"'; at++)
    if (*at == '\\' && at[1]) at++;
  return *at ? at + 1 : at;
}

/* Returns the end of the value at `at`. */
static const char *skip_value(const char *at) {
  int depth = 0;
  at = skip_blanks(at);
  do {
    if (*at == '"') {
      at = skip_string(at);
      continue;
    }
    if (*at == '{' || *at == '[') depth++;
    else if (*at == '}' || *at == ']') {
      if (!depth) return at;
      depth--;
    } else if (*at == ',' && !depth) return at;
    if (*at) at++;
  } while (*at && (depth || !strchr(",]} \t\r\n", *at)));
  return at;
}

const char *json_member(const char *text, const char *name) {
  const char *at = text ? skip_blanks(text) : "";
  size_t length = strlen(name);
  if (*at != '{') return NULL;
  for (at = skip_blanks(at + 1); *at == '"';) {
    const char *end = skip_string(at), *value = skip_blanks(end);
    if (*value != ':') return NULL;
    if ((size_t)(end - at) == length + 2 && !strncmp(at + 1, name, length)) return skip_blanks(value + 1);
    at = skip_blanks(skip_value(value + 1));
    if (*at == ',') at = skip_blanks(at + 1);
  }
  return NULL;
}

const char *json_element(const char *text, int index) {
  const char *at = text ? skip_blanks(text) : "";
  if (*at != '[') return NULL;
  at = skip_blanks(at + 1);
  for (; *at && *at != ']'; index--) {
    if (!index) return at;
    at = skip_blanks(skip_value(at));
    if (*at == ',') at = skip_blanks(at + 1);
  }
  return NULL;
}

/* Copies a string and resolves the escapes that run.json has. */
static void copy_string(const char *at, char *out, size_t size) {
  size_t used = 0;
  for (at++; *at && *at != '"' && used + 1 < size; at++) {
    if (*at == '\\' && at[1]) {
      at++;
      if (*at == 'u') {
        at += strnlen(at, 5) - 1;
        continue;
      }
    }
    out[used++] = *at;
  }
  out[used] = 0;
}

const char *json_text(const char *text, char *out, size_t size) {
  out[0] = 0;
  if (!text) return out;
  text = skip_blanks(text);
  if (*text == '"') return copy_string(text, out, size), out;
  if (*text == '[') {
    for (int i = 0; json_element(text, i); i++) {
      size_t used = strlen(out);
      if (i && used + 1 < size) out[used++] = ',', out[used] = 0;
      json_text(json_element(text, i), out + used, size - used);
    }
    return out;
  }
  size_t length = (size_t)(skip_value(text) - text);
  while (length && strchr(" \t\r\n", text[length - 1])) length--;
  if (length >= size) length = size - 1;
  memcpy(out, text, length);
  out[length] = 0;
  return out;
}
