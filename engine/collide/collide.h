/* Collision detection: bodies and shapes in, contacts out. Knows views only, never the world.
 *
 *   neighbour list  pairs of shapes whose bounds are within reach (margin + skin); built by counting
 *                   sort into a hierarchy of grids (one level per factor of two in size), half-spaces
 *                   and other large shapes apart; reused until a body has moved or turned so far that
 *                   the skin is used up. Contacts do not depend on the skin
 *   narrow phase    a matrix of functions over (type, type)
 *   contacts        in the order of the list, which follows the rows that shapes had when last put in
 *                   order; each inherits the impulse and law state of the contact with the same pair and
 *                   feature of the step before */
#ifndef SC_COLLIDE_H
#define SC_COLLIDE_H

#include "base/base.h"
#include "base/parallel.h"
#include "collide/contact.h"
#include "model/bodies.h"
#include "model/shapes.h"

/* ---- narrow phase (narrow.c, one file per family) ----
 * Contact points between two placed shapes with gap <= reach; their number, at most SC_MAX_TOUCHES.
 * Normals point from b to a. 0 also for pairs that never touch (half-space against half-space). */
int sc_narrow(const sc_placed *a, const sc_placed *b, double reach, sc_touch out[SC_MAX_TOUCHES]);

/* What is known of a pair since it was last searched: an axis along which it lay apart; with a kind above
 * 1, which no axis has, the features of two hulls that were nearest (narrow/convex/features.c) or the row
 * of what follows; or zeros. */
typedef struct sc_hint {
  union {
    float axis[3];
    struct {
      float kind;
      uint16_t at[2], face[2]; /* and the faces between which touches were found */
    } feature;
    struct {
      float kind;
      int32_t row;
    } near;
  };
} sc_hint;
#define SC_HINT_NEAR 9.f

/* The triangles of a mesh that were near a shape, and where it was then. */
enum { SC_NEAR_MOST = 24 };
typedef struct sc_near {
  double turn[9], middle[3]; /* from the mesh's axes to the shape's; of the shape in the mesh's axes */
  double limit;              /* all other triangles are further off than this [m] */
  int32_t count;             /* -1: nothing is known */
  bool full;                 /* there is no room for all */
  int32_t triangle[SC_NEAR_MOST];
} sc_near;

struct sc_box_kernels;
/* Returns the kernels for boxes that use the widest SIMD of this processor (narrow/box/box_lanes.h). */
const struct sc_box_kernels *sc_box_best(void);
/* The same as sc_narrow with what is known of the pair, which is brought up to date; touches do not depend on
 * it in any bit. near: of a convex shape and a mesh, may be NULL; kernels: how wide boxes and triangles are
 * looked at (narrow/box/box_lanes.h), NULL: one by one. */
int sc_narrow_again(const sc_placed *a, const sc_placed *b, double reach, sc_hint *hint, sc_near *near,
    const struct sc_box_kernels *kernels, sc_touch out[SC_MAX_TOUCHES]);

/* Places a shape of a body with the given pose. */
void sc_place(const sc_shape *shape, const double position[3], const double orientation[4], sc_placed *out);

/* ---- neighbour list and contacts ---- */
typedef struct sc_collide sc_collide;

/* The skin that no scene chooses, in mean radii: cheapest or within 3 % of it for beds that fall, settle,
 * rest and flow down a channel, of 0.1 to 0.8. Results do not depend on it. */
#define SC_SKIN 0.2

typedef struct sc_collide_def {
  double margin; /* contacts are reported up to this gap, in units of the smaller bounding radius */
  double skin;   /* extra reach of the list in units of the mean radius; 0: SC_SKIN */
  int threads;
  /* cohesion between materials keeps contacts beyond the margin (law/cohesion); NULL: there is none */
  const struct sc_pairs *pairs;
  /* three numbers: what it closes within a step is reached, too; NULL: there is none */
  const double *gravity;
  bool follows; /* contacts will follow their bodies (sc_collide_follow) */
  bool springs; /* every contact is a spring; a ball over a seam has one contact */
  /* what a call needs for itself comes from here and goes back; NULL: from an arena of its own */
  sc_arena *scratch;
} sc_collide_def;

sc_collide *sc_collide_create(const sc_collide_def *def);
void sc_collide_destroy(sc_collide *collide);
/* Threads that share the work from now on (NULL: the caller alone); results do not depend on their number. */
scree_status sc_collide_set_pool(sc_collide *collide, sc_pool *pool);

/* What must be told between steps; each O(1) or one pass over the list at the next update. */
/* row of a shape removed; shape row `last` moved into its place */
void sc_collide_removed(sc_collide *collide, int32_t row, int32_t last);
void sc_collide_tick(sc_collide *collide); /* a step is over */
/* shapes added or bodies moved by hand: rebuild */
void sc_collide_dirty(sc_collide *collide);

