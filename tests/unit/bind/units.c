/* Tests quantities with units: every unit with every prefix and power, products and quotients, dimensions,
 * numbers of all forms, and errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bind/tables/units.h"

/* A unit in terms of metres, kilograms, seconds and radians. */
static const struct {
  const char *name, *base;
  double factor;
  int prefixes;
} units[] = {{"m", "m", 1, 1}, {"g", "kg", 1e-3, 1}, {"s", "s", 1, 1}, {"t", "kg", 1e3, 1},
    {"in", "m", 0.0254, 0}, {"ft", "m", 0.3048, 0}, {"min", "s", 60, 0}, {"h", "s", 3600, 0},
    {"rad", "rad", 1, 1}, {"deg", "rad", 0.017453292519943295, 0}, {"°", "rad", 0.017453292519943295, 0},
    {"rev", "rad", 6.283185307179586, 0}, {"rpm", "rad/s", 0.10471975511965977, 0}, {"N", "kg m/s2", 1, 1},
    {"Pa", "kg/m/s2", 1, 1}, {"bar", "kg/m/s2", 1e5, 1}, {"J", "kg m2/s2", 1, 1}, {"W", "kg m2/s3", 1, 1},
    {"Hz", "1/s", 1, 1}, {"l", "m3", 1e-3, 1}, {"L", "m3", 1e-3, 1}, {"%", "", 1e-2, 0}};
static const struct {
  const char *name;
  double factor;
} prefixes[] = {{"", 1}, {"k", 1e3}, {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6}, {"µ", 1e-6}, {"μ", 1e-6},
    {"n", 1e-9}, {"M", 1e6}, {"G", 1e9}, {"d", 1e-1}, {"h", 1e2}};
enum { UNITS = sizeof units / sizeof *units, PREFIXES = sizeof prefixes / sizeof *prefixes };

/* Returns whether the text is the name of a unit without prefix, such as "min", which is no milli-inch. */
static int is_name(const char *text) {
  for (int u = 0; u < UNITS; u++)
    if (!strcmp(units[u].name, text)) return 1;
  return 0;
}

/* Fails unless the text reads as `value` times the base unit. */
static void expect(const char *text, const char *base, double value) {
  double read = NAN;
  const sl_quantity said = sl_quantity_read(text, base, &read);
  if (said != SL_QUANTITY_FINE || fabs(read - value) > 1e-14 * fabs(value))
    fail_msg("'%s' in %s: %d, %.17g, not %.17g", text, base, (int)said, read, value);
}

static void every_unit_with_every_prefix(void **state) {
  (void)state;
  for (int u = 0; u < UNITS; u++)
    for (int p = 0; p < PREFIXES; p++) {
      char name[32], text[64], base[64];
      snprintf(name, sizeof name, "%s%s", prefixes[p].name, units[u].name);
      if (p && is_name(name)) continue;
      const char *base_words = units[u].base;
      const double factor = units[u].factor * prefixes[p].factor;
      if (p && !units[u].prefixes) {
        double read;
        snprintf(text, sizeof text, "3 %s", name);
        assert_int_not_equal(sl_quantity_read(text, base_words, &read), SL_QUANTITY_FINE);
        continue;
      }
      snprintf(text, sizeof text, "2.5 %s", name);
      expect(text, base_words, 2.5 * factor);
      snprintf(text, sizeof text, "2.5%s", name);
      expect(text, base_words, 2.5 * factor);
      for (int power = 1; power < 4; power++) {
        snprintf(base, sizeof base, "m%d", power);
        if (strcmp(units[u].base, "m")) continue;
        snprintf(text, sizeof text, "-4 %s^%d", name, power);
        expect(text, base, -4 * pow(factor, power));
        snprintf(text, sizeof text, "-4 %s%d", name, power);
        expect(text, base, -4 * pow(factor, power));
        snprintf(text, sizeof text, "1e3/%s^%d", name, power);
        snprintf(base, sizeof base, "1/m%d", power);
        expect(text, base, 1e3 / pow(factor, power));
        snprintf(text, sizeof text, "1e3 %s^-%d", name, power);
        expect(text, base, 1e3 / pow(factor, power));
      }
    }
}

static void products_and_quotients(void **state) {
  (void)state;
  static const struct {
    const char *text, *base;
    double value;
  } rows[] = {{"5", "m", 5}, {" ", "m", NAN}, {"72 km/h", "m/s", 20}, {"2 g/cm3", "kg/m3", 2000},
      {"2 g / cm^3", "kg/m3", 2000}, {"3 N m", "J", 3}, {"3 N*m", "kg m2/s2", 3}, {"3 N.m", "J", 3},
      {"4 kN/mm2", "Pa", 4e9}, {"6 m/s/s", "m/s2", 6}, {"6 m/s2", "N/kg", 6}, {"50 %", "", 0.5},
      {"0.25 1/s", "Hz", 0.25}, {"0.25/s", "Hz", 0.25}, {"1.5e-3kPa", "Pa", 1.5}, {"+7 mm", "m", 7e-3},
      {".5 m", "m", 0.5}, {"1. m", "m", 1}, {"30 rpm", "rad/s", 3.141592653589793},
      {"2 rev/min", "rpm", 0.20943951023931953}, {"8 J/m^3", "Pa", 8}, {"1 W h", "J", 3600}, {"9 m1", "m", 9},
      {"3 N   m", "J", 3}, {"90 deg", "rad", 1.5707963267948966}, {"-0 m", "m", 0}, {"1E2 m", "m", 100}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double read;
    if (isnan(rows[i].value))
      assert_int_equal(sl_quantity_read(rows[i].text, rows[i].base, &read), SL_QUANTITY_NONE);
    else expect(rows[i].text, rows[i].base, rows[i].value);
  }
}

