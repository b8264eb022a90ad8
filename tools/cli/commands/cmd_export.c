/* scree export: converts a trajectory to formats of other programs. */
#include "cli.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "scree/param.h"
#include "view/html.h"

typedef struct options {
  const char *format, *directory, *name, *frames, *fields, *ids, *groups;
  double precision;
  int contacts, single, grains, loads, parts, quiet;
  int64_t detail;
} options;
/* A description that is NULL is that of the key of this name (scree_export_params). */
static const cli_option table[] = {
    {"format", 'f', CLI_TEXT, "NAME", offsetof(options, format), "one of " SCREE_FORMAT_WORDS ", html"},
    {"output", 'o', CLI_TEXT, "DIR", offsetof(options, directory),
        "folder to write to, created where missing (default: .); html: the file"},
    {"name", 'n', CLI_TEXT, "TEXT", offsetof(options, name),
        "what the files' names begin with (default: frame)"},
    {"frames", 0, CLI_TEXT, "A:B:S", offsetof(options, frames),
        "from A to B (included) in steps of S; -1 is the last frame"},
    {"fields", 0, CLI_TEXT, "LIST", offsetof(options, fields),
        "of position,orientation,velocity,spin (default: all that are kept; gsd: no orientation and spin of "
        "balls)"},
    {"ids", 0, CLI_TEXT, "LIST", offsetof(options, ids),
        "only the bodies with these ids, e.g. 5,7-9, and contacts that touch one of them"},
    {"groups", 0, CLI_TEXT, "LIST", offsetof(options, groups),
        "only the bodies of these groups; with --ids both"},
    {"contacts", 0, CLI_FLAG, NULL, offsetof(options, contacts), NULL},
    {"grains", 0, CLI_FLAG, NULL, offsetof(options, grains), NULL},
    {"loads", 0, CLI_FLAG, NULL, offsetof(options, loads), NULL},
    {"parts", 0, CLI_FLAG, NULL, offsetof(options, parts), NULL},
    {"detail", 0, CLI_WHOLE, "N", offsetof(options, detail), NULL},
    {"precision", 0, CLI_ABOVE, "LENGTH", offsetof(options, precision),
        "html: positions are kept to this [m] (a fiftieth of the mean radius)"},
    {"single", '1', CLI_FLAG, NULL, offsetof(options, single), NULL},
    {"quiet", 'q', CLI_FLAG, NULL, offsetof(options, quiet), "do not say what was written"}};

static const char *format_name(const void *context, int i) {
  (void)context;
  return scree_format_name(i);
}

/* Returns the number of a format, or -1 after a message. */
static int find_format(const char *name) {
  for (int i = 0; i < SCREE_FORMATS; i++)
    if (!strcmp(scree_format_name(i), name)) return i;
  const char *near = scree_nearest_name(name, SCREE_FORMATS, format_name, NULL);
  cli_fail(CLI_USAGE, "export", "there is no format '%s'%s%s%s", name, near ? "; did you mean '" : "",
      near ? near : "", near ? "'?" : " (" SCREE_FORMAT_WORDS ", html)");
  return -1;
}

static const char *const field_names[] = {"position", "orientation", "velocity", "spin"};
static const char *field_name(const void *context, int i) {
  (void)context;
  return field_names[i];
}

