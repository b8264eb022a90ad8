/* The world: bodies, shapes, materials, pairs, and the time stepper.
 *
 * SI units throughout. Quaternions are (w,x,y,z). Spin is the angular velocity in the world frame
 * [rad/s]. The caller owns the loop: change things, scree_world_step, read things. The engine never
 * calls back, except that a law defined by the user (scree_law_callbacks) is asked for its answer during
 * a step. */
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
  int64_t iterations; /* most sweeps per step */
  int64_t min_iterations;
  int64_t correction_iterations; /* >= 1: most sweeps per step that take back penetrations by positions */
  /* stop when the residual falls below tolerance * |g| dt (mean weight impulse per mass); 0: never
   * early */
  double tolerance;
  double relaxation;  /* (0, 2), 1 is plain Gauss-Seidel */
  double warm_start;  /* [0, 1] share of the last impulse to start from */
  int acceleration;   /* nbgs: 0 or 1, momentum on sweeps (docs/solvers.md) */
  int order;          /* SCREE_ORDER_...: in which pgs visits contacts */
  int64_t directions; /* lemke: edges of the friction cone of laws that do not say themselves; 0: 8 */
  /* nbgs: below this many contacts a thread it solves in one thread; results do not depend on it */
  int64_t contacts_per_thread;
  /* SCREE_DUMP_...: which steps' problems go to files of their own (scree_world_set_dump_directory) */
  int dump;
} scree_solver_def;
extern const scree_param scree_solver_params[];
extern const int scree_solver_params_count;

/* How penetrations are taken back: by shifting positions after velocities are solved, which keeps joints
 * together, or by speeds that contacts ask for. */
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

/* The box that bodies should stay in: min < max along each axis. All six numbers 0: no domain. */
typedef struct scree_domain_def {
  double min[3], max[3]; /* [m] */
  int lost;              /* SCREE_LOST_... */
} scree_domain_def;
extern const scree_param scree_domain_params[];
extern const int scree_domain_params_count;

typedef struct scree_world_def {
  double gravity[3]; /* [m/s2] */
  double dt;         /* step [s], > 0 */
  double plane[3];   /* normal of the planes that dynamic bodies keep to; 0: bodies move in space */
  /* share of a penetration removed per step, [0, 1]; ignored where drift_time > 0 */
  double erp;
  double drift_time; /* penetrations decay with this time constant [s]; 0: use erp */
  /* penetrations and errors of joints are taken back at most at this speed [m/s]; 0: any */
  double max_correction;
  int correction; /* SCREE_CORRECTION_...; in other steppers always by velocities */
  /* contacts are found up to this gap, in units of the smaller radius, and up to what gravity closes */
  double margin;
  /* neighbour lists reach this far beyond margin, in units of the mean radius; 0: 0.2 */
  double skin;
  int64_t threads;  /* >= 1 */
  int64_t substeps; /* >= 1: steps of dt/substeps, each solved; loads act in all of them */
  /* contacts are found once a step; through its substeps they move with their bodies, normals stay */
  int reuse_contacts;
  /* SCREE_STEPPER_...: hard contact, or springs and dashpots (laws hooke and hertz) */
  int stepper;
  /* positions of joints are put right after each step, in place of feeding errors back at erp */
  int correct_joints;
  /* islands whose bodies have all been slower than this for long are left out of steps until something
   * comes near them or is done to them [m/s]; 0: none (docs/solvers.md) */
  double sleep;
  int losses; /* nonzero: contacts, pairs of materials and joints tell what they take (scree_world_losses) */
  scree_cell_def cell; /* periodic directions; without any there is no cell */
  scree_domain_def domain;
  scree_solver_def solver;
} scree_world_def;
extern const scree_param scree_world_params[];
extern const int scree_world_params_count;

/* A def with every default in place. */
scree_world_def scree_world_defaults(void);
/* NULL on error. */
scree_world *scree_world_create(const scree_world_def *def, scree_error *error);
void scree_world_destroy(scree_world *world);
const scree_world_def *scree_world_get_def(const scree_world *world);

/* ---- materials and pairs ---- */

typedef struct scree_material_def {
  const char *name; /* required, unique */
  double density;   /* [kg/m3] default for shapes of this material */
} scree_material_def;
extern const scree_param scree_material_params[];
extern const int scree_material_params_count;
/* Index of the new material, >= 0, or -1. Material 0, "default" (density 1000), always exists. */
int scree_world_add_material(scree_world *world, const scree_material_def *def, scree_error *error);
/* Index of a material, or -1 with the nearest name in the text. */
int scree_world_find_material(const scree_world *world, const char *name, scree_error *error);
/* NULL past the last. */
const char *scree_world_material_name(const scree_world *world, int index);

