/* Makes solids of shapes. A solid has an affine transformation to a standard form, and a box. */
#include "draw/draw.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

/* ---- one solid ---- */

static sc_solid *add_solid(sc_solids *all, int32_t own, int form) {
  if (!SC_GROW(all->solid, all->capacity, all->count + 1)) return NULL;
  sc_solid *s = all->solid + all->count++;
  *s = (sc_solid){.form = form, .own = own};
  return s;
}

static void set_bound(sc_solid *s) {
  double square = 0;
  for (int k = 0; k < 3; k++) square += sc_dot(s->reach[k], s->reach[k]);
  s->bound = s->form == SC_BALL ? fmax(sc_norm(s->reach[0]), fmax(sc_norm(s->reach[1]), sc_norm(s->reach[2])))
                                : sqrt(square);
}

/* Sets the transformation and the box of a solid. Standard coordinates are the coordinates in the shape's
 * frame divided by `scale`. The box has the middle `middle` and the half edges `half`, in the shape's
 * frame. */
static void place_solid(
    sc_solid *s, const scree_drawn *d, const double scale[3], const double half[3], const double middle[3]) {
  double R[9];
  sc_quat_matrix(d->orientation, R);
  sc_copy3(d->position, s->centre);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      s->to[3 * i + k] = R[3 * k + i] / scale[i];
      s->reach[i][k] = half[i] * R[3 * k + i];
    }
  sc_mat_vec(R, middle, s->middle);
  set_bound(s);
}

static void place_plain(sc_solid *s, const scree_drawn *d, double x, double y, double z) {
  static const double zero[3] = {0};
  place_solid(s, d, (const double[3]){x, y, z}, (const double[3]){x, y, z}, zero);
}

/* Adds a triangle with corners in world coordinates. plane: nonzero if it is part of a half-space. Skips a
 * triangle without area. Returns false if out of memory. */
static bool put_triangle(
    sc_solids *all, int32_t own, int plane, const double a[3], const double b[3], const double c[3]) {
  double u[3], v[3], n[3], square;
  sc_sub(b, a, u);
  sc_sub(c, a, v);
  sc_cross(u, v, n);
  square = sc_dot(n, n);
  if (!(square > 0)) return true;
  sc_solid *s = add_solid(all, own, SC_TRIANGLE);
  if (!s) return false;
  s->plane = plane;
  sc_copy3(a, s->centre);
  /* standard coordinates x along u, y along v, z along n: `to` is the inverse of the matrix with the columns
   * u, v, n/|n| */
  sc_cross(v, n, s->to);
  sc_cross(n, u, s->to + 3);
  sc_scale(1 / square, s->to, s->to);
  sc_scale(1 / square, s->to + 3, s->to + 3);
  sc_scale(1 / sqrt(square), n, s->to + 6);
  for (int k = 0; k < 3; k++) {
    double low = fmin(0, fmin(u[k], v[k])), high = fmax(0, fmax(u[k], v[k]));
    s->reach[k][k] = (high - low) / 2;
    s->middle[k] = (high + low) / 2;
  }
  set_bound(s);
  return true;
}

static bool put_mesh(sc_solids *all, int32_t own, const scree_drawn *d) {
  const scree_geometry *g = d->geometry;
  double R[9], p[3][3];
  sc_quat_matrix(d->orientation, R);
  for (int32_t t = 0; t < g->triangles; t++) {
    for (int k = 0; k < 3; k++) {
      sc_mat_vec(R, g->point[g->triangle[t][k]], p[k]);
      sc_add(p[k], d->position, p[k]);
    }
    if (!put_triangle(all, own, 0, p[0], p[1], p[2])) return false;
  }
  return true;
}

static bool put_hull(sc_solids *all, int32_t own, const scree_drawn *d) {
  const scree_geometry *g = d->geometry;
  static const double one[3] = {1, 1, 1};
  double half[3], middle[3];
  sc_solid *s = add_solid(all, own, SC_HULL);
  if (!s) return false;
  s->face = (const double(*)[4])g->plane;
  s->faces = g->faces;
  for (int k = 0; k < 3; k++) half[k] = (g->max[k] - g->min[k]) / 2, middle[k] = (g->max[k] + g->min[k]) / 2;
  place_solid(s, d, one, half, middle);
  return true;
}

static bool put_capsule(sc_solids *all, int32_t own, const scree_drawn *d) {
  static const double zero[3] = {0};
  double r = d->radius;
  sc_solid *s = add_solid(all, own, SC_CAPSULE);
  if (!s) return false;
  s->extra = d->length / (2 * r);
  place_solid(s, d, (const double[3]){r, r, r}, (const double[3]){r, r, r + d->length / 2}, zero);
  return true;
}

