/* Tables of named columns. The reader of each format of grains fills one. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "io/grains/grains.h"

int sc_grain_add_column(sc_grain_table *t, const char *name, size_t length) {
  if (t->columns == SC_GRAIN_COLUMNS) return -1;
  if (!SC_GROW(t->column, t->column_capacity, (size_t)t->columns + 1)) return -1;
  sc_grain_column *c = t->column + t->columns;
  memset(c, 0, sizeof *c);
  if (length > SC_GRAIN_NAME) length = SC_GRAIN_NAME;
  memcpy(c->name, name, length);
  return t->columns++;
}

int sc_grain_add_vector(sc_grain_table *t, const char *name, size_t length, int64_t components) {
  static const char suffix[2][4] = {{'x', 'y', 'z', 0}, {'w', 'x', 'y', 'z'}};
  if (components == 1) return sc_grain_add_column(t, name, length);
  if (length > SC_GRAIN_NAME - 8) length = SC_GRAIN_NAME - 8;
  int first = -1;
  for (int64_t k = 0; k < components; k++) {
    char text[SC_GRAIN_NAME + 1];
    if (components <= 4 && components > 1 && suffix[components == 4][k])
      snprintf(text, sizeof text, "%.*s_%c", (int)length, name, suffix[components == 4][k]);
    else snprintf(text, sizeof text, "%.*s_%d", (int)length, name, (int)k + 1);
    const int at = sc_grain_add_column(t, text, strlen(text));
    if (at < 0) return -1;
    if (!k) first = at;
  }
  return first;
}

bool sc_grain_reserve(sc_grain_table *t, int64_t rows) {
  for (int c = 0; c < t->columns; c++)
    if (!SC_GROW(t->column[c].value, t->column[c].capacity, (size_t)rows + 1)) return false;
  return true;
}

int sc_grain_find_column(const sc_grain_table *t, const char *name) {
  for (int c = 0; c < t->columns; c++)
    if (!strcasecmp(t->column[c].name, name)) return c;
  return -1;
}

void sc_grain_clear(sc_grain_table *t) {
  for (int c = 0; c < t->columns; c++) sc_free(t->column[c].value);
  sc_free(t->column);
  sc_free(t->place);
  t->column = NULL, t->place = NULL;
  t->columns = 0, t->rows = 0;
  t->column_capacity = t->place_capacity = 0;
}

int64_t sc_grain_line(const sc_grain_table *t, const char *at) {
  int64_t line = 1;
  for (const char *c = t->bytes; c < at; c++) line += *c == '\n' || (*c == '\r' && c[1] != '\n');
  return line;
}

scree_status sc_grain_fail(
    const sc_grain_table *t, const char *at, scree_error *error, const char *format, ...) {
  char text[SCREE_ERROR_TEXT];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return sc_fail(error, SCREE_E_FORMAT, "%s:%lld: %s", t->path, (long long)sc_grain_line(t, at), text);
}

scree_status sc_grain_no_memory(const sc_grain_table *t, scree_error *error) {
  if (t->columns == SC_GRAIN_COLUMNS)
    return sc_fail(error, SCREE_E_FORMAT, "%s: more than %d columns", t->path, SC_GRAIN_COLUMNS);
  return sc_fail(error, SCREE_E_MEMORY, "%s: no memory to read it", t->path);
}

void sc_grain_set_box(sc_grain_table *t, const double low[3], const double high[3], const bool periodic[3]) {
  t->has_cell = true;
  for (int k = 0; k < 3; k++) {
    t->cell.origin[k] = low[k];
    t->cell.matrix[4 * k] = high[k] - low[k];
    t->cell.periodic[k] = periodic[k];
  }
}

scree_status sc_grain_choose_frame(sc_grain_table *t, int64_t wanted, int64_t frames, scree_error *error) {
  t->frames = frames;
  t->frame = wanted < 0 ? frames + 1 + wanted : wanted;
  if (t->frame >= 1 && t->frame <= frames) return SCREE_OK;
  return sc_fail(error, SCREE_E_ARGUMENT, "%s: frame %lld does not exist: there %s %lld", t->path,
      (long long)wanted, frames == 1 ? "is" : "are", (long long)frames);
}
