/* An order of joint rows in which rows that share a body lie close together. */
#ifndef SC_JOINT_ORDER_H
#define SC_JOINT_ORDER_H

#include "problem/problem.h"

/* Sorts `count` indices into problem->joint_row by the breadth-first place of their farther body, seen
 * from an end of the mechanism. count > 0; each row has a movable body. False without memory. */
bool sc_joint_order(const sc_problem *problem, sc_arena *arena, int32_t count, int32_t *row);

#endif
