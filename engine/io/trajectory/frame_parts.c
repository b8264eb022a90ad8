/* Frames in parts: one payload joined from the payloads of several processes. Each process has some of the
 * bodies and contacts, and its own last frame. A body that moves from one process to another is a removed
 * body in one part and a new body in another part. Readers see the union of all parts, sorted by id. In the
 * payload, the number of bytes of a part precedes the part. docs/file-format.md describes the layout. */
#include "io/trajectory/frame_codec.h"

#include <stdlib.h>
#include <string.h>

enum { LENGTH = 8 }; /* size of the number before a part [bytes] */

/* ---- joining ---- */

/* Sets *part and *count to the address and size of the next part, and moves *at past the part. Returns false
 * if there is no complete part. */
static bool next_part(
    const unsigned char **at, const unsigned char *end, const unsigned char **part, size_t *count) {
  if ((size_t)(end - *at) < LENGTH) return false;
  uint64_t bytes = sc_get_u64(*at);
  if (bytes < SC_FRAME_HEADER || bytes > (uint64_t)(end - *at) - LENGTH) return false;
  *part = *at + LENGTH, *count = (size_t)bytes;
  *at += LENGTH + bytes;
  return true;
}

scree_status sc_frame_join(sc_frame_codec *codec, const unsigned char *parts, size_t count, int64_t number,
    int64_t *bodies, bool *key, scree_error *error) {
  SC_ASSERT(codec && (parts || !count) && bodies && key);
  const unsigned char *at = parts, *end = parts + count, *part;
  uint64_t sum[3] = {0, 0, 0}; /* numbers of bodies, shapes, contacts of all parts */
  uint32_t found = 0, flags = SC_FRAME_KEY;
  codec->payload.count = 0;
  if (!sc_bytes_take(&codec->payload, SC_FRAME_HEADER) || !sc_bytes_add(&codec->payload, parts, count))
    return sc_fail(error, SCREE_E_MEMORY, "out of memory for a frame");
  for (size_t bytes; at < end; found++) {
    if (!next_part(&at, end, &part, &bytes))
      return sc_fail(error, SCREE_E_ARGUMENT, "the parts of a frame do not add up");
    if (!(sc_get_u32(part + 4) & SC_FRAME_KEY)) flags = 0;
    for (int k = 0; k < 3; k++) sum[k] += sc_get_u64(part + 32 + 8 * k);
  }
  if (!found) return sc_fail(error, SCREE_E_ARGUMENT, "a frame has no parts");
  unsigned char *head = codec->payload.at;
  /* time and step are those of the first part */
  memcpy(head, head + SC_FRAME_HEADER + LENGTH, SC_FRAME_HEADER);
  sc_put_u32(head, SC_FRAME_PARTS_VERSION);
  sc_put_u32(head + 4, flags | SC_FRAME_PARTS);
  sc_put_u64(head + 24, (uint64_t)number);
  for (int k = 0; k < 3; k++) sc_put_u64(head + 32 + 8 * k, sum[k]);
  sc_put_u32(head + 56, found);
  *bodies = (int64_t)sum[0], *key = flags & SC_FRAME_KEY;
  return SCREE_OK;
}

/* ---- decoding the parts ---- */

/* Sets the number of codecs of parts. Existing codecs are not changed. Returns false if out of memory. */
static bool set_parts(sc_frame_codec *codec, int64_t parts) {
  while (codec->parts > parts) sc_frame_codec_free(codec->part + --codec->parts);
  if (codec->parts == parts) return true;
  sc_frame_codec *more = sc_realloc(codec->part, (size_t)parts * sizeof *more);
  if (!more) return false;
  memset(more + codec->parts, 0, (size_t)(parts - codec->parts) * sizeof *more);
  codec->part = more, codec->parts = parts;
  return true;
}

