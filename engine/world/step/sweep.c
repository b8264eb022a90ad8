/* Fast bodies: none of their shapes passes into another body, even if other bodies strike them.
 *
 * After a substep, conservative advancement (Mirtich 1996) tests the path of each fast body relative to every
 * shape near it. Let t be the time from the start (0) to the end (1) of the substep. Let f(t) be the gap of a
 * pair of shapes, and L a bound of |df/dt|. From t the pair can advance to t + (f - limit)/L before the gap
 * is below a limit. Let n be the normal of a pair of convex shapes and s their separation along n. The gap is
 * at least s, and s decreases at most at the speed C at which the pair closes along n. The pair can therefore
 * also advance to t + (s - limit)/C. A body that flies along a plane thus needs few steps of t.
 *
 * If the penetration of a pair would exceed a quarter of half the smaller width, both bodies stop at the t at
 * which they first touched: their paths are cut there. Cuts only become earlier. Fast bodies are tested again
 * until no cut becomes earlier. Velocities do not change, so the next step detects the contact and solves it.
 *
 * A kinematic body moves to the end of its path. It carries along the fast bodies that it touched. */
#include <string.h>
#include "collide/collide.h"
#include "collide/narrow/convex/convex.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"
#include "world/world.h"
#include "world/step/way.h"

/* Largest penetration that contacts resolve, divided by half the smaller width. */
static const double deepest = 0.25;

/* Largest penetration into a solid mesh that contacts resolve, divided by half the smaller width. It is
 * smaller than `deepest`, because the walls of a mesh may be thinner than its box. */
static const double deepest_in_mesh = 0.02;

/* Difference between gap and limit at which the limit counts as reached, divided by half the smaller
 * width. */
static const double close = 1e-3;

/* Largest number of gaps that are computed per pair; largest number of rounds over all fast bodies. */
enum { MOST_LOOKS = 20000, MOST_ROUNDS = 100 };

/* A pair of shapes and the paths of their bodies in the substep. */
typedef struct meeting {
  const sc_way *a, *b;
  sc_shape shape_a, shape_b;
  double size;    /* half the smaller width of the two shapes [m] */
  double deepest; /* largest penetration, divided by size */
  double rate;    /* bound of |df/dt|, f: gap, t: 0 to 1 over the substep [m] */
  /* part of `rate`: bound of the closing speed due to rotations of the shapes, per unit of t [m] */
  double turning;
  double way_a[3], way_b[3]; /* displacements of the bodies per unit of t [m] */
  bool gives_up;             /* true: the search ended early because MOST_LOOKS gaps were not enough */
} meeting;

/* The gap of a pair of shapes at time t. t: 0 at the start, 1 at the end of the substep. */
typedef struct view {
  double gap;     /* gap [m]; INFINITY: larger than the reach */
  double along;   /* separation along the normal [m]; -INFINITY: not known */
  double closing; /* upper bound of the closing speed along the normal, per unit of t [m] */
} view;

/* Returns the contact point with the smallest gap, or NULL if there is none. A ball far away from a solid
 * mesh also has contact points with the far side of the mesh, with a large penetration. For a ball and a mesh
 * the function therefore returns the contact point that is nearest to the centre of the ball. */
static const sc_touch *find_nearest(const meeting *m, const sc_touch *touch, int count) {
  const bool with_mesh = m->shape_a.type == SCREE_MESH || m->shape_b.type == SCREE_MESH;
  const sc_shape *ball = m->shape_a.type == SCREE_SPHERE ? &m->shape_a
      : m->shape_b.type == SCREE_SPHERE                  ? &m->shape_b
                                                         : NULL;
  const sc_touch *found = NULL;
  double nearest = INFINITY;
  for (int k = 0; k < count; k++) {
    const double from_centre = with_mesh && ball ? fabs(touch[k].gap + ball->radius) : touch[k].gap;
    if (from_centre < nearest) nearest = from_centre, found = touch + k;
  }
  return found;
}

