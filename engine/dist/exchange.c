/* Messages between ranks: reductions in the order of ranks, gathering, and exchanges in which a rank does not
 * know in advance which ranks send messages to it.
 *
 * Such an exchange follows Hoefler, Siebert & Lumsdaine (2010): a rank starts synchronous sends, enters a
 * non-blocking barrier once its sends have arrived, and receives until the barrier completes. Received
 * messages are sorted by sender, so the order of arrival does not affect the result. */
#include "dist/calls.h"

/* ---- buffers ---- */

void *sd_append(sd_buffer *buffer, size_t bytes) {
  if (!SC_GROW(buffer->bytes, buffer->capacity, buffer->size + bytes + 1)) return NULL;
  void *at = buffer->bytes + buffer->size;
  buffer->size += bytes;
  return at;
}

sd_buffer *sd_post_to(sd_post *post, int rank) {
  int at = 0;
  while (at < post->count && post->parcel[at].rank < rank) at++;
  if (at < post->count && post->parcel[at].rank == rank) return &post->parcel[at].buffer;
  size_t before = post->capacity;
  if (!SC_GROW(post->parcel, post->capacity, (size_t)post->count + 1)) return NULL;
  memset(post->parcel + before, 0, (post->capacity - before) * sizeof *post->parcel);
  /* the unused buffer behind the last message moves to the new message, so that its memory is reused */
  sd_parcel spare = post->parcel[post->count];
  memmove(post->parcel + at + 1, post->parcel + at, (size_t)(post->count - at) * sizeof *post->parcel);
  spare.rank = rank, spare.buffer.size = 0;
  post->parcel[at] = spare;
  post->count++;
  return &post->parcel[at].buffer;
}

void sd_post_clear(sd_post *post) { post->count = 0; }

void sd_post_free(sd_post *post) {
  for (size_t i = 0; i < post->capacity; i++) sc_free(post->parcel[i].buffer.bytes);
  sc_free(post->parcel);
  *post = (sd_post){0};
}

/* ---- reductions ---- */

/* Replaces `count` <= SD_SUMS values by their sums over all ranks. Rank 0 adds in the order of ranks. */
static void sum_chunk(sd_dist *d, double *value, int count) {
  MPI_Gather(value, count, MPI_DOUBLE, d->gathered, count, MPI_DOUBLE, 0, d->comm);
  for (int r = 1; r < d->ranks && d->rank == 0; r++)
    for (int i = 0; i < count; i++) value[i] += d->gathered[(size_t)r * (size_t)count + (size_t)i];
  MPI_Bcast(value, count, MPI_DOUBLE, 0, d->comm);
}

void sd_sum(void *context, double *value, int count) {
  sd_dist *d = context;
  const double start = sc_clock_wall();
  for (int done = 0; done < count; done += SD_SUMS)
    sum_chunk(d, value + done, count - done < SD_SUMS ? count - done : SD_SUMS);
  d->waiting += sc_clock_wall() - start;
}

void sd_most(void *context, double *value, int count) {
  sd_dist *d = context;
  double start = sc_clock_wall();
  MPI_Allreduce(MPI_IN_PLACE, value, count, MPI_DOUBLE, MPI_MAX, d->comm);
  d->waiting += sc_clock_wall() - start;
}

double sd_mean(void *context, double value, double weight) {
  double sums[2] = {value * weight, weight};
  sd_sum(context, sums, 2);
  return sums[1] > 0 ? sums[0] / sums[1] : 0;
}

double sd_largest(void *context, double value) {
  sd_most(context, &value, 1);
  return value;
}

static void reduce_start(sd_dist *d, double value) {
  d->told[0] = value;
  MPI_Iallreduce(d->told, d->told + 1, 1, MPI_DOUBLE, MPI_MAX, d->comm, &d->told_request);
}

static double reduce_finish(sd_dist *d) {
  double start = sc_clock_wall();
  MPI_Wait(&d->told_request, MPI_STATUS_IGNORE);
  d->waiting += sc_clock_wall() - start;
  return d->told[1];
}

double sd_decide(void *context, bool first, double value) {
  sd_dist *d = context;
  double before = first ? INFINITY : reduce_finish(d);
  reduce_start(d, value);
  return before;
}

double sd_conclude(void *context, double value) {
  (void)value; /* the last sd_decide has sent this value */
  return reduce_finish(context);
}

/* ---- from one to all, from all to one ---- */

enum { CHUNK = 1 << 28 }; /* largest number of bytes of one message, because MPI counts are int */

void sd_send_all(void *context, void *bytes, size_t size, int from) {
  sd_dist *d = context;
  double start = sc_clock_wall();
  for (size_t at = 0; at < size; at += CHUNK)
    MPI_Bcast((char *)bytes + at, (int)(size - at < CHUNK ? size - at : CHUNK), MPI_BYTE, from, d->comm);
  d->waiting += sc_clock_wall() - start;
}

