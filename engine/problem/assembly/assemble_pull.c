/* Cohesion in the problem: a pull along the normal, known before the step is solved.
 *
 * A contact with a pull of impulse c carries the normal impulse x_n >= -c and friction of at most mu (x_n +
 * c). With z = x + c e_n that is a plain contact, z_n >= 0 and |z_to| <= mu z_n, beside an impulse -c e_n
 * that is given beforehand. So pulls go into the free velocities (sc_problem_pull_all), solvers see plain
 * contacts and answer with z, and what is kept of a contact is x = z - c e_n (world/step/keep.c). The
 * contact's state remembers c: from it and x the next step finds z to go on from, and whether grains hold
 * each other or touched. */
#include "problem/assembly/assemble.h"
#include "collide/collide.h"
#include "law/cohesion/cohesion.h"
#include "math/vec.h"

double sc_assemble_pull(const sc_assemble_in *in, int32_t index, const sc_sides *sides, double gap,
    const double n[3], double impulse[3]) {
  const sc_cohesion *cohesion = &sc_assemble_rule(in, sides->material1, sides->material2)->cohesion;
  if (!sc_cohesion_acts(cohesion) || in->no_forces) return 0;
  const double last = in->state[(size_t)index * (size_t)in->state_stride + (size_t)in->pull_at];
  sc_axpy(last, n, impulse, impulse);
  double pressed = sc_dot(impulse, n) + (in->blow ? sc_dot(in->blow[index], n) : 0);
  return in->dt *
      sc_cohesion_at(cohesion, gap, sc_collide_radius(in->collide, in->bodies, index),
          gap <= 0 || pressed > 1e-9 * last, last > 0);
}
