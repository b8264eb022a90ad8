/* scree bench: beds of several kinds of grains. Each bed settles, then windows of steps with a fixed number
 * of sweeps are timed.
 *
 * Times are CPU times of the busiest thread, the smallest of several windows. Other load on the machine
 * lengthens them little, but caches and clocks are shared, so compare only ratios within one run. The
 * solver's figure is the time of the solve stage, ordering and bundling included, divided by contacts and
 * sweeps. Contacts are all contacts found within the margin, because a sweep visits all of them. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"

enum { ROWS_MOST = 64 };
typedef struct options {
  int json, full, brief;
  int64_t threads;
  double rest, rolling;
} options;
static const cli_option table[] = {
    {"json", 'j', CLI_FLAG, NULL, offsetof(options, json), "print a JSON list"},
    {"full", 0, CLI_FLAG, NULL, offsetof(options, full),
        "the large sizes too: 1e6 spheres, the channel at full size, 256000 capsules (minutes)"},
    {"brief", 0, CLI_FLAG, NULL, offsetof(options, brief),
        "small beds that are still falling: shows that everything runs, the figures mean nothing"},
    {"threads", 't', CLI_WHOLE, "N", offsetof(options, threads),
        "compare one thread with N (default 2; 1: one thread alone)"},
    {"rest", 0, CLI_NUMBER, "S", offsetof(options, rest),
        "simulated seconds of rest before the figures are taken (default 0)"},
    {"rolling", 0, CLI_NUMBER, "X", offsetof(options, rolling),
        "rolling and torsional friction of X radii between grains (default 0)"}};

/* Lists the settings of a bed: each number of sweeps on one thread. The last number also runs with scalar
 * code, if bundles matter, and with more threads. Returns the number of rows. */
static int list_settings(const bench_bed *bed, int threads, bench_row *rows) {
  int count = 0, last = bed->sweeps[1] ? 1 : 0,
      bundles = bed->grains == BENCH_SPHERES && bed->sweeps[last] >= 50;
  for (int k = 0; k <= last; k++)
    rows[count++] = (bench_row){.bed = bed, .sweeps = bed->sweeps[k], .threads = 1};
  if (bundles)
    rows[count++] = (bench_row){.bed = bed, .sweeps = bed->sweeps[last], .threads = 1, .scalar = 1};
  if (threads > 1) rows[count++] = (bench_row){.bed = bed, .sweeps = bed->sweeps[last], .threads = threads};
  return count;
}

/* Checks that rows with equal sweeps end in the same state to the bit. Returns an exit code. */
static int check_hashes(const bench_row *rows, int count) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < i; k++)
      if (rows[i].sweeps == rows[k].sweeps && rows[i].hash != rows[k].hash)
        return cli_fail(CLI_FAILED, "bench",
            "%s: the state differs between settings that must agree to the bit", rows[i].bed->title);
  return CLI_OK;
}

static int has_general_contacts(const bench_bed *bed) {
  return bed->grains == BENCH_CAPSULES || bed->grains == BENCH_BOXES || bed->grains == BENCH_HULLS;
}

/* Returns the argument `patience` of bench_measure for a row. It is 0 unless the row has one thread, bundled
 * (not scalar) code and the bed's largest number of sweeps. */
static double choose_patience(const bench_row *row, const options *o) {
  if (row->threads > 1 || row->scalar || row->sweeps != row->bed->sweeps[row->bed->sweeps[1] ? 1 : 0])
    return 0;
  const bench_bed *bed = row->bed;
  double few = bench_tiles(bed) > 1 ? 5e7 : has_general_contacts(bed) ? 1e7 : bed->finest < 1 ? 1e8 : 1.5e8;
  return o->brief ? 1e6 : o->full ? 4 * few : few;
}

/* Measures and appends the rows of one bed. Returns an exit code. */
static int run_bed(const bench_bed *bed, const options *o, const scree_checkpoint *settled, bench_row *rows,
    int *count, scree_error *error) {
  bench_row *mine = rows + *count;
  int made = list_settings(bed, (int)o->threads, mine);
  for (int k = 0; k < made; k++) {
    if (bench_measure(settled, choose_patience(mine + k, o), mine + k, error) != SCREE_OK) return CLI_FAILED;
    if (!o->json) bench_print_row(mine + k);
  }
  *count += made;
  return check_hashes(mine, made);
}

