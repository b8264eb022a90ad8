/* Solves the impact problem (scree/impact.h) by a second method, to check the engine's solver. The
 * differential equations of sliding are integrated in the caller's axes, in long double, by extrapolation
 * (Gragg, Bulirsch, Stoer). The variable of integration is s with dI_z = (slip speed) ds. An event is found
 * by Newton's method for the length of the step that ends at the event. The engine's solver uses charts,
 * series and principal axes; this code uses none of them. */
#ifndef IMPACT_REFERENCE_H
#define IMPACT_REFERENCE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "scree/impact.h"

typedef long double real;
/* indices of reference.y: ln of the slip speed, angle of the slip, components of the impulse, stored
 * energy */
enum { REF_LN, REF_TH, REF_X, REF_Y, REF_Z, REF_E, REF_N };

typedef struct reference {
  real W[3][3], v[3], mu, e;
  int law;
  real y[REF_N];
  char sequence[8];
  int events;
  real at[4];
  bool restituting, finished;
  real aim, energy_stored;
} reference;

static inline real ref_vz(const reference *r, const real *y) {
  return r->v[2] + r->W[2][0] * y[REF_X] + r->W[2][1] * y[REF_Y] + r->W[2][2] * y[REF_Z];
}

static inline void ref_slope(const reference *r, const real *y, real *out) {
  real c = cosl(y[REF_TH]), s = sinl(y[REF_TH]), speed = expl(y[REF_LN]);
  real x = r->W[0][2] - r->mu * (r->W[0][0] * c + r->W[0][1] * s),
       w = r->W[1][2] - r->mu * (r->W[1][0] * c + r->W[1][1] * s);
  out[REF_LN] = c * x + s * w;
  out[REF_TH] = c * w - s * x;
  out[REF_X] = -r->mu * c * speed;
  out[REF_Y] = -r->mu * s * speed;
  out[REF_Z] = speed;
  out[REF_E] = -ref_vz(r, y) * speed;
}

/* Computes the state `out` after one step of length h in s from the state y. Returns the largest relative
 * error of its components except the energy. */
static inline real ref_step(const reference *r, const real *y, real h, real *out) {
  enum { ROWS = 9 };
  real old[ROWS][REF_N], now[ROWS][REF_N], first[REF_N], error = 1;
  ref_slope(r, y, first);
  for (int k = 0; k < ROWS; k++) {
    int n = 2 * (k + 1);
    real d = h / n, a[REF_N], b[REF_N], f[REF_N];
    memcpy(a, y, sizeof a);
    for (int i = 0; i < REF_N; i++) b[i] = y[i] + d * first[i];
    for (int m = 1; m < n; m++) {
      ref_slope(r, b, f);
      for (int i = 0; i < REF_N; i++) {
        real next = a[i] + 2 * d * f[i];
        a[i] = b[i];
        b[i] = next;
      }
    }
    ref_slope(r, b, f);
    for (int i = 0; i < REF_N; i++) now[0][i] = (a[i] + b[i] + d * f[i]) / 2;
    // extrapolation of the results to d = 0, as polynomials in d^2
    for (int j = 1; j <= k; j++) {
      real q = (real)n / (2 * (k - j + 1));
      for (int i = 0; i < REF_N; i++)
        now[j][i] = now[j - 1][i] + (now[j - 1][i] - old[j - 1][i]) / (q * q - 1);
    }
    if (k > 0) {
      error = 0;
      // The error leaves out the energy, which follows from the impulses.
      for (int i = 0; i < REF_N; i++) {
        real size = i < 2 ? 1
            : i == REF_Z  ? now[k][i]
                          : r->mu * now[k][REF_Z],
             miss = fabsl(now[k][i] - now[k - 1][i]) / size;
        if (i != REF_E && miss > error) error = miss;
      }
    }
    memcpy(old, now, sizeof old);
    memcpy(out, now[k], sizeof now[k]);
    if (k >= 4 && error < 2e-18L) break;
  }
  return error;
}

static inline void ref_event(reference *r, char name) {
  r->sequence[r->events] = name;
  r->at[r->events++] = r->y[REF_Z];
}

static inline void ref_compressed(reference *r) {
  ref_event(r, 'c');
  r->restituting = true;
  r->energy_stored = r->y[REF_E];
  r->aim = r->law == SCREE_POISSON ? (1 + r->e) * r->y[REF_Z]
      : r->law == SCREE_NEWTON     ? -r->e * r->v[2]
                                   : (1 - r->e * r->e) * r->y[REF_E];
  if (r->e == 0) ref_event(r, 'r'), r->finished = true;
}

/* Returns a function of the state that increases through 0 at the next event, the end of compression or of
 * restitution. Sets *slope to its derivative with respect to s. */
static inline real ref_goal(const reference *r, const real *y, real *slope) {
  real f[REF_N], rise;
  ref_slope(r, y, f);
  rise = r->W[2][0] * f[REF_X] + r->W[2][1] * f[REF_Y] + r->W[2][2] * f[REF_Z];
  if (!r->restituting) return *slope = rise, ref_vz(r, y);
  if (r->law == SCREE_POISSON) return *slope = f[REF_Z], y[REF_Z] - r->aim;
  if (r->law == SCREE_NEWTON) return *slope = rise, ref_vz(r, y) - r->aim;
  return *slope = -f[REF_E], r->aim - y[REF_E];
}

