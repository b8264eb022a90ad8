/* Parameter tables of the world, its solver, materials, bodies, fills, insertions and selections. These
 * tables are the only description of names, units, defaults and bounds. */
#include "scree/world.h"

#include <math.h>
#include <stddef.h>

/* Lists of steppers and solvers that read a key. HARD: the steppers with a solver, that is all except
 * penalty. Every solver accepts the keys of HARD alone, such as `iterations`, even if it does not need them.
 * One solver table can therefore serve several solvers. */
#define HARD "semi_implicit|stewart_trinkle|second_order"
#define SWEEPING HARD "|auto|nbgs"
#define ITERATING SWEEPING "|pgs|apgd|spg"

#define SOLVER(member) offsetof(scree_solver_def, member)
const scree_param scree_solver_params[] = {
    {"name", SCREE_STRING, 0, "", 0, 0, 0, SOLVER(name), NULL,
        "solver: auto (default) or another that scree knows"},
    {"iterations", SCREE_INTEGER, 0, "", 50, 1, 1e9, SOLVER(iterations), NULL,
        "maximum number of sweeps per step", HARD},
    {"min_iterations", SCREE_INTEGER, 0, "", 1, 1, 1e9, SOLVER(min_iterations), NULL,
        "minimum number of sweeps per step", HARD},
    {"tolerance", SCREE_REAL, 0, "", 1e-6, 0, INFINITY, SOLVER(tolerance), NULL,
        "stop when the residual falls below this share of the weight impulse's velocity; 0: never", HARD},
    {"correction_iterations", SCREE_INTEGER, 0, "", 4, 1, 1e9, SOLVER(correction_iterations), NULL,
        "maximum number of sweeps per step that correct penetrations by positions",
        "semi_implicit|second_order"},
    {"relaxation", SCREE_REAL, SCREE_POSITIVE, "", 1, 0, 1, SOLVER(relaxation), NULL,
        "share of each correction that is applied; 1: plain Gauss-Seidel", SWEEPING "|pgs"},
    {"warm_start", SCREE_REAL, 0, "", 1, 0, 1, SOLVER(warm_start), NULL,
        "share of the last step's impulses with which the solver starts", ITERATING "|newton|ipm"},
    {"acceleration", SCREE_BOOLEAN, 0, "", 0, 0, 0, SOLVER(acceleration), NULL,
        "nbgs, auto: momentum on sweeps", SWEEPING},
    {"order", SCREE_CHOICE, 0, "", SCREE_ORDER_KEY, 0, 0, SOLVER(order), "key|random|bottom_up",
        "order in which pgs visits contacts", HARD "|pgs"},
    {"directions", SCREE_INTEGER, 0, "", 8, 2, 64, SOLVER(directions), NULL,
        "lemke: edges of the friction cone if the law does not set their number", HARD "|lemke"},
    {"contacts_per_thread", SCREE_INTEGER, 0, "", 3000, 0, 1e9, SOLVER(contacts_per_thread), NULL,
        "nbgs: uses one thread if there are fewer contacts per thread; results do not depend on it", HARD},
    {"dump", SCREE_CHOICE, 0, "", SCREE_DUMP_FAILED, 0, 0, SOLVER(dump), "failed|unmet|never",
        "problems that are written to step-N.prob in the run's directory. failed: problems on which a solver "
        "fails; unmet: also problems above the tolerance; never: none",
        HARD},
    {"softness", SCREE_REAL, 0, "", 0, 0, 1e6, SOLVER(softness), NULL,
        "compliance of contacts without stiffness, in units of the compliance of their masses in a step; "
        "0: rigid",
        "semi_implicit"},
    {"soften", SCREE_BOOLEAN, 0, "", 1, 0, 0, SOLVER(soften), NULL,
        "auto: rigid contacts get the softness 0.01 if forces on average are off by more than 1 %",
        "semi_implicit"},
};
const int scree_solver_params_count = sizeof scree_solver_params / sizeof *scree_solver_params;

