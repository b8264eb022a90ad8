/* Tests the search for the line of a key in the text of a scene. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bind/tables/locate.h"

static const char *const scene = "-- return { decoy = 1 }\n"                 /* 1 */
                                 "local text = [[ return { world = 1 } ]]\n" /* 2 */
                                 "local t = { world = { gravity = 5 } }\n"   /* 3 */
                                 "return {\n"                                /* 4 */
                                 "  title = 'a = {',\n"                      /* 5 */
                                 "  params = { dt = 3,\n"                    /* 6 */
                                 "    mu = 1 },\n"                           /* 7 */
                                 "  world = {\n"                             /* 8 */
                                 "    dt == 1, gravity = {0,0,1},\n"         /* 9 */
                                 "    [\"dt\"] = 1,\n"                       /* 10 */
                                 "    solver = { name = \"x\",\n"            /* 11 */
                                 "      iterations = 5 },\n"                 /* 12 */
                                 "  },\n"                                    /* 13 */
                                 "  every = {\n"                             /* 14 */
                                 "    { time = 1 } },\n"                     /* 15 */
                                 "}\n";

static void finds_keys(void **state) {
  (void)state;
  assert_int_equal(sl_locate(scene, "scene.title"), 5);
  assert_int_equal(sl_locate(scene, "params.mu"), 7);
  assert_int_equal(sl_locate(scene, "world.gravity"), 9);
  assert_int_equal(sl_locate(scene, "world.gravity[3]"), 9);
  assert_int_equal(sl_locate(scene, "world.dt"), 10);
  assert_int_equal(sl_locate(scene, "world.solver.iterations"), 12);
  assert_int_equal(sl_locate(scene, "every[1].time"), 15);
}

/* For a key that is not in the text: line of the innermost component that is, or of the last return. */
static void falls_back(void **state) {
  (void)state;
  assert_int_equal(sl_locate(scene, "world.solver.tolerance"), 11);
  assert_int_equal(sl_locate(scene, "scene.nothing"), 4);
  assert_int_equal(sl_locate("", "scene.nothing"), 1);
  assert_int_equal(sl_locate("x = [==[ unfinished", "x.y"), 1);
  assert_int_equal(sl_locate("return 'unfinished", "scene.a"), 1);
}

static const char *const nested = "return {\n"                                            /* 1 */
                                  "  every = {\n"                                         /* 2 */
                                  "    { call = function(w, p)\n"                         /* 3 */
                                  "      if w then local a, time = { stop = 2 }, 1 end\n" /* 4 */
                                  "      repeat local b = w, p until b end,\n"            /* 5 */
                                  "      time = 1 },\n"                                   /* 6 */
                                  "    { steps = 2,\n"                                    /* 7 */
                                  "      call = f, },\n"                                  /* 8 */
                                  "  },\n"                                                /* 9 */
                                  "  output = f(2),\n"                                    /* 10 */
                                  "  scene = { title = 1 },\n"                            /* 11 */
                                  "  stop = { time = 3 }, title = 2 }\n";                 /* 12 */

/* A key belongs to its own table, not to a nested table. A number finds an entry of a list. */
static void finds_entries(void **state) {
  (void)state;
  assert_int_equal(sl_locate(nested, "stop"), 12);
  assert_int_equal(sl_locate(nested, "scene.stop"), 12);
  assert_int_equal(sl_locate(nested, "scene.title"), 12);
  assert_int_equal(sl_locate(nested, "every[1].time"), 6);
  assert_int_equal(sl_locate(nested, "every[1].steps"), 3);
  assert_int_equal(sl_locate(nested, "every[2].steps"), 7);
  assert_int_equal(sl_locate(nested, "every[2].time"), 7);
  assert_int_equal(sl_locate(nested, "every[2].call"), 8);
  assert_int_equal(sl_locate(nested, "every[3].call"), 2);
  assert_int_equal(sl_locate(nested, "output.series"), 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_keys), cmocka_unit_test(finds_entries), cmocka_unit_test(falls_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
