/* Measurements on frames: profiles on a grid, radial distribution function, stress, forces, coordination,
 * distributions, flow.
 *
 * Every function reads a frame (scree_frame), live or from a trajectory. Functions that need contacts say so.
 * Grains are the dynamic bodies. Forces are the impulses of one step over dt. docs/measure.md has the
 * formulas. */
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

/* nx x ny x nz cells of a box; with 1 cell along an axis the values are means along it. */
typedef struct scree_grid {
  double min[3], max[3];
  int64_t n[3];
} scree_grid;

typedef enum scree_profile_field {
  SCREE_PROFILE_COUNT,    /* grains per frame */
  SCREE_PROFILE_VELOCITY, /* mean over grains, 3 columns [m/s] */
  SCREE_PROFILE_SPIN,     /* 3 columns [rad/s] */
  SCREE_PROFILE_SPEED,    /* mean |v| [m/s] */
  /* solid volume over cell volume; the volume of spheres is distributed over the cells they overlap */
  SCREE_PROFILE_SOLID,
  SCREE_PROFILE_TEMPERATURE, /* granular temperature (<v.v> - <v>.<v>)/3 [m2/s2] */
  SCREE_PROFILE_FIELDS
} scree_profile_field;
/* Returns the name of a field: "count", "velocity", ...; NULL past the last. */
const char *scree_profile_field_name(int field);

typedef struct scree_profile scree_profile;
/* Returns a profile; NULL on error: empty or infinite box, no cells, more than 1e8 cells. */
scree_profile *scree_profile_create(const scree_grid *grid, scree_error *error);
/* Frees a profile. NULL is allowed. */
void scree_profile_destroy(scree_profile *profile);
/* Adds the grains of a frame; group -1: all. */
scree_status scree_profile_add(
    scree_profile *profile, const scree_frame *frame, int64_t group, scree_error *error);
/* Returns the number of frames that were added. */
int64_t scree_profile_frames(const scree_profile *profile);
/* Returns the grid, which belongs to the profile. */
const scree_grid *scree_profile_grid(const scree_profile *profile);
/* Writes a field, x fastest, `columns` numbers per cell. Returns columns (0: unknown field). Cells without
 * grains have NaN; count and solid are 0 there. */
int scree_profile_get(const scree_profile *profile, int field, double *out);

/* ---- radial distribution function ---- */

typedef struct scree_rdf_def {
  /* box, sphere or cylinder of finite volume; NULL: the cell of a world that is periodic along all edges,
   * with the images of its grains */
  const scree_region *region;
  double reach; /* largest distance [m]; in a cell at most the least distance of opposite faces */
  int64_t bins;
  /* box: shrink the region to the bounding box of the centres found, so that empty space above a layer
   * does not count */
  int fit;
  /* box: correct for the neighbours that lie outside (exact for reach <= the shortest edge) */
  int edges;
  int64_t group; /* -1: all */
} scree_rdf_def;
typedef struct scree_rdf_result {
  int64_t grains;
  double volume, density; /* [m3], [1/m3] */
} scree_rdf_result;
/* Computes g[i] for distances in [i, i+1) reach/bins: the histogram of all distances within the region,
 * normalised by the number of grains and by the number expected in each shell at uniform density (Preclik,
 * Eibl & Ruede 2017, section 4.3). */
scree_status scree_rdf(const scree_frame *frame, const scree_rdf_def *def, double *g,
    scree_rdf_result *result, scree_error *error);

/* ---- stress and forces (need contacts) ---- */

typedef struct scree_stress_result {
  double contact[9]; /* 1/V sum f (x) l over contacts in the region [Pa]; pressure is positive */
  double kinetic[9]; /* 1/V sum m v' (x) v', v' relative to the mean velocity of the region's grains [Pa] */
  double pressure;   /* trace of the sum / 3 */
  double volume;
  int64_t contacts, grains;
} scree_stress_result;
/* Computes the stress. f is the force on body 1, l the branch vector from body 2 to body 1 (from the contact
 * point if body 2 is not dynamic). In a cell branches are those of images, and the flow of the cell is
 * subtracted from velocities; region NULL: the whole cell. */
scree_status scree_stress(const scree_frame *frame, const scree_region *region, double dt,
    scree_stress_result *result, scree_error *error);
/* Like scree_stress, with only the dynamic bodies of one group as grains (< 0: all). Other bodies, such as
 * walls under a load, count as walls. */
scree_status scree_group_stress(const scree_frame *frame, const scree_region *region, int64_t group,
    double dt, scree_stress_result *result, scree_error *error);

/* Computes the force [N] and the torque about the body's position [N m] of all contacts of a body. Returns
 * the number of contacts with an impulse. */
