/* Exports: other programs read what was written and find the same numbers (support/read_exports.py);
 * write errors are reported. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <sys/wait.h>

#include "io/container/file.h"
#include "scree/geometry.h"
#include "support/frames.h"
#include "support/skips.h"

static char folder[64], path[128];

static int write_trajectory(void **state) {
  (void)state;
  support_path(folder, path, "t.scree");
  scree_error error;
  scree_trajectory_def def = scree_trajectory_defaults();
  def.fields |= SCREE_FIELD_CONTACTS;
  flow *f = flow_create(60, 9);
  /* the half-space's body lies at the origin, so that its plane is z = 0 */
  memset(f->position, 0, 24);
  scree_writer *w = scree_writer_open(path, &def, &error);
  for (int i = 0; i < 8; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    if (scree_writer_frame(w, &frame, &error)) return -1;
  }
  flow_destroy(f);
  return scree_writer_close(w, &error);
}

static int remove_all(void **state) {
  (void)state;
  support_clean(folder);
  return 0;
}

static int fields_named; /* whether exports have every field by name */

static scree_status export_as(int format, const char *name, int single, int64_t *files, scree_error *error) {
  scree_reader *reader = scree_reader_open(path, error);
  assert_non_null(reader);
  scree_export_def def = scree_export_defaults();
  char target[128];
  snprintf(target, sizeof target, "%s/out", folder);
  def.directory = target;
  def.basename = name;
  def.format = format;
  def.contacts = scree_format_has_contacts(format);
  def.single = single;
  def.fields_named = fields_named;
  def.stride = 2;
  def.last = -2;
  scree_status status = scree_export(reader, &def, files, error);
  scree_reader_close(reader);
  return status;
}

static scree_status export_to(int format, const char *name, int64_t *files, scree_error *error) {
  return export_as(format, name, 0, files, error);
}

/* Runs the Python script; skips where its libraries are missing. */
static void check_with_python(const char *name) {
  char command[1024], script[512];
  snprintf(script, sizeof script, "%s", SCREE_TESTS_DIR "/unit/io/export.c");
  *strstr(script, "unit/io/export.c") = 0;
  const char *python = access("/usr/bin/python3", X_OK) ? "python3" : "/usr/bin/python3";
  snprintf(command, sizeof command, "env -u PYTHONPATH %s %ssupport/read_exports.py %s/out %s", python,
      script, folder, name);
  int code = system(command);
  if (WEXITSTATUS(code) == 77 || WEXITSTATUS(code) == 127) SKIP_CASE("no Python module reads %s here", name);
  assert_int_equal(code, 0);
}

/* Exports and lets Python read it; skips where the reading library is missing. */
static void read_back(int format, int64_t expected_files) {
  int64_t files = 0;
  scree_error error;
  const char *name = scree_format_name(format);
  assert_int_equal(export_to(SCREE_CSV, "csv", &files, &error), SCREE_OK);
  assert_int_equal(files, 2);
  assert_int_equal(export_to(format, name, &files, &error), SCREE_OK);
  assert_int_equal(files, expected_files);
  check_with_python(name);
}

static void vtk_reads_vtp(void **state) {
  (void)state;
  read_back(SCREE_VTP, 10);
}
static void vtk_reads_vtkhdf(void **state) {
  (void)state;
  if (export_to(SCREE_VTKHDF, "vtkhdf", &(int64_t){0}, NULL) == SCREE_E_MISSING)
    SKIP_CASE("built without HDF5");
  read_back(SCREE_VTKHDF, 1);
}
static void dump_has_the_columns_that_ovito_maps(void **state) {
  (void)state;
  read_back(SCREE_DUMP, 1);
}
static void xyz_has_the_columns_that_ovito_maps(void **state) {
  (void)state;
  read_back(SCREE_XYZ, 1);
}
static void gsd_has_only_what_changes(void **state) {
  (void)state;
  int64_t files = 0;
  fields_named = 1;
  assert_int_equal(export_to(SCREE_GSD, "gsd_named", &files, NULL), SCREE_OK);
  fields_named = 0;
  read_back(SCREE_GSD, 1);
}
static void numpy_reads_npz(void **state) {
  (void)state;
  int64_t files = 0;
  assert_int_equal(export_as(SCREE_NPZ, "npz", 1, &files, NULL), SCREE_OK);
  assert_int_equal(files, 1);
  read_back(SCREE_NPZ, 4);
}
static void stl_is_closed_and_faces_out(void **state) {
  (void)state;
  read_back(SCREE_STL, 3); /* and the same walls for ParaView, with their times */
}

