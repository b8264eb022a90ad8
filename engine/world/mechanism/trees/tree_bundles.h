/* Trees of one plan in bundles, and the work on them by all threads. */
#ifndef SC_TREE_BUNDLES_H
#define SC_TREE_BUNDLES_H

#include "world/mechanism/trees/tree_plan.h"

typedef struct sc_tree_bundle {
  int32_t count, tree[SC_LANES];
} sc_tree_bundle;

typedef struct sc_tree_bundles {
  scree_world *world;
  const sc_trees *trees;
  sc_tree_bundle *bundle;
  int32_t count;
  sc_tree_run *room; /* per thread */
  sc_pool *pool;
} sc_tree_bundles;

/* Bundles of `count` trees in their order, with room for work on them in the arena. False without memory. */
bool sc_tree_bundles_make(
    scree_world *world, const sc_trees *trees, const int32_t *tree, int32_t count, sc_tree_bundles *bundles);

/* Does each bundle with what is in its room: work(context, bundle, run), the plan of `run` set. */
typedef void sc_tree_work(void *context, const sc_tree_bundle *bundle, sc_tree_run *run);
void sc_tree_bundles_go(const sc_tree_bundles *bundles, sc_tree_work *work, void *context);

/* ---- between the world and lanes ---- */

static inline void sc_tree_fill(int count, const double *from, int lane, sc_lane *to) {
  for (int k = 0; k < count; k++) to[k][lane] = from[k];
}
static inline void sc_tree_empty(int count, const sc_lane *from, int lane, double *to) {
  for (int k = 0; k < count; k++) to[k] = from[k][lane];
}
/* Masses, inertias and poses of a tree's bodies, lengths, anchors of its joints, impulses 0. */
void sc_tree_fill_poses(const sc_tree_bundles *bundles, int32_t tree, int lane, sc_tree_run *run);

#endif
