/* Internal functions of restitution: single impacts, groups of simultaneous impacts, and rounds of
 * impacts. */
#ifndef SC_WORLD_IMPACT_H
#define SC_WORLD_IMPACT_H

#include "base/base.h"
#include "collide/collide.h"
#include "model/bodies.h"
#include "model/joints.h"
#include "scree/world.h"

/* Response of mechanisms to impulses (impact_joints.c). */
typedef struct sc_tied sc_tied;
/* Computes the response of all mechanisms to impulses. *out is in the arena; NULL if the world has no joints.
 * Also projects the velocities of mechanisms onto their joints and adds the change of energy to the energy
 * balance. */
scree_status sc_tied_make(scree_world *world, double dt, sc_tied **out, scree_error *error);
/* Sums the impact impulses of joints over all ranks. Call once per step, after the impacts. Collective. */
void sc_tied_share_impacts(scree_world *world);
/* Sets the impact impulses of joints to 0. Call at the start of a step. */
void sc_joints_forget_impacts(sc_joints *joints);
/* Returns the leader of a body's mechanism: the row of one of its bodies, equal for all bodies of the
 * mechanism. Returns -1 if the body has no joints or cannot move, or if tied is NULL. */
int32_t sc_tied_leader(const sc_tied *tied, int32_t row);
/* Sets u to the change of the relative velocity of two points of mechanisms by an impulse [m/s]. The impulse
 * is p on body row[0] at arm[0], and -p on body row[1] at arm[1]. Bodies without joints do not respond. give:
 * true to also add the changes to the velocities of the bodies and to the impulses of joints. */
void sc_tied_respond(
    sc_tied *tied, const int32_t row[2], const double arm[2][3], const double p[3], bool give, double u[3]);

/* Returns the work that driven bodies did through joints since the last call [J]. */
double sc_tied_work(sc_tied *tied);

/* An impact at one contact. The rows of `axes` are the contact frame: n along the normal, t and o tangential,
 * in world axes. Velocities and impulses below are those of body 1 relative to body 2, in this frame. */
typedef struct sc_impact {
  sc_contact contact;
  int32_t index; /* index of the contact in the world's contacts */
  int32_t group; /* group of the impact in this round; impacts of a group are solved together */
  sc_tied *tied; /* response of mechanisms; NULL: neither body has joints */
  bool stuck;    /* true: joints and motors allow no motion along the normal */
  bool round;    /* true: both bodies are balls or immovable, so A is diagonal: diag(An, At, At) */
  int law;       /* law of restitution (scree_restitution) */
  double axes[3][3];
  double A[9]; /* Delassus block, row by row: change of the relative velocity per impulse [1/kg] */
  /* mu: friction coefficient; e: restitution along n; tangential: restitution along t and o */
  double mu, e, tangential;
  double start[3];   /* velocity before the round [m/s] */
  double before[3];  /* velocity before this impact [m/s] */
  double middle[3];  /* velocity at the end of compression [m/s]; groups only */
  double x[3];       /* impulse on body 1 [N s] */
  double rebound[3]; /* part of x that acts after the end of compression [N s]; groups only */
} sc_impact;

/* Returns the coefficient of restitution of the contact's pair of materials. */
double sc_impact_restitution(const scree_world *world, const sc_contact *contact);
/* Sets u to the velocity of body 1 relative to body 2 at a contact, world axes [m/s]. */
void sc_impact_relative_velocity(const sc_bodies *bodies, const sc_contact *contact, double u[3]);
/* Sets *impact to an impact at contact `index`, with the present velocities and zero impulse. tied: response
 * of mechanisms (sc_tied_make). */
void sc_impact_make(const scree_world *world, sc_tied *tied, int32_t index, sc_impact *impact);
/* Sets u to the present relative velocity of the bodies in the frame of the impact [m/s]. */
void sc_impact_velocity(const sc_bodies *bodies, const sc_impact *impact, double u[3]);
/* Changes the velocities of both bodies by an impulse x, given in the frame of the impact [N s]. */
void sc_impact_apply(sc_bodies *bodies, const sc_impact *impact, const double x[3]);
/* Solves a single impact exactly and applies its impulse. Returns the dissipated energy [J]. */
double sc_impact_solve(sc_bodies *bodies, sc_impact *impact);
/* Solves simultaneous impacts together and applies their impulses. Returns the dissipated energy [J]. It is
 * negative only by rounding errors. */
double sc_impact_solve_group(sc_bodies *bodies, sc_impact *const *impact, int32_t count);

/* State of the rounds of impacts in a step, in the arena. */
typedef struct sc_rounds {
  scree_world *world;
  double dt;          /* a contact has an impact only if its gap closes within this time [s] */
  sc_impact *impact;  /* [impacts] impacts of the present round */
  size_t capacity;    /* length of the arrays impact, sorted and first */
  sc_impact **sorted; /* [impacts] pointers to the impacts, sorted by group, then by contact */
  int32_t *first;     /* [groups + 1] index of each group's first impact in sorted */
  int32_t impacts;
  /* [bodies] union-find parent. Within a round, connects the bodies of a group. Between rounds: the leader of
   * the body's mechanism, or the body itself. */
  int32_t *leader;
  sc_tied *tied; /* response of mechanisms; NULL: the world has no joints */
} sc_rounds;
enum { SC_ROUNDS = 400 }; /* largest number of rounds in a step */
/* Returns the closing speed of a contact with restitution whose gap closes within the time dt [m/s]. Returns
 * 0 for all other contacts. */
double sc_rounds_closing(const scree_world *world, int32_t contact, double dt);
/* Starts a round: sets r->impact to one impact for each contact of this rank that closes faster than
 * `min_speed` [m/s]. */
scree_status sc_rounds_gather(sc_rounds *r, double min_speed, scree_error *error);
/* Solves the impacts of the round, applies their impulses and adds the total loss to the energy balance. */
void sc_rounds_strike(sc_rounds *r);
/* Adds the work of driven bodies and of the moving cell to the energy balance. Adds the loss of each contact
 * if the world records losses. Call when all bodies of all ranks have the velocities after the round. */
void sc_rounds_book(const sc_rounds *r);
/* Runs rounds on one rank until no contact closes faster than `min_speed` [m/s]. Runs at most SC_ROUNDS
 * rounds. */
scree_status sc_rounds_run(sc_rounds *r, double min_speed, scree_error *error);

#endif
