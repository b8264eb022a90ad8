/* Grains from a table: finds the column of each field by name or number, checks the numbers and converts them
 * to SI units. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "io/grains/grains.h"
#include "scree/geometry.h"
#include "scree/param.h"

typedef enum dimension { LENGTH, SPEED, SPIN, DENSITY, MASS, NUMBER } dimension;

/* A field of grains: its key and SI unit, its dimension, whether its numbers must be positive or whole, and
 * the usual names of its column in files. */
static const struct field {
  const char *name, *unit;
  dimension of;
  bool is_positive, is_whole;
  const char *usual; /* names separated by blanks, in order of preference */
} fields[SCREE_GRAIN_FIELDS] = {
    {"x", "m", LENGTH, false, false, "x position_x points_x pos_x posx xu px positions_x coordinates_x r_x"},
    {"y", "m", LENGTH, false, false, "y position_y points_y pos_y posy yu py positions_y coordinates_y r_y"},
    {"z", "m", LENGTH, false, false, "z position_z points_z pos_z posz zu pz positions_z coordinates_z r_z"},
    {"radius", "m", LENGTH, true, false, "radius r rad radii"},
    {"diameter", "m", LENGTH, true, false, "diameter d diam dia"},
    {"density", "kg/m3", DENSITY, true, false, "density rho"}, {"mass", "kg", MASS, true, false, "mass m"},
    {"vx", "m/s", SPEED, false, false, "vx velocity_x v_x linvelvec_x vel_x velx"},
    {"vy", "m/s", SPEED, false, false, "vy velocity_y v_y linvelvec_y vel_y vely"},
    {"vz", "m/s", SPEED, false, false, "vz velocity_z v_z linvelvec_z vel_z velz"},
    {"wx", "rad/s", SPIN, false, false,
        "wx omegax omega_x spin_x angvelvec_x angularvelocity_x angular_velocity_x"},
    {"wy", "rad/s", SPIN, false, false,
        "wy omegay omega_y spin_y angvelvec_y angularvelocity_y angular_velocity_y"},
    {"wz", "rad/s", SPIN, false, false,
        "wz omegaz omega_z spin_z angvelvec_z angularvelocity_z angular_velocity_z"},
    {"qw", "", NUMBER, false, false, "qw quatw orientation_w q_w quaternion_w"},
    {"qx", "", NUMBER, false, false, "qx quati orientation_x q_x quaternion_x"},
    {"qy", "", NUMBER, false, false, "qy quatj orientation_y q_y quaternion_y"},
    {"qz", "", NUMBER, false, false, "qz quatk orientation_z q_z quaternion_z"},
    {"id", "", NUMBER, false, true, "id particle_id particleid tag"},
    {"type", "", NUMBER, false, true,
        "type species material mat matid materialid material_id speciestype indspecies"},
    {"clump", "", NUMBER, false, true, "clump clumpid clump_id id_multisphere"},
    {"group", "", NUMBER, false, true, "group"}};

const char *scree_grain_field_name(int field) {
  return field >= 0 && field < SCREE_GRAIN_FIELDS ? fields[field].name : NULL;
}
const char *scree_grain_field_unit(int field) {
  return field >= 0 && field < SCREE_GRAIN_FIELDS ? fields[field].unit : NULL;
}

typedef struct chooser {
  scree_grains *g;
  const sc_grain_table *t;
  const scree_grains_def *def;
  /* [field] index of the field's column in the table; -1: the file lacks the field */
  int column[SCREE_GRAIN_FIELDS];
  double factor[SCREE_GRAIN_FIELDS];
  double length, mass, time; /* units of the file [m], [kg], [s]; mass 0: densities are in kg/m3, too */
  bool has_two_sizes;        /* the file has usual columns of radius and of diameter, which must agree */
} chooser;

/* ---- columns ---- */

static const char *column_name(const void *context, int i) {
  return ((const sc_grain_table *)context)->column[i].name;
}

/* Sets *out to the column that `text` names, by its name or its number from 1. key: the field, such as
 * "diameter", for messages. */
