/* Contact manifold of two convex shapes: several touches if faces or edges lie on each other.
 *
 * Let n be the normal (from b to a). The face of a whose normal is nearest to -n and the face of b whose
 * normal is nearest to n are projected along n. The corners of the overlap of both polygons are touches. The
 * gap at a corner is the distance of the two faces along n, so it is exact also for faces that are not quite
 * parallel. The feature id of a corner names its origin: a corner of a, a corner of b, or an edge of each. A
 * touch therefore keeps its id while the bodies move. The nearest points are an additional touch if no corner
 * is as near (edge on edge, corner on face). */
#include "collide/narrow/convex/clip_polygon.h"

enum { MOST_FOUND = 256 }; /* maximum number of touches before they are thinned out */

/* Projection along the contact normal. */
typedef struct view {
  double n[3], t[3], o[3];          /* the normal, and unit vectors for x and y */
  double radius_a, radius_b, reach; /* radii about the cores, largest gap [m] */
} view;

/* Projects the face of a core whose normal is nearest to way * n along n. A face nearly parallel to n becomes
 * a single vertex. id: in: face at which the search starts; out: id of the face. side: 0 for the first shape,
 * SC_ID_SECOND for the second. */
static void project_face(
    const view *v, const sc_convex *c, double way, uint32_t *id, uint32_t side, sc_clip_polygon *out) {
  sc_face f;
  double t[3], o[3], n[3], along[3];
  const double *x = c->position, at[3] = {sc_dot(x, v->t), sc_dot(x, v->o), sc_dot(x, v->n)};
  sc_mat_tvec(c->R, v->t, t), sc_mat_tvec(c->R, v->o, o), sc_mat_tvec(c->R, v->n, n);
  sc_scale(way, n, along);
  sc_convex_own_face(c, along, *id, &f);
  *id = f.id;
  out->count = f.count;
  for (int k = 0; k < f.count; k++) {
    const double *p = f.corner[k];
    out->vertex[k] = (sc_clip_vertex){at[0] + sc_dot(p, t), at[1] + sc_dot(p, o), at[2] + sc_dot(p, n),
        SC_ID_CORNER | side | (uint32_t)k, side | (uint32_t)k};
  }
  if (f.count < 3) return;
  double cosine = sc_dot(f.normal, n);
  /* a face nearly parallel to the normal has no polygon */
  if (fabs(cosine) < 0.05) {
    out->count = 1;
    return;
  }
  double slope = 1 / cosine;
  out->plane[0] = -sc_dot(f.normal, t) * slope;
  out->plane[1] = -sc_dot(f.normal, o) * slope;
  out->plane[2] = out->vertex[0].h - out->plane[0] * out->vertex[0].x - out->plane[1] * out->vertex[0].y;
}

static double height_of(const sc_clip_polygon *f, double x, double y) {
  return f->plane[0] * x + f->plane[1] * y + f->plane[2];
}

/* Returns twice the signed area of a polygon. */
static double area_of(const sc_clip_polygon *f) {
  double sum = 0;
  for (int k = 1; k + 1 < f->count; k++) {
    const sc_clip_vertex *p = f->vertex + k, *q = f->vertex + k + 1;
    sum += (p->x - f->vertex[0].x) * (q->y - f->vertex[0].y) -
        (q->x - f->vertex[0].x) * (p->y - f->vertex[0].y);
  }
  return sum;
}

/* Computes the distance of each vertex from the line from c to d, times the length of the line: positive to
 * the left if turn is 1, to the right if turn is -1. Returns true if all distances are >= 0. */
static bool compute_signed_distances(const sc_clip_polygon *in, const sc_clip_vertex *c,
    const sc_clip_vertex *d, double turn, double side[SC_MAX_VERTICES]) {
  const double ex = turn * (d->x - c->x), ey = turn * (d->y - c->y);
  bool all = true;
  for (int k = 0; k < in->count; k++) {
    side[k] = ex * (in->vertex[k].y - c->y) - ey * (in->vertex[k].x - c->x);
    all = all && side[k] >= 0;
  }
  return all;
}

/* Clips `in` by all edges of the polygon `by`. open: true: `in` is a segment. Returns the result, which is
 * `in` or `spare`. */
static sc_clip_polygon *clip_by_all(
    sc_clip_polygon *in, const sc_clip_polygon *by, bool open, sc_clip_polygon *spare) {
  double side[SC_MAX_VERTICES];
  double turn = area_of(by) < 0 ? -1 : 1;
  for (int k = 0; k < by->count && in->count > 0; k++) {
    const sc_clip_vertex *c = by->vertex + k;
    if (compute_signed_distances(in, c, by->vertex + (k + 1 < by->count ? k + 1 : 0), turn, side)) continue;
    sc_clip_polygon_cut(in, side, c->edge, open, spare);
    sc_clip_polygon *cut = spare;
    spare = in, in = cut;
  }
  return in;
}

