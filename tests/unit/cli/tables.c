/* Tests tables and fits: cells that are written and read again in all forms, columns by name, fragility
 * curves at the maximum of the likelihood, and Wilson's interval as the solution of its equation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "csv.h"
#include "files.h"
#include "plot/plot_fit.h"

static uint64_t seed = 9;
static double draw_uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}

/* Writes a text to a new file and returns the file's path. */
static const char *write_file(const char *text, size_t size) {
  static char path[64];
  snprintf(path, sizeof path, "/tmp/scree-tables-XXXXXX");
  const int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, size), (ssize_t)size);
  close(file);
  return path;
}

static csv *open_text(const char *text) {
  const char *path = write_file(text, strlen(text));
  csv *t = csv_open("test", path);
  unlink(path);
  assert_non_null(t);
  return t;
}

static void cells_are_read_as_written(void **state) {
  (void)state;
  static const char *const cells[] = {
      "", "a", "1.5", "a b", "a,b", "\"", "\"\"", "a\"b", "a\nb", "\r\n", ",", "x,\"y\",z", " ", "'"};
  enum { CELLS = sizeof cells / sizeof *cells, ROWS = 40, COLUMNS = 5 };
  int chosen[ROWS][COLUMNS];
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  fputs("one,\"t,wo\",\"thr\"\"ee\",four,five\n", out);
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLUMNS; c++) {
      chosen[r][c] = (int)(draw_uniform() * CELLS);
      if (c) fputc(',', out);
      csv_put_cell(out, cells[chosen[r][c]]);
      if (c == COLUMNS - 1) fputs(r % 2 ? "\n" : "\r\n", out);
    }
  fclose(out);
  csv *t = open_text(text);
  assert_true(t->columns == COLUMNS && t->rows == ROWS && csv_cut_cells(t));
  assert_string_equal(t->name[1], "t,wo");
  assert_string_equal(t->name[2], "thr\"ee");
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLUMNS; c++) assert_string_equal(t->cell[r * COLUMNS + c], cells[chosen[r][c]]);
  csv_close(t);
  free(text);
}

static void rows_of_other_lengths(void **state) {
  (void)state;
  static const char *const ends[] = {"\n", "\r\n"};
  for (int e = 0; e < 2; e++)
    for (int quoted = 0; quoted < 2; quoted++)
      for (int ended = 0; ended < 2; ended++) {
        char text[200];
        snprintf(text, sizeof text, "a [m],b,%s%s1,2,3%s4%s5,6,7,8%s,,9%sx,-1e3,0x10%s",
            quoted ? "\"c\"" : "c", ends[e], ends[e], ends[e], ends[e], ends[e], ended ? ends[e] : "");
        if (quoted) strcat(text, ended ? "\"1\",\"2\",3" : "");
        csv *t = open_text(text);
        assert_int_equal(t->columns, 3);
        assert_int_equal(t->rows, quoted && ended ? 6 : 5);
        const double expected[5][3] = {{1, 2, 3}, {4, NAN, NAN}, {5, 6, 7}, {NAN, NAN, 9}, {NAN, -1000, 16}};
        for (int pass = 0; pass < 2; pass++) {
          for (int c = 0; c < 3; c++) {
            double *value = csv_numbers(t, c);
            for (int r = 0; r < 5; r++)
              if (!(value[r] == expected[r][c] || (isnan(value[r]) && isnan(expected[r][c]))))
                fail_msg("row %d, column %d: %g", r, c, value[r]);
            free(value);
          }
          assert_true(csv_cut_cells(t));
        }
        assert_string_equal(t->cell[3], "4");
        assert_string_equal(t->cell[4], "");
        assert_string_equal(t->cell[8], "7");
        assert_string_equal(t->cell[14], "0x10");
        csv_close(t);
      }
}

