/* The manifold of a pair of convex shapes: several touches where faces or edges lie on each other.
 *
 * Given the normal n (from b to a) and the nearest points, the face of a that looks along -n and the
 * face of b that looks along n are seen along n. Where their outlines overlap, the corners of the
 * overlap are touches; the gap at each is the distance of the two faces along n, so it is exact also for
 * faces that are not quite parallel. Corners are named by what makes them (a corner of a, a corner of b,
 * or an edge of each), so a touch keeps its name while the bodies move. The nearest points make a touch
 * of their own where no corner is as near (edge on edge, corner on face). */
#include "collide/narrow/convex.h"

enum { MOST = 2 * SC_MAX_CORNERS, MOST_FOUND = 256 };
/* Names within 16 bits: a corner as it came, the crossing of two edges (14 bits), the nearest points. */
enum { CORNER = 0x8000, WITNESS = 0xffff };

/* A corner of an outline seen along n: position across, height along n, its name, and the edge that
 * leaves it. */
typedef struct spot {
  double x, y, h;
  uint32_t name, edge;
} spot;
/* h = plane[0] x + plane[1] y + plane[2] */
typedef struct outline {
  int count;
  spot spot[MOST];
  double plane[3];
} outline;

typedef struct view {
  double n[3], t[3], o[3];
  double radius_a, radius_b, reach;
} view;

static void look(const view *v, const sc_face *f, uint32_t side, outline *out) {
  out->count = f->count;
  for (int k = 0; k < f->count; k++) {
    const double *p = f->corner[k];
    out->spot[k] = (spot){
        sc_dot(p, v->t), sc_dot(p, v->o), sc_dot(p, v->n), CORNER | side | (uint32_t)k, side | (uint32_t)k};
  }
  if (f->count < 3) return;
  double cosine = sc_dot(f->normal, v->n);
  /* a face seen nearly from its edge has no outline */
  if (fabs(cosine) < 0.05) {
    out->count = 1;
    return;
  }
  double slope = 1 / cosine;
  out->plane[0] = -sc_dot(f->normal, v->t) * slope;
  out->plane[1] = -sc_dot(f->normal, v->o) * slope;
  out->plane[2] = out->spot[0].h - out->plane[0] * out->spot[0].x - out->plane[1] * out->spot[0].y;
}

static double height_of(const outline *f, double x, double y) {
  return f->plane[0] * x + f->plane[1] * y + f->plane[2];
}

/* Twice the signed area of an outline. */
static double area_of(const outline *f) {
  double sum = 0;
  for (int k = 0; k < f->count; k++) {
    const spot *p = f->spot + k, *q = f->spot + (k + 1) % f->count;
    sum += (p->x - f->spot[0].x) * (q->y - f->spot[0].y) - (q->x - f->spot[0].x) * (p->y - f->spot[0].y);
  }
  return sum;
}

/* Name of the crossing of two edges, whichever comes first; two edges of a meet in a corner of a. */
static uint32_t crossing(uint32_t edge, uint32_t cut) {
  return edge < cut ? edge << 8 | cut : cut << 8 | edge;
}

static spot between(const spot *p, const spot *q, double t, uint32_t name, uint32_t edge) {
  return (spot){p->x + t * (q->x - p->x), p->y + t * (q->y - p->y), p->h + t * (q->h - p->h), name, edge};
}

/* Cuts a convex outline (or, open, a line of two corners) where `side` of its corners changes sign; what is
 * not negative stays. edge: of the cut. */
static void cut(const outline *in, const double side[MOST], uint32_t edge, bool open, outline *out) {
  out->count = 0;
  for (int k = 0; k < in->count; k++) {
    const int next = k + 1 < in->count ? k + 1 : 0;
    const spot *p = in->spot + k;
    const double sp = side[k], sq = side[next];
    if (sp >= 0 && out->count < MOST) out->spot[out->count++] = *p;
    if (open && !next) break;
    if ((sp >= 0) == (sq >= 0) || out->count == MOST) continue;
    /* leaving, the next edge is the cut; entering, it is the edge that was cut */
    out->spot[out->count++] = between(
        p, in->spot + next, sp / (sp - sq), crossing(p->edge, edge), sp >= 0 ? edge : p->edge);
  }
}