static scree_status find_named(
    const sc_grain_table *t, const char *key, const char *text, int *out, scree_error *error) {
  int64_t number;
  *out = -1;
  for (int c = 0; c < t->columns; c++)
    if (!strcmp(t->column[c].name, text)) return *out = c, SCREE_OK;
  if ((*out = sc_grain_find_column(t, text)) >= 0) return SCREE_OK;
  if (sc_grain_whole(text, strlen(text), &number)) {
    if (number >= 1 && number <= t->columns) return *out = (int)number - 1, SCREE_OK;
    return sc_fail(error, SCREE_E_ARGUMENT, "%s: columns.%s is %lld; the file has columns 1 to %d", t->path,
        key, (long long)number, t->columns);
  }
  char all[200] = "";
  for (int c = 0; c < t->columns && strlen(all) + SC_GRAIN_NAME + 4 < sizeof all; c++)
    if (*t->column[c].name)
      snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", *all ? ", " : "", t->column[c].name);
  const char *near = scree_nearest_name(text, t->columns, column_name, t);
  return sc_fail(error, SCREE_E_ARGUMENT, "%s: columns.%s: there is no column '%.60s'%s%s%s%s%s", t->path,
      key, text,
      near       ? "; did you mean '"
          : *all ? "; there are "
                 : "; the file has no header: give numbers",
      near ? near : "", near ? "'?" : "", near ? "" : all, "");
}

/* Returns the column with the most preferred of the field's usual names; -1: no column has one of them. */
static int find_usual(const sc_grain_table *t, const struct field *f) {
  const char *at = f->usual, *end = at + strlen(at);
  sc_grain_cell word;
  while (sc_grain_word(&at, end, &word))
    for (int c = 0; c < t->columns; c++)
      if (sc_grain_is(word, t->column[c].name)) return c;
  return -1;
}

/* Sets *factor to the size of a unit that the caller names; does not change it if name is NULL. */
static scree_status find_unit_size(
    const chooser *c, const char *key, const char *name, const char *si, double *factor, scree_error *error) {
  const scree_grains_def *def = c->def;
  if (!name || (def->read_unit && def->read_unit(def->unit_context, name, si, factor))) return SCREE_OK;
  return sc_fail(error, SCREE_E_ARGUMENT, "read_grains.%s: '%s' is no unit of %s", key, name, si);
}

static scree_status find_file_units(chooser *c, scree_error *error) {
  c->length = scree_length_unit(c->def->unit), c->mass = 0, c->time = 1;
  scree_status status = find_unit_size(c, "mass_unit", c->def->mass_unit, "kg", &c->mass, error);
  if (status) return status;
  return find_unit_size(c, "time_unit", c->def->time_unit, "s", &c->time, error);
}

static double find_scale(const chooser *c, dimension of) {
  const double L = c->length, T = c->time, M = c->mass;
  switch (of) {
  case LENGTH: return L;
  case SPEED: return L / T;
  case SPIN: return 1 / T;
  case DENSITY: return M > 0 ? M / (L * L * L) : 1;
  case MASS: return M > 0 ? M : 1;
  default: return 1;
  }
}

static scree_status find_factor(chooser *c, int k, scree_error *error) {
  const sc_grain_column *column = c->t->column + c->column[k];
  const scree_grains_def *def = c->def;
  c->factor[k] = def->factor[k] > 0 ? def->factor[k] : find_scale(c, fields[k].of);
  if (def->factor[k] > 0 || !*column->unit || fields[k].of == NUMBER) return SCREE_OK;
  if (def->read_unit && def->read_unit(def->unit_context, column->unit, fields[k].unit, c->factor + k))
    return SCREE_OK;
  return sc_fail(error, SCREE_E_FORMAT,
      "%s: the unit '%s' of column '%s' is none of %s; give it as columns.%s = { \"%s\", unit = ... }",
      c->t->path, column->unit, column->name, fields[k].unit, fields[k].name, column->name);
}

