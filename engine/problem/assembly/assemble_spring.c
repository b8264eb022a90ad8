/* Springs of contacts with stiffness (problem/contact.h).
 *
 * With overlap d = -gap the spring pushes with k (d + T d'), T the relaxation time. Solved for the end
 * of the step, where d = -(gap + dt u_n) and d' = -u_n, the impulse x_n = dt k (-gap - (dt + T) u_n) is
 * the condition u_n + x_n/(k dt (dt + T)) + gap/(dt + T) = 0 of a closed contact: a compliance on the
 * diagonal of the Delassus matrix, and a bias. As the compliance goes to 0 the contact becomes rigid.
 * Across the normal the spring starts from the force of the last step, so that nothing creeps: u_t +
 * (x_t - last)/(k_t dt (dt + T)) = 0. (Lacoursiere 2007; Servin et al. 2014.) */
#include "collide/collide.h"
#include "math/vec.h"
#include "problem/assembly/assemble.h"
#include "scree/stiffness.h"

/* Returns the overlap for Hertz's secant: the present one if the contact carried in the last step. The first
 * step of a contact has no overlap yet, so it uses the one that the free motion leads to. A contact at rest
 * must not use the latter, because that contains the way which gravity would make in a step. */
static double hertz_overlap(double gap, double free_way, bool carried) {
  return fmax(0, carried && gap < 0 ? -gap : fmax(-gap, free_way - gap));
}

/* Returns the sum of the inverse masses of the bodies of a contact. */
static double inverse_masses(const sc_assemble_in *in, int32_t index) {
  sc_sides at;
  sc_collide_sides(in->collide, in->shapes, index, &at);
  return in->bodies->inv_mass[at.body1] + in->bodies->inv_mass[at.body2];
}

void sc_assemble_spring(const sc_assemble_in *in, int32_t index, const sc_rule *rule, double gap,
    const double n[3], const double impulse[3], double closing, sc_contact_spring *out) {
  *out = (sc_contact_spring){0};
  if (!in->springs || !sc_rule_springs(rule)) return;
  const scree_stiffness *s = &rule->stiffness;
  const double way = sc_assemble_way(in), slow = way + s->relaxation,
               overlap = hertz_overlap(gap, way * closing, sc_dot(impulse, n) > 0),
               k = s->softness > 0
      ? 1 / (s->softness * inverse_masses(in, index) * way * in->dt)
      : scree_stiffness_normal(s, sc_collide_radius(in->collide, in->bodies, index), overlap, in->mean_load);
  if (!(k > 0 && k < INFINITY)) return;
  out->normal = 1 / (k * in->dt * slow);
  out->tangent = out->normal / scree_stiffness_ratio(s);
  out->bias = gap > 0 ? gap / way : gap / slow;
  const double scale = in->impulse_scale;
  for (int e = 0; e < 3; e++) out->last[e] = scale * (impulse[e] - sc_dot(impulse, n) * n[e]);
}