/* Reads --fields. Returns CLI_OK, or CLI_USAGE after a message. */
static int parse_fields(const char *text, int *fields) {
  static const int bits[] = {
      SCREE_FIELD_POSITION, SCREE_FIELD_ORIENTATION, SCREE_FIELD_VELOCITY, SCREE_FIELD_SPIN};
  *fields = 0;
  for (const char *at = text; *at;) {
    char name[64];
    const size_t length = strcspn(at, ",");
    int i = 0;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
    while (i < 4 && strcmp(field_names[i], name) != 0) i++;
    const char *near = i < 4 ? NULL : scree_nearest_name(name, 4, field_name, NULL);
    if (i == 4)
      return cli_fail(CLI_USAGE, "export",
          "--fields wants a list of position,orientation,velocity,spin, not '%s'%s%s%s", text,
          near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    *fields |= bits[i];
    at += length + (at[length] == ',');
  }
  return CLI_OK;
}

enum { IDS_MOST = 10000000 };
#define NUMBER_MOST (1LL << 61) /* largest number, so that last + 1 does not overflow */

/* Reads a whole number at *at and moves *at past it. Returns false if there is none or its absolute value
 * exceeds NUMBER_MOST. */
static bool read_list_number(const char **at, long long *number) {
  char *end;
  if (isspace((unsigned char)**at)) return false;
  *number = strtoll(*at, &end, 10);
  if (end == *at) return false;
  *at = end;
  return *number >= -NUMBER_MOST && *number <= NUMBER_MOST;
}

/* Appends the numbers of a list such as "5,7-9" to *list. Returns their number; -1: the text is not such a
 * list; -2: out of memory or too many numbers. */
static int64_t parse_list(const char *text, int64_t **list) {
  int64_t count = 0, capacity = 0;
  for (const char *at = text;; at++) {
    long long first, last;
    if (!read_list_number(&at, &first)) return -1;
    last = first;
    if (*at == '-' && (!isdigit((unsigned char)*++at) || !read_list_number(&at, &last))) return -1;
    if (last < first) return -1;
    if (last - first >= IDS_MOST - count) return -2;
    if (count + last - first + 1 > capacity) {
      capacity = 2 * (count + last - first + 1);
      int64_t *larger = realloc(*list, (size_t)capacity * sizeof *larger);
      if (!larger) return -2;
      *list = larger;
    }
    for (long long id = first; id <= last; id++) (*list)[count++] = id;
    if (!*at) return count;
    if (*at != ',') return -1;
  }
}

static int compare_numbers(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Reads the option --ids or --groups into an ascending list. Returns an exit code after a message. */
static int read_list(const char *option, const char *text, int64_t **list, int64_t *count) {
  *count = text ? parse_list(text, list) : 0;
  if (*count == -2) return cli_fail(CLI_USAGE, "export", "--%s names more than %d numbers", option, IDS_MOST);
  if (*count < 0)
    return cli_fail(
        CLI_USAGE, "export", "--%s wants a list of whole numbers such as 5,7-9, not '%s'", option, text);
  for (int64_t i = 0; i < *count && !strcmp(option, "ids"); i++)
    if ((*list)[i] < 1) return cli_fail(CLI_USAGE, "export", "--ids wants ids from 1 on, not '%s'", text);
  if (*count) qsort(*list, (size_t)*count, sizeof **list, compare_numbers);
  return CLI_OK;
}

/* Reads --frames and --fields if they are given. Returns CLI_OK, or CLI_USAGE after a message. */
static int read_choice(const options *o, int64_t *first, int64_t *last, int64_t *stride, int *fields) {
  if (o->frames && !cli_frames(o->frames, first, last, stride))
    return cli_fail(CLI_USAGE, "export", "--frames wants A:B:S, whole numbers, not '%s'", o->frames);
  return o->fields ? parse_fields(o->fields, fields) : CLI_OK;
}

/* Sets the def from the options. Returns CLI_OK, or CLI_USAGE after a message. */
static int read_options(const options *o, scree_export_def *def) {
  if (!o->format) return cli_fail(CLI_USAGE, "export", "needs --format (" SCREE_FORMAT_WORDS ", html)");
  if ((def->format = find_format(o->format)) < 0) return CLI_USAGE;
  if (o->directory) def->directory = o->directory;
  if (o->name) def->basename = o->name;
  if (read_choice(o, &def->first, &def->last, &def->stride, &def->fields)) return CLI_USAGE;
  def->fields_named = o->fields != NULL;
  def->contacts = o->contacts;
  def->single = o->single;
  def->grains = o->grains;
  def->loads = o->loads;
  def->parts = o->parts;
  def->detail = o->detail;
  return CLI_OK;
}

/* Refuses to write over the file that is exported. run: a file, or the folder of a run. */
static int refuse_own_file(const char *run, const char *output) {
  char trajectory[4096];
  snprintf(trajectory, sizeof trajectory, "%s/trajectory.scree", run);
  if (!cli_is_same_file(run, output) && !cli_is_same_file(trajectory, output)) return CLI_OK;
  return cli_fail(CLI_USAGE, "export", "--output %s is what is exported", output);
}

/* Exports to one HTML page that contains the frames. */
static int export_html(const options *o, const char *run) {
  char text[32];
  int64_t bytes = 0;
  view_html_def def = {.run = run,
      .file = o->directory,
      .precision = o->precision,
      .last = -1,
      .every = 1,
      .fields = SCREE_FIELD_DEFAULT};
  if (!o->directory)
    return cli_fail(CLI_USAGE, "export", "--format html needs a file to write: --output FILE.html");
  if (refuse_own_file(run, o->directory)) return CLI_USAGE;
  if (read_choice(o, &def.first, &def.last, &def.every, &def.fields)) return CLI_USAGE;
  def.fields |= SCREE_FIELD_POSITION | (o->contacts ? SCREE_FIELD_CONTACTS : 0);
  int code = view_html_write(&def, &bytes);
  if (!code && !o->quiet) printf("%s, %s\n", def.file, cli_size(bytes, text));
  return code;
}

/* Returns whether an exported file may have the name of the file that is exported. */
static int writes_over(const scree_export_def *def, const char *file) {
  char folder[4096];
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file, *dot = strrchr(name, '.');
  if (strncmp(name, def->basename, strlen(def->basename)) != 0 || (dot && !strcmp(dot, ".scree"))) return 0;
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - file) : 1, slash ? file : ".");
  return cli_is_same_file(*folder ? folder : "/", def->directory);
}

