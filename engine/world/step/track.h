/* Where bodies were at the start of a substep, and how fast bodies are stopped. */
#ifndef SC_WORLD_TRACK_H
#define SC_WORLD_TRACK_H

#include "collide/collide.h"
#include "world/bodies/fast.h"

/* Records where bodies are, if the world has shapes that others can pass through. */
scree_status sc_world_track(scree_world *world, scree_error *error);
/* Brings the records into the order of rows that sc_bodies_permute makes: new row i is old row order[i]. */
scree_status sc_world_permute_tracks(scree_world *world, const int32_t *order, scree_error *error);
/* Computes the position of a row at the start of the substep [m]. If the
 * row came from another rank since, it is that of the present velocity. */
void sc_world_track_start(const scree_world *world, int32_t row, double dt, double position[3]);
/* Computes the pose of a row at the start of the substep: orientation as recorded, or by its
 * spin in a world without fast bodies. */
void sc_world_track_pose(
    const scree_world *world, int32_t row, double dt, double position[3], double orientation[4]);

/* Moves each fast body, and what it meets, back to where they first touched if one would have entered or
 * passed the other within the substep of dt (sweep.c). */
scree_status sc_world_stop_fast(scree_world *world, double dt, scree_error *error);

/* Counts the passages of the last substep (crossing.c). */
scree_status sc_world_count_crossings(scree_world *world, double dt, int64_t *count, scree_error *error);

/* A shape of a body as it is placed for a pose of the body; form: room for the shape. */
void sc_world_place_shape(const scree_world *world, int32_t shape, const double position[3],
    const double orientation[4], sc_shape *form, sc_placed *out);
/* Whether shapes of two rows of bodies can touch: no joint ties the bodies together, no layer is avoided. */
bool sc_world_can_touch(
    const scree_world *world, int32_t row, int32_t other, const sc_shape *a, const sc_shape *b);

#endif
