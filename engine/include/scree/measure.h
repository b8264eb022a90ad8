/* Measurements on frames: profiles on a grid, radial distribution function, stress, forces,
 * coordination, distributions, flow.
 *
 * Every function reads a plain frame (scree_frame), live or from a trajectory; those that need contacts
 * say so. Grains are the dynamic bodies. Forces are the impulses of one step over dt. docs/measure.md
 * has the formulas. */
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

/* nx x ny x nz cells of a box; 1 cell along an axis looks through it. */
typedef struct scree_grid {
  double min[3], max[3];
  int64_t n[3];
} scree_grid;

typedef enum scree_profile_field {
  SCREE_PROFILE_COUNT,    /* grains per frame */
  SCREE_PROFILE_VELOCITY, /* mean over grains, 3 columns [m/s] */
  SCREE_PROFILE_SPIN,     /* 3 columns [rad/s] */
  SCREE_PROFILE_SPEED,    /* mean |v| [m/s] */
  /* solid volume over cell volume, spheres spread over the cells that they cut */
  SCREE_PROFILE_SOLID,
  SCREE_PROFILE_TEMPERATURE, /* granular temperature (<v.v> - <v>.<v>)/3 [m2/s2] */
  SCREE_PROFILE_FIELDS
} scree_profile_field;
/* "count", "velocity", ...; NULL past the last. */
const char *scree_profile_field_name(int field);

typedef struct scree_profile scree_profile;
/* NULL on error: empty or infinite box, no cells, more than 1e8 of them. */
scree_profile *scree_profile_create(const scree_grid *grid, scree_error *error);
void scree_profile_destroy(scree_profile *profile);
/* Adds the grains of a frame; group -1: all. */
scree_status scree_profile_add(
    scree_profile *profile, const scree_frame *frame, int64_t group, scree_error *error);
int64_t scree_profile_frames(const scree_profile *profile);
const scree_grid *scree_profile_grid(const scree_profile *profile);
/* Writes a field, x fastest, `columns` numbers a cell; returns columns (0: unknown field). NaN where no
 * grain ever was, except for count and solid, which are 0 there. */
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
/* g[i] for distances in [i, i+1) reach/bins: all distances within the region as a histogram, normalised
 * by the number of grains and by the number expected in each shell at uniform density (Preclik, Eibl &
 * Ruede 2017, section 4.3). */
scree_status scree_rdf(const scree_frame *frame, const scree_rdf_def *def, double *g,
    scree_rdf_result *result, scree_error *error);

/* ---- stress and forces (need contacts) ---- */

typedef struct scree_stress_result {
  double contact[9]; /* 1/V sum f (x) l over contacts in the region [Pa]; pressure is positive */
  double kinetic[9]; /* 1/V sum m v' (x) v', v' against the mean velocity of the region's grains [Pa] */
  double pressure;   /* trace of the sum / 3 */
  double volume;
  int64_t contacts, grains;
} scree_stress_result;
/* f is the force on body 1, l the branch vector from body 2 to body 1 (from the contact point where body
 * 2 is not dynamic). In a cell branches are those of images, and velocities are less the flow of the cell;
 * region NULL: the whole cell. */
scree_status scree_stress(const scree_frame *frame, const scree_region *region, double dt,
    scree_stress_result *result, scree_error *error);
/* The same where only dynamic bodies of one group are grains, < 0: all; others, such as walls under a
 * load, are what walls are above. */
scree_status scree_group_stress(const scree_frame *frame, const scree_region *region, int64_t group,
    double dt, scree_stress_result *result, scree_error *error);

/* Force [N] and torque about its position [N m] that contacts exert on a body; the number of contacts
 * that carry. */
int64_t scree_forces_on(
    const scree_frame *frame, scree_id body, double dt, double force[3], double torque[3]);

typedef struct scree_coordination_result {
  /* grains in the region; contacts that carry an impulse and touch one of them */
  int64_t grains, carrying;
  double mean;           /* carrying contacts per grain */
  double mean_loaded;    /* the same over grains with at least two such contacts */
  int64_t rattlers;      /* grains with fewer than two */
  int64_t histogram[16]; /* grains with 0, 1, ... 15 or more */
} scree_coordination_result;
/* region NULL: everywhere. */
scree_status scree_coordination(const scree_frame *frame, const scree_region *region,
    scree_coordination_result *result, scree_error *error);
