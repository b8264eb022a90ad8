/* Inside of restitution in the stepper: one blow at one contact, and several that happen together. */
#ifndef SC_WORLD_IMPACT_H
#define SC_WORLD_IMPACT_H

#include "world/world.h"

/* A contact that is struck. Frame (n,t,o) in the rows of axes; velocities and impulses of body 1 against
 * body 2 in it. */
typedef struct sc_blow {
  sc_contact contact;
  int32_t index; /* of the contact */
  int32_t group; /* blows of one number happen together */
  bool round;    /* balls or what does not move on both sides: A = diag(An, At, At) */
  int law;       /* scree_restitution */
  double axes[3][3], A[9];
  double mu, e;
  double before[3];  /* velocity before the blow */
  double middle[3];  /* and at the end of compression (groups) */
  double x[3];       /* impulse */
  double rebound[3]; /* its part after compression (groups) */
} sc_blow;

/* Coefficient of restitution at a contact. */
double sc_blow_restitution(const scree_world *world, const sc_contact *contact);
/* Velocity of body 1 against body 2 at a contact, world axes. */
void sc_blow_relative_velocity(const sc_bodies *bodies, const sc_contact *contact, double u[3]);
/* The blow at a contact with the present velocities; no impulse yet. */
void sc_blow_make(const scree_world *world, int32_t index, sc_blow *blow);
/* Present velocity in the blow's frame. */
void sc_blow_velocity(const sc_bodies *bodies, const sc_blow *blow, double u[3]);
/* Changes the bodies' velocities by an impulse x in the blow's frame. */
void sc_blow_give(sc_bodies *bodies, const sc_blow *blow, const double x[3]);
/* Solves a blow that happens alone, exactly, and gives it to the bodies. Returns the energy lost. */
double sc_blow_strike(sc_bodies *bodies, sc_blow *blow);
/* Solves blows that happen together and gives them to the bodies. Returns the energy lost, never
 * negative but for rounding. */
double sc_blow_strike_group(sc_bodies *bodies, sc_blow *const *blow, int32_t count);

#endif
