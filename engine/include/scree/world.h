/* The world: bodies, shapes, materials, pairs, and the time stepper.
 *
 * SI units throughout. Quaternions are (w,x,y,z). Spin is the angular velocity in the world frame [rad/s].
 * The caller owns the loop: change the world, call scree_world_step, read the world. The engine never calls
 * back, except that it calls a law defined by the user (scree_law_callbacks) during a step. */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include <stdint.h>
#include "scree/body.h"
#include "scree/cell.h"
#include "scree/cohesion.h"
#include "scree/stiffness.h"
#include "scree/fill.h"
#include "scree/law.h"
#include "scree/shape.h"
#include "scree/param.h"
#include "scree/sizes.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the world ---- */

enum { SCREE_ORDER_KEY, SCREE_ORDER_RANDOM, SCREE_ORDER_BOTTOM_UP };

enum { SCREE_DUMP_FAILED, SCREE_DUMP_UNMET, SCREE_DUMP_NEVER };

typedef struct scree_solver_def {
  const char *name;   /* "auto" | "nbgs" | ... (scree_solver_name) */
  int64_t iterations; /* largest number of sweeps per step */
  int64_t min_iterations;
  /* >= 1: largest number of sweeps per step that correct penetrations by positions */
  int64_t correction_iterations;
  /* stop when the residual is below tolerance * |g| dt (mean weight impulse per mass); 0: do all sweeps */
  double tolerance;
  double relaxation;  /* (0, 2), 1 is plain Gauss-Seidel */
  double warm_start;  /* [0, 1]: initial impulse over that of the last step */
  int acceleration;   /* nbgs: 0 or 1, momentum on sweeps (docs/solvers.md) */
  int order;          /* SCREE_ORDER_...: order in which pgs visits contacts */
  int64_t directions; /* lemke: edges of the friction cone of laws without edges of their own; 0: 8 */
  /* nbgs: runs on one thread if there are fewer contacts per thread than this; results do not depend on it */
  int64_t contacts_per_thread;
  /* SCREE_DUMP_...: steps whose problems are written to files (scree_world_set_dump_directory) */
  int dump;
  /* >= 0: softness of contacts of pairs without stiffness, in springs whose stiffness is at least 3000
   * times the mean force of contacts over the grain diameter (scree/stiffness.h); 0: these contacts are
   * rigid */
  double softness;
} scree_solver_def;
extern const scree_param scree_solver_params[];
extern const int scree_solver_params_count;

/* Correction of penetrations: by shifting positions after velocities are solved, which keeps joints closed,
 * or by separation velocities of the contacts. */
enum { SCREE_CORRECTION_POSITION, SCREE_CORRECTION_VELOCITY };

enum {
  SCREE_STEPPER_SEMI_IMPLICIT,
  SCREE_STEPPER_STEWART_TRINKLE,
  SCREE_STEPPER_PENALTY,
  SCREE_STEPPER_SECOND_ORDER
};

/* Treatment of a dynamic body whose position leaves the domain. REMOVE: the body is removed with its joints
 * and bonds after the step. ERROR: the step returns SCREE_E_ARGUMENT. KEEP: the body stays and is counted. */
enum { SCREE_LOST_REMOVE, SCREE_LOST_ERROR, SCREE_LOST_KEEP };

/* Box in which bodies should stay: min < max along each axis. All six numbers 0: no domain. */
typedef struct scree_domain_def {
  double min[3], max[3]; /* [m] */
  int lost;              /* SCREE_LOST_... */
} scree_domain_def;
extern const scree_param scree_domain_params[];
extern const int scree_domain_params_count;

