/* Inside of the readers of grains: a file becomes a table of named columns, whatever its format, and the
 * table becomes grains (choose.c). */
#ifndef SC_IO_GRAINS_H
#define SC_IO_GRAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/base.h"
#include "scree/grains.h"
#include "scree/table.h"

enum {
  SC_GRAIN_COLUMNS = 512, /* columns of a table at most */
  SC_GRAIN_NAME = 63      /* characters of a name or a unit */
};

typedef struct sc_grain_column {
  char name[SC_GRAIN_NAME + 1]; /* "" without a header */
  char unit[SC_GRAIN_NAME + 1]; /* in the header; "" without one */
  double *value;                /* [rows]; NAN: the cell is no number */
  size_t capacity;
} sc_grain_column;

/* How lines of a table of text split into cells. */
typedef struct sc_grain_split {
  char separator; /* ' ': runs of blanks; 0: the cells of a line are no columns */
  char decimal;   /* '.' or ',' */
} sc_grain_split;

typedef struct sc_grain_table {
  const char *path;
  const char *bytes, *end; /* the whole file; a zero byte follows the end */
  sc_grain_column *column;
  int columns;
  size_t column_capacity;
  int64_t rows;
  size_t
      *place; /* [rows] where the line of the row begins in the file; NULL: the file has no lines of rows */
  size_t place_capacity;
  sc_grain_split split;
  int64_t frame, frames; /* which frame was read, counted from 1; how many there are */
  double time;           /* in the file's unit; NAN: unknown */
  bool has_cell;
  scree_cell cell;  /* in the file's unit of length; matrix, origin and periodic are set */
  bool is_diameter; /* a column without a name for sizes holds diameters */
  const char *note; /* what the format says about units; NULL: nothing */
  bool is_plain;    /* the table need not describe grains: rows may have one number, all frames are read */
} sc_grain_table;

/* A cell of text. */
typedef struct sc_grain_cell {
  const char *at;
  size_t length;
} sc_grain_cell;

/* ---- table.c ---- */
/* Adds a column. A name that is too long is cut. Returns its index, or -1 without memory or if there are too
 * many. */
int sc_grain_add_column(sc_grain_table *t, const char *name, size_t length);
/* Adds columns name_x, name_y, ... for an array of several components; one column `name` for one. Returns the
 * first, or -1. */
int sc_grain_add_vector(sc_grain_table *t, const char *name, size_t length, int64_t components);
/* Makes room for so many rows of all columns; new values are not set. Returns false without memory. */
bool sc_grain_reserve(sc_grain_table *t, int64_t rows);
/* Returns the column of a name, whatever its case; -1 without it. */
int sc_grain_find_column(const sc_grain_table *t, const char *name);
/* Forgets columns and rows. */
void sc_grain_clear(sc_grain_table *t);
/* Returns the number of the line at a place of the file, from 1. */
int64_t sc_grain_line(const sc_grain_table *t, const char *at);
/* Sets an error "PATH:LINE: ..." for a place of the file. */
scree_status sc_grain_fail(const sc_grain_table *t, const char *at, scree_error *error, const char *format,
    ...) __attribute__((format(printf, 4, 5)));
/* Sets an error "PATH: no memory ...". */
scree_status sc_grain_no_memory(const sc_grain_table *t, scree_error *error);
/* Sets a cell along the axes from its bounds. */
void sc_grain_set_box(sc_grain_table *t, const double low[3], const double high[3], const bool periodic[3]);
/* Sets which of so many frames `wanted` (1 the first, -1 the last) names, counted from 1. */
scree_status sc_grain_choose_frame(sc_grain_table *t, int64_t wanted, int64_t frames, scree_error *error);

/* ---- read.c ---- */
/* Reads a whole file, unpacked, into *bytes, which the caller frees. A zero byte follows the end. */
scree_status sc_grain_slurp(const char *path, char **bytes, size_t *count, scree_error *error);

/* ---- number.c ---- */
/* Reads a number that fills the whole text, in any locale: decimal, with an exponent E or D. Returns false if
 * the text is no number; inf and nan are none. */
