#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>

const char *scree_status_name(scree_status status) {
  static const char *const names[] = {
      "ok", "argument", "stale", "memory", "io", "format", "law", "numeric", "missing"};
  return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

scree_status sc_fail(scree_error *error, scree_status status, const char *format, ...) {
  if (!error) return status;
  va_list args;
  va_start(args, format);
  vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  error->status = status;
  return status;
}
