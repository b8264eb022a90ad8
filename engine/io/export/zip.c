/* Members and directory of zip files (no zip64: nothing beyond 4 GiB), heads of .npy arrays. */
#include "io/export/zip.h"

#include <stdio.h>
#include <string.h>
#include "io/container/container.h"

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
