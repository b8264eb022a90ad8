/* The world: bodies, shapes, materials, pairs, and the time stepper.
 *
 * All numbers are in SI units. Quaternions are (w,x,y,z). Spin is the angular velocity in world axes [rad/s].
 * The caller has the loop over steps: change the world, call scree_world_step, read the world. During a step
 * the engine calls no functions of the caller, except those of laws that the caller defines
 * (scree_law_callbacks). */
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

enum { SCREE_SOFTEN_SWEEPS = 30 }; /* see scree_solver_def.soften */
typedef struct scree_solver_def {
  const char *name;   /* name of a solver: "auto", "nbgs", ... (scree_solver_name) */
  int64_t iterations; /* largest number of sweeps per step */
  int64_t min_iterations;
  /* largest number of sweeps per step that correct penetrations by positions, >= 1 */
  int64_t correction_iterations;
  /* Sweeps end when the residual is below tolerance times a velocity scale. The scale is |g| dt or, if
   * larger, the mean closing velocity of the contacts (docs/solvers.md). 0: all `iterations` are done */
  double tolerance;
  double relaxation;  /* relaxation factor in (0, 2); 1: plain Gauss-Seidel */
  double warm_start;  /* initial impulses divided by the impulses of the last step, [0, 1] */
  int acceleration;   /* nbgs: 1: sweeps with momentum (docs/solvers.md); 0: without */
  int order;          /* SCREE_ORDER_...: order in which pgs visits contacts */
  int64_t directions; /* lemke: number of edges of the friction cone, for laws that do not set it; 0: 8 */
  /* nbgs: with fewer contacts per thread than this number, one thread runs; results do not depend on it */
  int64_t contacts_per_thread;
  /* SCREE_DUMP_...: steps whose problems are written to files (scree_world_set_dump_directory) */
  int dump;
  /* softness >= 0 of contacts whose pair has no stiffness (scree/stiffness.h). Such a spring has at least
   * 3000 times the mean contact force divided by the grain diameter as stiffness. 0: these contacts are
   * rigid. */
  double softness;
  /* 1: the solver auto gives contacts the softness 0.01 if forces on average are off by more than 1 % of the
   * load and iterations >= SCREE_SOFTEN_SWEEPS (docs/solvers.md). 0: contacts stay rigid. */
  int soften;
} scree_solver_def;
extern const scree_param scree_solver_params[];
extern const int scree_solver_params_count;

/* Correction of penetrations. POSITION: positions are shifted after velocities are solved, which keeps joints
 * closed. VELOCITY: contacts get separation velocities. */
enum { SCREE_CORRECTION_POSITION, SCREE_CORRECTION_VELOCITY };

enum {
  SCREE_STEPPER_SEMI_IMPLICIT,
  SCREE_STEPPER_STEWART_TRINKLE,
  SCREE_STEPPER_PENALTY,
  SCREE_STEPPER_SECOND_ORDER
};

/* Treatment of a dynamic body whose position leaves the domain. REMOVE: the body, its joints and its bonds
 * are removed after the step. ERROR: the step returns SCREE_E_ARGUMENT. KEEP: the body stays and is
 * counted. */
enum { SCREE_LOST_REMOVE, SCREE_LOST_ERROR, SCREE_LOST_KEEP };

/* Box in which bodies should stay, with min < max along each axis. All six numbers 0: no domain. */
typedef struct scree_domain_def {
  double min[3], max[3]; /* lower and upper corner of the box [m] */
  int lost;              /* treatment of bodies outside the box: SCREE_LOST_... */
} scree_domain_def;
extern const scree_param scree_domain_params[];
extern const int scree_domain_params_count;

