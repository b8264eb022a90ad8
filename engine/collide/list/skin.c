/* The skin: how far every shape may go before the list is stale.
 *
 * A shape's slack is half the skin, in units of the mean radius but never over twice the shape's own
 * radius, so that a fine grain among boulders does not look far; what moves fast gets more, sqrt(6
 * radius way), and at least two steps of its way, so that a bullet does not slip between two lists. All
 * slacks carry a common factor (tune.c). Contacts do not depend on the list they were found with, so
 * results do not depend on the factor at all. */
#include <string.h>
#include "collide/list/list.h"
#include "math/vec.h"

enum { BASE_SKIN_PERCENT = 40 };

double sc_collide_base_skin(const sc_collide *collide) {
  return collide->def.skin > 0 ? collide->def.skin : 0.01 * BASE_SKIN_PERCENT;
}

/* Mean bounding radius of what can move, else of all; 0 if nothing has a size. */
double sc_collide_mean_radius(const sc_collide *collide, const sc_bodies *bodies, int32_t shapes) {
  if (collide->mean > 0) return collide->mean;
  double sum[2] = {0, 0};
  int64_t count[2] = {0, 0};
  for (int32_t row = 0; row < shapes; row++) {
    const sc_shape_cache *cache = collide->cache + row;
    if (!isfinite(cache->radius)) continue;
    int immovable = !(bodies->inv_mass[cache->body] > 0);
    sum[immovable] += cache->radius, count[immovable]++;
  }
  return count[0] ? sum[0] / (double)count[0] : count[1] ? sum[1] / (double)count[1] : 0;
}

double sc_collide_sweep(
    const sc_collide *collide, const sc_bodies *bodies, int32_t shapes, const double from[3]) {
  double far = 0, d[3];
  for (int32_t row = 0; row < shapes; row++) {
    const sc_shape_cache *cache = collide->cache + row;
    if (!isfinite(cache->radius) || !(bodies->inv_mass[cache->body] > 0)) continue;
    sc_sub(cache->centre, from, d);
    far = fmax(far, sc_norm(d) + 2 * cache->radius + cache->travel);
  }
  return 2 * far;
}

static double slack_of(double radius, double mean, double skin, double factor, double way) {
  double own = isfinite(radius) ? radius : mean;
  return fmax(factor * fmax(0.5 * skin * fmin(mean, 2 * own), sqrt(6 * own * way)), 2 * way);
}

void sc_collide_set_common(sc_collide *collide, double mean, double factor) {
  collide->mean = mean, collide->factor = factor;
}

double sc_collide_slack(const sc_collide *collide, const sc_bodies *bodies, int32_t body, double dt) {
  double radius = bodies->radius[body], lever = sc_bodies_ball(bodies, body) > 0 ? 0 : radius;
  return slack_of(radius, collide->mean, sc_collide_base_skin(collide), collide->factor,
      dt * sc_collide_speed(bodies, body, lever));
}

/* The nearest float that is not above. */
float sc_collide_rounded_down(double x) {
  float f = (float)x;
  return (double)f <= x ? f : nextafterf(f, 0);
}

float sc_collide_slack_of(const sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    double dt, int32_t row, double lever, double mean) {
  int32_t body = shapes->row[row].body;
  if (bodies->kind[body] == SCREE_FIXED) return 0;
  double way = dt * sc_collide_speed_from(bodies, body, sc_drift(collide, row), lever);
  return sc_collide_rounded_down(
      slack_of(shapes->row[row].bound, mean, sc_collide_base_skin(collide), collide->factor, way));
}

bool sc_collide_drop_anchors(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, double *spread) {
  double mean = sc_collide_mean_radius(collide, bodies, shapes->count);
  sc_drifting drifting;
  if (!sc_collide_choose_drift(collide, bodies, shapes->count, mean, dt, &drifting)) return false;
  for (int32_t row = 0; row < shapes->count; row++) {
    sc_anchor *anchor = collide->anchor + row;
    const sc_shape_row *shape = shapes->row + row;
    int32_t body = shape->body;
    sc_copy3(bodies->position[body], anchor->position);
    double lever = isfinite(shape->bound)
        ? sc_collide_lever(shapes, row)
        : sc_collide_sweep(collide, bodies, shapes->count, anchor->position);
    if (shape->form >= 0) {
      sc_turned *turned = collide->turned + shape->form;
      memcpy(turned->orientation, bodies->orientation[body], sizeof turned->orientation);
      turned->lever = lever;
    }
    anchor->slack = sc_collide_slack_of(collide, bodies, shapes, dt, row, lever, mean);
  }
  memset(spread, 0, (size_t)shapes->count * sizeof *spread);
  if (collide->drifts) sc_collide_spread(collide, &drifting, shapes->count, spread);
  return true;
}
