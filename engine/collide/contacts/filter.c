/* The contact filter: drops touches of the narrow phase at which the shapes do not press on each other.
 *
 * The narrow phase searches each pair of shapes alone and at one instant. It measures each gap along the
 * contact normal as if both surfaces went on across the normal. At an internal edge the surfaces of several
 * shapes or triangles join. There the normal of a touch may lie outside the Voronoi region of the joined
 * surface. Such a touch slows, lifts or stops a shape that slides over the edge. A rule drops the touches of
 * one such cause.
 *
 * Rules for one pair of shapes, in the order in which sc_filter_touches applies them:
 *  1 drop_side_by_side Drops the touches of a normal if a side face, perpendicular to the normal, separates
 *                      the shapes, as for a cube on a floor of cubes and the next cube. The shapes touch at
 *                      their edges only, and one can move along the normal for ever without pressing on the
 *                      other.
 *  2 drop_level_seam   Drops a touch with an edge if a neighbour continues the face beside the edge at the
 *                      same level and the shape lies above this face. The shape reaches the faces, not the
 *                      edge.
 *  3 drop_ridge_back   Drops a touch with an edge of a mesh if the face beyond the edge falls and the shape
 *                      lies above the face before the edge. The shape cannot reach the back of the ridge.
 *  4 replace_fold_edge Replaces a touch with the edge of a hollow fold by touches with the faces of the fold,
 *                      because the normal of the edge's touch lies between the normals of the faces.
 *  5 drop_passing      Drops a touch whose gap closes within the step although the shapes do not overlap
 *                      then. A box that slides to the next tile would otherwise hit a wall as high as
 *                      rounding.
 *  6 drop_held_off     Drops a touch whose gap closes within the step if another touch keeps the shape above
 *                      the face beside the edge, as for a ball that falls on a tile beside a slit.
 *  7 drop_farther_seam Drops a touch of a ball whose point on the other shape also lies on a nearer
 *                      neighbour. The distance has no local minimum there. It applies where forces of several
 *                      touches add up (springs, cohesion).
 * Rule for all contacts of two bodies of several shapes:
 *  8 sc_filter_merge   Drops contacts that other contacts of the same two bodies imply (merge.c).
 *
 * Rules 2 to 6 judge touches of meshes one by one, because a shape may meet a mesh in several places. The
 * touches of two convex shapes stay if one of them stays after its gap has closed, because convex shapes
 * meet in one place. */
#include "collide/contacts/filter.h"
#include <string.h>
#include "collide/contacts/edge.h"
#include "collide/narrow/box/box_lanes.h"
#include "math/vec.h"
#include "model/relative.h"

/* Lengths are relative to sc_filter.size unless stated otherwise. */
static const double max_closing = 2e-3; /* a test moves the shapes closer by at most this length */
static const double min_gap = 1e-9;     /* gaps below this are rounding errors */
/* Smallest overlap of shapes that meet, as a share of the closed length. */
static const double min_overlap = 0.1;
/* Largest overlap across a side face, as a share of the smaller width. */
static const double max_side_overlap = 0.1;
static const double min_cosine = 1 - 1e-6; /* normals with a larger cosine count as parallel */
static const double in_fold = 0.01;        /* a shape at a smaller distance from a fold lies in the fold */
static const double max_offset = 2e-4;     /* largest distance of a touch from the neighbour, in ball radii */
/* Unit in which gaps of a ball are compared, in ball radii. It is larger than rounding errors. */
static const double gap_unit = 1e-12;

/* The touches of a pair while rules are applied to them one by one. */
typedef struct pass {
  const sc_filter *filter;
  double slack;          /* step height in a surface up to which the surface counts as flat [m] */
  bool mesh;             /* whether one of the shapes is a mesh */
  const sc_touch *touch; /* [count] touches to be judged */
  int count, kept;
  sc_touch out[SC_MAX_TOUCHES]; /* [kept] touches that remain */
} pass;

/* Course of a touch within the step. IDLE: the gap does not close, or the shapes overlap. PASSES: the
 * shapes pass each other. FALLS: the gap closes by gravity alone. COLLIDES: the shapes collide. */
typedef enum course { UNKNOWN, IDLE, PASSES, FALLS, COLLIDES } course;

