/* One-step compatible contact dynamics.
 *
 * The two-step method solves the contact problem first and selects the forces afterwards, which needs
 * unique velocities. The one-step method makes the contact problem itself slightly soft:
 *     minimise  v'Mv/2 - v'M v_free + sum k r/p max(0, c)^p,   c = -(gap/dt + B v),
 * The impulses f = k r max(0,c)^(p-1) are unique. As r grows, velocities tend to those of the rigid problem.
 * Impulses tend to those of minimum complementary energy among all impulses with these velocities (Tikhonov
 * limit). Each r starts from the field of the last r. M prevents motion of loose bodies, as the shift does in
 * truss.c, so every load is supported. */
#ifndef SC_TEST_TRUSS_STEP_H
#define SC_TEST_TRUSS_STEP_H

#include <math.h>

#include "solve/truss/truss.h"

/* Returns the unit of rigidity: mean mass of the movable bodies over mean stiffness of the contacts. */
static inline double unit_rigidity(const sc_truss *truss) {
  double mass = 0, stiffness = 0;
  int64_t moving = 0;
  for (int32_t b = 0; b < truss->bodies; b++)
    if (!truss->held[b]) mass += truss->mass[b].mass, moving++;
  for (int32_t c = 0; c < truss->contacts; c++) stiffness += truss->contact[c].stiffness;
  return moving && stiffness > 0 ? mass / (double)moving * truss->contacts / stiffness : 1;
}

/* Returns the largest free speed; 1 if no body moves. This speed scales the stiffness if the exponent is not
 * 2. */
static inline double largest_free_speed(const sc_truss *truss) {
  double most = 0;
  for (int32_t b = 0; b < truss->bodies; b++)
    if (!truss->held[b])
      most = fmax(most,
          sqrt(truss->load[b][0] * truss->load[b][0] + truss->load[b][1] * truss->load[b][1] +
              truss->load[b][2] * truss->load[b][2]) /
              truss->mass[b].mass);
  return most > 0 ? most : 1;
}

/* Computes velocities v and impulses `force` of the one-step variant, which solves the contact problem and
 * compatibility together. It minimises v'Mv/2 - v'M v_free + contact energy of stiffness k * rigidity. The
 * rigidity rises by factors of 100, with warm starts, to `rigidity` times the mean mass over the mean
 * stiffness. Set truss->load = -M v_free, truss->mass, and contact offsets = gap/dt. The impulses tend to the
 * compatible impulses with an error proportional to 1/rigidity (Hooke). Errors as in sc_truss_solve. */
static inline scree_status solve_one_step(const sc_truss *truss, double rigidity, sc_arena *arena,
    double (*force)[3], double (*v)[6], sc_truss_report *report, scree_error *error) {
  if (!(rigidity > 0) || isinf(rigidity))
    return sc_fail(error, SCREE_E_ARGUMENT, "rigidity must be positive and finite, not %g", rigidity);
  sc_truss_contact *stiffer = SC_TAKE(arena, sc_truss_contact, truss->contacts);
  if (!stiffer) return sc_fail(error, SCREE_E_MEMORY, "no memory for compatible forces");
  double unit = unit_rigidity(truss) * pow(largest_free_speed(truss), 2 - truss->exponent);
  sc_truss stage = *truss;
  sc_truss_report sum = {0};
  stage.contact = stiffer;
  for (double now = fmin(rigidity, 100);; now = fmin(rigidity, 100 * now)) {
    for (int32_t c = 0; c < truss->contacts; c++) {
      stiffer[c] = truss->contact[c];
      stiffer[c].stiffness *= unit * pow(now, truss->exponent - 1);
    }
    scree_status status = sc_truss_solve(&stage, arena, force, v, report, error);
    sum.iterations += report->iterations, sum.cg_iterations += report->cg_iterations;
    report->iterations = sum.iterations, report->cg_iterations = sum.cg_iterations;
    if (status || now >= rigidity) return status;
  }
}

#endif
