/* Tables of parameters: one description feeds defaults, checks, messages, help, docs and schema.
 *
 * A def struct (scree_body_def, scree_pair_def, ...) is described by a const array of scree_param. Each entry
 * says where the value lives in the struct, its type, unit, default, bounds and a one-line doc. */
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
  SCREE_CHOICE,  /* int, index into the '|'-separated choices */
  SCREE_VEC3,    /* double[3] */
  SCREE_QUAT,    /* double[4], (w,x,y,z), normalised on the way in */
  SCREE_OPAQUE   /* known name, read by special code of the binding (functions, nested tables) */
} scree_type;

enum {
  SCREE_REQUIRED = 1,  /* must be given */
  SCREE_POSITIVE = 2,  /* > 0 rather than >= min; vectors: every component */
  SCREE_UNBOUNDED = 4, /* +infinity is a legal value */
  SCREE_NONZERO = 8    /* vectors: length > 0 */
};

typedef struct scree_param {
  const char *name;
  scree_type type;
  int flags;
  const char *unit;    /* SI unit as text, "" for none */
  double fallback;     /* default for REAL, INTEGER, BOOLEAN, CHOICE */
  double min, max;     /* inclusive bounds for REAL and INTEGER; min == max == 0 means no bounds */
  size_t offset;       /* offsetof the member in the def struct */
  const char *choices; /* "a|b|c" for CHOICE, else NULL */
  const char *doc;     /* one line */
  /* Names of the solvers, steppers and joint types that read the value, "a|b|c"; NULL: it is always read. If
   * the names are of several kinds, the value is read only if one name of each kind is selected. */
  const char *readers;
} scree_param;

/* Rows of parameter tables without the columns that a type does not use. at: offset of the member. The
 * variable arguments are the doc text and, optionally, the readers of the value. */
#define SCREE_ROW_REAL(name, at, unit, value, min, max, ...) \
  { name, SCREE_REAL, 0, unit, value, min, max, at, NULL, __VA_ARGS__ }
#define SCREE_ROW_POSITIVE(name, at, unit, value, ...) \
  { name, SCREE_REAL, SCREE_POSITIVE, unit, value, 0, 0, at, NULL, __VA_ARGS__ }
/* Row of a real number >= 0 that is infinite by default. */
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
/* Row of an optional value of the type SCREE_OPAQUE. */
#define SCREE_ROW_VALUE(name, unit, ...) \
  { name, SCREE_OPAQUE, 0, unit, 0, 0, 0, 0, NULL, __VA_ARGS__ }
/* Row of a required value of the type SCREE_OPAQUE. */
#define SCREE_ROW_NEEDED(name, unit, ...) \
  { name, SCREE_OPAQUE, SCREE_REQUIRED, unit, 0, 0, 0, 0, NULL, __VA_ARGS__ }

/* A reader that is in force, for example the solver of a world. */
typedef struct scree_param_reader {
  const char *phrase;           /* for messages: "with the solver" */
  const char *name;             /* name of the reader */
  const char *(*at)(int index); /* names of the kind; NULL past the last */
} scree_param_reader;

/* Sets every member described by the table to its default. Strings become NULL, vectors 0, quaternions
 * (1,0,0,0). */
void scree_param_defaults(const scree_param *params, int count, void *def);

/* Checks one value already stored in def against its table entry (finite, bounds, nonzero).
 * path names the place for the message, e.g. "world.gravity". */
scree_status scree_param_check(
    const scree_param *param, const void *def, const char *path, scree_error *error);
/* Checks all values of def with scree_param_check, except optional numbers that have their default. prefix
 * names the table in messages; "": messages have the names of the keys only. */
scree_status scree_param_check_all(
    const scree_param *params, int count, const void *def, const char *prefix, scree_error *error);

/* Returns whether the reader reads the parameter: true if param->readers has its name, or no name of its
 * kind. */
int scree_param_is_read(const scree_param *param, const scree_param_reader *reader);
/* Fails with SCREE_E_ARGUMENT because the reader does not read the parameter; the message names those that
 * do. */
scree_status scree_param_refuse(
    const scree_param *param, const scree_param_reader *reader, const char *path, scree_error *error);
/* Refuses the first parameter of the table that the reader does not read although its value in def is not
 * the default. prefix names the table in messages: "world.solver". */
scree_status scree_param_check_read(const scree_param *params, int count, const void *def,
    const scree_param_reader *reader, const char *prefix, scree_error *error);

/* Writes the shortest decimal that reads back as value to text, and returns text. Whole numbers below 1e15
 * have no exponent. */
const char *scree_shortest(double value, char text[32]);
/* Returns the entry with this name, or NULL. */
const scree_param *scree_param_find(const scree_param *params, int count, const char *name);

/* Returns the nearest of count names (each read with get(context, i)) by edit distance, or NULL if no name is
 * near enough to be a typing error. */
const char *scree_nearest_name(
    const char *name, int count, const char *(*get)(const void *context, int i), const void *context);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