typedef struct scree_world_def {
  double gravity[3]; /* acceleration of gravity [m/s2] */
  double dt;         /* length of a step [s], > 0 */
  /* normal of the planes in which dynamic bodies move; 0: bodies move in three dimensions */
  double plane[3];
  /* share of a penetration that is removed per step, [0, 1]; ignored if drift_time > 0 */
  double erp;
  double drift_time; /* penetrations decay with this time constant [s]; 0: use erp */
  /* largest speed at which penetrations and position errors of joints are corrected [m/s]; 0: no limit */
  double max_correction;
  int correction; /* SCREE_CORRECTION_...; only for semi_implicit, all other steppers correct by velocities */
  /* gap up to which contacts are detected, divided by the smaller radius. A gap that gravity can close in the
   * step is added. */
  double margin;
  /* reach of neighbour lists beyond the margin, divided by the mean radius; 0: 0.2 */
  double skin;
  int64_t threads; /* number of threads, >= 1 */
  /* number of substeps of length dt/substeps, >= 1; each is solved, and loads act in all of them */
  int64_t substeps;
  /* nonzero: contacts are detected once per step. In the substeps they move with their bodies, with constant
   * normals. */
  int reuse_contacts;
  /* SCREE_STEPPER_...: all are for hard contact except PENALTY, which uses springs and dashpots (laws hooke
   * and hertz) */
  int stepper;
  /* nonzero: positions are projected onto the joints after each step; 0: position errors are fed back with
   * erp */
  int correct_joints;
  /* speed [m/s]. Steps skip islands whose bodies have all been slower than this for some time, until
   * something approaches or changes them. 0: no sleep (docs/solvers.md). */
  double sleep;
  /* nonzero: dissipation is recorded for each contact, pair of materials and joint (scree_world_losses) */
  int losses;
  /* factors > 0 that multiply the friction coefficients and the cohesion of all pairs that
   * scree_world_set_pair sets */
  double friction_factor, cohesion_factor;
  scree_cell_def cell; /* periodic cell; without periodic edges the world has no cell */
  scree_domain_def domain;
  scree_solver_def solver;
} scree_world_def;
extern const scree_param scree_world_params[];
extern const int scree_world_params_count;

/* Returns a definition with default values. */
scree_world_def scree_world_defaults(void);
/* Returns a world, or NULL with an error. */
scree_world *scree_world_create(const scree_world_def *def, scree_error *error);
/* Frees a world. NULL is allowed. */
void scree_world_destroy(scree_world *world);
/* Returns the present settings of a world. The pointer is valid as long as the world. */
const scree_world_def *scree_world_get_def(const scree_world *world);

/* ---- materials and pairs ---- */

typedef struct scree_material_def {
  const char *name; /* name, unique in the world; required */
  double density;   /* density of shapes of this material that do not set one [kg/m3] */
} scree_material_def;
extern const scree_param scree_material_params[];
extern const int scree_material_params_count;
/* Adds a material. Returns its index, or -1 on error. Material 0, "default" (density 1000), always exists. */
int scree_world_add_material(scree_world *world, const scree_material_def *def, scree_error *error);
/* Returns the index of a material. If there is none with this name, returns -1 and suggests the most similar
 * name in the error. */
int scree_world_find_material(const scree_world *world, const char *name, scree_error *error);
/* Returns the name of the material with an index; NULL past the last. */
const char *scree_world_material_name(const scree_world *world, int index);

typedef struct scree_pair_def {
  int material1, material2;            /* indices of the materials, in any order */
  const char *law;                     /* name of a registered law, or of a law defined in this world */
  double params[SCREE_LAW_MAX_PARAMS]; /* parameters of the law, in the order of scree_law_params */
  /* coefficient of restitution, [0, 1]; contacts that close fast use the impact law; 0: inelastic */
  double restitution;
  int restitution_law;     /* law of restitution: a scree_restitution (scree/impact.h) */
  scree_cohesion cohesion; /* all members 0: no cohesion */
  /* [0, 1], for pairs with restitution: share of the slip that the rebound reverses, within the friction
   * limit; 1: a superball */
  double tangential_restitution;
  scree_stiffness stiffness; /* all members 0: contacts are rigid */
} scree_pair_def;
/* Parameter table of the keys of a pair: law, restitution, restitution_law, tangential_restitution.
 * scree_world_law_params, scree_cohesion_params and scree_stiffness_params describe the members params,
 * cohesion and stiffness. */
