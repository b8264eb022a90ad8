/* Option tables: parsing and help. */
#define _GNU_SOURCE
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind/tables/units.h"
#include "scree/param.h"

int cli_fail(int code, const char *command, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "scree %s: ", command);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return code;
}

void cli_say_former(const char *solver) {
  if (!strcmp(solver, "ipm"))
    fputs("scree: solver ipm is newton now; the old name goes with the next release\n", stderr);
}

int cli_parse_exit(int answer) { return -1 - answer; }

static const cli_command *all_commands;
static int all_count;

void cli_set_commands(const cli_command *commands, int count) { all_commands = commands, all_count = count; }

const cli_command *cli_get_commands(int *count) {
  *count = all_count;
  return all_commands;
}

static const cli_command *described;

void cli_describe(const cli_command *command) { described = command; }

static void print_options(
    const cli_command *command, const char *more, const cli_option *options, int count) {
  printf("usage: scree %s%s%s%s\n", command->name, count ? " [options]" : "", *command->operands ? " " : "",
      command->operands);
  if (*command->doc) printf("%s\n", command->doc);
  if (more) printf("\n%s\n", more);
  printf("\noptions:\n");
  for (int i = 0; i < count; i++) {
    char left[64], letter[8] = "";
    if (options[i].letter) snprintf(letter, sizeof letter, "-%c, ", options[i].letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, options[i].name, options[i].argument ? " " : "",
        options[i].argument ? options[i].argument : "");
    printf("  %-26s %s\n", left, options[i].doc);
  }
  printf("  %-26s %s\n", "-h, --help", "this text");
}

static cli_help_writer *write_help = print_options;

void cli_set_help_writer(cli_help_writer *writer) { write_help = writer ? writer : print_options; }

int cli_cores(void) {
  cpu_set_t mine;
  int count = sched_getaffinity(0, sizeof mine, &mine) ? 1 : CPU_COUNT(&mine);
  return count < 1 ? 1 : count > 1024 ? 1024 : count;
}

static int read_option_number(const cli_option *option, const char *text, double *out) {
  char *end;
  /* times may carry a unit */
  if (option->argument && !strcmp(option->argument, "SECONDS") &&
      sl_quantity_read(text, "s", out) == SL_QUANTITY_FINE)
    return 1;
  *out = strtod(text, &end);
  return *text && !*end && !errno && *out == *out;
}

static int read_whole_number(const char *text, int64_t *out) {
  char *end;
  *out = strtoll(text, &end, 10);
  return *text && !*end && !errno;
}

/* Writes the text of an option to its member. Returns false if the option does not accept the text. */
static int store_option(const cli_option *option, void *values, const char *text) {
  char *at = (char *)values + option->offset;
  cli_list *list = (cli_list *)at;
  errno = 0;
  switch (option->kind) {
  case CLI_FLAG: *(int *)at = 1; return 1;
  case CLI_TEXT: *(const char **)at = text; return 1;
  case CLI_NUMBER:
  case CLI_ABOVE: return read_option_number(option, text, (double *)at);
  case CLI_WHOLE:
  case CLI_COUNT:
  case CLI_CORES: return read_whole_number(text, (int64_t *)at);
  case CLI_LIST:
    if (list->count == CLI_LIST_MOST) return 0;
    list->item[list->count++] = text;
    return 1;
  }
  return 0;
}

/* Checks the range of a number. Returns 0, or the negative result of cli_parse. Replaces 0 cores by their
 * number. */
static int check_range(const char *command, const cli_option *option, void *values, const char *text) {
  char *at = (char *)values + option->offset;
  int64_t *whole = (int64_t *)at;
  if ((option->kind == CLI_ABOVE && !(*(double *)at > 0)) || (option->kind == CLI_COUNT && *whole < 1))
    return cli_fail(CLI_USAGE, command, "--%s must be greater than 0, not %s", option->name, text),
           -1 - CLI_USAGE;
  if (option->kind == CLI_ABOVE && isinf(*(double *)at))
    return cli_fail(CLI_USAGE, command, "--%s must be finite, not %s", option->name, text), -1 - CLI_USAGE;
  if (option->kind != CLI_CORES) return 0;
  if (*whole < 0 || *whole > 1024)
    return cli_fail(CLI_USAGE, command, "--%s must lie in [1, 1024], or be 0 for all cores, not %s",
               option->name, text),
           -1 - CLI_USAGE;
  if (*whole == 0) *whole = cli_cores();
  return 0;
}

static const char *option_name(const void *context, int i) { return ((const cli_option *)context)[i].name; }

static const cli_option *find_long(const cli_option *options, int count, const char *name, size_t length) {
  for (int i = 0; i < count; i++)
    if (strlen(options[i].name) == length && !memcmp(options[i].name, name, length)) return options + i;
  return NULL;
}

static const cli_option *find_short(const cli_option *options, int count, char letter) {
  for (int i = 0; i < count; i++)
    if (options[i].letter && options[i].letter == letter) return options + i;
  return NULL;
}

static int fail_unknown_option(const char *command, const cli_option *options, int count, const char *text) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 2, "="), text + 2);
  const char *near = text[1] == '-' ? scree_nearest_name(name, count, option_name, options) : NULL;
  cli_fail(CLI_USAGE, command, "unknown option %s%s%s%s", text, near ? "; did you mean --" : "",
      near ? near : "", near ? "?" : "");
  return -1 - CLI_USAGE;
}

/* Parses the option at argv[*i] and moves *i past its argument. Returns 0, or the negative result of
 * cli_parse. */
static int parse_option(
    const char *command, const cli_option *options, int count, void *values, int argc, char **argv, int *i) {
  char *text = argv[*i], *value = NULL;
  const cli_option *option;
  if (text[1] == '-') {
    size_t length = strcspn(text + 2, "=");
    option = find_long(options, count, text + 2, length);
    if (text[2 + length]) value = text + 3 + length;
  } else {
    option = find_short(options, count, text[1]);
    if (text[2]) value = text + 2;
  }
  if (!option) return fail_unknown_option(command, options, count, text);
  if (option->kind == CLI_FLAG && value)
    return cli_fail(CLI_USAGE, command, "option --%s takes no value, not '%s'", option->name, value),
           -1 - CLI_USAGE;
  if (option->kind != CLI_FLAG && !value) {
    if (*i + 1 == argc)
      return cli_fail(CLI_USAGE, command, "option %s needs %s", text, option->argument), -1 - CLI_USAGE;
    value = argv[++*i];
  }
  if (store_option(option, values, value)) return check_range(command, option, values, value);
  cli_fail(CLI_USAGE, command, "option --%s takes %s, not '%s'", option->name, option->argument, value);
  return -1 - CLI_USAGE;
}

int cli_parse(const char *command, const char *more_help, const cli_option *options, int count, void *values,
    int argc, char **argv) {
  int operands = 0, plain = 0;
  for (int i = 1; i < argc; i++) {
    char *text = argv[i];
    if (plain || text[0] != '-' || !text[1]) {
      argv[1 + operands++] = text;
    } else if (!strcmp(text, "--")) {
      plain = 1;
    } else if (!strcmp(text, "--help") || !strcmp(text, "-h")) {
      const cli_command unknown = {.name = command, .operands = "", .doc = ""};
      write_help(described ? described : &unknown, more_help, options, count);
      return -1 - CLI_OK;
    } else {
      int answer = parse_option(command, options, count, values, argc, argv, &i);
      if (answer < 0) return answer;
    }
  }
  return operands;
}
