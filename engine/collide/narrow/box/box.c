/* Box against box: separating axes (Gottschalk, Lin & Manocha 1996).
 *
 * The difference of two boxes is bounded by faces along the six face normals of both and along the nine cross
 * products of their edges. If the boxes overlap, the largest separation along these fifteen axes is minus the
 * depth. If the boxes are apart, the largest separation is the distance if a corner of one box lies over a
 * face of the other, or if two edges cross. In all other cases (corner to corner, corner to edge), and if
 * rounding leaves doubt, the general search is used. The axes are computed for several pairs at once
 * (box_lanes_kernel.h). The corners of the overlap of two faces are computed pair by pair. */
#include "collide/narrow/box/box_face.h"
#include "collide/narrow/box/box_lanes.h"

/* Reads the projection of a face of b onto a face of a from a lane of the kernel's output. */
static void read_faces(
    const sc_box_lanes *x, int lane, const sc_placed *a, const sc_placed *b, sc_seen *out) {
  const int k = out->k = (int)x->k[lane];
  out->side = x->side[lane], out->way = -out->side, out->id = (uint32_t)x->id[lane];
  out->size = b->shape->bound, out->radius = 0;
  out->half[0] = a->shape->extent[(k + 1) % 3], out->half[1] = a->shape->extent[(k + 2) % 3];
  out->cut.count = SC_CUT;
  for (int c = 0; c <= SC_CUT; c++) {
    const int at = c % SC_CUT;
    out->cut.x[c] = x->x[at][lane], out->cut.y[c] = x->y[at][lane], out->cut.h[c] = x->h[at][lane];
    out->inside.inset[c] = x->inset[at][lane];
  }
  for (int c = 0; c < 3; c++) out->cut.plane[c] = x->plane[c][lane];
  for (int c = 0; c < SC_CUT; c++) {
    out->inside.from[c] = x->from[c][lane], out->inside.to[c] = x->to[c][lane];
    out->inside.in[c] = x->in[c][lane], out->inside.out[c] = x->out[c][lane];
  }
}

int sc_box_lanes_touches(const sc_box_lanes *x, int lane, const sc_placed *a, const sc_placed *b,
    double reach, sc_pair_cache *cache, sc_touch *out) {
  sc_nearest nearest = {.distance = x->apart[lane]};
  sc_box_view view;
  sc_seen seen;
  for (int k = 0; k < 3; k++)
    nearest.normal[k] = x->normal[k][lane], nearest.a[k] = nearest.b[k] = x->between[k][lane];
  sc_box_view_set(a->shape, a->R, a->position, nearest.normal, reach, &view);
  if (!(nearest.distance <= reach)) {
    sc_axis_set(cache, view.normal);
    return 0;
  }
  if (x->doubt[lane] > 0) return -1;
  read_faces(x, lane, a, b, &seen);
  const int count = sc_box_seen(&view, &seen, out);
  if (x->edges[lane] > 0) return sc_box_nearest_touch(&view, seen.size, &nearest, count, out);
  return sc_box_reaches(&view, seen.size, nearest.distance, out, count) ? count : -1;
}

int sc_box_touches(
    const sc_placed *a, const sc_placed *b, double reach, sc_pair_cache *cache, sc_touch *out) {
  sc_box_lanes lanes;
  sc_box_lanes_set(&lanes, 0, a, b);
  sc_box_scalar.test_pairs(&lanes, 1);
  return sc_box_lanes_touches(&lanes, 0, a, b, reach, cache, out);
}
