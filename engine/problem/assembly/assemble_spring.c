/* Springs of contacts with stiffness (problem/contact.h).
 *
 * With overlap d = -gap the spring force is k (d + T d'), T the relaxation time. At the end of the step
 * d = -(gap + dt u_n) and d' = -u_n, so the impulse is x_n = dt k (-gap - (dt + T) u_n). For a closed contact
 * this is the condition u_n + x_n/(k dt (dt + T)) + gap/(dt + T) = 0: a compliance on the diagonal of the
 * Delassus matrix, and a bias. The contact is rigid if the compliance is 0. Across the normal the spring
 * starts from the force of the last step, so that loaded contacts do not creep: u_t + (x_t - last)/(k_t dt^2)
 * = 0 (Lacoursiere 2007; Servin et al. 2014). The relaxation time does not act across the normal. Otherwise
 * the force of the last step would contain the damping force, and the spring would start from the sum. k_t is
 * `ratio` times the slope dF/dd of the normal force (Mindlin 1949). With Hertz's law the slope is 3/2 k. */
#include "collide/collide.h"
#include "math/elementary.h"
#include "math/vec.h"
#include "model/turning.h"
#include "problem/assembly/assemble.h"
#include "scree/stiffness.h"

/* Returns the overlap for the secant stiffness of Hertz's law [m]: the present overlap if the contact had an
 * impulse in the last step. A new contact has no overlap yet, so the function returns the overlap after free
 * motion. The overlap after free motion is wrong for a contact at rest, because free motion includes the fall
 * by gravity in one step. */
static double hertz_overlap(double gap, double free_way, bool carried) {
  return fmax(0, carried && gap < 0 ? -gap : fmax(-gap, free_way - gap));
}

/* Smallest ratio of stiffness to load per grain diameter if softness determines the stiffness. With this
 * ratio a contact with the mean load overlaps by 3e-4 of the diameter. Grains behave like rigid grains if the
 * ratio is above 1e3 to 1e4 (da Cruz et al. 2005, Roux and Combe 2002). */
static const double MIN_HARDNESS = 3e3;

/* Returns the stiffness of a contact with the softness s: 1/(s (1/m1 + 1/m2) dt^2). One factor dt is replaced
 * by the time in which gaps may close. */
static double softness_stiffness(const sc_assemble_in *in, double inverse_masses, double softness) {
  return 1 / (softness * inverse_masses * sc_assemble_way(in) * in->dt);
}

/* Returns the stiffness of a contact whose pair has no stiffness. Returns INFINITY, a rigid contact, if the
 * mean load is not known yet. A stiffness that ignores the load would be too low for contacts that carry many
 * bodies, and their overlap would be large. */
static double default_stiffness(const sc_assemble_in *in, int32_t index, double inverse_masses) {
  if (!(in->slow_load > 0)) return INFINITY;
  static const scree_stiffness limit = {.hardness = MIN_HARDNESS};
  const double radius = sc_collide_radius(in->collide, in->bodies, index);
  return fmax(softness_stiffness(in, inverse_masses, in->softness),
      scree_stiffness_normal(&limit, radius, 0, in->slow_load));
}

/* Returns the stiffness of a contact whose pair has a stiffness. */
static double pair_stiffness(const sc_assemble_in *in, int32_t index, double inverse_masses,
    const scree_stiffness *s, double overlap, double closing) {
  if (s->softness > 0) return softness_stiffness(in, inverse_masses, s->softness);
  const sc_face_point *face = sc_assemble_face(in, index);
  if (s->kn > 0) return face ? s->kn * face->area : 0;
  // a contact that closes fast must stop its bodies within the step
  const double load = s->hardness > 0 ? fmax(in->mean_load, fmax(0, closing) / (inverse_masses * in->dt)) : 0;
  return scree_stiffness_normal(s, sc_collide_radius(in->collide, in->bodies, index), overlap, load);
}

/* Limits the deflection of a closed spring to `deflection` [m], which is the last step's force over the
 * stiffness. Position corrections remove the overlap beyond this deflection. The stiffness of a softness
 * depends on the step and on the load. Without the limit, an increase of the stiffness would add elastic
 * energy. Overlaps of rigid contacts that become springs would also add elastic energy. slow: as in
 * sc_assemble_spring [s]. */
