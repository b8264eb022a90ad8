/* Functions that several commands use: opening trajectories, reading files, JSON, texts of numbers. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <stdbool.h>
#include <stdio.h>
#include "scree/trajectory.h"

/* Opens the trajectory FILE, or DIR/trajectory.scree. Returns NULL after a message on stderr. */
scree_reader *cli_open(const char *command, const char *path);
/* Reads a choice of frames: "a", "a:b" or "a:b:s"; each part may be missing. Returns false for other
 * texts. */
int cli_frames(const char *text, int64_t *first, int64_t *last, int64_t *stride);
/* Returns the contents of a regular file of at most 256 MiB with a terminating zero; the caller frees
 * them. NULL with errno on failure. */
char *cli_read(const char *path, size_t *size);
/* Writes a text to a file, or to the standard output if path is NULL. Returns CLI_OK, or CLI_IO after a
 * message. */
int cli_write_text(const char *command, const char *path, const char *text, size_t size);
/* Returns whether a rename may replace a path: a regular file or nothing. Sets errno otherwise, for a
 * device, pipe or folder. */
bool cli_is_replaceable(const char *path);
/* Writes a text to a file, unless the file exists. Returns CLI_OK if the file now has this text; CLI_USAGE
 * without a message if it has another text; CLI_IO after a message. A call that is killed leaves no
 * incomplete file. */
int cli_keep_text(const char *command, const char *path, const char *text);
/* Returns the exit code of a status: 4 for files and memory, 2 for wrong arguments, 1 for others. */
int cli_exit_code(scree_status status);
/* Prints a text as a JSON string with quotes. */
void cli_json_text(FILE *out, const char *text);
/* Prints a number as JSON; infinite values and NaN become null. */
void cli_json_number(FILE *out, double value);
/* Prints ", "name": value" as a member of a JSON object. */
void cli_json_member(FILE *out, const char *name, double value);
/* Writes the names of the fields in a bit set, such as "position, velocity". Returns text. */
const char *cli_field_names(int fields, char text[128]);
/* Writes a size such as "1.5 MB". Returns text. */
const char *cli_size(int64_t bytes, char text[32]);
/* Returns whether two paths name the same existing file. */
int cli_is_same_file(const char *a, const char *b);

#endif
