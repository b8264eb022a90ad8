/* Bodies as a structure of arrays: rows 0..count-1 without holes, and ids that survive reordering.
 *
 * When a body is removed, the last row moves into the hole. Rows are also permuted into Morton order. An id
 * is generation << 32 | slot + 1 (0: no body); a new body in a used slot has another generation.
 *
 * In a world of several ranks (engine/dist) each rank has only a part of the bodies: its own bodies, copies
 * of bodies of neighbouring ranks (ghosts), and replicated bodies. Slots are then numbered by creation, have
 * the same number on every rank, and are not used again. A hash table finds the row of a slot (lookup.c).
 *
 * Most bodies of most worlds are free balls, so a row has only the members that a ball needs. Inertia tensors
 * of other bodies are rows of a table (inertia.c); bodies with equal tensors share a row. Applied loads,
 * groups and owners are columns that are allocated at first use. Functions that allocate return false if out
 * of memory. */
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

/* Inertia of a body that is not a ball, in the body's frame (xx,xy,xz,yy,yz,zz) [kg m2]; inverse: 0 unless
 * the body is dynamic. */
typedef struct sc_tensor {
  double inertia[6], inverse[6];
} sc_tensor;

/* Sleep state of a body, in a world whose islands may sleep (world/step/sleep.c). */
typedef struct sc_rest {
  double calm; /* dynamic body: time for which it has been slow [s] */
  /* sleeping body: pose at which it fell asleep; not dynamic: pose at the last sc_bodies_changed */
  double position[3], orientation[4];
  uint32_t island; /* number of the sleeping island, 0: awake */
  uint8_t kind;    /* body kind at the last check */
  uint8_t moved;   /* not dynamic: 1 if the body moves or was moved since the last check */
} sc_rest;

/* Back-off counters of the island of a body, for solver `auto` (solve/auto). */
typedef struct sc_wait {
  uint8_t left, last; /* further steps in which the island is only swept; first value of `left` */
} sc_wait;

enum { SC_TENSOR_NONE = -1, SC_TENSOR_BALL = -2 };

typedef struct sc_bodies {
  bool planar;     /* dynamic bodies move only in planes perpendicular to `plane` and rotate only about it */
  bool loads_stay; /* sc_bodies_clear_load does nothing, because more substeps of the step follow */
  double plane[3]; /* unit normal; 0 unless planar */
  const sc_cell *cell; /* NULL: nothing is periodic */
  int32_t count;
  size_t capacity;
  double (*position)[3];    /* centre of mass [m] */
  double (*orientation)[4]; /* rotation from the body's frame to the world (quaternion) */
  double (*velocity)[3];
  double (*spin)[3]; /* angular velocity, world axes [rad/s] */
  double *inv_mass;  /* inverse mass [1/kg]; 0 unless dynamic */
  double *mass;      /* [kg] stored for kinematic and fixed bodies too, which can become dynamic again */
  double *radius;    /* bounding sphere about position, INFINITY with a half-space */
  uint8_t *kind;
  int32_t *first_shape; /* first row in sc_shapes; sc_shape_row.next links the others */
  uint32_t *slot;       /* row -> slot */
  /* SC_TENSOR_BALL: a ball, one sphere about its centre of mass with an isotropic inertia; SC_TENSOR_NONE:
   * not a ball and never dynamic; else a row of `tensor`. Use the functions of inertia.c below. */
  int32_t *tensor_row;
  /* moment of inertia of a ball [kg m2] and its inverse (0 unless dynamic); 0: no ball or never dynamic */
  double *ball_inertia, *ball_inverse;
  sc_alike tensor;
  /* Columns from here on are allocated at first use, else NULL; read them by the functions below. */
  double (*load)[6]; /* force [N] and torque [N m] applied in the coming step */
  double (*left)[6]; /* velocity and spin at the end of the last step; NULL in worlds that never had joints */
  int64_t *group;
  sc_rest *rest;
  sc_wait *wait;
  double (*centre)[3];  /* [m] centre of mass, in the frame in which the body was made */
  int32_t *owner;       /* rank that owns the body; only in a world of several ranks */
  uint8_t *replicated;  /* 1: every rank has a row of the body; only in a world of several ranks */
  uint32_t *generation; /* generation of the slot; only if distributed */
  double *value;        /* [rows][columns] values set by scripts; NULL without columns */
  scree_column *column; /* [columns] definitions of the columns of `value` */
  int32_t columns;
  int32_t rank;     /* number of this rank */
  bool distributed; /* true: this rank has a part of the bodies, and the hash table finds their rows */
  /* hash table of found_size (a power of two) entries of row + 1 (0: empty) and slot */
  int32_t *found;
  size_t found_size;
  size_t slots_capacity;
  uint32_t slots_count, free_slot; /* free_slot: first free slot, UINT32_MAX: none */
  uint32_t *slot_row;              /* slot -> row, or next free slot */
  uint32_t *slot_generation;
} sc_bodies;

