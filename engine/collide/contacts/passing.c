/* Shapes that pass each other. Examples are a box on a floor of tiles and a ball over a seam.
 *
 * The narrow phase measures a gap along its normal as if both surfaces went on across the normal. Consider
 * a box that slides to the next tile, whose height differs by rounding alone. The edge of the box is
 * nearest to the next tile, and the normal lies along the motion. So a wall as high as the rounding would
 * stop the box.
 *
 * Each gap that would close within the step is tried. The shapes are moved on until the gap would have
 * closed by a length `closes_by`, at most 2e-3 of the size. The shapes meet if they then overlap by a tenth
 * of this length, or if they do so later in the step. Otherwise they pass, and the touch is dropped. Shapes
 * also pass a step up that is lower than a tenth of the length. A bullet meets even a thin plate.
 *
 * The touches of convex shapes are judged together because such shapes meet in one place. Each touch
 * with an edge or corner of a mesh is judged alone, against the triangles at this touch. */
#include "collide/contacts/passing.h"
#include <string.h>
#include "collide/contacts/aside.h"
#include "collide/contacts/seam.h"
#include "collide/narrow/box/box_lanes.h"
#include "collide/narrow/convex/convex.h"
#include "math/vec.h"
#include "model/relative.h"

static const double little = 2e-3; /* how far a gap is closed at most, over the size */
static const double least = 1e-9;  /* a gap of less is rounding, over the size */
static const double truly = 0.1;   /* shapes that meet overlap by this share of the length */

/* Computes the pose of a shape after `time` [s]. The body's centre starts at `centre`. `drift` [m/s] is
 * added to the body's velocity. Velocities are constant, and the rotation is exact to second order of the
 * angle. A running surface does not move its body. */
