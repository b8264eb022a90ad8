/* Strays in a part of many: who of them may get a new anchor without asking anybody.
 *
 * Ranks lend each other copies of the bodies that come near a border (engine/dist/align.c), by what
 * bodies can do until lists are built next: a body of radius r stays within its slack s of where it was
 * then, and is lent to every box that is no further from there than
 *
 *   reach = r + margin r + s + far,        far: the largest r + s of all bodies.
 *
 * A ball that has used up its slack breaks that promise, unless a new one takes its place which nobody
 * else need know of: with a slack s' from where it is now, r + s' <= far, and neither there nor at its
 * old anchor within reach of the walls of its own box. Then nobody holds a copy of it, and it stays at
 * least r + margin r + far inside the box, where no body of another box can come near it: those are at
 * most far - (their radius) outside theirs. All others have lists built anew, by everybody. */
#include <math.h>
#include "collide/list/list.h"

void sc_collide_set_part(sc_collide *collide, const double low[3], const double high[3], double far) {
  sc_copy3(low, collide->part_low);
  sc_copy3(high, collide->part_high);
  collide->far = far;
  collide->typical = collide->mean;
  collide->difference = 0;
}

static bool inside(const sc_collide *collide, const double x[3], double reach) {
  for (int k = 0; k < 3; k++)
    if (!(x[k] - reach >= collide->part_low[k]) || !(x[k] + reach < collide->part_high[k])) return false;
  return true;
}

bool sc_collide_inner(const sc_collide *collide, const sc_bodies *bodies, int32_t body, const double was[3],
    double slack, double dt) {
  if (!sc_bodies_own(bodies, body) || bodies->replicated[body] || !(sc_bodies_ball(bodies, body) > 0))
    return false;
  double radius = bodies->radius[body], most = fmax(slack, sc_collide_slack(collide, bodies, body, dt));
  /* slacks are kept as floats */
  double reach = (radius * (1 + collide->def.margin) + most + collide->far) * (1 + 1e-6);
  return radius + most <= collide->far && inside(collide, was, reach) &&
      inside(collide, bodies->position[body], reach);
}
