/* One .npz for all frames. Each array concatenates the rows of all frames. With F frames the arrays are time
 * (F), step (F), first (F + 1), and id, position, ... with one row per body and frame. Rows first[k] to
 * first[k + 1] - 1 belong to frame k. contact_first does the same for rows of contacts.
 *
 * The length of an array is known only at the end, but the .npy header comes first. Therefore each array is
 * one deflate stream in memory. The header is a stored (uncompressed) block at the start of this stream. It
 * is made last. */
#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include "io/container/container.h"
#include "io/export/zip.h"

/* One array of the archive. */
typedef struct stack {
  const char *name, *type;
  int columns;
  int64_t rows;
  z_stream z; /* raw deflate; valid if `open` */
  bool open;
  sc_bytes packed; /* compressed rows so far */
  uLong crc;       /* CRC-32 of the uncompressed rows */
  uint64_t raw;    /* bytes of the uncompressed rows */
} stack;

enum { STACKS = 32 + SCREE_COLUMNS_MOST };
/* All arrays of an export. */
typedef struct single {
  stack stack[STACKS];
  int count;
  int64_t rows, contacts; /* numbers of bodies and contacts of all frames so far */
  bool failed;
} single;

/* Returns the array `name`, created at its first use. Returns NULL if out of memory or if there are STACKS
 * arrays. */
static stack *find_stack(single *all, const char *name, const char *type, int columns) {
  for (int k = 0; k < all->count; k++)
    if (!strcmp(all->stack[k].name, name)) return all->stack + k;
  if (all->count == STACKS) return NULL;
  stack *s = all->stack + all->count;
  *s = (stack){.name = name, .type = type, .columns = columns};
  s->open = deflateInit2(&s->z, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  if (!s->open) return NULL;
  all->count++;
  return s;
}

/* Compresses bytes into s->packed; flush Z_FINISH ends the stream. Returns false if out of memory. */
static bool deflate_bytes(stack *s, const void *bytes, size_t count, int flush) {
  enum { ROOM = 65536 };
  s->z.next_in = (Bytef *)bytes;
  s->z.avail_in = (uInt)count;
  int code;
  do {
    unsigned char *room = sc_bytes_take(&s->packed, ROOM);
    if (!room) return false;
    s->z.next_out = room, s->z.avail_out = ROOM;
    code = deflate(&s->z, flush);
    s->packed.count -= s->z.avail_out;
  } while (code == Z_OK && (s->z.avail_in || !s->z.avail_out || flush == Z_FINISH));
  return code == Z_OK || code == Z_BUF_ERROR || (flush == Z_FINISH && code == Z_STREAM_END);
}

/* Appends rows to the array `name`. rows -1: one number that belongs to the frame. to: the `single`. Sets its
 * member `failed` on failure. */
static void append_array(void *to, const char *name, const char *type, int64_t rows, int columns,
    const void *bytes, size_t width) {
  single *all = to;
  if (rows < 0) rows = 1;
  stack *s = all->failed ? NULL : find_stack(all, name, type, columns);
  if (!s) {
    all->failed = true;
    return;
  }
  const unsigned char *at = bytes;
  size_t left = (size_t)rows * (size_t)columns * width;
  s->rows += rows, s->raw += left;
  s->crc = crc32_z(s->crc, at, left);
  while (left && !all->failed) {
    size_t part = left < (1u << 30) ? left : 1u << 30;
    all->failed = !deflate_bytes(s, at, part, Z_NO_FLUSH);
    at += part, left -= part;
  }
}

static scree_status fail_too_large(scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY,
      "export: out of memory, or arrays of 4 GiB and more, which zip files cannot hold");
}

scree_status sc_npz_single_frame(sc_export *ex, scree_error *error) {
  const scree_frame *f = ex->frame;
  single *all = ex->own ? ex->own : (ex->own = sc_alloc(sizeof *all));
  if (!all) return sc_export_no_memory(error);
  const int64_t zero = 0;
  if (!ex->ordinal) append_array(all, "first", "<i8", 1, 1, &zero, 8);
  if (!ex->ordinal && ex->def->contacts) append_array(all, "contact_first", "<i8", 1, 1, &zero, 8);
  all->rows += f->bodies;
  append_array(all, "first", "<i8", 1, 1, &all->rows, 8);
  if (!sc_npz_bodies(ex, append_array, all)) all->failed = true;
  all->contacts += f->contacts;
  if (ex->def->contacts) append_array(all, "contact_first", "<i8", 1, 1, &all->contacts, 8);
  if (ex->def->contacts && !sc_npz_contacts(ex, append_array, all)) all->failed = true;
  return all->failed ? fail_too_large(error) : SCREE_OK;
}

/* Writes an array: its header as a stored block, then the compressed rows. */
static void put_stack(sc_zip *zip, stack *s) {
  unsigned char block[5 + SC_NPY_HEAD] = {0};
  char shape[64], member[80];
  if (s->columns == 1) snprintf(shape, sizeof shape, "(%lld,)", (long long)s->rows);
  else snprintf(shape, sizeof shape, "(%lld, %d)", (long long)s->rows, s->columns);
  size_t head = sc_npy_head(s->type, shape, block + 5);
  sc_put_u16(block + 1, (uint16_t)head);
  sc_put_u16(block + 3, (uint16_t)~head);
  if (!deflate_bytes(s, "", 0, Z_FINISH) || s->raw >= INT32_MAX * (uint64_t)2) {
    zip->failed = true;
    return;
  }
  uLong crc = crc32_combine(crc32_z(0, block + 5, head), s->crc, (z_off_t)s->raw);
  const sc_zip_part part[2] = {{block, 5 + head}, {s->packed.at, s->packed.count}};
  snprintf(member, sizeof member, "%s.npy", s->name);
  sc_zip_member(zip, member, (uint32_t)crc, head + s->raw, part);
}

scree_status sc_npz_single_end(sc_export *ex, scree_error *error) {
  single *all = ex->own;
  if (!all) return SCREE_OK;
  sc_zip zip = {.ex = ex};
  ex->last.count = 0;
  scree_status status = sc_export_open(ex, &zip.out, ".npz", false, error);
  if (status) return status;
  for (int k = 0; k < all->count && !zip.failed; k++) put_stack(&zip, all->stack + k);
  sc_zip_directory(&zip);
  if (!zip.failed) return sc_out_close(&zip.out, error);
  sc_out_abandon(&zip.out);
  return fail_too_large(error);
}

void sc_npz_single_forget(sc_export *ex) {
  single *all = ex->own;
  for (int k = 0; all && k < all->count; k++) {
    deflateEnd(&all->stack[k].z);
    sc_bytes_free(&all->stack[k].packed);
  }
  sc_free(all);
  ex->own = NULL;
}
