/* Columns of a scene's series (series.csv): those of the report, then those of the values that the scene
 * returns. */
#ifndef SL_COLUMNS_H
#define SL_COLUMNS_H

#include <lua.h>
#include "bind/scene/scene.h"

enum { SL_COLUMNS = 64, SL_COLUMN = 64, SL_UNIT = 24, SL_REPORT_COLUMNS = 21, SL_COLUMN_TEXT = 512 };

/* A column of the report. Every series has these columns. */
typedef struct sl_column {
  const char *name, *unit;
  size_t offset; /* offset of the member in scree_report [bytes] */
  int whole;     /* nonzero: the member is an int64_t, else a double */
} sl_column;

/* Columns of the values that the scene returns. */
typedef struct sl_columns {
  char name[SL_COLUMNS][SL_COLUMN]; /* [count] names in ascending order */
  char unit[SL_COLUMNS][SL_UNIT];   /* [count] units in the first row of this process; "": none */
  int count;
  bool units_known; /* the first row has set `unit` */
} sl_columns;

/* Returns a column of the report; index from 0 to SL_REPORT_COLUMNS - 1. */
const sl_column *sl_report_column(int index);
/* Returns the value of a column in a report. */
double sl_column_value(const sl_column *column, const scree_report *report);
/* Returns whether a name is allowed for a column: 1 to 63 bytes without comma, quote or control character. */
bool sl_column_fits(const char *name);

/* The following functions read the values of the scene from the table on top of the stack and do not
 * change the stack. If they return false, text says what the scene must do, beginning with "must". */

/* Sets the columns of the series to the names in the table. */
bool sl_columns_take(lua_State *L, sl_columns *columns, char text[SL_COLUMN_TEXT]);
/* Checks that the values have the units of the first row. The first call stores the units. */
bool sl_columns_check_units(lua_State *L, sl_columns *columns, char text[SL_COLUMN_TEXT]);
/* Checks that every name in the table is a column. Returns false for any other name. A name has no column if
 * its value was nil in the first row. */
bool sl_columns_check_names(lua_State *L, const sl_columns *columns, char text[SL_COLUMN_TEXT]);
/* Reads the value of column i into *value. Sets *value also if it returns false. */
bool sl_columns_read(
    lua_State *L, const sl_columns *columns, int i, double *value, char text[SL_COLUMN_TEXT]);

/* Evaluates the condition stop_when of a scene with a report and, if `own`, with the scene's values on top
 * of the stack. Updates scene->stop_when.met. Returns false with a text if the condition names an unknown
 * column or a unit of another dimension. */
bool sl_scene_judge(sl_scene *scene, const sl_columns *columns, const scree_report *report, bool own,
    char text[SL_COLUMN_TEXT]);

#endif
