/* Tables of text: csv, tsv, or columns separated by blanks, with a point or a comma as decimal sign.
 *
 * The reader chooses the separator and the decimal sign for which most cells of the first lines are numbers.
 * The header is the last line before the first row that has as many cells as the row; this line may be a
 * comment. It may also be the line "#format x_y_z_r" of YADE. Units follow names, as x [mm] or x (mm), or
 * have a line of their own. */
#include <string.h>
#include "io/grains/grains.h"

enum { SCORED_LINES = 200, NUMBERS_OF_ROW = 3 };

/* ---- the separator ---- */

/* Returns the number of cells of a line that are numbers. Sets *cells to the number of all cells. */
static int count_numbers(const char *at, const char *end, sc_grain_split split, int *cells) {
  sc_grain_cell cell[SC_GRAIN_COLUMNS + 1];
  double value;
  int numbers = 0;
  *cells = sc_grain_split_line(at, end, split, cell, SC_GRAIN_COLUMNS);
  for (int k = 0; k < *cells && k < SC_GRAIN_COLUMNS; k++)
    numbers += sc_grain_number(cell[k].at, cell[k].length, split.decimal, &value);
  return numbers;
}

static int64_t score_split(const sc_grain_table *t, const char *begin, sc_grain_split split) {
  int64_t score = 0;
  int lines = 0, cells;
  for (const char *at = begin; at < t->end && lines < SCORED_LINES; lines++) {
    const char *stop = sc_grain_line_end(at, t->end);
    if (!sc_grain_is_comment(sc_grain_skip_blanks(at, stop), stop))
      score += count_numbers(at, stop, split, &cells);
    at = sc_grain_next_line(stop, t->end);
  }
  return score;
}

/* Sets t->split to the choice for which most cells of the first lines are numbers. given: separator that the
 * caller names; 0: none. Returns false if no cell is a number with any choice. */
static bool find_split(sc_grain_table *t, const char *begin, char given) {
  static const sc_grain_split choice[] = {{'\t', '.'}, {'\t', ','}, {';', '.'}, {';', ','}, {'|', '.'},
      {'|', ','}, {',', '.'}, {' ', '.'}, {' ', ','}};
  int64_t best = 0;
  for (size_t k = 0; k < sizeof choice / sizeof *choice; k++) {
    if (given && choice[k].separator != given) continue;
    const int64_t score = score_split(t, begin, choice[k]);
    if (score > best) best = score, t->split = choice[k];
  }
  return best > 0;
}

/* ---- the header ---- */

/* The cells of a line that may be a header. */
typedef struct header {
  sc_grain_cell cell[SC_GRAIN_COLUMNS + 1];
  int count;
} header;

/* Joins each cell that begins with a bracket, such as "[mm]", to the cell before it, such as "x". Splitting
 * at blanks separates them. */
static void join_units(header *h) {
  int count = 0;
  for (int k = 0; k < h->count && k <= SC_GRAIN_COLUMNS; k++) {
    const sc_grain_cell c = h->cell[k];
    if (count && c.length && (*c.at == '[' || *c.at == '('))
      h->cell[count - 1].length = (size_t)(c.at + c.length - h->cell[count - 1].at);
    else h->cell[count++] = c;
  }
  h->count = count;
}

/* Splits a line that may be a header into cells, with the separator that makes as many cells as a row has.
 * cells: cells of a row. Returns false if no separator does. */
static bool split_header(const sc_grain_table *t, const char *at, const char *end, int cells, header *h) {
  static const char signs[] = {0, ',', ';', '\t', ' '};
  static const char format[] = "#format ";
  at = sc_grain_skip_blanks(at, end);
  if (sc_grain_begins(at, end, format)) {
    const sc_grain_split split = {'_', '.'};
    h->count = sc_grain_split_line(at + strlen(format), end, split, h->cell, SC_GRAIN_COLUMNS);
    return h->count == cells;
  }
  while (at < end && strchr("#%!/ \t", *at)) at++;
  for (size_t k = 0; k < sizeof signs; k++) {
    sc_grain_split split = t->split;
    if (signs[k]) split.separator = signs[k];
    h->count = sc_grain_split_line(at, end, split, h->cell, SC_GRAIN_COLUMNS);
    if (h->count > SC_GRAIN_COLUMNS) continue;
    if (split.separator == ' ') join_units(h);
    if (h->count == cells + 1 && !h->cell[cells].length) h->count = cells;
    if (h->count == cells) return true;
  }
  return false;
}

