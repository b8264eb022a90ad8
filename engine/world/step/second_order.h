/* State of contacts in a step of second order, and functions for the parts of such a step. */
#ifndef SC_WORLD_SECOND_ORDER_H
#define SC_WORLD_SECOND_ORDER_H

#include "world/parts/contacts.h"
#include "world/mechanism/swing.h"
#include "world/phase.h"
#include "scree/world.h"

/* Number of doubles in the impulses of a contact: impulse (3), moment (3) and pull of cohesion (1). */
enum { SC_CARRIED = 7 };
/* State of a contact in SC_CURVE doubles. Vectors are in world axes; velocities are those of body 1 relative
 * to body 2. */
typedef struct sc_curve {
  double point[3]; /* contact point at the start of the motion [m] */
  /* relative velocity at the start of the motion, and its normal component [m/s] */
  double velocity[3], along;
  /* rates of change of the relative velocity and its normal component while the bodies' velocities are
   * constant [m/s2] */
  double rate[3], along_rate;
  /* 0: new contact; SC_LEFT: point and velocity are valid; SC_MEASURED: the rates are valid too */
  double known;
  double sum[SC_CARRIED]; /* sums of impulse [N s], moment [N m s] and pull [N s] over the step so far */
  /* impulse, moment and pull for the warm start of the next step; for half a step */
  double start[SC_CARRIED];
  double lost; /* energy dissipated in the step [J] */
} sc_curve;
_Static_assert(sizeof(sc_curve) == SC_CURVE * sizeof(double), "a curve is SC_CURVE doubles");
enum { SC_LEFT = 1, SC_MEASURED };
enum { SC_CURVE_RATE = 7 }; /* offset of `rate` in sc_curve, in doubles */
/* Returns the sc_curve of a contact, which is part of its state. */
static inline sc_curve *sc_contact_curve(const sc_contact_data *contacts, int32_t contact) {
  return (sc_curve *)(void *)(sc_contact_state(contacts, contact) + sc_curve_place(contacts));
}

/* Stores contact points and relative velocities of all contacts in sc_curve. Call before bodies move
 * (curve.c). */
void sc_curves_leave(scree_world *world);
/* Changes the stored relative velocities of contacts after mechanisms have moved with velocities that differ
 * from the solved velocities. The rates from sc_curves_measure then contain twice this difference. The factor
 * 2 is needed because the contact law uses only half of the velocity change that the rates cause. */
void sc_curves_follow(scree_world *world, const sc_swings *swings);
/* Measures the rates of all contacts: time derivatives of the relative velocities. Call when the bodies have
 * moved for the time `way` of a step dt and contacts have been detected. */
void sc_curves_measure(scree_world *world, double dt, double way);
/* Adds impulses and losses of all contacts to the sums of the step (sc_curve.sum, sc_curve.lost). */
void sc_curves_add(scree_world *world);
/* Sets carried[] to impulse, moment and pull of a contact. */
void sc_carried_read(const scree_world *world, int32_t contact, double carried[SC_CARRIED]);

/* Sets impulse, moment and pull of a contact to carried[]. state: scree_contact_state of the contact. */
void sc_carried_write(scree_world *world, int32_t contact, const double carried[SC_CARRIED], int32_t state);

/* A contact is closed if it closes within this share of the duration of a motion. */
#define SC_CLOSED_PART 1e-3
/* Kinds of contacts (closing.c). SC_FAST: the gap closes at a speed above the velocity change that gravity,
 * loads and joints can cause in a step. SC_STRUCK: a fast contact that closes within the share SC_CLOSED_PART
 * of the motion. SC_SLOW: any other contact. */
enum { SC_SLOW, SC_FAST, SC_STRUCK };
/* Returns the accelerations [bodies] due to gravity, loads and the last reactions of joints [m/s2]. The array
 * is in the world's arena. Returns NULL without memory. */
double *sc_closing_accelerations(scree_world *world);
/* Sets kind[contacts] to SC_SLOW, SC_FAST or SC_STRUCK, for a motion of duration `way` in a step dt.
 * acceleration: result of sc_closing_accelerations. Returns the number of contacts of kind SC_STRUCK.
 * *widest: set to the largest gap of these contacts [m]. */
int32_t sc_closing_find(const scree_world *world, const double *acceleration, double dt, double way,
    uint8_t *kind, double *widest);
/* Returns the time after which the first fast contact closes [s], at most `way`. The solved problem must
 * contain the forces over half of `way`. */
double sc_closing_time(const scree_world *world, double way, const uint8_t *kind);

#endif
