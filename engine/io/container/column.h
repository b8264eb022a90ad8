/* Columns: how one array of a frame becomes bytes.
 *
 * A value becomes a 64-bit word (its bits, or a whole number of quanta), a prediction is taken off, the
 * rest is zigzag coded, cut to the fewest bytes that hold every element, split into byte planes and
 * deflated. Decoding runs the same prediction on what is decoded so far, so predictions may use only
 * decoded values, and only + - * / and sqrt. */
#ifndef SC_COLUMN_H
#define SC_COLUMN_H

#include "io/container/container.h"

enum { /* columns by number, as they stand in files */
  SC_COLUMN_ID = 1,
  SC_COLUMN_DEATHS,
  SC_COLUMN_GROUP,
  SC_COLUMN_KIND,
  SC_COLUMN_RADIUS,
  SC_COLUMN_MASS,
  SC_COLUMN_VELOCITY = 16,
  SC_COLUMN_SPIN,
  SC_COLUMN_POSITION,
  SC_COLUMN_CHART,
  SC_COLUMN_ORIENTATION,
  SC_COLUMN_CELL = 24,
  SC_COLUMN_SHAPE_BODY = 32,
  SC_COLUMN_SHAPE_TYPE,
  SC_COLUMN_SHAPE_MATERIAL,
  SC_COLUMN_SHAPE_RADIUS,
  SC_COLUMN_SHAPE_LENGTH,
  SC_COLUMN_SHAPE_SIZE,
  SC_COLUMN_SHAPE_NORMAL,
  SC_COLUMN_SHAPE_POSITION,
  SC_COLUMN_SHAPE_ORIENTATION,
  SC_COLUMN_SHAPE_GEOMETRY,
  SC_COLUMN_SHAPE_OWN,
  SC_COLUMN_CONTACT_BODY1 = 48,
  SC_COLUMN_CONTACT_BODY2,
  SC_COLUMN_CONTACT_POINT,
  SC_COLUMN_CONTACT_NORMAL,
  SC_COLUMN_CONTACT_GAP,
  SC_COLUMN_CONTACT_IMPULSE,
  SC_COLUMN_CONTACT_FORCE,
  SC_COLUMN_CONTACT_IMAGE,
  SC_COLUMN_VALUE_TEXTS, /* names and units of the columns of scripts */
  SC_COLUMN_VALUE,
  SC_COLUMNS
};
/* what a word is */
enum { SC_WORD_WHOLE = 0, SC_WORD_DOUBLE = 1, SC_WORD_QUANTUM = 2, SC_WORD_FLOAT = 3, SC_WORDS };
/* what is taken off */
enum { SC_PREDICT_NONE = 0, SC_PREDICT_ROW = 1, SC_PREDICT_FRAME = 2, SC_PREDICT_MOTION = 3, SC_PREDICTORS };

enum {
  SC_COLUMN_HEADER = 32,
  SC_COLUMN_COMPONENTS = 64 /* at most; columns of scripts have one per value */
};
typedef struct sc_column {
  uint16_t id;
  uint8_t word, predictor;
  uint8_t width; /* bytes per element: 1, 2, 4 or 8 */
  uint8_t components;
  uint8_t packing; /* SC_CODEC_... */
  uint64_t rows;
  double quantum;             /* value of one unit of SC_WORD_QUANTUM */
  uint64_t stored;            /* bytes after the header */
  const unsigned char *bytes; /* reading: where they lie */
} sc_column;

/* Scratch shared by the columns of a frame. */
typedef struct sc_column_scratch {
  uint64_t *rest;
  size_t rest_capacity;
  sc_bytes planes;
} sc_column_scratch;
void sc_column_scratch_free(sc_column_scratch *scratch);
/* Room for count words in scratch->rest; false without memory. */
bool sc_column_room(sc_column_scratch *scratch, size_t count);

/* True if zigzag coding applies to what is left after prediction. */
bool sc_column_zigzag(const sc_column *column);
/* Appends header and bytes of a column whose rows * components rests (before zigzag) lie in
 * scratch->rest. False without memory. */
bool sc_column_write(sc_bytes *payload, sc_column column, sc_column_scratch *scratch, int level);
/* Reads the header at *at (before end), moving *at past the column. SCREE_E_FORMAT where a number cannot
 * be. */
scree_status sc_column_read(
    sc_column *column, const unsigned char **at, const unsigned char *end, scree_error *error);
/* Unpacks a column's rests into scratch->rest. */
scree_status sc_column_unpack(const sc_column *column, sc_column_scratch *scratch, scree_error *error);
/* Bits that the rests of a column would need, roughly: what predictors are compared by. */
uint64_t sc_column_cost(uint64_t rest, bool zigzag);

/* ---- words ---- */
/* Whole number of quanta nearest to value; 0 where it is not finite or too large to be kept exactly. */
int64_t sc_word_quanta(double value, double quantum);
/* True if every value can be kept as quanta. */
bool sc_words_fit(const double *values, size_t count, double quantum);
uint64_t sc_word_of(int word, double value, double quantum);
double sc_word_value(int word, uint64_t bits, double quantum);
/* Writes the words of a column, component after component, as values, row after row. */
void sc_column_values(const sc_column *column, const uint64_t *word, double *values);

#endif
