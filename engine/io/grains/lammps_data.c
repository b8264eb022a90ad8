/* LAMMPS and LIGGGHTS data files (read_data): a header with the box, and sections of lines in any order.
 *
 * The style after the title of the section Atoms, as in "Atoms # sphere", determines its columns. Without a
 * style, lines with five or eight numbers are read as style atomic, lines with seven or ten as style sphere
 * (granular in LIGGGHTS). Lines of the section Velocities begin with the id of their atom. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "io/grains/grains.h"

static const struct style {
  const char *name, *columns; /* columns: names separated by blanks; the columns ix iy iz may follow */
} styles[] = {{"sphere", "id type diameter density x y z"}, {"granular", "id type diameter density x y z"},
    {"atomic", "id type x y z"}, {"charge", "id type q x y z"}, {"bond", "id mol type x y z"},
    {"angle", "id mol type x y z"}, {"molecular", "id mol type x y z"}, {"full", "id mol type q x y z"},
    {"ellipsoid", "id type ellipsoid density x y z"}, {"hybrid", "id type x y z"}};
enum { STYLES = sizeof styles / sizeof *styles, HYBRID = STYLES - 1 };

/* Contents of the header and of the sections of a data file. */
typedef struct deck {
  int64_t atoms;      /* number of atoms in the header; -1: not in the header */
  double bound[3][2]; /* lower and upper bound of the box along each axis */
  double tilt[3];     /* tilts xy, xz, yz of the box */
  bool has_atoms;
  int64_t types;
  double *mass;       /* [types] mass of an atom of each type; NULL: the file has no section Masses */
  int64_t velocities; /* number of lines of the section Velocities; 0: no such section */
  double *velocity;   /* [velocities x velocity_columns] rows of the section: id, velocity, maybe spin */
  int velocity_columns;
} deck;

/* Copies the line at `at` to text, without leading and final blanks and without its comment. Returns the
 * length. */