typedef struct scree_world_def {
  double gravity[3]; /* [m/s2] */
  double dt;         /* step [s], > 0 */
  double plane[3];   /* normal of the planes in which dynamic bodies move; 0: bodies move in space */
  /* share of a penetration removed per step, [0, 1]; ignored if drift_time > 0 */
  double erp;
  double drift_time; /* penetrations decay with this time constant [s]; 0: use erp */
  /* largest speed at which penetrations and errors of joints are corrected [m/s]; 0: no limit */
  double max_correction;
  int correction; /* SCREE_CORRECTION_...; steppers other than semi_implicit always correct by velocities */
  /* gap up to which contacts are found, in units of the smaller radius; a gap that gravity closes in the step
   * is added */
  double margin;
  /* extra reach of neighbour lists beyond margin, in units of the mean radius; 0: 0.2 */
  double skin;
  int64_t threads;  /* >= 1 */
  int64_t substeps; /* >= 1: number of substeps of dt/substeps, each solved; loads act in all of them */
  /* nonzero: contacts are found once per step; in its substeps they move with their bodies with constant
   * normals */
  int reuse_contacts;
  /* SCREE_STEPPER_...: hard contact, or springs and dashpots (laws hooke and hertz) */
  int stepper;
  /* nonzero: joints are projected in positions after each step, instead of feeding errors back with erp */
  int correct_joints;
  /* speed [m/s]: steps skip islands whose bodies have all been slower than this for some time, until
   * something approaches or changes them; 0: no sleep (docs/solvers.md) */
  double sleep;
  /* nonzero: dissipation is recorded per contact, pair of materials and joints (scree_world_losses) */
  int losses;
  /* > 0: factors on the coefficients of friction and on the cohesion of all pairs that are set */
  double friction_factor, cohesion_factor;
  scree_cell_def cell; /* periodic directions; no cell without any */
  scree_domain_def domain;
  scree_solver_def solver;
} scree_world_def;
extern const scree_param scree_world_params[];
extern const int scree_world_params_count;

/* Returns a def with all defaults. */
scree_world_def scree_world_defaults(void);
/* Returns a world; NULL on error. */
scree_world *scree_world_create(const scree_world_def *def, scree_error *error);
/* Frees a world. NULL is allowed. */
void scree_world_destroy(scree_world *world);
/* Returns the present settings of a world, which belong to it. */
const scree_world_def *scree_world_get_def(const scree_world *world);

/* ---- materials and pairs ---- */

typedef struct scree_material_def {
  const char *name; /* required, unique */
  double density;   /* [kg/m3] default for shapes of this material */
} scree_material_def;
extern const scree_param scree_material_params[];
extern const int scree_material_params_count;
/* Adds a material. Returns its index, or -1. Material 0, "default" (density 1000), always exists. */
int scree_world_add_material(scree_world *world, const scree_material_def *def, scree_error *error);
/* Returns the index of a material, or -1 with the nearest name in the text. */
int scree_world_find_material(const scree_world *world, const char *name, scree_error *error);
/* Returns the name of a material; NULL past the last. */
const char *scree_world_material_name(const scree_world *world, int index);

typedef struct scree_pair_def {
  int material1, material2;            /* order does not matter */
  const char *law;                     /* registered law, or one defined in this world */
  double params[SCREE_LAW_MAX_PARAMS]; /* as scree_law_params lists them */
  /* [0, 1]: contacts that close fast use the impact law; 0: inelastic */
  double restitution;
  int restitution_law;     /* scree_restitution (scree/impact.h) */
  scree_cohesion cohesion; /* all zero: none */
  /* [0, 1], pairs with restitution: share of the slip that the rebound reverses, within the friction limit;
   * 1: a superball */
  double tangential_restitution;
  scree_stiffness stiffness; /* all zero: contacts are rigid */
} scree_pair_def;
/* The table of its keys: law, restitution, restitution_law, tangential_restitution. scree_world_law_params,
 * scree_cohesion_params and scree_stiffness_params describe `params`, `cohesion` and `stiffness`. */
extern const scree_param scree_pair_params[];
extern const int scree_pair_params_count;
/* Sets law and parameters of a pair of materials, replacing earlier ones. Pairs that were never set use the
 * pair ("default","default"), which is initially coulomb with mu = 0.5. Takes effect at the next step. */
scree_status scree_world_set_pair(scree_world *world, const scree_pair_def *def, scree_error *error);
/* Finds pairs of materials that were never set although bodies of both exist and one of them is dynamic.
 * Returns the number of such pairs, and the first `most` of them in out; -1 if out of memory. Layers are
 * ignored. */
int64_t scree_world_undefined_pairs(const scree_world *world, int (*out)[2], int64_t most);
/* Returns the name of the law between two materials. Sets *params to the law's parameters, in the order of
 * the law's parameter table. */
const char *scree_world_get_pair(
    const scree_world *world, int material1, int material2, const double **params);
