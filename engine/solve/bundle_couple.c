/* Moments of ball contacts on their way into bundles and back: see lanes.h. */
#include "solve/lanes.h"

#include <string.h>

bool sc_bundles_take_couples(const sc_problem *problem, sc_arena *arena, sc_bundles *out) {
  out->couple = NULL, out->couple_past = NULL;
  if (!problem->couple || !out->count) return true;
  out->couple = SC_TAKE(arena, sc_bundle_couple, out->count);
  if (out->past) out->couple_past = SC_TAKE(arena, sc_bundle_past, out->count);
  return out->couple && (!out->past || out->couple_past);
}

/* Contacts are asked for ahead. */
enum { BUNDLES_AHEAD = 8 };
SC_FETCH fetch(const sc_problem *problem, const sc_bundles *s, int32_t at) {
  for (int l = 0; l < SC_LANES && at + BUNDLES_AHEAD < s->count; l++) {
    int32_t c = s->contact[(size_t)(at + BUNDLES_AHEAD) * SC_LANES + (size_t)l];
    if (c >= 0) __builtin_prefetch(problem->couple + c, 1);
  }
}

/* Empty lanes have a couple of zeros. */
static void fill_lane(const sc_ball_couple *from, sc_bundle_couple *to, int l) {
  for (int k = 0; k < 3; k++) to->m[k][l] = from->m[k];
  to->torsion[l] = from->torsion;
  to->rolling[l] = from->rolling;
  to->ratio[l] = from->ratio;
}

void sc_bundles_fill_couples(const sc_problem *problem, sc_bundles *out) {
  static const sc_ball_couple none;
  if (!out->couple) return;
  for (int32_t at = 0; at < out->count; at++) {
    const int32_t *contact = out->contact + (size_t)at * SC_LANES;
    fetch(problem, out, at);
    for (int l = 0; l < SC_LANES; l++) fill_lane(contact[l] < 0 ? &none : problem->couple + contact[l], out->couple + at, l);
    if (out->couple_past) memcpy(out->couple_past[at].p, out->couple[at].m, sizeof out->couple_past[at].p);
  }
}

void sc_bundles_unpack_couples(const sc_bundles *s, sc_problem *problem) {
  for (int32_t at = 0; at < s->count && s->couple; at++) {
    const int32_t *contact = s->contact + (size_t)at * SC_LANES;
    fetch(problem, s, at);
    for (int l = 0; l < SC_LANES; l++)
      for (int k = 0; k < 3 && contact[l] >= 0; k++) problem->couple[contact[l]].m[k] = s->couple[at].m[k][l];
  }
}
