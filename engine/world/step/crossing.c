/* Counts passages of bodies into and through walls.
 *
 * A shape passes into a wall if its middle enters the solid of the wall, or crosses a triangle of a two-sided
 * mesh. Contacts prevent passages, so each passage is an error of the step. Either an impact gave the body a
 * velocity of more than its width per step, or the solver could not balance the force on the body. In a
 * substep, the path of the middle relative to the wall is a segment. A ray along this segment finds the
 * entry.
 *
 * Few bodies need a test. The middle of a shape is at least half a width away from each shape that touches
 * it. A body can therefore pass only in two cases: if it moved by more than a quarter of its smallest width
 * in the substep, or if one of its contacts was deeper than this quarter at the start. Walls are:
 * - shapes of fixed and kinematic bodies except half-spaces,
 * - all meshes,
 * - thin shapes of dynamic bodies. */
#include <string.h>
#include "collide/touch.h"
#include "collide/rays/rays.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"
#include "world/world.h"
#include "world/step/track.h"

/* Smallest displacement or contact depth of a body that is tested, divided by half its smallest width. */
static const double share = 0.5;
/* Smallest displacement of a body that is tested, divided by its bounding radius. */
static const double still = 1e-4;
/* Lower bound of the half width of a dynamic body that is not a ball, divided by its bounding radius; for
 * mark_deep. */
static const double thinnest = 2e-3;
/* Largest half width of a dynamic shape that counts as a wall, divided by its bounding radius. */
static const double thin = 0.25;

typedef struct search {
  scree_world *world;
  double dt;
  uint8_t *mark;        /* [bodies] 1: the body may have passed into a wall */
  int32_t *wall, walls; /* [walls] rows of the shapes that are walls; their number */
  double least;         /* lower bound of the half widths of dynamic bodies [m] */
  bool any;             /* true: at least one body is marked */
} search;

static bool can_pass(const scree_world *world, int32_t row) {
  return world->bodies.kind[row] == SCREE_DYNAMIC && sc_bodies_own(&world->bodies, row);
}

/* Returns true if a body moved in the substep by more than `share` times half its smallest width. */
static bool is_fast(const search *s, int32_t row) {
  const sc_bodies *bodies = &s->world->bodies;
  const double radius = bodies->radius[row];
  double way[3];
  sc_world_track_start(s->world, row, s->dt, way);
  sc_sub(bodies->position[row], way, way);
  const double square = sc_dot(way, way);
  if (!(square > still * still * radius * radius)) return false;
  const double inner = sc_world_inner_radius(s->world, row);
  return square > share * share * inner * inner;
}

static void mark_fast(search *s) {
  const sc_bodies *bodies = &s->world->bodies;
  s->least = INFINITY;
  for (int32_t row = 0; row < bodies->count; row++) {
    if (!can_pass(s->world, row)) continue;
    const bool ball = sc_bodies_ball(bodies, row) > 0;
    s->least = fmin(s->least, (ball ? 1 : thinnest) * bodies->radius[row]);
    if (is_fast(s, row)) s->mark[row] = 1, s->any = true;
  }
}

/* Marks bodies with a contact that was deeper at the start of the substep than `share` times half their
 * smallest width. */
static void mark_deep(search *s) {
  const scree_world *world = s->world;
  if (!(world->contacts.deepest > share * s->least)) return;
  for (int32_t c = 0; c < world->contacts.count; c++) {
    sc_contact contact;
    sc_world_contact(world, c, &contact);
    const int32_t rows[2] = {contact.body1, contact.body2};
    if (!(-contact.gap > share * s->least) ||
        sc_world_joined(world, contact.body1, contact.body2, contact.image))
      continue;
    for (int k = 0; k < 2; k++)
      if (can_pass(world, rows[k]) && -contact.gap > share * sc_world_inner_radius(world, rows[k]))
        s->mark[rows[k]] = 1, s->any = true;
  }
}

static bool is_wall(const scree_world *world, int32_t shape) {
  const int type = sc_shapes_type(&world->shapes, shape);
  if (type == SCREE_HALFSPACE) return false;
  if (type == SCREE_MESH || world->bodies.kind[world->shapes.row[shape].body] != SCREE_DYNAMIC) return true;
  return sc_world_half_width(&world->shapes, shape) < thin * world->shapes.row[shape].bound;
}

static void list_walls(search *s) {
  s->walls = 0;
  for (int32_t shape = 0; shape < s->world->shapes.count; shape++)
    if (is_wall(s->world, shape)) s->wall[s->walls++] = shape;
}

void sc_world_find_middle(const sc_shape *shape, double middle[3]) {
  if (shape->type == SCREE_HULL) sc_copy3(shape->geometry->solid.centre, middle);
  else sc_set3(0, 0, 0, middle);
}

/* Pose of a body at the start (from) and at the end (to) of the substep. */
typedef struct course {
  double from[3], from_turn[4];
  const double *to, *to_turn;
} course;

