/* Convex shapes against triangle meshes.
 *
 * Triangles near the shape come from the mesh's tree. A ball touches where its distance to the mesh has
 * a local least value: inside a triangle, or on an edge or corner, unless a triangle that shares this
 * edge or corner is nearer. So a ball rolling over a tessellated plane touches it once and never feels
 * the edges inside.
 *
 * Any other convex shape meets each triangle as a convex core of its own (distance, depth, manifold),
 * with the normal mended: a touch on an edge or corner that is not sharp gets the normal of the face,
 * and of a solid nothing is felt from behind. Touches at the same place with the same normal are one.
 *
 * Closed meshes are solids: the way out of them is outwards. Open ones are walls of no thickness with
 * two sides. */
#include "collide/narrow/convex.h"

static inline double larger(double a, double b) { return b > a ? b : a; }

enum { MOST_NEAR = 512, MOST_FOUND = 256 };

static uint32_t name_of(int32_t triangle, uint32_t local) { return (uint32_t)triangle * 2654435761u ^ local; }

/* ---- balls ---- */

typedef struct closest {
  int32_t triangle;
  int part;
  double foot[3], square;
} closest;

/* Whether a triangle holds the edge or corner on which another's nearest point lies. */
static bool holds(const scree_geometry *g, int32_t t, const closest *c) {
  const int32_t *mine = g->triangle[t], *theirs = g->triangle[c->triangle];
  int32_t p = theirs[c->part >= 4 ? c->part - 4 : c->part - 1], q = c->part >= 4 ? p : theirs[c->part % 3];
  bool has_p = mine[0] == p || mine[1] == p || mine[2] == p,
       has_q = mine[0] == q || mine[1] == q || mine[2] == q;
  return has_p && has_q;
}

/* A nearest point on an edge or corner counts if no triangle that shares it is nearer, or as near and
 * listed before. */
static bool is_local_least(const scree_geometry *g, const closest *all, int count, int k) {
  if (all[k].part == 0) return true;
  for (int i = 0; i < count; i++) {
    if (i == k || !holds(g, all[i].triangle, all + k)) continue;
    double slight = 1e-12 * all[k].square;
    if (all[i].square < all[k].square - slight ||
        (all[i].square <= all[k].square + slight && (i < k || all[i].part == 0)))
      return false;
  }
  return true;
}

/* Outward direction at a nearest point: of the face, or the mean of the faces that share the edge or
 * corner. */
static void outward(const scree_geometry *g, const closest *all, int count, int k, double n[3]) {
  sc_copy3(g->normal[all[k].triangle], n);
  for (int i = 0; i < count && all[k].part; i++)
    if (i != k && holds(g, all[i].triangle, all + k)) sc_add(n, g->normal[all[i].triangle], n);
}

static int touch_least(const sc_placed *ball, const sc_placed *mesh, const double x[3], const closest *all,
    int count, int k, double reach, sc_touch *out) {
  const scree_geometry *g = mesh->shape->geometry;
  double d[3], n[3], face[3], distance;
  sc_sub(x, all[k].foot, d);
  outward(g, all, count, k, face);
  distance = sc_normalise(d, n);
  if (!(distance > 0)) sc_normalise(face, n);
  if (g->closed && sc_dot(n, face) < 0) sc_scale(-1, n, n), distance = -distance;
  /* inside a triangle its own normal is exact, however near the centre is */
  if (all[k].part == 0)
    sc_scale(sc_dot(n, g->normal[all[k].triangle]) < 0 ? -1 : 1, g->normal[all[k].triangle], n);
  double world[3];
  sc_mat_vec(mesh->R, n, world);
  return sc_touch_ball(ball->position, ball->shape->radius, world, distance, reach,
      name_of(all[k].triangle, (uint32_t)all[k].part), out);
}

/* Deepest touches first into out, at most SC_MAX_TOUCHES. */
static int keep_touches(sc_touch *found, int count, sc_touch *out) {
  int kept = 0;
  for (; kept < count && kept < SC_MAX_TOUCHES; kept++) {
    int deepest = kept;
    for (int k = kept + 1; k < count; k++)
      if (found[k].gap < found[deepest].gap) deepest = k;
    sc_touch swap = found[kept];
    found[kept] = found[deepest], found[deepest] = swap;
    out[kept] = found[kept];
  }
  return kept;
}

