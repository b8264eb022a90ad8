/* Private header of the readers of grains. The reader of each format turns a file into a table of named
 * columns. choose.c turns the table into grains. */
#ifndef SC_IO_GRAINS_H
#define SC_IO_GRAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/base.h"
#include "scree/grains.h"
#include "scree/table.h"

enum {
  SC_GRAIN_COLUMNS = 512, /* maximum number of columns of a table */
  SC_GRAIN_NAME = 63      /* maximum number of characters of a name or a unit */
};

typedef struct sc_grain_column {
  char name[SC_GRAIN_NAME + 1]; /* name in the header; "": the file has no header */
  char unit[SC_GRAIN_NAME + 1]; /* unit in the header; "": none */
  double *value;                /* [rows] values; NAN: the cell is not a number */
  size_t capacity;
} sc_grain_column;

/* How lines of a text table split into cells. */
typedef struct sc_grain_split {
  char separator; /* ' ': one or more blanks; 0: lines have words and numbers instead of columns */
  char decimal;   /* decimal sign: '.' or ',' */
} sc_grain_split;

typedef struct sc_grain_table {
  const char *path;
  const char *bytes, *end; /* the whole file; a zero byte follows the end */
  sc_grain_column *column;
  int columns;
  size_t column_capacity;
  int64_t rows;
  size_t *place; /* [rows] byte offset in the file of each row's line; NULL: rows are not lines of text */
  size_t place_capacity;
  sc_grain_split split;
  int64_t frame, frames; /* frame that was read, from 1; number of frames of the file */
  double time;           /* time of the frame in the file's unit; NAN: unknown */
  bool has_cell;
  scree_cell cell;  /* cell in the file's unit of length; only matrix, origin and periodic are set */
  bool is_diameter; /* a column of sizes without a name contains diameters, not radii */
  const char *note; /* text about the units of the format, for messages; NULL: none */
  /* true: any table of numbers. Rows may have a single number, and the rows of all frames are read. false: a
   * table of grains. */
  bool is_plain;
} sc_grain_table;

/* A cell or a word: `length` bytes from `at`, without a final zero byte. */
typedef struct sc_grain_cell {
  const char *at;
  size_t length;
} sc_grain_cell;

/* ---- table.c ---- */
/* Adds a column. Truncates names of more than SC_GRAIN_NAME characters. Returns the index of the column; -1:
 * out of memory, or too many columns. */
int sc_grain_add_column(sc_grain_table *t, const char *name, size_t length);
/* Adds the columns name_x, name_y, ... of an array with several components, or a column `name` for one
 * component. Returns the index of the first column, or -1 as sc_grain_add_column. */
int sc_grain_add_vector(sc_grain_table *t, const char *name, size_t length, int64_t components);
/* Allocates at least `rows` values for each column. New values are uninitialised. Returns false if out of
 * memory. */
bool sc_grain_reserve(sc_grain_table *t, int64_t rows);
/* Returns the index of the first column with this name, whatever the case of letters; -1: there is none. */
int sc_grain_find_column(const sc_grain_table *t, const char *name);
/* Removes all columns and rows. */
void sc_grain_clear(sc_grain_table *t);
/* Returns the line number of a position in the file, from 1. */
int64_t sc_grain_line(const sc_grain_table *t, const char *at);
/* Sets an error "PATH:LINE: ..." for a position in the file. Returns SCREE_E_FORMAT. */
scree_status sc_grain_fail(const sc_grain_table *t, const char *at, scree_error *error, const char *format,
    ...) __attribute__((format(printf, 4, 5)));
/* Sets an error "PATH: no memory ...". */
scree_status sc_grain_no_memory(const sc_grain_table *t, scree_error *error);
/* Sets t->cell to a box along the axes with the given bounds. */
void sc_grain_set_box(sc_grain_table *t, const double low[3], const double high[3], const bool periodic[3]);
/* Sets t->frame and t->frames from the number of a frame: `wanted` counts from 1, or from the end if negative
 * (-1: the last). frames: number of frames of the file. Fails if there is no such frame. */
scree_status sc_grain_choose_frame(sc_grain_table *t, int64_t wanted, int64_t frames, scree_error *error);

/* ---- read.c ---- */
/* Reads and decompresses a whole file into *bytes, which the caller frees. A zero byte follows the end. */
scree_status sc_grain_slurp(const char *path, char **bytes, size_t *count, scree_error *error);

/* ---- number.c ---- */
/* Reads a number that fills the whole text. The result does not depend on the locale. The exponent may begin
 * with E or D. decimal: '.' or ','. Returns false for other texts, and for inf and nan. */
bool sc_grain_number(const char *at, size_t length, char decimal, double *out);
/* Reads a whole number from 0 to 2^53 that fills the whole text. Returns false for other texts. */
bool sc_grain_whole(const char *at, size_t length, int64_t *out);