int64_t scree_forces_on(
    const scree_frame *frame, scree_id body, double dt, double force[3], double torque[3]);

typedef struct scree_coordination_result {
  /* grains in the region; contacts with an impulse that touch one of them */
  int64_t grains, carrying;
  double mean;           /* contacts with an impulse per grain */
  double mean_loaded;    /* the mean over grains with at least two such contacts */
  int64_t rattlers;      /* grains with fewer than two */
  int64_t histogram[16]; /* grains with 0, 1, ... 15 or more */
} scree_coordination_result;
/* Counts the contacts of grains. region NULL: everywhere. */
scree_status scree_coordination(const scree_frame *frame, const scree_region *region,
    scree_coordination_result *result, scree_error *error);
/* Like scree_coordination, with only the dynamic bodies of one group as grains (< 0: all). */
scree_status scree_group_coordination(const scree_frame *frame, const scree_region *region, int64_t group,
    scree_coordination_result *result, scree_error *error);

/* Computes the probability density of the normal force over its mean, for contacts with an impulse: bins over
 * [0, reach) in units of the mean. *mean: the mean force [N]. tangential: nonzero for the friction force.
 * Returns the number of contacts. */
int64_t scree_force_density(const scree_frame *frame, const scree_region *region, double dt, int tangential,
    double reach, int64_t bins, double *density, double *mean);

/* Computes numbers of grains and their mass [kg] by radius: bins over [low, high]; grains outside are not
 * counted. */
void scree_size_density(const scree_frame *frame, const scree_region *region, double low, double high,
    int64_t bins, double *number, double *mass);

typedef struct scree_grading_def {
  const scree_region *region; /* NULL: everywhere */
  int64_t group;              /* -1: all */
  const double *sieve;
  int64_t sieves;            /* diameters [m] */
  const scree_sizes *target; /* NULL, or a curve for comparison */
} scree_grading_def;
typedef struct scree_grading_result {
  int64_t grains;
  double mass; /* [kg] */
  /* diameters [m] below which 10, 50 and 90 % of the mass lie; NaN without grains */
  double d10, d50, d90;
  double least, most; /* smallest and largest diameter [m]; NaN without grains */
  /* largest difference of shares between grains and target (Kolmogorov), by number or mass like the target; 0
   * without a target */
  double distance;
} scree_grading_result;
/* Computes the grading curve of grains: shares by number and by mass that are not larger than each sieve.
 * Diameters are those of bounding spheres. */
scree_status scree_grading(const scree_frame *frame, const scree_grading_def *def, double *number,
    double *mass, scree_grading_result *result, scree_error *error);

/* ---- flow: grains that enter and leave a region, and their residence time ---- */

typedef struct scree_flow scree_flow;
typedef struct scree_flow_result {
  /* grains inside at present; grains that entered and left since the start. Grains that vanish inside have
   * left */
  int64_t inside, entered, left;
  int64_t vanished;                            /* number of these that vanished */
  double mass_inside, mass_entered, mass_left; /* [kg] */
  /* [kg/s] mean over the window; without a window, since the last scree_flow_get, the start or the reset */
  double rate_entered, rate_left;
  /* mean and standard deviation of the time between entering and leaving [s]; grains there from the
   * start do not count */
  double residence, residence_deviation;
  int64_t stays;      /* number of grains in these two figures */
  double start, time; /* time of the first and of the last frame [s] */
} scree_flow_result;
/* A half-space as region measures the flow through its plane. Grains that cross along the normal leave. A
 * plane across a periodic edge of the frames' cell has an image in each cell, and crossings of every image
 * count. The plane may lie on a face of the cell. Grains that cross another face do not count, nor do grains
 * that are created or removed. */
scree_flow *scree_flow_create(const scree_region *region, int64_t group, scree_error *error);
/* Frees a flow. NULL is allowed. */
void scree_flow_destroy(scree_flow *flow);
/* Sets the averaging time of rates [s]. 0 (default): rates are means since the last scree_flow_get. Must be
 * called before the first frame. */
void scree_flow_set_window(scree_flow *flow, double seconds);
/* Adds the next frame. */
scree_status scree_flow_add(scree_flow *flow, const scree_frame *frame, scree_error *error);
/* Computes the figures at the last frame. Repeated calls before the next frame return equal figures. */
void scree_flow_get(scree_flow *flow, scree_flow_result *result);
/* Restarts the counts; the list of grains inside is not cleared. */
void scree_flow_reset(scree_flow *flow);

/* ---- checkpoints: state of a profile or flow as plain bytes (freed with scree_measure_free) ---- */
scree_status scree_profile_save(
    const scree_profile *profile, void **bytes, size_t *count, scree_error *error);
