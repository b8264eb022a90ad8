/* Bodies as a structure of arrays, rows dense (0..count-1), with ids that survive reordering.
 *
 * A row moves when a body is removed (the last row fills the hole) or when rows are permuted into Morton
 * order; ids stay. id = generation << 32 | slot + 1, so 0 is no body and a slot's next tenant has
 * another id.
 *
 * Where a world is spread over several ranks (engine/dist), each holds a part of the bodies: its own,
 * copies of those of its neighbours (ghosts), and those that are replicated. Slots are then
 * numbered through by creation, the same on every rank, and never used again; a hash table finds the
 * rows (lookup.c).
 *
 * Most bodies of most worlds are free balls, and a row is what such a ball needs. What other bodies need
 * beside it lies elsewhere: inertia tensors in rows of a table that bodies with equal ones share (inertia.c),
 * applied loads, groups and owners in columns that are there from first use on. */
#ifndef SC_BODIES_H
#define SC_BODIES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "base/alike.h"
#include "base/base.h"
#include "model/cell.h"
#include "scree/column.h"
#include "scree/world.h"

/* Inertia of a body that is no ball, in its own frame (xx,xy,xz,yy,yz,zz); inverse: 0 unless the body is
 * dynamic. */
typedef struct sc_tensor {
  double inertia[6], inverse[6];
} sc_tensor;

/* Of a body in a world whose islands may sleep (world/step/sleep.c). */
typedef struct sc_rest {
  double calm;                        /* dynamic: for how long it has been slow [s] */
  double position[3], orientation[4]; /* when last looked at; of what sleeps, where it fell asleep */
  uint32_t island;                    /* it sleeps with those of the same number; 0: it is awake */
  uint8_t kind;                       /* when last looked at */
  uint8_t moved;                      /* not dynamic: it moves, or was moved since */
} sc_rest;

/* Of a body in a world whose solver chooses what pays (solve/auto): how many steps its island is left to
 * sweeps from now on, and how many it last was told to be. */
typedef struct sc_wait {
  uint8_t left, last;
} sc_wait;

enum { SC_TENSOR_NONE = -1, SC_TENSOR_BALL = -2 };

typedef struct sc_bodies {
  /* dynamic bodies keep to planes at right angles to `plane` and turn about it alone */
  bool planar;
  /* true: sc_bodies_clear_load does nothing, because more substeps of the step follow */
  bool loads_stay;
  double plane[3];     /* unit normal, 0 unless planar */
  const sc_cell *cell; /* NULL: nothing is periodic */
  int32_t count;
  size_t capacity;
  double (*position)[3];    /* centre of mass [m] */
  double (*orientation)[4]; /* body frame to world */
  double (*velocity)[3];
  double (*spin)[3]; /* world frame [rad/s] */
  double *inv_mass;  /* 0 unless dynamic */
  double *mass;      /* kept while kinematic or fixed, so that a body can become dynamic again */
  double *radius;    /* bounding sphere about position, INFINITY with a half-space */
  uint8_t *kind;
  int32_t *first_shape; /* rows in sc_shapes are linked */
  uint32_t *slot;       /* row -> slot */
  /* inertia: read and set by the functions below */
  /* SC_TENSOR_BALL: one sphere about its centre of mass that turns alike about every axis;
   * SC_TENSOR_NONE: neither that nor ever dynamic; else the number of its sc_tensor */
  int32_t *tensor_row;
  /* of a ball [kg m2], 0 for others and of balls that were never dynamic; inverse: 0 unless dynamic */
  double *ball_inertia, *ball_inverse;
  sc_alike tensor;
  /* columns that are there from first use on, else NULL: read them by the functions below */
  double (*load)[6]; /* force and torque applied for the coming step */
  /* [rows] velocity and spin at the end of the last step; NULL in worlds that never had joints */
  double (*left)[6];
  int64_t *group;
  sc_rest *rest;
  sc_wait *wait;
  double (*centre)[3];  /* of mass, in the frame in which the body was made */
  int32_t *owner;       /* rank the body belongs to; in a world of several ranks */
  uint8_t *replicated;  /* 1: every rank holds a row of it; in a world of several ranks */
  uint32_t *generation; /* of the slot; only where distributed is set */
  double *value;        /* [rows][columns] numbers of scripts; NULL without columns */
  scree_column *column; /* [columns] what the values of a row are */
  int32_t columns;
  int32_t rank;     /* this rank */
  bool distributed; /* a part of the bodies: rows are found by hash */
  /* hash table: found_size places (a power of two) of row + 1 (0: empty) and slot */
  int32_t *found;
  size_t found_size;
  /* slots */
  size_t slots_capacity;
  uint32_t slots_count, free_slot; /* free list, UINT32_MAX ends it */
  uint32_t *slot_row;              /* slot -> row, or next free slot */
  uint32_t *slot_generation;
} sc_bodies;

