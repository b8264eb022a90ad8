#include "record.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "bind/tables/yaml.h"
#include "files.h"

enum { RECORD_PATH = 4200 };

static void name_record(const char *path, char out[RECORD_PATH]) {
  struct stat info;
  const char *slash = strrchr(path, '/');
  if (!stat(path, &info) && S_ISDIR(info.st_mode)) snprintf(out, RECORD_PATH, "%.4000s/run.json", path);
  else snprintf(out, RECORD_PATH, "%.*srun.json", slash ? (int)(slash - path) + 1 : 0, path);
}

static void copy_text(const sl_yaml_node *map, const char *key, char *out, size_t size) {
  const sl_yaml_node *value = map ? sl_yaml_get(map, key) : NULL;
  if (value && value->kind == SL_YAML_TEXT && value->text) snprintf(out, size, "%s", value->text);
}

cli_record_state cli_read_record(const char *path, cli_record *out) {
  char file[RECORD_PATH];
  struct stat info;
  sl_yaml json;
  *out = (cli_record){.status = ""};
  name_record(path, file);
  if (stat(file, &info)) return CLI_NO_RECORD;
  sl_yaml_open(&json, file);
  const sl_yaml_node *root = !json.problems ? json.root : NULL;
  const sl_yaml_node *faults = root ? sl_yaml_get(root, "invalid") : NULL;
  copy_text(root, "status", out->status, sizeof out->status);
  copy_text(root, "trouble", out->reason, sizeof out->reason);
  if (faults && faults->kind == SL_YAML_LIST && faults->count)
    copy_text(faults->item[0], "text", out->reason, sizeof out->reason);
  const sl_yaml_node *softened = root ? sl_yaml_find(root, "report.solver.softened") : NULL;
  if (softened && softened->kind == SL_YAML_NUMBER) out->softened = (int64_t)softened->number;
  sl_yaml_free(&json);
  return *out->status ? CLI_RECORD : CLI_BAD_RECORD;
}

cli_record_state cli_read_record_text(const char *path, char **text) {
  char file[RECORD_PATH];
  cli_record record;
  size_t size;
  name_record(path, file);
  const cli_record_state state = cli_read_record(path, &record);
  *text = state == CLI_RECORD ? cli_read(file, &size) : NULL;
  if (!*text) return state == CLI_RECORD ? CLI_BAD_RECORD : state;
  while (size && strchr(" \r\n", (*text)[size - 1])) (*text)[--size] = 0;
  return CLI_RECORD;
}
