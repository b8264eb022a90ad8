/* Functions for many bodies at once: regions, counting and removing bodies in regions, clumps, filling,
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
/* A set of points: the inside of a shape, or the outside if invert is set. */
typedef struct scree_region {
  int type, invert;
  double min[3], max[3]; /* box; infinite bounds allowed */
  /* sphere: centre; cylinder: a point on the axis and its direction; half-space: point and outward normal */
  double point[3], axis[3];
  /* sphere, cylinder: radius; cylinder: length along axis from point; INFINITY: both ways [m] */
  double radius, length;
} scree_region;
/* The table of the key of every region: outside, which is `invert`. */
extern const scree_param scree_region_params[];
extern const int scree_region_params_count;
/* The table of a box: min, max; without them +-INFINITY. */
extern const scree_param scree_box_region_params[];
extern const int scree_box_region_params_count;
/* The table of a ball: center, which is `point`, and radius. */
extern const scree_param scree_ball_region_params[];
extern const int scree_ball_region_params_count;
extern const scree_param scree_cylinder_region_params[];
extern const int scree_cylinder_region_params_count;
/* The table of a half-space: point, and normal, which is `axis`. */
extern const scree_param scree_halfspace_region_params[];
extern const int scree_halfspace_region_params_count;
/* Returns SCREE_E_ARGUMENT with a text that names `path` and the key if a number of the region is out of
 * bounds: a corner above the other, a radius that is not above 0. */
scree_status scree_region_check(const scree_region *region, const char *path, scree_error *error);
/* Returns the volume of a region [m3]; INFINITY if it is not finite. */
double scree_region_volume(const scree_region *region);
/* Computes the smallest axis-aligned box around a region; infinite where the region is unbounded. */
void scree_region_bounds(const scree_region *region, double min[3], double max[3]);
/* Returns 1 if p lies in the region, else 0. */
int scree_region_contains(const scree_region *region, const double p[3]);

enum { SCREE_ALL_KINDS = SCREE_FIXED + 1 };
/* Selects bodies: by kind (a scree_kind or SCREE_ALL_KINDS; -1: dynamic), by the region of their position
 * (NULL: everywhere), by group (-1: all). */
typedef struct scree_select {
  int kind;
  int64_t group;
  const scree_region *region;
} scree_select;
/* The table of its keys. */
extern const scree_param scree_select_params[];
extern const int scree_select_params_count;
/* Returns the number of selected bodies. */
int64_t scree_world_count(const scree_world *world, const scree_select *select);
/* Removes the selected bodies, except bodies with joints. Returns the number removed. */
int64_t scree_world_remove_where(scree_world *world, const scree_select *select);
/* Treatment of selected bodies with joints. REFUSE: an error with their number, and nothing is removed. KEEP:
 * they stay. RELEASE: their joints are removed first. */
enum { SCREE_JOINED_REFUSE, SCREE_JOINED_KEEP, SCREE_JOINED_RELEASE };
/* Removes the selected bodies. *removed: number of bodies removed. */
scree_status scree_world_remove_selected(
    scree_world *world, const scree_select *select, int joined, int64_t *removed, scree_error *error);

/* Several shapes as one grain, which can be copied at any size. */
typedef struct scree_clump {
  const scree_shape_def *shapes; /* about the centre of mass */
  int shapes_count;
  double mass, inertia[6]; /* of the union of the shapes [kg], about the centre of mass [kg m2] */
  double centre[3];        /* centre of mass, in the frame in which the shapes were given [m] */
  double radius;           /* radius of a sphere about the centre of mass that contains the clump [m] */
  double diameter;         /* diameter of the ball of the same volume: the clump's size [m] */
} scree_clump;
/* The table of the keys of a clump, members of scree_body_def: shapes, mass, inertia, centre. */
extern const scree_param scree_clump_params[];
extern const int scree_clump_params_count;
/* Makes a clump of the shapes, mass, inertia and centre of a body's definition. diameter: its size if known,
 * 0: computed from the volume. moved: array of shapes_count shapes, which the clump uses and which must
 * outlive it. */
