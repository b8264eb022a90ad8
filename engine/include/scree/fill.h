/* Functions for many bodies at once: regions, counting and removing bodies in regions, clumps, filling and
 * inserting. */
#ifndef SCREE_FILL_H
#define SCREE_FILL_H

#include <stdint.h>
#include "scree/body.h"
#include "scree/sizes.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

enum { SCREE_REGION_BOX, SCREE_REGION_SPHERE, SCREE_REGION_CYLINDER, SCREE_REGION_HALFSPACE };
/* A set of points: the inside of a shape, or its outside if invert is not 0. */
typedef struct scree_region {
  int type, invert;
  double min[3], max[3]; /* box: lower and upper corner [m]; may be infinite */
  /* sphere: centre; cylinder: point on the axis, direction of the axis; half-space: point on the plane,
   * outward normal */
  double point[3], axis[3];
  /* sphere, cylinder: radius [m]; cylinder: length along the axis from `point` [m], INFINITY: infinite in
   * both directions */
  double radius, length;
} scree_region;
/* Parameter table of the key of every region: `outside`, which is the member invert. */
extern const scree_param scree_region_params[];
extern const int scree_region_params_count;
/* Parameter table of a box: min, max. Missing corners are +-INFINITY. */
extern const scree_param scree_box_region_params[];
extern const int scree_box_region_params_count;
/* Parameter table of a ball: center (member point) and radius. */
extern const scree_param scree_ball_region_params[];
extern const int scree_ball_region_params_count;
extern const scree_param scree_cylinder_region_params[];
extern const int scree_cylinder_region_params_count;
/* Parameter table of a half-space: point, and normal (member axis). */
extern const scree_param scree_halfspace_region_params[];
extern const int scree_halfspace_region_params_count;
/* Checks the numbers of a region. Returns SCREE_E_ARGUMENT with a message that names `path` and the key if
 * the lower corner is above the upper corner, or if a radius is not positive. */
scree_status scree_region_check(const scree_region *region, const char *path, scree_error *error);
/* Returns the volume of a region [m3]; INFINITY for an infinite region. */
double scree_region_volume(const scree_region *region);
/* Computes the smallest axis-aligned box around a region. The box is infinite in directions in which the
 * region is. */
void scree_region_bounds(const scree_region *region, double min[3], double max[3]);
/* Returns 1 if p lies in the region, else 0. */
int scree_region_contains(const scree_region *region, const double p[3]);

enum { SCREE_ALL_KINDS = SCREE_FIXED + 1 };
/* Selection of bodies. kind: a scree_kind, SCREE_ALL_KINDS, or -1 for dynamic bodies. group: -1 for all
 * groups. region: region of the bodies' positions, NULL for everywhere. */
typedef struct scree_select {
  int kind;
  int64_t group;
  const scree_region *region;
} scree_select;
/* Parameter table of the keys of a selection. */
extern const scree_param scree_select_params[];
extern const int scree_select_params_count;
/* Returns the number of selected bodies. */
int64_t scree_world_count(const scree_world *world, const scree_select *select);
/* Removes the selected bodies except those with joints. Returns the number of removed bodies. */
int64_t scree_world_remove_where(scree_world *world, const scree_select *select);
/* Treatment of selected bodies with joints. REFUSE: an error with their number, and nothing is removed. KEEP:
 * these bodies stay. RELEASE: their joints are removed before them. */
enum { SCREE_JOINED_REFUSE, SCREE_JOINED_KEEP, SCREE_JOINED_RELEASE };
/* Removes the selected bodies. joined: one of SCREE_JOINED_... *removed: number of removed bodies. */
scree_status scree_world_remove_selected(
    scree_world *world, const scree_select *select, int joined, int64_t *removed, scree_error *error);

/* Several shapes that together form one grain. The grain can be copied at any size. */
typedef struct scree_clump {
  const scree_shape_def *shapes; /* shapes relative to the centre of mass */
  int shapes_count;
  /* mass of the union of the shapes [kg]; its inertia about the centre of mass [kg m2] */
  double mass, inertia[6];
  double centre[3]; /* centre of mass, in the frame in which the shapes were defined [m] */
  double radius;    /* radius of a sphere about the centre of mass that contains the clump [m] */
  double diameter;  /* size of the clump: diameter of the ball with the same volume [m] */
} scree_clump;
/* Parameter table of the keys of a clump. The keys are members of scree_body_def: shapes, mass, inertia,
 * centre. */
extern const scree_param scree_clump_params[];
extern const int scree_clump_params_count;
/* Makes a clump from the shapes, mass, inertia and centre in a definition of a body. diameter: size of the
 * clump; 0: computed from the volume. moved: array of shapes_count shapes, which the clump uses and which
 * must outlive the clump. */