/* Returns whether a text is a unit that a field of grains may have. */
static bool is_unit(const scree_grains_def *def, sc_grain_cell c) {
  static const char *const dimensions[] = {"m", "kg", "kg/m3", "m/s", "rad/s", "s"};
  char text[SC_GRAIN_NAME + 1] = "";
  double factor;
  if (!def->read_unit || c.length > SC_GRAIN_NAME) return false;
  memcpy(text, c.at, c.length);
  for (size_t k = 0; k < sizeof dimensions / sizeof *dimensions; k++)
    if (def->read_unit(def->unit_context, text, dimensions[k], &factor)) return true;
  return false;
}

/* Returns the unit between brackets at the end of a cell; an empty text if there is none. */
static sc_grain_cell find_unit(const scree_grains_def *def, sc_grain_cell c) {
  const sc_grain_cell none = {c.at + c.length, 0};
  const char close = c.length ? c.at[c.length - 1] : 0, open = close == ']' ? '[' : close == ')' ? '(' : 0;
  if (!open) return none;
  for (const char *at = c.at + c.length - 1; at-- > c.at;) {
    if (*at != open) continue;
    const sc_grain_cell unit = {at + 1, (size_t)(c.at + c.length - 2 - at)};
    return open == '[' || is_unit(def, unit) ? unit : none;
  }
  return none;
}

static void copy_text(char *to, sc_grain_cell c) {
  const size_t length = c.length < SC_GRAIN_NAME ? c.length : SC_GRAIN_NAME;
  memcpy(to, c.at, length);
  to[length] = 0;
}

/* Adds a column for each cell of the header `names`. units: the line of units; NULL: units follow the names
 * in brackets. Returns false if out of memory. */
static bool name_text_columns(
    sc_grain_table *t, const scree_grains_def *def, const header *names, const header *units) {
  for (int k = 0; k < names->count; k++) {
    sc_grain_cell name = names->cell[k];
    const sc_grain_cell unit = units ? units->cell[k] : find_unit(def, name);
    if (!units && unit.length) name.length = (size_t)(unit.at - 1 - name.at);
    while (name.length && name.at[name.length - 1] == ' ') name.length--;
    const int c = sc_grain_add_column(t, name.at, name.length);
    if (c < 0) return false;
    copy_text(t->column[c].unit, unit);
  }
  return true;
}

static bool are_units(const scree_grains_def *def, const header *h) {
  int units = 0;
  for (int k = 0; k < h->count; k++) {
    const bool is = is_unit(def, h->cell[k]);
    units += is;
    if (!is && h->cell[k].length && *h->cell[k].at != '-') return false;
  }
  return units > 0;
}

/* ---- the rows ---- */

/* The lines around the first row: the two lines before it (`before`, then `last`), the "#format" line of
 * YADE, and the row. NULL: no such line. */
typedef struct opening {
  const char *last, *before, *yade, *row;
  int cells; /* number of cells of the first row */
} opening;

/* Returns whether a line is a row of numbers. A row has at least three numbers; below a header with as many
 * cells it may have fewer. In a plain table (t->is_plain), every line that has only numbers is a row. Sets
 * *cells to the number of cells. */
static bool is_row(const sc_grain_table *t, const opening *o, const char *at, const char *end, int *cells) {
  const int numbers = count_numbers(at, end, t->split, cells);
  header h;
  if (t->is_plain && numbers && numbers == *cells) return true;
  if (numbers >= NUMBERS_OF_ROW || !numbers || !o->last) return numbers >= NUMBERS_OF_ROW;
  return split_header(t, o->last, sc_grain_line_end(o->last, t->end), *cells, &h);
}

