/* Report and hash of a distributed world. */
#include "dist/calls.h"
#include "world/query/hash.h"

#include <stdlib.h>

void sd_report(void *context, scree_report *r, double *depth) {
  const sd_dist *d = context;
  int64_t *counts[] = {&r->bodies, &r->dynamic, &r->contacts, &r->active, &r->touching, &r->impacts,
      &r->pairs, &r->bytes_bodies, &r->bytes_contacts, &r->crossed, &r->held_back};
  double *sums[] = {&r->kinetic, &r->potential, r->momentum, r->momentum + 1, r->momentum + 2,
      r->angular_momentum, r->angular_momentum + 1, r->angular_momentum + 2, &r->dissipated, &r->elastic,
      &r->work, &r->correction, depth};
  double *most[] = {&r->residual, &r->penetration, &r->overlap, &r->overlap_max, &r->max_speed};
  enum {
    COUNTS = sizeof counts / sizeof *counts,
    SUMS = sizeof sums / sizeof *sums,
    MOST = sizeof most / sizeof *most
  };
  double sum[COUNTS + SUMS], largest[MOST + SCREE_STAGES];
  for (int i = 0; i < COUNTS; i++) sum[i] = (double)*counts[i];
  for (int i = 0; i < SUMS; i++) sum[COUNTS + i] = *sums[i];
  for (int i = 0; i < MOST; i++) largest[i] = *most[i];
  memcpy(largest + MOST, r->seconds, sizeof r->seconds);
  sd_sum(context, sum, COUNTS + SUMS);
  sd_most(context, largest, MOST + SCREE_STAGES);
  for (int i = 0; i < COUNTS; i++) *counts[i] = (int64_t)sum[i];
  for (int i = 0; i < SUMS; i++) *sums[i] = sum[COUNTS + i];
  for (int i = 0; i < MOST; i++) *most[i] = largest[i];
  memcpy(r->seconds, largest + MOST, sizeof r->seconds);
  r->ranks = d->ranks;
  double own[2] = {d->waiting, d->imbalance};
  sd_most(context, own, 2);
  r->waiting = own[0], r->imbalance = own[1];
}

/* ---- hash ---- */

static int compare_hashed(const void *a, const void *b) {
  uint64_t x = ((const sc_hashed *)a)->slot, y = ((const sc_hashed *)b)->slot;
  return (x > y) - (x < y);
}

uint64_t sd_hash(void *context, const scree_world *world, uint64_t hash) {
  const sc_bodies *bodies = &world->bodies;
  sc_hashed *own = sc_alloc(((size_t)bodies->count + 1) * sizeof *own);
  size_t count = 0, total = 0;
  void *all = NULL;
  for (int32_t row = 0; row < bodies->count && own; row++)
    if (sc_bodies_own(bodies, row)) own[count++] = sc_hashed_of(bodies, row);
  scree_status status = sd_gather(context, own, count * sizeof *own, true, &all, &total, NULL);
  sc_free(own);
  if (status != SCREE_OK) return 0;
  if (total) qsort(all, total / sizeof *own, sizeof *own, compare_hashed);
  for (size_t i = 0; i < total / sizeof *own; i++) hash = sc_hash_add(hash, (const sc_hashed *)all + i);
  sc_free(all);
  return hash;
}
