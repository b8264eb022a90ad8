/* Tests that w.state is converted to bytes and back: values, shared tables, cycles, bodies, the order of
 * keys, values that are refused, damaged bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "bind/sandbox/state.h"

static const char *const scene_text =
    "return { world = { dt = 1 }, stop = { steps = 1 }, params = { how = 'good' },\n"
    "  setup = function(w, p)\n"
    "    local s = w.state\n"
    "    local ball = w:sphere { radius = 1 }\n"
    "    s.list = { 1, 2.5, -3, 1 / 0, 2^53, 'a\\0b', true, false }\n"
    "    s.z, s.a, s.m = 1, { deep = { deeper = { 'x' } } }, ''\n"
    "    s.shared, s.again, s.self, s.ball = s.a, s.a, s, ball\n"
    "    if p.how == 'function' then s.a.deep.f = print end\n"
    "    if p.how == 'meta' then s.list[3] = setmetatable({}, {}) end\n"
    "    if p.how == 'world' then s.w = w end\n"
    "  end,\n"
    "  report = function(w, p)\n"
    "    local s = w.state\n"
    "    assert(#s.list == 8 and s.list[2] == 2.5 and s.list[4] == 1 / 0 and s.list[6] == 'a\\0b' and "
    "s.list[8] == false)\n"
    "    assert(math.type(s.list[3]) == 'integer' and math.type(s.list[5]) == 'float')\n"
    "    assert(s.shared == s.a and s.again == s.a and s.self == s and s.a.deep.deeper[1] == 'x' and s.m == "
    "'')\n"
    "    assert(s.ball:alive() and s.ball:radius() == 1 and s.extra == nil)\n"
    "  end }\n";

typedef struct opened {
  sl_runtime *runtime;
  sl_scene scene;
} opened;

static void open_scene(opened *o, const char *how) {
  char path[] = "/tmp/scree-state-XXXXXX";
  scree_error error;
  sl_runtime_def def = sl_runtime_defaults();
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, scene_text, strlen(scene_text)), strlen(scene_text));
  close(file);
  assert_non_null(o->runtime = sl_runtime_open(&def, &error));
  const sl_override override = {"how", how};
  sl_trouble trouble = sl_scene_load(&o->scene, o->runtime, path, &override, 1);
  if (!trouble) trouble = sl_scene_build(&o->scene, 0);
  unlink(path);
  if (trouble) fail_msg("%s", sl_message(o->runtime));
}

static void check_state(opened *o) {
  lua_newtable(sl_runtime_lua(o->runtime));
  if (sl_scene_report(&o->scene)) fail_msg("%s", sl_message(o->runtime));
}

static void comes_back(void **state) {
  (void)state;
  opened a, b;
  const char *bytes, *second;
  size_t size, second_size;
  open_scene(&a, "good");
  open_scene(&b, "good");
  check_state(&a);
  assert_int_equal(sl_scene_pack_state(&a.scene, &bytes, &size), SL_FINE);
  assert_int_equal(sl_scene_unpack_state(&b.scene, bytes, size), SL_FINE);
  check_state(&b);
  // equal states, equal bytes
  assert_int_equal(sl_scene_pack_state(&b.scene, &second, &second_size), SL_FINE);
  assert_int_equal(size, second_size);
  assert_memory_equal(bytes, second, size);
  sl_runtime_close(a.runtime);
  sl_runtime_close(b.runtime);
}

static void refuses(const char *how, const char *text) {
  opened o;
  const char *bytes;
  size_t size;
  open_scene(&o, how);
  assert_int_equal(sl_scene_pack_state(&o.scene, &bytes, &size), SL_CONFIG);
  if (!strstr(sl_message(o.runtime), text)) fail_msg("'%s' lacks '%s'", sl_message(o.runtime), text);
  sl_runtime_close(o.runtime);
}

static void names_what_is_not_plain(void **state) {
  (void)state;
  refuses("function", "w.state.a.deep.f is a function");
  refuses("meta", "w.state.list[3] is a table with a metatable");
  refuses("world", "w.state.w is neither data nor a body");
}

/* Every truncation and every changed byte is an error or gives a plain state, but never a crash. */
static void survives_damage(void **state) {
  (void)state;
  opened o;
  const char *bytes;
  size_t size;
  int refused = 0;
  open_scene(&o, "good");
  assert_int_equal(sl_scene_pack_state(&o.scene, &bytes, &size), SL_FINE);
  char copy[4096];
  assert_true(size < sizeof copy);
  for (size_t cut = 0; cut < size; cut++)
    assert_int_equal(sl_scene_unpack_state(&o.scene, bytes, cut), SL_CONFIG);
  for (size_t at = 0; at < size; at++)
    for (int bit = 0; bit < 8; bit++) {
      memcpy(copy, bytes, size);
      copy[at] ^= (char)(1 << bit);
      refused += sl_scene_unpack_state(&o.scene, copy, size) != SL_FINE;
    }
  assert_true(refused > (int)size);
  sl_runtime_close(o.runtime);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(comes_back), cmocka_unit_test(names_what_is_not_plain),
      cmocka_unit_test(survives_damage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
