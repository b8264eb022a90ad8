/* Content of pictures of a run: one box for all frames, and the bodies far away from this box. */
#ifndef CLI_PICTURE_BOX_H
#define CLI_PICTURE_BOX_H

#include "scree/scree.h"

typedef struct run_box {
  double low[3], high[3]; /* [m] */
  uint64_t *stray;        /* [strays] ids of free bodies that went far away, ascending */
  int64_t strays;
} run_box;

/* Finds the box of the free bodies over the frames first..last, without bodies that went far away, widened by
 * the held bodies near it. Reads box_looks frames. Returns the exit code, after a message of `command`. The
 * caller must call box_free in any case. */
int box_of_run(const char *command, scree_reader *reader, int64_t first, int64_t last, run_box *out);
/* Frees the list of strays. */
void box_free(run_box *box);
/* Returns 1 if the body went far away in some frame, else 0. */
int box_is_stray(const run_box *box, uint64_t id);
/* Returns 1 if the frame's body is free and lies farther outside the box than half its diagonal, else 0. */
int box_is_far(const run_box *box, const scree_frame *frame, int64_t row);
/* Counts the free bodies of the frame, and returns how many of them box_is_far names. */
int64_t box_count_far(const run_box *box, const scree_frame *frame, int64_t *free_bodies);
/* Writes "1 of 10 bodies is far away and not shown" for box_count_far's numbers. */
void box_describe_far(int64_t far_bodies, int64_t free_bodies, char *text, size_t size);
/* Returns the number of frames from first to last that determine box and colour range: all frames if they
 * have at most 20 million bodies together, else fewer in even steps, at least 25. */
int64_t box_looks(const scree_reader *reader, int64_t first, int64_t last);
/* Returns the number of frame k of `looks` in even steps from first to last, both included; last if looks is
 * 1. */
int64_t box_look(int64_t first, int64_t last, int64_t looks, int64_t k);

#endif
