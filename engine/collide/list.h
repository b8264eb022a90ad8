/* Inside of the neighbour list: the struct and what its files share. */
#ifndef SC_LIST_H
#define SC_LIST_H

#include "collide/collide.h"

/* A shape as the loops over pairs want it, refilled every step. */
typedef struct sc_hot {
  double centre[3];
  double radius;           /* bounding radius */
  double travel;           /* way its fastest point can go within the step [m] */
  int32_t body;            /* row */
  int32_t placed;          /* row in placed, -1 for a sphere */
} sc_hot;

/* A shape as the list was built. */
typedef struct sc_anchor {
  double position[3];      /* of its body */
  double slack;            /* way its points may go before the list is stale */
} sc_anchor;

/* The same of a shape that is no ball (sc_shape_row), in the row of its form: forms keep their rows while the list lives. */
typedef struct sc_turned {
  double orientation[4];   /* of its body */
  double lever;            /* largest distance of a point of the shape from its body's position */
} sc_turned;

/* Two rows of shapes; the contact's body 1 is the body of `one`. */
typedef struct sc_pair { int32_t one, two; } sc_pair;

/* Contacts of one step, rows ascending by pair, with the law state beside them. */
typedef struct sc_memory {
  int32_t count; size_t capacity, state_capacity;
  sc_contact *contact;
  double *state;
} sc_memory;

/* What one thread beside the first makes, put together in the order of the threads. */
typedef struct sc_share {
  sc_memory memory;
  sc_pair *pair; size_t pair_capacity;
  int64_t tried, near;     /* entries tried; pairs within half the slacks */
} sc_share;

struct sc_collide {
  sc_collide_def def;
  sc_pool *pool;
  sc_share *share;         /* one per thread; the first is unused */
  int shares;
  bool dirty;              /* rebuild before the next contacts */
  bool removals;           /* alias is not the identity: settle the list first */
  int32_t known;           /* shapes the list and anchors know: rows 0..known-1 */
  int32_t age;             /* steps since rows were put in order */
  /* tuning of the skin (skin.c): common factor of all slacks; of the last list the steps it lived, the largest share of a slack
   * that was used, its pairs in all and within half the slacks, and the work of building it */
  double factor, used, work;
  int32_t lived;
  int64_t pairs_built, pairs_near;
  int64_t rebuilds;
  int32_t state_stride;    /* doubles of law state per remembered contact */
  double mean;             /* > 0: mean radius given from outside */
  /* the list */
  int32_t pairs; size_t pair_capacity;
  sc_pair *pair;
  sc_anchor *anchor; size_t anchor_capacity;
  sc_turned *turned; size_t turned_capacity;
  /* names that shapes bear beside their rows, from the first removal on (else NULL, and each is the row): list row -> row now (-1
   * gone) and back, by removals since the last build or settling; and the row that a shape had when rows were put in order (rank.c) */
  int32_t listed;
  int32_t *alias, *origin, *rank; size_t names_capacity;
  /* memory of the last step and room for the next */
  sc_memory now, next;
  /* refilled every step */
  sc_hot *hot; size_t hot_capacity;
  sc_placed *placed; size_t placed_capacity; int32_t placed_count;
  /* scratch of a call; own where none is lent */
  sc_arena *scratch, own;
};

/* Around a call from outside that needs scratch. */
sc_arena_mark sc_collide_begin(sc_collide *collide);
scree_status sc_collide_end(sc_collide *collide, sc_arena_mark mark, scree_status status);

/* refresh.c: fills hot and placed for all shapes. Levers come from the anchors where the list is current, else from the shapes. */
scree_status sc_collide_refresh(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt,
    scree_error *error);
/* Largest distance of a point of the shape from its body's position, 0 for a sphere about it (spin moves no surface). */
double sc_collide_lever(const sc_shapes *shapes, int32_t row);
/* Speed of the fastest point of a body within a distance of its position. */
double sc_collide_speed(const sc_bodies *bodies, int32_t body, double lever);
/* True if two placed shapes are certainly further apart than reach. */
bool sc_collide_apart(const sc_collide *collide, int32_t one, int32_t two, double reach);

/* carry.c: hands the memory on to a new list. What is remembered is packed up under new names while the old list is there, by
 * renaming its rows with new_row (rows of them, -1 gone), and unpacked when the new one is. */
typedef struct sc_luggage { struct sc_run *sorted; int32_t *start; } sc_luggage;
scree_status sc_collide_pack(sc_collide *collide, const int32_t *new_row, int32_t rows, sc_luggage *out, scree_error *error);
scree_status sc_collide_unpack(sc_collide *collide, const sc_luggage *luggage, scree_error *error);
/* sc_collide_settle drops removed shapes from the list and the memory and renames the rows that moved. */

/* names.c. Room for the names of so many shapes where there are names; and names from now on, each the row. False without memory. */
bool sc_names_reserve(sc_collide *collide, size_t rows);
bool sc_names_keep(sc_collide *collide, size_t rows);
/* Shapes 0..rows-1 are the list's, under their own rows. Room must be there. */
void sc_names_number(sc_collide *collide, int32_t rows);
static inline int32_t sc_names_alias(const sc_collide *collide, int32_t listed) { return collide->alias ? collide->alias[listed] : listed; }
static inline int32_t sc_names_origin(const sc_collide *collide, int32_t row) { return collide->origin ? collide->origin[row] : row; }
static inline int32_t sc_names_rank(const sc_collide *collide, int32_t row) { return collide->rank ? collide->rank[row] : row; }
/* Forgets list and memory; the list will be built again. */
void sc_collide_forget(sc_collide *collide);
/* Room for count contacts with stride doubles of state each. */
bool sc_memory_reserve(sc_memory *memory, size_t count, int32_t stride);

/* skin.c: the skin before tuning, in mean radii; adapts the factor to what was counted over the life of the last list; remembers
 * where every shape is and how far it may go; how far from a half-space's body anything lies that its spin could sweep into. */
double sc_collide_base_skin(const sc_collide *collide);
void sc_collide_tune(sc_collide *collide);
void sc_collide_drop_anchors(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt);
double sc_collide_sweep(const sc_collide *collide, const sc_bodies *bodies, int32_t shapes, const double from[3]);
void sc_collide_count_work(sc_collide *collide, int32_t shapes, int64_t tried, int64_t near);

/* rank.c: makes every row its own rank; sorts the list by ranks (false without memory). */
enum { SC_ORDER_PERIOD = 64 }; /* steps after which rows are put in order again */
void sc_collide_rank_rows(sc_collide *collide, int32_t rows);
bool sc_collide_sort_pairs(sc_collide *collide, int32_t shapes);

/* grid.c: all pairs of shapes within reach, ordered by ranks. Refills pair. */
scree_status sc_collide_find_pairs(sc_collide *collide, const sc_bodies *bodies, int32_t shapes, scree_error *error);

#endif
