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
/* Corrects the path of an open folder if the folder was moved: writes the folder's present name over `path`.
 * Returns whether path has changed. */
bool sl_follow_folder(int folder, char *path, size_t size);

#endif
