/* Damaged trajectories: every prefix, every byte with a flipped bit, every failing write, every failing
 * allocation. There is no crash and no wrong frame; intact frames are found; the damage is reported. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <zlib.h>

#include "io/container/container.h"
#include "io/trajectory/frame_codec.h"
#include "io/trajectory/trajectory.h"
#include "support/frames.h"

enum { GRAINS = 10, FRAMES = 7, KEY_EVERY = 3 };

static char folder[64], path[128], copy[160];
static unsigned char *bytes;
static size_t size;
static uint64_t hash[FRAMES];
static size_t frame_from[FRAMES], frame_to[FRAMES]; /* where each frame's chunk lies */

static uint64_t hash_of(const scree_frame *f) {
  uint64_t h = sc_hash(SC_HASH_START, &f->time, 8);
  h = sc_hash(h, f->id, (size_t)f->bodies * 8);
  h = sc_hash(h, f->radius, (size_t)f->bodies * 8);
  h = sc_hash(h, f->position, (size_t)f->bodies * 24);
  h = sc_hash(h, f->orientation, (size_t)f->bodies * 32);
  h = sc_hash(h, f->velocity, (size_t)f->bodies * 24);
  return sc_hash(h, f->contact, (size_t)f->contacts * sizeof *f->contact);
}

static scree_trajectory_def def_of(void) {
  scree_trajectory_def def = scree_trajectory_defaults();
  def.precision = 1e-6;
  def.fields |= SCREE_FIELD_CONTACTS;
  def.key_every = KEY_EVERY;
  def.meta = "{\"a\": 1}";
  return def;
}

static scree_status write_flow(
    const char *to, const scree_trajectory_def *def, int64_t *durable, scree_error *error) {
  scree_writer *w = scree_writer_open(to, def, error);
  if (!w) return error->status;
  flow *f = flow_create(GRAINS, 5);
  scree_status status = SCREE_OK;
  for (int i = 0; i < FRAMES && !status; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    status = scree_writer_frame(w, &frame, error);
  }
  if (!status) status = scree_writer_flush(w, 1, error);
  *durable = scree_writer_durable(w);
  scree_status closed = scree_writer_close(w, status ? NULL : error);
  flow_destroy(f);
  return status ? status : closed;
}

static int set_up(void **state) {
  (void)state;
  support_path(folder, path, "t.scree");
  snprintf(copy, sizeof copy, "%s/copy.scree", folder);
  scree_trajectory_def def = def_of();
  scree_error error;
  int64_t durable;
  if (write_flow(path, &def, &durable, &error)) return -1;
  FILE *file = fopen(path, "rb");
  bytes = malloc(1 << 20);
  size = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  scree_reader *reader = scree_reader_open(path, &error);
  for (int i = 0; i < FRAMES; i++) hash[i] = hash_of(scree_reader_frame(reader, i, &error));
  scree_reader_close(reader);
  sc_container file_of;
  if (sc_container_open(&file_of, path, SC_SCHEMA_TRAJECTORY, &error)) return -1;
  int n = 0;
  for (size_t i = 0; i < file_of.count; i++) {
    const sc_chunk *chunk = file_of.chunk + i;
    if (chunk->type != SC_CHUNK_FRAME) continue;
    frame_from[n] = chunk->offset;
    frame_to[n++] = chunk->offset + SC_CHUNK_HEADER + chunk->stored;
  }
  sc_container_close(&file_of);
  return n == FRAMES ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  free(bytes);
  support_clean(folder);
  return 0;
}

static void write_copy(size_t count) {
  FILE *file = fopen(copy, "wb");
  assert_int_equal(fwrite(bytes, 1, count, file), count);
  fclose(file);
}

/* Reads all frames; each must be one that was written. A set of those found, as bits. */
static unsigned frames_found(scree_reader *reader, int64_t *readable) {
  unsigned found = 0;
  scree_error error;
  *readable = 0;
  for (int64_t i = 0; i < scree_reader_info(reader)->frames; i++) {
    const scree_frame *frame = scree_reader_frame(reader, i, &error);
    if (!frame) {
      assert_int_equal(error.status, SCREE_E_FORMAT);
      continue;
    }
    int64_t number = frame->step / 100;
    assert_in_range(number, 0, FRAMES - 1);
    assert_true(hash_of(frame) == hash[number]);
    found |= 1u << number;
    ++*readable;
  }
  return found;
}

