/* Moments of ball contacts on their way from rows into bundles and back: see sweep.h. */
#include "solve/sweeps/sweep.h"

#include <string.h>

static bool take(const sc_lanes *lanes, bool past, sc_arena *arena, sc_bundle_couple **couple) {
  *couple = SC_TAKE(arena, sc_bundle_couple, lanes->count);
  sc_bundle_past *before = past ? SC_TAKE(arena, sc_bundle_past, lanes->count) : NULL;
  if (!*couple || (past && !before)) return false;
  for (int s = 0; s < sc_lanes_streams(lanes); s++) {
    lanes->stream[s].couple = *couple + (lanes->stream[s].bundle - lanes->bundle);
    if (past) lanes->stream[s].couple_past = before + (lanes->stream[s].bundle - lanes->bundle);
  }
  return true;
}

static void fill_lane(const sc_ball_couple *from, sc_bundle_couple *to, uint32_t l) {
  for (int k = 0; k < 3; k++) to->m[k][l] = from->m[k];
  to->torsion[l] = from->torsion;
  to->rolling[l] = from->rolling;
  to->ratio[l] = from->ratio;
}

bool sc_couples_fill(
    const sc_problem *problem, const sc_lanes *lanes, bool past, sc_arena *arena, sc_bundle_couple **couple) {
  if (!take(lanes, past, arena, couple)) return false;
  memset(*couple, 0, (size_t)lanes->count * sizeof **couple); /* that of empty lanes */
  for (int32_t c = 0; c < problem->balls; c++) {
    uint32_t slot = (uint32_t)lanes->slot[c];
    fill_lane(problem->couple + c, *couple + slot / SC_LANES, slot % SC_LANES);
  }
  for (int s = 0; s < sc_lanes_streams(lanes) && past; s++)
    for (int32_t at = 0; at < lanes->stream[s].count; at++)
      memcpy(lanes->stream[s].couple_past[at].p, lanes->stream[s].couple[at].m,
          sizeof lanes->stream[s].couple_past[at].p);
  return true;
}

void sc_couple_get(const sc_lanes *lanes, const sc_bundle_couple *couple, int32_t c, double m[3]) {
  uint32_t slot = (uint32_t)lanes->slot[c];
  for (int k = 0; k < 3; k++) m[k] = couple[slot / SC_LANES].m[k][slot % SC_LANES];
}
