/* What there is to see of a run: one box for all of its frames. */
#ifndef CLI_PICTURE_BOX_H
#define CLI_PICTURE_BOX_H

#include "scree/scree.h"

/* The box of the free bodies in up to seven frames from first to last, without strays, widened by what is
 * held near them. Exit code. */
int box_of_run(
    const char *command, scree_reader *reader, int64_t first, int64_t last, double low[3], double high[3]);

#endif
