/* The plug of a friction law: one file, one const struct, one line in the registry.
 *
 * Functions are pure: no allocation, no globals, any thread. The single-contact problem is
 * scree/law.h's. Parameters come as the vector its table describes; `refresh` may replace them for one
 * contact and step. */
#ifndef SC_LAW_H
#define SC_LAW_H

#include <stdbool.h>
#include "base/base.h"
#include "scree/law.h"
#include "scree/world.h"

enum { SC_LAW_MOST_CORNERS = 16 };

/* Forms of laws, which solvers work out side by side: with three rows and a circular cone, and behind those
 * in the same order with an elliptic one; then those with moments beside them, bounded by torsion and
 * rolling. SC_FORM_NONE: a law has none of them. */
typedef enum sc_law_form {
  SC_FORM_NONE,
  SC_FORM_COULOMB,
  SC_FORM_CONE,
  SC_FORM_SPLIT,
  SC_FORM_ENERGY,
  SC_FORM_ELLIPTIC, /* form - SC_FORM_ELLIPTIC + 1 is that of the circle which the ellipse becomes */
  SC_FORM_ROLLING = SC_FORM_ELLIPTIC + SC_FORM_ENERGY, /* Coulomb's; then */
  SC_FORM_ROLLING_SPLIT,
  SC_FORM_ROLLING_ELLIPTIC, /* Coulomb's */
  SC_LAW_FORMS
} sc_law_form;
/* t: an elliptic cone becomes circular with friction t z in place of z, along p and q (refine.c). */
typedef struct sc_law_lane {
  sc_law_form form;
  double mu, mu_static; /* while sliding, and at least as much while sticking */
  double t[2][2];
  double torsion, rolling; /* [m] */
} sc_law_lane;
static inline bool sc_law_rolls(int form) { return form >= SC_FORM_ROLLING; }
/* The form of the first three rows. */
static inline int sc_law_first_rows(int form) {
  return form == SC_FORM_ROLLING         ? SC_FORM_COULOMB
      : form == SC_FORM_ROLLING_SPLIT    ? SC_FORM_SPLIT
      : form == SC_FORM_ROLLING_ELLIPTIC ? SC_FORM_ELLIPTIC
                                         : form;
}
static inline bool sc_law_elliptic(int form) { return sc_law_first_rows(form) >= SC_FORM_ELLIPTIC; }

typedef struct sc_law sc_law;
struct sc_law {
  const char *name, *doc;
  const scree_param *params;
  int params_count;
  int state_count; /* doubles of state per contact, owned, saved and restored by the engine */
  /* States wanted with these parameters, 0 or state_count. NULL: state_count. refresh copes with state =
   * NULL where this is 0. */
  int (*states)(const double *par);
  /* Rows wanted with these parameters (3..6). NULL: 3. */
  int (*dim)(const double *par);
  /* Whether with these parameters the law is the closed form of docs/theory.md for A = diag(a_n,a_t,a_t),
   * x_n = max(0,b_n/a_n), x_to = b_to min(1/a_t, mu x_n/|b_to|), and with which mu: solvers then use their
   * lane kernel. NULL: never. */
  bool (*ball_mu)(const double *par, double *mu);
  /* The same where the rows past 3 are wanted: whether for balls the law is the closed form with moments
   * bounded by torsion and rolling [m] beside it (problem/operator/couple.c). NULL: never. */
  bool (*ball_couple)(const double *par, double *mu, double *torsion, double *rolling);
  /* The form of the law with these parameters, by which solve goes, too. NULL: SC_FORM_NONE, always. */
  sc_law_lane (*lane)(const double *par);
  /* Solves one contact; A dim x dim row-major, SPD. x holds the last iterate on the way in (may be used
   * as a guess, must not change the answer; `decoupled` alone is a step from there) and the impulse on
   * the way out. Never NaN for finite input. iterations may be NULL. */
  scree_contact_state (*solve)(const sc_law *law, int dim, const double *A, const double *b,
      const double *par, double *x, int *iterations);
  /* All solutions, least energy first; NULL: the one of solve. Returns the number, writes dim doubles
   * each. */
  int (*solutions)(
      const sc_law *law, int dim, const double *A, const double *b, const double *par, double *x);
  /* Once per step and contact, before the sweeps: may change par (this contact's copy) and state. NULL:
   * nothing to do. Nonzero: failed. */
  int (*refresh)(
      const sc_law *law, double *par, double *state, const scree_contact_info *info, scree_error *error);
  /* Whether refresh may change these parameters, or state, in some step; else it need not be called. NULL:
   * wherever there is a refresh. */
  bool (*varies)(const double *par, bool planar);
  /* For laws with a convex set K: nearest point of K to x (Euclidean), in place. NULL without. */
  void (*project)(const double *par, int dim, double *x);
  /* What to add to the velocity u so that -(u + s) lies in K's normal cone at x (De Saxce: s = mu |u_to|
   * e_n). NULL: s = 0. */
  void (*shift)(const double *par, int dim, const double *u, double *s);
  /* Returns whether friction x[1], x[2] is at the bound of sliding (SC_AT_BOUND) for the normal impulse x[0]
   * > 0. Returns true without friction, and false beyond the bound, where only mu_static holds. NULL: the
   * law's bound is not known. */
  bool (*slides)(const double *par, const double x[3]);
  /* Returns whether the bound is equal in all directions with these parameters. NULL: never. */
  bool (*round)(const double *par);
  /* For laws whose friction lies in a polygon of their own: its corners (t,o) per normal impulse, at
   * most SC_LAW_MOST_CORNERS; returns their number. NULL: a circle, or the parameter `directions`. */
  int (*corners)(const double *par, double (*corner)[2]);
  /* Laws defined by scripts: user data, and an error slot read by the caller when solve returns a
   * negative state. */
  void *user;
  /* Springs and dashpots for the penalty stepper (law/soft/penalty.h); NULL for laws of hard contact. */
  const struct sc_penalty *penalty;
};

/* Friction above this share of its bound counts as sliding. Solvers reach the bound to rounding, newton to
 * its own tolerance. */
static const double SC_AT_BOUND = 1 - 1e-9;
/* Friction above this share of the bound is static friction (mu_static). */
static const double SC_BEYOND_BOUND = 1 + 1e-6;
/* Returns the result of `slides` for a circular bound. square: square of the friction. */
static inline bool sc_slides_in_circle(double mu, double mu_static, double x_n, double square) {
  const double most = mu * x_n, at = SC_AT_BOUND * most, beyond = SC_BEYOND_BOUND * most;
  return square >= at * at && !(mu_static > mu && square > beyond * beyond);
}

/* What a law of a form with a circular cone makes of one contact: A 3 x 3, x as for solve. */
void sc_law_form_solve(const sc_law_lane *lane, const double A[9], const double b[3], double x[3]);

/* Registered laws, NULL past the last / if unknown. */
const sc_law *sc_law_at(int index);
const sc_law *sc_law_find(const char *name);
/* Places where laws act. Each place reads some of the parameters. */
enum { SC_IN_WORLDS, SC_IN_BARE_PROBLEMS };
/* Refuses a parameter that the law does not read in this place, unless the parameter has its default or
 * 0. path names the law in messages. */
scree_status sc_law_check_place(
    const sc_law *law, const double *params, int place, const char *path, scree_error *error);

#endif
