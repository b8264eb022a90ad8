/* Correction of the positions of trees after a step. */
#ifndef SC_TREE_CORRECT_H
#define SC_TREE_CORRECT_H

#include "world/mechanism/trees/tree_plan.h"

/* Removes the position errors of all joints of trees by moving bodies. Skips trees whose errors are below
 * SC_TREE_PLACED. Does nothing if trees is NULL. */
scree_status sc_trees_correct(scree_world *world, const sc_trees *trees, scree_error *error);

#endif
