/* Largest gaps of lists and contacts: margin, range of cohesion, fall by gravity, skin. */
#include "collide/state.h"
#include "math/vec.h"
#include "model/pairs.h"

double sc_collide_reach(const sc_collide *collide, double radius) { return sc_reach(collide, radius); }

double sc_collide_fall(const sc_collide *collide, double dt) {
  return collide->def.gravity ? dt * dt * sc_norm(collide->def.gravity) : 0;
}

double sc_collide_range(const sc_collide *collide, double dt) {
  const sc_pairs *pairs = collide->def.pairs;
  double max = sc_collide_fall(collide, dt);
  for (int32_t r = 0; pairs && r < pairs->rules; r++)
    if (pairs->rule[r].cohesion.strength > 0) max = fmax(max, pairs->rule[r].cohesion.farthest);
  return max;
}

double sc_collide_margin(const sc_collide *collide) {
  const sc_pairs *pairs = collide->def.pairs;
  bool sticks = false;
  for (int32_t r = 0; pairs && r < pairs->rules; r++) sticks = sticks || pairs->rule[r].cohesion.strength > 0;
  return sticks ? fmax(collide->def.margin, SC_TOUCHING) : collide->def.margin;
}

void sc_collide_loaded(sc_collide *collide, double dt) {
  collide->range = sc_collide_range(collide, dt);
  collide->margin = sc_collide_margin(collide);
}

double sc_collide_skin(const sc_collide *collide) {
  return collide->def.skin > 0 ? collide->def.skin : SC_SKIN;
}