/* Returns the separation of two placed shapes along the contact normal, a unit vector from b to a [m].
 * Returns -INFINITY if it is not known. */
static double separation_along(const sc_placed *a, const sc_placed *b, const sc_touch *touch) {
  const double *n = touch->normal, back[3] = {-n[0], -n[1], -n[2]};
  const sc_family family_a = sc_kind_of(a->shape)->family, family_b = sc_kind_of(b->shape)->family;
  sc_convex one, two;
  double low[3], high[3];
  if (family_a >= SC_FAMILY_HALFSPACE || family_b == SC_FAMILY_MESH) return -INFINITY;
  /* the contact normal is the normal of the half-space */
  if (family_b == SC_FAMILY_HALFSPACE) return touch->gap;
  sc_convex_of(a, b->position, &one), sc_convex_of(b, b->position, &two);
  sc_convex_support(&one, back, low), sc_convex_support(&two, n, high);
  sc_sub(low, high, low);
  return sc_dot(low, n) - one.radius - two.radius;
}

/* Returns the largest speed at which the pair can close along a unit vector n from b to a, per unit of t [m].
 * It allows for one body stopping before the other. */
static double closing_along(const meeting *m, const double n[3]) {
  const double by_a = -sc_dot(n, m->way_a), by_b = sc_dot(n, m->way_b);
  double closing = fmax(0, by_a + by_b);
  if (m->b->cut < 1) closing = fmax(closing, by_a);
  if (m->a->cut < 1) closing = fmax(closing, by_b);
  return closing + m->turning;
}

/* Computes the gap of a pair at t. A gap above `reach` is returned as INFINITY. */
static view view_at(const meeting *m, double t, double reach) {
  sc_placed a, b;
  sc_touch touch[SC_MAX_TOUCHES];
  double position[3], turn[4];
  sc_way_pose(m->a, t, position, turn);
  sc_place(&m->shape_a, position, turn, &a);
  sc_way_pose(m->b, t, position, turn);
  sc_place(&m->shape_b, position, turn, &b);
  const int count = sc_narrow(&a, &b, fmax(reach, 0), touch);
  const sc_touch *nearest = find_nearest(m, touch, count);
  if (!nearest) return (view){INFINITY, -INFINITY, INFINITY};
  return (view){nearest->gap, separation_along(&a, &b, nearest), closing_along(m, nearest->normal)};
}

/* Returns by how much t (0 to 1 over the substep) can increase before the gap is below a limit. */
static double time_to(const meeting *m, const view *v, double limit) {
  const double all_ways = (v->gap - limit) / m->rate;
  if (!(v->along > limit)) return all_ways;
  return v->closing > 0 ? fmax(all_ways, (v->along - limit) / v->closing) : INFINITY;
}

/* Advances t from *last until the gap is near a limit. Returns this t, or INFINITY if the gap does not come
 * near the limit. *last: receives the latest tested t at which the gap was not near the limit. */
static double advance_to(meeting *m, double limit, double *last) {
  double t = *last;
  for (int look = 0; look < MOST_LOOKS; look++) {
    const double left = m->rate * (1 - t);
    const view v = view_at(m, t, limit + left + close * m->size);
    if (!(v.gap - limit < left + close * m->size)) return INFINITY;
    if (v.gap - limit <= close * m->size) return t;
    *last = t;
    t = fmin(1, t + time_to(m, &v, limit));
    if (t >= 1 && *last >= 1) return INFINITY;
  }
  m->gives_up = true;
  return t;
}

/* Returns the t (0 to 1) at which the pair must stop because its penetration would become too large in the
 * substep, else INFINITY. The pair stops where it first touches. A pair that touches at the start continues
 * until the penetration is nearly too large. If it stopped at once, a pair that rotates into each other in
 * every step would never move again. */
