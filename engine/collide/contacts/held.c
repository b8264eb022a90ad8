/* Shapes that others hold off: a ball that falls on a floor of tiles beside the seam.
 *
 * A gap is taken along its normal as if nothing else were there. The ball that comes down on one tile and
 * moves towards the next would fall below the edge of that within the step, and be stopped or thrown back
 * by it, if the first did not hold it. So the faces at such an edge are looked at. Where the other shape
 * lies beyond one of them, it meets the edge only after it has crossed the face's plane; where another
 * touch of its body, with what is of one body with the holder of the face or stands still like it, keeps
 * it from there, it does not. */
#include "collide/contacts/held.h"
#include "collide/contacts/beside.h"
#include "collide/contacts/parts.h"
#include "math/vec.h"

static const double level = 1 - 1e-6; /* cosine of the angle up to which normals are one */

/* Whether two bodies are one, or both stand still. */
static bool move_as_one(const sc_bodies *b, int32_t i, int32_t j) {
  return i == j || (b->kind[i] == SCREE_FIXED && b->kind[j] == SCREE_FIXED);
}

/* The other body of a pair of the list; -1 where the pair is none of this body, or means an image. */
static int32_t other_body(const sc_collide *collide, int32_t pair, int32_t body) {
  const sc_pair rows = collide->list.pair[pair];
  const int32_t one = collide->poses.cache[rows.one].body, two = collide->poses.cache[rows.two].body;
  if (!sc_image_is_body(sc_list_image(&collide->list, pair)) || one == two) return -1;
  return one == body ? two : two == body ? one : -1;
}

/* Whether the touches of a pair keep a body from going on against a direction for more than `height`. */
static bool keeps(const sc_collide *collide, int32_t pair, int32_t body, const double up[3], double height) {
  const sc_pair rows = collide->list.pair[pair];
  const sc_shape_cache *a = collide->poses.cache + rows.one, *b = collide->poses.cache + rows.two;
  const double side = a->body == body ? 1 : -1;
  sc_placed_room room[2];
  sc_touch touch[SC_MAX_TOUCHES];
  if (sc_poses_apart(&collide->poses, a, b, NULL, height)) return false;
  const int count = sc_narrow(sc_poses_placed(&collide->poses, rows.one, room),
      sc_poses_placed(&collide->poses, rows.two, room + 1), height, touch);
  for (int k = 0; k < count; k++)
    if (side * sc_dot(touch[k].normal, up) >= level) return true;
  return false;
}

/* Whether some pair of the list beside one keeps the body from crossing a plane that the other body holds. */
static bool is_kept(const sc_held *h, int32_t body, int32_t holder, const double up[3], double height) {
  const int32_t owner = sc_parts_owner(h->collide, h->pair);
  for (int way = -1; way <= 1; way += 2)
    for (int32_t p = h->pair + way; p >= 0 && p < h->collide->list.pairs; p += way) {
      if (sc_parts_owner(h->collide, p) != owner) break;
      const int32_t other = other_body(h->collide, p, body);
      if (other >= 0 && move_as_one(h->bodies, other, holder) && keeps(h->collide, p, body, up, height))
        return true;
    }
  return false;
}

/* Whether the part of a shape that is lowest above a plane lies along it up to the end of the step: what is
 * tilted turns about the touch that holds it. */
static bool is_level(const sc_held *h, const sc_placed *p, int32_t body, const double up[3], double slack) {
  const sc_shape_kind *kind = sc_kind_of(p->shape);
  double down[3], turn[3];
  sc_face face = {0};
  if (p->shape->type == SCREE_SPHERE) return true;
  if (!kind->face) return false;
  sc_mat_tvec(p->R, up, down);
  sc_scale(-1, down, down);
  kind->face(p->shape, down, &face);
  for (int k = 1; k < face.count; k++) {
    double d[3], way[3];
    sc_sub(face.corner[k], face.corner[0], d);
    sc_mat_vec(p->R, d, way);
    sc_cross(h->bodies->spin[body], way, turn);
    if (!(fabs(sc_dot(way, up)) <= slack && h->dt * fabs(sc_dot(turn, up)) <= slack)) return false;
  }
  return true;
}

/* Of a shape beside one that holds the faces. */
static bool is_held_over(const sc_held *h, const sc_placed *other, const sc_placed *holder, bool first,
    double slack, const sc_touch *touch) {
  const sc_pair rows = h->collide->list.pair[h->pair];
  const int32_t one = h->collide->poses.cache[rows.one].body, two = h->collide->poses.cache[rows.two].body;
  sc_flank flank[SC_MAX_FLANKS];
  const int flanks = sc_flanks_at(holder, touch, level, slack, flank);
  for (int k = 0; k < flanks; k++) {
    double back[3];
    sc_scale(-1, flank[k].normal, back);
    const double height = -sc_reach_along(other, back, flank[k].point);
    if (height >= -slack && is_level(h, other, first ? one : two, flank[k].normal, slack) &&
        is_kept(h, first ? one : two, first ? two : one, flank[k].normal, fmax(height, 0) + slack))
      return true;
  }
  return false;
}

bool sc_is_held_off(
    const sc_held *h, const sc_placed *a, const sc_placed *b, double slack, const sc_touch *touch) {
  if (!sc_image_is_body(sc_list_image(&h->collide->list, h->pair))) return false;
  return is_held_over(h, a, b, true, slack, touch) || is_held_over(h, b, a, false, slack, touch);
}
