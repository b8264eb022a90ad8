/* The content of pictures of a run: one box for all frames, and the bodies far away from this box. */
#ifndef CLI_PICTURE_BOX_H
#define CLI_PICTURE_BOX_H

#include "scree/scree.h"

/* The box of a run. */
typedef struct run_box {
  double low[3], high[3]; /* bounding box [m] */
  uint64_t *stray;        /* [strays] ids of free bodies that went far away, ascending */
  int64_t strays;
} run_box;

/* Range of the positions, values and size of one free body over the frames of a run. */
typedef struct body_span {
  uint64_t id;
  double low[3], high[3]; /* bounding box of the body's positions [m] */
  double least, most;     /* range of the body's finite values; least > most: none */
  double size;            /* diameter in the last frame with a finite value [m] */
} body_span;

typedef struct body_spans {
  body_span *of; /* [count] ranges of the bodies by ascending id; the caller frees the array */
  int64_t count;
  double cell_low[3], cell_high[3]; /* bounds of the cells along periodic axes; low > high: none */
} body_spans;

/* Returns a list without bodies. */
body_spans box_start(void);
/* Adds the free bodies of a frame to the ranges. The frame must have positions. value: [bodies] values of the
 * colour field, or NULL. Returns 0 if out of memory. */
int box_add_frame(body_spans *spans, const scree_frame *frame, const double *value);
/* Finds the box of the free bodies without those that went far away, extended by the fixed and driven bodies
 * of the frame `last` (NULL: none) near it. Returns 0 if out of memory. The caller calls box_free in any
 * case. */
int box_finish(const body_spans *spans, const scree_frame *last, run_box *out);
/* Frees the list of strays. */
void box_free(run_box *box);
/* Returns 1 if an ascending list has the id, else 0. */
int box_has_id(const uint64_t *list, int64_t count, uint64_t id);
/* Returns 1 if the body went far away in some frame, else 0. */
int box_is_stray(const run_box *box, uint64_t id);
/* Returns 1 if the frame's body is free and lies farther outside the box than half its diagonal, else 0. */
int box_is_far(const run_box *box, const scree_frame *frame, int64_t row);
/* Counts the free bodies of the frame. Returns the number of those for which box_is_far returns 1. */
int64_t box_count_far(const run_box *box, const scree_frame *frame, int64_t *free_bodies);
/* Writes a text such as "1 of 10 bodies is far away and not shown" for the numbers of box_count_far. */
void box_describe_far(int64_t far_bodies, int64_t free_bodies, char *text, size_t size);

#endif