static scree_status decode_each(sc_frame_codec *codec, const unsigned char *at, const unsigned char *end,
    int64_t number, scree_error *error) {
  scree_status status = SCREE_OK;
  for (int64_t i = 0; i < codec->parts && !status; i++) {
    const unsigned char *part;
    size_t count;
    if (!next_part(&at, end, &part, &count))
      return sc_fail(error, SCREE_E_FORMAT, "a part of the frame ends too early");
    sc_frame_codec *own = codec->part + i;
    own->geometries = codec->geometries; /* lent to the codec of the part while it decodes */
    own->fields = codec->fields;
    status = sc_frame_decode_one(own, part, count, number, error);
    memset(&own->geometries, 0, sizeof own->geometries);
  }
  return status;
}

static const scree_frame *frame_of(const sc_frame_codec *codec) { return &codec->store[codec->last].frame; }

/* ---- the union ---- */

typedef struct place {
  uint64_t id;
  int64_t part, row, shape; /* index of the body's part; its row and its first shape in this part */
} place;

static int compare_ids(const void *a, const void *b) {
  uint64_t x = ((const place *)a)->id, y = ((const place *)b)->id;
  return (x > y) - (x < y);
}

/* Fills `order` with the bodies of all parts, sorted by id. */
static void sort_bodies(const sc_frame_codec *codec, place *order) {
  int64_t n = 0;
  for (int64_t i = 0; i < codec->parts; i++) {
    const scree_frame *f = frame_of(codec->part + i);
    int64_t shape = 0;
    for (int64_t row = 0; row < f->bodies; row++) {
      order[n++] = (place){f->id[row], i, row, shape};
      while (shape < f->shapes && f->shape[shape].body == f->id[row]) shape++;
    }
  }
  if (n > 1) qsort(order, (size_t)n, sizeof *order, compare_ids);
}

/* Sums the numbers of bodies, shapes and contacts of all parts. Sets *forces to 1 if a part has compatible
 * forces, else 0. Returns the fields that all parts with bodies have. */
static int count_all(
    const sc_frame_codec *codec, int64_t *bodies, int64_t *shapes, int64_t *contacts, int *forces) {
  int fields = SCREE_FIELD_DEFAULT;
  *bodies = *shapes = *contacts = 0, *forces = 0;
  for (int64_t i = 0; i < codec->parts; i++) {
    const scree_frame *f = frame_of(codec->part + i);
    *bodies += f->bodies, *shapes += f->shapes, *contacts += f->contacts, *forces |= f->forces;
    if (f->bodies) fields &= sc_frame_fields(f);
  }
  return fields;
}

/* Sets the cell of the united frame, which is that of the first part. Its contacts have images only if the
 * contacts of all parts have images. */
static void set_cell(const sc_frame_codec *codec, scree_frame *out) {
  const scree_frame *first = frame_of(codec->part);
  out->has_cell = out->images = first->has_cell, out->cell = first->cell;
  for (int64_t i = 0; i < codec->parts; i++) {
    const scree_frame *f = frame_of(codec->part + i);
    if (f->contacts && !f->images) out->images = 0;
  }
}

/* Returns whether any part has inertias. */
static bool has_inertia(const sc_frame_codec *codec) {
  for (int64_t i = 0; i < codec->parts; i++)
    if (frame_of(codec->part + i)->inertia) return true;
  return false;
}

static bool has_same_columns(const sc_frame_codec *codec) {
  const scree_frame *first = frame_of(codec->part);
  for (int64_t i = 1; i < codec->parts; i++)
    if (!sc_frame_same_columns(frame_of(codec->part + i), first)) return false;
  return true;
}