/* The same where only dynamic bodies of one group are grains, < 0: all. */
scree_status scree_group_coordination(const scree_frame *frame, const scree_region *region, int64_t group,
    scree_coordination_result *result, scree_error *error);

/* Probability density of the normal force over its mean, for contacts that carry: bins over [0, reach)
 * in units of the mean. mean receives the mean force [N], the return value is the number of contacts.
 * tangential: the same for the friction force. */
int64_t scree_force_density(const scree_frame *frame, const scree_region *region, double dt, int tangential,
    double reach, int64_t bins, double *density, double *mean);

/* Numbers of grains and their mass [kg] by radius: bins over [low, high]; grains outside are not counted. */
void scree_size_density(const scree_frame *frame, const scree_region *region, double low, double high,
    int64_t bins, double *number, double *mass);

typedef struct scree_grading_def {
  const scree_region *region; /* NULL: everywhere */
  int64_t group;              /* -1: all */
  const double *sieve;
  int64_t sieves;            /* diameters [m] */
  const scree_sizes *target; /* NULL, or the curve to compare with */
} scree_grading_def;
typedef struct scree_grading_result {
  int64_t grains;
  double mass; /* [kg] */
  /* diameters [m] that 10, 50 and 90 % of the mass are finer than; NaN without grains */
  double d10, d50, d90;
  double least, most; /* smallest and largest diameter [m]; NaN without grains */
  /* largest difference of shares between grains and target (Kolmogorov), by what the target is; else
   * 0 */
  double distance;
} scree_grading_result;
/* The grading curve of grains: shares, by number and by mass, that are not larger than each sieve.
 * Diameters are those of bounding spheres. */
scree_status scree_grading(const scree_frame *frame, const scree_grading_def *def, double *number,
    double *mass, scree_grading_result *result, scree_error *error);

/* ---- flow: who enters and leaves a region, when, and after how long ---- */

typedef struct scree_flow scree_flow;
typedef struct scree_flow_result {
  /* grains now inside; since the start. Grains that vanish inside have left */
  int64_t inside, entered, left;
  int64_t vanished;                            /* of those that left */
  double mass_inside, mass_entered, mass_left; /* [kg] */
  /* [kg/s] mean over the window; without a window, since the last scree_flow_get, the start or the reset */
  double rate_entered, rate_left;
  /* mean and standard deviation of the time between entering and leaving [s]; grains there from the
   * start do not count */
  double residence, residence_deviation;
  int64_t stays;      /* grains behind those two figures */
  double start, time; /* of the first and the last frame seen [s] */
} scree_flow_result;
/* A half-space as region measures the flow through its plane. Grains that cross along the normal leave. A
 * plane across a periodic edge of the frames' cell has an image in each cell, and crossings of every image
 * count. The plane may lie on a face of the cell. Grains that cross another face do not count, nor do grains
 * that are created or removed. */
scree_flow *scree_flow_create(const scree_region *region, int64_t group, scree_error *error);
void scree_flow_destroy(scree_flow *flow);
/* Sets the averaging time of rates [s]. 0 (default): rates are means since the last scree_flow_get. Must be
 * called before the first frame. */
void scree_flow_set_window(scree_flow *flow, double seconds);
/* Looks at the next frame. */
scree_status scree_flow_add(scree_flow *flow, const scree_frame *frame, scree_error *error);
/* Computes the figures at the last frame. Repeated calls before the next frame return equal figures. */
void scree_flow_get(scree_flow *flow, scree_flow_result *result);
/* Counts from now on; who is inside stays known. */
void scree_flow_reset(scree_flow *flow);

/* ---- checkpoints: the memory of a profile or flow as plain bytes (released with scree_measure_free) ---- */
scree_status scree_profile_save(
    const scree_profile *profile, void **bytes, size_t *count, scree_error *error);
