/* Trees of ball joints go on in lanes, those that are alike together, on all threads. */
#ifndef SC_TREES_H
#define SC_TREES_H

#include "world/mechanism/trees/tree_plan.h"

/* Goes on by dt with the trees that take so many parts (per joint; SC_TREE_SHAKE: something touches them;
 * SC_TREE_OPEN: those that are apart, in as many parts as they need), as the mechanisms in swing.c do. Those
 * that do not get there stay where they are and are told how many parts to take. */
scree_status sc_trees_swing(
    scree_world *world, sc_swings *swings, int32_t *parts, int32_t wanted, double dt, scree_error *error);

#endif
