/* Judges a trial of scree safety. It compares frames of the start, the middle and the present time, body by
 * body. */
#include "commands/safety_trial.h"
#include "vector.h"

#include <stdlib.h>
#include <string.h>

/* A displacement below this fraction of a body's radius does not count as motion. Solver residuals and
 * elastic deformation cause such displacements. */
static const double STILL = 1e-4;
/* A body that was added during the comparison. */
typedef struct late_body {
  scree_id id;
  double place[3],
      radius; /* place where the body was first seen, in the axes of the comparison [m]; bounding radius
                 [m] */
} late_body;

/* Frames of a trial: at the start, in the middle of the simulated time, and at the present time. */
enum { START, MIDDLE, NOW, FRAMES };
typedef struct watch {
  run *r;
  const safety_criteria *criteria;
  safety_trial *t;
  scree_frame_buffer *buffer[FRAMES];
  const scree_frame *frame[FRAMES];
  late_body *late; /* [late_room] bodies that were added after the frame START, sorted by id */
  int64_t late_count, late_room;
  scree_id ground;        /* body in whose axes positions are compared, 0: none */
  double from, end, next; /* start and end of the comparison, time of the next comparison of frames [s] */
} watch;

static int take_frame(watch *w, int which) {
  scree_error error = {SCREE_OK, ""};
  w->frame[which] = scree_frame_capture(w->buffer[which], w->r->scene.world->world, 0, &error);
  return w->frame[which] ? CLI_OK : run_fail(w->r, CLI_FAILED, "%s", error.text);
}

/* Sets x to the position of row i in the axes of the ground, or of the world. */
static void find_place(const watch *w, const scree_frame *f, int64_t i, double x[3]) {
  const int64_t ground = w->ground ? scree_frame_row(f, w->ground) : -1;
  for (int e = 0; e < 3; e++) x[e] = f->position[3 * i + e];
  if (ground < 0) return;
  add_scaled(x, -1, f->position + 3 * ground, x);
  rotate_back(f->orientation + 4 * ground, x, x);
}

static double find_distance(const double x[3], const double y[3]) {
  double way[3];
  add_scaled(x, -1, y, way);
  return vector_length(way);
}

static double distance_of_rows(
    const watch *w, const scree_frame *a, int64_t i, const scree_frame *b, int64_t j) {
  double x[3], y[3];
  find_place(w, a, i, x);
  find_place(w, b, j, y);
  return find_distance(x, y);
}

/* Judges the trial by the motion of one body between the frames START, middle and NOW. row: row of the body
 * in the frame START. */
static void judge_body(const watch *w, const scree_frame *middle, int64_t row) {
  const scree_frame *start = w->frame[START], *now = w->frame[NOW];
  const scree_id id = start->id[row];
  const int64_t at = scree_frame_row(now, id), half = middle ? scree_frame_row(middle, id) : -1;
  safety_trial *t = w->t;
  if (at < 0) {
    t->verdict = SAFETY_LOST;
    return;
  }
  const double radius = start->radius[row], moved = distance_of_rows(w, start, row, now, at) / radius;
  double growth = NAN;
  if (half >= 0) {
    const double first = distance_of_rows(w, start, row, middle, half) / radius,
                 second = distance_of_rows(w, middle, half, now, at) / radius;
    growth = first > 0 ? second / first : second > 0 ? INFINITY : 0;
    const bool settles = w->from > 0; // a body may move already when the comparison begins
    const double least = settles ? 1 + (w->criteria->growth - 1) / 5 : w->criteria->growth;
    if (w->criteria->growth > 0 && second > (settles ? 10 : 1) * STILL && growth > least && !t->verdict)
      t->verdict = SAFETY_GROWS;
  }
  if (moved >= t->moved) t->moved = moved, t->growth = growth;
  if (moved > w->criteria->displacement && !t->verdict) t->verdict = SAFETY_MOVED;
}

/* Judges the trial by the motion of all dynamic bodies. middle: frame at half the time of the trial; NULL:
 * does not judge the growth of the motion. */
static void judge_frames(const watch *w, const scree_frame *middle) {
  const scree_frame *start = w->frame[START];
  for (int64_t row = 0; row < start->bodies; row++)
    if (start->kind[row] == SCREE_DYNAMIC) judge_body(w, middle, row);
}

/* Returns the index of a body in the list of late bodies, which is sorted by id. If the list lacks the body,
 * returns the index at which to insert it. */
