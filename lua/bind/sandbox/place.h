/* Checks of paths and file types before files are read. */
#ifndef SL_PLACE_H
#define SL_PLACE_H

#include <stdbool.h>
#include <stdio.h>

/* Opens a regular file for reading; NULL with errno on failure. Errno is EINVAL for pipes and devices,
 * which may have no end, and EISDIR for folders. */
FILE *sl_open_regular(const char *path);
/* Returns the reason, as a text, why the last call of sl_open_regular failed. */
const char *sl_open_reason(void);
/* Returns whether a file lies in or below a folder after all links are followed; true for a missing file. */
bool sl_is_inside(const char *folder, const char *path);
/* Writes the present path of the open folder over `path` if the folder was moved. Returns whether path has
 * changed. */
bool sl_follow_folder(int folder, char *path, size_t size);

#endif
