/* Text exports: LAMMPS dump and extended XYZ for OVITO (gzip, all frames in one file).
 *
 * OVITO reads quaternions as (x,y,z,w) in both of its formats. A dump has the full diameters of bodies that
 * are not balls (shapex shapey shapez, halved by OVITO); extended XYZ has their semi-axes. */
#include "io/export/export.h"
#include "model/shape/kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 9 }; /* significant digits of written numbers, as many as a float has */

/* Computes the half extents of drawn body i along the axes of its shape [m]. Returns false and sets zeros for
 * balls, compounds and shapes of kinds without `axes`. */
static bool semi_axes(const sc_drawn *d, int64_t i, double axes[3]) {
  sc_shape shape;
  sc_set3(0, 0, 0, axes);
  if (!d->shape[i] || d->type[i] == SC_DRAWN_COMPOUND || !sc_shape_of_info(d->shape[i], &shape)) return false;
  if (!sc_kind_of(&shape)->axes) return false;
  sc_kind_of(&shape)->axes(&shape, axes);
  return true;
}

static bool any_axes(const sc_export *ex) {
  double axes[3];
  for (int64_t i = 0; i < ex->drawn.count; i++)
    if (semi_axes(&ex->drawn, i, axes)) return true;
  return false;
}

/* Writes the names of the frame's columns, each between the texts `before` and `after`. */
static void put_column_names(sc_out *out, const scree_frame *f, const char *before, const char *after) {
  for (int32_t k = 0; k < f->columns; k++) sc_out_text(out, "%s%s%s", before, f->column[k].name, after);
}

static void put_numbers(sc_out *out, const double *v, int count) {
  sc_out_numbers(out, " ", v, count, DIGITS);
}

/* Writes the quaternion (w,x,y,z) as x y z w. */
static void put_quaternion(sc_out *out, const double *q) {
  put_numbers(out, q + 1, 3);
  put_numbers(out, q, 1);
}

/* ---- LAMMPS dump ---- */

static scree_status dump_begin(sc_export *ex, scree_error *error) {
  return sc_export_open(ex, &ex->out, ".dump.gz", true, error);
}

static void dump_row(sc_export *ex, int64_t i, bool shapes) {
  sc_out *out = &ex->out;
  const scree_frame *f = ex->frame;
  int64_t r = ex->drawn.row[i];
  sc_out_text(
      out, "%llu %d %lld", (unsigned long long)f->id[r], ex->drawn.type[i] + 1, (long long)f->group[r]);
  if (ex->clump) sc_out_text(out, " %llu", (unsigned long long)ex->clump[r]);
  sc_out_number(out, " ", isfinite(f->mass[r]) ? f->mass[r] : 0, DIGITS);
  sc_out_number(out, " ", f->radius[r], DIGITS);
  put_numbers(out, f->position + 3 * r, 3);
  for (int k = 0; k < 3 && ex->image; k++) sc_out_text(out, " %d", ex->image[3 * r + k]);
  if (ex->fields & SCREE_FIELD_VELOCITY) put_numbers(out, f->velocity + 3 * r, 3);
  if (ex->fields & SCREE_FIELD_SPIN) put_numbers(out, f->spin + 3 * r, 3);
  if (ex->fields & SCREE_FIELD_ORIENTATION) put_quaternion(out, f->orientation + 4 * r);
  if (f->columns) put_numbers(out, f->value + f->columns * r, f->columns);
  double axes[3];
  if (shapes) {
    semi_axes(&ex->drawn, i, axes);
    for (int k = 0; k < 3; k++) sc_out_number(out, " ", 2 * axes[k], DIGITS);
  }
  sc_out_text(out, "\n");
}

/* Writes the box of the frame: bounds and tilts of a cell whose matrix is upper triangular, edges and origin
 * of another cell, or without a cell the bounding box of the drawn bodies. */
static void dump_box(sc_export *ex) {
  sc_out *out = &ex->out;
  const scree_frame *f = ex->frame;
  const double *H = f->cell.matrix, *o = f->cell.origin;
  const int *p = f->cell.periodic;
  if (f->has_cell && !sc_export_boxed(f)) {
    sc_out_text(out, "ITEM: BOX BOUNDS abc origin %s %s %s\n", p[0] ? "pp" : "ff", p[1] ? "pp" : "ff",
        p[2] ? "pp" : "ff");
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < 3; i++) sc_out_number(out, i ? " " : "", H[3 * i + k], DIGITS);
      sc_out_number(out, " ", o[k], DIGITS);
      sc_out_text(out, "\n");
    }
    return;
  }
  double low[3], high[3], tilt[3] = {H[1], H[2], H[5]};
  for (int k = 0; k < 3; k++) low[k] = ex->drawn.low[k], high[k] = ex->drawn.high[k];
  if (f->has_cell) {
    for (int k = 0; k < 3; k++) low[k] = o[k], high[k] = o[k] + H[4 * k];
    double xs[3] = {tilt[0], tilt[1], tilt[0] + tilt[1]}, least = 0, most = 0;
    for (int k = 0; k < 3; k++) least = xs[k] < least ? xs[k] : least, most = xs[k] > most ? xs[k] : most;
    low[0] += least, high[0] += most;
    low[1] += tilt[2] < 0 ? tilt[2] : 0, high[1] += tilt[2] > 0 ? tilt[2] : 0;
    sc_out_text(out, "ITEM: BOX BOUNDS xy xz yz %s %s %s\n", p[0] ? "pp" : "ff", p[1] ? "pp" : "ff",
        p[2] ? "pp" : "ff");
  } else sc_out_text(out, "ITEM: BOX BOUNDS ff ff ff\n");
  for (int k = 0; k < 3; k++) {
    sc_out_number(out, "", low[k], DIGITS);
    sc_out_number(out, " ", high[k], DIGITS);
    if (f->has_cell) sc_out_number(out, " ", tilt[k], DIGITS);
    sc_out_text(out, "\n");
  }
}

