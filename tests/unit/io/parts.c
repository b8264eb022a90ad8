/* Frames in parts: the parts that several processes pack read back as the frame that one process would
 * have written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "io/trajectory/frame_codec.h"
#include "support/parts.h"

enum { GRAINS = 60, FRAMES = 24 };

/* Frames first..end - 1 of a flow, in parts or whole. */
static void write_frames(
    scree_writer *w, const scree_trajectory_def *def, int first, int end, bool in_parts) {
  flow *f = flow_create(GRAINS, 5);
  parts p;
  parts_open(&p, def, GRAINS);
  for (int i = 0; i < end; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    if (i < first) continue;
    if (in_parts) {
      parts_pack(&p, f, &frame, i);
      assert_int_equal(scree_writer_parts(w, p.bytes, p.count, NULL), SCREE_OK);
    } else {
      assert_int_equal(scree_writer_frame(w, &frame, NULL), SCREE_OK);
    }
  }
  parts_close(&p);
  flow_destroy(f);
}

static void write_file(const char *path, const scree_trajectory_def *def, bool in_parts) {
  scree_writer *w = scree_writer_open(path, def, NULL);
  assert_non_null(w);
  write_frames(w, def, 0, FRAMES, in_parts);
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
}

/* Contacts of parts come part by part. */
static int by_body(const void *a, const void *b) {
  uint64_t x = ((const scree_frame_contact *)a)->body1, y = ((const scree_frame_contact *)b)->body1;
  return (x > y) - (x < y);
}

static void same_contacts(scree_reader *a, scree_reader *b) {
  for (int i = 0; i < FRAMES; i++) {
    const scree_frame *x = scree_reader_frame(a, i, NULL), *y = scree_reader_frame(b, i, NULL);
    assert_int_equal(x->contacts, y->contacts);
    size_t size = (size_t)x->contacts * sizeof *x->contact;
    scree_frame_contact *sorted = malloc(size + 1);
    if (size) memcpy(sorted, y->contact, size);
    qsort(sorted, (size_t)x->contacts, sizeof *sorted, by_body);
    assert_memory_equal(x->contact, sorted, size);
    free(sorted);
  }
}

static void same_content(const char *whole, const char *in_parts) {
  scree_reader *a = scree_reader_open(whole, NULL), *b = scree_reader_open(in_parts, NULL);
  scree_comparison result;
  assert_non_null(b);
  assert_int_equal(scree_reader_info(b)->frames, FRAMES);
  assert_true(scree_reader_info(b)->complete);
  assert_int_equal(scree_reader_info(a)->total_bodies, scree_reader_info(b)->total_bodies);
  assert_int_equal(scree_compare(a, b, 0, &result, NULL), SCREE_OK);
  assert_true(result.same);
  same_contacts(a, b);
  scree_reader_close(a);
  scree_reader_close(b);
}

static void parts_are_the_whole(void **state) {
  (void)state;
  char folder[64], path[128], other[160];
  support_path(folder, path, "whole.scree");
  snprintf(other, sizeof other, "%s/parts.scree", folder);
  for (int rounded = 0; rounded < 2; rounded++) {
    scree_trajectory_def def = scree_trajectory_defaults();
    def.fields |= SCREE_FIELD_CONTACTS;
    def.precision = 1e-7 * rounded, def.key_every = 5;
    write_file(path, &def, false);
    write_file(other, &def, true);
    same_content(path, other);
    remove(path), remove(other);
  }
  support_clean(folder);
}

/* A file goes on in the other way at any frame, with other processes or with one. Exact: key frames, and
 * with them quanta, come elsewhere. */
static void going_on_the_other_way(void **state) {
  (void)state;
  char folder[64], path[128], other[160];
  support_path(folder, path, "whole.scree");
  snprintf(other, sizeof other, "%s/parts.scree", folder);
  scree_trajectory_def def = scree_trajectory_defaults();
  def.key_every = 5;
  write_file(path, &def, false);
  for (int cut = 0; cut < FRAMES; cut += 3)
    for (int kind = 1; kind < 4; kind++) { /* 1: parts first, 2: parts last, 3: always */
      scree_writer *w = scree_writer_open(other, &def, NULL);
      write_frames(w, &def, 0, cut, kind & 1);
      scree_writer_close(w, NULL);
      w = scree_writer_append(other, cut, &def, NULL);
      assert_non_null(w);
      write_frames(w, &def, cut, FRAMES, kind & 2);
      assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
      same_content(path, other);
      remove(other);
    }
  support_clean(folder);
}

