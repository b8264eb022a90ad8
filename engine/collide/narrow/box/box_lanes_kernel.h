/* Kernel of sc_box_kernels.test_pairs, over vectors of lanes (math/lanes/lane_vector.h). */
#include "collide/narrow/box/box_cut_lanes.h"
#include "collide/narrow/box/box_lanes_axes.h"

/* An index 0 to 2 per lane. */
typedef struct which {
  MASK second, third; /* second: the index is 1; third: it is 2; neither: it is 0 */
} which;
static inline VEC select_component(const which *w, VEC first, VEC second, VEC third) {
  return choose(w->third, third, choose(w->second, second, first));
}
/* Rotates three numbers cyclically, so that the one with the index w comes first. */
static inline void rotate_components(const which *w, const VEC v[3], VEC out[3]) {
  for (int k = 0; k < 3; k++) out[k] = select_component(w, v[k], v[(k + 1) % 3], v[(k + 2) % 3]);
}
static inline VEC index_of(const which *w) { return select_component(w, splat(0), splat(1), splat(2)); }

/* Returns the index of the number with the largest magnitude; of equal numbers the first. */
static inline which largest_component(const VEC v[3]) {
  const VEC x = magnitude(v[0]), y = magnitude(v[1]), z = magnitude(v[2]);
  const MASK first = (MASK)(x >= y) & (MASK)(x >= z), second = (MASK)(y >= z);
  return (which){~first & second, ~first & ~second};
}
static inline VEC sign_of(VEC v) { return choose((MASK)(v < splat(0)), splat(-1), splat(1)); }

/* ---- edges that cross ---- */

/* Finds edge i of a and edge j of b whose cross product has the number `axis` (box_lanes_axes.h). */
static inline void find_edges(VEC axis, which *i, which *j) {
  const VEC edge = axis - splat(EDGES);
  *i = (which){(MASK)(edge >= splat(3)) & (MASK)(edge < splat(6)), (MASK)(edge >= splat(6))};
  const VEC of_b = edge - splat(3) * index_of(i);
  *j = (which){(MASK)(of_b == splat(1)), (MASK)(of_b == splat(2))};
}

/* Sets to `number` the component of v that `w` selects. */
static inline void set_component(const which *w, VEC number, VEC v[3]) {
  v[0] = choose(w->second | w->third, v[0], number);
  v[1] = choose(w->second, number, v[1]), v[2] = choose(w->third, number, v[2]);
}
/* Computes the midpoint of one of a box's four edges along axis `edge`: the edge furthest in direction -n. */
static inline void edge_midpoint(const VEC half[3], const VEC n[3], const which *edge, VEC out[3]) {
  for (int k = 0; k < 3; k++) out[k] = choose((MASK)(n[k] > splat(0)), -half[k], half[k]);
  set_component(edge, splat(0), out);
}

static inline void compute_crossing(const pairs *p, const found *f, int k, sc_box_lanes *out) {
  which i, j;
  const VEC forth[3] = {-f->back[0], -f->back[1], -f->back[2]};
  VEC x[3], local[3], d[3], v[3], y[3], between[3];
  find_edges(f->axis, &i, &j);
  edge_midpoint(p->a, f->normal, &i, x), edge_midpoint(p->b, forth, &j, local);
  for (int m = 0; m < 3; m++) {
    const VEC *c = p->C + 3 * m;
    y[m] = p->middle[m] + (local[0] * c[0] + local[1] * c[1] + local[2] * c[2]);
    d[m] = y[m] - x[m], v[m] = select_component(&j, c[0], c[1], c[2]);
  }
  const VEC square = f->length * f->length, c = select_component(&i, v[0], v[1], v[2]),
            du = select_component(&i, d[0], d[1], d[2]), dv = dot(d, v), s = (du - c * dv) / square,
            t = (c * du - dv) / square;
  const MASK edges = (MASK)(f->axis >= splat(EDGES)),
             over = (MASK)(magnitude(s) <= select_component(&i, p->a[0], p->a[1], p->a[2])) &
      (MASK)(magnitude(t) <= select_component(&j, p->b[0], p->b[1], p->b[2]));
  set_component(&i, s, x);
  for (int m = 0; m < 3; m++) between[m] = splat(0.5) * (x[m] + (y[m] + t * v[m]));
  store_all(3, between, k, out->between);
  store1(choose(edges, splat(1), splat(0)), out->edges + k);
  store1(choose(edges & ~over, splat(1), splat(0)), out->doubt + k);
}

