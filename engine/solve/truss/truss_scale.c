/* Converts the user's arrays to scaled members: checks, scales of force, stiffness and length, levers. */
#include "solve/truss/truss_system.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"

/* A lever below this share of its arm is a rounding error: the arm of a ball is parallel to the normal. */
static const double LEVER = 1e-10;

static scree_status check_truss(const sc_truss *truss, scree_error *error) {
  if (!(truss->exponent > 1) || isinf(truss->exponent))
    return sc_fail(error, SCREE_E_ARGUMENT, "the exponent p of the contact energy must be above 1, not %g",
        truss->exponent);
  for (int32_t c = 0; c < truss->contacts; c++) {
    const sc_truss_contact *contact = truss->contact + c;
    if (!(contact->stiffness > 0) || isinf(contact->stiffness))
      return sc_fail(error, SCREE_E_ARGUMENT, "stiffness of contact %d must be positive and finite, not %g",
          (int)c + 1, contact->stiffness);
    if (!(contact->mu >= 0))
      return sc_fail(error, SCREE_E_ARGUMENT, "mu of contact %d must not be negative, but is %g", (int)c + 1,
          contact->mu);
    if (contact->mu > 0 && !(contact->ratio > 0))
      return sc_fail(error, SCREE_E_ARGUMENT,
          "tangential stiffness ratio of contact %d must be positive, not %g", (int)c + 1, contact->ratio);
    if (contact->mu > 0 && truss->exponent != 2)
      return sc_fail(error, SCREE_E_ARGUMENT,
          "forces with friction are defined for Hooke contacts (p = 2), not for p = %g", truss->exponent);
  }
  return SCREE_OK;
}

/* Sets s of each body to its longest arm; 1 for bodies without contacts. */
static void scale_arms(const sc_truss *truss, int32_t bodies, double *s) {
  for (int32_t b = 0; b < bodies; b++) s[b] = 0;
  for (int32_t c = 0; c < truss->contacts; c++) {
    const sc_truss_contact *contact = truss->contact + c;
    s[contact->i] = fmax(s[contact->i], sc_norm(contact->arm1));
    s[contact->j] = fmax(s[contact->j], sc_norm(contact->arm2));
  }
  for (int32_t b = 0; b < bodies; b++)
    if (!(s[b] > 0)) s[b] = 1;
}

/* Computes the lever: arm x axis / s. Sets it to 0 if it is a rounding error or the body is held. Returns
 * whether it is not 0. */
static bool compute_lever(const double arm[3], const double axis[3], double s, bool held, double out[3]) {
  sc_cross(arm, axis, out);
  bool counts = !held && sc_norm(out) > LEVER * sc_norm(arm);
  sc_scale(counts ? 1 / s : 0, out, out);
  return counts;
}

static void fill_member(const sc_truss *truss, const sc_truss_system *system, const sc_truss_contact *from,
    double stiffness_scale, sc_member *to) {
  *to = (sc_member){.i = from->i, .j = from->j, .rows = from->mu > 0 ? 3 : 1, .mu = from->mu};
  to->kn = from->stiffness / stiffness_scale;
  to->kt = to->kn * from->ratio;
  to->offset = from->offset / system->move_scale;
  to->bounded = from->bounded, to->bound = from->bound / system->force_scale;
  if (truss->cell) sc_scale(1 / system->cell_scale, from->shift, to->shift);
  sc_copy3(from->n, to->axis[0]);
  sc_frame(from->n, to->axis[1], to->axis[2]);
  for (int row = 0; row < to->rows; row++) {
    bool one = compute_lever(
        from->arm1, to->axis[row], system->arm_scale[from->i], truss->held[from->i], to->arm1[row]);
    bool two = compute_lever(
        from->arm2, to->axis[row], system->arm_scale[from->j], truss->held[from->j], to->arm2[row]);
    if (one || two) to->lever = 1;
  }
}

/* Returns the sum of the lengths of all image shifts. The cell's load divided by this sum is a mean force. */
static double scale_cell(const sc_truss *truss) {
  double sum = 0;
  for (int32_t c = 0; c < truss->contacts && truss->cell; c++) sum += sc_norm(truss->contact[c].shift);
  return sum > 0 ? sum : 1;
}

/* Computes the load that belongs to column l of the cell's displacement gradient G, divided by scale [N].
 * Components of G that are not free get 0. */
static void cell_load(const sc_truss *truss, double scale, int l, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = truss->cell->moves[l][k] ? truss->cell->load[l][k] / scale : 0;
}

/* Returns the largest load on a free body or on the cell. Torques are divided by the body's arm. */
static double largest_load(const sc_truss *truss, const sc_truss_system *system, bool *turned) {
  const double *s = system->arm_scale;
  double largest = 0, twist = 0;
  for (int32_t b = 0; b < truss->bodies; b++) {
    if (truss->held[b]) continue;
    largest = fmax(largest, sc_norm(truss->load[b]));
    twist = fmax(twist, sc_norm(truss->load[b] + 3) / s[b]);
  }
  for (int l = 0; l < 3 && truss->cell; l++) {
    double force[3];
    cell_load(truss, system->cell_scale, l, force);
    largest = fmax(largest, sc_norm(force));
  }
  *turned = twist > LEVER * largest;
  return fmax(largest, twist);
}

