/* Functions of the public interface that add, remove, read and set bodies. */
#include "world/bodies/rows.h"
#include "model/rest.h"
#include "world/world.h"
#include "math/vec.h"
#include "model/mass.h"
#include "model/shape/kind.h"
#include "world/bodies/weigh.h"
#include "world/bodies/fast.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

static const char *body_name(const void *context, int i) {
  return ((const scree_world *)context)->names.name[i].name;
}

scree_id scree_world_find(const scree_world *world, const char *name, scree_error *error) {
  SC_DEMAND(world && name, error, 0);
  int32_t i = sc_names_find_body(&world->names, name);
  if (i >= 0) return world->names.name[i].id;
  const char *near = scree_nearest_name(name, world->names.count, body_name, world);
  sc_fail(error, SCREE_E_ARGUMENT, "no body is called \"%s\"%s%s%s", name, near ? "; did you mean \"" : "",
      near ? near : "", near ? "\"?" : "");
  return 0;
}

static void forget_name(scree_world *world, scree_id id) {
  sc_names_forget_points(&world->names, id);
  sc_tracks_forget_fast(&world->tracks, id);
  for (int32_t i = 0; i < world->names.count; i++)
    if (world->names.name[i].id == id) {
      sc_names_drop_body(&world->names, i);
      return;
    }
}

/* ---- checks ---- */

static scree_status check_finite_vector(const double *v, int n, const char *what, scree_error *error) {
  for (int k = 0; k < n; k++)
    if (!isfinite(v[k]))
      return sc_fail(error, SCREE_E_ARGUMENT, "%s[%d] is %s", what, k + 1, isnan(v[k]) ? "NaN" : "infinite");
  return SCREE_OK;
}

static scree_status check_shape(
    const scree_world *world, const scree_shape_def *shape, int kind, scree_error *error) {
  scree_status status = sc_shape_check(shape, error);
  if (status == SCREE_OK)
    status = scree_param_check_all(
        scree_shape_place_params, scree_shape_place_params_count, shape, "", error);
  if (status == SCREE_OK)
    status = scree_param_check_all(scree_shape_params, scree_shape_params_count, shape, "", error);
  if (status != SCREE_OK) return status;
  if (kind == SCREE_DYNAMIC && shape->type == SCREE_HALFSPACE)
    return sc_fail(error, SCREE_E_ARGUMENT, "a half-space has no mass: its body must be fixed or kinematic");
  if (kind == SCREE_DYNAMIC && !(scree_shape_kind_at(shape->type)->flags & SCREE_SHAPE_SOLID))
    return sc_fail(error, SCREE_E_ARGUMENT, "a %s can only belong to a fixed or kinematic body",
        scree_shape_kind_at(shape->type)->name);
  if (shape->material < 0 || shape->material >= world->pairs.materials)
    return sc_fail(error, SCREE_E_ARGUMENT, "a shape's material does not exist");
  return SCREE_OK;
}

static const char NOT_FIXED[] =
    "surface_velocity and surface_spin are of fixed bodies; others move with their velocity and spin";

/* Returns true if some distribution of mass can have this inertia tensor. The second moments of mass (trace/2
 * minus the inertia) must then be positive semidefinite, within a relative error of 1e-6. */
static bool is_of_matter(const double inertia[6]) {
  double half = 0.5 * (1 + 1e-6) * (inertia[0] + inertia[3] + inertia[5]), ignored[6];
  const double moments[6] = {
      half - inertia[0], -inertia[1], -inertia[2], half - inertia[3], -inertia[4], half - inertia[5]};
  return sc_sym_invert(moments, ignored);
}

