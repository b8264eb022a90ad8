/* Measurements on frames: profiles on a grid, radial distribution function, stress, forces, coordination,
 * distributions, flow.
 *
 * Every function reads a frame (scree_frame), of a world or of a trajectory. Functions that need contacts say
 * so. Grains are the dynamic bodies. Forces are the impulses of one step divided by dt. docs/measure.md has
 * the formulas. */
#ifndef SCREE_MEASURE_H
#define SCREE_MEASURE_H

#include <stdint.h>
#include "scree/frame.h"
#include "scree/param.h"
#include "scree/sizes.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* ---- profiles on a regular grid, averaged over frames ---- */

/* A box divided into n[0] x n[1] x n[2] cells. With 1 cell along an axis, values are means along this
 * axis. */
typedef struct scree_grid {
  double min[3], max[3];
  int64_t n[3];
} scree_grid;

typedef enum scree_profile_field {
  SCREE_PROFILE_COUNT,    /* number of grains per frame */
  SCREE_PROFILE_VELOCITY, /* mean velocity of the grains, 3 columns [m/s] */
  SCREE_PROFILE_SPIN,     /* mean spin of the grains, 3 columns [rad/s] */
  SCREE_PROFILE_SPEED,    /* mean speed |v| of the grains [m/s] */
  /* solid volume divided by cell volume; the volume of a sphere is distributed over the cells that it
   * overlaps */
  SCREE_PROFILE_SOLID,
  SCREE_PROFILE_TEMPERATURE, /* granular temperature (<v.v> - <v>.<v>)/3 [m2/s2] */
  SCREE_PROFILE_FIELDS
} scree_profile_field;
/* Returns the name of a field, such as "count" or "velocity"; NULL past the last. */
const char *scree_profile_field_name(int field);

typedef struct scree_profile scree_profile;
/* Returns a profile. Returns NULL and an error for an empty or infinite box, for no cells, and for more than
 * 1e8 cells. */
scree_profile *scree_profile_create(const scree_grid *grid, scree_error *error);
/* Frees a profile. NULL is allowed. */
void scree_profile_destroy(scree_profile *profile);
/* Adds the grains of a frame. group: -1 for all groups. */
scree_status scree_profile_add(
    scree_profile *profile, const scree_frame *frame, int64_t group, scree_error *error);
/* Returns the number of added frames. */
int64_t scree_profile_frames(const scree_profile *profile);
/* Returns the grid, which belongs to the profile. */
const scree_grid *scree_profile_grid(const scree_profile *profile);
/* Writes the values of a field: for each cell, x fastest, as many numbers as the field has columns. Returns
 * this number of columns; 0 for an unknown field. In cells without grains, count and solid are 0, and all
 * other fields are NaN. */
int scree_profile_get(const scree_profile *profile, int field, double *out);

/* ---- radial distribution function ---- */

typedef struct scree_rdf_def {
  /* box, sphere or cylinder of finite volume. NULL: the cell of a world that is periodic along all edges,
   * including the images of its grains */
  const scree_region *region;
  double reach; /* largest distance [m]; in a cell at most the smallest distance of opposite faces */
  int64_t bins;
  /* box: nonzero to shrink the region to the bounding box of the centres in it, so that empty space above a
   * layer does not count */
  int fit;
  /* box: nonzero to correct for neighbours outside the box; exact if reach <= the shortest edge */
  int edges;
  int64_t group; /* group of the grains; -1: all */
} scree_rdf_def;
typedef struct scree_rdf_result {
  int64_t grains;
  double volume, density; /* volume of the region [m3]; number of grains per volume [1/m3] */
} scree_rdf_result;
/* Computes g[i] for distances in [i, i+1) reach/bins. g is the histogram of all distances in the region,
 * divided by the number of grains and by the number that each shell would contain at uniform density
 * (Preclik, Eibl & Ruede 2017, section 4.3). */
scree_status scree_rdf(const scree_frame *frame, const scree_rdf_def *def, double *g,
    scree_rdf_result *result, scree_error *error);

