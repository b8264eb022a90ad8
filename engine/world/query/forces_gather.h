/* Contacts of the last step as members of a truss (solve/truss/truss.h), and the loads on the bodies. */
#ifndef SC_FORCES_GATHER_H
#define SC_FORCES_GATHER_H

#include "scree/forces.h"
#include "solve/truss/truss.h"
#include "scree/world.h"

typedef struct sc_gathering {
  const scree_world *world;
  const scree_forces_def *def;
  double dt; /* length of the step [s] */
  /* smallest normal impulse of a loaded contact [N s]; smaller impulses are rounding errors */
  double least;
  bool uniform;              /* true: all contacts have the stiffness 1 */
  uint8_t *held;             /* [bodies] 1: the body is not dynamic */
  double (*load)[6];         /* [bodies] force and torque that the contacts must balance [N, N m] */
  sc_truss_contact *contact; /* [count] members of the truss */
  int32_t *row;              /* [count] index of the world's contact from which the member was made */
  int32_t count;
  sc_truss_cell cell; /* valid if has_cell is set */
  bool has_cell;
  double most; /* largest normal impulse of a contact, including the pull of cohesion [N s] */
} sc_gathering;

/* Allocates the arrays of *g in the arena and fills them. Returns SCREE_E_ARGUMENT if def does not support
 * the stiffness or law of a contact. */
scree_status sc_forces_gather(sc_gathering *g, sc_arena *arena, scree_error *error);
/* Returns true if the loads are negligible compared with the contact forces. An example is a packing under
 * stress in a cell that cannot move. */
bool sc_forces_unloaded(const sc_gathering *g);

#endif