static bool find_text_rows(const sc_grain_table *t, const char *begin, opening *o) {
  for (const char *at = begin; at < t->end;) {
    const char *stop = sc_grain_line_end(at, t->end), *text = sc_grain_skip_blanks(at, stop);
    if (text < stop) {
      if (!sc_grain_is_comment(text, stop) && is_row(t, o, at, stop, &o->cells)) return o->row = at, true;
      if (sc_grain_begins(text, stop, "#format ")) o->yade = at;
      o->before = o->last, o->last = at;
    }
    at = sc_grain_next_line(stop, t->end);
  }
  return false;
}

static bool try_header(const sc_grain_table *t, const opening *o, const char *line, header *h) {
  return line && split_header(t, line, sc_grain_line_end(line, t->end), o->cells, h);
}

/* Adds the columns of the table, named by the header. Without a header, columns have no names. */
static scree_status make_columns(
    sc_grain_table *t, const scree_grains_def *def, const opening *o, scree_error *error) {
  header names, units;
  const bool has_last = try_header(t, o, o->last, &units), has_units = has_last && are_units(def, &units);
  bool fine = true;
  if (has_units && try_header(t, o, o->before, &names)) fine = name_text_columns(t, def, &names, &units);
  else if (try_header(t, o, o->yade, &names)) fine = name_text_columns(t, def, &names, NULL);
  else if (has_last && !has_units) fine = name_text_columns(t, def, &units, NULL);
  else
    for (int k = 0; k < o->cells && fine; k++) fine = sc_grain_add_column(t, "", 0) >= 0;
  return fine ? SCREE_OK : sc_grain_no_memory(t, error);
}

/* If the table has a column `frame`, as exports of scree have, removes the rows of all frames but the one
 * that def selects. */
static scree_status choose_rows(sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  const int frame = sc_grain_find_column(t, "frame");
  int64_t frames = 1, kept = 0;
  const double *number = frame < 0 ? NULL : t->column[frame].value;
  for (int64_t i = 1; i < t->rows && number; i++) frames += number[i] != number[i - 1];
  const scree_status status = sc_grain_choose_frame(t, def->frame, frames, error);
  if (status || frames == 1) return status;
  int64_t of = 1;
  for (int64_t i = 0; i < t->rows; i++) {
    const double next = i + 1 < t->rows ? number[i + 1] : number[i];
    const bool ends = next != number[i];
    if (of == t->frame) {
      for (int c = 0; c < t->columns; c++) t->column[c].value[kept] = t->column[c].value[i];
      t->place[kept++] = t->place[i];
    }
    of += ends;
  }
  t->rows = kept;
  return SCREE_OK;
}

static scree_status read_text_table(sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  const char *begin = t->bytes;
  opening o = {0};
  if (t->end - begin >= 3 && !memcmp(begin, "\xef\xbb\xbf", 3)) begin += 3;
  if (t->end - begin >= 2 && (!memcmp(begin, "\xff\xfe", 2) || !memcmp(begin, "\xfe\xff", 2)))
    return sc_fail(error, SCREE_E_FORMAT, "%s: a text in UTF-16; save it as UTF-8", t->path);
  const char *zero = memchr(begin, 0, (size_t)(t->end - begin));
  if (zero)
    return sc_grain_fail(t, zero, error, "a zero byte: it is no text, and no format that scree reads");
  if (!find_split(t, begin, def->separator ? *def->separator : 0) || !find_text_rows(t, begin, &o))
    return sc_fail(error, SCREE_E_FORMAT, "%s: no line has %s: it is no table%s", t->path,
        t->is_plain ? "numbers alone" : "three numbers",
        t->is_plain ? "" : ", and no format that scree reads");
  if (o.cells > SC_GRAIN_COLUMNS)
    return sc_grain_fail(t, o.row, error, "more than %d columns", SC_GRAIN_COLUMNS);
  scree_status status = make_columns(t, def, &o, error);
  const char *at = o.row;
  if (!status) status = sc_grain_read_rows(t, &at, t->end, -1, error);
  return status || t->is_plain ? status : choose_rows(t, def, error);
}

static bool is_text(const sc_grain_table *t) {
  (void)t;
  return true;
}

const sc_grain_format sc_grain_text = {"text", is_text, read_text_table};
