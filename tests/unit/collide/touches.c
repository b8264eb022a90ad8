/* Compares the points of touches with the geometry of the shapes. The ends of a touch are its point plus and
 * minus half the gap along the normal. The ends must lie on the surfaces of the two shapes. A solid over a
 * half-space has a touch at each corner within the reach. The touches of two faces are the corners of the
 * overlap of the faces. The polygon of these corners must have the area of the overlap, for boxes and for
 * hulls with the corners of boxes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bed.h"
#include "scree/geometry.h"

enum { POINTS = 14, MOST_PLANES = 200 };

/* Computes a hull by brute force: planes through three points with all points on one side. */
typedef struct polytope {
  scree_geometry *geometry;
  double point[POINTS][3], normal[MOST_PLANES][3], offset[MOST_PLANES];
  int planes;
} polytope;

static void random_polytope(bed *b, polytope *h) {
  for (int i = 0; i < POINTS; i++) {
    for (int k = 0; k < 3; k++) h->point[i][k] = bed_between(b, -1, 1);
    sc_normalise(h->point[i], h->point[i]);
  }
  h->planes = 0;
  for (int i = 0; i < POINTS; i++)
    for (int j = i + 1; j < POINTS; j++)
      for (int k = j + 1; k < POINTS; k++) {
        double u[3], v[3], n[3];
        int above = 0, below = 0;
        sc_sub(h->point[j], h->point[i], u), sc_sub(h->point[k], h->point[i], v);
        sc_cross(u, v, n), sc_normalise(n, n);
        for (int e = 0; e < POINTS; e++) {
          const double side = sc_dot(n, h->point[e]) - sc_dot(n, h->point[i]);
          above += side > 1e-12, below += side < -1e-12;
        }
        if (above && below) continue;
        sc_scale(above ? -1 : 1, n, h->normal[h->planes]);
        h->offset[h->planes] = sc_dot(h->normal[h->planes], h->point[i]);
        assert_true(++h->planes < MOST_PLANES);
      }
  h->geometry = scree_geometry_hull((const double(*)[3])h->point, POINTS, NULL);
  assert_non_null(h->geometry);
}

/* Returns the distance of a point from the surface of a placed shape near the point; negative inside. For
 * cylinders and cones returns the largest of the distances from each surface. */
static double height_over(const sc_placed *p, const polytope *h, const double x[3]) {
  const sc_shape *s = p->shape;
  double d[3], local[3], most = -INFINITY;
  sc_sub(x, p->position, d), sc_mat_tvec(p->R, d, local);
  const double across = hypot(local[0], local[1]);
  switch (s->type) {
  case SCREE_SPHERE: return sc_norm(local) - s->radius;
  case SCREE_HALFSPACE: return local[2];
  case SCREE_CAPSULE: return hypot(across, fmax(0, fabs(local[2]) - s->half)) - s->radius;
  case SCREE_CYLINDER: return fmax(across - s->radius, fabs(local[2]) - s->half);
  case SCREE_CONE: {
    const double slope = hypot(s->radius, 2 * s->half);
    return fmax(-s->half - local[2], (across * 2 * s->half + (local[2] - s->half) * s->radius) / slope);
  }
  case SCREE_BOX:
    for (int k = 0; k < 3; k++) most = fmax(most, fabs(local[k]) - s->extent[k]);
    return most;
  case SCREE_ELLIPSOID: {
    double square = 0, steep = 0;
    for (int k = 0; k < 3; k++) {
      square += pow(local[k] / s->extent[k], 2);
      steep += pow(local[k] / (s->extent[k] * s->extent[k]), 2);
    }
    return (square - 1) / (2 * sqrt(steep)); /* to first order */
  }
  default:
    for (int k = 0; k < h->planes; k++) most = fmax(most, sc_dot(h->normal[k], local) - h->offset[k]);
    return most;
  }
}

