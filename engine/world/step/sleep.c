/* Sleep: steps skip islands that have been slow for a long time.
 *
 * An island consists of bodies that are connected by joints and contacts, including open contacts. An island
 * falls asleep if all points of its bodies' bounding spheres have been slower than world.sleep for
 *     max(32 steps, 4 sleep/|g|).
 * At the turning point of a flight a body is slow for a shorter time. Only a slow swing may be slow for this
 * time. The velocities of the bodies become 0, and their kinetic energy counts as dissipated. From then on
 * the bodies are immovable obstacles. Their contacts do not change, and the narrow phase and the solver skip
 * them.
 *
 * All bodies of an island wake up, with their last impulses, in the step in which an input of the island
 * changes:
 * - an awake body, or a body that is moved, comes within the margin of a body of the island, or leaves it;
 * - a body of the island gets a force, a velocity, another pose or kind, or is removed;
 * - a joint of the island is created or removed, or gets another limit, friction or drive;
 * - gravity, the step, the law of a pair or the cell changes: then all islands wake up.
 *
 * A mechanism with small oscillations is slow for a long time. Bodies with joints must therefore also be
 * slower than a second bound: the speed that a thousandth of their weight causes in 16 steps. Motors, servos,
 * springs and bonds keep their bodies awake. Kinematic bodies and moving surfaces keep the bodies that touch
 * them awake. */
#include "world/world.h"
#include "model/rest.h"
#include "world/bodies/rows.h"
#include "world/step/sleep.h"

#include <math.h>
#include <string.h>
#include "base/sets.h"
#include "math/vec.h"
#include "world/account/account.h"

/* STEPS: smallest number of slow steps before sleep. EVERY: number of steps between two searches for slow
 * islands. */
enum { STEPS = 32, EVERY = 8 };

/* Marks of bodies. FREE: no joint; TIED: a joint; DRIVEN: a joint or bond that keeps the body awake. */
enum { FREE, TIED, DRIVEN };

/* Smallest duration of slow motion before sleep, divided by the time in which a fall reaches the speed
 * world.sleep. */
static const double FALLS = 4;

/* For bodies with joints: largest share of the weight that may be unbalanced if they fall asleep. */
static const double UNMET = 1e-3;

static bool may_sleep(const scree_world *world) { return world->def.sleep > 0; }

int64_t sc_sleep_count(const scree_world *world) {
  int64_t count = 0;
  for (int32_t row = 0; row < world->bodies.count; row++) count += sc_bodies_asleep(&world->bodies, row);
  return count;
}

/* ---- waking up ---- */

/* Allocates one byte per island number in the arena, set to 0. Returns NULL and sets *error without
 * memory. */
static uint8_t *alloc_marks(scree_world *world, scree_error *error) {
  size_t count = (size_t)world->bodies.slots_count + 2;
  uint8_t *mark = SC_TAKE(&world->arena, uint8_t, count);
  if (mark) memset(mark, 0, count);
  else sc_fail(error, SCREE_E_MEMORY, "no memory to wake %d bodies", world->bodies.count);
  return mark;
}

/* Marks islands with a contact to a body that is awake or moves. mark: [island numbers]. Returns true if it
 * marks an island. */
static bool mark_met(const scree_world *world, uint8_t *mark) {
  const sc_bodies *b = &world->bodies;
  bool any = false;
  for (int32_t c = 0; c < world->contacts.count; c++) {
    sc_sides sides;
    sc_collide_sides(world->collide, &world->shapes, c, &sides);
    uint32_t one = b->rest[sides.body1].island, two = b->rest[sides.body2].island;
    if ((!one && !two) || sc_bodies_rest(b, sides.body1, sides.body2)) continue;
    mark[one] = mark[two] = 1, any = true;
  }
  return any;
}

/* Marks islands with a joint to a body that is awake or moves. mark: [island numbers]. Returns true if it
 * marks an island. */
static bool mark_pulled(const scree_world *world, uint8_t *mark) {
  const sc_bodies *b = &world->bodies;
  bool any = false;
  for (int32_t i = 0; i < world->joints.count; i++) {
    const scree_joint_def *def = &world->joints.row[i].def;
    const int32_t row[3] = {sc_bodies_row(b, def->a), sc_bodies_row(b, def->b), sc_joint_housing(b, def)};
    uint32_t island[3];
    for (int k = 0; k < 3; k++) island[k] = row[k] < 0 ? 0 : b->rest[row[k]].island;
    if ((!island[0] && !island[1] && !island[2]) || sc_joint_rests(b, world->joints.row + i)) continue;
    for (int k = 0; k < 3; k++) mark[island[k]] = 1;
    any = true;
  }
  return any;
}

