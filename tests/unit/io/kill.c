/* A killed writer loses no finished frame; slow/kill.c kills more often. */
#include "support/kill.h"

static void a_killed_writer_loses_no_finished_frame(void **state) {
  (void)state;
  kill_many(20, 1);
}

/* A forked child neither writes to its parent's file nor harms it by closing. */
static void a_fork_leaves_the_file_alone(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "t.scree");
  scree_trajectory_def def = kill_def();
  scree_writer *w = scree_writer_open(path, &def, NULL);
  flow *f = flow_create(20, 3);
  for (int i = 0; i < 6; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    assert_int_equal(scree_writer_frame(w, &frame, NULL), SCREE_OK);
    if (i != 2) continue;
    pid_t child = fork();
    if (child == 0) {
      int wrong = scree_writer_frame(w, &frame, NULL) != SCREE_E_ARGUMENT ||
          scree_writer_flush(w, 1, NULL) != SCREE_E_ARGUMENT || scree_writer_close(w, NULL) != SCREE_OK;
      _exit(wrong);
    }
    int code;
    waitpid(child, &code, 0);
    assert_int_equal(code, 0);
  }
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
  scree_reader *reader = scree_reader_open(path, NULL);
  assert_int_equal(scree_reader_info(reader)->frames, 6);
  assert_true(scree_reader_info(reader)->complete);
  scree_reader_close(reader);
  flow_destroy(f);
  support_clean(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_killed_writer_loses_no_finished_frame),
      cmocka_unit_test(a_fork_leaves_the_file_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
