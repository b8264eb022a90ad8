/* Parameter tables of the world and its solver: the one description of names, units, defaults, bounds. */
#include "scree/world.h"

#include <math.h>
#include <stddef.h>

/* Readers of keys. Every stepper but penalty has a solver. Every solver takes the keys that bound its work,
 * so that one table serves several solvers; lemke needs no bound. */
#define HARD "semi_implicit|stewart_trinkle|second_order"
#define SWEEPING HARD "|auto|nbgs"
#define ITERATING SWEEPING "|pgs|apgd|spg"

#define SOLVER(member) offsetof(scree_solver_def, member)
const scree_param scree_solver_params[] = {
    {"name", SCREE_STRING, 0, "", 0, 0, 0, SOLVER(name), NULL,
        "solver: auto (default) or another that scree knows"},
    {"iterations", SCREE_INTEGER, 0, "", 50, 1, 1e9, SOLVER(iterations), NULL, "most sweeps per step", HARD},
    {"min_iterations", SCREE_INTEGER, 0, "", 1, 1, 1e9, SOLVER(min_iterations), NULL,
        "fewest sweeps per step", HARD},
    {"tolerance", SCREE_REAL, 0, "", 1e-6, 0, INFINITY, SOLVER(tolerance), NULL,
        "stop when the residual falls below this share of the weight impulse's velocity; 0: never", HARD},
    {"correction_iterations", SCREE_INTEGER, 0, "", 4, 1, 1e9, SOLVER(correction_iterations), NULL,
        "most sweeps per step that take back penetrations by positions", "semi_implicit|second_order"},
    {"relaxation", SCREE_REAL, SCREE_POSITIVE, "", 1, 0, 1, SOLVER(relaxation), NULL,
        "share of each correction taken, 1 is plain Gauss-Seidel", SWEEPING "|pgs"},
    {"warm_start", SCREE_REAL, 0, "", 1, 0, 1, SOLVER(warm_start), NULL,
        "share of the last step's impulse to start from", ITERATING "|newton|ipm"},
    {"acceleration", SCREE_BOOLEAN, 0, "", 0, 0, 0, SOLVER(acceleration), NULL,
        "nbgs, auto: momentum on sweeps", SWEEPING},
    {"order", SCREE_CHOICE, 0, "", SCREE_ORDER_KEY, 0, 0, SOLVER(order), "key|random|bottom_up",
        "order in which pgs visits contacts", HARD "|pgs"},
    {"directions", SCREE_INTEGER, 0, "", 8, 2, 64, SOLVER(directions), NULL,
        "lemke: edges of the friction cone where the law does not say", HARD "|lemke"},
    {"contacts_per_thread", SCREE_INTEGER, 0, "", 3000, 0, 1e9, SOLVER(contacts_per_thread), NULL,
        "nbgs: with fewer contacts a thread it solves in one; results do not depend on it", HARD},
    {"dump", SCREE_CHOICE, 0, "", SCREE_DUMP_FAILED, 0, 0, SOLVER(dump), "failed|unmet|never",
        "problems that are written to step-N.prob in the run's directory: those a solver fails on, also "
        "those above the tolerance, none",
        HARD},
    {"softness", SCREE_REAL, 0, "", 0, 0, 1e6, SOLVER(softness), NULL,
        "of contacts of pairs without stiffness: compliance over that of the masses in a step; 0: rigid",
        "semi_implicit"},
};
const int scree_solver_params_count = sizeof scree_solver_params / sizeof *scree_solver_params;

