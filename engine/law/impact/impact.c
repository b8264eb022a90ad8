/* Impact of two bodies with friction and restitution: the sequence of events.
 *
 * Input: the inverse-mass matrix W of the contact, the velocity v before the impact, the coefficient of
 * friction mu, the restitution e and its law. Output: the impulse I and the events. Axes x, y are tangential,
 * z is the normal. B is the tangential block of W, d = W_xy,z, k = W_zz, g the direction of slip, E the
 * energy stored by compression. A prime is the derivative by the normal impulse I_z.
 *
 * W is transformed to the principal axes of B and scaled by powers of two, so that nothing depends on units.
 * Then the normal impulse grows through pieces of two kinds:
 *   arcs      curved sliding between two invariant directions, as series (impact_arc.c)
 *   segments  I_xy' constant: sliding along an invariant direction, sticking (-B^-1 d), and slip that
 *             grows out of rest along the centrifugal direction; v_z is then linear and E quadratic in
 *             I_z, in closed form
 * Each piece is searched for the events: c where v_z = 0, r where the law ends restitution. Within a piece
 * v_z is first made monotone by cutting at the zeros of v_z' = k - mu d.g, which only exist if the
 * impact-solution condition k > mu |d| is violated.
 *
 * Why this ends: along every piece I'.W I' = v_z' - mu (speed)' while sliding, and I'.W I' = v_z' while
 * sticking. Therefore v_z - mu speed grows at least at the rate of the smallest eigenvalue of W. v_z passes 0
 * and E passes every level after finitely much I_z, whether the condition holds or not. */
#include "base/base.h"
#include "law/impact/impact.h"
#include "math/elementary.h"
#include "math/vec.h"

#include <float.h>

/* The state of one impact while it is solved. */
typedef struct impact_run {
  sc_impact_matter matter;
  sc_impact_state now;
  const scree_impact_def *def;
  scree_impact_result *out;
  double axis[2], speed_unit, impulse_unit; /* first principal axis; units of the scaled quantities */
  double vz0;                               /* v_z before the impact (approach velocity) */
  bool monotone;                            /* true: the impact-solution condition holds */
  bool restituting, finished, lined;
  double aim; /* E, I_z or v_z at which restitution ends */
  bool root_tried, root_good;
  sc_impact_root root;
} impact_run;

/* ---- recording ---- */

static void record_event(impact_run *run, char name) {
  scree_impact_result *out = run->out;
  if (out->events_count == SCREE_IMPACT_EVENTS) return;
  out->sequence[out->events_count] = name;
  out->events[out->events_count++] = (scree_impact_event){name, run->now.impulse[2] * run->impulse_unit};
}

/* Transforms a vector from the principal axes to the caller's axes. */
static void to_caller_axes(const impact_run *run, double x, double y, double *out) {
  out[0] = run->axis[0] * x - run->axis[1] * y;
  out[1] = run->axis[1] * x + run->axis[0] * y;
}

/* Appends a state to the caller's points; the last place is reserved for the final state. */
static void record_state(impact_run *run, const sc_impact_state *s, bool last) {
  int most = run->def->points ? run->def->points_max : 0;
  if (run->out->points >= most - !last) return;
  scree_impact_point *point = run->def->points + run->out->points++;
  double u = run->impulse_unit, w = run->speed_unit;
  to_caller_axes(run, s->impulse[0] * u, s->impulse[1] * u, point->impulse);
  point->impulse[2] = s->impulse[2] * u;
  to_caller_axes(run, s->dir[0] * s->speed * w, s->dir[1] * s->speed * w, point->velocity);
  point->velocity[2] = s->vz * w;
  point->energy = s->energy * u * w;
}

/* ---- events ---- */

/* Returns the index SC_IMPACT_... of the quantity whose target value ends restitution. */
static int aim_quantity(const impact_run *run) {
  return run->def->law == SCREE_POISSON ? SC_IMPACT_IZ
      : run->def->law == SCREE_NEWTON   ? SC_IMPACT_VZ
                                        : SC_IMPACT_ENERGY;
}

static double quantity_of(const sc_impact_state *s, int what) {
  return what == SC_IMPACT_IZ ? s->impulse[2] : what == SC_IMPACT_VZ ? s->vz : s->energy;
}

static bool has_reached_aim(const impact_run *run, const sc_impact_state *s) {
  int what = aim_quantity(run);
  double value = quantity_of(s, what);
  return what == SC_IMPACT_ENERGY ? value <= run->aim : value >= run->aim;
}

