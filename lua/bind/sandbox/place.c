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

bool sl_follow_folder(int folder, char *path, size_t size) {
  struct stat open_one, named;
  char link[64], now[4096];
  if (fstat(folder, &open_one) ||
      (!stat(path, &named) && named.st_ino == open_one.st_ino && named.st_dev == open_one.st_dev))
    return false;
  snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  const ssize_t length = readlink(link, now, sizeof now - 1);
  if (length <= 0 || (size_t)length >= size) return false;
  now[length] = 0;
  if (stat(now, &named) || named.st_ino != open_one.st_ino || named.st_dev != open_one.st_dev) return false;
  memcpy(path, now, (size_t)length + 1);
  return true;
}
