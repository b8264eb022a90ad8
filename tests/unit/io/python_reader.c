/* The reader in Python (tools/scree_reader.py), written from the documentation of the format, reads what
 * the engine wrote, bit for bit,
 * with NumPy and without. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <sys/wait.h>

#include "support/parts.h"
#include "support/skips.h"

static void write_flow(const char *path, double precision, bool in_parts) {
  scree_trajectory_def def = scree_trajectory_defaults();
  def.fields |= SCREE_FIELD_CONTACTS;
  def.precision = precision;
  def.key_every = 7;
  def.meta = "{\"seed\": 1}";
  def.source = "return {}\n";
  scree_writer *w = scree_writer_open(path, &def, NULL);
  assert_non_null(w);
  flow *f = flow_create(40, 31);
  parts p;
  parts_open(&p, &def, 40);
  for (int i = 0; i < 20; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    if (in_parts) parts_pack(&p, f, &frame, i);
    assert_int_equal(
        in_parts ? scree_writer_parts(w, p.bytes, p.count, NULL) : scree_writer_frame(w, &frame, NULL),
        SCREE_OK);
    f->dt = i % 5 == 4 ? 0.05 : 0.001; /* some frames far apart: other predictors win */
  }
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
  parts_close(&p);
  flow_destroy(f);
}

static void compare(double precision, bool in_parts, const char *option) {
  char folder[64], path[128], source[512], command[2048];
  support_path(folder, path, "t.scree");
  write_flow(path, precision, in_parts);
  scree_reader *reader = scree_reader_open(path, NULL);
  scree_export_def def = scree_export_defaults();
  def.directory = folder;
  def.format = SCREE_CSV;
  def.contacts = 1;
  assert_int_equal(scree_export(reader, &def, NULL, NULL), SCREE_OK);
  scree_reader_close(reader);
  snprintf(source, sizeof source, "%s", SCREE_TESTS_DIR "/unit/io/python_reader.c");
  *strstr(source, "tests/unit/io/python_reader.c") = 0;
  const char *python = access("/usr/bin/python3", X_OK) ? "python3" : "/usr/bin/python3";
  snprintf(command, sizeof command,
      "env -u PYTHONPATH PYTHONDONTWRITEBYTECODE=1 %s %stests/support/read_trajectory.py %stools %s "
      "%s/frame.csv %s/frame_contacts.csv %s",
      python, source, source, path, folder, folder, option);
  int code = system(command);
  support_clean(folder);
  if (WEXITSTATUS(code) == 77 || WEXITSTATUS(code) == 127)
    SKIP_CASE("no Python%s here", *option ? "" : " with NumPy");
  assert_int_equal(code, 0);
}

static void exact_with_numpy(void **state) {
  (void)state;
  compare(0, false, "");
}
static void rounded_with_numpy(void **state) {
  (void)state;
  compare(1e-7, false, "");
}
static void coarse_with_numpy(void **state) {
  (void)state;
  compare(1e-5, false, "");
}
static void exact_without_numpy(void **state) {
  (void)state;
  compare(0, false, "--no-numpy");
}
static void rounded_without_numpy(void **state) {
  (void)state;
  compare(1e-7, false, "--no-numpy");
}

static void parts_with_numpy(void **state) {
  (void)state;
  compare(1e-7, true, "");
}
static void parts_without_numpy(void **state) {
  (void)state;
  compare(1e-7, true, "--no-numpy");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(exact_with_numpy), cmocka_unit_test(rounded_with_numpy),
      cmocka_unit_test(coarse_with_numpy), cmocka_unit_test(exact_without_numpy),
      cmocka_unit_test(rounded_without_numpy), cmocka_unit_test(parts_with_numpy),
      cmocka_unit_test(parts_without_numpy)};
  return end_with_skipped(cmocka_run_group_tests(tests, NULL, NULL));
}