typedef struct scree_pair_def {
  int material1, material2;            /* order does not matter */
  const char *law;                     /* registered law, or one defined in this world */
  double params[SCREE_LAW_MAX_PARAMS]; /* as scree_law_params lists them */
  /* [0, 1]: contacts that close fast take the impact law; 0: inelastic */
  double restitution;
  int restitution_law;     /* scree_restitution (scree/impact.h) */
  scree_cohesion cohesion; /* all zero: none */
  /* [0, 1], of pairs with restitution: the share of the slip that the rebound reverses, as far as friction
   * goes; 1: a superball */
  double tangential_restitution;
  scree_stiffness stiffness; /* all zero: contacts are rigid */
} scree_pair_def;
/* Sets law and parameters for a pair of materials, overwriting. Pairs that were never set use the pair
 * ("default","default"), which starts as coulomb with mu = 0.5. Takes effect at the next step. */
scree_status scree_world_set_pair(scree_world *world, const scree_pair_def *def, scree_error *error);
/* Finds pairs of materials that nobody defined although bodies of both exist and one of them is dynamic.
 * Returns the number of such pairs, and the first `most` of them in out; -1 without memory. Layers are
 * ignored. */
int64_t scree_world_undefined_pairs(const scree_world *world, int (*out)[2], int64_t most);
/* Law in force between two materials; params as many as the law's table says. */
const char *scree_world_get_pair(
    const scree_world *world, int material1, int material2, const double **params);
/* Coefficient of restitution between two materials, and its law; 0 where a material does not exist. */
double scree_world_get_restitution(const scree_world *world, int material1, int material2, int *law);
double scree_world_get_tangential_restitution(const scree_world *world, int material1, int material2);
/* Cohesion between two materials; all zero where a material does not exist. */
scree_cohesion scree_world_get_cohesion(const scree_world *world, int material1, int material2);

/* Contact stiffness between two materials; all zero where a material does not exist. */
scree_stiffness scree_world_get_stiffness(const scree_world *world, int material1, int material2);

/* A law whose answer comes from the user (a script). Pointers are called from the stepping thread only. */
typedef struct scree_contact_info {
  scree_id body1, body2;
  double point[3], normal[3]; /* normal from body 2 to body 1 */
  double gap, dt;
  /* free relative velocity (n,t,o) at the start of the step, body 1 against body 2 */
  double velocity[3];
  double impulse[3]; /* last step's impulse (n,t,o) */
  double t[3];       /* first tangent; o = n x t */
  /* tangential relative velocity (t,o) as the last step left it, before this step's forces */
  double slip[2];
  double orientation1[4], orientation2[4]; /* of the bodies, body frame to world */
  /* bodies are locked to a plane (world.plane): t lies in it, nothing acts along o */
  int planar;
  /* body 1 carries the pair's second material: directions fixed in the first material's body are body 2's */
  int swapped;
  /* reduced radius 1/(1/R1 + 1/R2) [m]: of a ball its radius, of another moving body its bounding radius, of
   * another immovable body infinite */
  double radius;
} scree_contact_info;
typedef struct scree_law_callbacks {
  const char *name;
  /* law that solves with the refreshed parameters; NULL if solve is given */
  const char *base;
  const scree_param *params;
  int params_count; /* copied */
  int state_count;  /* doubles of state per contact, <= SCREE_LAW_MAX_STATE */
  /* Once per step and contact: may change params (this contact's copy) and state. Nonzero ends the run;
   * text in error. */
  int (*refresh)(
      void *user, double *params, double *state, const scree_contact_info *contact, scree_error *error);
  /* A packed as Ann,Ant,Ano,Att,Ato,Aoo. Nonzero ends the run. */
  int (*solve)(void *user, const double *params, const double A[6], const double b[3], double x[3],
      scree_error *error);
  void *user;
} scree_law_callbacks;
scree_status scree_world_define_law(scree_world *world, const scree_law_callbacks *law, scree_error *error);
/* Parameter table of a law as this world knows it (registered or defined here). */
const scree_param *scree_world_law_params(const scree_world *world, const char *law, int *count);

/* ---- stepping and reading ---- */

/* Advances by count steps of dt. On an error the world stays at the last whole step. */
scree_status scree_world_step(scree_world *world, int64_t count, scree_error *error);
double scree_world_time(const scree_world *world);
/* For the penalty stepper, else INFINITY: the largest stable step for the contacts of the last step, and
 * a step that resolves collisions, a tenth of the shortest that stiffness, the lightest body and the
 * present speeds allow [s]. */
