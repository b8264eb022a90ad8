/* Compares the string and table functions of the sandbox with Lua's own functions. Results and messages must
 * be equal. The sandbox has its own functions, because loops in these functions must count the time of a
 * script. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>
#include <lualib.h>

#include "bind/sandbox/runtime.h"

static const char script[] = SCREE_TESTS_DIR "/support/plain_lua.lua";

/* Compares two texts line by line. */
static void same_lines(const char *ours, const char *theirs) {
  int different = 0;
  for (int line = 1; *ours || *theirs; line++) {
    const size_t a = strcspn(ours, "\n"), b = strcspn(theirs, "\n");
    if (a != b || memcmp(ours, theirs, a)) {
      if (++different < 20)
        print_error("line %d\n  sandbox: %.*s\n  Lua:     %.*s\n", line, (int)a, ours, (int)b, theirs);
    }
    ours += a + (ours[a] != 0), theirs += b + (theirs[b] != 0);
  }
  assert_int_equal(different, 0);
}

static void results_are_those_of_lua(void **state) {
  (void)state;
  lua_State *plain = luaL_newstate();
  assert_non_null(plain);
  luaL_openlibs(plain);
  if (luaL_dofile(plain, script)) fail_msg("%s", lua_tostring(plain, -1));
  sl_runtime_def def = sl_runtime_defaults();
  scree_error error = {SCREE_OK, ""};
  sl_runtime *runtime = sl_runtime_open(&def, &error);
  if (!runtime) fail_msg("%s", error.text);
  if (sl_load_file(runtime, script) || sl_call(runtime, 0, 1)) fail_msg("%s", sl_message(runtime));
  size_t size;
  const char *theirs = lua_tolstring(plain, -1, &size), *ours = lua_tostring(sl_runtime_lua(runtime), -1);
  assert_true(theirs && ours && size > 100000);
  same_lines(ours, theirs);
  sl_runtime_close(runtime);
  lua_close(plain);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_those_of_lua)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
