/* Terms of the energy balance of a step (account.c). */
#ifndef SC_WORLD_ACCOUNT_H
#define SC_WORLD_ACCOUNT_H

#include "collide/collide.h"
#include "model/bodies.h"
#include "model/joints.h"
#include "problem/problem.h"

/* Motion of one body in world axes. */
typedef struct sc_motion {
  double position[3], orientation[4], velocity[3], spin[3];
} sc_motion;
/* Energies that belong to the change of one body's velocity during a step. */
typedef struct sc_change {
  double lost;  /* energy that impulses removed from the body [J] */
  double loads; /* work of applied forces and torques [J] */
  double early; /* minus the work of gravity that precedes the displacement [J]; part of `correction` */
} sc_change;
/* Returns the energies of a velocity change of body `row` from `from` to `to` in a step dt. load: applied
 * force and torque on the body [N, N m]. All energies are 0 if the body is not dynamic or this rank does not
 * own the body. */
sc_change sc_account_change(const sc_bodies *bodies, const double gravity[3], int32_t row,
    const sc_motion *from, const sc_motion *to, const double load[6], double dt);
/* Returns the energies of the velocity change of body `row` by the solution of a step. Call before the solved
 * velocity is stored in `bodies`. time: duration for which forces acted [s]. */
sc_change sc_account_solved(
    const sc_bodies *bodies, const double gravity[3], int32_t row, const sc_solver_body *solved, double time);
/* Returns the rotational energy of body `row` minus the rotational energy for orientation `from` and spin
 * `spin` [J]. */
double sc_account_turned(const sc_bodies *bodies, int32_t row, const double from[4], const double spin[3]);
/* Returns the kinetic and potential energy of body `row` for the pose and velocities in `motion` [J]. Returns
 * 0 if the body is not dynamic or this rank does not own the body. */
double sc_account_energy(
    const sc_bodies *bodies, const double gravity[3], int32_t row, const sc_motion *motion);

/* Returns the potential energy of all dynamic bodies that this rank owns [J]. */
double sc_account_potential(const sc_bodies *bodies, const double gravity[3]);
/* Returns the kinetic energy of a body [J]. */
double sc_account_kinetic_of(const sc_bodies *bodies, int32_t row);

/* Returns the kinetic energy of all dynamic bodies that this rank owns [J]. */
double sc_account_kinetic(const sc_bodies *bodies);
/* Returns the kinetic energy of the rotors of all joints [J]. Ranks have equal joints, so only rank 0 counts
 * the energy. */
double sc_account_rotors(const sc_joints *joints);

/* Returns the work that a driven body does at a contact [J]. impulse: impulse on the contact's body 1. Driven
 * bodies are kinematic bodies and bodies with moving surfaces; body 1 is dynamic. */
double sc_account_driven(const sc_bodies *bodies, const sc_contact *contact, const double impulse[3]);

/* Copies the velocities of all bodies to bodies->left and the largest joint id to joints->met. Call at the
 * end of a step. sc_account_changed compares later velocities with these copies. */
void sc_account_note(sc_bodies *bodies, sc_joints *joints);
/* Returns true if a velocity was changed, or a joint or bond was added, since sc_account_note. */
bool sc_account_changed(const sc_bodies *bodies, const sc_joints *joints);
/* Returns the part of a joint row's relative velocity that was changed between steps. For a joint created
 * since sc_account_note this is the whole velocity. For other joints it is the velocity of the row for the
 * changes of the bodies' velocities since sc_account_note. met: joints->met of the world, the largest joint
 * id at that call. */
double sc_account_found(const sc_bodies *bodies, uint64_t met, const sc_problem *problem,
    const sc_joint *joint, const sc_joint_row *row);

/* Relative velocity of a joint row before and after its impulse. */
typedef struct sc_row_motion {
  /* relative velocity along the row before and after the impulse */
  double before, after;
  double found; /* part of `before` that was changed between steps (sc_account_found) */
} sc_row_motion;
/* Sums of the energies of rows of joints [J]. */
typedef struct sc_row_work {
  double work; /* work of motors and driven bodies */
  /* energy dissipated by friction, limits and dampers. Locked rows and unresolved springs add only the energy
   * of velocities that were changed between steps. */
  double lost;
  /* work of locked rows, without their part of `lost`; work of springs, including the energy that dampers
   * dissipate; work of rotors on bodies, plus `stored` */
  double scheme;
  double stored; /* increase of the kinetic energy of rotors */
} sc_row_work;
/* Returns true if a row is a motor or servo. sc_row_work.work contains the work of such rows. */
bool sc_account_is_motor(const sc_joint_row *row);
/* Adds the energies of a solved joint row to `sum`. */
void sc_account_row(
    const sc_problem *problem, const sc_joint_row *row, const sc_row_motion *motion, sc_row_work *sum);

#endif
