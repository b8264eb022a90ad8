/* Columns: how one array of a frame becomes bytes.
 *
 * Each value becomes a 64-bit word: its bits, or a whole number of quanta (multiples of a resolution).
 * Predicted words are subtracted. The differences (deltas) are zigzag coded, cut to the fewest bytes that fit
 * every delta, split into byte planes and deflated. Zigzag: 0, -1, 1, -2, ... become 0, 1, 2, 3, ... Byte
 * plane b: byte b of every delta. The decoder computes the same predictions from the values decoded so far.
 * Therefore predictions may use only decoded values, and only + - * / and sqrt. */
#ifndef SC_COLUMN_H
#define SC_COLUMN_H

#include "io/container/container.h"

enum { /* ids of columns in files */
  SC_COLUMN_ID = 1,
  SC_COLUMN_DEATHS,
  SC_COLUMN_GROUP,
  SC_COLUMN_KIND,
  SC_COLUMN_RADIUS,
  SC_COLUMN_MASS,
  SC_COLUMN_INERTIA, /* six columns, one per component of the inertia tensor */
  SC_COLUMN_INERTIA_LAST = SC_COLUMN_INERTIA + 5,
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
  SC_COLUMN_VALUE_TEXTS, /* names and units of scripts' columns */
  SC_COLUMN_VALUE,
  SC_COLUMN_CONTACT_MOMENT,
  SC_COLUMNS
};
/* Meaning of a word: a whole number, the bits of a double, a number of quanta, or the bits of a float. */
enum { SC_WORD_WHOLE = 0, SC_WORD_DOUBLE = 1, SC_WORD_QUANTUM = 2, SC_WORD_FLOAT = 3, SC_WORDS };
/* Prediction of a word: none (0), the word of the row before, the value of the body in the last frame, or
 * this value extrapolated by its motion (predict.c). */
enum { SC_PREDICT_NONE = 0, SC_PREDICT_ROW = 1, SC_PREDICT_FRAME = 2, SC_PREDICT_MOTION = 3, SC_PREDICTORS };

enum {
  SC_COLUMN_HEADER = 32,    /* size of a column's header [bytes] */
  SC_COLUMN_COMPONENTS = 64 /* largest number of components; script values: one per script column */
};
typedef struct sc_column {
  uint16_t id;             /* SC_COLUMN_... */
  uint8_t word, predictor; /* meaning of the words: SC_WORD_...; their prediction: SC_PREDICT_... */
  uint8_t width;           /* bytes per delta in the file: 1, 2, 4 or 8 */
  uint8_t components;
  uint8_t packing; /* compression of the bytes: SC_CODEC_... */
  uint64_t rows;
  double quantum;  /* value of one quantum, for SC_WORD_QUANTUM */
  uint64_t stored; /* number of bytes after the header */
  /* the bytes after the header, set by sc_column_read; NULL: the frame lacks the column */
  const unsigned char *bytes;
} sc_column;

/* Scratch shared by the columns of a frame. */
typedef struct sc_column_scratch {
  uint64_t *rest; /* deltas of one column, [components x rows] */
  size_t rest_capacity;
  sc_bytes planes; /* byte planes of one column */
} sc_column_scratch;
/* Frees the scratch and zeroes it. */
void sc_column_scratch_free(sc_column_scratch *scratch);
/* Allocates at least `count` words in scratch->rest. Returns false if out of memory. */
bool sc_column_room(sc_column_scratch *scratch, size_t count);

/* Returns true if the deltas of a column are zigzag coded. */
bool sc_column_zigzag(const sc_column *column);
/* Appends header and bytes of a column to payload. The rows * components deltas, before zigzag coding, are in
 * scratch->rest; the function overwrites them. level: compression level of zlib. Returns false if out of
 * memory. */
bool sc_column_write(sc_bytes *payload, sc_column column, sc_column_scratch *scratch, int level);
/* Reads the header of a column at *at and moves *at past the column. end: end of the payload. Fails with
 * SCREE_E_FORMAT if a number of the header is impossible. */
scree_status sc_column_read(
    sc_column *column, const unsigned char **at, const unsigned char *end, scree_error *error);
/* Decodes the deltas of a column into scratch->rest. */
scree_status sc_column_unpack(const sc_column *column, sc_column_scratch *scratch, scree_error *error);
/* Returns the number of significant bits of a delta. Encoders compare predictors by the sum over the deltas.
 * zigzag: the delta will be zigzag coded. */
uint64_t sc_column_cost(uint64_t rest, bool zigzag);

/* ---- words ---- */
/* Returns the whole number nearest to value / quantum; 0 if value is not finite or has at least 2^50
 * quanta. */
int64_t sc_word_quanta(double value, double quantum);
/* Returns true if quantum > 0 and all `count` values can be stored as quanta. */
bool sc_words_fit(const double *values, size_t count, double quantum);
/* Returns the word of a value. word: SC_WORD_... quantum: used by SC_WORD_QUANTUM only. */
uint64_t sc_word_of(int word, double value, double quantum);
/* Returns the value of a word whose bits are `bits`. word, quantum: as in sc_word_of. */
double sc_word_value(int word, uint64_t bits, double quantum);
/* Converts the words of a column, [components x rows], to values, [rows x components]. */
void sc_column_values(const sc_column *column, const uint64_t *word, double *values);

#endif
