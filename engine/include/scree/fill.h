/* Verbs for many bodies at once: regions, counting and removing what lies in them, clumps, filling,
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
/* A set of points: what lies inside, or outside where invert is set. */
typedef struct scree_region {
  int type, invert;
  double min[3], max[3]; /* box; infinite bounds allowed */
  /* sphere: centre; cylinder: a point on the axis and its direction; half-space: point and outward normal */
  double point[3], axis[3];
  /* sphere, cylinder (length along axis from point; INFINITY: both ways) */
  double radius, length;
} scree_region;
/* Volume of a region [m3]; INFINITY where it has none. */
double scree_region_volume(const scree_region *region);
/* The smallest box along the axes around a region, with infinities where it has no end. */
void scree_region_bounds(const scree_region *region, double min[3], double max[3]);
/* 1 if p lies in the region, else 0. */
int scree_region_contains(const scree_region *region, const double p[3]);

/* Selects bodies: by kind (-1: dynamic), by region (NULL: everywhere; judged by position), by group (-1:
 * all). */
typedef struct scree_select {
  int kind;
  int64_t group;
  const scree_region *region;
} scree_select;
int64_t scree_world_count(const scree_world *world, const scree_select *select);
/* Removes what is selected, except bodies held by joints; the number removed. */
int64_t scree_world_remove_where(scree_world *world, const scree_select *select);
/* What becomes of selected bodies that joints hold: REFUSE: an error that counts them, and nothing is
 * removed; KEEP: they stay; RELEASE: their joints go first. */
enum { SCREE_JOINED_REFUSE, SCREE_JOINED_KEEP, SCREE_JOINED_RELEASE };
/* *removed receives the number of bodies removed. */
scree_status scree_world_remove_selected(
    scree_world *world, const scree_select *select, int joined, int64_t *removed, scree_error *error);

/* Several shapes as one grain, to be copied at any size. */
typedef struct scree_clump {
  const scree_shape_def *shapes; /* about the centre of mass */
  int shapes_count;
  double mass, inertia[6]; /* of the union [kg], about the centre of mass [kg m2] */
  double centre[3];        /* of mass, in the frame in which the shapes were given [m] */
  double radius;           /* of a sphere about the centre of mass that holds it [m] */
  double diameter;         /* of the ball of the same volume: its size [m] */
} scree_clump;
/* Makes one of the shapes, mass, inertia and centre of a body's definition. diameter: its size if known, 0:
 * from the volume. moved: room for shapes_count shapes, which the clump keeps. */
scree_status scree_world_make_clump(const scree_world *world, const scree_body_def *def, double diameter,
    scree_shape_def *moved, scree_clump *out, scree_error *error);
/* Fills shapes, mass, inertia and centre of a definition with a copy scaled in length, densities as they are;
 * shapes: room for shapes_count of them. Hulls are not scaled: scale must be 1 where there are any. */
void scree_clump_scale(const scree_clump *clump, double scale, scree_shape_def *shapes, scree_body_def *body);

typedef struct scree_fill_def {
  double min[3], max[3]; /* the box to fill [m]; grains keep inside */
  /* NULL, or a ball or a cylinder of some length to fill instead of the box */
  const scree_region *region;
  int lattice;               /* 0 simple cubic, 1 hexagonal close, 2 body-centred */
  double spacing;            /* lattice constant [m] */
  double radius, radius_max; /* sphere radius [m]; radius_max > radius: uniform between the two */
  const scree_sizes *sizes;  /* NULL, or what the diameters follow instead of radius; spheres only */
  double velocity[3];        /* [m/s] */
  double velocity_jitter[3]; /* uniform within +- this */
  double jitter;             /* of positions, in units of spacing */
  int material;
  double density;
  int64_t group;
  uint64_t seed; /* together with the fill's serial number decides all randomness */
  int64_t limit; /* at most this many; 0: no limit */
  /* NULL: spheres; else this shape, of its own size, with random orientation; radius is then how far centres
   * keep inside, where it is 0 the bounding radius of the shape */
  const scree_shape_def *shape;
  /* or NULL, or this clump with random orientation; its size is then given by radius or sizes, as it is
   * where both are 0 */
  const scree_clump *clump;
  const scree_region *keep_out; /* NULL, or centres inside this region are skipped */
  uint32_t layers, avoids;      /* of balls, as in scree_shape_def; shapes and clumps have their own */
} scree_fill_def;
scree_fill_def scree_fill_defaults(void);
/* Number of bodies added, or -1 (then none was added). */
int64_t scree_world_fill(scree_world *world, const scree_fill_def *def, scree_error *error);

/* Grains at random places where nothing is in their way, one after the other. Of `grains` all members
 * hold but lattice, spacing and jitter; limit is the number wanted. Centres lie in the region: min and
 * max, or a ball or cylinder. */
typedef struct scree_insert_def {
  scree_fill_def grains;
  double mass;      /* at most so much in all [kg]; 0: no limit */
  int64_t attempts; /* places tried for a grain, >= 1 */
  /* Radii come from a sequence of this name (0: one of this call's own), from number `first` on; so a
   * grain that found no room has its size when it is tried again, and sizes are not sifted by the room
   * there is. */
  uint64_t stream;
  int64_t first;
} scree_insert_def;
typedef struct scree_insert_result {
  int64_t placed;
  double mass; /* [kg] */
  /* the next grain found no room in any of its attempts: the rest was not tried */
  int full;
} scree_insert_result;
scree_insert_def scree_insert_defaults(void);
/* Collective on several ranks. On an error nothing was inserted. */
scree_status scree_world_insert(
    scree_world *world, const scree_insert_def *def, scree_insert_result *result, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