static void end_restitution(impact_run *run) {
  record_event(run, 'r');
  run->finished = true;
}

/* Ends compression, and sets the aim at which restitution ends. */
static void end_compression(impact_run *run) {
  double e = run->def->e;
  run->now.vz = 0;
  record_event(run, 'c');
  run->out->energy_stored = run->now.energy * run->impulse_unit * run->speed_unit;
  run->restituting = true;
  switch (run->def->law) {
  case SCREE_POISSON: run->aim = (1 + e) * run->now.impulse[2]; break;
  case SCREE_NEWTON: run->aim = -e * run->vz0; break;
  default: run->aim = (1 - e) * (1 + e) * run->now.energy;
  }
  if (e == 0) end_restitution(run);
}

/* ---- segments ---- */

/* Computes the state after the normal impulse has grown by x on a segment. slope: I_xy'. rise: v_z'. rate:
 * derivative of the slip speed by I_z. */
static void segment_state(const sc_impact_state *s, const double slope[2], double rise, double rate, double x,
    sc_impact_state *out) {
  *out = *s;
  out->impulse[0] += slope[0] * x;
  out->impulse[1] += slope[1] * x;
  out->impulse[2] += x;
  out->vz += rise * x;
  out->energy -= x * (s->vz + rise * x / 2);
  out->speed += rate * x;
}

/* Advances by the normal impulse x along a segment. Also records states in between, because the energy is
 * quadratic. */
static void advance_segment(impact_run *run, const double slope[2], double rise, double rate, double x) {
  enum { SAMPLES = 8 };
  sc_impact_state next;
  for (int i = 1; i < SAMPLES && run->def->points; i++) {
    segment_state(&run->now, slope, rise, rate, x * i / SAMPLES, &next);
    record_state(run, &next, false);
  }
  segment_state(&run->now, slope, rise, rate, x, &next);
  run->now = next;
}

/* Returns the normal impulse after which restitution ends on a segment; INFINITY if it never ends there.
 * rise: v_z'. Requires v_z >= 0 at the start of the segment, or rise > 0. */
static double segment_end(const impact_run *run, double rise) {
  const sc_impact_state *s = &run->now;
  int what = aim_quantity(run);
  if (what == SC_IMPACT_IZ) return run->aim - s->impulse[2];
  if (what == SC_IMPACT_VZ) return rise > 0 ? (run->aim - s->vz) / rise : INFINITY;
  // E - v_z x - rise x^2/2 = aim, the first root x >= 0 past the highest energy
  double over = s->energy - run->aim, root = s->vz * s->vz + 2 * rise * over;
  if (root < 0) return INFINITY;
  root = sqrt(root);
  if (s->vz >= 0) return s->vz + root > 0 ? 2 * over / (s->vz + root) : 0;
  return rise > 0 ? (root - s->vz) / rise : INFINITY;
}

/* Runs a segment of length `length` in I_z (may be INFINITY). slope: I_xy'. rate: derivative of the slip
 * speed by I_z. */
static void run_segment(impact_run *run, const double slope[2], double rate, double length) {
  const sc_impact_matter *m = &run->matter;
  double rise = m->k + m->d[0] * slope[0] + m->d[1] * slope[1];
  sc_impact_state *s = &run->now;
  if (!run->restituting) {
    double x = rise > 0 ? -s->vz / rise : INFINITY;
    if (x <= length) {
      advance_segment(run, slope, rise, rate, x);
      length -= x;
      record_state(run, s, false);
      end_compression(run);
      if (run->finished) return;
    }
  }
  if (run->restituting) {
    double x = segment_end(run, rise);
    if (x <= length) {
      advance_segment(run, slope, rise, rate, x > 0 ? x : 0);
      end_restitution(run);
      return;
    }
  }
  advance_segment(run, slope, rise, rate, length);
}

/* Continues after the slip has vanished: the contact sticks, or slips out of rest. */
static void run_from_rest(impact_run *run) {
  const sc_impact_matter *m = &run->matter;
  double dir[2], rate;
  run->now.speed = 0;
  record_event(run, 's');
  record_state(run, &run->now, false);
  if (sc_impact_centrifugal(m, dir, &rate)) {
    run->now.dir[0] = dir[0];
    run->now.dir[1] = dir[1];
    double slope[2] = {-m->mu * dir[0], -m->mu * dir[1]};
    run_segment(run, slope, rate, INFINITY);
  } else {
    double slope[2] = {-m->d[0] / m->l[0], -m->d[1] / m->l[1]};
    run->out->sticking = 1;
    run_segment(run, slope, 0, INFINITY);
  }
}

