/* The neighbour list: pairs of shapes that may touch before it is built again, and what its life depends
 * on. list.c tells that life from top to bottom. */
#ifndef SC_LIST_H
#define SC_LIST_H

#include "collide/collide.h"

/* Two rows of shapes; the contact's body 1 is the body of `one`. */
typedef struct sc_pair {
  int32_t one, two;
} sc_pair;

/* Pairs that a search finds, growing; in a cell with the image of `two` that is meant. */
typedef struct sc_bag {
  sc_pair *pair;
  sc_image *image; /* NULL without a cell */
  size_t capacity, image_capacity;
  int32_t count;
  bool failed, images;
} sc_bag;

/* A shape as the list was built. */
typedef struct sc_anchor {
  double position[3]; /* of its body */
  /* way its points may go from there, and from where its drift takes it, before the list is stale */
  float slack;
  int32_t drift; /* row in the list's drifts */
} sc_anchor;

/* The same of a shape that is no ball (sc_shape_row), by its seat, which it keeps while the list lives. */
typedef struct sc_turned {
  double orientation[4]; /* of its body */
  double lever;          /* largest distance of a point of the shape from its body's position */
} sc_turned;

enum { SC_ORDER_PERIOD = 64 }; /* steps after which rows are put in order again */

typedef struct sc_list {
  int32_t pairs;
  size_t pair_capacity;
  sc_pair *pair;
  sc_image *image; /* per pair, of `two` as seen from `one`; NULL without a cell */
  size_t image_capacity;
  sc_hint *hint; /* per pair, where hints is `pairs`; 0: none are known (contacts.c) */
  size_t hint_capacity;
  int32_t hints;
  sc_near *near; /* of pairs with meshes, in rows that their hints name */
  size_t near_capacity;
  uint8_t *apart; /* per pair, where parted is not 0: whether bonds keep it apart (part.c) */
  size_t apart_capacity;
  int64_t parted; /* the version of the bonds that this is of; 0: not known */
  int32_t known;  /* shapes it knows: rows 0..known-1 */
  sc_anchor *anchor;
  size_t anchor_capacity;
  sc_turned *turned;
  size_t turned_capacity;
  bool dirty;         /* rebuild before the next contacts */
  bool removals;      /* alias is not the identity: settle before the next contacts */
  int32_t age, lived; /* steps since rows were put in order, and since it was built */
  int64_t rebuilds;
  double mended;  /* work of mending since it was built, in pairs walked */
  double mean;    /* > 0: mean radius given from outside */
  double typical; /* mean radius when it was built */
  /* drifts of the anchors (drift.c), the first 0; none where drifts is 0, else the list is good for
   * `span` seconds, of which steps of `stepped` have used up `elapsed` */
  double (*drift)[3];
  size_t drift_capacity;
  int32_t drifts;
  double span, half, elapsed, stepped;
  double difference; /* of two drifts of bounded shapes at most */
  /* in a cell: as it was when the list was built, and the strain since then that the list is good for */
  sc_cell cell;
  double strain;
  /* in a part of many: its box, and the largest radius + slack of all bodies */
  double part_low[3], part_high[3], far;
  /* names (names.c), NULL before the first removal: list row -> row now (-1 gone) and back, by removals
   * since the last build or settling; and the row a shape had when rows were put in order */
  int32_t listed;
  int32_t *alias, *origin, *rank;
  size_t names_capacity;
} sc_list;

/* ---- names.c ---- */
/* Room for the names of so many shapes where there are names; and names from now on, each the row. False
 * without memory. */
bool sc_names_reserve(sc_list *list, size_t rows);
bool sc_names_keep(sc_list *list, size_t rows);
/* Shapes 0..rows-1 are the list's, under their own rows. Room must be there. */
void sc_names_number(sc_list *list, int32_t rows);
/* Row `last`, of a shape that the list knows, has moved into `row`, whose shape is gone. */
void sc_names_move(sc_list *list, int32_t row, int32_t last);
/* Makes every row its own rank; sorts the list by ranks (false without memory). */
void sc_names_rank_rows(sc_list *list, int32_t rows);
bool sc_names_sort(sc_list *list, int32_t shapes, sc_arena *scratch);
static inline int32_t sc_names_alias(const sc_list *list, int32_t listed) {
  return list->alias ? list->alias[listed] : listed;
}
static inline int32_t sc_names_origin(const sc_list *list, int32_t row) {
  return list->origin ? list->origin[row] : row;
}
static inline int32_t sc_names_rank(const sc_list *list, int32_t row) {
  return list->rank ? list->rank[row] : row;
}
/* A pair's place in the order of the list: its lower rank, then its higher; then images, as compared. */
uint64_t sc_names_key(const sc_list *list, sc_pair pair);
/* Row of the first pair of the list, in order, whose key is not less; soon found where it is not far
 * behind row `at`. */
int32_t sc_names_place(const sc_list *list, uint64_t key, int32_t at);

