/* Trajectory reader: the list of readable frames, seeking from key frames, and reports of damage. */
#include "io/trajectory/trajectory.h"

#include <math.h>
#include <string.h>

struct scree_reader {
  sc_container container;
  scree_trajectory_info info;
  char *meta, *source;
  size_t *chunk; /* [info.frames] index in container.chunk of each readable frame */
  sc_frames frames;
};

/* ---- frames in order ---- */

static scree_status decode_at(sc_frames *frames, int64_t index, scree_error *error) {
  const sc_container *file = frames->container;
  const sc_chunk *chunk = file->chunk + frames->chunk[index];
  scree_error why = {SCREE_OK, ""};
  scree_status status = sc_container_get(file, frames->chunk[index], &frames->bytes, error);
  if (status) {
    frames->codec.valid = false;
    return status;
  }
  status = sc_frame_decode(
      &frames->codec, frames->bytes.at, frames->bytes.count, (int64_t)chunk->number, &why);
  if (status)
    return sc_fail(error, status, "%s: frame %llu at byte %llu: %.300s", file->file.path,
        (unsigned long long)chunk->number, (unsigned long long)chunk->offset, why.text);
  return SCREE_OK;
}

scree_status sc_frames_seek(sc_frames *frames, int64_t index, scree_error *error) {
  SC_ASSERT(frames);
  const sc_chunk *all = frames->container->chunk;
  const size_t *chunk = frames->chunk;
  int64_t wanted = (int64_t)all[chunk[index]].number, from = index;
  if (frames->codec.valid && frames->codec.number == wanted) return SCREE_OK;
  /* goes back to the frame after the last decoded frame, or to a key frame */
  while (from > 0 && !(all[chunk[from]].flags & SC_FRAME_KEY) &&
      !(frames->codec.valid && frames->codec.number == (int64_t)all[chunk[from]].number - 1))
    from--;
  for (; from <= index; from++) {
    scree_status status = decode_at(frames, from, error);
    if (status) return status;
  }
  return SCREE_OK;
}

/* Adds empty places until the next place is `number`. Fails only if out of memory. */
static scree_status skip_to(sc_geometries *table, uint64_t number, scree_error *error) {
  while (table->count < number) {
    scree_status status = sc_geometries_read(table, NULL, 0, error);
    if (status == SCREE_E_MEMORY) return status;
  }
  return SCREE_OK;
}

scree_status sc_frames_geometries(sc_frames *frames, size_t chunks, scree_error *error) {
  const sc_container *file = frames->container;
  sc_geometries *table = &frames->codec.geometries;
  for (size_t i = 0; i < chunks && i < file->count; i++) {
    if (file->chunk[i].type != SC_CHUNK_GEOMETRY || file->chunk[i].number < table->count ||
        file->chunk[i].number > file->count)
      continue;
    scree_status status = skip_to(table, file->chunk[i].number, error);
    if (!status) status = sc_container_get(file, i, &frames->bytes, error);
    if (!status) status = sc_geometries_read(table, frames->bytes.at, frames->bytes.count, error);
    if (status && status != SCREE_E_FORMAT) return status;
  }
  return SCREE_OK;
}

/* ---- opening ---- */

/* Lists the chunks of the readable frames: key frames, and frames whose predecessor is readable. Sets
 * *orphans to the number of other frames. Returns the number of readable frames. */
static int64_t list_readable_frames(const sc_container *file, size_t *list, int64_t *orphans) {
  int64_t count = 0, last = -1;
  *orphans = 0;
  for (size_t i = 0; i < file->count; i++) {
    const sc_chunk *chunk = file->chunk + i;
    if (chunk->type != SC_CHUNK_FRAME || chunk->number > INT64_MAX) continue;
    bool ok = (int64_t)chunk->number > last &&
        (chunk->flags & SC_FRAME_KEY || (last >= 0 && (int64_t)chunk->number == last + 1));
    if (!ok) {
      ++*orphans;
      continue;
    }
    list[count++] = i;
    last = (int64_t)chunk->number;
  }
  return count;
}

enum { TEXT_MOST = 64 << 20 }; /* largest text of a chunk that is read [bytes]; scree writes shorter texts */

/* Sets *text to the text of the first chunk of a type; an empty text if the chunk is missing, damaged or too
 * large. The caller frees *text. */