static scree_status find_chosen_columns(chooser *c, scree_error *error) {
  const scree_grains_def *def = c->def;
  scree_status status = SCREE_OK;
  for (int k = 0; k < SCREE_GRAIN_FIELDS && !status; k++) {
    const char *text = def->column[k];
    c->column[k] = -1;
    if (text && *text) status = find_named(c->t, fields[k].name, text, c->column + k, error);
    else if (!text) c->column[k] = find_usual(c->t, fields + k);
  }
  if (status) return status;
  /* if the caller names a column for the diameter only, a usual column of the radius is ignored, and the
   * other way round */
  if (def->column[SCREE_GRAIN_DIAMETER] && !def->column[SCREE_GRAIN_RADIUS] &&
      c->column[SCREE_GRAIN_DIAMETER] >= 0)
    c->column[SCREE_GRAIN_RADIUS] = -1;
  if (def->column[SCREE_GRAIN_RADIUS] && !def->column[SCREE_GRAIN_DIAMETER] &&
      c->column[SCREE_GRAIN_RADIUS] >= 0)
    c->column[SCREE_GRAIN_DIAMETER] = -1;
  if (def->radius > 0) c->column[SCREE_GRAIN_DIAMETER] = -1;
  if (def->radius > 0) c->column[SCREE_GRAIN_RADIUS] = -1;
  c->has_two_sizes = c->column[SCREE_GRAIN_RADIUS] >= 0 && c->column[SCREE_GRAIN_DIAMETER] >= 0;
  for (int k = 0; k < SCREE_GRAIN_FIELDS && !status; k++)
    if (c->column[k] >= 0) status = find_factor(c, k, error);
  return status;
}

/* Refuses a file without positions or sizes, and vectors with missing components. */
static scree_status check_chosen_columns(const chooser *c, scree_error *error) {
  static const struct {
    int first, count;
    bool is_needed;
  } vectors[] = {{SCREE_GRAIN_X, 3, true}, {SCREE_GRAIN_VX, 3, false}, {SCREE_GRAIN_WX, 3, false},
      {SCREE_GRAIN_QW, 4, false}};
  const bool is_flat = c->column[SCREE_GRAIN_X] >= 0 && c->column[SCREE_GRAIN_Y] >= 0;
  const char *header = c->t->columns && *c->t->column[0].name ? "" : ", and the file has no header";
  for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
    int found = 0, missing = -1;
    for (int k = vectors[v].first; k < vectors[v].first + vectors[v].count; k++)
      if (c->column[k] >= 0) found++;
      else if (missing < 0) missing = k;
    /* files of two-dimensional systems have no column z */
    const bool plane = is_flat && v < 3 && missing == vectors[v].first + 2;
    if (missing < 0 || (v == 2 && found) || plane || (!found && !vectors[v].is_needed)) continue;
    return sc_fail(error, SCREE_E_FORMAT, "%s: no column for %s%s: give columns = { %s = NAME or NUMBER }",
        c->t->path, fields[missing].name, header, fields[missing].name);
  }
  if (c->def->radius > 0 || c->column[SCREE_GRAIN_RADIUS] >= 0 || c->column[SCREE_GRAIN_DIAMETER] >= 0)
    return SCREE_OK;
  return sc_fail(error, SCREE_E_FORMAT,
      "%s: no column of sizes%s: give columns = { radius = NAME or NUMBER } or { diameter = ... }, or radius",
      c->t->path, header);
}

/* ---- values ---- */

/* Sets *out to the text of a cell of a row. Returns false if rows are not lines of text, or if the line has
 * no such cell. */
static bool find_text(const sc_grain_table *t, int64_t row, int column, sc_grain_cell *out) {
  sc_grain_cell cell[SC_GRAIN_COLUMNS + 1];
  if (!t->place || !t->split.separator || column >= SC_GRAIN_COLUMNS) return false;
  const char *at = t->bytes + t->place[row], *stop = sc_grain_line_end(at, t->end);
  if (sc_grain_split_line(at, stop, t->split, cell, SC_GRAIN_COLUMNS) <= column) return false;
  *out = cell[column];
  return true;
}

/* Sets the error for a wrong value in a row and column. wish: what the value must be. The message has the
 * line number if rows are lines of text, else the row number. */
