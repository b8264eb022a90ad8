/* Coulomb friction on the truss: the associated cone program of truss.c, with its dilation taken back.
 *
 * The forces of least complementary energy in the cones |f_t| <= mu f_n obey an associated flow rule: a
 * contact that slides by s also opens by mu s, and so pushes harder than its compression says. Coulomb
 * friction does not dilate. With an offset of mu s at every sliding contact (De Saxce & Feng 1998) the
 * two agree: f_n = k max(0, compression), |f_t| = mu f_n. The offset follows from the solution, so the
 * program is solved again until the offsets settle, each time from the last field. */
#include <math.h>
#include "math/vec.h"
#include "solve/truss/truss.h"

enum { ROUNDS = 200 };

/* Slip beyond what the tangential spring takes up: |c_t - f_t/k_t|. */
static double slip(const sc_truss_contact *c, const double (*u)[6], const double force[3]) {
  double d1[3], d2[3], t[3], o[3], kt = c->stiffness * c->ratio;
  sc_cross(u[c->i] + 3, c->arm1, d1);
  sc_cross(u[c->j] + 3, c->arm2, d2);
  for (int k = 0; k < 3; k++) d1[k] += u[c->i][k] - d2[k] - u[c->j][k];
  sc_frame(c->n, t, o);
  double st = -sc_dot(d1, t) - force[1] / kt, so = -sc_dot(d1, o) - force[2] / kt;
  return sqrt(st * st + so * so);
}

/* New offsets from the solution; the largest change of force that they mean, over the largest force. */
static double take_back(
    const sc_truss *truss, sc_truss_contact *now, const double (*u)[6], const double (*force)[3]) {
  double change = 0, most = 0;
  for (int32_t c = 0; c < truss->contacts; c++) {
    most = fmax(most, force[c][0]);
    if (!(now[c].mu > 0)) continue;
    double offset = truss->contact[c].offset + now[c].mu * slip(now + c, u, force[c]);
    change = fmax(change, now[c].stiffness * fabs(offset - now[c].offset));
    now[c].offset = offset;
  }
  return most > 0 ? change / most : 0;
}

scree_status sc_truss_coulomb(const sc_truss *truss, sc_arena *arena, double (*force)[3], double (*u)[6],
    sc_truss_report *report, scree_error *error) {
  sc_truss_contact *now = SC_TAKE(arena, sc_truss_contact, truss->contacts);
  if (!now) return sc_fail(error, SCREE_E_MEMORY, "no memory for compatible forces");
  if (truss->contacts) memcpy(now, truss->contact, (size_t)truss->contacts * sizeof *now);
  sc_truss stage = *truss;
  sc_truss_report sum = {0};
  stage.contact = now;
  double change = INFINITY, enough = fmax(truss->tolerance, 1e-10);
  for (int round = 0; round < ROUNDS && change > enough; round++) {
    scree_status status = sc_truss_solve(&stage, arena, force, u, report, error);
    sum.iterations += report->iterations, sum.cg_iterations += report->cg_iterations;
    report->iterations = sum.iterations, report->cg_iterations = sum.cg_iterations;
    if (status) return status;
    change = take_back(truss, now, (const double(*)[6])u, (const double(*)[3])force);
  }
  if (change <= enough) return SCREE_OK;
  return sc_fail(error, SCREE_E_NUMERIC,
      "forces with Coulomb friction do not settle: the last change is %.2g of the largest force", change);
}
