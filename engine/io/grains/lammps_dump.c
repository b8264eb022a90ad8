/* LAMMPS and LIGGGHTS dumps. A frame is a list of sections "ITEM: ..."; the title ITEM: ATOMS has the names
 * of the columns. */
#define _GNU_SOURCE /* for memmem */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "io/grains/grains.h"

enum { TIME_BEFORE = 200 /* maximum distance of ITEM: TIME before ITEM: TIMESTEP [bytes] */ };
static const char step_item[] = "ITEM: TIMESTEP";

static bool is_dump(const sc_grain_table *t) { return sc_grain_begins(t->bytes, t->end, "ITEM:"); }

/* Returns the start of the first frame at or after `at`; NULL: there is none. */
static const char *find_frame(const sc_grain_table *t, const char *at) {
  for (;;) {
    const char *item = memmem(at, (size_t)(t->end - at), step_item, strlen(step_item));
    if (!item || item == t->bytes || item[-1] == '\n' || item[-1] == '\r') return item;
    at = item + 1;
  }
}

/* Returns the position of the title ITEM: TIME of a frame, or `step` if the frame has no such title. step:
 * position of the frame's title ITEM: TIMESTEP. Of this frame only ITEM: UNITS and ITEM: TIME may precede
 * `step`. The search therefore ends at any other title, which belongs to the previous frame. */
static const char *find_frame_time(const sc_grain_table *t, const char *step) {
  for (const char *c = step; c > t->bytes && step - c < TIME_BEFORE; c--) {
    if (!sc_grain_begins(c - 1, t->end, "ITEM:") || sc_grain_begins(c - 1, t->end, "ITEM: UNITS")) continue;
    const bool is_time = sc_grain_begins(c - 1, t->end, "ITEM: TIME");
    return is_time && !sc_grain_begins(c - 1, t->end, step_item) ? c - 1 : step;
  }
  return step;
}

/* The frame that is being read. */
typedef struct frame {
  int64_t atoms; /* number of atoms of the frame; -1: not read yet */
} frame;

/* Reads the three lines of box bounds at *at and sets the cell. style, style_end: the words after BOX BOUNDS
 * in the title. */
static scree_status read_dump_box(
    sc_grain_table *t, const char *style, const char *style_end, const char **at, scree_error *error) {
  sc_grain_cell word;
  bool periodic[3] = {false, false, false};
  int flags = 0, tilted = 0, general = 0;
  while (sc_grain_word(&style, style_end, &word)) {
    tilted |= sc_grain_is(word, "xy"), general |= sc_grain_is(word, "abc");
    if (word.length == 2 && strchr("pfsm", word.at[0]) && strchr("pfsm", word.at[1]) && flags < 3)
      periodic[flags++] = word.at[0] == 'p';
  }
  double v[3][4] = {{0}};
  const int numbers = general ? 4 : tilted ? 3 : 2;
  for (int k = 0; k < 3; k++) {
    const scree_status status = sc_grain_read_numbers(t, at, t->end, numbers, v[k], 1, error);
    if (status) return status;
  }
  const double xy = tilted ? v[0][2] : 0, xz = tilted ? v[1][2] : 0, yz = tilted ? v[2][2] : 0;
  const double least = fmin(fmin(0, xy), fmin(xz, xy + xz)), most = fmax(fmax(0, xy), fmax(xz, xy + xz));
  const double low[3] = {v[0][0] - least, v[1][0] - fmin(0, yz), v[2][0]},
               high[3] = {v[0][1] - most, v[1][1] - fmax(0, yz), v[2][1]};
  sc_grain_set_box(t, low, high, periodic);
  t->cell.matrix[1] = xy, t->cell.matrix[2] = xz, t->cell.matrix[5] = yz;
  if (general)
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 3; i++) t->cell.matrix[3 * i + k] = v[k][i], t->cell.origin[k] = v[k][3];
  return SCREE_OK;
}

