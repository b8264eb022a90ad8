/* Assembly: builds a problem from bodies and contacts. */
#ifndef SC_ASSEMBLY_H
#define SC_ASSEMBLY_H

#include "base/stopwatch.h"
#include "problem/problem.h"

typedef struct sc_assemble_in {
  const struct sc_bodies *bodies;
  const struct sc_shapes *shapes;
  const struct sc_collide *collide; /* collision stage that has found the contacts */
  int32_t contacts;
  const struct sc_pairs *pairs; /* rules (law and parameters) between materials */
  const sc_law *const *law;
  int32_t laws;
  double *state;
  int state_stride; /* doubles of state per contact; `refresh` of a law changes the part of the state that
                       belongs to the law */
  /* true: `refresh` changes copies of the states, because an earlier assembly of this step has changed the
   * states, or because the problem is an impact, which takes no time */
  bool states_stay;
  /* index, in a contact's state, of the moment of the last step [N m s], world axes; negative: not stored */
  int couple_at;
  /* index, in a contact's state, of the last impulse by which cohesion pulled [N s]; negative: not stored */
  int pull_at;
  /* true: contacts have a sc_face_point in their state, at index face_at, because a pair has a stiffness per
   * area */
  bool faces;
  int face_at;
  /* [contacts] impulses of impacts before this step's problem [N s]; NULL: no impacts */
  const double (*impact)[3];
  /* true: the solver supports moments of ball contacts; false: contacts with moments are general contacts */
  bool couples;
  double dt, erp, drift_time, warm_start;
  double closed;  /* gaps and depths up to this bound count as 0 [m] */
  double way;     /* time in which open gaps may close [s]; 0: dt */
  bool no_forces; /* true: gravity, loads and cohesion do not act */
  /* true: all contacts are general contacts, and their law applies to the velocity that is expected after the
   * further time `rate_time`. From index rate_at on, the state of a contact has the rate of its velocity
   * (world axes) and the rate of its normal velocity [m/s2] */
  bool rates;
  int rate_at;
  double rate_time;
  /* largest speed at which penetrations are corrected [m/s]; 0: no limit */
  double max_correction;
  double gravity[3];
  /* true: bodies move by dt from the poses at which contacts were found. The velocity of rotating immovable
   * bodies at contacts is then the velocity in the middle of the step (model/turning.h) */
  bool middle;
  /* nonzero: position shifts correct penetrations, in a separate stage. Assembly then also computes gaps,
   * and biases contain no corrections */
  int positions;
  const uint8_t *skip; /* [contacts] nonzero: the contact is left out; NULL: no contact is left out */
  /* [bodies] number of ranks that solve contacts of the body; each rank has an equal share of its mass; NULL:
   * 1 rank */
  const int32_t *copies;
  /* [bodies] in a cell: the periodic image whose position and velocity the problem uses for the body; NULL:
   * no cell. If wrap[body 1] touches another image of body 2 than wrap[body 2], and the cell moves, the
   * contact becomes a general contact with a drift (sc_general_contact.drift) */
  const sc_image *wrap;
  const double (*wrapped)[3]; /* [bodies] positions of the images in `wrap` [m] */
  /* true: the motion of the cell changes during the solve. All contacts across its faces then have drifts */
  bool driven;
  sc_pool *pool;        /* threads that share the work; NULL: one thread */
  sc_contacts *store;   /* memory for contacts in bundles; NULL: all contacts become rows */
  bool springs;         /* some rule has contact stiffness, or softness is above 0 */
  double softness;      /* softness of contacts of pairs without stiffness; 0: these contacts are rigid */
  double mean_load;     /* mean normal force of loaded contacts [N], for stiffness by hardness */
  double slow_load;     /* mean_load, smoothed so that it follows a rising force slowly, for softness [N] */
  double impulse_scale; /* dt over the time in which the last step's impulses acted */
  const uint8_t *alone; /* [bodies] nonzero: no contact or joint acts on the body; NULL: no such body is
                           known */
  sc_stopwatch *watch;  /* measures the time to plan the store's bundles; read only with a store */
} sc_assemble_in;
/* Further results of assembly. */
typedef struct sc_assembled {
  double closing; /* sum over ball contacts of the closing velocity max(0, b_n) at free velocities [m/s] */
  sc_partners *partners; /* [contacts of the collision stage] bodies and rule; NULL if all are ball
                            contacts */
  /* [balls], [generals] impulses by which cohesion pulls, >= 0 [N s]; NULL: there is no cohesion */
  double *ball_pull, *general_pull;
} sc_assembled;
/* Builds a problem in the arena, with free velocities. Warm-start impulses are set, but the velocities do not
 * include their effect. Free velocities include the effect of cohesion, so laws need no cohesion
 * (assemble_pull.c). Returns SCREE_E_LAW if `refresh` of a law failed, SCREE_E_MEMORY if out of memory. */
scree_status sc_assemble(const sc_assemble_in *in, sc_arena *arena, sc_problem *problem,
    sc_assembled *assembled, scree_error *error);

#endif
