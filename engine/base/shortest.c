/* Writes a number as a text with as few digits as possible that reads back as the same number, for messages
 * and files. */
#include "scree/param.h"
#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *scree_shortest(double value, char text[32]) {
  SC_DEMAND(text, NULL, NULL);
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, 32, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  /* integers below 1e15 are written without an exponent: 10, not 1e+01 */
  if (fabs(value) >= 1 && fabs(value) < 1e15 && value == floor(value)) snprintf(text, 32, "%.0f", value);
  return text;
}
