/* Opens the HDF5 library (io/hdf5/hdf5_library.h). One table of names lists all functions and then all
 * variables, in the order of the members of sc_hdf5. */
#ifdef SCREE_HDF5
#define _GNU_SOURCE
#include "io/hdf5/hdf5_library.h"

#include <dlfcn.h>
#include <string.h>
#include "base/library.h"

static const char *const names[] = {
#define NAME(name) "H5" #name,
    SC_HDF5_FUNCTIONS(NAME)
#undef NAME
#define NAME(name, variable) #variable,
        SC_HDF5_IDS(NAME)
#undef NAME
};
enum {
#define NAME(name, variable) +1
  IDS = SC_HDF5_IDS(NAME),
#undef NAME
  NAMES = sizeof names / sizeof *names,
  FUNCTIONS = NAMES - IDS
};

/* Returns the id in a variable of the library, > 0, or -1 if the variable has no id. here: address of the
 * variable in the library. A program that links HDF5 itself has its own copy of the variable. HDF5 then
 * writes the id to the copy and not to `here`. */
static hid_t read_variable(const char *name, const void *here) {
  const hid_t *there = *(const hid_t *)here > 0 ? here : dlsym(RTLD_DEFAULT, name);
  return there && *there > 0 ? *there : -1;
}

scree_status sc_hdf5_open(sc_hdf5 *out, const char *user, scree_error *error) {
  void *symbols[NAMES];
  scree_status status = sc_library_open(SCREE_HDF5, "HDF5", user, names, symbols, NAMES, error);
  if (status != SCREE_OK) return status;
  memcpy(out, symbols, FUNCTIONS * sizeof *symbols);
  out->dont_atexit(); /* because HDF5 crashes at exit if it could not write a file */
  bool good = out->open() >= 0;
#define NAME(name, variable) &out->name,
  hid_t *const ids[IDS] = {SC_HDF5_IDS(NAME)};
#undef NAME
  for (int i = 0; good && i < IDS; i++)
    good = (*ids[i] = read_variable(names[FUNCTIONS + i], symbols[FUNCTIONS + i])) > 0;
  if (!good)
    return sc_fail(error, SCREE_E_MISSING, "%s need the HDF5 library: %s cannot start", user, SCREE_HDF5);
  out->Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return SCREE_OK;
}
#endif