/* Slides along the present direction, on which the slip stays. Continues from rest if the slip vanishes. */
static void run_straight(impact_run *run) {
  const sc_impact_matter *m = &run->matter;
  double R, T, slope[2] = {-m->mu * run->now.dir[0], -m->mu * run->now.dir[1]};
  sc_impact_rates(m, run->now.dir, &R, &T);
  run_segment(run, slope, R, R < 0 ? run->now.speed / -R : INFINITY);
  if (!run->finished) run_from_rest(run);
}

/* ---- arcs ---- */

/* Records samples of an arc. */
static void sample_arc(impact_run *run, const sc_impact_arc *arc, double lo, double hi) {
  enum { SAMPLES = 24 };
  if (!run->def->points) return;
  for (int i = 1; i <= SAMPLES; i++) {
    sc_impact_state s;
    sc_impact_arc_state(arc, lo + (hi - lo) * i / SAMPLES, &s);
    record_state(run, &s, false);
  }
}

/* Searches for the end of restitution on the range [lo, hi] of an arc, where v_z does not change sign. at_hi:
 * state at hi. Returns true if restitution ends there, and sets run->now to the state at its end. */
static bool restitution_on(
    impact_run *run, const sc_impact_arc *arc, double lo, double hi, const sc_impact_state *at_hi) {
  if (!has_reached_aim(run, at_hi)) return false;
  int what = aim_quantity(run);
  double p = sc_impact_arc_find(
      arc, what, run->aim, lo, hi, quantity_of(&run->now, what), quantity_of(at_hi, what));
  sample_arc(run, arc, lo, p);
  sc_impact_arc_state(arc, p, &run->now);
  end_restitution(run);
  return true;
}

/* Runs the range [lo, hi] of an arc, on which v_z is monotone. */
static void run_monotone(impact_run *run, const sc_impact_arc *arc, double lo, double hi) {
  sc_impact_state end;
  sc_impact_arc_state(arc, hi, &end);
  double vz = run->now.vz;
  if (vz < 0 ? end.vz >= 0 : vz > 0 && end.vz < 0) {
    double p = sc_impact_arc_find(arc, SC_IMPACT_VZ, 0, lo, hi, vz, end.vz);
    sc_impact_state zero;
    sc_impact_arc_state(arc, p, &zero);
    if (run->restituting && restitution_on(run, arc, lo, p, &zero)) return;
    sample_arc(run, arc, lo, p);
    run->now = zero;
    lo = p;
    if (!run->restituting) end_compression(run);
    if (run->finished) return;
  }
  if (run->restituting && restitution_on(run, arc, lo, hi, &end)) return;
  sample_arc(run, arc, lo, hi);
  run->now = end;
}

/* Returns p of the arc at chart coordinate t. */
static double arc_p(const sc_impact_arc *arc, double t) {
  double tau = t / arc->h;
  if (!arc->root) return tau;
  return arc->alpha != 0 ? -sc_expm1(arc->alpha * sc_log(tau)) / arc->alpha : -sc_log(tau);
}

/* Finds the p in [lo, hi] of an arc at which v_z' = k - mu d.g vanishes, in ascending order. Returns their
 * number, at most 2. */
static int turning_points(
    const impact_run *run, const sc_impact_arc *arc, double lo, double hi, double out[2]) {
  const sc_impact_matter *m = &run->matter;
  const double *g = arc->chart.dir;
  double along = m->mu * (m->d[0] * g[0] + m->d[1] * g[1]),
         across = m->mu * (m->d[1] * g[0] - m->d[0] * g[1]);
  // (k + along) t^2 - 2 across t + (k - along) = 0
  double a = m->k + along, b = across, c = m->k - along, root = b * b - a * c;
  if (root < 0) return 0;
  double q = b + (b >= 0 ? sqrt(root) : -sqrt(root)), t[2] = {q / a, c / q};
  int count = 0;
  for (int i = 0; i < 2; i++) {
    if (!(t[i] * arc->h > 0) || (arc->root && fabs(t[i]) > fabs(arc->h))) continue;
    double p = arc_p(arc, t[i]);
    if (p > lo && p < hi) out[count++] = p;
  }
  if (count == 2 && out[0] > out[1]) {
    double swap = out[0];
    out[0] = out[1];
    out[1] = swap;
  }
  return count;
}

