/* Finds mechanisms that are trees of ball joints, and makes their plans (sc_tree_plan).
 *
 * A mechanism is described by a list of integers: the numbers of joints and bodies, the symmetry of each
 * body's inertia, and the two bodies of each joint. Bodies are numbered in the order in which joints refer to
 * them. Mechanisms with equal descriptions share a plan. Each plan is made once per step. */
#include "world/world.h"
#include "model/rest.h"
#include "world/mechanism/trees/tree_plan.h"

#include <string.h>
#include "base/texts.h"
#include "math/turn/turn.h"
#include "solve/joints/joint_order.h"

/* Largest mean number of stored entries per row of the Delassus matrix (skyline storage). Trees with more
 * entries move by rattle.c. */
enum { MOST_WIDE = 64 };

/* Arguments and scratch of the functions of this file. */
typedef struct finder {
  const scree_world *world;
  const sc_swings *swings;
  sc_trees *trees;
  sc_arena *arena;
  /* [swings->bodies + 2] joints of the mechanism with leader b: list[begin[b] .. begin[b + 1] - 1] */
  int32_t *begin;
  int32_t *list;      /* [joints] indices of joints, sorted by mechanism */
  int32_t *local;     /* [swings->bodies] number of the body in its mechanism; -1: not numbered */
  int32_t *text;      /* description of the present mechanism */
  sc_texts texts;     /* descriptions of all plans */
  sc_tree_plan *plan; /* [texts.count] plans */
  int32_t bodies;     /* number of entries of trees->body in use */
} finder;

/* ---- joints by mechanism ---- */

/* Returns true if the body in a row may be part of a tree. It must be dynamic and awake, or fixed without a
 * moving surface, or the ground (row -1). */
static bool is_tree_body(const finder *f, int32_t row) {
  const sc_bodies *bodies = &f->world->bodies;
  if (row < 0) return true;
  if (bodies->kind[row] == SCREE_DYNAMIC) return bodies->inv_mass[row] > 0 && !sc_bodies_asleep(bodies, row);
  return bodies->kind[row] == SCREE_FIXED && !sc_bodies_runs(bodies, row);
}

/* Returns true if a joint may be part of a tree: if it is a ball joint without spring or friction, does not
 * break in this step, and its bodies may be part of a tree. */
static bool is_tree_joint(const finder *f, int32_t joint) {
  const int32_t *row = f->swings->ends[joint];
  if (f->world->joints.yields && f->world->joints.row[joint].yields) return false;
  return f->world->joints.trait[joint] & SC_JOINT_PLAIN && is_tree_body(f, row[0]) && is_tree_body(f, row[1]);
}

/* Sorts joints by the leader of their mechanism. Skips all joints of a mechanism in which is_tree_joint() is
 * false for some joint. */
static void list_joints(finder *f) {
  const sc_swings *s = f->swings;
  int32_t joints = f->world->joints.count, *begin = f->begin;
  memset(begin, 0, ((size_t)s->bodies + 2) * sizeof *begin);
  memset(f->local, 0, (size_t)s->bodies * sizeof *f->local);
  for (int32_t i = 0; i < joints; i++)
    if (s->lead[i] >= 0 && !is_tree_joint(f, i)) f->local[s->place[s->lead[i]]] = 1;
  for (int32_t i = 0; i < joints; i++)
    if (s->lead[i] >= 0 && !f->local[s->place[s->lead[i]]]) begin[s->place[s->lead[i]] + 2]++;
  for (int32_t b = 0; b < s->bodies; b++) begin[b + 2] += begin[b + 1];
  for (int32_t i = 0; i < joints; i++)
    if (s->lead[i] >= 0 && !f->local[s->place[s->lead[i]]]) f->list[begin[s->place[s->lead[i]] + 1]++] = i;
  memset(f->local, 0xff, (size_t)s->bodies * sizeof *f->local);
}

/* ---- the description of a mechanism ---- */

static int symmetry_of(const sc_bodies *bodies, int32_t row) {
  if (bodies->tensor_row[row] == SC_TENSOR_BALL) return SC_TREE_BALL;
  int axis = sc_turn_axis(sc_bodies_tensor(bodies, row)->inertia);
  return axis < 0 ? SC_TREE_FREE : SC_TREE_TOP + axis;
}

static bool is_immovable(const finder *f, int32_t row) {
  return row < 0 || f->world->bodies.kind[row] != SCREE_DYNAMIC;
}

/* Sets body[0 .. n - 1] to the rows of a mechanism's movable bodies and returns their number n. Sets body[n]
 * to the row of an immovable body of the mechanism; -1: none. */