static void columns_by_name(void **state) {
  (void)state;
  csv *t = open_text("speed [m/s],speed,force [N],force ,for,mass [kg\n1,2,3,4,5,6\n");
  static const struct {
    const char *name;
    int column;
  } rows[] = {{"speed", 1}, {"speed [m/s]", 0}, {"force", 2}, {"force ", 3}, {"for", 4}, {"mass", -1},
      {"mass [kg", 5}, {"spee", -1}, {"", -1}, {"speeds", -1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (csv_column(t, rows[i].name) != rows[i].column) fail_msg("%s", rows[i].name);
  csv_close(t);
  t = open_text("");
  assert_true(t->rows == 0 && csv_cut_cells(t));
  csv_close(t);
  t = open_text("a,b\n");
  assert_true(t->columns == 2 && t->rows == 0 && csv_cut_cells(t));
  double *none = csv_numbers(t, 1);
  assert_non_null(none);
  free(none);
  csv_close(t);
}

/* ---- words ---- */

static void sizes_and_fields_as_words(void **state) {
  (void)state;
  static const struct {
    int64_t bytes;
    const char *words;
  } rows[] = {{0, "0 bytes"}, {999, "999 bytes"}, {1000, "1 kB"}, {1234, "1.23 kB"}, {999499, "999 kB"},
      {1000000, "1 MB"}, {2500000000, "2.5 GB"}, {7000000000000, "7 TB"}, {1234000000000000, "1.23e+03 TB"}};
  char text[32], names[128];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_string_equal(cli_size(rows[i].bytes, text), rows[i].words);
  assert_string_equal(cli_field_names(0, names), "");
  assert_string_equal(cli_field_names(SCREE_FIELD_SPIN, names), "spin");
  assert_string_equal(
      cli_field_names(SCREE_FIELD_POSITION | SCREE_FIELD_VELOCITY, names), "position, velocity");
  assert_string_equal(cli_field_names(~0, names), "position, orientation, velocity, spin, contacts");
}

static void ranges_of_frames(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int fine;
    int64_t first, last, stride;
  } rows[] = {{"3", 1, 3, 3, 1}, {"-1", 1, -1, -1, 1}, {"2:5", 1, 2, 5, 1}, {"2:5:3", 1, 2, 5, 3},
      {":", 1, 0, -1, 1}, {"::", 1, 0, -1, 1}, {"::2", 1, 0, -1, 2}, {"4:", 1, 4, -1, 1},
      {":-2", 1, 0, -2, 1}, {"1::4", 1, 1, -1, 4}, {"-5:-2:2", 1, -5, -2, 2}, {"", 0, 0, 0, 0},
      {"x", 0, 0, 0, 0}, {"1:x", 0, 0, 0, 0}, {"1:2:x", 0, 0, 0, 0}, {"1:2:3:4", 0, 0, 0, 0},
      {"1:2:3:", 0, 0, 0, 0}, {"1 ", 0, 0, 0, 0}, {" 1", 0, 0, 0, 0}, {"1: 2", 0, 0, 0, 0},
      {"1.5", 0, 0, 0, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int64_t first = 77, last = 77, stride = 77;
    const int fine = cli_frames(rows[i].text, &first, &last, &stride);
    if (!fine != !rows[i].fine) fail_msg("'%s': %d", rows[i].text, fine);
    if (fine && (first != rows[i].first || last != rows[i].last || stride != rows[i].stride))
      fail_msg("'%s': %lld:%lld:%lld", rows[i].text, (long long)first, (long long)last, (long long)stride);
  }
}

static void json_values_and_codes(void **state) {
  (void)state;
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  cli_json_text(out, "a\"b\\c\n\x01\x1f\x7f\xc3\xa4/");
  cli_json_text(out, NULL);
  cli_json_member(out, "x", 0.1);
  cli_json_member(out, "y", NAN);
  cli_json_member(out, "z", -INFINITY);
  cli_json_member(out, "w", 3);
  fclose(out);
  assert_string_equal(text,
      "\"a\\\"b\\\\c\\u000a\\u0001\\u001f\x7f\xc3\xa4/\"\"\", \"x\": 0.10000000000000001, \"y\": null, "
      "\"z\": null, \"w\": 3");
  free(text);
  assert_true(cli_exit_code(SCREE_OK) == 0 && cli_exit_code(SCREE_E_IO) == 4 &&
      cli_exit_code(SCREE_E_FORMAT) == 4 && cli_exit_code(SCREE_E_MEMORY) == 4);
  assert_true(cli_exit_code(SCREE_E_ARGUMENT) == 2 && cli_exit_code(SCREE_E_STALE) == 1);
}

static void texts_are_kept(void **state) {
  (void)state;
  char path[128];
  snprintf(path, sizeof path, "%s", write_file("", 0));
  unlink(path);
  assert_int_equal(cli_keep_text("test", path, "one\n"), 0);
  assert_int_equal(cli_keep_text("test", path, "one\n"), 0);
  assert_int_equal(cli_keep_text("test", path, "two\n"), 2);
  size_t size;
  char *text = cli_read(path, &size);
  assert_true(text && size == 4 && !text[4]);
  assert_string_equal(text, "one\n");
  free(text);
  assert_int_equal(cli_write_text("test", path, "three", 3), 0);
  text = cli_read(path, &size);
  assert_string_equal(text, "thr");
  free(text);
  assert_true(cli_is_replaceable(path) && cli_is_replaceable("/tmp/nothing/is/here") &&
      !cli_is_replaceable("/tmp") && !cli_is_replaceable("/dev/null"));
  assert_true(cli_is_same_file(path, path) && !cli_is_same_file(path, "/dev/null") &&
      !cli_is_same_file(path, "/tmp/nothing/is/here"));
  unlink(path);
  assert_null(cli_read(path, &size));
  assert_null(cli_read("/tmp", &size));
  assert_null(cli_read("/dev/null", &size));
  assert_int_equal(cli_write_text("test", "/tmp/nothing/is/here", "x", 1), 4);
}

/* ---- curves ---- */

static double find_probability(double x, double median, double spread) {
  return 0.5 * erfc(-log(x / median) / spread / sqrt(2));
}

static double find_likelihood(const double *x, const double *y, int count, double median, double spread) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    const double p = find_probability(x[i], median, spread);
    sum += y[i] * log(p) + (1 - y[i]) * log(1 - p);
  }
  return sum;
}

