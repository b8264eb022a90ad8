/* scree film: draws the frames of a run and makes a film of them. */
#include "cli.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "picture/encoder.h"
#include "picture/picture.h"

typedef struct options {
  picture_options picture;
  const char *output, *frames;
  double fps, speed, turn;
  int quiet;
} options;
static const cli_option table[] = {
    {"output", 'o', CLI_TEXT, "FILE", offsetof(options, output),
        "film ending in .mp4, .webm or .gif (by ffmpeg), or a folder for pictures"},
    PICTURE_OPTIONS(options, picture),
    {"path", 0, CLI_TEXT, "LIST", offsetof(options, picture.path),
        "cameras by time of the run: TIME:AZIMUTH,ELEVATION[,ZOOM];..."},
    {"turn", 0, CLI_NUMBER, "DEGREES", offsetof(options, turn), "by which the camera goes round in the film"},
    {"fps", 0, CLI_ABOVE, "N", offsetof(options, fps), "pictures a second (30)"},
    {"speed", 0, CLI_ABOVE, "X", offsetof(options, speed),
        "seconds of the run in a second of film (default: a picture for every frame)"},
    {"frames", 0, CLI_TEXT, "A:B:S", offsetof(options, frames),
        "from A to B (included) in steps of S; -1 is the last frame"},
    {"quiet", 'q', CLI_FLAG, NULL, offsetof(options, quiet), "do not say what was written"},
};

static const char more[] = "Camera, colours and caption may also stand in the scene (view = {...}); options "
                           "go before. Without ffmpeg a\n"
                           "folder of PNG pictures can be made.";

/* ---- the frame of each picture ---- */

typedef struct film {
  const options *options;
  int64_t first, last, stride;
  int64_t pictures;
  double start; /* time of the first frame [s] */
} film;

static int64_t count_pictures(const film *f, const scree_reader *reader) {
  double length = scree_reader_time(reader, f->last) - f->start;
  if (!(f->options->speed > 0)) return (f->last - f->first) / f->stride + 1;
  return (int64_t)floor(length / f->options->speed * f->options->fps + 1e-9) + 1;
}

/* Returns the frame of picture k: the last frame that is not later than the picture. frame: the frame of
 * picture k - 1. */
static int64_t frame_of(const film *f, const scree_reader *reader, int64_t k, int64_t frame) {
  if (!(f->options->speed > 0)) return f->first + k * f->stride;
  double time = f->start + (double)k / f->options->fps * f->options->speed;
  while (frame < f->last && scree_reader_time(reader, frame + 1) <= time * (1 + 1e-12)) frame++;
  return frame;
}

static int make_pictures(const film *f, picture *p, encoder *e) {
  scree_error error = {SCREE_OK, ""};
  int64_t number = f->first, drawn = -1;
  double azimuth = p->look.camera.azimuth;
  int talk = !f->options->quiet && isatty(STDERR_FILENO), code = CLI_OK;
  for (int64_t k = 0; k < f->pictures && !code; k++) {
    number = frame_of(f, p->reader, k, number);
    if (f->options->turn != 0 && f->pictures > 1)
      p->look.camera.azimuth = azimuth + f->options->turn * (double)k / (double)(f->pictures - 1);
    if (number != drawn || f->options->turn != 0) {
      const scree_frame *frame = scree_reader_frame(p->reader, number, &error);
      code = frame ? picture_draw(p, frame) : cli_fail(CLI_IO, "film", "%s", error.text);
      drawn = number;
    }
    if (!code) code = encoder_put(e, &p->image);
    if (talk) fprintf(stderr, "\r%lld of %lld pictures", (long long)k + 1, (long long)f->pictures);
  }
  if (talk) fputs("\r\033[K", stderr);
  return code;
}

static int make_film(const film *f, picture *p) {
  encoder e;
  int code = encoder_open(&e, f->options->output, p->image.width, p->image.height, f->options->fps);
  if (!code) code = make_pictures(f, p, &e);
  code = encoder_close(&e, code);
  if (!code && !f->options->quiet)
    printf("%s: %lld pictures, %.3g s\n", f->options->output, (long long)f->pictures,
        (double)f->pictures / f->options->fps);
  return code;
}

static int film_of(const options *o, scree_reader *reader) {
  film f = {.options = o, .last = -1, .stride = 1};
  int64_t frames = scree_reader_info(reader)->frames;
  if (o->frames && !cli_frames(o->frames, &f.first, &f.last, &f.stride))
    return cli_fail(CLI_USAGE, "film", "--frames wants A:B:S, whole numbers, not '%s'", o->frames);
  if (f.first < 0) f.first += frames;
  if (f.last < 0) f.last += frames;
  if (f.first < 0 || f.first > f.last || f.last >= frames || f.stride < 1)
    return cli_fail(CLI_USAGE, "film", "the trajectory has frames 0 to %lld", (long long)frames - 1);
  f.start = scree_reader_time(reader, f.first);
  f.pictures = count_pictures(&f, reader);
  picture p;
  int code = picture_open(&p, "film", &o->picture, reader, f.first, f.last);
  if (!code) code = make_film(&f, &p);
  if (!code) picture_warn_far(&p);
  picture_close(&p);
  return code;
}

int cmd_film(int argc, char **argv) {
  options o = {.fps = 30};
  int operands = CLI_PARSE("film", more, table, &o);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 1) return cli_fail(CLI_USAGE, "film", "of which run? usage: scree film RUN -o FILE.mp4");
  if (!o.output)
    return cli_fail(CLI_USAGE, "film", "needs -o FILE.mp4 (.webm, .gif, or a folder for pictures)");
  int code = encoder_check(o.output);
  if (code) return code;
  scree_reader *reader = cli_open("film", argv[1]);
  if (!reader) return CLI_IO;
  code = film_of(&o, reader);
  scree_reader_close(reader);
  return code;
}
