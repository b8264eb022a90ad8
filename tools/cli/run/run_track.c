/* track.scree: frames of chosen bodies at their own intervals. The file is a trajectory, so all
 * commands and readers of trajectories can read it. */
#include "run/run.h"

#include <stdlib.h>

#include "run/run_kept.h"

static const char file_name[] = "track.scree", section[] = "run.track";

/* Creates the buffer of frames and the list of ids. */
static scree_status prepare_track(run *r, scree_error *error) {
  const sl_track *t = &r->scene.track;
  r->track.frame = scree_frame_buffer_create();
  r->track.id = malloc(((size_t)(t->ids + t->names) + 1) * sizeof *r->track.id);
  return r->track.frame && r->track.id ? SCREE_OK
                                       : kept_fail(error, SCREE_E_MEMORY, "no memory for frames of a track");
}

static scree_trajectory_def define_trajectory(const run *r) {
  scree_trajectory_def def = scree_trajectory_defaults();
  def.fields = r->scene.track.fields;
  def.precision = r->track.precision;
  def.background = 0; /* a few bodies do not need a thread */
  return def;
}

int run_track_create(run *r, const char *meta, double precision) {
  char path[RUN_PATH + 64];
  scree_error error = {SCREE_OK, ""};
  r->track.last = -1;
  if (!run_wants(&r->scene.track.clock)) return CLI_OK;
  r->track.precision = precision;
  scree_trajectory_def def = define_trajectory(r);
  def.meta = meta;
  def.source = sl_scene_text(&r->scene);
  if (!prepare_track(r, &error) && run_writes(r))
    r->track.writer = scree_writer_open(run_path(r, file_name, path, sizeof path), &def, &error);
  return error.status ? run_fail(r, CLI_IO, "%s", error.text) : CLI_OK;
}

/* Collects the scene's ids and names as ids in ascending order. Skips names that no body has. Returns the
 * count. */
static int64_t find_ids(const run *r) {
  const sl_track *t = &r->scene.track;
  int64_t count = 0;
  for (int64_t i = 0; i < t->ids; i++) r->track.id[count++] = (scree_id)t->id[i];
  for (int64_t i = 0; i < t->names; i++) {
    const scree_id id = scree_world_find(r->scene.world->world, t->name[i], NULL);
    int64_t at = count;
    if (!id) continue;
    for (; at > 0 && r->track.id[at - 1] > id; at--) r->track.id[at] = r->track.id[at - 1];
    r->track.id[at] = id;
    count++;
  }
  return count;
}

int run_track_write(run *r, int last) {
  const scree_world *world = r->scene.world->world;
  const sl_track *t = &r->scene.track;
  scree_error error = {SCREE_OK, ""};
  if (!r->track.frame) return CLI_OK; /* no track, or a run that writes no files */
  const bool due = sl_clock_due(&r->scene.track.clock, world);
  if ((!due && !last) || scree_world_time(world) == r->track.last) return CLI_OK;
  const scree_frame_choice choice = {r->track.id, find_ids(r), t->group, t->groups};
  scree_frame_buffer_choose(r->track.frame, &choice);
  const scree_frame *frame = scree_frame_capture(r->track.frame, world, 0, &error);
  const bool bad = !frame || (r->track.writer && scree_writer_frame(r->track.writer, frame, &error));
  r->track.failed = due && bad;
  if (bad) return run_fail(r, CLI_IO, "%s", error.text);
  r->track.last = scree_world_time(world);
  return CLI_OK;
}

int run_track_flush(run *r) {
  scree_error error = {SCREE_OK, ""};
  if (!r->track.writer || !scree_writer_flush(r->track.writer, 0, &error)) return CLI_OK;
  return run_fail(r, CLI_IO, "%s", error.text);
}

int run_track_close(run *r) {
  scree_error error = {SCREE_OK, ""};
  if (r->track.writer && scree_writer_close(r->track.writer, &error)) run_fail(r, CLI_IO, "%s", error.text);
  scree_frame_buffer_destroy(r->track.frame);
  free(r->track.id);
  r->track.writer = NULL, r->track.frame = NULL, r->track.id = NULL;
  return error.status ? CLI_IO : CLI_OK;
}

/* ---- checkpoints ---- */

scree_status run_track_note(run *r, bool rescues, scree_checkpoint *c, scree_error *error) {
  if (!run_wants(&r->scene.track.clock)) return SCREE_OK;
  if (rescues && r->track.writer) scree_writer_flush(r->track.writer, 1, error);
  else if (r->track.writer && scree_writer_flush(r->track.writer, 1, error)) return error->status;
  const kept_track k = {.frames = !r->track.writer ? 0
          : rescues                                ? scree_writer_durable(r->track.writer)
                                                   : scree_writer_frames(r->track.writer),
      .done = r->scene.track.clock.done - (rescues && r->track.failed),
      .last = r->track.last,
      .precision = r->track.precision};
  return scree_checkpoint_put(c, section, &k, sizeof k, error);
}

scree_status run_track_reopen(run *r, const scree_checkpoint *c, scree_error *error) {
  char path[RUN_PATH + 64];
  kept_track k;
  if (!run_wants(&r->scene.track.clock)) return SCREE_OK;
  scree_status status = kept_read_track(c, &k, error);
  if (status) return status;
  r->scene.track.clock.done = k.done;
  r->track.last = k.last, r->track.precision = k.precision;
  const scree_trajectory_def def = define_trajectory(r);
  if ((status = prepare_track(r, error)) || !run_writes(r)) return status;
  r->track.writer = scree_writer_append(run_path(r, file_name, path, sizeof path), k.frames, &def, error);
  return r->track.writer ? SCREE_OK : error->status;
}
