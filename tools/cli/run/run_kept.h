/* Data of a run in its checkpoint, in addition to the state of the scene. The readers check everything,
 * because a checkpoint may come from anyone. Sections: run.how, run.scene, run.overrides, run.sources,
 * run.files, run.stop_when, run.wall, run.track.
 *
 * A reader sets *out, or fails with a text and SCREE_E_FORMAT; *out must not be used then. */
#ifndef CLI_RUN_KEPT_H
#define CLI_RUN_KEPT_H

#include "bind/sandbox/sha256.h"
#include "run/run.h"
#include "scree/checkpoint.h"

/* How the run was started. Caps of the sandbox are not part of it: whoever resumes the run sets them. */
typedef struct kept_how {
  /* end time of the run, and end time before the first resume [s]; 0: that of the scene; time may be
   * infinite */
  double time, first_time;
  int64_t steps, first_steps, threads;
  int32_t trust, experiment, overrides;
  char source[SL_SHA256_HEX]; /* SHA-256 sum of the scene's text */
} kept_how;

/* State of the files. */
typedef struct kept_files {
  int64_t frames, series; /* frames of the trajectory, bytes of the series */
  double last_frame, last_row, precision;
  int32_t columns_count;
  char columns[SL_COLUMNS][SL_COLUMN];
} kept_files;

/* State of the track. */
typedef struct kept_track {
  int64_t frames, done; /* number of frames in the file; number of intervals of the track's clock so far */
  double last, precision;
} kept_track;

/* State of the condition that ends the run. */
typedef struct kept_stop {
  double since;
  int64_t met;
} kept_stop;

/* Reads how the run was started. */
scree_status kept_read_how(const scree_checkpoint *c, kept_how *out, scree_error *error);
/* Reads the state of the files. */
scree_status kept_read_files(const scree_checkpoint *c, kept_files *out, scree_error *error);
/* Reads the state of the track. */
scree_status kept_read_track(const scree_checkpoint *c, kept_track *out, scree_error *error);
/* Reads the state of the condition; in checkpoints of older versions, which lack it: not met. */
scree_status kept_read_stop(const scree_checkpoint *c, kept_stop *out, scree_error *error);
/* Reads the wall seconds spent; 0 in checkpoints of older versions, which lack them. */
scree_status kept_read_wall(const scree_checkpoint *c, double *out, scree_error *error);
/* Returns the path of the scene, in the checkpoint; NULL with an error. */
const char *kept_read_scene(const scree_checkpoint *c, scree_error *error);
/* Reads how->overrides parameters, which point into the checkpoint. */
scree_status kept_read_overrides(
    const scree_checkpoint *c, const kept_how *how, sl_override out[CLI_LIST_MOST], scree_error *error);
/* Reads the SHA-256 sums of the files that had been loaded; *count 0 if the checkpoint has none. */
scree_status kept_read_sources(
    const scree_checkpoint *c, const char (**out)[SL_SHA256_HEX], size_t *count, scree_error *error);

/* Sets the error to a status and text. Returns the status. */
scree_status kept_fail(scree_error *error, scree_status status, const char *text);
/* Sets the error to SCREE_E_IO with a text and the text of errno. Returns SCREE_E_IO. */
scree_status kept_fail_errno(scree_error *error, const char *text);
/* Computes the SHA-256 sum of the scene's text. */
void kept_hash_source(const run *r, char out[SL_SHA256_HEX]);

#endif
