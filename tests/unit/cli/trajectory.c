/* The commands info, export and diff: exit codes, and what scripts read from them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <sys/wait.h>

#include "support/frames.h"
#include "support/skips.h"

static char folder[64], path[128], program[512], output[8192];

/* Writes frames of a flow; the seed tells files apart. */
static void write_flow(const char *name, uint64_t seed, int frames) {
  char to[192];
  snprintf(to, sizeof to, "%s/%s", folder, name);
  scree_trajectory_def def = scree_trajectory_defaults();
  def.precision = 1e-7;
  def.meta = "{\"seed\": 1}";
  def.source = "return {}\n";
  scree_writer *w = scree_writer_open(to, &def, NULL);
  assert_non_null(w);
  flow *f = flow_create(40, seed);
  for (int i = 0; i < frames; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    assert_int_equal(scree_writer_frame(w, &frame, NULL), SCREE_OK);
  }
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
  flow_destroy(f);
}

static int set_up(void **state) {
  (void)state;
  support_path(folder, path, "trajectory.scree");
  write_flow("trajectory.scree", 1, 10);
  write_flow("b.scree", 1, 10);
  write_flow("c.scree", 2, 10);
  /* a torn file: the last 500 bytes are missing */
  char command[512];
  snprintf(command, sizeof command, "head -c -500 %s > %s/torn.scree", path, folder);
  if (system(command)) return -1;
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 16);
  if (n < 0) return -1;
  program[n] = 0;
  *strrchr(program, '/') = 0;
  strcat(program, "/../scree");
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  support_clean(folder);
  return 0;
}

/* Runs the program in the test's folder; its exit code, what it printed in output. */
static int run(const char *arguments) {
  char command[1024];
  if (access(program, X_OK)) SKIP_CASE("the program is not built");
  snprintf(command, sizeof command, "cd %s && %s %s 2>&1", folder, program, arguments);
  FILE *pipe = popen(command, "r");
  size_t count = fread(output, 1, sizeof output - 1, pipe);
  output[count] = 0;
  return WEXITSTATUS(pclose(pipe));
}

#define SAYS(text) assert_non_null(strstr(output, text))

static void info_tells_what_is_there(void **state) {
  (void)state;
  assert_int_equal(run("info trajectory.scree"), 0);
  SAYS("frames     10, from 0 s to 0.009 s");
  SAYS("state      complete");
  assert_int_equal(run("info . --json --verify"), 0);
  SAYS("\"frames\": 10,");
  SAYS("\"complete\": true");
  SAYS("\"meta\": {\"seed\": 1}}");
  assert_int_equal(run("info --source ."), 0);
  assert_string_equal(output, "return {}\n");
}

static void info_tells_what_was_recovered(void **state) {
  (void)state;
  assert_int_equal(run("info torn.scree"), 0);
  SAYS("recovered 9 frames");
  assert_int_equal(run("info nothing.scree"), 4);
  SAYS("No such file");
  assert_int_equal(run("info"), 2);
  assert_int_equal(run("info --jason trajectory.scree"), 2);
  SAYS("--json");
}

static void export_chooses_frames_and_fields(void **state) {
  (void)state;
  assert_int_equal(
      run("export trajectory.scree --format csv -o out --frames 2:8:3 --fields position,spin"), 0);
  SAYS("1 file in out");
  char command[512];
  snprintf(command, sizeof command,
      "cd %s/out && head -1 frame.csv | grep -q '^frame,time,step,id,group,kind,radius,mass,x,y,z,wx,wy,wz$' "
      "&& "
      "test \"$(tail -n +2 frame.csv | cut -d, -f1 | sort -un | tr '\\n' ' ')\" = '2 5 8 '",
      folder);
  assert_int_equal(system(command), 0);
  assert_int_equal(run("export trajectory.scree -f vtp -o out --frames -1"), 0);
  SAYS("2 files in out");
  assert_int_equal(run("export trajectory.scree -f vtp -o out --frames -3:"), 0);
  SAYS("4 files in out");
}

static void export_tells_mistakes(void **state) {
  (void)state;
  assert_int_equal(run("export trajectory.scree"), 2);
  assert_int_equal(run("export trajectory.scree --format vpt"), 2);
  SAYS("did you mean 'vtp'");
  assert_int_equal(run("export trajectory.scree -f csv --frames 1:x"), 2);
  assert_int_equal(run("export trajectory.scree -f csv --frames 0:99"), 2);
  assert_int_equal(run("export trajectory.scree -f csv --fields colour"), 2);
  assert_int_equal(run("export nothing -f csv"), 4);
  assert_int_equal(run("export trajectory.scree -f csv -o b.scree"), 4);
}

static void diff_names_the_first_difference(void **state) {
  (void)state;
  assert_int_equal(run("diff trajectory.scree b.scree"), 0);
  assert_string_equal(output, "same: 10 frames\n");
  assert_int_equal(run("diff trajectory.scree c.scree"), 1);
  SAYS("first:   frame 0, body ");
  SAYS("largest: frame ");
  assert_int_equal(run("diff trajectory.scree c.scree --json"), 1);
  SAYS("{\"same\": false, ");
  SAYS("\"field\": \"position\"");
  assert_int_equal(run("diff trajectory.scree torn.scree"), 1);
  SAYS("frames: 10 in A, 9 in B");
  assert_int_equal(run("diff trajectory.scree"), 2);
  assert_int_equal(run("diff trajectory.scree nothing"), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(info_tells_what_is_there),
      cmocka_unit_test(info_tells_what_was_recovered), cmocka_unit_test(export_chooses_frames_and_fields),
      cmocka_unit_test(export_tells_mistakes), cmocka_unit_test(diff_names_the_first_difference)};
  return end_with_skipped(cmocka_run_group_tests(tests, set_up, tear_down));
}