extern const scree_param scree_pair_params[];
extern const int scree_pair_params_count;
/* Sets law and parameters of a pair of materials from the next step on. Pairs that were never set use the
 * pair ("default","default"), which is initially coulomb with mu = 0.5. */
scree_status scree_world_set_pair(scree_world *world, const scree_pair_def *def, scree_error *error);
/* Finds pairs of materials that were never set although bodies of both materials exist and one of them is
 * dynamic. Returns the number of such pairs and writes the first `most` of them to out. Returns -1 without
 * memory. Ignores layers. */
int64_t scree_world_undefined_pairs(const scree_world *world, int (*out)[2], int64_t most);
/* Returns the name of the law between two materials. Sets *params to the law's parameters, in the order of
 * the law's parameter table. */
const char *scree_world_get_pair(
    const scree_world *world, int material1, int material2, const double **params);
/* Returns the coefficient of restitution of a pair of materials, and sets *law to its restitution law.
 * Returns 0 if a material does not exist. */
double scree_world_get_restitution(const scree_world *world, int material1, int material2, int *law);
/* Returns the share of the slip that a rebound of a pair of materials reverses; 0 if a material does not
 * exist. */
double scree_world_get_tangential_restitution(const scree_world *world, int material1, int material2);
/* Returns the cohesion of a pair of materials; all members are 0 if a material does not exist. */
scree_cohesion scree_world_get_cohesion(const scree_world *world, int material1, int material2);

/* Returns the contact stiffness of a pair of materials; all members are 0 if a material does not exist. */
scree_stiffness scree_world_get_stiffness(const scree_world *world, int material1, int material2);

/* ---- stepping and reading ---- */

/* Advances the world by `count` steps of dt. After an error the world has the state after the last whole
 * step. */
scree_status scree_world_step(scree_world *world, int64_t count, scree_error *error);
/* Returns the simulated time [s]. */
double scree_world_time(const scree_world *world);
/* Returns the largest stable step of the penalty stepper for the contacts of the last step [s]; INFINITY for
 * other steppers. */
double scree_world_stable_dt(const scree_world *world);
/* Returns a step with which the penalty stepper resolves collisions [s]: a tenth of the shortest collision
 * for the stiffness, the lightest body and the present speeds. Returns INFINITY for other steppers. */
double scree_world_advised_dt(const scree_world *world);
/* Returns the number of steps so far. */
int64_t scree_world_steps(const scree_world *world);

/* Writes the ids of the first bodies of this rank that count in `crossed` of the report to out, each once.
 * Returns their number, at most `most` and at most 5. */
int scree_world_crossed_bodies(const scree_world *world, scree_id *out, int most);
/* Writes the ids of the first bodies that count in `held_back` of the report to out, like
 * scree_world_crossed_bodies. */
int scree_world_held_back_bodies(const scree_world *world, scree_id *out, int most);

/* Returns the number of `fast` bodies of this rank with joints or bonds. Writes the ids of the first ones, at
 * most `most`, to out. Moving such a body back opens its joints. */
int64_t scree_world_fast_joined(const scree_world *world, scree_id *out, int most);

/* A body that is so fast that it may pass through the thinnest wall or push another body through it. */
typedef struct scree_too_fast {
  /* body: the fast body, dynamic or kinematic; struck: the body that may pass the wall */
  scree_id body, struck;
  double way; /* displacement of `body` in a substep at its present speed [m] */
  double may; /* limit of `way`: half the smallest width of `struck` plus the thickness of the wall [m] */
} scree_too_fast;
/* Returns the number of bodies that are too fast. Their displacement in a substep exceeds a limit: half the
 * smallest width of the narrowest dynamic body that is not `fast`, plus the thickness of the thinnest wall.
 * Walls are shapes of fixed and kinematic bodies except half-spaces, and thin shapes of dynamic bodies. A
 * mesh has the thickness 0. out: receives at most `most` of these bodies, the largest way/may first. *wall:
 * thickness of the wall [m], INFINITY if no body is too fast. *wall_body: body of this wall. */
