/* Bodies of a world and their shapes: defining, adding, removing, reading and setting bodies, applying
 * forces, points of bodies. scree/world.h explains the conventions. */
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

/* Id of a body; 0: no body. The id of a removed body is rejected (SCREE_E_STALE) and never used again. */
typedef uint64_t scree_id;

typedef enum scree_kind { SCREE_DYNAMIC = 0, SCREE_KINEMATIC = 1, SCREE_FIXED = 2 } scree_kind;

/* A convex hull or triangle mesh. It is made once (scree/geometry.h) and shared by shapes. Each shape in a
 * world owns a reference. */
typedef struct scree_geometry scree_geometry;

typedef struct scree_shape_def {
  int type;      /* type of the shape: a scree_shape_type */
  double radius; /* sphere, capsule, cylinder, cone: radius [m] */
  /* along local z: for a capsule the distance between the centres of its caps; for a cylinder or cone the
   * height [m] */
  double length;
  double size[3]; /* box: full edge lengths; ellipsoid: full axes [m] */
  /* half-space: outward normal, which points to the free side, in the shape's frame */
  double normal[3];
  /* position of the shape in the body's frame [m]; half-space: a point on the plane */
  double position[3];
  double orientation[4];          /* orientation of the shape in the body's frame */
  int material;                   /* index of the shape's material in the world */
  double density;                 /* density [kg/m3]; 0: density of the material */
  const scree_geometry *geometry; /* hull or mesh of a shape of these types; else NULL */
  /* layers: bits of the layers to which the shape belongs; 0: the first layer. avoids: bits of the layers
   * that the shape avoids. Two shapes can touch if neither avoids a layer of the other. */
  uint32_t layers, avoids;
  /* parameters of the shape's type that are not lengths; the type's key table states what each entry means
   * (scree/shape.h) */
  double own[SCREE_SHAPE_OWN];
} scree_shape_def;
/* Parameter table of the keys of every shape: material, density, layer (`layers`), avoids. A type of shape
 * has further keys (scree_shape_kind). */
extern const scree_param scree_shape_params[];
extern const int scree_shape_params_count;
/* Parameter table of the place of a shape in its body: position, and orientation or axis and angle. */
extern const scree_param scree_shape_place_params[];
extern const int scree_shape_place_params_count;

typedef struct scree_body_def {
  const char *name; /* name of the body, unique in the world; NULL: none */
  int kind;         /* kind of the body: a scree_kind */
  double position[3], orientation[4], velocity[3], spin[3];
  /* Fixed body with a moving surface, like a conveyor belt; the body itself does not move. surface_velocity
   * [m/s] and surface_spin [rad/s] are in world axes. The tangential part of surface_velocity + surface_spin
   * x (point - position) drives bodies that touch the surface. */
  double surface_velocity[3], surface_spin[3];
  /* [kg]; 0: computed from the shapes' densities. If the mass is set, densities are scaled to it */
  double mass;
  /* inertia in the body's frame about the centre of mass (xx,xy,xz,yy,yz,zz) [kg m2]; all 0: computed from
   * the shapes */
  double inertia[6];
  /* centre of mass in the frame of the shapes [m]. Only used if has_centre is not 0; else the centre is
   * computed from the shapes. If it is used, mass and inertia about this centre must be set, too. */
  double centre[3];
  int has_centre;
  /* Nonzero: a fast body. No shape of it passes into or through another body within a step, even if other
   * bodies strike it. The body stops where it touches (docs/fast.md). Only for dynamic bodies, and not in a
   * periodic cell. */
  int fast;
  int64_t group; /* group number, chosen by the user; trajectories contain it */
  const scree_shape_def *shapes;
  /* number of shapes, >= 1; 0 only if mass and inertia are set, for a body of a mechanism without contacts */
  int shapes_count;
} scree_body_def;
/* Parameter table of the keys of a body without its shapes. The keys axis and angle, a rotation axis and an
 * angle about it, set the member orientation (scree_quat_of_turn). */
enum { SCREE_BODY_KEYS = 15 };
extern const scree_param scree_body_params[SCREE_BODY_KEYS];
extern const int scree_body_params_count;

/* Returns a shape with default values. */
scree_shape_def scree_shape_defaults(void);
/* Returns a body with default values. */
scree_body_def scree_body_defaults(void);

/* Adds a body. Returns its id, or 0 on error. def->position is the origin of the frame of the shapes. All
 * later positions of a dynamic body are those of its centre of mass. A dynamic body must not have a
 * half-space or a mesh. */