/* A touch of a pass, with the results of the filter rules for this touch. */
typedef struct judged {
  pass *pass;
  const sc_touch *touch;
  course course;
  bool sought; /* true: the seam and the fold of the touch have been computed */
  sc_seam seam;
  sc_fold fold;
} judged;

/* ---- rule 1 ---- */

/* Returns whether the other shape lies beyond the plane of side face f of the holder. The shapes may overlap
 * across the plane by at most `slack` [m] and at most max_side_overlap times the smaller width. */
static bool is_beyond(const sc_placed *holder, const sc_placed *other, const sc_flat_face *f, double slack) {
  double back[3], middle[3];
  sc_sub(other->position, f->point, middle);
  if (!other->shape->geometry && sc_dot(middle, f->normal) < 0) return false;
  sc_scale(-1, f->normal, back);
  const double into = sc_reach_along(other, back, f->point);
  if (!(into <= slack)) return false;
  return into <= max_side_overlap *
      fmin(sc_reach_along(holder, back, f->point), sc_reach_along(other, f->normal, f->point) + into);
}

/* Returns whether the other shape lies beyond a side face of the holder. The holder is the shape whose faces
 * are tested. A side face is a flat face at the touch whose normal is perpendicular to the normal of the
 * touch. */
static bool is_beyond_side_face(
    const sc_placed *holder, const sc_placed *other, const sc_touch *touch, double slack) {
  sc_flat_face side_face[SC_MAX_SIDE_FACES];
  const int side_faces = sc_find_side_faces(
      holder, touch->point, touch->normal, SC_SQUARE, slack + fabs(touch->gap), side_face);
  for (int k = 0; k < side_faces; k++)
    if (is_beyond(holder, other, side_face + k, slack)) return true;
  return false;
}

/* Returns whether the triangle of the first three touches, which have one normal, is wider than a few times
 * slack + |gap|. This is usual for two faces that lie on each other. No side face can then separate the
 * shapes. */
static bool is_wide(const sc_touch *touch, int count, double slack) {
  double e[2][3], c[3], off = slack + fabs(touch->gap);
  if (count < 3) return false;
  for (int k = 0; k < 2; k++) {
    const double more = slack + fabs(touch[k + 1].gap);
    if (more > off) off = more;
    sc_sub(touch[k + 1].point, touch->point, e[k]);
  }
  sc_cross(e[0], e[1], c);
  return sc_dot(c, c) > 32 * off * off * (sc_dot(e[0], e[0]) + sc_dot(e[1], e[1]));
}

static int drop_side_by_side(
    const sc_placed *a, const sc_placed *b, double slack, sc_touch *touch, int count) {
  if (!sc_kind_of(a->shape)->side_faces || !sc_kind_of(b->shape)->side_faces) return count;
  if (!sc_has_side_faces(a->shape) && !sc_has_side_faces(b->shape)) return count;
  int kept = 0, next;
  for (int first = 0; first < count; first = next) {
    for (next = first + 1; next < count; next++)
      if (memcmp(touch[next].normal, touch[first].normal, sizeof touch->normal)) break;
    if (!is_wide(touch + first, next - first, slack) &&
        (is_beyond_side_face(a, b, touch + first, slack) || is_beyond_side_face(b, a, touch + first, slack)))
      continue;
    if (kept < first) memmove(touch + kept, touch + first, (size_t)(next - first) * sizeof *touch);
    kept += next - first;
  }
  return kept;
}

/* ---- the course of a touch ---- */

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

/* Returns the depth by which two shapes overlap [m]. known: pair cache, may be NULL. */
static double find_overlap(const sc_placed *a, const sc_placed *b, const sc_pair_cache *known) {
  sc_touch found[SC_MAX_TOUCHES];
  sc_pair_cache pair_cache = {.axis = {0, 0, 0}};
  double deepest = 0;
  if (a->shape->type == SCREE_BOX && b->shape->type == SCREE_BOX) return -sc_box_apart(a, b);
  if (known) pair_cache = *known;
  if (sc_are_hulls(a, b)) return sc_hulls_overlap(a, b, &pair_cache);
  const int count = sc_narrow_again(a, b, 0, &pair_cache, NULL, NULL, found);
  for (int k = 0; k < count; k++) deepest = fmax(deepest, -found[k].gap);
  return deepest;
}

