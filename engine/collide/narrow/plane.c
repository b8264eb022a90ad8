/* Half-spaces against solids: the points of the solid that its kind lists as lowest over the plane. */
#include <math.h>
#include <string.h>
#include "collide/narrow/narrow.h"
#include "model/shape/kind.h"

/* Number of touches for which there is memory. If the memory is full, the touches are reduced to half: the
 * deepest ones, or of equally deep ones those that are far apart (choose_touches). */
enum { CAPACITY = 256 };
/* Touches lie in one plane parallel to the half-space if their gaps differ by at most this fraction of the
 * bounding radius. */
static const double level = 1e-4;

/* A solid and a half-space while touches are collected. */
typedef struct collection {
  const sc_placed *solid;
  double n[3], local[3]; /* normal of the half-space in world axes, and in the solid's axes */
  double offset;         /* height of the plane over the solid's position [m] */
  double reach;          /* largest gap of a touch [m] */
  int count;
  sc_touch *found; /* [CAPACITY] memory for touches */
} collection;

static void swap_touches(sc_touch *a, sc_touch *b) {
  const sc_touch touch = *a;
  *a = *b, *b = touch;
}

static int find_deepest(const sc_touch *touch, int from, int count) {
  int deepest = from;
  for (int k = from + 1; k < count; k++)
    if (touch[k].gap < touch[deepest].gap) deepest = k;
  return deepest;
}

/* Moves `max` touches that are far apart to the front: the first touch, then repeatedly the touch furthest
 * from all touches already in front. Distances are compared with a tolerance, so that rounding does not
 * change the choice. */
static void spread_touches(sc_touch *touch, int count, int max) {
  double far[CAPACITY];
  for (int k = 0; k < count; k++) far[k] = INFINITY;
  for (int kept = 1; kept < max; kept++) {
    int pick = kept;
    for (int k = kept; k < count; k++) {
      double d[3];
      sc_sub(touch[k].point, touch[kept - 1].point, d);
      far[k] = fmin(far[k], sc_dot(d, d));
      if (far[k] > far[pick] * (1 + 1e-9)) pick = k;
    }
    swap_touches(touch + kept, touch + pick);
    far[pick] = far[kept];
  }
}

/* Chooses the `max` deepest touches and moves them to the front. If more than `max` touches are as deep as
 * the deepest within `slack`, chooses those of them that are far apart. */
static void choose_touches(sc_touch *touch, int count, double slack, int max) {
  const double min = touch[find_deepest(touch, 0, count)].gap;
  int level_count = 0;
  for (int k = 0; k < count; k++)
    if (touch[k].gap <= min + slack) swap_touches(touch + k, touch + level_count++);
  if (level_count > max) spread_touches(touch, level_count, max);
  for (int kept = level_count; kept < max; kept++)
    swap_touches(touch + kept, touch + find_deepest(touch, kept, count));
}

static void reduce_touches(collection *s, int max) {
  if (s->count <= max) return;
  choose_touches(s->found, s->count, level * s->solid->shape->bound, max);
  s->count = max;
}

static void add_point(void *to, const double local[3], uint32_t feature) {
  collection *s = to;
  double gap = sc_dot(s->local, local) - s->offset;
  if (!(gap <= s->reach)) return;
  sc_touch touch = {.gap = gap, .feature = feature};
  sc_copy3(s->n, touch.normal);
  sc_to_world(s->solid, local, touch.point);
  sc_axpy(-0.5 * gap, s->n, touch.point, touch.point);
  if (s->count == CAPACITY) reduce_touches(s, CAPACITY / 2);
  s->found[s->count++] = touch;
}

int sc_narrow_solid_halfspace(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  const sc_shape_kind *kind = sc_kind_of(a->shape);
  sc_touch found[CAPACITY];
  collection s = {.solid = a, .reach = reach, .found = found};
  double d[3];
  sc_column(b->R, 2, s.n);
  sc_mat_tvec(a->R, s.n, s.local);
  sc_sub(b->position, a->position, d);
  s.offset = sc_dot(s.n, d);
  if (kind->drop) {
    kind->drop(a->shape, s.local, &(sc_point_sink){add_point, &s});
  } else {
    const double down[3] = {-s.local[0], -s.local[1], -s.local[2]};
    double lowest[3];
    kind->support(a->shape, down, lowest);
    add_point(&s, lowest, 0);
  }
  reduce_touches(&s, SC_MAX_TOUCHES);
  memcpy(out, found, (size_t)s.count * sizeof *out);
  return s.count;
}
