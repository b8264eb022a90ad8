/* Inside of restitution in the stepper: one blow at one contact, and several that happen together. */
#ifndef SC_WORLD_IMPACT_H
#define SC_WORLD_IMPACT_H

#include "base/base.h"
#include "collide/collide.h"
#include "model/bodies.h"
#include "model/joints.h"
#include "scree/world.h"

/* How bodies that joints hold answer impulses (impact_joints.c). */
typedef struct sc_tied sc_tied;
/* Sets *out to the joints' response in the arena; NULL if the world has no joints. Projects velocities of
 * mechanisms onto their joints and adds the change of energy to the balance. */
scree_status sc_tied_make(scree_world *world, double dt, sc_tied **out, scree_error *error);
/* Sums the impulses of joints in the impacts of a step over all ranks. Collective; once after the impacts. */
void sc_tied_share_blows(scree_world *world);
/* Sets the impulses of joints in impacts to 0, at the start of a step. */
void sc_joints_forget_blows(sc_joints *joints);
/* A body of the row's mechanism, the same for all of it; -1 where no joint holds it or it cannot move. */
int32_t sc_tied_leader(const sc_tied *tied, int32_t row);
/* Impulse p on one of two bodies at an arm and -p on the other, as far as joints hold them: u is the
 * change of the relative velocity there. give: bodies get the velocities. */
void sc_tied_respond(
    sc_tied *tied, const int32_t row[2], const double arm[2][3], const double p[3], bool give, double u[3]);

/* Returns the work of driven bodies through joints since the last call [J]. */
double sc_tied_work(sc_tied *tied);

/* A contact that is struck. Frame (n,t,o) in the rows of axes; velocities and impulses of body 1 against
 * body 2 in it. */
typedef struct sc_blow {
  sc_contact contact;
  int32_t index; /* of the contact */
  int32_t group; /* blows of one number happen together */
  sc_tied *tied; /* NULL: joints hold neither of its bodies */
  bool stuck;    /* true: joints and motors allow no motion along the normal */
  bool round;    /* balls or what does not move on both sides: A = diag(An, At, At) */
  int law;       /* scree_restitution */
  double axes[3][3], A[9];
  double mu, e, tangential; /* coefficients of friction, and of restitution along n and across it */
  double start[3];          /* velocity before the round */
  double before[3];         /* and before the blow */
  double middle[3];         /* and at the end of compression (groups) */
  double x[3];              /* impulse */
  double rebound[3];        /* its part after compression (groups) */
} sc_blow;

/* Coefficient of restitution at a contact. */
double sc_blow_restitution(const scree_world *world, const sc_contact *contact);
/* Velocity of body 1 against body 2 at a contact, world axes. */
void sc_blow_relative_velocity(const sc_bodies *bodies, const sc_contact *contact, double u[3]);
/* The blow at a contact with the present velocities; no impulse yet. */
void sc_blow_make(const scree_world *world, sc_tied *tied, int32_t index, sc_blow *blow);
/* Present velocity in the blow's frame. */
void sc_blow_velocity(const sc_bodies *bodies, const sc_blow *blow, double u[3]);
/* Changes the bodies' velocities by an impulse x in the blow's frame. */
void sc_blow_give(sc_bodies *bodies, const sc_blow *blow, const double x[3]);
/* Solves a blow that happens alone, exactly, and gives it to the bodies. Returns the energy lost. */
double sc_blow_strike(sc_bodies *bodies, sc_blow *blow);
/* Solves blows that happen together and gives them to the bodies. Returns the energy lost, never
 * negative but for rounding. */
double sc_blow_strike_group(sc_bodies *bodies, sc_blow *const *blow, int32_t count);

/* What the rounds work on; memory is the step's. */
typedef struct sc_rounds {
  scree_world *world;
  double dt;
  sc_blow *blow;
  size_t capacity;
  sc_blow **sorted; /* by group, then contact */
  int32_t *first;   /* of each group in sorted */
  int32_t blows;
  int32_t *leader; /* of a body's group (union-find); its own mechanism's where it has none */
  sc_tied *tied;   /* NULL: there are no joints */
} sc_rounds;
enum { SC_ROUNDS = 400 };
/* Closing speed of a contact that impacts may concern, 0 for others. */
double sc_rounds_closing(const scree_world *world, int32_t contact, double dt);
/* The blows of one round: contacts here that close faster than `least`. */
scree_status sc_rounds_gather(sc_rounds *r, double least, scree_error *error);
/* Takes them; and, when all bodies have the velocities of the round's end, books what contacts took and
 * the motion of the cell did. */
void sc_rounds_strike(sc_rounds *r);
void sc_rounds_book(const sc_rounds *r);
/* Rounds until none closes so fast, or SC_ROUNDS of them. */
scree_status sc_rounds_run(sc_rounds *r, double least, scree_error *error);

#endif
