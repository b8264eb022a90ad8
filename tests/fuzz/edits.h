/* Edits of named sections, for the fuzzers behind checksums. The input is a list of edits: section (1 byte),
 * offset (2 bytes), length (1 byte), then so many bytes that go there; a length of 255 cuts the section off
 * at the offset instead. */
#ifndef FUZZ_EDITS_H
#define FUZZ_EDITS_H

#include <stdlib.h>
#include <string.h>

#include "io/trajectory/checkpoint.h"

enum { EDITS_SECTIONS = 64 };

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
    if (n > size) n = size;
    if (offset + n <= section->size) memcpy(section->bytes + offset, data, n);
    data += n, size -= n;
  }
  return out;
}

#endif
