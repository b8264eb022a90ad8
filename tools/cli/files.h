/* What the commands that read trajectories share. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <stdio.h>
#include "scree/trajectory.h"

/* Opens FILE, or DIR/trajectory.scree where a run's folder is given. NULL after a message on stderr. */
scree_reader *cli_open(const char *command, const char *path);
/* A choice of frames: "a", "a:b", "a:b:s", each part may be missing. False on anything else. */
int cli_frames(const char *text, int64_t *first, int64_t *last, int64_t *stride);
/* A whole regular file of at most 256 MiB with a terminating zero, allocated; NULL with errno. */
char *cli_read(const char *path, size_t *size);
/* Exit code of a status: 4 for files and memory, 2 for wrong arguments, 1 for the rest. */
int cli_exit_code(scree_status status);
/* A text as a JSON string, with its quotes. */
void cli_json_text(FILE *out, const char *text);
/* A number as JSON; what is not finite becomes null. */
void cli_json_number(FILE *out, double value);
/* A member of an object with a comma before it, its value as cli_json_number writes it. */
void cli_json_member(FILE *out, const char *name, double value);
/* Names of the fields in a bit set, e.g. "position, velocity". */
const char *cli_field_names(int fields, char text[128]);
/* "1.5 MB". */
const char *cli_size(int64_t bytes, char text[32]);

#endif
