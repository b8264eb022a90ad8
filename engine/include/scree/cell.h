/* The cell of a periodic world (world.cell): space repeats along its periodic edges.
 *
 * The cell extends from its origin along three edges, the columns of the matrix H; along some of them the
 * world is periodic. Bodies may be placed anywhere and their positions are never wrapped; each stands for all
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

/* size: initial lengths of the edges along x, y and z [m], > 0. Without a periodic edge the world has no
 * cell. */
typedef struct scree_cell_def {
  double size[3], origin[3];
  int periodic[3];
} scree_cell_def;
extern const scree_param scree_cell_params[];
extern const int scree_cell_params_count;

typedef struct scree_cell {
  int periodic[3];
  double matrix[9], origin[3]; /* H [m] */
  double inverse[9];           /* inverse of H [1/m]; 0 if H is singular; points are then not wrapped */
  double gradient[9];          /* L [1/s] */
  int driven[9];               /* nonzero: the component of L is driven by stress */
  double volume;               /* [m3] */
} scree_cell;
/* Sets out to the present cell. Returns 0 if the world has no cell. */
int scree_world_get_cell(const scree_world *world, scree_cell *out);
/* Sets H, its inverse and the volume of a cell. Returns 0 if H is singular; the inverse is then 0. */
int scree_cell_set(scree_cell *cell, const double matrix[9]);
/* Computes the image of a point that lies in the cell: wrapped = point - H image. Components of image along
 * edges that are not periodic are 0. */
void scree_cell_wrap(const scree_cell *cell, const double point[3], double wrapped[3], int32_t image[3]);

/* Sets H [m]; bodies do not move. Edges that are not periodic must not change. SCREE_E_ARGUMENT: no cell,
 * numbers that are not finite, no volume, a changed edge that is not periodic. */
scree_status scree_world_cell_set_matrix(scree_world *world, const double matrix[9], scree_error *error);

/* Sets the velocity gradient L of the cell: H' = L H; the velocity of an image exceeds that of its body by L
 * H n. Edges that are not periodic must not move. affine: nonzero adds the change of L to the velocities of
 * dynamic bodies, relative to their centre of mass, which conserves momentum; 0: contacts with images
 * transmit the flow. SCREE_E_ARGUMENT: no cell, numbers that are not finite, a stepper other than
 * semi_implicit, joints to images, an edge that is not periodic would move, a component that stress drives is
 * not 0. */
scree_status scree_world_cell_set_gradient(
    scree_world *world, const double gradient[9], int affine, scree_error *error);

/* Drives the components of L with nonzero `driven` by a wanted stress [Pa], which the impulses of each step
 * then balance, apart from the inertia of the cell: `inertia` times the sum of m d^2 over dynamic bodies. A
 * component that is no longer driven becomes 0. Velocities of bodies change with L. Errors: those of
 * scree_world_cell_set_gradient, a solver other than nbgs or auto, components of edges that are not
 * periodic. */
scree_status scree_world_cell_set_stress(
    scree_world *world, const double stress[9], const int driven[9], double inertia, scree_error *error);

/* Computes the Cauchy stress of the last step, over the volume of the cell. kinetic: velocities minus their
 * mean and the cell's flow. contact: contacts and joints, force times branch; with an immovable body, the arm
 * of the other body is the branch. Either may be NULL. SCREE_E_ARGUMENT: the world has no cell. */
scree_status scree_world_cell_stress(
    const scree_world *world, double kinetic[9], double contact[9], scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
