/* Reads and writes sections as a file, and rotates the generations of a checkpoint. */
#include "io/trajectory/checkpoint.h"
#include "io/trajectory/pieces.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTION = SC_TAG('S', 'E', 'C', 'T'), MACHINE = SC_TAG('M', 'A', 'C', 'H') };

const void *sc_section_find(const sc_sections *sections, const char *name, size_t *size, scree_error *error) {
  SC_ASSERT(sections && name && size);
  sc_section *row = sc_section_at(sections, name);
  if (!row) {
    sc_fail(error, SCREE_E_FORMAT, "the file has no section '%s'", name);
    return NULL;
  }
  if (row->packed && sc_pieces_unpack(row, error)) return NULL;
  *size = row->size;
  return row->bytes;
}

scree_status sc_section_read(
    const sc_sections *sections, const char *name, void *bytes, size_t size, scree_error *error) {
  SC_ASSERT(sections && name && (bytes || !size));
  size_t found = 0;
  const void *from = sc_section_find(sections, name, &found, error);
  if (!from) return SCREE_E_FORMAT;
  if (found != size)
    return sc_fail(error, SCREE_E_FORMAT, "section '%s' has %llu bytes, not %llu", name,
        (unsigned long long)found, (unsigned long long)size);
  if (size) memcpy(bytes, from, size);
  return SCREE_OK;
}

/* ---- the file ---- */

/* Byte order and word sizes [bytes] of the machine, on which sections of raw structs depend. */
typedef struct machine {
  uint32_t order;
  unsigned char pointer, longs, doubles, zero;
} machine;
static machine this_machine(void) {
  return (machine){0x01020304u, sizeof(void *), sizeof(long), sizeof(double), 0};
}

/* Writes one SECT chunk: length of the name, the name, the bytes of the section. A packed section is not
 * compressed again. number: index of the section. */
static scree_status put_section(
    sc_container_writer *writer, const sc_section *row, size_t number, int level, scree_error *error) {
  sc_bytes payload = {0};
  size_t length = strlen(row->name);
  unsigned char head[2 + SC_SECTION_NAME];
  sc_put_u16(head, (uint16_t)length);
  memcpy(head + 2, row->name, length);
  bool ok = row->packed
      ? sc_pieces_stream(head, 2 + length, row, &payload)
      : sc_bytes_add(&payload, head, 2 + length) && sc_bytes_add(&payload, row->bytes, row->size);
  scree_status status = ok ? SCREE_OK
                           : sc_fail(error, SCREE_E_MEMORY, "writing section '%s': out of memory", row->name);
  sc_chunk chunk = {.type = SECTION, .codec = SC_CODEC_ZLIB, .number = number, .raw = 2 + length + row->size};
  if (!status && row->packed)
    status = sc_container_put_packed(writer, &chunk, payload.at, payload.count, error);
  else if (!status) status = sc_container_put(writer, &chunk, payload.at, payload.count, level, error);
  sc_bytes_free(&payload);
  return status;
}

static scree_status write_sections(const sc_sections *sections, int folder, const char *path, uint32_t schema,
    int level, scree_error *error) {
  sc_container_writer writer;
  /* removes the file that a killed process left, or a symbolic link, which would be followed otherwise */
  unlinkat(folder, path, 0);
  scree_status status = sc_container_create(&writer, folder, path, false, schema, 0, error);
  if (status) return status;
  machine here = this_machine();
  status = sc_container_put(&writer, &(sc_chunk){.type = MACHINE}, &here, sizeof here, level, error);
  for (size_t i = 0; i < sections->count && !status; i++)
    status = put_section(&writer, sections->row + i, i, level, error);
  if (!status) return sc_container_finish(&writer, true, error);
  sc_container_abandon(&writer);
  return status;
}

/* Returns path + ending; NULL if out of memory. The caller frees it. */
static char *with_ending(const char *path, const char *ending, scree_error *error) {
  size_t room = strlen(path) + strlen(ending) + 1;
  char *name = sc_alloc(room);
  if (!name) {
    sc_fail(error, SCREE_E_MEMORY, "writing %s: out of memory", path);
    return NULL;
  }
  snprintf(name, room, "%s%s", path, ending);
  return name;
}

/* Writes the sections to the file `name`, and removes this file after a failure. */
static scree_status write_temporary(const sc_sections *sections, int folder, const char *name,
    uint32_t schema, int level, scree_error *error) {
  scree_status status = write_sections(sections, folder, name, schema, level, error);
  if (status) unlinkat(folder, name, 0);
  return status;
}

scree_status sc_sections_store(
    const sc_sections *sections, const char *path, uint32_t schema, int level, scree_error *error) {
  SC_ASSERT(sections && path);
  char *temporary = with_ending(path, ".tmp", error);
  if (!temporary) return SCREE_E_MEMORY;
  scree_status status = write_temporary(sections, AT_FDCWD, temporary, schema, level, error);
  if (!status && (status = sc_file_rename(AT_FDCWD, temporary, path, error))) unlink(temporary);
  sc_free(temporary);
  return status;
}