/* ---- stress and forces (for frames with contacts) ---- */

typedef struct scree_stress_result {
  /* 1/V sum f (x) l over contacts in the region [Pa], positive in compression. V: volume of the region, f:
   * force on body 1, l: branch vector (scree_stress), (x): dyadic product */
  double contact[9];
  /* 1/V sum m v' (x) v' over grains in the region [Pa]. m: mass, v': velocity relative to the mean velocity
   * of these grains */
  double kinetic[9];
  double pressure; /* trace of contact + kinetic, divided by 3 [Pa] */
  double volume;
  int64_t contacts, grains;
} scree_stress_result;
/* Computes the stress. f is the force on body 1, l the branch vector from body 2 to body 1, or from the
 * contact point if body 2 is not dynamic. In a cell, branch vectors are those between images, and the flow of
 * the cell is subtracted from velocities. dt: length of the step to which the impulses belong [s]. region
 * NULL: the whole cell. */
scree_status scree_stress(const scree_frame *frame, const scree_region *region, double dt,
    scree_stress_result *result, scree_error *error);
/* Computes the stress like scree_stress. Only the dynamic bodies of one group count as grains; group < 0: all
 * groups. Other bodies, such as walls under a load, count as walls. */
scree_status scree_group_stress(const scree_frame *frame, const scree_region *region, int64_t group,
    double dt, scree_stress_result *result, scree_error *error);

/* Computes the sum of contact forces on a body [N] and their torque about its position [N m]. dt: length of
 * the step to which the impulses belong [s]. Returns the number of contacts with an impulse. */
int64_t scree_forces_on(
    const scree_frame *frame, scree_id body, double dt, double force[3], double torque[3]);

typedef struct scree_coordination_result {
  /* number of grains in the region; number of contacts with an impulse that involve at least one of them */
  int64_t grains, carrying;
  double mean; /* mean number of contacts with an impulse per grain */
  /* mean number of contacts with an impulse per grain, over grains with at least two such contacts */
  double mean_loaded;
  int64_t rattlers; /* number of grains with fewer than two contacts with an impulse */
  /* number of grains with 0, 1, ..., 14, and with 15 or more contacts with an impulse */
  int64_t histogram[16];
} scree_coordination_result;
/* Counts the contacts of grains in a region. region NULL: everywhere. */
scree_status scree_coordination(const scree_frame *frame, const scree_region *region,
    scree_coordination_result *result, scree_error *error);
/* Counts contacts like scree_coordination. Only the dynamic bodies of one group count as grains; group < 0:
 * all groups. */
scree_status scree_group_coordination(const scree_frame *frame, const scree_region *region, int64_t group,
    scree_coordination_result *result, scree_error *error);

/* Computes the probability density of the normal force divided by its mean, for contacts with an impulse.
 * bins: number of bins over [0, reach), in units of the mean. tangential: nonzero for the friction force
 * instead. *mean: mean force [N]. Returns the number of contacts. */
int64_t scree_force_density(const scree_frame *frame, const scree_region *region, double dt, int tangential,
    double reach, int64_t bins, double *density, double *mean);

/* Computes the number and mass [kg] of grains as functions of their radius. low, high: range of the bins [m].
 * Grains outside this range do not count. */
void scree_size_density(const scree_frame *frame, const scree_region *region, double low, double high,
    int64_t bins, double *number, double *mass);

typedef struct scree_grading_def {
  const scree_region *region; /* region in which grains count; NULL: everywhere */
  int64_t group;              /* group of the grains; -1: all */
  const double *sieve;
  int64_t sieves;            /* number of entries in `sieve`, which are diameters [m] */
  const scree_sizes *target; /* distribution of sizes to which the grains are compared; NULL: none */
} scree_grading_def;
typedef struct scree_grading_result {
  int64_t grains;
  double mass; /* total mass of the grains [kg] */
  /* diameters such that 10, 50 and 90 % of the mass have a smaller diameter [m]; NaN without grains */
  double d10, d50, d90;
  double least, most; /* smallest and largest diameter [m]; NaN without grains */
  /* largest difference between the shares of the grains and of the target (Kolmogorov distance), by number or
   * mass like the target; 0 without a target */
  double distance;
} scree_grading_result;
/* Computes the grading curve of grains. number, mass: [sieves] share of the grains, by number and by mass,
 * whose diameter is not larger than the sieve. Diameters are those of bounding spheres. */