int64_t scree_world_too_fast(
    const scree_world *world, scree_too_fast *out, int most, double *wall, scree_id *wall_body);

/* Notes: probable mistakes at the walls of a world before its first step. Walls are shapes of fixed and
 * kinematic bodies. */
enum {
  SCREE_START_INSIDE = 1, /* bodies with the middle of a shape inside a solid wall */
  /* bodies between two faces of meshes whose distance is smaller than the body's width */
  SCREE_START_BETWEEN,
  SCREE_START_TURNED, /* triangles of a solid mesh that were reversed so that they face outwards */
  SCREE_START_ACROSS  /* bodies that extend across the surface of a mesh without an inside */
};
typedef struct scree_start_note {
  int what;       /* kind of note: SCREE_START_... */
  scree_id wall;  /* body of the wall */
  int type;       /* type of the wall's shape: a scree_shape_type */
  int64_t count;  /* number of bodies, or of reversed triangles */
  int64_t of;     /* TURNED: number of triangles of the mesh; else 0 */
  scree_id first; /* INSIDE, BETWEEN, ACROSS: body with the lowest id; else 0 */
  double depth;   /* ACROSS: largest depth divided by half the body's width along the normal, > 0.5; else 0 */
} scree_start_note;
/* Finds the notes for the present poses. *count: number of notes. out: receives at most `most` notes, sorted
 * by the wall's id. Ignores bodies that a joint connects to the wall, bodies that avoid its layer, and images
 * in a periodic cell. Takes about as long as a step. */
scree_status scree_world_start_notes(
    const scree_world *world, scree_start_note *out, int most, int64_t *count, scree_error *error);