static int32_t number_bodies(finder *f, const int32_t *joint, int32_t joints, int32_t *body) {
  int32_t count = 0, fixed = -1;
  for (int32_t k = 0; k < joints; k++)
    for (int side = 0; side < 2; side++) {
      int32_t row = f->swings->ends[joint[k]][side];
      if (is_immovable(f, row)) {
        if (row >= 0) fixed = row;
      } else if (f->local[f->swings->place[row]] < 0) {
        f->local[f->swings->place[row]] = count;
        body[count++] = row;
      }
    }
  body[count] = fixed;
  return count;
}

/* Writes the description of a mechanism to f->text and returns its length. joint: [joints] indices of its
 * joints. body: [bodies] rows of its movable bodies. */
static int32_t describe_mechanism(
    finder *f, const int32_t *joint, int32_t joints, const int32_t *body, int32_t bodies) {
  int32_t *at = f->text;
  *at++ = joints;
  *at++ = bodies;
  for (int32_t b = 0; b < bodies; b++) *at++ = symmetry_of(&f->world->bodies, body[b]);
  for (int32_t k = 0; k < joints; k++)
    for (int side = 0; side < 2; side++) {
      int32_t row = f->swings->ends[joint[k]][side];
      *at++ = is_immovable(f, row) ? bodies : f->local[f->swings->place[row]];
    }
  for (int32_t b = 0; b < bodies; b++) f->local[f->swings->place[body[b]]] = -1;
  return (int32_t)(at - f->text);
}

/* ---- plans ---- */

typedef const int32_t pair[2];

/* Sets order[joints] to the elimination order of the joints. Sets *is_tree to false if a joint closes a loop,
 * or if more than one joint connects movable to immovable bodies. Returns false without memory. */
static bool order_joints(
    finder *f, int32_t joints, int32_t bodies, pair *ends, int32_t *order, bool *is_tree) {
  sc_joint_walk walk;
  sc_problem p = {.bodies = bodies + 1,
      .joint_rows = joints,
      .body = SC_TAKE(f->arena, sc_solver_body, (size_t)bodies + 1),
      .joint_row = SC_TAKE(f->arena, sc_joint_row, joints)};
  if (!p.body || !p.joint_row || !sc_joint_walk_take(&p, f->arena, &walk)) return false;
  for (int32_t b = 0; b <= bodies; b++) p.body[b].inv_mass = b < bodies;
  for (int32_t k = 0; k < joints; k++) {
    p.joint_row[k].i = ends[k][0];
    p.joint_row[k].j = ends[k][1];
    p.joint_row[k].joint = order[k] = k;
    p.joint_row[k].third = 0;
  }
  *is_tree = sc_joint_order(&walk, joints, order);
  return true;
}

/* Sets the links of each joint: one link to each earlier joint that shares a movable body with it. Sets the
 * first column of the joint's rows to that of the earliest linked joint. Returns false without memory. */
static bool link_joints(finder *f, sc_tree_plan *p) {
  size_t links = 0;
  int32_t *last = SC_TAKE(f->arena, int32_t, p->bodies), *before = SC_TAKE(f->arena, int32_t, 2 * p->joints);
  if (!last || !before) return false;
  memset(last, 0xff, (size_t)p->bodies * sizeof *last);
  for (int pass = 0; pass < 2; pass++) {
    // last and before form a linked list of 2 joint + side for each body, latest joint first
    for (int32_t i = 0; i < p->joints; i++) {
      int32_t first = i;
      if (pass) p->from[i] = (int32_t)links;
      for (int side = 0; side < 2; side++) {
        int32_t b = p->body[i][side];
        if (b == p->bodies) continue;
        if (!pass) before[2 * i + side] = last[b], last[b] = 2 * i + side;
        for (int32_t at = before[2 * i + side]; at >= 0; at = before[at], links++) {
          if (pass) p->link[links] = (sc_tree_link){at / 2, side, at % 2};
          if (at / 2 < first) first = at / 2;
        }
      }
      for (int m = 0; m < 3; m++) p->first[3 * i + m] = 3 * first;
    }
    if (!pass)
      p->link = SC_TAKE(f->arena, sc_tree_link, links), p->from[p->joints] = (int32_t)links, links = 0;
    if (!p->link) return false;
  }
  return true;
}

/* Sets p->at, the index of each row's first entry in the Delassus matrix. Returns false if the matrix has too
 * many entries. */
static bool place_rows(sc_tree_plan *p) {
  int64_t at = 0;
  for (int32_t row = 0; row <= 3 * p->joints; row++) {
    if (at > (int64_t)MOST_WIDE * 3 * p->joints) return false;
    p->at[row] = (int32_t)at;
    if (row < 3 * p->joints) at += row - p->first[row] + 1;
  }
  return true;
}

