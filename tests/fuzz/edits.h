/* Edits named sections of a file, for fuzzers of code that reads files with correct checksums. The input is a
 * list of edits: section (1 byte), offset (2 bytes), length (1 byte), then `length` bytes that replace those
 * at the offset. Length 255: truncates the section at the offset. Length 254: writes an unusual value at the
 * offset; the next byte selects the value and its size, eight or four bytes. */
#ifndef FUZZ_EDITS_H
#define FUZZ_EDITS_H

#include <stdlib.h>
#include <string.h>

#include "io/trajectory/checkpoint.h"

/* Writes an unusual value at the offset of a section, such as NaN, infinity or the largest integer. which:
 * index of the value; if bit 16 is set, only its lower four bytes are written. Does nothing if the value does
 * not fit into the section. */
static inline void put_odd_value(sc_section *section, size_t offset, uint8_t which) {
  static const uint64_t odd[] = {0, 1, 2, 7, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 0x80000000,
      0xffffffffffffffff, 0x7ff8000000000000, 0x7ff0000000000000, 0xbff0000000000000, 0x7fefffffffffffff,
      0x3ff0000000000000, 0x8000000000000000};
  const size_t bytes = which & 16 ? 4 : 8;
  unsigned char value[8];
  sc_put_u64(value, odd[which % 16]);
  if (offset + bytes <= section->size) memcpy(section->bytes + offset, value, bytes);
}

/* Returns copies of all sections, with the edits applied. The caller frees them with sc_sections_free. */
static inline sc_sections edited_sections(const sc_sections *whole, const uint8_t *data, size_t size) {
  sc_sections out = {0};
  for (size_t k = 0; k < whole->count; k++)
    if (sc_section_write(&out, whole->row[k].name, whole->row[k].bytes, whole->row[k].size, NULL)) abort();
  while (size >= 4 && out.count) {
    sc_section *section = out.row + data[0] % out.count;
    size_t offset = sc_get_u16(data + 1), n = data[3];
    data += 4, size -= 4;
    if (n == 255) {
      if (offset < section->size) section->size = offset;
      continue;
    }
    if (n == 254 && size) {
      put_odd_value(section, offset, *data++), size--;
      continue;
    }
    if (n > size) n = size;
    if (offset + n <= section->size) memcpy(section->bytes + offset, data, n);
    data += n, size -= n;
  }
  return out;
}

#endif
