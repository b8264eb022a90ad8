#include "base/library.h"

#include <dlfcn.h>

scree_status sc_library_open(const char *file, const char *library, const char *user,
    const char *const *names, void **symbols, int count, scree_error *error) {
  void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  const char *why = handle ? NULL : dlerror();
  if (!handle)
    return sc_fail(error, SCREE_E_MISSING, "%s need the %s library: %s", user, library, why ? why : file);
  for (int i = 0; i < count; i++)
    if (!(symbols[i] = dlsym(handle, names[i])))
      return sc_fail(
          error, SCREE_E_MISSING, "%s need the %s library: %s has no %s", user, library, file, names[i]);
  return SCREE_OK;
}
