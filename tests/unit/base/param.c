/* Tests parameter tables: defaults, checks of every type on both sides of each bound, and readers of
 * parameters. Compares nearest names with edit distances by recursion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "base/base.h"
#include "scree/param.h"

typedef struct def {
  double real, positive, limit, bounded, least;
  int64_t integer;
  int boolean, choice;
  const char *text;
  double vector[3], sizes[3], direction[3], turn[4];
} def;

#define AT(member) offsetof(def, member)
static const scree_param table[] = {SCREE_ROW_REAL("real", AT(real), "m", 2.5, 0, 0, "any number"),
    SCREE_ROW_POSITIVE("positive", AT(positive), "m", 3, "above 0"),
    SCREE_ROW_LIMIT("limit", AT(limit), "m", "at least 0 or infinite"),
    SCREE_ROW_REAL("bounded", AT(bounded), "", 0.5, -1, 1, "in [-1, 1]", "red|green"),
    SCREE_ROW_REAL("least", AT(least), "", 4, 2, INFINITY, "at least 2", "green"),
    SCREE_ROW_INTEGER("integer", AT(integer), 7, 3, 9, "in [3, 9]", "blue|round"),
    SCREE_ROW_BOOLEAN("boolean", AT(boolean), "yes or no", "round|red"),
    SCREE_ROW_CHOICE("choice", AT(choice), 1, "a|bc|d", "one of three"),
    SCREE_ROW_STRING("text", AT(text), "any text"),
    SCREE_ROW_VEC3("vector", AT(vector), "m", "any vector", "blue"),
    {"sizes", SCREE_VEC3, SCREE_POSITIVE, "m", 0, 0, 0, AT(sizes), NULL, "all above 0", NULL},
    {"direction", SCREE_VEC3, SCREE_NONZERO, "", 0, 0, 0, AT(direction), NULL, "not 0", NULL},
    SCREE_ROW_QUAT("turn", AT(turn), "a rotation"), SCREE_ROW_VALUE("opaque", "", "read by the caller")};
enum { ROWS = sizeof table / sizeof *table };

static def sound(void) {
  def d;
  memset(&d, 0x5a, sizeof d);
  scree_param_defaults(table, ROWS, &d);
  for (int k = 0; k < 3; k++) d.sizes[k] = 1 + k, d.direction[k] = k == 1;
  return d;
}

static void defaults(void **unused) {
  (void)unused;
  def d;
  memset(&d, 0x5a, sizeof d);
  scree_param_defaults(table, ROWS, &d);
  assert_true(d.real == 2.5 && d.positive == 3 && isinf(d.limit) && d.bounded == 0.5 && d.least == 4);
  assert_true(d.integer == 7 && d.boolean == 0 && d.choice == 1 && !d.text);
  for (int k = 0; k < 3; k++) assert_true(d.vector[k] == 0 && d.sizes[k] == 0 && d.direction[k] == 0);
  for (int k = 0; k < 4; k++) assert_true(d.turn[k] == (k == 0));
}

/* A value of a member and the expected message; message NULL: the value is valid. */
typedef struct value {
  const char *name;
  int part; /* component of a vector */
  double value;
  const char *words;
} value;

static void put(def *d, const value *v) {
  const scree_param *p = scree_param_find(table, ROWS, v->name);
  assert_non_null(p);
  char *at = (char *)d + p->offset;
  if (p->type == SCREE_INTEGER) *(int64_t *)(void *)at = (int64_t)v->value;
  else if (p->type == SCREE_CHOICE || p->type == SCREE_BOOLEAN) *(int *)(void *)at = (int)v->value;
  else ((double *)(void *)at)[v->part] = v->value;
}

