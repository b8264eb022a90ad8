/* Edits of named sections, for the fuzzers behind checksums. The input is a list of edits: section (1 byte),
 * offset (2 bytes), length (1 byte), then so many bytes that go there. A length of 255 cuts the section off
 * at the offset instead; 254 puts the odd value there that the next byte names, of eight bytes or four. */
#ifndef FUZZ_EDITS_H
#define FUZZ_EDITS_H

#include <stdlib.h>
#include <string.h>

#include "io/trajectory/checkpoint.h"

/* Numbers that make no sense, as doubles or integers of eight bytes, or as the lower four of them. */
static inline void put_odd_value(sc_section *section, size_t offset, uint8_t which) {
  static const uint64_t odd[] = {0, 1, 2, 7, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 0x80000000,
      0xffffffffffffffff, 0x7ff8000000000000, 0x7ff0000000000000, 0xbff0000000000000, 0x7fefffffffffffff,
      0x3ff0000000000000, 0x8000000000000000};
  const size_t bytes = which & 16 ? 4 : 8;
  unsigned char value[8];
  sc_put_u64(value, odd[which % 16]);
  if (offset + bytes <= section->size) memcpy(section->bytes + offset, value, bytes);
}

/* Copies of all sections with the edits carried out; release with sc_sections_free. */
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
