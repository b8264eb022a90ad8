/* Files: complete writes and reads, failures on request of tests, and growing byte strings. */
#include "io/container/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_uint_fast64_t calls, fail_call;
static atomic_int fail_code;
static atomic_bool fail_forever;

void sc_file_fail_at(uint64_t nth, int code, bool on) {
  atomic_store(&fail_forever, on);
  atomic_store(&fail_code, code);
  atomic_store(&fail_call, nth ? atomic_load(&calls) + nth : 0);
}

/* Counts a call that modifies a file. Returns true and sets errno if a test requested that this call
 * fails. */
static bool must_fail(void) {
  uint64_t call = atomic_fetch_add(&calls, 1) + 1, at = atomic_load(&fail_call);
  if (!at || call < at || (call > at && !atomic_load(&fail_forever))) return false;
  int code = atomic_load(&fail_code);
  errno = code ? code : ENOSPC;
  return true;
}

static scree_status fail_with_errno(const char *verb, const char *path, scree_error *error) {
  char reason[128];
  int code = errno;
  if (strerror_r(code, reason, sizeof reason)) snprintf(reason, sizeof reason, "error %d", code);
  return sc_fail(error, SCREE_E_IO, "%s %s: %s", verb, path, reason);
}

static scree_status open_path(
    sc_file *file, int folder, const char *path, int flags, const char *verb, scree_error *error) {
  file->fd = -1;
  size_t length = strlen(path) + 1;
  file->path = sc_alloc(length);
  if (!file->path) return sc_fail(error, SCREE_E_MEMORY, "%s %s: out of memory", verb, path);
  memcpy(file->path, path, length);
  bool changes = flags != O_RDONLY;
  do
    file->fd = changes && must_fail()
        ? -1
        : openat(folder, path, flags | O_CLOEXEC | (changes ? 0 : O_NONBLOCK), 0666);
  while (file->fd < 0 && errno == EINTR);
  if (file->fd >= 0) return SCREE_OK;
  scree_status status = fail_with_errno(verb, path, error);
  sc_free(file->path);
  file->path = NULL;
  return status;
}

scree_status sc_file_create(sc_file *file, int folder, const char *path, bool replace, scree_error *error) {
  SC_ASSERT(file && path);
  return open_path(file, folder, path, O_RDWR | O_CREAT | (replace ? O_TRUNC : O_EXCL), "creating", error);
}

scree_status sc_file_open_read(sc_file *file, const char *path, scree_error *error) {
  SC_ASSERT(file && path);
  return open_path(file, AT_FDCWD, path, O_RDONLY, "opening", error);
}

scree_status sc_file_open_update(sc_file *file, const char *path, scree_error *error) {
  SC_ASSERT(file && path);
  return open_path(file, AT_FDCWD, path, O_RDWR | O_NOFOLLOW, "opening", error);
}

scree_status sc_file_close(sc_file *file, scree_error *error) {
  if (file->fd < 0) return SCREE_OK;
  scree_status status = SCREE_OK;
  bool failed = must_fail();
  if (failed) status = fail_with_errno("closing", file->path, error);
  if (close(file->fd) != 0 && !failed && errno != EINTR)
    status = fail_with_errno("closing", file->path, error);
  sc_free(file->path);
  file->fd = -1;
  file->path = NULL;
  return status;
}

/* Calls pwrite once. If a test requested a short write, writes half of the bytes and fails. */
static ssize_t write_once(sc_file *file, const unsigned char *bytes, size_t count, uint64_t offset) {
  if (!must_fail()) return pwrite(file->fd, bytes, count, (off_t)offset);
  if (atomic_load(&fail_code) == 0 && count > 1) {
    ssize_t written = pwrite(file->fd, bytes, count / 2, (off_t)offset);
    if (written < 0) return -1;
    errno = ENOSPC;
  }
  return -1;
}

scree_status sc_file_write(
    sc_file *file, uint64_t offset, const void *bytes, size_t count, scree_error *error) {
  SC_ASSERT(file && (bytes || !count));
  const unsigned char *at = bytes;
  while (count) {
    ssize_t written = write_once(file, at, count, offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      if (!written) errno = ENOSPC;
      return fail_with_errno("writing", file->path, error);
    }
    at += written;
    offset += (uint64_t)written;
    count -= (size_t)written;
  }
  return SCREE_OK;
}

