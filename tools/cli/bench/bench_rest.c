/* Distribution of kinetic energy over the grains of a settled bed. Without rolling friction (--rolling), a
 * few loose grains roll on the floor for a long time and have nearly all of the energy. */
#include "bench/bench.h"

#include <stdlib.h>

/* Returns the kinetic energy of a body from its inertia in the body frame [J]. */
static double energy_of(const scree_body_state *s) {
  const double *q = s->orientation, *w = s->spin, *I = s->inertia;
  /* spin in the body's frame: w - 2 q0 (v x w) + 2 v x (v x w), v the vector part of q */
  double c[3] = {q[2] * w[2] - q[3] * w[1], q[3] * w[0] - q[1] * w[2], q[1] * w[1] - q[2] * w[0]};
  double d[3] = {q[2] * c[2] - q[3] * c[1], q[3] * c[0] - q[1] * c[2], q[1] * c[1] - q[2] * c[0]}, b[3],
         v = 0;
  for (int k = 0; k < 3; k++) b[k] = w[k] - 2 * q[0] * c[k] + 2 * d[k], v += s->velocity[k] * s->velocity[k];
  double turn = I[0] * b[0] * b[0] + I[3] * b[1] * b[1] + I[5] * b[2] * b[2] +
      2 * (I[1] * b[0] * b[1] + I[2] * b[0] * b[2] + I[4] * b[1] * b[2]);
  return (s->mass * v + turn) / 2;
}

static int compare_energies(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

scree_status bench_rest(scree_world *world, double unit, double *calm, int64_t *loose, scree_error *error) {
  void *data;
  int64_t rows, grains = 0;
  if (!scree_world_view(world, SCREE_VIEW_ID, &data, &rows)) return SCREE_E_MEMORY;
  double *energy = malloc((size_t)(rows + 1) * sizeof *energy);
  scree_status status = energy ? SCREE_OK : SCREE_E_MEMORY;
  *calm = 0, *loose = 0;
  for (int64_t i = 0; i < rows && status == SCREE_OK; i++) {
    scree_body_state state;
    status = scree_world_get(world, ((const scree_id *)data)[i], &state, error);
    if (status == SCREE_OK && state.kind == SCREE_DYNAMIC) energy[grains++] = energy_of(&state) / unit;
  }
  if (status == SCREE_OK) qsort(energy, (size_t)grains, sizeof *energy, compare_energies);
  for (int64_t i = 0; i < grains && status == SCREE_OK; i++) {
    if (i < grains - grains / 100) *calm += energy[i] / (double)(grains - grains / 100);
    *loose += energy[i] > BENCH_STILL;
  }
  free(energy);
  return status;
}
