/* Where scree's own files lie. */
#ifndef CLI_LIBRARY_H
#define CLI_LIBRARY_H

#include <stddef.h>

/* The bundled folder `name` ("lua", "scenes", ...): below $SCREE_HOME, beside the program's build
 * folder, or in the source tree it was built from, whichever is there first. Returns out. */
const char *cli_library(const char *name, char *out, size_t size);

#endif