void sc_bodies_free(sc_bodies *bodies); /* Frees all columns. */
/* Reserves memory for `more` further rows, with little to spare. Returns false if out of memory. */
bool sc_bodies_reserve(sc_bodies *bodies, size_t more);
/* Appends a row with zeroed members and a new id. Returns the row, or -1 if out of memory. */
int32_t sc_bodies_add(sc_bodies *bodies);
/* Appends a row for a body of another rank, whose slot and generation that rank chose. Only if distributed.
 * Returns the row, or -1 if out of memory. */
int32_t sc_bodies_adopt(sc_bodies *bodies, uint32_t slot, uint32_t generation);
/* Sets distributed and rank: rows then have owners, and the hash table finds them. */
bool sc_bodies_scatter(sc_bodies *bodies, int32_t rank);
/* Returns whether this rank owns the body in the row. */
static inline bool sc_bodies_own(const sc_bodies *bodies, int32_t row) {
  return !bodies->owner || bodies->owner[row] == bodies->rank;
}
/* Returns the rank that solves the contacts of two bodies; every rank that has both computes the same answer.
 * If one is replicated, the owner of the other solves. Otherwise a hash of both slots chooses one of the two
 * owners, so that each side of a border gets half of the contacts. */
int32_t sc_bodies_solver(const sc_bodies *bodies, int32_t one, int32_t two);
/* Removes a row; the last row moves into its place. */
void sc_bodies_remove(sc_bodies *bodies, int32_t row);
size_t sc_bodies_bytes(const sc_bodies *bodies);             /* Returns the bytes that all columns take. */
scree_id sc_bodies_id(const sc_bodies *bodies, int32_t row); /* Returns the id of the body in a row. */
/* Returns the row of an id, or -1 if no body has this id (any more). */
int32_t sc_bodies_row(const sc_bodies *bodies, scree_id id);
/* Returns the scratch bytes that sc_bodies_permute needs. */
size_t sc_bodies_scratch(const sc_bodies *bodies);
/* Permutes rows and tensors: new row i is old row order[i]. scratch: sc_bodies_scratch bytes. */
void sc_bodies_permute(sc_bodies *bodies, const int32_t *order, void *scratch);

/* ---- columns that are allocated at first use ---- */

/* Allocates owner and replicated, zeroed, if they do not exist yet; the next functions: other columns. */
bool sc_bodies_hold_owners(sc_bodies *bodies);
bool sc_bodies_hold_groups(sc_bodies *bodies); /* Allocates the column group. */
bool sc_bodies_hold_left(sc_bodies *bodies);   /* Allocates the column left. */
bool sc_bodies_hold_waits(sc_bodies *bodies);  /* Allocates the column wait. */
bool sc_bodies_hold_rest(sc_bodies *bodies);   /* Allocates the columns of sleep. */
/* Returns the group of a body; 0 without groups. */
static inline int64_t sc_bodies_group(const sc_bodies *bodies, int32_t row) {
  return bodies->group ? bodies->group[row] : 0;
}
/* Sets the group of a body; allocates the column if necessary. */
bool sc_bodies_set_group(sc_bodies *bodies, int32_t row, int64_t group);
/* Returns the centre of mass in the frame in which the body was made; its axes are those of the body [m]. */
static inline const double *sc_bodies_centre(const sc_bodies *bodies, int32_t row) {
  static const double none[3] = {0};
  return bodies->centre ? bodies->centre[row] : none;
}
/* Sets the centre of mass of a body in the frame in which it was made [m]. */
bool sc_bodies_set_centre(sc_bodies *bodies, int32_t row, const double centre[3]);
/* Returns true for a fixed body with a moving surface (a conveyor), which has the velocity and spin of that
 * surface and does not move itself. relative.h uses only its tangential part at a contact. */
static inline bool sc_bodies_runs(const sc_bodies *bodies, int32_t row) {
  const double *v = bodies->velocity[row], *w = bodies->spin[row];
  return bodies->kind[row] == SCREE_FIXED &&
      (v[0] != 0 || v[1] != 0 || v[2] != 0 || w[0] != 0 || w[1] != 0 || w[2] != 0);
}
/* Returns the force (3) [N] and torque (3) [N m] applied to a body in the coming step. */
static inline const double *sc_bodies_load(const sc_bodies *bodies, int32_t row) {
  static const double none[6] = {0};
  return bodies->load ? bodies->load[row] : none;
}
/* Replaces the load of a body (force, torque). */
bool sc_bodies_set_load(sc_bodies *bodies, int32_t row, const double load[6]);
/* Adds to the load of a body. */
bool sc_bodies_add_load(sc_bodies *bodies, int32_t row, const double force[3], const double torque[3]);
/* Sets the load of a row to 0, unless loads_stay. Steppers call it after they stored the new velocity. */
static inline void sc_bodies_clear_load(sc_bodies *bodies, int32_t row) {
  if (bodies->load && !bodies->loads_stay) memset(bodies->load[row], 0, sizeof *bodies->load);
}