static void find_course(const search *s, int32_t row, course *out) {
  sc_world_track_pose(s->world, row, s->dt, out->from, out->from_turn);
  out->to = s->world->bodies.position[row], out->to_turn = s->world->bodies.orientation[row];
}

/* Returns true if the path of a point stays outside the bounding sphere of a wall. from, to: positions of the
 * point at the start and the end; radius: bounding radius of the wall's body [m]. */
static bool is_path_far(const double from[3], const double to[3], const course *wall, double radius) {
  double a[3], d[3], b[3];
  sc_sub(from, wall->from, a), sc_sub(to, wall->to, b), sc_sub(b, a, d);
  const double square = sc_dot(d, d), t = square > 0 ? sc_clamp(-sc_dot(a, d) / square, 0, 1) : 0;
  sc_axpy(t, d, a, a);
  double turn = 0; /* squared distance between the two quaternions of the wall, which bounds its rotation */
  for (int k = 0; k < 4; k++)
    turn += (wall->to_turn[k] - wall->from_turn[k]) * (wall->to_turn[k] - wall->from_turn[k]);
  const double slack = turn > 0 ? 2 * sqrt(turn) * (sc_norm(b) + sc_norm(d)) : 0;
  return !(sc_norm(a) <= radius + slack);
}

/* Returns true if a point that moves from `from` to `to` in the substep enters a shape of a moving wall. */
static bool enters_wall(
    const scree_world *world, int32_t shape, const course *wall, const double from[3], const double to[3]) {
  static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  sc_shape form;
  sc_placed start, end, at = {.shape = &form};
  sc_ray ray;
  sc_ray_hit hit;
  double goal[3];
  sc_world_place_shape(world, shape, wall->from, wall->from_turn, &form, &start);
  sc_place(&form, wall->to, wall->to_turn, &end);
  sc_to_local(&start, from, ray.from);
  sc_to_local(&end, to, goal);
  sc_sub(goal, ray.from, ray.d);
  ray.reach = sc_normalise(ray.d, ray.d);
  if (!(ray.reach > 0)) return false;
  memcpy(at.R, upright, sizeof upright);
  if (!sc_ray_shape(&ray, &at, &hit)) return false;
  const scree_geometry *g = form.geometry;
  const bool leaves = hit.triangle >= 0 && g->is_solid && sc_dot(g->normal[hit.triangle], ray.d) > 0;
  return !leaves;
}

/* Returns the number of times that one shape of body `row` passed into a wall. */
static int64_t count_shape(const search *s, int32_t row, const course *body, int32_t shape) {
  const scree_world *world = s->world;
  sc_shape form, other;
  sc_placed start, end;
  double middle[3], from[3], to[3];
  int64_t count = 0;
  sc_world_place_shape(world, shape, body->from, body->from_turn, &form, &start);
  sc_place(&form, body->to, body->to_turn, &end);
  sc_world_find_middle(&form, middle);
  sc_to_world(&start, middle, from), sc_to_world(&end, middle, to);
  for (int32_t k = 0; k < s->walls; k++) {
    const int32_t wall = s->wall[k], touched = world->shapes.row[wall].body;
    course moved;
    if (touched == row) continue;
    find_course(s, touched, &moved);
    if (is_path_far(from, to, &moved, world->bodies.radius[touched])) continue;
    sc_shapes_get(&world->shapes, wall, &other);
    if (sc_world_can_touch(world, row, touched, &form, &other))
      count += enters_wall(world, wall, &moved, from, to);
  }
  return count;
}

static void count_marked(const search *s) {
  scree_world *world = s->world;
  for (int32_t row = 0; row < world->bodies.count; row++) {
    if (!s->mark[row]) continue;
    course body;
    find_course(s, row, &body);
    for (int32_t shape = world->bodies.first_shape[row]; shape >= 0; shape = world->shapes.row[shape].next)
      for (int64_t left = count_shape(s, row, &body, shape); left > 0; left--)
        sc_world_note_body(&world->tracks.crossed, sc_bodies_id(&world->bodies, row));
  }
}

scree_status sc_world_count_crossings(scree_world *world, double dt, scree_error *error) {
  search s = {.world = world, .dt = dt};
  const size_t rows = (size_t)world->bodies.count;
  if (!world->tracks.count) return SCREE_OK;
  sc_arena_mark mark = sc_arena_here(&world->arena);
  s.mark = SC_TAKE(&world->arena, uint8_t, rows + 1);
  s.wall = SC_TAKE(&world->arena, int32_t, (size_t)world->shapes.count + 1);
  if (!s.mark || !s.wall)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the ways of %d bodies", world->bodies.count);
  memset(s.mark, 0, rows);
  mark_fast(&s);
  mark_deep(&s);
  if (s.any) list_walls(&s), count_marked(&s);
  sc_arena_back(&world->arena, mark);
  return SCREE_OK;
}