/* Writes the text of a note to `text`. size: size of text [bytes]. */
void scree_start_note_text(const scree_world *world, const scree_start_note *note, char *text, size_t size);
/* Sets the length of steps from the next step on [s], > 0. */
scree_status scree_world_set_dt(scree_world *world, double dt, scree_error *error);
/* Sets the gravity of the next and all later steps [m/s2]. */
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
  int64_t bodies;  /* number of bodies of all kinds */
  int64_t dynamic; /* number of dynamic bodies */
  /* number of contacts detected within the margin. With substeps: contacts of the last substep, plus contacts
   * that had an impulse in an earlier substep and have opened since. */
  int64_t contacts;
  int64_t active; /* number of contacts with an impulse in the last step */
  int64_t rigid;  /* number of `active` contacts that are rigid: neither pair nor solver makes them springs */
  int64_t touching;   /* number of contacts with gap <= 0 */
  int64_t iterations; /* iterations of the solver, summed over the substeps of the last step */
  double residual;    /* residual of the last substep [m/s] (docs/solvers.md) */
  /* Unbalanced share of the load (docs/solvers.md). unbalanced: in the last step. unbalanced_mean: running
   * mean over about the last 500 steps, sampled every 32 steps; before the first sample, the value of the
   * last step. */
  double unbalanced, unbalanced_mean;
  /* largest unbalanced share of a single step so far. Evaluated every 32 steps, and in each step whose
   * relative residual is 1.5 times the largest of all steps evaluated before */
  double unbalanced_most;
  double kinetic, potential;  /* kinetic and potential energy [J]; the potential energy is 0 at the origin */
  double momentum[3];         /* linear momentum of dynamic bodies [N s] */
  double angular_momentum[3]; /* angular momentum about the origin [N m s] */
  double penetration;         /* largest penetration in the last step [m], >= 0 */
  double mean_penetration;    /* mean penetration of touching contacts [m] */
  double dissipated;          /* energy dissipated by contacts and joints so far [J] */
  double work;                /* work of loads, motors, driven bodies and moving surfaces so far [J] */
  double correction;          /* energy error of the time integration so far [J] (docs/measure.md) */
  double elastic;             /* energy in contacts of the penalty stepper and in springs of joints [J] */
  /* largest depth of a contact in the last step, divided by half the smallest width of the smaller shape */
  double overlap;
  /* largest overlap so far, sampled every 32 steps and, from step 32 on, in reports passed to
   * scree_world_note_report. Above 1/2, bodies have passed into each other. overlap_most is the former name,
   * valid until the next release. */
  union {
    double overlap_max, overlap_most;
  };
  /* number of times that the middle of a shape has moved into or through a wall. Walls are meshes, shapes of
   * fixed or kinematic bodies, and thin shapes of dynamic bodies. */
  int64_t crossed;
  /* number of times that the path of a `fast` body ended early because the search for its stop needed too
   * many steps */
  int64_t held_back;
  /* number of bodies that left world.domain: removed so far. With SCREE_LOST_KEEP and SCREE_LOST_ERROR:
   * outside at present. */
  int64_t bodies_lost;
  /* largest stable step for the present contacts [s]; INFINITY without contacts and for hard contact */
  double stable_dt;
  double max_speed; /* largest speed of a body [m/s] */
  int64_t rebuilds; /* number of neighbour lists built so far */
  int64_t pairs;    /* number of pairs in the present neighbour list */
  /* reach of neighbour lists beyond the margin, divided by the mean radius: world.skin, or 0.2 if it is 0 */
  double skin;
  int64_t impacts; /* number of impacts of single contacts in the last step (pairs with restitution) */
  int64_t asleep;  /* number of dynamic bodies that sleep (world.sleep) */
  /* share of the solver's lanes that contained a contact in the last step; 0 if the solver has no lanes */
  double bundle_fill;
  /* Counts of solver `auto` so far. steps_untouched: steps that reused the impulses of the last step;
   * steps_swept: steps with sweeps; steps_momentum: steps with sweeps and momentum; islands_newton: islands
   * that newton solved. The other members count islands that stayed above the tolerance because newton does
   * not support one of their laws (islands_unfit), because newton would have been too expensive
   * (islands_dear), or because newton was recently not worthwhile for the moving island (islands_moving). */
  int64_t steps_untouched, steps_swept, steps_momentum, islands_newton, islands_unfit, islands_dear,
      islands_moving;
  /* steps_again: number of steps that were solved again because the first solution added more kinetic energy
   * than loads, gravity, motors and driven bodies could add. steps_gaining: number of those steps whose last
   * solution still added too much. */
  int64_t steps_again, steps_gaining;
  int64_t softened; /* step after which rigid contacts became springs (solver.soften); 0: none did */
  /* number of solves so far with at least one sweep (each substep counts); number of those that made all
   * allowed sweeps and stayed above the tolerance */
  int64_t steps_solved, steps_capped;
  int64_t bytes_bodies; /* heap memory of rows of bodies and shapes [bytes] */
  /* heap memory of neighbour pairs, contacts with the contact cache, and the scratch of a step [bytes] */
  int64_t bytes_contacts;
  double seconds[SCREE_STAGES]; /* wall time of each stage so far [s] */
  int64_t ranks;                /* number of ranks that share the world; 1: the world is not distributed */
  /* longest time that a rank has spent in exchanges with other ranks so far [s] */
  double waiting;
  /* number of bodies of the rank with most bodies, divided by the mean, when neighbour lists were last built;
   * 1: the world is not distributed */
  double imbalance;
} scree_report;
/* Computes a report of the world. On several ranks (scree/dist.h) it includes all ranks, and the function is
 * collective. */
