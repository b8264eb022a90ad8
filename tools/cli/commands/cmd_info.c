/* scree info: prints the contents of a trajectory or a checkpoint, how it was made, and whether it is
 * complete. */
#include "cli.h"
#include "bind/sandbox/place.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "record.h"
#include "scree/checkpoint.h"

typedef struct options {
  int json, verify, source;
} options;
static const cli_option table[] = {
    {"json", 'j', CLI_FLAG, NULL, offsetof(options, json), "print one JSON object"},
    {"verify", 0, CLI_FLAG, NULL, offsetof(options, verify), "check every byte, not only the index"},
    {"source", 0, CLI_FLAG, NULL, offsetof(options, source),
        "print the text of the scene that the file keeps, and nothing else"}};

/* Returns the bytes per body and frame, a measure of the compression. */
static double compute_density(scree_reader *reader) {
  const scree_trajectory_info *info = scree_reader_info(reader);
  return info->total_bodies ? (double)info->bytes / (double)info->total_bodies : 0;
}

static cli_record_state print_info_json(scree_reader *reader, const char *path) {
  const scree_trajectory_info *info = scree_reader_info(reader);
  char fields[128];
  fputs("{\"file\": ", stdout);
  cli_json_text(stdout, path);
  printf(", \"frames\": %lld, \"bytes\": %lld, \"complete\": %s, \"lost_bytes\": %lld, \"damaged_chunks\": "
         "%lld, \"damage\": ",
      (long long)info->frames, (long long)info->bytes, info->complete ? "true" : "false",
      (long long)info->lost_bytes, (long long)info->damaged_chunks);
  cli_json_text(stdout, info->damage);
  cli_json_member(stdout, "bytes_per_body_and_frame", compute_density(reader));
  fputs(", \"fields\": ", stdout);
  cli_json_text(stdout, cli_field_names(info->fields, fields));
  cli_json_member(stdout, "precision", info->precision);
  cli_json_member(stdout, "first_time", info->first_time);
  cli_json_member(stdout, "last_time", info->last_time);
  /* the trajectory has the record of the start; run.json beside it has the record of the end */
  char *record;
  const cli_record_state state = cli_read_record_text(path, &record);
  const char *meta = record ? record : scree_reader_meta(reader);
  printf(", \"most_bodies\": %lld, \"meta\": %s}\n", (long long)info->most_bodies, *meta ? meta : "null");
  free(record);
  return state;
}

/* Prints the first text or number under a key in the JSON of a run, if there is one. */
static void print_key(const char *meta, const char *key, const char *label) {
  char quoted[32];
  snprintf(quoted, sizeof quoted, "\"%s\": ", key);
  const char *at = strstr(meta, quoted);
  if (!at) return;
  at += strlen(quoted);
  int text = *at == '"';
  printf("%-10s %.*s\n", label, (int)strcspn(at + text, text ? "\"" : ",}\n"), at + text);
}

/* Prints the cell of the last frame, if there is one. */
static void print_cell(scree_reader *reader, const scree_trajectory_info *info) {
  scree_cell cell;
  if (!scree_reader_cell(reader, info->frames - 1, &cell)) return;
  const double *H = cell.matrix;
  const int *along = cell.periodic;
  const char *names[] = {"x", "y", "z"}, *comma = " ";
  printf("cell       edges (%g, %g, %g), (%g, %g, %g), (%g, %g, %g) m, periodic along", H[0], H[3], H[6],
      H[1], H[4], H[7], H[2], H[5], H[8]);
  for (int k = 0; k < 3; k++)
    if (along[k]) printf("%s%s", comma, names[k]), comma = ", ";
  puts("");
}

/* Prints the step after which rigid contacts became springs; 0: prints nothing. */
static void print_springs_since(int64_t step) {
  if (step > 0)
    printf("contacts   springs of softness 0.01 after step %lld (solver.soften)\n", (long long)step);
}

/* Prints that contacts became springs, and how the run ended, unless it completed. */
static cli_record_state print_run_end(const char *path) {
  cli_record record;
  const cli_record_state state = cli_read_record(path, &record);
  print_springs_since(record.softened);
  if (state == CLI_RECORD && strcmp(record.status, "completed") != 0)
    printf("run        %s%s%s\n", record.status, *record.reason ? ": " : "", record.reason);
  return state;
}

static cli_record_state print_info_text(scree_reader *reader, const char *path) {
  const scree_trajectory_info *info = scree_reader_info(reader);
  char fields[128], size[32];
  print_key(scree_reader_meta(reader), "title", "title");
  print_key(scree_reader_meta(reader), "scene", "scene");
  print_key(scree_reader_meta(reader), "seed", "seed");
  print_key(scree_reader_meta(reader), "started", "started");
  printf("file       %s, %s\n", path, cli_size(info->bytes, size));
  printf("frames     %lld, from %g s to %g s\n", (long long)info->frames, info->first_time, info->last_time);
  printf("bodies     at most %lld; %.1f bytes per body and frame\n", (long long)info->most_bodies,
      compute_density(reader));
  printf("fields     %s\n", cli_field_names(info->fields, fields));
  if (info->precision > 0) printf("precision  positions to %g m\n", info->precision);
  else puts("precision  exact");
  print_cell(reader, info);
  const cli_record_state state = print_run_end(path);
  if (info->complete) puts("state      complete");
  else if (info->damaged_chunks)
    printf("state      damaged: %s; %lld places, %lld bytes lost; recovered %lld frames\n", info->damage,
        (long long)info->damaged_chunks, (long long)info->lost_bytes, (long long)info->frames);
  else
    printf("state      not finished (the run goes on or was killed); recovered %lld frames\n",
        (long long)info->frames);
  return state;
}