static scree_status dump_frame(sc_export *ex, scree_error *error) {
  sc_out *out = &ex->out;
  const scree_frame *f = ex->frame;
  bool shapes = any_axes(ex);
  if (!ex->ordinal) sc_out_text(out, "ITEM: UNITS\nsi\n");
  sc_out_text(out, "ITEM: TIME\n");
  sc_out_number(out, "", f->time, SC_EVERY_BIT);
  sc_out_text(out, "\nITEM: TIMESTEP\n%lld\nITEM: NUMBER OF ATOMS\n%lld\n", (long long)f->step,
      (long long)ex->drawn.count);
  dump_box(ex);
  sc_out_text(out, "ITEM: ATOMS id type group%s mass radius x y z%s%s%s%s", ex->clump ? " clump" : "",
      ex->image ? " ix iy iz" : "", ex->fields & SCREE_FIELD_VELOCITY ? " vx vy vz" : "",
      ex->fields & SCREE_FIELD_SPIN ? " omegax omegay omegaz" : "",
      ex->fields & SCREE_FIELD_ORIENTATION ? " quati quatj quatk quatw" : "");
  put_column_names(out, f, " ", "");
  sc_out_text(out, "%s\n", shapes ? " shapex shapey shapez" : "");
  for (int64_t i = 0; i < ex->drawn.count; i++) dump_row(ex, i, shapes);
  return sc_export_state(ex, error);
}

const sc_exporter sc_export_dump = {.name = "dump",
    .points = true,
    .columns = true,
    .begin = dump_begin,
    .frame = dump_frame,
    .end = sc_export_close};

/* ---- extended XYZ ---- */

static scree_status xyz_begin(sc_export *ex, scree_error *error) {
  return sc_export_open(ex, &ex->out, ".xyz.gz", true, error);
}

static void xyz_row(sc_export *ex, int64_t i) {
  sc_out *out = &ex->out;
  const scree_frame *f = ex->frame;
  int64_t r = ex->drawn.row[i];
  double axes[3];
  sc_out_text(out, "%llu %s", (unsigned long long)f->id[r], sc_drawn_name(ex->drawn.type[i]));
  put_numbers(out, f->position + 3 * r, 3);
  if (ex->fields & SCREE_FIELD_VELOCITY) put_numbers(out, f->velocity + 3 * r, 3);
  sc_out_number(out, " ", f->radius[r], DIGITS);
  if (ex->fields & SCREE_FIELD_ORIENTATION) put_quaternion(out, f->orientation + 4 * r);
  semi_axes(&ex->drawn, i, axes);
  put_numbers(out, axes, 3);
  if (ex->fields & SCREE_FIELD_SPIN) put_numbers(out, f->spin + 3 * r, 3);
  sc_out_text(out, " %lld", (long long)f->group[r]);
  if (ex->clump) sc_out_text(out, " %llu", (unsigned long long)ex->clump[r]);
  if (f->columns) put_numbers(out, f->value + f->columns * r, f->columns);
  sc_out_text(out, "\n");
}

static scree_status xyz_frame(sc_export *ex, scree_error *error) {
  sc_out *out = &ex->out;
  const scree_frame *f = ex->frame;
  const sc_drawn *d = &ex->drawn;
  sc_out_text(out, "%lld\nLattice=\"", (long long)d->count);
  if (f->has_cell) {
    for (int k = 0; k < 9; k++) sc_out_number(out, k ? " " : "", f->cell.matrix[3 * (k % 3) + k / 3], DIGITS);
  } else {
    sc_out_number(out, "", d->high[0] - d->low[0], DIGITS);
    sc_out_number(out, " 0 0 0 ", d->high[1] - d->low[1], DIGITS);
    sc_out_number(out, " 0 0 0 ", d->high[2] - d->low[2], DIGITS);
  }
  sc_out_text(out, "\" Origin=\"");
  for (int k = 0; k < 3; k++)
    sc_out_number(out, k ? " " : "", f->has_cell ? f->cell.origin[k] : d->low[k], DIGITS);
  sc_out_text(out, "\" pbc=\"%s %s %s\" Time=", f->cell.periodic[0] ? "T" : "F",
      f->cell.periodic[1] ? "T" : "F", f->cell.periodic[2] ? "T" : "F");
  sc_out_number(out, "", f->time, SC_EVERY_BIT);
  sc_out_text(out,
      " Step=%lld Properties=id:I:1:species:S:1:pos:R:3%s:radius:R:1%s:aspherical_shape:R:3%s:group:I:1",
      (long long)f->step, ex->fields & SCREE_FIELD_VELOCITY ? ":velo:R:3" : "",
      ex->fields & SCREE_FIELD_ORIENTATION ? ":orientation:R:4" : "",
      ex->fields & SCREE_FIELD_SPIN ? ":omega:R:3" : "");
  if (ex->clump) sc_out_text(out, ":clump:I:1");
  put_column_names(out, f, ":", ":R:1");
  sc_out_text(out, "\n");
  for (int64_t i = 0; i < d->count; i++) xyz_row(ex, i);
  return sc_export_state(ex, error);
}

const sc_exporter sc_export_xyz = {.name = "xyz",
    .points = true,
    .columns = true,
    .begin = xyz_begin,
    .frame = xyz_frame,
    .end = sc_export_close};
