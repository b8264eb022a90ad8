/* The state of the collision stage: poses of this step, neighbour list, contact cache. */
#ifndef SC_COLLIDE_STATE_H
#define SC_COLLIDE_STATE_H

#include <math.h>
#include "collide/contact_cache.h"
#include "collide/list.h"
#include "collide/poses.h"

/* Buffers of one thread. Results are appended in the order of the threads. */
typedef struct sc_thread_buffer {
  sc_contact_cache contacts; /* contacts found by this thread */
  sc_pair *pair;             /* [contacts.count] pairs found; only used during the search for pairs */
  sc_image *image;
  size_t pair_capacity, image_capacity;
  double deepest; /* largest penetration of the contacts found [m] */
} sc_thread_buffer;

struct sc_collide {
  sc_collide_def def;
  sc_pool *pool;                        /* threads that share the work; NULL: one thread */
  const struct sc_box_kernels *kernels; /* box kernels of the widest SIMD of this processor */
  sc_thread_buffer *buffer;             /* [buffers] one per thread; the first thread writes to the result */
  int buffers;
  sc_poses poses;
  sc_list list;
  sc_contact_cache now; /* contact cache: contacts of the last search */
  double deepest;       /* largest penetration of the last search [m] */
  /* largest gap at which cohesion acts or that gravity closes within a step, used to build the list [m] */
  double range;
  /* largest gap of contacts, relative to the radius of a shape, used to build the list: the margin of the
   * definition, or more if cohesion acts between touching shapes */
  double margin;
  int shared_at, shared; /* index and number of the doubles of law state that new contacts copy
                            (sc_collide_share); shared 0: none */
  bool turns;       /* true: inherited impulses rotate with the normal of their contact (sc_collide_turn) */
  uint8_t *touched; /* [bodies] several ranks only: 1 if the last search found a contact of the body */
  size_t touched_capacity;
  sc_arena *scratch, own; /* scratch of a call; `scratch` points to `own` if the definition has no arena */
};

/* Like sc_collide_reach, inline for loops. */
static inline double sc_reach(const sc_collide *collide, double radius) {
  double margin = collide->margin * radius;
  return margin > collide->range ? margin : collide->range;
}
/* Returns the largest gap of two shapes at which they may touch within the step [m]. */
static inline double sc_pair_reach(
    const sc_collide *collide, const sc_shape_cache *a, const sc_shape_cache *b) {
  return sc_reach(collide, a->radius < b->radius ? a->radius : b->radius) + a->travel + b->travel;
}
/* Prefetches the shapes of the pair AHEAD rows after p. */
static inline void sc_pair_prefetch(const sc_collide *collide, int32_t p, int32_t end) {
  enum { AHEAD = 16 };
  if (p + AHEAD >= end) return;
  __builtin_prefetch(collide->poses.cache + collide->list.pair[p + AHEAD].one);
  __builtin_prefetch(collide->poses.cache + collide->list.pair[p + AHEAD].two);
}
/* Returns the owner of a pair of the list: the body of the shape with the lower rank. All pairs of two
 * bodies have the same owner, and the pairs of an owner lie together in the list. */
static inline int32_t sc_pair_owner(const sc_collide *collide, int32_t p) {
  const sc_pair rows = collide->list.pair[p];
  const bool first = sc_names_rank(&collide->list, rows.one) < sc_names_rank(&collide->list, rows.two);
  return collide->poses.cache[first ? rows.one : rows.two].body;
}
/* Returns the gap that gravity closes within a step between a body at rest and a body that cannot move
 * [m]. */
double sc_collide_fall(const sc_collide *collide, double dt);
/* Returns the larger of sc_collide_fall and the range of cohesion by the present rules [m]. */
double sc_collide_range(const sc_collide *collide, double dt);
/* Returns the value of `margin` that the present rules require. */
double sc_collide_margin(const sc_collide *collide);

/* Begins a public function that needs scratch. Returns the mark for sc_collide_end. */
static inline sc_arena_mark sc_collide_begin(sc_collide *collide) {
  if (collide->scratch == &collide->own) {
    sc_arena_reset(&collide->own);
    sc_poses_leave(&collide->poses);
  }
  return sc_arena_here(collide->scratch);
}
/* Ends a function that called sc_collide_begin: frees the scratch after `mark`. Returns `status`. */
static inline scree_status sc_collide_end(sc_collide *collide, sc_arena_mark mark, scree_status status) {
  sc_arena_back(collide->scratch, mark);
  return status;
}

#endif
