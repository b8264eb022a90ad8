/* Motion of trees of ball joints, in SIMD lanes and on all threads. */
#ifndef SC_TREES_H
#define SC_TREES_H

#include "world/mechanism/trees/tree_plan.h"

/* Moves all trees with parts[joint] == wanted by dt, as motion/swing.c moves other mechanisms. parts:
 * [joints] number of substeps of the joint's mechanism; SC_TREE_SHAKE: the tree has contact impulses;
 * SC_TREE_OPEN: the step's problem does not contain the tree, which computes its own number of substeps.
 *
 * A tree whose positions do not converge is not moved, and its parts[] are set to a larger number. A tree
 * with a joint that breaks is removed from the list of trees. */
scree_status sc_trees_move(
    scree_world *world, sc_swings *swings, int32_t *parts, int32_t wanted, double dt, scree_error *error);

#endif
