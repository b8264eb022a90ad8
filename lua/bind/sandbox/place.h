/* Where files lie and what they are, before they are read. */
#ifndef SL_PLACE_H
#define SL_PLACE_H

#include <stdbool.h>
#include <stdio.h>

/* A regular file, opened to be read; NULL and errno. Pipes and devices have no end that one could wait for:
 * EINVAL, and EISDIR for folders. */
FILE *sl_open_regular(const char *path);
/* Why the last call of it gave NULL, in words. */
const char *sl_open_reason(void);
/* Whether a file lies in or below a folder once all links are followed; one that is not there does. */
bool sl_is_inside(const char *folder, const char *path);

#endif