bool sc_grain_number(const char *at, size_t length, char decimal, double *out);
/* Reads a whole number from 0 to 2^53 that fills the whole text. */
bool sc_grain_whole(const char *at, size_t length, int64_t *out);

/* ---- rows.c ---- */
/* Returns the end of the line at `at`: its LF or CR, or `end`. */
const char *sc_grain_line_end(const char *at, const char *end);
/* Returns the begin of the line after the one that ends at `at`. */
const char *sc_grain_next_line(const char *at, const char *end);
/* Splits a line into cells without blanks and quotes around them. Returns their number, at most `most` +
 * 1. */
int sc_grain_split_line(const char *at, const char *end, sc_grain_split split, sc_grain_cell *cell, int most);
/* Reads `rows` lines of numbers (-1: up to `end`) at *at into all columns of the table, and moves *at behind
 * them. Skips empty lines and comments. */
scree_status sc_grain_read_rows(
    sc_grain_table *t, const char **at, const char *end, int64_t rows, scree_error *error);
/* Reads the next word of the text; false at the end. */
bool sc_grain_word(const char **at, const char *end, sc_grain_cell *word);
/* Reads `count` numbers, separated by blanks and ends of lines, to out[0], out[stride], ... */
scree_status sc_grain_read_numbers(const sc_grain_table *t, const char **at, const char *end, int64_t count,
    double *out, int64_t stride, scree_error *error);
/* Returns whether a word is the text, whatever its case. */
bool sc_grain_is(sc_grain_cell word, const char *text);
/* Returns whether the line at `at` begins with the text, whatever its case. */
bool sc_grain_begins(const char *at, const char *end, const char *text);

/* ---- the formats ---- */
typedef struct sc_grain_format {
  const char *name;
  /* Returns whether the file is of the format; the first bytes are looked at. */
  bool (*is)(const sc_grain_table *t);
  scree_status (*read)(sc_grain_table *t, const scree_grains_def *def, scree_error *error);
} sc_grain_format;
extern const sc_grain_format sc_grain_text, sc_grain_lammps_data, sc_grain_lammps_dump, sc_grain_vtk,
    sc_grain_vtk_xml, sc_grain_xyz, sc_grain_npy, sc_grain_npz, sc_grain_mercury_data,
    sc_grain_mercury_restart, sc_grain_gsd;
/* Returns the entry of the table of formats; NULL past the last. */
const sc_grain_format *sc_grain_format_at(int index);
/* Reads the bytes of a file, which a zero byte follows; path is for messages. For fuzzers too. */
scree_grains *sc_grains_parse(
    const scree_grains_def *def, const char *bytes, size_t count, scree_error *error);

/* ---- plain.c ---- */
/* Reads the bytes of a table of text, which a zero byte follows; path is for messages. For fuzzers too. */
scree_table *sc_table_parse(const char *path, const char *separator, scree_grains_unit *unit,
    const char *bytes, size_t count, scree_error *error);

/* ---- numbers in binary files (binary.c) ---- */
typedef struct sc_grain_kind {
  char kind;   /* 'f' float, 'i' signed, 'u' unsigned, 'b' boolean */
  int bytes;   /* 1, 2, 4, 8 */
  bool is_big; /* the most significant byte first */
} sc_grain_kind;
/* Reads `count` numbers to out[0], out[stride], ...; those in the file lie `step` bytes apart. */
void sc_grain_take(
    sc_grain_kind kind, const unsigned char *from, int64_t count, int64_t step, double *out, int64_t stride);
/* Unpacks a zlib stream, raw deflate if `raw`, of exactly `size` bytes. */
bool sc_grain_inflate(const unsigned char *from, size_t count, bool raw, unsigned char *to, size_t size);

/* ---- choose.c: the table becomes grains ---- */
struct scree_grains {
  scree_grains_info info;
  scree_grain *row;
  double **extra; /* [extra_count] */
  int extra_count;
  char (*column)[SC_GRAIN_NAME + 1]; /* names, or numbers as text */
  char (*kind)[SC_GRAIN_NAME + 1];
  size_t kind_capacity;
};
/* Makes grains of the columns of a table that def chooses. */
scree_status sc_grains_choose(
    scree_grains *g, const sc_grain_table *t, const scree_grains_def *def, scree_error *error);

#endif
