/* The collision stage: creation, threads, destruction, memory use. */
#include "collide/state.h"

sc_collide *sc_collide_create(const sc_collide_def *def) {
  SC_ASSERT(def && def->margin >= 0 && def->skin >= 0);
  sc_collide *collide = sc_alloc(sizeof *collide);
  if (!collide) return NULL;
  collide->def = *def;
  collide->margin = def->margin;
  collide->list.dirty = true;
  collide->poses.keeps = def->follows;
  collide->kernels = sc_box_best();
  collide->scratch = def->scratch ? def->scratch : &collide->own;
  return collide;
}

static void free_shares(sc_collide *collide) {
  for (int t = 0; t < collide->buffers; t++) {
    sc_contact_cache_free(&collide->buffer[t].contacts);
    sc_free(collide->buffer[t].pair);
    sc_free(collide->buffer[t].image);
  }
  sc_free(collide->buffer);
}

scree_status sc_collide_set_pool(sc_collide *collide, sc_pool *pool) {
  SC_ASSERT(collide);
  int threads = sc_pool_threads(pool);
  sc_thread_buffer *buffer = sc_alloc((size_t)threads * sizeof *buffer);
  if (!buffer) return SCREE_E_MEMORY;
  free_shares(collide);
  collide->buffer = buffer, collide->buffers = threads, collide->pool = pool;
  return SCREE_OK;
}

void sc_collide_destroy(sc_collide *collide) {
  if (!collide) return;
  sc_list_free(&collide->list);
  sc_poses_free(&collide->poses);
  sc_contact_cache_free(&collide->now);
  sc_free(collide->touched);
  free_shares(collide);
  sc_arena_free(&collide->own);
  sc_free(collide);
}

void sc_collide_bytes(const sc_collide *collide, size_t *shapes, size_t *contacts) {
  SC_ASSERT(collide && shapes && contacts);
  *shapes = sc_list_bytes(&collide->list) + sc_poses_bytes(&collide->poses);
  *contacts = collide->list.pair_capacity * sizeof(sc_pair) +
      collide->list.image_capacity * sizeof(sc_image) +
      collide->list.pair_cache_capacity * sizeof(sc_pair_cache) +
      collide->list.triangle_capacity * sizeof(sc_triangle_cache) + collide->list.excluded_capacity +
      sc_contact_cache_bytes(&collide->now) + collide->own.size + collide->touched_capacity;
  for (int t = 0; t < collide->buffers; t++)
    *contacts += sc_contact_cache_bytes(&collide->buffer[t].contacts) +
        collide->buffer[t].pair_capacity * sizeof(sc_pair) +
        collide->buffer[t].image_capacity * sizeof(sc_image);
}
