/* Bodies as a structure of arrays: rows 0 .. count - 1 without holes, and ids that survive reordering.
 *
 * When a body is removed, the last row moves to the freed row. Rows are also permuted into Morton order. A
 * body therefore also has a slot, a number that does not change while the body exists. The id of a body is
 * generation << 32 | slot + 1; 0: no body. A new body in a used slot gets another generation.
 *
 * In a world of several ranks (engine/dist) each rank has only a part of the bodies: its own bodies, copies
 * of bodies of neighbouring ranks (ghosts), and replicated bodies. Slots are then numbered in the order of
 * creation, are equal on every rank, and are not used again. A hash table finds the row of a slot (lookup.h).
 *
 * Most bodies of most worlds are free balls, so a row has only the members that a ball needs. Inertia tensors
 * of other bodies are rows of a table (inertia.c); bodies with equal tensors share a row. Applied loads,
 * groups and owners are columns that are allocated at first use. Functions that allocate memory return false
 * if out of memory. */
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

enum { SC_CROWD = 100 }; /* largest number of other bodies that may share the place of a body */

/* Inertia of a body that is not a ball and its inverse, in the body's frame (xx,xy,xz,yy,yz,zz) [kg m2],
 * [1/(kg m2)]. The inverse is 0 unless the body is dynamic. */
typedef struct sc_tensor {
  double inertia[6], inverse[6];
} sc_tensor;

/* Sleep state of a body, in a world whose islands may sleep (world/step/sleep.c). */
typedef struct sc_rest {
  double calm; /* dynamic body: time for which the body has been slow enough to sleep [s] */
  /* pose of a sleeping body when the body fell asleep; pose of a body that is not dynamic at the last call of
   * sc_bodies_changed */
  double position[3], orientation[4];
  uint32_t island; /* number of the sleeping island to which the body belongs; 0: the body is awake */
  uint8_t kind;    /* scree_kind of the body when its pose was stored */
  /* 1: at the last call of sc_bodies_changed the body was not dynamic, and moved or had been moved */
  uint8_t moved;
} sc_rest;

/* Back-off counters of the island to which a body belongs. During back-off, solver `auto` (solve/auto) does
 * not try `newton` on the island. */
typedef struct sc_wait {
  /* left: number of further steps in which the island is solved by sweeps only. last: value of `left` at the
   * start of the back-off. */
  uint8_t left, last;
} sc_wait;

enum { SC_TENSOR_NONE = -1, SC_TENSOR_BALL = -2 };

typedef struct sc_bodies {
  /* true: dynamic bodies move only in planes perpendicular to the vector `plane` and rotate only about this
   * vector */
  bool planar;
  bool loads_stay;     /* true: sc_bodies_clear_load does nothing, because more substeps of the step follow */
  double plane[3];     /* unit normal of the planes of motion; 0 unless planar */
  const sc_cell *cell; /* periodic cell; NULL: the world is not periodic */
  int32_t count;
  size_t capacity;
  double (*position)[3];    /* centre of mass [m] */
  double (*orientation)[4]; /* quaternion that rotates from the body's frame to the world */
  double (*velocity)[3];
  double (*spin)[3]; /* angular velocity in world axes [rad/s] */
  double *inv_mass;  /* inverse mass [1/kg]; 0 unless dynamic */
  /* [kg]; also stored for kinematic and fixed bodies, because these can become dynamic again */
  double *mass;
  /* radius of a sphere about `position` that contains the body [m]; INFINITY with a half-space */
  double *radius;
  uint8_t *kind;
  /* row of the body's first shape in sc_shapes; sc_shape_row.next links the other shapes */
  int32_t *first_shape;
  uint32_t *slot; /* slot of the body in the row */
  /* index of the body's inertia in `tensor`. SC_TENSOR_BALL: the body is a ball, one sphere about its centre
   * of mass with an isotropic inertia. SC_TENSOR_NONE: the body is not a ball and was never dynamic. Use the
   * functions of inertia.c below. */
  int32_t *tensor_row;
  /* moment of inertia of a ball [kg m2] and its inverse, which is 0 unless the ball is dynamic; both 0 for
   * all other bodies */
  double *ball_inertia, *ball_inverse;
  sc_alike tensor;
  /* Columns from here on are NULL until their first use. Use the functions below to read them. */
  double (*load)[6]; /* force [N] and torque [N m] that act in the next step */
  double (*left)[6]; /* velocity and spin at the end of the last step; NULL in worlds that never had joints */
  int64_t *group;
  sc_rest *rest;
  sc_wait *wait;
  double (*centre)[3];  /* centre of mass in the frame in which the body was created [m] */
  int32_t *owner;       /* rank that owns the body; only in a world on several ranks */
  uint8_t *replicated;  /* 1: every rank has a row of the body; only in a world on several ranks */
  uint32_t *generation; /* generation of the body's slot; only if `distributed` */
  double *value;        /* [rows][columns] values that scripts set; NULL without columns */
  scree_column *column; /* [columns] definitions of the columns of `value` */
  int32_t columns;
  int32_t rank;     /* number of this rank (MPI process) */
  bool distributed; /* true: this rank has only a part of the bodies, and the hash table finds their rows */
  /* hash table that finds the row of a slot (lookup.c), with found_size entries (a power of two). An entry is
   * two numbers: row + 1 (0: the entry is empty) and slot. */
  int32_t *found;
  size_t found_size;
  size_t slots_capacity;
  /* slots_count: number of slots; free_slot: first free slot, UINT32_MAX: none */
  uint32_t slots_count, free_slot;
  uint32_t *slot_row; /* [slots] row of the body with this slot; for a free slot: the next free slot */
  uint32_t *slot_generation;
} sc_bodies;

