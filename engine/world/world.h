/* The struct scree_world, shared by the files of engine/world. */
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
#include "scree/world.h"
#include "world/effort.h"
#include "world/parts/contacts.h"
#include "world/parts/dump.h"
#include "world/parts/energy.h"
#include "world/parts/figures.h"
#include "world/parts/laws.h"
#include "world/parts/mechanisms.h"
#include "world/parts/motion.h"
#include "world/parts/names.h"
#include "world/parts/query.h"
#include "world/ranks.h"
#include "problem/assembly/assembly.h"

struct scree_world {
  const sc_ranks *ranks; /* functions that combine ranks; sc_ranks_none: the world is on one rank */
  scree_world_def def;
  char solver_name[SC_NAME_MAX];
  const sc_solver *solver;
  sc_bodies bodies; /* bodies.cell is &cell, or NULL without a periodic cell */
  sc_cell cell;
  /* [bodies] in the arena: periodic image of the body that lies in the cell; NULL: no cell */
  const sc_image *wrap;
  sc_shapes shapes;
  sc_pairs pairs;
  sc_joints joints;
  sc_laws laws;
  sc_names names;
  sc_mechanism_data mechanisms;
  sc_collide *collide;
  sc_arena arena;
  sc_pool *pool;      /* NULL: one thread */
  sc_problem problem; /* contact problem of the last step; valid until the next step */
  sc_assembled assembled;
  int problem_valid;
  sc_contact_data contacts; /* contacts of the last step; see sc_world_contact */
  int64_t substep;          /* index of the present or last substep in its step, from 0 */
  sc_plan plan;
  /* sums over the substeps of a step (account/totals.h); NULL: the world has no sums */
  struct sc_totals *totals;
  const struct sc_phase *phase; /* solution in progress in a step of second order (phase.h); NULL: none */
  bool repeats; /* true: the step assembles its problem again, so that states of laws do not change */
  double time;
  int64_t step;
  sc_energy energy;
  sc_figures figures;
  sc_effort effort;
  int64_t lost; /* number of bodies that left the domain and were removed so far, on all ranks */
  sc_tracks tracks;
  sc_stopwatch watch; /* wall time of each scree_stage; the stages of a step start its clocks (step/step.h) */
  uint64_t version, fills;
  sc_query query;
  sc_dump dump;
};

/* Returns the duration of a substep [s]. */
static inline double sc_world_dt(const scree_world *world) {
  return world->def.dt / (double)world->def.substeps;
}
/* Returns the time between two contact detections [s]: a step if contacts are reused, else a substep. */
static inline double sc_world_search_dt(const scree_world *world) {
  return world->def.reuse_contacts ? world->def.dt : sc_world_dt(world);
}
/* Sets *out to contact `index` of the last step, 0 <= index < contacts.count. */
static inline void sc_world_contact(const scree_world *world, int32_t index, sc_contact *out) {
  sc_collide_contact(world->collide, &world->shapes, index, out);
}
/* Returns the rule of a pair of materials. */
static inline const sc_rule *sc_world_rule(const scree_world *world, int32_t material1, int32_t material2) {
  return world->pairs.rule +
      world->pairs.table[(size_t)material1 * (size_t)world->pairs.materials + (size_t)material2];
}
/* Returns true if the loaded stride of contact states suffices for the states of all rules. Otherwise
 * increases the stride and returns false. */
bool sc_world_state_fits(scree_world *world);

#endif