static size_t copy_line(const char *at, const char *end, char text[256]) {
  size_t length = 0;
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  for (; at < end && *at != '#' && length < 255; at++) text[length++] = *at;
  while (length && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
  text[length] = 0;
  return length;
}

static bool ends_with(const char *text, const char *ending) {
  const size_t n = strlen(text), m = strlen(ending);
  return n >= m && !strcmp(text + n - m, ending);
}

/* Returns whether the file begins like a data file: one of the first 60 lines has a number of atoms, and a
 * later one the bounds of x or the title Atoms. */
static bool is_data(const sc_grain_table *t) {
  const char *at = sc_grain_next_line(sc_grain_line_end(t->bytes, t->end), t->end);
  bool counts = false;
  for (int line = 0; line < 60 && at < t->end; line++) {
    char text[256];
    const char *stop = sc_grain_line_end(at, t->end);
    copy_line(at, stop, text);
    counts = counts || (ends_with(text, " atoms") && text[0] >= '0' && text[0] <= '9');
    if (counts && (!strcmp(text, "Atoms") || ends_with(text, "xlo xhi"))) return true;
    at = sc_grain_next_line(stop, t->end);
  }
  return false;
}

/* Reads a line of the header into d: numbers of atoms and types, bounds or tilts of the box. Skips other
 * lines. text: the line without its comment. */
static scree_status read_deck_header(
    const sc_grain_table *t, deck *d, const char *at, const char *text, scree_error *error) {
  static const char *const axes[] = {"xlo xhi", "ylo yhi", "zlo zhi"};
  const char *begin = text;
  double value;
  sc_grain_cell word;
  if (ends_with(text, " atoms") || ends_with(text, " atom types")) {
    int64_t *count = ends_with(text, " atoms") ? &d->atoms : &d->types;
    const char *end = text + strlen(text);
    sc_grain_word(&begin, end, &word);
    if (!sc_grain_whole(word.at, word.length, count) || *count > t->end - t->bytes)
      return sc_grain_fail(
          t, at, error, "'%.60s': the number is not whole, or more than the file can contain", text);
  }
  const bool tilts = ends_with(text, "xy xz yz");
  for (int k = 0; k < 4; k++) {
    if (k < 3 ? !ends_with(text, axes[k]) : !tilts) continue;
    for (int i = 0; i < (k < 3 ? 2 : 3); i++) {
      if (!sc_grain_word(&begin, text + strlen(text), &word) ||
          !sc_grain_number(word.at, word.length, '.', &value))
        return sc_grain_fail(t, at, error, "'%.60s' must begin with numbers", text);
      if (k < 3) d->bound[k][i] = value;
      else d->tilt[i] = value;
    }
    if (k < 3 && !(d->bound[k][0] < d->bound[k][1]))
      return sc_grain_fail(t, at, error, "'%.60s': the lower bound must be below the upper one", text);
  }
  return SCREE_OK;
}

/* ---- sections ---- */

/* Moves *at to the first line that is not empty. */
static void skip_empty(const sc_grain_table *t, const char **at) {
  char text[256];
  while (*at < t->end) {
    const char *stop = sc_grain_line_end(*at, t->end);
    if (copy_line(*at, stop, text)) return;
    *at = sc_grain_next_line(stop, t->end);
  }
}

/* Sets *out to the style of the section Atoms: the style that the comment after the title names, else the
 * style with as many columns as the first line has values. first: this line; NULL if there are no atoms. */
static scree_status find_style(const sc_grain_table *t, const char *title, const char *first,
    const struct style **out, scree_error *error) {
  sc_grain_cell cell[32], word;
  const char *stop = sc_grain_line_end(title, t->end), *hash = memchr(title, '#', (size_t)(stop - title));
  *out = styles;
  if (hash) {
    hash++;
    if (sc_grain_word(&hash, stop, &word))
      for (int k = 0; k < STYLES; k++)
        if (sc_grain_is(word, styles[k].name)) return *out = styles + k, SCREE_OK;
    return sc_grain_fail(t, title, error,
        "atom style '%.*s' is not known: sphere, granular, atomic, charge, bond, molecular, full, ellipsoid "
        "and "
        "hybrid are",
        (int)(word.length < 40 ? word.length : 40), word.at);
  }
  if (!first) return SCREE_OK;
  const int count = sc_grain_split_line(
      first, sc_grain_line_end(first, t->end), (sc_grain_split){' ', '.'}, cell, 31);
  if (count == 5 || count == 8) *out = styles + 2;
  else if (count != 7 && count != 10)
    return sc_grain_fail(t, title, error,
        "the section Atoms does not say its style, and %d values in a line are none that is known: write "
        "\"Atoms # sphere\"",
        count);
  return SCREE_OK;
}

/* Adds the columns of style s. Lines with three more values also have the image flags ix, iy, iz. Style
 * hybrid gets unnamed columns for all further values. count: values per line; 0 without atoms. */
static scree_status add_columns(
    sc_grain_table *t, const char *title, const struct style *s, int count, scree_error *error) {
  static const char *const image[] = {"ix", "iy", "iz"};
  const char *names = s->columns, *end = names + strlen(names);
  sc_grain_cell word;
  while (sc_grain_word(&names, end, &word))
    if (sc_grain_add_column(t, word.at, word.length) < 0) return sc_grain_no_memory(t, error);
  const int named = t->columns;
  if (count && s != styles + HYBRID && count != named && count != named + 3)
    return sc_grain_fail(t, title, error,
        "atom style %s has %d values in a line, or %d with image flags, not %d", s->name, named, named + 3,
        count);
  while (t->columns < count) {
    const bool images = s != styles + HYBRID && count == named + 3;
    const char *name = images ? image[t->columns - named] : "";
    if (sc_grain_add_column(t, name, strlen(name)) < 0) return sc_grain_no_memory(t, error);
  }
  return SCREE_OK;
}

/* Fails if a row of numbers follows after the last expected row of a section. rows: expected number of
 * rows. */
static scree_status refuse_more_rows(
    const sc_grain_table *t, const char **at, const char *section, int64_t rows, scree_error *error) {
  skip_empty(t, at);
  const char *word = *at;
  while (word < t->end && (*word == ' ' || *word == '\t')) word++;
  if (word >= t->end || !*word || !strchr("+-.0123456789", *word)) return SCREE_OK;
  return sc_grain_fail(
      t, *at, error, "the section %s has more rows than the %lld of the header", section, (long long)rows);
}

static scree_status read_atoms(
    sc_grain_table *t, deck *d, const char *title, const char **at, scree_error *error) {
  sc_grain_cell cell[SC_GRAIN_COLUMNS + 1];
  const struct style *s;
  skip_empty(t, at);
  scree_status status = find_style(t, title, d->atoms ? *at : NULL, &s, error);
  if (status) return status;
  if (d->atoms < 0) return sc_grain_fail(t, title, error, "the header does not say how many atoms there are");
  const int count = d->atoms ? sc_grain_split_line(*at, sc_grain_line_end(*at, t->end),
                                   (sc_grain_split){' ', '.'}, cell, SC_GRAIN_COLUMNS)
                             : 0;
  status = add_columns(t, title, s, count, error);
  d->has_atoms = true;
  if (!status) status = sc_grain_read_rows(t, at, t->end, d->atoms, error);
  return status ? status : refuse_more_rows(t, at, "Atoms", d->atoms, error);
}

/* Reads the rows of a section that begin with an id or a type. *columns: number of values per row, that of
 * the first row. *out: [lines x *columns] values; the caller frees them. */
static scree_status read_lines(
    const sc_grain_table *t, const char **at, int64_t lines, int *columns, double **out, scree_error *error) {
  sc_grain_table part = {.path = t->path, .bytes = t->bytes, .end = t->end, .split = {' ', '.'}};
  sc_grain_cell cell[16];
  skip_empty(t, at);
  const int count = sc_grain_split_line(
      *at, sc_grain_line_end(*at, t->end), (sc_grain_split){' ', '.'}, cell, 15);
  *columns = count < 1 ? 1 : count > 15 ? 15 : count;
  scree_status status = SCREE_OK;
  for (int k = 0; k < *columns && !status; k++)
    if (sc_grain_add_column(&part, "", 0) < 0) status = sc_grain_no_memory(t, error);
  if (!status) status = sc_grain_read_rows(&part, at, t->end, lines, error);
  *out = status ? NULL : sc_alloc(((size_t)lines + 1) * (size_t)*columns * sizeof **out);
  if (!status && !*out) status = sc_grain_no_memory(t, error);
  for (int64_t i = 0; i < part.rows && !status; i++)
    for (int k = 0; k < *columns; k++) (*out)[i * *columns + k] = part.column[k].value[i];
  sc_grain_clear(&part);
  return status;
}

static scree_status read_masses(sc_grain_table *t, deck *d, const char **at, scree_error *error) {
  double *lines;
  int columns;
  if (d->mass) return sc_grain_fail(t, *at, error, "the section Masses comes twice");
  scree_status status = read_lines(t, at, d->types, &columns, &lines, error);
  if (status) return status;
  d->mass = sc_alloc(((size_t)d->types + 1) * sizeof *d->mass);
  for (int64_t i = 0; d->mass && i < d->types && columns > 1; i++) {
    const double type = lines[i * columns];
    if (type >= 1 && type <= (double)d->types) d->mass[(int64_t)type - 1] = lines[i * columns + 1];
  }
  sc_free(lines);
  return d->mass ? SCREE_OK : sc_grain_no_memory(t, error);
}

/* Returns the index of a section title in `titles`; -1: the text is not a title. */
static int find_title(const char *text) {
  static const char *const titles[] = {"Atoms", "Velocities", "Masses"};
  for (int k = 0; k < 3; k++)
    if (!strcmp(text, titles[k])) return k;
  return -1;
}

static scree_status read_sections(sc_grain_table *t, deck *d, scree_error *error) {
  const char *at = sc_grain_next_line(sc_grain_line_end(t->bytes, t->end), t->end);
  scree_status status = SCREE_OK;
  while (at < t->end && !status) {
    char text[256];
    const char *title = at, *stop = sc_grain_line_end(at, t->end);
    copy_line(at, stop, text);
    at = sc_grain_next_line(stop, t->end);
    const int which = find_title(text);
    if (which == 0 && d->has_atoms) status = sc_grain_fail(t, title, error, "the section Atoms comes twice");
    else if (which == 0) status = read_atoms(t, d, title, &at, error);
    else if (which == 1 && !d->velocity && d->atoms > 0) {
      status = read_lines(t, &at, d->atoms, &d->velocity_columns, &d->velocity, error);
      if (!status) d->velocities = d->atoms;
    } else if (which == 2 && d->types > 0) status = read_masses(t, d, &at, error);
    else if (!d->has_atoms && *text) status = read_deck_header(t, d, title, text, error);
  }
  return status;
}

/* Fails if an atom has a type above the number of types in the header. */
static scree_status check_types(const sc_grain_table *t, const deck *d, scree_error *error) {
  const int type = sc_grain_find_column(t, "type");
  for (int64_t i = 0; i < t->rows && type >= 0 && d->types > 0; i++)
    if (t->column[type].value[i] > (double)d->types)
      return sc_grain_fail(t, t->bytes + t->place[i], error,
          "an atom of type %.0f; the header counts %lld types", t->column[type].value[i],
          (long long)d->types);
  return SCREE_OK;
}

/* ---- velocities and masses of rows ---- */

static int compare_atom_ids(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static scree_status add_velocities(sc_grain_table *t, deck *d, scree_error *error) {
  static const char *const names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  const int n = d->velocity_columns, values = n >= 7 ? 6 : n >= 4 ? 3 : 0, first = t->columns;
  const int id = sc_grain_find_column(t, "id");
  if (!values || id < 0) return SCREE_OK;
  qsort(d->velocity, (size_t)d->velocities, (size_t)n * sizeof *d->velocity, compare_atom_ids);
  for (int k = 0; k < values; k++)
    if (sc_grain_add_column(t, names[k], 2) < 0) return sc_grain_no_memory(t, error);
  if (!sc_grain_reserve(t, t->rows)) return sc_grain_no_memory(t, error);
  for (int64_t i = 0; i < t->rows; i++) {
    const double *line = bsearch(t->column[id].value + i, d->velocity, (size_t)d->velocities,
        (size_t)n * sizeof *d->velocity, compare_atom_ids);
    if (!line)
      return sc_grain_fail(t, t->bytes + t->place[i], error, "the section Velocities has no atom %.0f",
          t->column[id].value[i]);
    for (int k = 0; k < values; k++) t->column[first + k].value[i] = line[1 + k];
  }
  return SCREE_OK;
}

static scree_status add_masses(sc_grain_table *t, const deck *d, scree_error *error) {
  const int type = sc_grain_find_column(t, "type");
  if (type < 0 || sc_grain_find_column(t, "density") >= 0) return SCREE_OK;
  const int at = sc_grain_add_column(t, "mass", 4);
  if (at < 0 || !sc_grain_reserve(t, t->rows)) return sc_grain_no_memory(t, error);
  for (int64_t i = 0; i < t->rows; i++) {
    const double k = t->column[type].value[i];
    t->column[at].value[i] = k >= 1 && k <= (double)d->types ? d->mass[(int64_t)k - 1] : NAN;
  }
  return SCREE_OK;
}

static void set_deck_cell(sc_grain_table *t, const deck *d) {
  const double low[3] = {d->bound[0][0], d->bound[1][0], d->bound[2][0]},
               high[3] = {d->bound[0][1], d->bound[1][1], d->bound[2][1]};
  const bool periodic[3] = {false, false, false}; /* data files do not contain whether the box is periodic */
  for (int k = 0; k < 3; k++)
    if (!(high[k] > low[k])) return;
  sc_grain_set_box(t, low, high, periodic);
  t->cell.matrix[1] = d->tilt[0], t->cell.matrix[2] = d->tilt[1], t->cell.matrix[5] = d->tilt[2];
}

static scree_status read_data(sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  deck d = {.atoms = -1};
  t->split = (sc_grain_split){' ', '.'};
  scree_status status = sc_grain_choose_frame(t, def->frame, 1, error);
  if (!status) status = read_sections(t, &d, error);
  /* LAMMPS writes no section Atoms if there are no atoms */
  if (!status && !d.has_atoms && !d.atoms) status = add_columns(t, t->bytes, styles, 0, error);
  else if (!status && !d.has_atoms)
    status = sc_fail(error, SCREE_E_FORMAT, "%s: there is no section Atoms", t->path);
  if (!status) status = check_types(t, &d, error);
  if (!status && d.velocity) status = add_velocities(t, &d, error);
  if (!status && d.mass) status = add_masses(t, &d, error);
  if (!status) set_deck_cell(t, &d);
  sc_free(d.mass);
  sc_free(d.velocity);
  return status;
}

const sc_grain_format sc_grain_lammps_data = {"lammps-data", is_data, read_data};
