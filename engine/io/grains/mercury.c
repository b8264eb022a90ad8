/* MercuryDPM .data files and .restart files.
 *
 * A .data file has frames: a line "N time xmin ymin zmin xmax ymax zmax" and N rows of position, velocity,
 * radius, angles, spin and a number, by default that of the species. In two dimensions the line has six
 * numbers and rows have eight. A .restart file has one line per particle, with words before the numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "io/grains/grains.h"

/* ---- .data ---- */

static const char *next_mercury_line(const sc_grain_table *t, const char *at) {
  return sc_grain_next_line(sc_grain_line_end(at, t->end), t->end);
}

/* Reads the line that begins a frame: *rows and, in out, the numbers after it. Returns the number of
 * dimensions, 2 or 3; 0: the line does not begin a frame. */
static int read_head(const sc_grain_table *t, const char *at, int64_t *rows, double out[7]) {
  sc_grain_cell cell[10];
  const int count = sc_grain_split_line(
      at, sc_grain_line_end(at, t->end), (sc_grain_split){' ', '.'}, cell, 9);
  if ((count != 8 && count != 6) || !sc_grain_whole(cell[0].at, cell[0].length, rows)) return 0;
  for (int k = 1; k < count; k++)
    if (!sc_grain_number(cell[k].at, cell[k].length, '.', out + k - 1)) return 0;
  return count == 8 ? 3 : 2;
}

static bool is_mercury_data(const sc_grain_table *t) {
  int64_t rows;
  double head[7], value;
  sc_grain_cell cell[16];
  int dimensions = read_head(t, t->bytes, &rows, head);
  const char *at = next_mercury_line(t, t->bytes);
  for (; dimensions && !rows && at < t->end; at = next_mercury_line(t, at)) /* frames without particles */
    dimensions = read_head(t, at, &rows, head);
  if (!dimensions || rows < 1) return false;
  const int count = sc_grain_split_line(
      at, sc_grain_line_end(at, t->end), (sc_grain_split){' ', '.'}, cell, 15);
  for (int k = 0; k < count && k < 15; k++)
    if (!sc_grain_number(cell[k].at, cell[k].length, '.', &value)) return false;
  return count == (dimensions == 3 ? 14 : 8);
}

static const char *skip_rows(const sc_grain_table *t, const char *at, int64_t rows) {
  at = next_mercury_line(t, at);
  for (int64_t k = 0; k < rows && at < t->end; k++) at = next_mercury_line(t, at);
  return at;
}

static scree_status read_mercury_data(sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  static const char *const names[2][14] = {{"x", "y", "vx", "vy", "radius", "angle", "wz", "species"},
      {"x", "y", "z", "vx", "vy", "vz", "radius", "angle_x", "angle_y", "angle_z", "wx", "wy", "wz",
          "species"}};
  int64_t frames = 0, rows = 0;
  double head[7];
  const char *at = t->bytes;
  for (; at < t->end && read_head(t, at, &rows, head); at = skip_rows(t, at, rows)) frames++;
  scree_status status = sc_grain_choose_frame(t, def->frame, frames, error);
  if (status) return status;
  at = t->bytes;
  for (int64_t k = 1; k < t->frame; k++) {
    read_head(t, at, &rows, head);
    at = skip_rows(t, at, rows);
  }
  const int d = read_head(t, at, &rows, head);
  if (rows > t->end - at)
    return sc_grain_fail(t, at, error, "the file cannot contain %lld rows", (long long)rows);
  for (int k = 0; k < (d == 3 ? 14 : 8); k++)
    if (sc_grain_add_column(t, names[d == 3][k], strlen(names[d == 3][k])) < 0)
      return sc_grain_no_memory(t, error);
  t->time = head[0];
  t->split = (sc_grain_split){' ', '.'};
  const double low[3] = {head[1], head[2], d == 3 ? head[3] : 0},
               high[3] = {head[1 + d], head[2 + d], d == 3 ? head[6] : 0};
  /* walls and periodic boundaries are only in the .restart file */
  const bool periodic[3] = {false, false, false};
  if (high[0] > low[0] && high[1] > low[1] && high[2] > low[2]) sc_grain_set_box(t, low, high, periodic);
  at = next_mercury_line(t, at);
  return sc_grain_read_rows(t, &at, t->end, rows, error);
}

const sc_grain_format sc_grain_mercury_data = {"mercury-data", is_mercury_data, read_mercury_data};

/* ---- .restart ---- */

/* Words in the line of a particle, and the names of the columns for the numbers after each word. All words
 * together have one column per number, in this order. */
static const struct word {
  const char *word, *columns[4];
  int numbers;
} words[] = {{"id", {"id"}, 1}, {"indSpecies", {"species"}, 1}, {"position", {"x", "y", "z"}, 3},
    {"orientation", {"qw", "qx", "qy", "qz"}, 4}, {"velocity", {"vx", "vy", "vz"}, 3},
    {"angularVelocity", {"wx", "wy", "wz"}, 3}, {"radius", {"radius"}, 1}, {"invMass", {"inverse_mass"}, 1}};
enum { WORDS = sizeof words / sizeof *words };

static bool is_mercury_restart(const sc_grain_table *t) {
  return sc_grain_begins(t->bytes, t->end, "MercuryDPM") ||
      sc_grain_begins(t->bytes, t->end, "restart_version");
}

/* Moves *at past the next word that equals `text`. Returns false at the end of the file. */
static bool find_word(const sc_grain_table *t, const char **at, const char *text) {
  sc_grain_cell word;
  while (sc_grain_word(at, t->end, &word))
    if (word.length == strlen(text) && !memcmp(word.at, text, word.length)) return true;
  return false;
}

