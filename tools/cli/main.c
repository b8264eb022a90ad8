/* The program `scree`: finds the command and runs it. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "scree/param.h"
#include "scree/trajectory.h"
#include "version.h"

static const cli_command commands[] = {
#define COMMAND(name, operands, doc) {#name, cmd_##name, operands, doc},
#include "commands/commands.h"
#undef COMMAND
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const cli_command *find_command(const char *name) {
  for (int i = 0; i < COMMANDS; i++)
    if (!strcmp(commands[i].name, name)) return commands + i;
  return NULL;
}

static const char *command_name(const void *context, int i) {
  (void)context;
  return commands[i].name;
}

static void print_commands(FILE *out) {
  fputs("scree: rigid bodies in hard frictional contact\n\nusage: scree COMMAND [options] ...\n\ncommands:\n",
      out);
  for (int i = 0; i < COMMANDS; i++) fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].doc);
  fputs(
      "\n`scree COMMAND --help` explains a command, `scree --version [--json]` prints the version.\n"
      "exit codes: 0 done, 1 run failed, 2 wrong usage or input, 3 script error, 4 input/output error,\n"
      "            5 run invalid (its files are whole), 75 stopped with a checkpoint, 130 stopped at once\n",
      out);
}

/* Flushes stdout. Returns CLI_IO after a message if output was lost, unless the command has already failed. A
 * reader that closes the pipe early, such as head, is not a failure. */
static int flush_words(int code) {
  errno = 0;
  int lost = fflush(stdout) ? errno : ferror(stdout) ? EIO : 0;
  if (!lost || lost == EPIPE || code) return code;
  fprintf(stderr, "scree: cannot write to the standard output: %s\n", strerror(lost));
  return CLI_IO;
}

/* Opens /dev/null for closed standard streams. Otherwise a file of the run would get the number of the
 * stream and receive its text. The mode is the wrong one, so that use of the stream fails as before. */
static void hold_streams(void) {
  for (int stream = 0; stream < 3; stream++)
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream ? O_RDONLY : O_WRONLY);
}

int main(int argc, char **argv) {
  hold_streams();
  /* a write beyond the limit on file sizes then fails with a reason instead of ending the process */
  signal(SIGXFSZ, SIG_IGN);
  setlocale(LC_ALL, "C");
  cli_set_commands(commands, COMMANDS);
  if (argc < 2) return print_commands(stderr), CLI_USAGE;
  /* `scree help COMMAND` means `scree COMMAND --help` */
  static char help[] = "--help";
  char *command_help[] = {argv[0], argc == 3 ? argv[2] : NULL, help, NULL};
  if (argc == 3 && !strcmp(argv[1], "help")) argv = command_help;
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
    return print_commands(stdout), flush_words(CLI_OK);
  if (!strcmp(argv[1], "--version")) {
    const int json = argc == 3 && !strcmp(argv[2], "--json");
    if (argc > 2 && !json)
      return cli_fail(CLI_USAGE, "--version", "takes only --json, not '%s'",
          argv[2 + (argc > 3 && !strcmp(argv[2], "--json"))]);
    return cli_print_version(json), flush_words(CLI_OK);
  }
  const cli_command *command = find_command(argv[1]);
  if (command) {
    cli_describe(command);
    return flush_words(command->run(argc - 1, argv + 1));
  }
  const char *near = scree_nearest_name(argv[1], COMMANDS, command_name, NULL);
  fprintf(stderr, "scree: there is no command '%s'%s%s%s; `scree --help` lists them\n", argv[1],
      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return CLI_USAGE;
}
