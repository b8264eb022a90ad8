/* VTKHDF 2.0 files for ParaView: bodies as points, all frames in one HDF5 file.
 *
 * The root group is an unstructured grid with one vertex cell per point. Points and arrays of all frames are
 * concatenated; Steps has the offset of each frame. Arrays whose bytes are those of the last frame are not
 * written again. A frame with as many points as the last frame shares its cells: PartOffsets,
 * CellOffsets and ConnectivityIdOffsets repeat. Data sets are byte-shuffled and deflated.
 * Quaternions are (w,x,y,z), VTK's order. */
#include "io/export/export.h"

#ifdef SCREE_HDF5
#include <errno.h>
#include <string.h>
#include "io/hdf5/hdf5_library.h"

enum {
  CHUNK_BYTES = 1 << 17,       /* size of a chunk of a data set of points or cells [bytes] */
  SMALL_CHUNK_BYTES = 1 << 12, /* size of a chunk of a data set with one row per frame or part [bytes] */
  LEVEL = 4,                   /* compression level of deflate */
  ARRAYS = 11 + SCREE_COLUMNS_MOST,
  VERTEX_CELL = 1 /* VTK_VERTEX: number of this type of cell in VTK */
};

/* A data set that grows by rows. */
typedef struct column {
  hid_t set;
  hid_t type; /* type of the values in memory */
  int components;
  int64_t rows;
} column;

/* A quantity of the points, such as "radius": a data set of the group PointData. */
typedef struct array {
  const char *name; /* name of the array; NULL: unused entry */
  column data, offsets;
  sc_bytes last;   /* contents of the array when it was last written */
  int64_t last_at; /* row of data where these contents begin */
} array;

enum { VALUES, PART_OFFSETS, PARTS, POINT_OFFSETS, CELL_OFFSETS, ID_OFFSETS, STEP_COLUMNS };
enum { POINT_COUNTS, CELL_COUNTS, ID_COUNTS, CONNECTIVITY, CELL_ENDS, TYPES, POINTS, TOPOLOGY_COLUMNS };

typedef struct vtkhdf {
  sc_hdf5 h5;
  char *path;
  hid_t file, root, steps, point_data, offset_group;
  column step[STEP_COLUMNS], topology[TOPOLOGY_COLUMNS];
  array array[ARRAYS];
  int arrays;
  int64_t parts, cells_before; /* number of parts so far; number of cells of all parts before the last */
  int64_t last_count;          /* number of points of the last part; -1: there is no part */
  bool no_memory, failed;
} vtkhdf;

/* ---- data sets ---- */

static void note_result(vtkhdf *v, bool good) { v->failed = v->failed || !good; }

static void create_column(vtkhdf *v, hid_t group, const char *name, hid_t stored, hid_t type, int components,
    hsize_t chunk_bytes, column *c) {
  *c = (column){.set = -1, .type = type, .components = components};
  if (v->failed) return;
  const int rank = components > 1 ? 2 : 1;
  const hsize_t none[2] = {0, (hsize_t)components}, most[2] = {H5S_UNLIMITED, (hsize_t)components};
  const hsize_t chunk[2] = {
      chunk_bytes / (v->h5.Tget_size(stored) * (size_t)components), (hsize_t)components};
  hid_t space = v->h5.Screate_simple(rank, none, most), how = v->h5.Pcreate(v->h5.dataset_create);
  note_result(v,
      space >= 0 && how >= 0 && v->h5.Pset_chunk(how, rank, chunk) >= 0 && v->h5.Pset_shuffle(how) >= 0 &&
          v->h5.Pset_deflate(how, LEVEL) >= 0);
  if (!v->failed) c->set = v->h5.Dcreate2(group, name, stored, space, H5P_DEFAULT, how, H5P_DEFAULT);
  note_result(v, c->set >= 0);
  if (space >= 0) v->h5.Sclose(space);
  if (how >= 0) v->h5.Pclose(how);
}

