/* Sections assembled from pieces of several processes equal those of one process, in memory and through a
 * file. Also missing bytes, too many pieces, and failure of each allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "io/trajectory/pieces.h"
#include "support/frames.h"

enum { PROCESSES = 3, BYTES = 5000 };

static unsigned char value(int process, int piece, int k) {
  return (unsigned char)((k / 7 + 31 * process + 57 * piece) % 253);
}

/* Piece 0 and 1 of section "two", piece 2 of "one"; a process without bytes for one. */
static scree_status put_all(sc_pieces *pieces, int process, scree_error *error) {
  unsigned char bytes[BYTES];
  scree_status status = SCREE_OK;
  for (int piece = 0; piece < 3 && !status; piece++) {
    const int count = process == 1 && piece == 1 ? 0 : BYTES - 100 * process;
    for (int k = 0; k < count; k++) bytes[k] = value(process, piece, k);
    status = sc_pieces_put(pieces, piece < 2 ? "two" : "one", bytes, (size_t)count, error);
  }
  return status;
}

/* Joins the pieces of all processes, without the last `cut` bytes of each section. */
static scree_status join_all(sc_sections *out, size_t cut, scree_error *error) {
  sc_bytes all = {0};
  sc_pieces like = {.count = 0};
  scree_status status = SCREE_OK;
  for (int p = 0; p < PROCESSES && !status; p++) {
    sc_pieces_free(&like);
    like = (sc_pieces){.count = 0};
    status = put_all(&like, p, error);
    if (!status && !sc_bytes_add(&all, like.bytes.at, like.bytes.count)) status = SCREE_E_MEMORY;
  }
  if (!status) status = sc_pieces_join(&like, PROCESSES, all.at, all.count - cut, out, error);
  sc_pieces_free(&like);
  sc_bytes_free(&all);
  return status;
}

/* Whether the sections hold what was put, piece by piece of every process. */
static bool sound(sc_sections *sections, scree_error *error) {
  static const int first[] = {0, 2, 3};
  static const char *const name[] = {"two", "one"};
  for (int s = 0; s < 2; s++) {
    size_t size = 0, at = 0;
    const unsigned char *bytes = sc_section_find(sections, name[s], &size, error);
    if (!bytes) return false;
    for (int piece = first[s]; piece < first[s + 1]; piece++)
      for (int p = 0; p < PROCESSES; p++) {
        const int count = p == 1 && piece == 1 ? 0 : BYTES - 100 * p;
        for (int k = 0; k < count; k++) assert_int_equal(bytes[at++], value(p, piece, k));
      }
    assert_int_equal(at, size);
  }
  return true;
}

static void in_memory(void **state) {
  (void)state;
  scree_error error = {SCREE_OK, ""};
  sc_sections sections = {0};
  assert_int_equal(join_all(&sections, 0, &error), SCREE_OK);
  assert_true(sections.row[0].packed);
  assert_true(sound(&sections, &error));
  assert_false(sections.row[0].packed);
  sc_sections_free(&sections);
}

static void through_a_file(void **state) {
  (void)state;
  char folder[64], path[128];
  scree_error error = {SCREE_OK, ""};
  sc_sections sections = {0}, again = {0};
  support_path(folder, path, "pieces.scree");
  assert_int_equal(join_all(&sections, 0, &error), SCREE_OK);
  assert_int_equal(sc_sections_store(&sections, path, SC_SCHEMA_CHECKPOINT, 1, &error), SCREE_OK);
  assert_int_equal(sc_sections_load(&again, path, SC_SCHEMA_CHECKPOINT, &error), SCREE_OK);
  assert_true(sound(&again, &error));
  sc_sections_free(&sections);
  sc_sections_free(&again);
  support_clean(folder);
}

static void bytes_that_are_missing(void **state) {
  (void)state;
  for (size_t cut = 1; cut < 80; cut++) {
    scree_error error = {SCREE_OK, ""};
    sc_sections sections = {0};
    assert_int_equal(join_all(&sections, cut, &error), SCREE_E_FORMAT);
    assert_non_null(strstr(error.text, "do not add up"));
    sc_sections_free(&sections);
  }
}

static void bytes_that_are_changed(void **state) {
  (void)state;
  scree_error error = {SCREE_OK, ""};
  sc_sections sections = {0};
  size_t size;
  assert_int_equal(join_all(&sections, 0, &error), SCREE_OK);
  sections.row[0].bytes[9] ^= 0x55;
  assert_null(sc_section_find(&sections, sections.row[0].name, &size, &error));
  assert_true(*error.text);
  sc_sections_free(&sections);
}

static void too_many(void **state) {
  (void)state;
  scree_error error = {SCREE_OK, ""};
  sc_pieces pieces = {.count = 0};
  for (int k = 0; k < SC_PIECES; k++)
    assert_int_equal(sc_pieces_put(&pieces, "one", "x", 1, &error), SCREE_OK);
  assert_int_equal(sc_pieces_put(&pieces, "one", "x", 1, &error), SCREE_E_ARGUMENT);
  sc_pieces_free(&pieces);
}

static void without_memory(void **state) {
  (void)state;
  int failed = 0;
  for (uint64_t nth = 1;; nth++) {
    scree_error error = {SCREE_OK, ""};
    sc_sections sections = {0};
    sc_alloc_fail_at(nth, false);
    const bool ok = !join_all(&sections, 0, &error) && sound(&sections, &error);
    sc_alloc_fail_at(0, false);
    sc_sections_free(&sections);
    if (ok) break;
    failed++;
  }
  assert_true(failed > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_memory), cmocka_unit_test(through_a_file),
      cmocka_unit_test(bytes_that_are_missing), cmocka_unit_test(bytes_that_are_changed),
      cmocka_unit_test(too_many), cmocka_unit_test(without_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