/* Payloads that contradict themselves are told from sound ones. */
static void wrong_parts_are_refused(void **state) {
  (void)state;
  scree_trajectory_def def = scree_trajectory_defaults();
  sc_frame_codec joint = {0}, codec = {0};
  flow *f = flow_create(GRAINS, 5);
  parts p;
  int64_t bodies;
  bool key;
  parts_open(&p, &def, GRAINS);
  scree_frame frame = flow_frame(f);
  parts_pack(&p, f, &frame, 0);
  assert_int_equal(sc_frame_join(&joint, p.bytes, p.count, 0, &bodies, &key, NULL), SCREE_OK);
  assert_true(key && bodies == f->count);
  assert_int_equal(sc_frame_join(&codec, p.bytes, p.count - 1, 0, &bodies, &key, NULL), SCREE_E_ARGUMENT);
  assert_int_equal(sc_frame_join(&codec, p.bytes, 0, 0, &bodies, &key, NULL), SCREE_E_ARGUMENT);
  unsigned char *bytes = joint.payload.at;
  size_t count = joint.payload.count;
  assert_int_equal(sc_frame_decode(&codec, bytes, count, 0, NULL), SCREE_OK);
  assert_int_equal(sc_frame_decode(&codec, bytes, count, 1, NULL), SCREE_E_FORMAT);
  assert_int_equal(sc_frame_decode(&codec, bytes, count - 1, 0, NULL), SCREE_E_FORMAT);
  sc_put_u32(bytes + 56, PARTS + 1);
  assert_int_equal(sc_frame_decode(&codec, bytes, count, 0, NULL), SCREE_E_FORMAT);
  sc_put_u32(bytes + 56, UINT32_MAX);
  assert_int_equal(sc_frame_decode(&codec, bytes, count, 0, NULL), SCREE_E_FORMAT);
  sc_put_u32(bytes + 56, PARTS);
  /* the same part twice: its bodies are there twice */
  size_t first = (size_t)sc_get_u64(p.bytes) + 8;
  unsigned char *twice = malloc(2 * first);
  memcpy(twice, p.bytes, first), memcpy(twice + first, p.bytes, first);
  assert_int_equal(sc_frame_join(&joint, twice, 2 * first, 0, &bodies, &key, NULL), SCREE_OK);
  assert_int_equal(sc_frame_decode(&codec, joint.payload.at, joint.payload.count, 0, NULL), SCREE_E_FORMAT);
  /* a frame that goes on from another number of parts */
  flow_advance(f);
  frame = flow_frame(f);
  parts_pack(&p, f, &frame, 1);
  assert_int_equal(sc_frame_join(&joint, p.bytes, p.count, 1, &bodies, &key, NULL), SCREE_OK);
  assert_false(key);
  assert_int_equal(sc_frame_decode(&codec, joint.payload.at, joint.payload.count, 1, NULL), SCREE_E_FORMAT);
  free(twice);
  parts_close(&p);
  flow_destroy(f);
  sc_frame_codec_free(&joint);
  sc_frame_codec_free(&codec);
}

/* Hulls get the places that the file has for them. */
static void hulls_are_named(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "t.scree");
  scree_trajectory_def def = scree_trajectory_defaults();
  scree_writer *w = scree_writer_open(path, &def, NULL);
  flow *f = flow_create(GRAINS, 5);
  parts p;
  parts_open(&p, &def, GRAINS);
  scree_geometry *hull[2];
  const double corner[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}},
               other[4][3] = {{2, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  hull[0] = scree_geometry_hull(corner, 4, NULL), hull[1] = scree_geometry_hull(other, 4, NULL);
  for (int i = 0; i < 8; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    for (int k = 0; k < 2; k++)
      for (int part = 0; part < PARTS && i == 3 * k; part++)
        assert_int_equal(
            scree_packer_name(p.packer[part], hull[k], scree_writer_place(w, hull[k], NULL), NULL), SCREE_OK);
    for (int64_t s = 0; s < f->shapes; s++)
      if (f->shape[s].type == SCREE_SPHERE && i >= 3 * (int)(f->shape[s].body % 2))
        f->shape[s].type = SCREE_HULL, f->shape[s].geometry = hull[f->shape[s].body % 2];
    parts_pack(&p, f, &frame, i);
    assert_int_equal(scree_writer_parts(w, p.bytes, p.count, NULL), SCREE_OK);
  }
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
  parts_close(&p);
  flow_destroy(f);
  scree_reader *reader = scree_reader_open(path, NULL);
  for (int i = 7; i >= 0; i--) {
    const scree_frame *frame = scree_reader_frame(reader, i, NULL);
    assert_non_null(frame);
    for (int64_t s = 0; s < frame->shapes; s++) {
      if (frame->shape[s].type != SCREE_HULL) continue;
      scree_geometry_info info;
      assert_non_null(frame->shape[s].geometry);
      scree_geometry_get_info(frame->shape[s].geometry, &info);
      assert_true(fabs(info.volume * 6 - (double)(1 + frame->shape[s].body % 2)) < 1e-12);
    }
  }
  scree_reader_close(reader);
  /* one that has no place is refused */
  const void *bytes;
  size_t count;
  scree_packer *packer = scree_packer_create(&def, NULL);
  scree_shape_info shape = {.body = 1, .type = SCREE_HULL, .geometry = hull[0], .orientation = {1, 0, 0, 0}};
  scree_frame frame = {.bodies = 1,
      .id = (const uint64_t[]){1},
      .group = (const int64_t[]){0},
      .kind = (const uint8_t[]){0},
      .radius = (const double[]){1},
      .mass = (const double[]){1},
      .shapes = 1,
      .shape = &shape};
  assert_int_equal(
      scree_packer_frame(packer, &frame, 0, (const double[SCREE_FRAME_LARGEST]){1, 1}, &bytes, &count, NULL),
      SCREE_E_ARGUMENT);
  scree_packer_destroy(packer);
  scree_geometry_release(hull[0]), scree_geometry_release(hull[1]);
  support_clean(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_the_whole),
      cmocka_unit_test(going_on_the_other_way), cmocka_unit_test(wrong_parts_are_refused),
      cmocka_unit_test(hulls_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
