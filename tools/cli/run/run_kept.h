/* What a run keeps in its checkpoint beside the state of the scene, and readers that believe nothing: a
 * checkpoint may come from anyone. Sections: run.how, run.scene, run.overrides, run.sources, run.files,
 * run.stop_when, run.wall, run.track.
 *
 * A reader fills its struct, or fails with a text and SCREE_E_FORMAT and the struct must not be used. */
#ifndef CLI_RUN_KEPT_H
#define CLI_RUN_KEPT_H

#include "bind/sandbox/sha256.h"
#include "run/run.h"
#include "scree/checkpoint.h"

/* How the run was started. Caps of the sandbox are none of it: they are for the one who resumes to say. */
typedef struct kept_how {
  double time, first_time; /* ends [s], 0: the scene's; time can be infinite */
  int64_t steps, first_steps, threads;
  int32_t trust, experiment, overrides;
  char source[SL_SHA256_HEX]; /* of the scene's text */
} kept_how;

/* How far the files had come. */
typedef struct kept_files {
  int64_t frames, series; /* frames of the trajectory, bytes of the series */
  double last_frame, last_row, precision;
  int32_t columns_count;
  char columns[SL_COLUMNS][SL_COLUMN];
} kept_files;

/* How far the track had come. */
typedef struct kept_track {
  int64_t frames, done; /* frames of the file; intervals that were due */
  double last, precision;
} kept_track;

/* How far the condition that ends the run had come. */
typedef struct kept_stop {
  double since;
  int64_t met;
} kept_stop;

scree_status kept_read_how(const scree_checkpoint *c, kept_how *out, scree_error *error);
scree_status kept_read_files(const scree_checkpoint *c, kept_files *out, scree_error *error);
scree_status kept_read_track(const scree_checkpoint *c, kept_track *out, scree_error *error);
/* Checkpoints of older runs know none: not met. */
scree_status kept_read_stop(const scree_checkpoint *c, kept_stop *out, scree_error *error);
/* Wall seconds spent; older runs tell none: 0. */
scree_status kept_read_wall(const scree_checkpoint *c, double *out, scree_error *error);
/* Path of the scene; NULL after an error. */
const char *kept_read_scene(const scree_checkpoint *c, scree_error *error);
/* how->overrides parameters, which point into the checkpoint. */
scree_status kept_read_overrides(
    const scree_checkpoint *c, const kept_how *how, sl_override out[CLI_LIST_MOST], scree_error *error);
/* Sums of the files that had been loaded; *count 0 where the checkpoint tells nothing of them. */
scree_status kept_read_sources(
    const scree_checkpoint *c, const char (**out)[SL_SHA256_HEX], size_t *count, scree_error *error);

/* Sets the error and passes the status on; the second adds errno's text to SCREE_E_IO. */
scree_status kept_fail(scree_error *error, scree_status status, const char *text);
scree_status kept_fail_errno(scree_error *error, const char *text);
/* Sum of the scene's text. */
void kept_hash_source(const run *r, char out[SL_SHA256_HEX]);

#endif
