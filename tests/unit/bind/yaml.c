/* YAML trees: types, places, limits, what is refused, includes, setting by path, writing back; and units. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bind/tables/units.h"
#include "bind/tables/yaml.h"

static void parse(sl_yaml *y, const char *text) {
  memset(y, 0, sizeof *y);
  y->root = sl_yaml_parse(y, "test.yaml", text, strlen(text));
}

static void refused(const char *text, const char *words) {
  sl_yaml y;
  parse(&y, text);
  char *said = sl_yaml_problems(&y);
  if (!y.problems || !strstr(said, words)) fail_msg("wanted '%s' of:\n%.300s\nsaid: %s", words, text, said);
  free(said);
  sl_yaml_free(&y);
}

static void types_and_places(void **state) {
  (void)state;
  sl_yaml y;
  parse(&y,
      "a: 1\nb: 2.5e-3\nc: true\nd: no\ne: '1'\nf: ~\ng: [012, 60 mm, 0x1F, .5, nan]\nh:\n  i: {k: -7}\n");
  assert_int_equal(y.problems, 0);
  assert_true(sl_yaml_get(y.root, "a")->whole && sl_yaml_get(y.root, "a")->number == 1);
  assert_true(sl_yaml_get(y.root, "b")->number == 2.5e-3 && !sl_yaml_get(y.root, "b")->whole);
  assert_int_equal(sl_yaml_get(y.root, "c")->kind, SL_YAML_BOOL);
  assert_int_equal(sl_yaml_get(y.root, "d")->kind, SL_YAML_TEXT);
  assert_int_equal(sl_yaml_get(y.root, "e")->kind, SL_YAML_TEXT);
  assert_int_equal(sl_yaml_get(y.root, "f")->kind, SL_YAML_NULL);
  const sl_yaml_node *g = sl_yaml_get(y.root, "g"), *k = sl_yaml_find(y.root, "h.i.k");
  assert_true(g->count == 5 && g->item[0]->number == 12 && g->item[1]->kind == SL_YAML_TEXT &&
      g->item[2]->kind == SL_YAML_TEXT);
  assert_true(g->item[3]->number == 0.5 && g->item[4]->kind == SL_YAML_TEXT);
  assert_true(k->number == -7 && k->line == 9 && k->column == 10);
  assert_null(sl_yaml_find(y.root, "h.x.k"));
  assert_null(sl_yaml_find(y.root, "a.b"));
  sl_yaml_free(&y);
}

static void refuses_what_surprises(void **state) {
  (void)state;
  refused("a: 1\nb: 2\na: 3\n", "'a' stands twice in this map; the first is in line 1");
  refused("a:\n\tb: 1\n", "not with tabs");
  refused("a: &x {b: *x}\n", "a cycle");
  refused("&x\n- *x", "");
  refused("a: *nobody\n", "not there");
  refused("a: &x {k: 1}\nb:\n  <<: *x\n", "merge keys");
  refused("a: !!int 3\n", "tags");
  refused("a: 1\n---\nb: 2\n", "second document");
  refused("", "empty");
  refused("? [a, b]\n: 1\n", "a key must be a word");
  refused("a: [1, 2\nb: 3\n", "test.yaml:");
  refused("a: \xff\xfe\n", "UTF-8");
  refused("a: b: c\n", "mapping values are not allowed");
  refused("- \"a\\0b\"\n", "zero byte");
}

static void refuses_what_explodes(void **state) {
  (void)state;
  char text[8192] = "a: &a [1,1,1,1,1,1,1,1,1,1]\n";
  for (int i = 1; i < 9; i++)
    snprintf(text + strlen(text), 200, "%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", 'a' + i,
        'a' + i, 'a' + i - 1, 'a' + i - 1, 'a' + i - 1, 'a' + i - 1, 'a' + i - 1, 'a' + i - 1, 'a' + i - 1,
        'a' + i - 1, 'a' + i - 1, 'a' + i - 1);
  refused(text, "more than 1000000 nodes");
  char deep[200000];
  memset(deep, '[', sizeof deep);
  deep[sizeof deep - 1] = 0;
  refused(deep, "more than 64 levels");
  size_t size = (2 << 20);
  char *large = malloc(size + 1);
  memset(large, 'x', size);
  large[size] = 0;
  refused(large, "more than 1 MiB");
  large[3000] = 0;
  strcat(large, ": 1\n");
  refused(large, "test.yaml:1:");
  free(large);
  strcpy(text, "a0: &a0 [1]\n");
  for (int i = 1; i < 70; i++) snprintf(text + strlen(text), 60, "a%d: &a%d [*a%d]\n", i, i, i - 1);
  refused(text, "64 levels through an alias");
}

/* Limits on lengths of texts. */
static void refuses_what_is_too_much(void **state) {
  (void)state;
  enum { ROOM = (16 << 20) + 64 };
  char *text = malloc(ROOM), *at = text;
  for (int i = 0; i <= SL_YAML_KEYS; i++) at += sprintf(at, "k%d: 1\n", i);
  refused(text, "more than 10000 keys in one map");
  strcpy(text, "? "), memset(text + 2, 'k', SL_YAML_KEY + 1), strcpy(text + 2 + SL_YAML_KEY + 1, "\n: 1\n");
  refused(text, "a key of more than 1024 bytes");
  at = text;
  for (int i = 0; i < 257; i++) at += sprintf(at, "- &a%d 1\n", i);
  refused(text, "more than 256 anchors");
  memset(text, ' ', ROOM - 1), text[ROOM - 1] = 0;
  refused(text, "a file of more than 16 MiB");
  sl_yaml y = {0};
  for (int i = 0; i <= SL_YAML_FILES; i++) sl_yaml_parse(&y, "many.yaml", "a: 1", 4);
  char *said = sl_yaml_problems(&y);
  assert_non_null(strstr(said, "many.yaml: more than 64 files"));
  free(said), free(text);
  sl_yaml_free(&y);
}