static void set_rest(double overlap, double deflection, double slow, sc_contact_spring *out) {
  if (!(deflection < overlap)) return;
  out->bias = -deflection / slow, out->rest = (overlap - deflection) / slow;
}

/* Slope dF/dd of Hertz's law divided by the secant stiffness F/d. */
static const double HERTZ_SLOPE = 1.5;

/* Sets the tangential impulse from which the spring starts: the tangential part of the last step's impulse,
 * rotated about the normal by the mean rotation of both bodies in the last step. Without this rotation a
 * spring between bodies that rotate together about the normal would pull in a constant direction of the
 * world, and the bodies would creep. along: normal part of the impulse [N s]. */
static void set_last(const sc_assemble_in *in, const sc_contact_bodies *who, const double n[3],
    const double impulse[3], double along, double last[3]) {
  double mean[3], across[3], side[3], sine, cosine;
  sc_add(in->bodies->spin[who->body1], in->bodies->spin[who->body2], mean);
  sc_sin_cos(sc_assemble_way(in) * sc_dot(mean, n) / 2, &sine, &cosine);
  sc_axpy(-along, n, impulse, across);
  sc_cross(n, across, side);
  for (int e = 0; e < 3; e++) last[e] = in->impulse_scale * (cosine * across[e] + sine * side[e]);
}

/* Corrects the spring of balls that overlap. The rows of balls have arms of the whole radius
 * (assemble_general.c), but the contact point is in the middle of the overlap. The rows of a ball with the
 * spin w therefore have the excess velocity -overlap/2 (w x n). overlap: [m], at least 0. */
static void take_excess_slip(const sc_assemble_in *in, const sc_contact_bodies *who, const double n[3],
    double overlap, sc_contact_spring *out) {
  const sc_bodies *bodies = in->bodies;
  const int32_t body[2] = {who->body1, who->body2};
  double spin[3] = {0, 0, 0}, slip[3];
  for (int side = 0; side < 2; side++)
    if (sc_bodies_has_ball_arm(bodies, body[side])) sc_add(spin, bodies->spin[body[side]], spin);
  sc_cross(spin, n, slip);
  sc_axpy(-overlap / (2 * out->tangent), slip, out->last, out->last);
}

void sc_assemble_spring(const sc_assemble_in *in, const sc_contact_bodies *who, const sc_rule *rule,
    double gap, const double n[3], const double impulse[3], double closing, sc_contact_spring *out) {
  const int32_t index = who->contact;
  const double inverse_masses = in->bodies->inv_mass[who->body1] + in->bodies->inv_mass[who->body2];
  *out = (sc_contact_spring){0};
  const bool springs = sc_rule_springs(rule);
  if (!springs && !(in->softness > 0)) return;
  const scree_stiffness *s = &rule->stiffness;
  if (s->kn > 0 && sc_assemble_face(in, index)) gap -= sc_assemble_face(in, index)->dilation;
  const double way = sc_assemble_way(in), slow = way + s->relaxation, along = sc_dot(impulse, n),
               overlap = hertz_overlap(gap, way * closing, along > 0),
               k = springs ? pair_stiffness(in, index, inverse_masses, s, overlap, closing)
                           : default_stiffness(in, index, inverse_masses);
  if (!(k > 0 && k < INFINITY)) return;
  out->normal = 1 / (k * in->dt * slow);
  const double slope = springs && s->law == SCREE_STIFFNESS_HERTZ ? HERTZ_SLOPE * k : k;
  out->tangent = 1 / (scree_stiffness_ratio(s) * slope * in->dt * way);
  out->bias = gap > 0 ? gap / way : gap / slow;
  const double scale = in->impulse_scale;
  if ((!springs || s->softness > 0) && in->positions && gap < 0)
    set_rest(-gap, fmax(0, along) * scale / (in->dt * k), slow, out);
  set_last(in, who, n, impulse, along, out->last);
  if (gap < 0) take_excess_slip(in, who, n, -gap, out);
}