static void receive_chunks(sd_dist *d, char *to, size_t size, int from) {
  for (size_t at = 0; at < size; at += CHUNK)
    MPI_Recv(to + at, (int)(size - at < CHUNK ? size - at : CHUNK), MPI_BYTE, from, SD_TAG_MAIL + 2, d->comm,
        MPI_STATUS_IGNORE);
}

static void send_chunks(sd_dist *d, const char *from, size_t size) {
  for (size_t at = 0; at < size; at += CHUNK)
    MPI_Send(from + at, (int)(size - at < CHUNK ? size - at : CHUNK), MPI_BYTE, 0, SD_TAG_MAIL + 2, d->comm);
}

scree_status sd_gather(void *context, const void *bytes, size_t size, bool to_all, void **all, size_t *total,
    scree_error *error) {
  sd_dist *d = context;
  double start = sc_clock_wall();
  uint64_t own = size, *sizes = sc_alloc((size_t)d->ranks * sizeof *sizes);
  *all = NULL, *total = 0;
  if (!sizes) return sc_fail(error, SCREE_E_MEMORY, "no memory to gather from %d ranks", d->ranks);
  MPI_Allgather(&own, 1, MPI_UINT64_T, sizes, 1, MPI_UINT64_T, d->comm);
  size_t sum = 0;
  for (int r = 0; r < d->ranks; r++) sum += sizes[r];
  bool here = d->rank == 0 || to_all;
  char *to = here ? sc_alloc(sum + 1) : NULL;
  if (here && !to) {
    sc_free(sizes);
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %zu bytes of all ranks", sum);
  }
  if (d->rank == 0) {
    size_t at = size;
    if (size) memcpy(to, bytes, size);
    for (int r = 1; r < d->ranks; at += sizes[r], r++) receive_chunks(d, to + at, sizes[r], r);
  } else {
    send_chunks(d, bytes, size);
  }
  sc_free(sizes);
  d->waiting += sc_clock_wall() - start;
  if (to_all) sd_send_all(d, to, sum, 0);
  *all = to, *total = here ? sum : 0;
  return SCREE_OK;
}

/* ---- exchange with partners that only the senders know ---- */

/* Receives one message with this tag, if one has arrived, into d->mail. Returns false if out of memory. */
static bool receive_message(sd_dist *d, int tag) {
  int waits, size;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, d->comm, &waits, &status);
  if (!waits) return true;
  MPI_Get_count(&status, MPI_BYTE, &size);
  sd_buffer *buffer = sd_post_to(&d->mail, status.MPI_SOURCE);
  void *at = buffer ? sd_append(buffer, (size_t)size) : NULL;
  if (!at) return false;
  MPI_Recv(at, size, MPI_BYTE, status.MPI_SOURCE, tag, d->comm, MPI_STATUS_IGNORE);
  return true;
}

scree_status sd_exchange(sd_dist *d, int which, scree_error *error) {
  sd_post *post = &d->post[which];
  double start = sc_clock_wall();
  int tag = SD_TAG_MAIL + (d->round++ & 1), sent = 0, done = 0;
  sd_post_clear(&d->mail);
  if (!sd_requests(d, post->count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d messages", post->count);
  for (int i = 0; i < post->count; i++) {
    const sd_buffer *b = &post->parcel[i].buffer;
    if (b->size > INT32_MAX)
      return sc_fail(
          error, SCREE_E_ARGUMENT, "%zu bytes are too many for one message between ranks", b->size);
    MPI_Issend(b->bytes, (int)b->size, MPI_BYTE, post->parcel[i].rank, tag, d->comm, d->request + i);
    d->tally.messages++, d->tally.bytes += (double)b->size;
  }
  MPI_Request barrier = MPI_REQUEST_NULL;
  while (!done) {
    if (!receive_message(d, tag))
      return sc_fail(error, SCREE_E_MEMORY, "no memory for a message between ranks");
    if (barrier != MPI_REQUEST_NULL) {
      MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    } else {
      MPI_Testall(post->count, d->request, &sent, d->status);
      if (sent) MPI_Ibarrier(d->comm, &barrier);
    }
  }
  d->waiting += sc_clock_wall() - start;
  return SCREE_OK;
}

/* ---- requests between known partners ---- */

bool sd_requests(sd_dist *d, int count) {
  d->requests = 0;
  return SC_GROW(d->request, d->request_capacity, (size_t)count + 1) &&
      SC_GROW(d->status, d->status_capacity, (size_t)count + 1);
}

void sd_send(sd_dist *d, const void *bytes, size_t size, int to, int tag) {
  MPI_Isend(bytes, (int)size, MPI_BYTE, to, tag, d->comm, d->request + d->requests++);
  d->tally.messages++, d->tally.bytes += (double)size;
}

void sd_receive(sd_dist *d, void *bytes, size_t size, int from, int tag) {
  MPI_Irecv(bytes, (int)size, MPI_BYTE, from, tag, d->comm, d->request + d->requests++);
}

void sd_wait(sd_dist *d) {
  double start = sc_clock_wall();
  MPI_Waitall(d->requests, d->request, d->status);
  d->requests = 0;
  d->waiting += sc_clock_wall() - start;
}