/* The interval of the median follows from the expected information in (ln median, spread), by differences. */
static void fits_have_the_largest_likelihood(void **state) {
  (void)state;
  enum { COUNT = 120 };
  for (int set = 0; set < 6; set++) {
    const double median = 0.3 * (set + 1), spread = 0.2 + 0.1 * set;
    double x[COUNT], y[COUNT], information[2][2] = {{0}};
    for (int i = 0; i < COUNT; i++) {
      x[i] = median * exp(1.5 * spread * (2 * draw_uniform() - 1));
      const double p = find_probability(x[i], median, spread);
      y[i] = set % 2 ? p + 0.1 * (draw_uniform() - 0.5) : draw_uniform() < p;
      y[i] = fmin(fmax(y[i], 0), 1);
    }
    fit_lognormal fit;
    assert_null(fit_find_lognormal(x, y, COUNT, &fit));
    const double best = find_likelihood(x, y, COUNT, fit.median, fit.spread);
    for (int k = 0; k < 16; k++) {
      const double turn = k * acos(-1) / 8, step = 1e-4;
      assert_true(find_likelihood(x, y, COUNT, fit.median * (1 + step * cos(turn)),
                      fit.spread * (1 + step * sin(turn))) < best);
    }
    for (int i = 0; i < COUNT; i++) {
      const double p = find_probability(x[i], fit.median, fit.spread), h = 1e-5;
      const double slope[2] = {(find_probability(x[i], fit.median * exp(h), fit.spread) -
                                   find_probability(x[i], fit.median * exp(-h), fit.spread)) /
              (2 * h),
          (find_probability(x[i], fit.median, fit.spread + h) -
              find_probability(x[i], fit.median, fit.spread - h)) /
              (2 * h)};
      for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) information[a][b] += slope[a] * slope[b] / (p * (1 - p));
      assert_float_equal(fit_probability(&fit, x[i]), p, 1e-12);
    }
    const double variance = information[1][1] /
        (information[0][0] * information[1][1] - information[0][1] * information[1][0]);
    assert_float_equal(log(fit.high / fit.median), 1.959963984540054 * sqrt(variance), 1e-5);
    assert_float_equal(log(fit.median / fit.low), 1.959963984540054 * sqrt(variance), 1e-5);
    /* another unit of x scales the median alone */
    for (int i = 0; i < COUNT; i++) x[i] *= 1000;
    fit_lognormal scaled;
    assert_null(fit_find_lognormal(x, y, COUNT, &scaled));
    assert_float_equal(scaled.median / fit.median, 1000, 1e-4);
    assert_float_equal(scaled.spread, fit.spread, 1e-6);
    assert_true(fit_probability(&fit, 0) == 0 && fit_probability(&fit, -1) == 0);
  }
}

