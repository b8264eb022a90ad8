/* Touches of boxes with triangles of a mesh, in the box's axes. */
#include "collide/narrow/box/box_face.h"
#include "collide/narrow/mesh/mesh.h"

void sc_mesh_add_to_lanes(const sc_crossing *m, int32_t t) {
  const scree_geometry *g = m->mesh->shape->geometry;
  const int32_t *at = g->triangle[t];
  sc_triangle_lanes_add(
      m->lanes, t, (const double *const[]){g->point[at[0]], g->point[at[1]], g->point[at[2]]}, g->normal[t]);
}

/* Reads the triangle of a lane. Returns false if some axis proves that it is out of reach. Stores triangles
 * within m->limit in the triangle cache. */
static bool read_triangle(const sc_crossing *m, int lane, int32_t t, sc_beside *b) {
  const sc_triangle_lanes *x = m->lanes;
  if (x->apart[lane] > m->limit || x->face[lane] > m->limit) return false;
  sc_triangle_cache_add(m->cache, t);
  if (x->apart[lane] > m->beyond || x->face[lane] > m->beyond) return false;
  sc_triangle_lanes_get(x, lane, b);
  return true;
}

static void make_patch(const sc_beside *b, sc_patch *out) {
  double middle[3] = {0, 0, 0}, square = 0;
  for (int k = 0; k < 3; k++) sc_axpy(1.0 / 3, b->corner[k], middle, middle);
  for (int k = 0; k < 3; k++) {
    double d[3];
    sc_copy3(b->corner[k], out->corner[k]);
    sc_sub(b->corner[k], middle, d);
    square = fmax(square, sc_dot(d, d));
  }
  out->count = 3, out->id = 0, out->size = sqrt(square), out->radius = 0;
  sc_copy3(b->normal, out->normal);
}

/* Adds the touches at the corners of the overlap along the normal. If the normal was not corrected, the
 * nearest points are a touch too. */
static void add_overlap_touches(
    sc_crossing *m, int32_t t, const sc_patch *patch, const sc_nearest *nearest, sc_correction correction) {
  sc_touch touch[SC_MAX_TOUCHES];
  sc_box_view view;
  sc_box_view_set(m->shape->shape, m->shape->R, m->origin, nearest->normal, m->reach, &view);
  int count = sc_box_overlap(&view, patch, touch);
  if (correction == SC_KEPT) count = sc_box_nearest_touch(&view, patch->size, nearest, count, touch);
  sc_mesh_add(m, t, correction, nearest->distance, touch, count);
}

/* Adds the touches if the axis of the largest separation is the triangle's normal, so the box lies on the
 * triangle. Returns false if the general search is needed. */
static bool add_face_touches(sc_crossing *m, int32_t t, const sc_beside *b) {
  const bool behind = sc_dot(b->normal, b->corner[0]) > 0;
  if (m->mesh->shape->geometry->is_solid && behind) return false;
  sc_touch touch[SC_MAX_TOUCHES];
  sc_box_view view;
  sc_patch patch;
  double n[3];
  sc_scale(behind ? -1 : 1, b->normal, n);
  make_patch(b, &patch);
  sc_box_view_set(m->shape->shape, m->shape->R, m->origin, n, m->reach, &view);
  int count = sc_box_overlap(&view, &patch, touch);
  if (!sc_box_reaches(&view, patch.size, b->face, touch, count)) return false;
  sc_mesh_add(m, t, SC_KEPT, b->face, touch, count);
  return true;
}

/* Adds the touches if the axis of the largest separation is not the triangle's normal. Returns false if the
 * general search is needed. */
static bool add_side_touches(sc_crossing *m, int32_t t, const sc_beside *b) {
  const scree_geometry *g = m->mesh->shape->geometry;
  const double(*corner)[3] = b->corner;
  sc_nearest nearest;
  sc_correction correction;
  sc_patch patch;
  if (!sc_box_nearest(m->shape, b, &nearest)) return false;
  if (nearest.distance > m->reach) return true;
  if (!sc_mesh_correct_normal(g, t, corner, b->normal, m->inside, &nearest, &correction)) return true;
  make_patch(b, &patch);
  add_overlap_touches(m, t, &patch, &nearest, correction);
  return true;
}

bool sc_mesh_touch_box(sc_crossing *m, int lane) {
  const int32_t t = m->lanes->triangle[lane];
  sc_beside b;
  if (!read_triangle(m, lane, t, &b)) return true;
  return b.apart > b.face ? add_side_touches(m, t, &b) : add_face_touches(m, t, &b);
}