scree_status sc_world_check_body(const scree_world *world, const scree_body_def *def, scree_error *error) {
  scree_status status = scree_param_check_all(scree_body_params, scree_body_params_count, def, "", error);
  if (status == SCREE_OK) status = check_finite_vector(def->inertia, 6, "inertia", error);
  if (status != SCREE_OK) return status;
  double q[4];
  if (!sc_quat_normalise(def->orientation, q))
    return sc_fail(error, SCREE_E_ARGUMENT, "orientation must not be zero");
  if (def->kind != SCREE_DYNAMIC && def->mass != 0)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "mass: a fixed or kinematic body has infinite mass, none may be given");
  if (def->kind == SCREE_FIXED && (sc_norm(def->velocity) > 0 || sc_norm(def->spin) > 0))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "a fixed body cannot have a velocity or spin; make it kinematic, or say surface_velocity");
  if (def->kind != SCREE_FIXED && (sc_norm(def->surface_velocity) > 0 || sc_norm(def->surface_spin) > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, NOT_FIXED);
  if (def->has_centre && (def->kind != SCREE_DYNAMIC || !(def->mass > 0) || !sc_any6(def->inertia)))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "centre: mass and inertia of a dynamic body must be given with it");
  if (def->shapes_count < 1 && (def->kind != SCREE_DYNAMIC || !(def->mass > 0) || !sc_any6(def->inertia)))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "a body needs at least one shape, unless it is dynamic and has mass and inertia given");
  for (int i = 0; i < def->shapes_count && status == SCREE_OK; i++)
    status = check_shape(world, def->shapes + i, def->kind, error);
  if (status != SCREE_OK) return status;
  if (def->fast && def->kind != SCREE_DYNAMIC)
    return sc_fail(error, SCREE_E_ARGUMENT, "fast: only a dynamic body can be fast");
  if (def->name && strlen(def->name) >= SC_NAME_MAX)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "body name \"%.20s...\" is longer than %d", def->name, SC_NAME_MAX - 1);
  if (def->name && sc_names_find_body(&world->names, def->name) >= 0)
    return sc_fail(error, SCREE_E_ARGUMENT, "there is already a body \"%s\"", def->name);
  return SCREE_OK;
}

/* ---- creation of bodies ---- */

/* Sets mass, inertia and centre of mass of a new body. Moves the shapes so that the centre of mass is their
 * origin. */
static scree_status weigh_body(scree_world *world, int32_t row, const scree_body_def *def, sc_shape *shapes,
    double inertia[6], double inverse[6], scree_error *error) {
  sc_bodies *bodies = &world->bodies;
  sc_mass sum;
  scree_status status = sc_world_sum_mass(world, def, shapes, &sum, error);
  if (status != SCREE_OK) return status;
  if (def->has_centre) sc_copy3(def->centre, sum.centre);
  double share = def->shapes_count < 1 ? 0 : def->mass > 0 ? def->mass / sum.mass : 1;
  bodies->mass[row] = def->shapes_count < 1 ? def->mass : sum.mass * share;
  bodies->inv_mass[row] = 1 / bodies->mass[row];
  for (int k = 0; k < 6; k++) inertia[k] = sc_any6(def->inertia) ? def->inertia[k] : sum.inertia[k] * share;
  if (!sc_sym_invert(inertia, inverse))
    return sc_fail(error, SCREE_E_ARGUMENT, "inertia is not positive definite");
  if (sc_any6(def->inertia) && !is_of_matter(inertia))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "inertia: no distribution of mass has it, one principal moment is larger than the sum of the others");
  double offset[3];
  if (!sc_bodies_set_centre(bodies, row, sum.centre))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a body");
  sc_quat_rotate(bodies->orientation[row], sum.centre, offset);
  sc_add(bodies->position[row], offset, bodies->position[row]);
  for (int i = 0; i < def->shapes_count; i++) sc_sub(shapes[i].position, sum.centre, shapes[i].position);
  return SCREE_OK;
}

/* Returns true if the body is one sphere about its centre of mass with isotropic inertia. */
static bool is_ball(const sc_shape *shapes, int count, const double I[6]) {
  bool isotropic = I[0] == I[3] && I[3] == I[5] && I[1] == 0 && I[2] == 0 && I[4] == 0;
  return count == 1 && shapes->type == SCREE_SPHERE && sc_norm(shapes->position) == 0 && isotropic;
}

/* Returns the largest radius of gyration [m]. A body without shapes uses it as its radius, which scales its
 * spin. */
static double gyration_radius(double mass, const double I[6]) {
  return sqrt(fmax(I[0], fmax(I[3], I[5])) / mass);
}

static scree_status fill_row(
    scree_world *world, int32_t row, const scree_body_def *def, sc_shape *shapes, scree_error *error) {
  sc_bodies *bodies = &world->bodies;
  double inertia[6] = {0}, inverse[6] = {0};
  sc_copy3(def->position, bodies->position[row]);
  sc_quat_normalise(def->orientation, bodies->orientation[row]);
  const bool fixed = def->kind == SCREE_FIXED;
  sc_copy3(fixed ? def->surface_velocity : def->velocity, bodies->velocity[row]);
  sc_copy3(fixed ? def->surface_spin : def->spin, bodies->spin[row]);
  bodies->kind[row] = (uint8_t)def->kind;
  for (int i = 0; i < def->shapes_count; i++) sc_world_make_shape(def->shapes + i, (uint32_t)i, shapes + i);
  if (def->kind == SCREE_DYNAMIC) {
    scree_status status = weigh_body(world, row, def, shapes, inertia, inverse, error);
    if (status != SCREE_OK) return status;
  }
  bodies->radius[row] = def->shapes_count ? sc_world_reach(shapes, def->shapes_count)
                                          : gyration_radius(bodies->mass[row], inertia);
  if (sc_bodies_set_group(bodies, row, def->group) &&
      sc_bodies_set_inertia(bodies, row, is_ball(shapes, def->shapes_count, inertia), inertia, inverse))
    return SCREE_OK;
  return sc_fail(error, SCREE_E_MEMORY, "no memory for a body");
}