static scree_status unite_parts(sc_frame_codec *codec, sc_frame_store *out, scree_error *error) {
  int64_t bodies, shapes, contacts, s = 0, c = 0;
  if (!has_same_columns(codec))
    return sc_fail(error, SCREE_E_FORMAT, "the parts of the frame have different columns");
  int forces, fields = count_all(codec, &bodies, &shapes, &contacts, &forces);
  place *order = sc_alloc(((size_t)bodies + 1) * sizeof *order);
  const scree_frame *first = frame_of(codec->part);
  if (!order || !sc_frame_store_shape(out, bodies, shapes, contacts, fields) ||
      !sc_frame_store_columns(out, first->column, first->columns) ||
      (has_inertia(codec) && !sc_frame_store_inertia(out))) {
    sc_free(order);
    return sc_fail(error, SCREE_E_MEMORY, "out of memory for a frame");
  }
  sort_bodies(codec, order);
  bool twice = false;
  for (int64_t r = 0; r < bodies; r++) {
    const scree_frame *f = frame_of(codec->part + order[r].part);
    twice |= r > 0 && order[r].id == order[r - 1].id;
    sc_frame_store_copy_body(out, r, f, order[r].row);
    for (int64_t k = order[r].shape; k < f->shapes && f->shape[k].body == order[r].id; k++)
      out->shape[s++] = f->shape[k];
  }
  for (int64_t i = 0; i < codec->parts; i++) {
    const scree_frame *f = frame_of(codec->part + i);
    if (f->contacts) memcpy(out->contact + c, f->contact, (size_t)f->contacts * sizeof *f->contact);
    c += f->contacts;
  }
  out->frame.forces = forces;
  set_cell(codec, &out->frame);
  sc_free(order);
  return twice || s != shapes ? sc_fail(error, SCREE_E_FORMAT, "a body is in two parts of the frame")
                              : SCREE_OK;
}

static scree_status decode_all_parts(
    sc_frame_codec *codec, const unsigned char *bytes, size_t count, int64_t number, scree_error *error) {
  uint32_t flags = sc_get_u32(bytes + 4);
  int64_t parts = (int64_t)sc_get_u32(bytes + 56);
  if ((int64_t)sc_get_u64(bytes + 24) != number)
    return sc_fail(error, SCREE_E_FORMAT, "the frame has another number than its chunk");
  if (parts < 1 || (uint64_t)parts > (count - SC_FRAME_HEADER) / (LENGTH + SC_FRAME_HEADER))
    return sc_fail(error, SCREE_E_FORMAT, "the frame counts more parts than it holds");
  if (!(flags & SC_FRAME_KEY) && (!codec->valid || codec->number != number - 1 || codec->parts != parts))
    return sc_fail(error, SCREE_E_FORMAT, "the frame needs the one before it");
  if (!set_parts(codec, parts)) return sc_fail(error, SCREE_E_MEMORY, "out of memory for a frame");
  scree_status status = decode_each(codec, bytes + SC_FRAME_HEADER, bytes + count, number, error);
  return status ? status : unite_parts(codec, &codec->store[!codec->last], error);
}

static scree_status decode_parts(
    sc_frame_codec *codec, const unsigned char *bytes, size_t count, int64_t number, scree_error *error) {
  scree_status status = decode_all_parts(codec, bytes, count, number, error);
  codec->valid = !status;
  if (status) return status;
  codec->last = !codec->last;
  codec->number = number;
  codec->store[codec->last].frame.time = sc_from_bits(sc_get_u64(bytes + 8));
  codec->store[codec->last].frame.step = (int64_t)sc_get_u64(bytes + 16);
  codec->store[codec->last].frame.dt = sc_from_bits(sc_get_u64(bytes + 64));
  memcpy(codec->quantum, codec->part[0].quantum, sizeof codec->quantum);
  return SCREE_OK;
}

scree_status sc_frame_decode(
    sc_frame_codec *codec, const unsigned char *bytes, size_t count, int64_t number, scree_error *error) {
  SC_ASSERT(codec && (bytes || !count));
  bool in_parts = count >= SC_FRAME_HEADER && sc_get_u32(bytes) == SC_FRAME_PARTS_VERSION;
  return (in_parts ? decode_parts : sc_frame_decode_one)(codec, bytes, count, number, error);
}
