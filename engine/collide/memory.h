/* What is kept of contacts from step to step. */
#ifndef SC_CONTACT_MEMORY_H
#define SC_CONTACT_MEMORY_H

#include "base/parallel.h"
#include "collide/collide.h"

/* What is kept of a contact: half a cache line. */
typedef struct sc_kept {
  double impulse[3];  /* world frame, on body 1 [N s] */
  int32_t pair;       /* row in the list */
  uint32_t state : 2; /* scree_contact_state */
  uint32_t tag : 30;  /* sc_collide_set_tag; 0: none */
} sc_kept;

/* Contacts of one step, rows ascending by pair, with what there is beside them: the law's state, and
 * their geometry where some shape is neither a sphere nor a half-space. Between those it is made again
 * from the poses, bit for bit (contact.c). lent: the rows are the scratch arena's. */
typedef struct sc_memory {
  bool lent, touches;    /* touches: geometry is kept */
  int32_t count, stride; /* doubles of law state per contact */
  size_t capacity, state_capacity, touch_capacity;
  sc_kept *row;
  double *state;
  sc_touch *touch;
} sc_memory;

/* Room for count contacts, of which there are fewer now, with all that is kept of each; no longer lent. */
bool sc_memory_reserve(sc_memory *memory, size_t count);
/* An empty memory in the arena for at most count contacts, with as much kept of each as in `like`. */
bool sc_memory_lend(const sc_memory *like, size_t count, sc_arena *arena, sc_memory *out);
/* Puts contacts first .. first + count - 1 of a memory into another from row `at` on; room must be
 * there, the same kept of each. */
void sc_memory_put(const sc_memory *from, size_t first, size_t count, sc_memory *to, size_t at);
/* A copy in the arena. */
bool sc_memory_copy(const sc_memory *memory, sc_pool *pool, sc_arena *arena, sc_memory *copy);
/* One contact, as one of another pair. Rows may lie in the same memory. */
void sc_memory_move(const sc_memory *from, int32_t row, sc_memory *to, int32_t at, int32_t pair);
/* Row of the first contact of a pair or a later one. */
int32_t sc_memory_first(const sc_memory *memory, int32_t pair);
static inline double *sc_memory_state(const sc_memory *memory, int32_t row) {
  return memory->stride ? memory->state + (size_t)row * (size_t)memory->stride : NULL;
}
/* Changes what is kept of each contact. Law state starts at zero where its width changes; geometry that
 * was not kept is unknown. */
bool sc_memory_shape(sc_memory *memory, int32_t stride, bool touches);
void sc_memory_free(sc_memory *memory);
size_t sc_memory_bytes(const sc_memory *memory);

/* carry.c: hands the memory on to a new list. The pairs of the old one are packed up under new names, by
 * new_row (-1 gone), before the new one is made, and their contacts unpacked when it is. */
typedef struct sc_contact_transfer {
  int32_t pairs;
  struct sc_pair *pair;
  sc_image *image; /* NULL without a cell */
  sc_hint *hint;   /* NULL where nothing is known */
} sc_contact_transfer;
scree_status sc_contacts_pack(
    sc_collide *collide, const int32_t *new_row, sc_contact_transfer *out, scree_error *error);
scree_status sc_contacts_unpack(sc_collide *collide, const sc_contact_transfer *transfer, scree_error *error);

#endif