/* Runs a whole arc, in pieces on which v_z is monotone. */
static void run_arc(impact_run *run, const sc_impact_arc *arc) {
  double lo = 0;
  run->out->arcs++;
  // an arc without end is run in growing pieces; v_z grows without bound on such an arc
  for (double step = 1; !run->finished && lo < arc->end; step *= 4) {
    double hi = isinf(arc->end) ? lo + step : arc->end, cut[2];
    int cuts = run->monotone ? 0 : turning_points(run, arc, lo, hi, cut);
    for (int i = 0; i < cuts && !run->finished; i++) {
      run_monotone(run, arc, lo, cut[i]);
      lo = cut[i];
    }
    if (!run->finished) run_monotone(run, arc, lo, hi);
    lo = hi;
    if (step > 1e300) return;
  }
}

/* Returns the remaining |t| from dir, towards the invariant direction `ahead`, until the slip counts as
 * straight (event l). */
static double until_line(const impact_run *run, const double ahead[2], double sign) {
  double tolerance = run->def->line_tolerance, edge[2];
  if (!(tolerance > 0)) return INFINITY;
  sc_impact_turn(ahead, -sign * tan(tolerance / 2), edge);
  return fabs(sc_impact_half_tangent(run->now.dir, edge));
}

/* Makes one step of curved sliding towards the invariant direction `ahead`. Returns true if straight sliding
 * follows. */
static bool step_curve(impact_run *run, const double ahead[2], double sign) {
  const sc_impact_matter *m = &run->matter;
  sc_impact_state *s = &run->now;
  sc_impact_chart chart;
  sc_impact_arc arc;
  sc_impact_chart_at(m, s->dir, &chart);
  // true if the direction of slip is constant to rounding, or if the impulse until slip ends (event s) is
  // below rounding
  double scale = m->mu * (m->l[0] > m->l[1] ? m->l[0] : m->l[1]) + fabs(m->d[0]) + fabs(m->d[1]);
  if (!(chart.D[0] * sign > 4 * DBL_EPSILON * scale)) return true;
  if (chart.N[0] < 0 && 2 * s->speed < 1e-17 * -chart.N[0] * s->impulse[2]) return true;
  double t = ahead ? fabs(sc_impact_half_tangent(s->dir, ahead)) : INFINITY,
         line = ahead ? until_line(run, ahead, sign) : INFINITY;
  // grazing impacts end long before the direction ahead, and the energy of a root's arc would be inaccurate
  bool grazing = s->speed >= -32 * run->vz0;
  if (ahead && t < 0.7 && !grazing) {
    if (!run->root_tried) run->root_good = sc_impact_root_make(m, ahead, &run->root), run->root_tried = true;
    if (run->root_good && t < run->root.reach) {
      double stop = isinf(line) ? 0 : tan(run->def->line_tolerance / 2) / t;
      sc_impact_arc_root(m, &run->root, s, -sign * t, stop, &arc);
      run_arc(run, &arc);
      if (!run->finished) run->lined = stop > 0;
      return true;
    }
  }
  double limit = 0.7 * t < line ? 0.7 * t : line;
  sc_impact_arc_regular(m, &chart, s, limit, grazing, &arc);
  run_arc(run, &arc);
  run->lined = !run->finished && fabs(arc.h) >= line;
  return run->lined;
}

/* Runs sliding from the initial slip until the slip ends, becomes straight, or restitution ends. */
static void run_sliding(impact_run *run) {
  enum { MOST = 2000 };
  double R, T, ahead[2];
  sc_impact_rates(&run->matter, run->now.dir, &R, &T);
  double sign = T >= 0 ? 1 : -1;
  bool found = sc_impact_next_direction(&run->matter, run->now.dir, sign, ahead);
  if (found && run->def->line_tolerance > 0 &&
      2 * atan(fabs(sc_impact_half_tangent(run->now.dir, ahead))) <= run->def->line_tolerance)
    run->lined = true;
  bool on = !run->lined;
  for (int i = 0; on && i < MOST && !run->finished; i++) on = !step_curve(run, found ? ahead : NULL, sign);
  if (run->finished || on) return;
  if (run->lined) record_event(run, 'l');
  if (run->now.speed > 0) run_straight(run);
  else run_from_rest(run);
}

