/* Tables as the program itself writes them: a line of names, then rows of numbers and words. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <stdint.h>

enum { CSV_COLUMNS = 512 };

typedef struct csv {
  char *text;   /* the file; cells end with 0 once they are cut. Of a large file the first line only */
  int file;     /* a large file, whose rows are read anew for each column; -1: the text has all */
  int64_t body; /* where its first row begins [bytes] */
  int columns, rows;
  const char *name[CSV_COLUMNS];
  char **line; /* [rows] start of each row; NULL: the file is large, or has quotes, and all cells are cut */
  char **cell; /* [rows x columns]; NULL: not cut yet */
  char empty[1];
} csv;

/* Opens a table. Files of more than CSV_WHOLE bytes without quotes are not held in memory: a column of them
 * takes 8 bytes a row. Returns NULL after a message on stderr if the file cannot be read. */
enum { CSV_WHOLE = 64 << 20 };
csv *csv_open(const char *path);
void csv_close(csv *table);
/* Returns the index of the column with a name, or else of the first column whose name is this name
 * followed by a unit, "name [unit]"; -1: there is none. */
int csv_column(const csv *table, const char *name);
/* Cuts all rows into cells, so that `cell` is set if there are rows. Returns false without memory. */
int csv_cut_cells(csv *table);
/* Returns a column as numbers, allocated; words become NaN. Does not read other columns. */
double *csv_numbers(const csv *table, int column);

#endif
