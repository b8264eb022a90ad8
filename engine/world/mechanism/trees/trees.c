/* Moves trees of ball joints. Trees without contact impulses move by RATTLE, all others with the solved
 * velocities. */
#include "world/world.h"
#include "world/mechanism/trees/trees.h"

#include <string.h>
#include "math/vec.h"
#include "world/mechanism/swing_account.h"
#include "world/mechanism/yields.h"
#include "world/mechanism/trees/tree_bundles.h"
#include "world/steps.h"

typedef struct tree_task {
  sc_tree_bundles bundles;
  sc_swings *swings;
  sc_trees *trees;
  sc_mechanism_energy *sum; /* [trees] energies of the motion */
  /* [trees] 0: the tree has moved; > 0: number of substeps for the next attempt; or SC_TREE_BREAKS */
  int32_t *needs;
  int parts; /* number of substeps, > 0; or SC_TREE_OPEN or SC_TREE_SHAKE */
  double dt;
} tree_task;

/* ---- copies from the world to lanes ---- */

static bool is_apart(const tree_task *c, int32_t tree) {
  const sc_trees *trees = c->bundles.trees;
  return c->swings->apart && c->swings->apart[trees->joint[trees->tree[tree].joint]];
}

/* Fills lane l with the velocities and loads of a body. A tree without contact impulses (c->parts != 0)
 * starts from the velocities and loads before the step. kept: true if the step's problem does not contain the
 * tree, so the bodies still have these velocities and loads. */
static void fill_body_motion(const tree_task *c, bool kept, int32_t row, int l, sc_tree_body *to) {
  const sc_bodies *bodies = &c->bundles.world->bodies;
  const int32_t place = c->swings->place[row];
  const sc_motion *before = c->swings->before + place;
  const double *load = kept ? sc_bodies_load(bodies, row) : c->swings->load[place],
               *v = kept ? bodies->velocity[row] : before->velocity,
               *w = kept ? bodies->spin[row] : before->spin;
  double pull[3];
  sc_axpy(bodies->inv_mass[row], load, c->bundles.world->def.gravity, pull);
  sc_tree_fill(3, c->parts ? v : bodies->velocity[row], l, to->v);
  sc_tree_fill(3, c->parts ? w : bodies->spin[row], l, to->w);
  sc_tree_fill(3, pull, l, to->pull);
  sc_tree_fill(3, load + 3, l, to->torque);
}

static void fill_tree_motion(const tree_task *c, int32_t tree, int l, sc_tree_run *r) {
  const sc_trees *trees = c->bundles.trees;
  const int32_t *body = trees->body + trees->tree[tree].body, *joint = trees->joint + trees->tree[tree].joint;
  sc_tree_fill_poses(&c->bundles, tree, l, r);
  r->failed[l] = false;
  for (int32_t b = 0; b < r->plan->bodies; b++)
    fill_body_motion(c, is_apart(c, tree), body[b], l, r->body + b);
  for (int32_t i = 0; i < r->plan->joints; i++) {
    r->joint[i].force[l] = c->swings->force[joint[i]];
    if (c->parts == SC_TREE_SHAKE)
      sc_tree_fill(3, c->bundles.world->joints.row[joint[i]].x, l, r->joint[i].x);
  }
}

/* ---- copies from lanes to the world ---- */

static void empty_body(const tree_task *c, const sc_tree_body *from, int l, int32_t row) {
  sc_bodies *bodies = &c->bundles.world->bodies;
  sc_tree_empty(3, from->x, l, bodies->position[row]);
  sc_tree_empty(4, from->q, l, bodies->orientation[row]);
  sc_tree_empty(3, from->v, l, bodies->velocity[row]);
  sc_tree_empty(3, from->w, l, bodies->spin[row]);
  sc_bodies_clear_load(bodies, row);
  c->swings->held[row] = SC_MOVED;
}

static void empty_joint(const tree_task *c, const sc_tree_joint *from, int l, bool kept, sc_joint *to) {
  double impulse[3];
  sc_tree_empty(3, from->x, l, impulse);
  sc_joint_forget(to);
  sc_scale(1 / c->dt, impulse, to->force);
  if (!kept) return;
  sc_copy3(impulse, to->x);
  to->rows = 3;
}

/* Returns the energy that the first impulse of a joint dissipates in the part of its relative velocity that
 * was changed between steps [J]. joint: index in world->joints. */
static double lost_by_joint(const tree_task *c, const sc_tree_joint *from, int l, int32_t joint) {
  double first[3];
  sc_tree_empty(3, from->first, l, first);
  return -sc_dot(first, c->swings->outside[joint]) / 2;
}

static void empty_tree(const tree_task *c, int32_t tree, int l, const sc_tree_run *r) {
  scree_world *world = c->bundles.world;
  const sc_trees *trees = c->bundles.trees;
  const sc_tree_plan *plan = r->plan;
  const int32_t *body = trees->body + trees->tree[tree].body, *joint = trees->joint + trees->tree[tree].joint;
  const bool alone = is_apart(c, tree), freely = c->parts != SC_TREE_SHAKE;
  double before = 0;
  sc_mechanism_energy *sum = c->sum + tree;
  *sum = (sc_mechanism_energy){.work = r->work[l], .correction = r->change[l]};
  if (!alone) before = sc_mechanism_open_energy(world, c->swings, body, plan->bodies, freely, c->dt, sum);
  for (int32_t i = 0; i < plan->joints; i++) {
    if (freely && !alone) sc_mechanism_subtract_rows(c->swings, joint[i], sum);
    if (freely && c->swings->found) sc_mechanism_add_loss(sum, lost_by_joint(c, r->joint + i, l, joint[i]));
    empty_joint(c, r->joint + i, l, alone, world->joints.row + joint[i]);
  }
  for (int32_t b = 0; b < plan->bodies; b++) empty_body(c, r->body + b, l, body[b]);
  trees->placed[tree] = alone && r->placed[l]; // the other trees are still shifted together with contacts
  if (!alone) sc_mechanism_close_energy(world, c->swings, body, plan->bodies, freely, c->dt, before, sum);
}

