/* What the subcommands of the program `scree` share: exit codes, the table of commands, option tables. */
#ifndef CLI_H
#define CLI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#define CLI_COMPILER __VERSION__
#else
#define CLI_COMPILER "gcc " __VERSION__
#endif

/* Exit codes of every command. */
enum {
  CLI_OK = 0,
  CLI_FAILED = 1,   /* the run failed: it diverged, or what was compared differs */
  CLI_USAGE = 2,    /* wrong command line, scene or experiment; nothing was written */
  CLI_SCRIPT = 3,   /* an error in a script, or a script over its budget */
  CLI_IO = 4,       /* the operating system refused to read or write, or a file is damaged */
  CLI_INVALID = 5,  /* the run ended and its files are whole, but its results are physically impossible */
  CLI_STOPPED = 75, /* stopped early with a checkpoint */
  CLI_ABORTED = 130 /* stopped at once by a second interrupt */
};

/* One subcommand: argv[0] is its name. Every command has a file of its own, cmd_NAME.c, and a line in
 * commands.h. */
typedef struct cli_command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *operands; /* for the usage line, e.g. "FILE [key=value ...]" */
  const char *doc;      /* one line */
} cli_command;

#define COMMAND(name, operands, doc) int cmd_##name(int argc, char **argv);
#include "commands/commands.h"
#undef COMMAND

/* The command whose operands and line of doc the help of cli_parse shows, from now on. */
void cli_describe(const cli_command *command);

/* ---- options: one table feeds the parser and the help ---- */
typedef enum cli_kind {
  CLI_FLAG,   /* int, set to 1 */
  CLI_TEXT,   /* const char *, borrowed from argv */
  CLI_NUMBER, /* double */
  CLI_WHOLE,  /* int64_t */
  CLI_ABOVE,  /* double, finite and greater than 0 */
  CLI_COUNT,  /* int64_t, at least 1 */
  CLI_CORES,  /* int64_t, 1 to 1024; 0 is taken as all cores that the process may use */
  CLI_LIST    /* cli_list: may be given several times */
} cli_kind;

enum { CLI_LIST_MOST = 64 };
typedef struct cli_list {
  int count;
  const char *item[CLI_LIST_MOST];
} cli_list;

typedef struct cli_option {
  const char *name; /* without the dashes: "output" is --output */
  char letter;      /* short form, 0 for none */
  cli_kind kind;
  const char *argument; /* what it takes, for the help; NULL for flags */
  size_t offset;        /* of the member in the struct of values */
  const char *doc;      /* one line */
} cli_option;

/* Parses argv against the table into the struct at values. Options and operands may be mixed; "--" ends
 * the options; "--name=value" and "--name value" are alike. Operands are moved to the front of argv + 1.
 * Returns their number, or -1 - exit code: after --help (printed on stdout, exit 0) or a wrong option
 * (message with the nearest name on stderr, exit 2). */
int cli_parse(const char *command, const char *more_help, const cli_option *options, int count, void *values,
    int argc, char **argv);
/* cli_parse in a command, for a table that is an array. */
#define CLI_PARSE(command, more_help, table, values) \
  cli_parse((command), (more_help), (table), sizeof(table) / sizeof *(table), (values), argc, argv)
/* The exit code behind a negative answer of cli_parse. */
int cli_parse_exit(int answer);

/* Cores that the process may use, 1 to 1024. */
int cli_cores(void);

/* "scree COMMAND: text" on stderr; returns code, so that commands can `return cli_fail(CLI_IO, "info",
 * "...")`. */
int cli_fail(int code, const char *command, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Says so on stderr where a solver is asked for by a name that it once had. */
void cli_say_former(const char *solver);

#endif
