/* Depth of two overlapping convex cores by an expanding polytope (van den Bergen 2001).
 *
 * The algorithm expands a polytope of points of the difference a - b that contains the origin. Each step adds
 * the support point along the normal of the face nearest to the origin, until this face lies on the boundary
 * of the difference. The distance of the face is the depth, and its normal is the contact normal. Faces are
 * oriented away from a point inside the first tetrahedron, not from the origin. Cores that just touch, with
 * the origin on a face, are therefore no special case. The oldest of equally near faces is expanded. */
#include "collide/narrow/convex/convex.h"

enum { MAX_POINTS = 160, MAX_FACES = 512 };

typedef struct face {
  int corner[3];       /* indices of points, counter-clockwise from outside */
  bool live;           /* false: the face was removed from the polytope */
  double n[3], height; /* outward unit normal, distance of the plane from the origin [m] */
} face;

typedef struct polytope {
  sc_corner point[MAX_POINTS];
  face face[MAX_FACES];
  int points, faces;
  double inside[3], size;
} polytope;

/* Adds a face, oriented outwards. Returns false if it has no area or the polytope is full. */
static bool add_face(polytope *p, int i, int j, int k) {
  if (p->faces == MAX_FACES) return false;
  face *f = p->face + p->faces;
  double e[3], g[3], d[3];
  const double *x = p->point[i].w;
  sc_sub(p->point[j].w, x, e);
  sc_sub(p->point[k].w, x, g);
  sc_cross(e, g, f->n);
  if (!(sc_norm(f->n) > 1e-14 * sc_norm(e) * sc_norm(g)) || !(sc_normalise(f->n, f->n) > 0)) return false;
  sc_sub(x, p->inside, d);
  bool flip = sc_dot(f->n, d) < 0;
  if (flip) sc_scale(-1, f->n, f->n);
  f->corner[0] = i, f->corner[1] = flip ? k : j, f->corner[2] = flip ? j : k;
  f->height = sc_dot(f->n, x);
  f->live = true;
  p->faces++;
  return true;
}

/* Returns the distance of w from the point, line or plane through the first `count` (1 to 3) corners [m]. */
static double distance_from_flat(const sc_corner *c, int count, const double w[3]) {
  double d[3], e[3], f[3], n[3];
  sc_sub(w, c[0].w, d);
  if (count == 1) return sc_norm(d);
  sc_sub(c[1].w, c[0].w, e);
  if (count == 2) {
    sc_normalise(e, e);
    sc_cross(d, e, n);
    return sc_norm(n);
  }
  sc_sub(c[2].w, c[0].w, f);
  sc_cross(e, f, n);
  sc_normalise(n, n);
  return fabs(sc_dot(d, n));
}

/* Computes directions in which a simplex of 1 to 3 corners may be extended. Returns their number. */
static int extension_directions(const sc_corner *c, int count, double direction[6][3]) {
  double e[3], t[3], o[3];
  if (count == 1) {
    for (int k = 0; k < 6; k++) sc_set3(0, 0, 0, direction[k]), direction[k][k / 2] = k % 2 ? -1 : 1;
    return 6;
  }
  sc_sub(c[1].w, c[0].w, e);
  if (count == 3) {
    sc_sub(c[2].w, c[0].w, t);
    sc_cross(e, t, direction[0]);
    sc_normalise(direction[0], direction[0]);
    sc_scale(-1, direction[0], direction[1]);
    return 2;
  }
  sc_normalise(e, e);
  sc_frame(e, t, o);
  for (int k = 0; k < 6; k++) {
    static const double turn[6][2] = {{1, 0}, {-0.5, 0.8660254037844386}, {-0.5, -0.8660254037844386},
        {-1, 0}, {0.5, -0.8660254037844386}, {0.5, 0.8660254037844386}};
    for (int i = 0; i < 3; i++) direction[k][i] = turn[k][0] * t[i] + turn[k][1] * o[i];
  }
  return 6;
}

