/* Bundles of trees with equal plans, and parallel work on bundles. */
#ifndef SC_TREE_BUNDLES_H
#define SC_TREE_BUNDLES_H

#include "world/mechanism/trees/tree_plan.h"

typedef struct sc_tree_bundle {
  int32_t count;          /* number of trees, 1 .. SC_LANES */
  int32_t tree[SC_LANES]; /* indices in sc_trees.tree */
} sc_tree_bundle;

typedef struct sc_tree_bundles {
  scree_world *world;
  const sc_trees *trees;
  sc_tree_bundle *bundle;
  int32_t count;
  sc_tree_run *scratch; /* [threads] scratch of each thread */
  sc_pool *pool;        /* NULL: all work runs on one thread */
} sc_tree_bundles;

/* Divides the trees tree[count] into bundles, in order. Allocates scratch for each thread in the arena. tree:
 * indices in trees->tree. Returns false without memory. */
bool sc_tree_bundles_make(
    scree_world *world, const sc_trees *trees, const int32_t *tree, int32_t count, sc_tree_bundles *bundles);

typedef void sc_tree_work(void *context, const sc_tree_bundle *bundle, sc_tree_run *run);
/* Calls work(context, bundle, run) for each bundle, on all threads. run->plan and run->lanes are set; `work`
 * must set all other members of *run. */
void sc_tree_bundles_go(const sc_tree_bundles *bundles, sc_tree_work *work, void *context);

/* ---- copies between the world and lanes ---- */

/* Copies `count` numbers into one lane of to[count]. */
static inline void sc_tree_fill(int count, const double *from, int lane, sc_lane *to) {
  for (int k = 0; k < count; k++) to[k][lane] = from[k];
}
/* Copies one lane of from[count] to `count` numbers. */
static inline void sc_tree_empty(int count, const sc_lane *from, int lane, double *to) {
  for (int k = 0; k < count; k++) to[k] = from[k][lane];
}
/* Fills one lane of *run with a tree: masses, inertias, lengths and poses of its bodies and anchors of its
 * joints. Sets the impulses of joints to 0. tree: index in sc_trees.tree. */
void sc_tree_fill_poses(const sc_tree_bundles *bundles, int32_t tree, int lane, sc_tree_run *run);

#endif