double scree_world_stable_dt(const scree_world *world);
double scree_world_advised_dt(const scree_world *world);
int64_t scree_world_steps(const scree_world *world);

/* Lists the first bodies of this rank, each once, that count in `crossed` or `held_back` of the report.
 * Returns their number, at most `most` and at most 5. */
int scree_world_crossed_bodies(const scree_world *world, scree_id *out, int most);
int scree_world_held_back_bodies(const scree_world *world, scree_id *out, int most);

/* Returns the number of `fast` bodies of this rank with joints or bonds, and lists the first ones, at most
 * `most`. Moving such a body back opens its joints. */
int64_t scree_world_fast_joined(const scree_world *world, scree_id *out, int most);

/* A body that can drive another, or itself, through the thinnest wall. */
typedef struct scree_too_fast {
  scree_id body, struck; /* body: dynamic or kinematic; struck: the body that may pass the wall */
  double way;            /* displacement of `body` in a substep at its present speed [m] */
  double may;            /* half the least width of `struck` plus the wall's thickness [m] */
} scree_too_fast;
/* Returns the number of bodies that are too fast: their displacement in a substep exceeds half the least
 * width of the narrowest dynamic body that is not `fast`, plus the thickness of the thinnest wall. Walls are
 * shapes of fixed and kinematic bodies except half-spaces, and thin shapes of dynamic bodies. A mesh has the
 * thickness 0. out: receives at most `most` of these bodies, largest way/may first. *wall: the thickness,
 * INFINITY if no body is too fast. *wall_body: the wall's body. */
int64_t scree_world_too_fast(
    const scree_world *world, scree_too_fast *out, int most, double *wall, scree_id *wall_body);

/* Probable mistakes at the walls of a world before its first step. Walls are shapes of fixed and kinematic
 * bodies. */
enum {
  SCREE_START_INSIDE = 1, /* bodies have the middle of a shape inside a solid wall */
  SCREE_START_BETWEEN,    /* bodies lie between faces of meshes that are closer than the body is wide */
  SCREE_START_TURNED,     /* triangles of a solid mesh were turned to look outwards */
  SCREE_START_ACROSS      /* bodies lie across the surface of a mesh that has no inside */
};
typedef struct scree_start_note {
  int what;       /* SCREE_START_... */
  scree_id wall;  /* body of the wall */
  int type;       /* of the wall's shape */
  int64_t count;  /* bodies, or triangles that were turned */
  int64_t of;     /* TURNED: triangles of the mesh; else 0 */
  scree_id first; /* INSIDE, BETWEEN, ACROSS: the body with the lowest id; else 0 */
  double depth;   /* ACROSS: largest depth over half the body's width along the normal, above 0.5; else 0 */
} scree_start_note;
/* Finds the notes for the present poses. *count: the number of notes. out: receives at most `most` notes, in
 * the order of the walls' ids. Bodies that a joint connects to the wall, bodies that avoid its layer, and
 * images in a periodic cell are ignored. Takes about as long as a step. */
scree_status scree_world_start_notes(
    const scree_world *world, scree_start_note *out, int most, int64_t *count, scree_error *error);
/* Writes the text of a note. */
void scree_start_note_text(const scree_world *world, const scree_start_note *note, char *text, size_t size);
scree_status scree_world_set_dt(scree_world *world, double dt, scree_error *error);
scree_status scree_world_set_gravity(scree_world *world, const double gravity[3], scree_error *error);

enum {
  SCREE_STAGE_BROAD,
  SCREE_STAGE_NARROW,
  SCREE_STAGE_ASSEMBLE,
  SCREE_STAGE_SOLVE,
  SCREE_STAGE_INTEGRATE,
  SCREE_STAGES
};
const char *scree_stage_name(int stage);

