/* Pull of a liquid bridge between two spheres, for small bridges (Willett, Adams, Johnson & Seville 2000).
 *
 * Two spheres of radii R1, R2 are replaced by two spheres of Derjaguin's radius r = 2 R1 R2/(R1 + R2), which
 * is twice the effective radius. With surface tension g, contact angle t and volume V the pull at gap D is
 *     F = 2 pi r g cos t / (1 + 1.05 s + 2.5 s^2),   s = D sqrt(r/V),
 * and the bridge ruptures at
 *     D = (1 + t/2) (V^(1/3) + V^(2/3)/(10 r)).
 * The second term is limited to a tenth of the first, because a larger bridge is not small. A thin bridge
 * with the volume between two parabolas has the force 2 pi r g cos t (1 - D/sqrt(D^2 + 2 V/(pi r))). For
 * small V the pull differs from this force by at most 4 % of the force at contact. Between flat shapes
 * (radius INFINITY) no small bridge exists, and the pull is 0. */
#include "law/cohesion/cohesion.h"
#include "math/elementary.h"

void sc_bridge_prepare(sc_cohesion *c) {
  double sine, cosine;
  sc_sin_cos(c->def.contact_angle, &sine, &cosine);
  c->strength = 4 * SC_PI * c->def.tension * cosine;
  c->size = sc_pow(c->def.volume, 1.0 / 3);
  c->near = 0;
  c->farthest = sc_bridge_rupture(c, 0);
}

double sc_bridge_pull(const sc_cohesion *c, double gap, double radius) {
  if (!(radius < INFINITY)) return 0;
  double s = gap > 0 ? gap * sqrt(2 * radius / c->def.volume) : 0;
  return c->strength * radius / (1 + 1.05 * s + 2.5 * s * s);
}

double sc_bridge_rupture(const sc_cohesion *c, double radius) {
  double most = c->size / 10,
         more = c->size * c->size > 20 * radius * most ? most : c->size * c->size / (20 * radius);
  return (1 + c->def.contact_angle / 2) * (c->size + more);
}
