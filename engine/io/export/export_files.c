/* Names, opens, closes and counts the files of an export. */
#include "io/export/export.h"

#include <stdio.h>
#include <string.h>

scree_status sc_export_no_memory(scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "export: out of memory");
}

scree_status sc_export_state(const sc_export *ex, scree_error *error) {
  if (ex->out.status && error) *error = ex->out.failure;
  return ex->out.status;
}

scree_status sc_export_close(sc_export *ex, scree_error *error) {
  scree_status status = sc_out_close(&ex->out, error);
  ex->out.file.fd = -1;
  return status;
}

char *sc_export_path(const sc_export *ex, const char *ending) {
  SC_ASSERT(ex && ending);
  size_t room = strlen(ex->def->directory) + strlen(ex->def->basename) + strlen(ending) + 2;
  char *path = sc_alloc(room);
  if (path) snprintf(path, room, "%s/%s%s", ex->def->directory, ex->def->basename, ending);
  return path;
}

scree_status sc_export_open(sc_export *ex, sc_out *out, const char *ending, bool gzip, scree_error *error) {
  SC_ASSERT(ex && out && ending);
  char *path = sc_export_path(ex, ending);
  if (!path) return sc_export_no_memory(error);
  scree_status status = sc_out_open(out, path, gzip, error);
  sc_free(path);
  if (!status) ++*ex->files;
  return status;
}

scree_status sc_export_open_numbered(
    sc_export *ex, sc_out *out, const char *name, const char *ending, bool gzip, scree_error *error) {
  SC_ASSERT(ex && out && name && ending);
  char tail[96];
  snprintf(tail, sizeof tail, "%s_%06lld%s", name, (long long)ex->ordinal, ending);
  return sc_export_open(ex, out, tail, gzip, error);
}
