/* Faces of pairs with a stiffness per area: tributary areas of contact points, and the state of joints (law
 * joint).
 *
 * A face consists of contact points between two shapes whose normals differ by less than 8 degrees. The area
 * of the face is that of the convex hull of these points. The hull is divided into triangles that meet at the
 * mean of its corners. Each triangle is split in thirds. Its two corners of the hull get one third each. The
 * last thirds of all triangles are divided equally among the corners of the hull. The areas of the points
 * therefore have the sum and the centroid of the face, for any number of points. A point inside the hull gets
 * almost no area. If the bodies touch in an edge or a corner, the hull has no area. The points then keep the
 * areas that they had in their face.
 *
 * All points of a face have the same state. A face is intact if its surfaces touch in the first step of one
 * of its bodies. An intact face breaks in tension if one of its points bears the largest tension that its
 * area can bear. It slips if the friction of all loaded points is at its bound. */
#include "world/step/faces.h"

#include <math.h>
#include <string.h>
#include "law/joint_law.h"
#include "math/vec.h"
#include "model/relative.h"
#include "world/world.h"

/* cosine of the largest angle between normals of points of one face */
static const double SAME_FACE = 0.99;
/* largest area of a hull that counts as an edge, divided by R^2 (R: sc_collide_radius) */
static const double LEAST_AREA = 1e-3;
/* area of an edge or corner that belonged to no face, divided by R^2 */
static const double EDGE_AREA = 0.1;
static const double INNER_AREA = 1e-6; /* area of a point inside the hull, divided by the area of the face */
static const double TOUCHES = 1e-3;    /* largest gap at which a new face is intact, divided by R */
/* relative distance from the strength at which a point counts as failed */
static const double AT_STRENGTH = 1e-6;

typedef struct face {
  scree_world *world;
  const sc_rule *rule;
  bool is_joint;
  int count;
  int32_t contact[SC_MAX_TOUCHES];
  sc_contact at[SC_MAX_TOUCHES];
  scree_error *error;
} face;

/* Sets *f to the face of contact `first`: the contacts first .. end - 1 with the same normal that belong to
 * no other face. pair: first contact of the pair of shapes. taken: bit k: contact pair + k belongs to a face;
 * for the first 64 contacts of the pair. */
static void collect_face(face *f, int32_t pair, int32_t first, int32_t end, uint64_t *taken) {
  f->count = 0;
  for (int32_t k = first; k < end && f->count < SC_MAX_TOUCHES; k++) {
    if (k - pair < 64 && *taken >> (k - pair) & 1) continue;
    sc_world_contact(f->world, k, f->at + f->count);
    if (f->count && sc_dot(f->at[0].normal, f->at[f->count].normal) < SAME_FACE) continue;
    f->contact[f->count++] = k;
    if (k - pair < 64) *taken |= UINT64_C(1) << (k - pair);
  }
}

/* Calls visit for each face. joints: true to visit only faces with law joint. Stops at the first error and
 * returns it. */
static scree_status visit_faces(
    scree_world *world, bool joints, scree_status (*visit)(face *f), scree_error *error) {
  face f = {.world = world, .error = error};
  sc_sides sides;
  for (int32_t c = 0, end; c < world->contacts.count; c = end) {
    end = sc_collide_pair_sides(world->collide, &world->shapes, c, world->contacts.count, &sides);
    if (sides.body1 < 0) continue;
    f.rule = sc_world_rule(world, sides.material1, sides.material2);
    if (!(f.rule->stiffness.kn > 0)) continue;
    f.is_joint = sc_law_is_joint(world->laws.law[f.rule->law]);
    if (joints && !f.is_joint) continue;
    uint64_t taken = 0;
    for (int32_t first = c; first < end; first++) {
      collect_face(&f, c, first, end, &taken);
      const scree_status status = f.count ? visit(&f) : SCREE_OK;
      if (status != SCREE_OK) return status;
    }
  }
  return SCREE_OK;
}

static sc_face_point *point_of(const face *f, int k) {
  return sc_contact_face(&f->world->contacts, f->contact[k]);
}

/* ---- tributary areas ---- */

typedef struct corner {
  double x, y;
  int point;
} corner;

