/* Mechanisms that are trees of ball joints. Trees of one topology share a plan (sc_tree_plan in tree.h). */
#ifndef SC_TREE_PLAN_H
#define SC_TREE_PLAN_H

#include "world/mechanism/swing.h"
#include "world/mechanism/trees/tree.h"

/* A mechanism that is a tree. */
typedef struct sc_tree {
  int32_t plan;        /* index in sc_trees.plan */
  int32_t joint, body; /* index of the first joint and body in sc_trees.joint and sc_trees.body */
} sc_tree;

typedef struct sc_trees {
  int32_t count, plans, joints; /* numbers of trees, of plans, and of joints in trees */
  sc_tree *tree;                /* [count] */
  const sc_tree_plan *plan;     /* [plans] */
  int32_t *joint;               /* [joints] rows of the world's joints, by tree in the order of its plan */
  int32_t *body; /* rows of bodies, by tree in the plan's order; last of a tree: an immovable one or -1 */
  int32_t *of;   /* [world's joints] index of the tree, or -1 */
  bool *placed;  /* [count] true: position errors after the step are below SC_TREE_PLACED */
} sc_trees;

/* Finds the trees among the mechanisms of a step, none in a planar world or in a cell. Memory: arena. */
scree_status sc_trees_find(scree_world *world, const sc_swings *swings, sc_trees *trees, scree_error *error);

#endif
