/* Sends the numbers that owners assign to their bodies to all ranks that have ghosts or copies of these
 * bodies. Checkpoints use these numbers. */
#include "dist/calls.h"
#include "model/lookup.h"

typedef struct told {
  uint32_t slot;
  int32_t number;
} told;

bool sd_whole(void *context) { return ((const sd_dist *)context)->first; }

/* Sends the numbers of replicated bodies from their owners to all ranks. Before neighbour lists are first
 * built, sends the numbers of all bodies, because each rank has a row of each body. */
static scree_status share_replicated(sd_dist *d, const sc_bodies *b, int32_t *number, scree_error *error) {
  sd_buffer *own = &d->record;
  void *all = NULL;
  size_t size = 0;
  own->size = 0;
  for (int32_t row = 0; row < b->count; row++) {
    if (!sc_bodies_own(b, row) || !(b->replicated[row] || d->first)) continue;
    told one = {b->slot[row], number[row]}, *to = sd_append(own, sizeof one);
    if (!to) return sc_fail(error, SCREE_E_MEMORY, "no memory to number %d bodies", b->count);
    memcpy(to, &one, sizeof one);
  }
  scree_status status = sd_gather(d, own->bytes, own->size, true, &all, &size, error);
  const told *from = all;
  for (size_t i = 0; i < size / sizeof *from && !status; i++) {
    int32_t row = sc_lookup_find(b, from[i].slot);
    if (row >= 0) number[row] = from[i].number;
  }
  sc_free(all);
  return status;
}

/* Sends the numbers of own bodies to the ranks that have ghosts of these bodies. */
static scree_status share_ghosts(sd_dist *d, const sc_bodies *b, int32_t *number, scree_error *error) {
  if (!sd_tell_numbers(d, b, number, SD_TAG_ROWS))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to number %d bodies", b->count);
  for (int i = 0; i < d->peers; i++)
    for (int32_t k = 0; k < d->peer[i].imports; k++) {
      int32_t row = sc_lookup_find(b, d->peer[i].imported[k]);
      if (row >= 0) number[row] = (int32_t)d->peer[i].in[k];
    }
  return SCREE_OK;
}

scree_status sd_tell_rows(void *context, const scree_world *world, int32_t *number, scree_error *error) {
  sd_dist *d = context;
  scree_status status = share_replicated(d, &world->bodies, number, error);
  return status ? status : share_ghosts(d, &world->bodies, number, error);
}
