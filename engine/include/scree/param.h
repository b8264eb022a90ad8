/* Parameter tables: one description is the source of defaults, checks, messages, help, docs and schema.
 *
 * A struct of definitions (scree_body_def, scree_pair_def, ...) is described by a const array of scree_param.
 * Each entry has the place of a value in the struct, its type, unit, default, bounds and a text of one
 * line. */
#ifndef SCREE_PARAM_H
#define SCREE_PARAM_H

#include <stddef.h>
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_type {
  SCREE_REAL,    /* double */
  SCREE_INTEGER, /* int64_t */
  SCREE_BOOLEAN, /* int, 0 or 1 */
  SCREE_STRING,  /* const char *, borrowed for the duration of the call */
  SCREE_CHOICE,  /* int, index into `choices` */
  SCREE_VEC3,    /* double[3] */
  SCREE_QUAT,    /* double[4], (w,x,y,z), normalised when it is read */
  /* only the name is known; special code of the binding reads the value (functions, nested tables) */
  SCREE_OPAQUE
} scree_type;

enum {
  SCREE_REQUIRED = 1,  /* the value must be set */
  SCREE_POSITIVE = 2,  /* > 0 instead of >= min; vectors: every component */
  SCREE_UNBOUNDED = 4, /* +infinity is a legal value */
  SCREE_NONZERO = 8    /* vectors: length > 0 */
};

typedef struct scree_param {
  const char *name;
  scree_type type;
  int flags;
  const char *unit;    /* SI unit as text, "" for none */
  double fallback;     /* default value of REAL, INTEGER, BOOLEAN, CHOICE */
  double min, max;     /* inclusive bounds of REAL and INTEGER; min == max == 0: no bounds */
  size_t offset;       /* offset of the member in the struct of definitions [bytes] */
  const char *choices; /* CHOICE: the choices, "a|b|c"; else NULL */
  const char *doc;     /* description of the value in one line */
  /* Names of the solvers, steppers and joint types that read the value, "a|b|c"; NULL: the value is always
   * read. The names may be of several kinds. The value is then read only if, for each kind, a selected reader
   * is among the names. */
  const char *readers;
} scree_param;

/* Macros for rows of parameter tables, without the columns that a type does not use. at: offset of the
 * member. The variable arguments are the description and, optionally, the readers of the value. */
#define SCREE_ROW_REAL(name, at, unit, value, min, max, ...) \
  { name, SCREE_REAL, 0, unit, value, min, max, at, NULL, __VA_ARGS__ }
#define SCREE_ROW_POSITIVE(name, at, unit, value, ...) \
  { name, SCREE_REAL, SCREE_POSITIVE, unit, value, 0, 0, at, NULL, __VA_ARGS__ }
/* Row of a real number >= 0 whose default is INFINITY. */
#define SCREE_ROW_LIMIT(name, at, unit, ...) \
  { name, SCREE_REAL, SCREE_UNBOUNDED, unit, INFINITY, 0, INFINITY, at, NULL, __VA_ARGS__ }
#define SCREE_ROW_INTEGER(name, at, value, min, max, ...) \
  { name, SCREE_INTEGER, 0, "", value, min, max, at, NULL, __VA_ARGS__ }
#define SCREE_ROW_CHOICE(name, at, value, choices, ...) \
  { name, SCREE_CHOICE, 0, "", value, 0, 0, at, choices, __VA_ARGS__ }
#define SCREE_ROW_VEC3(name, at, unit, ...) \
  { name, SCREE_VEC3, 0, unit, 0, 0, 0, at, NULL, __VA_ARGS__ }
#define SCREE_ROW_QUAT(name, at, ...) \
  { name, SCREE_QUAT, 0, "", 0, 0, 0, at, NULL, __VA_ARGS__ }
#define SCREE_ROW_BOOLEAN(name, at, ...) \
  { name, SCREE_BOOLEAN, 0, "", 0, 0, 0, at, NULL, __VA_ARGS__ }
#define SCREE_ROW_STRING(name, at, ...) \
  { name, SCREE_STRING, 0, "", 0, 0, 0, at, NULL, __VA_ARGS__ }
/* Row of an optional value of type SCREE_OPAQUE. */
#define SCREE_ROW_VALUE(name, unit, ...) \
  { name, SCREE_OPAQUE, 0, unit, 0, 0, 0, 0, NULL, __VA_ARGS__ }
/* Row of a required value of type SCREE_OPAQUE. */
#define SCREE_ROW_NEEDED(name, unit, ...) \
  { name, SCREE_OPAQUE, SCREE_REQUIRED, unit, 0, 0, 0, 0, NULL, __VA_ARGS__ }

/* A selected reader, for example the solver of a world. */
typedef struct scree_param_reader {
  const char *phrase; /* phrase for messages, such as "with the solver" */
  const char *name;   /* name of the reader */
  /* returns the names of all readers of this kind (for example all solvers) by index; NULL past the last */
  const char *(*at)(int index);
} scree_param_reader;

/* Sets every member that the table describes to its default. Strings become NULL, vectors 0, quaternions
 * (1,0,0,0). */
void scree_param_defaults(const scree_param *params, int count, void *def);

/* Checks a value in *def against its table entry: finite, within bounds, nonzero. path: name of the value in
 * messages, e.g. "world.gravity". */
scree_status scree_param_check(
    const scree_param *param, const void *def, const char *path, scree_error *error);
/* Checks all values in *def with scree_param_check, except optional numbers that have their default. prefix:
 * name of the table in messages; "": messages only have the names of the keys. */
scree_status scree_param_check_all(
    const scree_param *params, int count, const void *def, const char *prefix, scree_error *error);

/* Returns 1 if the reader reads the parameter: if param->readers contains its name, or no name of its
 * kind. */
int scree_param_is_read(const scree_param *param, const scree_param_reader *reader);
/* Returns SCREE_E_ARGUMENT because the reader does not read the parameter. The message names the readers that
 * do. path: name of the value in the message. */
scree_status scree_param_refuse(
    const scree_param *param, const scree_param_reader *reader, const char *path, scree_error *error);
/* Fails for the first parameter whose value in *def is not the default and that the reader does not read.
 * prefix: name of the table in messages, such as "world.solver". */
scree_status scree_param_check_read(const scree_param *params, int count, const void *def,
    const scree_param_reader *reader, const char *prefix, scree_error *error);

/* Writes the shortest decimal number that is read back as `value` to text, and returns text. Whole numbers
 * below 1e15 have no exponent. */
const char *scree_shortest(double value, char text[32]);
/* Returns the entry with this name, or NULL if there is none. */
const scree_param *scree_param_find(const scree_param *params, int count, const char *name);

/* Returns the name with the smallest edit distance from `name` among the names get(context, i), 0 <= i <
 * count. Returns NULL if no name is similar enough for a typing error. A name that get returns must be valid
 * until the next call of get. */
const char *scree_nearest_name(
    const char *name, int count, const char *(*get)(const void *context, int i), const void *context);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