static void sets_and_writes_back(void **state) {
  (void)state;
  sl_yaml y, z;
  parse(&y, "a: {b: 1, c: [1, \"two\", {d: 3}]}\ns: \"yes: \\\"no\\\"\\n\"\nx: &s {q: 1}\ny: *s\n");
  sl_yaml_node *value = sl_yaml_parse(&y, "--set", "2.5", 3);
  assert_true(sl_yaml_set(&y, "a.b", value));
  assert_true(sl_yaml_set(&y, "n.e.w", sl_yaml_new_number(&y, 0.1, NULL)));
  assert_true(sl_yaml_set(&y, "x.q", value));
  assert_false(sl_yaml_set(&y, "a.c.d", value));
  assert_false(sl_yaml_set(&y, "a..d", value));
  assert_true(sl_yaml_find(y.root, "y.q")->number == 1);
  char *text = sl_yaml_write(y.root);
  parse(&z, text);
  assert_int_equal(z.problems, 0);
  assert_true(sl_yaml_find(z.root, "a.b")->number == 2.5 && sl_yaml_find(z.root, "n.e.w")->number == 0.1);
  assert_string_equal(sl_yaml_find(z.root, "s")->text, "yes: \"no\"\n");
  char *again = sl_yaml_write(z.root);
  assert_string_equal(text, again);
  free(text);
  free(again);
  sl_yaml_free(&y);
  sl_yaml_free(&z);
}

static void put(const char *folder, const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
}

