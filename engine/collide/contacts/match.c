/* Matches the touches of a pair to the touches of the same pair in the last step. match.h has the order of
 * choices. */
#include "collide/contacts/match.h"

#include <math.h>
#include "math/vec.h"

/* Old and new touches of one pair. */
typedef struct matching {
  const sc_touch *old, *touch; /* [olds] touches of the last step, [count] touches of this step */
  int32_t olds, count;
  uint64_t taken; /* bit c: old touch c has a match */
  int32_t *from;  /* [count] index of the old touch that a new touch matches; -1: none yet */
} matching;

/* Matches new and old touches that have equal feature ids and a squared distance <= `square`. */
static void match_features(matching *m, double square) {
  double d[3];
  for (int32_t k = 0; k < m->count; k++)
    for (int32_t c = 0; c < m->olds && m->from[k] < 0; c++) {
      if (m->taken >> c & 1 || m->old[c].feature != m->touch[k].feature) continue;
      sc_sub(m->old[c].point, m->touch[k].point, d);
      if (sc_dot(d, d) <= square) m->from[k] = c, m->taken |= UINT64_C(1) << c;
    }
}

/* Matches each new touch without a match to the nearest old touch without a match, if the normals are similar
 * and the squared distance is below `square`. */
static void match_positions(matching *m, double square) {
  for (int32_t k = 0; k < m->count; k++) {
    double best = square, d[3];
    int32_t nearest = -1;
    for (int32_t c = 0; c < m->olds && m->from[k] < 0; c++) {
      sc_sub(m->old[c].point, m->touch[k].point, d);
      double apart = sc_dot(d, d);
      if (m->taken >> c & 1 || !(apart < best) || sc_dot(m->old[c].normal, m->touch[k].normal) < 0.9)
        continue;
      best = apart, nearest = c;
    }
    if (nearest >= 0) m->from[k] = nearest, m->taken |= UINT64_C(1) << nearest;
  }
}

void sc_match_touches(
    const sc_touch *old, int32_t olds, const sc_touch *touch, int32_t count, double far, int32_t *from) {
  matching m = {old, touch, olds < 64 ? olds : 64, count, 0, from};
  for (int32_t k = 0; k < count; k++) from[k] = -1;
  match_features(&m, far * far);
  match_positions(&m, far * far);
  match_features(&m, INFINITY);
}
