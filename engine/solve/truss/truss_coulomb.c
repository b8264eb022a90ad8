/* Coulomb friction on the truss: the associated cone program of truss.c without its dilation.
 *
 * Forces of minimum complementary energy in the cones |f_t| <= mu f_n obey an associated flow rule: a contact
 * that slides by s also opens by mu s, so its force is larger than its compression implies. Coulomb friction
 * does not dilate. An offset of mu s at every sliding contact (De Saxce & Feng 1998) removes the difference:
 * f_n = k max(0, compression), |f_t| = mu f_n. The offset follows from the solution, so the program is solved
 * repeatedly, each time from the last field, until the offsets converge. Not every load has such forces (a
 * body in flight, a step with impacts), and convergence is not guaranteed. Without convergence the result is
 * an error. */
#include <math.h>
#include "math/vec.h"
#include "solve/truss/truss.h"

enum { ROUNDS = 10 };  /* maximum Newton steps of all rounds, in multiples of truss.iterations */
enum { PATIENCE = 4 }; /* rounds without progress before the share is halved */
static const double LEAST_SHARE = 0.1; /* the fixed point fails if the share falls below this value */

/* Returns the part of the slip that is not deformation of the tangential spring, |c_t - f_t/k_t|.
 * *compression: set to the compression of the contact with its original offset. */
static double compute_slip(const sc_truss *truss, const sc_truss_contact *c, const double (*u)[6],
    const double force[3], double *compression) {
  double d1[3], d2[3], t[3], o[3], kt = c->stiffness * c->ratio;
  sc_cross(u[c->i] + 3, c->arm1, d1);
  sc_cross(u[c->j] + 3, c->arm2, d2);
  for (int k = 0; k < 3; k++) d1[k] += u[c->i][k] - d2[k] - u[c->j][k];
  for (int l = 0; l < 3 && truss->cell; l++) sc_axpy(-c->shift[l], u[truss->bodies + l], d1, d1);
  sc_frame(c->n, t, o);
  double st = -sc_dot(d1, t) - force[1] / kt, so = -sc_dot(d1, o) - force[2] / kt;
  *compression = -c->offset - sc_dot(d1, c->n);
  return sqrt(st * st + so * so);
}

/* Moves offsets by `share` towards those of the present solution. Returns the largest difference between a
 * normal force and the force of the same displacements with Coulomb friction, divided by the largest normal
 * force. The slip of contacts without force does not count, because loose bodies may have any slip. */
static double update_offsets(const sc_truss *truss, sc_truss_contact *now, const double (*u)[6],
    const double (*force)[3], double share) {
  double wrong = 0, most = 0;
  for (int32_t c = 0; c < truss->contacts; c++) {
    double compression;
    most = fmax(most, force[c][0]);
    if (!(now[c].mu > 0)) continue;
    double s = compute_slip(truss, truss->contact + c, u, force[c], &compression);
    wrong = fmax(wrong, fabs(force[c][0] - now[c].stiffness * fmax(0, compression)));
    now[c].offset += share * (truss->contact[c].offset + now[c].mu * s - now[c].offset);
  }
  return most > 0 ? wrong / most : 0;
}

/* Progress of the fixed point. */
typedef struct course {
  double change; /* error of the last round, relative to the largest normal force */
  double best;   /* smallest error so far */
  double share;  /* relaxation factor; halved after PATIENCE rounds without progress */
  int since;     /* number of rounds without progress */
} course;

static bool continues_rounds(course *c) {
  c->since = c->change < 0.9 * c->best ? 0 : c->since + 1;
  c->best = fmin(c->best, c->change);
  if (c->since < PATIENCE) return true;
  c->since = 0;
  c->share *= 0.5;
  return c->share >= LEAST_SHARE;
}

scree_status sc_truss_coulomb(const sc_truss *truss, sc_arena *arena, double (*force)[3], double (*u)[6],
    sc_truss_report *report, scree_error *error) {
  sc_truss_contact *now = SC_TAKE(arena, sc_truss_contact, truss->contacts);
  if (!now) return sc_fail(error, SCREE_E_MEMORY, "no memory for compatible forces");
  if (truss->contacts) memcpy(now, truss->contact, (size_t)truss->contacts * sizeof *now);
  sc_truss stage = *truss;
  sc_truss_report sum = {0};
  stage.contact = now;
  const double enough = fmax(truss->tolerance, 1e-10);
  course c = {.change = INFINITY, .best = INFINITY, .share = 1};
  do {
    /* far from convergence, forces need not be exact */
    stage.tolerance = c.change < 3 * enough ? truss->tolerance
                                            : fmax(truss->tolerance, fmin(1e-3, 1e-2 * c.change));
    if (truss->cg_iterations > 0) stage.cg_iterations = truss->cg_iterations - sum.cg_iterations;
    scree_status status = sc_truss_solve(&stage, arena, force, u, report, error);
    sum.iterations += report->iterations, sum.cg_iterations += report->cg_iterations;
    report->iterations = sum.iterations, report->cg_iterations = sum.cg_iterations;
    if (status) return status;
    c.change = update_offsets(truss, now, (const double(*)[6])u, (const double(*)[3])force, c.share);
    if (c.change <= enough && stage.tolerance <= truss->tolerance) return SCREE_OK;
    if (c.change <= enough) c.change = enough; /* the next round has the final tolerance */
  } while (continues_rounds(&c) && sum.iterations < ROUNDS * truss->iterations &&
      (truss->cg_iterations == 0 || sum.cg_iterations < truss->cg_iterations));
  report->worst = -1;
  return sc_fail(error, SCREE_E_NUMERIC,
      "compatible forces with Coulomb friction do not settle: after %lld Newton steps normal forces are off "
      "by "
      "%.2g of the largest force",
      (long long)sum.iterations, c.best);
}