static void every_prefix_gives_its_whole_frames(void **state) {
  (void)state;
  for (size_t count = 0; count < size; count++) {
    write_copy(count);
    scree_error error;
    scree_reader *reader = scree_reader_open(copy, &error);
    int whole = 0;
    while (whole < FRAMES && frame_to[whole] <= count) whole++;
    if (!reader) {
      assert_int_equal(error.status, SCREE_E_FORMAT);
      assert_true(count < SC_CONTAINER_HEADER);
      continue;
    }
    int64_t readable;
    const scree_trajectory_info *info = scree_reader_info(reader);
    assert_int_equal(info->frames, whole);
    assert_int_equal(frames_found(reader, &readable), (1u << whole) - 1);
    assert_int_equal(readable, whole);
    assert_false(info->complete);
    assert_int_equal(info->bytes, count);
    assert_true(info->lost_bytes >= 0 && (size_t)info->lost_bytes <= count);
    scree_reader_close(reader);
  }
}

/* Frames that damage at a byte cannot reach: other key groups, and those before it in its own. */
static unsigned safe_frames(size_t at) {
  for (int i = 0; i < FRAMES; i++) {
    if (at < frame_from[i] || at >= frame_to[i]) continue;
    unsigned lost = 0;
    for (int k = i; k < FRAMES && (k == i || k % KEY_EVERY); k++) lost |= 1u << k;
    return ((1u << FRAMES) - 1) & ~lost;
  }
  return (1u << FRAMES) - 1;
}

static void a_flipped_bit_never_gives_a_wrong_frame(void **state) {
  (void)state;
  for (size_t at = 0; at < size; at++) {
    unsigned char flip = (unsigned char)(1u << (at * 7 + at / 8) % 8);
    bytes[at] ^= flip;
    write_copy(size);
    bytes[at] ^= flip;
    scree_error error;
    int64_t readable;
    scree_reader *reader = scree_reader_open(copy, &error);
    assert_non_null(reader); /* one bit never hides the whole file */
    unsigned safe = safe_frames(at), found = frames_found(reader, &readable);
    assert_int_equal(found & safe, safe);
    /* after the check of every byte the count is right and the damage is told */
    assert_int_equal(scree_reader_verify(reader, &error), SCREE_OK);
    found = frames_found(reader, &readable);
    assert_int_equal(found & safe, safe);
    assert_int_equal(readable, scree_reader_info(reader)->frames);
    if (safe != (1u << FRAMES) - 1) {
      assert_true(scree_reader_info(reader)->damaged_chunks > 0);
      assert_true(scree_reader_info(reader)->damage[0]);
    }
    scree_reader_close(reader);
  }
}

/* Damage that checksums do not see: bytes of payloads changed and checksums made right again. */
static void lies_with_right_checksums_do_no_harm(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 3);
  volatile uint64_t touched = 0;
  unsigned char *saved = malloc(size);
  memcpy(saved, bytes, size);
  for (int i = 0; i < 3000; i++) {
    int k = (int)(sc_rng_next(&rng) % FRAMES);
    sc_chunk chunk;
    assert_true(sc_chunk_read_header(&chunk, bytes + frame_from[k]));
    unsigned char *payload = bytes + frame_from[k] + SC_CHUNK_HEADER;
    size_t spot = (size_t)(sc_rng_next(&rng) % (i % 2 ? 600 : chunk.stored)) % chunk.stored;
    payload[spot] = i % 3 ? (unsigned char)(payload[spot] ^ 1 << i % 8) : (unsigned char)sc_rng_next(&rng);
    /* the checksum of the payload, then that of the header, as a writer makes them; without the index
     * the file is walked */
    chunk.crc = (uint32_t)crc32(0, payload, (unsigned)chunk.stored);
    sc_chunk_write_header(&chunk, bytes + frame_from[k]);
    write_copy(frame_to[FRAMES - 1]);
    scree_reader *reader = scree_reader_open(copy, NULL);
    assert_non_null(reader);
    for (int64_t f = 0; f < scree_reader_info(reader)->frames; f++) {
      scree_error error;
      const scree_frame *frame = scree_reader_frame(reader, f, &error);
      if (!frame) assert_true(error.status == SCREE_E_FORMAT || error.status == SCREE_E_MEMORY);
      else
        touched ^= sc_hash(0, frame->position,
            frame->position ? (size_t)frame->bodies * 24 : 0); /* every byte must be ours */
    }
    scree_reader_close(reader);
    memcpy(bytes, saved, size);
  }
  free(saved);
  (void)touched;
}

/* Every write failing in every way: the error names path and reason, the frames that are durable can be
 * read. */
