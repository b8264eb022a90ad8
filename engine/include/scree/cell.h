/* The cell of a periodic world (world.cell): space repeats itself along its edges.
 *
 * The cell extends from its origin along three edges, the columns of the matrix H; along some of them the
 * world is periodic. Bodies may be put anywhere and their positions are never wrapped; each stands for all
 * of its images. Matrices are row-major, stress is positive in compression [Pa]. */
#ifndef SCREE_CELL_H
#define SCREE_CELL_H

#include <stdint.h>
#include "scree/param.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_world scree_world;

/* size: lengths of the edges, along x, y and z, at the start [m], > 0; a world whose def has none of them
 * periodic has no cell. */
typedef struct scree_cell_def {
  double size[3], origin[3];
  int periodic[3];
} scree_cell_def;
extern const scree_param scree_cell_params[];
extern const int scree_cell_params_count;

typedef struct scree_cell {
  int periodic[3];
  double matrix[9], origin[3]; /* H [m] */
  double inverse[9];           /* of H [1/m]; 0 where H is singular, and then no point is wrapped */
  double gradient[9];          /* L [1/s] */
  int driven[9];               /* components of L that stress drives */
  double volume;               /* [m3] */
} scree_cell;
/* The cell as it is now; 0 where the world has none. */
int scree_world_get_cell(const scree_world *world, scree_cell *out);
/* Sets H with its inverse and the volume, for cells made by hand; 0 where H is singular: its inverse is 0. */
int scree_cell_set(scree_cell *cell, const double matrix[9]);
/* Which image of a point lies in the cell: wrapped = point - H image; 0 and the point itself along edges
 * that are not periodic. */
void scree_cell_wrap(const scree_cell *cell, const double point[3], double wrapped[3], int32_t image[3]);

/* Another H [m]; bodies stay where they are. Edges that are not periodic must keep theirs. SCREE_E_ARGUMENT:
 * no cell, numbers that are not finite, no volume, another edge where space does not repeat itself. */
scree_status scree_world_cell_set_matrix(scree_world *world, const double matrix[9], scree_error *error);

/* Velocity gradient of the cell from now on, L: H' = L H, and an image of a body moves with L H n beside it.
 * Edges that are not periodic must stay as they are. affine: dynamic bodies take up the change of L about
 * their centre of mass, which keeps momentum; else the flow comes to them through contacts with images.
 * SCREE_E_ARGUMENT: no cell, numbers that are not finite, a stepper other than semi_implicit, joints to
 * images, edges that are not periodic would move, a component that stress drives is not 0. */
scree_status scree_world_cell_set_gradient(
    scree_world *world, const double gradient[9], int affine, scree_error *error);

/* Where driven is nonzero, that component of L is no longer given but follows from the wanted stress [Pa],
 * which the impulses of each step then meet, less the inertia of the cell: `inertia` times the sum of m d^2
 * over dynamic bodies. A component that was driven and is so no longer becomes 0. Bodies take up what L
 * changes by. Errors as above, and another solver than nbgs or auto, components of edges that are not
 * periodic. */
scree_status scree_world_cell_set_stress(
    scree_world *world, const double stress[9], const int driven[9], double inertia, scree_error *error);

/* Cauchy stress of the last step over the volume of the cell: kinetic, with velocities less their mean and
 * the cell's own flow; and that of contacts and joints, force times branch. Those with immovable bodies count
 * with the arm of the other body. Either may be NULL. SCREE_E_ARGUMENT: the world has no cell. */
scree_status scree_world_cell_stress(
    const scree_world *world, double kinetic[9], double contact[9], scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