/* Returns the coefficient of restitution between two materials, and its law in *law; 0 if a material does not
 * exist. */
double scree_world_get_restitution(const scree_world *world, int material1, int material2, int *law);
/* Returns the share of the slip that a rebound reverses; 0 if a material does not exist. */
double scree_world_get_tangential_restitution(const scree_world *world, int material1, int material2);
/* Returns the cohesion between two materials; all zero if a material does not exist. */
scree_cohesion scree_world_get_cohesion(const scree_world *world, int material1, int material2);

/* Returns the contact stiffness between two materials; all zero if a material does not exist. */
scree_stiffness scree_world_get_stiffness(const scree_world *world, int material1, int material2);

/* ---- stepping and reading ---- */

/* Advances by count steps of dt. After an error the world is in the state after the last whole step. */
scree_status scree_world_step(scree_world *world, int64_t count, scree_error *error);
/* Returns the simulated time [s]. */
double scree_world_time(const scree_world *world);
/* Returns the largest stable step for the contacts of the last step with the penalty stepper [s]; INFINITY
 * for other steppers. */
double scree_world_stable_dt(const scree_world *world);
/* Returns a step that resolves collisions with the penalty stepper: a tenth of the shortest contact time for
 * the stiffness, the lightest body and the present speeds [s]; INFINITY for other steppers. */
double scree_world_advised_dt(const scree_world *world);
/* Returns the number of steps so far. */
int64_t scree_world_steps(const scree_world *world);

/* Lists the first bodies of this rank, each once, that count in `crossed` or `held_back` of the report.
 * Returns their number, at most `most` and at most 5. */
int scree_world_crossed_bodies(const scree_world *world, scree_id *out, int most);
/* Lists the bodies that count in `held_back`, as scree_world_crossed_bodies does. */
int scree_world_held_back_bodies(const scree_world *world, scree_id *out, int most);

/* Returns the number of `fast` bodies of this rank with joints or bonds, and lists the first ones, at most
 * `most`. Moving such a body back opens its joints. */
int64_t scree_world_fast_joined(const scree_world *world, scree_id *out, int most);

/* A body that can drive another, or itself, through the thinnest wall. */
typedef struct scree_too_fast {
  scree_id body, struck; /* body: dynamic or kinematic; struck: the body that may pass the wall */
  double way;            /* displacement of `body` in a substep at its present speed [m] */
  double may;            /* half the smallest width of `struck` plus the wall's thickness [m] */
} scree_too_fast;
/* Returns the number of bodies that are too fast: their displacement in a substep exceeds half the smallest
 * width of the narrowest dynamic body that is not `fast`, plus the thickness of the thinnest wall. Walls are
 * shapes of fixed and kinematic bodies except half-spaces, and thin shapes of dynamic bodies. A mesh has the
 * thickness 0. out: at most `most` of these bodies, largest way/may first. *wall: the thickness, INFINITY if
 * no body is too fast. *wall_body: the wall's body. */
int64_t scree_world_too_fast(
    const scree_world *world, scree_too_fast *out, int most, double *wall, scree_id *wall_body);

/* Probable mistakes at the walls of a world before its first step. Walls are shapes of fixed and kinematic
 * bodies. */
enum {
  SCREE_START_INSIDE = 1, /* bodies with the middle of a shape inside a solid wall */
  SCREE_START_BETWEEN,    /* bodies between faces of meshes that are closer than the body is wide */
  SCREE_START_TURNED,     /* triangles of a solid mesh that were reversed to face outwards */
  SCREE_START_ACROSS      /* bodies across the surface of a mesh that has no inside */
};
typedef struct scree_start_note {
  int what;       /* SCREE_START_... */
  scree_id wall;  /* body of the wall */
  int type;       /* of the wall's shape */
  int64_t count;  /* number of bodies, or of reversed triangles */
  int64_t of;     /* TURNED: triangles of the mesh; else 0 */
  scree_id first; /* INSIDE, BETWEEN, ACROSS: the body with the lowest id; else 0 */
  double depth;   /* ACROSS: largest depth over half the body's width along the normal, above 0.5; else 0 */
} scree_start_note;
/* Finds the notes for the present poses. *count: the number of notes. out: at most `most` notes, in the order
 * of the walls' ids. Bodies that a joint connects to the wall, bodies that avoid its layer, and images in a
 * periodic cell are ignored. Takes about as long as a step. */
