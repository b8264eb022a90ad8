/* Tables of text: columns of numbers, such as recorded motions. */
#ifndef SCREE_TABLE_H
#define SCREE_TABLE_H

#include <stdint.h>
#include "scree/grains.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_table scree_table;

/* Reads a table of text: csv, tsv or columns separated by blanks, with a point or a comma as decimal sign.
 * Unpacks files that are compressed with gzip. separator: ",", ";", "\t", "|" or " "; NULL: recognised by
 * content. unit: recognises units in headers with round brackets and in lines of units; NULL: only square
 * brackets enclose units. Returns the table, to be freed with scree_table_destroy. Returns NULL with an error
 * that names the file. */
scree_table *scree_table_read(
    const char *path, const char *separator, scree_grains_unit *unit, scree_error *error);
/* Frees a table. NULL is allowed. */
void scree_table_destroy(scree_table *table);
/* Returns the number of rows. */
int64_t scree_table_rows(const scree_table *table);
/* Returns the number of columns. */
int scree_table_columns(const scree_table *table);
/* Returns the name of column number `column`, counted from 0; "" without a header; NULL if the index does not
 * exist. */
const char *scree_table_name(const scree_table *table, int column);
/* Returns the unit of a column in the header; "" if it has none; NULL if the index does not exist. */
const char *scree_table_unit(const scree_table *table, int column);
/* Returns the numbers of a column, one per row, in its unit. A cell that is not a number is NAN. Returns NULL
 * if the index does not exist. */
const double *scree_table_values(const scree_table *table, int column);
/* Returns the number of the line in the file that contains a row, from 1; 0 if the row does not exist. */
int64_t scree_table_line(const scree_table *table, int64_t row);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