/* True if rows should be put in order before the next list: shapes were added or moved by hand, or it is
 * long ago. Does not depend on when lists were built. */
bool sc_collide_disordered(const sc_collide *collide, const sc_shapes *shapes);
/* True if the list must be rebuilt before contacts can be found (something moved through the skin, or
 * disordered). */
bool sc_collide_stale(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt);
/* Rows of bodies in Morton order of their positions, for sc_bodies_permute; large and immovable bodies
 * last. */
scree_status sc_collide_order(
    sc_collide *collide, const sc_bodies *bodies, int32_t *order, scree_error *error);
/* Builds the list. shape_map[new row] = old row (NULL: unchanged), so that contact memory is carried over. */
scree_status sc_collide_build(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    const int32_t *shape_map, double dt, scree_error *error);
/* Largest gap that matters to a shape of a bounding radius: its margin, or what cohesion reaches [m]. */
double sc_collide_reach(const sc_collide *collide, double radius);
/* Pairs that joints and bonds keep apart get no contacts, but for those that cohesion holds, which say so.
 * `apart` is asked about the bodies of all pairs of the list, once for each list and version of the ties; 0:
 * none. */
bool sc_collide_is_parted(const sc_collide *collide, int64_t version);
scree_status sc_collide_part(sc_collide *collide, const sc_shapes *shapes,
    bool (*apart)(const void *context, int32_t body1, int32_t body2), const void *context, int64_t version,
    scree_error *error);
bool sc_collide_parts(const sc_collide *collide, int32_t index);
/* Finds the contacts of this step; impulse and state[] of surviving contacts are carried over. held_at: where
 * in its state a contact that cohesion holds has a number above 0; negative: nowhere.
 * state_stride doubles of law state per contact lie in *state (zero for new contacts), which belongs to
 * collide. */
scree_status sc_collide_contacts(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    int state_stride, int held_at, double dt, int32_t *count, double **state, scree_error *error);
/* In place of a search where one has been made in this step, for a dt that reaches to its end, and nothing
 * was added or removed since: the same contacts, which have moved with their bodies (follow.c). */
scree_status sc_collide_follow(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, scree_error *error);
/* Of such a part: a byte per body, 1 where the last search found contacts of it. */
const uint8_t *sc_collide_touched(const sc_collide *collide);
/* Contact 0 <= index < count, its geometry as it was when contacts were found. Shapes that were removed
 * since must be settled. */
void sc_collide_contact(const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_contact *out);
void sc_collide_sides(const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_sides *out);
/* The same of all contacts of its pair from `index` on, which it returns the end of, at most `end`. */
int32_t sc_collide_pair_sides(
    const sc_collide *collide, const sc_shapes *shapes, int32_t index, int32_t end, sc_sides *out);
/* Where it touches; room: for where that is not kept. And asks for that and its impulse. */
const sc_touch *sc_collide_touch(
    const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_touch *room);
void sc_collide_ask(const sc_collide *collide, int32_t index);
/* The image of its body 2, as body 1 sees it. */
sc_image sc_collide_image(const sc_collide *collide, int32_t index);
/* The rows of its two shapes; false where one was removed. */
bool sc_collide_rows(const sc_collide *collide, int32_t index, int32_t *one, int32_t *two);
/* The part of it that ball contacts are made of; bodies -1 where a shape was removed. */
void sc_collide_meeting(const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_meeting *out);
/* Effective radius of a contact, 1/R = 1/R1 + 1/R2, of the shapes' bounding radii, which are the radii of
 * balls; shapes of bodies that cannot move are flat (INFINITY) unless they are balls [m]. */
double sc_collide_radius(const sc_collide *collide, const sc_bodies *bodies, int32_t index);
/* Searches contacts after `from` of the ball and mesh of contact `index`. Returns the next contact that is
 * nearer than `index` and whose normal is within 30 degrees, or -1. Of two equal gaps the first contact is
 * nearer. from: -1 in the first call. */
int32_t sc_collide_nearer_face(const sc_collide *collide, int32_t index, int32_t from);
/* What a step made of a contact. */
void sc_collide_keep(sc_collide *collide, int32_t index, const double impulse[3], int32_t state);
/* What it keeps, world frame, on body 1 [N s]. */
const double *sc_collide_impulse(const sc_collide *collide, int32_t index);
int32_t sc_collide_state(const sc_collide *collide, int32_t index); /* scree_contact_state that it keeps */
/* Returns the tag of a contact, a number set by sc_collide_set_tag; 0 if the last search created the
 * contact. */
int32_t sc_collide_tag(const sc_collide *collide, int32_t index);
/* Sets the tag of a contact, 0 to 2^30 - 1. Searches copy the tag together with the contact's impulse. */
void sc_collide_set_tag(sc_collide *collide, int32_t index, int32_t tag);
/* Deepest penetration among the contacts found last [m], 0 where none overlap. */
double sc_collide_deepest(const sc_collide *collide);
/* Whether the shapes of a contact are both there; false from their removal until it is settled. */
bool sc_collide_alive(const sc_collide *collide, int32_t index);
/* Where the bodies are a part of many (bodies.distributed) the list holds the pairs that this rank solves;
 * what follows is for that case. Mean bounding radius of all movable bodies, in place of that of the bodies
 * here. */
