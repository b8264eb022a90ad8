/* What of another shape lies over a face of a box, all in the box's axes.
 *
 * The face of the box that looks along the normal most is a rectangle. A face of the other shape that
 * looks back is moved onto its plane along the normal; where it lies within the rectangle the corners of
 * the overlap are touches, as in manifold.c, but cutting at a side of the rectangle takes one coordinate. */
#include "collide/narrow/box_face.h"
#include "collide/narrow/outline.h"

void sc_box_look(
    const sc_convex *box, const double n[3], double reach, const double origin[3], sc_box_view *out) {
  *out = (sc_box_view){.box = box, .reach = reach, .origin = origin};
  sc_copy3(n, out->n);
  sc_mat_vec(box->R, n, out->normal);
}

/* The rectangle: its axis, and which way it looks; half its sides. */
typedef struct rectangle {
  int axis;
  double side, x, y;
} rectangle;

static rectangle face_along(const sc_box_view *v) {
  const double *h = v->box->shape->extent, x = fabs(v->n[0]), y = fabs(v->n[1]), z = fabs(v->n[2]);
  const int k = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  return (rectangle){k, sc_sign_of(-v->n[k]), h[(k + 1) % 3], h[(k + 2) % 3]};
}

/* Corners of the other's face moved onto the rectangle's plane; heights along the normal. */
static void look(const sc_box_view *v, const rectangle *r, const sc_patch *patch, sc_outline *out) {
  const int k = r->axis, i = (k + 1) % 3, j = (k + 2) % 3;
  const double plane = r->side * v->box->shape->extent[k], slope = 1 / v->n[k];
  out->count = patch->count;
  for (int c = 0; c < patch->count; c++) {
    const double *p = patch->corner[c], h = (p[k] - plane) * slope;
    const uint32_t name = SC_NAME_SECOND | (uint32_t)c;
    out->spot[c] = (sc_spot){p[i] - h * v->n[i], p[j] - h * v->n[j], h, SC_NAME_CORNER | name, name};
  }
}

/* How far spots lie within a side of the rectangle, whose edges are numbered as the face's; true if none lies
 * beyond it by more than `slack`. */
static bool all_within(
    const sc_outline *f, const rectangle *r, int edge, double slack, double side[SC_SPOTS]) {
  const bool across = edge & 1;
  const double way = (edge < 2) == across ? -1 : 1, half = across ? r->x : r->y;
  bool all = true;
  for (int k = 0; k < f->count; k++) {
    side[k] = half + way * (across ? f->spot[k].x : r->side * f->spot[k].y);
    all = all && side[k] >= -slack;
  }
  return all;
}

/* What is left lies in one of the two; rounding takes nothing of a line along an edge. */
static sc_outline *cut_to(const rectangle *r, double size, sc_outline room[2]) {
  const bool open = room->count == 2;
  double side[SC_SPOTS];
  int at = 0;
  for (int edge = 0; edge < 4 && room[at].count > 0; edge++) {
    if (all_within(room + at, r, edge, open ? 1e-9 * size : 0, side)) continue;
    sc_outline_cut(room + at, side, (uint32_t)edge, open, room + 1 - at);
    at = 1 - at;
  }
  return room + at;
}

static int place(const sc_box_view *v, const double middle[3], double gap, uint32_t feature, sc_touch *out) {
  if (!(gap <= v->reach)) return 0;
  out->gap = gap, out->feature = feature;
  sc_mat_vec(v->box->R, middle, out->point);
  for (int k = 0; k < 3; k++) out->point[k] += v->origin[k] + v->box->position[k];
  sc_copy3(v->normal, out->normal);
  return 1;
}

/* A face seen nearly from its edge has no outline. */
static const double slant = 0.05;

int sc_box_overlap(const sc_box_view *v, const sc_patch *patch, sc_touch out[SC_MAX_TOUCHES]) {
  const rectangle r = face_along(v);
  const double slight = 1e-3 * fmin(v->box->size, patch->size);
  const int k = r.axis, i = (k + 1) % 3, j = (k + 2) % 3;
  sc_outline room[2];
  int count = 0;
  if (patch->count > 2 && fabs(sc_dot(patch->normal, v->n)) < slant) return 0;
  look(v, &r, patch, room);
  sc_outline *f = cut_to(&r, v->box->size + patch->size, room);
  sc_outline_straighten(f, 0.1 * slight);
  const uint32_t faces = (uint32_t)(2 * k + (r.side > 0)) << 24 | patch->id << 16;
  for (int c = 0; c < f->count; c++) {
    const sc_spot *s = f->spot + c;
    const double gap = -s->h - patch->radius;
    double middle[3];
    middle[i] = s->x, middle[j] = s->y, middle[k] = r.side * v->box->shape->extent[k];
    sc_axpy(-0.5 * gap, v->n, middle, middle);
    count += place(v, middle, gap, s->name | faces, out + count);
  }
  return sc_touch_join(out, count, slight, 1e-9 * slight);
}

bool sc_box_reaches(
    const sc_box_view *v, const sc_patch *patch, double distance, const sc_touch *touch, int count) {
  return sc_touch_least(touch, count) <= distance + 1e-7 * (v->box->size + patch->size);
}

int sc_box_nearest_touch(const sc_box_view *v, const sc_patch *patch, const sc_nearest *nearest, int count,
    sc_touch out[SC_MAX_TOUCHES]) {
  double middle[3];
  if (sc_box_reaches(v, patch, nearest->distance, out, count)) return count;
  for (int k = 0; k < 3; k++) middle[k] = 0.5 * (nearest->a[k] + nearest->b[k]);
  return count + place(v, middle, nearest->distance, SC_NAME_NEAREST, out + count);
}
