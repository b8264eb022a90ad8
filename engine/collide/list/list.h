/* Inside of the neighbour list: the struct and what its files share. */
#ifndef SC_LIST_H
#define SC_LIST_H

#include <string.h>
#include "collide/collide.h"
#include "math/vec.h"

/* A shape as the loops over pairs want it, refilled every step. */
typedef struct sc_shape_cache {
  double centre[3];
  double radius;        /* bounding radius */
  double travel;        /* way its fastest point can go within the step [m] */
  uint16_t velocity[3]; /* of its centre, where it is a sphere, as sc_short rounds it */
  int32_t body;         /* row */
  int32_t placed;       /* row in placed, -1 for a sphere */
} sc_shape_cache;

/* A number rounded to the upper half of a float, 8 bits of mantissa; and back. */
static inline uint16_t sc_short(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return (uint16_t)((bits + 0x8000u) >> 16);
}
static inline double sc_of_short(uint16_t x) {
  uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return (double)f;
}

/* A shape as the list was built. */
typedef struct sc_anchor {
  double position[3]; /* of its body */
  /* way its points may go from there, and from where its drift takes it, before the list is stale */
  float slack;
  int32_t drift; /* row in the list's drifts */
} sc_anchor;

/* The same of a shape that is no ball (sc_shape_row), in the row of its form: forms keep their rows
 * while the list lives. */
typedef struct sc_turned {
  double orientation[4]; /* of its body */
  double lever;          /* largest distance of a point of the shape from its body's position */
} sc_turned;

/* Two rows of shapes; the contact's body 1 is the body of `one`. */
typedef struct sc_pair {
  int32_t one, two;
} sc_pair;

/* What is kept of a contact: half a cache line. */
typedef struct sc_kept {
  double impulse[3]; /* world frame, on body 1 [N s] */
  int32_t pair;      /* row in the list */
  int32_t state;     /* scree_contact_state */
} sc_kept;

/* Contacts of one step, rows ascending by pair, with what there is beside them: the law's state, and
 * their geometry where some shape is neither a sphere nor a half-space. Between those it is made again
 * from cache and placed, bit for bit (contact.c). lent: the rows are the scratch arena's. */
typedef struct sc_memory {
  bool lent, touches;    /* touches: geometry is kept */
  int32_t count, stride; /* doubles of law state per contact */
  size_t capacity, state_capacity, touch_capacity;
  sc_kept *row;
  double *state;
  sc_touch *touch;
} sc_memory;

/* What one thread beside the first makes, put together in the order of the threads. */
typedef struct sc_share {
  sc_memory memory;
  sc_pair *pair;
  size_t pair_capacity;
  int64_t tried, within[2]; /* entries tried; pairs within half the slacks, and within the next quarter */
  double deepest;           /* penetration */
} sc_share;

/* What is counted for the tuning of the skin (tune.c). Of the list as it was built: entries tried; pairs
 * within half, three quarters and all of the slacks; mean first, second and third power of the share of
 * the shapes' extents that slacks are; whether its span followed the life of the one before. While it
 * lives: steps until half, three quarters and all of a slack were used for the first time, 0: not yet.
 * And steps between the last two orderings of rows. */
enum { SC_SHARES = 3 };
typedef struct sc_counted {
  int64_t tried, pairs[SC_SHARES];
  double breadth[3], passed[SC_SHARES];
  int32_t shapes, loose, period, none; /* none: fills it up */
} sc_counted;

