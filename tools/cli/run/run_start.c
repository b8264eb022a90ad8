/* Warnings of run and check about walls before the first step. */
#include "run/run.h"

int run_find_start_notes(
    const scree_world *world, char text[RUN_START_LINES][RUN_START_TEXT], int *misplaced) {
  enum { MOST = RUN_START_LINES - 1 };
  scree_start_note note[MOST];
  scree_error error = {SCREE_OK, ""};
  int64_t count = 0;
  int lines = 0;
  if (misplaced) *misplaced = -1;
  if (scree_world_start_notes(world, note, MOST, &count, &error)) return 0;
  for (; lines < MOST && lines < count; lines++) {
    scree_start_note_text(world, note + lines, text[lines], RUN_START_TEXT);
    if (misplaced && *misplaced < 0 && note[lines].what != SCREE_START_TURNED) *misplaced = lines;
  }
  if (count > MOST)
    snprintf(
        text[lines++], RUN_START_TEXT, "%lld more lines like these, one a wall", (long long)(count - MOST));
  return lines;
}
