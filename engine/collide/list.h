/* The neighbour list: all pairs of shapes that may touch before the list is built again, and the data that
 * decide when it must be built again (list/list.c). */
#ifndef SC_LIST_H
#define SC_LIST_H

#include "collide/collide.h"

/* A pair of shapes, given by rows. Body 1 of contacts between them is the body of shape `one`. */
typedef struct sc_pair {
  int32_t one, two;
} sc_pair;

/* Growing buffer for the pairs that a search finds. */
typedef struct sc_pair_buffer {
  sc_pair *pair;   /* [count] pairs found */
  sc_image *image; /* [count] periodic image of `two`; NULL without a cell */
  size_t capacity, image_capacity;
  int32_t count;
  int32_t crowd; /* row of a shape whose body shares its place with too many others (list/crowd.c);
                    INT32_MAX: none */
  bool failed;   /* true if memory or the range of int32_t ran out, or if too many bodies share a place */
  bool images;   /* true if the world has a cell */
} sc_pair_buffer;

/* State of a shape when the list was built. */
typedef struct sc_anchor {
  double position[3]; /* position of the shape's body [m] */
  float slack;        /* distance that the shape's points may move from the drifting anchor before the list is
                    stale [m] */
  int32_t drift;      /* row of the anchor's drift velocity in sc_list.drift */
} sc_anchor;

/* Orientation of a shape that is not a ball when the list was built. Index: the shape's slot
 * (sc_shape_row). */
typedef struct sc_turned {
  double orientation[4]; /* orientation of the shape's body, unit quaternion */
  double lever;          /* largest distance of a point of the shape from its body's position [m] */
} sc_turned;

enum { SC_ORDER_PERIOD = 64 }; /* steps after which rows are put in order again */

typedef struct sc_list {
  int32_t pairs;
  size_t pair_capacity;
  sc_pair *pair;   /* [pairs] sorted by rank */
  sc_image *image; /* [pairs] periodic image of `two` as seen from `one`; NULL without a cell */
  size_t image_capacity;
  sc_pair_cache *pair_cache; /* [pair_caches] entries of the pair cache (contacts/pair_caches.h) */
  size_t pair_cache_capacity;
  int32_t pair_caches;          /* `pairs`, or 0 if there is no pair cache */
  sc_triangle_cache *triangles; /* triangle caches of pairs with meshes; index: sc_pair_cache.mesh.row */
  size_t triangle_capacity;
  uint8_t *excluded; /* [pairs] 1 if a joint or bond excludes contacts (list/part.c) */
  size_t excluded_capacity;
  /* version of the joints and bonds for which `excluded` was computed; 0: it was not computed */
  int64_t excluded_version;
  int32_t known;     /* the list contains the shapes in rows 0 .. known - 1 */
  sc_anchor *anchor; /* [known] anchors of the shapes */
  size_t anchor_capacity;
  sc_turned *turned; /* [slots] orientations of shapes that are not balls */
  size_t turned_capacity;
  bool dirty;         /* the list must be built before contacts are found */
  bool removals;      /* shapes were removed: sc_collide_settle must be called before contacts are found */
  int32_t age, lived; /* steps since rows were put in order, since the list was built */
  int64_t rebuilds;   /* number of builds of the list so far */
  double mended;      /* cost of mending since the list was built, in visited pairs */
  double mean;        /* mean bounding radius of the movable bodies of all ranks [m]; 0: not set */
  double typical;     /* mean radius when the list was built [m] */
  double (*drift)[3]; /* [drifts] velocities that anchors can have (list/drift.c); drift[0] is zero [m/s] */
  size_t drift_capacity;
  int32_t drifts;    /* number of drifts; 0: anchors do not drift */
  double span, half; /* span: time for which the list is valid if anchors drift; half: span / 2 + dt [s] */
  double elapsed;    /* time since the list was built [s] */
  double stepped;    /* duration of the present step [s] */
  /* largest difference between the drifts of two shapes that have a bounding radius [m/s] */
  double difference;
  sc_cell cell;  /* the periodic cell when the list was built */
  double strain; /* largest strain of the cell since the build for which the list is valid */
  /* several ranks only: the region of this rank, and the largest radius + slack of all bodies [m] */
  double part_low[3], part_high[3], far;
  /* maps between rows of the list and present rows (names.c); the arrays are NULL before the first removal */
  int32_t listed;  /* number of rows when the list was built, or last renumbered after removals */
  int32_t *alias;  /* [listed] row in the list -> present row, -1: removed */
  int32_t *origin; /* [known] present row -> row in the list, -1: not in the list */
  int32_t *rank;   /* [known] row that the shape had when rows were put in order */
  size_t names_capacity;
} sc_list;