void sc_bodies_free(sc_bodies *bodies);
/* Room for `more` further rows and not for many beside; false without memory. */
bool sc_bodies_reserve(sc_bodies *bodies, size_t more);
/* New row with zeroed members and a fresh id; -1 without memory. */
int32_t sc_bodies_add(sc_bodies *bodies);
/* New row for a body with a slot of its own that another rank numbered; distributed only. */
int32_t sc_bodies_adopt(sc_bodies *bodies, uint32_t slot, uint32_t generation);
/* The columns owner and replicated are there from now on, zeroed; false without memory. */
bool sc_bodies_hold_owners(sc_bodies *bodies);
/* From now on rows have owners and are found by hash; false without memory. */
bool sc_bodies_scatter(sc_bodies *bodies, int32_t rank);
/* Whether the row is this rank's own. */
static inline bool sc_bodies_own(const sc_bodies *bodies, int32_t row) {
  return !bodies->owner || bodies->owner[row] == bodies->rank;
}
/* Rank that solves contacts between two bodies, as every rank that holds both sees it: the owner of one
 * that is not replicated, or else of the one in the lower or higher slot, as a hash of both says,
 * so that both sides of a border get half. */
int32_t sc_bodies_solver(const sc_bodies *bodies, int32_t one, int32_t two);
/* Removes a row; the last row moves into its place. */
void sc_bodies_remove(sc_bodies *bodies, int32_t row);
/* Heap bytes held by all columns, tensors and slots. */
size_t sc_bodies_bytes(const sc_bodies *bodies);
scree_id sc_bodies_id(const sc_bodies *bodies, int32_t row);
/* Row of an id, or -1 if it is stale or never was. */
int32_t sc_bodies_row(const sc_bodies *bodies, scree_id id);
/* Rearranges rows, and tensors with them, so that new row i is old row order[i]. scratch: of that many
 * bytes. */
size_t sc_bodies_scratch(const sc_bodies *bodies);
void sc_bodies_permute(sc_bodies *bodies, const int32_t *order, void *scratch);

/* ---- what not every body has ---- */

static inline int64_t sc_bodies_group(const sc_bodies *bodies, int32_t row) {
  return bodies->group ? bodies->group[row] : 0;
}
/* False without memory, as are those below. */
bool sc_bodies_set_group(sc_bodies *bodies, int32_t row, int64_t group);
bool sc_bodies_hold_groups(sc_bodies *bodies);
/* Centre of mass in the frame in which the body was made, whose axes are the body's [m]. */
static inline const double *sc_bodies_centre(const sc_bodies *bodies, int32_t row) {
  static const double none[3] = {0};
  return bodies->centre ? bodies->centre[row] : none;
}
/* Allocates `left`, a zeroed row per body. Returns false without memory. */
bool sc_bodies_hold_left(sc_bodies *bodies);
/* All bodies have a row of `wait` from now on; false without memory. */
bool sc_bodies_hold_waits(sc_bodies *bodies);
bool sc_bodies_set_centre(sc_bodies *bodies, int32_t row, const double centre[3]);
/* Whether the surface of a fixed body runs (surface_velocity, surface_spin): those lie in its velocity
 * and spin, with which nothing else of it moves: relative.h takes what acts of them. */
static inline bool sc_bodies_runs(const sc_bodies *bodies, int32_t row) {
  const double *v = bodies->velocity[row], *w = bodies->spin[row];
  return bodies->kind[row] == SCREE_FIXED &&
      (v[0] != 0 || v[1] != 0 || v[2] != 0 || w[0] != 0 || w[1] != 0 || w[2] != 0);
}
/* Force (3) and torque (3) applied for the coming step. */
static inline const double *sc_bodies_load(const sc_bodies *bodies, int32_t row) {
  static const double none[6] = {0};
  return bodies->load ? bodies->load[row] : none;
}
bool sc_bodies_set_load(sc_bodies *bodies, int32_t row, const double load[6]);
bool sc_bodies_add_load(sc_bodies *bodies, int32_t row, const double force[3], const double torque[3]);
/* Sets the load of a row to 0, unless bodies->loads_stay. Steppers call this function after they have
 * stored the new velocity of the body. */
static inline void sc_bodies_clear_load(sc_bodies *bodies, int32_t row) {
  if (bodies->load && !bodies->loads_stay) memset(bodies->load[row], 0, sizeof *bodies->load);
}

