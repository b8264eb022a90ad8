/* VTKHDF files read back with the HDF5 library, by the rules of the format: every frame has the points and
 * arrays of the trajectory; what does not change lies in the file once. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#ifdef SCREE_TEST_HDF5
#include <hdf5.h>
#include "io/container/file.h"
#include "support/frames.h"

enum { FRAMES = 6, GRAINS = 60 };
static char folder[64], path[128];

/* Writes frames in which grains move. Before frames 2 and 4 some grains leave. */
static void write_trajectory(void) {
  scree_error error;
  scree_trajectory_def def = scree_trajectory_defaults();
  flow *f = flow_create(GRAINS, 7);
  f->turnover = 0;
  scree_writer *w = scree_writer_open(path, &def, &error);
  for (int i = 0; i < FRAMES; i++, flow_advance(f)) {
    for (int k = 0; k < 5 && (i == 2 || i == 4); k++) flow_drop(f, 10);
    scree_frame frame = flow_frame(f);
    assert_int_equal(scree_writer_frame(w, &frame, &error), SCREE_OK);
  }
  flow_destroy(f);
  assert_int_equal(scree_writer_close(w, &error), SCREE_OK);
}

/* Reads rows of a data set as doubles. Returns the number of rows that the set has. */
static hsize_t read_rows(
    hid_t root, const char *name, hsize_t first, hsize_t rows, hsize_t components, double *out) {
  hid_t set = H5Dopen2(root, name, H5P_DEFAULT);
  assert_true(set >= 0);
  hid_t space = H5Dget_space(set);
  hsize_t size[2] = {0, 1}, start[2] = {first, 0}, count[2] = {rows, components};
  const int rank = H5Sget_simple_extent_dims(space, size, NULL);
  assert_true(rank == (components > 1 ? 2 : 1) && size[1] == components && first + rows <= size[0]);
  hid_t memory = H5Screate_simple(rank, count, NULL);
  assert_true(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out) >= 0);
  H5Sclose(memory), H5Sclose(space), H5Dclose(set);
  return size[0];
}

static hsize_t read_step(hid_t root, const char *name, int step) {
  double value;
  assert_int_equal(read_rows(root, name, (hsize_t)step, 1, 1, &value), FRAMES);
  return (hsize_t)value;
}

/* Compares an array of a step with the grains of a frame. */
static void check_values(hid_t root, const char *name, hsize_t first, int components,
    const scree_frame *frame, const double *values) {
  double row[4];
  hsize_t i = 0;
  for (int64_t r = 0; r < frame->bodies; r++) {
    if (frame->kind[r] != SCREE_DYNAMIC) continue;
    read_rows(root, name, first + i++, 1, (hsize_t)components, row);
    for (int c = 0; c < components; c++) assert_true((float)row[c] == (float)values[components * r + c]);
  }
}

static void check_ids(hid_t root, hsize_t first, const scree_frame *frame) {
  double id;
  for (int64_t r = 0; r < frame->bodies; r++) {
    if (frame->kind[r] != SCREE_DYNAMIC) continue;
    read_rows(root, "PointData/id", first++, 1, 1, &id);
    assert_true((uint64_t)id == frame->id[r]);
  }
}

