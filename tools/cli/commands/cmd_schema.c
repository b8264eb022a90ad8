/* scree schema: the JSON Schema of experiments, for editors. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>

#include "bind/experiment/experiment.h"

static const char more[] = "Put it beside your experiments as scree.schema.json and begin each with\n"
                           "  # yaml-language-server: $schema=./scree.schema.json";

int cmd_schema(int argc, char **argv) {
  int operands = cli_parse("schema", more, NULL, 0, NULL, argc, argv);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands > 0) return cli_fail(CLI_USAGE, "schema", "takes no operands");
  char *text = sl_experiment_schema();
  if (!text) return cli_fail(CLI_FAILED, "schema", "no memory");
  fputs(text, stdout);
  free(text);
  return CLI_OK;
}
