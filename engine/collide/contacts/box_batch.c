/* Tests pairs of boxes side by side, in batches. The result of a pair does not depend on the other pairs of
 * its batch. */
#include "collide/contacts/box_batch.h"
#include "model/rest.h"

static const sc_placed *find_box(const sc_collide *collide, const sc_shape_cache *shape) {
  const sc_placed *placed = shape->placed < 0 ? NULL : collide->poses.placed + shape->placed;
  return placed && placed->shape->type == SCREE_BOX ? placed : NULL;
}

/* Returns true if the batch skips a pair: its bodies sleep, a joint or bond excludes contacts, or one of the
 * boxes is a periodic image. */
static bool is_skipped(const sc_collide *collide, const sc_bodies *rest, int32_t p, const sc_shape_cache *a,
    const sc_shape_cache *b) {
  return (rest && sc_bodies_rest(rest, a->body, b->body)) ||
      (collide->list.excluded_version && collide->list.excluded[p]) ||
      !sc_image_is_body(sc_list_image(&collide->list, p));
}

/* Puts a pair into a lane if both shapes are boxes within reach of each other. Returns the lane,
 * SC_BATCH_NOT_TESTED or SC_BATCH_APART. */
static int set_lane(
    const sc_collide *collide, const sc_bodies *rest, int32_t p, int lane, sc_box_lanes *boxes) {
  const sc_pair pair = collide->list.pair[p];
  const sc_shape_cache *one = collide->poses.cache + pair.one, *two = collide->poses.cache + pair.two;
  const sc_placed *a = find_box(collide, one), *b = find_box(collide, two);
  if (!a || !b || is_skipped(collide, rest, p, one, two)) return SC_BATCH_NOT_TESTED;
  const double reach = sc_pair_reach(collide, one, two);
  if (sc_poses_apart(&collide->poses, one, two, NULL, reach) ||
      sc_axis_separates(a, b, collide->list.pair_cache + p, reach))
    return SC_BATCH_APART;
  sc_box_lanes_set(boxes, lane, a, b);
  return lane;
}

/* Prefetches the poses of the pair AHEAD rows after p. The cache rows of its shapes have been prefetched
 * earlier (sc_pair_prefetch). */
static void prefetch_poses(const sc_collide *collide, int32_t p, int32_t end) {
  enum { AHEAD = 6 };
  if (p + AHEAD >= end) return;
  const int32_t row[2] = {collide->list.pair[p + AHEAD].one, collide->list.pair[p + AHEAD].two};
  for (int k = 0; k < 2; k++) {
    const int32_t placed = collide->poses.cache[row[k]].placed;
    if (placed < 0) continue;
    __builtin_prefetch(collide->poses.placed + placed);
    __builtin_prefetch((const char *)(collide->poses.placed + placed) + 64);
  }
}

void sc_box_batch_fill(
    const sc_collide *collide, const sc_bodies *rest, int32_t first, int32_t end, sc_box_batch *batch) {
  int lanes = 0;
  int32_t p = first;
  for (; p < end && p < first + SC_BATCH_MAX && lanes < SC_LANES; p++) {
    sc_pair_prefetch(collide, p, end);
    prefetch_poses(collide, p, end);
    const int lane = set_lane(collide, rest, p, lanes, &batch->boxes);
    lanes += lane == lanes;
    batch->lane[p - first] = (int8_t)lane;
  }
  batch->first = first, batch->end = p;
  if (lanes) collide->kernels->test_pairs(&batch->boxes, lanes);
}