scree_id scree_world_add(scree_world *world, const scree_body_def *def, scree_error *error);
/* Removes a body. Returns SCREE_E_STALE if it does not exist, and SCREE_E_ARGUMENT if it has a joint. */
scree_status scree_world_remove(scree_world *world, scree_id body, scree_error *error);
/* Returns 1 if a body exists, else 0. */
int scree_world_alive(const scree_world *world, scree_id body);
/* Returns the id of the body with this name. If there is none, returns 0 and suggests the most similar name
 * in the error. */
scree_id scree_world_find(const scree_world *world, const char *name, scree_error *error);

typedef struct scree_body_state {
  double position[3], orientation[4], velocity[3], spin[3];
  /* velocity and spin of the moving surface of a fixed body; 0 for other bodies */
  double surface_velocity[3], surface_spin[3];
  double mass; /* mass [kg]; INFINITY for a body that is not dynamic */
  /* radius of a sphere about position that contains the body [m]; INFINITY with a half-space */
  double radius;
  int kind;
  int64_t group;
  const char *name; /* name of the body; NULL: the body has no name */
  /* inertia in the body's frame (xx,xy,xz,yy,yz,zz) [kg m2]; 0 for a body that was never dynamic. Cannot be
   * set. */
  double inertia[6];
  /* centre of mass in the frame in which the body was created, whose axes are those of the body [m]. Cannot
   * be set. */
  double centre[3];
} scree_body_state;
/* Reads the state of a body. Returns SCREE_E_STALE if it does not exist. */
scree_status scree_world_get(
    const scree_world *world, scree_id body, scree_body_state *state, scree_error *error);

/* Reads the state of a body like scree_world_get, in a world on several ranks (scree/dist.h). Finds all
 * bodies, whereas scree_world_get only finds bodies that every rank has. Collective: the owner sends the
 * state to all other ranks. */
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
/* Sets the members of *state that `mask` selects (SCREE_SET_...). Values must be finite. */
scree_status scree_world_set(
    scree_world *world, scree_id body, int mask, const scree_body_state *state, scree_error *error);
/* Sets velocities that a fixed or kinematic body gets at the start of a later substep of the next step. They
 * apply in the next step only. mask: SCREE_SET_VELOCITY, SCREE_SET_SPIN, SCREE_SET_SURFACE_VELOCITY or
 * SCREE_SET_SURFACE_SPIN, which select members of *state. substep: 1 to world.substeps - 1 (the first substep
 * is 0). Returns SCREE_E_ARGUMENT for any other mask or substep. */
scree_status scree_world_set_at_substep(scree_world *world, scree_id body, int64_t substep, int mask,
    const scree_body_state *state, scree_error *error);
/* Adds a force [N] at the centre of mass and a torque [N m] on a body for the next step only. Both act in all
 * of its substeps. Forces of several calls add up. */
scree_status scree_world_apply(
    scree_world *world, scree_id body, const double force[3], const double torque[3], scree_error *error);

/* Adds a force that acts at the point `at` [m], and a torque, like scree_world_apply. The moment of the force
 * about the centre of mass acts, too. axes: 1: force, torque and point are in the body's axes, the point
 * relative to the centre of mass; 0: all are in world axes. */
scree_status scree_world_apply_at(scree_world *world, scree_id body, const double force[3],
    const double torque[3], const double at[3], int axes, scree_error *error);
/* Transforms a point [m] from the frame of a body to the world frame. The frame has the axes of the body and
 * its origin in the centre of mass. */
scree_status scree_world_point(
    const scree_world *world, scree_id body, const double local[3], double point[3], scree_error *error);
/* Transforms a point [m] from the world frame to the frame of a body (scree_world_point). */
scree_status scree_world_local(
    const scree_world *world, scree_id body, const double point[3], double local[3], scree_error *error);
/* Computes the present origin [m] and orientation of the frame in which the body was created. */
scree_status scree_world_frame(
    const scree_world *world, scree_id body, double position[3], double orientation[4], scree_error *error);
/* Transforms a point [m] from the frame in which the body was created to the world frame. */
scree_status scree_world_frame_point(
    const scree_world *world, scree_id body, const double in[3], double point[3], scree_error *error);
/* Gives a name to a point [m] of the frame in which the body was created. The rules for names are those of
 * bodies. Returns SCREE_E_ARGUMENT if the name is in use, empty or too long, or if a number is not finite.
 * Collective on several ranks. */
scree_status scree_world_name_point(
    scree_world *world, scree_id body, const char *name, const double at[3], scree_error *error);
/* Computes the present position of a named point in the world frame [m]. The error for an unknown name
 * suggests the most similar name. */
scree_status scree_world_named_point(
    const scree_world *world, scree_id body, const char *name, double point[3], scree_error *error);
/* Computes the velocity of the point of a body that is at `point` in the world frame [m/s]. */
scree_status scree_world_velocity_at(
    const scree_world *world, scree_id body, const double point[3], double velocity[3], scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
