/* Combines the reports of all ranks into the report of a distributed world. */
#include "dist/calls.h"

void sd_report(void *context, scree_report *r, double *depth) {
  const sd_dist *d = context;
  int64_t *counts[] = {&r->bodies, &r->dynamic, &r->contacts, &r->active, &r->rigid, &r->touching,
      &r->impacts, &r->pairs, &r->bytes_bodies, &r->bytes_contacts, &r->crossed, &r->held_back};
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
