/* How far bodies may move in a step, for scree check. */
#ifndef CLI_CHECK_REACH_H
#define CLI_CHECK_REACH_H

#include <stdbool.h>

#include "run/run.h"

/* The speed that a scene's bodies may reach, and the longest step that this speed allows. */
typedef struct check_reach {
  double radius; /* smallest bounding radius of the bodies that move [m]; INFINITY if nothing moves */
  double fall;   /* largest height that a body can fall [m] */
  double speed;  /* larger of the two speeds that check_find_reach describes [m/s] */
  double share;  /* displacement at this speed in a step, over the smallest radius */
  double dt;     /* time step at which share equals cli_far [s]; INFINITY if nothing moves */
  char why[RUN_LABEL + 120]; /* text that says which body or fall causes the speed */
} check_reach;
/* Computes the reach. The speed is the larger of two: the present speed of moving bodies plus a fall to the
 * lowest point of the scene, and the largest surface speed of a driven body until `end` [s]. Returns false if
 * out of memory. */
bool check_find_reach(sl_scene *scene, double end, check_reach *reach);
/* Returns whether a step is too long for the speed. */
bool check_is_far(const check_reach *reach);
/* Prints the advice on the step. */
void check_print_reach(const check_reach *reach);

#endif
