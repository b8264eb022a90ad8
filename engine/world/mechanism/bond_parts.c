/* Whom bonds keep apart, as neighbour lists want to know it. */
#include "world/world.h"

#include <string.h>

/* Partners by bonds that keep contacts out, by the lower row of the bodies of each pair. */
typedef struct partners {
  int32_t *first, *other; /* of row: other[first[row] .. first[row + 1]) */
} partners;

static bool list_partners(scree_world *world, partners *p) {
  const sc_bonds *bonds = &world->joints.bonds;
  const size_t rows = (size_t)world->bodies.count, count = (size_t)bonds->count;
  p->first = SC_TAKE(&world->arena, int32_t, rows + 2);
  p->other = SC_TAKE(&world->arena, int32_t, count);
  int32_t *low = SC_TAKE(&world->arena, int32_t, count), *high = SC_TAKE(&world->arena, int32_t, count);
  if (!p->first || !p->other || !low || !high) return false;
  memset(p->first, 0, (rows + 2) * sizeof *p->first);
  for (size_t i = 0; i < count; i++) {
    const int32_t a = sc_bodies_row(&world->bodies, bonds->row[i].a),
                  b = sc_bodies_row(&world->bodies, bonds->row[i].b);
    const bool collides = sc_bond_glue(bonds, bonds->row + i)->collide;
    low[i] = collides ? -1 : a < b ? a : b, high[i] = a < b ? b : a;
    if (low[i] >= 0) p->first[low[i] + 2]++;
  }
  for (size_t r = 2; r < rows + 2; r++) p->first[r] += p->first[r - 1];
  for (size_t i = 0; i < count; i++)
    if (low[i] >= 0) p->other[p->first[low[i] + 1]++] = high[i];
  return true;
}

static bool bonded(const void *context, int32_t row1, int32_t row2) {
  const partners *p = context;
  const int32_t low = row1 < row2 ? row1 : row2, high = row1 < row2 ? row2 : row1;
  for (int32_t k = p->first[low]; k < p->first[low + 1]; k++)
    if (p->other[k] == high) return true;
  return false;
}

scree_status sc_world_part_bonded(scree_world *world, scree_error *error) {
  const sc_bonds *bonds = &world->joints.bonds;
  const int64_t version = bonds->count ? bonds->version : 0;
  partners p = {0};
  if (sc_collide_is_parted(world->collide, version)) return SCREE_OK;
  const sc_arena_mark mark = sc_arena_here(&world->arena);
  if (version && !list_partners(world, &p))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the partners of %d bonds", bonds->count);
  const scree_status status = sc_collide_part(world->collide, &world->shapes, bonded, &p, version, error);
  sc_arena_back(&world->arena, mark);
  return status;
}