typedef struct scree_report {
  double time;
  int64_t step;
  int64_t bodies;  /* all kinds */
  int64_t dynamic; /* dynamic bodies */
  /* contacts found within the margin; with substeps: contacts of the last substep, and contacts that
   * carried an impulse in an earlier substep and have opened since */
  int64_t contacts;
  int64_t active;     /* contacts that carried an impulse in the last step */
  int64_t touching;   /* contacts with gap <= 0 */
  int64_t iterations; /* sum over the substeps of the last step */
  double residual;    /* [m/s], see docs/solvers.md; of the last substep */
  /* How far forces are from balance, as a share of the load that they carry (docs/solvers.md): of the last
   * step, and of the last 500 steps or so, of which every 32nd is looked at (where there were fewer: of the
   * last step) */
  double unbalanced, unbalanced_mean;
  /* largest unbalanced share of a single step so far. Evaluated are every 32nd step and each step whose
   * relative residual is 1.5 times the largest evaluated before */
  double unbalanced_most;
  double kinetic, potential;  /* [J]; potential against the origin */
  double momentum[3];         /* linear [N s], dynamic bodies */
  double angular_momentum[3]; /* about the origin [N m s] */
  double penetration;         /* largest [m], >= 0, as the last step found it */
  double mean_penetration;    /* over touching contacts [m] */
  double dissipated;          /* energy taken by contacts and joints so far [J] */
  double work;                /* done by loads, motors, driven bodies and running surfaces so far [J] */
  double correction;          /* energy error of the time step so far [J] (docs/measure.md) */
  double elastic; /* energy stored in contacts [J] by the penalty stepper, and in springs of joints */
  /* largest depth of a contact over half the least width of the smaller shape, in the last step */
  double overlap;
  /* largest overlap so far, of every 32nd step and, from the 32nd step on, of reports passed to
   * scree_world_note_report. Above 1/2 bodies have passed into each other.
   * overlap_most is the former name, valid until the next release. */
  union {
    double overlap_max, overlap_most;
  };
  /* how many times so far the middle of a body's shape went into or through a wall. Walls are meshes, shapes
   * of fixed or kinematic bodies, and thin shapes of dynamic bodies */
  int64_t crossed;
  /* how many times so far the path of a `fast` body ended early because the search for its stop took too many
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
  double skin;      /* reach of lists beyond the margin, chosen or 0.2 [mean radii] */
  int64_t impacts;  /* single impacts taken in the last step (pairs with restitution) */
  int64_t asleep;   /* dynamic bodies that sleep (world.sleep) */
  /* share of the solver's lanes that held a contact in the last step; 0 where it has none */
  double bundle_fill;
  /* What solver `auto` did so far: steps whose impulses it left untouched, steps with sweeps, those of
   * them with momentum; islands solved by newton; and islands it left above the tolerance because newton
   * does not take a law in them, would have been too dear, or did not pay lately and they move */
  int64_t steps_untouched, steps_swept, steps_momentum, islands_newton, islands_unfit, islands_dear,
      islands_moving;
  /* steps_again: steps so far that were solved again because their first answer added more kinetic energy
   * than loads, gravity, motors and driven bodies could. steps_gaining: steps of these whose last answer
   * still added too much */
  int64_t steps_again, steps_gaining;
  /* solves so far (substeps count one by one) that took a sweep or more, and those of them that used up all
   * sweeps allowed and stayed above the tolerance */
  int64_t steps_solved, steps_capped;
  int64_t bytes_bodies; /* heap held by rows of bodies and shapes */
  /* heap held by neighbour pairs, contacts with their memory, and the working memory of a step */
  int64_t bytes_contacts;
  double seconds[SCREE_STAGES]; /* wall time of each stage so far [s] */
  int64_t ranks;                /* processes that share the world; 1 for a whole world */
  double waiting;               /* longest time a rank has spent in exchanges with others so far [s] */
  /* bodies of the fullest rank over the mean, when lists were last built; 1 for a whole world */
  double imbalance;
} scree_report;
/* On several ranks (scree/dist.h): over all of them, collective. */
void scree_world_report(const scree_world *world, scree_report *report);
/* Includes the overlap of a report of the present step in overlap_max of all later reports. Ignores the first
 * 31 steps, in which bodies that overlap at the start are pushed apart. Callers that show the overlaps of
 * reports use this function, so that no overlap they show after that is above overlap_max. */
void scree_world_note_report(scree_world *world, const scree_report *report);

/* A figure of a run that is above the largest value that a valid run can have (docs/solvers.md). */
typedef struct scree_fault {
  const char *name; /* "crossed", "overlap", "energy" or "residual"; static */
  double value;     /* of the run; may be INFINITY */
  double limit;     /* largest valid value */
} scree_fault;
enum { SCREE_FAULTS = 4 };
/* Writes the faults of the world's run so far to out and returns their number. 0: the run is valid. report is
 * the world's present one. Collective. */
int scree_world_faults(const scree_world *world, const scree_report *report, scree_fault out[SCREE_FAULTS]);

int scree_world_materials(const scree_world *world);
/* Parts of `dissipated` [J] of a world that keeps losses: by contacts between materials i and j in
 * lost[i * n + j] and lost[j * n + i], n materials; and elsewhere, by friction, limits and dampers of joints
 * and by bodies that fell asleep. Their sum is the report's. Collective. SCREE_E_ARGUMENT: the world keeps
 * none (scree_world_def.losses). */