void scree_world_report(const scree_world *world, scree_report *report);
/* Includes the overlap of a report of the present step in overlap_max of all later reports. Ignores the first
 * 31 steps, in which bodies that overlap at the start separate. Callers that display overlaps of reports call
 * this function, so that overlap_max is never below an overlap displayed before. */
void scree_world_note_report(scree_world *world, const scree_report *report);

/* A figure of a run that exceeds its largest valid value (docs/solvers.md). */
typedef struct scree_fault {
  const char *name; /* "crossed", "overlap", "energy" or "residual"; a static text */
  double value;     /* value of the figure in this run; may be INFINITY */
  double limit;     /* largest valid value of the figure */
} scree_fault;
enum { SCREE_FAULTS = 4 };
/* Writes the faults of the world's run so far to out and returns their number; 0: the run is valid. report: a
 * report of the present step. Collective. */
int scree_world_faults(const scree_world *world, const scree_report *report, scree_fault out[SCREE_FAULTS]);

/* Returns the number of materials. */
int scree_world_materials(const scree_world *world);
/* Parts of `dissipated` that are not lost at contacts: in friction, limits and dampers of joints, and in
 * bodies that fell asleep. */
enum { SCREE_LOST_JOINTS, SCREE_LOST_SLEEP, SCREE_LOST_ELSEWHERE };
/* Computes the parts of `dissipated` [J] in a world that records losses. lost: [n x n] for n materials;
 * lost[i * n + j] and lost[j * n + i] are the losses in contacts between materials i and j. elsewhere:
 * [SCREE_LOST_...] other losses. The sum of all is `dissipated` of the report. Collective. Returns
 * SCREE_E_ARGUMENT if the world does not record losses (scree_world_def.losses). */
scree_status scree_world_losses(
    const scree_world *world, double *lost, double elsewhere[SCREE_LOST_ELSEWHERE], scree_error *error);

/* Sets *residual to the residual of the last solve [m/s], and *scale to the velocity to which
 * solver.tolerance is relative [m/s]. Both are 0 before the first step. Unlike a report, this function needs
 * no computation. */
void scree_world_solved(const scree_world *world, double *residual, double *scale);

/* A contact of the last step. With substeps, impulse, moment, pull and lost are sums over the substeps
 * (docs/measure.md). `last` below is the last substep in which the contact was detected. */
typedef struct scree_contact {
  scree_id body1, body2;
  /* contact point [m]; unit normal from body 2 to body 1; both from the `last` substep */
  double point[3], normal[3];
  /* gap at the start of the `last` substep [m]; negative: penetration */
  double gap;
  double impulse[3]; /* impulse on body 1, world axes [N s] */
  /* scree_contact_state in the last substep in which the contact had an impulse */
  int state;
  int material1, material2;
  /* moment of rolling and torsional friction on body 1, world axes [N m s]; its normal component is
   * torsion */
  double moment[3];
  double pull; /* impulse by which cohesion pulls along the normal, part of `impulse` [N s], >= 0 */
  /* energy dissipated in the last step, and since the contact began [J]; 0 if the world records no losses */
  double lost, lost_since;
  /* tributary area of the contact in its face [m2]; length of the path that the face has slipped since it
   * began [m]; both 0 unless a pair has a stiffness per area */
  double area, slip;
  int face; /* scree_face_state of the contact's face */
  /* in a cell: image of body2 that touches body1, as in scree_frame_contact; without a cell: 0 */
  int64_t image[3];
} scree_contact;
/* Returns the number of contacts of the last step on this rank. */
int64_t scree_world_contacts_count(const scree_world *world);
/* Sets *contact to a contact of the last step, 0 <= index < count. For other indices all members are 0. */
void scree_world_contact(const scree_world *world, int64_t index, scree_contact *contact);

/* Views of all bodies as arrays, one row per body. The order may change from step to step (SCREE_VIEW_ID has
 * the ids). A pointer is valid until the next step, add, remove or fill (scree_world_version then
 * changes). */