static void includes_files(void **state) {
  (void)state;
  char folder[] = "/tmp/scree_yaml_XXXXXX", path[256];
  assert_non_null(mkdtemp(folder));
  put(folder, "base.yaml", "params: {mu: 0.4, law: coulomb}\nrun: {until: 1}\nlist: [1, 2]\n");
  put(folder, "exp.yaml", "include: base.yaml\nparams: {mu: 0.6}\nlist: [3]\n");
  put(folder, "pool.yaml", "include: loop.yaml\n");
  put(folder, "over.yaml", "params: {law: cone, own: {a: 1}}\nlist: {a: 1}\n");
  put(folder, "two.yaml", "include: [base.yaml, over.yaml]\nparams: {own: 3}\n");
  sl_yaml y;
  snprintf(path, sizeof path, "%s/exp.yaml", folder);
  sl_yaml_open(&y, path);
  sl_yaml_include(&y, false);
  assert_int_equal(y.problems, 0);
  assert_true(
      sl_yaml_find(y.root, "params.mu")->number == 0.6 && sl_yaml_find(y.root, "run.until")->number == 1);
  assert_true(sl_yaml_get(y.root, "list")->count == 1 && !sl_yaml_get(y.root, "include"));
  assert_int_equal(sl_yaml_find(y.root, "run.until")->file, 1);
  sl_yaml_free(&y);
  snprintf(path, sizeof path, "%s/two.yaml", folder);
  sl_yaml_open(&y, path);
  sl_yaml_include(&y, false);
  assert_int_equal(y.problems, 0);
  assert_true(
      sl_yaml_find(y.root, "params.mu")->number == 0.4 && sl_yaml_find(y.root, "params.own")->number == 3);
  assert_string_equal(sl_yaml_find(y.root, "params.law")->text, "cone");
  assert_int_equal(sl_yaml_get(y.root, "list")->kind, SL_YAML_MAP);
  sl_yaml_free(&y);
  snprintf(path, sizeof path, "%s/nothing.yaml", folder);
  sl_yaml_open(&y, path);
  sl_yaml_include(&y, false);
  assert_true(!y.root && y.problems == 1);
  sl_yaml_free(&y);
  const struct {
    const char *name, *text, *words;
  } bad[] = {
      {"loop.yaml", "include: pool.yaml\n", "includes itself"},
      {"lost.yaml", "a: 1\ninclude: nowhere.yaml\n", "cannot read"},
      {"number.yaml", "include: 3\n", "include: expected the name of a file"},
      {"away.yaml", "include: /etc/base.yaml\n", "include: '/etc/base.yaml' must be relative to this file"},
      {"holds.yaml", "include: [base.yaml, list.yaml]\n", "an included file must hold a map"},
      {"folder.yaml", "include: .\n", "cannot read"},
      {"broken.yaml", "include: torn.yaml\n", "torn.yaml:2:"},
      {"scalar.yaml", "include: word.yaml\n", "an included file must hold a map"},
      {"map.yaml", "include: {base.yaml: 1}\n", "include: expected the name of a file"},
      {"up.yaml", "include: ../base.yaml\n",
          "include: '../base.yaml' leads out of the folder of the experiment"},
      {"unseen.yaml", "include: ../none.yaml\n", "leads out of the folder of the experiment"},
      {"round.yaml", "include: sub/../../base.yaml\n", "leads out of the folder of the experiment"},
      {"linked.yaml", "include: link.yaml\n", "leads out of the folder of the experiment"},
      {"nested.yaml", "include: sub/out.yaml\n", "include: '../../base.yaml' leads out"},
      {"level0.yaml", "include: level1.yaml\n", "include: more than 16 levels"},
  };
  enum { BAD = sizeof bad / sizeof *bad };
  put(folder, "list.yaml", "[1, 2]\n");
  put(folder, "torn.yaml", "a: [1\n");
  put(folder, "word.yaml", "word\n");
  snprintf(path, sizeof path, "%s/sub", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  put(folder, "sub/out.yaml", "include: ../../base.yaml\n");
  put(folder, "sub/in.yaml", "include: ../base.yaml\n");
  put(folder, "within.yaml", "include: sub/in.yaml\n");
  snprintf(path, sizeof path, "%s/link.yaml", folder);
  assert_int_equal(symlink("/etc/passwd", path), 0);
  for (int i = 0; i < BAD; i++) put(folder, bad[i].name, bad[i].text);
  for (int i = 1; i < 20; i++) {
    char name[32], text[64];
    snprintf(name, sizeof name, "level%d.yaml", i),
        snprintf(text, sizeof text, "include: level%d.yaml\n", i + 1);
    put(folder, name, text);
  }
  for (int i = 0; i < BAD; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, bad[i].name);
    sl_yaml_open(&y, path);
    sl_yaml_include(&y, false);
    char *text = sl_yaml_problems(&y);
    if (!strstr(text, bad[i].words)) fail_msg("%s: wanted '%s', said '%s'", bad[i].name, bad[i].words, text);
    free(text);
    sl_yaml_free(&y);
  }
  /* a file below the folder may include one beside the experiment; trust lets includes leave the folder */
  snprintf(path, sizeof path, "%s/within.yaml", folder);
  sl_yaml_open(&y, path);
  sl_yaml_include(&y, false);
  assert_true(!y.problems && sl_yaml_find(y.root, "params.mu")->number == 0.4);
  sl_yaml_free(&y);
  put(folder, "sub/up.yaml", "include: ../base.yaml\n");
  snprintf(path, sizeof path, "%s/sub/up.yaml", folder);
  sl_yaml_open(&y, path);
  sl_yaml_include(&y, true);
  assert_true(!y.problems && sl_yaml_find(y.root, "params.mu")->number == 0.4);
  sl_yaml_free(&y);
  snprintf(path, sizeof path, "rm -rf %s", folder);
  assert_int_equal(system(path), 0);
}

