/* What of another shape lies over a face of a box, all in the box's axes.
 *
 * The face of the box that looks along the normal most is a rectangle. A face of the other shape that
 * looks back is moved onto its plane along the normal, and the corners of the overlap are touches, as in
 * manifold.c. */
#include "collide/narrow/box_face.h"
#include "collide/narrow/box_cut.h"

void sc_box_look(
    const sc_convex *box, const double n[3], double reach, const double origin[3], sc_box_view *out) {
  out->box = box, out->reach = reach;
  sc_add(origin, box->position, out->centre);
  sc_copy3(n, out->n);
  sc_mat_vec(box->R, n, out->normal);
}

/* The face's axis k and those across it, and which way it looks. */
typedef struct rectangle {
  int k, i, j;
  double side;
} rectangle;

static rectangle face_along(const sc_box_view *v) {
  const int k = sc_largest_of(fabs(v->n[0]), fabs(v->n[1]), fabs(v->n[2]));
  return (rectangle){k, k < 2 ? k + 1 : 0, k ? k - 1 : 2, sc_sign_of(-v->n[k])};
}

/* Corners of the other's face moved onto the rectangle's plane, with heights along the normal; y times `way`,
 * so that they go round counter-clockwise. cosine: of the normals. */
static void look(
    const sc_box_view *v, const rectangle *r, const sc_patch *patch, double cosine, double way, sc_cut *out) {
  const int k = r->k, i = r->i, j = r->j;
  const double plane = r->side * v->box->shape->extent[k], slope = 1 / v->n[k], fall = -1 / cosine,
               *m = patch->normal;
  for (int c = 0; c < SC_CUT + 1; c++) {
    const double *p = patch->corner[c < patch->count ? c : 0], h = (p[k] - plane) * slope;
    out->x[c] = p[i] - h * v->n[i], out->y[c] = way * (p[j] - h * v->n[j]), out->h[c] = h;
  }
  out->count = patch->count;
  out->plane[0] = (m[k] * plane - sc_dot(m, patch->corner[0])) * fall;
  out->plane[1] = m[i] * fall, out->plane[2] = way * m[j] * fall;
}

static void place(const sc_box_view *v, const double middle[3], double gap, uint32_t feature, sc_touch *out) {
  out->gap = gap, out->feature = feature;
  sc_mat_vec(v->box->R, middle, out->point);
  sc_add(out->point, v->centre, out->point);
  sc_copy3(v->normal, out->normal);
}

/* Rounding takes nothing of a line along an edge. */
static void spare_line(const sc_cut *c, double slack, double half[2]) {
  const double reach[2] = {fmax(fabs(c->x[0]), fabs(c->x[1])), fmax(fabs(c->y[0]), fabs(c->y[1]))};
  for (int k = 0; k < 2; k++)
    if (reach[k] > half[k] && reach[k] <= half[k] + slack) half[k] = reach[k];
}

/* A face seen nearly from its edge has no outline. */
static const double slant = 0.05;

int sc_box_overlap(const sc_box_view *v, const sc_patch *patch, sc_touch out[SC_MAX_TOUCHES]) {
  /* sides by how the face's corners are numbered, and the other way round */
  static const uint32_t sides[2][4] = {{2, 1, 0, 3}, {0, 1, 2, 3}};
  const rectangle r = face_along(v);
  const bool line = patch->count == 2;
  const double slight = 1e-3 * fmin(v->box->size, patch->size), *h = v->box->shape->extent,
               cosine = line ? -1 : sc_dot(patch->normal, v->n), way = cosine > 0 ? -r.side : r.side;
  double half[2] = {h[r.i], h[r.j]};
  sc_cut cut;
  sc_outline f;
  int count = 0;
  if (fabs(cosine) < slant) return 0;
  look(v, &r, patch, cosine, way, &cut);
  if (line) spare_line(&cut, 1e-9 * (v->box->size + patch->size), half);
  sc_cut_rectangle(&cut, half, sides[way == r.side], &f);
  sc_outline_straighten(&f, 0.1 * slight);
  const uint32_t faces = (uint32_t)(2 * r.k + (r.side > 0)) << 24 | patch->id << 16;
  for (int c = 0; c < f.count; c++) {
    const sc_spot *s = f.spot + c;
    const double gap = -s->h - patch->radius;
    double middle[3];
    if (!(gap <= v->reach)) continue;
    middle[r.i] = s->x, middle[r.j] = way * s->y, middle[r.k] = r.side * h[r.k];
    sc_axpy(-0.5 * gap, v->n, middle, middle);
    place(v, middle, gap, s->name | faces, out + count++);
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
  if (sc_box_reaches(v, patch, nearest->distance, out, count) || !(nearest->distance <= v->reach))
    return count;
  for (int k = 0; k < 3; k++) middle[k] = 0.5 * (nearest->a[k] + nearest->b[k]);
  place(v, middle, nearest->distance, SC_NAME_NEAREST, out + count);
  return count + 1;
}
