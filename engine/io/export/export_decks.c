/* Files from which other DEM programs start, one per frame, with 17 digits: LAMMPS data files of atom style
 * sphere, LIGGGHTS data files of atom style granular, and YADE's text of spheres.
 *
 * All three programs have only balls, so another body is an error; clumps are written ball by ball with
 * `parts`. Types count the materials that occur in the frame, from 1, because LIGGGHTS refuses types without
 * atoms. The first line lists the materials. A ball that is not dynamic has no mass in scree. It gets density
 * 1 and the last type. */
#include "io/export/export.h"

#include <math.h>
#include <string.h>

static void put_exact(sc_out *out, const double *v, int count) {
  sc_out_numbers(out, " ", v, count, SC_EVERY_BIT);
}

static scree_status check_balls(const sc_export *ex, const char *format, scree_error *error) {
  const sc_drawn *d = &ex->drawn;
  for (int64_t i = 0; i < d->count; i++) {
    const unsigned long long id = ex->clump ? ex->clump[d->row[i]] : ex->frame->id[d->row[i]];
    if (d->type[i] == SC_DRAWN_COMPOUND)
      return sc_fail(error, SCREE_E_ARGUMENT,
          "export: body %llu has several shapes; --parts writes clumps ball by ball into %s", id, format);
    if (d->type[i] != SCREE_SPHERE)
      return sc_fail(error, SCREE_E_ARGUMENT,
          "export: body %llu is a %s, but %s has only balls; choose bodies with --ids or --groups", id,
          sc_drawn_name(d->type[i]), format);
  }
  return SCREE_OK;
}

/* Returns the material of drawn body i, counted from 1. A body without shapes in the frame gets 1. */
static int find_material(const sc_drawn *d, int64_t i) { return d->shape[i] ? d->shape[i]->material + 1 : 1; }

/* Returns the density of the ball in a row of the frame [kg/m3]; 1 for a ball that is not dynamic. */
static double find_density(const scree_frame *f, int64_t row) {
  const double r = f->radius[row];
  return isfinite(f->mass[row]) ? f->mass[row] / (4.0 / 3 * M_PI * r * r * r) : 1;
}

/* ---- LAMMPS and LIGGGHTS ---- */

typedef struct dialect {
  const char *name, *ending, *atoms; /* program; ending of file names; title of the section with atoms */
} dialect;

/* The atom types of a file. Type k + 1 is material[k]; the list is ascending and has the materials of the
 * dynamic balls. */
typedef struct types {
  int *material, count;
  size_t capacity;
  int has_fixed; /* 1: some ball is not dynamic; such balls have the type count + 1 */
} types;

/* Returns the type of a material, from 1. If the list lacks the material, returns the type that the material
 * would get by insertion. */
static int find_atom_type(const types *t, int material) {
  int low = 0, high = t->count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (t->material[middle] < material) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

/* Fills t with the materials of the drawn balls. Returns false if out of memory. */
static bool list_types(const sc_export *ex, types *t) {
  const sc_drawn *d = &ex->drawn;
  for (int64_t i = 0; i < d->count; i++) {
    const int material = find_material(d, i), at = find_atom_type(t, material) - 1;
    if (ex->frame->kind[d->row[i]] != SCREE_DYNAMIC) t->has_fixed = 1;
    else if (at == t->count || t->material[at] != material) {
      if (!SC_GROW(t->material, t->capacity, (size_t)t->count + 1)) return false;
      memmove(t->material + at + 1, t->material + at, (size_t)(t->count - at) * sizeof *t->material);
      t->material[at] = material;
      t->count++;
    }
  }
  return true;
}

static scree_status check_atoms(const sc_export *ex, const dialect *to, scree_error *error) {
  const sc_drawn *d = &ex->drawn;
  const scree_frame *f = ex->frame;
  for (int64_t i = 0; i < d->count; i++) {
    const unsigned long long id = f->id[d->row[i]];
    const double density = find_density(f, d->row[i]);
    if (id > INT32_MAX)
      return sc_fail(error, SCREE_E_ARGUMENT,
          "export: the id of body %llu is above %d, the largest that %s reads; --parts numbers rows from 1",
          id, INT32_MAX, to->name);
    if (!(density > 0) || !isfinite(density))
      return sc_fail(error, SCREE_E_ARGUMENT,
          "export: the density of body %llu is not a finite number above 0, "
          "which %s needs",
          id, to->name);
  }
  if (f->has_cell && !sc_export_boxed(f))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "export: %s has only cells with an upper triangular matrix", to->name);
  return check_balls(ex, to->name, error);
}

/* Writes bounds and tilts of the cell, or without a cell the bounding box of the drawn balls. */
static void put_bounds(sc_export *ex) {
  static const char *const names[] = {" xlo xhi\n", " ylo yhi\n", " zlo zhi\n"};
  const scree_frame *f = ex->frame;
  const double *H = f->cell.matrix, *o = f->cell.origin;
  sc_out *out = &ex->out;
  for (int k = 0; k < 3; k++) {
    double low = f->has_cell ? o[k] : ex->drawn.low[k];
    double high = f->has_cell ? o[k] + H[4 * k] : ex->drawn.high[k];
    if (!(low < high)) high = low + 1;
    sc_out_number(out, "", low, SC_EVERY_BIT);
    sc_out_number(out, " ", high, SC_EVERY_BIT);
    sc_out_text(out, "%s", names[k]);
  }
  if (!f->has_cell || (H[1] == 0 && H[2] == 0 && H[5] == 0)) return;
  sc_out_number(out, "", H[1], SC_EVERY_BIT);
  sc_out_number(out, " ", H[2], SC_EVERY_BIT);
  sc_out_number(out, " ", H[5], SC_EVERY_BIT);
  sc_out_text(out, " xy xz yz\n");
}