scree_status scree_profile_load(scree_profile *profile, const void *bytes, size_t count, scree_error *error);
scree_status scree_flow_save(const scree_flow *flow, void **bytes, size_t *count, scree_error *error);
scree_status scree_flow_load(scree_flow *flow, const void *bytes, size_t count, scree_error *error);
void scree_measure_free(void *bytes);

/* ---- the table of kinds: what methods of w:, the list `measure` of scenes and YAML are made from ---- */

/* What a measurement is asked for. The struct of a kind begins with this; its own keys follow. Members
 * that the kind's params do not name stay as scree_measure_defaults sets them. */
typedef struct scree_measure_def {
  const scree_region *region; /* NULL: everywhere */
  int64_t group;              /* -1: all */
  double dt;                  /* of the step whose impulses the contacts carry [s] */
  scree_id body;
  int64_t cells[3]; /* along x, y, z; 1 where not given */
  const double *sieve;
  int64_t sieves;            /* diameters [m] */
  const scree_sizes *target; /* NULL, or a curve to compare with */
} scree_measure_def;

/* What one gives: figures are columns of series.csv, lists are columns of a file. MEAN_LIST: to be
 * averaged over samples. */
typedef enum scree_measure_type {
  SCREE_FIGURE,
  SCREE_WHOLE, /* a figure that is a whole number */
  SCREE_LIST,
  SCREE_WHOLE_LIST,
  SCREE_MEAN_LIST
} scree_measure_type;
typedef struct scree_measure_field {
  const char *name;   /* in the table that a script gets */
  const char *column; /* in series.csv or in the file; NULL: in neither */
  scree_measure_type type;
} scree_measure_field;

enum { SCREE_MEASURE_FIELDS = 32 };
typedef struct scree_measure_value {
  int given;     /* 0: there is none */
  double figure; /* figures */
  int64_t count; /* lists */
  double *list;
} scree_measure_value;
typedef struct scree_measure_result {
  int empty;                                       /* 1: nothing found that a mean could be taken of */
  scree_measure_value value[SCREE_MEASURE_FIELDS]; /* as the kind's fields */
} scree_measure_result;

typedef struct scree_measure_kind {
  const char *name, *doc;
  const scree_param *params; /* keys; SCREE_OPAQUE for region, cells, body, sieves, target */
  int params_count;
  size_t size; /* of the struct that params describe */
  const scree_measure_field *field;
  int fields;
  int contacts; /* 1: frames need contacts */
  /* Looks at one frame. NULL for kinds that look again and again, which have the functions below. */
  scree_status (*take)(const scree_frame *frame, const scree_measure_def *def, scree_measure_result *result,
      scree_error *error);
  int every_step; /* 1: looks at every step, 0: at samples */
  void *(*create)(const scree_measure_def *def, scree_error *error);
  void (*destroy)(void *memory);
  scree_status (*add)(void *memory, const scree_frame *frame, scree_error *error);
  scree_status (*get)(void *memory, scree_measure_result *result, scree_error *error);
  void (*reset)(void *memory); /* NULL: cannot */
  scree_status (*save)(const void *memory, void **bytes, size_t *count, scree_error *error);
  scree_status (*load)(void *memory, const void *bytes, size_t count, scree_error *error);
} scree_measure_kind;

/* NULL past the last. */
const scree_measure_kind *scree_measure_kind_at(int index);
/* NULL, with the nearest name in the text. */
const scree_measure_kind *scree_measure_find(const char *name, scree_error *error);
/* Fills the struct of a kind, kind->size bytes. */
void scree_measure_defaults(const scree_measure_kind *kind, void *def);
/* Makes a measurement of a kind that has `take`. The result is to be cleared in any case. */
scree_status scree_measure_take(const scree_measure_kind *kind, const scree_frame *frame,
    const scree_measure_def *def, scree_measure_result *result, scree_error *error);
void scree_measure_clear(scree_measure_result *result);
/* A figure or list by its name; NULL where the kind has no such field or this result not. */
const scree_measure_value *scree_measure_get(
    const scree_measure_kind *kind, const scree_measure_result *result, const char *name);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