/* Written trees read back to the same values, also values that must be escaped. */
static void writes_what_is_odd(void **state) {
  (void)state;
  char longest[400], source[4000];
  memset(longest, 'k', 300), longest[300] = 0;
  snprintf(source, sizeof source,
      "? %s\n: 1\nlist: [{%.160s: 2}, {b: [1, {c: ~}]}, false, true, 1.5]\n"
      "'null': a\n'true': b\n'false': c\n'1a': d\n'': e\n",
      longest, longest);
  char *hollow = strstr(source, "'': e");
  *hollow = 0;
  strcat(source,
      "words: ['null', 'true', 'false', 'a b', '1', null, a_1, "
      "\"\\u2028\\u2029\\ufeff\\ufffd\\x7f\\x85\\e\\\"\\\\\\n\"]\n");
  strcat(source, "other: {empty: {}, none: [], map: {deep: {deeper: [[1], [2]]}}}\n");
  sl_yaml a, b;
  parse(&a, source);
  char *said = sl_yaml_problems(&a);
  assert_string_equal(said, "");
  char *first = sl_yaml_write(a.root);
  parse(&b, first);
  char *second = sl_yaml_write(b.root);
  assert_int_equal(b.problems, 0);
  assert_string_equal(first, second);
  assert_true(sl_yaml_get(b.root, longest)->number == 1 && b.root->count == a.root->count);
  const sl_yaml_node *words = sl_yaml_get(b.root, "words");
  for (int i = 0; i < 5; i++) assert_int_equal(words->item[i]->kind, SL_YAML_TEXT);
  assert_int_equal(words->item[5]->kind, SL_YAML_NULL);
  assert_string_equal(words->item[7]->text, sl_yaml_get(a.root, "words")->item[7]->text);
  free(said), free(first), free(second);
  sl_yaml_free(&b);
  /* bytes that are no UTF-8, as in the name of a file, do no harm */
  char *bytes = sl_yaml_write(sl_yaml_new_text(&a, "\xff\xc3(", NULL));
  assert_true(strlen(bytes) > 3);
  free(bytes);
  sl_yaml_free(&a);
  parse(&a, "{}\n");
  char *empty = sl_yaml_write(a.root);
  assert_string_equal(empty, "{}\n");
  free(empty);
  assert_true(sl_yaml_set(&a, "x.y", sl_yaml_new_number(&a, 1, NULL)));
  assert_true(
      sl_yaml_set(&a, "x.y", sl_yaml_new_number(&a, 2, NULL)) && sl_yaml_find(a.root, "x.y")->number == 2);
  assert_false(sl_yaml_set(&a, "x.y.z", sl_yaml_new_number(&a, 3, NULL)));
  assert_false(sl_yaml_set(&a, "", sl_yaml_new_number(&a, 3, NULL)) || sl_yaml_set(&a, "x", NULL) ||
      sl_yaml_set(&a, "x..y", sl_yaml_new_number(&a, 3, NULL)));
  assert_true(sl_yaml_set(&a, "n", sl_yaml_new(&a, SL_YAML_NULL, NULL)) &&
      sl_yaml_set(&a, "n.m", sl_yaml_new_number(&a, 4, NULL)) && sl_yaml_find(a.root, "n.m")->number == 4);
  assert_null(sl_yaml_find(NULL, "x"));
  assert_null(sl_yaml_get(NULL, "x"));
  sl_yaml_free(&a);
}

static void units(void **state) {
  (void)state;
  const struct {
    const char *text, *unit;
    double value;
  } good[] = {
      {"60 mm", "m", 0.06},
      {"35 deg", "rad", 35 * 3.14159265358979323846 / 180},
      {"2.65 g/cm3", "kg/m3", 2650},
      {"1.2 t/m3", "kg/m3", 1200},
      {"9.81 m/s^2", "m/s2", 9.81},
      {"3", "m", 3},
      {"1e-3", "s", 1e-3},
      {"2 kN", "N", 2000},
      {"1 N m", "J", 1},
      {"5 1/s", "Hz", 5},
      {"20min", "s", 1200},
      {"50 um", "m", 5e-5},
      {"50 µm", "m", 5e-5},
      {"40 %", "", 0.4},
      {"1 kg m^-3", "kg/m3", 1},
      {"30 rpm", "rad/s", 3.14159265358979323846},
  };
  double value;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    if (sl_quantity_read(good[i].text, good[i].unit, &value) ||
        fabs(value - good[i].value) > 1e-15 * fabs(value))
      fail_msg("%s: %.17g", good[i].text, value);
  assert_int_equal(sl_quantity_read("60 mm", "s", &value), SL_QUANTITY_DIMENSION);
  assert_int_equal(sl_quantity_read("60 mm", "", &value), SL_QUANTITY_DIMENSION);
  assert_int_equal(sl_quantity_read("60 furlong", "m", &value), SL_QUANTITY_UNKNOWN);
  assert_int_equal(sl_quantity_read("60 m/", "m", &value), SL_QUANTITY_UNKNOWN);
  assert_int_equal(sl_quantity_read("mm", "m", &value), SL_QUANTITY_NONE);
  assert_int_equal(sl_quantity_read("inf", "m", &value), SL_QUANTITY_NONE);
  assert_int_equal(sl_quantity_read("nan", "m", &value), SL_QUANTITY_NONE);
  assert_int_equal(sl_quantity_read("1e999", "m", &value), SL_QUANTITY_RANGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(types_and_places),
      cmocka_unit_test(refuses_what_surprises),
      cmocka_unit_test(refuses_what_explodes),
      cmocka_unit_test(refuses_what_is_too_much),
      cmocka_unit_test(sets_and_writes_back),
      cmocka_unit_test(includes_files),
      cmocka_unit_test(writes_what_is_odd),
      cmocka_unit_test(units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
