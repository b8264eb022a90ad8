/* Copies moments of ball contacts from rows to bundles, and reads them from bundles: see store.h. */
#include "problem/contacts/store.h"

#include <string.h>

static bool allocate_couples(sc_contacts *lanes, bool past, sc_arena *arena) {
  size_t count = (size_t)lanes->slots.count;
  lanes->bundles.couple = SC_TAKE(arena, sc_bundle_couple, count);
  if (past) lanes->bundles.couple_past = SC_TAKE(arena, sc_bundle_past, count);
  return lanes->bundles.couple && (!past || lanes->bundles.couple_past);
}

static void fill_lane(const sc_ball_couple *from, sc_bundle_couple *to, uint32_t l) {
  for (int k = 0; k < 3; k++) to->m[k][l] = from->m[k];
  to->torsion[l] = from->torsion;
  to->rolling[l] = from->rolling;
  to->ratio[l] = from->ratio;
}

bool sc_couples_fill(const sc_problem *problem, sc_contacts *lanes, bool past, sc_arena *arena) {
  if (!allocate_couples(lanes, past, arena)) return false;
  size_t count = (size_t)lanes->slots.count;
  sc_bundle_couple *couple = lanes->bundles.couple;
  memset(couple, 0, count * sizeof *couple); /* moments of empty lanes stay 0 */
  for (int32_t c = 0; c < problem->balls; c++) {
    uint32_t slot = (uint32_t)lanes->slots.slot[c];
    fill_lane(problem->couple + c, couple + slot / SC_LANES, slot % SC_LANES);
  }
  for (size_t b = 0; b < count && past; b++)
    memcpy(lanes->bundles.couple_past[b].p, couple[b].m, sizeof couple[b].m);
  return true;
}

void sc_couple_get(const sc_contacts *lanes, int32_t c, double m[3]) {
  uint32_t slot = (uint32_t)lanes->slots.slot[c];
  for (int k = 0; k < 3; k++) m[k] = lanes->bundles.couple[slot / SC_LANES].m[k][slot % SC_LANES];
}
