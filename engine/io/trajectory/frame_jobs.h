/* State of the encoding and of the decoding of one frame, which several files share. */
#ifndef SC_FRAME_JOBS_H
#define SC_FRAME_JOBS_H

#include "io/trajectory/frame_codec.h"

/* State of the encoding of one frame. */
typedef struct sc_encoding {
  sc_frame_codec *codec;
  const scree_frame *frame;
  const scree_frame *last; /* NULL in a key frame */
  sc_frame_store *next;    /* the frame as readers will see it */
  int level;               /* compression level of zlib */
  int64_t births, deaths;  /* number of new bodies; number of removed bodies */
  uint32_t columns;        /* number of columns written so far */
  double dt;               /* time since the last frame [s] */
} sc_encoding;

/* State of the decoding of one frame. */
typedef struct sc_decoding {
  sc_frame_codec *codec;
  const scree_frame *last; /* NULL in a key frame */
  sc_frame_store *next;
  /* [column id] columns of the payload; an absent column has rows 0 and bytes NULL */
  sc_column column[SC_COLUMNS];
  int64_t bodies, shapes, contacts, births; /* births: number of new bodies */
  bool all_shapes;                          /* the payload has the shapes of all bodies */
  double time, dt;                          /* [s]; dt: since the last frame */
  double step_dt;                           /* length of the step [s]; 0: unknown */
  int64_t step;
} sc_decoding;

/* Allocates at least `count` words in codec->word and in the scratch of columns. Returns false if out of
 * memory. */
bool sc_encode_room(sc_encoding *j, size_t count);
/* Appends a column to the payload. Its deltas are in codec->scratch. */
scree_status sc_encode_column(sc_encoding *j, const sc_column *column, scree_error *error);
/* Sets column->predictor to the predictor with the lowest sc_predict_cost. possible: predictors to try. word:
 * words of the column. */
void sc_encode_predictor(const sc_encoding *j, sc_prediction *p, sc_column *column, const uint64_t *word,
    const bool possible[SC_PREDICTORS]);
/* Appends a column to the payload without prediction from the last frame. Its words are in codec->word. word:
 * SC_WORD_... */
scree_status sc_encode_words(
    sc_encoding *j, int id, int word, int components, int64_t rows, double quantum, scree_error *error);
/* Appends the columns of contacts to the payload (frame_contacts.c). */
scree_status sc_encode_contacts(sc_encoding *j, scree_error *error);
/* Sets the error "column ID WHAT" and returns SCREE_E_FORMAT. */
scree_status sc_decode_fail(int id, const char *what, scree_error *error);
/* Decodes the column `id` into codec->word. Fails unless it has the given rows and components, and whole
 * numbers exactly if `whole`. */
scree_status sc_decode_words(
    sc_decoding *j, int id, int64_t rows, int components, bool whole, scree_error *error);
/* Reads the columns of contacts into the next frame (frame_contacts.c). */
scree_status sc_decode_contacts(sc_decoding *j, scree_error *error);

#endif