struct sc_collide {
  sc_collide_def def;
  sc_pool *pool;
  sc_share *share; /* one per thread; the first is unused */
  int shares;
  bool dirty;    /* rebuild before the next contacts */
  bool removals; /* alias is not the identity: settle the list first */
  int32_t known; /* shapes the list and anchors know: rows 0..known-1 */
  int32_t age;   /* steps since rows were put in order */
  /* tuning of the skin (tune.c): common factor of all slacks; of the last list the largest share of a
   * slack that was used, the work of building it and of mending it since (strays.c), and the steps it
   * lived */
  double factor, used, work, mended;
  int32_t lived;
  sc_counted counted;
  int64_t rebuilds;
  double mean; /* > 0: mean radius given from outside */
  /* the list */
  int32_t pairs;
  size_t pair_capacity;
  sc_pair *pair;
  sc_anchor *anchor;
  size_t anchor_capacity;
  sc_turned *turned;
  size_t turned_capacity;
  /* drifts of the anchors (drift.c), the first 0; none where drifts is 0, else the list is good for
   * `span` seconds, of which steps of `stepped` have used up `elapsed` */
  double (*drift)[3];
  size_t drift_capacity;
  int32_t drifts;
  double span, half, elapsed, stepped;
  double difference, typical; /* of two drifts of bounded shapes at most; mean radius then */
  /* in a part of many: its box, and the largest radius + slack of all bodies (part.c) */
  double part_low[3], part_high[3], far;
  /* names that shapes bear beside their rows, from the first removal on (else NULL, and each is the
   * row): list row -> row now (-1 gone) and back, by removals since the last build or settling; and the
   * row that a shape had when rows were put in order (rank.c) */
  int32_t listed;
  int32_t *alias, *origin, *rank;
  size_t names_capacity;
  /* contacts of the last step; while others are found it lies in scratch */
  sc_memory now;
  double deepest; /* penetration */
  /* contacts found ahead (ahead.c), in a part of many: a byte per pair, 1 where a body's state comes
   * from elsewhere; whether some were found that still hold, up to which pair, how deep they are; they
   * and the rest */
  uint8_t *late;
  size_t late_capacity;
  bool ahead;
  int32_t ahead_pairs;
  double ahead_deepest;
  sc_memory early, rest;
  /* in such a part a byte per body: 1 where the last search found contacts of it */
  uint8_t *touched;
  size_t touched_capacity;
  /* refilled every step; rows follow removals */
  int32_t cached;
  sc_shape_cache *cache;
  size_t cache_capacity;
  sc_placed *placed;
  size_t placed_capacity;
  int32_t placed_count;
  /* scratch of a call; own where none is lent */
  sc_arena *scratch, own;
};

/* Around a call from outside that needs scratch. */
sc_arena_mark sc_collide_begin(sc_collide *collide);
scree_status sc_collide_end(sc_collide *collide, sc_arena_mark mark, scree_status status);

/* refresh.c: fills cache and placed for all shapes. Levers come from the anchors where the list is
 * current, else from the shapes. */
scree_status sc_collide_refresh(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, scree_error *error);
/* The same for the shapes whose bodies' states have come from elsewhere since. */
void sc_collide_refresh_late(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt);
/* Largest distance of a point of the shape from its body's position, 0 for a sphere about it (spin moves
 * no surface). */
double sc_collide_lever(const sc_shapes *shapes, int32_t row);
/* Speed of the fastest point of a body within a distance of its position. */
double sc_collide_speed(const sc_bodies *bodies, int32_t body, double lever);
/* The same beside something that drifts. */
double sc_collide_speed_from(const sc_bodies *bodies, int32_t body, const double drift[3], double lever);
/* True if two placed shapes are certainly further apart than reach. */
bool sc_collide_apart(const sc_collide *collide, int32_t one, int32_t two, double reach);

/* contacts.c: a walk over pairs. Settles the list and places all shapes; contacts of the pairs
 * first..end - 1, in their order, behind those that are in w->next already, and the deepest (false
 * without memory); whether no contact's geometry need be kept. */
typedef struct sc_walk {
  sc_collide *collide;
  const sc_bodies *bodies;
  const sc_shapes *shapes;
  const sc_memory *past; /* contacts of the step before */
  int32_t old;           /* next row of them */
  double dt, deepest;
  sc_memory *next;     /* where contacts go */
  const uint8_t *late; /* NULL: all pairs, else those whose byte is `which` */
  uint8_t which;
  uint8_t *touched; /* a byte per body, set to 1 where a contact is found; NULL: nobody asks */
} sc_walk;
scree_status sc_collide_ready(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, scree_error *error);
bool sc_collide_walk(sc_walk *w, int32_t first, int32_t end);
bool sc_collide_all_plain(const sc_collide *collide);
/* Where a search in a part of many notes the bodies that it finds contacts of: none yet. False without
 * memory. */
