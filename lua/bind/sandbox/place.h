/* Checks of paths and file types before files are read. */
#ifndef SL_PLACE_H
#define SL_PLACE_H

#include <stdbool.h>
#include <stdio.h>

/* Opens a regular file for reading. On failure returns NULL and sets errno: EINVAL for pipes and devices,
 * which may have no end, and EISDIR for folders. */
FILE *sl_open_regular(const char *path);
/* Returns the reason, as a text, why the last call of sl_open_regular failed. */
const char *sl_open_reason(void);
/* Returns whether a file lies in or below a folder after all links are followed; true for a missing file. */
bool sl_is_inside(const char *folder, const char *path);
/* If the open folder was moved, writes its present path over `path`. Returns whether the path has changed.
 * folder: file descriptor of the folder. */
bool sl_follow_folder(int folder, char *path, size_t size);

#endif
