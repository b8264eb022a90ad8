/* The record of a run: status and reason in its run.json. */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <stdint.h>

enum { CLI_STATUS = 16, CLI_REASON = 400 };

typedef struct cli_record {
  char status[CLI_STATUS]; /* running, completed, invalid, stopped or failed */
  int64_t softened;        /* step after which rigid contacts became springs; 0: they did not */
  char reason[CLI_REASON]; /* first fault of an invalid run, or why the run stopped or failed; "": none */
} cli_record;

typedef enum cli_record_state { CLI_NO_RECORD, CLI_RECORD, CLI_BAD_RECORD } cli_record_state;

/* Reads the record of a run. path: the folder of the run, or a file in it. Returns CLI_NO_RECORD if there is
 * no run.json, and CLI_BAD_RECORD if run.json is not a record or memory runs out. */
cli_record_state cli_read_record(const char *path, cli_record *out);
/* Reads the text of run.json without the final line end. The caller frees *text, which is NULL unless
 * CLI_RECORD is returned. */
cli_record_state cli_read_record_text(const char *path, char **text);

#endif
