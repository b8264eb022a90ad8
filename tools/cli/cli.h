/* Shared by all commands of the program `scree`: exit codes, the table of commands, tables of options. */
#ifndef CLI_H
#define CLI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#define CLI_COMPILER __VERSION__
#else
#define CLI_COMPILER "gcc " __VERSION__
#endif

/* Exit codes of all commands. */
enum {
  CLI_OK = 0,
  CLI_FAILED = 1,   /* the run failed: it diverged, or the compared files differ */
  CLI_USAGE = 2,    /* wrong command line, scene or experiment; nothing was written */
  CLI_SCRIPT = 3,   /* an error in a script, or a script over its budget */
  CLI_IO = 4,       /* the operating system refused to read or write, or a file is damaged */
  CLI_INVALID = 5,  /* the run ended and its files are whole, but its results are physically impossible */
  CLI_STOPPED = 75, /* stopped early with a checkpoint */
  CLI_ABORTED = 130 /* stopped at once by a second interrupt */
};

/* A command. It is implemented in cmd_NAME.c and listed in commands.h. */
typedef struct cli_command {
  const char *name;
  int (*run)(int argc, char **argv); /* argv[0]: name of the command; returns the exit code */
  const char *operands;              /* operands in the usage line, such as "FILE [key=value ...]" */
  const char *doc;                   /* description in one line */
} cli_command;

#define COMMAND(name, operands, doc) int cmd_##name(int argc, char **argv);
#include "commands/commands.h"
#undef COMMAND

/* Sets the list of all commands, in the order of the help, for cli_get_commands. */
void cli_set_commands(const cli_command *commands, int count);
/* Returns the list of all commands and sets their number. */
const cli_command *cli_get_commands(int *count);
/* Sets the command whose operands and doc the help of cli_parse prints. */
void cli_describe(const cli_command *command);

/* ---- options: one table feeds the parser and the help ---- */
typedef enum cli_kind {
  CLI_FLAG,   /* value: int, set to 1 */
  CLI_TEXT,   /* value: const char *, borrowed from argv */
  CLI_NUMBER, /* value: double */
  CLI_WHOLE,  /* value: int64_t */
  CLI_ABOVE,  /* value: double, finite and greater than 0 */
  CLI_COUNT,  /* value: int64_t, at least 1 */
  CLI_CORES, /* value: int64_t, 1 to 1024; the value 0 becomes the number of cores that the process may use */
  CLI_LIST   /* value: cli_list; the option may be repeated */
} cli_kind;

enum { CLI_LIST_MOST = 64 };
typedef struct cli_list {
  int count;
  const char *item[CLI_LIST_MOST];
} cli_list;

/* An option of a command. */
typedef struct cli_option {
  const char *name; /* name without the dashes: "output" is --output */
  char letter;      /* letter of the short form; 0: none */
  cli_kind kind;
  const char *argument; /* name of its argument in the help; NULL for flags */
  size_t offset;        /* offset of the option's member in the struct of values */
  const char *doc;      /* description in one line */
} cli_option;

/* Writes the options and operands of a command, as help or as completion for a shell. more: text after the
 * options. */
typedef void cli_help_writer(
    const cli_command *command, const char *more, const cli_option *options, int count);
/* Replaces the writer that cli_parse calls for --help; NULL: the help as text. */
void cli_set_help_writer(cli_help_writer *writer);

/* Parses argv and stores the options in the struct `values`. Options and operands may be mixed; "--" ends the
 * options; "--name=value" and "--name value" are equal. Moves operands to argv + 1 and following and returns
 * their number. If the command must end, returns -1 - (exit code). The exit code is 0 after --help, which is
 * printed on stdout, and 2 after a wrong option, with a message on stderr that suggests the nearest name. */
int cli_parse(const char *command, const char *more_help, const cli_option *options, int count, void *values,
    int argc, char **argv);
/* cli_parse for a table that is an array; uses argc and argv of the command. */
#define CLI_PARSE(command, more_help, table, values) \
  cli_parse((command), (more_help), (table), sizeof(table) / sizeof *(table), (values), argc, argv)
/* Returns the exit code of a negative result of cli_parse. */
int cli_parse_exit(int answer);

/* Returns the number of cores that the process may use, 1 to 1024. */
int cli_cores(void);

/* Prints "scree COMMAND: text" on stderr and returns code, for use as `return cli_fail(CLI_IO, "info",
 * "...")`. */
int cli_fail(int code, const char *command, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* If `solver` is a former name of a solver, prints a message on stderr with the present name. */
void cli_say_former(const char *solver);

#endif