scree_status scree_world_make_clump(const scree_world *world, const scree_body_def *def, double diameter,
    scree_shape_def *moved, scree_clump *out, scree_error *error);
/* Sets shapes, mass, inertia and centre of a definition to a copy of the clump scaled in length, with
 * unchanged densities. shapes: array of shapes_count shapes. Hulls cannot be scaled: scale must be 1 if there
 * are any. */
void scree_clump_scale(const scree_clump *clump, double scale, scree_shape_def *shapes, scree_body_def *body);

typedef struct scree_fill_def {
  double min[3], max[3]; /* the box to fill [m]; grains lie inside */
  /* NULL, or a ball or a cylinder of finite length to fill instead of the box */
  const scree_region *region;
  int lattice;               /* 0 simple cubic, 1 hexagonal close, 2 body-centred */
  double spacing;            /* lattice constant [m] */
  double radius, radius_max; /* sphere radius [m]; radius_max > radius: uniform between the two */
  const scree_sizes *sizes;  /* NULL, or the distribution of diameters, instead of radius; spheres only */
  double velocity[3];        /* [m/s] */
  double velocity_jitter[3]; /* uniform within +- this */
  double jitter;             /* random displacement of positions, in units of spacing */
  int material;
  double density;
  int64_t group;
  uint64_t seed; /* with the fill's serial number, the seed of all random numbers */
  int64_t limit; /* largest number of grains; 0: no limit */
  /* NULL: spheres; else this shape, at its own size, with random orientation. With a shape, radius is the
   * distance of centres from the boundary; radius 0: the bounding radius of the shape */
  const scree_shape_def *shape;
  /* NULL, or this clump with random orientation; its size is given by radius or sizes, or its own if both are
   * 0 */
  const scree_clump *clump;
  const scree_region *keep_out; /* NULL, or a region in which no centres are placed */
  uint32_t layers, avoids;      /* of balls, as in scree_shape_def; shapes and clumps have their own */
} scree_fill_def;
/* The table of the lattice of a fill: region (`min`, `max`, `region`), lattice, spacing, position_jitter
 * (`jitter`), limit, shape. */
extern const scree_param scree_fill_params[];
extern const int scree_fill_params_count;
/* The table of the grains of fills and insertions, members of scree_fill_def: radius, radius_max, sizes,
 * velocity, jitter (`velocity_jitter`), material, density, group, keep_out, layer (`layers`), avoids,
 * template (`clump`). */
extern const scree_param scree_fill_grain_params[];
extern const int scree_fill_grain_params_count;
/* Returns the default values. */
scree_fill_def scree_fill_defaults(void);
/* Adds grains on a lattice. Returns the number of bodies added, or -1 (then none was added). */
int64_t scree_world_fill(scree_world *world, const scree_fill_def *def, scree_error *error);

/* Inserts grains at random places without overlap, one after the other. All members of `grains` apply except
 * lattice, spacing and jitter; limit is the wanted number. Centres lie in the region: min and max, or a ball
 * or cylinder. */
typedef struct scree_insert_def {
  scree_fill_def grains;
  double mass;      /* largest total mass [kg]; 0: no limit */
  int64_t attempts; /* places tried per grain, >= 1 */
  /* Radii come from a sequence with this seed (0: a sequence of this call), from number `first` on. A grain
   * for which no place was found has the same size in the next call, so that the sizes are not biased to
   * grains that fit. */
  uint64_t stream;
  int64_t first;
} scree_insert_def;
/* The table of an insertion without its grains; count is `grains.limit`. */
extern const scree_param scree_insert_params[];
extern const int scree_insert_params_count;
typedef struct scree_insert_result {
  int64_t placed;
  double mass; /* [kg] */
  /* 1: no place was found for the next grain in all attempts, and the rest was not tried */
  int full;
} scree_insert_result;
/* Returns the default values. */
scree_insert_def scree_insert_defaults(void);
/* Collective on several ranks. On an error nothing was inserted. */
scree_status scree_world_insert(
    scree_world *world, const scree_insert_def *def, scree_insert_result *result, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
