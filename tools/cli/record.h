/* What run.json says of a run. */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <stdbool.h>

enum { CLI_STATUS = 16, CLI_REASON = 400 };

typedef struct cli_record {
  char status[CLI_STATUS]; /* running, completed, invalid, stopped or failed */
  char reason[CLI_REASON]; /* first fault of an invalid run, or why the run stopped or failed; "": none */
} cli_record;

/* Reads the record of the run that a path belongs to: the folder of a run, or a file in it. Returns false
 * without a record. */
bool cli_read_record(const char *path, cli_record *out);
/* Returns the text of that run.json without the line end, allocated; NULL if it is no JSON. */
char *cli_read_record_text(const char *path);

#endif