/* Returns the depth by which the shapes of a touch overlap after `time` [m]. */
static double find_overlap_after(const sc_filter *f, const sc_touch *touch, double time) {
  static const double none[3] = {0, 0, 0};
  sc_placed a, b;
  double r1[3], r2[3], centre[3], drift[3] = {0, 0, 0};
  sc_arms(f->bodies, f->body1, f->body2, f->image, touch->point, r1, r2);
  sc_sub(touch->point, r1, centre);
  move_shape(f->bodies, f->body1, centre, none, time, f->a, &a);
  sc_sub(touch->point, r2, centre);
  if (!sc_image_is_body(f->image)) sc_cell_drift(f->bodies->cell, f->image, drift);
  move_shape(f->bodies, f->body2, centre, drift, time, f->b, &b);
  return find_overlap(&a, &b, f->pair_cache);
}

/* Returns the number of tests over a time. Shapes move by at most half the size between two tests. Returns
 * MOST_TESTS + 1 if MOST_TESTS tests are too few. */
enum { FEWEST_TESTS = 4, MOST_TESTS = 64 };
static int count_tests(const sc_filter *f, const sc_touch *touch, double time) {
  double r1[3], r2[3], u[3];
  sc_arms(f->bodies, f->body1, f->body2, f->image, touch->point, r1, r2);
  sc_relative_velocity(f->bodies, f->body1, r1, f->body2, f->image, r2, touch->normal, u);
  const double tests = ceil(2 * sc_norm(u) * time / f->size);
  return tests < FEWEST_TESTS ? FEWEST_TESTS : tests > MOST_TESTS ? MOST_TESTS + 1 : (int)tests;
}

/* Computes the course of a touch. If the gap of the touch closes within the step, the shapes are moved on
 * until the gap would have closed by the length `closes_by`. This length is at most `max_closing` times the
 * size. The shapes collide if they then, or later in the step, overlap by `min_overlap` of this length. So a
 * shape slides over an edge that is lower than this overlap, and a bullet still hits a thin plate. */
static course compute_course(const sc_filter *f, const sc_touch *touch) {
  const double speed = sc_closing_speed(f->bodies, f->body1, f->body2, f->image, touch->point, touch->normal);
  const double closes = f->dt * speed - touch->gap;
  if (!(closes > min_gap * fmax(f->size, fmax(f->a->shape->bound, f->b->shape->bound))))
    return touch->gap > max_closing * f->size && closes + f->fall > 0 ? FALLS : IDLE;
  const double closes_by = fmin(closes, max_closing * f->size), first = (touch->gap + closes_by) / speed;
  const int tests = count_tests(f, touch, f->dt - first);
  if (tests > MOST_TESTS) return COLLIDES;
  for (int k = 0; k <= tests; k++)
    if (find_overlap_after(f, touch, first + k * (f->dt - first) / tests) >= min_overlap * closes_by)
      return COLLIDES;
  return PASSES;
}

static bool has_gap(const pass *p, const sc_touch *touch) { return touch->gap > -min_gap * p->filter->size; }

/* ---- rules 2 to 6: each returns whether it drops a touch ---- */

static sc_seam seam_of_touch(judged *j) {
  if (!j->sought) j->seam = sc_find_seam(j->pass->filter, j->pass->slack, j->touch, &j->fold);
  j->sought = true;
  return j->seam;
}

/* Returns the course of a touch. A shape can pass an edge of a mesh only if the shape lies above a face
 * beside the edge. */
static course find_course(judged *j) {
  if (j->course != UNKNOWN) return j->course;
  const bool stays = j->pass->mesh && (seam_of_touch(j), !j->fold.above || !has_gap(j->pass, j->touch));
  return j->course = stays ? IDLE : compute_course(j->pass->filter, j->touch);
}

static bool drop_level_seam(judged *j) {
  return (j->pass->mesh || find_course(j) >= FALLS) && seam_of_touch(j) == SC_LEVEL;
}

static bool drop_ridge_back(judged *j) { return j->pass->mesh && seam_of_touch(j) == SC_RIDGE; }

/* Returns whether one of `count` touches has the normal of `other` and at most the gap of `other`. */
static bool has_touch(const sc_touch *touch, int count, const sc_touch *other, double rounding) {
  for (int k = 0; k < count; k++)
    if (sc_dot(touch[k].normal, other->normal) > 1 - 1e-9 && touch[k].gap <= other->gap + rounding)
      return true;
  return false;
}

