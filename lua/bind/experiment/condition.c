/* Reading and judging conditions. */
#include "bind/experiment/condition.h"
#include "bind/tables/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- reading ---- */

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t"); }

static bool refuse_condition(char why[256], const char *expected, const char *at) {
  if (*at) snprintf(why, 256, "expected %s at '%.60s'", expected, at);
  else snprintf(why, 256, "expected %s at the end", expected);
  return false;
}

/* Reads the name of a column: letters, digits and _. */
static bool read_column_name(const char **at, char out[SL_TERM_NAME]) {
  size_t length = 0;
  while (isalnum((unsigned char)(*at)[length]) || (*at)[length] == '_') length++;
  if (!length || length >= SL_TERM_NAME || isdigit((unsigned char)**at)) return false;
  memcpy(out, *at, length);
  out[length] = 0;
  *at = skip_blanks(*at + length);
  return true;
}

static bool read_relation(const char **at, sl_relation *out) {
  if (**at != '<' && **at != '>') return false;
  bool equal = (*at)[1] == '=';
  *out = **at == '<' ? equal ? SL_LESS_EQUAL : SL_LESS : equal ? SL_GREATER_EQUAL : SL_GREATER;
  *at = skip_blanks(*at + 1 + equal);
  return true;
}

/* Returns the position of a word between blanks in the text, or the end of the text if it does not occur. */
static const char *find_word(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if (at > text && at[-1] == ' ' && at[length] == ' ') return at;
  return text + strlen(text);
}

/* Reads the quantity of a term, which extends to the next "and" or "for". */
static bool read_threshold(const char **at, char out[SL_TERM_NAME]) {
  const char *and = find_word(*at, "and"), *hold = find_word(*at, "for"), *end = and < hold ? and : hold;
  size_t length = (size_t)(end - *at);
  while (length && ((*at)[length - 1] == ' ' || (*at)[length - 1] == '\t')) length--;
  if (!length || length >= SL_TERM_NAME) return false;
  memcpy(out, *at, length);
  out[length] = 0;
  *at = end;
  return true;
}

static bool read_term(const char **at, sl_term *out, char why[256]) {
  if (!read_column_name(at, out->name))
    return refuse_condition(why, "the name of a column of series.csv", *at);
  if (!read_relation(at, &out->relation)) return refuse_condition(why, "<, <=, > or >=", *at);
  const char *start = *at;
  if (!read_threshold(at, out->quantity) ||
      sl_quantity_read(out->quantity, NULL, &out->value) != SL_QUANTITY_FINE)
    return refuse_condition(why, "a number with or without a unit", start);
  return true;
}

bool sl_condition_read(const char *text, sl_condition *out, char why[256]) {
  char hold[SL_TERM_NAME];
  *out = (sl_condition){.since = NAN};
  const char *at = skip_blanks(text);
  do {
    if (out->terms) at = skip_blanks(at + 3);
    if (out->terms == SL_TERMS) return snprintf(why, 256, "at most %d comparisons", SL_TERMS), false;
    if (!read_term(&at, out->term + out->terms, why)) return false;
    out->terms++;
  } while (!strncmp(at, "and", 3));
  if (!*at) return true;
  at = skip_blanks(at + 3);
  if (!read_threshold(&at, hold) || *at || sl_quantity_read(hold, "s", &out->hold) != SL_QUANTITY_FINE ||
      !(out->hold >= 0))
    return refuse_condition(why, "a time such as \"0.1 s\" after for", *at ? at : hold);
  return true;
}

/* ---- judging ---- */

bool sl_term_fits(const sl_term *term, const char *unit) {
  double value;
  return sl_quantity_read(term->quantity, unit, &value) == SL_QUANTITY_FINE;
}

double sl_term_factor(const sl_term *term, const char *unit) {
  double value;
  sl_unit column;
  /* an unknown unit fits only a number without a unit */
  const bool has_unit = sl_quantity_read(term->quantity, "?", &value) != SL_QUANTITY_FINE;
  return has_unit && sl_unit_read(unit, &column) ? column.factor : 1;
}

bool sl_term_true(const sl_term *term, double value) {
  switch (term->relation) {
  case SL_LESS: return value < term->value;
  case SL_LESS_EQUAL: return value <= term->value;
  case SL_GREATER: return value > term->value;
  default: return value >= term->value;
  }
}

void sl_condition_look(sl_condition *c, double time, bool now) {
  if (!now) c->since = NAN;
  else if (isnan(c->since)) c->since = time;
  /* a rounding error of the time must not delay the end of the run by a step */
  if (now && time - c->since >= c->hold * (1 - 1e-9)) c->met = true;
}
