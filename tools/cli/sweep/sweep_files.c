/* Files in the directory of a sweep. */
#include "sweep/sweep.h"

void sweep_path(const sweep *s, const sweep_run *r, const char *file, char *out, size_t size) {
  snprintf(out, size, "%.1900s/%04d%s", s->directory, r->number, file);
}

bool sweep_open_record(const sweep *s, const sweep_run *r, sl_yaml *json) {
  char path[RUN_PATH + 32];
  sweep_path(s, r, "/run.json", path, sizeof path);
  sl_yaml_open(json, path);
  return json->root && !json->problems;
}