/* Converts positions from fractions of the box (xs ys zs or xsu ysu zsu) to lengths. */
static void scale_positions(sc_grain_table *t) {
  static const char *const names[2][3] = {{"xs", "ys", "zs"}, {"xsu", "ysu", "zsu"}};
  if (sc_grain_find_column(t, "x") >= 0 || sc_grain_find_column(t, "xu") >= 0 || !t->has_cell) return;
  for (int kind = 0; kind < 2; kind++) {
    int c[3];
    for (int k = 0; k < 3; k++) c[k] = sc_grain_find_column(t, names[kind][k]);
    if (c[0] < 0 || c[1] < 0 || c[2] < 0) continue;
    for (int64_t i = 0; i < t->rows; i++) {
      const double s[3] = {t->column[c[0]].value[i], t->column[c[1]].value[i], t->column[c[2]].value[i]};
      for (int k = 0; k < 3; k++) {
        const double *H = t->cell.matrix + 3 * k;
        t->column[c[k]].value[i] = t->cell.origin[k] + H[0] * s[0] + H[1] * s[1] + H[2] * s[2];
      }
    }
    for (int k = 0; k < 3; k++) snprintf(t->column[c[k]].name, sizeof t->column->name, "%c", 'x' + k);
    return;
  }
}

/* Reads a section whose title is the line from `title` to `stop`. *at: position after this line; the function
 * moves it past the section's data. Sets *done to true after the rows of atoms. */
static scree_status read_item(sc_grain_table *t, frame *f, const char *title, const char *stop,
    const char **at, bool *done, scree_error *error) {
  static const char bounds[] = "ITEM: BOX BOUNDS", atoms[] = "ITEM: ATOMS";
  sc_grain_cell word;
  double value;
  if (sc_grain_begins(title, stop, bounds)) return read_dump_box(t, title + strlen(bounds), stop, at, error);
  if (sc_grain_begins(title, stop, "ITEM: NUMBER OF ATOMS")) {
    if (sc_grain_word(at, t->end, &word) && sc_grain_whole(word.at, word.length, &f->atoms)) return SCREE_OK;
    return sc_grain_fail(t, word.at, error, "the number of atoms is '%.*s'",
        (int)(word.length < 40 ? word.length : 40), word.at);
  }
  if (sc_grain_begins(title, stop, "ITEM: TIME") && !sc_grain_begins(title, stop, step_item)) {
    const scree_status status = sc_grain_read_numbers(t, at, t->end, 1, &value, 1, error);
    if (!status) t->time = value;
    return status;
  }
  /* sections UNITS and TIMESTEP: the caller skips the line after the title */
  if (!sc_grain_begins(title, stop, atoms)) return SCREE_OK;
  *done = true;
  if (f->atoms < 0) return sc_grain_fail(t, title, error, "ITEM: ATOMS without a number of atoms before it");
  for (const char *name = title + strlen(atoms); sc_grain_word(&name, stop, &word);)
    if (sc_grain_add_column(t, word.at, word.length) < 0) return sc_grain_no_memory(t, error);
  if (!t->columns) return sc_grain_fail(t, title, error, "ITEM: ATOMS names no columns");
  return sc_grain_read_rows(t, at, t->end, f->atoms, error);
}

static scree_status read_dump(sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  int64_t frames = 0;
  const char *at = t->bytes;
  for (const char *next = at; (next = find_frame(t, next)); next++) frames++;
  scree_status status = sc_grain_choose_frame(t, def->frame, frames, error);
  if (status) return status;
  for (int64_t k = 0; k < t->frame; k++) at = find_frame(t, k ? at + 1 : at);
  at = find_frame_time(t, at);
  frame f = {-1};
  t->split = (sc_grain_split){' ', '.'};
  for (bool done = false; at < t->end && !done && !status;) {
    const char *title = at, *stop = sc_grain_line_end(at, t->end);
    at = sc_grain_next_line(stop, t->end);
    if (sc_grain_begins(title, stop, "ITEM:")) status = read_item(t, &f, title, stop, &at, &done, error);
  }
  if (!status && !t->columns)
    status = sc_fail(error, SCREE_E_FORMAT, "%s: no ITEM: ATOMS in frame %lld", t->path, (long long)t->frame);
  if (!status) scale_positions(t);
  return status;
}

const sc_grain_format sc_grain_lammps_dump = {"lammps-dump", is_dump, read_dump};