/* ---- drift.c ---- */
/* The drift of every anchor, for shapes that have poses; false without memory. And how much wider each
 * shape's extent is for it, from the slacks. */
typedef struct sc_drifting {
  int32_t *block;
  double *step, width, difference, half;
} sc_drifting;
bool sc_drift_choose(sc_collide *collide, const sc_bodies *bodies, double dt, sc_drifting *out);
void sc_drift_spread(const sc_collide *collide, const sc_drifting *drifting, double *spread);
static inline const double *sc_drift(const sc_list *list, int32_t row) {
  static const double none[3] = {0, 0, 0};
  return list->drifts ? list->drift[list->anchor[row].drift] : none;
}

/* The image that a pair of the list means; NULL: the body itself. */
static inline const sc_image *sc_list_image(const sc_list *list, int32_t pair) {
  return list->image ? list->image + pair : NULL;
}

/* ---- filter.c ---- */
/* Whether a pair of shapes that have poses, and whose spheres are near, belongs on the list: whether it
 * can ever matter, and whether boxes are within the margin, the slacks and what drifting brings in so
 * much time. image: of the other shape, NULL: itself. And which of a pair comes first: the movable one,
 * else the one in the lower slot, which does not change while both live; true where they changed places. */
bool sc_list_admits(const sc_collide *collide, const sc_bodies *bodies, int32_t row, int32_t other,
    const sc_image *image, double slacks, double time);
/* sc_list_off_plane: whether it does not, by the ball about a shape and a half-space. */
bool sc_list_off_plane(const sc_collide *collide, int32_t row, int32_t plane, double slacks, double time);
bool sc_list_orient(const sc_collide *collide, const sc_bodies *bodies, sc_pair *pair);

/* ---- strain.c: lists in a cell that is deformed ---- */
/* Notes the cell and chooses the strain that the coming list is good for; false where a step of dt strains it
 * too much for any. */
bool sc_strain_begin(sc_collide *collide, const sc_bodies *bodies, double dt);
/* Whether the coming step could strain the cell by more. */
bool sc_strain_is_over(const sc_list *list, const sc_bodies *bodies, double dt);
/* F - 1 of a cell that moves, F what has become of it since the list was built; false of any other. And the
 * way of a point from its anchor, less the anchor's own by that. */
bool sc_strain_change(const sc_list *list, const sc_bodies *bodies, double change[9]);
void sc_strain_way(const sc_list *list, const double change[9], const double anchor[3], double way[3]);
/* By how much reaches are larger for the strain to come: 1 / (1 - strain); 1 without. */
static inline double sc_strain_factor(const sc_list *list) { return 1 / (1 - list->strain); }

/* ---- images.c: what a search in a cell needs beside. All of it is for worlds that have one. ---- */
/* Refuses a cell in which a movable body could meet its own image, and half-spaces across its edges. */
scree_status sc_images_check(const sc_collide *collide, const sc_bodies *bodies, scree_error *error);
/* The images of a point in the cell that may lie within h of it: from first, so many along each edge. */
void sc_images_about(const sc_cell *cell, const double wrapped[3], double h, int32_t first[3], int32_t n[3]);
/* Puts pairs that one shape found into order: by the other shape's row, then by images. */
void sc_images_sort(sc_pair *pair, sc_image *image, int32_t count, int32_t finder);

/* ---- grid.c: all pairs of shapes within reach, ordered by ranks. Refills pair. ---- */
scree_status sc_list_search(
    sc_collide *collide, const sc_bodies *bodies, const double *spread, scree_error *error);

/* ---- strays.c: the pairs that a few shapes bring which have new anchors ---- */
typedef struct sc_found {
  uint64_t key; /* of the pair; once searched: the row of the list that it goes before */
  sc_pair pair;
} sc_found;
/* Pairs of the shapes in `row` that the list does not hold, in its order, for so much time to come.
 * false without memory, or where building the list anew is cheaper. */
bool sc_list_search_about(sc_collide *collide, const sc_bodies *bodies, const int32_t *row, int32_t count,
    double time, sc_found **found, int32_t *pairs);

/* ---- cells of the grids that are wrapped round like a torus ---- */
/* Cell that a coordinate in cell widths lies in. NaN, from differences that overflow, goes up. */
static inline int64_t sc_cell_of(double x) {
  x = x < 1e15 ? x > -1e15 ? x : -1e15 : 1e15;
  int64_t i = (int64_t)x;
  return i - (x < (double)i);
}
/* Cells per axis, powers of two: at least as many as are needed, unless that makes more than `most` in
 * all, then the longest axes are folded. Returns their number. */
int64_t sc_cells_fold(const double need[3], int64_t most, int32_t cells[3]);

/* ---- list.c ---- */
/* Forgets pairs and memory; the list will be built again. */
void sc_list_forget(sc_collide *collide);
/* The nearest float that is not above. */
float sc_list_rounded_down(double x);
void sc_list_free(sc_list *list);
size_t sc_list_bytes(const sc_list *list); /* by rows of shapes */

#endif
