/* Poses of bodies at the start of a substep. Functions that use them: passages through walls and the motion
 * of fast bodies. */
#ifndef SC_WORLD_TRACK_H
#define SC_WORLD_TRACK_H

#include "collide/collide.h"
#include "world/bodies/fast.h"
#include "scree/world.h"

/* Records the poses of all bodies. Call at the start of a substep. Records nothing if all shapes are balls
 * and half-spaces and no body is fast. */
scree_status sc_world_track(scree_world *world, scree_error *error);
/* Permutes the records like sc_bodies_permute: the new row i is the old row order[i]. */
scree_status sc_world_permute_tracks(scree_world *world, const int32_t *order, scree_error *error);
/* Computes the position of a body at the start of the substep [m]. Extrapolates from the present velocity if
 * there is no record of the body because it came from another rank. */
void sc_world_track_start(const scree_world *world, int32_t row, double dt, double position[3]);
/* Computes the pose of a body at the start of the substep. Extrapolates the orientation from the spin if the
 * world has no fast bodies, because orientations are then not recorded. */
void sc_world_track_pose(
    const scree_world *world, int32_t row, double dt, double position[3], double orientation[4]);

/* Tests fast bodies. If a fast body and another body would have entered or passed each other in the substep
 * of dt, moves both back to the poses at which they first touched (sweep.c). */
scree_status sc_world_stop_fast(scree_world *world, double dt, scree_error *error);

/* Counts the passages of bodies into walls in the last substep and records the bodies (crossing.c). */
scree_status sc_world_count_crossings(scree_world *world, double dt, scree_error *error);
/* Adds one event to noted->times. Also adds the body to the list noted->body if it is new and the list is not
 * full. */
void sc_world_note_body(sc_noted *noted, scree_id body);

/* Places a shape for a pose of its body. *form receives the shape; *out points to it. */
void sc_world_place_shape(const scree_world *world, int32_t shape, const double position[3],
    const double orientation[4], sc_shape *form, sc_placed *out);
/* Computes the middle of a shape in its own frame. For a hull this is the centre of mass, because the origin
 * may lie outside the hull. */
void sc_world_find_middle(const sc_shape *shape, double middle[3]);
/* Returns true if shapes a and b of two bodies can touch: no joint prevents it, and the layers of the shapes
 * do not avoid each other. row, other: rows of the bodies. */
bool sc_world_can_touch(
    const scree_world *world, int32_t row, int32_t other, const sc_shape *a, const sc_shape *b);

#endif
