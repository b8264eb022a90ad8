/* Quantities with units in text: "60 mm", "35 deg", "2.65 g/cm3". */
#ifndef SL_UNITS_H
#define SL_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* Exponents of length, mass, time and angle. */
enum { SL_LENGTH, SL_MASS, SL_TIME, SL_ANGLE, SL_DIMENSIONS };
typedef struct sl_unit {
  double factor;
  int power[SL_DIMENSIONS];
} sl_unit;

typedef enum sl_quantity {
  SL_QUANTITY_FINE,
  SL_QUANTITY_NONE,     /* the text does not begin with a number */
  SL_QUANTITY_RANGE,    /* the number is too large for a number */
  SL_QUANTITY_UNKNOWN,  /* a unit in it is not known */
  SL_QUANTITY_DIMENSION /* the unit measures something else */
} sl_quantity;

/* Reads a unit such as "m/s2", "g/cm3", "N m", "1/s"; "" is a pure number. False if a part is unknown. */
bool sl_unit_read(const char *text, sl_unit *out);
/* Reads a number with or without unit; without one it is in SI. wanted is the SI unit of the result (""
 * for pure numbers; NULL: any). A number with a unit where none is wanted has the wrong dimension. */
sl_quantity sl_quantity_read(const char *text, const char *wanted, double *value);
/* Reads a number in the C notation, whole text, whatever the locale; no hexadecimal, no infinity, no NaN. */
bool sl_number_read(const char *text, size_t length, double *value);
/* Words for what a unit measures, e.g. "a length such as \"60 mm\"". */
const char *sl_unit_words(const char *unit);

#endif
