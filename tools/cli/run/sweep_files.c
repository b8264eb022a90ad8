/* Files in the directory of a sweep. */
#define _GNU_SOURCE
#include "run/sweep.h"

#include <fcntl.h>
#include <unistd.h>

void sweep_path(const sweep *s, const sweep_run *r, const char *file, char *out, size_t size) {
  snprintf(out, size, "%.1900s/%04d%s", s->directory, r->number, file);
}

FILE *sweep_create(const sweep *s, const char *name) {
  unlinkat(s->folder, name, 0); /* a link, maybe: the directory may come from anyone */
  int file = openat(s->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  return file < 0 ? NULL : fdopen(file, "w");
}

bool sweep_open_record(const sweep *s, const sweep_run *r, sl_yaml *json) {
  char path[RUN_PATH + 32];
  sweep_path(s, r, "/run.json", path, sizeof path);
  sl_yaml_open(json, path);
  return json->root && !json->problems;
}