scree_id scree_world_add(scree_world *world, const scree_body_def *def, scree_error *error) {
  SC_DEMAND(world && def && (def->shapes || def->shapes_count <= 0), error, 0);
  enum { FEW = 8 };
  sc_shape few[FEW], *shapes = few;
  if (sc_world_check_body(world, def, error) != SCREE_OK) return 0;
  if (def->shapes_count > FEW) shapes = sc_alloc((size_t)def->shapes_count * sizeof *shapes);
  int32_t row = -1;
  scree_status status = def->fast ? sc_tracks_reserve_fast(&world->tracks, world->bodies.cell, error)
                                  : SCREE_OK;
  if (status == SCREE_OK && shapes &&
      sc_shapes_reserve(&world->shapes, def->shapes_count, def->shapes_count) &&
      (!def->name || sc_names_reserve_bodies(&world->names, 1)))
    row = sc_bodies_add(&world->bodies);
  if (status == SCREE_OK && row < 0) status = sc_fail(error, SCREE_E_MEMORY, "no memory for a body");
  if (status == SCREE_OK) status = fill_row(world, row, def, shapes, error);
  scree_id id = 0;
  if (status == SCREE_OK) {
    for (int i = 0; i < def->shapes_count; i++)
      sc_shapes_attach(&world->shapes, &world->bodies, row, shapes + i);
    id = sc_bodies_id(&world->bodies, row);
    if (def->fast) sc_tracks_add_fast(&world->tracks, id);
    if (def->name) sc_names_add_body(&world->names, id, def->name);
    if (!world->ranks->keeps(world->ranks->context, world, row)) sc_world_drop_row(world, row);
    else sc_collide_dirty(world->collide);
    world->version++;
  } else if (row >= 0) {
    sc_bodies_remove(&world->bodies, row);
  }
  if (shapes != few) sc_free(shapes);
  return id;
}

/* ---- removal of bodies ---- */

void sc_world_drop_row(scree_world *world, int32_t row) {
  sc_bodies *bodies = &world->bodies;
  if (sc_bodies_asleep(bodies, row)) sc_bodies_wake(bodies, bodies->rest[row].island);
  else if (bodies->kind[row] != SCREE_DYNAMIC) sc_bodies_wake_all(bodies);
  while (bodies->first_shape[row] >= 0) {
    int32_t shape = bodies->first_shape[row];
    int32_t last = sc_shapes_detach(&world->shapes, bodies, shape);
    sc_collide_removed(world->collide, shape, last);
  }
  world->contacts.removals = 1;
  sc_bodies_remove(bodies, row);
  if (row < bodies->count) sc_shapes_body_moved(&world->shapes, bodies, row);
  world->version++;
}

void sc_world_remove_row(scree_world *world, int32_t row) {
  forget_name(world, sc_bodies_id(&world->bodies, row));
  sc_world_drop_row(world, row);
}

int32_t sc_world_row(const scree_world *world, scree_id id, scree_error *error) {
  return world->ranks->row(world->ranks->context, world, id, error);
}

/* Returns the row of a body if this rank must change the body. Returns -2 if another rank changes the body,
 * or -1 with an error. */
static int32_t row_to_change(const scree_world *world, scree_id id, scree_error *error) {
  return world->ranks->row_to_change(world->ranks->context, world, id, error);
}

scree_status scree_world_remove(scree_world *world, scree_id body, scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  int32_t row = row_to_change(world, body, error);
  if (row == -1) return SCREE_E_STALE;
  if (row == -2) return forget_name(world, body), SCREE_OK;
  if (sc_joints_hold(&world->joints, body))
    return sc_fail(error, SCREE_E_ARGUMENT, "the body is held by a joint: remove the joint first");
  sc_world_remove_row(world, row);
  return SCREE_OK;
}

int scree_world_alive(const scree_world *world, scree_id body) {
  SC_DEMAND(world, NULL, 0);
  int32_t row = sc_bodies_row(&world->bodies, body);
  double alive = row >= 0 && sc_bodies_own(&world->bodies, row);
  world->ranks->most(world->ranks->context, &alive, 1);
  return alive > 0;
}

