/* Writes and reads columns of words for the files of encoder and decoder. */
#include "io/trajectory/frame_jobs.h"

/* ---- encoder ---- */

bool sc_encode_room(sc_encoding *j, size_t count) {
  return SC_GROW(j->codec->word, j->codec->word_capacity, count + 1) &&
      sc_column_room(&j->codec->scratch, count);
}

scree_status sc_encode_column(sc_encoding *j, const sc_column *column, scree_error *error) {
  if (!sc_column_write(&j->codec->payload, *column, &j->codec->scratch, j->level))
    return sc_fail(error, SCREE_E_MEMORY, "out of memory for a frame");
  j->columns++;
  return SCREE_OK;
}

void sc_encode_predictor(const sc_encoding *j, sc_prediction *p, sc_column *column, const uint64_t *word,
    const bool possible[SC_PREDICTORS]) {
  uint64_t best = UINT64_MAX;
  int winner = SC_PREDICT_NONE;
  for (int k = 0; k < SC_PREDICTORS; k++) {
    if (!possible[k] || j->codec->forbidden >> k & 1) continue;
    column->predictor = (uint8_t)k;
    uint64_t cost = sc_predict_cost(p, word);
    if (cost < best) {
      best = cost;
      winner = k;
    }
  }
  column->predictor = (uint8_t)winner;
}

scree_status sc_encode_words(
    sc_encoding *j, int id, int word, int components, int64_t rows, double quantum, scree_error *error) {
  sc_column column = {.id = (uint16_t)id,
      .word = (uint8_t)word,
      .components = (uint8_t)components,
      .rows = (uint64_t)rows,
      .quantum = quantum};
  sc_prediction p = {.column = &column};
  sc_encode_predictor(j, &p, &column, j->codec->word, (const bool[SC_PREDICTORS]){true, true});
  sc_predict_rests(&p, j->codec->word, j->codec->scratch.rest);
  return sc_encode_column(j, &column, error);
}

/* ---- decoder ---- */

scree_status sc_decode_fail(int id, const char *what, scree_error *error) {
  return sc_fail(error, SCREE_E_FORMAT, "column %d %s", id, what);
}

scree_status sc_decode_words(
    sc_decoding *j, int id, int64_t rows, int components, bool whole, scree_error *error) {
  sc_frame_codec *codec = j->codec;
  const sc_column *column = j->column + id;
  if (!column->bytes) return sc_decode_fail(id, "is missing", error);
  if (column->rows != (uint64_t)rows || column->components != components)
    return sc_decode_fail(id, "has the wrong shape", error);
  if (whole != (column->word == SC_WORD_WHOLE))
    return sc_decode_fail(id, "holds the wrong kind of words", error);
  if (column->predictor > SC_PREDICT_ROW)
    return sc_decode_fail(id, "has a predictor that does not suit it", error);
  scree_status status = sc_column_unpack(column, &codec->scratch, error);
  if (status) return status;
  if (!SC_GROW(codec->word, codec->word_capacity, (size_t)(rows * components) + 1))
    return sc_fail(error, SCREE_E_MEMORY, "out of memory for a frame");
  sc_predict_words(&(sc_prediction){.column = column}, codec->scratch.rest, codec->word);
  return SCREE_OK;
}
