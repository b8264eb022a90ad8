/* Columns: one number for each body, such as a temperature. Values move with their bodies. Checkpoints,
 * frames, trajectories, exports and pictures contain columns. No step reads or changes them. */
#ifndef SCREE_COLUMN_H
#define SCREE_COLUMN_H

#include <stdint.h>
#include "scree/status.h"
#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SCREE_COLUMN_TEXT = 63, /* largest number of characters of a name or a unit */
  SCREE_COLUMNS_MOST = 64 /* largest number of columns in a world */
};

typedef struct scree_column {
  char name[SCREE_COLUMN_TEXT + 1]; /* begins with a letter or _; then letters, digits and _ */
  char unit[SCREE_COLUMN_TEXT + 1]; /* unit as a text for people; "": none */
  double declared;                  /* value that every body got when the column was declared */
  /* value of new bodies: `declared`, or the value of the last scree_world_fill_column */
  double preset;
} scree_column;

/* Declares a column. If a column with this name, unit and preset exists, finds it. unit may be NULL. Returns
 * the index of the column. Returns -1 with an error if the name is not valid or is a field that every body
 * has, if the column exists with another unit or preset, or without memory. Collective on several ranks. */
int scree_world_declare_column(
    scree_world *world, const char *name, const char *unit, double preset, scree_error *error);
/* Returns the number of columns. */
int scree_world_columns_count(const scree_world *world);
/* Returns the column with an index, or NULL if there is none. The pointer is valid until a column is declared
 * or a checkpoint is loaded. */
const scree_column *scree_world_column(const scree_world *world, int index);
/* Returns the index of a column. If there is no such column, returns -1 and suggests the most similar name in
 * the error. Loading a checkpoint may change the index. */
int scree_world_find_column(const scree_world *world, const char *name, scree_error *error);
/* Sets *value to the value of a body, on every rank. Returns SCREE_E_STALE if the body was removed.
 * Collective on several ranks. */
scree_status scree_world_get_value(
    const scree_world *world, int column, scree_id body, double *value, scree_error *error);
/* Sets the value of a body, which must be finite. Returns SCREE_E_STALE if the body was removed. */
scree_status scree_world_set_value(
    scree_world *world, int column, scree_id body, double value, scree_error *error);
/* Sets the value of all bodies and the value that later bodies get. The value must be finite. */
scree_status scree_world_fill_column(scree_world *world, int column, double value, scree_error *error);
/* Returns the values of all bodies of this rank, in the order of rows of scree_world_view; NULL if there is
 * no such column. The value of a row has the index row * *stride. The caller may change the values. The
 * pointer is valid as long as pointers of scree_world_view. */
double *scree_world_column_values(scree_world *world, int column, int64_t *rows, int *stride);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