/* How far corners lie to the left of the line from c to d, times its length; true if all do. */
static bool all_left(const outline *in, const spot *c, const spot *d, double turn, double side[MOST]) {
  const double ex = turn * (d->x - c->x), ey = turn * (d->y - c->y);
  bool all = true;
  for (int k = 0; k < in->count; k++) {
    side[k] = ex * (in->spot[k].y - c->y) - ey * (in->spot[k].x - c->x);
    all = all && side[k] >= 0;
  }
  return all;
}

/* Cuts `in` by all edges of the polygon `by`; the result lies in `in`. */
static void cut_all(outline *in, const outline *by, bool open) {
  double side[MOST];
  outline spare;
  double turn = area_of(by) < 0 ? -1 : 1;
  for (int k = 0; k < by->count && in->count > 0; k++) {
    const spot *c = by->spot + k;
    if (all_left(in, c, by->spot + (k + 1) % by->count, turn, side)) continue;
    cut(in, side, c->edge, open, &spare);
    in->count = spare.count;
    memcpy(in->spot, spare.spot, (size_t)spare.count * sizeof *spare.spot);
  }
}

static int place(const view *v, double x, double y, double ha, double hb, uint32_t feature,
    const double origin[3], sc_touch *out) {
  double low = ha - v->radius_a, high = hb + v->radius_b, middle = 0.5 * (low + high);
  out->gap = low - high;
  if (!(out->gap <= v->reach)) return 0;
  out->feature = feature;
  sc_copy3(v->n, out->normal);
  for (int k = 0; k < 3; k++) out->point[k] = origin[k] + x * v->t[k] + y * v->o[k] + middle * v->n[k];
  return 1;
}

/* Two edges that lie along each other: the ends of the stretch they share. */
static int share_edges(
    const view *v, const outline *a, const outline *b, const double origin[3], sc_touch *out) {
  const spot *p = a->spot, *q = b->spot;
  double ux = p[1].x - p[0].x, uy = p[1].y - p[0].y, wx = q[1].x - q[0].x, wy = q[1].y - q[0].y;
  double uu = ux * ux + uy * uy, ww = wx * wx + wy * wy, uw = ux * wx + uy * wy, sine = ux * wy - uy * wx;
  if (!(uu > 0 && ww > 0) || sine * sine > 0.01 * uu * ww) return 0;
  /* ends of b along a, as shares of a's edge */
  double s[2] = {((q[0].x - p[0].x) * ux + (q[0].y - p[0].y) * uy) / uu,
      ((q[1].x - p[0].x) * ux + (q[1].y - p[0].y) * uy) / uu};
  int low = uw < 0, count = 0;
  double from = fmax(0, s[low]), to = fmin(1, s[1 - low]);
  if (!(to > from)) return 0;
  for (uint32_t k = 0; k < 2; k++) {
    double x = p[0].x + (k ? to : from) * ux, y = p[0].y + (k ? to : from) * uy;
    double r = sc_clamp(((x - q[0].x) * wx + (y - q[0].y) * wy) / ww, 0, 1);
    /* midway across between the two edges */
    double bx = q[0].x + r * wx, by = q[0].y + r * wy, ha = p[0].h + (k ? to : from) * (p[1].h - p[0].h),
           hb = q[0].h + r * (q[1].h - q[0].h);
    count += place(v, 0.5 * (x + bx), 0.5 * (y + by), ha, hb, k, origin, out + count);
  }
  return count;
}