scree_status scree_world_start_notes(
    const scree_world *world, scree_start_note *out, int most, int64_t *count, scree_error *error);
/* Writes the text of a note. */
void scree_start_note_text(const scree_world *world, const scree_start_note *note, char *text, size_t size);
/* Sets the step from the next step on [s], > 0. */
scree_status scree_world_set_dt(scree_world *world, double dt, scree_error *error);
/* Sets gravity from the next step on [m/s2]. */
scree_status scree_world_set_gravity(scree_world *world, const double gravity[3], scree_error *error);

enum {
  SCREE_STAGE_BROAD,
  SCREE_STAGE_NARROW,
  SCREE_STAGE_ASSEMBLE,
  SCREE_STAGE_SOLVE,
  SCREE_STAGE_INTEGRATE,
  SCREE_STAGES
};
/* Returns the name of a stage; NULL past the last. */
const char *scree_stage_name(int stage);

typedef struct scree_report {
  double time;
  int64_t step;
  int64_t bodies;  /* all kinds */
  int64_t dynamic; /* dynamic bodies */
  /* contacts found within the margin; with substeps: contacts of the last substep, and contacts that had an
   * impulse in an earlier substep and have opened since */
  int64_t contacts;
  int64_t active;     /* contacts with an impulse in the last step */
  int64_t touching;   /* contacts with gap <= 0 */
  int64_t iterations; /* sum over the substeps of the last step */
  double residual;    /* [m/s], see docs/solvers.md; of the last substep */
  /* Unbalanced share of the load (docs/solvers.md): of the last step; and a running mean over about the last
   * 500 steps, sampled every 32 steps (before the first sample: of the last step) */
  double unbalanced, unbalanced_mean;
  /* largest unbalanced share of a single step so far. Evaluated every 32 steps, and in each step whose
   * relative residual is 1.5 times the largest evaluated before */
  double unbalanced_most;
  double kinetic, potential;  /* [J]; potential relative to the origin */
  double momentum[3];         /* linear [N s], dynamic bodies */
  double angular_momentum[3]; /* about the origin [N m s] */
  double penetration;         /* largest penetration found by the last step [m], >= 0 */
  double mean_penetration;    /* over touching contacts [m] */
  double dissipated;          /* energy dissipated by contacts and joints so far [J] */
  double work;                /* work of loads, motors, driven bodies and moving surfaces so far [J] */
  double correction;          /* energy error of the time step so far [J] (docs/measure.md) */
  double elastic; /* energy stored in contacts by the penalty stepper, and in springs of joints [J] */
  /* largest depth of a contact over half the smallest width of the smaller shape, in the last step */
  double overlap;
  /* largest overlap so far, sampled every 32 steps and, from step 32 on, in reports passed to
   * scree_world_note_report. If above 1/2, bodies have passed into each other. overlap_most is the former
   * name, valid until the next release. */
  union {
    double overlap_max, overlap_most;
  };
  /* number of times that the middle of a body's shape went into or through a wall. Walls are meshes, shapes
   * of fixed or kinematic bodies, and thin shapes of dynamic bodies */
  int64_t crossed;
  /* number of times that the path of a `fast` body ended early because the search for its stop took too many
   * steps */
  int64_t held_back;
  /* bodies that left world.domain: removed so far; with SCREE_LOST_KEEP and SCREE_LOST_ERROR: outside at
   * present */
  int64_t bodies_lost;
  /* largest stable step for the present contacts [s]; INFINITY without any, and for hard contact */
  double stable_dt;
  double max_speed; /* [m/s] */
  int64_t rebuilds; /* neighbour lists built so far */
  int64_t pairs;    /* pairs on the present list */
  /* reach of neighbour lists beyond the margin: world.skin, or 0.2 if that is 0 [mean radii] */
  double skin;
  int64_t impacts; /* single impacts in the last step (pairs with restitution) */
  int64_t asleep;  /* dynamic bodies that sleep (world.sleep) */
  /* share of the solver's lanes with a contact in the last step; 0 if the solver has no lanes */
  double bundle_fill;
  /* Solver `auto` so far: steps that reused the impulses, steps with sweeps, and steps of these with
   * momentum; islands solved by newton; islands left above the tolerance because newton does not support a
   * law in them (unfit), would have been too expensive (dear), or did not pay recently and they move
   * (moving) */
  int64_t steps_untouched, steps_swept, steps_momentum, islands_newton, islands_unfit, islands_dear,
      islands_moving;
  /* steps_again: steps so far that were solved again because their first solution added more kinetic energy
   * than loads, gravity, motors and driven bodies could. steps_gaining: those of these steps whose last
   * solution still added too much */
  int64_t steps_again, steps_gaining;
  /* solves so far (substeps count separately) with at least one sweep, and those of them that used all
   * allowed sweeps and stayed above the tolerance */
  int64_t steps_solved, steps_capped;
  int64_t bytes_bodies; /* heap bytes of rows of bodies and shapes */
  /* heap bytes of neighbour pairs, contacts with their contact cache, and the scratch of a step */
  int64_t bytes_contacts;
  double seconds[SCREE_STAGES]; /* wall time of each stage so far [s] */
  int64_t ranks;                /* processes that share the world; 1 for a whole world */
  double waiting;               /* longest time a rank has spent in exchanges with others so far [s] */
  /* bodies of the fullest rank over the mean, when neighbour lists were last built; 1 for a whole world */
  double imbalance;
} scree_report;
/* Computes a report; on several ranks (scree/dist.h) over all ranks, collective. */
void scree_world_report(const scree_world *world, scree_report *report);
/* Includes the overlap of a report of the present step in overlap_max of all later reports. Ignores the first
 * 31 steps, in which bodies that overlap at the start are separated. Callers that display overlaps of reports
 * call this function, so that overlap_max is never below an overlap displayed before. */