static void move_shape(const sc_bodies *bodies, int32_t row, const double centre[3], const double drift[3],
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

static bool is_mesh(const sc_placed *p) { return p->shape->type == SCREE_MESH; }
static bool is_plane(const sc_placed *p) { return p->shape->type == SCREE_HALFSPACE; }

/* Returns the depth by which two shapes overlap [m]. known: contact cache of convex shapes, may be NULL. */
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

/* Returns the depth by which the shapes of a touch overlap after `time` [m]. */
static double overlap_after(const sc_passing *p, const sc_touch *touch, double time) {
  static const double none[3] = {0, 0, 0};
  sc_placed a, b;
  double r1[3], r2[3], centre[3], drift[3] = {0, 0, 0};
  sc_arms(p->bodies, p->body1, p->body2, p->image, touch->point, r1, r2);
  sc_sub(touch->point, r1, centre);
  move_shape(p->bodies, p->body1, centre, none, time, p->a, &a);
  sc_sub(touch->point, r2, centre);
  if (!sc_image_is_body(p->image)) sc_cell_drift(p->bodies->cell, p->image, drift);
  move_shape(p->bodies, p->body2, centre, drift, time, p->b, &b);
  return overlap(&a, &b, p->hint);
}

/* Course of a touch within the step. IDLE: the gap does not close. FALLS: the gap closes by gravity alone.
 * PASSES: the shapes pass each other. MEETS: the shapes meet. */
enum { IDLE, FALLS, PASSES, MEETS };
enum { FEWEST_LOOKS = 4, MOST_LOOKS = 64 }; /* limits of the number of tests per step */

/* Returns the length that a gap must close by to exceed rounding [m]. Rounding grows with the larger
 * shape. */
static double beyond_rounding(const sc_passing *p) {
  return least * fmax(p->size, fmax(p->a->shape->bound, p->b->shape->bound));
}

/* Returns the number of tests over a time, so that shapes move by at most half the size between tests.
 * Returns MOST_LOOKS + 1 if MOST_LOOKS tests are too few. */
static int count_looks(const sc_passing *p, const sc_touch *touch, double time) {
  double r1[3], r2[3], u[3];
  sc_arms(p->bodies, p->body1, p->body2, p->image, touch->point, r1, r2);
  sc_relative_velocity(p->bodies, p->body1, r1, p->body2, p->image, r2, touch->normal, u);
  const double looks = ceil(2 * sc_norm(u) * time / p->size);
  return looks < FEWEST_LOOKS ? FEWEST_LOOKS : looks > MOST_LOOKS ? MOST_LOOKS + 1 : (int)looks;
}

/* Returns by how much a gap closes beyond 0 within the step [m]; *speed: the closing speed [m/s]. */
static double find_closing(const sc_passing *p, const sc_touch *touch, double *speed) {
  *speed = sc_closing_speed(p->bodies, p->body1, p->body2, p->image, touch->point, touch->normal);
  return p->dt * *speed - touch->gap;
}

static int foresee(const sc_passing *p, const sc_touch *touch) {
  double speed;
  const double closes = find_closing(p, touch, &speed);
  if (!(closes > beyond_rounding(p)))
    return touch->gap > little * p->size && closes + p->fall > 0 ? FALLS : IDLE;
  const double closes_by = fmin(closes, little * p->size), first = (touch->gap + closes_by) / speed;
  const int looks = count_looks(p, touch, p->dt - first);
  if (looks > MOST_LOOKS) return MEETS;
  for (int k = 0; k <= looks; k++)
    if (overlap_after(p, touch, first + k * (p->dt - first) / looks) >= truly * closes_by) return MEETS;
  return PASSES;
}

/* Returns whether no touch overlaps by more than rounding. */
static bool are_apart(const sc_passing *p, const sc_touch *touch, int count) {
  for (int k = 0; k < count; k++)
    if (!(touch[k].gap > -least * p->size)) return false;
  return true;
}

/* Returns whether a shape cannot reach the edge that it seems to meet. The surface goes on level at the
 * edge, or another touch keeps the shape off. */
static bool is_out_of_reach(const sc_passing *p, const sc_touch *touch, double slack) {
  sc_fold fold;
  return p->held &&
      (sc_find_seam(p->held, p->a, p->b, p->size, slack, touch, &fold) == SC_LEVEL ||
          sc_is_held_off(p->held, p->a, p->b, slack, touch));
}

/* Returns whether a shape that lies above a face of a mesh passes the edge of the face that it touches. Also
 * returns true if another touch keeps the shape off. */
static bool passes_edge(const sc_passing *p, double slack, const sc_touch *touch) {
  double speed;
  if (!(touch->gap > -least * p->size && find_closing(p, touch, &speed) > beyond_rounding(p))) return false;
  const int does = foresee(p, touch);
  return does == PASSES || (does == MEETS && p->held && sc_is_held_off(p->held, p->a, p->b, slack, touch));
}

/* Returns whether one of `count` touches has the normal of `other` and at most the gap of `other`. */
static bool is_there(const sc_touch *touch, int count, const sc_touch *other, double rounding) {
  for (int k = 0; k < count; k++)
    if (sc_dot(touch[k].normal, other->normal) > 1 - 1e-9 && touch[k].gap <= other->gap + rounding)
      return true;
  return false;
}

/* Adds the touches of a fold that neither `all` nor `out` contains. Returns the new number in `out`. */
static int add_fold(
    const sc_passing *p, const sc_fold *fold, const sc_touch *all, int count, sc_touch *out, int kept) {
  const double rounding = least * p->size;
  for (int k = 0; k < fold->count && kept < SC_MAX_TOUCHES; k++)
    if (!is_there(all, count, fold->touch + k, rounding) && !is_there(out, kept, fold->touch + k, rounding))
      out[kept++] = fold->touch[k];
  return kept;
}

static int drop_from_mesh(const sc_passing *p, double slack, sc_touch *touch, int count) {
  static const double in_fold = 0.01; /* a shape nearer to a fold lies in it, over size */
  sc_touch out[SC_MAX_TOUCHES];
  sc_fold fold;
  int kept = 0;
  for (int k = 0; k < count; k++) {
    const sc_seam seam = sc_find_seam(p->held, p->a, p->b, p->size, slack, touch + k, &fold);
    if (seam == SC_HOLLOW && touch[k].gap < in_fold * p->size)
      kept = add_fold(p, &fold, touch, count, out, kept);
    if (seam || (fold.above && passes_edge(p, slack, touch + k)) || kept == SC_MAX_TOUCHES) continue;
    out[kept++] = touch[k];
  }
  memcpy(touch, out, (size_t)kept * sizeof *out);
  return kept;
}

int sc_drop_passing(const sc_passing *p, sc_touch *touch, int count) {
  const double slack = truly * little * p->size;
  sc_fold fold;
  int does[SC_MAX_TOUCHES], kept = 0;
  count = sc_drop_beside(p->a, p->b, slack, touch, count);
  if (is_plane(p->a) || is_plane(p->b)) return count;
  if (is_mesh(p->a) || is_mesh(p->b)) return drop_from_mesh(p, slack, touch, count);
  if (!are_apart(p, touch, count)) return count;
  for (int k = 0; k < count; k++) {
    does[k] = foresee(p, touch + k);
    if (does[k] == MEETS && !is_out_of_reach(p, touch + k, slack)) return count;
    if (does[k] == FALLS && p->held &&
        sc_find_seam(p->held, p->a, p->b, p->size, slack, touch + k, &fold) == SC_LEVEL)
      does[k] = PASSES;
  }
  for (int k = 0; k < count; k++)
    if (does[k] <= FALLS) touch[kept++] = touch[k];
  return kept;
}