enum { SCREE_LOST_JOINTS, SCREE_LOST_SLEEP, SCREE_LOST_ELSEWHERE };
scree_status scree_world_losses(
    const scree_world *world, double *lost, double elsewhere[SCREE_LOST_ELSEWHERE], scree_error *error);

/* Residual at which the solver left the last step, and the velocity that solver.tolerance is a share of
 * [m/s]; 0 where no step has solved. Costs nothing, unlike a report. */
void scree_world_solved(const scree_world *world, double *residual, double *scale);

/* A contact of the last step. With substeps, impulse, moment, pull and lost are sums over the substeps
 * (docs/measure.md). */
typedef struct scree_contact {
  scree_id body1, body2;
  double point[3], normal[3]; /* normal from body 2 to body 1; of the last substep that saw the contact */
  /* at the start of the last substep that saw the contact [m], negative: penetration */
  double gap;
  double impulse[3]; /* on body 1, world frame [N s] */
  /* scree_contact_state in the last substep in which the contact carried an impulse */
  int state;
  int material1, material2;
  /* of rolling and torsional friction, on body 1, world frame [N m s]; torsion is the part along the
   * normal */
  double moment[3];
  double pull; /* of cohesion, along the normal, part of impulse [N s], at least 0 */
  /* energy that it took in the last step, and since it began [J]; 0 where the world keeps no losses */
  double lost, lost_since;
} scree_contact;
int64_t scree_world_contacts_count(const scree_world *world);
/* 0 <= index < count, else all members are 0. */
void scree_world_contact(const scree_world *world, int64_t index, scree_contact *contact);

/* Bulk views of all bodies: count rows. Order may change from step to step (SCREE_VIEW_ID says who is
 * who); a pointer is valid until the next step, add, remove or fill (scree_world_version changes then). */
typedef enum scree_view {
  /* double x 3, 4, 3, 3, writable for dynamic bodies. The next step refuses (SCREE_E_ARGUMENT) numbers
   * that are not finite or cannot be squared, and orientations of length 0; others are brought to length 1 */
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
/* Columns, or 0 for an unknown view. *data receives the rows (double or int64_t). */
int scree_world_view(scree_world *world, scree_view view, void **data, int64_t *rows);
uint64_t scree_world_version(const scree_world *world);

/* Hash of positions, orientations, velocities and spins of all bodies in id order, with time and step:
 * equal hashes mean equal bits. */
uint64_t scree_world_hash(const scree_world *world);

/* ---- worlds spread over several processes (scree/dist.h) ---- */
/* Their number, 1 for a whole world; and this one's. */
int scree_world_ranks(const scree_world *world, int *rank);
/* Replaces each value by its sum, or largest, over all ranks, in the same order on each; collective.
 * Nothing happens in a whole world. */
void scree_world_combine(const scree_world *world, int largest, double *value, int count);
/* Bytes of all ranks, one rank's behind the other's, on rank 0; elsewhere *all is NULL and *total 0.
 * Collective. They belong to the world and are valid until the next call. */
scree_status scree_world_gather(
    scree_world *world, const void *bytes, size_t size, const void **all, size_t *total, scree_error *error);
/* Hulls and meshes of a spread world by their number, from 1 and alike on every rank; NULL beyond the
 * last. */
const scree_geometry *scree_world_geometry(const scree_world *world, uint32_t number);

/* ---- shapes as drawn: for exports ---- */
typedef struct scree_shape_info {
  scree_id body;
  int type;
  int material;
  double radius, length, size[3], normal[3]; /* as in scree_shape_def */
  /* in the body's frame (dynamic bodies: about the centre of mass) */
  double position[3], orientation[4];
  const scree_geometry *geometry;
  double own[SCREE_SHAPE_OWN];
} scree_shape_info;
/* Solid volume of a shape [m3]; INFINITY for half-spaces and what is not closed. */
double scree_shape_volume(const scree_shape_info *shape);
/* The point of a convex shape furthest along a direction, in the shape's own frame; 0 (and the origin) for
 * shapes that are not convex. */
int scree_shape_support(const scree_shape_info *shape, const double direction[3], double out[3]);
/* Triangles that show a shape, in its own frame, corners counter-clockwise seen from outside; triangles
 * without area may be among them. 0 for half-spaces and damaged shapes, which have none. */
int scree_shape_triangles(const scree_shape_info *shape,
    void (*put)(void *to, const double a[3], const double b[3], const double c[3]), void *to);
int64_t scree_world_shapes_count(const scree_world *world);
void scree_world_shape(const scree_world *world, int64_t index, scree_shape_info *info);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
