/* What programs under mpirun check with: a failed condition ends the group with rank and place. */
#ifndef TESTS_MPI_CHECK_H
#define TESTS_MPI_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#include "scree/dist.h"

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

#endif
