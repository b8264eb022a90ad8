/* Cohesion in the problem: a pull along the normal that is computed before the step is solved.
 *
 * A contact with a pull of impulse c has the normal impulse x_n >= -c and friction of at most mu (x_n + c).
 * Let z = x + c e_n. Then z_n >= 0 and |z_to| <= mu z_n: z is the impulse of a contact without cohesion, and
 * -c e_n is a given impulse. The effect of all pulls is therefore added to the free velocities
 * (sc_problem_pull_all). Solvers compute z for contacts without cohesion, and x = z - c e_n is stored
 * (world/step/keep.c). The contact's state stores c. From c and x the next step computes its start value z,
 * and whether cohesion acted.
 *
 * A ball has a contact with each face of a mesh that it touches. The faces of a smooth surface together pull
 * the ball only once: of contacts with similar normals only the nearest contact pulls. */
#include "problem/assembly/assemble.h"
#include "collide/collide.h"
#include "law/cohesion/cohesion.h"
#include "math/vec.h"
#include "problem/assembly/assembly.h"

/* Returns the impulse of cohesion on a contact in the last step [N s]. */
static double last_pull(const sc_assemble_in *in, int32_t index) {
  return in->state[(size_t)index * (size_t)in->state_stride + (size_t)in->pull_at];
}

/* Returns the force by which cohesion pulls a contact, as if its pair had no other contact [N]. impulse:
 * impulse of the last step, including the pull. */
static double pull_alone(const sc_assemble_in *in, const sc_cohesion *cohesion, int32_t index, double gap,
    const double n[3], const double impulse[3]) {
  const double last = last_pull(in, index),
               pressed = sc_dot(impulse, n) + (in->impact ? sc_dot(in->impact[index], n) : 0);
  return sc_cohesion_at(cohesion, gap, sc_collide_radius(in->collide, in->bodies, index),
      gap <= 0 || pressed > 1e-9 * last, last > 0);
}

/* Returns true if cohesion already acts at a nearer contact with the same smooth surface. */
static bool is_pulled_beside(const sc_assemble_in *in, const sc_cohesion *cohesion, int32_t index) {
  for (int32_t c = sc_collide_nearer_face(in->collide, index, -1); c >= 0;
       c = sc_collide_nearer_face(in->collide, index, c)) {
    sc_meeting meeting;
    sc_collide_meeting(in->collide, in->shapes, c, &meeting);
    sc_axpy(last_pull(in, c), meeting.normal, meeting.impulse, meeting.impulse);
    if (pull_alone(in, cohesion, c, meeting.gap, meeting.normal, meeting.impulse) > 0) return true;
  }
  return false;
}

double sc_assemble_pull(const sc_assemble_in *in, int32_t index, const sc_sides *sides, double gap,
    const double n[3], double impulse[3]) {
  const sc_cohesion *cohesion = &sc_assemble_rule(in, sides->material1, sides->material2)->cohesion;
  if (!sc_cohesion_acts(cohesion)) return 0;
  if (in->no_forces) return 0; // an impact takes no time
  sc_axpy(last_pull(in, index), n, impulse, impulse);
  const double pull = pull_alone(in, cohesion, index, gap, n, impulse);
  return pull > 0 && !is_pulled_beside(in, cohesion, index) ? in->dt * pull : 0;
}
