/* Functions that make rows of one joint, shared by joints.c and free_rows.c. */
#ifndef SC_PROBLEM_JOINT_ROWS_H
#define SC_PROBLEM_JOINT_ROWS_H

#include "model/joints.h"
#include "problem/problem.h"

/* Arguments of the functions that make the rows of one joint. */
typedef struct sc_row_maker {
  sc_joint *joint;
  const sc_bodies *bodies;
  sc_joint_pose pose;
  sc_problem *problem;
  double s1, s2, length;     /* lengths that scale the spins of bodies a and b, and the common length L of
                                both [m] */
  double r1[3], r2[3];       /* arms from the centres of a and b [m] */
  double dt, feedback, most; /* step [s]; share of errors that is corrected; largest correction velocity
                                [m/s] */
  double way;                /* time in which a joint may reach its limit [s] */
  sc_arena *arena;
  int32_t index, joints;
  const int32_t *ends;   /* rows of both bodies in sc_bodies, both -1 if the joint is asleep; NULL: ids are
                            looked up */
  const sc_yield *yield; /* limited load if the joint breaks in this step; NULL if the joint does not break */
  bool plain;            /* true: the joint has only the three rows of a point */
  bool displace, solved, starts; /* members of sc_joints_in */
  bool is_new;                   /* true: no step has solved the joint */
  bool housed;                   /* true: the row has a third body */
} sc_row_maker;

/* Appends a row that has no Jacobian and no bounds yet. error: position error in the unit of the row [m or
 * rad]. */
sc_joint_row *sc_joint_new_row(sc_row_maker *m, double error);
/* Appends a point row along d. error: distance of the joint points of both bodies along d [m]. */
sc_joint_row *sc_joint_point_row(sc_row_maker *m, const double d[3], double error);
/* Appends a turn row about d. error: angle [rad]. */
sc_joint_row *sc_joint_turn_row(sc_row_maker *m, const double d[3], double error);
/* Returns the relative velocity of a row before the step [m/s]. left: [bodies] velocities and spins to
 * subtract; NULL: none. */
double sc_joint_row_velocity(const sc_row_maker *m, const sc_joint_row *row, double (*left)[6]);
/* Gives a row the softness of a spring. unit: length L of a turn row [m], 1 for a point row. stretch,
 * stiffness, damping, push: values for the angle of a turn row or the displacement of a point row. */
void sc_joint_soften_row(sc_row_maker *m, sc_joint_row *row, double unit, double stiffness, double damping,
    double stretch, double push);
/* Adds the rows of a free direction (free_rows.c): rotor, limits, motor, friction and spring, or a locked row
 * for a limit that is exceeded if m->displace. which: 0 or 1 for the first or second direction. */
void sc_joint_free_rows(sc_row_maker *m, int which);

#endif
