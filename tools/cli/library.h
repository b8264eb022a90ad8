/* Finds scree's own files. */
#ifndef CLI_LIBRARY_H
#define CLI_LIBRARY_H

#include <stddef.h>

/* Finds the bundled folder `name` ("lua", "scenes", ...) and returns its path in out. Tries $SCREE_HOME,
 * the folders next to the program, and the source tree that it was built from, in this order. */
const char *cli_library(const char *name, char *out, size_t size);

#endif