/* Writes the files. def: result of read_options. */
static int export_file(const options *o, scree_export_def *def, const char *file) {
  scree_reader *reader = cli_open("export", file);
  if (!reader) return CLI_IO;
  if (writes_over(def, file)) {
    scree_reader_close(reader);
    return cli_fail(CLI_USAGE, "export",
        "files named %s... could replace %s; give another --name or --output", def->basename, file);
  }
  /* a negative first frame counts from the end, too */
  if (def->first < 0) def->first += scree_reader_info(reader)->frames;
  if (o->frames && !strchr(o->frames, ':')) def->last = def->first;
  scree_error error = {SCREE_OK, ""};
  int64_t files = 0;
  int code = CLI_OK;
  scree_status status = scree_export(reader, def, &files, &error);
  if (status) code = cli_fail(cli_exit_code(status), "export", "%s", error.text);
  else if (!o->quiet) printf("%lld file%s in %s\n", (long long)files, files == 1 ? "" : "s", def->directory);
  scree_reader_close(reader);
  return code;
}

/* Parses the command line like cli_parse, with the descriptions of the engine's keys. */
static int parse_options(options *o, int argc, char **argv) {
  enum { COUNT = sizeof table / sizeof *table };
  cli_option described[COUNT];
  memcpy(described, table, sizeof table);
  for (int i = 0; i < COUNT; i++)
    if (!described[i].doc)
      described[i].doc = scree_param_find(scree_export_params, scree_export_params_count, table[i].name)->doc;
  return cli_parse("export", NULL, described, COUNT, o, argc, argv);
}

int cmd_export(int argc, char **argv) {
  options o = {0};
  int operands = parse_options(&o, argc, argv);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 1)
    return cli_fail(CLI_USAGE, "export", "needs one FILE (a trajectory, or the folder of a run)");
  const bool html = o.format && !strcmp(o.format, "html");
  if (html && (o.ids || o.groups))
    return cli_fail(CLI_USAGE, "export", "--ids and --groups do not go with --format html");
  if (html) return export_html(&o, argv[1]);
  scree_export_def def = scree_export_defaults();
  int64_t *ids = NULL, *groups = NULL;
  int code = read_options(&o, &def);
  if (!code) code = read_list("ids", o.ids, &ids, &def.choice.ids);
  if (!code) code = read_list("groups", o.groups, &groups, &def.choice.groups);
  def.chosen = o.ids || o.groups;
  def.choice.id = (const scree_id *)ids, def.choice.group = groups;
  if (!code) code = export_file(&o, &def, argv[1]);
  free(ids);
  free(groups);
  return code;
}
