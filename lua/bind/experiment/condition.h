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
  int terms;    /* 0: no condition */
  double hold;  /* it must be true for so long [s] */
  double since; /* true since this time [s]; NaN: not true at the last look */
  bool met;
} sl_condition;

/* Reads TERM [and TERM ...] [for DURATION] with TERM = NAME RELATION QUANTITY. False with a reason. */
bool sl_condition_read(const char *text, sl_condition *out, char why[256]);
/* Whether a term's quantity fits a column of this SI unit ("" for pure numbers). */
bool sl_term_fits(const sl_term *term, const char *unit);
/* Returns the factor that converts values of a column in this unit to the unit of term->value: 1 if the term
 * has a number without a unit, which is in the unit of the column. */
double sl_term_factor(const sl_term *term, const char *unit);
/* Whether a term is true of a value; NaN never is. */
bool sl_term_true(const sl_term *term, double value);
/* One look at the condition, at a time [s] that is not before the last: notes since when it is true, and
 * whether it is met. */
void sl_condition_look(sl_condition *condition, double time, bool now);

#endif
