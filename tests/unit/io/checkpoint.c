/* Checkpoints: sections read back, and after every failure one complete generation exists. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>

#include "io/trajectory/checkpoint.h"
#include "support/frames.h"

/* A state that tells its number: two sections, one of them sizeable, one empty. */
static sc_sections state_of(int number) {
  sc_sections s = {0};
  static unsigned char big[20000];
  for (size_t i = 0; i < sizeof big; i++) big[i] = (unsigned char)(i * (size_t)(number + 3) >> 3);
  assert_int_equal(sc_section_write(&s, "number", &number, sizeof number, NULL), SCREE_OK);
  assert_int_equal(sc_section_write(&s, "world.bodies", big, sizeof big, NULL), SCREE_OK);
  assert_int_equal(sc_section_write(&s, "empty", NULL, 0, NULL), SCREE_OK);
  return s;
}

static int number_of(const sc_sections *s) {
  int number = -1;
  size_t size;
  assert_int_equal(sc_section_read(s, "number", &number, sizeof number, NULL), SCREE_OK);
  const unsigned char *big = sc_section_find(s, "world.bodies", &size, NULL);
  assert_int_equal(size, 20000);
  for (size_t i = 0; i < size; i++) assert_int_equal(big[i], (unsigned char)(i * (size_t)(number + 3) >> 3));
  return number;
}

static void save(const char *path, int number) {
  sc_sections s = state_of(number);
  assert_int_equal(sc_checkpoint_save(&s, AT_FDCWD, path, 2, NULL), SCREE_OK);
  sc_sections_free(&s);
}

static int load(const char *path, int *generation) {
  sc_sections s;
  scree_error error;
  scree_status status = sc_checkpoint_load(&s, path, generation, &error);
  if (status) return -(int)status;
  int number = number_of(&s);
  sc_sections_free(&s);
  return number;
}

static void sections_come_back(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "c.scree");
  save(path, 7);
  sc_sections s;
  scree_error error;
  size_t size = 9;
  assert_int_equal(sc_checkpoint_load(&s, path, NULL, &error), SCREE_OK);
  assert_int_equal(number_of(&s), 7);
  assert_non_null(sc_section_find(&s, "empty", &size, &error));
  assert_int_equal(size, 0);
  assert_null(sc_section_find(&s, "nothing", &size, &error));
  assert_int_equal(sc_section_read(&s, "number", &size, 8, &error), SCREE_E_FORMAT);
  assert_int_equal(sc_section_write(&s, "number", "", 0, &error), SCREE_E_ARGUMENT);
  sc_sections_free(&s);
  support_clean(folder);
}

static void two_generations_are_kept(void **state) {
  (void)state;
  char folder[64], path[128], previous[160];
  support_path(folder, path, "c.scree");
  snprintf(previous, sizeof previous, "%s.previous", path);
  int generation;
  for (int i = 0; i < 4; i++) save(path, i);
  assert_int_equal(load(path, &generation), 3);
  assert_int_equal(generation, 0);
  assert_int_equal(load(previous, NULL), 2);
  /* the newest one damaged: the one before is taken */
  FILE *file = fopen(path, "r+b");
  fseek(file, 300, SEEK_SET);
  int c = fgetc(file);
  fseek(file, 300, SEEK_SET);
  fputc(c ^ 16, file);
  fclose(file);
  assert_int_equal(load(path, &generation), 2);
  assert_int_equal(generation, 1);
  remove(path);
  assert_int_equal(load(path, &generation), 2);
  remove(previous);
  assert_true(load(path, &generation) < 0);
  support_clean(folder);
}

/* Every call to the operating system failing once, in every way: the state before or the new one can be
 * read, never neither. */
static void a_failing_disk_leaves_a_whole_checkpoint(void **state) {
  (void)state;
  int codes[] = {ENOSPC, EIO, 0};
  for (int k = 0; k < 3; k++) {
    bool finished = false;
    for (uint64_t nth = 1; !finished; nth++) {
      char folder[64], path[128];
      support_path(folder, path, "c.scree");
      save(path, 1);
      save(path, 2);
      sc_sections s = state_of(3);
      scree_error error;
      sc_file_fail_at(nth, codes[k], k == 1);
      scree_status status = sc_checkpoint_save(&s, AT_FDCWD, path, 2, &error);
      sc_file_fail_at(0, 0, false);
      finished = status == SCREE_OK;
      if (!finished) {
        assert_int_equal(status, SCREE_E_IO);
        assert_non_null(strstr(error.text, "c.scree"));
      }
      int number = load(path, NULL);
      assert_true(finished ? number == 3 : number >= 2);
      sc_sections_free(&s);
      support_clean(folder);
      assert_true(nth < 100);
    }
  }
}

/* Interrupted calls are taken up again. */
static void an_interrupt_is_no_failure(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "c.scree");
  sc_sections s = state_of(5);
  for (uint64_t nth = 2; nth < 5; nth++) {
    sc_file_fail_at(nth, EINTR, false);
    assert_int_equal(sc_checkpoint_save(&s, AT_FDCWD, path, 2, NULL), SCREE_OK);
    sc_file_fail_at(0, 0, false);
    assert_int_equal(load(path, NULL), 5);
  }
  sc_sections_free(&s);
  support_clean(folder);
}