/* ---- checkpoints ---- */

/* Writes the schema in the header of a container, "" for other files. Returns out. */
static const char *schema_of(const char *path, char out[5]) {
  char head[16] = "";
  FILE *file = sl_open_regular(path);
  size_t got = file ? fread(head, 1, sizeof head, file) : 0;
  if (file) fclose(file);
  out[0] = 0;
  if (got == sizeof head && !memcmp(head, "\x8dscr\r\n\x1a\n", 8)) memcpy(out, head + 12, 4), out[4] = 0;
  return out;
}

/* Returns a text that the program stored in a checkpoint; "" if there is none. */
static const char *kept_text(const scree_checkpoint *c, const char *name) {
  size_t size;
  scree_error ignored;
  const char *text = scree_checkpoint_get(c, name, &size, &ignored);
  return text && size && !text[size - 1] ? text : "";
}

static void print_checkpoint(const scree_checkpoint *c, const char *path, int generation) {
  scree_checkpoint_info info = {0};
  scree_error error;
  size_t size, total = 0;
  int64_t count = 0;
  char text[32];
  while (scree_checkpoint_section(c, count, &size)) total += size, count++;
  printf("file       %s, a checkpoint of %lld sections, %s unpacked\n", path, (long long)count,
      cli_size((int64_t)total, text));
  if (*kept_text(c, "run.scene")) printf("scene      %s\n", kept_text(c, "run.scene"));
  if (scree_checkpoint_about(c, &info, &error)) printf("world      none: %s\n", error.text);
  else
    printf(
        "time       %g s, step %lld of %g s\nbodies     %lld with %lld shapes, %lld joints, %lld contacts\n",
        info.time, (long long)info.step, info.dt, (long long)info.bodies, (long long)info.shapes,
        (long long)info.joints, (long long)info.contacts);
  print_springs_since(info.softened);
  if (generation)
    printf("state      damaged; this is what %s.previous%s holds\n", path, generation > 1 ? ".N" : "");
  else puts("state      whole");
}

static void print_checkpoint_json(const scree_checkpoint *c, const char *path, int generation) {
  scree_checkpoint_info info = {0};
  scree_error error;
  size_t size;
  const char *name;
  scree_checkpoint_about(c, &info, &error);
  fputs("{\"file\": ", stdout);
  cli_json_text(stdout, path);
  fputs(", \"schema\": \"CKPT\"", stdout);
  cli_json_member(stdout, "time", info.time);
  printf(", \"step\": %lld, \"bodies\": %lld, \"shapes\": %lld, \"joints\": %lld, \"contacts\": %lld, "
         "\"softened\": %lld, \"generation\": %d, \"sections\": {",
      (long long)info.step, (long long)info.bodies, (long long)info.shapes, (long long)info.joints,
      (long long)info.contacts, (long long)info.softened, generation);
  for (int64_t i = 0; (name = scree_checkpoint_section(c, i, &size)); i++) {
    fputs(i ? ", " : "", stdout);
    cli_json_text(stdout, name);
    printf(": %zu", size);
  }
  puts("}}");
}

/* Prints a checkpoint; reading it checks every byte. */
static int print_any_checkpoint(const options *o, const char *path) {
  scree_error error;
  int generation = 0;
  scree_checkpoint *c = scree_checkpoint_read(path, &generation, &error);
  if (!c) return cli_fail(CLI_IO, "info", "%s", error.text);
  if (o->json) print_checkpoint_json(c, path, generation);
  else print_checkpoint(c, path, generation);
  scree_checkpoint_destroy(c);
  return CLI_OK;
}

int cmd_info(int argc, char **argv) {
  options o = {0};
  int operands = CLI_PARSE("info", NULL, table, &o);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 1)
    return cli_fail(CLI_USAGE, "info", "needs one FILE (a trajectory, a checkpoint, or the folder of a run)");
  char schema[5];
  if (!strcmp(schema_of(argv[1], schema), "CKPT")) return print_any_checkpoint(&o, argv[1]);
  if (!strcmp(schema, "PROB"))
    return cli_fail(CLI_USAGE, "info", "%s holds a contact problem; scree solve %s --json tells about it",
        argv[1], argv[1]);
  scree_reader *reader = cli_open("info", argv[1]);
  if (!reader) return CLI_IO;
  scree_error error;
  int code = CLI_OK;
  if (o.verify && scree_reader_verify(reader, &error)) code = cli_fail(CLI_IO, "info", "%s", error.text);
  else if (o.source) fputs(scree_reader_source(reader), stdout);
  else if ((o.json ? print_info_json : print_info_text)(reader, argv[1]) == CLI_BAD_RECORD)
    code = cli_fail(CLI_IO, "info", "the run.json beside the trajectory of %s cannot be read", argv[1]);
  scree_reader_close(reader);
  return code;
}
