/* Collision detection: finds contacts from bodies and shapes. It does not know the world.
 *
 *   neighbour list  The pairs of shapes whose bounds are within reach (margin + skin). A hierarchy of grids
 *                   finds them, with one grid per factor of two in size. The list is valid until the motion
 *                   of a body has used up the skin. Contacts do not depend on the skin.
 *   narrow phase    One function per pair of shape families computes contact points (narrow/narrow.c).
 *   contacts        Contacts are sorted like the pairs of the list. A contact inherits impulse and law state
 *                   from the contact of the last step with the same pair of shapes and feature id. */
#ifndef SC_COLLIDE_H
#define SC_COLLIDE_H

#include "base/base.h"
#include "base/parallel.h"
#include "collide/contact.h"
#include "collide/pair_cache.h"
#include "model/bodies.h"
#include "model/shapes.h"

/* ---- narrow phase (narrow/narrow.c) ---- */
/* Computes the contact points of two placed shapes with gap <= reach. Normals point from b to a. Returns
 * their number, at most SC_MAX_TOUCHES; 0 also for pairs that never touch (two half-spaces). */
int sc_narrow(const sc_placed *a, const sc_placed *b, double reach, sc_touch out[SC_MAX_TOUCHES]);

struct sc_box_kernels;
/* Returns the kernels for boxes that use the widest SIMD of this processor (narrow/box/box_lanes.h). */
const struct sc_box_kernels *sc_box_best(void);
/* Like sc_narrow, but uses and updates the pair cache. No bit of the result depends on the cache. triangles:
 * triangle cache of a pair with a mesh, may be NULL. kernels: SIMD kernels for boxes; NULL: scalar ones. */
int sc_narrow_again(const sc_placed *a, const sc_placed *b, double reach, sc_pair_cache *cache,
    sc_triangle_cache *triangles, const struct sc_box_kernels *kernels, sc_touch out[SC_MAX_TOUCHES]);

/* Computes the pose of a shape in the world from the position [m] and orientation of its body. */
void sc_place(const sc_shape *shape, const double position[3], const double orientation[4], sc_placed *out);

/* ---- neighbour list and contacts ---- */
typedef struct sc_collide sc_collide;

/* Default skin, in mean bounding radii. Skins from 0.1 to 0.8 were timed in beds that fall, settle, rest, and
 * flow down a channel. In each bed 0.2 was the fastest or at most 3 % slower than the fastest. Results do not
 * depend on the skin. */
#define SC_SKIN 0.2

typedef struct sc_collide_def {
  double margin;                /* largest gap of a contact, as a fraction of the smaller bounding radius */
  double skin;                  /* extra reach of the list, as a fraction of the mean radius; 0: SC_SKIN */
  int threads;                  /* not used: see sc_collide_set_pool */
  const struct sc_pairs *pairs; /* materials, read for the range of cohesion; NULL: no cohesion */
  const double *gravity;        /* [3] gravity [m/s2]: a gap that gravity closes within a step becomes a
                                   contact; NULL: no gravity */
  bool follows;                 /* true if sc_collide_follow will be called */
  bool springs;                 /* true if every contact is a spring; rule 7 of contacts/filter.c then
                                   applies */
  sc_arena *scratch;            /* memory for temporary arrays of a call; NULL: the stage makes its own
                                   arena */
} sc_collide_def;

/* Creates a collision stage. The definition's pointers must stay valid. Returns NULL if out of memory. */
sc_collide *sc_collide_create(const sc_collide_def *def);
/* Frees a collision stage; NULL: does nothing. */
void sc_collide_destroy(sc_collide *collide);
/* Sets the threads that share the work; NULL: one thread. Results do not depend on the number of threads. */
scree_status sc_collide_set_pool(sc_collide *collide, sc_pool *pool);

/* Updates the list after the shape in `row` was removed and the shape in row `last` moved to `row`. */
void sc_collide_removed(sc_collide *collide, int32_t row, int32_t last);
/* Advances the ages of the list and of the order of rows. Call it at the end of a step. */
void sc_collide_tick(sc_collide *collide);
/* Marks the list so that the next step builds it. Call it when shapes were added or bodies moved by hand. */
void sc_collide_dirty(sc_collide *collide);