/* ---- state of bodies ---- */

void sc_world_state(const scree_world *world, int32_t row, scree_body_state *state) {
  const sc_bodies *bodies = &world->bodies;
  sc_copy3(bodies->position[row], state->position);
  memcpy(state->orientation, bodies->orientation[row], sizeof state->orientation);
  const bool fixed = bodies->kind[row] == SCREE_FIXED;
  const double still[3] = {0, 0, 0}, *v = bodies->velocity[row], *w = bodies->spin[row];
  sc_copy3(fixed ? still : v, state->velocity);
  sc_copy3(fixed ? still : w, state->spin);
  sc_copy3(fixed ? v : still, state->surface_velocity);
  sc_copy3(fixed ? w : still, state->surface_spin);
  state->mass = bodies->inv_mass[row] > 0 ? bodies->mass[row] : INFINITY;
  sc_bodies_inertia(bodies, row, state->inertia);
  sc_copy3(sc_bodies_centre(bodies, row), state->centre);
  state->radius = bodies->radius[row];
  state->kind = bodies->kind[row];
  state->group = sc_bodies_group(bodies, row);
}

static const char *name_of(const scree_world *world, scree_id body) {
  for (int32_t i = 0; i < world->names.count; i++)
    if (world->names.name[i].id == body) return world->names.name[i].name;
  return NULL;
}

scree_status scree_world_get(
    const scree_world *world, scree_id body, scree_body_state *state, scree_error *error) {
  SC_DEMAND(world && state, error, SCREE_E_ARGUMENT);
  int32_t row = sc_world_row(world, body, error);
  if (row < 0) return SCREE_E_STALE;
  sc_world_state(world, row, state);
  state->name = name_of(world, body);
  return SCREE_OK;
}

scree_status scree_world_read(
    const scree_world *world, scree_id body, scree_body_state *state, scree_error *error) {
  SC_DEMAND(world && state, error, SCREE_E_ARGUMENT);
  scree_status status = world->ranks->read(world->ranks->context, world, body, state, error);
  if (status == SCREE_OK) state->name = name_of(world, body);
  return status;
}

/* Writes mass and kind of a body into the arrays that views of masses and kinds show (query/report.c), if a
 * view made them. */
static void refresh_views(scree_world *world, int32_t row) {
  const sc_bodies *bodies = &world->bodies;
  double *mass = world->query.made_view[0];
  int64_t *kind = (int64_t *)(void *)world->query.made_view[2];
  if ((size_t)row < world->query.made_capacity[0])
    mass[row] = bodies->inv_mass[row] > 0 ? bodies->mass[row] : INFINITY;
  if ((size_t)row < world->query.made_capacity[2])
    kind[row] = sc_bodies_own(bodies, row) ? bodies->kind[row] : -1;
}

/* Changes the kind of a body. Only a body that was created dynamic has a mass and can become dynamic again.
 */
