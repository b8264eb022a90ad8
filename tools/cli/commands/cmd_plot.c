/* scree plot: figures of what runs and sweeps wrote.
 *
 * WHAT is [TABLE:]COLUMN[,COLUMN...], one panel each. TABLE is the name of a CSV file in the directory
 * without its ending: series for a run and results for a sweep where it is left out, or a measurement's
 * own name. The table decides the figure: against time for a series, against the first swept value (or
 * --x) for results with one curve for each combination of the others, an image where rows lie on a grid
 * x, y, else against the first column. `energy` stands for kinetic, potential and dissipated energy;
 * `snapshot` shows the bodies of a frame. */
#include "csv.h"
#include "plot/plot_panels.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_option table[] = {
    {"output", 'o', CLI_TEXT, "FILE", offsetof(plot_options, file),
        "picture ending in .png or .svg (.txt: characters); without it the figure goes to the terminal"},
    {"x", 'x', CLI_TEXT, "COLUMN", offsetof(plot_options, x), "column of the x axis"},
    {"columns", 'c', CLI_WHOLE, "N", offsetof(plot_options, columns), "panels in a row (1)"},
    {"title", 0, CLI_TEXT, "TEXT", offsetof(plot_options, title), "above all panels"},
    {"log", 0, CLI_TEXT, "AXES", offsetof(plot_options, log), "x, y or xy: logarithmic axes"},
    {"frame", 0, CLI_WHOLE, "N", offsetof(plot_options, frame),
        "of a snapshot; -1 is the last (default), -2 the one before"},
    {"view", 0, CLI_TEXT, "AXES", offsetof(plot_options, view),
        "of a snapshot: xy from above (default), xz, yz"},
    {"list", 'l', CLI_FLAG, NULL, offsetof(plot_options, list), "names tables and columns"},
};

static const char more[] = "WHAT is [TABLE:]COLUMN[,COLUMN...], energy, or snapshot; one panel each. TABLE "
                           "is a CSV file of the directory without its\n"
                           "ending: series (a run) and results (a sweep) where it is left out, or a "
                           "measurement's name. A FILE.csv may stand for DIR.";

static int draw(const plot_options *o, plot_panel *panels, int count) {
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

static int plot_all(const plot_options *o, const char *place, int count, char **what) {
  if (count > PLOT_PANELS) return cli_fail(CLI_USAGE, "plot", "at most %d panels", PLOT_PANELS);
  plot_panel *panels = calloc(PLOT_PANELS, sizeof *panels);
  if (!panels) return cli_fail(CLI_FAILED, "plot", "no memory");
  int code = CLI_OK, made = 0;
  for (; made < count && !code; made++) code = plot_make_panel(o, place, what[made], panels + made);
  if (!code) code = draw(o, panels, made);
  for (int i = 0; i < made; i++) plot_free_panel(panels + i);
  free(panels);
  return code;
}

int cmd_plot(int argc, char **argv) {
  plot_options o = {.frame = -1, .view = "xy", .log = ""};
  int operands = cli_parse("plot", more, table, sizeof table / sizeof *table, &o, argc, argv);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands < 1)
    return cli_fail(CLI_USAGE, "plot", "of which run? usage: scree plot DIR WHAT ... [-o FILE.png]");
  if (strcmp(o.view, "xy") && strcmp(o.view, "xz") && strcmp(o.view, "yz"))
    return cli_fail(CLI_USAGE, "plot", "--view is xy, xz or yz, not '%s'", o.view);
  if (strspn(o.log, "xy") != strlen(o.log))
    return cli_fail(CLI_USAGE, "plot", "--log is x, y or xy, not '%s'", o.log);
  if (o.list) return plot_list(argv[1]);
  if (operands < 2)
    return cli_fail(CLI_USAGE, "plot", "what of it? scree plot %s --list names tables and columns", argv[1]);
  return plot_all(&o, argv[1], operands - 1, argv + 2);
}