static void values(void **unused) {
  (void)unused;
  static const value list[] = {{"real", 0, -1e300, NULL}, {"real", 0, NAN, "t.real is NaN"},
      {"real", 0, INFINITY, "t.real is infinite"}, {"real", 0, -INFINITY, "t.real is infinite"},
      {"positive", 0, 0, "t.positive must be greater than 0, not 0"}, {"positive", 0, 5e-324, NULL},
      {"positive", 0, -0.5, "t.positive must be greater than 0, not -0.5"},
      {"positive", 0, INFINITY, "t.positive is infinite"}, {"limit", 0, 0, NULL}, {"limit", 0, 1e300, NULL},
      {"limit", 0, -1e-9, "t.limit must be at least 0, not -1e-09"},
      {"limit", 0, -INFINITY, "t.limit is infinite"}, {"bounded", 0, -1, NULL}, {"bounded", 0, 1, NULL},
      {"bounded", 0, 1.25, "t.bounded must lie in [-1, 1], not 1.25"},
      {"bounded", 0, -1.25, "t.bounded must lie in [-1, 1], not -1.25"}, {"least", 0, 2, NULL},
      {"least", 0, 1e9, NULL}, {"least", 0, 1.5, "t.least must be at least 2, not 1.5"},
      {"integer", 0, 3, NULL}, {"integer", 0, 9, NULL},
      {"integer", 0, 2, "t.integer must lie in [3, 9], not 2"},
      {"integer", 0, 10, "t.integer must lie in [3, 9], not 10"}, {"choice", 0, 0, NULL},
      {"choice", 0, 2, NULL}, {"choice", 0, 3, "t.choice must be one of a|bc|d, 0 to 2, not 3"},
      {"choice", 0, -1, "t.choice must be one of a|bc|d, 0 to 2, not -1"}, {"boolean", 0, 1, NULL},
      {"vector", 0, 7, NULL}, {"vector", 1, NAN, "t.vector[2] is NaN"},
      {"vector", 2, -INFINITY, "t.vector[3] is infinite"},
      {"sizes", 0, 0, "t.sizes[1] must be greater than 0, not 0"},
      {"sizes", 2, -3, "t.sizes[3] must be greater than 0, not -3"}, {"sizes", 1, 1e-9, NULL},
      {"direction", 1, 0, "t.direction must not be zero"}, {"direction", 1, -1e-100, NULL},
      {"turn", 3, NAN, "t.turn[4] is NaN"}, {"turn", 0, INFINITY, "t.turn[1] is infinite"},
      {"turn", 2, 4, NULL}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    def d = sound();
    scree_error error = {SCREE_OK, ""};
    assert_int_equal(scree_param_check_all(table, ROWS, &d, "t", &error), SCREE_OK);
    put(&d, list + k);
    const scree_status status = scree_param_check_all(table, ROWS, &d, "t", &error);
    if (status != (list[k].words ? SCREE_E_ARGUMENT : SCREE_OK) ||
        strcmp(error.text, list[k].words ? list[k].words : ""))
      fail_msg("%s = %g: '%s', not '%s'", list[k].name, list[k].value, error.text, list[k].words);
    if (!list[k].words) continue;
    assert_int_equal(scree_param_check_all(table, ROWS, &d, "", &error), SCREE_E_ARGUMENT);
    assert_string_equal(error.text, list[k].words + 2);
  }
}

/* A required value is checked also if it equals its default. A value that is not required is not. */
static void required_values(void **unused) {
  (void)unused;
  static const scree_param two[] = {{"free", SCREE_REAL, SCREE_POSITIVE, "", 0, 0, 0, 0, NULL, "", NULL},
      {"needed", SCREE_REAL, SCREE_POSITIVE | SCREE_REQUIRED, "", 0, 0, 0, sizeof(double), NULL, "", NULL}};
  double zero[2] = {0, 0};
  scree_error error = {SCREE_OK, ""};
  assert_int_equal(scree_param_check_all(two, 1, zero, "", &error), SCREE_OK);
  assert_int_equal(scree_param_check_all(two, 2, zero, "", &error), SCREE_E_ARGUMENT);
  assert_string_equal(error.text, "needed must be greater than 0, not 0");
}

/* ---- readers ---- */

static const char *colour(int i) {
  static const char *const names[] = {"red", "green", "blue"};
  return i < 3 ? names[i] : NULL;
}
static const char *form(int i) { return i == 0 ? "round" : i == 1 ? "square" : NULL; }

static void readers(void **unused) {
  (void)unused;
  /* rows with readers: bounded red|green, least green, integer blue|round, boolean round|red, vector blue */
  static const struct {
    const char *name;
    bool red, green, blue, round, square;
  } read[] = {{"real", true, true, true, true, true}, {"bounded", true, true, false, true, true},
      {"least", false, true, false, true, true}, {"integer", false, false, true, true, false},
      {"boolean", true, false, false, true, false}, {"vector", false, false, true, true, true},
      {"turn", true, true, true, true, true}};
  for (size_t k = 0; k < sizeof read / sizeof *read; k++) {
    const scree_param *p = scree_param_find(table, ROWS, read[k].name);
    const bool wanted[5] = {read[k].red, read[k].green, read[k].blue, read[k].round, read[k].square};
    for (int i = 0; i < 5; i++) {
      const scree_param_reader reader = {"with", i < 3 ? colour(i) : form(i - 3), i < 3 ? colour : form};
      assert_int_equal(scree_param_is_read(p, &reader), wanted[i]);
    }
  }
  assert_null(scree_param_find(table, ROWS, "reals"));
  /* only values that are not the default count, by type */
  static const value changed[] = {{"bounded", 0, 0.25, NULL}, {"least", 0, 5, NULL}, {"integer", 0, 4, NULL},
      {"boolean", 0, 1, NULL}, {"vector", 0, 1, NULL}, {"vector", 1, 1, NULL}, {"vector", 2, 1, NULL}};
  static const char *const words[] = {
      "w.bounded has no effect with the colour blue, only with the colour red, green",
      "w.least has no effect with the colour blue, only with the colour green", NULL,
      "w.boolean has no effect with the colour blue, only with the colour red", NULL, NULL, NULL};
  const scree_param_reader blue = {"with the colour", "blue", colour},
                           red = {"with the colour", "red", colour};
  for (size_t k = 0; k < sizeof changed / sizeof *changed; k++) {
    def d = sound();
    scree_error error = {SCREE_OK, ""};
    assert_int_equal(scree_param_check_read(table, ROWS, &d, &blue, "w", &error), SCREE_OK);
    put(&d, changed + k);
    const scree_status status = scree_param_check_read(table, ROWS, &d, &blue, "w", &error);
    assert_int_equal(status, words[k] ? SCREE_E_ARGUMENT : SCREE_OK);
    if (words[k]) assert_string_equal(error.text, words[k]);
    const bool refused = !strcmp(changed[k].name, "least") || !strcmp(changed[k].name, "vector") ||
        !strcmp(changed[k].name, "integer");
    assert_int_equal(
        scree_param_check_read(table, ROWS, &d, &red, "w", &error), refused ? SCREE_E_ARGUMENT : SCREE_OK);
  }
}