void sc_bodies_free(sc_bodies *bodies); /* Frees all columns. */
/* Reserves memory for `more` further rows. Grows arrays by at least 1/32, or to the exact need if this is
 * more. Returns false if out of memory. */
bool sc_bodies_reserve(sc_bodies *bodies, size_t more);
/* Appends a row with all members 0 and a new id. Returns the row, or -1 if out of memory. */
int32_t sc_bodies_add(sc_bodies *bodies);
/* Appends a row for a body of another rank. slot, generation: those of the body on the other rank. Only if
 * `distributed`. Returns the row, or -1 if out of memory. */
int32_t sc_bodies_adopt(sc_bodies *bodies, uint32_t slot, uint32_t generation);
/* Marks the table as one part of a distributed table: sets `distributed` and `rank`, allocates the columns of
 * owners, and builds the hash table that finds the rows of slots. Returns false if out of memory. */
bool sc_bodies_scatter(sc_bodies *bodies, int32_t rank);
/* Returns true if this rank owns the body in a row. */
static inline bool sc_bodies_own(const sc_bodies *bodies, int32_t row) {
  return !bodies->owner || bodies->owner[row] == bodies->rank;
}
/* Returns the rank that solves the contacts of two bodies. Every rank that has both bodies returns the same
 * rank. If only one body is replicated, the result is the owner of the other body. Otherwise a hash of both
 * slots chooses one of the two owners, so that each side of a border gets half of the contacts. */
int32_t sc_bodies_solver(const sc_bodies *bodies, int32_t one, int32_t two);
/* Removes a row. The last row moves to the freed row. */
void sc_bodies_remove(sc_bodies *bodies, int32_t row);
/* Returns the bytes of memory of all columns and tables. */
size_t sc_bodies_bytes(const sc_bodies *bodies);
scree_id sc_bodies_id(const sc_bodies *bodies, int32_t row); /* Returns the id of the body in a row. */
/* Returns the row of the body with an id; -1: there is no such body, or the id is 0 (the ground). */
int32_t sc_bodies_row(const sc_bodies *bodies, scree_id id);
/* Returns the scratch bytes that sc_bodies_permute needs. */
size_t sc_bodies_scratch(const sc_bodies *bodies);
/* Permutes rows and tensors: the new row i is the old row order[i]. scratch: sc_bodies_scratch bytes. */
void sc_bodies_permute(sc_bodies *bodies, const int32_t *order, void *scratch);

/* ---- columns that are allocated at first use ---- */

/* Allocates the columns `owner` and `replicated`, set to 0, if they are not allocated. Returns false if out
 * of memory. */
bool sc_bodies_hold_owners(sc_bodies *bodies);
bool sc_bodies_hold_groups(sc_bodies *bodies); /* Allocates the column `group` if it is not allocated. */
bool sc_bodies_hold_left(sc_bodies *bodies);   /* Allocates the column `left` if it is not allocated. */
bool sc_bodies_hold_waits(sc_bodies *bodies);  /* Allocates the column `wait` if it is not allocated. */
bool sc_bodies_hold_rest(sc_bodies *bodies);   /* Allocates the column `rest` if it is not allocated. */
/* Returns the group of a body; 0 if no body has a group. */
static inline int64_t sc_bodies_group(const sc_bodies *bodies, int32_t row) {
  return bodies->group ? bodies->group[row] : 0;
}
/* Sets the group of a body; allocates the column if necessary. */
bool sc_bodies_set_group(sc_bodies *bodies, int32_t row, int64_t group);
/* Returns the centre of mass in the frame in which the body was created, in the body's axes [m]. */
static inline const double *sc_bodies_centre(const sc_bodies *bodies, int32_t row) {
  static const double none[3] = {0};
  return bodies->centre ? bodies->centre[row] : none;
}
/* Sets the centre of mass of a body in the frame in which the body was created [m]. */
bool sc_bodies_set_centre(sc_bodies *bodies, int32_t row, const double centre[3]);
/* Returns true for a fixed body with a moving surface (a conveyor). Its velocity and spin are those of the
 * surface; the body itself does not move. At a contact, relative.h uses only the tangential part of this
 * velocity. */
