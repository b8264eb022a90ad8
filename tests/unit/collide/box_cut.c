/* Tests the overlap of a rectangle and a polygon against clipping by one side after the other. The area is
 * the same, and corners lie within both and in the polygon's plane. Polygons lie anywhere, or have edges and
 * corners on those of the rectangle, up to rounding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "base/base.h"
#include "collide/narrow/box/box_cut.h"

enum { OUTLINES = 200000 };
static const uint32_t SIDES[4] = {0, 1, 2, 3};

static double draw(sc_rng *rng, double low, double high) { return low + (high - low) * sc_rng_unit(rng); }

static void close_up(sc_cut *c) {
  for (int k = c->count; k < SC_CUT + 1; k++) c->x[k] = c->x[0], c->y[k] = c->y[0];
  for (int k = 0; k < SC_CUT + 1; k++) c->h[k] = c->plane[0] + c->plane[1] * c->x[k] + c->plane[2] * c->y[k];
}

/* Chooses corners of the polygon on an ellipse, by rising angle. */
static void anywhere(sc_rng *rng, sc_cut *c) {
  const double x = draw(rng, -1.5, 1.5), y = draw(rng, -1.5, 1.5), a = draw(rng, 0.05, 2),
               b = draw(rng, 0.05, 2);
  double turn = draw(rng, 0, 6.28);
  for (int k = 0; k < c->count; k++, turn += draw(rng, 0.3, 6 / c->count))
    c->x[k] = x + a * cos(turn), c->y[k] = y + b * sin(turn);
}

/* Chooses a rectangle or half of a rectangle. Its sides may lie on those of the other rectangle, up to a
 * small tilt. */
static void beside(sc_rng *rng, const double half[2], sc_cut *c) {
  static const double way[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}},
                      tilt[] = {0, 1e-17, 1e-16, 1e-14, 1e-9, 1e-4};
  static const double scale[] = {1, 1, 0.5, 2}, shift[] = {0, 0, 1, 0.3, 2};
  const double slight = tilt[sc_rng_next(rng) % 6], sx = half[0] * scale[sc_rng_next(rng) % 4],
               sy = half[1] * scale[sc_rng_next(rng) % 4], x = half[0] * shift[sc_rng_next(rng) % 5],
               y = half[1] * shift[sc_rng_next(rng) % 5];
  const int start = (int)(sc_rng_next(rng) % 4);
  for (int k = 0; k < c->count; k++) {
    const double *w = way[(start + k) % 4];
    c->x[k] = x + w[0] * sx + slight * draw(rng, -1, 1), c->y[k] = y + w[1] * sy + slight * draw(rng, -1, 1);
  }
}

static double area(const sc_clip_polygon *f) {
  double sum = 0;
  for (int k = 0; k < f->count; k++) {
    const sc_clip_vertex *p = f->vertex + k, *q = f->vertex + (k + 1) % f->count;
    sum += p->x * q->y - p->y * q->x;
  }
  return sum / 2;
}

/* Clips the polygon by one side of the rectangle after the other. */
static void cut_in_turn(const sc_cut *c, const double half[2], sc_clip_polygon *out) {
  sc_clip_polygon room[2] = {{.count = c->count}};
  for (int k = 0; k < c->count; k++)
    room[0].vertex[k] = (sc_clip_vertex){.x = c->x[k], .y = c->y[k], .h = c->h[k]};
  for (int side = 0; side < 4; side++) {
    double within[SC_MAX_VERTICES];
    const sc_clip_polygon *in = room + side % 2;
    for (int k = 0; k < in->count; k++) {
      const double x = in->vertex[k].x, y = in->vertex[k].y;
      within[k] = side == 0 ? half[1] + y : side == 1 ? half[0] - x : side == 2 ? half[1] - y : half[0] + x;
    }
    sc_clip_polygon_cut(in, within, 0, false, room + 1 - side % 2);
  }
  *out = room[0];
}

/* Returns how far a point lies outside of the polygon or the rectangle. */
static double outside(const sc_cut *c, const double half[2], const sc_clip_vertex *s) {
  double most = fmax(fabs(s->x) - half[0], fabs(s->y) - half[1]);
  for (int k = 0; k < c->count; k++) {
    const double x = c->x[k + 1] - c->x[k], y = c->y[k + 1] - c->y[k], length = sqrt(x * x + y * y);
    if (length > 1e-6) most = fmax(most, (y * (s->x - c->x[k]) - x * (s->y - c->y[k])) / length);
  }
  return most;
}

static void check(sc_rng *rng, bool lies_beside) {
  int overlaps = 0;
  for (int n = 0; n < OUTLINES; n++) {
    const double half[2] = {draw(rng, 0.2, 1), draw(rng, 0.2, 1)};
    sc_cut c = {.count = n % 3 ? 4 : 3, .plane = {draw(rng, -1, 1), draw(rng, -1, 1), draw(rng, -1, 1)}};
    sc_inside inside;
    sc_clip_polygon mine, other;
    if (lies_beside) beside(rng, half, &c);
    else anywhere(rng, &c);
    close_up(&c);
    sc_cut_edges(&c, half, &inside);
    sc_cut_trace(&c, &inside, half, SIDES, &mine);
    cut_in_turn(&c, half, &other);
    if (fabs(area(&mine) - area(&other)) > 1e-12)
      fail_msg("outline %d: area %.17g, should be %.17g", n, area(&mine), area(&other));
    for (int k = 0; k < mine.count; k++) {
      const sc_clip_vertex *s = mine.vertex + k;
      assert_true(outside(&c, half, s) < 1e-12);
      assert_true(fabs(c.plane[0] + c.plane[1] * s->x + c.plane[2] * s->y - s->h) < 1e-12);
    }
    overlaps += area(&mine) > 1e-3;
  }
  assert_true(overlaps > OUTLINES / 4);
}

static void outlines_anywhere(void **unused) {
  (void)unused;
  sc_rng rng;
  sc_rng_seed(&rng, 1);
  check(&rng, false);
}

static void outlines_on_the_sides(void **unused) {
  (void)unused;
  sc_rng rng;
  sc_rng_seed(&rng, 2);
  check(&rng, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outlines_anywhere), cmocka_unit_test(outlines_on_the_sides)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
