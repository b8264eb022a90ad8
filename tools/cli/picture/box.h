/* Content of pictures of a run: one box for all frames, and the bodies far away from this box. */
#ifndef CLI_PICTURE_BOX_H
#define CLI_PICTURE_BOX_H

#include "scree/scree.h"

typedef struct run_box {
  double low[3], high[3]; /* [m] */
  uint64_t *stray;        /* [strays] ids of free bodies that went far away, ascending */
  int64_t strays;
} run_box;

/* Places, values and size of one free body in the frames of a run. */
typedef struct body_span {
  uint64_t id;
  double low[3], high[3]; /* box of the body's places [m] */
  double least, most;     /* of the body's finite values; least > most: none */
  double size;            /* diameter in the last frame with a finite value [m] */
} body_span;

typedef struct body_spans {
  body_span *of; /* [count] by ascending id; the caller frees the array */
  int64_t count;
  double cell_low[3], cell_high[3]; /* bounds of the cells along periodic axes; low > high: none */
} body_spans;

/* Returns a list without bodies. */
body_spans box_start(void);
/* Adds the free bodies of a frame that has positions. value: [bodies], or NULL. Returns 0 without memory. */
int box_add_frame(body_spans *spans, const scree_frame *frame, const double *value);
/* Finds the box of the free bodies, without bodies that went far away, widened by the held bodies of the
 * frame `last` (NULL: none) near it. Returns 0 without memory. The caller calls box_free in any case. */
int box_finish(const body_spans *spans, const scree_frame *last, run_box *out);
/* Frees the list of strays. */
void box_free(run_box *box);
/* Returns 1 if an ascending list has the id, else 0. */
int box_has_id(const uint64_t *list, int64_t count, uint64_t id);
/* Returns 1 if the body went far away in some frame, else 0. */
int box_is_stray(const run_box *box, uint64_t id);
/* Returns 1 if the frame's body is free and lies farther outside the box than half its diagonal, else 0. */
int box_is_far(const run_box *box, const scree_frame *frame, int64_t row);
/* Counts the free bodies of the frame, and returns how many of them box_is_far names. */
int64_t box_count_far(const run_box *box, const scree_frame *frame, int64_t *free_bodies);
/* Writes "1 of 10 bodies is far away and not shown" for box_count_far's numbers. */
void box_describe_far(int64_t far_bodies, int64_t free_bodies, char *text, size_t size);

#endif
