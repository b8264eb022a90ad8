/* Correction of positions of trees after a step. */
#ifndef SC_TREE_CORRECT_H
#define SC_TREE_CORRECT_H

#include "world/mechanism/trees/tree_plan.h"

/* Moves bodies such that all joints of trees have no position errors. Skips trees whose errors are below
 * SC_TREE_PLACED. trees may be NULL. */
scree_status sc_trees_correct(scree_world *world, const sc_trees *trees, scree_error *error);

#endif
