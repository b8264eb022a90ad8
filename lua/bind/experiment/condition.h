/* Conditions that end a run: "max_speed < 1 mm/s and contacts > 100 for 0.1 s". Names are columns of
 * series.csv. */
#ifndef SL_CONDITION_H
#define SL_CONDITION_H

#include <stdbool.h>

enum { SL_TERMS = 8, SL_TERM_NAME = 64, SL_CONDITION_TEXT = 512 };
typedef enum sl_relation { SL_LESS, SL_LESS_EQUAL, SL_GREATER, SL_GREATER_EQUAL } sl_relation;

typedef struct sl_term {
  char name[SL_TERM_NAME], quantity[SL_TERM_NAME];
  sl_relation relation;
  double value;
} sl_term;
typedef struct sl_condition {
  sl_term term[SL_TERMS];
  int terms;   /* number of terms; 0: no condition */
  double hold; /* time for which the condition must be true [s] */
  /* time since which the condition has been true [s]; NaN: it was false at the last evaluation */
  double since;
  bool met;
} sl_condition;

/* Reads TERM [and TERM ...] [for DURATION] with TERM = NAME RELATION QUANTITY. On failure returns false
 * and writes the reason to why. */
bool sl_condition_read(const char *text, sl_condition *out, char why[256]);
/* Returns whether the quantity of a term fits a column with this SI unit ("": pure number). */
bool sl_term_fits(const sl_term *term, const char *unit);
/* Returns the factor that converts values of a column with this unit to the unit of term->value. Returns 1 if
 * the term has a number without a unit, because this number is in the unit of the column. */
double sl_term_factor(const sl_term *term, const char *unit);
/* Returns whether a term is true for a value; false for NaN. */
bool sl_term_true(const sl_term *term, double value);
/* Updates `since` and `met` of the condition at `time` [s]. The time must not decrease between calls. now:
 * all terms are true at this time. */
void sl_condition_look(sl_condition *condition, double time, bool now);

#endif
