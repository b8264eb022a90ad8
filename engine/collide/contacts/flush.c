/* Balls over seams between shapes: a ball on two boxes that lie flush.
 *
 * A ball touches a surface where its distance to the surface has a local minimum. Each shape is searched
 * alone. At a seam the edge of the further shape therefore seems to have a local minimum, too. Let p be the
 * point of this touch on the further shape. If p also lies on the neighbour, the distance decreases along the
 * neighbour's surface from p to the neighbour's own touch, because the neighbour is convex there. Then p is
 * not a local minimum of the surface of both shapes, and the touch is dropped. At a concave seam p does not
 * lie on the neighbour, and the ball touches both shapes. */
#include "collide/contacts/flush.h"
#include "collide/contacts/parts.h"
#include "math/vec.h"

/* Shares of the ball's radius. */
static const double flush = 2e-4;  /* how far p may lie from the neighbour */
static const double level = 1e-12; /* unit in which gaps are compared; above rounding errors */

/* Finds the row of the ball of a pair and the row of the other shape. Returns false unless exactly one shape
 * is a ball. */
static bool find_ball(const sc_collide *collide, int32_t pair, int32_t *ball, int32_t *other) {
  const sc_pair rows = collide->list.pair[pair];
  const bool one = collide->poses.cache[rows.one].placed < 0, two = collide->poses.cache[rows.two].placed < 0;
  if (one == two || !sc_image_is_body(sc_list_image(&collide->list, pair))) return false;
  *ball = one ? rows.one : rows.two, *other = one ? rows.two : rows.one;
  return true;
}

/* Returns whether two bodies move as one: they are the same body, or no contact moves them, they do not turn
 * and they have the same velocity. */
static bool belong_together(const sc_bodies *bodies, int32_t i, int32_t j) {
  static const double still[3] = {0, 0, 0};
  const int32_t rows[2] = {i, j};
  const double *velocity[2];
  if (i == j) return true;
  for (int k = 0; k < 2; k++) {
    const int32_t row = rows[k];
    const double *w = bodies->spin[row];
    if (bodies->kind[row] == SCREE_DYNAMIC) return false;
    if (bodies->kind[row] == SCREE_KINEMATIC && (w[0] != 0 || w[1] != 0 || w[2] != 0)) return false;
    velocity[k] = bodies->kind[row] == SCREE_FIXED ? still : bodies->velocity[row];
  }
  return velocity[0][0] == velocity[1][0] && velocity[0][1] == velocity[1][1] &&
      velocity[0][2] == velocity[1][2];
}

/* Returns whether a neighbour is nearer to the ball than a touch with the gap, or equally near and earlier in
 * the list. Gaps are compared in whole units, so exactly one of the touches over a seam is first. */
static bool is_nearer(const sc_placed *ball, const sc_placed *neighbour, double gap, bool before) {
  sc_touch touch[SC_MAX_TOUCHES];
  const double unit = level * ball->shape->radius, mine = floor(gap / unit);
  const int count = sc_narrow(ball, neighbour, fmax(gap, 0) + unit, touch);
  for (int k = 0; k < count; k++) {
    const double its = floor(touch[k].gap / unit);
    if (its < mine || (before && its == mine)) return true;
  }
  return false;
}

static bool holds_point(const sc_placed *neighbour, const double point[3], double slack) {
  const sc_shape dot = {.type = SCREE_SPHERE};
  sc_placed at = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .shape = &dot};
  sc_touch touch[SC_MAX_TOUCHES];
  sc_copy3(point, at.position);
  return sc_narrow(&at, neighbour, slack, touch) > 0;
}

/* A ball and the shape whose touches are tested. */
typedef struct seam {
  const sc_held *held;
  const sc_placed *ball;
  int32_t row, other; /* of the ball and of the shape */
} seam;

/* Returns whether the shape of another pair of the ball continues the surface at a touch, and is nearer. */
static bool is_continued_by(const seam *s, int32_t pair, const double foot[3], double gap) {
  const sc_collide *collide = s->held->collide;
  const sc_shape_cache *cache = collide->poses.cache;
  const double slack = flush * cache[s->row].radius;
  int32_t ball, other;
  if (!find_ball(collide, pair, &ball, &other) || ball != s->row ||
      !belong_together(s->held->bodies, cache[other].body, cache[s->other].body) ||
      sc_poses_apart(&collide->poses, cache + ball, cache + other, NULL, fmax(gap, 0)))
    return false;
  sc_placed_room room;
  const sc_placed *neighbour = sc_poses_placed(&collide->poses, other, &room);
  return is_nearer(s->ball, neighbour, gap, pair < s->held->pair) && holds_point(neighbour, foot, slack);
}

static bool is_continued(const seam *s, const double foot[3], double gap) {
  const sc_collide *collide = s->held->collide;
  const int32_t owner = sc_parts_owner(collide, s->held->pair);
  for (int way = -1; way <= 1; way += 2)
    for (int32_t p = s->held->pair + way; p >= 0 && p < collide->list.pairs; p += way) {
      if (sc_parts_owner(collide, p) != owner) break;
      if (is_continued_by(s, p, foot, gap)) return true;
    }
  return false;
}

int sc_drop_flush(const sc_held *held, const sc_placed *a, const sc_placed *b, sc_touch *touch, int count) {
  seam s = {.held = held};
  if (!find_ball(held->collide, held->pair, &s.row, &s.other)) return count;
  const bool first = held->collide->list.pair[held->pair].one == s.row;
  s.ball = first ? a : b;
  int kept = 0;
  for (int k = 0; k < count; k++) {
    double foot[3];
    sc_axpy((first ? -0.5 : 0.5) * touch[k].gap, touch[k].normal, touch[k].point, foot);
    if (!is_continued(&s, foot, touch[k].gap)) touch[kept++] = touch[k];
  }
  return kept;
}
