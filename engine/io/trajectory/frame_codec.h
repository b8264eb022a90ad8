/* Frames as bytes: the payload of a trajectory's FRAM chunks. docs/file-format.md has the layout.
 *
 * Encoder and decoder keep the same memory: the last frame as a reader sees it. A key frame uses none of
 * it; any other frame tells only who died, who was born, what of the static data changed, and the rests
 * of the fields after prediction.
 *
 * A frame may come in parts, each encoded by another process that has a part of the bodies and a memory
 * of its own (frame_parts.c). */
#ifndef SC_FRAME_CODEC_H
#define SC_FRAME_CODEC_H

#include "io/container/column.h"
#include "io/trajectory/frame_store.h"
#include "io/trajectory/geometries.h"

enum {
  SC_FRAME_HEADER = 72,
  SC_FRAME_KEY = 1,
  SC_FRAME_ALL_SHAPES = 2,
  SC_FRAME_FORCES = 4,
  SC_FRAME_PARTS = 8,
  SC_FRAME_VERSION = 1,
  SC_FRAME_PARTS_VERSION = 2
};

typedef struct sc_frame_codec {
  sc_frame_store store[2]; /* the last frame and the one in the making */
  int last;                /* which is which */
  bool valid;              /* a last frame is there */
  int64_t number;          /* of the last frame */
  double quantum[SC_COLUMNS];
  int fields; /* decoder: SCREE_FIELD_... to decode; 0: all */
  /* encoder: as scree_frame_largest tells of all parts; NULL: of the frame itself */
  const double *largest;
  unsigned forbidden; /* encoder: predictors (as bits) not to use; for measurements */
  int64_t *before;
  size_t before_capacity; /* row in the last frame of every row, -1: born */
  uint64_t *word;
  size_t word_capacity;
  sc_geometries geometries; /* of the file; shapes of the stores point into it */
  sc_column_scratch scratch;
  sc_bytes payload;
  /* decoder: memories of the parts; their geometries are the whole's */
  struct sc_frame_codec *part;
  int64_t parts;
} sc_frame_codec;

void sc_frame_codec_free(sc_frame_codec *codec);
/* Puts the frame's payload into codec->payload. Without a last frame, key must be set. */
scree_status sc_frame_encode(sc_frame_codec *codec, const scree_trajectory_def *def, const scree_frame *frame,
    int64_t number, bool key, scree_error *error);
/* Decodes a payload; the frame becomes codec->store[codec->last].frame. After an error the codec has no
 * last frame. */
scree_status sc_frame_decode(
    sc_frame_codec *codec, const unsigned char *bytes, size_t count, int64_t number, scree_error *error);

/* Reads the cell of a payload and decodes no other column. Returns false if the frame has no sound cell. */
bool sc_frame_read_cell(const unsigned char *bytes, size_t count, scree_cell *cell);

/* ---- frames in parts (frame_parts.c) ---- */

/* The payload of a frame from its parts, each behind its number of bytes as u64, in codec->payload;
 * *bodies and *key tell of it. */
scree_status sc_frame_join(sc_frame_codec *codec, const unsigned char *parts, size_t count, int64_t number,
    int64_t *bodies, bool *key, scree_error *error);
/* sc_frame_decode for a payload that is no frame in parts. */
scree_status sc_frame_decode_one(
    sc_frame_codec *codec, const unsigned char *bytes, size_t count, int64_t number, scree_error *error);
/* scree_frame_largest. */
void sc_frame_largest(const scree_frame *frame, double largest[SCREE_FRAME_LARGEST]);

/* Sets codec->quantum: lengths and angles at key frames, speeds at every frame. */
void sc_frame_quanta(
    sc_frame_codec *codec, const scree_trajectory_def *def, const scree_frame *frame, bool key);

/* ---- shared by encoder and decoder ---- */

/* The cell as a column of doubles: matrix, gradient, origin, volume, and which edges are periodic (bit k). */
enum { SC_CELL_ROWS = 23 };
void sc_frame_cell_pack(const scree_cell *cell, double out[SC_CELL_ROWS]);
/* False where H is singular. */
bool sc_frame_cell_unpack(const double in[SC_CELL_ROWS], scree_cell *cell);

/* Shapes: components of a column, and one of them as a word. */
int sc_frame_shape_components(int id);
uint64_t sc_frame_shape_word(const scree_shape_info *shape, int id, int component);
/* Writes the words of a column, component after component, into `count` shapes. */
void sc_frame_set_shape_words(scree_shape_info *list, int64_t count, int id, const uint64_t *word);

/* Sets one number of a contact from a column of the frame. */
void sc_frame_set_contact(scree_frame_contact *contact, int id, int component, double value);
/* Makes rounded normals unit vectors again. */
void sc_frame_straighten(scree_frame_contact *contact, int64_t count);

/* Columns of scripts: name and unit as words, a byte each, column after column. */
enum { SC_COLUMN_TEXTS = 2 * (SCREE_COLUMN_TEXT + 1) };
/* Returns whether two frames have columns of the same names and units in the same order. */
bool sc_frame_same_columns(const scree_frame *a, const scree_frame *b);
void sc_frame_column_words(const scree_column *list, int32_t count, uint64_t *word);
void sc_frame_set_column_words(scree_column *list, int32_t count, const uint64_t *word);

/* What the words of a column are predicted from. */
typedef struct sc_prediction {
  const sc_column *column;
  const int64_t *before;
  const double *last;                     /* the last frame's values, row-major */
  const double *last_velocity, *velocity; /* SC_PREDICT_MOTION */
  double dt;
} sc_prediction;
/* Takes predictions off words (component-major), or adds them to rests. */
void sc_predict_rests(const sc_prediction *p, const uint64_t *word, uint64_t *rest);
void sc_predict_words(const sc_prediction *p, const uint64_t *rest, uint64_t *word);
/* Cost in bits of a sample of the column's rests under its predictor; words as above. */
uint64_t sc_predict_cost(const sc_prediction *p, const uint64_t *word);

/* Orientations: the largest component's index (the chart) and the other three in quanta, signs chosen so
 * that the largest is positive. The largest is at least 1/2, so an error e in the three moves the
 * orientation by at most 4 |e| radians. */
typedef struct sc_charted {
  uint64_t chart;
  int64_t a[3];
} sc_charted;
int sc_orient_chart(const double q[4]);
void sc_orient_encode(const double q[4], int chart, double quantum, int64_t a[3]);
void sc_orient_decode(int chart, const int64_t a[3], double quantum, double q[4]);
/* Computes the expected orientation of one row. Returns false if the row has none: the body is new or the
 * column is not predicted from the last frame. */
bool sc_orient_expect(const sc_prediction *p, int64_t row, double q[4]);
/* What the orientation of one row is predicted to be. */
sc_charted sc_orient_predict(const sc_prediction *p, int64_t row, int chart, bool chart_known);

/* One value of a static column (group, kind, radius, mass) as a word: what encoder and decoder compare
 * and store. */
static inline uint64_t sc_frame_static_word(const scree_frame *frame, int id, int64_t row) {
  switch (id) {
  case SC_COLUMN_GROUP: return (uint64_t)frame->group[row];
  case SC_COLUMN_KIND: return frame->kind[row];
  case SC_COLUMN_RADIUS: return sc_bits(frame->radius[row]);
  default: return sc_bits(frame->mass[row]);
  }
}

#endif
