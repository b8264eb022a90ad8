/* The cell of a periodic world (world.cell): space repeats along its periodic edges.
 *
 * The cell has three edges from its origin, which are the columns of the matrix H. Space is periodic along
 * some of them. Bodies may be placed anywhere, and their positions are never wrapped. Each body stands for
 * all of its images. Matrices are row-major. Stress [Pa] is positive in compression. */
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

/* size: initial lengths of the edges along x, y and z [m], > 0; origin: corner from which they start [m]. The
 * world has no cell if no edge is periodic. */
typedef struct scree_cell_def {
  double size[3], origin[3];
  int periodic[3];
} scree_cell_def;
extern const scree_param scree_cell_params[];
extern const int scree_cell_params_count;

typedef struct scree_cell {
  int periodic[3];
  double matrix[9], origin[3]; /* H [m]; corner from which the edges start [m] */
  double inverse[9];           /* inverse of H [1/m]; 0 if H is singular, and then points are not wrapped */
  double gradient[9];          /* velocity gradient L [1/s] */
  int driven[9];               /* nonzero: a prescribed stress determines this component of L */
  double volume;               /* volume of the cell [m3] */
} scree_cell;
/* Sets *out to the present cell. Returns 0 if the world has no cell. */
int scree_world_get_cell(const scree_world *world, scree_cell *out);
/* Sets H, its inverse and the volume of a cell. Returns 0 if H is singular; the inverse is then 0. */
int scree_cell_set(scree_cell *cell, const double matrix[9]);
/* Computes the image of a point that lies in the cell: wrapped = point - H image. Components of `image` along
 * edges that are not periodic are 0. */
void scree_cell_wrap(const scree_cell *cell, const double point[3], double wrapped[3], int32_t image[3]);

/* Sets the matrix H of the cell [m]. Bodies do not move. Returns SCREE_E_ARGUMENT if the world has no cell,
 * numbers are not finite, the volume is 0, or an edge that is not periodic would change. */
scree_status scree_world_cell_set_matrix(scree_world *world, const double matrix[9], scree_error *error);

/* Sets the velocity gradient L of the cell: dH/dt = L H. The velocity of an image n exceeds that of its body
 * by L H n. Edges that are not periodic must not move. affine: nonzero adds the change of L to the velocities
 * of dynamic bodies, relative to their centre of mass, which conserves momentum; 0: only contacts with images
 * transmit the flow. Returns SCREE_E_ARGUMENT for: no cell, numbers that are not finite, a stepper other than
 * semi_implicit, joints to images, an edge that is not periodic and would move, a nonzero component that
 * stress drives. */
scree_status scree_world_cell_set_gradient(
    scree_world *world, const double gradient[9], int affine, scree_error *error);

/* Lets a prescribed stress [Pa] drive the components of L for which `driven` is not 0. The impulses of each
 * step then balance this stress, apart from the inertia of the cell: `inertia` times the sum of m d^2 over
 * dynamic bodies (m: mass, d: diameter). A component that is no longer driven becomes 0. Velocities of bodies
 * change with L. Errors: those of scree_world_cell_set_gradient, a solver other than nbgs or auto, and
 * components of edges that are not periodic. */
scree_status scree_world_cell_set_stress(
    scree_world *world, const double stress[9], const int driven[9], double inertia, scree_error *error);

/* Computes the Cauchy stress of the last step, averaged over the volume of the cell. kinetic: from velocities
 * minus their mean and the flow of the cell. contact: from the forces of contacts and joints times their
 * branch vectors; if one body is immovable, the branch is the arm of the other body. Either argument may be
 * NULL. Returns SCREE_E_ARGUMENT if the world has no cell. */
scree_status scree_world_cell_stress(
    const scree_world *world, double kinetic[9], double contact[9], scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