/* A hull, a box beside its body's centre, a capsule, and a wall that is a mesh. */
static void grains_of_other_shapes_keep_their_corners(void **state) {
  (void)state;
  double p[8][3];
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) p[i][k] = i >> k & 1 ? 0.001 : -0.001;
  static const double q[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const int32_t t[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  scree_geometry *hull = scree_geometry_hull((const double(*)[3])p, 8, NULL);
  scree_geometry *mesh = scree_geometry_mesh(
      &(scree_mesh_def){.points = q, .points_count = 4, .triangles = t, .triangles_count = 4}, NULL);
  scree_shape_info shape[4] = {{.body = 1, .type = SCREE_HULL, .orientation = {1}, .geometry = hull},
      {.body = 2,
          .type = SCREE_BOX,
          .size = {0.001, 0.002, 0.003},
          .position = {0.0005, 0, 0},
          .orientation = {1}},
      {.body = 3, .type = SCREE_CAPSULE, .radius = 0.001, .length = 0.004, .orientation = {1}},
      {.body = 4, .type = SCREE_MESH, .orientation = {1}, .geometry = mesh}};
  double zero[16] = {0}, turn[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  scree_frame frame = {.bodies = 4,
      .id = (uint64_t[]){1, 2, 3, 4},
      .group = (int64_t[4]){0},
      .kind = (uint8_t[]){0, 0, 0, SCREE_FIXED},
      .radius = (double[]){0.002, 0.003, 0.003, 1},
      .mass = (double[]){1, 1, 1, INFINITY},
      .position = zero,
      .orientation = turn,
      .velocity = zero,
      .spin = zero,
      .shapes = 4,
      .shape = shape};
  char file[160], target[128];
  snprintf(file, sizeof file, "%s/solids.scree", folder);
  snprintf(target, sizeof target, "%s/out", folder);
  scree_trajectory_def def = scree_trajectory_defaults();
  scree_writer *w = scree_writer_open(file, &def, NULL);
  assert_int_equal(scree_writer_frame(w, &frame, NULL), SCREE_OK);
  scree_geometry_release(hull);
  scree_geometry_release(mesh);
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
  scree_reader *reader = scree_reader_open(file, NULL);
  scree_export_def out = scree_export_defaults();
  out.directory = target;
  out.basename = "solids";
  int formats[] = {SCREE_GSD, SCREE_STL};
  for (int i = 0; i < 2; i++) {
    out.format = formats[i];
    assert_int_equal(scree_export(reader, &out, NULL, NULL), SCREE_OK);
  }
  scree_reader_close(reader);
  check_with_python("solids");
}

static void mistakes_are_told(void **state) {
  (void)state;
  scree_error error;
  scree_reader *reader = scree_reader_open(path, &error);
  scree_export_def def = scree_export_defaults();
  def.directory = folder;
  def.format = 99;
  assert_int_equal(scree_export(reader, &def, NULL, &error), SCREE_E_ARGUMENT);
  def.format = SCREE_VTP;
  def.first = 8;
  assert_int_equal(scree_export(reader, &def, NULL, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "not in 0 to 7"));
  def.first = 0;
  def.stride = 0;
  assert_int_equal(scree_export(reader, &def, NULL, &error), SCREE_E_ARGUMENT);
  def.stride = 1;
  def.basename = "a/b";
  assert_int_equal(scree_export(reader, &def, NULL, &error), SCREE_E_ARGUMENT);
  def.basename = "a";
  def.directory = path; /* a file is in the way */
  assert_int_equal(scree_export(reader, &def, NULL, &error), SCREE_E_IO);
  scree_reader_close(reader);
}

/* Each of the first sixteen writes failing, and fewer of the later ones, in every format: an error that
 * names the file, no half file left, nothing leaked. */
static void a_full_disk_leaves_no_half_file(void **state) {
  (void)state;
  for (int format = 0; format < SCREE_FORMATS; format++) {
    scree_status status = SCREE_E_IO;
    for (uint64_t nth = 1; status; nth += 1 + nth / 16) {
      scree_error error;
      int64_t files;
      sc_file_fail_at(nth, ENOSPC, true);
      status = export_to(format, "full", &files, &error);
      sc_file_fail_at(0, 0, false);
      if (!status || status == SCREE_E_MISSING) break;
      assert_int_equal(status, SCREE_E_IO);
      assert_non_null(strstr(error.text, folder));
      assert_non_null(strstr(error.text, "No space left"));
    }
  }
}

static void failing_memory_is_told(void **state) {
  (void)state;
  for (int format = 0; format < SCREE_FORMATS; format++) {
    scree_status status = SCREE_E_MEMORY;
    for (uint64_t nth = 1; status && nth < 3000; nth += 1 + nth / 8) {
      scree_error error;
      scree_reader *reader = scree_reader_open(path, &error);
      scree_export_def def = scree_export_defaults();
      def.directory = folder;
      def.basename = "memory";
      def.format = format;
      def.contacts = scree_format_has_contacts(format);
      sc_alloc_fail_at(nth, false);
      status = scree_export(reader, &def, NULL, &error);
      sc_alloc_fail_at(0, false);
      assert_true(status == SCREE_OK || status == SCREE_E_MEMORY || status == SCREE_E_MISSING);
      scree_reader_close(reader);
    }
    assert_true(status == SCREE_OK || (format == SCREE_VTKHDF && status == SCREE_E_MISSING));
  }
}

/* Numbers have a point whatever the user's locale. */
static void a_decimal_comma_changes_nothing(void **state) {
  (void)state;
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
    SKIP_CASE("no locale with a decimal comma here");
  read_back(SCREE_DUMP, 1);
  setlocale(LC_NUMERIC, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(vtk_reads_vtp), cmocka_unit_test(vtk_reads_vtkhdf),
      cmocka_unit_test(dump_has_the_columns_that_ovito_maps),
      cmocka_unit_test(xyz_has_the_columns_that_ovito_maps), cmocka_unit_test(gsd_has_only_what_changes),
      cmocka_unit_test(numpy_reads_npz), cmocka_unit_test(stl_is_closed_and_faces_out),
      cmocka_unit_test(grains_of_other_shapes_keep_their_corners), cmocka_unit_test(mistakes_are_told),
      cmocka_unit_test(a_full_disk_leaves_no_half_file), cmocka_unit_test(failing_memory_is_told),
      cmocka_unit_test(a_decimal_comma_changes_nothing)};
  return end_with_skipped(cmocka_run_group_tests(tests, write_trajectory, remove_all));
}
