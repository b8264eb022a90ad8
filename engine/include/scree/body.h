/* Bodies of a world and their shapes: defining, adding, removing, reading, setting, applying forces; points
 * of bodies. The conventions are those of scree/world.h. */
#ifndef SCREE_BODY_H
#define SCREE_BODY_H

#include <stdint.h>
#include "scree/shape.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_world scree_world;

/* Id of a body. The id of a removed body is rejected (SCREE_E_STALE) and never reused. 0 is no body. */
typedef uint64_t scree_id;

typedef enum scree_kind { SCREE_DYNAMIC = 0, SCREE_KINEMATIC = 1, SCREE_FIXED = 2 } scree_kind;

/* Convex hulls and triangle meshes are made once (scree/geometry.h) and shared by shapes; each shape in a
 * world owns a reference. */
typedef struct scree_geometry scree_geometry;

typedef struct scree_shape_def {
  int type;      /* scree_shape_type */
  double radius; /* sphere, capsule, cylinder, cone [m] */
  /* capsule: distance of the centres of its caps; cylinder, cone: height; along local z [m] */
  double length;
  double size[3]; /* box: full edge lengths; ellipsoid: full axes [m] */
  /* half-space: outward normal (into the free side), in the shape's frame */
  double normal[3];
  /* position of the shape in the body's frame [m]; half-space: a point on the plane */
  double position[3];
  double orientation[4];          /* orientation of the shape in the body's frame */
  int material;                   /* index */
  double density;                 /* [kg/m3]; 0: the material's */
  const scree_geometry *geometry; /* hull, mesh */
  /* bits of the layers of the shape, 0: the first; and bits of the layers that it avoids. Two shapes can
   * touch if neither avoids a layer of the other */
  uint32_t layers, avoids;
  double own[SCREE_SHAPE_OWN]; /* numbers of one kind of shape, as its keys say (scree/shape.h) */
} scree_shape_def;
/* The table of the keys of every shape: material, density, layer (`layers`), avoids. Kinds have further keys
 * (scree_shape_kind). */
extern const scree_param scree_shape_params[];
extern const int scree_shape_params_count;
/* The table of the place of a shape in its body: position; orientation, or axis and angle. */
extern const scree_param scree_shape_place_params[];
extern const int scree_shape_place_params_count;

typedef struct scree_body_def {
  const char *name; /* unique or NULL */
  int kind;         /* scree_kind */
  double position[3], orientation[4], velocity[3], spin[3];
  /* Fixed body with a moving surface, like a conveyor belt: the body does not move. Bodies that touch it are
   * driven by the tangential part of surface_velocity + surface_spin x (point - position) [m/s], [rad/s];
   * world axes. */
  double surface_velocity[3], surface_spin[3];
  double mass; /* [kg]; 0: computed from the shapes' densities. If given, densities are scaled to it */
  /* body frame about the centre of mass (xx,xy,xz,yy,yz,zz) [kg m2]; all 0: computed from the shapes */
  double inertia[6];
  /* centre of mass in the frame of the shapes [m]; used if has_centre is set, else computed from the shapes.
   * Mass and inertia must then be given too; they are about this centre. */
  double centre[3];
  int has_centre;
  /* Nonzero: no shape of the body passes into or through another body within a step, even if other bodies hit
   * it. The engine stops the body where it touches (docs/fast.md). Dynamic bodies only, not in a periodic
   * cell. */
  int fast;
  int64_t group; /* free tag for users, stored in trajectories */
  const scree_shape_def *shapes;
  int shapes_count; /* >= 1; 0 only with mass and inertia: a body of a mechanism without contacts */
} scree_body_def;
/* The table of the keys of a body without its shapes. Its keys axis and angle are another form of
 * orientation, see scree_quat_of_turn. */
enum { SCREE_BODY_KEYS = 15 };
extern const scree_param scree_body_params[SCREE_BODY_KEYS];
extern const int scree_body_params_count;

/* Returns the default values. */
scree_shape_def scree_shape_defaults(void);
/* Returns the default values. */
scree_body_def scree_body_defaults(void);

/* Adds a body. Returns its id, 0 on error. For a dynamic body position is the origin of the frame of its
 * shapes; all later positions are those of the centre of mass. A dynamic body must not have a half-space or a
 * mesh. */