#define WORLD(member) offsetof(scree_world_def, member)
const scree_param scree_world_params[] = {
    {"gravity", SCREE_VEC3, 0, "m/s2", 0, 0, 0, WORLD(gravity), NULL,
        "acceleration of free fall g, (0,0,-9.81) by default"},
    {"dt", SCREE_REAL, SCREE_POSITIVE, "s", 1e-3, 0, INFINITY, WORLD(dt), NULL, "time step h"},
    {"plane", SCREE_VEC3, 0, "", 0, 0, 0, WORLD(plane), NULL,
        "planar world: dynamic bodies move only at right angles to this vector and rotate only about it; "
        "(0,0,0): off"},
    {"erp", SCREE_REAL, 0, "", 0.8, 0, 1, WORLD(erp), NULL, "share of a penetration removed per step", HARD},
    {"drift_time", SCREE_REAL, 0, "s", 0, 0, INFINITY, WORLD(drift_time), NULL,
        "time constant of the decay of penetrations, instead of erp; 0: use erp",
        "semi_implicit|second_order"},
    {"max_correction", SCREE_REAL, 0, "m/s", 0, 0, INFINITY, WORLD(max_correction), NULL,
        "largest speed at which penetrations and errors of joints are corrected; 0: no limit",
        "semi_implicit|second_order"},
    {"correction", SCREE_CHOICE, 0, "", SCREE_CORRECTION_POSITION, 0, 0, WORLD(correction),
        "position|velocity",
        "position: penetrations are corrected by shifts of positions after velocities are solved; velocity: "
        "by velocities that separate the bodies",
        HARD},
    {"margin", SCREE_REAL, 0, "", 0.01, 0, 1, WORLD(margin), NULL,
        "contacts are found up to this gap, in units of the smaller radius, "
        "and up to the gap that gravity closes in a step"},
    {"skin", SCREE_REAL, 0, "", 0, 0, 10, WORLD(skin), NULL,
        "extra distance of neighbour lists, in units of the mean radius; 0: 0.2"},
    {"threads", SCREE_INTEGER, 0, "", 1, 1, 1024, WORLD(threads), NULL,
        "threads; results do not depend on it"},
    {"substeps", SCREE_INTEGER, 0, "", 1, 1, 1e6, WORLD(substeps), NULL,
        "number of equal substeps of a step"},
    {"reuse_contacts", SCREE_BOOLEAN, 0, "", 0, 0, 0, WORLD(reuse_contacts), NULL,
        "contacts are found once per step and move with their bodies during its substeps",
        "semi_implicit|stewart_trinkle|penalty"},
    {"stepper", SCREE_CHOICE, 0, "", SCREE_STEPPER_SEMI_IMPLICIT, 0, 0, WORLD(stepper),
        "semi_implicit|stewart_trinkle|penalty|second_order",
        "time stepper. semi_implicit: hard contact by impulses; stewart_trinkle: complementarity at end "
        "positions; penalty: springs and dashpots; second_order: hard contact of second order, with steps "
        "divided at impacts"},
    {"correct_joints", SCREE_BOOLEAN, 0, "", 1, 0, 0, WORLD(correct_joints), NULL,
        "true: errors of joints are corrected by positions, which does no work; false: by velocities, with "
        "erp",
        HARD},
    {"sleep", SCREE_REAL, 0, "m/s", 0, 0, INFINITY, WORLD(sleep), NULL,
        "islands that have been slower than this for many steps are skipped, until a body comes near or the "
        "script changes them; 0: none",
        "semi_implicit"},
    {"losses", SCREE_BOOLEAN, 0, "", 0, 0, 0, WORLD(losses), NULL,
        "true: the world records the energy that contacts, pairs of materials and joints dissipate"},
    {"friction_factor", SCREE_REAL, SCREE_POSITIVE, "", 1, 0, INFINITY, WORLD(friction_factor), NULL,
        "factor on the friction coefficients of all pairs (docs/safety.md)"},
    {"cohesion_factor", SCREE_REAL, SCREE_POSITIVE, "", 1, 0, INFINITY, WORLD(cohesion_factor), NULL,
        "factor on the cohesion of all pairs (docs/safety.md)"},
    {"cell", SCREE_OPAQUE, 0, "", 0, 0, 0, WORLD(cell), NULL,
        "table: size, periodic, origin; space is periodic along edges of a cell"},
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

#define FILL(member) offsetof(scree_fill_def, member)
const scree_param scree_fill_grain_params[] = {
    SCREE_ROW_POSITIVE("radius", FILL(radius), "m", 0, "radius of the grains"),
    SCREE_ROW_POSITIVE("radius_max", FILL(radius_max), "m", 0, "radii uniform between radius and this"),
    SCREE_ROW_VALUE("sizes", "", "distribution of diameters, instead of radius"),
    SCREE_ROW_VEC3("velocity", FILL(velocity), "m/s", "velocity of the grains"),
    SCREE_ROW_VALUE("jitter", "m/s",
        "random part of the velocity, uniform within +- this: a vector, or a number for the axes across "
        "velocity"),
    SCREE_ROW_VALUE("material", "", "name of a material"),
    SCREE_ROW_POSITIVE("density", FILL(density), "kg/m3", 0, "instead of the material's"),
    SCREE_ROW_INTEGER("group", FILL(group), 0, 0, 0, "free tag"),
    SCREE_ROW_VALUE("keep_out", "", "region whose inside stays empty"),
    SCREE_ROW_VALUE("layer", "", "layer of the grains, 1 to 32, or a list of them"),
    SCREE_ROW_VALUE("avoids", "", "layers that they do not touch"),
    SCREE_ROW_VALUE("template", "",
        "grains of several shapes, randomly turned, as w:template returns; radius or sizes "
        "are those of the ball of their volume"),
};
const int scree_fill_grain_params_count = sizeof scree_fill_grain_params / sizeof *scree_fill_grain_params;
const scree_param scree_fill_params[] = {
    SCREE_ROW_NEEDED("region", "",
        "what to fill: a box {min =, max =}, a ball, or a cylinder with a length; grains keep inside"),
    SCREE_ROW_CHOICE("lattice", FILL(lattice), 0, "cubic|hexagonal|bcc", "arrangement of the centres"),
    {"spacing", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, FILL(spacing), NULL,
        "lattice constant"},
    SCREE_ROW_REAL(
        "position_jitter", FILL(jitter), "", 0, 0, 1, "random part of the positions, in units of spacing"),
    SCREE_ROW_INTEGER("limit", FILL(limit), 0, 0, 1e12, "count of grains, at most"),
    SCREE_ROW_VALUE("shape", "",
        "shape of the grains instead of spheres, of its own size; radius is then how far centres keep inside "
        "the region, its bounding radius without it"),
};
const int scree_fill_params_count = sizeof scree_fill_params / sizeof *scree_fill_params;

#define INSERT(member) offsetof(scree_insert_def, member)
const scree_param scree_insert_params[] = {
    SCREE_ROW_NEEDED(
        "region", "", "where centres may lie: a box {min =, max =}, a ball, or a cylinder with a length"),
    SCREE_ROW_INTEGER("count", INSERT(grains.limit), 0, 0, 1e12, "grains wanted"),
    SCREE_ROW_POSITIVE("mass", INSERT(mass), "kg", 0, "at most so much of them"),
    SCREE_ROW_INTEGER("attempts", INSERT(attempts), 100, 1, 1000000, "places tried for a grain"),
    SCREE_ROW_INTEGER("stream", INSERT(stream), 0, 0, 9e15,
        "name of a sequence of sizes that several calls share; 0: this call's own"),
    SCREE_ROW_INTEGER(
        "first", INSERT(first), 0, 0, 9e15, "how many grains of that sequence were placed before"),
    SCREE_ROW_VALUE("shape", "",
        "shape of the grains instead of spheres, randomly turned; the sphere around it is kept free"),
};
const int scree_insert_params_count = sizeof scree_insert_params / sizeof *scree_insert_params;

#define SELECT(member) offsetof(scree_select, member)
const scree_param scree_select_params[] = {
    SCREE_ROW_VALUE("region", "", "where"),
    SCREE_ROW_CHOICE(
        "kind", SELECT(kind), 0, "dynamic|kinematic|fixed|all", "which kind; dynamic without it"),
    SCREE_ROW_INTEGER("group", SELECT(group), -1, 0, 0, "with this tag"),
};
const int scree_select_params_count = sizeof scree_select_params / sizeof *scree_select_params;

/* Rows of the keys `axis` and `angle`, which together replace `orientation`. */
#define TURN \
  SCREE_ROW_VALUE("axis", "", "direction {x, y, z} to turn about, with angle, instead of an orientation"), \
      SCREE_ROW_VALUE("angle", "rad", "by which it is turned about axis, right-handed")
#define BODY(member) offsetof(scree_body_def, member)
#define SHAPE(member) offsetof(scree_shape_def, member)

const scree_param scree_body_params[SCREE_BODY_KEYS] = {
    SCREE_ROW_STRING("name", BODY(name), "unique name, for w:find"),
    SCREE_ROW_CHOICE(
        "kind", BODY(kind), 0, "dynamic|kinematic|fixed", "how it moves; what is static is fixed"),
    SCREE_ROW_VEC3("position", BODY(position), "m", "where its frame lies"),
    SCREE_ROW_QUAT("orientation", BODY(orientation), "rotation, a quaternion {w, x, y, z}"),
    TURN,
    SCREE_ROW_VEC3("velocity", BODY(velocity), "m/s", "velocity"),
    SCREE_ROW_VEC3("spin", BODY(spin), "rad/s", "angular velocity omega, world axes"),
    SCREE_ROW_VEC3("surface_velocity", BODY(surface_velocity), "m/s",
        "of a fixed body, as a belt's: felt along its surface"),
    SCREE_ROW_VEC3("surface_spin", BODY(surface_spin), "rad/s", "the same, turning about its position"),
    SCREE_ROW_POSITIVE("mass", BODY(mass), "kg", 0, "instead of the densities'"),
    SCREE_ROW_VALUE(
        "inertia", "kg m2", "{xx, xy, xz, yy, yz, zz} in the body's frame, instead of the shapes'"),
    SCREE_ROW_VEC3("centre", BODY(centre), "m",
        "centre of mass in the body's frame, instead of the shapes'; with mass and inertia"),
    SCREE_ROW_BOOLEAN(
        "fast", BODY(fast), "true: the body never passes into or through another body within a step"),
    SCREE_ROW_INTEGER("group", BODY(group), 0, 0, 0, "free tag, kept in trajectories"),
};
const int scree_body_params_count = SCREE_BODY_KEYS;

const scree_param scree_shape_params[] = {
    SCREE_ROW_VALUE("material", "", "name of a material"),
    SCREE_ROW_POSITIVE("density", SHAPE(density), "kg/m3", 0, "instead of the material's"),
    SCREE_ROW_VALUE("layer", "", "layer that it is in, 1 to 32, or a list of them; 1"),
    SCREE_ROW_VALUE("avoids", "",
        "layer that it does not touch, or a list of them: two shapes touch where neither avoids the other"),
};
const int scree_shape_params_count = sizeof scree_shape_params / sizeof *scree_shape_params;
const scree_param scree_shape_place_params[] = {
    SCREE_ROW_VEC3("position", SHAPE(position), "m", "in the body's frame"),
    SCREE_ROW_QUAT("orientation", SHAPE(orientation), "in the body's frame"),
    TURN,
};
const int scree_shape_place_params_count = sizeof scree_shape_place_params / sizeof *scree_shape_place_params;

const scree_param scree_clump_params[] = {
    SCREE_ROW_NEEDED("shapes", "", "list of shapes"),
    SCREE_ROW_POSITIVE("mass", BODY(mass), "kg", 0, "instead of the union's"),
    SCREE_ROW_VALUE(
        "inertia", "kg m2", "{xx, xy, xz, yy, yz, zz} about the centre of mass, instead of the union's"),
    SCREE_ROW_VEC3(
        "centre", BODY(centre), "m", "centre of mass, instead of the union's; with mass and inertia"),
};
const int scree_clump_params_count = sizeof scree_clump_params / sizeof *scree_clump_params;

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
