/* Points of bodies: positions, velocities, and forces at points. */
#include "math/vec.h"
#include "model/relative.h"
#include "world/world.h"

/* Transforms a point from the body's frame, whose origin is the centre of mass, to the world frame. */
static void to_world(const scree_body_state *s, const double local[3], double point[3]) {
  sc_quat_rotate(s->orientation, local, point);
  sc_add(s->position, point, point);
}

/* Transforms a point from the frame in which the body was created to the world frame. */
static void made_to_world(const scree_body_state *s, const double in[3], double point[3]) {
  double local[3];
  sc_sub(in, s->centre, local);
  to_world(s, local, point);
}

scree_status scree_world_point(
    const scree_world *world, scree_id body, const double local[3], double point[3], scree_error *error) {
  SC_DEMAND(world && local && point, error, SCREE_E_ARGUMENT);
  scree_body_state s;
  scree_status status = scree_world_read(world, body, &s, error);
  if (status == SCREE_OK) to_world(&s, local, point);
  return status;
}

scree_status scree_world_local(
    const scree_world *world, scree_id body, const double point[3], double local[3], scree_error *error) {
  SC_DEMAND(world && point && local, error, SCREE_E_ARGUMENT);
  scree_body_state s;
  double arm[3];
  scree_status status = scree_world_read(world, body, &s, error);
  if (status != SCREE_OK) return status;
  sc_sub(point, s.position, arm);
  sc_quat_unrotate(s.orientation, arm, local);
  return SCREE_OK;
}

scree_status scree_world_frame_point(
    const scree_world *world, scree_id body, const double in[3], double point[3], scree_error *error) {
  SC_DEMAND(world && in && point, error, SCREE_E_ARGUMENT);
  scree_body_state s;
  scree_status status = scree_world_read(world, body, &s, error);
  if (status == SCREE_OK) made_to_world(&s, in, point);
  return status;
}

scree_status scree_world_frame(
    const scree_world *world, scree_id body, double position[3], double orientation[4], scree_error *error) {
  SC_DEMAND(world && position && orientation, error, SCREE_E_ARGUMENT);
  const double origin[3] = {0, 0, 0};
  scree_body_state s;
  scree_status status = scree_world_read(world, body, &s, error);
  if (status != SCREE_OK) return status;
  for (int k = 0; k < 4; k++) orientation[k] = s.orientation[k];
  made_to_world(&s, origin, position);
  return SCREE_OK;
}

scree_status scree_world_name_point(
    scree_world *world, scree_id body, const char *name, const double at[3], scree_error *error) {
  SC_DEMAND(world && name && at, error, SCREE_E_ARGUMENT);
  if (!scree_world_alive(world, body)) return sc_fail(error, SCREE_E_STALE, "the body has been removed");
  return sc_names_add_point(&world->names, body, name, at, error);
}

scree_status scree_world_named_point(
    const scree_world *world, scree_id body, const char *name, double point[3], scree_error *error) {
  SC_DEMAND(world && name && point, error, SCREE_E_ARGUMENT);
  const double *at = sc_names_find_point(&world->names, body, name, error);
  return at ? scree_world_frame_point(world, body, at, point, error) : SCREE_E_ARGUMENT;
}

scree_status scree_world_velocity_at(
    const scree_world *world, scree_id body, const double point[3], double velocity[3], scree_error *error) {
  SC_DEMAND(world && point && velocity, error, SCREE_E_ARGUMENT);
  scree_body_state s;
  double arm[3];
  scree_status status = scree_world_read(world, body, &s, error);
  if (status != SCREE_OK) return status;
  sc_sub(point, s.position, arm);
  sc_rigid_velocity(s.velocity, s.spin, arm, velocity);
  return SCREE_OK;
}

scree_status scree_world_apply_at(scree_world *world, scree_id body, const double force[3],
    const double torque[3], const double at[3], int axes, scree_error *error) {
  SC_DEMAND(world && force && torque && at, error, SCREE_E_ARGUMENT);
  scree_body_state s;
  double f[3], t[3], arm[3], moment[3];
  scree_status status = scree_world_read(world, body, &s, error);
  if (status != SCREE_OK) return status;
  if (axes) {
    sc_quat_rotate(s.orientation, force, f);
    sc_quat_rotate(s.orientation, torque, t);
    sc_quat_rotate(s.orientation, at, arm);
  } else {
    sc_copy3(force, f);
    sc_copy3(torque, t);
    sc_sub(at, s.position, arm);
  }
  sc_cross(arm, f, moment);
  sc_add(t, moment, t);
  return scree_world_apply(world, body, f, t, error);
}
