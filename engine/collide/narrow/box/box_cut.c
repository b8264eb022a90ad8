/* The overlap of a rectangle and a convex polygon.
 *
 * Edges of the polygon are clipped in lanes without branches (box_cut_lanes.h). Between the point where an
 * edge leaves the rectangle and the point where a later edge enters again, the overlap follows the border of
 * the rectangle. The corners of the rectangle on this part of the border are corners of the overlap. */
#include "collide/narrow/box/box_cut.h"
#include "math/lanes/lane_pair.h"

#include "collide/narrow/box/box_cut_lanes.h"

void sc_cut_edges(const sc_cut *c, const double half[2], sc_inside *out) {
  const VEC reach[2] = {splat(half[0]), splat(half[1])};
  for (int k = 0; k < SC_CUT; k += 2) {
    const VEC px = {c->x[k], c->x[k + 1]}, qx = {c->x[k + 1], c->x[k + 2]}, py = {c->y[k], c->y[k + 1]},
              qy = {c->y[k + 1], c->y[k + 2]};
    const crossed e = clip_edge(reach, px, py, qx, qy);
    store1(e.from, out->from + k), store1(e.to, out->to + k);
    store1(e.in, out->in + k), store1(e.out, out->out + k), store1(e.inset, out->inset + k);
  }
  out->inset[c->count] = out->inset[0];
}

typedef struct tracing {
  const sc_cut *cut;
  const double *half;
  const uint32_t *side;
  sc_clip_polygon *out;
} tracing;

static inline void add_vertex(tracing *t, double x, double y, double h, uint32_t id) {
  if (t->out->count == SC_MAX_VERTICES) return;
  sc_clip_vertex *s = t->out->vertex + t->out->count++;
  s->x = x, s->y = y, s->h = h, s->id = id;
}

static void add_corner(tracing *t, int k) {
  const sc_cut *c = t->cut;
  add_vertex(t, c->x[k], c->y[k], c->h[k], SC_ID_CORNER | SC_ID_SECOND | (uint32_t)k);
}

static void add_crossing(tracing *t, int k, double at, int side) {
  const sc_cut *c = t->cut;
  add_vertex(t, c->x[k] + at * (c->x[k + 1] - c->x[k]), c->y[k] + at * (c->y[k + 1] - c->y[k]),
      c->h[k] + at * (c->h[k + 1] - c->h[k]), t->side[side] << 8 | SC_ID_SECOND | (uint32_t)k);
}

/* Adds the corner of the rectangle between `side` and the next side counter-clockwise. */
static void add_rectangle_corner(tracing *t, int side) {
  const double x = side < 2 ? t->half[0] : -t->half[0], y = side == 1 || side == 2 ? t->half[1] : -t->half[1],
               *plane = t->cut->plane;
  const uint32_t a = t->side[side], b = t->side[(side + 1) % 4];
  add_vertex(t, x, y, plane[0] + plane[1] * x + plane[2] * y, a < b ? a << 8 | b : b << 8 | a);
}

/* Returns true if the centre of the rectangle lies within the polygon, up to rounding. */
static bool contains_centre(const sc_cut *c, const double half[2]) {
  const double tolerance = -1e-9 * (half[0] * half[0] + half[1] * half[1]);
  bool all = true;
  for (int k = 0; k < c->count; k++) all = all && c->x[k] * c->y[k + 1] - c->y[k] * c->x[k + 1] >= tolerance;
  return all;
}

/* Adds the corners of the rectangle from side `from`, through which edge `left` leaves the rectangle, to side
 * `to`, through which edge `entered` enters. Three corners are only possible if the polygon contains the
 * centre and the edges are not adjacent. Otherwise a corner of the polygon lies on a corner of the rectangle
 * up to rounding, and nothing is added. */
static void add_corners_between(tracing *t, int left, int from, int entered, int to) {
  const int steps = (to - from) & 3;
  if (steps == 3 && ((left + 1) % t->cut->count == entered || !contains_centre(t->cut, t->half))) return;
  for (int k = 0; k < steps; k++) add_rectangle_corner(t, (from + k) & 3);
}

/* Adds the vertex at which edge k enters the rectangle: its first corner, or a crossing with a side. */
static void add_start(tracing *t, const sc_inside *s, int k) {
  if (s->inset[k] >= 0) add_corner(t, k);
  else add_crossing(t, k, s->from[k], (int)s->in[k]);
}

static void trace_segment(tracing *t, const sc_inside *s) {
  if (!(s->from[0] <= s->to[0])) return;
  add_start(t, s, 0);
  if (s->inset[1] >= 0) add_corner(t, 1);
  else add_crossing(t, 0, s->to[0], (int)s->out[0]);
}

static void trace_polygon(tracing *t, const sc_inside *s) {
  int left = -1, first = -1;
  for (int k = 0; k < t->cut->count; k++) {
    if (!(s->from[k] <= s->to[k])) continue;
    const bool enters = !(s->inset[k] >= 0);
    if (enters && left >= 0) add_corners_between(t, left, (int)s->out[left], k, (int)s->in[k]);
    else if (enters) first = k;
    add_start(t, s, k);
    if (s->inset[k + 1] >= 0) continue;
    add_crossing(t, k, s->to[k], (int)s->out[k]);
    left = k;
  }
  if (first >= 0 && left >= 0) add_corners_between(t, left, (int)s->out[left], first, (int)s->in[first]);
  if (!t->out->count && contains_centre(t->cut, t->half))
    for (int k = 0; k < 4; k++) add_rectangle_corner(t, k);
}

void sc_cut_trace(const sc_cut *c, const sc_inside *inside, const double half[2], const uint32_t side[4],
    sc_clip_polygon *out) {
  tracing t = {c, half, side, out};
  out->count = 0;
  if (c->count == 2) trace_segment(&t, inside);
  else trace_polygon(&t, inside);
}
