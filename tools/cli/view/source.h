/* What the page shows: a trajectory, read anew where it has grown, and the tables beside it. */
#ifndef VIEW_SOURCE_H
#define VIEW_SOURCE_H

#include "view/wire.h"

enum { VIEW_PATH = 4300 };
typedef struct view_source {
  char file[VIEW_PATH], folder[VIEW_PATH]; /* folder: "" where a bare file is shown */
  scree_reader *reader;
  int64_t size, inode; /* of the file as the reader knows it */
  view_shelf shelf;
  double origin[3];
  int placed;
  int turns; /* 1 once a frame had a shape other than balls: orientations are decoded from then on */
} view_source;

/* The trajectory at path, a file or the folder of a run. An exit code, after a message. */
int view_source_open(view_source *source, const char *command, const char *path);
void view_source_close(view_source *source);

/* Positions are told from the middle of the first frame that has a body and lies far from the origin, so that
 * single precision serves there too. */
void view_source_place(view_source *source, const scree_frame *frame);
/* Calls `each` with the name of every table, in order. */
void view_source_tables(
    const view_source *source, void (*each)(void *context, const char *name, int first), void *context);

/* Each appends an answer and returns 0, or returns the HTTP status of a refusal with its text appended. */
int view_source_about(view_source *source, int can_stop, view_bytes *out);
/* Times of the frames from number `from` on, doubles. */
int view_source_times(view_source *source, int64_t from, view_bytes *out);
int view_source_frame(view_source *source, int64_t number, int fields, uint64_t roster, view_bytes *out);
/* Appends at most `most` bodies of a frame, evenly spread over the rows, without shapes and contacts. The
 * frame is the last one if `number` is the last, else the last frame at or before `number` that is
 * decoded alone. */
int view_source_sample(view_source *source, int64_t number, int fields, int64_t most, view_bytes *out);
int view_source_geometry(view_source *source, int64_t number, view_bytes *out);
/* `count` rows of 12 doubles about one body, of frames `from`, `from` + `step`, ...: number, time, position,
 * velocity, spin, 1; NaN and 0 where the body is not there. */
int view_source_history(
    view_source *source, uint64_t body, int64_t from, int64_t count, int64_t step, view_bytes *out);
/* Appends a CSV table of the folder, by its plain name. Of a table of more than `most` bytes it appends the
 * comment "# every N", the head, every Nth row and the last row. Returns 0, or the status of a refusal. */
int view_source_table(view_source *source, const char *name, size_t most, view_bytes *out);

#endif
