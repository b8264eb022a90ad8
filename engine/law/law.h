/* Interface of a friction law: one file, one const struct, one line in the registry.
 *
 * Functions are pure: no allocation, no globals, callable from any thread. scree/law.h states the
 * single-contact problem. `par` is the vector of parameters that the law's table describes. `refresh` may
 * change the parameters for one contact and step. */
#ifndef SC_LAW_H
#define SC_LAW_H

#include <stdbool.h>
#include "base/base.h"
#include "scree/law.h"
#include "scree/world.h"

enum { SC_LAW_MOST_CORNERS = 16 };

/* Forms of laws that solvers have vectorised kernels for. The first forms have three rows and a circular
 * cone. The next forms are these forms, in this order, with an elliptic cone. The last forms have additional
 * moments, bounded by torsion and rolling. SC_FORM_NONE: the law has no such form. */
typedef enum sc_law_form {
  SC_FORM_NONE,
  SC_FORM_COULOMB,
  SC_FORM_CONE,
  SC_FORM_SPLIT,
  SC_FORM_ENERGY,
  SC_FORM_ELLIPTIC, /* form - SC_FORM_ELLIPTIC + 1: form of the circle that the ellipse is mapped to */
  SC_FORM_ROLLING = SC_FORM_ELLIPTIC + SC_FORM_ENERGY, /* SC_FORM_COULOMB with moments */
  SC_FORM_ROLLING_SPLIT,                               /* SC_FORM_SPLIT with moments */
  SC_FORM_ROLLING_ELLIPTIC,                            /* elliptic SC_FORM_COULOMB with moments */
  SC_LAW_FORMS
} sc_law_form;
/* Form of a law and the parameters that its kernels need. t: map T of an elliptic cone. With T, friction
 * along the main directions p and q is written as T z, and the cone is circular in z (refine.c). */
typedef struct sc_law_lane {
  sc_law_form form;
  double mu, mu_static; /* coefficients of friction while sliding, and while sticking; mu_static >= mu */
  double t[2][2];
  double torsion, rolling; /* bounds of the moments per normal impulse [m] */
} sc_law_lane;
/* Returns whether a form has moments. */
static inline bool sc_law_rolls(int form) { return form >= SC_FORM_ROLLING; }
/* Returns the form that describes the first three rows (n, t, o) of a contact with this form. */
static inline int sc_law_first_rows(int form) {
  return form == SC_FORM_ROLLING         ? SC_FORM_COULOMB
      : form == SC_FORM_ROLLING_SPLIT    ? SC_FORM_SPLIT
      : form == SC_FORM_ROLLING_ELLIPTIC ? SC_FORM_ELLIPTIC
                                         : form;
}
/* Returns whether the cone of a form is elliptic. */
static inline bool sc_law_elliptic(int form) { return sc_law_first_rows(form) >= SC_FORM_ELLIPTIC; }

typedef struct sc_law sc_law;
struct sc_law {
  const char *name, *doc;
  const scree_param *params;
  int params_count;
  int state_count; /* doubles of state per contact; the engine owns, saves and restores them */
  /* Returns the doubles of state that a contact needs with these parameters: 0 or state_count. NULL: always
   * state_count. refresh must accept state = NULL if the result is 0. */
  int (*states)(const double *par);
  /* Returns the number of rows (3..6) with these parameters. NULL: 3. */
  int (*dim)(const double *par);
  /* Returns whether the law with these parameters is the closed form of docs/theory.md, and sets mu. With A =
   * diag(a_n,a_t,a_t) the closed form is x_n = max(0,b_n/a_n), x_to = b_to min(1/a_t, mu x_n/|b_to|). Solvers
   * then use their vectorised kernel. NULL: never. */
  bool (*ball_mu)(const double *par, double *mu);
  /* Like ball_mu, for laws with more than 3 rows: returns whether the law of balls is the closed form with
   * moments bounded by torsion and rolling [m] (problem/operator/couple.c). NULL: never. */
  bool (*ball_couple)(const double *par, double *mu, double *torsion, double *rolling);
  /* Returns the form of the law with these parameters; solve must give the same results. NULL:
   * SC_FORM_NONE. */
  sc_law_lane (*lane)(const double *par);
  /* Solves one contact. A: dim x dim, row-major, SPD. x: the last iterate on entry, the impulse on return. A
   * law may start from the last iterate, but its result must not depend on the iterate, except for the law
   * `decoupled`. The result is never NaN for finite input. iterations may be NULL. */
  scree_contact_state (*solve)(const sc_law *law, int dim, const double *A, const double *b,
      const double *par, double *x, int *iterations);
  /* Writes all solutions to x (dim doubles each) in ascending order of energy, and returns their number.
   * NULL: only the solution of solve. */
  int (*solutions)(
      const sc_law *law, int dim, const double *A, const double *b, const double *par, double *x);
  /* Called once per step and contact before the sweeps. May change par (a copy for this contact) and state.
   * Returns nonzero if it failed. NULL: nothing to do. */
  int (*refresh)(
      const sc_law *law, double *par, double *state, const scree_contact_info *info, scree_error *error);
  /* Returns whether refresh may change these parameters or the state in some step. If not, refresh need not
   * be called. NULL: true if the law has refresh. */
  bool (*varies)(const double *par, bool planar);
  /* For laws with a convex set K: replaces x by the nearest point of K (Euclidean). NULL: no such set. */
  void (*project)(const double *par, int dim, double *x);
  /* Sets s to the shift of the velocity u for which -(u + s) lies in K's normal cone at x (De Saxce: s = mu
   * |u_to| e_n). NULL: s = 0. */
  void (*shift)(const double *par, int dim, const double *u, double *s);
  /* Returns whether friction x[1], x[2] is at the bound of sliding (SC_AT_BOUND) for the normal impulse x[0]
   * > 0. Returns true without friction, and false beyond the bound, where only mu_static holds. NULL: the
   * law's bound is not known. */
  bool (*slides)(const double *par, const double x[3]);
  /* Returns whether the bound is equal in all directions with these parameters. NULL: never. */
  bool (*round)(const double *par);
  /* For laws whose friction lies in a polygon of their own: writes its corners (t,o) per unit normal impulse,
   * at most SC_LAW_MOST_CORNERS, and returns their number. NULL: a circle, or the parameter `directions`. */
  int (*corners)(const double *par, double (*corner)[2]);
  /* Laws defined by scripts: user data, with an error slot that the caller reads when solve returns a
   * negative state. */
  void *user;
  /* springs and dashpots for the penalty stepper (law/soft/penalty.h); NULL for laws of hard contact */
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

/* Computes the impulse x of a contact by the law that `lane` describes, whose cone must be circular. A: 3 x 3
 * block; A, b, x: as for sc_law.solve. */
void sc_law_form_solve(const sc_law_lane *lane, const double A[9], const double b[3], double x[3]);

/* Returns a registered law; NULL if index is out of range. */
const sc_law *sc_law_at(int index);
/* Returns the registered law with this name, or NULL. */
const sc_law *sc_law_find(const char *name);
/* Places where laws act: worlds, or bare problems (a matrix without bodies). Each place reads some of the
 * parameters. */
enum { SC_IN_WORLDS, SC_IN_BARE_PROBLEMS };
/* Rejects a parameter that the law does not read in this place, unless the parameter has its default or 0.
 * path names the law in messages. */
scree_status sc_law_check_place(
    const sc_law *law, const double *params, int place, const char *path, scree_error *error);

#endif
