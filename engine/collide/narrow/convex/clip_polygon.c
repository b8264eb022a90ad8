/* Clip polygons: clipping by an edge, removal of redundant vertices, merging of touches. */
#include "collide/narrow/convex/clip_polygon.h"

/* Returns the feature id of the crossing of two edges, whose order does not matter. If both edges belong to
 * one shape, the crossing is their common corner. */
static uint32_t crossing_id(uint32_t edge, uint32_t cut) {
  return edge < cut ? edge << 8 | cut : cut << 8 | edge;
}

static sc_clip_vertex interpolate_vertex(
    const sc_clip_vertex *p, const sc_clip_vertex *q, double t, uint32_t id, uint32_t edge) {
  return (sc_clip_vertex){
      p->x + t * (q->x - p->x), p->y + t * (q->y - p->y), p->h + t * (q->h - p->h), id, edge};
}

void sc_clip_polygon_cut(const sc_clip_polygon *in, const double side[SC_MAX_VERTICES], uint32_t edge,
    bool open, sc_clip_polygon *out) {
  out->count = 0;
  for (int k = 0; k < in->count; k++) {
    const int next = k + 1 < in->count ? k + 1 : 0;
    const sc_clip_vertex *p = in->vertex + k;
    const double sp = side[k], sq = side[next];
    if (sp >= 0 && out->count < SC_MAX_VERTICES) out->vertex[out->count++] = *p;
    if (open && !next) break;
    if ((sp >= 0) == (sq >= 0) || out->count == SC_MAX_VERTICES) continue;
    /* if the polygon leaves the kept side here, the edge after the new vertex is the clipping line; if it
     * enters, that edge is the rest of the clipped edge */
    out->vertex[out->count++] = interpolate_vertex(
        p, in->vertex + next, sp / (sp - sq), crossing_id(p->edge, edge), sp >= 0 ? edge : p->edge);
  }
}

/* Returns true if vertex k lies between its neighbours and its squared distance from their line is at most
 * `square`. *off: set to this squared distance. */
static bool is_on_line(const sc_clip_polygon *f, int k, double square, double *off) {
  const sc_clip_vertex *p = f->vertex + (k ? k : f->count) - 1, *q = f->vertex + k,
                       *r = f->vertex + (k + 1 < f->count ? k + 1 : 0);
  const double x = r->x - p->x, y = r->y - p->y, area = x * (q->y - p->y) - y * (q->x - p->x),
               length = x * x + y * y;
  *off = 0;
  if (!(area * area <= square * length)) return false;
  if (!(length > 0)) return true;
  *off = area * area / length;
  return (q->x - p->x) * (q->x - r->x) + (q->y - p->y) * (q->y - r->y) <= 0;
}

/* Removes the straightest vertex first, so that of two adjacent vertices the outer one remains. */
void sc_clip_polygon_straighten(sc_clip_polygon *f, double tolerance, bool own) {
  while (f->count > 3) {
    int straightest = -1;
    double min = INFINITY, off;
    for (int k = 0; k < f->count; k++)
      if (is_on_line(f, k, tolerance * tolerance, &off) && off < min &&
          !(own && sc_is_own_corner(f->vertex[k].id)))
        min = off, straightest = k;
    if (straightest < 0) return;
    f->count--;
    memmove(f->vertex + straightest, f->vertex + straightest + 1,
        (size_t)(f->count - straightest) * sizeof *f->vertex);
  }
}

static double squared_distance(const double a[3], const double b[3]) {
  double d[3];
  sc_sub(a, b, d);
  return sc_dot(d, d);
}

static bool are_all_apart(const sc_touch *touch, int count, double near) {
  for (int k = 1; k < count; k++)
    for (int other = 0; other < k; other++)
      if (squared_distance(touch[k].point, touch[other].point) <= near * near) return false;
  return true;
}

/* Returns whether `touch` is a corner of the first shape, `other` is not, and their depths are nearly
 * equal. */
static bool is_corner_before(const sc_touch *touch, const sc_touch *other, double near) {
  static const double slope = 1e-3;
  return sc_is_own_corner(touch->feature & 0xffff) && !sc_is_own_corner(other->feature & 0xffff) &&
      fabs(touch->gap - other->gap) <= slope * near;
}

/* If two touches are within `near` of each other, the deeper touch remains. If their gaps differ by at most
 * `gap_tolerance`, the touch farther from the middle remains. Polygons with coinciding edges produce such
 * pairs of touches, and motions of rounding size do not change which touch is farther out. */
int sc_touch_join(sc_touch *touch, int count, double near, double gap_tolerance, bool own) {
  int kept = 0;
  double middle[3] = {0, 0, 0};
  if (are_all_apart(touch, count, near)) return count;
  for (int k = 0; k < count; k++) sc_axpy(1.0 / count, touch[k].point, middle, middle);
  for (int k = 0; k < count; k++) {
    int same = 0;
    while (same < kept && squared_distance(touch[k].point, touch[same].point) > near * near) same++;
    double deeper = same < kept ? touch[same].gap - touch[k].gap : INFINITY;
    bool farther = same < kept &&
        squared_distance(touch[k].point, middle) > squared_distance(touch[same].point, middle);
    const bool both = own && same < kept, before = both && is_corner_before(touch + k, touch + same, near),
               behind = both && is_corner_before(touch + same, touch + k, near);
    if (before || (!behind && (deeper > gap_tolerance || (deeper >= -gap_tolerance && farther))))
      touch[same] = touch[k];
    kept += same == kept;
  }
  return kept;
}