static int add_touch(const view *v, double x, double y, double ha, double hb, uint32_t feature,
    const double origin[3], sc_touch *out) {
  double low = ha - v->radius_a, high = hb + v->radius_b, middle = 0.5 * (low + high);
  out->gap = low - high;
  if (!(out->gap <= v->reach)) return 0;
  out->feature = feature;
  sc_copy3(v->n, out->normal);
  for (int k = 0; k < 3; k++) out->point[k] = origin[k] + x * v->t[k] + y * v->o[k] + middle * v->n[k];
  return 1;
}

/* Computes the touches at both ends of the overlap of two nearly parallel edges. Returns their number. */
static int touch_edges(const view *v, const sc_clip_polygon *a, const sc_clip_polygon *b,
    const double origin[3], sc_touch *out) {
  const sc_clip_vertex *p = a->vertex, *q = b->vertex;
  double ux = p[1].x - p[0].x, uy = p[1].y - p[0].y, wx = q[1].x - q[0].x, wy = q[1].y - q[0].y;
  double uu = ux * ux + uy * uy, ww = wx * wx + wy * wy, uw = ux * wx + uy * wy, sine = ux * wy - uy * wx;
  if (!(uu > 0 && ww > 0) || sine * sine > 0.01 * uu * ww) return 0;
  /* positions of the ends of edge b along edge a, as fractions of the length of edge a */
  double s[2] = {((q[0].x - p[0].x) * ux + (q[0].y - p[0].y) * uy) / uu,
      ((q[1].x - p[0].x) * ux + (q[1].y - p[0].y) * uy) / uu};
  int low = uw < 0, count = 0;
  double from = fmax(0, s[low]), to = fmin(1, s[1 - low]);
  if (!(to > from)) return 0;
  for (uint32_t k = 0; k < 2; k++) {
    double x = p[0].x + (k ? to : from) * ux, y = p[0].y + (k ? to : from) * uy;
    double r = sc_clamp(((x - q[0].x) * wx + (y - q[0].y) * wy) / ww, 0, 1);
    /* the touch lies midway between the two edges */
    double bx = q[0].x + r * wx, by = q[0].y + r * wy, ha = p[0].h + (k ? to : from) * (p[1].h - p[0].h),
           hb = q[0].h + r * (q[1].h - q[0].h);
    count += add_touch(v, 0.5 * (x + bx), 0.5 * (y + by), ha, hb, k, origin, out + count);
  }
  return count;
}

int sc_thin_out(sc_touch *touch, int count, int max) {
  if (count <= max) return count;
  double far[MOST_FOUND];
  int deepest = 0;
  for (int k = 1; k < count; k++)
    if (touch[k].gap < touch[deepest].gap) deepest = k;
  for (int k = 0; k < count; k++) far[k] = INFINITY;
  for (int kept = 0, pick = deepest; kept < max; kept++) {
    sc_touch chosen = touch[pick];
    touch[pick] = touch[kept], touch[kept] = chosen;
    far[pick] = far[kept];
    double most_far = -1;
    for (int k = kept + 1; k < count; k++) {
      double d[3];
      sc_sub(touch[k].point, chosen.point, d);
      far[k] = fmin(far[k], sc_dot(d, d));
      if (far[k] > most_far) most_far = far[k], pick = k;
    }
  }
  return max;
}

int sc_touch_copy_thinned(sc_touch *found, int count, sc_touch out[SC_MAX_TOUCHES]) {
  count = sc_thin_out(found, count, SC_MAX_TOUCHES);
  memcpy(out, found, (size_t)count * sizeof *out);
  return count;
}

/* Computes the touches at the corners of the overlap of two polygons. Returns their number. */
static int touch_overlap(const view *v, sc_clip_polygon *a, sc_clip_polygon *b, double tolerance, bool own,
    const double origin[3], sc_touch *out) {
  if (a->count < 2 || b->count < 2) return 0;
  if (a->count == 2 && b->count == 2) return touch_edges(v, a, b, origin, out);
  /* b is clipped by a, or a by b if a is a segment */
  sc_clip_polygon spare, *in = a->count > 2 ? b : a, *by = a->count > 2 ? a : b;
  const bool open = in->count == 2;
  sc_clip_polygon *cut = clip_by_all(in, by, open, &spare);
  if (!open) sc_clip_polygon_straighten(cut, tolerance, own);
  int count = 0;
  for (int k = 0; k < cut->count; k++) {
    const sc_clip_vertex *s = cut->vertex + k;
    double mine = open ? s->h : height_of(in, s->x, s->y), other = height_of(by, s->x, s->y);
    count += add_touch(
        v, s->x, s->y, in == a ? mine : other, in == a ? other : mine, s->id, origin, out + count);
  }
  return count;
}

