#include "run/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

enum { HOLDER = 320 }; /* bytes of the text in run.lock: "PID HOST" */

static const char name[] = "run.lock";

/* Fails with the process and host that the lock file names. */
static int in_use(const char *directory, const char *command, int file) {
  char holder[HOLDER] = "", host[HOLDER] = "an unknown host";
  long process = 0;
  ssize_t got = pread(file, holder, sizeof holder - 1, 0);
  if (got > 0) sscanf(holder, "%ld %319s", &process, host);
  for (char *at = host; *at; at++)
    if (*at < ' ' || *at > '~') *at = '?'; /* the file may come from anyone */
  return cli_fail(CLI_USAGE, command, "%s: in use by process %ld on %s", directory, process, host);
}

/* Returns whether run.lock in the folder is the open file: a process that ends removes its lock file. */
static int is_named(int folder, int file) {
  struct stat own, named;
  return !fstat(file, &own) && !fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) &&
      own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

static void write_holder(int file) {
  char text[HOLDER], host[256] = "";
  gethostname(host, sizeof host - 1);
  int size = snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), *host ? host : "?");
  if (ftruncate(file, 0) || pwrite(file, text, (size_t)size, 0) < 0)
    return; /* the lock works without a name */
}

int lock_take(int folder, const char *directory, const char *command, int *lock) {
  struct stat info;
  *lock = -1;
  for (;;) {
    int file = openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (file < 0 || fstat(file, &info) || !S_ISREG(info.st_mode)) {
      int reason = file < 0 ? errno : EINVAL;
      if (file >= 0) close(file);
      return cli_fail(CLI_IO, command, "cannot lock %s/%s: %s", directory, name, strerror(reason));
    }
    if (flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
      int code = in_use(directory, command, file);
      close(file);
      return code;
    }
    if (is_named(folder, file)) {
      write_holder(file);
      *lock = file;
      return CLI_OK;
    }
    close(file);
  }
}

int lock_check(const char *directory, const char *command) {
  int lock, code = CLI_OK, folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return CLI_OK;
  if (!faccessat(folder, name, F_OK, 0)) {
    code = lock_take(folder, directory, command, &lock);
    lock_drop(folder, lock);
  }
  close(folder);
  return code;
}

void lock_drop(int folder, int lock) {
  if (lock < 0) return;
  if (is_named(folder, lock)) unlinkat(folder, name, 0);
  close(lock);
}
