/* Inside of the steps of second order: their stages, and what contacts carry through them. */
#ifndef SC_WORLD_SECOND_ORDER_H
#define SC_WORLD_SECOND_ORDER_H

#include "world/mechanism/swing.h"
#include "world/world.h"

/* One solution of contacts in such a step. The forces act for the problem's dt. */
struct sc_stage {
  double way;          /* time that the bodies move until contacts are looked at again [s] */
  double rate_time;    /* contacts ask for the velocity this time later [s] */
  double warm;         /* share of the impulses of contacts to start from */
  double closed;       /* gaps up to this count as 0 [m] */
  bool arrives;        /* the bodies have moved already */
  bool strikes;        /* an impact: no forces act */
  const uint8_t *skip; /* per contact, nonzero: left out */
};

enum { SC_CARRIED = 7 };
/* What a contact carries in its state: SC_CURVE doubles. World axes, body 1 against body 2. */
typedef struct sc_curve {
  double point[3];            /* where bodies left it [m] */
  double velocity[3], along;  /* relative velocity then, and its part along the normal [m/s] */
  double rate[3], along_rate; /* change of both per time, as bodies moved with constant velocities [m/s2] */
  double known;               /* 0: the contact is new; SC_LEFT, SC_MEASURED */
  /* impulse [N s], moment [N m s], pull [N s], of the sum of the step and of what the next step starts from,
   * for half of a step; and the energy taken in the step [J] */
  double sum[SC_CARRIED], start[SC_CARRIED], lost;
} sc_curve;
_Static_assert(sizeof(sc_curve) == SC_CURVE * sizeof(double), "a curve is SC_CURVE doubles");
enum { SC_LEFT = 1, SC_MEASURED };
enum { SC_CURVE_RATE = 7 }; /* place of the rates in it */
static inline sc_curve *sc_world_curve(const scree_world *world, int32_t contact) {
  return (sc_curve *)(void *)(world->state + (size_t)contact * (size_t)world->state_stride +
      sc_world_curve_at(world));
}

/* Notes places and velocities of all contacts before bodies move (curve.c). */
void sc_curves_leave(scree_world *world);
/* Takes notice that mechanisms have moved, with other velocities than contacts were solved for: contacts are
 * to expect all of this change, where they expect half of what their rates bring. */
void sc_curves_follow(scree_world *world, const sc_swings *swings);
/* Measures the rates after bodies have moved for `way` of a step dt and contacts have been found. */
void sc_curves_measure(scree_world *world, double dt, double way);
/* Adds what all contacts carry, with the energy that they took, to the sums of the step. */
void sc_curves_add(scree_world *world);
/* Impulse, moment and pull of a contact as its last solution left them, and back. */
void sc_carried_read(const scree_world *world, int32_t contact, double carried[SC_CARRIED]);
void sc_carried_write(scree_world *world, int32_t contact, const double carried[SC_CARRIED], int32_t state);

/* Share of a way: a contact that closes sooner is closed. */
#define SC_CLOSED_PART 1e-3
/* How contacts close (closing.c). In a step dt, one is fast if its gap closes faster than gravity, loads and
 * joints accelerate its bodies in a step. */
enum { SC_SLOW, SC_FAST, SC_STRUCK /* fast, and closed up to a small part of `way` */ };
/* Returns accelerations [bodies] by gravity, loads and the last reactions of joints, in the world's arena; NULL
 * without memory. */
double *sc_closing_accelerations(scree_world *world);
/* Sets kind[contacts]; returns how many are struck, and the widest gap of these. */
int32_t sc_closing_find(const scree_world *world, const double *acceleration, double dt, double way,
    uint8_t *kind, double *widest);
/* Returns the time after which the first fast contact closes, with the solution of a stage whose forces act
 * for half of `way`; at most `way`. */
double sc_closing_time(const scree_world *world, double way, const uint8_t *kind);

#endif
