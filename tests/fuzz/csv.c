/* Fuzzing the tables that `scree plot` reads: any bytes as a CSV file. Every cell must end, every column
 * must become numbers.
 *
 * Corpus in corpus/csv, replayed by unit/cli/fuzz_replay.c in every build. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  int fd = memfd_create("fuzz", 0);
  if (fd < 0 || write(fd, data, size) != (ssize_t)size) return 0;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  csv *table = csv_open("plot", path);
  size_t total = 0;
  for (int c = 0; table && c < table->columns; c++) {
    total += strlen(table->name[c]);
    if (csv_column(table, table->name[c]) > c) abort();
    free(csv_numbers(table, c)); /* before the cells are cut, and after */
    if (!csv_cut_cells(table)) break;
    free(csv_numbers(table, c));
    for (int r = 0; r < table->rows; r++) total += strlen(table->cell[r * table->columns + c]);
  }
  /* cells are cut out of the file: they cannot hold more than it, but for columns that a row lacks */
  if (total > size) abort();
  csv_close(table);
  close(fd);
  return 0;
}
