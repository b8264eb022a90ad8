/* Paths of files that a script may write and read. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/sandbox/inside.h"
#include "bind/sandbox/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void sl_runtime_set_directory(sl_runtime *runtime, const char *directory, int folder) {
  free(runtime->directory);
  runtime->directory = directory ? strdup(directory) : NULL;
  runtime->folder = folder;
}

const char *sl_directory(sl_runtime *runtime) {
  char path[SL_PATH];
  if (!runtime->directory || snprintf(path, sizeof path, "%s", runtime->directory) >= (int)sizeof path ||
      !sl_follow_folder(runtime->folder, path, sizeof path))
    return runtime->directory;
  char *moved = strdup(path);
  if (!moved) return runtime->directory;
  free(runtime->directory);
  return runtime->directory = moved;
}

/* Returns whether a name is allowed for a file of a sandboxed script: not hidden, without folders, not a
 * file of the run. */
static bool plain_name(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  static const char *const taken[] = {
      "trajectory.scree", "track.scree", "series.csv", "run.json", "run.lock", "experiment.yaml"};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    if (!strcmp(name, taken[i])) return false;
  /* names of older checkpoints begin with the name of the newest */
  if (!strncmp(name, "checkpoint.scree", strlen("checkpoint.scree"))) return false;
  return *name && *name != '.' && strlen(name) <= 100 && strspn(name, letters) == strlen(name);
}

void sl_runtime_silence(sl_runtime *runtime) { runtime->silent = true; }
bool sl_runtime_silent(const sl_runtime *runtime) { return runtime->silent; }

/* Writes the path of an output into path. is_folder: the output is a folder, else a file. Raises an error if
 * the path is not allowed, or if it exists and is something else, such as a link. */
static void find_output(
    lua_State *L, const char *name, const char *what, bool is_folder, char path[SL_PATH]) {
  sl_runtime *runtime = sl_runtime_of(L);
  if (!name) sl_refuse(L, "%s must be a text", what);
  if (strlen(name) > 1024) sl_refuse(L, "%s is too long", what);
  if (!runtime->def.trust) {
    if (!runtime->directory)
      sl_refuse(L, "%s: a script in the sandbox can write files only while a run has a directory", what);
    if (!plain_name(name))
      sl_refuse(L, "%s: '%s' is not a plain file name, or one of the run's own", what, name);
  }
  if (runtime->silent) snprintf(path, SL_PATH, "/dev/null");
  else if (runtime->directory && *name != '/') snprintf(path, SL_PATH, "%s/%s", sl_directory(runtime), name);
  else snprintf(path, SL_PATH, "%s", name);
  struct stat info;
  if (!runtime->def.trust && !runtime->silent && !lstat(path, &info) &&
      !(is_folder ? S_ISDIR(info.st_mode) : S_ISREG(info.st_mode)))
    sl_raise(L, SCREE_E_IO, "%s: %s is a link or no %s; it is not written through", what, path,
        is_folder ? "folder" : "file");
}

void sl_output_path(lua_State *L, const char *name, const char *what, char path[SL_PATH]) {
  find_output(L, name, what, false, path);
}

void sl_output_folder(lua_State *L, const char *name, const char *what, char path[SL_PATH]) {
  find_output(L, name, what, true, path);
}

/* In the sandbox paths must not be absolute, hidden or lead upwards. */
void sl_input_path(lua_State *L, const char *name, const char *what, char path[SL_PATH]) {
  sl_runtime *runtime = sl_runtime_of(L);
  if (strlen(name) > 1024) sl_raise(L, SCREE_E_ARGUMENT, "%s: the path is too long", what);
  bool plain = *name && *name != '/' && *name != '.' && !strstr(name, "/.") && runtime->directory;
  if (!runtime->def.trust && !plain)
    sl_raise(L, SCREE_E_ARGUMENT,
        "%s: a script in the sandbox opens files in the folder of its run, not '%s'", what, name);
  if (runtime->def.trust) snprintf(path, SL_PATH, "%s", name);
  else snprintf(path, SL_PATH, "%s/%s", sl_directory(runtime), name);
  if (!runtime->def.trust && !sl_is_inside(runtime->directory, path))
    sl_raise(L, SCREE_E_ARGUMENT, "%s: %s leads out of the folder of the run", what, name);
}
