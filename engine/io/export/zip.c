/* Writes members and directory of zip files (not zip64: files below 4 GiB), and lists the arrays of
 * a frame. */
#include "io/export/zip.h"

#include <stdio.h>
#include <string.h>
#include "io/container/container.h"

enum { LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50, DOS_DATE = 0x21 /* 1980-01-01 */ };

/* Writes the fields that the local header and the directory entry of a member share, from "version needed" to
 * "extra length". */
static void put_common(unsigned char *at, uint32_t crc, size_t packed, size_t raw, size_t name) {
  memset(at, 0, 26);
  sc_put_u16(at, 20);
  sc_put_u16(at + 4, 8); /* method: deflate */
  sc_put_u16(at + 8, DOS_DATE);
  sc_put_u32(at + 10, crc);
  sc_put_u32(at + 14, (uint32_t)packed);
  sc_put_u32(at + 18, (uint32_t)raw);
  sc_put_u16(at + 22, (uint16_t)name);
}

void sc_zip_member(sc_zip *z, const char *name, uint32_t crc, uint64_t raw, const sc_zip_part part[2]) {
  SC_ASSERT(z && name && part);
  size_t body = part[0].count + part[1].count, length = strlen(name);
  uint64_t place = sc_out_place(&z->out);
  unsigned char local[30], central[46] = {0};
  if (raw >= UINT32_MAX || place + body >= UINT32_MAX) {
    z->failed = true;
    return;
  }
  sc_put_u32(local, LOCAL);
  put_common(local + 4, crc, body, raw, length);
  sc_out_bytes(&z->out, local, sizeof local);
  sc_out_bytes(&z->out, name, length);
  for (int k = 0; k < 2; k++) sc_out_bytes(&z->out, part[k].bytes, part[k].count);
  sc_put_u32(central, CENTRAL);
  sc_put_u16(central + 4, 20);
  memcpy(central + 6, local + 4, 26);
  sc_put_u32(central + 42, (uint32_t)place);
  if (!sc_bytes_add(&z->ex->last, central, sizeof central) || !sc_bytes_add(&z->ex->last, name, length))
    z->failed = true;
  z->entries++;
}

void sc_zip_directory(sc_zip *z) {
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

size_t sc_npy_head(const char *type, const char *shape, unsigned char head[SC_NPY_HEAD]) {
  char text[SC_NPY_HEAD];
  int length = snprintf(
          text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape),
      padded = (10 + length + 1 + 63) / 64 * 64 - 10;
  memcpy(head, "\x93NUMPY\x01\x00", 8);
  sc_put_u16(head + 8, (uint16_t)padded);
  memset(head + 10, ' ', (size_t)padded);
  memcpy(head + 10, text, (size_t)length);
  head[10 + padded - 1] = '\n';
  return 10 + (size_t)padded;
}

/* ---- the arrays of a frame ---- */

/* Passes arrays to put with the bytes that they have in memory: scree supports only little-endian machines
 * with 8-byte doubles. */
bool sc_npz_bodies(sc_export *ex, sc_npz_put put, void *to) {
  const scree_frame *f = ex->frame;
  const struct {
    int field;
    const char *name;
    const double *values;
    int columns;
  } numbers[] = {{0, "radius", f->radius, 1}, {0, "mass", f->mass, 1},
      {SCREE_FIELD_POSITION, "position", f->position, 3},
      {SCREE_FIELD_ORIENTATION, "orientation", f->orientation, 4},
      {SCREE_FIELD_VELOCITY, "velocity", f->velocity, 3}, {SCREE_FIELD_SPIN, "spin", f->spin, 3}};
  put(to, "time", "<f8", -1, 1, &f->time, 8);
  put(to, "step", "<i8", -1, 1, &f->step, 8);
  put(to, "id", "<u8", f->bodies, 1, f->id, 8);
  if (ex->clump) put(to, "clump", "<u8", f->bodies, 1, ex->clump, 8);
  put(to, "group", "<i8", f->bodies, 1, f->group, 8);
  put(to, "kind", "|u1", f->bodies, 1, f->kind, 1);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (numbers[i].values && (ex->fields & numbers[i].field) == numbers[i].field)
      put(to, numbers[i].name, "<f8", f->bodies, numbers[i].columns, numbers[i].values, 8);
  const char *name;
  for (int32_t k = 0, components; k < f->columns; k += components) {
    components = sc_export_components(ex, k, &name);
    const double *value = sc_export_column(ex, k, components);
    if (!value) return false;
    put(to, name, "<f8", f->bodies, components, value, 8);
  }
  return true;
}

#define CONTACT(member) offsetof(scree_frame_contact, member)
bool sc_npz_contacts(const sc_export *ex, sc_npz_put put, void *to) {
  const scree_frame *f = ex->frame;
  const struct {
    bool wanted;
    const char *name, *type;
    int columns;
    size_t offset;
  } column[] = {{true, "contact_body1", "<u8", 1, CONTACT(body1)},
      {true, "contact_body2", "<u8", 1, CONTACT(body2)}, {true, "contact_point", "<f8", 3, CONTACT(point)},
      {true, "contact_normal", "<f8", 3, CONTACT(normal)}, {true, "contact_gap", "<f8", 1, CONTACT(gap)},
      {true, "contact_impulse", "<f8", 3, CONTACT(impulse)},
      {f->images, "contact_image", "<i8", 3, CONTACT(image)},
      {f->forces, "contact_compatible", "<f8", 3, CONTACT(force)}};
  unsigned char *rows = sc_alloc((size_t)f->contacts * 24 + 1);
  for (size_t k = 0; rows && k < sizeof column / sizeof *column; k++) {
    const size_t width = 8 * (size_t)column[k].columns;
    for (int64_t i = 0; i < f->contacts; i++)
      memcpy(rows + (size_t)i * width, (const char *)(f->contact + i) + column[k].offset, width);
    if (column[k].wanted) put(to, column[k].name, column[k].type, f->contacts, column[k].columns, rows, 8);
  }
  const struct {
    const char *name;
    int columns;
    size_t offset;
  } load[] = {{"contact_force", 3, offsetof(sc_contact_load, force)},
      {"contact_force_n", 1, offsetof(sc_contact_load, normal)},
      {"contact_friction", 3, offsetof(sc_contact_load, friction)},
      {"contact_moment", 3, offsetof(sc_contact_load, moment)}};
  for (size_t k = 0; rows && f->dt > 0 && k < sizeof load / sizeof *load; k++) {
    const size_t width = 8 * (size_t)load[k].columns;
    for (int64_t i = 0; i < f->contacts; i++) {
      const sc_contact_load values = sc_export_contact_load(f->contact + i, f->dt);
      memcpy(rows + (size_t)i * width, (const char *)&values + load[k].offset, width);
    }
    put(to, load[k].name, "<f8", f->contacts, load[k].columns, rows, 8);
  }
  sc_free(rows);
  return rows != NULL;
}