/* Returns true if the rows of bodies should be sorted (sc_collide_order) before the next build: shapes were
 * added or moved by hand, or rows were sorted SC_ORDER_PERIOD steps ago. Does not depend on when lists were
 * built. */
bool sc_collide_disordered(const sc_collide *collide, const sc_shapes *shapes);
/* Returns true if the list must be built before contacts are found: a shape has used up its slack, or
 * sc_collide_disordered returns true. May mend the list instead if few shapes have used up their slack. */
bool sc_collide_stale(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt);
/* Computes an order of the rows of bodies for sc_bodies_permute: along a Morton curve, with large and
 * immovable bodies last. order: [new row] returns the old row of each body. */
scree_status sc_collide_order(
    sc_collide *collide, const sc_bodies *bodies, int32_t *order, scree_error *error);
/* Builds the list. shape_map: [new row] old row of each shape, for the contact cache; NULL: same rows. */
scree_status sc_collide_build(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    const int32_t *shape_map, double dt, scree_error *error);
/* Returns the largest gap at which a shape of this bounding radius has contacts: its margin, or the range of
 * cohesion or gravity (sc_collide.range) if this is larger [m]. */
double sc_collide_reach(const sc_collide *collide, double radius);
/* Returns true if sc_collide_part was called for the present list and this version of the joints and
 * bonds. */
bool sc_collide_is_parted(const sc_collide *collide, int64_t version);
/* Marks the pairs whose bodies joints or bonds connect. Marked pairs get no contacts unless cohesion acts
 * between them. apart: returns true if two bodies are connected. version: version of the joints and bonds; 0:
 * the world has none. */
scree_status sc_collide_part(sc_collide *collide, const sc_shapes *shapes,
    bool (*apart)(const void *context, int32_t body1, int32_t body2), const void *context, int64_t version,
    scree_error *error);
/* Returns true if the pair of a contact is marked by sc_collide_part. */
bool sc_collide_parts(const sc_collide *collide, int32_t index);
/* Finds the contacts of this step. Contacts that existed before inherit impulse and law state. state_stride:
 * doubles of law state per contact. held_at: index in the law state of a number that is > 0 if cohesion holds
 * the contact; negative: none. *count: set to the number of contacts. *state: set to their law states, zero
 * for new contacts; belongs to the stage. */
scree_status sc_collide_contacts(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    int state_stride, int held_at, double dt, int32_t *count, double **state, scree_error *error);
/* Sets that each new contact copies `count` doubles, from index `at` of the law state on, from a contact of
 * the last step with the same pair of shapes and a similar normal. count 0: copies nothing. */
void sc_collide_share(sc_collide *collide, int at, int count);
/* Sets whether inherited impulses rotate with the normal of their contact, for tangential springs. */
void sc_collide_turn(sc_collide *collide, bool turns);
/* Moves the contacts with their bodies, instead of a search (contacts/follow.c). Requires an earlier search
 * in this step, up to its end. No shape may have been added or removed since. */
scree_status sc_collide_follow(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, scree_error *error);
/* Several ranks only: returns [bodies] flags, 1 if the last search found a contact of the body. */
const uint8_t *sc_collide_touched(const sc_collide *collide);

/* ---- contacts; 0 <= index < count ---- */
/* Computes a contact, with its geometry at the last search. If shapes were removed, call sc_collide_settle
 * first. */
void sc_collide_contact(const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_contact *out);
/* Computes rows of bodies and materials of a contact; all -1 if a shape was removed. */
void sc_collide_sides(const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_sides *out);
/* Like sc_collide_sides. Returns the index after the last contact of the pair of contact `index`, at most
 * `end`. */
int32_t sc_collide_pair_sides(
    const sc_collide *collide, const sc_shapes *shapes, int32_t index, int32_t end, sc_sides *out);
/* Returns the geometry of a contact. room: memory used if geometry is not stored. */
const sc_touch *sc_collide_touch(
    const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_touch *room);
