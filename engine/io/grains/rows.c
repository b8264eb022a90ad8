/* Splits lines of text into cells, words and numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "io/grains/grains.h"

const char *sc_grain_line_end(const char *at, const char *end) {
  /* the search window doubles: otherwise each line of a file without LF would cost a search of the rest of
   * the file */
  for (size_t window = 256;; window *= 2) {
    const size_t left = (size_t)(end - at), count = left < window ? left : window;
    const char *lf = memchr(at, '\n', count);
    const char *cr = memchr(at, '\r', lf ? (size_t)(lf - at) : count);
    if (cr || lf) return cr ? cr : lf;
    if (count == left) return end;
  }
}

const char *sc_grain_next_line(const char *at, const char *end) {
  if (at < end && *at == '\r') at++;
  if (at < end && *at == '\n') at++;
  return at;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

/* Returns the cell from `at` to `end` without blanks and one pair of quotes around it. */
static sc_grain_cell trim_cell(const char *at, const char *end) {
  while (at < end && is_blank(*at)) at++;
  while (end > at && is_blank(end[-1])) end--;
  if (end - at >= 2 && (*at == '"' || *at == '\'') && end[-1] == *at) at++, end--;
  return (sc_grain_cell){at, (size_t)(end - at)};
}

/* Returns the position after a quoted text that begins at `at`, or after its first quote if no second quote
 * closes it. */
static const char *skip_quotes(const char *at, const char *end) {
  const char *close = memchr(at + 1, *at, (size_t)(end - at - 1));
  return close ? close + 1 : at + 1;
}

static int split_blanks(const char *at, const char *end, sc_grain_cell *cell, int most) {
  int count = 0;
  for (;;) {
    while (at < end && is_blank(*at)) at++;
    if (at == end || *at == '#') return count;
    const char *begin = at;
    if (*at == '"') at = skip_quotes(at, end);
    while (at < end && !is_blank(*at) && *at != '#') at++;
    if (count == most) return most + 1;
    cell[count++] = trim_cell(begin, at);
  }
}

int sc_grain_split_line(
    const char *at, const char *end, sc_grain_split split, sc_grain_cell *cell, int most) {
  if (split.separator == ' ') return split_blanks(at, end, cell, most);
  int count = 0;
  for (const char *begin = at;; begin = ++at) {
    while (at < end && is_blank(*at) && *at != split.separator) at++;
    if (at < end && *at == '"') at = skip_quotes(at, end);
    while (at < end && *at != split.separator && *at != '#') at++;
    if (count == most) return most + 1;
    cell[count++] = trim_cell(begin, at);
    if (at == end || *at == '#') return count;
  }
}

bool sc_grain_is(sc_grain_cell word, const char *text) {
  return strlen(text) == word.length && !strncasecmp(word.at, text, word.length);
}

bool sc_grain_begins(const char *at, const char *end, const char *text) {
  const size_t length = strlen(text);
  return (size_t)(end - at) >= length && !strncasecmp(at, text, length);
}

const char *sc_grain_skip_blanks(const char *at, const char *end) {
  while (at < end && is_blank(*at)) at++;
  return at;
}

bool sc_grain_is_comment(const char *at, const char *end) {
  return at < end &&
      (*at == '#' || *at == '%' || *at == '!' || (end - at >= 2 && at[0] == '/' && at[1] == '/'));
}

/* Returns whether a line has no values: it has only blanks, or is a comment. */
static bool is_empty(const char *at, const char *end) {
  at = sc_grain_skip_blanks(at, end);
  return at == end || sc_grain_is_comment(at, end);
}

/* Appends the cells of the line at `at` as the next row. The value of a cell that is not a number is NAN. */
static scree_status append_row(
    sc_grain_table *t, const char *at, const sc_grain_cell *cell, int count, scree_error *error) {
  /* a separator after the last value makes an empty cell, which is not a value */
  if (count == t->columns + 1 && t->split.separator != ' ' && !cell[count - 1].length) count--;
  if (count != t->columns)
    return sc_grain_fail(t, at, error, "%d%s value%s; the table has %d columns",
        count > t->columns ? t->columns : count, count > t->columns ? " and more" : "", count == 1 ? "" : "s",
        t->columns);
  if (!SC_GROW(t->place, t->place_capacity, (size_t)t->rows + 1) || !sc_grain_reserve(t, t->rows + 1))
    return sc_grain_no_memory(t, error);
  t->place[t->rows] = (size_t)(at - t->bytes);
  for (int c = 0; c < count; c++) {
    double value;
    const bool is_number = sc_grain_number(cell[c].at, cell[c].length, t->split.decimal, &value);
    t->column[c].value[t->rows] = is_number ? value : NAN;
  }
  t->rows++;
  return SCREE_OK;
}

scree_status sc_grain_read_rows(
    sc_grain_table *t, const char **at, const char *end, int64_t rows, scree_error *error) {
  sc_grain_cell cell[SC_GRAIN_COLUMNS + 1];
  const int64_t last = rows < 0 ? INT64_MAX : t->rows + rows;
  while (*at < end && t->rows < last) {
    const char *stop = sc_grain_line_end(*at, end);
    if (!is_empty(*at, stop)) {
      const int count = sc_grain_split_line(*at, stop, t->split, cell, t->columns + 1);
      const scree_status status = append_row(t, *at, cell, count, error);
      if (status) return status;
    }
    *at = sc_grain_next_line(stop, end);
  }
  if (rows >= 0 && t->rows < last)
    return sc_grain_fail(t, end, error, "the file ends after %lld of %lld rows",
        (long long)(t->rows - (last - rows)), (long long)rows);
  return SCREE_OK;
}

bool sc_grain_word(const char **at, const char *end, sc_grain_cell *word) {
  while (*at < end && (is_blank(**at) || **at == '\n' || **at == '\r')) (*at)++;
  word->at = *at;
  while (*at < end && !is_blank(**at) && **at != '\n' && **at != '\r') (*at)++;
  word->length = (size_t)(*at - word->at);
  return word->length > 0;
}

scree_status sc_grain_read_numbers(const sc_grain_table *t, const char **at, const char *end, int64_t count,
    double *out, int64_t stride, scree_error *error) {
  for (int64_t k = 0; k < count; k++) {
    sc_grain_cell word;
    if (!sc_grain_word(at, end, &word))
      return sc_grain_fail(
          t, *at, error, "the list ends after %lld of %lld numbers", (long long)k, (long long)count);
    if (sc_grain_number(word.at, word.length, '.', out + k * stride)) continue;
    if (sc_grain_is(word, "nan") || sc_grain_is(word, "-nan") || sc_grain_is(word, "inf") ||
        sc_grain_is(word, "-inf")) {
      out[k * stride] = NAN;
      continue;
    }
    return sc_grain_fail(t, word.at, error, "number %lld of the list: '%.*s' is no number", (long long)k + 1,
        (int)(word.length < 40 ? word.length : 40), word.at);
  }
  return SCREE_OK;
}