static scree_status set_kind(scree_world *world, int32_t row, int kind, scree_error *error) {
  sc_bodies *bodies = &world->bodies;
  if (kind < SCREE_DYNAMIC || kind > SCREE_FIXED)
    return sc_fail(error, SCREE_E_ARGUMENT, "unknown kind of body %d", kind);
  if (kind == SCREE_DYNAMIC && !(bodies->mass[row] > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "only a body made dynamic can become dynamic again");
  double inertia[6], inverse[6] = {0};
  sc_bodies_inertia(bodies, row, inertia);
  if (kind == SCREE_DYNAMIC) sc_sym_invert(inertia, inverse);
  if (!sc_bodies_set_inverse_inertia(bodies, row, inverse))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a body");
  /* the stored velocities of a fixed body are velocities of its moving surface */
  const bool leaves = bodies->kind[row] == SCREE_FIXED && kind != SCREE_FIXED;
  bodies->kind[row] = (uint8_t)kind;
  bodies->inv_mass[row] = kind == SCREE_DYNAMIC ? 1 / bodies->mass[row] : 0;
  if (kind == SCREE_FIXED || leaves) {
    sc_set3(0, 0, 0, bodies->velocity[row]);
    sc_set3(0, 0, 0, bodies->spin[row]);
  }
  refresh_views(world, row);
  sc_collide_dirty(world->collide);
  return SCREE_OK;
}

static scree_status check_state(
    const scree_world *world, int32_t row, int mask, const scree_body_state *state, scree_error *error) {
  scree_status status = SCREE_OK;
  if (mask & SCREE_SET_POSITION) status = check_finite_vector(state->position, 3, "position", error);
  if (status == SCREE_OK && mask & SCREE_SET_ORIENTATION)
    status = check_finite_vector(state->orientation, 4, "orientation", error);
  if (status == SCREE_OK && mask & SCREE_SET_VELOCITY)
    status = check_finite_vector(state->velocity, 3, "velocity", error);
  if (status == SCREE_OK && mask & SCREE_SET_SPIN)
    status = check_finite_vector(state->spin, 3, "spin", error);
  if (status == SCREE_OK && mask & SCREE_SET_SURFACE_VELOCITY)
    status = check_finite_vector(state->surface_velocity, 3, "surface_velocity", error);
  if (status == SCREE_OK && mask & SCREE_SET_SURFACE_SPIN)
    status = check_finite_vector(state->surface_spin, 3, "surface_spin", error);
  if (status != SCREE_OK) return status;
  double q[4];
  const int kind = mask & SCREE_SET_KIND ? state->kind : world->bodies.kind[row];
  if (mask & (SCREE_SET_SURFACE_VELOCITY | SCREE_SET_SURFACE_SPIN) && kind != SCREE_FIXED)
    return sc_fail(error, SCREE_E_ARGUMENT, NOT_FIXED);
  if (mask & (SCREE_SET_SURFACE_VELOCITY | SCREE_SET_SURFACE_SPIN) &&
      sc_joints_hold(&world->joints, sc_bodies_id(&world->bodies, row)))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "surface_velocity: a joint holds the body, and would run along; join to the ground");
  if (mask & SCREE_SET_ORIENTATION && !sc_quat_normalise(state->orientation, q))
    return sc_fail(error, SCREE_E_ARGUMENT, "orientation must not be zero");
  if (mask & (SCREE_SET_VELOCITY | SCREE_SET_SPIN) && !(mask & SCREE_SET_KIND) &&
      world->bodies.kind[row] == SCREE_FIXED)
    return sc_fail(error, SCREE_E_ARGUMENT, "a fixed body cannot have a velocity or spin; make it kinematic");
  return SCREE_OK;
}

scree_status scree_world_set(
    scree_world *world, scree_id body, int mask, const scree_body_state *state, scree_error *error) {
  SC_DEMAND(world && state, error, SCREE_E_ARGUMENT);
  sc_bodies *bodies = &world->bodies;
  int32_t row = row_to_change(world, body, error);
  if (row < 0) return row == -2 ? SCREE_OK : SCREE_E_STALE;
  scree_status status = check_state(world, row, mask, state, error);
  if (status == SCREE_OK && mask & SCREE_SET_KIND) status = set_kind(world, row, state->kind, error);
  if (status == SCREE_OK && mask & SCREE_SET_GROUP && !sc_bodies_set_group(bodies, row, state->group))
    status = sc_fail(error, SCREE_E_MEMORY, "no memory for groups of %d bodies", bodies->count);
  if (status != SCREE_OK) return status;
  if (mask & SCREE_SET_POSITION) sc_copy3(state->position, bodies->position[row]);
  if (mask & SCREE_SET_ORIENTATION) sc_quat_normalise(state->orientation, bodies->orientation[row]);
  const bool fixed = bodies->kind[row] == SCREE_FIXED;
  if (mask & SCREE_SET_VELOCITY && !fixed) sc_copy3(state->velocity, bodies->velocity[row]);
  if (mask & SCREE_SET_SPIN && !fixed) sc_copy3(state->spin, bodies->spin[row]);
  if (mask & SCREE_SET_SURFACE_VELOCITY) sc_copy3(state->surface_velocity, bodies->velocity[row]);
  if (mask & SCREE_SET_SURFACE_SPIN) sc_copy3(state->surface_spin, bodies->spin[row]);
  return SCREE_OK;
}

scree_status scree_world_apply(
    scree_world *world, scree_id body, const double force[3], const double torque[3], scree_error *error) {
  SC_DEMAND(world && force && torque, error, SCREE_E_ARGUMENT);
  int32_t row = row_to_change(world, body, error);
  if (row < 0) return row == -2 ? SCREE_OK : SCREE_E_STALE;
  scree_status status = check_finite_vector(force, 3, "force", error);
  if (status == SCREE_OK) status = check_finite_vector(torque, 3, "torque", error);
  if (status != SCREE_OK) return status;
  if (!sc_bodies_add_load(&world->bodies, row, force, torque))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for forces on %d bodies", world->bodies.count);
  return SCREE_OK;
}
