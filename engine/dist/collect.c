/* A whole world on rank 0, put together from the parts of all ranks, for checkpoints: rows in the order of slots, all slots with
 * their generations, and the memory of all contacts. What all ranks share (materials, laws, names, joints, clocks) is borrowed
 * from the part. */
#include "dist/dist.h"

#include <stdlib.h>

/* Own bodies, and contacts in the memory that this rank solves. */
static bool pack_part(sd_dist *d, const scree_world *world, sd_buffer *bodies, sd_buffer *records) {
  for (int32_t row = 0; row < world->bodies.count; row++)
    if (sc_bodies_own(&world->bodies, row) && !sd_pack_body(d, world, row, bodies)) return false;
  int32_t count = d->first && d->rank ? 0 : sc_collide_memory(world->collide, NULL, 0, NULL);
  for (int32_t i = 0; i < count; i++) {
    sc_remembered r;
    sc_collide_memory(world->collide, &world->shapes, i, &r);
    if (!sd_pack_record(world, &r, records)) return false;
  }
  return true;
}

/* ---- bodies ---- */

/* Slots as a whole world has them: rows of the living, a chain of the free. */
static bool set_slots(const sd_dist *d, const sc_bodies *part, sc_bodies *b) {
  size_t rows = 0, generations = 0;
  b->slots_count = part->slots_count;
  if (!SC_GROW(b->slot_row, rows, (size_t)b->slots_count + 1) ||
      !SC_GROW(b->slot_generation, generations, (size_t)b->slots_count + 1))
    return false;
  b->slots_capacity = rows;
  for (uint32_t slot = 0; slot < b->slots_count; slot++) b->slot_row[slot] = UINT32_MAX, b->slot_generation[slot] = d->generation;
  for (int32_t row = 0; row < b->count; row++) {
    b->slot_row[b->slot[row]] = (uint32_t)row;
    b->slot_generation[b->slot[row]] = b->generation[row];
  }
  b->free_slot = UINT32_MAX;
  for (uint32_t slot = b->slots_count; slot-- > 0;) {
    uint32_t row = b->slot_row[slot];
    if (row < (uint32_t)b->count && b->slot[row] == slot) continue;
    b->slot_row[slot] = b->free_slot;
    b->free_slot = slot;
  }
  return true;
}

/* Rows are made as in a part, then numbered as in a whole. */
static bool build_bodies(sd_dist *d, const scree_world *part, const void *bytes, size_t size, scree_world *whole) {
  sc_bodies *b = &whole->bodies;
  if (!sc_bodies_scatter(b, 0)) return false;
  for (const unsigned char *at = bytes, *end = at + size; at < end;)
    if (sd_unpack_body(d, whole, &at) < 0) return false;
  for (int32_t row = 0; row < b->count; row++) b->owner[row] = 0, b->everywhere[row] = 0;
  b->sparse = false;
  return set_slots(d, &part->bodies, b);
}

/* ---- the whole ---- */

void sd_collect_free(scree_world *whole) {
  if (!whole) return;
  sc_bodies_free(&whole->bodies);
  sc_shapes_free(&whole->shapes);
  if (whole->collide) sc_collide_destroy(whole->collide);
  sc_free(whole);
}

static scree_world *shell(const scree_world *part) {
  scree_world *whole = sc_alloc(sizeof *whole);
  if (!whole) return NULL;
  *whole = *part;
  whole->ranks = NULL;
  whole->bodies = (sc_bodies){0};
  whole->shapes = (sc_shapes){0};
  sc_collide_def def = {part->def.margin, part->def.skin, 1, NULL};
  whole->collide = sc_collide_create(&def);
  if (whole->collide) return whole;
  sd_collect_free(whole);
  return NULL;
}

static scree_status assemble(sd_dist *d, const scree_world *part, void *const all[2], const size_t total[2], scree_world **whole,
    scree_error *error) {
  *whole = shell(part);
  if (!*whole || !build_bodies(d, part, all[0], total[0], *whole))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the bodies of all ranks");
  return sd_recall(*whole, sc_collide_stride(part->collide), all[1], total[1], error);
}

scree_status sd_collect(void *context, const scree_world *world, scree_world **whole, scree_error *error) {
  sd_dist *d = context;
  sd_buffer part[2] = {{0}, {0}};
  void *all[2] = {NULL, NULL};
  size_t total[2] = {0, 0};
  double sums[3] = {world->dissipated, world->sliding_loss, world->elastic}, depth = world->penetration;
  *whole = NULL;
  scree_status status = sc_collide_settle(world->collide, error);
  if (status == SCREE_OK && !pack_part(d, world, part, part + 1))
    status = sc_fail(error, SCREE_E_MEMORY, "no memory to collect a world");
  for (int k = 0; k < 2 && status == SCREE_OK; k++)
    status = sd_gather(d, part[k].bytes, part[k].size, false, all + k, total + k, error);
  sd_sum(d, sums, 3);
  sd_most(d, &depth, 1);
  if (status == SCREE_OK && d->rank == 0) status = assemble(d, world, all, total, whole, error);
  for (int k = 0; k < 2; k++) sc_free(part[k].bytes), sc_free(all[k]);
  if (status != SCREE_OK) {
    sd_collect_free(*whole);
    *whole = NULL;
  } else if (*whole) {
    (*whole)->dissipated = sums[0], (*whole)->sliding_loss = sums[1], (*whole)->elastic = sums[2], (*whole)->penetration = depth;
  }
  return status;
}