/* Each grain is a vertex cell of its own. */
static void check_cells(hid_t root, int step, hsize_t part, hsize_t count) {
  double number;
  const hsize_t cell = read_step(root, "Steps/CellOffsets", step),
                id = read_step(root, "Steps/ConnectivityIdOffsets", step);
  for (int k = 0; k < 3; k++) {
    static const char *const counts[] = {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"};
    read_rows(root, counts[k], part, 1, 1, &number);
    assert_true((hsize_t)number == count);
  }
  for (hsize_t i = 0; i <= count; i++) {
    read_rows(root, "Offsets", cell + part + i, 1, 1, &number);
    assert_true((hsize_t)number == i);
    if (i == count) break;
    read_rows(root, "Connectivity", id + i, 1, 1, &number);
    assert_true((hsize_t)number == i);
    read_rows(root, "Types", cell + i, 1, 1, &number);
    assert_true((int)number == 1);
  }
}

static void check_frame(hid_t root, int step, const scree_frame *frame) {
  double time;
  hsize_t grains = 0;
  for (int64_t r = 0; r < frame->bodies; r++) grains += frame->kind[r] == SCREE_DYNAMIC;
  read_rows(root, "Steps/Values", (hsize_t)step, 1, 1, &time);
  assert_true(time == frame->time && read_step(root, "Steps/NumberOfParts", step) == 1);
  check_cells(root, step, read_step(root, "Steps/PartOffsets", step), grains);
  check_values(root, "Points", read_step(root, "Steps/PointOffsets", step), 3, frame, frame->position);
  check_values(root, "PointData/radius", read_step(root, "Steps/PointDataOffsets/radius", step), 1, frame,
      frame->radius);
  check_values(
      root, "PointData/mass", read_step(root, "Steps/PointDataOffsets/mass", step), 1, frame, frame->mass);
  check_values(root, "PointData/velocity", read_step(root, "Steps/PointDataOffsets/velocity", step), 3, frame,
      frame->velocity);
  check_values(
      root, "PointData/spin", read_step(root, "Steps/PointDataOffsets/spin", step), 3, frame, frame->spin);
  check_values(root, "PointData/orientation", read_step(root, "Steps/PointDataOffsets/orientation", step), 4,
      frame, frame->orientation);
  check_ids(root, read_step(root, "Steps/PointDataOffsets/id", step), frame);
}

static void check_head(hid_t root) {
  int version[2] = {0}, steps = 0;
  char type[32] = "";
  hid_t at = H5Aopen(root, "Version", H5P_DEFAULT);
  assert_true(H5Aread(at, H5T_NATIVE_INT, version) >= 0 && version[0] == 2 && version[1] == 0);
  H5Aclose(at);
  at = H5Aopen(root, "Type", H5P_DEFAULT);
  hid_t text = H5Aget_type(at);
  assert_true(H5Tget_class(text) == H5T_STRING && H5Tget_size(text) == 16 && H5Aread(at, text, type) >= 0);
  assert_string_equal(type, "UnstructuredGrid");
  H5Tclose(text), H5Aclose(at);
  at = H5Aopen_by_name(root, "Steps", "NSteps", H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Aread(at, H5T_NATIVE_INT, &steps) >= 0);
  assert_int_equal(steps, FRAMES);
  H5Aclose(at);
}

static void frames_come_back(void **state) {
  (void)state;
  scree_error error;
  char name[160];
  int64_t files = 0;
  write_trajectory();
  scree_reader *reader = scree_reader_open(path, &error);
  scree_export_def to = scree_export_defaults();
  to.directory = folder, to.format = SCREE_VTKHDF;
  assert_int_equal(scree_export(reader, &to, &files, &error), SCREE_OK);
  assert_int_equal(files, 1);
  snprintf(name, sizeof name, "%s/frame.vtkhdf", folder);
  hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT), root = H5Gopen2(file, "VTKHDF", H5P_DEFAULT);
  assert_true(file >= 0 && root >= 0);
  check_head(root);
  for (int i = 0; i < FRAMES; i++) check_frame(root, i, scree_reader_frame(reader, i, &error));
  /* three numbers of grains: radii and cells are there three times, points in every frame */
  double first;
  const hsize_t each = read_rows(root, "Points", 0, 0, 3, &first);
  const hsize_t once = read_rows(root, "PointData/radius", 0, 1, 1, &first);
  assert_true(once == read_rows(root, "Connectivity", 0, 1, 1, &first) && each == 2 * once);
  assert_int_equal(read_rows(root, "NumberOfPoints", 0, 1, 1, &first), 3);
  H5Gclose(root), H5Fclose(file);
  scree_reader_close(reader);
}

/* A folder in place of the file: the error names the path. */
static void errors_name_the_file(void **state) {
  (void)state;
  scree_error error;
  char name[160];
  snprintf(name, sizeof name, "%s/taken.vtkhdf", folder);
  assert_int_equal(sc_file_make_folder(name, &error), SCREE_OK);
  scree_reader *reader = scree_reader_open(path, &error);
  scree_export_def to = scree_export_defaults();
  to.directory = folder, to.basename = "taken", to.format = SCREE_VTKHDF;
  assert_int_equal(scree_export(reader, &to, NULL, &error), SCREE_E_IO);
  assert_non_null(strstr(error.text, name));
  scree_reader_close(reader);
}

static int begin(void **state) {
  (void)state;
  support_path(folder, path, "t.scree");
  return 0;
}
static int end(void **state) {
  (void)state;
  support_clean(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_come_back), cmocka_unit_test(errors_name_the_file)};
  return cmocka_run_group_tests(tests, begin, end);
}
#else
int main(void) {
  printf("skipped: a build without HDF5 writes no such files\n");
  return 77;
}
#endif