/* Adds the section in the payload of a SECT chunk to `sections`. */
static scree_status read_section(
    sc_sections *sections, const sc_bytes *payload, const char *path, scree_error *error) {
  size_t length = payload->count >= 2 ? sc_get_u16(payload->at) : 0;
  char name[SC_SECTION_NAME] = "";
  if (!length || length >= SC_SECTION_NAME || payload->count < 2 + length)
    return sc_fail(error, SCREE_E_FORMAT, "%s: a section without a proper name", path);
  memcpy(name, payload->at + 2, length);
  scree_error why = {SCREE_OK, ""};
  scree_status status = sc_section_write(
      sections, name, payload->at + 2 + length, payload->count - 2 - length, &why);
  if (status == SCREE_E_ARGUMENT) status = SCREE_E_FORMAT;
  return status ? sc_fail(error, status, "%s: %.400s", path, why.text) : SCREE_OK;
}

scree_status sc_sections_load(sc_sections *sections, const char *path, uint32_t schema, scree_error *error) {
  SC_ASSERT(sections && path);
  memset(sections, 0, sizeof *sections);
  sc_container file;
  scree_status status = sc_container_open(&file, path, schema, error);
  if (status) return status;
  if (!file.complete)
    status = sc_fail(
        error, SCREE_E_FORMAT, "%s is not finished%s%s", path, *file.damage ? ": " : "", file.damage);
  sc_bytes payload = {0};
  machine here = this_machine();
  bool machine_seen = false;
  for (size_t i = 0; i < file.count && !status; i++) {
    status = sc_container_get(&file, i, &payload, error);
    if (status) break;
    if (file.chunk[i].type == SECTION) status = read_section(sections, &payload, path, error);
    if (file.chunk[i].type != MACHINE) continue;
    machine_seen = payload.count == sizeof here && !memcmp(payload.at, &here, sizeof here);
    if (!machine_seen)
      status = sc_fail(error, SCREE_E_FORMAT,
          "%s was written by a machine with another byte order or other word sizes", path);
  }
  if (!status && !machine_seen)
    status = sc_fail(error, SCREE_E_FORMAT, "%s does not say what machine wrote it", path);
  sc_bytes_free(&payload);
  sc_container_close(&file);
  if (status) sc_sections_free(sections);
  return status;
}

/* ---- generations: path, path.previous, path.previous.2, ... ---- */

static char *generation_name(const char *path, int generation, scree_error *error) {
  char ending[32] = "";
  if (generation == 1) strcpy(ending, ".previous");
  if (generation > 1) snprintf(ending, sizeof ending, ".previous.%d", generation);
  return with_ending(path, ending, error);
}

/* Renames the file of a generation to the name of the next older generation, if it exists. */
static scree_status age_generation(int folder, const char *path, int generation, scree_error *error) {
  char *from = generation_name(path, generation, error), *to = generation_name(path, generation + 1, error);
  scree_status status = from && to ? SCREE_OK : SCREE_E_MEMORY;
  if (!status && faccessat(folder, from, F_OK, 0) == 0) status = sc_file_rename(folder, from, to, error);
  sc_free(from);
  sc_free(to);
  return status;
}

scree_status sc_checkpoint_save(
    const sc_sections *sections, int folder, const char *path, int keep, scree_error *error) {
  SC_ASSERT(sections && path && keep >= 0);
  char *temporary = with_ending(path, ".tmp", error);
  scree_status status = temporary
      ? write_temporary(sections, folder, temporary, SC_SCHEMA_CHECKPOINT, 1, error)
      : SCREE_E_MEMORY;
  /* Older generations are renamed first, from the oldest on. Then the new file gets its name. If the process
   * is killed in between, at most the oldest generation is lost. */
  for (int k = keep - 2; k >= 0 && !status; k--) status = age_generation(folder, path, k, error);
  if (!status) status = sc_file_rename(folder, temporary, path, error);
  if (status && temporary) unlinkat(folder, temporary, 0);
  sc_free(temporary);
  return status;
}

scree_status sc_checkpoint_load(
    sc_sections *sections, const char *path, int *generation, scree_error *error) {
  SC_ASSERT(sections && path);
  scree_error first = {SCREE_OK, ""}, last = {SCREE_OK, ""};
  for (int k = 0;; k++) {
    char *name = generation_name(path, k, error);
    if (!name) return SCREE_E_MEMORY;
    scree_error *why = k ? &last : &first;
    bool there = k < 2 || access(name, F_OK) == 0;
    scree_status status = there ? sc_sections_load(sections, name, SC_SCHEMA_CHECKPOINT, why) : SCREE_E_IO;
    sc_free(name);
    if (generation) *generation = k;
    if (!status) return SCREE_OK;
    if (status == SCREE_E_MEMORY)
      return sc_fail(error, status, "%.400s", why->text); /* this file may be valid, so no older one */
    if (there) continue;
    status = first.status == SCREE_E_IO ? last.status : first.status;
    return sc_fail(error, status, "no checkpoint can be read: %.220s; %.220s", first.text, last.text);
  }
}
