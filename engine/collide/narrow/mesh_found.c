/* Touches of a convex shape with one triangle after the other: their normals mended, those that repeat others
 * left out. */
#include "collide/narrow/mesh.h"

/* Which part of a triangle holds a point of it: 0 inside, else as in nearest_part. */
static int part_of(const double corner[3][3], const double p[3]) {
  double area[3], e[3], f[3], c[3], n[3], whole;
  sc_sub(corner[1], corner[0], e);
  sc_sub(corner[2], corner[0], f);
  sc_cross(e, f, n);
  whole = sc_dot(n, n);
  int zero = 0, last = 0, first = 0;
  for (int k = 0; k < 3; k++) {
    sc_sub(corner[(k + 1) % 3], p, e);
    sc_sub(corner[(k + 2) % 3], p, f);
    sc_cross(e, f, c);
    area[k] = sc_dot(c, n) / whole;
    if (area[k] < 1e-6) zero++, last = k;
    else first = k;
  }
  if (zero == 0) return 0;
  if (zero == 1) return 1 + (last + 1) % 3;
  return 4 + first;
}

bool sc_mesh_mend(const scree_geometry *g, int32_t t, const double corner[3][3], const double face[3],
    bool behind, sc_nearest *nearest, sc_mending *mended) {
  const int part = part_of(corner, nearest->b);
  const double along = sc_dot(nearest->normal, face);
  const bool sharp = part == 0 || (g->sharp[t] >> (part - 1) & 1);
  double side = 1;
  *mended = SC_KEPT;
  if (g->closed) {
    if (along < 0 && nearest->distance > 0) return false;
    if (along > 0 && sharp && part) return true;
  } else {
    if (part || nearest->distance <= 0 ? behind : along < 0) side = -1;
    if (sharp && part) return true;
  }
  if (side * along < 1 - 1e-9)
    *mended = !g->closed || (part && !sharp && along > 0) ? SC_FLATTENED : SC_TURNED;
  sc_scale(side, face, nearest->normal);
  return true;
}

/* Drops touches that repeat one that is there already; the deeper of the two stays. */
static int new_touches(const sc_crossing *m, sc_touch *touch, int count) {
  int kept = 0;
  double near = 1e-5 * (m->shape->size + m->shape->radius);
  for (int k = 0; k < count; k++) {
    sc_touch *same = NULL;
    for (int i = 0; i < m->count + kept && !same; i++) {
      sc_touch *other = i < m->count ? m->found + i : touch + i - m->count;
      double d[3];
      sc_sub(touch[k].point, other->point, d);
      if (sc_dot(d, d) <= near * near && sc_dot(touch[k].normal, other->normal) > 0.999) same = other;
    }
    if (!same) {
      touch[kept++] = touch[k];
      continue;
    }
    uint32_t feature = same->feature;
    if (touch[k].gap < same->gap) *same = touch[k], same->feature = feature;
  }
  return kept;
}

/* Drops touches deeper than `least`. What can leave a triangle sideways by a short way came in through
 * its neighbour, which tells it better; the depth below this triangle's plane means nothing then. */
static int plausible(sc_touch *touch, int count, double least) {
  int kept = 0;
  for (int k = 0; k < count; k++)
    if (touch[k].gap >= least) touch[kept++] = touch[k];
  return kept;
}

void sc_mesh_add(sc_crossing *m, int32_t t, sc_mending mended, double depth, sc_touch *touch, int count) {
  if (mended == SC_TURNED) count = plausible(touch, count, 2 * fmin(0, depth) - 1e-9 * m->shape->size);
  count = new_touches(m, touch, count);
  if (m->count + count > SC_MESH_FOUND) m->count = sc_drop_redundant(m->found, m->count, m->shape->size);
  if (m->count + count > SC_MESH_FOUND) m->count = sc_thin_out(m->found, m->count, SC_MESH_FOUND / 2);
  for (int k = 0; k < count; k++) {
    touch[k].feature = sc_mesh_name(t, touch[k].feature);
    m->found[m->count++] = touch[k];
  }
}
