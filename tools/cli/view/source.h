/* The data of the page: a trajectory, which is read again after it has grown, and the tables beside it. */
#ifndef VIEW_SOURCE_H
#define VIEW_SOURCE_H

#include "view/wire.h"

enum { VIEW_PATH = 4300 };
/* The data of one page. */
typedef struct view_source {
  char file[VIEW_PATH], folder[VIEW_PATH]; /* folder: "" for a single file */
  scree_reader *reader;
  int64_t size, inode; /* size [bytes] and inode of the file when it was last read */
  view_shelf shelf;
  double origin[3]; /* positions are relative to it [m] */
  int placed;       /* 1: origin has been set */
  int turns;        /* 1 once a frame had a shape other than balls: orientations are decoded from then on */
} view_source;

/* Opens the trajectory at path: a file or the folder of a run. Returns an exit code after a message. */
int view_source_open(view_source *source, const char *command, const char *path);
/* Closes the trajectory and frees all data. */
void view_source_close(view_source *source);

/* Sets the origin to the middle of the first frame with a body if this frame lies far from 0. Single
 * precision then suffices for positions. */
void view_source_place(view_source *source, const scree_frame *frame);
/* Calls `each` with the name of every table, in order. */
void view_source_tables(
    const view_source *source, void (*each)(void *context, const char *name, int first), void *context);

/* ---- answers: each function returns 0, or the HTTP status of a refusal and appends its text ---- */
/* Appends the description of the run as JSON. */
int view_source_about(view_source *source, int can_stop, view_bytes *out);
/* Appends the times of the frames from number `from` on, as doubles. */
int view_source_times(view_source *source, int64_t from, view_bytes *out);
/* Appends a frame. roster: hash of the roster (bodies with sizes and shapes) that the page has; an equal
 * roster is left out. */
int view_source_frame(view_source *source, int64_t number, int fields, uint64_t roster, view_bytes *out);
/* Appends at most `most` bodies of a frame, evenly spread over the rows, without shapes and contacts. The
 * frame is the last one if `number` is the last, else the last key frame at or before `number`. */
int view_source_sample(view_source *source, int64_t number, int fields, int64_t most, view_bytes *out);
/* Appends a hull or mesh. */
int view_source_geometry(view_source *source, int64_t number, view_bytes *out);
/* Appends `count` rows of 12 doubles about one body in frames `from`, `from` + `step`, ...: number, time,
 * position, velocity, spin, 1; NaN and 0 if the frame does not have the body. */
int view_source_history(
    view_source *source, uint64_t body, int64_t from, int64_t count, int64_t step, view_bytes *out);
/* Appends a CSV table of the folder. A table of more than `most` bytes is thinned: the
 * comment "# every N", the head, every Nth row and the last row. */
int view_source_table(view_source *source, const char *name, size_t most, view_bytes *out);

#endif