static double stop_of(meeting *m) {
  if (!(m->rate > 0) || !(m->size > 0) || m->size == INFINITY) return INFINITY;
  const double start = view_at(m, 0, m->rate + m->size).gap;
  const double limit = fmin(
      -m->deepest * m->size, start - 2 * close * m->size); // not deeper than at the start
  double last = 0, touch = 0;
  if (!(advance_to(m, limit, &last) < INFINITY)) return INFINITY;
  if (start <= 2 * close * m->size) return last;
  const double reached = advance_to(m, 0, &touch);
  return reached < INFINITY ? reached : touch;
}

/* Returns the largest distance of a point of a shape from the origin of its body [m]. */
static double span_of(const sc_shape *shape) { return sc_norm(shape->position) + shape->bound; }

/* Returns the lever arm of a shape under rotations of its body [m]. For a sphere only its centre counts,
 * because a rotation about the centre does not change a sphere. */
static double turning_span_of(const sc_shape *shape) {
  return shape->type == SCREE_SPHERE ? sc_norm(shape->position) : span_of(shape);
}

/* Returns half the smallest width of a shape [m]; for a solid mesh, half the smallest width of its box.
 * *is_solid: true for a solid mesh. */
static double half_width_of_shape(const scree_world *world, int32_t shape, bool *is_solid) {
  const scree_geometry *g = sc_shapes_geometry(&world->shapes, shape);
  *is_solid = g && g->type == SCREE_MESH && g->is_solid;
  if (!*is_solid) return sc_world_half_width(&world->shapes, shape);
  return 0.5 * fmin(g->max[0] - g->min[0], fmin(g->max[1] - g->min[1], g->max[2] - g->min[2]));
}

static bool make_meeting(const scree_world *world, int32_t row, int32_t shape, const sc_way *a, int32_t other,
    const sc_way *b, meeting *m) {
  const int32_t touched = world->shapes.row[other].body;
  double start[3], end[3];
  m->a = a, m->b = b;
  sc_shapes_get(&world->shapes, shape, &m->shape_a);
  sc_shapes_get(&world->shapes, other, &m->shape_b);
  if (!sc_world_can_touch(world, row, touched, &m->shape_a, &m->shape_b)) return false;
  for (int k = 0; k < 3; k++) start[k] = a->from[k] - b->from[k], end[k] = a->to[k] - b->to[k];
  const double span = span_of(&m->shape_a), apart = fmax(sc_norm(start), sc_norm(end));
  double relative[3];
  sc_sub(end, start, relative);
  sc_sub(a->to, a->from, m->way_a), sc_sub(b->to, b->from, m->way_b);
  double way = sc_norm(relative); /* one body may stop before the other */
  if (b->cut < 1) way = fmax(way, sc_norm(m->way_a));
  if (a->cut < 1) way = fmax(way, sc_norm(m->way_b));
  /* Points of b that touch a move with b as if they were points of a. */
  const double own = a->rate * turning_span_of(&m->shape_a);
  m->rate = way + own + b->rate * (apart + span);
  m->turning = own + (b->rate > 0 ? b->rate * turning_span_of(&m->shape_b) : 0);
  m->gives_up = false;
  bool solid[2];
  m->size = fmin(half_width_of_shape(world, shape, solid), half_width_of_shape(world, other, solid + 1));
  m->deepest = solid[0] || solid[1] ? deepest_in_mesh : deepest;
  return sc_norm(start) <=
      m->rate + span + span_of(&m->shape_b); // true for a half-space, whose span is INFINITY
}

/* Data of a test of all fast bodies in a substep. */
typedef struct fast_sweep {
  scree_world *world;
  double dt;
  double *cut;      /* [bodies] share of the substep after which the body stops; 1: it does not stop */
  double *share;    /* [bodies] share of the substep dt in which the body has moved, 0 to 1 */
  uint8_t *guessed; /* [bodies] 1: the search for the body's stop ended early */
  bool walls_only;  /* true: only fixed and kinematic bodies stop fast bodies */
} fast_sweep;