static int64_t find_late(const watch *w, scree_id id) {
  int64_t low = 0, high = w->late_count;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (w->late[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Adds the dynamic bodies of the frame NOW that the last comparison did not have. Returns an exit code. */
static int note_late_bodies(watch *w) {
  const scree_frame *start = w->frame[START], *now = w->frame[NOW];
  for (int64_t row = 0; row < now->bodies; row++) {
    const int64_t at = find_late(w, now->id[row]);
    if (now->kind[row] != SCREE_DYNAMIC || scree_frame_row(start, now->id[row]) >= 0 ||
        (at < w->late_count && w->late[at].id == now->id[row]))
      continue;
    if (w->late_count == w->late_room) {
      late_body *grown = realloc(w->late, (size_t)(2 * w->late_room + 16) * sizeof *grown);
      if (!grown) return run_fail(w->r, CLI_FAILED, "no memory");
      w->late = grown, w->late_room = 2 * w->late_room + 16;
    }
    late_body *body = w->late + at;
    memmove(body + 1, body, (size_t)(w->late_count++ - at) * sizeof *body);
    *body = (late_body){.id = now->id[row], .radius = now->radius[row]};
    find_place(w, now, row, body->place);
  }
  return CLI_OK;
}

/* Judges the trial by the displacements of the bodies that were added during the comparison. */
static void judge_late_bodies(const watch *w) {
  safety_trial *t = w->t;
  for (int64_t k = 0; k < w->late_count; k++) {
    const late_body *body = w->late + k;
    const int64_t row = scree_frame_row(w->frame[NOW], body->id);
    double place[3];
    if (row < 0) {
      t->verdict = SAFETY_LOST;
      return;
    }
    find_place(w, w->frame[NOW], row, place);
    const double moved = find_distance(body->place, place) / body->radius;
    if (moved > t->moved) t->moved = moved, t->growth = NAN;
    if (moved > w->criteria->displacement && !t->verdict) t->verdict = SAFETY_MOVED;
  }
}

enum { FAILED_EARLY = 1000 }; /* code of the listener: the trial has failed */

/* Listener of the loop. Compares the frames 64 times in a trial. Ends the trial when it has failed. */
static int watch_event(void *context, sl_event event) {
  watch *w = context;
  if (event == SL_STEPPED) return CLI_OK;
  const int judged = run_judge_step(w->r);
  const double time = scree_world_time(w->r->scene.world->world), step = (w->end - w->from) / 64;
  if (judged || time < w->next * (1 - 1e-12)) return judged;
  w->next = fmax(w->next + step, time);
  if (!w->frame[START]) return take_frame(w, START);
  int code = take_frame(w, NOW);
  if (!code && !w->frame[MIDDLE] && time >= (w->from + w->end) / 2 * (1 - 1e-12))
    code = take_frame(w, MIDDLE);
  if (code) return code;
  judge_frames(w, NULL); /* growth is judged at the end */
  if (w->criteria->late && (code = note_late_bodies(w))) return code;
  judge_late_bodies(w);
  return w->t->verdict ? FAILED_EARLY : CLI_OK;
}

/* Returns the simulated time at which a run ends [s]; INFINITY if the run has no fixed end. */
static double end_time(const run *r) {
  const double dt = scree_world_get_def(r->scene.world->world)->dt;
  return fmin(
      r->scene.stop_time, r->scene.stop_steps == INT64_MAX ? INFINITY : (double)r->scene.stop_steps * dt);
}

/* Finds the body that --ground names. Returns an exit code. */
static int find_ground(const safety_criteria *c, const run *r, scree_id *ground) {
  scree_error error = {SCREE_OK, ""};
  if (c->ground) *ground = scree_world_find(r->scene.world->world, c->ground, &error);
  return c->ground && !*ground ? cli_fail(CLI_USAGE, "safety", "--ground: %s", error.text) : CLI_OK;
}

int safety_check_scene(const safety_criteria *c, const run *r) {
  const double end = end_time(r);
  scree_id ground = 0;
  if (!(end < INFINITY))
    return cli_fail(
        CLI_USAGE, "safety", "%s has no fixed end; give the time of a trial with --time", r->options->scene);
  if (!(c->settle < end))
    return cli_fail(
        CLI_USAGE, "safety", "--settle %g s is not below the time of a trial, %g s", c->settle, end);
  return find_ground(c, r, &ground);
}

/* Steps a built scene and judges it. Returns an exit code. */
static int step_trial(watch *w) {
  run *r = w->r;
  w->from = w->criteria->settle, w->end = end_time(r), w->next = w->from;
  for (int k = 0; k < FRAMES; k++)
    if (!(w->buffer[k] = scree_frame_buffer_create())) return cli_fail(CLI_FAILED, "safety", "no memory");
  int code = find_ground(w->criteria, r, &w->ground);
  if (!code && !(w->from > 0)) code = take_frame(w, START);
  r->loop.listen = watch_event, r->loop.context = w;
  if (!code) code = sl_loop_run(&r->loop);
  if (code == FAILED_EARLY) return CLI_OK;
  if (code == SL_STEP_FAILED)
    return run_fail(r, CLI_FAILED, "step %lld: %s", (long long)r->loop.step, r->loop.error.text);
  if (code == SL_CALL_FAILED) return cli_report_trouble(r->runtime, r->loop.trouble, r->loop.doing, 0);
  if (!code) code = take_frame(w, NOW);
  if (!code && w->frame[START]) {
    judge_frames(w, w->frame[MIDDLE]);
    judge_late_bodies(w);
  }
  return code;
}

int safety_step_trial(const safety_criteria *criteria, run *r, safety_trial *trial) {
  watch w = {.r = r, .criteria = criteria, .t = trial};
  const int code = step_trial(&w);
  for (int k = 0; k < FRAMES; k++) scree_frame_buffer_destroy(w.buffer[k]);
  free(w.late);
  return code;
}
