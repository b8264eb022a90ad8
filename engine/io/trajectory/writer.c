/* Trajectory writer.
 *
 * The caller's thread copies a frame into a slot of a short queue and continues. The writer's thread packs
 * and writes the frame. The queue is bounded: a simulation waits if it produces frames faster than they can
 * be written. The file has the same bytes with and without the thread. The writer stores its first failure
 * and returns it from every later call. A forked child process does not have this thread and must not write
 * to the parent's file. In the child every call fails, and scree_writer_close only frees. */
#include "io/trajectory/trajectory.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* SLOTS: number of frames that can wait in the queue. LARGE: a larger frame waits only in an empty queue
 * [bytes]. */
enum { SLOTS = 4, LARGE = 8 << 20 };

struct scree_writer {
  scree_trajectory_def def;
  sc_container_writer container; /* the file; if the packing thread runs, no other thread uses it */
  sc_frame_codec codec;
  size_t geometries; /* number of hulls and meshes written to the file */
  pid_t process;     /* the process that opened the file */
  bool threaded;
  pthread_t thread;
  pthread_mutex_t lock; /* guards all members below */
  pthread_cond_t changed;
  sc_frame_store slot[SLOTS];
  int head, waiting; /* index of the first full slot; number of full slots */
  /* busy: the packing thread packs a frame; stop: it must end when the queue is empty; filling: the caller
   * fills the next free slot */
  bool busy, stop, filling;
  int64_t handed, durable; /* number of accepted frames; number of written frames */
  int64_t bytes;           /* size of the file [bytes] */
  double seconds[2];       /* CPU time of callers and of the packing thread [s] */
  scree_status status;
  scree_error failure;
};