/* The earliest stop of a fast body over all shapes of other bodies. */
typedef struct stop {
  double t;        /* end of the body's path, 0 to 1, as a share of the substep; INFINITY: it does not stop */
  int32_t touched; /* row of the touched body */
  sc_way other;    /* path of the touched body */
  bool is_guess;   /* true: the search for the stop ended early */
} stop;

/* Returns true if two bodies cannot come near each other in the substep. a: path of the body in `row`. */
static bool is_body_far(const scree_world *world, int32_t row, int32_t touched, double dt, const sc_way *a) {
  const sc_bodies *bodies = &world->bodies;
  double start[3], apart[3];
  sc_world_track_start(world, touched, dt, start);
  sc_sub(bodies->position[touched], start, start);
  sc_sub(a->to, bodies->position[touched], apart);
  return sc_norm(apart) > a->length + sc_norm(start) + bodies->radius[row] + bodies->radius[touched];
}

static void try_shape(const fast_sweep *f, int32_t row, int32_t other, const sc_way *a, stop *s) {
  const scree_world *world = f->world;
  const int32_t touched = world->shapes.row[other].body;
  sc_way b;
  meeting m;
  if (touched == row || (f->walls_only && world->bodies.kind[touched] == SCREE_DYNAMIC) ||
      is_body_far(world, row, touched, f->dt, a))
    return;
  sc_way_of(world, touched, f->dt, f->share[touched], &b);
  b.cut = f->cut[touched];
  for (int32_t shape = world->bodies.first_shape[row]; shape >= 0; shape = world->shapes.row[shape].next) {
    if (!make_meeting(world, row, shape, a, other, &b, &m)) continue;
    const double t = stop_of(&m);
    if (t < s->t) s->t = t, s->other = b, s->touched = touched, s->is_guess = m.gives_up;
  }
}

static void find_stop(const fast_sweep *f, const sc_fast_body *fast, int32_t row, sc_way *a, stop *s) {
  *s = (stop){.t = INFINITY};
  sc_way_of_fast(f->world, row, fast, f->dt, f->share[row], a);
  a->cut = f->cut[row];
  for (int32_t other = 0; other < f->world->shapes.count; other++) try_shape(f, row, other, a, s);
}

/* Computes the final pose of a body that stops at a touched body and is carried along to the end of the
 * touched body's path. */
static void carry_body(const sc_way *a, const stop *s, double position[3], double turn[4]) {
  double at[3], at_turn[4], there[3], there_turn[4], back[4], change[4], product[4], arm[3];
  sc_way_pose(a, s->t, at, at_turn);
  sc_way_pose(&s->other, s->t, there, there_turn);
  for (int k = 0; k < 4; k++) back[k] = k ? -there_turn[k] : there_turn[k];
  sc_quat_mul(s->other.to_turn, back, change);
  sc_sub(at, there, arm);
  sc_quat_rotate(change, arm, arm);
  sc_add(s->other.to, arm, position);
  sc_quat_mul(change, at_turn, product);
  sc_quat_normalise(product, turn);
}

/* Returns the row of a fast body if this rank moves the body, else -1. */
static int32_t row_of_fast(const scree_world *world, const sc_fast_body *fast) {
  const int32_t row = sc_bodies_row(&world->bodies, fast->id);
  return row >= 0 && world->bodies.kind[row] == SCREE_DYNAMIC && sc_bodies_own(&world->bodies, row) ? row
                                                                                                    : -1;
}

/* Cuts the path of a body at t. Returns true if the path now ends earlier than before. */
static bool cut_way(const fast_sweep *f, int32_t row, double t) {
  if (f->world->bodies.kind[row] != SCREE_DYNAMIC || !(t < f->cut[row])) return false;
  f->cut[row] = t;
  return true;
}

