/* How far lists and contacts reach: margins, cohesion, the skin. */
#include "collide/state.h"
#include "model/pairs.h"

double sc_collide_reach(const sc_collide *collide, double radius) { return sc_reach(collide, radius); }

double sc_collide_range(const sc_collide *collide) {
  const sc_pairs *pairs = collide->def.pairs;
  double most = 0;
  for (int32_t r = 0; pairs && r < pairs->rules; r++)
    if (pairs->rule[r].cohesion.strength > 0) most = fmax(most, pairs->rule[r].cohesion.farthest);
  return most;
}

double sc_collide_skin(const sc_collide *collide) {
  return collide->def.skin > 0 ? collide->def.skin : SC_SKIN;
}