static bool replace_fold_edge(judged *j) {
  pass *p = j->pass;
  const double size = p->filter->size, rounding = min_gap * size;
  if (!p->mesh || seam_of_touch(j) != SC_HOLLOW) return false;
  for (int k = 0; k < j->fold.count && j->touch->gap < in_fold * size && p->kept < SC_MAX_TOUCHES; k++) {
    const sc_touch *face = j->fold.touch + k;
    if (!has_touch(p->touch, p->count, face, rounding) && !has_touch(p->out, p->kept, face, rounding))
      p->out[p->kept++] = *face;
  }
  return true;
}

static bool drop_passing(judged *j) { return find_course(j) == PASSES; }

/* A plane that a body must stay above. up: unit normal. height: largest gap of a touch that stops the body
 * before it crosses the plane [m]. */
typedef struct plane {
  const double *up;
  double height;
} plane;

/* Returns whether a touch of a neighbour stops the body before it moves down by more than the height of the
 * plane. */
static bool stops_above(void *context, const sc_neighbour *n) {
  const plane *p = context;
  const double side = n->first ? 1 : -1;
  sc_touch touch[SC_MAX_TOUCHES];
  const int count = sc_narrow(n->one, n->two, p->height, touch);
  for (int k = 0; k < count; k++)
    if (side * sc_dot(touch[k].normal, p->up) >= min_cosine) return true;
  return false;
}

/* Returns whether the lowest face or edge of a shape stays parallel to a plane until the end of the step. A
 * tilted shape turns about the touch that carries it, so it may come lower. */
static bool stays_parallel(const sc_edge_touch *edge, const double up[3], double slack) {
  const sc_placed *p = edge->other;
  const sc_filter *f = edge->filter;
  const double *spin = f->bodies->spin[edge->first ? f->body1 : f->body2];
  double down[3], turn[3];
  sc_face face = {0};
  if (p->shape->type == SCREE_SPHERE) /* the centre of the ball turns about the centre of its body */
    return f->dt * sc_norm(spin) * sc_norm(p->shape->position) <= slack;
  if (!sc_kind_of(p->shape)->face) return false;
  sc_mat_tvec(p->R, up, down);
  sc_scale(-1, down, down);
  sc_kind_of(p->shape)->face(p->shape, down, &face);
  for (int k = 1; k < face.count; k++) {
    double d[3], way[3];
    sc_sub(face.corner[k], face.corner[0], d);
    sc_mat_vec(p->R, d, way);
    sc_cross(spin, way, turn);
    if (!(fabs(sc_dot(way, up)) <= slack && f->dt * fabs(sc_dot(turn, up)) <= slack)) return false;
  }
  return true;
}

/* Returns whether another touch of the body keeps the other shape off the edge of the holder (the shape that
 * has the edge). The other shape can reach the edge only if it crosses the plane of a face beside the
 * edge. */
static bool is_held_over(const sc_edge_touch *edge, double slack) {
  sc_flat_face face[SC_MAX_SIDE_FACES];
  const int faces = sc_faces_below(edge, slack + fabs(edge->gap), slack, face);
  for (int k = 0; k < faces; k++) {
    double back[3];
    if (fabs(sc_dot(face[k].normal, edge->way)) > min_cosine) continue;
    sc_scale(-1, face[k].normal, back);
    const double height = -sc_reach_along(edge->other, back, face[k].point);
    plane keep = {face[k].normal, fmax(height, 0) + slack};
    if (stays_parallel(edge, face[k].normal, slack) &&
        sc_visit_neighbours(edge->filter, edge->first, keep.height, stops_above, &keep))
      return true;
  }
  return false;
}

static bool drop_held_off(judged *j) {
  const sc_filter *f = j->pass->filter;
  sc_edge_touch edge;
  if (!f->collide || find_course(j) != COLLIDES) return false;
  for (int first = 1; first >= 0; first--)
    if (sc_see_edge(f, j->touch, first, &edge) && is_held_over(&edge, j->pass->slack)) return true;
  return false;
}

/* rules 2 to 6 in the order in which they are applied */
static bool (*const rules[])(judged *) = {
    drop_level_seam, drop_ridge_back, replace_fold_edge, drop_passing, drop_held_off};
enum { RULES = sizeof rules / sizeof *rules };

