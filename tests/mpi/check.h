/* Checks for test programs that mpirun starts. A failed check prints rank, file and line, and ends all
 * ranks. */
#ifndef TESTS_MPI_CHECK_H
#define TESTS_MPI_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/dist.h"
#include "scree/frame.h"

static int rank, ranks;
static scree_error error;

#define CHECK(condition, ...) \
  do { \
    if (condition) break; \
    fprintf(stderr, "rank %d of %d, %s:%d: %s: ", rank, ranks, __FILE__, __LINE__, #condition); \
    fprintf(stderr, __VA_ARGS__); \
    fputc('\n', stderr); \
    scree_dist_abort(1); \
    exit(1); \
  } while (0)
#define FINE(call) CHECK((call) == SCREE_OK, "%s", error.text)

/* Compares two contacts of a frame for qsort: by bodies, then by points. */
static inline int by_bodies(const void *a, const void *b) {
  const scree_frame_contact *x = a, *y = b;
  if (x->body1 != y->body1) return x->body1 < y->body1 ? -1 : 1;
  if (x->body2 != y->body2) return x->body2 < y->body2 ? -1 : 1;
  return memcmp(x->point, y->point, sizeof x->point);
}

#endif
