/* Images and PNG files. */
#include "draw/draw.h"
#include "io/container/file.h"
#include "io/container/out.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

scree_status scree_image_create(int width, int height, scree_image *image, scree_error *error) {
  SC_DEMAND(image, error, SCREE_E_ARGUMENT);
  *image = (scree_image){0};
  if (width < 1 || height < 1 || width > SCREE_IMAGE_MOST || height > SCREE_IMAGE_MOST)
    return sc_fail(error, SCREE_E_ARGUMENT, "an image has 1 to %d pixels a side, not %d x %d",
        SCREE_IMAGE_MOST, width, height);
  size_t bytes = 3 * (size_t)width * (size_t)height;
  unsigned char *rgb = sc_alloc(bytes);
  if (!rgb) return sc_fail(error, SCREE_E_MEMORY, "no memory for an image of %d x %d", width, height);
  memset(rgb, 255, bytes);
  *image = (scree_image){width, height, rgb};
  return SCREE_OK;
}

void scree_image_free(scree_image *image) {
  SC_DEMAND(image, NULL, );
  sc_free(image->rgb);
  *image = (scree_image){0};
}

/* ---- PNG ---- */

static void put_be32(unsigned char *at, uint32_t v) {
  for (int k = 0; k < 4; k++) at[k] = (unsigned char)(v >> (24 - 8 * k));
}

static void put_chunk(sc_out *out, const char *type, const unsigned char *bytes, size_t count) {
  unsigned char head[8], tail[4];
  put_be32(head, (uint32_t)count);
  memcpy(head + 4, type, 4);
  uLong crc = crc32(crc32(0, NULL, 0), head + 4, 4);
  put_be32(tail, (uint32_t)(count ? crc32(crc, bytes, (uInt)count) : crc));
  sc_out_bytes(out, head, 8);
  sc_out_bytes(out, bytes, count);
  sc_out_bytes(out, tail, 4);
}

/* Returns the prediction of PNG's Paeth filter. a, b, c: bytes to the left, above, and above on the left. */
static int predict_paeth(int a, int b, int c) {
  int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* Writes the number of a PNG filter and the filtered row to out, for the filter with the smallest sum of
 * absolute values: 1 left, 2 above, 4 Paeth. above: previous row, NULL for the first. out: bytes + 1 for the
 * result, then scratch. */
static void filter_row(
    const unsigned char *row, const unsigned char *above, size_t bytes, unsigned char *out) {
  static const int kinds[] = {1, 2, 4};
  unsigned char *best = out;
  long least = -1;
  for (int f = 0; f < 3; f++) {
    unsigned char *own = out + (size_t)(f + 1) * (bytes + 1);
    long sum = 0;
    own[0] = (unsigned char)kinds[f];
    for (size_t i = 0; i < bytes; i++) {
      int a = i >= 3 ? row[i - 3] : 0, b = above ? above[i] : 0, c = above && i >= 3 ? above[i - 3] : 0;
      own[i + 1] = (unsigned char)(row[i] - (f == 0 ? a : f == 1 ? b : predict_paeth(a, b, c)));
      sum += abs((signed char)own[i + 1]);
    }
    if (least < 0 || sum < least) least = sum, best = own;
  }
  memcpy(out, best, bytes + 1);
}

/* Returns all rows of an image, filtered and compressed. Sets *count to the number of bytes. Returns NULL if
 * out of memory. */
static unsigned char *pack_rows(const scree_image *m, size_t *count) {
  size_t bytes = 3 * (size_t)m->width, raw = (bytes + 1) * (size_t)m->height;
  uLongf packed = compressBound((uLong)raw);
  unsigned char *rows = sc_alloc(raw + 4 * (bytes + 1)), *out = rows ? sc_alloc(packed) : NULL;
  for (int y = 0; out && y < m->height; y++)
    filter_row(m->rgb + (size_t)y * bytes, y ? m->rgb + (size_t)(y - 1) * bytes : NULL, bytes,
        rows + (size_t)y * (bytes + 1));
  if (out && compress2(out, &packed, rows, (uLong)raw, 6) != Z_OK) sc_free(out), out = NULL;
  sc_free(rows);
  *count = packed;
  return out;
}

static scree_status put_png(const scree_image *m, const char *path, scree_error *error) {
  static const unsigned char magic[8] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
  unsigned char head[13] = {0};
  size_t count;
  sc_out out;
  unsigned char *bytes = pack_rows(m, &count);
  if (!bytes) return sc_fail(error, SCREE_E_MEMORY, "no memory for %s", path);
  scree_status status = sc_out_open(&out, path, false, error);
  if (status) return sc_free(bytes), status;
  put_be32(head, (uint32_t)m->width), put_be32(head + 4, (uint32_t)m->height);
  head[8] = 8, head[9] = 2; /* 8 bits per channel; colour type 2: red, green, blue */
  sc_out_bytes(&out, magic, 8);
  put_chunk(&out, "IHDR", head, 13);
  put_chunk(&out, "IDAT", bytes, count);
  put_chunk(&out, "IEND", NULL, 0);
  sc_free(bytes);
  return sc_out_close(&out, error);
}

scree_status scree_image_write(const scree_image *image, const char *path, scree_error *error) {
  SC_DEMAND(image && path, error, SCREE_E_ARGUMENT);
  size_t room = strlen(path) + 6;
  char *part = sc_alloc(room);
  if (!part) return sc_fail(error, SCREE_E_MEMORY, "no memory for a file name");
  snprintf(part, room, "%s.part", path);
  scree_status status = sc_file_check_target(AT_FDCWD, path, error);
  if (!status) status = put_png(image, part, error);
  if (!status && rename(part, path)) status = sc_fail(error, SCREE_E_IO, "cannot write %s", path);
  sc_free(part);
  return status;
}
