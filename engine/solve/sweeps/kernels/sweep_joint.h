/* Sweep over mechanisms in bundles (mechanisms.h), written with the vectors of sweep_kernel.h. Include it
 * after that file. All rows of a mechanism are solved together, by the factors of its Delassus matrix. */
#include "math/lanes/lane_skyline.h"

/* Returns the Delassus entry of two linked rows due to their shared body. A row may be linked to itself. */
static inline VEC couple_rows(
    const sc_mechanism_bundle *b, const sc_mechanism_form *f, int32_t i, const sc_row_link *link, int l) {
  sc_mechanism_row *one = b->row + i, *two = b->row + link->row;
  VEC lin[3], ang[3], other[3], turn[3];
  load3(one->lin[link->side], l, lin);
  load3(one->ang[link->side], l, ang);
  load3(two->lin[link->other_side], l, other);
  load3(two->turn[link->other_side], l, turn);
  return load1(b->inverse_mass[f->ends[i][link->side]] + l) * dot(lin, other) + dot(ang, turn);
}

/* Computes arm x axis k. */
static inline void column_of(sc_lane *arm, int k, int l, VEC out[3]) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  out[k] = splat(0), out[i] = load1(arm[j] + l), out[j] = -load1(arm[i] + l);
}

/* Returns the Delassus entry of two linked rows due to their shared body, for mechanisms whose rows lock
 * points (f->points). */
static inline VEC couple_points(
    const sc_mechanism_bundle *b, const sc_mechanism_form *f, int32_t i, const sc_row_link *link, int l) {
  const int own = i % 3, other = link->row % 3;
  VEC ang[3], turn[3], mass = load1(b->inverse_mass[f->ends[i][link->side]] + l);
  column_of(b->point[i / 3].arm[link->side], own, l, ang);
  load3(b->point[link->row / 3].turn[link->other_side][other], l, turn);
  VEC both = own != other ? splat(0) : link->side == link->other_side ? mass : -mass;
  return both + dot(ang, turn);
}

/* Computes turn = K a. K: scaled inverse inertia of a body (sc_inertia_row). */
static inline void turn_of(sc_lane *K, const VEC a[3], int l, VEC turn[3]) {
  VEC k[6];
  for (int e = 0; e < 6; e++) k[e] = load1(K[e] + l);
  turn[0] = k[0] * a[0] + k[1] * a[1] + k[2] * a[2];
  turn[1] = k[1] * a[0] + k[3] * a[1] + k[4] * a[2];
  turn[2] = k[2] * a[0] + k[4] * a[1] + k[5] * a[2];
}

/* Computes K ang for all rows and sides: the change of the scaled spin per unit impulse. */
static inline void set_turns(const sc_mechanism_bundle *b, const sc_mechanism_form *f, int l) {
  for (int32_t i = 0; i < f->rows; i++)
    for (int side = 0; side < 2; side++) {
      sc_mechanism_point *point = f->points ? b->point + i / 3 : NULL;
      VEC a[3], turn[3];
      if (point) column_of(point->arm[side], i % 3, l, a);
      else load3(b->row[i].ang[side], l, a);
      turn_of(b->K[f->ends[i][side]], a, l, turn);
      store3(turn, l, point ? point->turn[side][i % 3] : b->row[i].turn[side]);
    }
}

static void factor_mechanism(const sc_mechanism_bundle *b, const sc_mechanism_form *f) {
  const double dependent = 1e-11; /* a row with a pivot below this share of its diagonal depends on others */
  for (int l = 0; l < b->count; l += LANES) {
    set_turns(b, f, l);
    for (int32_t e = 0; e < f->at[f->rows]; e++) store1(splat(0), b->entry[e] + l);
    for (int32_t i = 0; i < f->rows; i++)
      for (int32_t at = f->from[i]; at < f->from[i + 1]; at++) {
        const sc_row_link *link = f->link + at;
        double *entry = b->entry[f->at[i] + link->row - f->first[i]] + l;
        VEC more = f->points ? couple_points(b, f, i, link, l) : couple_rows(b, f, i, link, l);
        store1(load1(entry) + more, entry);
      }
    skyline_factor(f->rows, f->first, f->at, dependent, l, b->entry);
  }
}

/* Writes the relative velocity of each row, plus its bias, to `want`. Returns the largest square of these
 * numbers in each lane. */
static VEC unmet_rows(
    const sc_mechanism_bundle *b, const sc_mechanism_form *f, const columns *body, int l, sc_lane *want) {
  VEC largest = splat(0);
  for (int32_t i = 0; i < f->rows; i++) {
    sc_mechanism_row *row = b->row + i;
    VEC u = load1(b->bias[i] + l);
    for (int side = 0; side < 2; side++) {
      const columns *own = body + f->ends[i][side];
      VEC lin[3], ang[3];
      load3(row->lin[side], l, lin);
      load3(row->ang[side], l, ang);
      u += dot(lin, own->v) + dot(ang, own->q);
    }
    store1(u, want[i] + l);
    largest = larger(u * u, largest);
  }
  return largest;
}

/* Computes the results of unmet_rows for mechanisms whose rows lock points (f->points): velocities plus bias
 * in `want`, and the largest squares as return value. The three rows of a point together need only one cross
 * product, q x arm, per side. */
