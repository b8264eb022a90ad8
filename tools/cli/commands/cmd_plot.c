/* scree plot: draws figures from the files of runs and sweeps.
 *
 * WHAT is [TABLE:]COLUMN[,COLUMN...]; each WHAT is one panel. TABLE is the name of a CSV file in the
 * directory without its ending. The default is series for a run and results for a sweep. The table decides
 * the figure:
 *   series        against time
 *   results       against the first swept value (or --x), one curve per combination of the other swept
 *                 values
 *   a grid x, y   an image
 *   other tables  against the first column
 * `energy` means kinetic, potential and dissipated energy. `snapshot` shows the bodies of a frame, `chains`
 * also the forces of contacts, and `cracks` also the faces between blocks that are open or have slipped.
 * Several runs before WHAT have their curves in one panel. */
#include "csv.h"
#include "files.h"
#include "picture/picture.h"
#include "plot/plot_panels.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
  plot_options plot;
  picture_options picture;
} options;
static const cli_option table[] = {
    {"output", 'o', CLI_TEXT, "FILE", offsetof(options, plot.file),
        "picture ending in .png or .svg (.txt: characters); without it the figure goes to the terminal"},
    {"x", 'x', CLI_TEXT, "COLUMN", offsetof(options, plot.x), "column of the x axis"},
    {"columns", 'c', CLI_WHOLE, "N", offsetof(options, plot.columns), "panels in a row (1)"},
    {"title", 0, CLI_TEXT, "TEXT", offsetof(options, plot.title), "above all panels"},
    {"log", 0, CLI_TEXT, "AXES", offsetof(options, plot.log), "x, y or xy: logarithmic axes"},
    {"fit", 0, CLI_TEXT, "CURVE", offsetof(options, plot.fit),
        "of a sweep whose results are 0 or 1: lognormal, a fragility curve by maximum likelihood"},
    {"frame", 0, CLI_WHOLE, "N", offsetof(options, plot.frame),
        "of a snapshot; -1 is the last (default), -2 the one before"},
    {"view", 0, CLI_TEXT, "AXES", offsetof(options, plot.view),
        "of a snapshot: axes to the right and up, xy (default), xz, -yz, or AZIMUTH,ELEVATION"},
    {"tolerance", 0, CLI_ABOVE, "LENGTH", offsetof(options, plot.tolerance),
        "of cracks: opening or slip from which a face is open or has slipped [m] (0.001 sqrt(area))"},
    {"list", 'l', CLI_FLAG, NULL, offsetof(options, plot.list), "names tables and columns"},
    PICTURE_OPTIONS(options, picture),
};

static const char more[] =
    "WHAT is [TABLE:]COLUMN[,COLUMN...], energy, snapshot, chains or cracks; one panel each. scene, "
    "alone, draws a frame in three dimensions into FILE.png.\nTABLE is a CSV file of "
    "the directory without its\n"
    "ending: series (a run) and results (a sweep) where it is left out, or a "
    "measurement's name. A FILE.csv may stand for DIR. Several runs before WHAT have "
    "their curves in one panel.";

static int draw_panels(const plot_options *o, plot_panel *panels, int count) {
  scree_plot_panel list[PLOT_PANELS];
  scree_error error = {SCREE_OK, ""};
  for (int i = 0; i < count; i++) list[i] = panels[i].panel;
  scree_plot plot = {.title = o->title,
      .panels = list,
      .panels_count = count,
      .columns = o->columns > 0 ? (int)(o->columns < count ? o->columns : count) : 1};
  scree_status status;
  char *text = NULL;
  if (o->file) status = scree_plot_write(&plot, o->file, &error);
  else status = scree_plot_text(&plot, 100, 28, &text, &error);
  if (status)
    return cli_fail(status == SCREE_E_IO ? CLI_IO
            : status == SCREE_E_MISSING  ? CLI_FAILED
                                         : CLI_USAGE,
        "plot", "%s", error.text);
  if (text) fputs(text, stdout);
  scree_plot_text_free(text);
  return CLI_OK;
}

static int plot_all(const plot_options *o, const plot_places *places, int count, char **what) {
  if (count > PLOT_PANELS) return cli_fail(CLI_USAGE, "plot", "at most %d panels", PLOT_PANELS);
  plot_panel *panels = calloc(PLOT_PANELS, sizeof *panels);
  if (!panels) return cli_fail(CLI_FAILED, "plot", "no memory");
  int code = CLI_OK, made = 0;
  for (; made < count && !code; made++) code = plot_make_panel(o, places, what[made], panels + made);
  if (!code) code = draw_panels(o, panels, made);
  for (int i = 0; i < made; i++) plot_free_panel(panels + i);
  free(panels);
  return code;
}

