#include "files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

enum { FILE_MOST = 256 << 20 }; /* largest file that cli_read reads [bytes] */

/* Finds the first folder by name in a folder that has a trajectory. Returns false if there is none. */
static bool find_run(const char *folder, char name[256]) {
  struct dirent **entry;
  int count = scandir(folder, &entry, NULL, alphasort);
  bool found = false;
  for (int i = 0; i < count; i++) {
    char path[4600];
    snprintf(path, sizeof path, "%.4096s/%.255s/trajectory.scree", folder, entry[i]->d_name);
    if (!found && entry[i]->d_name[0] != '.' && !access(path, F_OK))
      found = true, snprintf(name, 256, "%.255s", entry[i]->d_name);
    free(entry[i]);
  }
  if (count >= 0) free(entry);
  return found;
}

static bool has_file(const char *folder, const char *name) {
  char path[4200];
  snprintf(path, sizeof path, "%.4096s/%s", folder, name);
  return !access(path, F_OK);
}

/* Prints why a folder has no trajectory. */
static void explain_no_trajectory(const char *command, const char *folder) {
  char run[256];
  const size_t length = strlen(folder);
  const char *slash = length && folder[length - 1] == '/' ? "" : "/";
  if (find_run(folder, run))
    cli_fail(CLI_IO, command, "%s is the folder of several runs; name one of them, such as %s%s%s", folder,
        folder, slash, run);
  else if (has_file(folder, "results.csv"))
    cli_fail(CLI_IO, command, "%s is the folder of a sweep, and none of its runs has a trajectory", folder);
  else if (has_file(folder, "run.json"))
    cli_fail(CLI_IO, command,
        "the run in %s has no trajectory: its output had trajectory = false, or the run ended before its "
        "first frame",
        folder);
  else cli_fail(CLI_IO, command, "%s is not the folder of a run: it has no trajectory.scree", folder);
}

scree_reader *cli_open(const char *command, const char *path) {
  char inside[4200];
  struct stat info;
  if (!stat(path, &info) && S_ISDIR(info.st_mode)) {
    snprintf(inside, sizeof inside, "%.4096s/trajectory.scree", path);
    if (access(inside, F_OK) && errno == ENOENT) return explain_no_trajectory(command, path), NULL;
    path = inside;
  }
  scree_error error;
  scree_reader *reader = scree_reader_open(path, &error);
  if (!reader) cli_fail(CLI_IO, command, "%s", error.text);
  return reader;
}

char *cli_read(const char *path, size_t *size) {
  struct stat info;
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), reason = 0;
  if (file < 0) return NULL;
  if (fstat(file, &info)) reason = errno;
  else if (!S_ISREG(info.st_mode)) reason = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
  else if (info.st_size > FILE_MOST) reason = EFBIG;
  char *text = reason ? NULL : malloc((size_t)info.st_size + 1);
  if (!text && !reason) reason = ENOMEM;
  ssize_t got = 0;
  for (*size = 0; text && (got = read(file, text + *size, (size_t)info.st_size - *size)) > 0;)
    *size += (size_t)got;
  if (got < 0) reason = errno, free(text), text = NULL;
  if (text) text[*size] = 0;
  close(file);
  errno = reason;
  return text;
}

int cli_write_text(const char *command, const char *path, const char *text, size_t size) {
  FILE *out = path ? fopen(path, "wb") : stdout;
  if (!out) return cli_fail(CLI_IO, command, "%s: %s", path, strerror(errno));
  bool failed = fwrite(text, 1, size, out) != size;
  if (path && fclose(out)) failed = true;
  return failed ? cli_fail(CLI_IO, command, "%s: %s", path ? path : "standard output", strerror(errno))
                : CLI_OK;
}

bool cli_is_replaceable(const char *path) {
  struct stat info;
  if (stat(path, &info) || S_ISREG(info.st_mode)) return true;
  errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
  return false;
}

int cli_keep_text(const char *command, const char *path, const char *text) {
  char temporary[4200];
  size_t size;
  char *have = cli_read(path, &size);
  const bool is_new = !have, is_same = have && !strcmp(have, text);
  free(have);
  if (!is_new) return is_same ? CLI_OK : CLI_USAGE;
  snprintf(temporary, sizeof temporary, "%.4096s.part", path);
  FILE *out = fopen(temporary, "w");
  const bool good = out && fputs(text, out) >= 0;
  if ((out && fclose(out)) || !good || !cli_is_replaceable(path) || rename(temporary, path))
    return cli_fail(CLI_IO, command, "cannot write %s: %s", path, strerror(errno));
  return CLI_OK;
}

int cli_exit_code(scree_status status) {
  switch (status) {
  case SCREE_OK: return CLI_OK;
  case SCREE_E_IO:
  case SCREE_E_FORMAT:
  case SCREE_E_MEMORY: return CLI_IO;
  case SCREE_E_ARGUMENT: return CLI_USAGE;
  default: return CLI_FAILED;
  }
}

void cli_json_text(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *c = (const unsigned char *)(text ? text : ""); *c; c++) {
    if (*c == '"' || *c == '\\') fprintf(out, "\\%c", *c);
    else if (*c < 32) fprintf(out, "\\u%04x", *c);
    else fputc(*c, out);
  }
  fputc('"', out);
}

void cli_json_number(FILE *out, double value) {
  if (isfinite(value)) fprintf(out, "%.17g", value);
  else fputs("null", out);
}

void cli_json_member(FILE *out, const char *name, double value) {
  fprintf(out, ", \"%s\": ", name);
  cli_json_number(out, value);
}

const char *cli_field_names(int fields, char text[128]) {
  static const struct {
    int bit;
    const char *name;
  } names[] = {{SCREE_FIELD_POSITION, "position"}, {SCREE_FIELD_ORIENTATION, "orientation"},
      {SCREE_FIELD_VELOCITY, "velocity"}, {SCREE_FIELD_SPIN, "spin"}, {SCREE_FIELD_CONTACTS, "contacts"}};
  *text = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (fields & names[i].bit) strcat(strcat(text, *text ? ", " : ""), names[i].name);
  return text;
}

const char *cli_size(int64_t bytes, char text[32]) {
  static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  double value = (double)bytes;
  int unit = 0;
  while (value >= 1000 && unit < 4) {
    value /= 1000;
    unit++;
  }
  snprintf(text, 32, unit ? "%.3g %s" : "%.0f %s", value, units[unit]);
  return text;
}

int cli_frames(const char *text, int64_t *first, int64_t *last, int64_t *stride) {
  int64_t part[3] = {0, -1, 1};
  int parts = 0;
  for (const char *at = text; parts < 3; parts++) {
    char *end = (char *)at;
    if (*at != ':' && *at) {
      if (isspace((unsigned char)*at)) return 0;
      part[parts] = strtoll(at, &end, 10);
      if (end == at) return 0;
    }
    at = end;
    if (!*at) {
      parts++;
      break;
    }
    if (*at++ != ':') return 0;
    if (parts == 2) return 0;
  }
  if (parts == 1) part[1] = part[0];
  *first = part[0];
  *last = part[1];
  *stride = part[2];
  return *text != 0;
}

int cli_is_same_file(const char *a, const char *b) {
  struct stat one, two;
  return !stat(a, &one) && !stat(b, &two) && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}
