/* Joints of trees are put right where a step left them. */
#ifndef SC_TREE_CORRECT_H
#define SC_TREE_CORRECT_H

#include "world/mechanism/trees/tree_plan.h"

/* Shifts and turns bodies so that all joints of trees are met, where one of a tree is off by more than
 * rounding. */
scree_status sc_trees_correct(scree_world *world, const sc_trees *trees, scree_error *error);

#endif