static const int types[] = {SCREE_SPHERE, SCREE_CAPSULE, SCREE_BOX, SCREE_CYLINDER, SCREE_CONE,
    SCREE_ELLIPSOID, SCREE_HULL, SCREE_HALFSPACE};
static const char *const names[] = {
    "sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "hull", "half-space"};
enum { TYPES = 8 };

static sc_shape random_shape(bed *b, int type, const polytope *h) {
  sc_shape s = bed_shape(type);
  s.radius = bed_between(b, 0.3, 1), s.half = bed_between(b, 0.3, 1);
  for (int k = 0; k < 3; k++) s.extent[k] = bed_between(b, 0.3, 1);
  s.geometry = type == SCREE_HULL ? h->geometry : NULL;
  if (type != SCREE_HALFSPACE) s.bound = sc_shape_bound(&s);
  return s;
}

/* Places the shapes so that they nearly touch, or overlap a little: b moves along the line of centres. */
static int nearly_touching(bed *b, const sc_placed *a, sc_placed *other, sc_touch *touch) {
  double step[3];
  sc_touch far[SC_MAX_TOUCHES];
  for (int round = 0; round < 4; round++) {
    const int count = sc_narrow(a, other, 10, far);
    int deepest = 0;
    for (int k = 1; k < count; k++)
      if (far[k].gap < far[deepest].gap) deepest = k;
    assert_true(count > 0);
    sc_scale(far[deepest].gap, far[deepest].normal, step);
    sc_add(other->position, step, other->position);
  }
  const int count = sc_narrow(a, other, 10, far);
  sc_axpy(-bed_between(b, -0.02, 0.1), far[0].normal, other->position, other->position);
  (void)count;
  return sc_narrow(a, other, 0.15, touch);
}

static bool is_flat(int type) { return type == SCREE_BOX || type == SCREE_HULL || type == SCREE_HALFSPACE; }

/* The deepest touch, and all touches of flat faces, end on the surfaces. Other touches of round shapes end
 * near them, because all touches of a pair have the same normal or lie between points of the cores. */
static void ends_lie_on_both_surfaces(void **unused) {
  (void)unused;
  bed b;
  bed_init(&b, 3);
  polytope h;
  random_polytope(&b, &h);
  int touches = 0, several = 0;
  for (int i = 0; i < TYPES; i++)
    for (int j = 0; j < TYPES; j++)
      for (int k = 0; k < 60; k++) {
        if (types[i] == SCREE_HALFSPACE && types[j] == SCREE_HALFSPACE) continue;
        sc_shape sa = random_shape(&b, types[i], &h), sb = random_shape(&b, types[j], &h);
        sc_placed pa, pb;
        sc_touch touch[SC_MAX_TOUCHES];
        double x[3], q[4] = {1, 0, 0, 0}, turn[4];
        bed_random_turn(&b, turn);
        for (int e = 0; e < 3; e++) x[e] = bed_between(&b, -1, 1);
        sc_place(&sa, x, turn, &pa);
        bed_random_turn(&b, q);
        if (k % 3 == 0) { // nearly parallel faces and axes
          memcpy(q, turn, sizeof q);
          q[k % 4] += bed_between(&b, -1e-3, 1e-3), sc_quat_normalise(q, q);
        }
        for (int e = 0; e < 3; e++) x[e] += bed_between(&b, -1, 1);
        sc_place(&sb, x, q, &pb);
        const int count = nearly_touching(&b, &pa, &pb, touch);
        double least = INFINITY;
        for (int t = 0; t < count; t++) least = fmin(least, touch[t].gap);
        touches += count, several += count > 1;
        for (int t = 0; t < count; t++) {
          double one[3], two[3];
          sc_axpy(touch[t].gap / 2, touch[t].normal, touch[t].point, one);
          sc_axpy(-touch[t].gap / 2, touch[t].normal, touch[t].point, two);
          const double ha = height_over(&pa, &h, one), hb = height_over(&pb, &h, two);
          const bool flat = is_flat(types[i]) && is_flat(types[j]);
          const double within = touch[t].gap > least + 1e-9 && !flat ? 0.03 + 0.3 * (touch[t].gap - least)
              : least > 0                                            ? 1e-6
                                                                     : 1e-4;
          if (!(fabs(ha) <= within && fabs(hb) <= within))
            fail_msg("%s on %s, pair %d, touch %d of %d, gap %g: %g and %g off", names[i], names[j], k, t,
                count, touch[t].gap, ha, hb);
        }
      }
  assert_true(touches > 3000 && several > 500);
  scree_geometry_release(h.geometry);
  bed_free(&b);
}

/* A box or hull over a half-space has one touch at each corner within the reach. The touch lies half its gap
 * below the corner. */
static void corners_over_a_plane(void **unused) {
  (void)unused;
  bed b;
  bed_init(&b, 4);
  polytope h;
  random_polytope(&b, &h);
  for (int k = 0; k < 300; k++) {
    const bool hull = k % 2;
    sc_shape plane = bed_shape(SCREE_HALFSPACE), s = random_shape(&b, hull ? SCREE_HULL : SCREE_BOX, &h);
    sc_placed p, wall;
    sc_touch touch[SC_MAX_TOUCHES];
    double x[3], q[4], n[3];
    for (int e = 0; e < 3; e++) x[e] = bed_between(&b, -1, 1);
    bed_random_turn(&b, q), sc_place(&s, x, q, &p);
    bed_random_turn(&b, q), sc_place(&plane, x, q, &wall);
    sc_set3(wall.R[2], wall.R[5], wall.R[8], n);
    const double reach = bed_between(&b, 0, 1.5);
    const int count = sc_narrow(&p, &wall, reach, touch);
    int wanted = 0;
    for (int c = 0; c < (hull ? POINTS : 8); c++) {
      double local[3], at[3], d[3], gap;
      for (int e = 0; e < 3 && !hull; e++) local[e] = (c >> e & 1 ? 1 : -1) * s.extent[e];
      if (hull) sc_copy3(h.point[c], local);
      sc_mat_vec(p.R, local, at), sc_add(at, p.position, at);
      sc_sub(at, wall.position, d), gap = sc_dot(d, n);
      if (gap > reach) continue;
      wanted++;
      int found = 0;
      sc_axpy(-gap / 2, n, at, at);
      for (int t = 0; t < count; t++) {
        sc_sub(touch[t].point, at, d);
        found += sc_norm(d) < 1e-12 && fabs(touch[t].gap - gap) < 1e-12 &&
            sc_dot(touch[t].normal, n) > 1 - 1e-12;
      }
      assert_int_equal(found, 1);
    }
    assert_int_equal(count, wanted);
  }
  scree_geometry_release(h.geometry);
  bed_free(&b);
}

/* ---- faces on faces ---- */

typedef struct outline {
  double x[16][2];
  int count;
} outline;

static double area_of(const outline *o) {
  double sum = 0;
  for (int k = 0; k < o->count; k++) {
    const double *p = o->x[k], *q = o->x[(k + 1) % o->count];
    sum += (p[0] * q[1] - p[1] * q[0]) / 2;
  }
  return sum;
}

/* Clips a convex polygon: removes the points to the right of the line from c to d. */
static void cut(outline *o, const double c[2], const double d[2]) {
  outline out = {.count = 0};
  for (int k = 0; k < o->count; k++) {
    const double *p = o->x[k], *q = o->x[(k + 1) % o->count];
    const double a = (d[0] - c[0]) * (p[1] - c[1]) - (d[1] - c[1]) * (p[0] - c[0]),
                 e = (d[0] - c[0]) * (q[1] - c[1]) - (d[1] - c[1]) * (q[0] - c[0]);
    if (a >= 0) memcpy(out.x[out.count++], p, sizeof out.x[0]);
    if ((a >= 0) == (e >= 0)) continue;
    const double t = a / (a - e);
    out.x[out.count][0] = p[0] + t * (q[0] - p[0]), out.x[out.count++][1] = p[1] + t * (q[1] - p[1]);
  }
  *o = out;
}

static void rectangle(const double half[2], double x, double y, double angle, outline *o) {
  static const int side[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  o->count = 4;
  for (int k = 0; k < 4; k++) {
    const double u = side[k][0] * half[0], v = side[k][1] * half[1];
    o->x[k][0] = x + cos(angle) * u - sin(angle) * v, o->x[k][1] = y + sin(angle) * u + cos(angle) * v;
  }
}

static int by_angle(const void *a, const void *b) {
  const double *p = a, *q = b, u = atan2(p[1], p[0]), v = atan2(q[1], q[0]);
  return (u > v) - (u < v);
}

static scree_geometry *box_hull(const double half[3]) {
  double p[8][3];
  for (int c = 0; c < 8; c++)
    for (int e = 0; e < 3; e++) p[c][e] = (c >> e & 1 ? 1 : -1) * half[e];
  return scree_geometry_hull((const double(*)[3])p, 8, NULL);
}

static void faces_touch_at_the_corners_of_the_overlap(void **unused) {
  (void)unused;
  bed b;
  bed_init(&b, 5);
  int met = 0;
  for (int k = 0; k < 400; k++) {
    sc_shape s[2];
    scree_geometry *hull[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
      s[i] = random_shape(&b, SCREE_BOX, NULL);
      if (!(k >> i & 1)) continue;
      hull[i] = box_hull(s[i].extent);
      s[i].type = SCREE_HULL, s[i].geometry = hull[i];
      s[i].bound = sc_shape_bound(&s[i]);
    }
    const double x = bed_between(&b, -1, 1), y = bed_between(&b, -1, 1), angle = bed_between(&b, -3, 3),
                 gap = bed_between(&b, -0.01, 0.01);
    outline low, high;
    rectangle(s[0].extent, 0, 0, 0, &low), rectangle(s[1].extent, x, y, angle, &high);
    for (int e = 0; e < 4; e++) cut(&high, low.x[e], low.x[(e + 1) % 4]);
    const double area = high.count ? area_of(&high) : 0;
    sc_placed p[2];
    const double at[2][3] = {{0, 0, 0}, {x, y, s[0].extent[2] + s[1].extent[2] + gap}},
                 q[2][4] = {{1, 0, 0, 0}, {cos(angle / 2), 0, 0, sin(angle / 2)}};
    for (int i = 0; i < 2; i++) sc_place(s + i, at[i], q[i], p + i);
    sc_touch touch[SC_MAX_TOUCHES];
    const int count = sc_narrow(p + 1, p, 0.02, touch);
    if (area > 1e-2) {
      outline found = {.count = count < 16 ? count : 16};
      double mean[2] = {0, 0};
      for (int t = 0; t < found.count; t++)
        for (int e = 0; e < 2; e++) mean[e] += touch[t].point[e] / found.count;
      for (int t = 0; t < found.count; t++) {
        assert_true(fabs(touch[t].gap - gap) < 1e-12 && touch[t].normal[2] > 1 - 1e-12);
        assert_true(fabs(touch[t].point[2] - s[0].extent[2] - gap / 2) < 1e-12);
        for (int e = 0; e < 2; e++) found.x[t][e] = touch[t].point[e] - mean[e];
      }
      qsort(found.x, (size_t)found.count, sizeof found.x[0], by_angle);
      if (!(fabs(area_of(&found) - area) < 1e-3))
        fail_msg("pair %d: area %g instead of %g, %d touches", k, area_of(&found), area, count);
      met++;
    }
    for (int i = 0; i < 2; i++)
      if (hull[i]) scree_geometry_release(hull[i]);
  }
  assert_true(met > 200);
  bed_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_lie_on_both_surfaces),
      cmocka_unit_test(corners_over_a_plane), cmocka_unit_test(faces_touch_at_the_corners_of_the_overlap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