/* Extends the simplex to a tetrahedron with a volume. Returns false if the difference itself is flat. */
static bool extend_simplex(const sc_convex *a, const sc_convex *b, polytope *p) {
  while (p->points < 4) {
    double direction[6][3], max = 1e-12 * p->size;
    int count = extension_directions(p->point, p->points, direction);
    sc_corner best, trial;
    for (int k = 0; k < count; k++) {
      sc_convex_corner(a, b, direction[k], &trial);
      double far = distance_from_flat(p->point, p->points, trial.w);
      if (far > max) max = far, best = trial;
    }
    if (!(max > 1e-12 * p->size)) return false;
    p->point[p->points++] = best;
  }
  return true;
}

/* Removes the faces that are visible from point `at` and fills the hole with faces to this point. Returns
 * false if rounding or the limits prevent it. */
static bool expand_polytope(polytope *p, int at) {
  enum { MAX_EDGES = 3 * MAX_FACES };
  int edge[MAX_EDGES][2], edges = 0, faces = p->faces;
  for (int k = 0; k < faces; k++) {
    face *f = p->face + k;
    if (!f->live || sc_dot(f->n, p->point[at].w) - f->height <= 1e-14 * p->size) continue;
    f->live = false;
    for (int c = 0; c < 3; c++) {
      /* an edge of two removed faces lies inside the hole */
      int i = f->corner[c], j = f->corner[(c + 1) % 3], e = 0;
      while (e < edges && !(edge[e][0] == j && edge[e][1] == i)) e++;
      if (e < edges) edge[e][0] = edge[edges - 1][0], edge[e][1] = edge[edges - 1][1], edges--;
      else edge[edges][0] = i, edge[edges][1] = j, edges++;
    }
  }
  for (int e = 0; e < edges; e++)
    if (!add_face(p, edge[e][0], edge[e][1], at)) return false;
  return edges > 0;
}

static int nearest_face(const polytope *p) {
  int best = -1;
  for (int k = 0; k < p->faces; k++)
    if (p->face[k].live && (best < 0 || p->face[k].height < p->face[best].height)) best = k;
  return best;
}

/* Computes the nearest points from the projection of the origin onto a face. */
static void read_face(const polytope *p, const face *f, sc_nearest *out) {
  double foot[3], area[3], sum = 0, d[3], e[3], c[3];
  sc_scale(f->height, f->n, foot);
  for (int k = 0; k < 3; k++) {
    sc_sub(p->point[f->corner[(k + 1) % 3]].w, foot, d);
    sc_sub(p->point[f->corner[(k + 2) % 3]].w, foot, e);
    sc_cross(d, e, c);
    area[k] = fmax(0, sc_dot(c, f->n));
    sum += area[k];
  }
  sc_set3(0, 0, 0, out->a);
  sc_set3(0, 0, 0, out->b);
  for (int k = 0; k < 3; k++) {
    double weight = sum > 0 ? area[k] / sum : 1.0 / 3;
    sc_axpy(weight, p->point[f->corner[k]].a, out->a, out->a);
    sc_axpy(weight, p->point[f->corner[k]].b, out->b, out->b);
  }
  out->distance = -f->height;
  sc_scale(-1, f->n, out->normal);
}

/* Replaces the result by the support points along an outward normal n if they lie less deep. The depth is at
 * most the height of the support points along any direction. */
static void try_direction(const sc_convex *a, const sc_convex *b, const double n[3], sc_nearest *out) {
  sc_corner corner;
  sc_convex_corner(a, b, n, &corner);
  const double height = sc_dot(corner.w, n);
  if (-height <= out->distance) return;
  out->distance = -height;
  sc_scale(-1, n, out->normal);
  sc_copy3(corner.a, out->a);
  sc_copy3(corner.b, out->b);
}

