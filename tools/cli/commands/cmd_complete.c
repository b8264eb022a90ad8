/* scree complete: completions of commands and options for bash, zsh and fish.
 *
 * Each command is called with --help, and its table of options goes to a writer for the shell instead of the
 * printer of the help. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "scree/param.h"

static const char more[] =
    "Packages install the scripts. Without them: source <(scree complete bash), or write "
    "the output to a folder of\n$fpath as _scree (zsh), or to "
    "~/.config/fish/completions/scree.fish.";

/* Kinds of arguments of options. Shells complete folders and files. */
typedef enum value_kind { VALUE_NONE, VALUE_FOLDER, VALUE_FILE, VALUE_OTHER } value_kind;

static value_kind find_value_kind(const cli_option *option) {
  if (!option->argument) return VALUE_NONE;
  if (!strcmp(option->argument, "DIR")) return VALUE_FOLDER;
  return !strcmp(option->argument, "FILE") ? VALUE_FILE : VALUE_OTHER;
}

/* Writes text within single quotes of a shell. escaped: characters that get a backslash. */
static void put_quoted(const char *text, const char *quote, const char *escaped) {
  for (; *text; text++) {
    if (*text == '\'') fputs(quote, stdout);
    else printf("%s%c", strchr(escaped, *text) ? "\\" : "", *text);
  }
}

/* Writes the names of all commands with spaces between them. */
static void put_names(void) {
  int count;
  const cli_command *commands = cli_get_commands(&count);
  for (int i = 0; i < count; i++) printf("%s%s", i ? " " : "", commands[i].name);
}

/* ---- bash ---- */

static void put_bash_options(
    const cli_command *command, const char *text, const cli_option *options, int count) {
  (void)text;
  printf("    %s) words='", command->name);
  for (int i = 0; i < count; i++) {
    if (options[i].letter) printf("-%c ", options[i].letter);
    printf("--%s ", options[i].name);
  }
  fputs("-h --help'; folders='", stdout);
  for (int i = 0; i < count; i++) {
    if (find_value_kind(options + i) != VALUE_FOLDER) continue;
    if (options[i].letter) printf(" -%c", options[i].letter);
    printf(" --%s", options[i].name);
  }
  fputs(" ' ;;\n", stdout);
}

static void start_bash(void) {
  fputs("# Completions of scree for bash, made by `scree complete bash`.\n_scree() {\n  local commands='",
      stdout);
  put_names();
  fputs("'\n  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= folders=\n"
        "  COMPREPLY=()\n"
        "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
        "    COMPREPLY=($(compgen -W \"$commands help --help --version\" -- \"$word\"))\n"
        "    return\n"
        "  fi\n"
        "  case ${COMP_WORDS[1]} in\n"
        "    help) COMPREPLY=($(compgen -W \"$commands\" -- \"$word\")); return ;;\n"
        "    --version) COMPREPLY=($(compgen -W '--json' -- \"$word\")); return ;;\n",
      stdout);
}

/* Ends the bash function. The function returns no results for files, because bash then completes files by
 * default. */
static void end_bash(void) {
  fputs("  esac\n"
        "  case $folders in *\" $before \"*)\n"
        "    compopt -o filenames 2>/dev/null\n"
        "    COMPREPLY=($(compgen -d -- \"$word\"))\n"
        "    return ;;\n"
        "  esac\n"
        "  case $word in -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;; esac\n"
        "}\n"
        "complete -o default -F _scree scree\n",
      stdout);
}

/* ---- zsh ---- */

static void put_zsh_options(
    const cli_command *command, const char *text, const cli_option *options, int count) {
  static const char *const values[] = {"", ":_files -/", ":_files", ": "};
  (void)text;
  printf("    %s) _arguments -s", command->name);
  for (int i = 0; i < count; i++) {
    const cli_option *o = options + i;
    const bool repeats = o->kind == CLI_LIST;
    fputs(" \\\n      ", stdout);
    if (repeats) fputs("'*'", stdout);
    else if (o->letter) printf("'(-%c --%s)'", o->letter, o->name);
    if (o->letter) printf("{-%c,--%s}", o->letter, o->name);
    else printf("--%s", o->name);
    fputs("'[", stdout);
    put_quoted(o->doc, "'\\''", "[]\\");
    fputc(']', stdout);
    if (o->argument) fputc(':', stdout), put_quoted(o->argument, "'\\''", ":\\");
    printf("%s'", values[find_value_kind(o)]);
  }
  fputs(" \\\n      '(-h --help)'{-h,--help}'[this text]' '*:file:_files' ;;\n", stdout);
}