bool sc_collide_touch_none(sc_collide *collide, const sc_bodies *bodies);

/* ahead.c: marks the pairs of a new list that wait for others' states (false without memory); finds the
 * contacts that were not found ahead and puts both together. */
bool sc_collide_mark_late(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes);
static inline bool sc_collide_waits_for(const sc_bodies *bodies, int32_t body) {
  return (!sc_bodies_own(bodies, body) && !bodies->replicated[body]) || bodies->kind[body] == SCREE_KINEMATIC;
}
scree_status sc_collide_ahead_end(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, scree_error *error);

/* carry.c: hands the memory on to a new list. What is remembered is packed up under new names while the
 * old list is there, by renaming its rows with new_row (rows of them, -1 gone), and unpacked when the
 * new one is. */
typedef struct sc_contact_transfer {
  struct sc_run *sorted;
  int32_t *start;
} sc_contact_transfer;
scree_status sc_collide_pack(
    sc_collide *collide, const int32_t *new_row, int32_t rows, sc_contact_transfer *out, scree_error *error);
scree_status sc_collide_unpack(sc_collide *collide, const sc_contact_transfer *transfer, scree_error *error);
/* sc_collide_settle drops removed shapes from the list and the memory and renames the rows that moved. */

/* names.c. Room for the names of so many shapes where there are names; and names from now on, each the
 * row. False without memory. */
bool sc_names_reserve(sc_collide *collide, size_t rows);
bool sc_names_keep(sc_collide *collide, size_t rows);
/* Shapes 0..rows-1 are the list's, under their own rows. Room must be there. */
void sc_names_number(sc_collide *collide, int32_t rows);
static inline int32_t sc_names_alias(const sc_collide *collide, int32_t listed) {
  return collide->alias ? collide->alias[listed] : listed;
}
static inline int32_t sc_names_origin(const sc_collide *collide, int32_t row) {
  return collide->origin ? collide->origin[row] : row;
}
static inline int32_t sc_names_rank(const sc_collide *collide, int32_t row) {
  return collide->rank ? collide->rank[row] : row;
}
/* Forgets list and memory; the list will be built again. */
void sc_collide_forget(sc_collide *collide);
/* memory.c: room for count contacts with all that is kept of each. */
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
static inline double *sc_memory_state(const sc_memory *memory, int32_t row) {
  return memory->stride ? memory->state + (size_t)row * (size_t)memory->stride : NULL;
}
/* Changes what is kept of each contact. Law state starts at zero where its width changes; geometry that
 * was not kept is unknown. */
bool sc_memory_shape(sc_memory *memory, int32_t stride, bool touches);
void sc_memory_free(sc_memory *memory);
size_t sc_memory_bytes(const sc_memory *memory);

/* contact.c: the touch of two spheres, their centres `distance` apart along d from b to a. */
static inline void sc_touch_spheres(
    const sc_shape_cache *a, const sc_shape_cache *b, const double d[3], double distance, sc_touch *touch) {
  *touch = (sc_touch){.normal = {0, 0, 1}};
  if (distance > 0) sc_scale(1 / distance, d, touch->normal);
  touch->gap = distance - (a->radius + b->radius);
  sc_axpy(-(a->radius + 0.5 * touch->gap), touch->normal, a->centre, touch->point);
}
/* Whether the touch of two shapes is made again on demand. */
static inline bool sc_plain(int32_t type) { return type == SCREE_SPHERE || type == SCREE_HALFSPACE; }

/* drift.c: the drift of every anchor, for shapes that cache knows; false without memory. And how much
 * wider each shape's extent is for it, from the slacks. */
typedef struct sc_drifting {
  int32_t *block;
  double *step, width, difference, half;
} sc_drifting;
bool sc_collide_choose_drift(
    sc_collide *collide, const sc_bodies *bodies, int32_t shapes, double radius, double dt, sc_drifting *out);
