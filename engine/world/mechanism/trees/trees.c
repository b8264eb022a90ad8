/* Bundles of trees: filled from the bodies and joints of the world, and emptied into them. */
#include "world/mechanism/trees/trees.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "world/mechanism/swing_account.h"

static const double ALLOWED = 1e-8; /* error of position per length that is as good as none */

typedef struct bundle {
  int32_t count, tree[SC_TREE_LANES];
} bundle;

typedef struct crew { /* what all threads know */
  scree_world *world;
  sc_swings *swings;
  const sc_trees *trees;
  const sc_tree_kernels *kernels;
  bundle *bundle;
  int32_t bundles;
  sc_tree_run *run;  /* per thread: its room */
  sc_swing_sum *sum; /* per tree: its account */
  bool *failed;      /* per tree */
  int parts;
  double dt;
} crew;

/* ---- into lanes ---- */

static void fill(int count, const double *from, int l, sc_lane *to) {
  for (int k = 0; k < count; k++) to[k][l] = from[k];
}

static void fill_body(const crew *c, int32_t row, int l, sc_tree_body *to) {
  const sc_bodies *bodies = &c->world->bodies;
  const int32_t place = c->swings->place[row];
  const double *load = c->swings->load[place];
  double inertia[6], inverse[6], pull[3];
  sc_motion now;
  if (c->parts) now = c->swings->before[place];
  else sc_motion_read(bodies, row, &now);
  sc_bodies_inertia(bodies, row, inertia);
  sc_bodies_inverse_inertia(bodies, row, inverse);
  sc_axpy(bodies->inv_mass[row], load, c->world->def.gravity, pull);
  fill(3, now.position, l, to->x);
  fill(4, now.orientation, l, to->q);
  fill(3, now.velocity, l, to->v);
  fill(3, now.spin, l, to->w);
  fill(3, pull, l, to->pull);
  fill(3, load + 3, l, to->torque);
  fill(6, inertia, l, to->inertia);
  fill(6, inverse, l, to->inverse);
  to->inverse_mass[l] = bodies->inv_mass[row];
}

/* What cannot move, a body or the ground. */
static void fill_still(const crew *c, int32_t row, int l, sc_tree_body *to) {
  static const double none[6] = {0}, upright[4] = {1, 0, 0, 0};
  const sc_bodies *bodies = &c->world->bodies;
  const double *x = row < 0 ? none : bodies->position[row], *q = row < 0 ? upright : bodies->orientation[row];
  fill(3, x, l, to->x);
  fill(3, x, l, to->to_x);
  fill(4, q, l, to->q);
  fill(4, q, l, to->to_q);
  fill(3, none, l, to->v);
  fill(3, none, l, to->w);
  fill(6, none, l, to->K);
  to->inverse_mass[l] = 0;
}

static void fill_tree(const crew *c, const sc_tree *tree, int l, sc_tree_run *r) {
  const sc_tree_plan *plan = c->trees->plan + tree->plan;
  const int32_t *body = c->trees->body + tree->body, *joint = c->trees->joint + tree->joint;
  double length = 0;
  for (int32_t b = 0; b < plan->bodies; b++) {
    fill_body(c, body[b], l, r->body + b);
    length = fmax(length, sc_body_scale(&c->world->bodies, body[b]));
  }
  fill_still(c, body[plan->bodies], l, r->body + plan->bodies);
  for (int32_t i = 0; i < plan->joints; i++) {
    static const double none[3] = {0};
    const sc_joint *from = c->world->joints.row + joint[i];
    fill(3, from->anchor1, l, r->joint[i].anchor[0]);
    fill(3, from->anchor2, l, r->joint[i].anchor[1]);
    fill(3, c->parts ? none : from->x, l, r->joint[i].x);
  }
  r->allowed[l] = ALLOWED * length;
  r->failed[l] = false;
}

/* ---- and back ---- */

static void empty(int count, const sc_lane *from, int l, double *to) {
  for (int k = 0; k < count; k++) to[k] = from[k][l];
}

static void empty_body(const crew *c, const sc_tree_body *from, int l, int32_t row) {
  sc_motion now;
  empty(3, from->x, l, now.position);
  empty(4, from->q, l, now.orientation);
  empty(3, from->v, l, now.velocity);
  empty(3, from->w, l, now.spin);
  sc_motion_write(&now, &c->world->bodies, row);
  sc_bodies_clear_load(&c->world->bodies, row);
  c->swings->held[row] = SC_MOVED;
}

static void empty_joint(const crew *c, const sc_tree_joint *from, int l, sc_joint *to) {
  double impulse[3];
  empty(3, from->x, l, impulse);
  sc_joint_forget(to);
  sc_scale(1 / c->dt, impulse, to->force);
}

static void empty_tree(const crew *c, const sc_tree *tree, int l, const sc_tree_run *r, sc_swing_sum *sum) {
  const sc_tree_plan *plan = r->plan;
  const int32_t *body = c->trees->body + tree->body, *joint = c->trees->joint + tree->joint;
  double before = sc_swing_open(c->world, c->swings, body, plan->bodies, c->parts > 0, c->dt, sum);
  for (int32_t i = 0; i < plan->joints; i++) {
    if (c->parts) sc_swing_unbook_rows(c->swings, joint[i], sum);
    empty_joint(c, r->joint + i, l, c->world->joints.row + joint[i]);
  }
  for (int32_t b = 0; b < plan->bodies; b++) empty_body(c, r->body + b, l, body[b]);
  sc_swing_close(c->world, c->swings, body, plan->bodies, c->parts > 0, c->dt, before, sum);
}

