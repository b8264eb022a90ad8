/* SHA-256 against the examples of FIPS 180-4 and lengths about the block size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "bind/sandbox/sha256.h"

static void check(const char *text, const char *expected) {
  char hex[SL_SHA256_HEX];
  sl_sha256(text, strlen(text), hex);
  assert_string_equal(hex, expected);
}

static void published_examples(void **state) {
  (void)state;
  check("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  check("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void long_message(void **state) {
  (void)state;
  static char text[1000001];
  memset(text, 'a', 1000000);
  check(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(published_examples), cmocka_unit_test(long_message)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
