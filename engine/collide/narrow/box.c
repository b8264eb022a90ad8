/* Box against box: separating axes (Gottschalk, Lin & Manocha 1996).
 *
 * The difference of two boxes is bounded by faces that look along the six face normals of both and along
 * the nine cross products of their edges, so the largest separation along these fifteen axes is the depth
 * where boxes overlap, and the distance where a corner of one lies over a face of the other or where two
 * edges cross. Where neither is so (corner to corner, corner to edge) the distance is left to the
 * general search, which also has the last word where rounding leaves doubt. */
#include "collide/narrow/convex.h"

typedef struct boxes {
  const sc_placed *a, *b;
  const double *ha, *hb;
  double C[3][3], AC[3][3]; /* axes of b in those of a, and their absolute values */
  double ta[3], tb[3];      /* from the middle of a to that of b, in the axes of either */
} boxes;

/* The best axis so far: 0..2 normals of a, 3..5 of b, 6 + 3 i + j edges i of a and j of b. */
typedef struct best {
  double apart, length;
  int axis;
} best;

enum { FACES_B = 3, EDGES = 6 };
/* Cross products of edges that are nearly parallel say nothing; faces are taken where edges are no
 * better. */
static const double parallel = 1e-6, favour = 1e-9;

static void compare(boxes *p) {
  double d[3];
  sc_sub(p->b->position, p->a->position, d);
  sc_mat_tvec(p->a->R, d, p->ta);
  sc_mat_tvec(p->b->R, d, p->tb);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double *A = p->a->R, *B = p->b->R;
      p->C[i][j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
      p->AC[i][j] = fabs(p->C[i][j]);
    }
}

static void consider(best *most, double apart, double length, int axis, double lead) {
  if (apart > most->apart + lead) *most = (best){apart, length, axis};
}

static void look_at_faces(const boxes *p, best *most) {
  for (int i = 0; i < 3; i++) {
    const double *row = p->AC[i];
    double reach = p->ha[i] + p->hb[0] * row[0] + p->hb[1] * row[1] + p->hb[2] * row[2];
    consider(most, fabs(p->ta[i]) - reach, 1, i, 0);
  }
  for (int j = 0; j < 3; j++) {
    double reach = p->hb[j] + p->ha[0] * p->AC[0][j] + p->ha[1] * p->AC[1][j] + p->ha[2] * p->AC[2][j];
    consider(most, fabs(p->tb[j]) - reach, 1, FACES_B + j, 0);
  }
}

/* The axis e_i x b_j, in the axes of a: 0, -C[i2][j], C[i1][j] along i, i1, i2. */
static void look_at_edges(const boxes *p, double lead, best *most) {
  for (int i = 0; i < 3; i++) {
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; j++) {
      int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      double y = p->C[i2][j], z = p->C[i1][j], square = y * y + z * z;
      if (!(square > parallel * parallel)) continue;
      double reach = p->ha[i1] * p->AC[i2][j] + p->ha[i2] * p->AC[i1][j] + p->hb[j1] * p->AC[i][j2] +
          p->hb[j2] * p->AC[i][j1];
      double length = sqrt(square), apart = (fabs(p->ta[i2] * z - p->ta[i1] * y) - reach) / length;
      consider(most, apart, length, EDGES + 3 * i + j, lead);
    }
  }
}

/* The axis as a unit vector from b to a. */
static void normal_of(const boxes *p, const best *most, double n[3]) {
  double d[3];
  if (most->axis < FACES_B) {
    sc_column(p->a->R, most->axis, n);
  } else if (most->axis < EDGES) {
    sc_column(p->b->R, most->axis - FACES_B, n);
  } else {
    double u[3], v[3];
    sc_column(p->a->R, (most->axis - EDGES) / 3, u);
    sc_column(p->b->R, (most->axis - EDGES) % 3, v);
    sc_cross(u, v, n);
    sc_normalise(n, n);
  }
  sc_sub(p->a->position, p->b->position, d);
  if (sc_dot(d, n) < 0) sc_scale(-1, n, n);
}

/* Middle of the edge along axis k of a box that lies furthest in a direction, about `origin`. */
static void edge_middle(
    const sc_placed *box, int k, const double direction[3], const double origin[3], double out[3]) {
  double local[3];
  sc_mat_tvec(box->R, direction, local);
  for (int i = 0; i < 3; i++)
    local[i] = i == k ? 0 : local[i] < 0 ? -box->shape->extent[i] : box->shape->extent[i];
  sc_to_world(box, local, out);
  sc_sub(out, origin, out);
}

/* Nearest points of the two edges of the best axis, about a's middle; false where they lie beyond an end
 * of one. */
static bool cross_edges(const boxes *p, const best *most, sc_nearest *nearest) {
  int i = (most->axis - EDGES) / 3, j = (most->axis - EDGES) % 3;
  double u[3], v[3], x[3], y[3], d[3], back[3];
  sc_column(p->a->R, i, u);
  sc_column(p->b->R, j, v);
  sc_scale(-1, nearest->normal, back);
  edge_middle(p->a, i, back, p->a->position, x);
  edge_middle(p->b, j, nearest->normal, p->a->position, y);
  sc_sub(y, x, d);
  double c = p->C[i][j], du = sc_dot(d, u), dv = sc_dot(d, v), square = most->length * most->length;
  double s = (du - c * dv) / square, t = (c * du - dv) / square;
  if (!(fabs(s) <= p->ha[i] && fabs(t) <= p->hb[j])) return false;
  sc_axpy(s, u, x, nearest->a);
  sc_axpy(t, v, y, nearest->b);
  return true;
}

int sc_box_touches(const sc_placed *a, const sc_placed *b, double reach, sc_hint *hint, sc_touch *out) {
  boxes p = {.a = a, .b = b, .ha = a->shape->extent, .hb = b->shape->extent};
  best most = {.apart = -INFINITY};
  double size = a->shape->bound + b->shape->bound;
  sc_nearest nearest;
  sc_convex ca, cb;
  compare(&p);
  look_at_faces(&p, &most);
  if (most.apart <= reach) look_at_edges(&p, favour * size, &most);
  nearest.distance = most.apart;
  normal_of(&p, &most, nearest.normal);
  if (!(most.apart <= reach)) {
    sc_axis_set(hint, nearest.normal);
    return 0;
  }
  sc_convex_of(a, a->position, &ca);
  sc_convex_of(b, a->position, &cb);
  if (most.axis >= EDGES && cross_edges(&p, &most, &nearest))
    return sc_manifold(&ca, &cb, &nearest, reach, a->position, out);
  return most.axis < EDGES ? sc_manifold_flat(&ca, &cb, &nearest, reach, a->position, out) : -1;
}