static void wake_marked(sc_bodies *bodies, uint8_t *mark) {
  mark[0] = 0;
  for (int32_t row = 0; row < bodies->count; row++)
    if (mark[bodies->rest[row].island]) bodies->rest[row].island = 0, bodies->rest[row].calm = 0;
}

/* Marks islands with a body that was changed. mark: [island numbers]. Returns true if it marks an island.
 * Sets *moved to true if a body is moved, and *awake to true if a dynamic body is awake. */
static bool mark_changed(sc_bodies *bodies, uint8_t *mark, bool *moved, bool *awake) {
  bool any = false;
  for (int32_t row = 0; row < bodies->count; row++) {
    uint32_t island = bodies->rest[row].island;
    bool changed = sc_bodies_changed(bodies, row);
    *moved |= bodies->rest[row].moved;
    *awake |= bodies->kind[row] == SCREE_DYNAMIC && !island;
    if (changed && island) mark[island] = 1, any = true;
  }
  return any;
}

scree_status sc_sleep_begin(scree_world *world, bool *all, scree_error *error) {
  sc_bodies *bodies = &world->bodies;
  bool moved = false, awake = false;
  *all = false;
  if (!may_sleep(world)) return SCREE_OK;
  if (!sc_bodies_hold_rest(bodies))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the sleep of %d bodies", bodies->count);
  bool removed = world->contacts.removals;
  sc_world_settle_contacts(world);
  sc_arena_mark here = sc_arena_here(&world->arena);
  uint8_t *mark = alloc_marks(world, error);
  if (!mark) return SCREE_E_MEMORY;
  bool changed = mark_changed(bodies, mark, &moved, &awake);
  if (moved)
    changed |= mark_met(
        world, mark); // contacts of the last step include bodies that now leave a sleeping body
  if (changed) wake_marked(bodies, mark);
  sc_arena_back(&world->arena, here);
  *all = bodies->count > 0 && !moved && !awake && !changed && !removed;
  return SCREE_OK;
}

scree_status sc_sleep_meet(scree_world *world, scree_error *error) {
  if (!may_sleep(world)) return SCREE_OK;
  sc_arena_mark here = sc_arena_here(&world->arena);
  uint8_t *mark = alloc_marks(world, error);
  if (!mark) return SCREE_E_MEMORY;
  bool met = mark_met(world, mark), pulled = mark_pulled(world, mark);
  if (met || pulled) wake_marked(&world->bodies, mark);
  sc_arena_back(&world->arena, here);
  return SCREE_OK;
}

/* ---- falling asleep ---- */

static void mark_ends(const sc_bodies *b, scree_id one, scree_id two, uint8_t as, uint8_t *mark) {
  const scree_id end[2] = {one, two};
  for (int side = 0; side < 2; side++) {
    int32_t row = sc_bodies_row(b, end[side]);
    if (row >= 0 && mark[row] < as) mark[row] = as;
  }
}

/* Sets *tied to marks [bodies] FREE, TIED or DRIVEN. *tied is NULL if the world has no joints and bonds.
 * Returns false without memory. */
static bool mark_tied(scree_world *world, uint8_t **tied) {
  const sc_bodies *b = &world->bodies;
  const sc_joints *joints = &world->joints;
  *tied = NULL;
  if (!sc_joints_any(joints)) return true;
  uint8_t *mark = *tied = SC_TAKE(&world->arena, uint8_t, b->count);
  if (!mark) return false;
  memset(mark, FREE, (size_t)b->count);
  for (int32_t i = 0; i < joints->count; i++) {
    const sc_joint *joint = joints->row + i;
    mark_ends(b, joint->def.a, joint->def.b, sc_joint_driven(joint) ? DRIVEN : TIED, mark);
    if (joint->def.frame) mark_ends(b, joint->def.frame, 0, TIED, mark);
  }
  for (int32_t i = 0; i < joints->bonds.count; i++)
    mark_ends(b, joints->bonds.row[i].a, joints->bonds.row[i].b, DRIVEN, mark);
  return true;
}

/* Updates the time for which each awake body has been slow. tied: marks of mark_tied. Returns true if this
 * time is at least `enough` for a body. */