scree_status scree_grading(const scree_frame *frame, const scree_grading_def *def, double *number,
    double *mass, scree_grading_result *result, scree_error *error);

/* ---- flow: grains that enter and leave a region, and their residence time ---- */

typedef struct scree_flow scree_flow;
typedef struct scree_flow_result {
  /* number of grains inside at present; numbers of grains that entered and left since the start. A grain that
   * is removed inside counts as left. */
  int64_t inside, entered, left;
  int64_t vanished; /* number of grains in `left` that were removed inside */
  /* masses of the grains that `inside`, `entered` and `left` count [kg] */
  double mass_inside, mass_entered, mass_left;
  /* mean rates over the window [kg/s]. Without a window: over the time since the last scree_flow_get, the
   * start or the reset. */
  double rate_entered, rate_left;
  /* mean and standard deviation of the time between entering and leaving [s]. Grains that were inside at the
   * start do not count. */
  double residence, residence_deviation;
  int64_t stays;      /* number of grains over which `residence` and `residence_deviation` are computed */
  double start, time; /* time of the first and of the last frame [s] */
} scree_flow_result;
/* Returns a flow through a region. A half-space as region measures the flow through its plane: grains that
 * cross the plane along its normal leave. A plane across a periodic edge of the frames' cell has an image in
 * each cell, and crossings of every image count. The plane may be a face of the cell. Grains that cross
 * another face do not count, and neither do grains that are created or removed. */
scree_flow *scree_flow_create(const scree_region *region, int64_t group, scree_error *error);
/* Frees a flow. NULL is allowed. */
void scree_flow_destroy(scree_flow *flow);
/* Sets the time over which rates are averaged [s]. 0 (default): rates are means since the last
 * scree_flow_get. Must be called before the first frame. */
void scree_flow_set_window(scree_flow *flow, double seconds);
/* Adds the next frame. */
scree_status scree_flow_add(scree_flow *flow, const scree_frame *frame, scree_error *error);
/* Sets *result to the values at the last frame. Repeated calls before the next frame return equal values. */
void scree_flow_get(scree_flow *flow, scree_flow_result *result);
/* Resets the counts to 0. The list of grains inside stays. */
void scree_flow_reset(scree_flow *flow);

/* Saves the state of a profile. The caller frees *bytes with scree_measure_free. */
scree_status scree_profile_save(
    const scree_profile *profile, void **bytes, size_t *count, scree_error *error);
/* Restores a profile from a saved state. Returns SCREE_E_FORMAT if the bytes are damaged. */
scree_status scree_profile_load(scree_profile *profile, const void *bytes, size_t count, scree_error *error);
/* Saves the state of a flow. The caller frees *bytes with scree_measure_free. */
scree_status scree_flow_save(const scree_flow *flow, void **bytes, size_t *count, scree_error *error);
/* Restores a flow from a saved state. Returns SCREE_E_FORMAT if the bytes are damaged. */
scree_status scree_flow_load(scree_flow *flow, const void *bytes, size_t count, scree_error *error);
/* Frees the bytes of a saved state. */
void scree_measure_free(void *bytes);

/* ---- table of kinds of measurements ---- */

/* Arguments of a measurement. The struct of a kind begins with this struct, followed by the keys of the kind.
 * Members without a key in the kind's parameter table keep the values of scree_measure_defaults. */
