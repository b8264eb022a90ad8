/* NumPy archives: one .npz per frame (export_npz_single.c: one for all), a zip file of .npy arrays (raw
 * deflate), opened with numpy.load. Every body is listed; arrays keep their names and shapes from
 * scree.frame: id (N), position (N,3), orientation (N,4) as (w,x,y,z), ... */
#include "io/export/export.h"
#include "io/export/zip.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include "io/container/container.h"

/* Adds a member; bytes are its raw contents. */
static void add_member(sc_zip *z, const char *name, const sc_bytes *raw) {
  sc_bytes packed = {0};
  /* zlib's stream without its 2-byte head and 4-byte tail is a raw deflate stream */
  if (sc_deflate(&packed, raw->at, raw->count, 1)) {
    const sc_zip_part part[2] = {{packed.at + 2, packed.count - 6}, {NULL, 0}};
    sc_zip_member(z, name, (uint32_t)crc32_z(0, raw->at, raw->count), raw->count, part);
  } else z->failed = true;
  sc_bytes_free(&packed);
}

static void add_array(sc_zip *z, const char *name, const char *type, int64_t rows, int columns,
    const void *bytes, size_t count) {
  char shape[64], member[64];
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

/* scree runs on little-endian machines with 8-byte doubles: arrays go out as they lie. */
static void add_doubles(sc_zip *z, const char *name, const double *values, int columns) {
  int64_t rows = z->ex->frame->bodies;
  if (values) add_array(z, name, "<f8", rows, columns, values, (size_t)rows * (size_t)columns * 8);
}

static void add_bodies(sc_zip *z) {
  const scree_frame *f = z->ex->frame;
  int fields = z->ex->fields;
  add_array(z, "time", "<f8", -1, 1, &f->time, 8);
  add_array(z, "step", "<i8", -1, 1, &f->step, 8);
  add_array(z, "id", "<u8", f->bodies, 1, f->id, (size_t)f->bodies * 8);
  add_array(z, "group", "<i8", f->bodies, 1, f->group, (size_t)f->bodies * 8);
  add_array(z, "kind", "|u1", f->bodies, 1, f->kind, (size_t)f->bodies);
  add_doubles(z, "radius", f->radius, 1);
  add_doubles(z, "mass", f->mass, 1);
  add_doubles(z, "position", fields & SCREE_FIELD_POSITION ? f->position : NULL, 3);
  add_doubles(z, "orientation", fields & SCREE_FIELD_ORIENTATION ? f->orientation : NULL, 4);
  add_doubles(z, "velocity", fields & SCREE_FIELD_VELOCITY ? f->velocity : NULL, 3);
  add_doubles(z, "spin", fields & SCREE_FIELD_SPIN ? f->spin : NULL, 3);
}

/* One column of the contacts, gathered from their rows. */
static void add_contact_column(sc_zip *z, const char *name, const char *type, int columns, size_t offset) {
  const scree_frame *f = z->ex->frame;
  size_t width = 8 * (size_t)columns;
  unsigned char *rows = sc_alloc((size_t)f->contacts * width + 1);
  if (!rows) {
    z->failed = true;
    return;
  }
  for (int64_t i = 0; i < f->contacts; i++)
    memcpy(rows + (size_t)i * width, (const char *)(f->contact + i) + offset, width);
  add_array(z, name, type, f->contacts, columns, rows, (size_t)f->contacts * width);
  sc_free(rows);
}

static void add_contacts(sc_zip *z) {
  add_contact_column(z, "contact_body1", "<u8", 1, offsetof(scree_frame_contact, body1));
  add_contact_column(z, "contact_body2", "<u8", 1, offsetof(scree_frame_contact, body2));
  add_contact_column(z, "contact_point", "<f8", 3, offsetof(scree_frame_contact, point));
  add_contact_column(z, "contact_normal", "<f8", 3, offsetof(scree_frame_contact, normal));
  add_contact_column(z, "contact_gap", "<f8", 1, offsetof(scree_frame_contact, gap));
  add_contact_column(z, "contact_impulse", "<f8", 3, offsetof(scree_frame_contact, impulse));
  if (z->ex->frame->images)
    add_contact_column(z, "contact_image", "<i8", 3, offsetof(scree_frame_contact, image));
  if (z->ex->frame->forces)
    add_contact_column(z, "contact_force", "<f8", 3, offsetof(scree_frame_contact, force));
}

static scree_status frame(sc_export *ex, scree_error *error) {
  if (ex->def->single) return sc_npz_single_frame(ex, error);
  sc_zip z = {.ex = ex};
  ex->last.count = 0;
  scree_status status = sc_export_open_numbered(ex, &z.out, "", ".npz", false, error);
  if (status) return status;
  add_bodies(&z);
  if (ex->def->contacts) add_contacts(&z);
  sc_zip_directory(&z);
  if (!z.failed) return sc_out_close(&z.out, error);
  sc_out_abandon(&z.out);
  return sc_fail(error, SCREE_E_MEMORY,
      "export: out of memory, or a frame of 4 GiB and more, which zip files cannot hold");
}

const sc_exporter sc_export_npz = {
    .name = "npz", .frame = frame, .end = sc_npz_single_end, .forget = sc_npz_single_forget};