/* Settles a bed and measures it. *tile: settled tile of the bed *of, reused if this bed has the same tile. */
static int settle_and_run(const bench_bed *bed, const options *o, scree_checkpoint **tile,
    const bench_bed **of, bench_row *rows, int *count) {
  scree_error error = {SCREE_OK, ""};
  if (!*of || !bench_same_tile(*of, bed)) {
    scree_checkpoint_destroy(*tile);
    *tile = bench_settle_tile(bed, o->rest, &error);
    *of = bed;
  }
  int tiled = bench_tiles(bed) > 1, code = CLI_FAILED;
  scree_checkpoint *merged = tiled && *tile ? bench_merge(bed, *tile, &error) : NULL,
                   *settled = tiled ? merged : *tile;
  if (settled) code = run_bed(bed, o, settled, rows, count, &error);
  scree_checkpoint_destroy(merged);
  return error.status != SCREE_OK ? cli_fail(CLI_FAILED, "bench", "%s: %s", bed->title, error.text) : code;
}

static const char engines[] = "engines";

static const char *bed_name(const void *context, int i) {
  return i < bench_beds_count ? ((const bench_bed *)context)[i].name : engines;
}

static int fail_unknown_bed(const char *name) {
  const char *near = scree_nearest_name(name, bench_beds_count + 1, bed_name, bench_beds);
  return cli_fail(CLI_USAGE, "bench", "there is no benchmark '%s'%s%s%s", name,
      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Returns a smaller version of a bed, for tests. */
static bench_bed shorten_bed(const bench_bed *bed) {
  bench_bed b = *bed;
  b.count = bed->grains == BENCH_CHANNEL ? 500 : 200;
  b.tiles[0] = bed->tiles[0] > 1 ? 2 : 1, b.tiles[1] = b.tiles[2] = 1;
  b.side = fmin(b.side, bed->grains == BENCH_CHANNEL ? 0.03 : 8);
  b.settle = 40, b.merge = b.calm = b.window = 2;
  return b;
}

static int run_all(const char *name, const options *o) {
  static bench_row rows[ROWS_MOST];
  static bench_bed beds[ROWS_MOST];
  const bench_bed *of = NULL;
  scree_checkpoint *tile = NULL;
  int code = CLI_OK, count = 0;
  if (!o->json) bench_print_head();
  for (int i = 0; i < bench_beds_count && code == CLI_OK; i++) {
    const bench_bed *bed = bench_beds + i;
    if ((name && strcmp(name, bed->name)) || (bed->full && !o->full)) continue;
    beds[i] = o->brief ? shorten_bed(bed) : *bed;
    beds[i].rolling = o->rolling;
    code = settle_and_run(beds + i, o, &tile, &of, rows, &count);
  }
  scree_checkpoint_destroy(tile);
  if (code != CLI_OK) return code;
  if (o->json) bench_print_json(rows, count);
  else bench_print_times(rows, count);
  return code;
}

static void write_help(char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "names (all without one):\n");
  for (int i = 0; i < bench_beds_count && used < size; i++)
    if (*bench_beds[i].doc)
      used += (size_t)snprintf(
          text + used, size - used, "  %-13s %s\n", bench_beds[i].name, bench_beds[i].doc);
  if (used < size)
    snprintf(text + used, size - used, "  %-13s %s\n", engines,
        "by its name only: nine scenes as games have them, with steps of 1/60 s");
}

int cmd_bench(int argc, char **argv) {
  options o = {.threads = 2};
  char names[1024];
  write_help(names, sizeof names);
  int operands = CLI_PARSE("bench", names, table, &o), found = operands == 0;
  if (operands < 0) return cli_parse_exit(operands);
  if (operands > 1) return cli_fail(CLI_USAGE, "bench", "takes one name, not %d", operands);
  if (o.threads < 1 || o.threads > 256)
    return cli_fail(CLI_USAGE, "bench", "--threads must lie in [1, 256], not %lld", (long long)o.threads);
  if (!(o.rest >= 0 && o.rest <= 1000))
    return cli_fail(CLI_USAGE, "bench", "--rest must lie in [0, 1000], not %g", o.rest);
  if (!(o.rolling >= 0 && o.rolling <= 1000))
    return cli_fail(CLI_USAGE, "bench", "--rolling must lie in [0, 1000], not %g", o.rolling);
  if (operands && !strcmp(argv[1], engines)) return bench_engines((int)o.threads, o.json, o.brief);
  for (int i = 0; i < bench_beds_count; i++) found |= operands && !strcmp(argv[1], bench_beds[i].name);
  return found ? run_all(operands ? argv[1] : NULL, &o) : fail_unknown_bed(argv[1]);
}
