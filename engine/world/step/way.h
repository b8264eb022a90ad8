/* The way of a body in a substep: its poses between those at the start and at the end. */
#ifndef SC_WORLD_WAY_H
#define SC_WORLD_WAY_H

#include "world/step/track.h"

typedef struct sc_way {
  double from[3], to[3], from_turn[4], to_turn[4]; /* poses at the start (t = 0) and at the end (t = 1) */
  double cut;                                      /* t at which the body stops */
  double length;                                   /* length of the path of the position [m] */
  double rate;                                     /* upper bound of the rotation per unit of t [rad] */
  /* Inertia of a body that rotates free of torque; NULL: the orientation is interpolated linearly between the
   * two quaternions. */
  const sc_tensor *tensor;
  double spin[3]; /* spin at the end [rad/s] */
  double time;    /* duration of the free motion from start to end [s] */
  double rest[4]; /* rotation from the start of the free motion to from_turn */
} sc_way;

/* Computes the way of a row in a substep of dt; cut is 1. share: share of dt in which the body moved. */
void sc_way_of(const scree_world *world, int32_t row, double dt, double share, sc_way *out);
/* Computes the way of the row of a fast body, whose start is recorded exactly. */
void sc_way_of_fast(
    const scree_world *world, int32_t row, const sc_fast_body *fast, double dt, double share, sc_way *out);
/* Computes the pose at the earlier of t = when and t = way->cut. */
void sc_way_pose(const sc_way *way, double when, double position[3], double turn[4]);

/* Moves a body to a pose at constant angular momentum. Adds the energy that this brings to `correction`. */
void sc_way_move_body(scree_world *world, int32_t row, const double position[3], const double turn[4]);

#endif
