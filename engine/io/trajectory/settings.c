/* Checks the settings of trajectories, writes their chunk to the file, and compares it with new settings. */
#include "io/trajectory/trajectory.h"
#include "scree/param.h"

#include <math.h>
#include <string.h>

scree_status sc_trajectory_check(const scree_trajectory_def *def, scree_error *error) {
  SC_ASSERT(def);
  if (def->fields & ~(SCREE_FIELD_DEFAULT | SCREE_FIELD_CONTACTS))
    return sc_fail(error, SCREE_E_ARGUMENT, "trajectory: unknown field bits %d", def->fields);
  if (!(def->precision >= 0) || isinf(def->precision))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "trajectory: precision must be 0 (exact) or a positive length, not %s",
        scree_shortest(def->precision, (char[32]){0}));
  if (!(def->speed_precision >= 0) || isinf(def->speed_precision))
    return sc_fail(error, SCREE_E_ARGUMENT, "trajectory: speed_precision must be 0 or positive, not %s",
        scree_shortest(def->speed_precision, (char[32]){0}));
  if (def->level < 1 || def->level > 9)
    return sc_fail(error, SCREE_E_ARGUMENT, "trajectory: level must lie in [1, 9], not %d", def->level);
  if (def->key_every < 1)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "trajectory: key_every must be at least 1, not %d", def->key_every);
  return SCREE_OK;
}

void sc_settings_write(const scree_trajectory_def *def, unsigned char bytes[SC_SETTINGS_BYTES]) {
  sc_put_u32(bytes, (uint32_t)def->fields);
  sc_put_u32(bytes + 4, (uint32_t)def->key_every);
  sc_put_u64(bytes + 8, sc_bits(def->precision));
  sc_put_u64(bytes + 16, sc_bits(def->speed_precision));
}

scree_status sc_settings_compare(
    const sc_container *file, const scree_trajectory_def *def, scree_error *error) {
  unsigned char wanted[SC_SETTINGS_BYTES];
  sc_settings_write(def, wanted);
  int64_t at = sc_container_find(file, SC_CHUNK_SETTINGS);
  if (at < 0) return SCREE_OK;
  sc_bytes bytes = {0};
  scree_status status = sc_container_get(file, (size_t)at, &bytes, error);
  if (!status && (bytes.count != SC_SETTINGS_BYTES || memcmp(bytes.at, wanted, SC_SETTINGS_BYTES)))
    status = sc_fail(
        error, SCREE_E_ARGUMENT, "%s was written with other fields, precision or key_every", file->file.path);
  sc_bytes_free(&bytes);
  return status;
}