/* Triangles about a point with the nearest point of each, those within `far`; when full the furthest
 * makes room. */
typedef struct around {
  const scree_geometry *g;
  double x[3], far;
  int count;
  closest all[MOST_NEAR];
} around;

static bool gather(void *context, int32_t triangle) {
  around *a = context;
  closest c = {.triangle = triangle};
  double d[3];
  c.part = sc_triangle_nearest(a->g, triangle, a->x, c.foot);
  sc_sub(a->x, c.foot, d);
  c.square = sc_dot(d, d);
  if (!(c.square <= a->far * a->far)) return true;
  int at = a->count;
  if (at < MOST_NEAR) {
    a->count++;
  } else {
    at = 0;
    for (int k = 1; k < MOST_NEAR; k++)
      if (a->all[k].square > a->all[at].square) at = k;
    if (!(c.square < a->all[at].square)) return true;
  }
  a->all[at] = c;
  return true;
}

int sc_narrow_sphere_mesh(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  around near;
  double min[3], max[3];
  sc_touch found[MOST_NEAR];
  int touches = 0;
  near.g = b->shape->geometry, near.count = 0, near.far = a->shape->radius + reach;
  if (!(near.far > 0)) return 0;
  sc_to_local(b, a->position, near.x);
  for (int k = 0; k < 3; k++) min[k] = near.x[k] - near.far, max[k] = near.x[k] + near.far;
  sc_geometry_query(near.g, min, max, gather, &near);
  for (int k = 0; k < near.count; k++)
    if (is_local_least(near.g, near.all, near.count, k))
      touches += touch_least(a, b, near.x, near.all, near.count, k, reach, found + touches);
  return keep_touches(found, touches, out);
}

/* ---- other convex shapes ---- */

/* Which part of a triangle holds a point of it: 0 inside, else as in nearest_part. */
static int part_of(const double corner[3][3], const double p[3]) {
  double area[3], e[3], f[3], c[3], n[3], whole;
  sc_sub(corner[1], corner[0], e);
  sc_sub(corner[2], corner[0], f);
  sc_cross(e, f, n);
  whole = sc_dot(n, n);
  int zero = 0, last = 0, first = 0;
  for (int k = 0; k < 3; k++) {
    sc_sub(corner[(k + 1) % 3], p, e);
    sc_sub(corner[(k + 2) % 3], p, f);
    sc_cross(e, f, c);
    area[k] = sc_dot(c, n) / whole;
    if (area[k] < 1e-6) zero++, last = k;
    else first = k;
  }
  if (zero == 0) return 0;
  if (zero == 1) return 1 + (last + 1) % 3;
  return 4 + first;
}

typedef struct meeting {
  const sc_convex *shape;
  const sc_placed *mesh;
  const double *origin;
  double reach, beyond; /* beyond: a distance that no search takes for reach */
  double limit;         /* triangles that are no further off are noted in near, which may be NULL */
  sc_near *near;
  bool box;
  double turn[9], shift[3]; /* from the mesh's axes to the shape's, about its middle */
  sc_touch *found;
  int count;
} meeting;

/* What became of a normal: kept, turned to the face because the edge or corner cannot be felt, or
 * because the way out of the triangle is not the way out of the solid. */
typedef enum mending { KEPT, FLATTENED, TURNED } mending;

/* The normal a touch should have, world axes; false if nothing is to be felt here. */
static bool mend_normal(
    const meeting *m, int32_t t, const double corner[3][3], sc_nearest *nearest, mending *mended) {
  const scree_geometry *g = m->mesh->shape->geometry;
  double face[3], d[3];
  sc_mat_vec(m->mesh->R, g->normal[t], face);
  int part = part_of(corner, nearest->b);
  double along = sc_dot(nearest->normal, face);
  bool sharp = part == 0 || (g->sharp[t] >> (part - 1) & 1);
  *mended = KEPT;
  if (g->closed) {
    if (along < 0 && nearest->distance > 0) return false;
    if (along > 0 && sharp && part) return true;
  } else {
    sc_sub(m->shape->position, corner[0], d);
    if (part || nearest->distance <= 0 ? sc_dot(d, face) < 0 : along < 0) sc_scale(-1, face, face);
    if (sharp && part) return true;
  }
  if (sc_dot(nearest->normal, face) < 1 - 1e-9)
    *mended = !g->closed || (part && !sharp && along > 0) ? FLATTENED : TURNED;
  sc_copy3(face, nearest->normal);
  return true;
}