/* Computes the state `out` at the next event, where ref_goal is 0, by a step from the state y of length at
 * most h. */
static inline void ref_land(const reference *r, const real *y, real h, real *out) {
  real lo = 0, hi = h, x = h, slope, f;
  for (int i = 0; i < 60; i++) {
    ref_step(r, y, x, out);
    f = ref_goal(r, out, &slope);
    if (f < 0) lo = x;
    else hi = x;
    real next = x - f / slope;
    if (!(next > lo && next < hi)) next = (lo + hi) / 2;
    if (fabsl(next - x) < 1e-18L * x) break;
    x = next;
  }
}

/* Sets out to dI_xy/dI_z, the derivative of the tangential impulse, of a contact whose slip is 0: the value
 * that makes the contact stick or, if friction is too small for that, the value with which slip begins. */
static inline void ref_rest(const reference *r, real out[2]) {
  real a = r->W[0][0], b = r->W[0][1], c = r->W[1][1], x = r->W[0][2], y = r->W[1][2], lo = 0,
       hi = hypotl(x, y), u = 0, w = 0;
  real det = a * c - b * b;
  out[0] = -(c * x - b * y) / det;
  out[1] = -(a * y - b * x) / det;
  if (hypotl(out[0], out[1]) <= r->mu) return;
  // bisection for lambda: (lambda E + mu B) s = d, |s| = 1; B: upper left 2x2 block of W, d = (W_xz, W_yz)
  for (int i = 0; i < 200; i++) {
    real l = (lo + hi) / 2, p = l + r->mu * a, q = r->mu * b, t = l + r->mu * c, D = p * t - q * q;
    u = (t * x - q * y) / D;
    w = (p * y - q * x) / D;
    if (hypotl(u, w) > 1) lo = l;
    else hi = l;
  }
  out[0] = -r->mu * u;
  out[1] = -r->mu * w;
}

/* Continues with the constant derivative dI_xy/dI_z = slope to the end of the impact. */
static inline void ref_straight(reference *r, const real slope[2]) {
  real rise = r->W[2][2] + r->W[2][0] * slope[0] + r->W[2][1] * slope[1];
  while (!r->finished) {
    real vz = ref_vz(r, r->y), x;
    if (!r->restituting) x = -vz / rise;
    else if (r->law == SCREE_POISSON) x = r->aim - r->y[REF_Z];
    else if (r->law == SCREE_NEWTON) x = (r->aim - vz) / rise;
    else x = (-vz + sqrtl(vz * vz + 2 * rise * (r->y[REF_E] - r->aim))) / rise;
    r->y[REF_E] -= x * (vz + rise * x / 2);
    r->y[REF_X] += slope[0] * x;
    r->y[REF_Y] += slope[1] * x;
    r->y[REF_Z] += x;
    if (!r->restituting) ref_compressed(r);
    else ref_event(r, 'r'), r->finished = true;
  }
}

/* Solves the impact. Writes final state and events to *r. Returns false if the integration did not reach the
 * end of the impact. */
static inline bool reference_solve(const scree_impact_def *def, reference *r) {
  memset(r, 0, sizeof *r);
  for (int i = 0; i < 3; i++) {
    r->v[i] = def->v[i];
    for (int j = 0; j < 3; j++) r->W[i][j] = ((real)def->W[3 * i + j] + def->W[3 * j + i]) / 2;
  }
  r->mu = def->mu;
  r->e = def->e;
  r->law = def->law;
  real slope[2] = {0, 0}, f[REF_N] = {0}, unused;
  if (r->mu == 0) return ref_straight(r, slope), true;
  real speed = hypotl(r->v[0], r->v[1]);
  if (speed > 0) {
    r->y[REF_LN] = logl(speed);
    r->y[REF_TH] = atan2l(r->v[1], r->v[0]);
    // bound of the step: the angle and ln of the speed change by at most 0.7 per step
    real most = 0.7L / (r->mu * (r->W[0][0] + r->W[1][1]) + hypotl(r->W[0][2], r->W[1][2])), h = 0.02L * most;
    bool gone = false;
    for (int i = 0; i < 20000 && !r->finished && !gone; i++) {
      real next[REF_N], error = ref_step(r, r->y, h, next);
      if (error > 1e-17L) {
        h *= error > 1e-12L ? 0.4L : 0.7L;
        continue;
      }
      if (ref_goal(r, next, &unused) >= 0) {
        ref_land(r, r->y, h, next);
        memcpy(r->y, next, sizeof next);
        if (!r->restituting) ref_compressed(r);
        else ref_event(r, 'r'), r->finished = true;
        continue;
      }
      memcpy(r->y, next, sizeof next);
      if (error < 2e-18L && h < most) h *= 1.5L;
      ref_slope(r, r->y, f);
      gone = f[REF_LN] < 0 && f[REF_Z] < -f[REF_LN] * r->y[REF_Z] * 1e-19L;
    }
    if (r->finished) return true;
    if (!gone) return false;
    // the rest of the slide is smaller than rounding errors
    r->y[REF_Z] += f[REF_Z] / -f[REF_LN];
  }
  ref_event(r, 's');
  ref_rest(r, slope);
  ref_straight(r, slope);
  return true;
}

#endif