/* Reads the numbers after a known word into the columns of the present row. Does nothing for other words. */
static scree_status read_mercury_word(
    sc_grain_table *t, const char **at, const char *end, sc_grain_cell word, scree_error *error) {
  for (int w = 0, first = 0; w < WORDS; first += words[w++].numbers) {
    if (strlen(words[w].word) != word.length || memcmp(words[w].word, word.at, word.length) != 0) continue;
    for (int k = 0; k < words[w].numbers; k++) {
      const scree_status status = sc_grain_read_numbers(
          t, at, end, 1, t->column[first + k].value + t->rows, 1, error);
      if (status) return status;
    }
    return SCREE_OK;
  }
  return SCREE_OK;
}

/* Adds a column `mass`, the reciprocals of the inverse masses, and a column `is_fixed`. Particles that form
 * walls have the inverse mass 0: they are fixed, and their mass is NAN. */
static scree_status add_mass(sc_grain_table *t, scree_error *error) {
  const int inverse = sc_grain_find_column(t, "inverse_mass"), mass = sc_grain_add_column(t, "mass", 4),
            fixed = sc_grain_add_column(t, "is_fixed", 8);
  if (mass < 0 || fixed < 0 || !sc_grain_reserve(t, t->rows)) return sc_grain_no_memory(t, error);
  for (int64_t i = 0; i < t->rows; i++) {
    const double v = t->column[inverse].value[i];
    t->column[mass].value[i] = v > 0 ? 1 / v : NAN;
    t->column[fixed].value[i] = v == 0;
  }
  return SCREE_OK;
}

/* Reads the lines of `count` particles, from `at` on, as rows of the table. */
static scree_status read_particles(sc_grain_table *t, const char *at, int64_t count, scree_error *error) {
  for (int w = 0; w < WORDS; w++)
    for (int k = 0; k < words[w].numbers; k++)
      if (sc_grain_add_column(t, words[w].columns[k], strlen(words[w].columns[k])) < 0)
        return sc_grain_no_memory(t, error);
  while (t->rows < count && at < t->end) {
    const char *stop = sc_grain_line_end(at, t->end), *word_at = at;
    sc_grain_cell word;
    if (sc_grain_word(&word_at, stop, &word)) {
      if (!sc_grain_reserve(t, t->rows + 1) || !SC_GROW(t->place, t->place_capacity, (size_t)t->rows + 1))
        return sc_grain_no_memory(t, error);
      t->place[t->rows] = (size_t)(at - t->bytes);
      for (int c = 0; c < t->columns; c++) t->column[c].value[t->rows] = NAN;
      while (sc_grain_word(&word_at, stop, &word)) {
        const scree_status status = read_mercury_word(t, &word_at, stop, word, error);
        if (status) return status;
      }
      t->rows++;
    }
    at = sc_grain_next_line(stop, t->end);
  }
  if (t->rows < count)
    return sc_grain_fail(
        t, at, error, "the file ends after %lld of %lld particles", (long long)t->rows, (long long)count);
  return add_mass(t, error);
}

static void read_domain(sc_grain_table *t) {
  static const char *const words_of[] = {"xMin", "xMax", "yMin", "yMax", "zMin", "zMax"};
  double v[6];
  for (int k = 0; k < 6; k++) {
    const char *at = t->bytes;
    sc_grain_cell word;
    if (!find_word(t, &at, words_of[k]) || !sc_grain_word(&at, t->end, &word) ||
        !sc_grain_number(word.at, word.length, '.', v + k))
      return;
  }
  const double low[3] = {v[0], v[2], v[4]}, high[3] = {v[1], v[3], v[5]};
  bool periodic[3] = {false, false, false};
  const char *at = t->bytes;
  /* such a line is "PeriodicBoundary normal 1 0 0 ..." */
  while (find_word(t, &at, "PeriodicBoundary")) {
    const char *stop = sc_grain_line_end(at, t->end), *c = at;
    sc_grain_cell word;
    double n[3];
    scree_error ignored;
    while (sc_grain_word(&c, stop, &word))
      if (sc_grain_is(word, "normal") && !sc_grain_read_numbers(t, &c, stop, 3, n, 1, &ignored))
        for (int k = 0; k < 3; k++) periodic[k] = periodic[k] || fabs(n[k]) > 0.5;
    at = stop;
  }
  if (high[0] > low[0] && high[1] > low[1] && high[2] > low[2]) sc_grain_set_box(t, low, high, periodic);
}

static scree_status read_mercury_restart(sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  const char *at = t->bytes, *time = t->bytes;
  int64_t count;
  sc_grain_cell word;
  t->split.separator = 0; /* lines have words and numbers instead of columns */
  scree_status status = sc_grain_choose_frame(t, def->frame, 1, error);
  if (status) return status;
  if (!find_word(t, &at, "Particles") || !sc_grain_word(&at, t->end, &word) ||
      !sc_grain_whole(word.at, word.length, &count))
    return sc_fail(error, SCREE_E_FORMAT, "%s: no number of particles behind the word Particles", t->path);
  if (find_word(t, &time, "time") && sc_grain_word(&time, t->end, &word))
    sc_grain_number(word.at, word.length, '.', &t->time);
  read_domain(t);
  return read_particles(t, next_mercury_line(t, at), count, error);
}

const sc_grain_format sc_grain_mercury_restart = {
    "mercury-restart", is_mercury_restart, read_mercury_restart};