/* Arguments of show_triangle, which adds the triangles of a shape that has no standard form. fine: false if
 * out of memory. */
typedef struct showing {
  sc_solids *all;
  int32_t own;
  const scree_drawn *shape;
  bool fine;
} showing;

static void show_triangle(void *to, const double a[3], const double b[3], const double c[3]) {
  showing *s = to;
  const double *corner[3] = {a, b, c};
  double R[9], p[3][3];
  sc_quat_matrix(s->shape->orientation, R);
  for (int k = 0; k < 3; k++) {
    sc_mat_vec(R, corner[k], p[k]);
    sc_add(p[k], s->shape->position, p[k]);
  }
  s->fine = s->fine && put_triangle(s->all, s->own, 0, p[0], p[1], p[2]);
}

static bool put_shown(sc_solids *all, int32_t own, const scree_drawn *d) {
  scree_shape_info info = {
      .type = d->type, .radius = d->radius, .length = d->length, .geometry = d->geometry};
  showing s = {all, own, d, true};
  sc_copy3(d->size, info.size);
  memcpy(info.own, d->own, sizeof info.own);
  scree_shape_triangles(&info, show_triangle, &s);
  return s.fine;
}

static bool put_finite(sc_solids *all, int32_t own, const scree_drawn *d) {
  static const int forms[SCREE_SHAPE_TYPES] = {[SCREE_SPHERE] = SC_BALL,
      [SCREE_BOX] = SC_CUBE,
      [SCREE_CYLINDER] = SC_ROUND,
      [SCREE_CONE] = SC_CONE,
      [SCREE_ELLIPSOID] = SC_BALL};
  if (d->type == SCREE_CAPSULE) return put_capsule(all, own, d);
  if (d->type == SCREE_HULL) return !d->geometry || put_hull(all, own, d);
  if (d->type == SCREE_MESH) return !d->geometry || put_mesh(all, own, d);
  if (d->type > SCREE_MESH) return put_shown(all, own, d);
  sc_solid *s = add_solid(all, own, forms[d->type]);
  if (!s) return false;
  if (d->type == SCREE_SPHERE) place_plain(s, d, d->radius, d->radius, d->radius);
  else if (d->type == SCREE_BOX || d->type == SCREE_ELLIPSOID)
    place_plain(s, d, d->size[0] / 2, d->size[1] / 2, d->size[2] / 2);
  else place_plain(s, d, d->radius, d->radius, d->length / 2);
  return true;
}

/* ---- planes: the part of each in the box and on the free side of all others ---- */

enum { CORNERS = 64 };
typedef struct polygon {
  double at[CORNERS][3];
  int count;
} polygon;

static void plane_of(const scree_drawn *d, double n[4]) {
  sc_quat_rotate(d->orientation, d->normal, n);
  sc_normalise(n, n);
  n[3] = sc_dot(n, d->position);
}

/* Clips a polygon to the half-space n . x >= n[3]. */
static void cut_polygon(polygon *p, const double n[4]) {
  polygon out = {.count = 0};
  for (int i = 0; i < p->count && out.count < CORNERS - 2; i++) {
    const double *a = p->at[i], *b = p->at[(i + 1) % p->count];
    double ha = sc_dot(n, a) - n[3], hb = sc_dot(n, b) - n[3];
    if (ha >= 0) sc_copy3(a, out.at[out.count++]);
    if ((ha < 0) != (hb < 0))
      for (int k = 0; k < 3; k++) {
        out.at[out.count][k] = a[k] + (b[k] - a[k]) * (ha / (ha - hb));
        if (k == 2) out.count++;
      }
  }
  *p = out;
}

/* Returns a square in the plane n . x = n[3]. Its centre is the point of the plane nearest to the middle of
 * the box. Half its edge is twice the diagonal of the box. */
static polygon square_on_plane(const double n[4], const double low[3], const double high[3]) {
  double t[3], o[3], middle[3], edge[3];
  polygon p = {.count = 4};
  sc_frame(n, t, o);
  for (int k = 0; k < 3; k++) middle[k] = (low[k] + high[k]) / 2;
  sc_sub(high, low, edge);
  sc_axpy(n[3] - sc_dot(n, middle), n, middle, middle);
  for (int i = 0; i < 4; i++) {
    double a = i == 1 || i == 2 ? 1 : -1, b = i > 1 ? 1 : -1, side = 2 * sc_norm(edge);
    for (int k = 0; k < 3; k++) p.at[i][k] = middle[k] + side * (a * t[k] + b * o[k]);
  }
  return p;
}

