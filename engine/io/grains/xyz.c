/* XYZ files. A frame has a line with the number of rows, a line about the frame, and the rows. Extended XYZ
 * names the columns in Properties=name:kind:count:... and the box in Lattice="..." */
#define _GNU_SOURCE /* for memmem */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "io/grains/grains.h"

/* Reads a line that has one whole number and nothing else into *count. Returns false for other lines. */
static bool read_count(const sc_grain_table *t, const char *at, int64_t *count) {
  const char *stop = sc_grain_line_end(at, t->end);
  sc_grain_cell word;
  if (!sc_grain_word(&at, stop, &word) || !sc_grain_whole(word.at, word.length, count)) return false;
  return !sc_grain_word(&at, stop, &word);
}

static bool is_xyz(const sc_grain_table *t) {
  int64_t count;
  if (!read_count(t, t->bytes, &count)) return false;
  const char *line = sc_grain_next_line(sc_grain_line_end(t->bytes, t->end), t->end);
  return memmem(line, (size_t)(sc_grain_line_end(line, t->end) - line), "Properties=", 11) != NULL;
}

static const char *next_xyz_line(const sc_grain_table *t, const char *at) {
  return sc_grain_next_line(sc_grain_line_end(at, t->end), t->end);
}

/* Returns the start of the frame after the frame at `at`. Returns NULL at the end of the file, and if the
 * frame is incomplete. */
static const char *skip_frame(const sc_grain_table *t, const char *at) {
  int64_t count;
  if (!read_count(t, at, &count)) return NULL;
  at = next_xyz_line(t, next_xyz_line(t, at));
  for (int64_t k = 0; k < count; k++) {
    if (at >= t->end) return NULL;
    at = next_xyz_line(t, at);
  }
  return at;
}

/* Sets *out to the value after `key` ("KEY=") in a line, without quotes. Returns false if the line does not
 * have the key. */
static bool find_value(const char *at, const char *end, const char *key, sc_grain_cell *out) {
  const char *found = memmem(at, (size_t)(end - at), key, strlen(key));
  if (!found || (found > at && found[-1] != ' ')) return false;
  out->at = found + strlen(key);
  if (out->at < end && *out->at == '"') {
    out->at++;
    const char *close = memchr(out->at, '"', (size_t)(end - out->at));
    out->length = close ? (size_t)(close - out->at) : 0;
    return close != NULL;
  }
  const char *stop = out->at;
  while (stop < end && *stop != ' ' && *stop != '\t') stop++;
  out->length = (size_t)(stop - out->at);
  return true;
}

/* Returns scree's name for a property of extended XYZ; NULL: scree uses the same name. */
static const char *rename_field(sc_grain_cell name) {
  static const char *const names[][2] = {
      {"pos", "position"}, {"velo", "velocity"}, {"species", "shape_name"}};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (sc_grain_is(name, names[k][0])) return names[k][1];
  return NULL;
}

/* Adds the columns of the list name:kind:count:... of Properties. Quaternions of this format are (x, y, z,
 * w). */
static scree_status add_properties(
    sc_grain_table *t, const char *line, sc_grain_cell list, scree_error *error) {
  sc_grain_cell part[3 * SC_GRAIN_COLUMNS + 3];
  const int parts = sc_grain_split_line(
      list.at, list.at + list.length, (sc_grain_split){':', '.'}, part, 3 * SC_GRAIN_COLUMNS);
  if (parts % 3 || parts > 3 * SC_GRAIN_COLUMNS)
    return sc_grain_fail(t, line, error, "Properties= must be a list name:kind:count:...");
  for (int k = 0; k < parts; k += 3) {
    static const char *const turned[] = {"qx", "qy", "qz", "qw"};
    int64_t count;
    const char *other = rename_field(part[k]);
    if (!sc_grain_whole(part[k + 2].at, part[k + 2].length, &count) || count < 1 || count > SC_GRAIN_COLUMNS)
      return sc_grain_fail(t, line, error, "Properties= has a count '%.*s'",
          (int)(part[k + 2].length < 20 ? part[k + 2].length : 20), part[k + 2].at);
    int added = -1;
    if (sc_grain_is(part[k], "orientation") && count == 4)
      for (int i = 0; i < 4; i++) added = sc_grain_add_column(t, turned[i], 2);
    else
      added = sc_grain_add_vector(
          t, other ? other : part[k].at, other ? strlen(other) : part[k].length, count);
    if (added < 0) return sc_grain_no_memory(t, error);
  }
  return SCREE_OK;
}

static int read_list(sc_grain_cell list, double *out, int most) {
  const char *at = list.at;
  sc_grain_cell word;
  int count = 0;
  while (count < most && sc_grain_word(&at, list.at + list.length, &word)) {
    if (!sc_grain_number(word.at, word.length, '.', out + count)) return -1;
    count++;
  }
  return count;
}

static void read_lattice(sc_grain_table *t, const char *line, const char *stop) {
  sc_grain_cell value;
  double H[9], origin[3] = {0};
  if (!find_value(line, stop, "Lattice=", &value) || read_list(value, H, 9) != 9) return;
  if (find_value(line, stop, "Origin=", &value) && read_list(value, origin, 3) != 3) return;
  t->has_cell = true;
  for (int k = 0; k < 9; k++) t->cell.matrix[3 * (k % 3) + k / 3] = H[k];
  const bool flags = find_value(line, stop, "pbc=", &value);
  for (int k = 0; k < 3; k++) {
    t->cell.origin[k] = origin[k];
    t->cell.periodic[k] = !flags || (value.length > 2 * (size_t)k && value.at[2 * k] == 'T');
  }
}

static scree_status read_xyz(sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  int64_t frames = 0, count;
  for (const char *at = t->bytes; at && read_count(t, at, &count); at = skip_frame(t, at)) frames++;
  scree_status status = sc_grain_choose_frame(t, def->frame, frames, error);
  if (status) return status;
  const char *at = t->bytes;
  for (int64_t k = 1; k < t->frame; k++) at = skip_frame(t, at);
  read_count(t, at, &count);
  const char *line = next_xyz_line(t, at), *stop = sc_grain_line_end(line, t->end);
  sc_grain_cell value;
  if (!find_value(line, stop, "Properties=", &value))
    return sc_grain_fail(t, line, error, "the frame has no Properties=");
  status = add_properties(t, line, value, error);
  if (status) return status;
  read_lattice(t, line, stop);
  if (find_value(line, stop, "Time=", &value)) sc_grain_number(value.at, value.length, '.', &t->time);
  t->split = (sc_grain_split){' ', '.'};
  at = sc_grain_next_line(stop, t->end);
  return sc_grain_read_rows(t, &at, t->end, count, error);
}

const sc_grain_format sc_grain_xyz = {"xyz", is_xyz, read_xyz};
