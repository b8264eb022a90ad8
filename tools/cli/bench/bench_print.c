/* Prints the rows of scree bench as Markdown and as JSON. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>

#include "files.h"

/* Figures of a bed. deepest, mean: overlaps over the radius; kinetic: energy over m g d of a grain of the
 * largest size; per_body, per_contact: memory [bytes]. */
typedef struct relative {
  double deepest, mean, kinetic, per_body, per_contact;
} relative;

static relative compute_relative(const bench_row *row) {
  const scree_report *r = &row->report;
  double d = row->bed->diameter, grains = r->dynamic > 0 ? (double)r->dynamic : 1;
  return (relative){r->penetration / (d / 2), r->mean_penetration / (d / 2),
      r->kinetic / grains / bench_unit(row->bed), (double)r->bytes_bodies / grains,
      (double)r->bytes_contacts / (r->contacts > 0 ? (double)r->contacts : 1)};
}

void bench_print_head(void) {
  printf("| bed | sweeps | threads | grains | contacts | s per step | solver, ns per contact and sweep | "
         "whole step, ns | outside the solver | "
         "largest penetration / R | mean | kinetic / m g d | without 1 %% | grains above 1e-8 | bytes per "
         "body | per contact | lanes filled |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

void bench_print_row(const bench_row *row) {
  const scree_report *r = &row->report;
  relative x = compute_relative(row);
  printf("| %s%s | %d | %d | %lld | %lld | %.3g | %.1f | %.1f | %.0f %% | %.2g | %.2g | %.2g | %.2g | %lld | "
         "%.0f | %.0f | %.1f %% |\n",
      row->bed->title, row->scalar ? ", scalar" : "", row->sweeps, row->threads, (long long)r->dynamic,
      (long long)r->contacts, row->step, row->solver, row->whole, 100 * row->outside, x.deepest, x.mean,
      x.kinetic, row->calm, (long long)row->loose, x.per_body, x.per_contact, 100 * r->bundle_fill);
  fflush(stdout);
}

static void print_time(const bench_time *t) {
  if (isfinite(t->seconds)) printf(" %.3g, %lld |", 1e3 * t->seconds, (long long)t->sweeps);
  else if (isfinite(t->reached)) printf(" %.2g after %lld |", t->reached, (long long)t->sweeps);
  else printf(" - |");
}

void bench_print_times(const bench_row *rows, int count) {
  printf("\nTime [ms] and sweeps to a residual relative to g dt, wall clock; where it was not reached\nin "
         "some seconds, the residual and sweeps instead.\n\n"
         "| bed | threads | cold to 1e-2 | 1e-3 | 1e-4 | warm to 1e-2 | 1e-3 | 1e-4 "
         "|\n|---|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < count; i++) {
    if (!rows[i].timed) continue;
    printf("| %s | %d |", rows[i].bed->title, rows[i].threads);
    for (int k = 0; k < BENCH_TIMES; k++) print_time(rows[i].cold + k);
    for (int k = 0; k < BENCH_TIMES; k++) print_time(rows[i].warm + k);
    printf("\n");
  }
}

/* ---- JSON ---- */

static void json_times(const char *name, const bench_time *time) {
  printf(", \"%s\": [", name);
  for (int k = 0; k < BENCH_TIMES; k++) {
    printf(
        "%s{\"residual\": %g, \"sweeps\": %lld", k ? ", " : "", bench_residual[k], (long long)time[k].sweeps);
    cli_json_member(stdout, "seconds", time[k].seconds);
    cli_json_member(stdout, "reached", time[k].reached);
    printf("}");
  }
  printf("]");
}

static void json_row(const bench_row *row) {
  const scree_report *r = &row->report;
  relative x = compute_relative(row);
  printf("{\"name\": \"%s\", \"bed\": \"%s\", \"simd\": \"%s\", \"iterations\": %d, \"threads\": %d, "
         "\"grains\": %lld, \"contacts\": %lld",
      row->bed->name, row->bed->title, row->scalar ? "scalar" : "best", row->sweeps, row->threads,
      (long long)r->dynamic, (long long)r->contacts);
  const struct {
    const char *name;
    double value;
  } figure[] = {{"ns_per_contact_iteration", row->solver}, {"ns_step_per_contact_iteration", row->whole},
      {"seconds_per_step", row->step}, {"wall_seconds_per_step", row->wall},
      {"share_outside_solver", row->outside}, {"penetration", x.deepest}, {"mean_penetration", x.mean},
      {"kinetic", x.kinetic}, {"kinetic_calm", row->calm}, {"loose", (double)row->loose},
      {"max_speed", r->max_speed}, {"residual", r->residual}, {"bytes_per_body", x.per_body},
      {"bytes_per_contact", x.per_contact}, {"bundle_fill", r->bundle_fill},
      {"rebuilds_per_step", row->rebuilds}};
  for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
    cli_json_member(stdout, figure[i].name, figure[i].value);
  printf(", \"seconds_by_stage\": {");
  for (int s = 0; s < SCREE_STAGES; s++) {
    printf("%s\"%s\": ", s ? ", " : "", scree_stage_name(s));
    cli_json_number(stdout, row->stage[s]);
  }
  printf("}, \"hash\": \"%016llx\"", (unsigned long long)row->hash);
  if (row->timed) {
    json_times("time_to_residual_cold", row->cold);
    json_times("time_to_residual_warm", row->warm);
  }
  printf("}");
}

void bench_print_json(const bench_row *rows, int count) {
  printf("[");
  for (int i = 0; i < count; i++) {
    if (i) printf(",\n ");
    json_row(rows + i);
  }
  printf("]\n");
}
