/* Which mechanisms are trees of ball joints, and which of those are alike. */
#ifndef SC_TREE_PLAN_H
#define SC_TREE_PLAN_H

#include "world/mechanism/swing.h"
#include "world/mechanism/trees/tree.h"

/* A mechanism that is a tree. */
typedef struct sc_tree {
  int32_t plan;
  int32_t joint, body; /* where its joints and bodies begin in the lists below */
} sc_tree;

typedef struct sc_trees {
  int32_t count, plans, joints; /* joints: in trees */
  sc_tree *tree;
  const sc_tree_plan *plan;
  int32_t *joint; /* rows of the world's joints, each tree's in the order of its plan */
  int32_t *body;  /* rows of bodies as the plan numbers them; then of the one that cannot move, or -1 */
  int32_t *of;    /* per joint of the world: its tree, or -1 */
  bool *placed;   /* per tree: the motion of the step has left its joints where they are to be */
} sc_trees;

/* From the joints of a step. */
scree_status sc_trees_find(scree_world *world, const sc_swings *swings, sc_trees *trees, scree_error *error);

#endif