static scree_status refuse_value(
    const sc_grain_table *t, int64_t row, int column, const char *wish, scree_error *error) {
  const char *name = t->column[column].name;
  char label[SC_GRAIN_NAME + 40], value[80];
  sc_grain_cell cell;
  snprintf(label, sizeof label, *name ? "column %d (%s)" : "column %d", column + 1, name);
  if (find_text(t, row, column, &cell))
    snprintf(value, sizeof value, "'%.*s'", (int)(cell.length < 60 ? cell.length : 60), cell.at);
  else snprintf(value, sizeof value, "%.10g", t->column[column].value[row]);
  if (!t->place)
    return sc_fail(
        error, SCREE_E_FORMAT, "%s: row %lld, %s: %s %s", t->path, (long long)row + 1, label, value, wish);
  return sc_grain_fail(t, t->bytes + t->place[row], error, "%s: %s %s", label, value, wish);
}

static scree_status take_value(const chooser *c, int k, int64_t row, double *out, scree_error *error) {
  const double value = c->t->column[c->column[k]].value[row];
  *out = value * c->factor[k];
  if (!isfinite(value)) return refuse_value(c->t, row, c->column[k], "is no finite number", error);
  if (fields[k].is_positive && !(*out > 0))
    return refuse_value(c->t, row, c->column[k], "must be positive", error);
  if (fields[k].is_whole && value != floor(value))
    return refuse_value(c->t, row, c->column[k], "must be a whole number", error);
  if (fields[k].is_whole && fabs(value) > 9e15)
    return refuse_value(
        c->t, row, c->column[k], "is above 9e15, the largest whole number that is read", error);
  return SCREE_OK;
}

/* Returns the number, from 1, of a type that the file gives as a word. A new word gets the next number.
 * Returns 0 if out of memory. */
static int64_t number_kind(scree_grains *g, sc_grain_cell cell) {
  char text[SC_GRAIN_NAME + 1] = "";
  memcpy(text, cell.at, cell.length < SC_GRAIN_NAME ? cell.length : SC_GRAIN_NAME);
  for (int k = 0; k < g->info.kinds; k++)
    if (!strcmp(g->kind[k], text)) return k + 1;
  if (!SC_GROW(g->kind, g->kind_capacity, (size_t)g->info.kinds + 1)) return 0;
  memcpy(g->kind[g->info.kinds], text, sizeof text);
  return ++g->info.kinds;
}

/* Reads the type of a grain. Types may be words, which are numbered in the order in which they appear. Fails
 * if a file mixes words and numbers. */
static scree_status take_type(const chooser *c, int64_t row, scree_grain *out, scree_error *error) {
  enum { KINDS_MOST = 1000 };
  const int column = c->column[SCREE_GRAIN_TYPE];
  const double value = c->t->column[column].value[row];
  sc_grain_cell cell;
  double number;
  if (isnan(value) && find_text(c->t, row, column, &cell) && cell.length && c->g->info.kinds < KINDS_MOST) {
    if (row && !c->g->info.kinds)
      return refuse_value(c->t, row, column, "is no number, but the types before are", error);
    out->type = number_kind(c->g, cell);
    return out->type ? SCREE_OK : sc_grain_no_memory(c->t, error);
  }
  if (c->g->info.kinds) return refuse_value(c->t, row, column, "is no word, but the types before are", error);
  const scree_status status = take_value(c, SCREE_GRAIN_TYPE, row, &number, error);
  out->type = status ? 0 : (int64_t)number;
  return status;
}

static scree_status turn_vector(const chooser *c, int64_t row, scree_grain *out, scree_error *error) {
  double *q = out->orientation;
  const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 1e-6))
    return refuse_value(c->t, row, c->column[SCREE_GRAIN_QW], "begins a quaternion of length 0", error);
  /* a quaternion whose length is 1 up to rounding keeps its bits */
  if (fabs(length - 1) > 1e-12)
    for (int k = 0; k < 4; k++) q[k] /= length;
  return SCREE_OK;
}

