/* Bundles of trees, and work on bundles by several threads. A thread processes one bundle after another. It
 * copies the bodies and joints of a bundle into the scratch memory of this thread. */
#include "world/world.h"
#include "world/mechanism/trees/tree_bundles.h"

#include <math.h>
#include <string.h>

/* ---- choice of bundles ---- */

/* Assigns the trees tree[count] to bundles, in order. All trees of a bundle have the same plan. Returns false
 * without memory. */
static bool list_bundles(sc_tree_bundles *b, const int32_t *tree, int32_t count, sc_arena *arena) {
  int32_t *open = SC_TAKE(arena, int32_t, b->trees->plans);
  b->bundle = SC_TAKE(arena, sc_tree_bundle, count);
  if (!open || !b->bundle) return false;
  memset(open, 0xff, (size_t)b->trees->plans * sizeof *open);
  for (int32_t i = 0; i < count; i++) {
    int32_t *at = open + b->trees->tree[tree[i]].plan;
    if (*at < 0 || b->bundle[*at].count == SC_LANES) {
      *at = b->count++;
      b->bundle[*at].count = 0;
    }
    sc_tree_bundle *bundle = b->bundle + *at;
    bundle->tree[bundle->count++] = tree[i];
  }
  return true;
}

static const sc_tree_plan *bundle_plan_of(const sc_tree_bundles *b, const sc_tree_bundle *bundle) {
  return b->trees->plan + b->trees->tree[bundle->tree[0]].plan;
}

/* Allocates scratch for every thread, large enough for the largest plan. Returns false without memory. */
static bool allocate_scratch(sc_tree_bundles *b, sc_arena *arena) {
  size_t bodies = 0, joints = 0, entries = 0;
  for (int32_t k = 0; k < b->count; k++) {
    const sc_tree_plan *p = bundle_plan_of(b, b->bundle + k);
    size_t max = (size_t)p->at[3 * p->joints];
    if ((size_t)p->bodies + 1 > bodies) bodies = (size_t)p->bodies + 1;
    if ((size_t)p->joints > joints) joints = (size_t)p->joints;
    if (max > entries) entries = max;
  }
  int threads = sc_pool_threads(b->pool);
  b->scratch = SC_TAKE(arena, sc_tree_run, threads);
  bool done = b->scratch;
  for (int k = 0; k < threads && done; k++) {
    b->scratch[k] = (sc_tree_run){.body = SC_TAKE(arena, sc_tree_body, bodies),
        .joint = SC_TAKE(arena, sc_tree_joint, joints),
        .entry = sc_arena_take(arena, entries * sizeof(sc_lane)),
        .want = sc_arena_take(arena, 3 * joints * sizeof(sc_lane))};
    done = b->scratch[k].body && b->scratch[k].joint && b->scratch[k].entry && b->scratch[k].want;
  }
  return done;
}

/* Returns true if the bundles have enough joints to justify the cost of waking threads. */
static bool is_worth_threads(const sc_tree_bundles *b) {
  /* smallest number of joints for several threads, summed over bundles; all lanes of a bundle count as one */
  enum { FEWEST = 200 };
  int64_t joints = 0;
  for (int32_t k = 0; k < b->count; k++) joints += bundle_plan_of(b, b->bundle + k)->joints;
  return b->count > 1 && joints >= FEWEST;
}

bool sc_tree_bundles_make(
    scree_world *world, const sc_trees *trees, const int32_t *tree, int32_t count, sc_tree_bundles *b) {
  *b = (sc_tree_bundles){.world = world, .trees = trees};
  if (!list_bundles(b, tree, count, &world->arena)) return false;
  if (is_worth_threads(b)) b->pool = world->pool;
  return allocate_scratch(b, &world->arena);
}

/* ---- parallel work ---- */

typedef struct bundle_task {
  const sc_tree_bundles *bundles;
  sc_tree_work *work;
  void *context;
} bundle_task;

static void run_bundles(void *context, int thread, int threads) {
  const bundle_task *c = context;
  const sc_tree_bundles *b = c->bundles;
  for (int32_t k = thread; k < b->count; k += threads) {
    sc_tree_run run = b->scratch[thread];
    run.plan = bundle_plan_of(b, b->bundle + k);
    run.lanes = b->bundle[k].count;
    c->work(c->context, b->bundle + k, &run);
  }
}

void sc_tree_bundles_go(const sc_tree_bundles *b, sc_tree_work *work, void *context) {
  bundle_task c = {b, work, context};
  sc_pool_run(b->pool, run_bundles, &c);
}

/* ---- copies between the world and lanes ---- */

static const double none[6] = {0};

static void fill_movable(const sc_bodies *bodies, int32_t row, int l, sc_tree_body *to) {
  double inertia[6], inverse[6];
  sc_bodies_inertia(bodies, row, inertia);
  sc_bodies_inverse_inertia(bodies, row, inverse);
  sc_tree_fill(3, bodies->position[row], l, to->x);
  sc_tree_fill(4, bodies->orientation[row], l, to->q);
  sc_tree_fill(6, inertia, l, to->inertia);
  sc_tree_fill(6, inverse, l, to->inverse);
  to->inverse_mass[l] = bodies->inv_mass[row];
  to->mass[l] = bodies->mass[row];
  to->counts[l] = sc_bodies_own(bodies, row);
  to->length[l] = sc_body_scale(bodies, row);
}

/* Fills lane l of an immovable body. row: -1 for the ground. */
static void fill_still(const sc_bodies *bodies, int32_t row, int l, sc_tree_body *to) {
  static const double upright[4] = {1, 0, 0, 0};
  const double *x = row < 0 ? none : bodies->position[row], *q = row < 0 ? upright : bodies->orientation[row];
  sc_tree_fill(3, x, l, to->x);
  sc_tree_fill(3, x, l, to->to_x);
  sc_tree_fill(4, q, l, to->q);
  sc_tree_fill(4, q, l, to->to_q);
  sc_tree_fill(3, none, l, to->v);
  sc_tree_fill(3, none, l, to->w);
  sc_tree_fill(6, none, l, to->K);
  to->inverse_mass[l] = 0;
}

void sc_tree_fill_poses(const sc_tree_bundles *b, int32_t tree, int l, sc_tree_run *r) {
  const sc_tree *t = b->trees->tree + tree;
  const int32_t *body = b->trees->body + t->body, *joint = b->trees->joint + t->joint;
  const sc_bodies *bodies = &b->world->bodies;
  r->length[l] = 0;
  for (int32_t i = 0; i < r->plan->joints; i++) __builtin_prefetch(b->world->joints.row[joint[i]].anchor1);
  for (int32_t k = 0; k < r->plan->bodies; k++) {
    fill_movable(bodies, body[k], l, r->body + k);
    r->length[l] = fmax(r->length[l], r->body[k].length[l]);
  }
  fill_still(bodies, body[r->plan->bodies], l, r->body + r->plan->bodies);
  for (int32_t i = 0; i < r->plan->joints; i++) {
    const sc_joint *from = b->world->joints.row + joint[i];
    sc_tree_fill(3, from->anchor1, l, r->joint[i].anchor[0]);
    sc_tree_fill(3, from->anchor2, l, r->joint[i].anchor[1]);
    sc_tree_fill(3, none, l, r->joint[i].x);
  }
}
