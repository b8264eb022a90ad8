/* Quantities by which bodies are coloured. */
#ifndef CLI_PICTURE_FIELD_H
#define CLI_PICTURE_FIELD_H

#include "scree/scree.h"

typedef enum field_kind {
  FIELD_NUMBER,
  FIELD_GROUP, /* bodies have the colours of their groups; there is no bar */
  FIELD_NONE   /* all bodies have one colour */
} field_kind;

/* A quantity. */
typedef struct field {
  const char *name, *label, *unit, *doc;
  int kind;     /* a value of field_kind */
  int needs;    /* SCREE_FIELD_... that frames must have */
  int negative; /* 0: values are never negative, and the colour bar begins at 0 */
} field;

/* Returns the built-in field with a name; NULL after a message of `command` with the nearest name. */
const field *field_find(const char *command, const char *name);
/* Returns the field with a name, or the script's column with this name in the first frame. Name NULL:
 * speed, or one colour for all if the trajectory has no velocities. */
const field *field_chosen(const char *command, scree_reader *reader, const char *name);
/* Checks that the trajectory has the data of the field. Returns an exit code after a message with the
 * remedy. */
int field_kept(const char *command, const field *f, scree_reader *reader);
/* Computes the values of all bodies of the frame, out[bodies]. */
void field_values(const field *f, const scree_frame *frame, double *out);

/* Smallest and largest value. */
typedef struct field_range {
  double low, high; /* low > high: no value yet */
} field_range;
/* Returns the range of the colour bar for values of free bodies. Bodies that would move less than a
 * thousandth of their size [m] in the duration [s] count as at rest; the range is then at least that. */
field_range field_bar(const field *f, field_range values, double size, double duration);
/* Computes up to `most` round numbers in [low, high] as marks of a bar. Returns their number. */
int field_marks(field_range range, double *out, int most);

#endif
