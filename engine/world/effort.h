/* Effort and accuracy of all steps so far, for reports: counts of solution methods, balance of forces,
 * overlaps. */
#ifndef SC_EFFORT_H
#define SC_EFFORT_H

#include "collide/contact.h"
#include "model/shapes.h"
#include "solve/solver.h"

typedef struct sc_effort {
  sc_solver_ways ways;
  /* sum of the unbalanced shares (problem/residual/balance.h) of evaluated steps, and number of these steps;
   * both decay, by a factor below 1 at each evaluation */
  double unbalanced, looks;
  /* largest overlap (sc_world_overlap) of this rank's contacts, from every 32nd step and from reports.
   * Reports before step 32 do not count, because bodies that overlap at the start are still separating. */
  double overlap;
  /* number of steps that were solved again because the first solution added energy (solve.h) */
  int64_t again;
  int64_t gaining; /* number of steps whose last solution still added energy */
  /* worst: largest unbalanced share of a single step; worst_residual: relative residual of this step */
  double worst, worst_residual;
  /* solves: number of solves with at least one sweep; capped: number of solves that stopped at the maximum
   * number of sweeps, above the tolerance */
  int64_t solves, capped;
  /* number of the step after which contacts without stiffness became springs (sc_world_softness); 0: contacts
   * have not become springs */
  int64_t softened;
} sc_effort;

typedef struct scree_world scree_world;
/* Returns true if a joint connects the bodies in two rows and prevents their collision. image: periodic image
 * of the second body. */
bool sc_world_joined(const scree_world *world, int32_t row1, int32_t row2, sc_image image);
/* Adds the counts of one solve to effort->ways. */
void sc_effort_add(sc_effort *effort, const sc_solver_ways *ways);
/* Evaluates a finished step: every 32nd step, and each step whose relative residual is more than 1.5 times
 * the largest evaluated before. Call after every step. */
void sc_world_note_effort(scree_world *world);
/* Returns the softness of contacts whose pair has no stiffness: def.solver.softness if it is > 0, else 0.01
 * if rigid contacts became springs (sc_world_softened), else 0 (rigid). */
double sc_world_softness(const scree_world *world);
/* Returns true if contacts can be springs: a pair has a stiffness, or sc_world_softness is above 0. */
bool sc_world_has_springs(const scree_world *world);
/* Returns the number of the step after which rigid contacts became springs. Returns 0 if contacts have not
 * become springs, or if the definition or the solver of the world does not allow springs. */
int64_t sc_world_softened(const scree_world *world);
/* Returns true if a contact had an impulse in the last step and is rigid: its pair has no stiffness,
 * sc_world_softness is 0, and the stepper is not `penalty`. */
bool sc_world_is_rigid(const scree_world *world, const sc_contact *contact);
/* Returns the unbalanced share of the load in the last step (problem/residual/balance.h). Returns a negative
 * number if there is no load: if the velocity scale of the load times dt is below the rounding errors of
 * positions. *residual: largest residual of this rank's contacts [m/s]. Collective. */
double sc_world_unbalanced(const scree_world *world, double *residual);
/* Returns the penetration of a contact divided by the smaller sc_world_half_width of its two shapes. Returns
 * 0 if the contact has no penetration, or if a joint prevents the collision of its bodies. */
double sc_world_overlap(const scree_world *world, int32_t contact);

/* Returns half the smallest width of a shape along its own axes [m]; INFINITY for half-spaces and meshes. */
double sc_world_half_width(const sc_shapes *shapes, int32_t row);
/* Returns the smallest sc_world_half_width of the shapes of the body in a row [m]. */
double sc_world_inner_radius(const scree_world *world, int32_t row);

#endif