void sc_collide_set_mean(sc_collide *collide, double mean);
/* Way that a body's points may go from the next build on before the list is stale, from above; for that
 * the mean must have been set. */
double sc_collide_slack(const sc_collide *collide, const sc_bodies *bodies, int32_t body, double dt);
/* By how much pairs of the next list reach further for the strain of a deforming cell that it is good for. */
double sc_collide_widening(const sc_bodies *bodies, double dt);
/* The box of the bodies here (outer walls infinite), and the largest radius + slack of all bodies: who
 * was within reach of the box has been copied. With this, balls deep inside that have used up their
 * slack do not make the list stale. The mean must have been set. Not for worlds with a cell. */
void sc_collide_set_part(sc_collide *collide, const double low[3], const double high[3], double far);
/* One remembered contact between two shapes (rows), body 1 being the first's; law: stride doubles of law
 * state. */
typedef struct sc_remembered {
  int32_t shape1, shape2, state;
  int32_t tag;    /* see sc_collide_tag */
  sc_image image; /* of the second, as the first sees it; 0 without a cell */
  double impulse[3];
  sc_touch touch;
  const double *law;
} sc_remembered;
/* Whether two contacts are of one pair: the same shapes, the same image. */
static inline bool sc_remembered_together(const sc_remembered *a, const sc_remembered *b) {
  return a->shape1 == b->shape1 && a->shape2 == b->shape2 && sc_image_same(a->image, b->image);
}
/* Takes removed shapes off the list, then contact i of the memory, 0 <= i < count. */
scree_status sc_collide_settle(sc_collide *collide, scree_error *error);
/* the count; out may be NULL */
int32_t sc_collide_memory(
    const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_remembered *out);
int32_t sc_collide_stride(const sc_collide *collide);
/* Adds contacts to the memory, those of one pair of shapes one after the other, none of a pair that it
 * has already. shapes: rows that there are now. The list must be built before contacts are found. */
scree_status sc_collide_remember(sc_collide *collide, int32_t shapes, const sc_remembered *from,
    int32_t count, int32_t stride, scree_error *error);
int64_t sc_collide_rebuilds(const sc_collide *collide);
/* Heap bytes held: by what has a row per shape, and by pairs, contacts, their memory and the scratch of
 * a step. */
void sc_collide_bytes(const sc_collide *collide, size_t *shapes, size_t *contacts);
int64_t sc_collide_pairs(const sc_collide *collide);
/* The skin in use, in mean radii. */
double sc_collide_skin(const sc_collide *collide);
/* The contacts of the last step, after loading; no states where their rows are not of this stride. */
void sc_collide_present(const sc_collide *collide, int stride, int32_t *count, double **state);
/* Plain bytes of everything that decides later results, for checkpoints. */
scree_status sc_collide_save(const sc_collide *collide, const sc_shapes *shapes, void **bytes, size_t *count);
/* The same bytes of contacts that lie with many: each gives a piece of every stretch, and the pieces of
 * all, stretch by stretch, are what one would save that held these contacts and had no list yet.
 * contact: rows of shapes in the whole, those of a pair one after the other. */
typedef struct sc_collide_piece {
  const sc_remembered *contact;
  int32_t contacts, stride;
  int32_t first_pair, first_shape, shapes; /* pairs and shapes of those before, shapes of this one */
  bool images;                             /* of a world with a cell */
} sc_collide_piece;
enum { SC_COLLIDE_STRETCHES = 11 };
/* Pairs that the contacts are of. */
int32_t sc_collide_piece_pairs(const sc_collide_piece *piece);
/* Bytes of a piece, released with sc_free; NULL without memory. whole: counts of all, for who gives the
 * head, else NULL. */
void *sc_collide_piece_save(
    const sc_collide_piece *piece, int stretch, const sc_collide_piece *whole, size_t *bytes);
/* Shapes that the list knows. */
int32_t sc_collide_known(const sc_collide *collide);
/* Contacts that saved bytes announce. */
int64_t sc_collide_saved_contacts(const void *bytes, size_t count);
/* Gives every image of a pair another name: image n becomes M n, M 3 x 3 of whole numbers, row-major. For
 * cells whose edges are chosen anew (world/cell/cell.c). */
void sc_collide_rename_images(sc_collide *collide, const int32_t M[9]);
/* What was loaded is a list for steps of dt by the rules and with the gravity of now. */
void sc_collide_loaded(sc_collide *collide, double dt);
scree_status sc_collide_load(
    sc_collide *collide, const sc_shapes *shapes, const void *bytes, size_t count, scree_error *error);

#endif