static scree_status read_text(const sc_container *file, uint32_t type, char **text, scree_error *error) {
  sc_bytes bytes = {0};
  int64_t at = sc_container_find(file, type);
  bool large = at >= 0 && file->chunk[at].raw > TEXT_MOST;
  scree_status status = at < 0 || large ? SCREE_OK : sc_container_get(file, (size_t)at, &bytes, error);
  if (status == SCREE_E_FORMAT) {
    bytes.count = 0;
    status = SCREE_OK;
  }
  if (!status && !sc_bytes_add(&bytes, "", 1))
    status = sc_fail(error, SCREE_E_MEMORY, "reading %s: out of memory", file->file.path);
  if (status) {
    sc_bytes_free(&bytes);
    return status;
  }
  *text = (char *)bytes.at;
  return SCREE_OK;
}

static scree_status read_settings(const sc_container *file, scree_trajectory_info *info, scree_error *error) {
  sc_bytes bytes = {0};
  int64_t at = sc_container_find(file, SC_CHUNK_SETTINGS);
  scree_status status = at < 0 ? SCREE_E_FORMAT : sc_container_get(file, (size_t)at, &bytes, error);
  if (!status && bytes.count >= SC_SETTINGS_BYTES) {
    info->fields = (int)sc_get_u32(bytes.at) & (SCREE_FIELD_DEFAULT | SCREE_FIELD_CONTACTS);
    info->precision = sc_from_bits(sc_get_u64(bytes.at + 8));
  }
  sc_bytes_free(&bytes);
  return status == SCREE_E_FORMAT ? SCREE_OK : status;
}

/* Lists the readable frames, and fills reader->info from the container's list of chunks. */
static scree_status survey_frames(scree_reader *reader, scree_error *error) {
  const sc_container *file = &reader->container;
  scree_trajectory_info *info = &reader->info;
  int64_t orphans;
  sc_free(reader->chunk);
  reader->chunk = sc_alloc((file->count + 1) * sizeof *reader->chunk);
  if (!reader->chunk) return sc_fail(error, SCREE_E_MEMORY, "reading %s: out of memory", file->file.path);
  info->frames = list_readable_frames(file, reader->chunk, &orphans);
  info->bytes = (int64_t)file->size;
  info->lost_bytes = (int64_t)file->lost_bytes;
  info->complete = file->complete && !file->damaged && !orphans;
  info->damaged_chunks = file->damaged + orphans;
  memcpy(info->damage, file->damage, sizeof info->damage);
  if (!file->damaged && orphans) strcpy(info->damage, "frames whose key frame is missing");
  info->most_bodies = info->total_bodies = 0;
  for (int64_t i = 0; i < info->frames; i++) {
    int64_t bodies = file->chunk[reader->chunk[i]].extra;
    if (bodies > info->most_bodies) info->most_bodies = bodies;
    info->total_bodies += bodies;
  }
  info->first_time = info->frames ? sc_from_bits(file->chunk[reader->chunk[0]].value) : 0;
  info->last_time = info->frames ? sc_from_bits(file->chunk[reader->chunk[info->frames - 1]].value) : 0;
  reader->frames.container = file;
  reader->frames.chunk = reader->chunk;
  reader->frames.count = info->frames;
  return SCREE_OK;
}

scree_reader *scree_reader_open(const char *path, scree_error *error) {
  SC_DEMAND(path, error, NULL);
  scree_reader *reader = sc_alloc(sizeof *reader);
  if (!reader) {
    sc_fail(error, SCREE_E_MEMORY, "reading %s: out of memory", path);
    return NULL;
  }
  scree_status status = sc_container_open(&reader->container, path, SC_SCHEMA_TRAJECTORY, error);
  if (!status) status = survey_frames(reader, error);
  if (!status) status = read_text(&reader->container, SC_CHUNK_META, &reader->meta, error);
  if (!status) status = read_text(&reader->container, SC_CHUNK_SOURCE, &reader->source, error);
  if (!status) status = sc_frames_geometries(&reader->frames, reader->container.count, error);
  if (!status) status = read_settings(&reader->container, &reader->info, error);
  if (!status) return reader;
  scree_reader_close(reader);
  return NULL;
}

scree_status scree_reader_verify(scree_reader *reader, scree_error *error) {
  SC_DEMAND(reader, error, SCREE_E_ARGUMENT);
  scree_status status = sc_container_verify(&reader->container, error);
  reader->frames.codec.valid = false;
  return status ? status : survey_frames(reader, error);
}

