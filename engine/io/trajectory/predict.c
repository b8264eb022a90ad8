/* Predictions of the word of a value from values decoded before it. The predictors are:
 *
 *   none     0
 *   row      the row before in the same frame (0 for the first)
 *   frame    the same body in the last frame; for a new body: the new body before it (0 for the first)
 *   motion   positions: x0 + dt/2 (v0 + v1); orientations: q0 rotated by dt/2 (w0 + w1); for new bodies like
 *            frame */
#include "io/trajectory/frame_codec.h"

#include <math.h>

/* Returns component c of body b in the last frame as a word, extrapolated if the predictor is motion. row:
 * row of the body in the present frame. */
static uint64_t predict_from_last(const sc_prediction *p, int64_t row, int64_t b, int c) {
  int k = p->column->components;
  double value = p->last[b * k + c];
  if (p->column->predictor == SC_PREDICT_MOTION)
    value += 0.5 * p->dt * (p->last_velocity[b * k + c] + p->velocity[row * k + c]);
  return sc_word_of(p->column->word, value, p->column->quantum);
}

static uint64_t predict_word(const sc_prediction *p, int64_t row, int c, const uint64_t *word, int64_t born) {
  switch (p->column->predictor) {
  case SC_PREDICT_NONE: return 0;
  case SC_PREDICT_ROW: return row ? word[row - 1] : 0;
  default:
    if (p->before[row] >= 0) return predict_from_last(p, row, p->before[row], c);
    return born >= 0 ? word[born] : 0;
  }
}

void sc_predict_rests(const sc_prediction *p, const uint64_t *word, uint64_t *rest) {
  SC_ASSERT(p && word && rest);
  int64_t rows = (int64_t)p->column->rows;
  for (int c = 0; c < p->column->components; c++, word += rows, rest += rows) {
    int64_t born = -1;
    for (int64_t r = 0; r < rows; r++) {
      rest[r] = word[r] - predict_word(p, r, c, word, born);
      if (p->before && p->before[r] < 0) born = r;
    }
  }
}

/* Computes the words of component c: deltas plus the quanta predicted from the last frame. */
static void add_expected_quanta(const sc_prediction *p, int c, const uint64_t *rest, uint64_t *word) {
  const sc_column *column = p->column;
  const int k = column->components;
  const bool moves = column->predictor == SC_PREDICT_MOTION;
  uint64_t born = 0; /* word of the last new body before this row */
  for (int64_t r = 0; r < (int64_t)column->rows; r++) {
    int64_t b = p->before[r];
    if (b < 0) {
      born = word[r] = rest[r] + born;
      continue;
    }
    double value = p->last[b * k + c];
    if (moves) value += 0.5 * p->dt * (p->last_velocity[b * k + c] + p->velocity[r * k + c]);
    word[r] = rest[r] + (uint64_t)sc_word_quanta(value, column->quantum);
  }
}

void sc_predict_words(const sc_prediction *p, const uint64_t *rest, uint64_t *word) {
  SC_ASSERT(p && rest && word);
  int64_t rows = (int64_t)p->column->rows;
  const bool has_quanta = p->column->predictor >= SC_PREDICT_FRAME && p->column->word == SC_WORD_QUANTUM;
  for (int c = 0; c < p->column->components; c++, word += rows, rest += rows) {
    if (has_quanta) {
      add_expected_quanta(p, c, rest, word);
      continue;
    }
    int64_t born = -1;
    for (int64_t r = 0; r < rows; r++) {
      word[r] = rest[r] + predict_word(p, r, c, word, born);
      if (p->before && p->before[r] < 0) born = r;
    }
  }
}

uint64_t sc_predict_cost(const sc_prediction *p, const uint64_t *word) {
  int64_t rows = (int64_t)p->column->rows, stride = rows / 2048 + 1;
  bool zigzag = sc_column_zigzag(p->column);
  uint64_t bits = 0;
  for (int c = 0; c < p->column->components; c++, word += rows)
    for (int64_t r = 0; r < rows; r += stride)
      if (!p->before || p->before[r] >= 0)
        bits += sc_column_cost(word[r] - predict_word(p, r, c, word, -1), zigzag);
  return bits;
}

