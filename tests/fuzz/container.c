/* Fuzzing the files: any bytes as a trajectory and as a checkpoint. Neither may crash, hang or leak,
 * whatever they hold.
 *
 * clang -fsanitize=fuzzer,address,undefined ... (target fuzz.container of a clang build with
 * -DSCREE_FUZZ=ON), corpus in corpus/container
 * The corpus is replayed by unit/io/fuzz_replay.c in every build. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/trajectory/checkpoint.h"
#include "scree/trajectory.h"

/* Reads what can be read; a sum of it, so that nothing is optimised away. */
static uint64_t read_trajectory(const char *path) {
  uint64_t sum = 0;
  scree_error error;
  scree_reader *reader = scree_reader_open(path, &error);
  if (!reader) return 0;
  for (int round = 0; round < 2; round++) {
    int64_t frames = scree_reader_info(reader)->frames;
    for (int64_t i = 0; i < frames && i < 64; i++) {
      const scree_frame *frame = scree_reader_frame(reader, round ? frames - 1 - i : i, &error);
      if (frame && frame->position) sum = sc_hash(sum, frame->position, (size_t)frame->bodies * 24);
      if (frame) sum = sc_hash(sum, frame->shape, (size_t)frame->shapes * sizeof *frame->shape);
    }
    if (!round) scree_reader_verify(reader, &error);
  }
  scree_reader_close(reader);
  return sum;
}

static uint64_t read_checkpoint(const char *path) {
  sc_sections sections;
  scree_error error;
  if (sc_sections_load(&sections, path, SC_SCHEMA_CHECKPOINT, &error)) return 0;
  uint64_t sum = 0;
  for (size_t i = 0; i < sections.count; i++) sum = sc_hash(sum, sections.row[i].bytes, sections.row[i].size);
  sc_sections_free(&sections);
  return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* a file in memory that has a path */
  int fd = memfd_create("fuzz", 0);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (fd < 0 || write(fd, data, size) != (ssize_t)size) return 0;
  volatile uint64_t sum = read_trajectory(path) ^ read_checkpoint(path);
  (void)sum;
  close(fd);
  return 0;
}