static void what_has_no_fit(void **state) {
  (void)state;
  static const struct {
    double x[4], y[4];
    const char *words;
  } rows[] = {{{1, 2, 0, 4}, {0, 1, 0, 1}, "x above 0"}, {{1, 2, 3, 4}, {0, 1, 1.1, 1}, "values from 0 to 1"},
      {{1, 2, 3, 4}, {0, -0.1, 1, 1}, "values from 0 to 1"}, {{1, 2, 3, 4}, {0, 0, 0, 0}, "all values are 0"},
      {{1, 2, 3, 4}, {1, 1, 1, 1}, "all values are 1"},
      {{1, 2, 3, 4}, {0, 0, 1, 1}, "no x has values of 0 and 1"},
      {{1, 2, 2, 4}, {0, 0, 1, 1}, "no x has values of 0 and 1"},
      {{1, 2, 3, 4}, {1, 0, 1, 0}, "does not grow"}, {{2, 2, 2, 2}, {1, 0, 1, 0}, "no x has values"},
      {{2, 2, 2, 2}, {0.5, 0.2, 0.5, 0.5}, "no x has values"}, {{1, 2, 3, 4}, {0, 1, 0, 1}, NULL},
      {{1, 2, 3, 4}, {0, NAN, 0, 1}, "values from 0 to 1"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fit_lognormal fit;
    const char *said = fit_find_lognormal(rows[i].x, rows[i].y, 4, &fit);
    if (!said != !rows[i].words || (said && !strstr(said, rows[i].words)))
      fail_msg("%zu: %s", i, said ? said : "a fit");
  }
}

/* The ends p of Wilson's interval solve (share - p)^2 = z^2 p (1 - p)/n. */
static void intervals_of_shares(void **state) {
  (void)state;
  const double z = 1.959963984540054;
  for (int n = 1; n < 60; n += 7)
    for (int k = 0; k <= n; k++) {
      double low, high;
      const double share = (double)k / n;
      fit_wilson_interval(share, n, &low, &high);
      assert_float_equal((share - low) * (share - low), z * z * low * (1 - low) / n, 1e-12);
      assert_float_equal((share - high) * (share - high), z * z * high * (1 - high) / n, 1e-12);
      assert_true(
          low >= 0 && high <= 1 && low <= share + 1e-15 && high >= share - 1e-15 && high - low > 0.01);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cells_are_read_as_written),
      cmocka_unit_test(rows_of_other_lengths), cmocka_unit_test(columns_by_name),
      cmocka_unit_test(sizes_and_fields_as_words), cmocka_unit_test(ranges_of_frames),
      cmocka_unit_test(json_values_and_codes), cmocka_unit_test(texts_are_kept),
      cmocka_unit_test(fits_have_the_largest_likelihood), cmocka_unit_test(what_has_no_fit),
      cmocka_unit_test(intervals_of_shares)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
