/* Columns: a number for each body, such as a temperature. Values move with their bodies. Checkpoints and
 * frames have them, and so have trajectories, exports and pictures. No step reads or changes them. */
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
  SCREE_COLUMN_TEXT = 63, /* a name or a unit has fewer characters */
  SCREE_COLUMNS_MOST = 64 /* columns of a world */
};

typedef struct scree_column {
  char name[SCREE_COLUMN_TEXT + 1]; /* a letter or _, then letters, digits and _ */
  char unit[SCREE_COLUMN_TEXT + 1]; /* for readers; "" without one */
  double declared;                  /* value of every body when the column was declared */
  double preset;                    /* value of new bodies: `declared`, or that of scree_world_fill_column */
} scree_column;

/* Declares a column, or finds the column of that name with the same unit and preset. unit may be NULL.
 * Returns the index of the column, or -1 with an error: a bad name, a name of a field that every body has, a
 * column with another unit or preset, or no memory. On several ranks all must call this function. */
int scree_world_declare_column(
    scree_world *world, const char *name, const char *unit, double preset, scree_error *error);
/* Returns the number of columns. */
int scree_world_columns_count(const scree_world *world);
/* Returns the column of an index, valid until a column is declared or a checkpoint is loaded; NULL if the
 * index does not exist. */
const scree_column *scree_world_column(const scree_world *world, int index);
/* Returns the index of a column, or -1 with an error that has the nearest name. Loading a checkpoint may
 * change the index. */
int scree_world_find_column(const scree_world *world, const char *name, scree_error *error);
/* Sets *value to the value of a body. On several ranks all must call this function, and all get the value.
 * Returns SCREE_E_STALE if the body was removed. */
scree_status scree_world_get_value(
    const scree_world *world, int column, scree_id body, double *value, scree_error *error);
/* Sets the value of a body; it must be finite. Returns SCREE_E_STALE if the body was removed. */
scree_status scree_world_set_value(
    scree_world *world, int column, scree_id body, double value, scree_error *error);
/* Sets the value of all bodies and of those that are made later; it must be finite. */
scree_status scree_world_fill_column(scree_world *world, int column, double value, scree_error *error);
/* Returns the values of all bodies of this rank, in the rows of scree_world_view: that of a row lies at
 * row * *stride. They may be changed, and are valid as long as a view. NULL if the index does not exist. */
double *scree_world_column_values(scree_world *world, int column, int64_t *rows, int *stride);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