/* ---- bundles ---- */

static void go_bundle(const crew *c, const bundle *b, sc_tree_run *room) {
  sc_tree_run r = *room;
  r.plan = c->trees->plan + c->trees->tree[b->tree[0]].plan;
  r.h = c->parts ? c->dt / c->parts : c->dt;
  r.parts = c->parts;
  r.lanes = b->count;
  for (int l = 0; l < SC_TREE_LANES; l++) fill_tree(c, c->trees->tree + b->tree[l < b->count ? l : 0], l, &r);
  c->kernels->swing(&r);
  for (int l = 0; l < b->count; l++) {
    int32_t t = b->tree[l];
    c->failed[t] = r.failed[l];
    if (!r.failed[l]) empty_tree(c, c->trees->tree + t, l, &r, c->sum + t);
  }
}

static void go_share(void *context, int thread, int threads) {
  const crew *c = context;
  for (int32_t b = thread; b < c->bundles; b += threads) go_bundle(c, c->bundle + b, c->run + thread);
}

/* Trees of one plan fill a bundle after the other. */
static bool make_bundles(crew *c, const int32_t *parts) {
  const sc_trees *t = c->trees;
  sc_arena *arena = &c->world->arena;
  int32_t *open = SC_TAKE(arena, int32_t, t->plans);
  c->bundle = SC_TAKE(arena, bundle, t->count);
  if (!open || !c->bundle) return false;
  memset(open, 0xff, (size_t)t->plans * sizeof *open);
  for (int32_t i = 0; i < t->count; i++) {
    const sc_tree *tree = t->tree + i;
    if (parts[t->joint[tree->joint]] != c->parts) continue;
    int32_t *at = open + tree->plan;
    if (*at < 0 || c->bundle[*at].count == SC_TREE_LANES) {
      *at = c->bundles++;
      c->bundle[*at].count = 0;
    }
    bundle *b = c->bundle + *at;
    b->tree[b->count++] = i;
  }
  return true;
}

/* Room for the largest plan in every thread. */
static bool take_room(crew *c, int threads) {
  const sc_trees *t = c->trees;
  sc_arena *arena = &c->world->arena;
  size_t bodies = 0, joints = 0, entries = 0;
  for (int32_t b = 0; b < c->bundles; b++) {
    const sc_tree_plan *p = t->plan + t->tree[c->bundle[b].tree[0]].plan;
    size_t most = (size_t)p->at[3 * p->joints];
    if ((size_t)p->bodies + 1 > bodies) bodies = (size_t)p->bodies + 1;
    if ((size_t)p->joints > joints) joints = (size_t)p->joints;
    if (most > entries) entries = most;
  }
  c->run = SC_TAKE(arena, sc_tree_run, threads);
  bool room = c->run;
  for (int k = 0; k < threads && room; k++) {
    c->run[k] = (sc_tree_run){.body = SC_TAKE(arena, sc_tree_body, bodies),
        .joint = SC_TAKE(arena, sc_tree_joint, joints),
        .entry = sc_arena_take(arena, entries * sizeof(sc_lane))};
    room = c->run[k].body && c->run[k].joint && c->run[k].entry;
  }
  c->sum = SC_TAKE(arena, sc_swing_sum, t->count);
  c->failed = SC_TAKE(arena, bool, t->count);
  return room && c->sum && c->failed;
}

/* Accounts in the order of the trees; those that failed take more parts. */
static void settle(const crew *c, int32_t *parts) {
  const sc_trees *t = c->trees;
  for (int32_t i = 0; i < t->count; i++) {
    const sc_tree *tree = t->tree + i;
    if (parts[t->joint[tree->joint]] != c->parts) continue;
    if (!c->failed[i]) sc_swing_enter(c->world, c->sum + i);
    for (int32_t k = 0; k < t->plan[tree->plan].joints && c->failed[i]; k++)
      parts[t->joint[tree->joint + k]] *= 2;
  }
}

scree_status sc_trees_swing(
    scree_world *world, sc_swings *s, int32_t *parts, int32_t wanted, double dt, scree_error *error) {
  crew c = {
      .world = world, .swings = s, .trees = s->trees, .kernels = sc_tree_best(), .parts = wanted, .dt = dt};
  sc_arena_mark mark = sc_arena_here(&world->arena);
  bool room = make_bundles(&c, parts);
  if (room && c.bundles) {
    sc_pool *pool = c.bundles > 1 ? world->pool : NULL;
    room = take_room(&c, sc_pool_threads(pool));
    if (room) sc_pool_run(pool, go_share, &c);
    if (room) settle(&c, parts);
  }
  sc_arena_back(&world->arena, mark);
  return room ? SCREE_OK
              : sc_fail(error, SCREE_E_MEMORY, "no memory for the motion of %d joints", world->joints.count);
}