static scree_status take_row(const chooser *c, int64_t row, scree_grain *out, scree_error *error) {
  double v[SCREE_GRAIN_FIELDS] = {0};
  for (int k = 0; k < SCREE_GRAIN_FIELDS; k++) {
    if (c->column[k] < 0 || k == SCREE_GRAIN_TYPE) continue;
    const scree_status status = take_value(c, k, row, v + k, error);
    if (status) return status;
  }
  if (c->has_two_sizes &&
      fabs(v[SCREE_GRAIN_DIAMETER] / 2 - v[SCREE_GRAIN_RADIUS]) > 1e-5 * v[SCREE_GRAIN_RADIUS])
    return refuse_value(c->t, row, c->column[SCREE_GRAIN_DIAMETER],
        "is not twice the radius of the row; choose one with columns.radius = false or columns.diameter = "
        "false",
        error);
  *out = (scree_grain){
      .orientation = {1, 0, 0, 0}, .density = v[SCREE_GRAIN_DENSITY], .mass = v[SCREE_GRAIN_MASS]};
  for (int k = 0; k < 3; k++) {
    out->position[k] = v[SCREE_GRAIN_X + k];
    out->velocity[k] = v[SCREE_GRAIN_VX + k];
    out->spin[k] = v[SCREE_GRAIN_WX + k];
  }
  out->radius = c->def->radius > 0         ? c->def->radius
      : c->column[SCREE_GRAIN_RADIUS] >= 0 ? v[SCREE_GRAIN_RADIUS]
                                           : v[SCREE_GRAIN_DIAMETER] / 2;
  out->id = (int64_t)v[SCREE_GRAIN_ID];
  out->clump = (int64_t)v[SCREE_GRAIN_CLUMP];
  out->group = (int64_t)v[SCREE_GRAIN_GROUP];
  for (int k = 0; k < 4 && c->column[SCREE_GRAIN_QW] >= 0; k++) out->orientation[k] = v[SCREE_GRAIN_QW + k];
  scree_status status = c->column[SCREE_GRAIN_QW] >= 0 ? turn_vector(c, row, out, error) : SCREE_OK;
  if (!status && c->column[SCREE_GRAIN_TYPE] >= 0) status = take_type(c, row, out, error);
  return status;
}

/* ---- ids ---- */

typedef struct id_row {
  int64_t id, row;
} id_row;

static int compare_source_ids(const void *a, const void *b) {
  const id_row *x = a, *y = b;
  return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : (x->row > y->row) - (x->row < y->row);
}

/* Fails if two grains have the same id. from: [info.count] row of each grain in the table. */
static scree_status check_ids(const chooser *c, const int64_t *from, scree_error *error) {
  const int64_t count = c->g->info.count;
  if (c->column[SCREE_GRAIN_ID] < 0) return SCREE_OK;
  bool rises = true;
  for (int64_t i = 1; i < count && rises; i++) rises = c->g->row[i].id > c->g->row[i - 1].id;
  if (rises) return SCREE_OK;
  id_row *list = sc_alloc(((size_t)count + 1) * sizeof *list);
  if (!list) return sc_grain_no_memory(c->t, error);
  for (int64_t i = 0; i < count; i++) list[i] = (id_row){c->g->row[i].id, i};
  qsort(list, (size_t)count, sizeof *list, compare_source_ids);
  scree_status status = SCREE_OK;
  for (int64_t i = 1; i < count && !status; i++) {
    if (list[i].id != list[i - 1].id) continue;
    const int64_t first = from[list[i - 1].row];
    char wish[80];
    if (c->t->place)
      snprintf(wish, sizeof wish, "stands in line %lld too",
          (long long)sc_grain_line(c->t, c->t->bytes + c->t->place[first]));
    else snprintf(wish, sizeof wish, "stands in row %lld too", (long long)first + 1);
    status = refuse_value(c->t, from[list[i].row], c->column[SCREE_GRAIN_ID], wish, error);
  }
  sc_free(list);
  return status;
}

/* ---- all grains ---- */

static void measure_grains(scree_grains *g) {
  scree_grains_info *info = &g->info;
  info->radius_min = info->count ? INFINITY : 0;
  for (int64_t i = 0; i < info->count; i++) {
    const scree_grain *r = g->row + i;
    for (int k = 0; k < 3; k++) {
      info->min[k] = i ? fmin(info->min[k], r->position[k]) : r->position[k];
      info->max[k] = i ? fmax(info->max[k], r->position[k]) : r->position[k];
    }
    info->radius_min = fmin(info->radius_min, r->radius);
    info->radius_max = fmax(info->radius_max, r->radius);
  }
}

