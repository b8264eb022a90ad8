/* Units: products of named units with metric prefixes and integer exponents, compared with the wanted
 * dimension. */
#include "bind/tables/units.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct named {
  const char *name;
  double factor;
  int power[SL_DIMENSIONS];
  bool prefixes;
} named;

#define PI 3.14159265358979323846
static const named units[] = {
    {"m", 1, {1}, true},
    {"g", 1e-3, {0, 1}, true},
    {"s", 1, {0, 0, 1}, true},
    {"t", 1e3, {0, 1}, true},
    {"in", 0.0254, {1}, false},
    {"ft", 0.3048, {1}, false},
    {"min", 60, {0, 0, 1}, false},
    {"h", 3600, {0, 0, 1}, false},
    {"rad", 1, {0, 0, 0, 1}, true},
    {"deg", PI / 180, {0, 0, 0, 1}, false},
    {"°", PI / 180, {0, 0, 0, 1}, false},
    {"rev", 2 * PI, {0, 0, 0, 1}, false},
    {"rpm", 2 * PI / 60, {0, 0, -1, 1}, false},
    {"N", 1, {1, 1, -2}, true},
    {"Pa", 1, {-1, 1, -2}, true},
    {"bar", 1e5, {-1, 1, -2}, true},
    {"J", 1, {2, 1, -2}, true},
    {"W", 1, {2, 1, -3}, true},
    {"Hz", 1, {0, 0, -1}, true},
    {"l", 1e-3, {3}, true},
    {"L", 1e-3, {3}, true},
    {"%", 1e-2, {0}, false},
};
enum { UNITS = sizeof units / sizeof *units };

typedef struct prefix {
  const char *name;
  double factor;
} prefix;
static const prefix prefixes[] = {{"", 1}, {"k", 1e3}, {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6}, {"µ", 1e-6},
    {"μ", 1e-6}, {"n", 1e-9}, {"M", 1e6}, {"G", 1e9}, {"d", 1e-1}, {"h", 1e2}};
enum { PREFIXES = sizeof prefixes / sizeof *prefixes };

/* Finds the unit with a name of `length` bytes. Names without prefix come first, so that "min" is not a
 * milli-inch. */
static bool find_unit(const char *text, size_t length, sl_unit *out) {
  for (int p = 0; p < PREFIXES; p++) {
    size_t skip = strlen(prefixes[p].name);
    if (skip >= length || strncmp(text, prefixes[p].name, skip)) continue;
    for (int u = 0; u < UNITS; u++) {
      if ((p && !units[u].prefixes) || strlen(units[u].name) != length - skip ||
          strncmp(text + skip, units[u].name, length - skip))
        continue;
      out->factor = prefixes[p].factor * units[u].factor;
      memcpy(out->power, units[u].power, sizeof out->power);
      return true;
    }
  }
  return false;
}

static bool is_unit_letter(unsigned char c) { return isalpha(c) || c >= 0x80 || c == '%'; }

static double power_of(double x, int n) {
  double y = 1;
  for (int i = 0; i < abs(n); i++) y *= x;
  return n < 0 ? 1 / y : y;
}

/* Multiplies out by one factor "name", "name2", "name^-2" or "1"; sign is -1 after a slash. */
static bool read_factor(const char **at, int sign, sl_unit *out) {
  const char *name = *at;
  sl_unit one;
  if (*name == '1' && !isdigit((unsigned char)name[1])) {
    *at = name + 1;
    return true;
  }
  size_t length = 0;
  while (is_unit_letter((unsigned char)name[length])) length++;
  if (!length || !find_unit(name, length, &one)) return false;
  *at += length;
  int power = 1;
  bool caret = **at == '^';
  if (caret) ++*at;
  if (isdigit((unsigned char)**at) || (caret && **at == '-')) {
    char *end;
    long read = strtol(*at, &end, 10);
    if (end == *at || labs(read) > 9) return false;
    *at = end, power = (int)read;
  } else if (caret) return false;
  out->factor *= power_of(one.factor, sign * power);
  for (int k = 0; k < SL_DIMENSIONS; k++) out->power[k] += sign * power * one.power[k];
  return true;
}

bool sl_unit_read(const char *text, sl_unit *out) {
  *out = (sl_unit){.factor = 1};
  const char *at = text;
  int sign = 1;
  bool wanted = false;
  for (;;) {
    while (*at == ' ') at++;
    if (!*at) return !wanted;
    if ((at != text || *at == '/') && !wanted && (*at == '/' || *at == '*' || *at == '.')) {
      sign = *at++ == '/' ? -1 : 1;
      wanted = true;
      continue;
    }
    if (!read_factor(&at, sign, out)) return false;
    sign = 1, wanted = false;
  }
}

/* Reads a number like sl_number_read, but a number that is too large becomes infinite. */
static bool read_any(const char *text, size_t length, double *value) {
  char copy[64], *end;
  if (!length || length >= sizeof copy) return false;
  memcpy(copy, text, length);
  copy[length] = 0;
  const char *digits = copy + (*copy == '-' || *copy == '+');
  if (!isdigit((unsigned char)*digits) && !(*digits == '.' && isdigit((unsigned char)digits[1])))
    return false;
  if (strspn(digits, "0123456789.eE+-") != strlen(digits)) return false;
  *value = strtod(copy, &end);
  return !*end;
}

bool sl_number_read(const char *text, size_t length, double *value) {
  return read_any(text, length, value) && isfinite(*value);
}

sl_quantity sl_quantity_read(const char *text, const char *wanted, double *value) {
  size_t best = 0, length = strlen(text);
  double number = 0, read;
  for (size_t n = 1; n <= length && n < 64; n++)
    if (read_any(text, n, &read)) best = n, number = read;
  if (!best) return SL_QUANTITY_NONE;
  if (!isfinite(number)) return SL_QUANTITY_RANGE;
  const char *rest = text + best;
  while (*rest == ' ') rest++;
  sl_unit have, want;
  *value = number;
  if (!*rest) return SL_QUANTITY_FINE;
  if (!sl_unit_read(rest, &have)) return SL_QUANTITY_UNKNOWN;
  *value = number * have.factor;
  if (!isfinite(*value)) return SL_QUANTITY_RANGE;
  if (!wanted) return SL_QUANTITY_FINE;
  if (!sl_unit_read(wanted, &want) || memcmp(have.power, want.power, sizeof have.power))
    return SL_QUANTITY_DIMENSION;
  return SL_QUANTITY_FINE;
}

const char *sl_unit_words(const char *unit) {
  static const struct {
    const char *unit, *words;
  } table[] = {
      {"", "a number"},
      {"m", "a length such as 0.06 or \"60 mm\""},
      {"s", "a time such as 2.5 or \"20 s\""},
      {"kg", "a mass such as 0.5 or \"500 g\""},
      {"kg/m3", "a density such as 2650 or \"2.65 g/cm3\""},
      {"rad", "an angle such as 0.5 or \"35 deg\""},
      {"m/s", "a speed such as 1 or \"50 mm/s\""},
      {"m/s2", "an acceleration such as 9.81"},
      {"rad/s", "an angular velocity such as 1 or \"30 rpm\""},
      {"N", "a force such as 10 or \"2 kN\""},
      {"Pa", "a pressure such as 1e5 or \"1 bar\""},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (unit && !strcmp(table[i].unit, unit)) return table[i].words;
  return "a number";
}
