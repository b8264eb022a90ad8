/* Compares random numbers and hashes with published test vectors: splitmix64 (Rosetta Code), xoshiro256**
 * with the state 1, 2, 3, 4 (rand_xoshiro) and FNV-1a (Noll's tables). Also tests short decimal numbers and
 * names of states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/base.h"
#include "scree/param.h"

static void seeds(void **unused) {
  (void)unused;
  static const uint64_t splitmix[] = {
      6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u};
  sc_rng rng, other;
  sc_rng_seed(&rng, 1234567);
  for (int k = 0; k < 4; k++) assert_true(rng.s[k] == splitmix[k]);
  /* a seed and a counter: the seed is the output of splitmix64 with this number, counted from 0 */
  sc_rng_seed(&other, splitmix[2]);
  sc_rng_seed_at(&rng, 1234567, 2);
  assert_memory_equal(&rng, &other, sizeof rng);
}

static void numbers(void **unused) {
  (void)unused;
  static const uint64_t xoshiro[] = {11520, 0, 1509978240, 1215971899390074240u, 1216172134540287360u,
      607988272756665600u, 16172922978634559625u, 8476171486693032832u, 10595114339597558777u,
      2904607092377533576u};
  sc_rng rng = {{1, 2, 3, 4}}, twin = rng;
  for (int k = 0; k < 10; k++) {
    assert_true(sc_rng_next(&rng) == xoshiro[k]);
    const double unit = sc_rng_unit(&twin);
    assert_true(unit == floor(ldexp((double)(xoshiro[k] >> 11), -53) / 0x1p-53) * 0x1p-53);
    assert_true(unit >= 0 && unit < 1);
  }
}

static void hashes(void **unused) {
  (void)unused;
  assert_true(sc_hash(SC_HASH_START, "", 0) == 0xcbf29ce484222325u);
  assert_true(sc_hash(SC_HASH_START, "a", 1) == 0xaf63dc4c8601ec8cu);
  assert_true(sc_hash(SC_HASH_START, "foobar", 6) == 0x85944171f73967e8u);
  assert_true(sc_hash(sc_hash(SC_HASH_START, "foo", 3), "bar", 3) == 0x85944171f73967e8u);
  /* words: splitmix64 adds its increment and mixes; the hash mixes the exclusive or of hash and word */
  const uint64_t seeded = 1234567 + 0x9e3779b97f4a7c15u, word = seeded ^ 77;
  assert_true(sc_hash_words(77, &word, 1) == 6457827717110365317u);
  const uint64_t words[2] = {word, 5};
  assert_true(sc_hash_words(77, words, 2) == sc_hash_words(sc_hash_words(77, words, 1), words + 1, 1));
}

/* Tests that the clock counts seconds. */
static void seconds(void **unused) {
  (void)unused;
  const double start = sc_clock_wall();
  struct timespec pause = {0, 20000000};
  nanosleep(&pause, NULL);
  const double time = sc_clock_wall() - start;
  assert_true(time >= 0.02 && time < 20);
}

static void short_numbers(void **unused) {
  (void)unused;
  static const struct {
    double value;
    const char *text;
  } cases[] = {{0, "0"}, {1, "1"}, {-1, "-1"}, {10, "10"}, {0.1, "0.1"}, {1e14, "100000000000000"},
      {1e15, "1e+15"}, {-1e15, "-1e+15"}, {999999999999999, "999999999999999"},
      {0.30000000000000004, "0.30000000000000004"}, {1e-7, "1e-07"}, {2.5, "2.5"}, {-123456, "-123456"},
      {1.5e300, "1.5e+300"}, {INFINITY, "inf"}};
  char text[32];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    assert_string_equal(scree_shortest(cases[k].value, text), cases[k].text);
  sc_rng rng;
  sc_rng_seed(&rng, 1);
  for (int k = 0; k < 2000; k++) {
    const double value = ldexp(sc_rng_unit(&rng), (int)(sc_rng_unit(&rng) * 200) - 100);
    assert_true(strtod(scree_shortest(value, text), NULL) == value);
  }
}

static void names_of_states(void **unused) {
  (void)unused;
  static const struct {
    scree_status status;
    const char *name;
  } cases[] = {{SCREE_OK, "ok"}, {SCREE_E_ARGUMENT, "argument"}, {SCREE_E_STALE, "stale"},
      {SCREE_E_MEMORY, "memory"}, {SCREE_E_IO, "io"}, {SCREE_E_FORMAT, "format"}, {SCREE_E_LAW, "law"},
      {SCREE_E_NUMERIC, "numeric"}, {SCREE_E_MISSING, "missing"}, {(scree_status)9, "unknown"},
      {(scree_status)-1, "unknown"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    assert_string_equal(scree_status_name(cases[k].status), cases[k].name);
  scree_error error = {0};
  assert_int_equal(sc_fail(&error, SCREE_E_IO, "%d of %s", 3, "four"), SCREE_E_IO);
  assert_true(error.status == SCREE_E_IO && !strcmp(error.text, "3 of four"));
  assert_int_equal(sc_fail(NULL, SCREE_E_LAW, "unread"), SCREE_E_LAW);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(seeds), cmocka_unit_test(numbers),
      cmocka_unit_test(hashes), cmocka_unit_test(seconds), cmocka_unit_test(short_numbers),
      cmocka_unit_test(names_of_states)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
