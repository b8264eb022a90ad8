/* Opens shared libraries at their first use. A linked library would make every start of a program slower. */
#ifndef SC_LIBRARY_H
#define SC_LIBRARY_H

#include "base/base.h"

/* Opens the shared library `file` and sets symbols[i] to the address of names[i] for all i < count. The
 * library stays open. Returns SCREE_E_MISSING if the library cannot be opened or lacks a name. user, library:
 * words of the error "USER need the LIBRARY library", such as "FCLib files" and "HDF5". */
scree_status sc_library_open(const char *file, const char *library, const char *user,
    const char *const *names, void **symbols, int count, scree_error *error);

#endif