static VEC unmet_points(
    const sc_mechanism_bundle *b, const sc_mechanism_form *f, const columns *body, int l, sc_lane *want) {
  VEC largest = splat(0);
  for (int32_t i = 0; i < f->rows / 3; i++) {
    VEC u[3], arm[3], swept[3];
    for (int k = 0; k < 3; k++) u[k] = load1(b->bias[3 * i + k] + l);
    for (int side = 0; side < 2; side++) {
      const columns *own = body + f->ends[3 * i][side];
      load3(b->point[i].arm[side], l, arm);
      cross(own->q, arm, swept);
      for (int k = 0; k < 3; k++) u[k] += side ? swept[k] - own->v[k] : own->v[k] + swept[k];
    }
    for (int k = 0; k < 3; k++) {
      store1(u[k], want[3 * i + k] + l);
      largest = larger(u[k] * u[k], largest);
    }
  }
  return largest;
}

/* Extrapolates the impulse of row i if sweeps have momentum (in->momentum). Then subtracts x from it. */
static inline void add_to_sum(
    const sc_mechanism_sweep_in *in, const sc_mechanism_bundle *b, int32_t i, VEC x, int l) {
  VEC sum = load1(b->sum[i] + l);
  if (in->momentum) {
    const VEC before = load1(b->past[i] + l);
    store1(sum, b->past[i] + l);
    sum += in->beta * (sum - before);
  }
  store1(sum - x, b->sum[i] + l);
}

/* Adds the impulses -want to the rows, and their effect to the velocities of the bodies. */
static void push_rows(const sc_mechanism_sweep_in *in, const sc_mechanism_bundle *b,
    const sc_mechanism_form *f, const sc_lane *want, int l, columns *body) {
  for (int32_t i = 0; i < f->rows; i++) {
    sc_mechanism_row *row = b->row + i;
    VEC x = load1(want[i] + l);
    add_to_sum(in, b, i, x, l);
    for (int side = 0; side < 2; side++) {
      columns *own = body + f->ends[i][side];
      VEC lin[3], turn[3], p = own->inv_mass * x;
      load3(row->lin[side], l, lin);
      load3(row->turn[side], l, turn);
      for (int k = 0; k < 3; k++) {
        own->v[k] -= p * lin[k];
        own->q[k] -= x * turn[k];
      }
    }
  }
}

static void push_points(const sc_mechanism_sweep_in *in, const sc_mechanism_bundle *b,
    const sc_mechanism_form *f, const sc_lane *want, int l, columns *body) {
  for (int32_t i = 0; i < f->rows / 3; i++) {
    VEC x[3], turn[3];
    for (int k = 0; k < 3; k++) {
      x[k] = load1(want[3 * i + k] + l);
      add_to_sum(in, b, 3 * i + k, x[k], l);
    }
    for (int side = 0; side < 2; side++) {
      columns *own = body + f->ends[3 * i][side], now = *own;
      for (int k = 0; k < 3; k++) {
        VEC p = own->inv_mass * x[k];
        now.v[k] = side ? now.v[k] + p : now.v[k] - p;
        load3(b->point[i].turn[side][k], l, turn);
        for (int m = 0; m < 3; m++) now.q[m] -= x[k] * turn[m];
      }
      *own = now;
    }
  }
}

static double relax_mechanism(
    const sc_mechanism_sweep_in *in, const sc_mechanism_bundle *b, const sc_mechanism_form *f) {
  columns *body = (columns *)in->room->body;
  VEC largest = splat(0);
  for (int l = 0; l < b->count; l += LANES) {
    for (int32_t k = 0; k <= f->bodies; k++) load_bodies(in->body, b->body[k] + l, (VEC *)(body + k));
    sc_lane *want = in->room->want;
    largest = larger(
        f->points ? unmet_points(b, f, body, l, want) : unmet_rows(b, f, body, l, want), largest);
    skyline_solve(f->rows, f->first, f->at, (const sc_lane *)b->entry, l, want);
    if (f->points) push_points(in, b, f, (const sc_lane *)want, l, body);
    else push_rows(in, b, f, (const sc_lane *)want, l, body);
    for (int32_t k = 0; k < f->bodies; k++) {
      sc_solver_body *to[LANES];
      for (int m = 0; m < LANES; m++) to[m] = l + m < b->count ? in->body + b->body[k][l + m] : in->sink;
      store_bodies((const VEC *)(body + k), to);
    }
  }
  return largest_of(largest);
}

/* Implements sc_mechanism_sweep. */
static double sweep_mechanisms(const sc_mechanism_sweep_in *in) {
  double largest = 0;
  for (int32_t k = in->first; k < in->end; k += in->step) {
    const sc_mechanism_bundle *b = in->mechanisms->bundle + k;
    double own = relax_mechanism(in, b, in->mechanisms->form + b->form);
    if (own > largest) largest = own;
  }
  return largest;
}

static void factor_mechanisms(const sc_mechanism_sweep_in *in) {
  for (int32_t k = in->first; k < in->end; k += in->step) {
    const sc_mechanism_bundle *b = in->mechanisms->bundle + k;
    factor_mechanism(b, in->mechanisms->form + b->form);
  }
}