/* ---- rows.c ---- */
/* Returns the end of the line that begins at `at`: the position of its LF or CR, or `end`. */
const char *sc_grain_line_end(const char *at, const char *end);
/* Returns the start of the next line. at: end of a line (sc_grain_line_end). */
const char *sc_grain_next_line(const char *at, const char *end);
/* Returns the position of the first character from `at` on that is not a blank, tab, VT or FF; `end` if there
 * is none. */
const char *sc_grain_skip_blanks(const char *at, const char *end);
/* Returns whether a line is a comment, which begins with #, %, ! or //. at: its first character that is not a
 * blank. */
bool sc_grain_is_comment(const char *at, const char *end);
/* Splits a line into cells and removes blanks and quotes around each cell. Returns the number of cells, or
 * `most` + 1 if there are more than `most`. */
int sc_grain_split_line(const char *at, const char *end, sc_grain_split split, sc_grain_cell *cell, int most);
/* Appends `rows` lines of numbers, from *at on, to the table (-1: all lines up to `end`). Fails if a line
 * does not have one cell per column. Sets *at to the position after these lines. Skips empty lines and
 * comments. */
scree_status sc_grain_read_rows(
    sc_grain_table *t, const char **at, const char *end, int64_t rows, scree_error *error);
/* Reads the next word from *at, and moves *at past the word. Returns false at the end. */
bool sc_grain_word(const char **at, const char *end, sc_grain_cell *word);
/* Reads `count` numbers, separated by blanks and ends of lines, to out[0], out[stride], ... */
scree_status sc_grain_read_numbers(const sc_grain_table *t, const char **at, const char *end, int64_t count,
    double *out, int64_t stride, scree_error *error);
/* Returns whether a word equals a text, whatever the case of letters. */
bool sc_grain_is(sc_grain_cell word, const char *text);
/* Returns whether the line at `at` begins with a text, whatever the case of letters. */
bool sc_grain_begins(const char *at, const char *end, const char *text);

/* ---- the formats ---- */
typedef struct sc_grain_format {
  const char *name;
  /* Returns whether the file has this format, judged by its first bytes. */
  bool (*is)(const sc_grain_table *t);
  scree_status (*read)(sc_grain_table *t, const scree_grains_def *def, scree_error *error);
} sc_grain_format;
extern const sc_grain_format sc_grain_text, sc_grain_lammps_data, sc_grain_lammps_dump, sc_grain_vtk,
    sc_grain_vtk_xml, sc_grain_xyz, sc_grain_npy, sc_grain_npz, sc_grain_mercury_data,
    sc_grain_mercury_restart, sc_grain_gsd;
/* Returns the format at an index of the table of formats; NULL if the index is past the end. */
const sc_grain_format *sc_grain_format_at(int index);
/* Reads grains from the bytes of a file, which must be followed by a zero byte. def->path is only used in
 * messages. Also used by fuzzers. */
scree_grains *sc_grains_parse(
    const scree_grains_def *def, const char *bytes, size_t count, scree_error *error);

/* ---- plain.c ---- */
/* Checks the separator of a table of text; NULL is allowed. path: name of the table of keys in messages. */
scree_status sc_grain_check_separator(const char *separator, const char *path, scree_error *error);
/* Reads a table of text from the bytes of a file, which must be followed by a zero byte. path is only used in
 * messages. Also used by fuzzers. */
scree_table *sc_table_parse(const char *path, const char *separator, scree_grains_unit *unit,
    const char *bytes, size_t count, scree_error *error);

/* ---- numbers in binary files (binary.c) ---- */
typedef struct sc_grain_kind {
  char kind;   /* 'f' float, 'i' signed, 'u' unsigned, 'b' boolean */
  int bytes;   /* size of a number [bytes]: 1, 2, 4 or 8 */
  bool is_big; /* the most significant byte first */
} sc_grain_kind;
/* Converts `count` binary numbers to doubles: out[0], out[stride], ... step: distance of the numbers in the
 * file [bytes]. */
void sc_grain_take(
    sc_grain_kind kind, const unsigned char *from, int64_t count, int64_t step, double *out, int64_t stride);
/* Decompresses a zlib stream, or a raw deflate stream if `raw`. Returns false unless the result has exactly
 * `size` bytes. */
bool sc_grain_inflate(const unsigned char *from, size_t count, bool raw, unsigned char *to, size_t size);

/* ---- choose.c: the table becomes grains ---- */
struct scree_grains {
  scree_grains_info info;
  scree_grain *row;
  /* [extra_count][info.count] values of the further columns that the caller named (scree_grains_def.extra) */
  double **extra;
  int extra_count;
  /* [info.columns] names of the file's columns, or their numbers as text */
  char (*column)[SC_GRAIN_NAME + 1];
  char (*kind)[SC_GRAIN_NAME + 1];
  size_t kind_capacity;
};
/* Converts the rows of a table to grains, using the columns that def selects. */
scree_status sc_grains_choose(
    scree_grains *g, const sc_grain_table *t, const scree_grains_def *def, scree_error *error);

#endif
