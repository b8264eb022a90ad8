/* Adds contacts of another rank to the contact cache, for bodies that change their rank. */
#include <string.h>
#include "collide/state.h"

int32_t sc_collide_stride(const sc_collide *collide) { return collide->now.stride; }

/* Appends the pair of a contact to the list. */
static void open_pair(sc_list *list, const sc_remembered *from) {
  if (list->image) list->image[list->pairs] = from->image;
  list->pair[list->pairs++] = (sc_pair){from->shape1, from->shape2};
}

/* Appends a contact of the last pair of the list. stride: length of from->law. If the cache has another
 * stride, the law state of the contact is zero. */
static void append_remembered(sc_collide *collide, const sc_remembered *from, int32_t stride) {
  sc_contact_cache *now = &collide->now;
  int32_t at = now->count++;
  sc_cached_contact *row = now->row + at;
  *row = (sc_cached_contact){.pair = collide->list.pairs - 1, .state = (uint32_t)from->state & 3};
  sc_collide_set_tag(collide, at, from->tag);
  memcpy(row->impulse, from->impulse, sizeof row->impulse);
  if (now->touches) now->touch[at] = from->touch;
  if (!now->stride) return;
  double *state = sc_contact_cache_state(now, at);
  memset(state, 0, (size_t)now->stride * sizeof *state);
  if (now->stride == stride) memcpy(state, from->law, (size_t)stride * sizeof *state);
}

scree_status sc_collide_remember(sc_collide *collide, int32_t shapes, const sc_remembered *from,
    int32_t count, int32_t stride, scree_error *error) {
  SC_ASSERT(count >= 0 && stride >= 0 && shapes >= collide->list.known && (from || !count));
  bool first = collide->now.count == 0;
  size_t pairs = (size_t)collide->list.pairs + (size_t)count;
  if ((first && !sc_contact_cache_set_layout(&collide->now, stride, true)) ||
      !sc_names_reserve(&collide->list, (size_t)shapes) ||
      !SC_GROW_LEAN(collide->list.anchor, collide->list.anchor_capacity, (size_t)shapes) ||
      !SC_GROW_LEAN(collide->list.pair, collide->list.pair_capacity, pairs) ||
      (collide->list.image && !SC_GROW_LEAN(collide->list.image, collide->list.image_capacity, pairs)) ||
      !sc_contact_cache_reserve(&collide->now, (size_t)collide->now.count + (size_t)count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts that came from elsewhere", (int)count);
  for (int32_t row = collide->list.known; row < shapes; row++) {
    collide->list.anchor[row] = (sc_anchor){.slack = 0};
    if (collide->list.rank) collide->list.rank[row] = row;
  }
  sc_names_number(&collide->list, shapes);
  for (int32_t k = 0; k < count; k++) {
    if (!k || !sc_remembered_together(from + k - 1, from + k)) open_pair(&collide->list, from + k);
    append_remembered(collide, from + k, stride);
  }
  collide->list.dirty = true;
  collide->list.pair_caches = 0, collide->list.excluded_version = 0;
  return SCREE_OK;
}
