/* Tables as the program itself writes them: a line of names, then rows of numbers and words. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

enum { CSV_COLUMNS = 512 };

typedef struct csv {
  char *text; /* the file; cells end with 0 once they are cut */
  int columns, rows;
  const char *name[CSV_COLUMNS];
  char **line; /* [rows] start of each row; NULL: the file has quotes, and all cells are cut at once */
  char **cell; /* [rows x columns]; NULL: not cut yet */
  char empty[1];
} csv;

/* NULL and a message on stderr where the file cannot be read. */
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