static void what_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *base;
    sl_quantity said;
  } rows[] = {{"", "m", SL_QUANTITY_NONE}, {"m", "m", SL_QUANTITY_NONE}, {"nan", "m", SL_QUANTITY_NONE},
      {"inf m", "m", SL_QUANTITY_NONE}, {"0x10 m", "m", SL_QUANTITY_UNKNOWN},
      {"--1 m", "m", SL_QUANTITY_NONE}, {". m", "m", SL_QUANTITY_NONE}, {"-.m", "m", SL_QUANTITY_NONE},
      {" 1 m", "m", SL_QUANTITY_NONE}, {"1 metre", "m", SL_QUANTITY_UNKNOWN},
      {"1 m/", "m", SL_QUANTITY_UNKNOWN}, {"1 m//s", "m/s", SL_QUANTITY_UNKNOWN},
      {"1 m^", "m", SL_QUANTITY_UNKNOWN}, {"1 m^10", "m", SL_QUANTITY_UNKNOWN},
      {"1 m^-", "m", SL_QUANTITY_UNKNOWN}, {"1 m-1", "m", SL_QUANTITY_UNKNOWN},
      {"1 m*", "m", SL_QUANTITY_UNKNOWN}, {"1 *m", "m", SL_QUANTITY_UNKNOWN},
      {"1 m s/", "m", SL_QUANTITY_UNKNOWN}, {"1 1", "", SL_QUANTITY_FINE}, {"1 12", "", SL_QUANTITY_UNKNOWN},
      {"1 m", "s", SL_QUANTITY_DIMENSION}, {"1 m2", "m", SL_QUANTITY_DIMENSION},
      {"1 deg", "", SL_QUANTITY_DIMENSION}, {"1 kg", "N", SL_QUANTITY_DIMENSION},
      {"1 m", "no unit", SL_QUANTITY_DIMENSION}, {"1e999 m", "m", SL_QUANTITY_RANGE},
      {"1e308 km", "m", SL_QUANTITY_RANGE}, {"-1e999", "m", SL_QUANTITY_RANGE},
      {"1 m^9", "m9", SL_QUANTITY_FINE}, {"1e m", "m", SL_QUANTITY_UNKNOWN}, {"1 m", NULL, SL_QUANTITY_FINE},
      {"1 m 2", "m", SL_QUANTITY_UNKNOWN}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double read;
    const sl_quantity said = sl_quantity_read(rows[i].text, rows[i].base, &read);
    if (said != rows[i].said)
      fail_msg("'%s' in %s: %d, not %d", rows[i].text, rows[i].base ? rows[i].base : "any", (int)said,
          (int)rows[i].said);
  }
  /* a number of 63 digits is read, one of 64 is too long */
  char digits[80];
  double read;
  memset(digits, '1', sizeof digits);
  digits[63] = 0;
  assert_true(sl_number_read(digits, 63, &read) && read > 1e62);
  digits[63] = '1', digits[64] = 0;
  assert_false(sl_number_read(digits, 64, &read));
  assert_false(sl_number_read("1e999", 5, &read));
  assert_false(sl_number_read("", 0, &read));
  assert_true(sl_number_read("12x", 2, &read) && read == 12);
}

/* The example in each description of a unit reads as a quantity of this unit. */
static void descriptions_have_valid_examples(void **state) {
  (void)state;
  static const char *const known[] = {"m", "s", "kg", "kg/m3", "rad", "m/s", "m/s2", "rad/s", "N", "Pa"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const char *words = sl_unit_words(known[i]), *quote = strchr(words, '"'),
               *example = strstr(words, "such as ");
    double value;
    assert_non_null(example);
    assert_true(sl_number_read(example + 8, strcspn(example + 8, " "), &value));
    if (!quote) continue;
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(quote + 1, "\""), quote + 1);
    if (sl_quantity_read(text, known[i], &value) != SL_QUANTITY_FINE) fail_msg("%s: %s", known[i], words);
  }
  assert_string_equal(sl_unit_words(""), "a number");
  assert_string_equal(sl_unit_words("m7"), "a number");
  assert_string_equal(sl_unit_words(NULL), "a number");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_unit_with_every_prefix),
      cmocka_unit_test(products_and_quotients), cmocka_unit_test(what_is_refused),
      cmocka_unit_test(descriptions_have_valid_examples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