/* Appends rows to a data set; does nothing after a failure. */
static void append_rows(vtkhdf *v, column *c, const void *values, int64_t rows) {
  if (v->failed || !rows) return;
  const int rank = c->components > 1 ? 2 : 1;
  const hsize_t size[2] = {(hsize_t)(c->rows + rows), (hsize_t)c->components},
                start[2] = {(hsize_t)c->rows, 0}, count[2] = {(hsize_t)rows, (hsize_t)c->components};
  hid_t space = v->h5.Dset_extent(c->set, size) < 0 ? -1 : v->h5.Dget_space(c->set),
        memory = v->h5.Screate_simple(rank, count, NULL);
  note_result(v,
      space >= 0 && memory >= 0 &&
          v->h5.Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
          v->h5.Dwrite(c->set, c->type, memory, space, H5P_DEFAULT, values) >= 0);
  if (space >= 0) v->h5.Sclose(space);
  if (memory >= 0) v->h5.Sclose(memory);
  c->rows += rows;
}

static void append_number(vtkhdf *v, column *c, int64_t value) { append_rows(v, c, &value, 1); }

static void put_attribute(
    vtkhdf *v, hid_t at, const char *name, hid_t type, hsize_t count, const void *value) {
  if (v->failed) return;
  hid_t space = count ? v->h5.Screate_simple(1, &count, NULL) : v->h5.Screate(H5S_SCALAR);
  hid_t set = space < 0 ? -1 : v->h5.Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  note_result(v, set >= 0 && v->h5.Awrite(set, type, value) >= 0);
  if (set >= 0) v->h5.Aclose(set);
  if (space >= 0) v->h5.Sclose(space);
}

static hid_t create_group(vtkhdf *v, hid_t at, const char *name) {
  hid_t group = v->failed ? -1 : v->h5.Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  note_result(v, group >= 0);
  return group;
}

/* ---- the file's parts ---- */

static void create_root(vtkhdf *v) {
  static const int version[2] = {2, 0};
  static const char kind[] = "UnstructuredGrid";
  v->root = create_group(v, v->file, "VTKHDF");
  put_attribute(v, v->root, "Version", v->h5.native_int, 2, version);
  hid_t text = v->h5.Tcopy(v->h5.text);
  note_result(v, text >= 0 && v->h5.Tset_size(text, strlen(kind)) >= 0);
  put_attribute(v, v->root, "Type", text, 0, kind);
  if (text >= 0) v->h5.Tclose(text);
  v->point_data = create_group(v, v->root, "PointData");
  v->steps = create_group(v, v->root, "Steps");
  v->offset_group = create_group(v, v->steps, "PointDataOffsets");
}