/* Every allocation failing: a clean error, nothing lost, nothing leaked. */
static void failing_memory_leaves_a_whole_checkpoint(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "c.scree");
  save(path, 1);
  sc_sections s = state_of(2);
  scree_status status = SCREE_E_MEMORY;
  for (uint64_t nth = 1; status; nth++) {
    sc_alloc_fail_at(nth, false);
    status = sc_checkpoint_save(&s, AT_FDCWD, path, 2, NULL);
    sc_alloc_fail_at(0, false);
    assert_true(status == SCREE_OK || status == SCREE_E_MEMORY);
    assert_true(load(path, NULL) >= 1);
  }
  sc_sections back;
  status = SCREE_E_MEMORY;
  for (uint64_t nth = 1; status; nth++) {
    sc_alloc_fail_at(nth, true);
    status = sc_checkpoint_load(&back, path, NULL, NULL);
    sc_alloc_fail_at(0, false);
    assert_true(status == SCREE_OK || status == SCREE_E_MEMORY);
  }
  assert_int_equal(number_of(&back), 2);
  sc_sections_free(&back);
  sc_sections_free(&s);
  support_clean(folder);
}

/* Every prefix and every flipped byte is refused or gives the very state. */
static void damage_is_never_believed(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "c.scree");
  sc_sections s = {0};
  assert_int_equal(sc_section_write(&s, "number", "abcdefgh", 8, NULL), SCREE_OK);
  assert_int_equal(sc_checkpoint_save(&s, AT_FDCWD, path, 2, NULL), SCREE_OK);
  sc_sections_free(&s);
  unsigned char bytes[4096];
  FILE *file = fopen(path, "rb");
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  assert_in_range(size, 200, 1000);
  for (size_t i = 0; i < 2 * size; i++) {
    file = fopen(path, "wb");
    if (i >= size) bytes[i - size] ^= 0x40;
    fwrite(bytes, 1, i < size ? i : size, file);
    if (i >= size) bytes[i - size] ^= 0x40;
    fclose(file);
    sc_sections back;
    if (sc_checkpoint_load(&back, path, NULL, NULL)) continue;
    char text[8];
    assert_int_equal(sc_section_read(&back, "number", text, 8, NULL), SCREE_OK);
    assert_memory_equal(text, "abcdefgh", 8);
    assert_true(i >= size);
    sc_sections_free(&back);
  }
  support_clean(folder);
}

/* Files with sound checksums that are no checkpoints: a name that is none, another machine, no end. */
static void what_is_no_checkpoint_is_refused(void **state) {
  (void)state;
  enum { MACHINE = SC_TAG('M', 'A', 'C', 'H'), SECTION = SC_TAG('S', 'E', 'C', 'T') };
  static const unsigned char here[8] = {4, 3, 2, 1, sizeof(void *), sizeof(long), sizeof(double), 0};
  static const unsigned char big_endian[8] = {1, 2, 3, 4, sizeof(void *), sizeof(long), sizeof(double), 0};
  static const unsigned char nameless[2] = {0, 0}, cut[3] = {9, 0, 'a'}, long_name[200] = {198, 0};
  const struct {
    uint32_t type;
    const void *bytes;
    size_t count;
    bool machine, finished;
    const char *words;
  } bad[] = {
      {SECTION, nameless, 2, true, true, "a section without a proper name"},
      {SECTION, nameless, 1, true, true, "a section without a proper name"},
      {SECTION, cut, 3, true, true, "a section without a proper name"},
      {SECTION, long_name, sizeof long_name, true, true, "a section without a proper name"},
      {MACHINE, big_endian, 8, false, true, "was written by a machine with another byte order"},
      {MACHINE, here, 7, false, true, "was written by a machine with another byte order"},
      {SC_TAG('N', 'O', 'N', 'E'), here, 8, false, true, "does not say what machine wrote it"},
      {SC_TAG('N', 'O', 'N', 'E'), here, 8, true, false, "is not finished"},
  };
  char folder[64], path[128];
  support_path(folder, path, "c.scree");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sc_container_writer w;
    sc_sections s;
    scree_error error = {SCREE_OK, ""};
    assert_int_equal(
        sc_container_create(&w, AT_FDCWD, path, true, SC_SCHEMA_CHECKPOINT, 0, &error), SCREE_OK);
    if (bad[i].machine) sc_container_put(&w, &(sc_chunk){.type = MACHINE}, here, sizeof here, 0, &error);
    sc_container_put(&w, &(sc_chunk){.type = bad[i].type}, bad[i].bytes, bad[i].count, 0, &error);
    if (bad[i].finished) assert_int_equal(sc_container_finish(&w, false, &error), SCREE_OK);
    else sc_container_abandon(&w);
    assert_int_equal(sc_sections_load(&s, path, SC_SCHEMA_CHECKPOINT, &error), SCREE_E_FORMAT);
    if (!strstr(error.text, bad[i].words)) fail_msg("wanted '%s', said '%s'", bad[i].words, error.text);
  }
  const char long_section[] = "a.name.of.more.than.sixty-three.bytes.is.no.name.of.a.section.of.a.checkpoint";
  sc_sections s = {0};
  scree_error error = {SCREE_OK, ""};
  assert_int_equal(sc_section_write(&s, long_section, "", 0, &error), SCREE_E_ARGUMENT);
  assert_int_equal(sc_section_write(&s, "", "", 0, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "the name must have 1 to"));
  sc_sections_free(&s);
  support_clean(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sections_come_back),
      cmocka_unit_test(two_generations_are_kept), cmocka_unit_test(a_failing_disk_leaves_a_whole_checkpoint),
      cmocka_unit_test(an_interrupt_is_no_failure),
      cmocka_unit_test(failing_memory_leaves_a_whole_checkpoint), cmocka_unit_test(damage_is_never_believed),
      cmocka_unit_test(what_is_no_checkpoint_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