/* Appends a column; every body gets the column's preset. */
bool sc_bodies_add_column(sc_bodies *bodies, const scree_column *added);
/* Returns the values of a row, one per column; there must be columns. */
static inline double *sc_bodies_values(const sc_bodies *bodies, int32_t row) {
  return bodies->value + (size_t)row * (size_t)bodies->columns;
}
/* Returns the bytes of the values of one row; 0 without columns. */
static inline size_t sc_bodies_values_size(const sc_bodies *bodies) {
  return (size_t)bodies->columns * sizeof *bodies->value;
}

/* ---- rest.c ---- */

static inline bool sc_bodies_asleep(const sc_bodies *bodies, int32_t row) {
  return bodies->rest && bodies->rest[row].island;
}
/* Returns whether a contact of two bodies cannot have changed: at least one body sleeps, and the other sleeps
 * too or is an immovable body that does not move. */
static inline bool sc_bodies_rest(const sc_bodies *bodies, int32_t one, int32_t two) {
  if (!bodies->rest) return false;
  const sc_rest *a = bodies->rest + one, *b = bodies->rest + two;
  bool still1 = a->island || (bodies->kind[one] != SCREE_DYNAMIC && !a->moved),
       still2 = b->island || (bodies->kind[two] != SCREE_DYNAMIC && !b->moved);
  return still1 && still2 && (a->island || b->island);
}
/* Wakes all bodies of a sleeping island. island > 0. */
void sc_bodies_wake(sc_bodies *bodies, uint32_t island);
void sc_bodies_wake_all(sc_bodies *bodies); /* Wakes all bodies. */
/* Wakes the island of a body if the body sleeps. Does nothing if no body has this id. */
void sc_bodies_wake_with(sc_bodies *bodies, scree_id id);
/* Returns whether a sleeping body was changed outside a step, or whether a body that is not dynamic moves or
 * was moved. Stores the present pose of a body that is not dynamic for the next call. */
bool sc_bodies_changed(sc_bodies *bodies, int32_t row);
/* Makes a body sleep in an island (> 0): stores its pose and sets its velocity and spin to 0. */
void sc_bodies_sleep(sc_bodies *bodies, int32_t row, uint32_t island);

/* ---- inertia.c ---- */

/* Returns the radius of a ball; 0 if the body is not a ball. */
static inline double sc_bodies_ball(const sc_bodies *bodies, int32_t row) {
  return bodies->tensor_row[row] == SC_TENSOR_BALL ? bodies->radius[row] : 0;
}
/* Returns the reduced radius 1/(1/R1 + 1/R2) [m] of a contact: R is the radius of a ball, the bounding radius
 * of another dynamic body, and infinite for another immovable body. */
double sc_bodies_contact_radius(const sc_bodies *bodies, int32_t row1, int32_t row2);
/* Returns the tensor of a body that is not a ball; NULL for a ball and for a body that was never dynamic. */
static inline const sc_tensor *sc_bodies_tensor(const sc_bodies *bodies, int32_t row) {
  const sc_tensor *tensor = (const sc_tensor *)(const void *)bodies->tensor.row;
  return bodies->tensor_row[row] < 0 ? NULL : tensor + bodies->tensor_row[row];
}
/* Sets inertia to the body's inertia in its frame (xx,xy,xz,yy,yz,zz) [kg m2]. */
static inline void sc_bodies_inertia(const sc_bodies *bodies, int32_t row, double inertia[6]) {
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  double I = bodies->ball_inertia[row];
  const double ball[6] = {I, 0, 0, I, 0, I};
  memcpy(inertia, tensor ? tensor->inertia : ball, sizeof ball);
}
/* Sets inverse to the inverse inertia in the body's frame; 0 unless the body is dynamic. */
static inline void sc_bodies_inverse_inertia(const sc_bodies *bodies, int32_t row, double inverse[6]) {
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  double B = bodies->ball_inverse[row];
  const double ball[6] = {B, 0, 0, B, 0, B};
  memcpy(inverse, tensor ? tensor->inverse : ball, sizeof ball);
}
/* Sets inertia and inverse inertia. If `ball`, only element 0 of each is used: the inertia is isotropic. */
bool sc_bodies_set_inertia(
    sc_bodies *bodies, int32_t row, bool ball, const double inertia[6], const double inverse[6]);
/* Sets the inverse inertia of a body whose inertia was set. Changes nothing if out of memory. */
bool sc_bodies_set_inverse_inertia(sc_bodies *bodies, int32_t row, const double inverse[6]);
/* Releases the tensor of a row that is removed; only for bodies.c and inertia.c. */
void sc_inertia_drop(sc_bodies *bodies, int32_t row);

/* ---- lookup.c: the hash table of a distributed set ---- */

/* Returns the row of a slot, or -1. */
int32_t sc_lookup_find(const sc_bodies *bodies, uint32_t slot);
/* Rebuilds the table from bodies->slot, with space for at least `rows` rows. */
bool sc_lookup_build(sc_bodies *bodies, size_t rows);
/* Stores the row of a slot. The table must have space for it. */
void sc_lookup_put(sc_bodies *bodies, uint32_t slot, int32_t row);
/* Removes a slot from the table, if the table has it. */
void sc_lookup_drop(sc_bodies *bodies, uint32_t slot);

#endif
