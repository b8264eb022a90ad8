/* Files in the directory of a run. They are opened relative to it and without following links, because a
 * directory may come from anyone. */
#define _GNU_SOURCE
#include "run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bind/sandbox/place.h"
#include "run/lock.h"

const char *run_path(const run *r, const char *name, char *out, size_t size) {
  snprintf(out, size, "%s/%s", r->directory, name);
  return out;
}

int run_take_folder(run *r, const char *command) {
  if (!run_writes(r)) return CLI_OK;
  if (r->folder < 0) r->folder = open(r->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (r->folder < 0) return cli_fail(CLI_IO, command, "cannot open %s: %s", r->directory, strerror(errno));
  return r->lock < 0 ? lock_take(r->folder, r->directory, command, &r->lock) : CLI_OK;
}

void run_leave_folder(run *r) {
  lock_drop(r->folder, r->lock);
  if (r->folder >= 0) close(r->folder);
  r->folder = r->lock = -1;
}

void run_enter_directory(run *r) {
  sl_runtime_set_directory(r->runtime, r->directory, r->folder);
  if (!run_writes(r)) sl_runtime_silence(r->runtime);
  // no problem is dumped if memory runs out; problems of one rank among several are useless
  if (r->options->ranks <= 1) scree_world_set_dump_directory(r->scene.world->world, r->directory, NULL);
}

void run_follow_folder(run *r) {
  if (r->folder < 0 || !sl_follow_folder(r->folder, r->directory, sizeof r->directory)) return;
  run_enter_directory(r);
}

FILE *run_create_at(int folder, const char *name) {
  unlinkat(folder, name, 0); /* removes a link of this name: the directory may come from anyone */
  int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  return file < 0 ? NULL : fdopen(file, "w");
}

FILE *run_extend(const run *r, const char *name, int64_t size) {
  struct stat info;
  int file = openat(
      r->folder, name, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (file < 0) return NULL;
  int reason = fstat(file, &info) ? errno
      : !S_ISREG(info.st_mode)    ? EINVAL
      : info.st_size < size       ? ENODATA
      : ftruncate(file, size)     ? errno
                                  : 0;
  FILE *stream = reason ? NULL : fdopen(file, "a");
  if (stream) return fseek(stream, 0, SEEK_END), stream;
  close(file);
  if (reason) errno = reason;
  return NULL;
}

static int unlink_one(const char *path, const struct stat *info, int type, struct FTW *at) {
  (void)info, (void)type, (void)at;
  return remove(path);
}

int run_make_scratch(const char *command, char out[RUN_PATH]) {
  const char *base = getenv("TMPDIR");
  snprintf(out, RUN_PATH, "%.1000s/scree-%s-XXXXXX", base && *base ? base : "/tmp", command);
  return mkdtemp(out) ? CLI_OK : cli_fail(CLI_IO, command, "cannot create %s: %s", out, strerror(errno));
}

void run_remove_scratch(const char *folder) { nftw(folder, unlink_one, 16, FTW_DEPTH | FTW_PHYS); }

const char *run_path_in_scene_folder(const char *scene, const char *source) {
  const char *slash = strrchr(scene, '/');
  const size_t folder = slash ? (size_t)(slash - scene) + 1 : 0;
  return strncmp(source, scene, folder) || (!folder && *source == '/') ? NULL : source + folder;
}

int run_rename(const run *r, const char *from, const char *to) {
  return renameat(r->folder, from, r->folder, to);
}