/* Sets a profile to a saved state. Returns SCREE_E_FORMAT if the bytes are damaged. */
scree_status scree_profile_load(scree_profile *profile, const void *bytes, size_t count, scree_error *error);
/* Saves the state of a flow. The caller frees *bytes. */
scree_status scree_flow_save(const scree_flow *flow, void **bytes, size_t *count, scree_error *error);
/* Sets a flow to a saved state. Returns SCREE_E_FORMAT if the bytes are damaged. */
scree_status scree_flow_load(scree_flow *flow, const void *bytes, size_t count, scree_error *error);
/* Frees the bytes of a saved state. */
void scree_measure_free(void *bytes);

/* ---- the table of kinds: defines the methods of w: and the list `measure` of scenes and YAML ---- */

/* Arguments of a measurement. The struct of a kind begins with this; its own keys follow. Members that the
 * kind's params do not have stay as scree_measure_defaults sets them. */
typedef struct scree_measure_def {
  const scree_region *region; /* NULL: everywhere */
  int64_t group;              /* -1: all */
  double dt;                  /* of the step of the contacts' impulses [s] */
  scree_id body;
  int64_t cells[3]; /* along x, y, z; 1 where not given */
  const double *sieve;
  int64_t sieves;            /* diameters [m] */
  const scree_sizes *target; /* NULL, or a curve for comparison */
} scree_measure_def;

/* Types of results: figures are columns of series.csv, lists are columns of a file. MEAN_LIST: averaged over
 * samples. */
typedef enum scree_measure_type {
  SCREE_FIGURE,
  SCREE_WHOLE, /* a figure that is a whole number */
  SCREE_LIST,
  SCREE_WHOLE_LIST,
  SCREE_MEAN_LIST
} scree_measure_type;
typedef struct scree_measure_field {
  const char *name;   /* name in the table that a script gets */
  const char *column; /* column in series.csv or in the file; NULL: in neither */
  scree_measure_type type;
} scree_measure_field;

enum { SCREE_MEASURE_FIELDS = 32 };
typedef struct scree_measure_value {
  int given;     /* 0: no value */
  double figure; /* figures */
  int64_t count; /* lists */
  double *list;
} scree_measure_value;
typedef struct scree_measure_result {
  /* 1: nothing was found from which a mean can be computed */
  int empty;
  scree_measure_value value[SCREE_MEASURE_FIELDS]; /* in the order of the kind's fields */
} scree_measure_result;

typedef struct scree_measure_kind {
  const char *name, *doc;
  const scree_param *params; /* keys; SCREE_OPAQUE: region, cells, body, sieves, target */
  int params_count;
  size_t size; /* bytes of the struct that params describe */
  const scree_measure_field *field;
  int fields;
  int contacts; /* 1: frames need contacts */
  /* Measures one frame. NULL for kinds that accumulate samples, which have the functions below. */
  scree_status (*take)(const scree_frame *frame, const scree_measure_def *def, scree_measure_result *result,
      scree_error *error);
  int every_step; /* 1: adds every step, 0: adds samples */
  void *(*create)(const scree_measure_def *def, scree_error *error);
  void (*destroy)(void *memory);
  scree_status (*add)(void *memory, const scree_frame *frame, scree_error *error);
  scree_status (*get)(void *memory, scree_measure_result *result, scree_error *error);
  void (*reset)(void *memory); /* NULL: not possible */
  scree_status (*save)(const void *memory, void **bytes, size_t *count, scree_error *error);
  scree_status (*load)(void *memory, const void *bytes, size_t count, scree_error *error);
} scree_measure_kind;

/* Returns a kind; NULL past the last. */
const scree_measure_kind *scree_measure_kind_at(int index);
/* Returns the kind with this name; NULL with the nearest name in the error text if there is none. */
const scree_measure_kind *scree_measure_find(const char *name, scree_error *error);
/* Sets the struct of a kind, kind->size bytes, to its defaults. */
void scree_measure_defaults(const scree_measure_kind *kind, void *def);
/* Makes a measurement of a kind that has `take`. The result must be cleared even after an error. */
scree_status scree_measure_take(const scree_measure_kind *kind, const scree_frame *frame,
    const scree_measure_def *def, scree_measure_result *result, scree_error *error);
/* Frees the lists of a result. */
void scree_measure_clear(scree_measure_result *result);
/* Returns a figure or list by its name; NULL if the kind has no such field or the result no such value. */
const scree_measure_value *scree_measure_get(
    const scree_measure_kind *kind, const scree_measure_result *result, const char *name);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
