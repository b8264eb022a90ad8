/* NumPy archives for numpy.load: one .npz per frame, a zip file of .npy arrays (raw deflate).
 * export_npz_single.c writes one .npz for all frames. Every body is listed. Arrays have the names and shapes
 * of scree.frame: id (N), position (N,3), orientation (N,4) as (w,x,y,z), ... N: number of bodies. */
#include "io/export/export.h"
#include "io/export/zip.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include "io/container/container.h"

/* Compresses `raw` and adds it to the zip file as the member `name`. */
static void add_member(sc_zip *z, const char *name, const sc_bytes *raw) {
  sc_bytes packed = {0};
  /* zlib's stream without its 2-byte header and 4-byte checksum is a raw deflate stream */
  if (sc_deflate(&packed, raw->at, raw->count, 1)) {
    const sc_zip_part part[2] = {{packed.at + 2, packed.count - 6}, {NULL, 0}};
    sc_zip_member(z, name, (uint32_t)crc32_z(0, raw->at, raw->count), raw->count, part);
  } else z->failed = true;
  sc_bytes_free(&packed);
}

static void add_array(void *to, const char *name, const char *type, int64_t rows, int columns,
    const void *bytes, size_t width) {
  sc_zip *z = to;
  const size_t count = (size_t)(rows < 0 ? 1 : rows) * (size_t)columns * width;
  char shape[64], member[80];
  unsigned char head[SC_NPY_HEAD];
  if (rows < 0) strcpy(shape, "()");
  else if (columns == 1) snprintf(shape, sizeof shape, "(%lld,)", (long long)rows);
  else snprintf(shape, sizeof shape, "(%lld, %d)", (long long)rows, columns);
  sc_bytes *raw = &z->ex->scratch;
  raw->count = 0;
  size_t length = sc_npy_head(type, shape, head);
  if (!sc_bytes_add(raw, head, length) || !sc_bytes_add(raw, bytes, count)) {
    z->failed = true;
    return;
  }
  snprintf(member, sizeof member, "%s.npy", name);
  add_member(z, member, raw);
}

static scree_status write_npz_frame(sc_export *ex, scree_error *error) {
  if (ex->def->single) return sc_npz_single_frame(ex, error);
  sc_zip z = {.ex = ex};
  ex->last.count = 0;
  scree_status status = sc_export_open_numbered(ex, &z.out, "", ".npz", false, error);
  if (status) return status;
  if (!sc_npz_bodies(ex, add_array, &z)) z.failed = true;
  if (ex->def->contacts && !sc_npz_contacts(ex, add_array, &z)) z.failed = true;
  sc_zip_directory(&z);
  if (!z.failed) return sc_out_close(&z.out, error);
  sc_out_abandon(&z.out);
  return sc_fail(error, SCREE_E_MEMORY,
      "export: out of memory, or a frame of 4 GiB and more, which zip files cannot hold");
}

const sc_exporter sc_export_npz = {.name = "npz",
    .lists = true,
    .columns = true,
    .contacts = true,
    .frame = write_npz_frame,
    .end = sc_npz_single_end,
    .forget = sc_npz_single_forget};