/* Converts the cell from the file's unit to metres. */
static void take_cell(scree_grains *g, const sc_grain_table *t, double unit) {
  double matrix[9];
  g->info.has_cell = t->has_cell;
  if (!t->has_cell) return;
  for (int k = 0; k < 9; k++) matrix[k] = unit * t->cell.matrix[k];
  scree_cell_set(&g->info.cell, matrix);
  for (int k = 0; k < 3; k++) {
    g->info.cell.origin[k] = unit * t->cell.origin[k];
    g->info.cell.periodic[k] = t->cell.periodic[k];
  }
}

static scree_status take_rows(chooser *c, int64_t *from, scree_error *error) {
  const int kind = sc_grain_find_column(c->t, "kind"), fixed = sc_grain_find_column(c->t, "is_fixed");
  scree_grains *g = c->g;
  for (int64_t i = 0; i < c->t->rows; i++) {
    /* files that scree has exported also contain walls: rows whose column `kind` is 1 or 2 */
    if (kind >= 0 && (c->t->column[kind].value[i] == 1 || c->t->column[kind].value[i] == 2)) {
      g->info.left_out++;
      continue;
    }
    const scree_status status = take_row(c, i, g->row + g->info.count, error);
    if (status) return status;
    g->row[g->info.count].is_fixed = fixed >= 0 && c->t->column[fixed].value[i] == 1;
    from[g->info.count++] = i;
  }
  return SCREE_OK;
}

static scree_status take_extra(chooser *c, const int64_t *from, scree_error *error) {
  scree_grains *g = c->g;
  for (int k = 0; k < c->def->extra_count; k++) {
    int column;
    const scree_status status = find_named(c->t, "values", c->def->extra[k], &column, error);
    if (status) return status;
    if (!(g->extra[k] = sc_alloc(((size_t)g->info.count + 1) * sizeof **g->extra)))
      return sc_grain_no_memory(c->t, error);
    g->extra_count = k + 1;
    for (int64_t i = 0; i < g->info.count; i++) {
      g->extra[k][i] = c->t->column[column].value[from[i]];
      if (!isfinite(g->extra[k][i])) return refuse_value(c->t, from[i], column, "is no finite number", error);
    }
  }
  return SCREE_OK;
}

static scree_status name_chosen_columns(scree_grains *g, const sc_grain_table *t, scree_error *error) {
  g->column = sc_alloc(((size_t)t->columns + 1) * sizeof *g->column);
  if (!g->column) return sc_grain_no_memory(t, error);
  for (int c = 0; c < t->columns; c++) {
    if (*t->column[c].name) memcpy(g->column[c], t->column[c].name, sizeof *g->column);
    else snprintf(g->column[c], sizeof *g->column, "%d", c + 1);
  }
  g->info.columns = t->columns;
  return SCREE_OK;
}

scree_status sc_grains_choose(
    scree_grains *g, const sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  chooser c = {.g = g, .t = t, .def = def};
  scree_status status = name_chosen_columns(g, t, error);
  if (!status) status = find_file_units(&c, error);
  if (!status) status = find_chosen_columns(&c, error);
  if (!status) status = check_chosen_columns(&c, error);
  if (status) return status;
  int64_t *from = sc_alloc(((size_t)t->rows + 1) * sizeof *from);
  g->row = sc_alloc(((size_t)t->rows + 1) * sizeof *g->row);
  g->extra = sc_alloc(((size_t)def->extra_count + 1) * sizeof *g->extra);
  if (!from || !g->row || !g->extra) status = sc_grain_no_memory(t, error);
  if (!status) status = take_rows(&c, from, error);
  if (!status) status = check_ids(&c, from, error);
  if (!status) status = take_extra(&c, from, error);
  sc_free(from);
  for (int k = 0; k < SCREE_GRAIN_FIELDS; k++)
    if (c.column[k] >= 0) g->info.found |= 1u << k;
  g->info.frame = t->frame, g->info.frames = t->frames;
  g->info.time = t->time * c.time;
  take_cell(g, t, c.length);
  measure_grains(g);
  return status;
}