void scree_world_note_report(scree_world *world, const scree_report *report);

/* A figure of a run that exceeds the largest value of a valid run (docs/solvers.md). */
typedef struct scree_fault {
  const char *name; /* "crossed", "overlap", "energy" or "residual"; static */
  double value;     /* value in this run; may be INFINITY */
  double limit;     /* largest valid value */
} scree_fault;
enum { SCREE_FAULTS = 4 };
/* Writes the faults of the world's run so far to out and returns their number. 0: the run is valid. report:
 * the present report. Collective. */
int scree_world_faults(const scree_world *world, const scree_report *report, scree_fault out[SCREE_FAULTS]);

/* Returns the number of materials. */
int scree_world_materials(const scree_world *world);
/* Computes the parts of `dissipated` [J] of a world with losses. lost[i * n + j] and lost[j * n + i]: by
 * contacts between materials i and j, n materials. elsewhere: by friction, limits and dampers of joints, and
 * by bodies that fell asleep. The sum is that of the report. Collective. SCREE_E_ARGUMENT: the world records
 * no losses (scree_world_def.losses). */
enum { SCREE_LOST_JOINTS, SCREE_LOST_SLEEP, SCREE_LOST_ELSEWHERE };
/* Sets lost [materials x materials] and elsewhere. */
scree_status scree_world_losses(
    const scree_world *world, double *lost, double elsewhere[SCREE_LOST_ELSEWHERE], scree_error *error);

/* Returns the residual of the last solve, and the velocity to which solver.tolerance is relative [m/s]; 0 if
 * no step was solved yet. Costs nothing, unlike a report. */
void scree_world_solved(const scree_world *world, double *residual, double *scale);

/* A contact of the last step. With substeps, impulse, moment, pull and lost are sums over the substeps
 * (docs/measure.md). */
typedef struct scree_contact {
  scree_id body1, body2;
  double point[3], normal[3]; /* normal from body 2 to body 1; of the last substep that found the contact */
  /* at the start of the last substep that found the contact [m], negative: penetration */
  double gap;
  double impulse[3]; /* on body 1, world frame [N s] */
  /* scree_contact_state in the last substep in which the contact had an impulse */
  int state;
  int material1, material2;
  /* moment of rolling and torsional friction on body 1, world frame [N m s]; torsion is its normal
   * component */
  double moment[3];
  double pull; /* impulse of cohesion along the normal, part of `impulse` [N s], at least 0 */
  /* energy dissipated in the last step, and since the contact began [J]; 0 if the world records no losses */
  double lost, lost_since;
  /* tributary area of the contact in its face [m2]; slip of the face since it began, the length of its way
   * [m]; both 0 unless a pair has a stiffness per area */
  double area, slip;
  int face; /* scree_face_state of the face */
} scree_contact;
/* Returns the number of contacts of the last step on this rank. */
int64_t scree_world_contacts_count(const scree_world *world);
/* Reads a contact of the last step, 0 <= index < count; else all members are 0. */
void scree_world_contact(const scree_world *world, int64_t index, scree_contact *contact);

