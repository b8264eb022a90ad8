/* Shapes that pass each other: a box on a floor of tiles, a ball over a seam.
 *
 * A gap is taken along its normal as if the surfaces went on across it. Where a box slides on one tile
 * towards the next, of the same height but for rounding, the nearest points of the two are edges, their
 * normal lies along the motion, and the box would be stopped by a wall as high as the rounding. So a gap
 * that would close is tried: the shapes are moved on until it would have closed by a little. If they
 * overlap by a tenth of that in truth, then or at some later time of the step, they meet; else they pass, and
 * the touch says nothing.
 *
 * A step up by less than a tenth of that little is passed, too, and a bullet meets the thinnest plate. */
#include "collide/contacts/passing.h"
#include "collide/contacts/beside.h"
#include "collide/narrow/box/box_lanes.h"
#include "collide/narrow/convex/convex.h"
#include "math/vec.h"
#include "model/relative.h"

static const double little = 2e-3; /* over the size: how far a gap is closed at most */
static const double least = 1e-9;  /* the same: a gap of less is rounding */
static const double truly = 0.1;   /* share of that by which shapes that meet overlap */

/* A shape of a body whose centre lies at `centre` and drifts beside the body's own velocity, some time later;
 * bodies move as they do now, to second order of the angle. Surfaces that run carry nothing along. */
static void move(const sc_bodies *bodies, int32_t row, const double centre[3], const double drift[3],
    double time, const sc_placed *from, sc_placed *to) {
  double arm[3], turned[3], R[9];
  *to = *from;
  if (sc_bodies_runs(bodies, row)) return;
  const double *v = bodies->velocity[row], *w = bodies->spin[row], half = time / 2;
  double q[4] = {1, half * w[0], half * w[1], half * w[2]};
  sc_quat_normalise(q, q);
  sc_quat_matrix(q, R);
  sc_mat_mul(R, from->R, to->R);
  sc_sub(from->position, centre, arm);
  sc_mat_vec(R, arm, turned);
  for (int k = 0; k < 3; k++) to->position[k] = centre[k] + turned[k] + time * (v[k] + drift[k]);
}

/* How far two shapes overlap; hint: what is known of them, may be NULL. */
static double overlap(const sc_placed *a, const sc_placed *b, const sc_hint *known) {
  sc_touch found[SC_MAX_TOUCHES];
  sc_hint hint = {.axis = {0, 0, 0}};
  double deepest = 0;
  if (a->shape->type == SCREE_BOX && b->shape->type == SCREE_BOX) return -sc_box_apart(a, b);
  if (known) hint = *known;
  if (sc_are_hulls(a, b)) return sc_hulls_overlap(a, b, &hint);
  const int count = sc_narrow_again(a, b, 0, &hint, NULL, NULL, found);
  for (int k = 0; k < count; k++) deepest = fmax(deepest, -found[k].gap);
  return deepest;
}

/* The same some time later; point: by body 1. */
static double overlap_after(const sc_passing *p, const double point[3], double time) {
  static const double none[3] = {0, 0, 0};
  sc_placed a, b;
  double r1[3], r2[3], centre[3], drift[3] = {0, 0, 0};
  sc_arms(p->bodies, p->body1, p->body2, p->image, point, r1, r2);
  sc_sub(point, r1, centre);
  move(p->bodies, p->body1, centre, none, time, p->a, &a);
  sc_sub(point, r2, centre);
  if (!sc_image_is_body(p->image)) sc_cell_drift(p->bodies->cell, p->image, drift);
  move(p->bodies, p->body2, centre, drift, time, p->b, &b);
  return overlap(&a, &b, p->hint);
}

enum { IDLE, PASSES, MEETS };
enum { LOOKS = 4 }; /* at what passes, up to the end of the step */

/* How far a gap must close to tell more than rounding, which is that of the larger shape. */
static double beyond_rounding(const sc_passing *p) {
  return least * fmax(p->size, fmax(p->a->shape->bound, p->b->shape->bound));
}

/* What a touch does in this step. */
static int what(const sc_passing *p, const sc_touch *touch) {
  const double speed = sc_closing_speed(p->bodies, p->body1, p->body2, p->image, touch->point, touch->normal);
  const double closes = p->dt * speed - touch->gap;
  if (!(closes > beyond_rounding(p))) return IDLE;
  const double by = fmin(closes, little * p->size), first = (touch->gap + by) / speed;
  for (int k = 0; k <= LOOKS; k++)
    if (overlap_after(p, touch->point, first + k * (p->dt - first) / LOOKS) >= truly * by) return MEETS;
  return PASSES;
}

/* Whether shapes are apart, but for rounding. */
static bool apart(const sc_passing *p, const sc_touch *touch, int count) {
  for (int k = 0; k < count; k++)
    if (!(touch[k].gap > -least * p->size)) return false;
  return true;
}

static bool has_edges(const sc_placed *p) {
  return p->shape->type != SCREE_HALFSPACE && p->shape->type != SCREE_MESH; /* a mesh knows its own */
}

int sc_drop_passing(const sc_passing *p, sc_touch *touch, int count) {
  const double slack = truly * little * p->size;
  int does[SC_MAX_TOUCHES], kept = 0;
  count = sc_drop_beside(p->a, p->b, slack, touch, count);
  if (!has_edges(p->a) || !has_edges(p->b) || !apart(p, touch, count)) return count;
  for (int k = 0; k < count; k++) {
    does[k] = what(p, touch + k);
    if (does[k] == MEETS && !(p->held && sc_is_held_off(p->held, p->a, p->b, slack, touch + k))) return count;
  }
  for (int k = 0; k < count; k++)
    if (does[k] == IDLE) touch[kept++] = touch[k];
  return kept;
}