/* Prefetches geometry and impulse of a contact, which are read soon. */
void sc_collide_ask(const sc_collide *collide, int32_t index);
/* Returns the periodic image of body 2 of a contact, as body 1 sees it; 0 without a cell. */
sc_image sc_collide_image(const sc_collide *collide, int32_t index);
/* Finds the rows of both shapes of a contact. Returns false, and rows -1, if a shape was removed. */
bool sc_collide_rows(const sc_collide *collide, int32_t index, int32_t *one, int32_t *two);
/* Computes those data of a contact that ball contacts need; bodies are -1 if a shape was removed. */
void sc_collide_meeting(const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_meeting *out);
/* Returns the effective radius of a contact, 1/R = 1/R1 + 1/R2, with the bounding radii of the shapes [m].
 * Shapes of immovable bodies count as flat (INFINITY) unless they are balls. */
double sc_collide_radius(const sc_collide *collide, const sc_bodies *bodies, int32_t index);
/* Returns the next contact after `from` that belongs to the ball and mesh of contact `index` and is nearer
 * than `index`; -1: none. Its normal must lie within 30 degrees of that of `index`. If gaps are equal, the
 * lower index counts as nearer. from: -1 in the first call. */
int32_t sc_collide_nearer_face(const sc_collide *collide, int32_t index, int32_t from);
/* Stores impulse and state of a contact after a step. */
void sc_collide_keep(sc_collide *collide, int32_t index, const double impulse[3], int32_t state);
/* Returns the stored impulse of a contact on body 1, world axes [N s]. */
const double *sc_collide_impulse(const sc_collide *collide, int32_t index);
/* Returns the stored scree_contact_state of a contact. */
int32_t sc_collide_state(const sc_collide *collide, int32_t index);
/* Returns the tag of a contact (sc_collide_set_tag); 0 if the last search created the contact. */
int32_t sc_collide_tag(const sc_collide *collide, int32_t index);
/* Sets the tag of a contact, 0 to 2^30 - 1. Searches copy the tag together with the contact's impulse. */
void sc_collide_set_tag(sc_collide *collide, int32_t index, int32_t tag);
/* Returns the deepest penetration of the contacts of the last search [m]; 0 if no shapes overlap. */
double sc_collide_deepest(const sc_collide *collide);
/* Returns false if a shape of a contact was removed and sc_collide_settle was not called since. */
bool sc_collide_alive(const sc_collide *collide, int32_t index);

/* ---- several ranks (bodies.distributed): the list has only the pairs that this rank solves ---- */
/* Sets the mean bounding radius of the movable bodies of all ranks [m]. */
void sc_collide_set_mean(sc_collide *collide, double mean);
/* Returns an upper bound of the distance that a body's points may move after the next build before the list
 * is stale [m]. Call sc_collide_set_mean first. */
double sc_collide_slack(const sc_collide *collide, const sc_bodies *bodies, int32_t body, double dt);
/* Returns the factor by which the expected strain of a deforming cell enlarges the reach of the next list. */
double sc_collide_widening(const sc_bodies *bodies, double dt);
/* Sets the region of this rank, infinite on its outer sides [m]. far: largest radius + slack of the bodies of
 * all ranks [m]. Bodies within reach of the region must have been copied. If a ball deep inside the region
 * then uses up its slack, the list is mended for this ball and is not stale. Call sc_collide_set_mean first.
 * Not for worlds with a cell. */
void sc_collide_set_part(sc_collide *collide, const double low[3], const double high[3], double far);

/* ---- transfer of contacts ---- */
/* A cached contact of two shapes. */
typedef struct sc_remembered {
  int32_t shape1, shape2; /* rows; body 1 of the contact is the body of shape1 */
  int32_t state;          /* state after the solve, a scree_contact_state */
  int32_t tag;            /* number set by sc_collide_set_tag; 0: none */
  sc_image image;         /* periodic image of shape2, as shape1 sees it; 0 without a cell */
  double impulse[3];      /* on body 1, world axes [N s] */
  sc_touch touch;
  const double *law; /* [stride] law state of the contact */
} sc_remembered;
/* Returns true if two contacts have the same pair of shapes and the same image. */
static inline bool sc_remembered_together(const sc_remembered *a, const sc_remembered *b) {
  return a->shape1 == b->shape1 && a->shape2 == b->shape2 && sc_image_same(a->image, b->image);
}
/* Removes pairs and contacts of removed shapes. */
scree_status sc_collide_settle(sc_collide *collide, scree_error *error);
/* Reads contact `index` of the contact cache into *out; NULL: reads nothing. Returns the number of cached
 * contacts. */