/* Drops touches that repeat one that is there already; the deeper of the two stays. */
static int new_touches(const meeting *m, sc_touch *touch, int count) {
  int kept = 0;
  double near = 1e-5 * (m->shape->size + m->shape->radius);
  for (int k = 0; k < count; k++) {
    sc_touch *same = NULL;
    for (int i = 0; i < m->count + kept && !same; i++) {
      sc_touch *other = i < m->count ? m->found + i : touch + i - m->count;
      double d[3];
      sc_sub(touch[k].point, other->point, d);
      if (sc_dot(d, d) <= near * near && sc_dot(touch[k].normal, other->normal) > 0.999) same = other;
    }
    if (!same) {
      touch[kept++] = touch[k];
      continue;
    }
    uint32_t feature = same->feature;
    if (touch[k].gap < same->gap) *same = touch[k], same->feature = feature;
  }
  return kept;
}

/* Drops touches deeper than `least`. What can leave a triangle sideways by a short way came in through
 * its neighbour, which tells it better; the depth below this triangle's plane means nothing then. */
static int plausible(sc_touch *touch, int count, double least) {
  int kept = 0;
  for (int k = 0; k < count; k++)
    if (touch[k].gap >= least) touch[kept++] = touch[k];
  return kept;
}

/* How far the shape and a triangle are apart along a unit direction, turned so that it leads to the shape. */
static double apart_along(const meeting *m, const sc_convex *triangle, double n[3]) {
  double d[3], back[3], mine[3], its[3];
  sc_sub(m->shape->position, triangle->position, d);
  if (sc_dot(d, n) < 0) sc_scale(-1, n, n);
  sc_scale(-1, n, back);
  sc_convex_support(m->shape, back, mine);
  sc_convex_support(triangle, n, its);
  sc_sub(mine, its, d);
  return sc_dot(d, n) - m->shape->radius;
}

/* The same along the normals of the triangle's edges within its plane: the largest. */
static double apart_sideways(const meeting *m, const sc_convex *triangle, const double normal[3]) {
  double most = -INFINITY;
  for (int k = 0; k < 3 && most <= m->limit; k++) {
    double n[3], edge[3];
    sc_sub(triangle->triangle[(k + 1) % 3], triangle->triangle[k], edge);
    sc_cross(edge, normal, n);
    sc_normalise(n, n);
    most = larger(most, apart_along(m, triangle, n));
  }
  return most;
}

static void add_touches(meeting *m, int32_t t, sc_touch *touch, int count) {
  count = new_touches(m, touch, count);
  if (m->count + count > MOST_FOUND) m->count = sc_drop_redundant(m->found, m->count, m->shape->size);
  if (m->count + count > MOST_FOUND) m->count = sc_thin_out(m->found, m->count, MOST_FOUND / 2);
  for (int k = 0; k < count; k++) {
    touch[k].feature = name_of(t, touch[k].feature);
    m->found[m->count++] = touch[k];
  }
}

/* What a look at a triangle says before any search: out of reach, or its touches are found; its nearest
 * points are; or nothing. */
typedef enum seen { DONE, FOUND, UNKNOWN } seen;

/* Notes a triangle; where there is no room for it nothing is known. */
static void note(sc_near *near, int32_t t) {
  if (!near) return;
  if (near->count < SC_NEAR_MOST) near->triangle[near->count++] = t;
  else near->full = true;
}

/* A triangle in the axes of the box; false if some axis says that it is out of reach. */
static bool is_beside(const meeting *m, int32_t t, sc_beside *b) {
  const scree_geometry *g = m->mesh->shape->geometry;
  for (int k = 0; k < 3; k++) {
    sc_mat_vec(m->turn, g->point[g->triangle[t][k]], b->corner[k]);
    sc_add(b->corner[k], m->shift, b->corner[k]);
  }
  sc_mat_vec(m->turn, g->normal[t], b->normal);
  sc_box_beside(m->shape, m->limit, b);
  if (b->apart > m->limit) return false;
  note(m->near, t);
  return !(b->apart > m->beyond || b->face > m->beyond);
}

