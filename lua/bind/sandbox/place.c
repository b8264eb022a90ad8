#include "bind/sandbox/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *sl_open_regular(const char *path) {
  struct stat info;
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return NULL;
  int reason = fstat(file, &info) ? errno
      : S_ISREG(info.st_mode)     ? 0
      : S_ISDIR(info.st_mode)     ? EISDIR
                                  : EINVAL;
  FILE *stream = reason ? NULL : fdopen(file, "rb");
  if (stream) return stream;
  close(file);
  if (reason) errno = reason;
  return NULL;
}

const char *sl_open_reason(void) { return errno == EINVAL ? "it is not a regular file" : strerror(errno); }

bool sl_is_inside(const char *folder, const char *path) {
  char *root = realpath(*folder ? folder : ".", NULL), *real = realpath(path, NULL);
  size_t length = root ? strlen(root) : 0;
  bool inside = !real ||
      (root && !strncmp(root, real, length) && (real[length] == '/' || (length == 1 && *root == '/')));
  free(root);
  free(real);
  return inside;
}