static void put_atom(sc_export *ex, int64_t i, const types *t) {
  const scree_frame *f = ex->frame;
  const int64_t row = ex->drawn.row[i];
  const int type = f->kind[row] == SCREE_DYNAMIC ? find_atom_type(t, find_material(&ex->drawn, i))
                                                 : t->count + 1;
  const double values[2] = {2 * f->radius[row], find_density(f, row)};
  sc_out_text(&ex->out, "%llu %d", (unsigned long long)f->id[row], type);
  put_exact(&ex->out, values, 2);
  put_exact(&ex->out, f->position + 3 * row, 3);
  for (int k = 0; k < 3 && ex->image; k++) sc_out_text(&ex->out, " %d", ex->image[3 * row + k]);
  sc_out_text(&ex->out, "\n");
}

static void put_velocities(sc_export *ex) {
  static const double none[3];
  const scree_frame *f = ex->frame;
  sc_out_text(&ex->out, "\nVelocities\n\n");
  for (int64_t i = 0; i < ex->drawn.count; i++) {
    const int64_t row = ex->drawn.row[i];
    sc_out_text(&ex->out, "%llu", (unsigned long long)f->id[row]);
    put_exact(&ex->out, ex->fields & SCREE_FIELD_VELOCITY ? f->velocity + 3 * row : none, 3);
    put_exact(&ex->out, ex->fields & SCREE_FIELD_SPIN ? f->spin + 3 * row : none, 3);
    sc_out_text(&ex->out, "\n");
  }
}

static scree_status write_data(sc_export *ex, const dialect *to, scree_error *error) {
  const sc_drawn *d = &ex->drawn;
  types t = {0};
  scree_status status = check_atoms(ex, to, error);
  if (!status && !list_types(ex, &t)) status = sc_export_no_memory(error);
  if (!status) status = sc_export_open_numbered(ex, &ex->out, "", to->ending, false, error);
  if (status) {
    sc_free(t.material);
    return status;
  }
  sc_out_text(&ex->out, "%s data file of scree, time ", to->name);
  sc_out_number(&ex->out, "", ex->frame->time, SC_EVERY_BIT);
  sc_out_text(&ex->out, ", types: materials");
  for (int k = 0; k < t.count; k++) sc_out_text(&ex->out, " %d", t.material[k]);
  if (t.has_fixed) sc_out_text(&ex->out, ", balls that are not dynamic");
  sc_out_text(&ex->out, "\n\n%lld atoms\n%d atom types\n\n", (long long)d->count, t.count + t.has_fixed);
  put_bounds(ex);
  if (d->count) sc_out_text(&ex->out, "\n%s\n\n", to->atoms);
  for (int64_t i = 0; i < d->count; i++) put_atom(ex, i, &t);
  if (d->count && ex->fields & (SCREE_FIELD_VELOCITY | SCREE_FIELD_SPIN)) put_velocities(ex);
  sc_free(t.material);
  return sc_export_close(ex, error);
}

static scree_status write_lammps(sc_export *ex, scree_error *error) {
  return write_data(ex, &(dialect){"LAMMPS", ".data", "Atoms # sphere"}, error);
}

/* Writes a LIGGGHTS data file. Section titles have no comment such as "# sphere", because LIGGGHTS cannot
 * read them. */
static scree_status write_liggghts(sc_export *ex, scree_error *error) {
  return write_data(ex, &(dialect){"LIGGGHTS", ".data", "Atoms"}, error);
}

const sc_exporter sc_export_lammps_data = {.name = "lammps-data", .points = true, .frame = write_lammps};
const sc_exporter sc_export_liggghts_data = {
    .name = "liggghts-data", .points = true, .frame = write_liggghts};

/* ---- YADE ---- */

static scree_status write_yade(sc_export *ex, scree_error *error) {
  const sc_drawn *d = &ex->drawn;
  scree_status status = check_balls(ex, "yade-text", error);
  if (!status) status = sc_export_open_numbered(ex, &ex->out, "", ".txt", false, error);
  if (status) return status;
  sc_out_text(&ex->out, "#format x_y_z_r%s\n", ex->clump ? "_clumpId" : "");
  for (int64_t i = 0; i < d->count; i++) {
    const int64_t row = d->row[i];
    const double *x = ex->frame->position + 3 * row;
    sc_out_number(&ex->out, "", x[0], SC_EVERY_BIT);
    sc_out_numbers(&ex->out, "\t", x + 1, 2, SC_EVERY_BIT);
    sc_out_number(&ex->out, "\t", ex->frame->radius[row], SC_EVERY_BIT);
    if (ex->clump) sc_out_text(&ex->out, "\t%llu", (unsigned long long)ex->clump[row]);
    sc_out_text(&ex->out, "\n");
  }
  return sc_export_close(ex, error);
}

const sc_exporter sc_export_yade_text = {.name = "yade-text", .points = true, .frame = write_yade};
