/* The path of a body in a substep: its poses between start and end. */
#ifndef SC_WORLD_WAY_H
#define SC_WORLD_WAY_H

#include "world/step/track.h"

typedef struct sc_way {
  double from[3], to[3], from_turn[4], to_turn[4]; /* poses at the start (t = 0) and at the end (t = 1) */
  double cut;                                      /* t at which the body stops, 0 to 1; 1: at the end */
  double length;                                   /* length of the path of the position [m] */
  double rate;                                     /* upper bound of the rotation per unit of t [rad] */
  /* inertia of a body that rotates free of torque; NULL: the orientation is interpolated linearly between two
   * quaternions */
  const sc_tensor *tensor;
  double spin[3]; /* spin at the end of the free motion [rad/s] */
  double time;    /* duration of the free motion [s] */
  double rest[4]; /* rotation from the start of the free motion to from_turn */
} sc_way;

/* Computes the path of a body in a substep of dt, with cut = 1. share: share of dt in which the body
 * moved. */
void sc_way_of(const scree_world *world, int32_t row, double dt, double share, sc_way *out);
/* Computes the path of a fast body, whose pose at the start is recorded exactly. share: share of dt in which
 * the body moved. */
void sc_way_of_fast(
    const scree_world *world, int32_t row, const sc_fast_body *fast, double dt, double share, sc_way *out);
/* Computes the pose of a body at t = when, but not later than at t = way->cut. */
void sc_way_pose(const sc_way *way, double when, double position[3], double turn[4]);

/* Moves a body to a pose at constant angular momentum. Adds the change of energy to `correction`. */
void sc_way_move_body(scree_world *world, int32_t row, const double position[3], const double turn[4]);

#endif
