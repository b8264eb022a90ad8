/* The state of the collision stage: poses of this step, the neighbour list, the memory of contacts. */
#ifndef SC_COLLIDE_STATE_H
#define SC_COLLIDE_STATE_H

#include <math.h>
#include "collide/memory.h"
#include "collide/list.h"
#include "collide/poses.h"

/* What one thread beside the first makes, put together in the order of the threads. */
typedef struct sc_share {
  sc_memory memory;
  sc_pair *pair;
  sc_image *image;
  size_t pair_capacity, image_capacity;
  double deepest; /* penetration */
} sc_share;

struct sc_collide {
  sc_collide_def def;
  sc_pool *pool;
  const struct sc_box_kernels *kernels; /* as wide as this processor has it */
  sc_share *share;                      /* one per thread; the first is unused */
  int shares;
  sc_poses poses;
  sc_list list;
  sc_memory now;  /* contacts of the last step; while others are found it lies in scratch */
  double deepest; /* penetration */
  /* largest gap at which cohesion acts or that gravity closes within a step [m], as the list was built for */
  double range;
  /* largest gap at which contacts are listed, over the radius of a shape, for which the list was built: the
   * margin of the definition, or more if cohesion acts by touch */
  double margin;
  /* in a part of many a byte per body: 1 where the last search found contacts of it */
  uint8_t *touched;
  size_t touched_capacity;
  /* scratch of a call; own where none is lent */
  sc_arena *scratch, own;
};

/* The same as sc_collide_reach for loops. */
static inline double sc_reach(const sc_collide *collide, double radius) {
  double margin = collide->margin * radius;
  return margin > collide->range ? margin : collide->range;
}
/* The largest gap of two shapes that matters in the step. */
static inline double sc_pair_reach(
    const sc_collide *collide, const sc_shape_cache *a, const sc_shape_cache *b) {
  return sc_reach(collide, a->radius < b->radius ? a->radius : b->radius) + a->travel + b->travel;
}
/* Asks for what is known of the shapes of a pair some way ahead of p. */
static inline void sc_pair_ask(const sc_collide *collide, int32_t p, int32_t end) {
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
/* How far shapes that begin a step at rest come together in it by gravity, where one is held [m]. */
double sc_collide_fall(const sc_collide *collide, double dt);
/* The larger of that and of what cohesion reaches by the present rules [m]. */
double sc_collide_range(const sc_collide *collide, double dt);
/* Returns the value of `margin` that the present rules require. */
double sc_collide_margin(const sc_collide *collide);

/* Around a call from outside that needs scratch. */
static inline sc_arena_mark sc_collide_begin(sc_collide *collide) {
  if (collide->scratch == &collide->own) {
    sc_arena_reset(&collide->own);
    sc_poses_leave(&collide->poses);
  }
  return sc_arena_here(collide->scratch);
}
static inline scree_status sc_collide_end(sc_collide *collide, sc_arena_mark mark, scree_status status) {
  sc_arena_back(collide->scratch, mark);
  return status;
}

#endif