void sc_collide_spread(
    const sc_collide *collide, const sc_drifting *drifting, int32_t shapes, double *spread);
static inline const double *sc_drift(const sc_collide *collide, int32_t row) {
  static const double none[3] = {0, 0, 0};
  return collide->drifts ? collide->drift[collide->anchor[row].drift] : none;
}

/* worth.c: whether a pair of shapes that cache and placed know, and whose spheres are near, belongs on the
 * list: whether it can ever matter, and whether boxes are within the margin, the slacks and what
 * drifting brings in so much time. And which of a pair comes first: the movable one, else the one in the
 * lower slot, which does not change while both live. */
bool sc_collide_worth(const sc_collide *collide, const sc_bodies *bodies, int32_t row, int32_t other,
    double slacks, double time);
void sc_collide_orient(const sc_collide *collide, const sc_bodies *bodies, sc_pair *pair);

/* part.c: whether a body whose anchor was there, with so much slack, may get a new one in a part of many. */
bool sc_collide_inner(const sc_collide *collide, const sc_bodies *bodies, int32_t body, const double was[3],
    double slack, double dt);

/* strays.c: gives shapes that have used up their slack new anchors, and the list the pairs that these
 * bring. False where the list had better be built anew. */
bool sc_collide_mend(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt);
/* collide.c: share of its slack that a shape has used or can use within the step. */
double sc_collide_used(
    const sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, int32_t row);

/* skin.c: the skin before tuning, in mean radii; remembers where every shape is, how far it may go and
 * how much wider its drift makes its extent (false without memory); how far from a half-space's body
 * anything lies that its spin could sweep into. */
double sc_collide_base_skin(const sc_collide *collide);
bool sc_collide_drop_anchors(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, double *spread);
/* The nearest float that is not above; the slack of one shape, when drifts are chosen. */
float sc_collide_rounded_down(double x);
float sc_collide_slack_of(const sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    double dt, int32_t row, double lever, double mean);
double sc_collide_mean_radius(const sc_collide *collide, const sc_bodies *bodies, int32_t shapes);
double sc_collide_sweep(
    const sc_collide *collide, const sc_bodies *bodies, int32_t shapes, const double from[3]);

/* tune.c: adapts the factor to what was counted over the life of the last list. What is counted: a new
 * list, with the pairs within half its slacks and within the next quarter; and the share of a slack that
 * was used so many steps later. */
void sc_collide_tune(sc_collide *collide);
void sc_collide_count_list(
    sc_collide *collide, int32_t shapes, const double *spread, int64_t tried, const int64_t within[2]);
void sc_collide_count_used(sc_collide *collide, double used);
/* Work of one mending, in pairs walked, before what it finds. */
double sc_collide_mending(const sc_collide *collide, int32_t shapes);

/* rank.c: makes every row its own rank; sorts the list by ranks (false without memory). */
enum { SC_ORDER_PERIOD = 64 }; /* steps after which rows are put in order again */
void sc_collide_rank_rows(sc_collide *collide, int32_t rows);
bool sc_collide_sort_pairs(sc_collide *collide, int32_t shapes);

/* Cell that a coordinate in cell widths lies in. NaN, from differences that overflow, goes up. */
static inline int64_t sc_cell_of(double x) {
  x = x < 1e15 ? x > -1e15 ? x : -1e15 : 1e15;
  int64_t i = (int64_t)x;
  return i - (x < (double)i);
}
/* fold.c: cells per axis of a grid that is wrapped round like a torus, powers of two: at least as many
 * as are needed, unless that makes more than `most` in all, then the longest axes are folded. Returns
 * their number. */
int64_t sc_collide_fold(const double need[3], int64_t most, int32_t cells[3]);

/* grid.c: all pairs of shapes within reach, ordered by ranks. Refills pair. */
scree_status sc_collide_find_pairs(
    sc_collide *collide, const sc_bodies *bodies, int32_t shapes, const double *spread, scree_error *error);

#endif