static void start_zsh(void) {
  int count;
  const cli_command *commands = cli_get_commands(&count);
  fputs("#compdef scree\n# Completions of scree for zsh, made by `scree complete zsh`.\n_scree() {\n"
        "  local -a commands\n  commands=(\n",
      stdout);
  for (int i = 0; i < count; i++) {
    printf("    '%s:", commands[i].name);
    put_quoted(commands[i].doc, "'\\''", "\\");
    fputs("'\n", stdout);
  }
  fputs("    'help:explains a command'\n  )\n"
        "  if (( CURRENT == 2 )); then\n"
        "    _describe -t commands command commands\n"
        "    _arguments '--help[lists the commands]' '--version[prints the version]'\n"
        "    return\n"
        "  fi\n"
        "  shift words\n"
        "  (( CURRENT-- ))\n"
        "  case $words[1] in\n"
        "    help) _describe -t commands command commands ;;\n"
        "    --version) _arguments '--json[as JSON]' ;;\n",
      stdout);
}

static void end_zsh(void) { fputs("  esac\n}\n_scree \"$@\"\n", stdout); }

/* ---- fish ---- */

static void put_fish_options(
    const cli_command *command, const char *text, const cli_option *options, int count) {
  static const char *const values[] = {"", " -x -a '(__fish_complete_directories)'", " -r -F", " -x"};
  (void)text;
  for (int i = 0; i < count; i++) {
    printf("complete -c scree -n '__fish_seen_subcommand_from %s'", command->name);
    if (options[i].letter) printf(" -s %c", options[i].letter);
    printf(" -l %s%s -d '", options[i].name, values[find_value_kind(options + i)]);
    put_quoted(options[i].doc, "\\'", "\\");
    fputs("'\n", stdout);
  }
  printf(
      "complete -c scree -n '__fish_seen_subcommand_from %s' -s h -l help -d 'this text'\n", command->name);
}

static void start_fish(void) {
  int count;
  const cli_command *commands = cli_get_commands(&count);
  fputs("# Completions of scree for fish, made by `scree complete fish`.\n", stdout);
  for (int i = 0; i < count; i++) {
    printf("complete -c scree -n __fish_use_subcommand -f -a %s -d '", commands[i].name);
    put_quoted(commands[i].doc, "\\'", "\\");
    fputs("'\n", stdout);
  }
  fputs("complete -c scree -n __fish_use_subcommand -f -a help -d 'explains a command'\n"
        "complete -c scree -n __fish_use_subcommand -f -l help -d 'lists the commands'\n"
        "complete -c scree -n __fish_use_subcommand -f -l version -d 'prints the version'\n"
        "complete -c scree -n '__fish_seen_subcommand_from help' -f -a '",
      stdout);
  put_names();
  fputs("'\n", stdout);
}

static void end_fish(void) {}

/* ---- the whole ---- */

static const struct shell {
  const char *name;
  void (*start)(void);
  cli_help_writer *put_options;
  void (*end)(void);
} shells[] = {
    {"bash", start_bash, put_bash_options, end_bash},
    {"zsh", start_zsh, put_zsh_options, end_zsh},
    {"fish", start_fish, put_fish_options, end_fish},
};
enum { SHELLS = sizeof shells / sizeof *shells };

static const char *read_shell_name(const void *context, int i) {
  (void)context;
  return shells[i].name;
}

static int write_completions(const struct shell *shell) {
  static char help[] = "--help";
  int code = CLI_OK, count;
  const cli_command *commands = cli_get_commands(&count);
  shell->start();
  cli_set_help_writer(shell->put_options);
  for (int i = 0; !code && i < count; i++) {
    char *argv[] = {(char *)commands[i].name, help, NULL};
    cli_describe(commands + i);
    code = commands[i].run(2, argv);
  }
  cli_set_help_writer(NULL);
  shell->end();
  return code;
}

int cmd_complete(int argc, char **argv) {
  const int operands = cli_parse("complete", more, NULL, 0, NULL, argc, argv);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 1)
    return cli_fail(CLI_USAGE, "complete", "which shell? usage: scree complete bash|zsh|fish");
  for (int i = 0; i < SHELLS; i++)
    if (!strcmp(shells[i].name, argv[1])) return write_completions(shells + i);
  const char *near = scree_nearest_name(argv[1], SHELLS, read_shell_name, NULL);
  return cli_fail(CLI_USAGE, "complete", "knows bash, zsh and fish, not '%s'%s%s%s", argv[1],
      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}