int32_t sc_collide_memory(
    const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_remembered *out);
/* Returns the doubles of law state per contact. */
int32_t sc_collide_stride(const sc_collide *collide);
/* Adds `count` contacts to the contact cache. Contacts of one pair must be adjacent, and the cache must have
 * no contacts of their pairs. shapes: present number of shape rows. The list must be built before contacts
 * are found. */
scree_status sc_collide_remember(sc_collide *collide, int32_t shapes, const sc_remembered *from,
    int32_t count, int32_t stride, scree_error *error);

/* ---- figures ---- */
/* Returns how often the list was built. */
int64_t sc_collide_rebuilds(const sc_collide *collide);
/* *shapes: set to the heap bytes of arrays with a row per shape. *contacts: set to the heap bytes of pairs,
 * contacts and own scratch. */
void sc_collide_bytes(const sc_collide *collide, size_t *shapes, size_t *contacts);
/* Returns the number of pairs on the list. */
int64_t sc_collide_pairs(const sc_collide *collide);
/* Returns the skin in use, in mean radii. */
double sc_collide_skin(const sc_collide *collide);
/* Returns the number n of shapes that the list contains: those in rows 0 .. n - 1. */
int32_t sc_collide_known(const sc_collide *collide);

/* ---- checkpoints ---- */
/* Returns the cached contacts after loading: their number in *count and their law states in *state. *state is
 * NULL if the saved states do not have `stride` doubles. */
void sc_collide_present(const sc_collide *collide, int stride, int32_t *count, double **state);
/* Saves everything that later results depend on. *bytes: released with sc_free. */
scree_status sc_collide_save(const sc_collide *collide, const sc_shapes *shapes, void **bytes, size_t *count);
/* Contacts of one of several ranks, for a common checkpoint. A checkpoint has SC_COLLIDE_STRETCHES sections,
 * and each rank saves its piece of each section. The pieces of all ranks, joined section by section, are the
 * bytes that a single process with all contacts and without a list would save. */
typedef struct sc_collide_piece {
  const sc_remembered *contact; /* [contacts] with global rows of shapes; contacts of a pair are adjacent */
  int32_t contacts, stride;
  int32_t first_pair, first_shape; /* number of pairs and number of shapes of all ranks before this rank */
  int32_t shapes;                  /* number of shapes of this rank */
  bool images;                     /* true if the world has a cell */
} sc_collide_piece;
enum { SC_COLLIDE_STRETCHES = 11 }; /* the header and the ten sections of save.h */
/* Returns the number of pairs of the contacts of a piece. */
int32_t sc_collide_piece_pairs(const sc_collide_piece *piece);
/* Returns the bytes of this rank's piece of section `stretch`, to be released with sc_free; NULL if out of
 * memory. whole: total counts of all ranks for the rank that writes the header, NULL for other ranks. */
void *sc_collide_piece_save(
    const sc_collide_piece *piece, int stretch, const sc_collide_piece *whole, size_t *bytes);
/* Returns the number of contacts that the header of saved bytes states; 0 if there is no header. */
int64_t sc_collide_saved_contacts(const void *bytes, size_t count);
/* Replaces every image n of the list by M n. M: 3 x 3 integers, row-major. Call if the cell gets other edges
 * for the same periodic lattice (world/cell/cell.c). */
void sc_collide_rename_images(sc_collide *collide, const int32_t M[9]);
/* Call after sc_collide_load: sets range and margin of the list for steps of dt and the present rules. */
void sc_collide_loaded(sc_collide *collide, double dt);
/* Loads saved bytes. Returns an error if they are damaged or from another build. */
scree_status sc_collide_load(
    sc_collide *collide, const sc_shapes *shapes, const void *bytes, size_t count, scree_error *error);

#endif
