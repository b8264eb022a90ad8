/* Contacts of the last step as members of a truss (solve/truss/truss.h), with their loads. */
#ifndef SC_FORCES_GATHER_H
#define SC_FORCES_GATHER_H

#include "scree/forces.h"
#include "solve/truss/truss.h"
#include "scree/world.h"

typedef struct sc_gathering {
  const scree_world *world;
  const scree_forces_def *def;
  double dt;                 /* length of the step [s] */
  double least;              /* smallest normal impulse that is not a rounding error [N s] */
  bool uniform;              /* all contacts have the stiffness 1 */
  uint8_t *held;             /* [bodies] 1: not dynamic */
  double (*load)[6];         /* [bodies] force and torque that the contacts must carry [N, N m] */
  sc_truss_contact *contact; /* [count] members of the truss */
  int32_t *row;              /* [count] index of the world's contact that each truss contact came from */
  int32_t count;
  sc_truss_cell cell; /* valid if has_cell is set */
  bool has_cell;
  double most; /* largest normal impulse of a contact, with its pull [N s] */
} sc_gathering;

/* Allocates the arrays in the arena and fills them. Returns SCREE_E_ARGUMENT for a stiffness or a law that
 * does not fit def. */
scree_status sc_forces_gather(sc_gathering *g, sc_arena *arena, scree_error *error);
/* Returns true if the loads are tiny compared with the contact forces, as in a packing under stress in a cell
 * that cannot move. */
bool sc_forces_unloaded(const sc_gathering *g);

#endif
