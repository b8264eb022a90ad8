/* Reads numbers in text, independently of the locale. */
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/grains/grains.h"

enum { NUMBER_TEXT = 128, EXACT_POWER = 22, MANTISSA_DIGITS = 19, EXPONENT_MOST = 100000 };
static const double power_of_ten[EXACT_POWER + 1] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
    1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The parts of a decimal number: sign, mantissa and exponent of 10. */
typedef struct parts {
  bool is_negative, is_exact; /* is_exact: the mantissa contains all digits */
  uint64_t mantissa;
  int exponent; /* exponent of ten */
} parts;

/* Reads the digits and the decimal sign into p. Returns the position after them; NULL if there is no
 * digit. */
static const char *read_digits(const char *at, const char *end, char decimal, parts *p) {
  int digits = 0, any = 0;
  bool is_behind = false;
  for (; at < end; at++) {
    if (*at == decimal && !is_behind) {
      is_behind = true;
      continue;
    }
    if (*at < '0' || *at > '9') break;
    any = 1;
    if (digits < MANTISSA_DIGITS) {
      p->mantissa = 10 * p->mantissa + (uint64_t)(*at - '0');
      digits += p->mantissa > 0;
      p->exponent -= is_behind;
    } else {
      p->is_exact = false;
      p->exponent += !is_behind;
    }
  }
  return any ? at : NULL;
}

/* Adds an exponent such as "e-3", from `at` to `end`, to p->exponent. Returns false if the text is not an
 * exponent. */
static bool read_exponent(const char *at, const char *end, parts *p) {
  if (at == end || !strchr("eEdD", *at)) return false;
  const bool is_negative = ++at < end && *at == '-';
  int value = 0;
  if (at < end && (*at == '-' || *at == '+')) at++;
  if (at == end) return false;
  for (; at < end; at++) {
    if (*at < '0' || *at > '9') return false;
    if (value < EXPONENT_MOST) value = 10 * value + (*at - '0');
  }
  p->exponent += is_negative ? -value : value;
  return true;
}

/* Converts a number with strtod. The caller has checked the syntax. Returns false if the text is too long or
 * the value is not finite. */
static bool convert_digits(const char *at, size_t length, char decimal, double *out) {
  char text[NUMBER_TEXT];
  if (length >= sizeof text) return false;
  const char point = *localeconv()->decimal_point;
  for (size_t k = 0; k < length; k++)
    text[k] = at[k] == decimal ? point : at[k] == 'd' || at[k] == 'D' ? 'e' : at[k];
  text[length] = 0;
  *out = strtod(text, NULL);
  return isfinite(*out);
}

bool sc_grain_number(const char *at, size_t length, char decimal, double *out) {
  const char *end = at + length, *begin = at;
  parts p = {.is_exact = true};
  if (at < end && (*at == '-' || *at == '+')) p.is_negative = *at++ == '-';
  at = read_digits(at, end, decimal, &p);
  if (!at || (at < end && !read_exponent(at, end, &p))) return false;
  if (!p.is_exact || p.mantissa >> 53 || abs(p.exponent) > EXACT_POWER)
    return convert_digits(begin, length, decimal, out);
  const double m = (double)p.mantissa,
               v = p.exponent < 0 ? m / power_of_ten[-p.exponent] : m * power_of_ten[p.exponent];
  *out = p.is_negative ? -v : v;
  return true;
}

bool sc_grain_whole(const char *at, size_t length, int64_t *out) {
  double value;
  if (!length || !isdigit((unsigned char)*at) || !sc_grain_number(at, length, '.', &value)) return false;
  if (value != floor(value) || value > 9007199254740992.0) return false;
  *out = (int64_t)value;
  return true;
}