scree_status scree_reader_update(scree_reader *reader, scree_error *error) {
  SC_DEMAND(reader, error, SCREE_E_ARGUMENT);
  const char *path = reader->container.file.path;
  if (!reader->info.frames) return sc_fail(error, SCREE_E_FORMAT, "%s must be opened anew", path);
  scree_status status = sc_container_update(&reader->container, error);
  if (!status) status = survey_frames(reader, error);
  return status ? status : sc_frames_geometries(&reader->frames, reader->container.count, error);
}

void scree_reader_close(scree_reader *reader) {
  if (!reader) return;
  sc_container_close(&reader->container);
  sc_frame_codec_free(&reader->frames.codec);
  sc_bytes_free(&reader->frames.bytes);
  sc_free(reader->chunk);
  sc_free(reader->meta);
  sc_free(reader->source);
  sc_free(reader);
}

/* ---- use ---- */

const scree_trajectory_info *scree_reader_info(const scree_reader *reader) { return &reader->info; }
const char *scree_reader_meta(const scree_reader *reader) {
  SC_DEMAND(reader, NULL, NULL);
  return reader->meta;
}
const char *scree_reader_source(const scree_reader *reader) {
  SC_DEMAND(reader, NULL, NULL);
  return reader->source;
}

double scree_reader_time(const scree_reader *reader, int64_t frame) {
  SC_DEMAND(reader, NULL, 0);
  if (frame < 0 || frame >= reader->info.frames) return NAN;
  return sc_from_bits(reader->container.chunk[reader->chunk[frame]].value);
}

int64_t scree_reader_key(const scree_reader *reader, int64_t frame) {
  SC_DEMAND(reader, NULL, -1);
  if (frame < 0 || frame >= reader->info.frames) return -1;
  while (frame > 0 && !(reader->container.chunk[reader->chunk[frame]].flags & SC_FRAME_KEY)) frame--;
  return frame;
}

int scree_reader_cell(scree_reader *reader, int64_t frame, scree_cell *cell) {
  SC_DEMAND(reader && cell, NULL, 0);
  if (frame < 0 || frame >= reader->info.frames) return 0;
  sc_bytes *bytes = &reader->frames.bytes;
  return !sc_container_get(&reader->container, reader->chunk[frame], bytes, NULL) &&
      sc_frame_read_cell(bytes->at, bytes->count, cell);
}

void scree_reader_want(scree_reader *reader, int fields) {
  SC_DEMAND(reader, NULL, );
  sc_frame_codec *codec = &reader->frames.codec;
  const int all = SCREE_FIELD_DEFAULT | SCREE_FIELD_CONTACTS, now = codec->fields ? codec->fields : all;
  if (!fields) fields = all;
  if (fields & ~now) codec->valid = false;
  codec->fields = fields;
}

/* Sets the fields of a frame without bodies, because the file names no fields for such a frame. They are the
 * fields that the trajectory has and the caller requests. As in other frames, positions imply velocities and
 * orientations imply spins. */
static void set_fields_of_empty(const scree_reader *reader, sc_frame_store *store) {
  int wanted = reader->frames.codec.fields ? reader->frames.codec.fields : SCREE_FIELD_DEFAULT;
  if (wanted & SCREE_FIELD_POSITION) wanted |= SCREE_FIELD_VELOCITY;
  if (wanted & SCREE_FIELD_ORIENTATION) wanted |= SCREE_FIELD_SPIN;
  const int fields = reader->info.fields & wanted;
  scree_frame *f = &store->frame;
  f->position = fields & SCREE_FIELD_POSITION ? store->position : NULL;
  f->orientation = fields & SCREE_FIELD_ORIENTATION ? store->orientation : NULL;
  f->velocity = fields & SCREE_FIELD_VELOCITY ? store->velocity : NULL;
  f->spin = fields & SCREE_FIELD_SPIN ? store->spin : NULL;
}

const scree_frame *scree_reader_frame(scree_reader *reader, int64_t frame, scree_error *error) {
  SC_DEMAND(reader, error, NULL);
  if (frame < 0 || frame >= reader->info.frames) {
    sc_fail(error, SCREE_E_ARGUMENT, "frame %lld does not exist: there are %lld", (long long)frame,
        (long long)reader->info.frames);
    return NULL;
  }
  if (sc_frames_seek(&reader->frames, frame, error)) return NULL;
  sc_frame_store *store = &reader->frames.codec.store[reader->frames.codec.last];
  if (!store->frame.bodies) set_fields_of_empty(reader, store);
  return &store->frame;
}