/* Applies rules 2 to 6 to the touches of a pass. Returns false if all touches stay. */
static bool judge_touches(pass *p) {
  judged j;
  j.pass = p;
  for (int k = 0; k < p->count; k++)
    if (!p->mesh && !has_gap(p, p->touch + k)) return false;
  for (int k = 0; k < p->count; k++) {
    bool drops = false;
    j.touch = p->touch + k, j.course = UNKNOWN, j.sought = false;
    for (int r = 0; r < RULES && !drops; r++) drops = rules[r](&j);
    if (!drops && !p->mesh && j.course == COLLIDES) return false;
    if (!drops && p->kept < SC_MAX_TOUCHES) p->out[p->kept++] = p->touch[k];
  }
  return true;
}

/* ---- rule 7 ---- */

/* A touch of a ball. */
typedef struct ball_touch {
  const sc_filter *filter;
  const sc_placed *ball;
  int32_t row;         /* row of the ball's shape */
  double foot[3], gap; /* foot: touching point on the other shape [m]; gap: gap of the touch [m] */
} ball_touch;

/* Returns whether a neighbour is nearer to the ball than the touch, or equally near and earlier in the list.
 * Gaps are compared in whole units of gap_unit, so exactly one touch over a seam has no nearer neighbour. */
static bool is_neighbour_nearer(const ball_touch *t, const sc_placed *neighbour, bool before) {
  sc_touch touch[SC_MAX_TOUCHES];
  const double step = gap_unit * t->ball->shape->radius, mine = floor(t->gap / step);
  const int count = sc_narrow(t->ball, neighbour, fmax(t->gap, 0) + step, touch);
  for (int k = 0; k < count; k++) {
    const double its = floor(touch[k].gap / step);
    if (its < mine || (before && its == mine)) return true;
  }
  return false;
}

static bool contains_point(const sc_placed *neighbour, const double point[3], double slack) {
  const sc_shape dot = {.type = SCREE_SPHERE};
  sc_placed at = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .shape = &dot};
  sc_touch touch[SC_MAX_TOUCHES];
  sc_copy3(point, at.position);
  return sc_narrow(&at, neighbour, slack, touch) > 0;
}

/* Returns whether the neighbour continues the surface at the touch and is nearer to the ball. */
static bool continues_nearer(void *context, const sc_neighbour *n) {
  const ball_touch *t = context;
  const sc_filter *f = t->filter;
  const sc_pair rows = f->collide->list.pair[n->pair];
  const sc_placed *neighbour = n->first ? n->two : n->one;
  return n->pair != f->pair && (n->first ? rows.one : rows.two) == t->row &&
      neighbour->shape->type != SCREE_SPHERE && is_neighbour_nearer(t, neighbour, n->pair < f->pair) &&
      contains_point(neighbour, t->foot, max_offset * t->ball->shape->radius);
}

static int drop_farther_seam(const sc_filter *f, sc_touch *touch, int count) {
  const bool first = f->a->shape->type == SCREE_SPHERE;
  int kept = 0;
  if (!f->collide || first == (f->b->shape->type == SCREE_SPHERE)) return count;
  const sc_pair rows = f->collide->list.pair[f->pair];
  ball_touch t = {.filter = f, .ball = first ? f->a : f->b, .row = first ? rows.one : rows.two};
  for (int k = 0; k < count; k++) {
    t.gap = touch[k].gap;
    sc_axpy((first ? -0.5 : 0.5) * t.gap, touch[k].normal, touch[k].point, t.foot);
    if (!sc_visit_neighbours(f, first, fmax(t.gap, 0), continues_nearer, &t)) touch[kept++] = touch[k];
  }
  return kept;
}

int sc_filter_touches(const sc_filter *f, sc_touch touch[SC_MAX_TOUCHES], int count) {
  const int one = f->a->shape->type, two = f->b->shape->type;
  pass p;
  p.filter = f, p.slack = min_overlap * max_closing * f->size,
  p.mesh = one == SCREE_MESH || two == SCREE_MESH;
  count = drop_side_by_side(f->a, f->b, p.slack, touch, count);
  p.touch = touch, p.count = count, p.kept = 0;
  if (one != SCREE_HALFSPACE && two != SCREE_HALFSPACE && judge_touches(&p))
    memcpy(touch, p.out, (size_t)(count = p.kept) * sizeof *touch);
  return f->adds_up ? drop_farther_seam(f, touch, count) : count;
}
