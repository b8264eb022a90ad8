/* Materials, sizes and the step of a scene in the output of scree check. */
#ifndef CLI_CHECK_SCENE_H
#define CLI_CHECK_SCENE_H

#include <stdbool.h>

#include "run/run.h"
#include "scree/world.h"

/* Pairs of materials that are used but not defined. */
enum { CHECK_PAIRS = 20 };
typedef struct check_pairs {
  int pair[CHECK_PAIRS][2]; /* materials of the first pairs */
  int64_t count;            /* number of all such pairs */
} check_pairs;
/* Finds the undefined pairs. Returns false if out of memory. */
bool check_find_pairs(const scree_world *world, check_pairs *pairs);
/* Prints a line for each undefined pair, with the values used. */
void check_print_pairs(const scree_world *world, const check_pairs *pairs);
/* Prints the pairs as the member "undefined_pairs" of a JSON object, with a comma before it. */
void check_put_pairs(const scree_world *world, const check_pairs *pairs);

/* Sizes of the bodies that move, and the fastest body. */
typedef struct check_sizes {
  double least, most;      /* bounding radii [m]; INFINITY and 0 if nothing moves */
  double speed;            /* largest speed of a point of the fastest body [m/s] */
  double dt;               /* time step [s] */
  char fastest[RUN_LABEL]; /* name of the fastest body in quotes, or its id */
} check_sizes;
/* Finds the sizes and the fastest body. Returns false if out of memory. */
bool check_find_sizes(scree_world *world, check_sizes *sizes);
/* Prints the range of sizes, and how far the fastest body moves in a step. */
void check_print_sizes(const check_sizes *sizes);
/* Prints a number as a member of a JSON object, with a comma before it; null if it is not finite. */
void check_put_number(const char *name, double value);
/* Prints the sizes and the fastest body as members of a JSON object, with a comma before each. */
void check_put_sizes(const check_sizes *sizes);

#endif
