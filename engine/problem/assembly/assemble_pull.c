/* Cohesion in the problem: a pull along the normal, known before the step is solved.
 *
 * A contact with a pull of impulse c carries the normal impulse x_n >= -c and friction of at most mu (x_n +
 * c). With z = x + c e_n that is a plain contact, z_n >= 0 and |z_to| <= mu z_n, beside an impulse -c e_n
 * that is given beforehand. So pulls go into the free velocities (sc_problem_pull_all), solvers see plain
 * contacts and answer with z, and what is kept of a contact is x = z - c e_n (world/step/keep.c). The
 * contact's state remembers c: from it and x the next step finds z to go on from, and whether grains hold
 * each other or touched.
 *
 * A ball has a contact with each face of a mesh that it touches. Faces of a smooth surface pull the ball
 * once: of contacts with similar normals the nearest pulls. */
#include "problem/assembly/assemble.h"
#include "collide/collide.h"
#include "law/cohesion/cohesion.h"
#include "math/vec.h"
#include "problem/assembly/assembly.h"

static double last_pull(const sc_assemble_in *in, int32_t index) {
  return in->state[(size_t)index * (size_t)in->state_stride + (size_t)in->pull_at];
}

/* Returns the pull of a contact as if its pair had no other contact [N]. impulse: of the last step, with its
 * pull. */
static double pull_alone(const sc_assemble_in *in, const sc_cohesion *cohesion, int32_t index, double gap,
    const double n[3], const double impulse[3]) {
  const double last = last_pull(in, index),
               pressed = sc_dot(impulse, n) + (in->blow ? sc_dot(in->blow[index], n) : 0);
  return sc_cohesion_at(cohesion, gap, sc_collide_radius(in->collide, in->bodies, index),
      gap <= 0 || pressed > 1e-9 * last, last > 0);
}

/* Returns whether a nearer contact of the smooth surface pulls. */
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
  sc_axpy(last_pull(in, index), n, impulse, impulse);
  const double pull = pull_alone(in, cohesion, index, gap, n, impulse);
  return pull > 0 && !is_pulled_beside(in, cohesion, index) ? in->dt * pull : 0;
}