/* ---- orientations ---- */

int sc_orient_chart(const double q[4]) {
  int best = 0;
  for (int i = 1; i < 4; i++)
    if (fabs(q[i]) > fabs(q[best])) best = i;
  return best;
}

void sc_orient_encode(const double q[4], int chart, double quantum, int64_t a[3]) {
  SC_ASSERT(chart >= 0 && chart < 4 && quantum > 0);
  double sign = q[chart] < 0 ? -1 : 1;
  for (int i = 0, k = 0; i < 4; i++)
    if (i != chart) a[k++] = sc_word_quanta(sign * q[i], quantum);
}

void sc_orient_decode(int chart, const int64_t a[3], double quantum, double q[4]) {
  SC_ASSERT(chart >= 0 && chart < 4 && quantum > 0);
  double rest = 1;
  for (int i = 0, k = 0; i < 4; i++) {
    if (i == chart) continue;
    q[i] = (double)a[k++] * quantum;
    rest -= q[i] * q[i];
  }
  q[chart] = rest > 0 ? sqrt(rest) : 0;
}

/* Replaces q by q q, the rotation applied twice. */
static void square_quaternion(double q[4]) {
  double w = q[0], s = 2 * w;
  q[0] = w * w - (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  q[1] *= s;
  q[2] *= s;
  q[3] *= s;
}

/* Sets q to q0 rotated by the mean of the spins w0 and w1 over dt. Uses only + - * / sqrt, because all
 * machines must compute the same bits. */
static void advance_orientation(
    const double q0[4], const double w0[3], const double w1[3], double dt, double q[4]) {
  /* h: rotation over dt/64 as a first-order quaternion, normalised, then squared six times */
  double f = dt / 256, h[4] = {1, f * (w0[0] + w1[0]), f * (w0[1] + w1[1]), f * (w0[2] + w1[2])};
  double n = sqrt(1 + (h[1] * h[1] + h[2] * h[2] + h[3] * h[3]));
  for (int i = 0; i < 4; i++) h[i] /= n;
  for (int i = 0; i < 6; i++) square_quaternion(h);
  /* spins are in world coordinates, so the rotation multiplies from the left: h q0 */
  q[0] = h[0] * q0[0] - h[1] * q0[1] - h[2] * q0[2] - h[3] * q0[3];
  q[1] = h[0] * q0[1] + h[1] * q0[0] + h[2] * q0[3] - h[3] * q0[2];
  q[2] = h[0] * q0[2] + h[2] * q0[0] + h[3] * q0[1] - h[1] * q0[3];
  q[3] = h[0] * q0[3] + h[3] * q0[0] + h[1] * q0[2] - h[2] * q0[1];
}

bool sc_orient_expect(const sc_prediction *p, int64_t row, double q[4]) {
  SC_ASSERT(p);
  int64_t b = p->column->predictor >= SC_PREDICT_FRAME ? p->before[row] : -1;
  if (b < 0) return false;
  const double *q0 = p->last + 4 * b;
  if (p->column->predictor == SC_PREDICT_MOTION)
    advance_orientation(q0, p->last_velocity + 3 * b, p->velocity + 3 * row, p->dt, q);
  else
    for (int i = 0; i < 4; i++) q[i] = q0[i];
  return true;
}

sc_charted sc_orient_predict(const sc_prediction *p, int64_t row, int chart, bool chart_known) {
  sc_charted result = {0};
  double q[4];
  if (!sc_orient_expect(p, row, q)) return result;
  result.chart = (uint64_t)sc_orient_chart(q);
  if (chart_known) sc_orient_encode(q, chart, p->column->quantum, result.a);
  return result;
}
