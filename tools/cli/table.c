/* The table of commands, made from commands.h. */
#include <string.h>

#include "cli.h"
#include "scree/param.h"
#include "scree/trajectory.h"

const cli_command cli_commands[CLI_COMMANDS] = {
#define COMMAND(name, operands, doc) {#name, cmd_##name, operands, doc},
#include "commands/commands.h"
#undef COMMAND
};

const cli_command *cli_find_command(const char *name) {
  for (int i = 0; i < CLI_COMMANDS; i++)
    if (!strcmp(cli_commands[i].name, name)) return cli_commands + i;
  return NULL;
}

static const char *read_command_name(const void *context, int i) {
  (void)context;
  return cli_commands[i].name;
}

const char *cli_nearest_command(const char *name) {
  return scree_nearest_name(name, CLI_COMMANDS, read_command_name, NULL);
}