/* ---- names.c ---- */
/* Enlarges the maps alias, origin and rank for `rows` shapes, if the list has these maps. Returns false if
 * out of memory. */
bool sc_names_reserve(sc_list *list, size_t rows);
/* Allocates the maps alias, origin and rank for `rows` shapes. Sets all three to the identity if the list had
 * no maps. Returns false if out of memory. */
bool sc_names_keep(sc_list *list, size_t rows);
/* Sets alias and origin to the identity for rows 0..rows-1. Memory must be reserved. */
void sc_names_number(sc_list *list, int32_t rows);
/* Call when the shape in `row` was removed and the shape in row `last` moved to `row`. */
void sc_names_move(sc_list *list, int32_t row, int32_t last);
/* Sets the rank (sc_list.rank) of each shape to its present row. Call it when rows have been put in order. */
void sc_names_rank_rows(sc_list *list, int32_t rows);
/* Sorts the pairs of the list by the ranks (sc_list.rank) of their shapes. shapes: number of rows. Returns
 * false if out of memory. */
bool sc_names_sort(sc_list *list, int32_t shapes, sc_arena *scratch);
/* Returns the present row of a shape in row `listed` of the list; -1: removed. */
static inline int32_t sc_names_alias(const sc_list *list, int32_t listed) {
  return list->alias ? list->alias[listed] : listed;
}
/* Returns the row in the list of a shape in present row `row`; -1: not in the list. */
static inline int32_t sc_names_origin(const sc_list *list, int32_t row) {
  return list->origin ? list->origin[row] : row;
}
/* Returns the row that a shape had when rows were put in order. */
static inline int32_t sc_names_rank(const sc_list *list, int32_t row) {
  return list->rank ? list->rank[row] : row;
}
/* Returns the sort key of a pair: the lower rank of its shapes, then the higher rank. Pairs with equal keys
 * are sorted by image. */
uint64_t sc_names_key(const sc_list *list, sc_pair pair);
/* Returns the row of the first pair whose key is >= key. at: row where the search starts. The search is fast
 * if the result is a little after row `at`. */
int32_t sc_names_place(const sc_list *list, uint64_t key, int32_t at);

/* ---- drift.c ---- */
/* Data for sc_drift_spread, in scratch. */
typedef struct sc_drifting {
  int32_t *block; /* [shapes] block of the shape; -1: unbounded */
  /* [blocks] largest difference of the drifts of the block and a neighbouring block, times `half` [m] */
  double *step;
  double width;      /* width of a block [m] */
  double difference; /* largest difference of the drifts of two blocks [m/s] */
  double half;       /* h = span / 2 + dt as in sc_list [s]; 0: anchors do not drift */
} sc_drifting;
/* Chooses the drift of every anchor. Shapes must have poses. Returns false if out of memory. */
bool sc_drift_choose(sc_collide *collide, const sc_bodies *bodies, double dt, sc_drifting *out);
/* Computes by how much drifting enlarges the extent of each shape. spread: [shapes] set to these lengths
 * [m]. Slacks must be set. */
void sc_drift_spread(const sc_collide *collide, const sc_drifting *drifting, double *spread);
/* Returns the drift of the anchor of a shape [m/s]. */
static inline const double *sc_drift(const sc_list *list, int32_t row) {
  static const double none[3] = {0, 0, 0};
  return list->drifts ? list->drift[list->anchor[row].drift] : none;
}

/* Returns the periodic image of the second shape of a pair of the list; NULL without a cell. */
static inline const sc_image *sc_list_image(const sc_list *list, int32_t pair) {
  return list->image ? list->image + pair : NULL;
}

/* ---- filter.c ---- */
/* Returns true if a pair of shapes whose bounding spheres are near belongs on the list. This is the case if
 * contacts between the shapes are possible, and their bounding boxes come within the margin. slacks: sum of
 * the slacks of both shapes [m]. time: duration of relative drifting [s]. image: periodic image of the other
 * shape, may be NULL. Shapes must have poses. */
bool sc_list_admits(const sc_collide *collide, const sc_bodies *bodies, int32_t row, int32_t other,
    const sc_image *image, double slacks, double time);
/* Returns true if the bounding sphere of the shape in `row` proves that sc_list_admits is false for this
 * shape and a half-space. */
bool sc_list_off_plane(const sc_collide *collide, int32_t row, int32_t plane, double slacks, double time);
/* Orders the shapes of a pair: first the shape of a movable body. If both or none are movable, first the
 * shape whose body has the lower slot, which does not change while both bodies exist. Returns true if it
 * exchanged the shapes. */
bool sc_list_orient(const sc_collide *collide, const sc_bodies *bodies, sc_pair *pair);

