/* Removes from the neighbour list the pairs of bodies whose contact a joint or bond excludes.
 *
 * In a periodic cell a joint connects images of bodies, but the neighbour list contains bodies. In a cell,
 * the pairs of joints therefore stay in the list, and step/assemble.c skips the excluded contacts one by
 * one. */
#include "world/world.h"
#include "world/mechanism/ties.h"

#include <string.h>

/* Pairs of bodies that joints and bonds exclude from contact, sorted by the lower row of each pair. */
typedef struct partners {
  /* other[first[row] .. first[row + 1] - 1]: higher rows of the pairs whose lower row is `row` */
  int32_t *first, *other;
} partners;

/* Sets *low and *high to the rows of the bodies that a joint or bond connects. tie: index of a joint, or
 * joints->count + index of a bond. Returns false if the bodies may collide or if one of them is the
 * ground. */
static bool find_excluded_pair(const scree_world *world, int32_t tie, int32_t *low, int32_t *high) {
  const sc_joints *joints = &world->joints;
  scree_id one, two;
  if (tie < joints->count) {
    const scree_joint_def *def = &joints->row[tie].def;
    one = def->a, two = def->b;
    if (def->collide || !two || world->bodies.cell) return false;
  } else {
    const sc_bond *bond = joints->bonds.row + (tie - joints->count);
    one = bond->a, two = bond->b;
    if (sc_bond_glue(&joints->bonds, bond)->collide) return false;
  }
  const int32_t a = sc_bodies_row(&world->bodies, one), b = sc_bodies_row(&world->bodies, two);
  *low = a < b ? a : b, *high = a < b ? b : a;
  return *low >= 0;
}

static bool list_partners(scree_world *world, partners *p) {
  const size_t rows = (size_t)world->bodies.count,
               ties = (size_t)world->joints.count + (size_t)world->joints.bonds.count;
  int32_t low, high;
  p->first = SC_TAKE(&world->arena, int32_t, rows + 2);
  p->other = SC_TAKE(&world->arena, int32_t, ties);
  if (!p->first || !p->other) return false;
  memset(p->first, 0, (rows + 2) * sizeof *p->first);
  for (size_t i = 0; i < ties; i++)
    if (find_excluded_pair(world, (int32_t)i, &low, &high)) p->first[low + 2]++;
  for (size_t r = 2; r < rows + 2; r++) p->first[r] += p->first[r - 1];
  for (size_t i = 0; i < ties; i++)
    if (find_excluded_pair(world, (int32_t)i, &low, &high)) p->other[p->first[low + 1]++] = high;
  return true;
}

static bool is_excluded_pair(const void *context, int32_t row1, int32_t row2) {
  const partners *p = context;
  const int32_t low = row1 < row2 ? row1 : row2, high = row1 < row2 ? row2 : row1;
  for (int32_t k = p->first[low]; k < p->first[low + 1]; k++)
    if (p->other[k] == high) return true;
  return false;
}

scree_status sc_world_part_tied(scree_world *world, scree_error *error) {
  const sc_joints *joints = &world->joints;
  const int64_t version = sc_joints_any(joints) ? joints->version : 0;
  partners p = {0};
  if (sc_collide_is_parted(world->collide, version)) return SCREE_OK;
  const sc_arena_mark mark = sc_arena_here(&world->arena);
  if (version && !list_partners(world, &p))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the partners of %d joints",
        joints->count + joints->bonds.count);
  const scree_status status = sc_collide_part(
      world->collide, &world->shapes, is_excluded_pair, &p, version, error);
  sc_arena_back(&world->arena, mark);
  return status;
}
