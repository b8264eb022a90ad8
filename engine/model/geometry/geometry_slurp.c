/* Reads whole files of geometry. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/base.h"
#include "model/geometry/geometry.h"

enum { MAX_FILE = 1 << 30 };

scree_status sc_soup_slurp(const char *path, unsigned char **bytes, size_t *count, scree_error *error) {
  struct stat info;
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  bool regular = descriptor >= 0 && !fstat(descriptor, &info) && S_ISREG(info.st_mode);
  FILE *file = regular ? fdopen(descriptor, "rb") : NULL;
  if (!file && descriptor >= 0) close(descriptor);
  if (!file && descriptor >= 0) return sc_fail(error, SCREE_E_IO, "%s: not a regular file", path);
  if (!file) return sc_fail(error, SCREE_E_IO, "%s: %s", path, strerror(errno));
  size_t capacity = 0;
  *bytes = NULL, *count = 0;
  scree_status status = SCREE_OK;
  for (size_t got = 1; got && !status;) {
    if (*count > MAX_FILE) status = sc_fail(error, SCREE_E_FORMAT, "%s: larger than 1 GiB", path);
    else if (!SC_GROW(*bytes, capacity, *count + 65536))
      status = sc_fail(error, SCREE_E_MEMORY, "%s: no memory to read it", path);
    else *count += got = fread(*bytes + *count, 1, 65536, file);
  }
  if (!status && ferror(file))
    status = sc_fail(error, SCREE_E_IO, "%s: %s", path, strerror(errno ? errno : EIO));
  fclose(file);
  return status;
}
