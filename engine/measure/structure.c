/* Static structure factor of the grains' centres in a cell that is periodic along all edges,
 *
 *   S(k) = |sum over grains exp(i k.x)|^2 / N,   k = 2 pi H^-T n,   n integer, not 0,
 *
 * at the wave vectors k that the cell admits (Hansen & McDonald, Theory of Simple Liquids). H is the matrix
 * of the cell's edges, x the centre of a grain, N the number of grains. S is averaged over the wave vectors
 * whose length lies in a bin. k and -k have equal values, so only one of them is evaluated. S is 1 for
 * uncorrelated positions. S is larger if planes of grains have the distance 2 pi/|k|, and near 0 at small k
 * if the density hardly fluctuates. */
#include "measure/measure.h"
#include "math/vec.h"

#include <math.h>

static const double pi = 3.14159265358979323846, most_waves = 1e6;

typedef struct keys {
  scree_measure_def head;
  double reach;
  int64_t bins;
} keys;
static const scree_param params[] = {
    {"reach", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "1/m", 0, 0, 0, SC_MEASURE_AT(reach), NULL,
        "largest wave number"},
    SC_MEASURE_BINS(100, 1000000),
    SC_MEASURE_GROUP,
};
enum { WAVE, S, WAVES, GRAINS };
static const scree_measure_field fields[] = {{"k", "k", SCREE_LIST}, {"s", "s", SCREE_MEAN_LIST},
    {"waves", "waves", SCREE_LIST}, {"grains", NULL, SCREE_WHOLE}};

typedef struct structure {
  const scree_frame *frame;
  const keys *keys;
  double *s, *waves;
  int64_t grains;
} structure;

static int64_t count_grains(const structure *t) {
  int64_t count = 0;
  for (int64_t i = 0; i < t->frame->bodies; i++)
    count += sc_measure_grain(t->frame, i, NULL, t->keys->head.group);
  return count;
}

static double intensity_of(const structure *t, const double k[3]) {
  double even = 0, odd = 0;
  for (int64_t i = 0; i < t->frame->bodies; i++) {
    if (!sc_measure_grain(t->frame, i, NULL, t->keys->head.group)) continue;
    const double phase = sc_dot(k, t->frame->position + 3 * i);
    even += cos(phase);
    odd += sin(phase);
  }
  return (even * even + odd * odd) / (double)t->grains;
}

static void add_wave(structure *t, const double k[3]) {
  const double length = sc_norm(k);
  if (!(length < t->keys->reach)) return;
  const int64_t bin = (int64_t)(length / t->keys->reach * (double)t->keys->bins);
  t->s[bin] += intensity_of(t, k);
  t->waves[bin] += 1;
}

/* Returns whether n is larger than -n in lexicographic order; true for exactly one of n and -n. */
static bool is_leading(const int64_t n[3]) {
  return n[0] > 0 || (n[0] == 0 && (n[1] > 0 || (n[1] == 0 && n[2] > 0)));
}

/* Adds all wave vectors shorter than the reach. For an edge h of the cell, n = h.k/(2 pi), so |n| is at most
 * |h| reach/(2 pi). */
static void add_waves(structure *t) {
  const double *H = t->frame->cell.matrix;
  int64_t most[3], n[3];
  for (int k = 0; k < 3; k++) {
    const double edge[3] = {H[k], H[3 + k], H[6 + k]};
    most[k] = (int64_t)(sc_norm(edge) * t->keys->reach / (2 * pi)) + 1;
  }
  for (n[0] = 0; n[0] <= most[0]; n[0]++)
    for (n[1] = -most[1]; n[1] <= most[1]; n[1]++)
      for (n[2] = -most[2]; n[2] <= most[2]; n[2]++) {
        double wave[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++)
          sc_axpy(2 * pi * (double)n[k], t->frame->cell.inverse + 3 * k, wave, wave);
        if (is_leading(n)) add_wave(t, wave);
      }
}

static scree_status check_structure(const scree_frame *frame, const keys *k, scree_error *error) {
  if (!sc_measure_repeats(frame))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "structure: wave vectors are those of a cell that is periodic along all edges (world.cell)");
  const double waves = frame->cell.volume * k->reach * k->reach * k->reach / (12 * pi * pi);
  if (waves > most_waves)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "structure: reach (%g 1/m) would take %.3g wave vectors of this cell, more than %g", k->reach, waves,
        most_waves);
  return SCREE_OK;
}

static scree_status measure_structure(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  const keys *k = (const keys *)def;
  scree_status status = check_structure(frame, k, error);
  if (status) return status;
  structure t = {frame, k, sc_measure_list(out, S, k->bins), sc_measure_list(out, WAVES, k->bins), 0};
  if (!t.s || !t.waves || !sc_measure_middles(out, WAVE, 0, k->reach, k->bins))
    return sc_measure_no_memory(error);
  t.grains = count_grains(&t);
  if (t.grains) add_waves(&t);
  for (int64_t i = 0; i < k->bins; i++) t.s[i] = t.waves[i] > 0 ? t.s[i] / t.waves[i] : NAN;
  sc_measure_set(out, GRAINS, (double)t.grains);
  out->empty = t.grains == 0;
  return SCREE_OK;
}

const scree_measure_kind sc_measure_structure = {
    .name = "structure", .doc = "static structure factor", SC_MEASURE_TABLES, .take = measure_structure};
