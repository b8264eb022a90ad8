/* Numbers that bodies are coloured by. */
#ifndef CLI_PICTURE_FIELD_H
#define CLI_PICTURE_FIELD_H

#include "scree/scree.h"

typedef enum field_kind {
  FIELD_NUMBER,
  FIELD_GROUP, /* colours of groups, no bar */
  FIELD_NONE   /* one colour */
} field_kind;

typedef struct field {
  const char *name, *label, *unit, *doc;
  int kind;     /* field_kind */
  int needs;    /* SCREE_FIELD_... */
  int negative; /* 0: never below 0: bars of what moves begin there */
} field;

/* By name; NULL after a message of `command` with the nearest name. */
const field *field_find(const char *command, const char *name);
/* The field of that name, or the column of the script that the first frame has. Without a name speed, or one
 * colour for all where no velocities are kept. */
const field *field_chosen(const char *command, scree_reader *reader, const char *name);
/* Whether the trajectory keeps what the field needs: an exit code, after a message with the remedy. */
int field_kept(const char *command, const field *f, scree_reader *reader);
/* The values of all bodies of the frame, out[bodies]. */
void field_values(const field *f, const scree_frame *frame, double *out);

/* Least and greatest value. */
typedef struct field_range {
  double low, high; /* low > high: nothing seen yet */
} field_range;
/* Returns the range of the colour bar for values of free bodies. Bodies so slow that they would not move a
 * thousandth of their size [m] in the duration [s] are at rest, and the range shows it. */
field_range field_bar(const field *f, field_range values, double size, double duration);
/* Marks for a bar: up to `most` round numbers in [low, high]; their count. */
int field_marks(field_range range, double *out, int most);

#endif