scree_id scree_world_add(scree_world *world, const scree_body_def *def, scree_error *error);
/* Removes a body. Returns SCREE_E_STALE if it does not exist, SCREE_E_ARGUMENT if joints hold it. */
scree_status scree_world_remove(scree_world *world, scree_id body, scree_error *error);
/* Returns whether a body exists. */
int scree_world_alive(const scree_world *world, scree_id body);
/* Returns the id of the body with this name; 0 with the nearest name in the error text if there is none. */
scree_id scree_world_find(const scree_world *world, const char *name, scree_error *error);

typedef struct scree_body_state {
  double position[3], orientation[4], velocity[3], spin[3];
  double surface_velocity[3], surface_spin[3]; /* of a fixed body, else 0 */
  double mass;                                 /* INFINITY unless dynamic */
  double radius; /* bounding radius about position; INFINITY with a half-space */
  int kind;
  int64_t group;
  const char *name; /* NULL without one */
  /* body frame (xx,xy,xz,yy,yz,zz) [kg m2]; read only; 0 for a body that was never dynamic */
  double inertia[6];
  /* centre of mass, in the frame in which the body was made; its axes are the body's [m]; read only */
  double centre[3];
} scree_body_state;
/* Reads the state of a body. Returns SCREE_E_STALE if it does not exist. */
scree_status scree_world_get(
    const scree_world *world, scree_id body, scree_body_state *state, scree_error *error);

/* Like scree_world_get, for a world on several ranks (scree/dist.h), where scree_world_get only finds bodies
 * that every rank has. Collective: the owner sends the state to the other ranks. */
scree_status scree_world_read(
    const scree_world *world, scree_id body, scree_body_state *state, scree_error *error);

enum {
  SCREE_SET_POSITION = 1,
  SCREE_SET_ORIENTATION = 2,
  SCREE_SET_VELOCITY = 4,
  SCREE_SET_SPIN = 8,
  SCREE_SET_KIND = 16,
  SCREE_SET_GROUP = 32,
  SCREE_SET_SURFACE_VELOCITY = 64,
  SCREE_SET_SURFACE_SPIN = 128
};
/* Sets the members of state that are selected by mask. Values must be finite. */
scree_status scree_world_set(
    scree_world *world, scree_id body, int mask, const scree_body_state *state, scree_error *error);
/* Sets the velocities of a fixed or kinematic body that are selected by mask, at the start of a substep of
 * the next step. substep: 1 to world.substeps - 1, counted from 0. The value applies to this step only.
 * Returns SCREE_E_ARGUMENT for other members or another substep. */
scree_status scree_world_set_at_substep(scree_world *world, scree_id body, int64_t substep, int mask,
    const scree_body_state *state, scree_error *error);
/* Adds a force [N] at the centre of mass and a torque [N m] for the coming step only. They act in all of its
 * substeps. Several calls add up. */
scree_status scree_world_apply(
    scree_world *world, scree_id body, const double force[3], const double torque[3], scree_error *error);

/* Like scree_world_apply, with the force at a point [m], whose moment is added. axes: 1: force, torque and
 * point are in the body's axes, the point relative to its centre of mass; 0: world axes. */
scree_status scree_world_apply_at(scree_world *world, scree_id body, const double force[3],
    const double torque[3], const double at[3], int axes, scree_error *error);
/* Transforms a point of a body from its frame (axes of the body, origin in its centre of mass) to the world
 * [m]. */
scree_status scree_world_point(
    const scree_world *world, scree_id body, const double local[3], double point[3], scree_error *error);
/* Transforms a point from the world to the frame of a body [m]. */
scree_status scree_world_local(
    const scree_world *world, scree_id body, const double point[3], double local[3], scree_error *error);
/* Computes the present origin [m] and orientation of the frame in which the body was made. */
scree_status scree_world_frame(
    const scree_world *world, scree_id body, double position[3], double orientation[4], scree_error *error);
/* Transforms a point from the frame in which the body was made to the world [m]. */
scree_status scree_world_frame_point(
    const scree_world *world, scree_id body, const double in[3], double point[3], scree_error *error);
/* Names a point of the frame in which the body was made [m]; names are like those of bodies.
 * SCREE_E_ARGUMENT: a name that is used, empty or too long, numbers that are not finite. Collective on
 * several ranks. */
scree_status scree_world_name_point(
    scree_world *world, scree_id body, const char *name, const double at[3], scree_error *error);
/* Computes the present position of a named point [m]; the error text has the nearest name. */
scree_status scree_world_named_point(
    const scree_world *world, scree_id body, const char *name, double point[3], scree_error *error);
/* Computes the velocity of a body at a point of the world [m/s]. */
scree_status scree_world_velocity_at(
    const scree_world *world, scree_id body, const double point[3], double velocity[3], scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
