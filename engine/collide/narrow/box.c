/* Box against box: separating axes (Gottschalk, Lin & Manocha 1996).
 *
 * The difference of two boxes is bounded by faces that look along the six face normals of both and along
 * the nine cross products of their edges, so the largest separation along these fifteen axes is the depth
 * where boxes overlap, and the distance where a corner of one lies over a face of the other or where two
 * edges cross. Where neither is so (corner to corner, corner to edge) the distance is left to the
 * general search, which also has the last word where rounding leaves doubt. */
#include "collide/narrow/box_face.h"
#include "math/lane_pair.h"

/* What goes round the axes of b is there twice. */
enum { ROUND = 6 };

typedef struct boxes {
  const sc_placed *a, *b;
  const double *ha;
  double hb[ROUND], C[3][ROUND], AC[3][ROUND]; /* axes of b in those of a, and their absolute values */
  double ta[3], tb[3];                         /* from the middle of a to that of b, in the axes of either */
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
      const double c = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
      p->C[i][j] = p->C[i][j + 3] = c;
      p->AC[i][j] = p->AC[i][j + 3] = fabs(c);
    }
  for (int j = 0; j < 3; j++) p->hb[j] = p->hb[j + 3] = p->b->shape->extent[j];
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

/* The axes e_i x b_j for two j at once, in the axes of a: 0, -C[i2][j], C[i1][j] along i, i1, i2. What C, AC
 * and h hold begins with either j, or an axis or two later. */
typedef struct turned {
  VEC C[3][3], AC[3][3], h[3];
} turned;

static void look_across(const boxes *p, int i, int j, const turned *t, double apart[2], double length[2]) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const VEC y = t->C[i2][j], z = t->C[i1][j], square = y * y + z * z, root = vector_sqrt(square),
            reach = splat(p->ha[i1]) * t->AC[i2][j] + splat(p->ha[i2]) * t->AC[i1][j] +
      t->h[j1] * t->AC[i][j2] + t->h[j2] * t->AC[i][j1],
            along = magnitude(splat(p->ta[i2]) * z - splat(p->ta[i1]) * y) - reach;
  store1(choose((MASK)(square > splat(parallel * parallel)), along / root, splat(-INFINITY)), apart);
  store1(root, length);
}

static void look_at_edges(const boxes *p, double lead, best *most) {
  turned t;
  for (int j = 0; j < 3; j++) {
    t.h[j] = (VEC){p->hb[j], p->hb[j + 1]};
    for (int i = 0; i < 3; i++)
      t.C[i][j] = (VEC){p->C[i][j], p->C[i][j + 1]}, t.AC[i][j] = magnitude(t.C[i][j]);
  }
  for (int i = 0; i < 3; i++) {
    double apart[4], length[4];
    for (int j = 0; j < 4; j += 2) look_across(p, i, j, &t, apart + j, length + j);
    for (int j = 0; j < 3; j++) consider(most, apart[j], length[j], EDGES + 3 * i + j, lead);
  }
}

/* The axis as a unit vector from b to a, in the axes of a. */
static void normal_of(const boxes *p, const best *most, double n[3]) {
  sc_set3(0, 0, 0, n);
  if (most->axis < FACES_B) {
    n[most->axis] = 1;
  } else if (most->axis < EDGES) {
    for (int i = 0; i < 3; i++) n[i] = p->C[i][most->axis - FACES_B];
  } else {
    const int i = (most->axis - EDGES) / 3, j = (most->axis - EDGES) % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    n[i1] = -p->C[i2][j] / most->length, n[i2] = p->C[i1][j] / most->length;
  }
  if (sc_dot(p->ta, n) > 0) sc_scale(-1, n, n);
}

/* A direction in the axes of a, in those of b. */
static void turn_to_b(const boxes *p, const double n[3], double out[3]) {
  for (int j = 0; j < 3; j++) out[j] = n[0] * p->C[0][j] + n[1] * p->C[1][j] + n[2] * p->C[2][j];
}

/* A point of b in the axes of a. */
static void from_b(const boxes *p, const double local[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = p->ta[i] + (local[0] * p->C[i][0] + local[1] * p->C[i][1] + local[2] * p->C[i][2]);
}

/* Nearest points of the two edges of the best axis, in the axes of a; false where they lie beyond an end
 * of one. */
static bool cross_edges(const boxes *p, const best *most, sc_nearest *nearest) {
  const int i = (most->axis - EDGES) / 3, j = (most->axis - EDGES) % 3;
  double x[3], y[3], local[3], back[3], d[3];
  turn_to_b(p, nearest->normal, back);
  for (int k = 0; k < 3; k++) {
    x[k] = k == i ? 0 : nearest->normal[k] > 0 ? -p->ha[k] : p->ha[k];
    local[k] = k == j ? 0 : back[k] < 0 ? -p->hb[k] : p->hb[k];
  }
  from_b(p, local, y);
  sc_sub(y, x, d);
  const double v[3] = {p->C[0][j], p->C[1][j], p->C[2][j]}, square = most->length * most->length;
  const double c = v[i], du = d[i], dv = sc_dot(d, v), s = (du - c * dv) / square, t = (c * du - dv) / square;
  if (!(fabs(s) <= p->ha[i] && fabs(t) <= p->hb[j])) return false;
  sc_copy3(x, nearest->a);
  nearest->a[i] = s;
  sc_axpy(t, v, y, nearest->b);
  return true;
}

/* The face of b that looks along n most, its corners and name as its shape has them (model/shape/box.c). */
static void patch_of(const boxes *p, const double n[3], sc_patch *out) {
  double back[3];
  turn_to_b(p, n, back);
  const int k = sc_largest_of(fabs(back[0]), fabs(back[1]), fabs(back[2]));
  const double side = sc_sign_of(back[k]);
  out->count = 4, out->id = (uint32_t)(2 * k + (side > 0)), out->size = p->b->shape->bound, out->radius = 0;
  for (int i = 0; i < 3; i++) {
    const double *c = p->C[i] + k, *h = p->hb + k, middle = p->ta[i] + side * h[0] * c[0], u = h[1] * c[1],
                 v = side * h[2] * c[2];
    out->corner[0][i] = middle - u - v, out->corner[1][i] = middle + u - v;
    out->corner[2][i] = middle + u + v, out->corner[3][i] = middle - u + v;
    out->normal[i] = side * c[0];
  }
}

int sc_box_touches(const sc_placed *a, const sc_placed *b, double reach, sc_hint *hint, sc_touch *out) {
  boxes p = {.a = a, .b = b, .ha = a->shape->extent};
  best most = {.apart = -INFINITY};
  double size = a->shape->bound + b->shape->bound;
  sc_nearest nearest;
  sc_convex box;
  sc_box_view view;
  sc_patch patch;
  compare(&p);
  look_at_faces(&p, &most);
  if (most.apart <= reach) look_at_edges(&p, favour * size, &most);
  nearest.distance = most.apart;
  normal_of(&p, &most, nearest.normal);
  sc_convex_of(a, a->position, &box);
  sc_box_look(&box, nearest.normal, reach, a->position, &view);
  if (!(most.apart <= reach)) {
    sc_axis_set(hint, view.normal);
    return 0;
  }
  if (most.axis >= EDGES && !cross_edges(&p, &most, &nearest)) return -1;
  patch_of(&p, nearest.normal, &patch);
  const int count = sc_box_overlap(&view, &patch, out);
  if (most.axis >= EDGES) return sc_box_nearest_touch(&view, &patch, &nearest, count, out);
  return sc_box_reaches(&view, &patch, nearest.distance, out, count) ? count : -1;
}
