/* Drops touches of shapes that lie beside each other, for example a cube on a floor of cubes and the next
 * cube of the floor.
 *
 * Let a plane be perpendicular to the touched face and contain the touch, with one shape on each side. The
 * shapes then touch at their edges only. One shape can move along the normal for ever without pressing on
 * the other. A contact would be a wall of the height of rounding errors. The plane is a side face at the
 * touch, adjacent to the touching face. */
#include "collide/contacts/beside.h"
#include <string.h>
#include "math/vec.h"
#include "model/geometry/geometry.h"

static const double thin = 0.1; /* largest overlap beyond a side face, over the smaller width */

double sc_reach_along(const sc_placed *p, const double d[3], const double from[3]) {
  const sc_shape_kind *kind = sc_kind_of(p->shape);
  double local[3], point[3], world[3], r[3], size;
  sc_mat_tvec(p->R, d, local);
  kind->support(p->shape, local, point);
  sc_mat_vec(p->R, point, world);
  sc_add(world, p->position, world);
  sc_sub(world, from, r);
  return sc_dot(r, d) + (kind->core ? kind->core(p->shape, &size) : 0);
}

static bool has_flanks(const sc_shape *s) {
  return sc_kind_of(s)->flanks && !(s->geometry && !s->geometry->flanks);
}

int sc_flanks_at(const sc_placed *holder, const sc_touch *touch, double cosine, double slack,
    sc_flank flank[SC_MAX_FLANKS]) {
  if (!has_flanks(holder->shape)) return 0;
  double n[3], d[3], x[3], plane[SC_MAX_FLANKS][4];
  sc_sub(touch->point, holder->position, d);
  sc_mat_tvec(holder->R, d, x);
  sc_mat_tvec(holder->R, touch->normal, n);
  const int count =
      sc_kind_of(holder->shape)->flanks(holder->shape, x, n, cosine, slack + fabs(touch->gap), plane);
  for (int k = 0; k < count; k++) {
    sc_mat_vec(holder->R, plane[k], flank[k].normal);
    sc_axpy(plane[k][3] - sc_dot(plane[k], x), flank[k].normal, touch->point, flank[k].point);
  }
  return count;
}

/* Returns whether the other shape lies beyond the plane of a side face, but for `thin` of its width. */
static bool is_beyond(const sc_placed *holder, const sc_placed *other, const sc_flank *f, double slack) {
  double back[3], middle[3];
  sc_sub(other->position, f->point, middle);
  if (!other->shape->geometry && sc_dot(middle, f->normal) < 0) return false;
  sc_scale(-1, f->normal, back);
  const double into = sc_reach_along(other, back, f->point);
  if (!(into <= slack)) return false;
  return into <=
      thin * fmin(sc_reach_along(holder, back, f->point), sc_reach_along(other, f->normal, f->point) + into);
}

/* Returns whether the other shape lies beyond a side face of the holder that is perpendicular to the
 * touch. */
static bool is_flanked(const sc_placed *holder, const sc_placed *other, const sc_touch *touch, double slack) {
  sc_flank flank[SC_MAX_FLANKS];
  const int flanks = sc_flanks_at(holder, touch, SC_SQUARE, slack, flank);
  bool beyond = false;
  for (int k = 0; k < flanks && !beyond; k++) beyond = is_beyond(holder, other, flank + k, slack);
  return beyond;
}

/* Returns whether the first three touches of one normal span more than a strip of the width of the slack.
 * Most faces that lie on each other do, and no side face can then separate the shapes. */
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

int sc_drop_beside(const sc_placed *a, const sc_placed *b, double slack, sc_touch *touch, int count) {
  if (!sc_kind_of(a->shape)->flanks || !sc_kind_of(b->shape)->flanks) return count;
  if (!has_flanks(a->shape) && !has_flanks(b->shape)) return count;
  int kept = 0, next;
  for (int first = 0; first < count; first = next) {
    for (next = first + 1; next < count; next++)
      if (memcmp(touch[next].normal, touch[first].normal, sizeof touch->normal)) break;
    if (!is_wide(touch + first, next - first, slack) &&
        (is_flanked(a, b, touch + first, slack) || is_flanked(b, a, touch + first, slack)))
      continue;
    if (kept < first) memmove(touch + kept, touch + first, (size_t)(next - first) * sizeof *touch);
    kept += next - first;
  }
  return kept;
}