/* A box whose best way out is along the triangle's normal lies on its face; one whose best way out is another
 * has its nearest points. */
static seen look_at_box(
    meeting *m, int32_t t, const sc_convex *triangle, const sc_beside *b, sc_nearest *nearest) {
  const scree_geometry *g = m->mesh->shape->geometry;
  const bool behind = sc_dot(b->normal, b->corner[0]) > 0;
  if (b->apart > b->face) return sc_box_nearest(m->shape, b, nearest) ? FOUND : UNKNOWN;
  if (g->closed && behind) return UNKNOWN;
  sc_touch touch[SC_MAX_TOUCHES];
  nearest->distance = b->face;
  sc_mat_vec(m->mesh->R, g->normal[t], nearest->normal);
  if (behind) sc_scale(-1, nearest->normal, nearest->normal);
  int count = sc_manifold_flat(m->shape, triangle, nearest, m->reach, m->origin, touch);
  if (count > 0) add_touches(m, t, touch, count);
  return count >= 0 ? DONE : UNKNOWN;
}

/* Other shapes are out of reach where some axis says so. */
static seen look_at_other(const meeting *m, int32_t t, const sc_convex *triangle) {
  double face[3], n[3];
  sc_mat_vec(m->mesh->R, m->mesh->shape->geometry->normal[t], face);
  sc_copy3(face, n);
  double apart = apart_along(m, triangle, n);
  if (!(apart > m->limit)) apart = larger(apart, apart_sideways(m, triangle, face));
  if (apart > m->limit) return DONE;
  note(m->near, t);
  return apart > m->beyond ? DONE : UNKNOWN;
}

/* A triangle as a core: its position is its middle, its corners are about it. */
static void place_triangle(
    const meeting *m, int32_t t, double corner[3][3], double about[3][3], sc_convex *triangle) {
  const scree_geometry *g = m->mesh->shape->geometry;
  *triangle = (sc_convex){.triangle = (const double(*)[3])about, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int k = 0; k < 3; k++) {
    sc_to_world(m->mesh, g->point[g->triangle[t][k]], corner[k]);
    sc_sub(corner[k], m->origin, corner[k]);
    sc_axpy(1.0 / 3, corner[k], triangle->position, triangle->position);
  }
  for (int k = 0; k < 3; k++) {
    sc_sub(corner[k], triangle->position, about[k]);
    triangle->size = fmax(triangle->size, sc_norm(about[k]));
  }
}

static bool meet_triangle(void *context, int32_t t) {
  meeting *m = context;
  double corner[3][3], about[3][3];
  sc_convex triangle;
  sc_beside beside;
  sc_nearest nearest;
  mending mended;
  if (m->box && !is_beside(m, t, &beside)) return true;
  place_triangle(m, t, corner, about, &triangle);
  const seen first = m->box ? look_at_box(m, t, &triangle, &beside, &nearest)
                            : look_at_other(m, t, &triangle);
  if (first == DONE) return true;
  if (first == UNKNOWN && !sc_convex_nearest(m->shape, &triangle, m->reach, &nearest)) return true;
  if (nearest.distance > m->reach + m->shape->radius || !mend_normal(m, t, corner, &nearest, &mended))
    return true;
  sc_touch touch[SC_MAX_TOUCHES];
  /* a mended normal has no nearest points to go with it: only the overlap of the faces counts */
  int count = mended != KEPT ? sc_manifold_faces(m->shape, &triangle, &nearest, m->reach, m->origin, touch)
                             : sc_manifold(m->shape, &triangle, &nearest, m->reach, m->origin, touch);
  if (mended == TURNED)
    count = plausible(touch, count, 2 * fmin(0, nearest.distance - m->shape->radius) - 1e-9 * m->shape->size);
  add_touches(m, t, touch, count);
  return true;
}

/* The way from the mesh's axes to those of the shape about its middle. */
static void turn_to_shape(meeting *m) {
  double d[3], column[3], turned[3];
  for (int k = 0; k < 3; k++) {
    sc_column(m->mesh->R, k, column);
    sc_mat_tvec(m->shape->R, column, turned);
    for (int i = 0; i < 3; i++) m->turn[3 * i + k] = turned[i];
  }
  sc_sub(m->mesh->position, m->origin, d);
  sc_sub(d, m->shape->position, d);
  sc_mat_tvec(m->shape->R, d, m->shift);
}