static bool note_slow(scree_world *world, double dt, double enough, const uint8_t *tied) {
  sc_bodies *b = &world->bodies;
  bool any = false;
  double g = sc_norm(world->def.gravity), slow = world->def.sleep,
         still = g > 0 ? fmin(slow, UNMET * g * STEPS / 2 * dt) : slow;
  for (int32_t row = 0; row < b->count; row++) {
    if (b->kind[row] != SCREE_DYNAMIC || b->rest[row].island) continue;
    double speed = sc_norm(b->velocity[row]) + sc_norm(b->spin[row]) * b->radius[row];
    double *calm = &b->rest[row].calm;
    *calm = speed <= (tied && tied[row] ? still : slow) ? *calm + dt : 0;
    any |= *calm >= enough;
  }
  return any;
}

/* Unites the islands of two dynamic bodies. If one body is not dynamic, adds its awake flag to that of the
 * other body. */
static void join_bodies(const sc_bodies *b, int32_t i, int32_t j, int32_t *of, uint8_t *awake) {
  bool moves1 = b->kind[i] == SCREE_DYNAMIC, moves2 = b->kind[j] == SCREE_DYNAMIC;
  if (moves1 && moves2) sc_sets_join(of, i, j);
  else awake[moves1 ? i : j] |= awake[moves1 ? j : i];
}

/* Finds the islands of awake bodies. of: [bodies] receives union-find parents. awake: [bodies] is set to
 * nonzero if the body keeps its island awake. */
static void group_islands(
    const scree_world *world, double enough, const uint8_t *tied, int32_t *of, uint8_t *awake) {
  const sc_bodies *b = &world->bodies;
  for (int32_t row = 0; row < b->count; row++) {
    of[row] = row;
    awake[row] = b->kind[row] != SCREE_DYNAMIC ? b->rest[row].moved
                                               : b->rest[row].calm < enough || (tied && tied[row] == DRIVEN);
  }
  for (int32_t c = 0; c < world->contacts.count; c++) {
    sc_sides sides;
    sc_collide_sides(world->collide, &world->shapes, c, &sides);
    join_bodies(b, sides.body1, sides.body2, of, awake);
  }
  for (int32_t i = 0; i < world->joints.count; i++) {
    const scree_joint_def *def = &world->joints.row[i].def;
    const int32_t one = sc_bodies_row(b, def->a), housing = sc_joint_housing(b, def);
    if (def->b) join_bodies(b, one, sc_bodies_row(b, def->b), of, awake);
    if (housing >= 0) join_bodies(b, one, housing, of, awake);
  }
}

static void lay_down(scree_world *world, int32_t row, uint32_t island) {
  sc_bodies *b = &world->bodies;
  sc_motion motion = {.spin = {0}};
  sc_copy3(b->position[row], motion.position);
  sc_copy3(b->velocity[row], motion.velocity);
  sc_copy3(b->spin[row], motion.spin);
  double before = sc_account_energy(&world->bodies, world->def.gravity, row, &motion);
  sc_bodies_sleep(b, row, island);
  sc_set3(0, 0, 0, motion.velocity);
  sc_set3(0, 0, 0, motion.spin);
  before -= sc_account_energy(&world->bodies, world->def.gravity, row, &motion);
  world->energy.dissipated += before;
  world->energy.elsewhere[SCREE_LOST_SLEEP] += before;
}

scree_status sc_sleep_end(scree_world *world, double dt, scree_error *error) {
  sc_bodies *b = &world->bodies;
  if (!may_sleep(world)) return SCREE_OK;
  double g = sc_norm(world->def.gravity), enough = fmax(STEPS * dt, g > 0 ? FALLS * world->def.sleep / g : 0);
  bool moving_cell = b->cell && (b->cell->moves || world->cell.is_driven);
  uint8_t *tied;
  const bool marked = mark_tied(world, &tied);
  if (marked && (!note_slow(world, dt, enough, tied) || world->step % EVERY || moving_cell)) return SCREE_OK;
  uint8_t *awake = SC_TAKE(&world->arena, uint8_t, b->count);
  int32_t *of = SC_TAKE(&world->arena, int32_t, b->count);
  if (!marked || !of || !awake)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the sleep of %d bodies", b->count);
  group_islands(world, enough, tied, of, awake);
  for (int32_t row = 0; row < b->count; row++) awake[sc_sets_top(of, row)] |= awake[row];
  for (int32_t row = 0; row < b->count; row++)
    if (b->kind[row] == SCREE_DYNAMIC && !b->rest[row].island && !awake[sc_sets_top(of, row)])
      lay_down(world, row, b->slot[sc_sets_top(of, row)] + 1);
  return SCREE_OK;
}
