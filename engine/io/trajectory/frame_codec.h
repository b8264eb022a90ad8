/* Frames as bytes: the payload of a trajectory's FRAM chunks. docs/file-format.md describes the layout.
 * Encoder and decoder both store the last frame (the frame before the present one) as a reader sees it. A key
 * frame does not depend on the last frame. Any other frame has only the removed and the new bodies, the
 * static data that changed, and the deltas of the fields: differences from predicted values. A frame may
 * consist of parts. Each part is encoded by one process, which has some of the bodies and its own codec
 * (frame_parts.c). */
#ifndef SC_FRAME_CODEC_H
#define SC_FRAME_CODEC_H

#include "io/container/column.h"
#include "io/trajectory/frame_store.h"
#include "io/trajectory/geometries.h"

enum {
  SC_FRAME_HEADER = 72,      /* size of a frame's header [bytes] */
  SC_FRAME_KEY = 1,          /* flag: the frame is a key frame */
  SC_FRAME_ALL_SHAPES = 2,   /* flag: has the shapes of all bodies, not only of new ones */
  SC_FRAME_FORCES = 4,       /* flag: contacts have compatible forces */
  SC_FRAME_PARTS = 8,        /* flag: the frame consists of parts */
  SC_FRAME_VERSION = 1,      /* version of the layout of a frame or a part */
  SC_FRAME_PARTS_VERSION = 2 /* version of the layout of a frame in parts */
};

typedef struct sc_frame_codec {
  sc_frame_store store[2]; /* the last frame and the frame that is being encoded or decoded */
  int last;                /* index of the last frame in store */
  bool valid;              /* true: the codec has a last frame */
  int64_t number;          /* number of the last frame */
  /* [column id] resolution of the values of each column, in the unit of the value; 0: stored exactly */
  double quantum[SC_COLUMNS];
  int fields; /* decoder: bits SCREE_FIELD_... of the fields to decode; 0: all */
  /* encoder: [SCREE_FRAME_LARGEST] largest values over all parts (scree_frame_largest); NULL: those of the
   * frame itself */
  const double *largest;
  unsigned forbidden; /* encoder: bit k forbids the predictor k (SC_PREDICT_...); for measurements */
  int64_t *before;    /* [bodies] row of each body in the last frame; -1: new body */
  size_t before_capacity;
  uint64_t *word; /* 64-bit words of one column, component by component */
  size_t word_capacity;
  sc_geometries geometries; /* hulls and meshes of the file; shapes in the stores point to them */
  sc_column_scratch scratch;
  sc_bytes payload;
  /* decoder: [parts] codecs of the parts of a frame; they use the geometries of this codec */
  struct sc_frame_codec *part;
  int64_t parts;
} sc_frame_codec;

/* Frees the codec and zeroes it. */
void sc_frame_codec_free(sc_frame_codec *codec);
/* Encodes a frame into codec->payload. number: index of the frame in the file. key: encodes a key frame; must
 * be true if there is no last frame. */
scree_status sc_frame_encode(sc_frame_codec *codec, const scree_trajectory_def *def, const scree_frame *frame,
    int64_t number, bool key, scree_error *error);
/* Decodes a payload into codec->store[codec->last].frame. number: index of the frame in the file. After an
 * error the codec has no last frame. */
scree_status sc_frame_decode(
    sc_frame_codec *codec, const unsigned char *bytes, size_t count, int64_t number, scree_error *error);

/* Decodes only the cell of a payload. Returns false if the frame has no valid cell. */
bool sc_frame_read_cell(const unsigned char *bytes, size_t count, scree_cell *cell);

/* ---- frames in parts (frame_parts.c) ---- */

/* Joins the encoded parts of a frame into codec->payload. parts: for each part its number of bytes (u64) and
 * its bytes. count: size of `parts` [bytes]. number: index of the frame in the file. Sets *bodies to the
 * number of bodies of the frame, and *key to whether it is a key frame. */
scree_status sc_frame_join(sc_frame_codec *codec, const unsigned char *parts, size_t count, int64_t number,
    int64_t *bodies, bool *key, scree_error *error);
/* Decodes a payload that does not consist of parts, as sc_frame_decode does. */
scree_status sc_frame_decode_one(
    sc_frame_codec *codec, const unsigned char *bytes, size_t count, int64_t number, scree_error *error);
/* Sets largest to the largest radius of dynamic bodies, radius of all bodies, speed and spin of a frame. */
void sc_frame_largest(const scree_frame *frame, double largest[SCREE_FRAME_LARGEST]);

/* Sets codec->quantum from the precisions of def: of lengths and angles in key frames only, of velocities and
 * spins in every frame. */
void sc_frame_quanta(
    sc_frame_codec *codec, const scree_trajectory_def *def, const scree_frame *frame, bool key);

/* ---- shared by encoder and decoder ---- */

/* Number of rows of a cell's column, one double each: matrix (9), gradient (9), origin (3), volume, and the
 * number whose bit k says that edge k is periodic. */