/* Adds the plane of half-space number `own` as triangles, clipped to the box and to the free sides of all
 * other half-spaces. Returns false if out of memory. */
static bool put_plane(sc_solids *all, int32_t own, const scree_drawn *shapes, int64_t count,
    const double low[3], const double high[3]) {
  double n[4], other[4];
  plane_of(shapes + own, n);
  polygon p = square_on_plane(n, low, high);
  for (int i = 0; i < 6; i++) {
    double side[4] = {0};
    side[i % 3] = i < 3 ? 1 : -1;
    side[3] = i < 3 ? low[i] : -high[i - 3];
    if (fabs(n[i % 3]) < 0.999) cut_polygon(&p, side);
  }
  for (int64_t k = 0; k < count; k++)
    if (shapes[k].type == SCREE_HALFSPACE && k != own) {
      plane_of(shapes + k, other);
      if (sc_dot(n, other) < 0.999999) cut_polygon(&p, other);
    }
  for (int i = 2; i < p.count; i++)
    if (!put_triangle(all, own, 1, p.at[0], p.at[i - 1], p.at[i])) return false;
  return true;
}

/* ---- all shapes ---- */

static void extend_box(const sc_solid *s, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) {
    double half = s->form == SC_BALL ? sqrt(s->reach[0][k] * s->reach[0][k] +
                                           s->reach[1][k] * s->reach[1][k] + s->reach[2][k] * s->reach[2][k])
                                     : fabs(s->reach[0][k]) + fabs(s->reach[1][k]) + fabs(s->reach[2][k]);
    double at = s->centre[k] + s->middle[k];
    low[k] = fmin(low[k], at - half);
    high[k] = fmax(high[k], at + half);
  }
}

/* Computes the box around all solids, and their typical radius. The typical radius is the harmonic mean of
 * the bounding radii. It is close to the radius of the grains, because grains outnumber walls. */
static void measure_solids(sc_solids *all) {
  double sum = 0;
  for (int k = 0; k < 3; k++) all->low[k] = INFINITY, all->high[k] = -INFINITY;
  for (size_t i = 0; i < all->count; i++) {
    extend_box(all->solid + i, all->low, all->high);
    if (all->solid[i].bound > 0) sum += 1 / all->solid[i].bound;
  }
  all->typical = sum > 0 ? (double)all->count / sum : 1;
  for (int k = 0; k < 3 && !all->count; k++) all->low[k] = -1, all->high[k] = 1;
}

/* Computes the rim, and the box low..high to which planes are clipped. Floors extend far beyond the box of
 * the shapes. Walls extend only a little above the top and below the bottom of this box. */
static void extend_for_planes(sc_solids *all, const double up[3], double low[3], double high[3]) {
  double edge[3];
  sc_sub(all->high, all->low, edge);
  for (int k = 0; k < 3; k++) {
    all->rim[k] = (fabs(up[k]) > 0.7 ? 0.06 : 0.3) * sc_norm(edge);
    low[k] = all->low[k] - all->rim[k], high[k] = all->high[k] + all->rim[k];
  }
}

bool sc_solids_make(sc_solids *all, const scree_draw_def *def, const scree_drawn *shapes, int64_t count) {
  double low[3], high[3];
  all->count = 0;
  for (int64_t k = 0; k < count; k++)
    if (shapes[k].type != SCREE_HALFSPACE && shapes[k].opacity > 0 &&
        !put_finite(all, (int32_t)k, shapes + k))
      return false;
  measure_solids(all);
  bool given = def->low[0] <= def->high[0] && def->low[1] <= def->high[1] && def->low[2] <= def->high[2];
  sc_copy3(given ? def->low : all->low, all->low);
  sc_copy3(given ? def->high : all->high, all->high);
  extend_for_planes(all, def->up, low, high);
  for (int64_t k = 0; k < count; k++)
    if (shapes[k].type == SCREE_HALFSPACE && shapes[k].opacity > 0 &&
        !put_plane(all, (int32_t)k, shapes, count, low, high))
      return false;
  return true;
}

void scree_drawn_box(const scree_drawn *shape, double low[3], double high[3]) {
  SC_DEMAND(shape && low && high, NULL, );
  bool there = shape->type == SCREE_MESH || shape->type == SCREE_HULL ? shape->geometry != NULL
                                                                      : shape->type != SCREE_HALFSPACE;
  sc_solids one = {0};
  for (int k = 0; k < 3; k++) low[k] = there ? INFINITY : -INFINITY, high[k] = -low[k];
  if (!there || !put_finite(&one, 0, shape)) return;
  for (size_t i = 0; i < one.count; i++) extend_box(one.solid + i, low, high);
  sc_free(one.solid);
}