scree_status scree_world_make_clump(const scree_world *world, const scree_body_def *def, double diameter,
    scree_shape_def *moved, scree_clump *out, scree_error *error);
/* Sets shapes, mass, inertia and centre in *body to a copy of the clump, scaled in length with unchanged
 * densities. shapes: array of shapes_count shapes. Hulls cannot be scaled: if the clump has one, scale must
 * be 1. */
void scree_clump_scale(const scree_clump *clump, double scale, scree_shape_def *shapes, scree_body_def *body);

typedef struct scree_fill_def {
  double min[3], max[3]; /* box to fill; grains lie inside [m] */
  /* ball or cylinder of finite length to fill instead of the box; NULL: the box */
  const scree_region *region;
  int lattice;    /* type of the lattice: 0: simple cubic, 1: hexagonal close-packed, 2: body-centred cubic */
  double spacing; /* lattice constant [m] */
  /* radius of spheres [m]; if radius_max > radius, radii are uniformly distributed between radius and
   * radius_max */
  double radius, radius_max;
  /* distribution of diameters, used instead of radius; only for spheres; NULL: none */
  const scree_sizes *sizes;
  double velocity[3];        /* mean velocity of the grains [m/s] */
  double velocity_jitter[3]; /* velocities vary uniformly within +- these components [m/s] */
  /* largest random displacement of positions along each axis, divided by spacing */
  double jitter;
  int material;
  double density;
  int64_t group;
  uint64_t seed; /* seed of all random numbers, together with the serial number of the fill */
  int64_t limit; /* largest number of grains; 0: no limit */
  /* shape of the grains, at its own size and with random orientation; NULL: spheres. With a shape, radius is
   * the distance of centres from the boundary; radius 0: the bounding radius of the shape. */
  const scree_shape_def *shape;
  /* clump of which grains are copies with random orientation; NULL: none. radius or sizes set the size of the
   * copies; if both are 0, the copies have the size of the clump */
  const scree_clump *clump;
  const scree_region *keep_out; /* region in which no centres of grains are placed; NULL: none */
  uint32_t layers, avoids;      /* layers of balls, see scree_shape_def; shapes and clumps have their own */
} scree_fill_def;
/* Parameter table of the lattice of a fill: region (members min, max, region), lattice, spacing,
 * position_jitter (member jitter), limit, shape. */
extern const scree_param scree_fill_params[];
extern const int scree_fill_params_count;
/* Parameter table of the grains of fills and insertions. Members of scree_fill_def: radius, radius_max,
 * sizes, velocity, jitter (member velocity_jitter), material, density, group, keep_out, layer (member
 * layers), avoids, template (member clump). */
extern const scree_param scree_fill_grain_params[];
extern const int scree_fill_grain_params_count;
/* Returns a definition with default values. */
scree_fill_def scree_fill_defaults(void);
/* Adds grains on a lattice. Returns the number of added bodies, or -1 if an error occurred and no body was
 * added. */
int64_t scree_world_fill(scree_world *world, const scree_fill_def *def, scree_error *error);

/* Inserts grains one after another at random positions without overlap. All members of `grains` apply except
 * lattice, spacing and jitter; limit is the desired number. Centres lie in the box min..max, or in the ball
 * or cylinder `region`. */
typedef struct scree_insert_def {
  scree_fill_def grains;
  double mass;      /* largest total mass [kg]; 0: no limit */
  int64_t attempts; /* number of positions that are tried per grain, >= 1 */
  /* stream: seed of the sequence of radii; 0: a new sequence for this call. first: number in this sequence of
   * the first grain's radius. A grain for which no position was found has the same size in the next call. The
   * sizes are therefore not biased towards grains that fit. */
  uint64_t stream;
  int64_t first;
} scree_insert_def;
/* Parameter table of an insertion without its grains. The key count is the member grains.limit. */
extern const scree_param scree_insert_params[];
extern const int scree_insert_params_count;
typedef struct scree_insert_result {
  int64_t placed;
  double mass; /* total mass of the inserted grains [kg] */
  /* 1: none of the attempts found a position for the next grain, and later grains were not tried; 0: all
   * grains were inserted */
  int full;
} scree_insert_result;
/* Returns a definition with default values. */
scree_insert_def scree_insert_defaults(void);
/* Inserts grains. On an error no grain is inserted. Collective on several ranks. */
scree_status scree_world_insert(
    scree_world *world, const scree_insert_def *def, scree_insert_result *result, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