static inline bool sc_bodies_runs(const sc_bodies *bodies, int32_t row) {
  const double *v = bodies->velocity[row], *w = bodies->spin[row];
  return bodies->kind[row] == SCREE_FIXED &&
      (v[0] != 0 || v[1] != 0 || v[2] != 0 || w[0] != 0 || w[1] != 0 || w[2] != 0);
}
/* Returns the force [N] and the torque [N m] that act on a body in the next step. */
static inline const double *sc_bodies_load(const sc_bodies *bodies, int32_t row) {
  static const double none[6] = {0};
  return bodies->load ? bodies->load[row] : none;
}
/* Sets the load of a body: force [N] and torque [N m]. */
bool sc_bodies_set_load(sc_bodies *bodies, int32_t row, const double load[6]);
/* Adds a force [N] and a torque [N m] to the load of a body. */
bool sc_bodies_add_load(sc_bodies *bodies, int32_t row, const double force[3], const double torque[3]);
/* Sets the load of a body to 0, unless loads_stay is true. Steppers call it after they have stored the new
 * velocity. */
static inline void sc_bodies_clear_load(sc_bodies *bodies, int32_t row) {
  if (bodies->load && !bodies->loads_stay) memset(bodies->load[row], 0, sizeof *bodies->load);
}

/* Appends a column to the values that scripts set (sc_bodies.value). Every body gets the column's preset. */
bool sc_bodies_add_column(sc_bodies *bodies, const scree_column *added);
/* Returns the values that scripts set for a body, one per column. There must be at least one column. */
static inline double *sc_bodies_values(const sc_bodies *bodies, int32_t row) {
  return bodies->value + (size_t)row * (size_t)bodies->columns;
}
/* Returns the bytes of the values that scripts set for one body; 0 without columns. */
static inline size_t sc_bodies_values_size(const sc_bodies *bodies) {
  return (size_t)bodies->columns * sizeof *bodies->value;
}

/* ---- inertia.c ---- */

/* Returns the radius of a ball [m]; 0 if the body is not a ball. */
static inline double sc_bodies_ball(const sc_bodies *bodies, int32_t row) {
  return bodies->tensor_row[row] == SC_TENSOR_BALL ? bodies->radius[row] : 0;
}
/* Returns the effective radius 1/(1/R1 + 1/R2) of a contact [m]. R1, R2: radius of a ball, bounding radius of
 * any other dynamic body, infinite for any other kinematic or fixed body. */
double sc_bodies_contact_radius(const sc_bodies *bodies, int32_t row1, int32_t row2);
/* Returns the tensor of a body that is not a ball; NULL for a ball and for a body that was never dynamic. */
static inline const sc_tensor *sc_bodies_tensor(const sc_bodies *bodies, int32_t row) {
  const sc_tensor *tensor = (const sc_tensor *)(const void *)bodies->tensor.row;
  return bodies->tensor_row[row] < 0 ? NULL : tensor + bodies->tensor_row[row];
}
/* Sets inertia to the inertia of a body in its frame (xx,xy,xz,yy,yz,zz) [kg m2]. */
static inline void sc_bodies_inertia(const sc_bodies *bodies, int32_t row, double inertia[6]) {
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  double I = bodies->ball_inertia[row];
  const double ball[6] = {I, 0, 0, I, 0, I};
  memcpy(inertia, tensor ? tensor->inertia : ball, sizeof ball);
}
/* Sets inverse to the inverse inertia of a body in its frame [1/(kg m2)]; 0 unless the body is dynamic. */
static inline void sc_bodies_inverse_inertia(const sc_bodies *bodies, int32_t row, double inverse[6]) {
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  double B = bodies->ball_inverse[row];
  const double ball[6] = {B, 0, 0, B, 0, B};
  memcpy(inverse, tensor ? tensor->inverse : ball, sizeof ball);
}
/* Sets inertia and inverse inertia of a body. ball: true if the body is a ball; its inertia is isotropic, and
 * only element 0 of both arrays is used. Returns false if out of memory. */
bool sc_bodies_set_inertia(
    sc_bodies *bodies, int32_t row, bool ball, const double inertia[6], const double inverse[6]);
/* Sets the inverse inertia of a body whose inertia has been set. If out of memory, changes nothing and
 * returns false. */
bool sc_bodies_set_inverse_inertia(sc_bodies *bodies, int32_t row, const double inverse[6]);
/* Releases the tensor of a row that is removed. Only bodies.c and inertia.c call this function. */
void sc_inertia_drop(sc_bodies *bodies, int32_t row);

#endif
