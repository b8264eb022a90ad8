/* NumPy archives: one .npz per frame, a zip file of .npy arrays (raw deflate), opened with numpy.load. Every body is listed; arrays
 * keep their names and shapes from scree.frame: id (N), position (N,3), orientation (N,4) as (w,x,y,z), ... */
#include "io/export.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include "io/container.h"

/* A zip file in the making: its central directory gathers in ex->last. */
typedef struct zip { sc_export *ex; sc_out out; int entries; bool failed; } zip;

enum { LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50, DOS_DATE = 0x21 /* 1980-01-01 */ };

/* The fields that local header and directory share, from "version needed" to "extra length". */
static void put_common(unsigned char *at, uint32_t crc, size_t packed, size_t raw, size_t name) {
  memset(at, 0, 26);
  sc_put_u16(at, 20);
  sc_put_u16(at + 4, 8); /* deflate */
  sc_put_u16(at + 8, DOS_DATE);
  sc_put_u32(at + 10, crc);
  sc_put_u32(at + 14, (uint32_t)packed);
  sc_put_u32(at + 18, (uint32_t)raw);
  sc_put_u16(at + 22, (uint16_t)name);
}

/* Adds a member; bytes are its raw contents. */
static void add_member(zip *z, const char *name, const sc_bytes *raw) {
  sc_bytes packed = {0};
  /* zlib's stream without its 2-byte head and 4-byte tail is a raw deflate stream */
  if (!sc_deflate(&packed, raw->at, raw->count, 1)) { z->failed = true; return; }
  size_t body = packed.count - 6, length = strlen(name);
  uint64_t place = sc_out_place(&z->out);
  unsigned char local[30], central[46] = {0};
  if (raw->count >= UINT32_MAX || place + body >= UINT32_MAX) { z->failed = true; sc_bytes_free(&packed); return; }
  sc_put_u32(local, LOCAL);
  put_common(local + 4, (uint32_t)crc32_z(0, raw->at, raw->count), body, raw->count, length);
  sc_out_bytes(&z->out, local, sizeof local);
  sc_out_bytes(&z->out, name, length);
  sc_out_bytes(&z->out, packed.at + 2, body);
  sc_put_u32(central, CENTRAL);
  sc_put_u16(central + 4, 20);
  memcpy(central + 6, local + 4, 26);
  sc_put_u32(central + 42, (uint32_t)place);
  if (!sc_bytes_add(&z->ex->last, central, sizeof central) || !sc_bytes_add(&z->ex->last, name, length)) z->failed = true;
  z->entries++;
  sc_bytes_free(&packed);
}

/* A .npy array: magic, version 1.0, a Python dictionary padded to a multiple of 64 bytes, the data. */
static void add_array(zip *z, const char *name, const char *type, int64_t rows, int columns, const void *bytes, size_t count) {
  char shape[64], header[192], member[64];
  if (rows < 0) strcpy(shape, "()");
  else if (columns == 1) snprintf(shape, sizeof shape, "(%lld,)", (long long)rows);
  else snprintf(shape, sizeof shape, "(%lld, %d)", (long long)rows, columns);
  int length = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape),
      padded = (10 + length + 1 + 63) / 64 * 64 - 10;
  sc_bytes *raw = &z->ex->scratch;
  raw->count = 0;
  unsigned char *at = sc_bytes_take(raw, 10 + (size_t)padded);
  if (!at) { z->failed = true; return; }
  memcpy(at, "\x93NUMPY\x01\x00", 8);
  sc_put_u16(at + 8, (uint16_t)padded);
  memset(at + 10, ' ', (size_t)padded);
  memcpy(at + 10, header, (size_t)length);
  at[10 + padded - 1] = '\n';
  if (!sc_bytes_add(raw, bytes, count)) { z->failed = true; return; }
  snprintf(member, sizeof member, "%s.npy", name);
  add_member(z, member, raw);
}

/* scree runs on little-endian machines with 8-byte doubles: arrays go out as they lie. */
static void add_doubles(zip *z, const char *name, const double *values, int columns) {
  int64_t rows = z->ex->frame->bodies;
  if (values) add_array(z, name, "<f8", rows, columns, values, (size_t)rows * (size_t)columns * 8);
}

static void add_bodies(zip *z) {
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
static void add_contact_column(zip *z, const char *name, const char *type, int columns, size_t offset) {
  const scree_frame *f = z->ex->frame;
  size_t width = 8 * (size_t)columns;
  unsigned char *rows = sc_alloc((size_t)f->contacts * width + 1);
  if (!rows) { z->failed = true; return; }
  for (int64_t i = 0; i < f->contacts; i++) memcpy(rows + (size_t)i * width, (const char *)(f->contact + i) + offset, width);
  add_array(z, name, type, f->contacts, columns, rows, (size_t)f->contacts * width);
  sc_free(rows);
}

static void add_contacts(zip *z) {
  add_contact_column(z, "contact_body1", "<u8", 1, offsetof(scree_frame_contact, body1));
  add_contact_column(z, "contact_body2", "<u8", 1, offsetof(scree_frame_contact, body2));
  add_contact_column(z, "contact_point", "<f8", 3, offsetof(scree_frame_contact, point));
  add_contact_column(z, "contact_normal", "<f8", 3, offsetof(scree_frame_contact, normal));
  add_contact_column(z, "contact_gap", "<f8", 1, offsetof(scree_frame_contact, gap));
  add_contact_column(z, "contact_impulse", "<f8", 3, offsetof(scree_frame_contact, impulse));
  if (z->ex->frame->forces) add_contact_column(z, "contact_force", "<f8", 3, offsetof(scree_frame_contact, force));
}

static void add_directory(zip *z) {
  unsigned char end[22] = {0};
  uint64_t place = sc_out_place(&z->out);
  sc_put_u32(end, END);
  sc_put_u16(end + 8, (uint16_t)z->entries);
  sc_put_u16(end + 10, (uint16_t)z->entries);
  sc_put_u32(end + 12, (uint32_t)z->ex->last.count);
  sc_put_u32(end + 16, (uint32_t)place);
  sc_out_bytes(&z->out, z->ex->last.at, z->ex->last.count);
  sc_out_bytes(&z->out, end, sizeof end);
}

static scree_status frame(sc_export *ex, scree_error *error) {
  zip z = {.ex = ex};
  ex->last.count = 0;
  scree_status status = sc_export_open_numbered(ex, &z.out, "", ".npz", false, error);
  if (status) return status;
  add_bodies(&z);
  if (ex->def->contacts) add_contacts(&z);
  add_directory(&z);
  if (!z.failed) return sc_out_close(&z.out, error);
  sc_out_abandon(&z.out);
  return sc_fail(error, SCREE_E_MEMORY, "export: out of memory, or a frame of 4 GiB and more, which zip files cannot hold");
}

const sc_exporter sc_export_npz = {.name = "npz", .frame = frame};