/* Box of a convex shape in the mesh's frame, widened by its radius and the reach. */
static void local_box(const sc_convex *shape, const sc_placed *mesh, const double origin[3], double reach,
    double min[3], double max[3]) {
  for (int k = 0; k < 3; k++) {
    double axis[3], back[3], p[3], d[3];
    sc_column(mesh->R, k, axis);
    sc_scale(-1, axis, back);
    sc_sub(origin, mesh->position, d);
    double offset = sc_dot(d, axis);
    sc_convex_support(shape, axis, p);
    max[k] = sc_dot(p, axis) + offset + shape->radius + reach;
    sc_convex_support(shape, back, p);
    min[k] = sc_dot(p, axis) + offset - shape->radius - reach;
  }
}

/* ---- triangles that are known to be near ---- */

/* How far a point of the shape has gone over the mesh since triangles were noted, from above. */
static double way_since(const meeting *m, const double middle[3]) {
  double d[3], turned = 0;
  for (int k = 0; k < 9; k++) {
    const double change = m->turn[k] - m->near->turn[k];
    turned += change * change;
  }
  sc_sub(middle, m->near->middle, d);
  return sc_norm(d) + (m->shape->size + m->shape->radius) * sqrt(turned);
}

/* Triangles that were noted are all that can be in reach while the shape has gone no further than the limit
 * leaves. Else they are noted anew; the limit leaves a share of the size. Where they are too many there is no
 * memory. */
static void meet_mesh(meeting *m) {
  static const double share = 0.05;
  double min[3], max[3], back[3], middle[3];
  const double size = m->shape->size + m->shape->radius;
  sc_near *near = m->near && !m->near->full ? m->near : NULL;
  m->near = near;
  sc_scale(-1, m->shift, back);
  sc_mat_tvec(m->turn, back, middle);
  if (near && near->count >= 0 && way_since(m, middle) + m->beyond + 1e-9 * size <= near->limit) {
    m->near = NULL;
    for (int32_t k = 0; k < near->count; k++) meet_triangle(m, near->triangle[k]);
    return;
  }
  if (near) {
    m->limit += share * size;
    near->limit = m->limit, near->count = 0;
    memcpy(near->turn, m->turn, sizeof near->turn);
    sc_copy3(middle, near->middle);
  }
  local_box(m->shape, m->mesh, m->origin, m->limit, min, max);
  sc_geometry_query(m->mesh->shape->geometry, min, max, meet_triangle, m);
}

int sc_mesh_touches(const sc_placed *a, const sc_placed *b, double reach, sc_near *near, sc_touch *out) {
  sc_convex shape;
  sc_touch found[MOST_FOUND];
  sc_convex_of(a, a->position, &shape);
  double doubt = (sc_convex_is_round(&shape) ? 1e-3 : 1e-9) * (shape.size + shape.radius);
  meeting m = {.shape = &shape,
      .mesh = b,
      .origin = a->position,
      .reach = reach,
      .beyond = reach * (1 + 1e-6) + doubt,
      .near = near,
      .box = a->shape->type == SCREE_BOX,
      .found = found};
  m.limit = m.beyond;
  turn_to_shape(&m);
  meet_mesh(&m);
  m.count = sc_drop_redundant(found, m.count, shape.size);
  int count = sc_thin_out(found, m.count, SC_MAX_TOUCHES);
  memcpy(out, found, (size_t)count * sizeof *out);
  return count;
}

int sc_narrow_convex_mesh(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  return sc_mesh_touches(a, b, reach, NULL, out);
}

/* ---- for the list ---- */

static bool stop_at_first(void *context, int32_t triangle) {
  (void)triangle;
  *(bool *)context = true;
  return false;
}

bool sc_mesh_near(const sc_placed *mesh, const double centre[3], double radius) {
  double x[3], min[3], max[3];
  bool found = false;
  sc_to_local(mesh, centre, x);
  for (int k = 0; k < 3; k++) min[k] = x[k] - radius, max[k] = x[k] + radius;
  sc_geometry_query(mesh->shape->geometry, min, max, stop_at_first, &found);
  return found;
}