/* Draws a frame in three dimensions with scree's own ray caster. */
static int plot_scene(const options *o, const char *place) {
  const char *dot = o->plot.file ? strrchr(o->plot.file, '.') : NULL;
  scree_error error = {SCREE_OK, ""};
  picture p;
  if (!dot || strcmp(dot, ".png")) return cli_fail(CLI_USAGE, "plot", "a scene needs -o FILE.png");
  scree_reader *reader = cli_open("plot", place);
  if (!reader) return CLI_IO;
  int64_t frames = scree_reader_info(reader)->frames,
          number = o->plot.frame < 0 ? frames + o->plot.frame : o->plot.frame;
  int code = number < 0 || number >= frames
      ? cli_fail(CLI_USAGE, "plot", "%s has frames 0 to %lld", place, (long long)frames - 1)
      : CLI_OK;
  if (code) return scree_reader_close(reader), code;
  code = picture_open(&p, "plot", &o->picture, reader, 0, frames - 1);
  const scree_frame *frame = code ? NULL : scree_reader_frame(reader, number, &error);
  if (!code) code = frame ? picture_draw(&p, frame) : cli_fail(CLI_IO, "plot", "%s", error.text);
  if (!code && scree_image_write(&p.image, o->plot.file, &error))
    code = cli_fail(CLI_IO, "plot", "%s", error.text);
  if (!code) picture_warn_far(&p);
  picture_close(&p);
  scree_reader_close(reader);
  return code;
}

/* Copies the leading operands that name runs, sweeps or tables to *places. argv[1] always counts as such an
 * operand. Returns an exit code. */
static int read_places(int operands, char **argv, plot_places *places) {
  *places = (plot_places){{argv[1]}, 1};
  for (int i = 2; i <= operands && plot_is_place(argv[i]); i++) {
    if (places->count == PLOT_RUNS)
      return cli_fail(CLI_USAGE, "plot", "at most %d runs in one panel", PLOT_RUNS);
    places->place[places->count++] = argv[i];
  }
  return CLI_OK;
}

static int list_all(const plot_places *places) {
  int code = CLI_OK;
  for (int i = 0; i < places->count && !code; i++) {
    if (places->count > 1) printf("%s\n", places->place[i]);
    code = plot_list(places->place[i]);
  }
  return code;
}

int cmd_plot(int argc, char **argv) {
  options all = {.plot = {.frame = -1, .view = "xy", .log = ""}};
  all.plot.picture = &all.picture;
  const plot_options *o = &all.plot;
  int operands = CLI_PARSE("plot", more, table, &all);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands < 1)
    return cli_fail(
        CLI_USAGE, "plot", "of which run? usage: scree plot DIR [DIR ...] WHAT ... [-o FILE.png]");
  if (!plot_view_fine(o->view))
    return cli_fail(CLI_USAGE, "plot",
        "--view is two of x, y, z, right and up, each with its sign (xy, -xz), or AZIMUTH,ELEVATION in "
        "degrees, not '%s'",
        o->view);
  if (strspn(o->log, "xy") != strlen(o->log))
    return cli_fail(CLI_USAGE, "plot", "--log is x, y or xy, not '%s'", o->log);
  if (o->fit && strcmp(o->fit, "lognormal") != 0)
    return cli_fail(CLI_USAGE, "plot", "--fit is lognormal, not '%s'", o->fit);
  plot_places places;
  int code = read_places(operands, argv, &places);
  if (code) return code;
  if (o->list) return list_all(&places);
  const int first = places.count + 1;
  if (operands < first)
    return cli_fail(CLI_USAGE, "plot", "what of %s? scree plot %s --list names tables and columns",
        places.count > 1 ? "them" : "it", argv[1]);
  if (operands == 2 && !strcmp(argv[2], "scene")) return plot_scene(&all, argv[1]);
  for (int i = first; i <= operands; i++)
    if (!strcmp(argv[i], "scene"))
      return cli_fail(CLI_USAGE, "plot",
          "scene is a picture of its own and stands beside no panel: scree plot %s scene -o FILE.png",
          argv[1]);
  return plot_all(o, &places, operands - places.count, argv + first);
}
