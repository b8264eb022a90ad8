/* The contact cache: contacts as they are stored from step to step. */
#ifndef SC_CONTACT_CACHE_H
#define SC_CONTACT_CACHE_H

#include "base/parallel.h"
#include "collide/collide.h"

/* One contact; the record fills half a cache line. */
typedef struct sc_cached_contact {
  double impulse[3];  /* on body 1, world axes [N s] */
  int32_t pair;       /* row of the pair in the neighbour list */
  uint32_t state : 2; /* state after the solve, a scree_contact_state */
  uint32_t tag : 30;  /* number set by sc_collide_set_tag; 0: none */
} sc_cached_contact;

/* Contacts of one step, sorted by pair. In worlds of spheres and half-spaces geometry is not stored but
 * computed again from the poses, with the same bits (contacts/contact.c). */
typedef struct sc_contact_cache {
  bool lent;             /* true: the arrays lie in a scratch arena, so they are not freed */
  bool touches;          /* true if geometry is stored */
  int32_t count, stride; /* number of contacts; doubles of law state per contact */
  size_t capacity, state_capacity, touch_capacity;
  sc_cached_contact *row; /* [count] contacts, sorted by pair */
  double *state;          /* [count * stride] law states */
  sc_touch *touch;        /* [count] geometry; only used if `touches` */
} sc_contact_cache;

/* Grows the arrays to at least `count` contacts. Moves the arrays to the heap if they are lent. Returns false
 * if out of memory. */
bool sc_contact_cache_reserve(sc_contact_cache *cache, size_t count);
/* Makes an empty cache in the arena for at most `count` contacts. Stride and storage of geometry are those of
 * `like`. Returns false if out of memory. */
bool sc_contact_cache_borrow(
    const sc_contact_cache *like, size_t count, sc_arena *arena, sc_contact_cache *out);
/* Copies contacts first .. first + count - 1 to another cache, from row `at` on. That cache must have the
 * memory, the same stride, and geometry if `from` has geometry. */
void sc_contact_cache_copy_rows(
    const sc_contact_cache *from, size_t first, size_t count, sc_contact_cache *to, size_t at);
/* Copies a cache into the arena. Returns false if out of memory. */
bool sc_contact_cache_copy(
    const sc_contact_cache *cache, sc_pool *pool, sc_arena *arena, sc_contact_cache *copy);
/* Copies one contact to row `at` of cache `to`, which may be the same cache, and sets its pair. */
void sc_contact_cache_move_row(
    const sc_contact_cache *from, int32_t row, sc_contact_cache *to, int32_t at, int32_t pair);
/* Returns the row of the first contact of a pair. If the pair has no contact, returns the row of the first
 * contact of a later pair. */
int32_t sc_contact_cache_find(const sc_contact_cache *cache, int32_t pair);
/* Returns the law state of a contact; NULL if the stride is 0. */
static inline double *sc_contact_cache_state(const sc_contact_cache *cache, int32_t row) {
  return cache->stride ? cache->state + (size_t)row * (size_t)cache->stride : NULL;
}
/* Sets the stride, and whether geometry is stored. Law states are zeroed if the stride changes. Geometry that
 * was not stored before is undefined. If out of memory, returns false and empties the cache. */
bool sc_contact_cache_set_layout(sc_contact_cache *cache, int32_t stride, bool touches);
/* Frees the arrays unless they are lent. */
void sc_contact_cache_free(sc_contact_cache *cache);
/* Returns the heap bytes of the arrays. */
size_t sc_contact_cache_bytes(const sc_contact_cache *cache);

/* Pairs of the old list, stored while a new list is built (contacts/carry.c). */
typedef struct sc_contact_transfer {
  int32_t pairs;
  struct sc_pair *pair;      /* [pairs] old pairs with the new rows of their shapes; -1: the shape was
                                removed */
  sc_image *image;           /* [pairs] periodic image of the second shape; NULL without a cell */
  sc_pair_cache *pair_cache; /* [pairs] entries of the pair cache; NULL: none */
} sc_contact_transfer;
/* Call before a new list is built: copies the pairs of the old list to scratch. new_row: [old row] new row of
 * a shape, -1: removed. */
scree_status sc_contacts_pack(
    sc_collide *collide, const int32_t *new_row, sc_contact_transfer *out, scree_error *error);
/* Call after a new list was built: assigns the contacts and pair cache entries to the pairs of the new
 * list. */
scree_status sc_contacts_unpack(sc_collide *collide, const sc_contact_transfer *transfer, scree_error *error);

#endif
