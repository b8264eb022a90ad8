/* Quantities with units in text: "60 mm", "35 deg", "2.65 g/cm3". */
#ifndef SL_UNITS_H
#define SL_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* Base dimensions, indices of sl_unit.power. */
enum { SL_LENGTH, SL_MASS, SL_TIME, SL_ANGLE, SL_DIMENSIONS };
typedef struct sl_unit {
  double factor;            /* size of the unit in SI units */
  int power[SL_DIMENSIONS]; /* exponents of the base dimensions */
} sl_unit;

/* Result of reading a quantity. */
typedef enum sl_quantity {
  SL_QUANTITY_FINE,
  SL_QUANTITY_NONE,     /* the text does not begin with a number */
  SL_QUANTITY_RANGE,    /* the number is too large for a double */
  SL_QUANTITY_UNKNOWN,  /* the text has an unknown unit */
  SL_QUANTITY_DIMENSION /* the unit has another dimension than the wanted one */
} sl_quantity;

/* Reads a unit such as "m/s2", "g/cm3", "N m", "1/s"; "" is a pure number. Returns false if a part of the
 * text is not a known unit. */
bool sl_unit_read(const char *text, sl_unit *out);
/* Reads a number with or without unit; a number without unit is in SI units. wanted: SI unit of the
 * result; "": pure number; NULL: any unit. A unit in a pure number is a wrong dimension. */
sl_quantity sl_quantity_read(const char *text, const char *wanted, double *value);
/* Reads a text that is a number in C notation, in any locale. Returns false for hexadecimal numbers,
 * infinity and NaN. */
bool sl_number_read(const char *text, size_t length, double *value);
/* Returns a description of the quantity that a unit measures, such as "a length such as \"60 mm\"". */
const char *sl_unit_words(const char *unit);

#endif