/* Tries the face normals of a hull, and the axes of any other shape. sign: 1 for core a, -1 for core b. */
static void try_own_faces(
    const sc_convex *a, const sc_convex *b, const sc_convex *own, double sign, sc_nearest *out) {
  const scree_geometry *g = own->shape && own->shape->type == SCREE_HULL ? own->shape->geometry : NULL;
  for (int k = 0, count = g ? g->faces : 6; k < count; k++) {
    double n[3], local[3] = {0, 0, 0};
    if (g) sc_copy3(g->plane[k], local);
    else local[k / 2] = k % 2 ? -1 : 1;
    sc_mat_vec(own->R, local, n);
    sc_scale(sign, n, n);
    try_direction(a, b, n, out);
  }
}

/* Replaces the result by support points if the search ended early, because of rounding or the limits. The
 * support points along the face's normal are points of the surfaces, and their distance along the normal is
 * exact. They are used for round cores, such as a ball about a tip, where all normals of a cap are equally
 * good. For polyhedra whose faces lie in one plane within rounding, the polytope can have faces that are not
 * on its hull, so the face at which the search ended can be far too deep. The least deep of all directions
 * that are known is used. threshold: smallest error that is corrected [m]. */
static void read_support(const sc_convex *a, const sc_convex *b, const polytope *p, const face *f,
    double threshold, sc_nearest *out) {
  sc_corner corner;
  sc_convex_corner(a, b, f->n, &corner);
  double height = sc_dot(corner.w, f->n);
  if (height - f->height <= threshold) return;
  out->distance = -height;
  sc_copy3(corner.a, out->a);
  sc_copy3(corner.b, out->b);
  if (sc_convex_is_round(a) || sc_convex_is_round(b)) return;
  for (int k = 0; k < p->faces; k++)
    if (p->face[k].live) try_direction(a, b, p->face[k].n, out);
  try_own_faces(a, b, a, 1, out);
  try_own_faces(a, b, b, -1, out);
}

/* Sets depth 0 for two crossing cores whose difference is flat, such as two segments. The normal is
 * perpendicular to the difference. */
static void set_flat_result(const sc_convex *a, const sc_convex *b, const polytope *p, sc_nearest *out) {
  double direction[6][3], d[3];
  extension_directions(p->point, p->points, direction);
  sc_copy3(p->points == 1 ? (double[3]){0, 0, 1} : direction[0], out->normal);
  sc_sub(a->position, b->position, d);
  if (sc_dot(d, out->normal) < 0) sc_scale(-1, out->normal, out->normal);
  sc_copy3(p->point[0].a, out->a);
  sc_copy3(p->point[0].b, out->b);
  out->distance = 0;
}

void sc_epa(
    const sc_convex *a, const sc_convex *b, const sc_simplex *simplex, double tolerance, sc_nearest *out) {
  polytope p;
  p.points = p.faces = 0, p.size = a->size + b->size;
  for (int k = 0; k < simplex->count; k++)
    if (k == 0 || distance_from_flat(p.point, p.points, simplex->corner[k].w) > 1e-12 * p.size)
      p.point[p.points++] = simplex->corner[k];
  if (!extend_simplex(a, b, &p)) {
    set_flat_result(a, b, &p, out);
    return;
  }
  for (int k = 0; k < 3; k++)
    p.inside[k] = 0.25 * (p.point[0].w[k] + p.point[1].w[k] + p.point[2].w[k] + p.point[3].w[k]);
  bool going = add_face(&p, 0, 1, 2) && add_face(&p, 0, 1, 3) && add_face(&p, 0, 2, 3) &&
      add_face(&p, 1, 2, 3);
  int at = nearest_face(&p);
  while (going && p.points < MAX_POINTS) {
    sc_corner *next = p.point + p.points;
    sc_convex_corner(a, b, p.face[at].n, next);
    if (sc_dot(next->w, p.face[at].n) - p.face[at].height <= tolerance) break;
    going = expand_polytope(&p, p.points++);
    int now = nearest_face(&p);
    if (!going || now < 0) break;
    at = now;
  }
  read_face(&p, p.face + at, out);
  read_support(a, b, &p, p.face + at, fmax(tolerance, 1e-8 * p.size), out);
}
