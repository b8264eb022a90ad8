/* Warnings of run and check before the first step: walls, pairs of materials, overlaps. */
#include "run/run.h"

#include <math.h>

int run_find_start_notes(
    const scree_world *world, char text[RUN_START_LINES][RUN_START_TEXT], int *misplaced) {
  enum { MOST = RUN_START_LINES - 1 };
  scree_start_note note[MOST];
  scree_error error = {SCREE_OK, ""};
  int64_t count = 0;
  int lines = 0;
  if (misplaced) *misplaced = -1;
  if (scree_world_start_notes(world, note, MOST, &count, &error)) return 0;
  for (; lines < MOST && lines < count; lines++) {
    scree_start_note_text(world, note + lines, text[lines], RUN_START_TEXT);
    if (misplaced && *misplaced < 0 && note[lines].what != SCREE_START_TURNED) *misplaced = lines;
  }
  if (count > MOST)
    snprintf(
        text[lines++], RUN_START_TEXT, "%lld more lines like these, one a wall", (long long)(count - MOST));
  return lines;
}

double run_find_mu(const scree_world *world, const int pair[2], const char **law) {
  const double *params = NULL;
  int count = 0;
  *law = scree_world_get_pair(world, pair[0], pair[1], &params);
  const scree_param *table = scree_world_law_params(world, *law, &count),
                    *mu = scree_param_find(table, count, "mu");
  return mu ? params[mu - table] : NAN;
}

bool run_tell_pairs(const scree_world *world, char *text, size_t size) {
  enum { MOST = 4 };
  int pair[MOST + 1][2], told = 0;
  int64_t count = scree_world_undefined_pairs(world, pair, MOST + 1),
          listed = count < MOST + 1 ? count : MOST + 1;
  size_t used = 0;
  for (int k = 0; k < listed && used < size; k++) {
    const char *law;
    char coefficient[40] = "";
    if (!pair[k][0] && !pair[k][1]) { /* the pair of a scene without named materials */
      count--;
      continue;
    }
    if (told == MOST) break;
    const double mu = run_find_mu(world, pair[k], &law);
    if (isfinite(mu)) snprintf(coefficient, sizeof coefficient, ", mu %g", mu);
    used += (size_t)snprintf(text + used, size - used, "%s\"%s\", \"%s\" (law %s%s, restitution %g)",
        told++ ? "; " : "no w:pair defines the pair of materials ",
        scree_world_material_name(world, pair[k][0]), scree_world_material_name(world, pair[k][1]), law,
        coefficient, scree_world_get_restitution(world, pair[k][0], pair[k][1], NULL));
  }
  if (count > told && used < size)
    snprintf(text + used, size - used, "; %lld more", (long long)(count - told));
  return told > 0;
}

int64_t run_count_overlaps(const scree_world *world, const scree_report *report) {
  double count = 0;
  for (int64_t i = 0; i < scree_world_contacts_count(world); i++) {
    scree_contact c;
    scree_world_contact(world, i, &c);
    count += c.gap < 0;
  }
  scree_world_combine(world, 0, &count, 1);
  return (int64_t)fmin(count, (double)report->touching);
}

double run_mean_overlap(const scree_report *report, int64_t overlaps) {
  return overlaps > 0 ? report->mean_penetration * (double)report->touching / (double)overlaps : 0;
}

bool run_tell_overlaps(const scree_report *first, int64_t overlaps, char *text, size_t size) {
  if (!(first->overlap > RUN_OVERLAP)) return false;
  snprintf(text, size,
      "bodies overlap at the start in %lld %s, at most by %.3g m; %.2g of half the smaller body's width is "
      "more "
      "than %g, and they are pushed apart; the mean overlap is %.3g m",
      (long long)overlaps, overlaps == 1 ? "place" : "places", first->penetration, first->overlap,
      RUN_OVERLAP, run_mean_overlap(first, overlaps));
  return true;
}