/* Returns true if the load of a joint in a moved tree exceeds the joint's strength. l: lane of the tree. */
static bool is_overloaded(const tree_task *c, int32_t tree, int l, const sc_tree_run *r) {
  const scree_world *world = c->bundles.world;
  const int32_t *joint = c->bundles.trees->joint + c->bundles.trees->tree[tree].joint;
  static const double none[3] = {0};
  for (int32_t i = 0; i < r->plan->joints; i++) {
    const sc_joint *own = world->joints.row + joint[i];
    double force[3], share;
    if (!(world->joints.trait[joint[i]] & SC_JOINT_BREAKS)) continue;
    sc_tree_empty(3, r->joint[i].x, l, force);
    sc_scale(1 / c->dt, force, force);
    if (sc_joint_cause(own, own->def.axis, force, none, 0, &share) >= 0) return true;
  }
  return false;
}

static void move_bundle(void *context, const sc_tree_bundle *b, sc_tree_run *r) {
  const tree_task *c = context;
  r->dt = c->dt;
  sc_copy3(c->bundles.world->def.gravity, r->gravity);
  r->parts = c->parts;
  for (int l = 0; l < SC_LANES; l++) fill_tree_motion(c, b->tree[l < b->count ? l : 0], l, r);
  sc_tree_best()->move(r);
  for (int l = 0; l < b->count; l++) {
    c->needs[b->tree[l]] = r->failed[l]                                   ? r->needs[l]
        : c->parts != SC_TREE_SHAKE && is_overloaded(c, b->tree[l], l, r) ? SC_TREE_BREAKS
                                                                          : 0;
    if (!c->needs[b->tree[l]]) empty_tree(c, b->tree[l], l, r);
  }
}

/* ---- all trees ---- */

/* Removes a tree from the list of trees because one of its joints breaks. The general path (rattle.c) then
 * moves the mechanism, because it can break joints (yields.c). */
static void drop_tree(sc_trees *t, int32_t tree, int32_t wanted, int32_t *parts) {
  const sc_tree *own = t->tree + tree;
  const int32_t joints = t->plan[own->plan].joints;
  for (int32_t k = 0; k < joints; k++) {
    t->of[t->joint[own->joint + k]] = -1;
    parts[t->joint[own->joint + k]] = wanted > 0 ? wanted : 1;
  }
  t->placed[tree] = true;
  t->joints -= joints;
}

/* Adds the energies of moved trees to the energy balance, in the order of the trees. For a tree that failed,
 * sets parts[] of its joints to a larger number of substeps. */
static void settle_trees(const tree_task *c, const int32_t *tree, int32_t count, int32_t *parts) {
  sc_trees *t = c->trees;
  for (int32_t i = 0; i < count; i++) {
    const sc_tree *own = t->tree + tree[i];
    const int32_t needs = c->needs[tree[i]];
    if (!needs) sc_mechanism_add_energy(c->sum + tree[i], &c->bundles.world->energy);
    if (needs == SC_TREE_BREAKS) drop_tree(t, tree[i], c->parts, parts);
    for (int32_t k = 0; k < t->plan[own->plan].joints && needs > 0; k++)
      parts[t->joint[own->joint + k]] = needs;
  }
}

/* Sets tree[] to the indices of all trees whose joints have parts[] equal to `wanted`. Returns their
 * number. */
static int32_t list_trees(const sc_trees *t, const int32_t *parts, int32_t wanted, int32_t *tree) {
  int32_t count = 0;
  for (int32_t i = 0; i < t->count; i++)
    if (parts[t->joint[t->tree[i].joint]] == wanted && t->of[t->joint[t->tree[i].joint]] == i)
      tree[count++] = i;
  return count;
}

scree_status sc_trees_move(
    scree_world *world, sc_swings *s, int32_t *parts, int32_t wanted, double dt, scree_error *error) {
  sc_arena *arena = &world->arena;
  sc_arena_mark mark = sc_arena_here(arena);
  tree_task c = {.swings = s, .trees = s->trees, .parts = wanted, .dt = dt};
  int32_t *tree = SC_TAKE(arena, int32_t, s->trees->count),
          count = tree ? list_trees(s->trees, parts, wanted, tree) : 0;
  bool done = tree;
  if (count) {
    c.sum = SC_TAKE(arena, sc_mechanism_energy, s->trees->count);
    c.needs = SC_TAKE(arena, int32_t, s->trees->count);
    done = c.sum && c.needs && sc_tree_bundles_make(world, s->trees, tree, count, &c.bundles);
    if (done) sc_tree_bundles_go(&c.bundles, move_bundle, &c);
    if (done) settle_trees(&c, tree, count, parts);
  }
  sc_arena_back(arena, mark);
  return done ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory for the motion of %d trees", count);
}
