/* Starts ffmpeg without a shell and writes raw pictures to its input. With one thread and without version
 * and date in the file, equal pictures make equal bytes. */
#define _GNU_SOURCE
#include "picture/encoder.h"

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "run/run.h"

enum { ARGUMENTS = 64 };

typedef struct format {
  const char *ending, *options[18];
} format;
static const format formats[] = {
    {".mp4",
        {"-c:v", "libx264", "-preset", "medium", "-crf", "19", "-pix_fmt", "yuv420p", "-threads", "1",
            "-movflags", "+faststart", "-f", "mp4"}},
    {".webm",
        {"-c:v", "libvpx-vp9", "-crf", "32", "-b:v", "0", "-cpu-used", "4", "-pix_fmt", "yuv420p", "-threads",
            "1", "-f", "webm"}},
    {".gif",
        {"-filter_complex", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=sierra2_4a",
            "-f", "gif"}},
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* Returns the format of a path by its ending; NULL: a folder of pictures. */
static const format *format_of(const char *path) {
  const char *dot = strrchr(path, '.');
  for (int i = 0; dot && i < FORMATS; i++)
    if (!strcmp(formats[i].ending, dot)) return formats + i;
  return NULL;
}

/* Returns whether a program is in one of the folders of PATH. */
static int is_installed(const char *program) {
  const char *path = getenv("PATH");
  for (const char *at = path ? path : ""; *at;) {
    size_t length = strcspn(at, ":");
    char name[4200];
    snprintf(name, sizeof name, "%.*s/%s", (int)(length < 4096 ? length : 4096), at, program);
    if (length && !access(name, X_OK)) return 1;
    at += length + (at[length] == ':');
  }
  return 0;
}

int encoder_check(const char *path) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  if (format_of(path)) {
    if (is_installed("ffmpeg")) return CLI_OK;
    return cli_fail(CLI_FAILED, "film",
        "films are made by ffmpeg, which is not installed (Debian: apt-get install ffmpeg); -o FOLDER makes "
        "pictures "
        "without it");
  }
  if (dot && (!slash || dot > slash) && dot[1] && dot > path && dot[1] != '.')
    return cli_fail(CLI_USAGE, "film",
        "'%s' ends in none of .mp4, .webm, .gif; a folder for pictures has no ending", path);
  return CLI_OK;
}

/* ---- ffmpeg ---- */

static void run_ffmpeg(const format *f, const char *part, int width, int height, double fps) {
  char size[32], rate[32];
  const char *argument[ARGUMENTS] = {"ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-f",
      "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", rate, "-i", "pipe:0", "-an", "-map_metadata", "-1",
      "-fflags", "+bitexact", "-flags:v", "+bitexact"};
  int count = 0;
  snprintf(size, sizeof size, "%dx%d", width, height);
  snprintf(rate, sizeof rate, "%.10g", fps);
  while (argument[count]) count++;
  for (int i = 0; f->options[i]; i++) argument[count++] = f->options[i];
  argument[count] = part;
  execvp("ffmpeg", (char *const *)argument);
  fprintf(stderr, "scree film: cannot start ffmpeg: %s\n", strerror(errno));
  _exit(127);
}

static int start_ffmpeg(encoder *e, const format *f, int width, int height, double fps) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return cli_fail(CLI_FAILED, "film", "no pipe: %s", strerror(errno));
  signal(SIGPIPE, SIG_IGN);
  e->child = fork();
  if (e->child < 0) return cli_fail(CLI_FAILED, "film", "cannot start ffmpeg: %s", strerror(errno));
  if (!e->child) {
    signal(SIGPIPE, SIG_DFL);
    dup2(ends[0], STDIN_FILENO);
    run_ffmpeg(f, e->part, width, height, fps);
  }
  close(ends[0]);
  e->pipe = ends[1];
  return CLI_OK;
}

int encoder_open(encoder *e, const char *path, int width, int height, double fps) {
  const format *f = format_of(path);
  *e = (encoder){.path = path, .pipe = -1};
  if (!f) {
    if (run_make_directory(path))
      return cli_fail(CLI_IO, "film", "cannot create %s: %s", path, strerror(errno));
    return CLI_OK;
  }
  if ((width % 2 || height % 2) && strcmp(f->ending, ".gif"))
    return cli_fail(CLI_USAGE, "film", "%s films have an even number of pixels each way, not %dx%d",
        f->ending, width, height);
  snprintf(e->part, sizeof e->part, "%.4096s.part", path);
  FILE *file = fopen(e->part, "wb"); /* fails before anything is drawn if the file cannot be written */
  if (!file) return e->part[0] = 0, cli_fail(CLI_IO, "film", "cannot write %s: %s", path, strerror(errno));
  fclose(file);
  return start_ffmpeg(e, f, width, height, fps);
}

static int put_picture(encoder *e, const scree_image *image) {
  scree_error error = {SCREE_OK, ""};
  char name[4200];
  snprintf(name, sizeof name, "%.4096s/%06lld.png", e->path, (long long)e->pictures++);
  return scree_image_write(image, name, &error) ? cli_fail(CLI_IO, "film", "%s", error.text) : CLI_OK;
}

int encoder_put(encoder *e, const scree_image *image) {
  if (e->pipe < 0) return put_picture(e, image);
  const unsigned char *at = image->rgb, *end = at + 3 * (size_t)image->width * (size_t)image->height;
  while (at < end) {
    ssize_t wrote = write(e->pipe, at, (size_t)(end - at));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return cli_fail(CLI_IO, "film", "ffmpeg takes no more pictures: %s", strerror(errno));
    at += wrote;
  }
  return CLI_OK;
}

int encoder_close(encoder *e, int code) {
  int status = 0;
  if (e->pipe >= 0) close(e->pipe);
  if (e->child > 0 && (waitpid(e->child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status)))
    code = code ? code : cli_fail(CLI_IO, "film", "ffmpeg failed; %s was not made", e->path);
  if (!e->part[0]) return code;
  if (!code && (!cli_is_replaceable(e->path) || rename(e->part, e->path)))
    code = cli_fail(CLI_IO, "film", "cannot write %s: %s", e->path, strerror(errno));
  if (code) unlink(e->part);
  return code;
}
