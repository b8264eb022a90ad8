/* Box against box: separating axes (Gottschalk, Lin & Manocha 1996).
 *
 * The difference of two boxes is bounded by faces that look along the six face normals of both and along
 * the nine cross products of their edges, so the largest separation along these fifteen axes is the depth
 * where boxes overlap, and the distance where a corner of one lies over a face of the other or where two
 * edges cross. Where neither is so (corner to corner, corner to edge) the distance is left to the
 * general search, which also has the last word where rounding leaves doubt. */
#include "collide/narrow/box_axes.h"
#include "collide/narrow/box_face.h"

/* What goes round the axes of b is there twice. */
enum { ROUND = 6 };

/* A pair as its lane says: axes and middle of b in the axes of a, and the best axis. */
typedef struct boxes {
  const sc_placed *a, *b;
  const double *ha;
  double hb[ROUND], C[3][ROUND], middle[3], back[3], length;
  int axis;
} boxes;

/* Edges are taken where they are better than faces by more than this, over the size. */
static const double favour = 1e-9;

void sc_box_axes_set(sc_box_axes *x, int lane, const sc_placed *a, const sc_placed *b) {
  for (int k = 0; k < 9; k++) x->A[k][lane] = a->R[k], x->B[k][lane] = b->R[k];
  for (int k = 0; k < 3; k++) {
    x->a[k][lane] = a->shape->extent[k], x->b[k][lane] = b->shape->extent[k];
    x->way[k][lane] = b->position[k] - a->position[k];
  }
  x->lead[lane] = favour * (a->shape->bound + b->shape->bound);
}

static void read_lane(const sc_box_axes *x, int lane, const sc_placed *a, const sc_placed *b, boxes *p) {
  p->a = a, p->b = b, p->ha = a->shape->extent;
  p->length = x->length[lane], p->axis = (int)x->axis[lane];
  for (int i = 0; i < 3; i++) {
    p->middle[i] = x->middle[i][lane], p->back[i] = x->back[i][lane];
    p->hb[i] = p->hb[i + 3] = b->shape->extent[i];
    for (int j = 0; j < 3; j++) p->C[i][j] = p->C[i][j + 3] = x->C[3 * i + j][lane];
  }
}

/* A point of b in the axes of a. */
static void from_b(const boxes *p, const double local[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = p->middle[i] + (local[0] * p->C[i][0] + local[1] * p->C[i][1] + local[2] * p->C[i][2]);
}

/* Nearest points of the two edges of the best axis, in the axes of a; false where they lie beyond an end
 * of one. */
static bool cross_edges(const boxes *p, sc_nearest *nearest) {
  const int i = (p->axis - SC_BOX_EDGES) / 3, j = (p->axis - SC_BOX_EDGES) % 3;
  double x[3], y[3], local[3], d[3];
  for (int k = 0; k < 3; k++) {
    x[k] = k == i ? 0 : nearest->normal[k] > 0 ? -p->ha[k] : p->ha[k];
    local[k] = k == j ? 0 : p->back[k] < 0 ? -p->hb[k] : p->hb[k];
  }
  from_b(p, local, y);
  sc_sub(y, x, d);
  const double v[3] = {p->C[0][j], p->C[1][j], p->C[2][j]}, square = p->length * p->length;
  const double c = v[i], du = d[i], dv = sc_dot(d, v), s = (du - c * dv) / square, t = (c * du - dv) / square;
  if (!(fabs(s) <= p->ha[i] && fabs(t) <= p->hb[j])) return false;
  sc_copy3(x, nearest->a);
  nearest->a[i] = s;
  sc_axpy(t, v, y, nearest->b);
  return true;
}

/* The face of b that looks along the axis most, its corners and name as its shape has them
 * (model/shape/box.c). */
static void patch_of(const boxes *p, sc_patch *out) {
  const double *back = p->back;
  const int k = sc_largest_of(fabs(back[0]), fabs(back[1]), fabs(back[2]));
  const double side = sc_sign_of(back[k]);
  out->count = 4, out->id = (uint32_t)(2 * k + (side > 0)), out->size = p->b->shape->bound, out->radius = 0;
  for (int i = 0; i < 3; i++) {
    const double *c = p->C[i] + k, *h = p->hb + k, middle = p->middle[i] + side * h[0] * c[0],
                 u = h[1] * c[1], v = side * h[2] * c[2];
    out->corner[0][i] = middle - u - v, out->corner[1][i] = middle + u - v;
    out->corner[2][i] = middle + u + v, out->corner[3][i] = middle - u + v;
    out->normal[i] = side * c[0];
  }
}

int sc_box_axes_touches(const sc_box_axes *x, int lane, const sc_placed *a, const sc_placed *b, double reach,
    sc_hint *hint, sc_touch *out) {
  sc_nearest nearest = {.distance = x->apart[lane]};
  sc_convex box;
  sc_box_view view;
  sc_patch patch;
  boxes p;
  for (int k = 0; k < 3; k++) nearest.normal[k] = x->normal[k][lane];
  sc_convex_of(a, a->position, &box);
  sc_box_look(&box, nearest.normal, reach, a->position, &view);
  if (!(nearest.distance <= reach)) {
    sc_axis_set(hint, view.normal);
    return 0;
  }
  read_lane(x, lane, a, b, &p);
  const bool edges = p.axis >= SC_BOX_EDGES;
  if (edges && !cross_edges(&p, &nearest)) return -1;
  patch_of(&p, &patch);
  const int count = sc_box_overlap(&view, &patch, out);
  if (edges) return sc_box_nearest_touch(&view, &patch, &nearest, count, out);
  return sc_box_reaches(&view, &patch, nearest.distance, out, count) ? count : -1;
}

int sc_box_touches(const sc_placed *a, const sc_placed *b, double reach, sc_hint *hint, sc_touch *out) {
  sc_box_axes axes;
  sc_box_axes_set(&axes, 0, a, b);
  sc_box_axes_scalar(&axes, 1);
  return sc_box_axes_touches(&axes, 0, a, b, reach, hint, out);
}
