/* One pass over the frames of a run for all its pictures: finds the box, the range of the colours, and
 * whether a body may hide grains. */
#ifndef CLI_PICTURE_SURVEY_H
#define CLI_PICTURE_SURVEY_H

#include "picture/box.h"
#include "picture/field.h"

/* The frames that the pass reads. */
typedef struct survey_frames {
  const scree_reader *reader;
  int64_t first, last;
  int64_t count; /* number of frames, at equal distances */
  int at_keys;   /* 1: each frame but the last is moved back to a key frame */
} survey_frames;

/* Result of a pass. */
typedef struct run_survey {
  survey_frames frames;
  run_box box;
  field_range range; /* range of the colour bar; low > high: not wanted */
  int has_walls;     /* 1: in a frame that was read, a body may hide grains */
} run_survey;

/* If frames have together at most this many bodies, all are read. */
static const double SURVEY_BODIES = 2e7;

/* Chooses among the frames first..last: all if they have together at most most_bodies bodies. Otherwise at
 * least 25 frames at equal distances, fewer than all; each of them but the last moves back to a key frame. */
survey_frames survey_choose(const scree_reader *reader, int64_t first, int64_t last, double most_bodies);
/* Returns the number of frame k of `looks` frames at equal distances among the chosen ones, first and last
 * included; the last frame if looks is 1. Neighbours may have the same number. */
int64_t survey_frame(const survey_frames *frames, int64_t looks, int64_t k);
/* Reads the chosen frames once, in ascending order. f: field of the colours; NULL: no range. Returns an exit
 * code after a message of `command`. The caller calls survey_free in any case. */
int survey_run(
    const char *command, scree_reader *reader, const survey_frames *frames, const field *f, run_survey *out);
/* Frees the result of a pass. */
void survey_free(run_survey *survey);

#endif