scree_trajectory_def scree_trajectory_defaults(void) {
  return (scree_trajectory_def){.fields = SCREE_FIELD_DEFAULT, .level = 1, .key_every = 16, .background = 1};
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- packing and writing one frame ---- */

/* Writes the hulls and meshes that are not yet in the file. */
static scree_status put_geometries(scree_writer *w, scree_error *error) {
  sc_bytes bytes = {0};
  scree_status status = SCREE_OK;
  for (; w->geometries < w->codec.geometries.count && !status; w->geometries++) {
    bytes.count = 0;
    sc_chunk chunk = {.type = SC_CHUNK_GEOMETRY, .codec = SC_CODEC_ZLIB, .number = w->geometries};
    const scree_geometry *geometry = sc_geometries_at(&w->codec.geometries, (int64_t)w->geometries);
    if (!sc_geometry_write(geometry, &bytes))
      status = sc_fail(error, SCREE_E_MEMORY, "out of memory for a hull or mesh");
    else status = sc_container_put(&w->container, &chunk, bytes.at, bytes.count, w->def.level, error);
  }
  sc_bytes_free(&bytes);
  return status;
}

/* Writes the hulls and meshes of a frame, then the codec's payload as its chunk. */
static scree_status put_frame(scree_writer *w, bool key, int64_t bodies, scree_error *error) {
  scree_status status = put_geometries(w, error);
  if (status) return status;
  sc_chunk chunk = {.type = SC_CHUNK_FRAME,
      .codec = SC_CODEC_STORED,
      .flags = key ? SC_FRAME_KEY : 0,
      .number = (uint64_t)w->durable,
      .value = sc_get_u64(w->codec.payload.at + 8),
      .extra = bodies < UINT32_MAX ? (uint32_t)bodies : UINT32_MAX};
  return sc_container_put(
      &w->container, &chunk, w->codec.payload.at, w->codec.payload.count, w->def.level, error);
}

static scree_status pack_frame(scree_writer *w, const scree_frame *frame, scree_error *error) {
  int64_t number = w->durable;
  bool key = !w->codec.valid || number % w->def.key_every == 0;
  scree_status status = sc_frame_encode(&w->codec, &w->def, frame, number, key, error);
  return status ? status : put_frame(w, key, frame->bodies, error);
}

/* Joins the encoded parts of a frame in `bytes` and writes the frame. The next frame that is not in parts is
 * a key frame, because the writer's codec did not encode this frame. */
static scree_status join_parts(scree_writer *w, const void *bytes, size_t count, scree_error *error) {
  int64_t bodies;
  bool key;
  w->codec.valid = false;
  scree_status status = sc_frame_join(&w->codec, bytes, count, w->durable, &bodies, &key, error);
  return status ? status : put_frame(w, key, bodies, error);
}

/* Stores a failure if it is the first. Its text also has the number of frames written. Call with the lock
 * held. */
static void keep_failure(scree_writer *w, scree_status status, const scree_error *why) {
  if (w->status) return;
  w->status = status;
  sc_fail(&w->failure, status, "%.400s (%lld frames are whole)", why->text, (long long)w->durable);
}

static scree_status return_failure(const scree_writer *w, scree_error *error) {
  if (w->status && error) *error = w->failure;
  return w->status;
}

/* Packs the first frame of the queue. Call with the lock held; it is released during the packing. */
static void pack_next(scree_writer *w) {
  scree_error why = {SCREE_OK, ""};
  w->busy = true;
  pthread_mutex_unlock(&w->lock);
  double start = cpu_seconds();
  scree_status status = w->status ? w->status : pack_frame(w, &w->slot[w->head].frame, &why);
  double spent = cpu_seconds() - start;
  pthread_mutex_lock(&w->lock);
  w->busy = false;
  w->seconds[1] += spent;
  sc_frame_store_hold(&w->slot[w->head], false);
  if (!status) w->durable++;
  else keep_failure(w, status, &why);
  w->bytes = (int64_t)w->container.end;
  w->waiting--;
  /* if no other frame waits, the same slot is used again, because large frames then use the memory of one
   * slot only */
  if (w->waiting || w->filling) w->head = (w->head + 1) % SLOTS;
  pthread_cond_broadcast(&w->changed);
}

static void *run_packer(void *context) {
  scree_writer *w = context;
  pthread_mutex_lock(&w->lock);
  while (w->waiting || !w->stop) {
    if (w->waiting) pack_next(w);
    else pthread_cond_wait(&w->changed, &w->lock);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

/* ---- opening ---- */

static scree_writer *make_writer(const scree_trajectory_def *def, const char *path, scree_error *error) {
  if (sc_trajectory_check(def, error)) return NULL;
  scree_writer *w = sc_alloc(sizeof *w);
  if (!w) {
    sc_fail(error, SCREE_E_MEMORY, "opening %s: out of memory", path);
    return NULL;
  }
  w->def = *def;
  w->def.meta = w->def.source = NULL;
  w->container.file.fd = -1;
  w->process = getpid();
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->changed, NULL);
  return w;
}

static void destroy_writer(scree_writer *w) {
  sc_container_abandon(&w->container);
  sc_frame_codec_free(&w->codec);
  for (int i = 0; i < SLOTS; i++) sc_frame_store_free(w->slot + i);
  pthread_mutex_destroy(&w->lock);
  pthread_cond_destroy(&w->changed);
  sc_free(w);
}

/* Starts the packing thread. If it does not start, the caller's thread packs. */
static void start_packer(scree_writer *w) {
  w->bytes = (int64_t)w->container.end;
  w->threaded = w->def.background && pthread_create(&w->thread, NULL, run_packer, w) == 0;
}

/* Writes the names of the shape types, one per line in the order of their numbers, for other readers. */
static scree_status write_shape_names(scree_writer *w, scree_error *error) {
  char names[1024] = "";
  for (int i = 0; i < SCREE_SHAPE_TYPES; i++) {
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", i ? "\n" : "", scree_shape_kind_at(i)->name);
  }
  return sc_container_put(
      &w->container, &(sc_chunk){.type = SC_CHUNK_SHAPES}, names, strlen(names), 1, error);
}

static scree_status write_preamble(scree_writer *w, const scree_trajectory_def *def, scree_error *error) {
  unsigned char settings[SC_SETTINGS_BYTES];
  sc_settings_write(def, settings);
  scree_status status = sc_container_put(
      &w->container, &(sc_chunk){.type = SC_CHUNK_SETTINGS}, settings, sizeof settings, 1, error);
  if (!status) status = write_shape_names(w, error);
  sc_chunk meta = {.type = SC_CHUNK_META, .codec = SC_CODEC_ZLIB},
           source = {.type = SC_CHUNK_SOURCE, .codec = SC_CODEC_ZLIB};
  if (!status && def->meta)
    status = sc_container_put(&w->container, &meta, def->meta, strlen(def->meta), 6, error);
  if (!status && def->source)
    status = sc_container_put(&w->container, &source, def->source, strlen(def->source), 6, error);
  return status;
}

/* Returns the identity for the file's header: a hash of the run's metadata and source. It depends on nothing
 * else, because equal runs must have equal files. */
static uint64_t identity_of(const scree_trajectory_def *def) {
  uint64_t hash = SC_HASH_START;
  if (def->meta) hash = sc_hash(hash, def->meta, strlen(def->meta));
  if (def->source) hash = sc_hash(hash, def->source, strlen(def->source));
  return hash;
}

scree_writer *scree_writer_open(const char *path, const scree_trajectory_def *def, scree_error *error) {
  SC_DEMAND(path && def, error, NULL);
  scree_writer *w = make_writer(def, path, error);
  if (!w) return NULL;
  scree_status status = sc_container_create(
      &w->container, AT_FDCWD, path, false, SC_SCHEMA_TRAJECTORY, identity_of(def), error);
  if (!status) status = write_preamble(w, def, error);
  if (status) {
    destroy_writer(w);
    return NULL;
  }
  start_packer(w);
  return w;
}

/* ---- continuing a file ---- */

/* Returns the chunk indices of the frames 0 to wanted - 1 as an array that the caller frees. Sets *found to
 * the number of frames found in a row. Returns NULL with an error if this is less than `wanted`. */
static size_t *list_first_frames(
    const sc_container *file, int64_t wanted, int64_t *found, scree_error *error) {
  size_t *chunk = sc_alloc(((size_t)file->count + 1) * sizeof *chunk);
  *found = 0;
  if (!chunk) {
    sc_fail(error, SCREE_E_MEMORY, "going on with %s: out of memory", file->file.path);
    return NULL;
  }
  for (size_t i = 0; i < file->count && *found < wanted; i++)
    if (file->chunk[i].type == SC_CHUNK_FRAME && file->chunk[i].number == (uint64_t)*found)
      chunk[(*found)++] = i;
  if (*found == wanted) return chunk;
  sc_fail(error, SCREE_E_FORMAT, "%s holds %lld whole frames in a row, not %lld", file->file.path,
      (long long)*found, (long long)wanted);
  sc_free(chunk);
  return NULL;
}

/* Opens the file to continue it after its first `frames` frames. Decodes the last of these frames, because
 * the next frame is encoded relative to it. */
static scree_status resume_file(
    scree_writer *w, const char *path, int64_t frames, const scree_trajectory_def *def, scree_error *error) {
  sc_container file;
  scree_status status = sc_container_open(&file, path, SC_SCHEMA_TRAJECTORY, error);
  if (status) return status;
  int64_t found = 0;
  status = sc_settings_compare(&file, def, error);
  size_t *chunk = status ? NULL : list_first_frames(&file, frames, &found, error);
  if (!chunk) {
    sc_container_close(&file);
    return status ? status : SCREE_E_FORMAT;
  }
  sc_frames seek = {.container = &file, .chunk = chunk, .count = frames};
  /* number of chunks to keep: up to the last kept frame, or up to the first frame if no frame is kept */
  size_t keep = frames ? chunk[frames - 1] + 1 : 0;
  while (!frames && keep < file.count && file.chunk[keep].type != SC_CHUNK_FRAME) keep++;
  status = sc_frames_geometries(&seek, keep, error);
  if (!status && frames) status = sc_frames_seek(&seek, frames - 1, error);
  w->codec = seek.codec;
  w->geometries = seek.codec.geometries.count;
  sc_bytes_free(&seek.bytes);
  uint64_t end = keep
      ? file.chunk[keep - 1].offset + SC_CHUNK_HEADER + ((file.chunk[keep - 1].stored + 7) & ~(uint64_t)7)
      : SC_CONTAINER_HEADER;
  if (!status) status = sc_container_append(&w->container, path, file.chunk, keep, end, error);
  sc_free(chunk);
  sc_container_close(&file);
  return status;
}

scree_writer *scree_writer_append(
    const char *path, int64_t frames, const scree_trajectory_def *def, scree_error *error) {
  SC_DEMAND(path && def, error, NULL);
  if (frames < 0) {
    sc_fail(error, SCREE_E_ARGUMENT, "going on with %s: frames must not be negative", path);
    return NULL;
  }
  scree_writer *w = make_writer(def, path, error);
  if (!w) return NULL;
  if (resume_file(w, path, frames, def, error)) {
    destroy_writer(w);
    return NULL;
  }
  w->handed = w->durable = frames;
  start_packer(w);
  return w;
}

/* ---- use ---- */

static scree_status refuse_child(scree_error *error) {
  return sc_fail(
      error, SCREE_E_ARGUMENT, "this trajectory belongs to the process that opened it, not to a fork of it");
}

/* Returns the largest number of frames of this size that may wait in the queue. */
static int most_waiting(const scree_frame *frame) {
  const double body = 2 * sizeof(int64_t) + 16 * sizeof(double);
  const double bytes = body * (double)frame->bodies + sizeof *frame->shape * (double)frame->shapes +
      sizeof *frame->contact * (double)frame->contacts;
  return bytes > LARGE ? 1 : SLOTS;
}

/* Waits for a free slot of the queue and copies the frame into it. Call with the lock held. */
static scree_status enqueue_frame(scree_writer *w, const scree_frame *frame, scree_error *error) {
  const int most = most_waiting(frame);
  while (w->waiting >= most && !w->status) pthread_cond_wait(&w->changed, &w->lock);
  if (w->status) return return_failure(w, error);
  sc_frame_store *slot = &w->slot[(w->head + w->waiting) % SLOTS];
  /* no other thread uses the slot until `waiting` counts it */
  w->filling = true;
  pthread_mutex_unlock(&w->lock);
  scree_status status = sc_frame_check(frame, error);
  if (!status && !sc_frame_store_copy(slot, frame, w->def.fields))
    status = sc_fail(error, SCREE_E_MEMORY, "trajectory: out of memory for a frame");
  if (!status) sc_frame_store_hold(slot, true);
  pthread_mutex_lock(&w->lock);
  w->filling = false;
  if (status) return status;
  w->waiting++;
  w->handed++;
  pthread_cond_broadcast(&w->changed);
  return SCREE_OK;
}

scree_status scree_writer_frame(scree_writer *w, const scree_frame *frame, scree_error *error) {
  SC_DEMAND(w, error, SCREE_E_ARGUMENT);
  if (w->process != getpid()) return refuse_child(error);
  double begun = cpu_seconds();
  scree_error why = {SCREE_OK, ""};
  pthread_mutex_lock(&w->lock);
  scree_status status = w->status;
  if (status) return_failure(w, error);
  else if (w->threaded) status = enqueue_frame(w, frame, error);
  else if (!(status = sc_frame_check(frame, error)) && !(status = pack_frame(w, frame, &why))) {
    w->handed++;
    w->durable++;
  } else if (why.status) {
    keep_failure(w, status, &why);
    return_failure(w, error);
  }
  w->bytes = w->threaded ? w->bytes : (int64_t)w->container.end;
  w->seconds[0] += cpu_seconds() - begun;
  pthread_mutex_unlock(&w->lock);
  return status;
}

/* Waits until the queue is empty and the packing thread is idle. Call with the lock held. */
static void drain_queue(scree_writer *w) {
  while (w->waiting || w->busy) pthread_cond_wait(&w->changed, &w->lock);
}

int64_t scree_writer_place(scree_writer *w, const scree_geometry *geometry, scree_error *error) {
  SC_DEMAND(w, error, -1);
  bool none;
  if (w->process != getpid()) return refuse_child(error), -1;
  pthread_mutex_lock(&w->lock);
  if (w->threaded) drain_queue(w);
  int64_t place = sc_geometries_place(&w->codec.geometries, geometry, &none);
  pthread_mutex_unlock(&w->lock);
  if (place < 0) sc_fail(error, SCREE_E_MEMORY, "out of memory for a hull or mesh");
  return place;
}

scree_status scree_writer_parts(scree_writer *w, const void *bytes, size_t count, scree_error *error) {
  SC_DEMAND(w, error, SCREE_E_ARGUMENT);
  if (w->process != getpid()) return refuse_child(error);
  double begun = cpu_seconds();
  scree_error why = {SCREE_OK, ""};
  pthread_mutex_lock(&w->lock);
  if (w->threaded) drain_queue(w);
  scree_status status = w->status;
  if (!status && !(status = join_parts(w, bytes, count, &why))) w->handed++, w->durable++;
  else if (why.status) keep_failure(w, status, &why);
  return_failure(w, error);
  w->bytes = (int64_t)w->container.end;
  w->seconds[0] += cpu_seconds() - begun;
  pthread_mutex_unlock(&w->lock);
  return status;
}

scree_status scree_writer_flush(scree_writer *w, int sync, scree_error *error) {
  SC_DEMAND(w, error, SCREE_E_ARGUMENT);
  if (w->process != getpid()) return refuse_child(error);
  scree_error why = {SCREE_OK, ""};
  pthread_mutex_lock(&w->lock);
  if (w->threaded) drain_queue(w);
  scree_status status = w->status;
  if (!status && sync && (status = sc_container_sync(&w->container, &why))) keep_failure(w, status, &why);
  if (status) return_failure(w, error);
  pthread_mutex_unlock(&w->lock);
  return status;
}

/* Returns a number of the writer, read with the lock held. */
static int64_t read_locked(const scree_writer *writer, const int64_t *number) {
  scree_writer *w = (scree_writer *)writer;
  pthread_mutex_lock(&w->lock);
  int64_t value = *number;
  pthread_mutex_unlock(&w->lock);
  return value;
}

int64_t scree_writer_frames(const scree_writer *w) {
  SC_DEMAND(w, NULL, 0);
  return read_locked(w, &w->handed);
}
int64_t scree_writer_durable(const scree_writer *w) {
  SC_DEMAND(w, NULL, 0);
  return read_locked(w, &w->durable);
}
int64_t scree_writer_bytes(const scree_writer *w) {
  SC_DEMAND(w, NULL, 0);
  return read_locked(w, &w->bytes);
}

double scree_writer_seconds(const scree_writer *writer, int background) {
  SC_DEMAND(writer, NULL, 0);
  scree_writer *w = (scree_writer *)writer;
  pthread_mutex_lock(&w->lock);
  double value = w->seconds[background != 0];
  pthread_mutex_unlock(&w->lock);
  return value;
}

scree_status scree_writer_close(scree_writer *w, scree_error *error) {
  if (!w) return SCREE_OK;
  /* the lock of a forked child may be a copy of a locked lock, and the child has no thread to join */
  if (w->process != getpid()) {
    sc_container_abandon(&w->container);
    return SCREE_OK;
  }
  if (w->threaded) {
    pthread_mutex_lock(&w->lock);
    w->stop = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
  }
  scree_error why = {SCREE_OK, ""};
  scree_status status = w->status;
  if (status) {
    return_failure(w, error);
    sc_container_abandon(&w->container);
  } else if ((status = sc_container_finish(&w->container, false, &why))) {
    keep_failure(w, status, &why);
    return_failure(w, error);
  }
  destroy_writer(w);
  return status;
}