/* ---- nearest names ---- */

/* Returns the edit distance of the first n and m letters, by recursion. Edits are insertion, deletion,
 * replacement, and a swap of neighbours. */
static int distance_of(const char *a, int n, const char *b, int m) {
  if (!n || !m) return n + m;
  int best = distance_of(a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1]);
  const int drop = distance_of(a, n - 1, b, m) + 1, add = distance_of(a, n, b, m - 1) + 1;
  best = drop < best ? drop : best, best = add < best ? add : best;
  if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1]) {
    const int swap = distance_of(a, n - 2, b, m - 2) + 1;
    best = swap < best ? swap : best;
  }
  return best;
}

static const char *candidate(const void *context, int i) { return ((const char *const *)context)[i]; }

/* Tests the nearest name, which is NULL if all names have too many errors. */
static void one_candidate(const char *name, const char *other) {
  const int letters = (int)strlen(name), length = (int)strlen(other), most = letters > 3 ? letters / 3 : 1;
  bool near = distance_of(name, letters, other, length) <= most;
  if (letters > 2 && !strncmp(name, other, (size_t)letters)) near = true;
  if (letters == 1 && *name != *other) near = false;
  const char *found = scree_nearest_name(name, 1, candidate, &other);
  if (found != (near ? other : NULL)) fail_msg("%s and %s: %s", name, other, found ? found : "none");
}

static void nearest_names(void **unused) {
  (void)unused;
  sc_rng rng;
  sc_rng_seed(&rng, 8);
  for (int k = 0; k < 4000; k++) {
    char name[8], other[8];
    const int n = 1 + (int)(sc_rng_next(&rng) % 7), m = 1 + (int)(sc_rng_next(&rng) % 7);
    for (int i = 0; i < n; i++) name[i] = (char)('a' + sc_rng_next(&rng) % 2);
    for (int i = 0; i < m; i++) other[i] = (char)('a' + sc_rng_next(&rng) % 2);
    name[n] = other[m] = 0;
    one_candidate(name, other);
  }
  /* of several names the nearest one, and of equal ones the first; NULL is no name */
  static const char *const names[] = {NULL, "radius_max", "radius", "density", "radios"};
  assert_ptr_equal(scree_nearest_name("radius", 5, candidate, names), names[2]);
  assert_ptr_equal(scree_nearest_name("radiis", 5, candidate, names), names[2]);
  assert_ptr_equal(scree_nearest_name("radius_mx", 5, candidate, names), names[1]);
  assert_ptr_equal(scree_nearest_name("dens", 5, candidate, names), names[3]);
  assert_ptr_equal(scree_nearest_name("RADIUS_MAX", 5, candidate, names), names[1]);
  assert_null(scree_nearest_name("stiffness", 5, candidate, names));
  assert_null(scree_nearest_name("", 5, candidate, names));
  assert_null(scree_nearest_name("radius", 0, candidate, names));
  /* names of 64 letters and more are never near, not even themselves */
  char longest[80];
  memset(longest, 'x', sizeof longest);
  longest[63] = 0;
  const char *only = longest;
  static const char *const alike[] = {"sites", "size", "side"}; /* 1, 1 and 2 edits from "sizes" */
  assert_ptr_equal(scree_nearest_name("sizes", 3, candidate, alike), alike[1]);
  assert_ptr_equal(scree_nearest_name(longest, 1, candidate, &only), longest);
  char short_name[80];
  memcpy(short_name, longest, sizeof longest);
  longest[63] = 'x', longest[64] = 0;
  assert_ptr_equal(scree_nearest_name(short_name, 1, candidate, &only), longest); /* a prefix */
  assert_null(scree_nearest_name("xx", 1, candidate, &only));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(defaults), cmocka_unit_test(values),
      cmocka_unit_test(required_values), cmocka_unit_test(readers), cmocka_unit_test(nearest_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
