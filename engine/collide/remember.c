/* The memory of contacts as records that can be taken elsewhere and put back: for bodies that change their rank. */
#include <string.h>
#include "collide/list.h"

int32_t sc_collide_memory(const sc_collide *collide, int32_t index, sc_remembered *out) {
  if (!out) return collide->now.count;
  const sc_contact *contact = collide->now.contact + index;
  const sc_pair *pair = collide->pair + contact->pair;
  *out = (sc_remembered){pair->one, pair->two, contact,
      collide->state_stride ? collide->now.state + (size_t)index * (size_t)collide->state_stride : NULL};
  return collide->now.count;
}

int32_t sc_collide_stride(const sc_collide *collide) { return collide->state_stride; }

/* One contact more, of the list's last pair. */
static void append(sc_collide *collide, const sc_remembered *from, int32_t stride) {
  sc_memory *now = &collide->now;
  int32_t own = collide->state_stride;
  now->contact[now->count] = *from->contact;
  now->contact[now->count].pair = collide->pairs - 1;
  if (own) {
    double *state = now->state + (size_t)now->count * (size_t)own;
    memset(state, 0, (size_t)own * sizeof *state);
    if (own == stride) memcpy(state, from->state, (size_t)own * sizeof *state);
  }
  now->count++;
}

scree_status sc_collide_remember(sc_collide *collide, int32_t shapes, const sc_remembered *from, int32_t count, int32_t stride,
    scree_error *error) {
  if (collide->now.count == 0) collide->state_stride = stride;
  if (!sc_names_reserve(collide, (size_t)shapes) || !SC_GROW_LEAN(collide->anchor, collide->anchor_capacity, (size_t)shapes) ||
      !SC_GROW(collide->pair, collide->pair_capacity, (size_t)collide->pairs + (size_t)count) ||
      !sc_memory_reserve(&collide->now, (size_t)collide->now.count + (size_t)count, collide->state_stride))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts that came from elsewhere", (int)count);
  for (int32_t row = collide->known; row < shapes; row++) {
    collide->anchor[row] = (sc_anchor){.slack = 0};
    if (collide->rank) collide->rank[row] = row;
  }
  sc_names_number(collide, shapes);
  for (int32_t k = 0; k < count; k++) {
    bool same = k && from[k].shape1 == from[k - 1].shape1 && from[k].shape2 == from[k - 1].shape2;
    if (!same) collide->pair[collide->pairs++] = (sc_pair){from[k].shape1, from[k].shape2};
    append(collide, from + k, stride);
  }
  collide->dirty = true;
  return SCREE_OK;
}