enum { SC_CELL_ROWS = 23 };
/* Converts a cell to the doubles of its column. */
void sc_frame_cell_pack(const scree_cell *cell, double out[SC_CELL_ROWS]);
/* Converts the doubles of a column to a cell. Returns false if the matrix of the cell is singular. */
bool sc_frame_cell_unpack(const double in[SC_CELL_ROWS], scree_cell *cell);

/* Returns the number of components of the shape column `id` (SC_COLUMN_SHAPE_...). */
int sc_frame_shape_components(int id);
/* Returns one component of the column `id` of a shape as a word. */
uint64_t sc_frame_shape_word(const scree_shape_info *shape, int id, int component);
/* Sets the data of the column `id` in `count` shapes. word: [components x count], component by component. */
void sc_frame_set_shape_words(scree_shape_info *list, int64_t count, int id, const uint64_t *word);

/* Sets one component of the quantity of a contact to which the column `id` belongs. */
void sc_frame_set_contact(scree_frame_contact *contact, int id, int component, double value);
/* Normalises the normals of `count` contacts, which were rounded to quanta. */
void sc_frame_straighten(scree_frame_contact *contact, int64_t count);

/* number of bytes of the name and the unit of a script's column; a file has each byte as a word */
enum { SC_COLUMN_TEXTS = 2 * (SCREE_COLUMN_TEXT + 1) };
/* Returns whether two frames have script columns of the same names and units in the same order. */
bool sc_frame_same_columns(const scree_frame *a, const scree_frame *b);
/* Converts the names and units of `count` script columns to words, [count x SC_COLUMN_TEXTS]. */
void sc_frame_column_words(const scree_column *list, int32_t count, uint64_t *word);
/* Converts words to the names and units of `count` script columns. */
void sc_frame_set_column_words(scree_column *list, int32_t count, const uint64_t *word);

/* Data from which the words of a column are predicted (predict.c). */
typedef struct sc_prediction {
  const sc_column *column;
  const int64_t *before; /* [rows] row of the body in the last frame, -1: new body; NULL: no last frame */
  const double *last;    /* [bodies of the last frame x components] values of the last frame */
  /* rates of change of the values in the last and in the present frame, for SC_PREDICT_MOTION */
  const double *last_velocity, *velocity;
  double dt; /* time since the last frame [s] */
} sc_prediction;
/* Computes the deltas of a column: rest = word - prediction, component by component. */
void sc_predict_rests(const sc_prediction *p, const uint64_t *word, uint64_t *rest);
/* Computes the words of a column from its deltas. Inverse of sc_predict_rests. */
void sc_predict_words(const sc_prediction *p, const uint64_t *rest, uint64_t *word);
/* Returns the number of significant bits of the deltas of a sample of rows, under the predictor of p->column.
 * The encoder chooses the predictor with the lowest cost. */
uint64_t sc_predict_cost(const sc_prediction *p, const uint64_t *word);

/* An orientation as whole numbers of quanta: the index of the largest component of the quaternion (the chart)
 * and the other three components. The sign of the quaternion is chosen so that the largest component is
 * positive. The largest component is at least 1/2. Therefore an error e in the other three changes the
 * orientation by at most 4 |e| radians. */
typedef struct sc_charted {
  uint64_t chart;
  int64_t a[3];
} sc_charted;
/* Returns the chart of q: the index of its largest component. */
int sc_orient_chart(const double q[4]);
/* Computes a: the components of q other than number `chart`, in quanta. */
void sc_orient_encode(const double q[4], int chart, double quantum, int64_t a[3]);
/* Computes the unit quaternion q from its chart and its three other components in quanta. */
void sc_orient_decode(int chart, const int64_t a[3], double quantum, double q[4]);
/* Sets q to the predicted orientation of the body in a row. Returns false if there is no prediction: the body
 * is new, or the column's predictor does not use the last frame. */
bool sc_orient_expect(const sc_prediction *p, int64_t row, double q[4]);
/* Returns the predicted orientation of the body in a row: its chart, and if chart_known its quanta in the
 * given chart. All are 0 without a prediction. */
sc_charted sc_orient_predict(const sc_prediction *p, int64_t row, int chart, bool chart_known);

/* Returns a value of a static column (group, kind, radius, mass, inertia) as the word that encoder and
 * decoder compare and store. */
static inline uint64_t sc_frame_static_word(const scree_frame *frame, int id, int64_t row) {
  switch (id) {
  case SC_COLUMN_GROUP: return (uint64_t)frame->group[row];
  case SC_COLUMN_KIND: return frame->kind[row];
  case SC_COLUMN_RADIUS: return sc_bits(frame->radius[row]);
  case SC_COLUMN_MASS: return sc_bits(frame->mass[row]);
  default: return frame->inertia ? sc_bits(frame->inertia[6 * row + id - SC_COLUMN_INERTIA]) : 0;
  }
}

#endif