static double cross_of(const corner *a, const corner *b, const corner *c) {
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Returns true if the polar angle of a is smaller than that of b, around the origin and from the x axis. */
static bool is_before(const corner *a, const corner *b) {
  const bool low1 = a->y < 0 || (a->y == 0 && a->x < 0), low2 = b->y < 0 || (b->y == 0 && b->x < 0);
  return low1 != low2 ? low2 : a->x * b->y - a->y * b->x > 0;
}

/* Computes the coordinates of the points of a face in its plane, relative to their mean, sorted by polar
 * angle. */
static void sort_corners(const face *f, corner *out) {
  double t[3], o[3], x = 0, y = 0;
  sc_frame(f->at[0].normal, t, o);
  for (int k = 0; k < f->count; k++) {
    double d[3];
    sc_sub(f->at[k].point, f->at[0].point, d);
    out[k] = (corner){sc_dot(d, t), sc_dot(d, o), k};
    x += out[k].x / f->count, y += out[k].y / f->count;
  }
  for (int k = 0; k < f->count; k++) {
    corner c = {out[k].x - x, out[k].y - y, out[k].point};
    int at = k;
    for (; at > 0 && is_before(&c, out + at - 1); at--) out[at] = out[at - 1];
    out[at] = c;
  }
}

/* Removes corners that lie inside the convex hull. Returns the number of corners of the hull. */
static int keep_hull(corner *c, int count) {
  for (int k = 0; k < count && count > 3;) {
    if (cross_of(c + (k + count - 1) % count, c + k, c + (k + 1) % count) >= 0) {
      k++;
      continue;
    }
    memmove(c + k, c + k + 1, (size_t)(--count - k) * sizeof *c);
    k = k ? k - 1 : 0;
  }
  return count;
}

/* Sets area[] to the tributary area of each point of a face [m2]. Returns the area of the face. */
static double divide_area(const face *f, double *area) {
  corner c[SC_MAX_TOUCHES], middle = {0, 0, 0};
  double total = 0;
  for (int k = 0; k < f->count; k++) area[k] = 0;
  if (f->count < 3) return 0;
  sort_corners(f, c);
  const int count = keep_hull(c, f->count);
  for (int k = 0; k < count; k++) middle.x += c[k].x / count, middle.y += c[k].y / count;
  for (int k = 0; k < count; k++) {
    const corner *next = c + (k + 1) % count;
    const double triangle = fmax(0, cross_of(&middle, c + k, next)) / 2;
    area[c[k].point] += triangle / 3, area[next->point] += triangle / 3;
    total += triangle;
  }
  for (int k = 0; k < count; k++) area[c[k].point] += total / (3 * count);
  for (int k = 0; k < f->count; k++) area[k] = fmax(area[k], INNER_AREA * total);
  return total;
}

/* Returns the area of a point of a face without a hull: the mean area of its points in the last step. If no
 * point had an area, returns the area of an edge. */
static double edge_area(const face *f, double radius) {
  double sum = 0;
  int count = 0;
  for (int k = 0; k < f->count; k++)
    if (point_of(f, k)->area > 0) sum += point_of(f, k)->area, count++;
  return count ? sum / count : EDGE_AREA * radius * radius / f->count;
}

static double radius_of(const face *f) {
  return sc_collide_radius(f->world->collide, &f->world->bodies, f->contact[0]);
}

static void set_areas(const face *f) {
  double area[SC_MAX_TOUCHES], total = divide_area(f, area);
  const double radius = radius_of(f), edge = edge_area(f, radius);
  if (total <= LEAST_AREA * radius * radius) {
    total = 0;
    for (int k = 0; k < f->count; k++) area[k] = point_of(f, k)->area > 0 ? point_of(f, k)->area : edge;
    for (int k = 0; k < f->count; k++) total += area[k];
  }
  for (int k = 0; k < f->count; k++) point_of(f, k)->area = area[k], point_of(f, k)->total = total;
}

/* ---- the state of a face ---- */

/* Returns true if a body has taken part in an earlier step with faces. */
static bool is_known(const scree_world *world, int32_t row) {
  const uint32_t slot = world->bodies.slot[row],
                 generation = (uint32_t)(sc_bodies_id(&world->bodies, row) >> 32);
  return slot < world->contacts.knowns && world->contacts.known[slot] == generation + 1;
}

static scree_status note_bodies(scree_world *world, scree_error *error) {
  size_t need = world->contacts.knowns, capacity = need;
  for (int32_t row = 0; row < world->bodies.count; row++)
    if (world->bodies.slot[row] >= need) need = (size_t)world->bodies.slot[row] + 1;
  if (need > capacity) {
    if (!sc_grow_lean((void **)&world->contacts.known, &world->contacts.known_capacity, need,
            sizeof *world->contacts.known))
      return sc_fail(error, SCREE_E_MEMORY, "no memory for the joints of %d bodies", world->bodies.count);
    memset(world->contacts.known + capacity, 0, (need - capacity) * sizeof *world->contacts.known);
    world->contacts.knowns = need;
  }
  for (int32_t row = 0; row < world->bodies.count; row++)
    world->contacts.known[world->bodies.slot[row]] = (uint32_t)(sc_bodies_id(&world->bodies, row) >> 32) + 1;
  return SCREE_OK;
}

/* Returns the status of a face that did not exist in any earlier step. */
static int new_status(const face *f) {
  const double reach = TOUCHES * radius_of(f);
  bool touches = false;
  for (int k = 0; k < f->count; k++) touches = touches || f->at[k].gap <= reach;
  const bool is_new = !is_known(f->world, f->at[0].body1) || !is_known(f->world, f->at[0].body2);
  return touches && is_new ? SCREE_FACE_INTACT : SCREE_FACE_OPEN;
}

static scree_status check_opening(const face *f) {
  const sc_joint_strength s = sc_joint_strength_of(f->rule->params, SCREE_FACE_INTACT);
  const sc_bodies *bodies = &f->world->bodies;
  const double radius = fmin(bodies->radius[f->at[0].body1], bodies->radius[f->at[0].body2]),
               opening = s.tension / f->rule->stiffness.kn,
               reach = sc_collide_reach(f->world->collide, radius);
  if (opening < reach) return SCREE_OK;
  return sc_fail(f->error, SCREE_E_ARGUMENT,
      "law joint: a face opens by tension/kn = %g m before it breaks, beyond the gap of %g m at which "
      "contacts end; "
      "give a larger kn or world.margin",
      opening, reach);
}

/* Copies the state of the most broken point to all points of a face. If no point has a state, sets a new
 * state. */
static scree_status share_state(const face *f) {
  sc_face_point state = {0};
  for (int k = 0; k < f->count; k++)
    if (point_of(f, k)->status > state.status) state = *point_of(f, k);
  if (state.status == SCREE_FACE_NONE) {
    state = (sc_face_point){.status = new_status(f)};
    const scree_status status = state.status == SCREE_FACE_INTACT ? check_opening(f) : SCREE_OK;
    if (status != SCREE_OK) return status;
  }
  for (int k = 0; k < f->count; k++) {
    sc_face_point *p = point_of(f, k);
    state.area = p->area, state.total = p->total;
    *p = state;
  }
  return SCREE_OK;
}

/* Conserves the tangential force of a face if points have vanished: distributes the missing force over all
 * points, by area. */
static void conserve_force(const face *f) {
  double lack[3], n[3];
  sc_copy3(f->at[0].normal, n);
  sc_copy3(point_of(f, 0)->force, lack);
  const double whole = sc_norm(lack);
  for (int k = 0; k < f->count; k++) sc_sub(lack, f->at[k].impulse, lack);
  sc_axpy(-sc_dot(lack, n), n, lack, lack);
  if (!(sc_norm(lack) > 1e-9 * whole) || !(whole > 0)) return;
  for (int k = 0; k < f->count; k++) {
    double p[3];
    sc_axpy(point_of(f, k)->area / point_of(f, k)->total, lack, f->at[k].impulse, p);
    sc_collide_keep(f->world->collide, f->contact[k], p, f->at[k].state);
  }
}

/* Clears the state that the law `joint` has left, because the pair has another law now. */
static void forget_joint(const face *f) {
  for (int k = 0; k < f->count; k++) {
    sc_face_point *p = point_of(f, k);
    *p = (sc_face_point){.area = p->area, .total = p->total};
  }
}

static scree_status begin_face(face *f) {
  set_areas(f);
  if (!f->is_joint) forget_joint(f);
  const scree_status status = f->is_joint ? share_state(f) : SCREE_OK;
  if (status == SCREE_OK && f->is_joint && (int)point_of(f, 0)->count != f->count) conserve_force(f);
  return status;
}

scree_status sc_faces_begin(scree_world *world, scree_error *error) {
  if (!world->contacts.faces || !world->contacts.state) return SCREE_OK;
  const scree_status status = world->ranks->refuse(world->ranks->context,
      "pair: stiffness per area (kn) works", "contact_stiffness works on several", error);
  return status == SCREE_OK ? visit_faces(world, false, begin_face, error) : status;
}

/* ---- faces after a step ---- */

/* Loads of a face relative to the strength of its points. */
typedef struct face_load {
  bool broken, slides, holds, touches;
  double force[3], slip[3]; /* sum of tangential impulses [N s]; mean slip in the step [m] */
} face_load;

/* Adds the slip of a point in the step to load->slip, weighted by its area. */
static void add_slip(const face *f, int k, face_load *load) {
  const sc_contact *c = f->at + k;
  const sc_bodies *bodies = &f->world->bodies;
  double r1[3], r2[3], u[3];
  sc_contact_arms(bodies, c->body1, c->body2, &c->image, c->point, c->normal, r1, r2);
  sc_relative_velocity(bodies, c->body1, r1, c->body2, &c->image, r2, c->normal, u);
  sc_axpy(-sc_dot(u, c->normal), c->normal, u, u);
  sc_axpy(f->world->problem.dt * point_of(f, k)->area / point_of(f, k)->total, u, load->slip, load->slip);
}

static void add_point_load(const face *f, int k, const sc_joint_strength *s, face_load *load) {
  const sc_contact *c = f->at + k;
  const double scale = point_of(f, k)->area * f->world->problem.dt, x_n = sc_dot(c->impulse, c->normal);
  double t[3];
  sc_axpy(-x_n, c->normal, c->impulse, t);
  sc_add(load->force, t, load->force);
  add_slip(f, k, load);
  const bool loaded = x_n != 0 || sc_dot(t, t) > 0;
  load->touches = load->touches || loaded || c->gap <= 1e-9 * radius_of(f);
  if (!loaded) return;
  load->broken = load->broken || (s->tension > 0 && x_n <= -(1 - AT_STRENGTH) * scale * s->tension);
  const bool at_bound = sc_norm(t) >= (1 - AT_STRENGTH) * (scale * s->cohesion + s->mu * x_n);
  load->slides = load->slides || at_bound, load->holds = load->holds || !at_bound;
}

/* Returns the status that a face has after a step. */
static int next_status(int status, const face_load *load) {
  if (load->broken || !load->touches) return SCREE_FACE_OPEN;
  return status == SCREE_FACE_INTACT && load->slides && !load->holds ? SCREE_FACE_SLIPPED : status;
}

static scree_status keep_face(face *f) {
  sc_face_point state = *point_of(f, 0);
  face_load load = {0};
  const sc_joint_strength s = sc_joint_strength_of(f->rule->params, (int)state.status);
  for (int k = 0; k < f->count; k++) add_point_load(f, k, &s, &load);
  if (load.slides && !load.holds) {
    const double way = sc_norm(load.slip);
    state.dilation += way * sc_joint_dilation(f->rule->params, state.slip);
    state.slip += way;
  }
  state.status = next_status((int)state.status, &load);
  state.count = f->count;
  sc_copy3(load.force, state.force);
  for (int k = 0; k < f->count; k++) {
    state.area = point_of(f, k)->area;
    *point_of(f, k) = state;
  }
  return SCREE_OK;
}

void sc_faces_keep(scree_world *world) {
  if (!world->contacts.faces || !world->contacts.state) return;
  visit_faces(world, true, keep_face, NULL);
}

scree_status sc_faces_close(scree_world *world, scree_error *error) {
  return world->contacts.faces ? note_bodies(world, error) : SCREE_OK;
}

void sc_faces_read(const scree_world *world, int32_t index, scree_contact *out) {
  const sc_face_point *point = sc_contact_face(&world->contacts, index);
  if (!point) return;
  out->area = point->area, out->slip = point->slip, out->face = (int)point->status;
}