/* ---- strain.c: lists in a deforming cell ---- */
/* Stores the cell and chooses the strain for which the next list is valid. Returns false if a step of dt
 * strains the cell too much for any list. */
bool sc_strain_begin(sc_collide *collide, const sc_bodies *bodies, double dt);
/* Returns true if the next step may exceed the strain for which the list is valid. */
bool sc_strain_is_over(const sc_list *list, const sc_bodies *bodies, double dt);
/* Computes F - 1, row-major, with F the deformation gradient of the cell since the list was built. Returns
 * false if the cell does not move. */
bool sc_strain_change(const sc_list *list, const sc_bodies *bodies, double change[9]);
/* Subtracts the motion of an anchor with the cell from the anchor's displacement `way`. change: result of
 * sc_strain_change. */
void sc_strain_way(const sc_list *list, const double change[9], const double anchor[3], double way[3]);
/* Returns the factor >= 1 by which the expected strain enlarges reaches; 1 if the cell does not deform. */
static inline double sc_strain_factor(const sc_list *list) { return 1 / (1 - list->strain); }

/* ---- images.c: periodic images; only for worlds with a cell ---- */
/* Returns an error if a movable body could touch its own image, or if a half-space is not parallel to the
 * periodic edges of the cell. */
scree_status sc_images_check(const sc_collide *collide, const sc_bodies *bodies, scree_error *error);
/* Computes which periodic images of a point may lie within h [m] of the cell: along edge k the images
 * first[k] .. first[k] + n[k] - 1. wrapped: position of the image that lies in the cell [m]. */
void sc_images_about(const sc_cell *cell, const double wrapped[3], double h, int32_t first[3], int32_t n[3]);
/* Sorts the pairs of shape `finder` by the other shape's row, then by image. */
void sc_images_sort(sc_pair *pair, sc_image *image, int32_t count, int32_t finder);

/* ---- grid.c ---- */
/* Fills list->pair with all pairs of shapes within reach, sorted by list->rank of their shapes. spread:
 * result of sc_drift_spread. */
scree_status sc_list_search(
    sc_collide *collide, const sc_bodies *bodies, const double *spread, scree_error *error);

/* ---- crowd.c ---- */
/* Returns true if the body of the shape in `row` shares its place with more than SC_CROWD other bodies. pair:
 * [count] all pairs of the shape that a search found. */
bool sc_crowd_about(
    const sc_collide *collide, const sc_bodies *bodies, int32_t row, const sc_pair *pair, int32_t count);
/* Sets *crowd to the smaller of *crowd and `row`. Any number of threads may call it at the same time. */
void sc_crowd_note(int32_t *crowd, int32_t row);
/* Returns SCREE_E_NUMERIC and a message that names the bodies at the place of the shape in `row`. */
scree_status sc_crowd_fail(
    const sc_collide *collide, const sc_bodies *bodies, int32_t row, scree_error *error);

/* ---- strays.c: the additional pairs of shapes with new anchors ---- */
typedef struct sc_found {
  uint64_t key; /* sort key during the search; in the result: row of the list before which the pair is
                   inserted */
  sc_pair pair;
} sc_found;
/* Finds the pairs of `count` shapes with other shapes that the list does not have yet, in the order of the
 * list. row: [count] rows of the shapes. time: time for which the pairs must be valid [s]. *found: set to the
 * pairs, in scratch. Returns false if out of memory, or if a new list is cheaper. */
bool sc_list_search_about(sc_collide *collide, const sc_bodies *bodies, const int32_t *row, int32_t count,
    double time, sc_found **found, int32_t *pairs);

/* ---- cells of the grids, which are periodic like a torus ---- */
/* Returns the cell of a coordinate given in cell widths. Clamps to +-1e15; NaN counts as +1e15. */
static inline int64_t sc_cell_of(double x) {
  x = x < 1e15 ? x > -1e15 ? x : -1e15 : 1e15;
  int64_t i = (int64_t)x;
  return i - (x < (double)i);
}
/* Chooses the numbers of cells per axis, which are powers of two: at least need[k]. If the total exceeds
 * `max`, halves the longest axis repeatedly. Returns the total number of cells. */
int64_t sc_cells_fold(const double need[3], int64_t max, int32_t cells[3]);

/* ---- list.c ---- */
/* Clears the pairs and the contact cache, and marks the list as dirty. */
void sc_list_forget(sc_collide *collide);
/* Returns the largest float that is not above x. */
float sc_list_rounded_down(double x);
/* Frees the arrays of a list. */
void sc_list_free(sc_list *list);
/* Returns the size of the arrays with one element per shape, in bytes. */
size_t sc_list_bytes(const sc_list *list);

#endif
