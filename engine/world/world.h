/* What the files of world/ share: the world itself. Nothing outside world/ includes this. */
#ifndef SC_WORLD_H
#define SC_WORLD_H

#include "base/parallel.h"
#include "base/stopwatch.h"
#include "collide/collide.h"
#include "law/law.h"
#include "model/bodies.h"
#include "model/joints.h"
#include "model/pairs.h"
#include "model/shapes.h"
#include "problem/problem.h"
#include "solve/solver.h"
#include "scree/forces.h"
#include "scree/world.h"
#include "world/effort.h"
#include "world/parts/contacts.h"
#include "world/parts/energy.h"
#include "world/parts/figures.h"
#include "world/parts/laws.h"
#include "world/parts/mechanisms.h"
#include "world/parts/motion.h"
#include "world/parts/names.h"
#include "world/ranks.h"
#include "problem/assembly/assembly.h"

struct scree_world {
  const sc_ranks *ranks; /* sc_ranks_none: the world is whole */
  scree_world_def def;
  char solver_name[SC_NAME_MAX];
  const sc_solver *solver;
  sc_bodies bodies; /* bodies.cell is &cell, or NULL */
  sc_cell cell;
  const sc_image *wrap; /* in a cell, in the arena: images that stand for the bodies of the problem */
  sc_shapes shapes;
  sc_pairs pairs;
  sc_joints joints;
  sc_laws laws;
  sc_names names;
  sc_mechanism_data mechanisms;
  sc_collide *collide;
  sc_arena arena;
  sc_pool *pool;      /* NULL with one thread */
  sc_problem problem; /* of the last step, valid until the next */
  sc_assembled assembled;
  int problem_valid;
  sc_contact_data contacts; /* of the last step: sc_world_contact */
  int64_t substep;          /* of the present or last step, counted from 0 */
  sc_plan plan;
  struct sc_totals *totals;     /* sums over the substeps of a step (account/totals.h); NULL: one substep */
  const struct sc_phase *phase; /* of a step of second order (step/second_order.h); NULL: none is solved */
  /* forces that frames carry (forces.c) */
  scree_forces_def recorded;
  double *recorded_table;
  int records_forces;
  double time;
  int64_t step;
  sc_energy energy;
  sc_figures figures;
  sc_effort effort;
  int64_t lost; /* bodies that left the domain and were removed so far, on all ranks */
  sc_tracks tracks;
  sc_stopwatch watch; /* wall time of each scree_stage; stages of a step start its clocks (step/step.h) */
  uint64_t version, fills;
  void *gathered;           /* by scree_world_gather */
  struct sc_ray_keep *rays; /* NULL, or what rays were cast at last (rays.c) */
  /* where problems go that solvers cannot solve, NULL for nowhere; how many went (problem_keep.c) */
  char *dump_directory;
  int dumps;
  bool (*stop)(void *context); /* whether to end long work; NULL: nobody asks (scree_world_set_stop) */
  void *stop_context;
  /* a view that can be written was handed out since the state was last checked (viewed.c) */
  bool viewed;
  double *made_view[3];
  size_t made_capacity[3]; /* columns made on demand: mass, id, kind */
};

/* Length of a substep [s], and of the steps at whose begin contacts are sought. */
static inline double sc_world_dt(const scree_world *world) {
  return world->def.dt / (double)world->def.substeps;
}
static inline double sc_world_search_dt(const scree_world *world) {
  return world->def.reuse_contacts ? world->def.dt : sc_world_dt(world);
}
/* Contact 0 <= index < contacts, and the rule between its materials. */
static inline void sc_world_contact(const scree_world *world, int32_t index, sc_contact *out) {
  sc_collide_contact(world->collide, &world->shapes, index, out);
}
static inline const sc_rule *sc_world_rule(const scree_world *world, int32_t material1, int32_t material2) {
  return world->pairs.rule +
      world->pairs.table[(size_t)material1 * (size_t)world->pairs.materials + (size_t)material2];
}
/* Refuses what works on one rank only, where the world is spread over several; `instead` says what works
 * then (report.c). */
scree_status sc_world_check_whole(
    const scree_world *world, const char *what, const char *instead, scree_error *error);
/* Compatible forces that the world records, into a block in the arena with a row per contact; NULL where
 * it records none. */
scree_status sc_world_recorded_forces(
    const scree_world *world, sc_arena *arena, double (**force)[3], scree_error *error);
/* Effective radius of a contact, 1/R = 1/R1 + 1/R2 (penalty.c). */
double sc_world_contact_radius(const scree_world *world, const sc_contact *contact);
/* out = I^-1 torque in world axes (integrate.c). */
void sc_world_turn(const sc_bodies *bodies, int32_t row, const double torque[3], double out[3]);
/* Velocities and spins of dynamic bodies without what a planar world does not allow (integrate.c). */
void sc_world_flatten(sc_bodies *bodies);
/* Mass and reach of a shape that is to become a body by itself: the radius of a sphere about the body's
 * place that holds it. 0 for one that has no mass (bodies.c). */
double sc_world_weigh(const scree_world *world, const scree_shape_def *def, double *reach);
/* State of a row, but for the name (bodies.c). */
void sc_world_state(const scree_world *world, int32_t row, scree_body_state *state);
/* Row of an id, or -1 with a text that says it is stale. */
int32_t sc_world_row(const scree_world *world, scree_id id, scree_error *error);
/* Lets go of what rays were cast at (rays.c). */
void sc_world_forget_rays(scree_world *world);
/* Removals between steps (removed.c): contacts of the last step stay for readers under the rows of
 * today; those of removed bodies are dropped. settle: one pass, before contacts are read. */
void sc_world_settle_contacts(scree_world *world);
/* Removes a row and its shapes and name; drop leaves the name. */
void sc_world_remove_row(scree_world *world, int32_t row);
void sc_world_drop_row(scree_world *world, int32_t row);
/* Checks that min < max along each axis of a domain, if there is one, and its `lost` (domain.c). */
scree_status sc_world_check_domain(const scree_domain_def *def, scree_error *error);
/* Removes or reports bodies that a step has moved out of the domain (domain.c). Collective. */
scree_status sc_world_watch_domain(scree_world *world, scree_error *error);
/* Returns how many bodies the domain has lost, as scree_report.bodies_lost. Collective. */
int64_t sc_world_lost(const scree_world *world);
/* Whether the loaded stride of states has room for all that the rules keep in contacts; it is widened where not. */
bool sc_world_state_fits(scree_world *world);

#endif
