/* Tables in the form that the program writes: a line of names, then rows of numbers and words. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <stdint.h>
#include <stdio.h>

enum { CSV_COLUMNS = 512 }; /* maximum number of columns; further columns are ignored */

/* An open table. */
typedef struct csv {
  char *text;   /* the file; each cell ends with 0 after cutting. For a large file only the first line */
  int file;     /* large file, whose rows are read again for each column; -1: the text has all rows */
  int64_t body; /* large file: offset of its first row [bytes] */
  int columns, rows;
  const char *name[CSV_COLUMNS];
  char **line; /* [rows] start of each row; NULL: the file is large, or all cells are cut */
  char **cell; /* [rows x columns]; NULL: not cut yet */
  char empty[1];
} csv;

enum { CSV_WHOLE = 64 << 20 }; /* larger files without quotes stay on the disk [bytes] */
/* Opens a table. command: name of the command in messages. If the file cannot be read, prints a message to
 * stderr and returns NULL. */
csv *csv_open(const char *command, const char *path);
/* Closes the table and frees it. */
void csv_close(csv *table);
/* Returns the index of the column with a name, or else of the first column whose name is this name
 * followed by a unit, "name [unit]"; -1: there is none. */
int csv_column(const csv *table, const char *name);
/* Cuts all rows into cells, so that `cell` is set. Returns false if out of memory. */
int csv_cut_cells(csv *table);
/* Returns a column as numbers; words become NaN. The caller frees it; NULL if out of memory. */
double *csv_numbers(const csv *table, int column);
/* Writes a text as one cell of a table, in quotes if necessary. */
void csv_put_cell(FILE *out, const char *text);

#endif