static bool allocate_plan(
    finder *f, int32_t joints, int32_t bodies, sc_tree_plan *p, uint8_t **turns, int32_t (**body)[2]) {
  *turns = SC_TAKE(f->arena, uint8_t, bodies);
  *body = sc_arena_take(f->arena, (size_t)joints * sizeof **body);
  *p = (sc_tree_plan){.bodies = bodies,
      .joints = joints,
      .turns = *turns,
      .body = (pair *)*body,
      .place = SC_TAKE(f->arena, int32_t, joints),
      .first = SC_TAKE(f->arena, int32_t, 3 * (size_t)joints),
      .at = SC_TAKE(f->arena, int32_t, 3 * (size_t)joints + 1),
      .from = SC_TAKE(f->arena, int32_t, (size_t)joints + 1)};
  return *turns && *body && p->place && p->first && p->at && p->from;
}

/* Makes the plan *p for the description `text`. Sets p->joints to 0 if the mechanism is not a tree or its
 * matrix has too many entries. Returns false without memory. */
static bool make_plan(finder *f, const int32_t *text, sc_tree_plan *p) {
  const int32_t joints = text[0], bodies = text[1];
  pair *ends = (pair *)(text + 2 + bodies);
  uint8_t *turns;
  int32_t(*body)[2];
  bool is_tree;
  if (!allocate_plan(f, joints, bodies, p, &turns, &body)) return false;
  if (!order_joints(f, joints, bodies, ends, p->place, &is_tree)) return false;
  for (int32_t b = 0; b < bodies; b++) turns[b] = (uint8_t)text[2 + b];
  for (int32_t k = 0; k < joints; k++) memcpy(body[k], ends[p->place[k]], sizeof *body);
  if (!link_joints(f, p)) return false;
  if (!is_tree || !place_rows(p)) p->joints = 0;
  return true;
}

/* Returns the index of the plan for the description in f->text. Makes the plan if it does not exist. Returns
 * -1 without memory. */
static int32_t find_plan(finder *f, int32_t length) {
  int32_t plans = f->texts.count, plan = sc_texts_number(&f->texts, f->text, length);
  return plan < plans || make_plan(f, f->text, f->plan + plan) ? plan : -1;
}

/* ---- search for trees ---- */

static bool allocate_finder(finder *f) {
  sc_trees *t = f->trees;
  size_t joints = (size_t)f->world->joints.count, bodies = (size_t)f->swings->bodies;
  t->tree = SC_TAKE(f->arena, sc_tree, joints);
  t->joint = SC_TAKE(f->arena, int32_t, joints);
  t->body = SC_TAKE(f->arena, int32_t, 2 * joints + bodies);
  t->of = SC_TAKE(f->arena, int32_t, joints);
  t->placed = SC_TAKE(f->arena, bool, joints);
  f->begin = SC_TAKE(f->arena, int32_t, bodies + 2);
  f->list = SC_TAKE(f->arena, int32_t, joints);
  f->local = SC_TAKE(f->arena, int32_t, bodies);
  f->text = SC_TAKE(f->arena, int32_t, 2 + bodies + 2 * joints);
  f->plan = SC_TAKE(f->arena, sc_tree_plan, joints);
  t->plan = f->plan;
  return t->tree && t->joint && t->body && t->of && t->placed && f->begin && f->list && f->local && f->text &&
      f->plan && sc_texts_open(&f->texts, joints, f->arena);
}

/* Adds the mechanism with the joints list[begin .. end - 1] to the trees, if it is a tree. Returns false
 * without memory. */
static bool add_tree(finder *f, int32_t begin, int32_t end) {
  sc_trees *t = f->trees;
  const int32_t joints = end - begin, *joint = f->list + begin, first = t->joints;
  int32_t bodies = number_bodies(f, joint, joints, t->body + f->bodies);
  int32_t plan = find_plan(f, describe_mechanism(f, joint, joints, t->body + f->bodies, bodies));
  if (plan < 0) return false;
  if (!f->plan[plan].joints) return true;
  t->tree[t->count] = (sc_tree){plan, first, f->bodies};
  for (int32_t k = 0; k < joints; k++) {
    t->joint[first + k] = joint[f->plan[plan].place[k]];
    t->of[joint[k]] = t->count;
  }
  t->joints += joints;
  f->bodies += bodies + 1;
  t->count++;
  return true;
}

scree_status sc_trees_find(scree_world *world, const sc_swings *s, sc_trees *trees, scree_error *error) {
  finder f = {.world = world, .swings = s, .trees = trees, .arena = &world->arena};
  *trees = (sc_trees){0};
  bool done = allocate_finder(&f);
  if (done) {
    memset(trees->of, 0xff, (size_t)world->joints.count * sizeof *trees->of);
    memset(trees->placed, 0, (size_t)world->joints.count * sizeof *trees->placed);
    if (!world->bodies.planar && !world->bodies.cell) {
      list_joints(&f);
      for (int32_t b = 0; b < s->bodies && done; b++)
        if (f.begin[b + 1] > f.begin[b]) done = add_tree(&f, f.begin[b], f.begin[b + 1]);
    }
  }
  trees->plans = f.texts.count;
  return done ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints", world->joints.count);
}
