/* The overlap of a face of a box with a face of another shape, in the box's axes.
 *
 * The face of the box whose normal is nearest to the contact normal is a rectangle. The face of the other
 * shape is projected onto its plane along the contact normal. The corners of the overlap are touches, as in
 * narrow/convex/manifold.c. */
#include "collide/narrow/box/box_face.h"

void sc_box_view_set(const sc_shape *shape, const double R[9], const double centre[3], const double n[3],
    double reach, sc_box_view *out) {
  out->shape = shape, out->R = R, out->centre = centre, out->reach = reach;
  sc_copy3(n, out->n);
  sc_mat_vec(R, n, out->normal);
}

static inline int next_of(int k) { return k < 2 ? k + 1 : 0; }
static inline int last_of(int k) { return k ? k - 1 : 2; }

/* Projects the corners of a patch onto the rectangle's plane. cosine: scalar product of the patch's normal
 * and the contact normal. */
static void project_patch(const sc_box_view *v, const sc_patch *patch, double cosine, sc_seen *s) {
  const int k = s->k, i = next_of(k), j = last_of(k);
  const double plane = s->side * v->shape->extent[k], slope = 1 / v->n[k], fall = -1 / cosine,
               *m = patch->normal;
  for (int c = 0; c < SC_CUT + 1; c++) {
    const double *p = patch->corner[c < patch->count ? c : 0], h = (p[k] - plane) * slope;
    s->cut.x[c] = p[i] - h * v->n[i], s->cut.y[c] = s->way * (p[j] - h * v->n[j]), s->cut.h[c] = h;
  }
  s->cut.count = patch->count;
  s->cut.plane[0] = (m[k] * plane - sc_dot(m, patch->corner[0])) * fall;
  s->cut.plane[1] = m[i] * fall, s->cut.plane[2] = s->way * m[j] * fall;
}

static void set_touch(
    const sc_box_view *v, const double middle[3], double gap, uint32_t feature, sc_touch *out) {
  out->gap = gap, out->feature = feature;
  sc_mat_vec(v->R, middle, out->point);
  sc_add(out->point, v->centre, out->point);
  sc_copy3(v->normal, out->normal);
}

/* Enlarges the rectangle by at most `slack` to include a segment, so that rounding clips nothing of a segment
 * along an edge. */
static void include_segment(const sc_cut *c, double slack, double half[2]) {
  const double reach[2] = {fmax(fabs(c->x[0]), fabs(c->x[1])), fmax(fabs(c->y[0]), fabs(c->y[1]))};
  for (int k = 0; k < 2; k++)
    if (reach[k] > half[k] && reach[k] <= half[k] + slack) half[k] = reach[k];
}

/* a patch whose normal has a smaller cosine with the contact normal has no polygon */
static const double min_cosine = 0.05;

int sc_box_seen(const sc_box_view *v, const sc_seen *s, sc_touch out[SC_MAX_TOUCHES]) {
  /* feature ids of the sides: as the corners of the face are numbered, and in reverse order */
  static const uint32_t sides[2][4] = {{2, 1, 0, 3}, {0, 1, 2, 3}};
  const int i = next_of(s->k), j = last_of(s->k);
  const double tolerance = 1e-3 * (v->shape->bound < s->size ? v->shape->bound : s->size);
  const uint32_t faces = (uint32_t)(2 * s->k + (s->side > 0)) << 24 | s->id << 16;
  sc_clip_polygon f;
  int count = 0;
  sc_cut_trace(&s->cut, &s->inside, s->half, sides[s->way == s->side], &f);
  /* true for a triangle of a mesh: of two touches with equal gaps the corner of the box remains */
  const bool own = s->cut.count == 3;
  sc_clip_polygon_straighten(&f, 0.1 * tolerance, own);
  for (int c = 0; c < f.count; c++) {
    const sc_clip_vertex *vertex = f.vertex + c;
    const double gap = -vertex->h - s->radius;
    double middle[3];
    if (!(gap <= v->reach)) continue;
    middle[i] = vertex->x, middle[j] = s->way * vertex->y, middle[s->k] = s->side * v->shape->extent[s->k];
    sc_axpy(-0.5 * gap, v->n, middle, middle);
    set_touch(v, middle, gap, vertex->id | faces, out + count++);
  }
  return sc_touch_join(out, count, tolerance, 1e-9 * tolerance, own);
}

int sc_box_overlap(const sc_box_view *v, const sc_patch *patch, sc_touch out[SC_MAX_TOUCHES]) {
  const int k = sc_largest_of(fabs(v->n[0]), fabs(v->n[1]), fabs(v->n[2]));
  const bool line = patch->count == 2;
  const double cosine = line ? -1 : sc_dot(patch->normal, v->n), *h = v->shape->extent;
  sc_seen s = {.k = k, .side = sc_sign_of(-v->n[k]), .half = {h[next_of(k)], h[last_of(k)]}};
  if (fabs(cosine) < min_cosine) return 0;
  s.way = cosine > 0 ? -s.side : s.side, s.id = patch->id, s.size = patch->size, s.radius = patch->radius;
  project_patch(v, patch, cosine, &s);
  if (line) include_segment(&s.cut, 1e-9 * (v->shape->bound + patch->size), s.half);
  sc_cut_edges(&s.cut, s.half, &s.inside);
  return sc_box_seen(v, &s, out);
}

bool sc_box_reaches(const sc_box_view *v, double size, double distance, const sc_touch *touch, int count) {
  return sc_touch_least(touch, count) <= distance + 1e-7 * (v->shape->bound + size);
}

int sc_box_nearest_touch(
    const sc_box_view *v, double size, const sc_nearest *nearest, int count, sc_touch out[SC_MAX_TOUCHES]) {
  double middle[3];
  if (sc_box_reaches(v, size, nearest->distance, out, count) || !(nearest->distance <= v->reach))
    return count;
  for (int k = 0; k < 3; k++) middle[k] = 0.5 * (nearest->a[k] + nearest->b[k]);
  set_touch(v, middle, nearest->distance, SC_ID_NEAREST, out + count);
  return count + 1;
}
