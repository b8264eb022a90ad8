/* Shapes that pass each other: a box on a floor of tiles, a ball over a seam.
 *
 * The narrow phase measures a gap along its normal as if both surfaces went on across the normal. A box
 * that slides from one tile to the next, which has the same height but for rounding, is nearest to that
 * tile with an edge. The normal lies along the motion, and a wall as high as the rounding would stop the
 * box.
 *
 * So each gap that would close within the step is tried. The shapes are moved on until the gap would
 * have closed by a length `closes_by`, at most 2e-3 of the size. If they then overlap by a tenth of this
 * length, or do so later in the step, they meet. Otherwise they pass, and the touch is left out. A step
 * up of less than a tenth of the length is passed, too. A bullet meets even a thin plate.
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

/* Places a shape of a body as it lies some time later. The body's centre lies at `centre` and drifts
 * beside its own velocity. Bodies keep their velocities; the rotation is exact to second order of the
 * angle. Running surfaces do not move their body. */
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

/* How far two shapes overlap; hint: what is known of convex ones, may be NULL. */
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

/* How far the shapes of a touch overlap some time later. */
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

/* The course of a touch within the step: it does not close, it closes by gravity alone, its shapes pass,
 * or they meet. */
enum { IDLE, FALLS, PASSES, MEETS };
enum { FEWEST_LOOKS = 4, MOST_LOOKS = 64 }; /* at what passes, up to the end of the step */

/* The least length by which a gap must close to be more than rounding, which grows with the larger shape. */
static double beyond_rounding(const sc_passing *p) {
  return least * fmax(p->size, fmax(p->a->shape->bound, p->b->shape->bound));
}

/* How many looks follow the shapes over a time without a gap of more than half the size between two. */
static int count_looks(const sc_passing *p, const sc_touch *touch, double time) {
  double r1[3], r2[3], u[3];
  sc_arms(p->bodies, p->body1, p->body2, p->image, touch->point, r1, r2);
  sc_relative_velocity(p->bodies, p->body1, r1, p->body2, p->image, r2, touch->normal, u);
  const double looks = ceil(2 * sc_norm(u) * time / p->size);
  return looks < FEWEST_LOOKS ? FEWEST_LOOKS : looks > MOST_LOOKS ? MOST_LOOKS + 1 : (int)looks;
}

static int foresee(const sc_passing *p, const sc_touch *touch) {
  const double speed = sc_closing_speed(p->bodies, p->body1, p->body2, p->image, touch->point, touch->normal);
  const double closes = p->dt * speed - touch->gap;
  if (!(closes > beyond_rounding(p)))
    return touch->gap > little * p->size && closes + p->fall > 0 ? FALLS : IDLE;
  const double closes_by = fmin(closes, little * p->size), first = (touch->gap + closes_by) / speed;
  const int looks = count_looks(p, touch, p->dt - first);
  if (looks > MOST_LOOKS) return MEETS;
  for (int k = 0; k <= looks; k++)
    if (overlap_after(p, touch, first + k * (p->dt - first) / looks) >= truly * closes_by) return MEETS;
  return PASSES;
}

/* Whether no touch overlaps by more than rounding. */
static bool are_apart(const sc_passing *p, const sc_touch *touch, int count) {
  for (int k = 0; k < count; k++)
    if (!(touch[k].gap > -least * p->size)) return false;
  return true;
}

/* Whether a shape cannot come to the edge that it seems to meet: the surface goes on there, or another
 * shape is in the way. */
static bool is_out_of_reach(const sc_passing *p, const sc_touch *touch, double slack) {
  sc_fold fold;
  return p->held &&
      (sc_find_seam(p->held, p->a, p->b, p->size, slack, touch, &fold) == SC_LEVEL ||
          sc_is_held_off(p->held, p->a, p->b, slack, touch));
}

/* Whether the convex shape of a touch with a mesh lies above a face of the mesh there. */
static bool is_above_face(const sc_passing *p, double slack, const sc_touch *touch) {
  sc_edge_touch edge[2];
  sc_flank face[SC_MAX_FLANKS];
  sc_edge_touches(p->a, p->b, touch, edge);
  return sc_faces_below(edge + is_mesh(p->a), slack, slack, face) > 0;
}

/* Whether the shape of a touch with an edge or corner of a mesh passes it, or another shape is in the way. */
static bool passes_edge(const sc_passing *p, double slack, const sc_touch *touch) {
  if (!(touch->gap > -least * p->size) || !is_above_face(p, slack, touch)) return false;
  const int does = foresee(p, touch);
  return does == PASSES || (does == MEETS && p->held && sc_is_held_off(p->held, p->a, p->b, slack, touch));
}

/* Whether one of the touches has the normal of another, and its gap or less. */
static bool is_there(const sc_touch *touch, int count, const sc_touch *other, double rounding) {
  for (int k = 0; k < count; k++)
    if (sc_dot(touch[k].normal, other->normal) > 1 - 1e-9 && touch[k].gap <= other->gap + rounding)
      return true;
  return false;
}

/* Adds the touches with the faces of a fold that are not there. */
static int add_fold(
    const sc_passing *p, const sc_fold *fold, const sc_touch *all, int count, sc_touch *out, int kept) {
  const double rounding = least * p->size;
  for (int k = 0; k < fold->count && kept < SC_MAX_TOUCHES; k++)
    if (!is_there(all, count, fold->touch + k, rounding) && !is_there(out, kept, fold->touch + k, rounding))
      out[kept++] = fold->touch[k];
  return kept;
}

static int drop_from_mesh(const sc_passing *p, double slack, sc_touch *touch, int count) {
  static const double in_fold = 0.01; /* a shape that is nearer to a fold lies in it, over the size */
  sc_touch out[SC_MAX_TOUCHES];
  sc_fold fold;
  int kept = 0;
  for (int k = 0; k < count; k++) {
    const sc_seam seam = sc_find_seam(p->held, p->a, p->b, p->size, slack, touch + k, &fold);
    if (seam == SC_HOLLOW && touch[k].gap < in_fold * p->size)
      kept = add_fold(p, &fold, touch, count, out, kept);
    if (seam || passes_edge(p, slack, touch + k) || kept == SC_MAX_TOUCHES) continue;
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
