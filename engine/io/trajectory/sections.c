/* Lists of sections (named byte strings) in memory. */
#include "io/trajectory/checkpoint.h"

#include <string.h>

void sc_sections_free(sc_sections *sections) {
  for (size_t i = 0; i < sections->count; i++) sc_free(sections->row[i].bytes);
  sc_free(sections->row);
  sc_free(sections->key);
  memset(sections, 0, sizeof *sections);
}

/* Returns a hash of a name. Searches compare hashes first, because comparing names is slower. */
static uint64_t find_key(const char *name) { return sc_hash(SC_HASH_START, name, strlen(name)); }

sc_section *sc_section_at(const sc_sections *sections, const char *name) {
  const uint64_t key = find_key(name);
  for (size_t i = 0; i < sections->count; i++)
    if (sections->key[i] == key && !strcmp(sections->row[i].name, name)) return sections->row + i;
  return NULL;
}

/* ---- sections in memory ---- */

/* Adds a section with `size` uninitialised bytes. Returns NULL with an error on failure. */
static sc_section *add_section(sc_sections *sections, const char *name, size_t size, scree_error *error) {
  if (!*name || strlen(name) >= SC_SECTION_NAME) {
    sc_fail(error, SCREE_E_ARGUMENT, "section '%.80s': the name must have 1 to %d bytes", name,
        SC_SECTION_NAME - 1);
    return NULL;
  }
  if (sc_section_at(sections, name)) {
    sc_fail(error, SCREE_E_ARGUMENT, "section '%s' is there already", name);
    return NULL;
  }
  unsigned char *copy = size < SIZE_MAX ? sc_realloc(NULL, size + 1) : NULL;
  if (!copy || !SC_GROW(sections->row, sections->capacity, sections->count + 1) ||
      !SC_GROW(sections->key, sections->keys, sections->count + 1)) {
    sc_free(copy);
    sc_fail(
        error, SCREE_E_MEMORY, "section '%s': out of memory for %llu bytes", name, (unsigned long long)size);
    return NULL;
  }
  sections->key[sections->count] = find_key(name);
  sc_section *row = sections->row + sections->count++;
  memset(row, 0, sizeof *row);
  strcpy(row->name, name);
  row->bytes = copy;
  row->size = size;
  return row;
}

scree_status sc_section_write(
    sc_sections *sections, const char *name, const void *bytes, size_t size, scree_error *error) {
  SC_ASSERT(sections && name && (bytes || !size));
  scree_error why = {SCREE_OK, ""};
  sc_section *row = add_section(sections, name, size, &why);
  if (!row) {
    if (error) *error = why;
    return why.status;
  }
  if (size) memcpy(row->bytes, bytes, size);
  return SCREE_OK;
}
