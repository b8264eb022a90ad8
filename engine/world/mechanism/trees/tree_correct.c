/* Correction of positions of trees after a step. */
#include "world/world.h"
#include "world/mechanism/trees/tree_correct.h"

#include "world/mechanism/trees/tree_bundles.h"

static void fill_tree_still(const sc_tree_bundles *b, int32_t tree, int l, sc_tree_run *r) {
  static const double none[3] = {0};
  sc_tree_fill_poses(b, tree, l, r);
  for (int32_t k = 0; k < r->plan->bodies; k++) {
    sc_tree_fill(3, none, l, r->body[k].v);
    sc_tree_fill(3, none, l, r->body[k].w);
  }
}

static void correct_bundle(void *context, const sc_tree_bundle *bundle, sc_tree_run *r) {
  const sc_tree_bundles *b = context;
  sc_bodies *bodies = &b->world->bodies;
  for (int l = 0; l < SC_LANES; l++) fill_tree_still(b, bundle->tree[l < bundle->count ? l : 0], l, r);
  sc_tree_best()->correct(r);
  for (int l = 0; l < bundle->count; l++) {
    const int32_t *body = b->trees->body + b->trees->tree[bundle->tree[l]].body;
    for (int32_t k = 0; k < r->plan->bodies && r->moved[l]; k++) {
      sc_tree_empty(3, r->body[k].to_x, l, bodies->position[body[k]]);
      sc_tree_empty(4, r->body[k].to_q, l, bodies->orientation[body[k]]);
    }
  }
}

scree_status sc_trees_correct(scree_world *world, const sc_trees *trees, scree_error *error) {
  if (!trees || !trees->count) return SCREE_OK;
  sc_arena_mark mark = sc_arena_here(&world->arena);
  sc_tree_bundles b;
  int32_t *tree = SC_TAKE(&world->arena, int32_t, trees->count), count = 0;
  for (int32_t i = 0; i < trees->count && tree; i++)
    if (!trees->placed[i]) tree[count++] = i;
  bool done = tree && sc_tree_bundles_make(world, trees, tree, count, &b);
  if (done) sc_tree_bundles_go(&b, correct_bundle, &b);
  sc_arena_back(&world->arena, mark);
  return done ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory to correct %d trees", trees->count);
}