#define WORLD(member) offsetof(scree_world_def, member)
const scree_param scree_world_params[] = {
    {"gravity", SCREE_VEC3, 0, "m/s2", 0, 0, 0, WORLD(gravity), NULL,
        "acceleration of free fall g, (0,0,-9.81) by default"},
    {"dt", SCREE_REAL, SCREE_POSITIVE, "s", 1e-3, 0, INFINITY, WORLD(dt), NULL, "time step h"},
    {"plane", SCREE_VEC3, 0, "", 0, 0, 0, WORLD(plane), NULL,
        "planar world: dynamic bodies move at right angles to this vector and turn about it alone; (0,0,0): "
        "off"},
    {"erp", SCREE_REAL, 0, "", 0.8, 0, 1, WORLD(erp), NULL, "share of a penetration removed per step", HARD},
    {"drift_time", SCREE_REAL, 0, "s", 0, 0, INFINITY, WORLD(drift_time), NULL,
        "time constant in which penetrations decay, in place of erp; 0: use erp",
        "semi_implicit|second_order"},
    {"max_correction", SCREE_REAL, 0, "m/s", 0, 0, INFINITY, WORLD(max_correction), NULL,
        "penetrations and errors of joints are taken back at most at this speed; 0: any",
        "semi_implicit|second_order"},
    {"correction", SCREE_CHOICE, 0, "", SCREE_CORRECTION_POSITION, 0, 0, WORLD(correction),
        "position|velocity",
        "penetrations are taken back by shifting positions after velocities are solved, or by speeds that "
        "contacts ask for",
        HARD},
    {"margin", SCREE_REAL, 0, "", 0.01, 0, 1, WORLD(margin), NULL,
        "contacts are found up to this gap, in units of the smaller radius, "
        "and up to what gravity closes in a step"},
    {"skin", SCREE_REAL, 0, "", 0, 0, 10, WORLD(skin), NULL,
        "further reach of neighbour lists, in units of the mean radius; 0: 0.2"},
    {"threads", SCREE_INTEGER, 0, "", 1, 1, 1024, WORLD(threads), NULL,
        "threads; results do not depend on it"},
    {"substeps", SCREE_INTEGER, 0, "", 1, 1, 1e6, WORLD(substeps), NULL,
        "equal parts that a step is solved in"},
    {"reuse_contacts", SCREE_BOOLEAN, 0, "", 0, 0, 0, WORLD(reuse_contacts), NULL,
        "contacts are found once a step and move with their bodies through its substeps",
        "semi_implicit|stewart_trinkle|penalty"},
    {"stepper", SCREE_CHOICE, 0, "", SCREE_STEPPER_SEMI_IMPLICIT, 0, 0, WORLD(stepper),
        "semi_implicit|stewart_trinkle|penalty|second_order",
        "time stepper: hard contact by impulses, complementarity on end positions, springs and dashpots, or "
        "hard "
        "contact of second order with steps cut at impacts"},
    {"correct_joints", SCREE_BOOLEAN, 0, "", 1, 0, 0, WORLD(correct_joints), NULL,
        "joints are met by positions, which does no work; false: errors are fed back as speeds at erp", HARD},
    {"sleep", SCREE_REAL, 0, "m/s", 0, 0, INFINITY, WORLD(sleep), NULL,
        "islands that have been slower than this for long are left out of steps until something comes near "
        "them or is done to them; 0: none",
        "semi_implicit"},
    {"losses", SCREE_BOOLEAN, 0, "", 0, 0, 0, WORLD(losses), NULL,
        "contacts, pairs of materials and joints tell what energy they take"},
    {"cell", SCREE_OPAQUE, 0, "", 0, 0, 0, WORLD(cell), NULL,
        "table: size, periodic, origin; space repeats itself along edges of a cell"},
    {"domain", SCREE_OPAQUE, 0, "", 0, 0, 0, WORLD(domain), NULL,
        "table: min, max, lost; the box that bodies should stay in"},
    {"solver", SCREE_OPAQUE, 0, "", 0, 0, 0, WORLD(solver), NULL, "table: name, iterations, tolerance, ..."},
};
const int scree_world_params_count = sizeof scree_world_params / sizeof *scree_world_params;

#define DOMAIN(member) offsetof(scree_domain_def, member)
const scree_param scree_domain_params[] = {
    {"min", SCREE_VEC3, SCREE_REQUIRED, "m", 0, 0, 0, DOMAIN(min), NULL, "lowest corner of the domain"},
    {"max", SCREE_VEC3, SCREE_REQUIRED, "m", 0, 0, 0, DOMAIN(max), NULL, "highest corner of the domain"},
    {"lost", SCREE_CHOICE, 0, "", SCREE_LOST_REMOVE, 0, 0, DOMAIN(lost), "remove|error|keep",
        "a body that leaves the domain is removed, ends the run, or stays"},
};
const int scree_domain_params_count = sizeof scree_domain_params / sizeof *scree_domain_params;

const scree_param scree_material_params[] = {
    {"name", SCREE_STRING, SCREE_REQUIRED, "", 0, 0, 0, offsetof(scree_material_def, name), NULL,
        "unique name"},
    {"density", SCREE_REAL, SCREE_POSITIVE, "kg/m3", 1000, 0, INFINITY, offsetof(scree_material_def, density),
        NULL, "density of shapes made of it"},
};
const int scree_material_params_count = sizeof scree_material_params / sizeof *scree_material_params;

scree_world_def scree_world_defaults(void) {
  scree_world_def def = {0};
  scree_param_defaults(scree_world_params, scree_world_params_count, &def);
  scree_param_defaults(scree_solver_params, scree_solver_params_count, &def.solver);
  def.gravity[2] = -9.81;
  def.solver.name = "auto";
  return def;
}

scree_shape_def scree_shape_defaults(void) {
  return (scree_shape_def){.normal = {0, 0, 1}, .orientation = {1, 0, 0, 0}};
}

scree_body_def scree_body_defaults(void) { return (scree_body_def){.orientation = {1, 0, 0, 0}}; }

scree_fill_def scree_fill_defaults(void) { return (scree_fill_def){.group = 0}; }

scree_insert_def scree_insert_defaults(void) { return (scree_insert_def){.attempts = 100}; }

const char *scree_stage_name(int stage) {
  static const char *const names[SCREE_STAGES] = {"broad", "narrow", "assemble", "solve", "integrate"};
  return stage >= 0 && stage < SCREE_STAGES ? names[stage] : NULL;
}