/* Views of all bodies as arrays, one row per body. The order may change from step to step (SCREE_VIEW_ID has
 * the ids). A pointer is valid until the next step, add, remove or fill (scree_world_version then
 * changes). */
typedef enum scree_view {
  /* double x 3, 4, 3, 3; writable for dynamic bodies. The next step rejects (SCREE_E_ARGUMENT) numbers that
   * are not finite or cannot be squared, and orientations of length 0; other orientations are normalised */
  SCREE_VIEW_POSITION,
  SCREE_VIEW_ORIENTATION,
  SCREE_VIEW_VELOCITY,
  SCREE_VIEW_SPIN,
  SCREE_VIEW_RADIUS,
  SCREE_VIEW_MASS, /* double x 1, read only */
  SCREE_VIEW_ID,
  SCREE_VIEW_GROUP,
  SCREE_VIEW_KIND /* int64 x 1, read only */
} scree_view;
/* Returns the number of columns, or 0 for an unknown view. *data: the rows (double or int64_t). */
int scree_world_view(scree_world *world, scree_view view, void **data, int64_t *rows);
/* Returns a number that changes when views become out of date. */
uint64_t scree_world_version(const scree_world *world);

/* Returns a hash of time, step, and ids, positions, orientations, velocities and spins of all bodies: equal
 * hashes mean equal bits. Collective on several ranks, which all return the same. */
uint64_t scree_world_hash(const scree_world *world);

/* ---- worlds distributed over several processes (scree/dist.h) ---- */
/* Returns the number of ranks, 1 for a whole world, and this rank in *rank. */
int scree_world_ranks(const scree_world *world, int *rank);
/* Replaces each value by its sum, or by its largest value if `largest`, over all ranks, in the same order on
 * each rank; collective. Does nothing in a whole world. */
void scree_world_combine(const scree_world *world, int largest, double *value, int count);
/* Gathers the bytes of all ranks, in the order of ranks, on rank 0; on other ranks *all is NULL and *total 0.
 * Collective. The bytes belong to the world and are valid until the next call. */
scree_status scree_world_gather(
    scree_world *world, const void *bytes, size_t size, const void **all, size_t *total, scree_error *error);
/* Returns a hull or mesh of a distributed world by its number, from 1 and equal on every rank; NULL past the
 * last. */
const scree_geometry *scree_world_geometry(const scree_world *world, uint32_t number);

/* ---- shapes for exports and drawing ---- */
typedef struct scree_shape_info {
  scree_id body;
  int type;
  int material;
  double radius, length, size[3], normal[3]; /* as in scree_shape_def */
  /* pose in the body's frame (dynamic bodies: about the centre of mass) */
  double position[3], orientation[4];
  const scree_geometry *geometry;
  double own[SCREE_SHAPE_OWN];
} scree_shape_info;
/* Returns the solid volume of a shape [m3]; INFINITY for half-spaces and open meshes. */
double scree_shape_volume(const scree_shape_info *shape);
/* Computes the point of a convex shape furthest along a direction, in the shape's own frame. Returns 0 and
 * the origin for shapes that are not convex. */
int scree_shape_support(const scree_shape_info *shape, const double direction[3], double out[3]);
/* Passes the triangles of a shape to `put`, in its own frame, corners counter-clockwise seen from outside;
 * triangles without area may be among them. Returns 0 for half-spaces and damaged shapes, which have no
 * triangles. */
int scree_shape_triangles(const scree_shape_info *shape,
    void (*put)(void *to, const double a[3], const double b[3], const double c[3]), void *to);
/* Returns the number of shapes. */
int64_t scree_world_shapes_count(const scree_world *world);
/* Reads a shape; 0 <= index < count. */
void scree_world_shape(const scree_world *world, int64_t index, scree_shape_info *info);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