static void create_columns(vtkhdf *v) {
  static const char *const step[STEP_COLUMNS] = {
      "Values", "PartOffsets", "NumberOfParts", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"};
  static const char *const topology[TOPOLOGY_COLUMNS] = {"NumberOfPoints", "NumberOfCells",
      "NumberOfConnectivityIds", "Connectivity", "Offsets", "Types", "Points"};
  for (int i = 0; i < STEP_COLUMNS; i++) {
    const hid_t type = i == VALUES ? v->h5.native_double : v->h5.native_int64;
    create_column(v, v->steps, step[i], i == VALUES ? v->h5.f64le : v->h5.i64le, type, 1, SMALL_CHUNK_BYTES,
        &v->step[i]);
  }
  for (int i = 0; i < TOPOLOGY_COLUMNS; i++) {
    const hid_t stored = i == POINTS ? v->h5.f32le : i == TYPES ? v->h5.u8le : v->h5.i64le;
    const hid_t type = i == POINTS ? v->h5.native_float
        : i == TYPES               ? v->h5.native_uint8
                                   : v->h5.native_int64;
    create_column(v, v->root, topology[i], stored, type, i == POINTS ? 3 : 1,
        i <= ID_COUNTS ? SMALL_CHUNK_BYTES : CHUNK_BYTES, &v->topology[i]);
  }
}

static void close_set(const vtkhdf *v, hid_t set) {
  if (set > 0) v->h5.Dclose(set);
}
static void close_group(const vtkhdf *v, hid_t group) {
  if (group > 0) v->h5.Gclose(group);
}

/* Closes the file. Returns whether all data could be written. */
static bool close_file(vtkhdf *v) {
  for (int i = 0; i < STEP_COLUMNS; i++) close_set(v, v->step[i].set);
  for (int i = 0; i < TOPOLOGY_COLUMNS; i++) close_set(v, v->topology[i].set);
  for (int i = 0; i < v->arrays; i++)
    close_set(v, v->array[i].data.set), close_set(v, v->array[i].offsets.set);
  close_group(v, v->offset_group);
  close_group(v, v->steps);
  close_group(v, v->point_data);
  close_group(v, v->root);
  const bool flushed = v->h5.Fflush(v->file, H5F_SCOPE_GLOBAL) >= 0, closed = v->h5.Fclose(v->file) >= 0;
  v->file = -1;
  return flushed && closed;
}

static scree_status report_failure(const vtkhdf *v, scree_error *error) {
  if (v->no_memory) return sc_export_no_memory(error);
  if (!v->failed) return SCREE_OK;
  const int code = errno;
  return sc_fail(error, SCREE_E_IO, "%s: HDF5 cannot write the file%s%s", v->path, code ? ": " : "",
      code ? strerror(code) : "");
}

/* ---- arrays ---- */

/* Returns the array `name`. Creates its data sets if it is new. */
static array *find_array(vtkhdf *v, const char *name, hid_t stored, hid_t type, int components) {
  for (int i = 0; i < v->arrays; i++)
    if (!strcmp(v->array[i].name, name)) return &v->array[i];
  SC_ASSERT(v->arrays < ARRAYS);
  array *a = &v->array[v->arrays++];
  *a = (array){.name = name};
  create_column(v, v->point_data, name, stored, type, components, CHUNK_BYTES, &a->data);
  create_column(v, v->offset_group, name, v->h5.i64le, v->h5.native_int64, 1, SMALL_CHUNK_BYTES, &a->offsets);
  return a;
}

/* Writes an array of the present frame, unless its contents equal those last written. */
static void put_array(vtkhdf *v, array *a, const sc_bytes *bytes, int64_t rows) {
  const bool alike = a->offsets.rows && a->last.count == bytes->count &&
      (!bytes->count || !memcmp(a->last.at, bytes->at, bytes->count));
  if (!alike) {
    a->last_at = a->data.rows;
    append_rows(v, &a->data, bytes->at, rows);
    a->last.count = 0;
    if (bytes->count && !sc_bytes_add(&a->last, bytes->at, bytes->count)) v->no_memory = true;
  }
  append_number(v, &a->offsets, a->last_at);
}

/* Returns ex->scratch, resized to `bytes` uninitialised bytes; NULL if out of memory. */
static void *take_scratch(sc_export *ex, size_t bytes) {
  ex->scratch.count = 0;
  void *at = sc_bytes_take(&ex->scratch, bytes + 1);
  ex->scratch.count = bytes;
  return at;
}

static void put_floats(sc_export *ex, const char *name, const double *values, int components) {
  vtkhdf *v = ex->own;
  array *a = find_array(v, name, v->h5.f32le, v->h5.native_float, components);
  if (!sc_export_floats(ex, values, components)) v->no_memory = true;
  else put_array(v, a, &ex->scratch, ex->drawn.count);
}

enum { ID, CLUMP, GROUP, KIND, SHAPE };

static void put_whole(sc_export *ex, const char *name, int what) {
  vtkhdf *v = ex->own;
  const sc_drawn *d = &ex->drawn;
  const bool wide = what <= GROUP;
  array *a = find_array(v, name, wide ? v->h5.i64le : v->h5.i32le, v->h5.native_int64, 1);
  int64_t *at = take_scratch(ex, (size_t)d->count * sizeof *at);
  if (!at) {
    v->no_memory = true;
    return;
  }
  for (int64_t i = 0; i < d->count; i++)
    at[i] = what == ID  ? (int64_t)ex->frame->id[d->row[i]]
        : what == CLUMP ? (int64_t)ex->clump[d->row[i]]
        : what == GROUP ? ex->frame->group[d->row[i]]
        : what == KIND  ? ex->frame->kind[d->row[i]]
                        : d->type[i];
  put_array(v, a, &ex->scratch, d->count);
}

/* ---- frames ---- */

static void append_cells(vtkhdf *v, sc_export *ex, int64_t count) {
  column *t = v->topology;
  int64_t *at = take_scratch(ex, (size_t)(count + 1) * sizeof *at);
  if (!at) {
    v->no_memory = true;
    return;
  }
  for (int64_t i = 0; i <= count; i++) at[i] = i;
  append_rows(v, &t[CELL_ENDS], at, count + 1);
  append_rows(v, &t[CONNECTIVITY], at, count);
  memset(at, VERTEX_CELL, (size_t)count);
  append_rows(v, &t[TYPES], at, count);
  for (int i = POINT_COUNTS; i <= ID_COUNTS; i++) append_number(v, &t[i], count);
  v->cells_before = t[TYPES].rows - count;
  v->last_count = count;
  v->parts++;
}

static void append_step(vtkhdf *v, sc_export *ex) {
  const scree_frame *f = ex->frame;
  if (v->last_count != ex->drawn.count) append_cells(v, ex, ex->drawn.count);
  append_rows(v, &v->step[VALUES], &f->time, 1);
  append_number(v, &v->step[PART_OFFSETS], v->parts - 1);
  append_number(v, &v->step[PARTS], 1);
  append_number(v, &v->step[POINT_OFFSETS], v->topology[POINTS].rows);
  append_number(v, &v->step[CELL_OFFSETS], v->cells_before);
  append_number(v, &v->step[ID_OFFSETS], v->cells_before);
}

static scree_status write_vtkhdf_frame(sc_export *ex, scree_error *error) {
  vtkhdf *v = ex->own;
  const scree_frame *f = ex->frame;
  errno = 0;
  append_step(v, ex);
  const unsigned char *points = sc_export_floats(ex, f->position, 3);
  if (points) append_rows(v, &v->topology[POINTS], points, ex->drawn.count);
  else v->no_memory = true;
  put_whole(ex, "id", ID);
  if (ex->clump) put_whole(ex, "clump", CLUMP);
  put_whole(ex, "group", GROUP);
  put_whole(ex, "kind", KIND);
  put_whole(ex, "shape", SHAPE);
  put_floats(ex, "radius", f->radius, 1);
  put_floats(ex, "mass", f->mass, 1);
  if (ex->fields & SCREE_FIELD_VELOCITY) put_floats(ex, "velocity", f->velocity, 3);
  if (ex->fields & SCREE_FIELD_SPIN) put_floats(ex, "spin", f->spin, 3);
  if (ex->fields & SCREE_FIELD_ORIENTATION) put_floats(ex, "orientation", f->orientation, 4);
  const char *name;
  for (int32_t k = 0, components; k < f->columns; k += components) {
    components = sc_export_components(ex, k, &name);
    const double *value = sc_export_column(ex, k, components);
    if (value) put_floats(ex, name, value, components);
    else v->no_memory = true;
  }
  return report_failure(v, error);
}

static scree_status begin_vtkhdf(sc_export *ex, scree_error *error) {
  vtkhdf *v = ex->own = sc_alloc(sizeof *v);
  if (!v) return sc_export_no_memory(error);
  v->last_count = -1;
  v->path = sc_export_path(ex, ".vtkhdf");
  if (!v->path) return sc_export_no_memory(error);
  scree_status status = sc_hdf5_open(&v->h5, "VTKHDF files", error);
  if (status != SCREE_OK) return status;
  errno = 0;
  v->file = v->h5.Fcreate(v->path, SC_HDF5_TRUNCATE, H5P_DEFAULT, H5P_DEFAULT);
  note_result(v, v->file >= 0);
  if (!v->failed) {
    create_root(v);
    create_columns(v);
    ++*ex->files;
  }
  return report_failure(v, error);
}

static scree_status end_vtkhdf(sc_export *ex, scree_error *error) {
  vtkhdf *v = ex->own;
  const int64_t steps = ex->ordinal;
  errno = 0;
  put_attribute(v, v->steps, "NSteps", v->h5.native_int64, 0, &steps);
  note_result(v, close_file(v));
  if (v->failed) sc_file_discard(v->path);
  return report_failure(v, error);
}

/* Frees the data of the exporter. Removes an incomplete file. */
static void free_vtkhdf(sc_export *ex) {
  vtkhdf *v = ex->own;
  if (!v) return;
  if (v->file > 0) {
    close_file(v);
    sc_file_discard(v->path);
  }
  for (int i = 0; i < v->arrays; i++) sc_bytes_free(&v->array[i].last);
  sc_free(v->path);
  sc_free(v);
  ex->own = NULL;
}

const sc_exporter sc_export_vtkhdf = {.name = "vtkhdf",
    .points = true,
    .columns = true,
    .begin = begin_vtkhdf,
    .frame = write_vtkhdf_frame,
    .end = end_vtkhdf,
    .forget = free_vtkhdf};

#else

static scree_status report_missing(sc_export *ex, scree_error *error) {
  (void)ex;
  return sc_fail(error, SCREE_E_MISSING,
      "VTKHDF files need the HDF5 library; install it (Debian: libhdf5-dev) and build scree again");
}

const sc_exporter sc_export_vtkhdf = {
    .name = "vtkhdf", .points = true, .columns = true, .begin = report_missing, .frame = report_missing};

#endif