/* Appends a column; every body gets the column's preset. Returns false without memory. */
bool sc_bodies_add_column(sc_bodies *bodies, const scree_column *added);
/* Returns the values of a row, one for each column; there must be columns. Their bytes, 0 without columns. */
static inline double *sc_bodies_values(const sc_bodies *bodies, int32_t row) {
  return bodies->value + (size_t)row * (size_t)bodies->columns;
}
static inline size_t sc_bodies_values_size(const sc_bodies *bodies) {
  return (size_t)bodies->columns * sizeof *bodies->value;
}

/* ---- rest.c ---- */

/* All bodies have a row of `rest` from now on; false without memory. */
bool sc_bodies_hold_rest(sc_bodies *bodies);
static inline bool sc_bodies_asleep(const sc_bodies *bodies, int32_t row) {
  return bodies->rest && bodies->rest[row].island;
}
/* Whether a contact of two bodies is as it was: one sleeps, and the other does so too or stands still. */
static inline bool sc_bodies_rest(const sc_bodies *bodies, int32_t one, int32_t two) {
  if (!bodies->rest) return false;
  const sc_rest *a = bodies->rest + one, *b = bodies->rest + two;
  bool still1 = a->island || (bodies->kind[one] != SCREE_DYNAMIC && !a->moved),
       still2 = b->island || (bodies->kind[two] != SCREE_DYNAMIC && !b->moved);
  return still1 && still2 && (a->island || b->island);
}
/* The bodies of an island wake, or all. */
void sc_bodies_wake(sc_bodies *bodies, uint32_t island);
void sc_bodies_wake_all(sc_bodies *bodies);
/* The island of a body wakes, if it sleeps; an id of no body: nothing does. */
void sc_bodies_wake_with(sc_bodies *bodies, scree_id id);
/* Whether something outside of steps changed a sleeping body, or a body that is not dynamic moves; what is
 * not asleep is noted as it is now. */
bool sc_bodies_changed(sc_bodies *bodies, int32_t row);
/* A slow body falls asleep in an island, above 0. */
void sc_bodies_sleep(sc_bodies *bodies, int32_t row, uint32_t island);

/* ---- inertia.c ---- */

/* Radius of a ball, 0 if the body is none. */
static inline double sc_bodies_ball(const sc_bodies *bodies, int32_t row) {
  return bodies->tensor_row[row] == SC_TENSOR_BALL ? bodies->radius[row] : 0;
}
/* Returns the reduced radius 1/(1/R1 + 1/R2) [m] of a contact: R is the radius of a ball, the bounding radius
 * of another dynamic body, and infinite for another immovable body. */
double sc_bodies_contact_radius(const sc_bodies *bodies, int32_t row1, int32_t row2);
/* Of a body that is no ball; NULL for one that is, or that was never dynamic. */
static inline const sc_tensor *sc_bodies_tensor(const sc_bodies *bodies, int32_t row) {
  const sc_tensor *tensor = (const sc_tensor *)(const void *)bodies->tensor.row;
  return bodies->tensor_row[row] < 0 ? NULL : tensor + bodies->tensor_row[row];
}
/* Inertia and its inverse in the body's frame (xx,xy,xz,yy,yz,zz) [kg m2]; inverse 0 unless dynamic. */
static inline void sc_bodies_inertia(const sc_bodies *bodies, int32_t row, double inertia[6]) {
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  double I = bodies->ball_inertia[row];
  const double ball[6] = {I, 0, 0, I, 0, I};
  memcpy(inertia, tensor ? tensor->inertia : ball, sizeof ball);
}
static inline void sc_bodies_inverse_inertia(const sc_bodies *bodies, int32_t row, double inverse[6]) {
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  double B = bodies->ball_inverse[row];
  const double ball[6] = {B, 0, 0, B, 0, B};
  memcpy(inverse, tensor ? tensor->inverse : ball, sizeof ball);
}
/* Sets both; ball: the body is one, and the first number of each is all there is to know. False without
 * memory. */
bool sc_bodies_set_inertia(
    sc_bodies *bodies, int32_t row, bool ball, const double inertia[6], const double inverse[6]);
/* Sets the inverse of a body whose inertia was set; without memory nothing changes. */
bool sc_bodies_set_inverse_inertia(sc_bodies *bodies, int32_t row, const double inverse[6]);
/* For bodies.c: of a row that goes. */
void sc_inertia_drop(sc_bodies *bodies, int32_t row);

/* ---- lookup.c: the hash table of a distributed set ---- */
int32_t sc_lookup_find(const sc_bodies *bodies, uint32_t slot); /* row, or -1 */
/* Enters bodies->slot[row] of all rows anew; room for at least `rows` rows. False without memory. */
bool sc_lookup_build(sc_bodies *bodies, size_t rows);
void sc_lookup_put(sc_bodies *bodies, uint32_t slot, int32_t row); /* room must be there */
void sc_lookup_drop(sc_bodies *bodies, uint32_t slot);

#endif
