/* Mechanisms that are trees of ball joints. Trees of one topology share a plan (sc_tree_plan in tree.h). */
#ifndef SC_TREE_PLAN_H
#define SC_TREE_PLAN_H

#include "world/mechanism/swing.h"
#include "world/mechanism/trees/tree.h"

/* A mechanism that is a tree. */
typedef struct sc_tree {
  int32_t plan; /* index in sc_trees.plan */
  /* joint: index of the tree's first joint in sc_trees.joint; body: index of its first body in
   * sc_trees.body */
  int32_t joint, body;
} sc_tree;

typedef struct sc_trees {
  int32_t count, plans, joints; /* numbers of trees, of plans, and of joints in trees */
  sc_tree *tree;                /* [count] trees */
  const sc_tree_plan *plan;     /* [plans] topologies of the trees */
  /* [joints] rows of the world's joints, sorted by tree; within a tree in the order of its plan */
  int32_t *joint;
  /* rows of the bodies in the world, sorted by tree; within a tree in the order of its plan, followed by one
   * immovable body of the tree (-1: none) */
  int32_t *body;
  int32_t *of;  /* [world's joints] index of the joint's tree in `tree`; -1: none */
  bool *placed; /* [count] true: the position errors of the tree after the step are below SC_TREE_PLACED */
} sc_trees;

/* Finds the trees among the mechanisms of a step. Finds none in a planar world or in a periodic cell. *trees
 * has memory from the arena. */
scree_status sc_trees_find(scree_world *world, const sc_swings *swings, sc_trees *trees, scree_error *error);

#endif