typedef struct scree_measure_def {
  const scree_region *region; /* region in which grains count; NULL: everywhere */
  int64_t group;              /* group of the grains; -1: all */
  double dt;                  /* length of the step to which the contacts' impulses belong [s] */
  scree_id body;
  int64_t cells[3]; /* number of cells along x, y, z; 1 for axes without a number */
  const double *sieve;
  int64_t sieves;            /* number of entries in `sieve`, which are diameters [m] */
  const scree_sizes *target; /* distribution of sizes to which the grains are compared; NULL: none */
} scree_measure_def;

/* Types of results. A FIGURE is one number and becomes a column of series.csv; a LIST becomes a column of a
 * file. WHOLE: the numbers are integers. MEAN_LIST: a list whose values are averaged over samples. */
typedef enum scree_measure_type {
  SCREE_FIGURE,
  SCREE_WHOLE, /* a figure that is an integer */
  SCREE_LIST,
  SCREE_WHOLE_LIST,
  SCREE_MEAN_LIST
} scree_measure_type;
typedef struct scree_measure_field {
  const char *name;   /* name of the field in the table that a script gets */
  const char *column; /* name of the column in series.csv or in the file; NULL: no column */
  scree_measure_type type;
} scree_measure_field;

enum { SCREE_MEASURE_FIELDS = 32 };
typedef struct scree_measure_value {
  int given;     /* 1: the result contains this value; 0: it does not */
  double figure; /* value of a field that is a figure */
  int64_t count; /* length of a list */
  double *list;
} scree_measure_value;
typedef struct scree_measure_result {
  /* 1: the frame contains too few grains or contacts to compute the values */
  int empty;
  scree_measure_value value[SCREE_MEASURE_FIELDS]; /* values, in the order of the kind's fields */
} scree_measure_result;

typedef struct scree_measure_kind {
  const char *name, *doc;
  /* parameter table of the keys; SCREE_OPAQUE: region, cells, body, sieves, target */
  const scree_param *params;
  int params_count;
  size_t size; /* size of the struct that params describe [bytes] */
  const scree_measure_field *field;
  int fields;
  int contacts; /* 1: the frames must contain contacts */
  /* Measures one frame. NULL for a kind that accumulates samples; such a kind has the functions below. */
  scree_status (*take)(const scree_frame *frame, const scree_measure_def *def, scree_measure_result *result,
      scree_error *error);
  int every_step; /* 1: `add` is called in every step; 0: only at samples */
  void *(*create)(const scree_measure_def *def, scree_error *error);
  void (*destroy)(void *memory);
  scree_status (*add)(void *memory, const scree_frame *frame, scree_error *error);
  scree_status (*get)(void *memory, scree_measure_result *result, scree_error *error);
  void (*reset)(void *memory); /* resets the measurement; NULL: not possible */
  scree_status (*save)(const void *memory, void **bytes, size_t *count, scree_error *error);
  scree_status (*load)(void *memory, const void *bytes, size_t count, scree_error *error);
} scree_measure_kind;

/* Returns the kind with an index; NULL past the last. */
const scree_measure_kind *scree_measure_kind_at(int index);
/* Returns the kind with this name. If there is none, returns NULL and suggests the most similar name in the
 * error. */
const scree_measure_kind *scree_measure_find(const char *name, scree_error *error);
/* Sets the struct of a kind (kind->size bytes) to its default values. */
void scree_measure_defaults(const scree_measure_kind *kind, void *def);
/* Makes one measurement of a kind that has `take`. The caller must clear the result (scree_measure_clear),
 * even after an error. */
scree_status scree_measure_take(const scree_measure_kind *kind, const scree_frame *frame,
    const scree_measure_def *def, scree_measure_result *result, scree_error *error);
/* Frees the lists in a result. */
void scree_measure_clear(scree_measure_result *result);
/* Returns a value or list of a result by its name. Returns NULL if the kind has no such field or the result
 * does not contain it. */
const scree_measure_value *scree_measure_get(
    const scree_measure_kind *kind, const scree_measure_result *result, const char *name);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