/* Computes the packed lower triangle of diag(m E, I/s^2) of each body in scaled units. */
static void fill_mass(const sc_truss *truss, const sc_truss_system *system, double *mass) {
  double unit = system->move_scale / system->force_scale;
  for (int32_t b = 0; b < truss->bodies; b++, mass += 21) {
    const sc_truss_mass *from = truss->mass + b;
    double s = system->arm_scale[b], turn = unit / (s * s);
    memset(mass, 0, 21 * sizeof *mass);
    mass[0] = mass[2] = mass[5] = unit * from->mass;
    mass[9] = turn * from->inertia[0];
    mass[13] = turn * from->inertia[1];
    mass[14] = turn * from->inertia[3];
    mass[18] = turn * from->inertia[2];
    mass[19] = turn * from->inertia[4];
    mass[20] = turn * from->inertia[5];
  }
}

static void fill_load(const sc_truss *truss, sc_truss_system *system) {
  for (int32_t b = 0; b < truss->bodies; b++)
    for (int d = 0; d < system->dofs; d++) {
      double scale = system->force_scale * (d < 3 ? 1 : system->arm_scale[b]);
      system->load[b * system->dofs + d] = truss->held[b] ? 0 : truss->load[b][d] / scale;
    }
  for (int l = 0; l < 3 && truss->cell; l++) {
    double force[3] = {0, 0, 0}, *to = system->load + (system->cell_at + l) * system->dofs;
    cell_load(truss, system->cell_scale, l, force);
    for (int d = 0; d < system->dofs; d++) to[d] = d < 3 ? force[d] / system->force_scale : 0;
  }
}

static bool allocate_arrays(const sc_truss *truss, sc_arena *arena, sc_truss_system *system) {
  size_t bodies = (size_t)system->bodies, members = (size_t)truss->contacts;
  uint8_t *held = SC_TAKE(arena, uint8_t, bodies);
  system->arm_scale = SC_TAKE(arena, double, bodies);
  system->member = SC_TAKE(arena, sc_member, members);
  system->mass = truss->mass ? SC_TAKE(arena, double, 21 * bodies) : NULL;
  system->load = SC_TAKE(arena, double, 6 * bodies);
  system->block = SC_TAKE(arena, double, 36 * bodies);
  system->r = SC_TAKE(arena, double, 24 * bodies);
  system->short_row = SC_TAKE(arena, sc_short_row, members);
  system->long_row = SC_TAKE(arena, sc_long_row, 3 * members);
  system->held = held;
  if (held) memset(held, 0, bodies);
  if (held && truss->bodies) memcpy(held, truss->held, (size_t)truss->bodies);
  return held && system->arm_scale && system->member && system->load && system->block && system->r &&
      system->short_row && system->long_row && (system->mass || !truss->mass);
}

scree_status sc_truss_scale(const sc_truss *truss, sc_arena *arena, sc_truss_system *system,
    sc_truss_report *report, scree_error *error) {
  *report = (sc_truss_report){.worst = -1};
  *system = (sc_truss_system){.bodies = truss->bodies + (truss->cell ? 3 : 0),
      .cell = truss->cell,
      .cell_at = truss->cell ? truss->bodies : -1,
      .members = truss->contacts,
      .exponent = truss->exponent,
      .cg_left = truss->cg_iterations > 0 ? truss->cg_iterations : INT64_MAX,
      .stop = truss->stop,
      .stop_context = truss->stop_context};
  scree_status status = check_truss(truss, error);
  if (status) return status;
  if (!allocate_arrays(truss, arena, system))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for compatible forces");

  // Computes the scales: the largest load, the largest stiffness, and the displacement that follows from
  // both.
  bool turned;
  scale_arms(truss, system->bodies, system->arm_scale);
  system->cell_scale = scale_cell(truss);
  double stiffness = 0;
  for (int32_t c = 0; c < truss->contacts; c++) stiffness = fmax(stiffness, truss->contact[c].stiffness);
  system->force_scale = largest_load(truss, system, &turned);
  if (!(stiffness > 0)) stiffness = 1;
  if (!(system->force_scale > 0)) system->force_scale = 1;
  system->move_scale = pow(system->force_scale / stiffness, 1 / (truss->exponent - 1));

  // Builds the members, then sets the number of unknowns per body.
  bool levers = turned;
  for (int32_t c = 0; c < truss->contacts; c++) {
    fill_member(truss, system, truss->contact + c, stiffness, system->member + c);
    levers |= system->member[c].lever;
  }
  system->dofs = levers ? 6 : 3;
  system->size = (size_t)system->bodies * (size_t)system->dofs;
  system->z = system->r + system->size;
  system->p = system->z + system->size;
  system->q = system->p + system->size;
  SC_ASSERT(!truss->mass || !truss->cell);
  if (truss->mass) fill_mass(truss, system, system->mass);
  fill_load(truss, system);
  return SCREE_OK;
}
