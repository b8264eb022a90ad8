#include "picture/survey.h"

#include <math.h>
#include <stdlib.h>

#include "cli.h"

/* ---- frames ---- */

survey_frames survey_choose(const scree_reader *reader, int64_t first, int64_t last, double most_bodies) {
  enum { FEWEST = 25 };
  const scree_trajectory_info *info = scree_reader_info(reader);
  int64_t frames = last - first + 1;
  double bodies = info->frames ? (double)info->total_bodies / (double)info->frames : 0;
  int64_t most = bodies > 0 ? (int64_t)fmin(most_bodies / bodies, 1e9) : frames;
  if (most < FEWEST) most = FEWEST;
  return (survey_frames){reader, first, last, frames < most ? frames : most, frames > most};
}

int64_t survey_frame(const survey_frames *f, int64_t looks, int64_t k) {
  int64_t at = looks > 1 ? (f->count - 1) * k / (looks - 1) : f->count - 1;
  if (at == f->count - 1) return f->last;
  int64_t number = f->first + (f->last - f->first) * at / (f->count - 1);
  int64_t key = f->at_keys ? scree_reader_key(f->reader, number) : number;
  return key < f->first ? f->first : key;
}

/* ---- bodies that may hide grains ---- */

/* Returns 0 if no body of the frame can become glass: fixed and driven bodies have only half-spaces, and
 * no free body is TIMES as large as the smallest. */
static int has_walls(const scree_frame *f) {
  enum { TIMES = 8 };
  double smallest = INFINITY, largest = 0;
  for (int64_t row = 0; row < f->bodies; row++)
    if (f->kind[row] == SCREE_DYNAMIC)
      smallest = fmin(smallest, f->radius[row]), largest = fmax(largest, f->radius[row]);
  if (largest > TIMES * smallest) return 1;
  for (int64_t s = 0, row = 0; s < f->shapes; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    if (f->kind[row] != SCREE_DYNAMIC && f->shape[s].type != SCREE_HALFSPACE) return 1;
  }
  return 0;
}

/* ---- the pass ---- */

static int fail_survey(const char *command) { return cli_fail(CLI_FAILED, command, "no memory"); }

static int add_frame(
    const char *command, const scree_frame *f, const field *of, body_spans *spans, run_survey *out) {
  if (!f->position) return cli_fail(CLI_USAGE, command, "the trajectory keeps no positions");
  double *value = of ? malloc(((size_t)f->bodies + 1) * sizeof *value) : NULL;
  if (of && !value) return fail_survey(command);
  if (of) field_values(of, f, value);
  int is_fine = box_add_frame(spans, f, value);
  free(value);
  out->has_walls |= has_walls(f);
  return is_fine ? CLI_OK : fail_survey(command);
}

/* Returns the range of the values of the bodies that are not strays. */
static field_range find_range(const field *f, const body_spans *s, const run_box *box, double duration) {
  field_range range = {INFINITY, -INFINITY};
  double sum = 0;
  int64_t bodies = 0;
  for (int64_t i = 0; i < s->count; i++) {
    if (s->of[i].least > s->of[i].most || box_is_stray(box, s->of[i].id)) continue;
    range.low = fmin(range.low, s->of[i].least);
    range.high = fmax(range.high, s->of[i].most);
    sum += s->of[i].size;
    bodies++;
  }
  return field_bar(f, range, bodies ? sum / (double)bodies : 0, duration);
}

int survey_run(
    const char *command, scree_reader *reader, const survey_frames *frames, const field *f, run_survey *out) {
  scree_error error = {SCREE_OK, ""};
  const scree_frame *frame = NULL;
  body_spans spans = box_start();
  int code = CLI_OK;
  *out = (run_survey){.frames = *frames, .range = {INFINITY, -INFINITY}};
  for (int64_t k = 0, number = -1; k < frames->count && !code; k++) {
    int64_t before = number;
    number = survey_frame(frames, frames->count, k);
    if (number == before) continue;
    frame = scree_reader_frame(reader, number, &error);
    code = frame ? add_frame(command, frame, f, &spans, out) : cli_fail(CLI_IO, command, "%s", error.text);
  }
  if (!code && !box_finish(&spans, frame, &out->box)) code = fail_survey(command);
  if (!code && f) out->range = find_range(f, &spans, &out->box, scree_reader_time(reader, frames->last));
  free(spans.of);
  return code;
}

void survey_free(run_survey *survey) { box_free(&survey->box); }