/* Computes the touches at the corners of the overlap of the two faces, at most SC_MAX_VERTICES. seen: as in
 * sc_manifold. Returns their number. */
static int touch_faces(const view *v, const sc_convex *a, const sc_convex *b, const double origin[3],
    uint16_t seen[2], sc_touch *found) {
  sc_clip_polygon oa, ob;
  const double tolerance = 1e-3 * fmin(a->size, b->size);
  uint32_t id[2] = {seen ? seen[0] : 0, seen ? seen[1] : 0};
  project_face(v, a, -1, id, 0, &oa);
  project_face(v, b, 1, id + 1, SC_ID_SECOND, &ob);
  for (int k = 0; k < 2 && seen; k++) seen[k] = (uint16_t)id[k];
  /* if b is a triangle of a mesh, a corner of a remains if a touch of the triangle has the same gap */
  const bool own = b->triangle != NULL;
  int count = touch_overlap(v, &oa, &ob, 0.1 * tolerance, own, origin, found);
  uint32_t faces = (id[0] & 0xff) << 24 | (id[1] & 0xff) << 16;
  for (int k = 0; k < count; k++) found[k].feature |= faces;
  return sc_touch_join(found, count, tolerance, 1e-9 * tolerance, own);
}

static view make_view(const sc_convex *a, const sc_convex *b, const sc_nearest *nearest, double reach) {
  view v = {.radius_a = a->radius, .radius_b = b->radius, .reach = reach};
  sc_copy3(nearest->normal, v.n);
  sc_frame(v.n, v.t, v.o);
  return v;
}

int sc_manifold(const sc_convex *a, const sc_convex *b, const sc_nearest *nearest, double reach,
    const double origin[3], uint16_t seen[2], sc_touch *out) {
  view v = make_view(a, b, nearest, reach);
  sc_touch found[SC_MAX_VERTICES + 1];
  double gap = nearest->distance - a->radius - b->radius;
  int count = touch_faces(&v, a, b, origin, seen, found);
  const double min = sc_touch_least(found, count);
  if (gap <= reach && !(min <= gap + 1e-7 * (a->size + b->size))) {
    double middle[3];
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * (nearest->a[k] + nearest->b[k]);
    count += add_touch(&v, sc_dot(middle, v.t), sc_dot(middle, v.o), sc_dot(nearest->a, v.n),
        sc_dot(nearest->b, v.n), SC_ID_NEAREST, origin, found + count);
  }
  return sc_touch_copy_thinned(found, count, out);
}

/* Computes the touch at the lowest point of a over the face of b, such as the tip of a cone or the rim of a
 * disc. Returns 1 if this point lies within the face and its gap is below `min`, else 0. */
static int touch_lowest(const view *v, const sc_convex *a, const sc_convex *b, const double origin[3],
    double min, sc_touch *out) {
  sc_clip_polygon face;
  uint32_t id = 0;
  double lowest[3];
  const double back[3] = {-v->n[0], -v->n[1], -v->n[2]};
  project_face(v, b, 1, &id, SC_ID_SECOND, &face);
  if (face.count < 3) return 0;
  sc_convex_support(a, back, lowest);
  static const double aside = 1e-4; /* there is no touch if the lowest point lies further outside the face's
                                       polygon than this, relative to the size of a */
  double turn = area_of(&face) < 0 ? -1 : 1, x = sc_dot(lowest, v->t), y = sc_dot(lowest, v->o);
  for (int k = 0; k < face.count; k++) {
    const sc_clip_vertex *c = face.vertex + k, *d = face.vertex + (k + 1) % face.count;
    const double u = d->x - c->x, w = d->y - c->y;
    if (turn * (u * (y - c->y) - w * (x - c->x)) < -aside * a->size * sqrt(u * u + w * w)) return 0;
  }
  int count = add_touch(v, x, y, sc_dot(lowest, v->n), height_of(&face, x, y), SC_ID_NEAREST, origin, out);
  return count && out->gap < min - 1e-7 * (a->size + b->size);
}

int sc_manifold_faces(const sc_convex *a, const sc_convex *b, const sc_nearest *nearest, double reach,
    const double origin[3], sc_touch *out) {
  view v = make_view(a, b, nearest, reach);
  sc_touch found[SC_MAX_VERTICES + 1];
  int count = touch_faces(&v, a, b, origin, NULL, found);
  const double min = sc_touch_least(found, count);
  count += touch_lowest(&v, a, b, origin, min, found + count);
  return sc_touch_copy_thinned(found, count, out);
}
