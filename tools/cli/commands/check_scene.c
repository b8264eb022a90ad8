/* Materials, sizes and the step in the output of scree check. */
#include "commands/check_scene.h"

#include <math.h>
#include <stdio.h>

#include "run/run.h"
#include "scree/body.h"
#include "files.h"
#include "vector.h"

/* A body counts as at rest if its displacement in a step is below AT_REST times the smallest radius. The tiny
 * step that finds overlaps lets gravity move bodies, but by less than this. */
static const double AT_REST = 1e-9;

/* ---- pairs of materials ---- */

bool check_find_pairs(const scree_world *world, check_pairs *pairs) {
  pairs->count = scree_world_undefined_pairs(world, pairs->pair, CHECK_PAIRS);
  return pairs->count >= 0;
}

void check_print_pairs(const scree_world *world, const check_pairs *pairs) {
  const int(*pair)[2] = pairs->pair;
  const int64_t count = pairs->count;
  for (int k = 0; k < CHECK_PAIRS && k < count; k++) {
    const char *law;
    const double mu = run_find_mu(world, pair[k], &law);
    printf("  undefined pair    \"%s\", \"%s\": law %s", scree_world_material_name(world, pair[k][0]),
        scree_world_material_name(world, pair[k][1]), law);
    if (isfinite(mu)) printf(", mu %g", mu);
    printf(", restitution %g are used; w:pair defines others\n",
        scree_world_get_restitution(world, pair[k][0], pair[k][1], NULL));
  }
  if (count > CHECK_PAIRS) printf("  undefined pair    %lld more\n", (long long)(count - CHECK_PAIRS));
}

void check_put_pairs(const scree_world *world, const check_pairs *pairs) {
  const int(*pair)[2] = pairs->pair;
  const int64_t count = pairs->count;
  fputs(", \"undefined_pairs\": [", stdout);
  for (int k = 0; k < CHECK_PAIRS && k < count; k++) {
    const char *law;
    const double mu = run_find_mu(world, pair[k], &law);
    fputs(k ? ", {\"a\": " : "{\"a\": ", stdout);
    cli_json_text(stdout, scree_world_material_name(world, pair[k][0]));
    fputs(", \"b\": ", stdout);
    cli_json_text(stdout, scree_world_material_name(world, pair[k][1]));
    fputs(", \"law\": ", stdout);
    cli_json_text(stdout, law);
    if (isfinite(mu)) printf(", \"mu\": %.10g", mu);
    printf(", \"restitution\": %.10g}", scree_world_get_restitution(world, pair[k][0], pair[k][1], NULL));
  }
  fputs("]", stdout);
}

/* ---- sizes, and the fastest body ---- */

bool check_find_sizes(scree_world *world, check_sizes *sizes) {
  void *kind, *radius, *velocity, *spin, *id;
  int64_t rows, fastest = -1;
  if (!scree_world_view(world, SCREE_VIEW_KIND, &kind, &rows) ||
      !scree_world_view(world, SCREE_VIEW_RADIUS, &radius, &rows) ||
      !scree_world_view(world, SCREE_VIEW_VELOCITY, &velocity, &rows) ||
      !scree_world_view(world, SCREE_VIEW_SPIN, &spin, &rows) ||
      !scree_world_view(world, SCREE_VIEW_ID, &id, &rows))
    return false;
  *sizes = (check_sizes){.least = INFINITY, .dt = scree_world_get_def(world)->dt};
  for (int64_t i = 0; i < rows; i++) {
    const double r = ((double *)radius)[i], turn = vector_length((double *)spin + 3 * i),
                 speed = vector_length((double *)velocity + 3 * i) + (isfinite(r) ? turn * r : 0);
    if (speed > sizes->speed) sizes->speed = speed, fastest = i;
    if (((int64_t *)kind)[i] != SCREE_DYNAMIC || !isfinite(r)) continue;
    sizes->least = fmin(sizes->least, r), sizes->most = fmax(sizes->most, r);
  }
  if (fastest >= 0) run_label_body(world, ((scree_id *)id)[fastest], sizes->fastest);
  return true;
}

void check_print_sizes(const check_sizes *s) {
  if (!(s->most > 0)) return;
  printf(
      "  radii             %.4g m to %.4g m (bounding radii of the bodies that move)\n", s->least, s->most);
  if (!(s->speed * s->dt > AT_REST * s->least)) return;
  printf("  fastest           %s: its surface moves at up to %.3g m/s, %.3g m in a step, %.2g of the "
         "smallest radius\n",
      s->fastest, s->speed, s->speed * s->dt, s->speed * s->dt / s->least);
}

void check_put_number(const char *name, double value) {
  if (isfinite(value)) printf(", \"%s\": %.10g", name, value);
  else printf(", \"%s\": null", name);
}

void check_put_sizes(const check_sizes *s) {
  check_put_number("smallest_radius", s->least);
  check_put_number("largest_radius", s->most > 0 ? s->most : NAN);
  check_put_number("largest_speed", s->speed);
  check_put_number("largest_way", s->speed * s->dt);
  check_put_number("largest_way_over_radius", s->speed * s->dt / s->least);
}