int sc_thin_out(sc_touch *touch, int count, int most) {
  if (count <= most) return count;
  double far[MOST_FOUND];
  int deepest = 0;
  for (int k = 1; k < count; k++)
    if (touch[k].gap < touch[deepest].gap) deepest = k;
  for (int k = 0; k < count; k++) far[k] = INFINITY;
  for (int kept = 0, pick = deepest; kept < most; kept++) {
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
  return most;
}

/* Square of the distance of corner k from the line between its neighbours; INFINITY if not between them. */
static double off_line(const outline *f, int k) {
  const spot *p = f->spot + (k + f->count - 1) % f->count, *q = f->spot + k,
             *r = f->spot + (k + 1) % f->count;
  double x = r->x - p->x, y = r->y - p->y, area = x * (q->y - p->y) - y * (q->x - p->x),
         square = x * x + y * y;
  if (!(square > 0)) return 0;
  bool between = (q->x - p->x) * (q->x - r->x) + (q->y - p->y) * (q->y - r->y) <= 0;
  return between ? area * area / square : INFINITY;
}

/* Leaves out corners that lie on the line between their neighbours, to `slight`: where edges of two
 * outlines lie on each other they cross somewhere along it, anywhere. Gaps are linear between corners,
 * so nothing is lost. The straightest goes first, so that of two corners side by side the outer one
 * stays. */
static void straighten(outline *f, double slight) {
  while (f->count > 3) {
    int straightest = 0;
    double least = INFINITY;
    for (int k = 0; k < f->count; k++) {
      double off = off_line(f, k);
      if (off < least) least = off, straightest = k;
    }
    if (!(least <= slight * slight)) return;
    f->count--;
    memmove(
        f->spot + straightest, f->spot + straightest + 1, (size_t)(f->count - straightest) * sizeof *f->spot);
  }
}

/* Touches at the corners of the overlap of two outlines. */
static int overlap(
    const view *v, outline *a, outline *b, double slight, const double origin[3], sc_touch *out) {
  if (a->count < 2 || b->count < 2) return 0;
  if (a->count == 2 && b->count == 2) return share_edges(v, a, b, origin, out);
  /* b is cut by a, unless a is a line */
  outline *in = a->count > 2 ? b : a, *by = a->count > 2 ? a : b;
  bool open = in->count == 2;
  cut_all(in, by, open);
  if (!open) straighten(in, slight);
  int count = 0;
  for (int k = 0; k < in->count; k++) {
    const spot *s = in->spot + k;
    double mine = open ? s->h : height_of(in, s->x, s->y), other = height_of(by, s->x, s->y);
    count += place(
        v, s->x, s->y, in == a ? mine : other, in == a ? other : mine, s->name, origin, out + count);
  }
  return count;
}

static double apart(const double a[3], const double b[3]) {
  double d[3];
  sc_sub(a, b, d);
  return sc_dot(d, d);
}

/* Corners within `near` of each other are one: the deeper, and of like depth, to `hair`, the one farther
 * out. Outlines whose edges lie on each other cross in such pairs, and what is farther out stays so when
 * bodies move by rounding. */
static int join_corners(sc_touch *touch, int count, double near, double hair) {
  int kept = 0;
  double middle[3] = {0, 0, 0};
  for (int k = 0; k < count; k++) sc_axpy(1.0 / count, touch[k].point, middle, middle);
  for (int k = 0; k < count; k++) {
    int same = 0;
    while (same < kept && apart(touch[k].point, touch[same].point) > near * near) same++;
    double deeper = same < kept ? touch[same].gap - touch[k].gap : INFINITY;
    bool farther = same < kept && apart(touch[k].point, middle) > apart(touch[same].point, middle);
    if (deeper > hair || (deeper >= -hair && farther)) touch[same] = touch[k];
    kept += same == kept;
  }
  return kept;
}

/* Touches at the corners of the overlap of the two faces; room for MOST. */
static int meet_faces(
    const view *v, const sc_convex *a, const sc_convex *b, const double origin[3], sc_touch *found) {
  sc_face fa, fb;
  outline oa, ob;
  double back[3];
  sc_scale(-1, v->n, back);
  sc_convex_face(a, back, &fa);
  sc_convex_face(b, v->n, &fb);
  look(v, &fa, 0, &oa);
  look(v, &fb, 0x40, &ob);
  double slight = 1e-3 * fmin(a->size, b->size);
  int count = overlap(v, &oa, &ob, 0.1 * slight, origin, found);
  uint32_t faces = (fa.id & 0xff) << 24 | (fb.id & 0xff) << 16;
  for (int k = 0; k < count; k++) found[k].feature |= faces;
  return join_corners(found, count, slight, 1e-9 * slight);
}

static view look_along(const sc_convex *a, const sc_convex *b, const sc_nearest *nearest, double reach) {
  view v = {.radius_a = a->radius, .radius_b = b->radius, .reach = reach};
  sc_copy3(nearest->normal, v.n);
  sc_frame(v.n, v.t, v.o);
  return v;
}

int sc_manifold(const sc_convex *a, const sc_convex *b, const sc_nearest *nearest, double reach,
    const double origin[3], sc_touch *out) {
  view v = look_along(a, b, nearest, reach);
  sc_touch found[MOST + 1];
  double gap = nearest->distance - a->radius - b->radius, least = INFINITY;
  int count = meet_faces(&v, a, b, origin, found);
  for (int k = 0; k < count; k++) least = fmin(least, found[k].gap);
  if (gap <= reach && !(least <= gap + 1e-7 * (a->size + b->size))) {
    double middle[3];
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * (nearest->a[k] + nearest->b[k]);
    count += place(&v, sc_dot(middle, v.t), sc_dot(middle, v.o), sc_dot(nearest->a, v.n),
        sc_dot(nearest->b, v.n), WITNESS, origin, found + count);
  }
  count = sc_thin_out(found, count, SC_MAX_TOUCHES);
  memcpy(out, found, (size_t)count * sizeof *out);
  return count;
}

int sc_manifold_flat(const sc_convex *a, const sc_convex *b, const sc_nearest *nearest, double reach,
    const double origin[3], sc_touch *out) {
  view v = look_along(a, b, nearest, reach);
  sc_touch found[MOST + 1];
  double least = INFINITY;
  int count = meet_faces(&v, a, b, origin, found);
  for (int k = 0; k < count; k++) least = fmin(least, found[k].gap);
  if (!(least <= nearest->distance - a->radius - b->radius + 1e-7 * (a->size + b->size))) return -1;
  count = sc_thin_out(found, count, SC_MAX_TOUCHES);
  memcpy(out, found, (size_t)count * sizeof *out);
  return count;
}

/* The point of a that lies furthest towards b, over the face of b: a touch if it is within the outline
 * and deeper than all that are there (the tip of a cone, the rim of a disc, an ellipsoid). */
static int meet_lowest(const view *v, const sc_convex *a, const sc_convex *b, const double origin[3],
    double least, sc_touch *out) {
  sc_face f;
  outline face;
  double back[3], lowest[3];
  sc_scale(-1, v->n, back);
  sc_convex_face(b, v->n, &f);
  if (f.count < 3) return 0;
  look(v, &f, 0x40, &face);
  if (face.count < 3) return 0;
  sc_convex_support(a, back, lowest);
  double turn = area_of(&face) < 0 ? -1 : 1, x = sc_dot(lowest, v->t), y = sc_dot(lowest, v->o);
  for (int k = 0; k < face.count; k++) {
    const spot *c = face.spot + k, *d = face.spot + (k + 1) % face.count;
    if (turn * ((d->x - c->x) * (y - c->y) - (d->y - c->y) * (x - c->x)) < 0) return 0;
  }
  int count = place(v, x, y, sc_dot(lowest, v->n), height_of(&face, x, y), WITNESS, origin, out);
  return count && out->gap < least - 1e-7 * (a->size + b->size);
}

int sc_manifold_faces(const sc_convex *a, const sc_convex *b, const sc_nearest *nearest, double reach,
    const double origin[3], sc_touch *out) {
  view v = look_along(a, b, nearest, reach);
  sc_touch found[MOST + 1];
  int count = meet_faces(&v, a, b, origin, found);
  double least = INFINITY;
  for (int k = 0; k < count; k++) least = fmin(least, found[k].gap);
  count += meet_lowest(&v, a, b, origin, least, found + count);
  count = sc_thin_out(found, count, SC_MAX_TOUCHES);
  memcpy(out, found, (size_t)count * sizeof *out);
  return count;
}