typedef enum scree_view {
  /* POSITION x 3, ORIENTATION x 4, VELOCITY x 3, SPIN x 3: double, writable for dynamic bodies. The next step
   * normalises orientations. It returns SCREE_E_ARGUMENT if a number is not finite or its square is not, or
   * if an orientation has length 0. */
  SCREE_VIEW_POSITION,
  SCREE_VIEW_ORIENTATION,
  SCREE_VIEW_VELOCITY,
  SCREE_VIEW_SPIN,
  SCREE_VIEW_RADIUS,
  SCREE_VIEW_MASS, /* RADIUS and MASS: double x 1, read only */
  SCREE_VIEW_ID,
  SCREE_VIEW_GROUP,
  SCREE_VIEW_KIND /* ID, GROUP and KIND: int64 x 1, read only */
} scree_view;
/* Sets *data to the rows of a view (double or int64_t) and *rows to their number. Returns the number of
 * columns; 0 for an unknown view. */
int scree_world_view(scree_world *world, scree_view view, void **data, int64_t *rows);
/* Returns a number that changes when views become invalid. */
uint64_t scree_world_version(const scree_world *world);

/* Returns a hash of time, number of steps, and ids, positions, orientations, velocities and spins of all
 * bodies. Equal bits give equal hashes. Collective on several ranks, which all return the same value. */
uint64_t scree_world_hash(const scree_world *world);

/* ---- worlds distributed over several processes (scree/dist.h) ---- */
/* Returns the number of ranks, 1 if the world is not distributed. Sets *rank to the number of this rank. */
int scree_world_ranks(const scree_world *world, int *rank);
/* Replaces each of `count` values by its sum over all ranks, or by its maximum if `largest` is not 0. The
 * order of summation is the same on each rank. Collective. Does nothing if the world is not distributed. */
void scree_world_combine(const scree_world *world, int largest, double *value, int count);
/* Concatenates `size` bytes of each rank, in the order of ranks, in *all on rank 0. On other ranks *all is
 * NULL and *total is 0. The bytes belong to the world and are valid until the next call. Collective. */
scree_status scree_world_gather(
    scree_world *world, const void *bytes, size_t size, const void **all, size_t *total, scree_error *error);
/* Returns a hull or mesh of a distributed world by its number, which starts at 1 and is equal on every rank.
 * Returns NULL past the last. */
const scree_geometry *scree_world_geometry(const scree_world *world, uint32_t number);

/* ---- shapes for exports and drawing ---- */
typedef struct scree_shape_info {
  scree_id body;
  int type;
  int material;
  double radius, length, size[3], normal[3]; /* members of scree_shape_def with these names */
  /* pose in the body's frame; for a dynamic body relative to the centre of mass */
  double position[3], orientation[4];
  const scree_geometry *geometry;
  double own[SCREE_SHAPE_OWN];
} scree_shape_info;
/* Returns the solid volume of a shape [m3]; INFINITY for half-spaces and open meshes. */
double scree_shape_volume(const scree_shape_info *shape);
/* Sets out to the point of a convex shape that is furthest along a direction, in the shape's frame, and
 * returns 1. For a shape that is not convex, sets out to the origin and returns 0. */
int scree_shape_support(const scree_shape_info *shape, const double direction[3], double out[3]);
/* Calls `put` with each triangle of a shape, in the shape's frame. Corners are counter-clockwise seen from
 * outside. Some triangles may have no area. Returns 0 for half-spaces and damaged shapes, which have no
 * triangles. to: argument of `put`. */
int scree_shape_triangles(const scree_shape_info *shape,
    void (*put)(void *to, const double a[3], const double b[3], const double c[3]), void *to);
/* Returns the number of shapes. */
int64_t scree_world_shapes_count(const scree_world *world);
/* Sets *info to the properties of a shape, 0 <= index < count. */
void scree_world_shape(const scree_world *world, int64_t index, scree_shape_info *info);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