/* ---- facing faces ---- */

/* A face of b: corners and outward unit normal in the axes of a, and its feature id. */
typedef struct facing {
  VEC corner[SC_CUT][3], normal[3], id;
} facing;

/* Computes the face of b whose normal is nearest to the axis. Corners and id are numbered as in
 * model/shape/box.c. */
static inline void compute_face_of_b(const pairs *p, const VEC back[3], facing *out) {
  const which w = largest_component(back);
  VEC h[3], c[3];
  rotate_components(&w, p->b, h);
  const VEC side = sign_of(select_component(&w, back[0], back[1], back[2]));
  for (int i = 0; i < 3; i++) {
    rotate_components(&w, p->C + 3 * i, c);
    const VEC middle = p->middle[i] + side * h[0] * c[0], u = h[1] * c[1], v = side * h[2] * c[2];
    out->corner[0][i] = middle - u - v, out->corner[1][i] = middle + u - v;
    out->corner[2][i] = middle + u + v, out->corner[3][i] = middle - u + v;
    out->normal[i] = side * c[0];
  }
  out->id = splat(2) * index_of(&w) + choose((MASK)(side > splat(0)), splat(1), splat(0));
}

/* The face of b projected onto the face of a (sc_seen). */
typedef struct overlap {
  VEC side, x[SC_CUT], y[SC_CUT], h[SC_CUT], plane[3], half[2];
} overlap;

static inline void project_face_of_b(
    const VEC a[3], const facing *f, const VEC n[3], const which *w, overlap *out) {
  VEC h[3], r[3], m[3], p[3];
  rotate_components(w, a, h), rotate_components(w, n, r), rotate_components(w, f->normal, m);
  out->side = sign_of(-r[0]), out->half[0] = h[1], out->half[1] = h[2];
  const VEC plane = out->side * h[0], slope = splat(1) / r[0], fall = splat(-1) / dot(f->normal, n),
            way = -out->side;
  for (int c = 0; c < SC_CUT; c++) {
    rotate_components(w, f->corner[c], p);
    out->h[c] = (p[0] - plane) * slope;
    out->x[c] = p[1] - out->h[c] * r[1], out->y[c] = way * (p[2] - out->h[c] * r[2]);
  }
  out->plane[0] = (m[0] * plane - dot(f->normal, f->corner[0])) * fall;
  out->plane[1] = m[1] * fall, out->plane[2] = way * m[2] * fall;
}

static inline void clip_faces(const overlap *o, int k, sc_box_lanes *out) {
  for (int c = 0; c < SC_CUT; c++) {
    const int next = (c + 1) % SC_CUT;
    const crossed e = clip_edge(o->half, o->x[c], o->y[c], o->x[next], o->y[next]);
    store1(e.from, out->from[c] + k), store1(e.to, out->to[c] + k), store1(e.in, out->in[c] + k);
    store1(e.out, out->out[c] + k), store1(e.inset, out->inset[c] + k);
  }
}

static inline void overlap_faces(const pairs *p, const found *f, int k, sc_box_lanes *out) {
  const which w = largest_component(f->normal);
  facing b;
  overlap o;
  compute_face_of_b(p, f->back, &b);
  project_face_of_b(p->a, &b, f->normal, &w, &o);
  clip_faces(&o, k, out);
  store1(index_of(&w), out->k + k), store1(o.side, out->side + k), store1(b.id, out->id + k);
  store_all(SC_CUT, o.x, k, out->x), store_all(SC_CUT, o.y, k, out->y), store_all(SC_CUT, o.h, k, out->h);
  store_all(3, o.plane, k, out->plane);
}

static void test_boxes(sc_box_lanes *x, int count) {
  for (int k = 0; k < count; k += LANES) {
    pairs p;
    found f;
    load_pairs(x, k, &p);
    find_axis(&p, load1(x->lead + k), &f);
    store1(f.apart, x->apart + k), store_all(3, f.normal, k, x->normal);
    compute_crossing(&p, &f, k, x);
    overlap_faces(&p, &f, k, x);
  }
}
