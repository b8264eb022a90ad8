/* Two convex shapes: the function that suits their types. Boxes and capsules have closed forms, and the
 * general search finds the touches of all other shapes. */
#include "collide/narrow/box/box_lanes.h"
#include "collide/narrow/narrow.h"

/* Computes the touches of a capsule and a box. The general search is called with the box first, so that
 * feature ids have the same order. It is called without a cache, so that no axis is stored. */
static int find_capsule_touches(
    const sc_placed *capsule, const sc_placed *box, double reach, sc_pair_cache *cache, sc_touch *out) {
  int count = sc_box_capsule_touches(capsule, box, reach, cache, out);
  if (count >= 0) return count;
  count = sc_convex_search(box, capsule, reach, NULL, out);
  for (int k = 0; k < count; k++) sc_scale(-1, out[k].normal, out[k].normal);
  return count;
}

int sc_convex_touches(
    const sc_placed *a, const sc_placed *b, double reach, sc_pair_cache *cache, sc_touch *out) {
  const int one = a->shape->type, other = b->shape->type;
  const int count = other != SCREE_BOX ? -1
      : one == SCREE_BOX               ? sc_box_touches(a, b, reach, cache, out)
      : one == SCREE_CAPSULE           ? find_capsule_touches(a, b, reach, cache, out)
                                       : -1;
  return count >= 0 ? count : sc_convex_search(a, b, reach, cache, out);
}

int sc_narrow_boxes(const sc_box_lanes *lanes, int lane, const sc_placed *a, const sc_placed *b, double reach,
    sc_pair_cache *cache, sc_touch *out) {
  if (cache) *cache = (sc_pair_cache){.axis = {0, 0, 0}};
  const int count = sc_box_lanes_touches(lanes, lane, a, b, reach, cache, out);
  return count >= 0 ? count : sc_convex_search(a, b, reach, cache, out);
}

int sc_narrow_convex(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  return sc_convex_touches(a, b, reach, NULL, out);
}