/* Tests all fast bodies once. Returns true if it has cut a path. */
static bool cut_ways(const fast_sweep *f) {
  const sc_tracks *tracks = &f->world->tracks;
  bool any = false;
  for (int32_t k = 0; k < tracks->fasts; k++) {
    const int32_t row = row_of_fast(f->world, tracks->fast + k);
    sc_way a;
    stop s;
    if (row < 0) continue;
    find_stop(f, tracks->fast + k, row, &a, &s);
    if (!(s.t < 1)) continue;
    if (cut_way(f, row, s.t)) any = true, f->guessed[row] = s.is_guess;
    any |= cut_way(f, s.touched, s.t);
  }
  return any;
}

/* Moves a body to the pose at which its path m is cut. */
static void move_to_cut(const fast_sweep *f, int32_t row, const sc_way *m) {
  double position[3], turn[4];
  sc_way_pose(m, f->cut[row], position, turn);
  sc_way_move_body(f->world, row, position, turn);
  f->share[row] = f->cut[row], f->cut[row] = 1;
}

/* Moves all bodies with cut paths to the poses at which they stop. */
static void move_to_cuts(const fast_sweep *f) {
  scree_world *world = f->world;
  for (int32_t k = 0; k < world->tracks.fasts; k++) { /* the start of a fast body is recorded exactly */
    const int32_t row = row_of_fast(world, world->tracks.fast + k);
    sc_way m;
    if (row < 0 || !(f->cut[row] < 1)) continue;
    sc_way_of_fast(world, row, world->tracks.fast + k, f->dt, 1, &m);
    move_to_cut(f, row, &m);
  }
  for (int32_t row = 0; row < world->bodies.count; row++) {
    sc_way m;
    if (!(f->cut[row] < 1) || !sc_bodies_own(&world->bodies, row)) continue;
    sc_way_of(world, row, f->dt, 1, &m);
    move_to_cut(f, row, &m);
  }
}

/* Carries fast bodies along with moving walls that they touch and that do not stop. */
static void carry_along(fast_sweep *f) {
  const sc_tracks *tracks = &f->world->tracks;
  f->walls_only = true;
  for (int32_t k = 0; k < tracks->fasts; k++) {
    const int32_t row = row_of_fast(f->world, tracks->fast + k);
    sc_way a;
    stop s;
    double position[3], turn[4];
    if (row < 0) continue;
    find_stop(f, tracks->fast + k, row, &a, &s);
    if (!(s.t < 1)) continue;
    carry_body(&a, &s, position, turn);
    sc_way_move_body(f->world, row, position, turn);
  }
}

scree_status sc_world_stop_fast(scree_world *world, double dt, scree_error *error) {
  fast_sweep f = {.world = world, .dt = dt};
  const size_t rows = (size_t)world->bodies.count;
  if (!world->tracks.fasts) return SCREE_OK;
  sc_arena_mark mark = sc_arena_here(&world->arena);
  f.cut = SC_TAKE(&world->arena, double, rows + 1);
  f.share = SC_TAKE(&world->arena, double, rows + 1);
  f.guessed = SC_TAKE(&world->arena, uint8_t, rows + 1);
  if (!f.cut || !f.share || !f.guessed)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the ways of %d bodies", world->bodies.count);
  for (size_t row = 0; row < rows; row++) f.cut[row] = f.share[row] = 1, f.guessed[row] = 0;
  int round = 0;
  while (round < MOST_ROUNDS && cut_ways(&f)) round++;
  for (size_t row = 0; row < rows && round == MOST_ROUNDS; row++)
    if (f.cut[row] < 1) f.cut[row] = 0;
  for (int32_t row = 0; row < world->bodies.count; row++)
    if (f.guessed[row]) sc_world_note_body(&world->tracks.held_back, sc_bodies_id(&world->bodies, row));
  move_to_cuts(&f);
  carry_along(&f);
  sc_arena_back(&world->arena, mark);
  return SCREE_OK;
}