scree_status sc_file_read(
    const sc_file *file, uint64_t offset, void *bytes, size_t count, scree_error *error) {
  SC_ASSERT(file && (bytes || !count));
  unsigned char *at = bytes;
  while (count) {
    ssize_t got = pread(file->fd, at, count, (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_with_errno("reading", file->path, error);
    if (!got)
      return sc_fail(error, SCREE_E_FORMAT, "%s ends at byte %llu, before the end of what it announces",
          file->path, (unsigned long long)offset);
    at += got;
    offset += (uint64_t)got;
    count -= (size_t)got;
  }
  return SCREE_OK;
}

scree_status sc_file_size(const sc_file *file, uint64_t *size, scree_error *error) {
  struct stat info;
  if (fstat(file->fd, &info)) return fail_with_errno("reading", file->path, error);
  if (!S_ISREG(info.st_mode)) return sc_fail(error, SCREE_E_FORMAT, "%s is not a regular file", file->path);
  *size = (uint64_t)info.st_size;
  return SCREE_OK;
}

scree_status sc_file_truncate(sc_file *file, uint64_t size, scree_error *error) {
  int failed;
  do failed = must_fail() ? -1 : ftruncate(file->fd, (off_t)size);
  while (failed && errno == EINTR);
  return failed ? fail_with_errno("cutting", file->path, error) : SCREE_OK;
}

scree_status sc_file_sync(sc_file *file, scree_error *error) {
  int failed;
  do failed = must_fail() ? -1 : fsync(file->fd);
  while (failed && errno == EINTR);
  return failed ? fail_with_errno("syncing", file->path, error) : SCREE_OK;
}

/* Syncs the folder that contains path, because otherwise a power cut may undo a rename. start: open folder to
 * which path is relative. */
static scree_status sync_folder(int start, const char *path, scree_error *error) {
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) + (slash == path) : 1;
  char *folder = sc_alloc(length + 1);
  if (!folder) return sc_fail(error, SCREE_E_MEMORY, "syncing the folder of %s: out of memory", path);
  memcpy(folder, slash ? path : ".", length);
  int fd = openat(start, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  sc_free(folder);
  if (fd < 0) return fail_with_errno("opening the folder of", path, error);
  /* file systems that cannot sync a folder return EINVAL, which is ignored because nothing else can be
   * done */
  scree_status status = must_fail() || (fsync(fd) && errno != EINVAL)
      ? fail_with_errno("syncing the folder of", path, error)
      : SCREE_OK;
  close(fd);
  return status;
}

scree_status sc_file_check_target(int folder, const char *path, scree_error *error) {
  struct stat info;
  if (fstatat(folder, path, &info, 0) || S_ISREG(info.st_mode)) return SCREE_OK;
  return sc_fail(error, SCREE_E_IO, "cannot write %s: not a regular file", path);
}

scree_status sc_file_rename(int folder, const char *from, const char *to, scree_error *error) {
  SC_ASSERT(from && to);
  scree_status status = sc_file_check_target(folder, to, error);
  if (status) return status;
  if (must_fail() || renameat(folder, from, folder, to)) return fail_with_errno("renaming to", to, error);
  return sync_folder(folder, to, error);
}

void sc_file_discard(const char *path) {
  SC_ASSERT(path);
  struct stat info;
  if (!lstat(path, &info) && S_ISREG(info.st_mode)) unlink(path);
}

scree_status sc_file_make_folder(const char *path, scree_error *error) {
  size_t length = strlen(path);
  char *part = sc_alloc(length + 1);
  if (!part) return sc_fail(error, SCREE_E_MEMORY, "creating %s: out of memory", path);
  scree_status status = SCREE_OK;
  /* creates every prefix that ends before a slash, then the whole path */
  for (size_t i = 1; i <= length && status == SCREE_OK; i++) {
    if (i < length && path[i] != '/') continue;
    memcpy(part, path, i);
    part[i] = 0;
    struct stat info;
    if (!stat(part, &info)) {
      if (!S_ISDIR(info.st_mode))
        status = sc_fail(error, SCREE_E_IO, "creating %s: a file of that name is in the way", part);
    } else if (must_fail() || (mkdir(part, 0777) && errno != EEXIST))
      status = fail_with_errno("creating", part, error);
  }
  sc_free(part);
  return status;
}

unsigned char *sc_bytes_take(sc_bytes *bytes, size_t count) {
  if (count > SIZE_MAX / 4 - bytes->count) return NULL;
  if (!SC_GROW(bytes->at, bytes->capacity, bytes->count + count)) return NULL;
  unsigned char *room = bytes->at + bytes->count;
  bytes->count += count;
  return room;
}

bool sc_bytes_add(sc_bytes *bytes, const void *from, size_t count) {
  SC_ASSERT(bytes && (from || !count));
  unsigned char *room = sc_bytes_take(bytes, count);
  if (!room) return false;
  if (count) memcpy(room, from, count);
  return true;
}

void sc_bytes_free(sc_bytes *bytes) {
  sc_free(bytes->at);
  memset(bytes, 0, sizeof *bytes);
}
