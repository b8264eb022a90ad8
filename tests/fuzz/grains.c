/* Fuzzing files of grains: the first byte says the format (or none: by content), the second the frame; the
 * rest is the file. Grains that can be read are looked at for overlaps and relaxed. The bytes are also read
 * as a table of any columns. Nothing may crash, hang or leak.
 *
 * SCREE_FUZZ_FORMAT=NAME in the environment reads all inputs as files of this format.
 *
 * Corpus in corpus/grains, replayed by unit/io/fuzz_grains.c in every build. */
#include <stdlib.h>
#include <string.h>

#include "io/grains/grains.h"

enum { GRAINS_MOST = 2000 };

/* Reads the bytes as a table of any columns. */
static void read_table(const char *bytes, size_t count) {
  scree_error error = {SCREE_OK, ""};
  scree_table *table = sc_table_parse("fuzz", NULL, NULL, bytes, count, &error);
  if (!table && (error.status == SCREE_OK || !*error.text)) abort(); /* a refusal says why */
  if (!table) return;
  int64_t last = 0;
  for (int64_t row = 0; row < scree_table_rows(table); row++) {
    if (scree_table_line(table, row) <= last) abort(); /* lines rise from row to row */
    last = scree_table_line(table, row);
  }
  for (int k = 0; k < scree_table_columns(table); k++)
    if (!scree_table_name(table, k) || !scree_table_unit(table, k) || !scree_table_values(table, k)) abort();
  scree_table_destroy(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  scree_error error = {SCREE_OK, ""};
  scree_grains_def def = scree_grains_defaults();
  if (size < 2) return 0;
  const sc_grain_format *format = sc_grain_format_at(data[0] % 16);
  const char *forced = getenv("SCREE_FUZZ_FORMAT");
  char *bytes = malloc(size);
  if (!bytes) abort();
  memcpy(bytes, data + 2, size - 2);
  bytes[size - 2] = 0;
  def.path = "fuzz", def.format = forced ? forced : format ? format->name : NULL;
  def.frame = data[1] == 0 ? -1 : data[1];
  if (data[0] & 128) def.radius = 0.1;
  scree_grains *grains = sc_grains_parse(&def, bytes, size - 2, &error);
  if (grains) {
    scree_grains_info info;
    scree_overlaps overlaps;
    scree_grains_get_info(grains, &info);
    const scree_cell *cell = info.has_cell && info.cell.volume > 0 ? &info.cell : NULL;
    if (info.count <= GRAINS_MOST && !scree_grains_find_overlaps(grains, cell, &overlaps, &error)) {
      if (overlaps.count && info.count <= 50) scree_grains_relax(grains, cell, &overlaps, &error);
      if (overlaps.factor > 0) scree_grains_scale(grains, overlaps.factor);
    }
  } else if (error.status == SCREE_OK || !*error.text) abort(); /* a refusal says why */
  scree_grains_destroy(grains);
  if (!forced || !strcmp(forced, "text")) read_table(bytes, size - 2);
  free(bytes);
  return 0;
}
