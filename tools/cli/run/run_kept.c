#include "run/run_kept.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

scree_status kept_fail(scree_error *error, scree_status status, const char *text) {
  error->status = status;
  snprintf(error->text, sizeof error->text, "%s", text);
  return status;
}

scree_status kept_fail_errno(scree_error *error, const char *text) {
  snprintf(error->text, sizeof error->text, "%s: %s", text, strerror(errno));
  return error->status = SCREE_E_IO;
}

void kept_hash_source(const run *r, char out[SL_SHA256_HEX]) {
  const char *text = sl_scene_text(&r->scene);
  sl_sha256(text, strlen(text), out);
}

static scree_status fail_damaged(const char *section, const char *what, scree_error *error) {
  snprintf(error->text, sizeof error->text, "section '%s' of the checkpoint is damaged: %s", section, what);
  return error->status = SCREE_E_FORMAT;
}

/* Reads a section that consists of one struct. */
static scree_status read_struct(
    const scree_checkpoint *c, const char *section, void *out, size_t want, scree_error *error) {
  size_t size;
  const void *bytes = scree_checkpoint_get(c, section, &size, error);
  if (!bytes) return error->status = SCREE_E_FORMAT;
  if (size != want) return fail_damaged(section, "it has another size, as that of another build", error);
  memcpy(out, bytes, size);
  return SCREE_OK;
}

static int is_hash(const char hash[SL_SHA256_HEX]) {
  return strnlen(hash, SL_SHA256_HEX) == SL_SHA256_HEX - 1 &&
      strspn(hash, "0123456789abcdef") == SL_SHA256_HEX - 1;
}

static int is_end(double time, int64_t steps) { return time >= 0 && steps >= 0; }

scree_status kept_read_how(const scree_checkpoint *c, kept_how *how, scree_error *error) {
  static const char section[] = "run.how";
  scree_status status = read_struct(c, section, how, sizeof *how, error);
  if (status) return status;
  if (!is_end(how->time, how->steps) || !is_end(how->first_time, how->first_steps) || isinf(how->first_time))
    return fail_damaged(section, "its end is no time", error);
  if (how->threads < 0 || how->threads > 1024) return fail_damaged(section, "the number of threads", error);
  if ((how->trust & ~1) || (how->experiment & ~1)) return fail_damaged(section, "a switch", error);
  if (how->overrides < 0 || how->overrides > CLI_LIST_MOST)
    return fail_damaged(section, "the number of parameters", error);
  return is_hash(how->source) ? SCREE_OK : fail_damaged(section, "the sum of the scene", error);
}

static int is_moment(double time) { return isfinite(time) && (time >= 0 || time == -1); }

scree_status kept_read_files(const scree_checkpoint *c, kept_files *files, scree_error *error) {
  static const char section[] = "run.files";
  scree_status status = read_struct(c, section, files, sizeof *files, error);
  if (status) return status;
  if (files->frames < 0 || files->series < 0) return fail_damaged(section, "the size of a file", error);
  if (!is_moment(files->last_frame) || !is_moment(files->last_row))
    return fail_damaged(section, "the time of the last frame or row", error);
  if (!isfinite(files->precision) || files->precision < 0)
    return fail_damaged(section, "the precision", error);
  if (files->columns_count < 0 || files->columns_count > SL_COLUMNS)
    return fail_damaged(section, "the number of columns", error);
  for (int i = 0; i < files->columns_count; i++)
    if (!sl_column_fits(files->columns[i])) return fail_damaged(section, "the name of a column", error);
  return SCREE_OK;
}

scree_status kept_read_track(const scree_checkpoint *c, kept_track *track, scree_error *error) {
  static const char section[] = "run.track";
  scree_status status = read_struct(c, section, track, sizeof *track, error);
  if (status) return status;
  if (track->frames < 0 || track->done < 0) return fail_damaged(section, "the number of frames", error);
  if (!is_moment(track->last)) return fail_damaged(section, "the time of the last frame", error);
  return isfinite(track->precision) && track->precision >= 0 ? SCREE_OK
                                                             : fail_damaged(section, "the precision", error);
}

/* Reads a section of one struct if it exists; otherwise leaves *to unchanged. */
static scree_status read_optional(
    const scree_checkpoint *c, const char *section, void *to, size_t bytes, scree_error *error) {
  size_t size;
  scree_error ignored;
  return scree_checkpoint_get(c, section, &size, &ignored) ? read_struct(c, section, to, bytes, error)
                                                           : SCREE_OK;
}

scree_status kept_read_stop(const scree_checkpoint *c, kept_stop *stop, scree_error *error) {
  static const char section[] = "run.stop_when";
  *stop = (kept_stop){NAN, 0};
  scree_status status = read_optional(c, section, stop, sizeof *stop, error);
  if (status) return status;
  return isinf(stop->since) || (stop->met & ~(int64_t)1)
      ? fail_damaged(section, "the time or the switch", error)
      : SCREE_OK;
}

scree_status kept_read_wall(const scree_checkpoint *c, double *wall, scree_error *error) {
  static const char section[] = "run.wall";
  *wall = 0;
  scree_status status = read_optional(c, section, wall, sizeof *wall, error);
  if (status) return status;
  return isfinite(*wall) && *wall >= 0 ? SCREE_OK : fail_damaged(section, "the seconds", error);
}

const char *kept_read_scene(const scree_checkpoint *c, scree_error *error) {
  static const char section[] = "run.scene";
  size_t size;
  const char *path = scree_checkpoint_get(c, section, &size, error);
  if (path && size > 1 && size <= RUN_PATH && strnlen(path, size) == size - 1) return path;
  if (path) fail_damaged(section, "no path", error);
  return NULL;
}

scree_status kept_read_overrides(
    const scree_checkpoint *c, const kept_how *how, sl_override out[CLI_LIST_MOST], scree_error *error) {
  static const char section[] = "run.overrides";
  size_t left;
  const char *at = scree_checkpoint_get(c, section, &left, error);
  if (!at) return error->status = SCREE_E_FORMAT;
  for (int i = 0; i < how->overrides; i++) {
    size_t key = strnlen(at, left) + 1, value = key < left ? strnlen(at + key, left - key) + 1 : 0;
    if (key < 2 || !value || key + value > left)
      return fail_damaged(section, "fewer parameters than it announces", error);
    out[i] = (sl_override){at, at + key};
    at += key + value, left -= key + value;
  }
  return left ? fail_damaged(section, "more parameters than it announces", error) : SCREE_OK;
}

scree_status kept_read_sources(
    const scree_checkpoint *c, const char (**out)[SL_SHA256_HEX], size_t *count, scree_error *error) {
  static const char section[] = "run.sources";
  size_t size;
  scree_error ignored;
  *count = 0;
  if (!(*out = scree_checkpoint_get(c, section, &size, &ignored))) return SCREE_OK;
  if (size % sizeof **out) return fail_damaged(section, "its size", error);
  for (size_t i = 0; i < size / sizeof **out; i++)
    if (!is_hash((*out)[i])) return fail_damaged(section, "a sum", error);
  *count = size / sizeof **out;
  return SCREE_OK;
}