/* ---- set-up ---- */

static double power_of_two(double x) {
  int k;
  frexp(x, &k);
  return ldexp(1, k);
}

void sc_impact_principal(const double W[9], double mu, sc_impact_matter *m, double axis[2]) {
  double xx = W[0], yy = W[4], xy = (W[1] + W[3]) / 2, x = (W[2] + W[6]) / 2, y = (W[5] + W[7]) / 2;
  // the smaller rotation that makes the tangential block diagonal
  double half = (xx - yy) / 2, t = 0;
  if (xy != 0) t = xy / (fabs(half) + sqrt(half * half + xy * xy));
  if (half < 0) t = -t;
  double c = 1 / sqrt(1 + t * t), s = t * c;
  m->mu = mu;
  m->k = W[8];
  m->l[0] = xx + t * xy;
  m->l[1] = yy - t * xy;
  m->d[0] = c * x + s * y;
  m->d[1] = c * y - s * x;
  axis[0] = c;
  axis[1] = s;
}

/* Sets principal axes, units and the initial state. */
static void scale_problem(const scree_impact_def *def, scree_impact_result *out, impact_run *run) {
  const double *v = def->v;
  double wide = fabs(v[0]) > fabs(v[1]) ? fabs(v[0]) : fabs(v[1]), w = power_of_two(def->W[8]), W[9];
  run->def = def;
  run->out = out;
  run->speed_unit = power_of_two(wide > fabs(v[2]) ? wide : fabs(v[2]));
  run->impulse_unit = run->speed_unit / w;
  for (int i = 0; i < 9; i++) W[i] = def->W[i] / w;
  sc_impact_matter *m = &run->matter;
  sc_impact_principal(W, def->mu, m, run->axis);
  double c = run->axis[0], s = run->axis[1];
  run->monotone = m->k > m->mu * sqrt(m->d[0] * m->d[0] + m->d[1] * m->d[1]);
  double gx = (c * v[0] + s * v[1]) / run->speed_unit, gy = (c * v[1] - s * v[0]) / run->speed_unit;
  sc_impact_state *now = &run->now;
  now->vz = run->vz0 = v[2] / run->speed_unit;
  now->speed = sqrt(gx * gx + gy * gy);
  now->dir[0] = now->speed > 0 ? gx / now->speed : 1;
  now->dir[1] = now->speed > 0 ? gy / now->speed : 0;
}

/* Converts the scaled final state to the caller's quantities. */
static void write_result(impact_run *run) {
  const scree_impact_def *def = run->def;
  scree_impact_result *out = run->out;
  const sc_impact_state *s = &run->now;
  to_caller_axes(run, s->impulse[0] * run->impulse_unit, s->impulse[1] * run->impulse_unit, out->impulse);
  out->impulse[2] = s->impulse[2] * run->impulse_unit;
  sc_mat_vec(def->W, out->impulse, out->v_after);
  // kinetic energy: I.(v before + v after)/2
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    sum += out->impulse[i] * (2 * def->v[i] + out->v_after[i]);
    out->v_after[i] += def->v[i];
  }
  if (out->sticking) out->v_after[0] = out->v_after[1] = 0;
  out->energy_lost = -sum / 2;
  out->condition = run->monotone;
  record_state(run, s, true);
}

bool sc_impact_run(const scree_impact_def *def, scree_impact_result *result) {
  SC_ASSERT(def && result);
  impact_run run;
  memset(&run, 0, offsetof(impact_run, root));
  memset(result, 0, sizeof *result);
  scale_problem(def, result, &run);
  record_state(&run, &run.now, false);
  if (def->mu == 0) {
    double none[2] = {0, 0};
    run_segment(&run, none, 0, INFINITY);
    // there is no friction, so the slip changes independently of the normal impulse
    double z = run.now.impulse[2], x = run.now.dir[0] * run.now.speed + run.matter.d[0] * z,
           y = run.now.dir[1] * run.now.speed + run.matter.d[1] * z;
    run.now.speed = sqrt(x * x + y * y);
    if (run.now.speed > 0) run.now.dir[0] = x / run.now.speed, run.now.dir[1] = y / run.now.speed;
  } else if (run.now.speed > 0) run_sliding(&run);
  else run_from_rest(&run);
  write_result(&run);
  return run.finished;
}
