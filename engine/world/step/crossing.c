/* Bodies that go through a mesh without thickness within a step.
 *
 * A contact is found ahead of a body that approaches a wall at the speed that it has at the start of the
 * step. One that is struck within the step may be on the other side at its end, and is then pushed away on
 * the wrong side. That takes more than its own radius in one step. The way of the middle of such a
 * fast body, as seen from each open mesh, is tested against the mesh's triangles. */
#include "world/world.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

/* Whether the segment from a to b goes through the triangle (Moeller and Trumbore 1997). */
static bool goes_through(const scree_geometry *g, int32_t t, const double a[3], const double b[3]) {
  const int32_t *corner = g->triangle[t];
  double e[3], f[3], d[3], p[3], q[3], s[3];
  sc_sub(g->point[corner[1]], g->point[corner[0]], e), sc_sub(g->point[corner[2]], g->point[corner[0]], f);
  sc_sub(b, a, d), sc_sub(a, g->point[corner[0]], s);
  sc_cross(d, f, p), sc_cross(s, e, q);
  const double det = sc_dot(e, p);
  if (det == 0) return false;
  const double u = sc_dot(s, p) / det, v = sc_dot(d, q) / det, way = sc_dot(f, q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && way > 0 && way <= 1;
}

typedef struct passage {
  const scree_geometry *geometry;
  const double *from, *to;
  bool found;
} passage;

static bool visit(void *context, int32_t triangle) {
  passage *p = context;
  p->found = goes_through(p->geometry, triangle, p->from, p->to);
  return !p->found;
}

/* A point of the world in the frame of a shape of the body in a row. */
static void into_frame(
    const sc_bodies *bodies, int32_t row, const sc_shape *shape, const double x[3], double out[3]) {
  sc_sub(x, bodies->position[row], out);
  sc_quat_unrotate(bodies->orientation[row], out, out);
  sc_sub(out, shape->position, out);
  sc_quat_unrotate(shape->orientation, out, out);
}

/* Whether the body in a row went through the mesh, which moved, too. */
static bool went_through(const scree_world *world, int32_t row, int32_t shape_row, double dt) {
  const sc_bodies *bodies = &world->bodies;
  const int32_t wall = world->shapes.row[shape_row].body;
  double start[3], from[3], to[3], arm[3], turn[3] = {0, 0, 0}, min[3], max[3];
  sc_shape shape;
  sc_shapes_get(&world->shapes, shape_row, &shape);
  sc_axpy(-dt, bodies->velocity[row], bodies->position[row], start);
  if (bodies->kind[wall] != SCREE_FIXED) {
    sc_sub(start, bodies->position[wall], arm);
    sc_cross(bodies->spin[wall], arm, turn);
    for (int k = 0; k < 3; k++) start[k] += dt * (bodies->velocity[wall][k] + turn[k]);
  }
  into_frame(bodies, wall, &shape, start, from);
  into_frame(bodies, wall, &shape, bodies->position[row], to);
  for (int k = 0; k < 3; k++) min[k] = fmin(from[k], to[k]), max[k] = fmax(from[k], to[k]);
  passage p = {.geometry = shape.geometry, .from = from, .to = to};
  sc_geometry_query(shape.geometry, min, max, visit, &p);
  return p.found;
}

static bool is_open_mesh(const scree_world *world, int32_t shape) {
  return sc_shapes_type(&world->shapes, shape) == SCREE_MESH &&
      !sc_shapes_geometry(&world->shapes, shape)->closed;
}

static bool is_fast(const sc_bodies *bodies, int32_t row, double dt) {
  const double *v = bodies->velocity[row], r = bodies->radius[row];
  return bodies->kind[row] == SCREE_DYNAMIC && dt * dt * sc_dot(v, v) > r * r && sc_bodies_own(bodies, row);
}

/* The next open meshes from a row of shapes on; the row behind them. */
enum { BATCH = 64 };
static int32_t gather(const scree_world *world, int32_t from, int32_t mesh[BATCH], int *count) {
  for (*count = 0; from < world->shapes.count && *count < BATCH; from++)
    if (is_open_mesh(world, from)) mesh[(*count)++] = from;
  return from;
}

int64_t sc_world_crossings(const scree_world *world, double dt) {
  const sc_bodies *bodies = &world->bodies;
  int64_t crossings = 0;
  int32_t fast = 0, mesh[BATCH];
  int meshes;
  if (!sc_shapes_any(&world->shapes, SCREE_MESH)) return 0;
  while (fast < bodies->count && !is_fast(bodies, fast, dt)) fast++;
  if (fast == bodies->count) return 0;
  for (int32_t shape = 0; shape < world->shapes.count;) {
    shape = gather(world, shape, mesh, &meshes);
    for (int32_t row = fast; row < bodies->count && meshes; row++)
      for (int k = 0; k < meshes && is_fast(bodies, row, dt); k++)
        crossings += went_through(world, row, mesh[k], dt);
  }
  return crossings;
}