static void a_failing_disk_keeps_whole_frames(void **state) {
  (void)state;
  int codes[] = {ENOSPC, EIO, 0};
  for (int mode = 0; mode < 6; mode++) {
    bool finished = false;
    for (uint64_t nth = 1; !finished; nth++) {
      remove(copy);
      scree_trajectory_def def = def_of();
      def.background = mode / 3;
      scree_error error = {SCREE_OK, ""};
      int64_t durable = 0;
      sc_file_fail_at(nth, codes[mode % 3], mode % 3 == 1);
      scree_status status = write_flow(copy, &def, &durable, &error);
      sc_file_fail_at(0, 0, false);
      finished = status == SCREE_OK;
      if (!finished) {
        assert_int_equal(status, SCREE_E_IO);
        assert_non_null(strstr(error.text, copy));
        assert_non_null(strstr(error.text, codes[mode % 3] == EIO ? "Input/output error" : "No space left"));
      }
      if (!durable) continue;
      int64_t readable;
      scree_reader *reader = scree_reader_open(copy, &error);
      assert_non_null(reader);
      assert_true(scree_reader_info(reader)->frames >= durable);
      frames_found(reader, &readable);
      assert_true(readable >= durable);
      scree_reader_close(reader);
    }
  }
}

/* Every allocation failing once and from then on: an error, no crash, nothing leaked (the sanitizer
 * build sees to that). */
static void failing_memory_is_told(void **state) {
  (void)state;
  for (int mode = 0; mode < 4; mode++) {
    scree_status status = SCREE_E_MEMORY;
    for (uint64_t nth = 1; status; nth++) {
      remove(copy);
      scree_trajectory_def def = def_of();
      def.background = mode / 2;
      scree_error error;
      int64_t durable;
      sc_alloc_fail_at(nth, mode % 2);
      status = write_flow(copy, &def, &durable, &error);
      sc_alloc_fail_at(0, false);
      assert_true(status == SCREE_OK || status == SCREE_E_MEMORY);
    }
    status = SCREE_E_MEMORY;
    for (uint64_t nth = 1; status; nth++) {
      scree_error error = {SCREE_OK, ""};
      sc_alloc_fail_at(nth, mode % 2);
      scree_reader *reader = scree_reader_open(path, &error);
      for (int i = 0; reader && i < FRAMES && !error.status; i++) scree_reader_frame(reader, i, &error);
      scree_reader_close(reader);
      scree_writer *w = error.status
          ? NULL
          : scree_writer_append(copy, 3,
                &(scree_trajectory_def){.fields = 31, .precision = 1e-6, .level = 1, .key_every = KEY_EVERY},
                &error);
      if (w) scree_writer_close(w, &error);
      sc_alloc_fail_at(0, false);
      status = error.status;
      assert_true(status == SCREE_OK || status == SCREE_E_MEMORY);
    }
  }
}

/* A reader of a file that grows sees whole frames only. */
static void a_growing_file_shows_whole_frames(void **state) {
  (void)state;
  remove(copy);
  scree_trajectory_def def = def_of();
  scree_writer *w = scree_writer_open(copy, &def, NULL);
  flow *f = flow_create(GRAINS, 5);
  for (int i = 0; i < FRAMES; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    assert_int_equal(scree_writer_frame(w, &frame, NULL), SCREE_OK);
    assert_int_equal(scree_writer_flush(w, 0, NULL), SCREE_OK);
    int64_t readable;
    scree_reader *reader = scree_reader_open(copy, NULL);
    assert_int_equal(scree_reader_info(reader)->frames, i + 1);
    assert_int_equal(scree_reader_info(reader)->damaged_chunks, 0);
    frames_found(reader, &readable);
    assert_int_equal(readable, i + 1);
    scree_reader_close(reader);
  }
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
  flow_destroy(f);
}

/* Bytes that are too short for a header, or of another version, have no cell. */
static void other_bytes_have_no_cell(void **state) {
  (void)state;
  static const unsigned char zero[2 * SC_FRAME_HEADER];
  scree_cell cell;
  for (size_t count = 0; count <= sizeof zero; count++)
    assert_false(sc_frame_read_cell(count ? zero : NULL, count, &cell));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_prefix_gives_its_whole_frames),
      cmocka_unit_test(a_flipped_bit_never_gives_a_wrong_frame),
      cmocka_unit_test(lies_with_right_checksums_do_no_harm),
      cmocka_unit_test(a_failing_disk_keeps_whole_frames), cmocka_unit_test(failing_memory_is_told),
      cmocka_unit_test(a_growing_file_shows_whole_frames), cmocka_unit_test(other_bytes_have_no_cell)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
