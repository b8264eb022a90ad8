/* Decoder of frames. It computes a frame from a payload and the last frame. It checks every count against the
 * existing columns, and every row against the last frame. If a payload has a valid checksum but contradicts
 * itself, the decoder fails with SCREE_E_FORMAT. */
#include "io/trajectory/frame_jobs.h"

#include <math.h>
#include <string.h>

typedef sc_decoding job;

void sc_frame_codec_free(sc_frame_codec *codec) {
  sc_frame_store_free(codec->store);
  sc_frame_store_free(codec->store + 1);
  sc_geometries_free(&codec->geometries);
  sc_free(codec->before);
  sc_free(codec->word);
  sc_column_scratch_free(&codec->scratch);
  sc_bytes_free(&codec->payload);
  for (int64_t i = 0; i < codec->parts; i++) sc_frame_codec_free(codec->part + i);
  sc_free(codec->part);
  memset(codec, 0, sizeof *codec);
}

static scree_status fail_memory(scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "out of memory for a frame");
}
static bool has_column(const job *j, int id) { return j->column[id].bytes != NULL; }

/* ---- reading the payload ---- */

static scree_status read_columns(
    job *j, const unsigned char *at, const unsigned char *end, uint32_t count, scree_error *error) {
  for (uint32_t i = 0; i < count; i++) {
    sc_column column;
    scree_status status = sc_column_read(&column, &at, end, error);
    if (status) return status;
    if (column.id >= SC_COLUMNS) continue; /* a later version of scree wrote this column */
    if (has_column(j, column.id)) return sc_decode_fail(column.id, "comes twice", error);
    j->column[column.id] = column;
    if (column.quantum > 0) j->codec->quantum[column.id] = column.quantum;
  }
  return SCREE_OK;
}

/* ---- bodies ---- */

/* Lists the rows of the last frame whose bodies survive in codec->before. Returns their number; -1 with an
 * error if the list of removed bodies is wrong or memory runs out. */
static int64_t list_survivors(job *j, scree_error *error) {
  sc_frame_codec *codec = j->codec;
  int64_t dead = (int64_t)j->column[SC_COLUMN_DEATHS].rows, all = j->last->bodies, kept = 0, d = 0;
  if (dead > all) {
    sc_decode_fail(SC_COLUMN_DEATHS, "removes more bodies than there are", error);
    return -1;
  }
  if (dead && sc_decode_words(j, SC_COLUMN_DEATHS, dead, 1, true, error)) return -1;
  if (!SC_GROW(codec->before, codec->before_capacity, (size_t)(all + j->births) + 1)) {
    fail_memory(error);
    return -1;
  }
  for (int64_t r = 0; r < all; r++) {
    if (d < dead && codec->word[d] == (uint64_t)r) d++;
    else codec->before[kept++] = r;
  }
  if (d != dead) {
    sc_decode_fail(SC_COLUMN_DEATHS, "names bodies that are not there", error);
    return -1;
  }
  return kept;
}

/* Merges `kept` surviving and the new bodies by id. Sets the ids of the next frame and codec->before. Goes
 * from the last row to the first, because codec->before is filled in place. */
static scree_status merge_bodies(job *j, int64_t kept, scree_error *error) {
  sc_frame_codec *codec = j->codec;
  int64_t s = kept - 1, b = j->births - 1;
  for (int64_t r = j->bodies - 1; r >= 0; r--) {
    uint64_t old = s >= 0 ? j->last->id[codec->before[s]] : 0, born = b >= 0 ? codec->word[b] : 0;
    bool take_born = s < 0 || (b >= 0 && born > old);
    j->next->id[r] = take_born ? born : old;
    if (take_born) {
      codec->before[r] = -1;
      b--;
    } else codec->before[r] = codec->before[s--];
    if (r + 1 < j->bodies && j->next->id[r] >= j->next->id[r + 1])
      return sc_decode_fail(SC_COLUMN_ID, "is not ascending", error);
  }
  return SCREE_OK;
}

static scree_status read_ids(job *j, int fields, scree_error *error) {
  int64_t kept = 0;
  scree_status status = SCREE_OK;
  scree_error why = {SCREE_OK, ""};
  j->births = (int64_t)j->column[SC_COLUMN_ID].rows;
  if (j->last && (kept = list_survivors(j, &why)) < 0) {
    if (error) *error = why;
    return why.status;
  }
  if (kept + j->births != j->bodies)
    return sc_fail(error, SCREE_E_FORMAT, "the frame's bodies do not add up");
  if (!SC_GROW(j->codec->before, j->codec->before_capacity, (size_t)j->bodies + 1)) return fail_memory(error);
  if (j->births) status = sc_decode_words(j, SC_COLUMN_ID, j->births, 1, true, error);
  if (status) return status;
  if (!sc_frame_store_shape(j->next, j->bodies, j->shapes, j->contacts, fields)) return fail_memory(error);
  return merge_bodies(j, kept, error);
}

/* ---- static data ---- */

/* Returns whether the frame has the same bodies as the last frame, row by row. */
static bool has_last_bodies(const job *j) { return j->last && !j->births && j->bodies == j->last->bodies; }

static scree_status read_static(job *j, int id, scree_error *error) {
  bool whole = id == SC_COLUMN_GROUP || id == SC_COLUMN_KIND;
  int64_t rows = (int64_t)j->column[id].rows, k = 0;
  if (!rows && j->bodies && has_last_bodies(j))
    return sc_frame_store_copy_static(j->next, j->last, id), SCREE_OK;
  bool all = rows == j->bodies;
  if (!all && rows != j->births) return sc_decode_fail(id, "has the wrong number of rows", error);
  scree_status status = rows ? sc_decode_words(j, id, rows, 1, whole, error) : SCREE_OK;
  if (status) return status;
  for (int64_t r = 0; r < j->bodies; r++) {
    int64_t b = j->codec->before[r];
    sc_frame_store_set_static(
        j->next, id, r, all || b < 0 ? j->codec->word[k++] : sc_frame_static_word(j->last, id, b));
  }
  return SCREE_OK;
}

/* Reads the column `id`, one component of the inertias. If the column is absent, the component is 0 for new
 * bodies and unchanged for all others. */
static scree_status read_inertia(job *j, int id, scree_error *error) {
  const int64_t rows = (int64_t)j->column[id].rows;
  int64_t k = 0;
  const bool all = rows == j->bodies && rows;
  if (rows && !all && rows != j->births) return sc_decode_fail(id, "has the wrong number of rows", error);
  scree_status status = rows ? sc_decode_words(j, id, rows, 1, false, error) : SCREE_OK;
  if (status) return status;
  for (int64_t r = 0; r < j->bodies; r++) {
    const int64_t b = j->codec->before[r];
    const uint64_t same = b < 0 ? 0 : sc_frame_static_word(j->last, id, b);
    sc_frame_store_set_static(j->next, id, r, rows && (all || b < 0) ? j->codec->word[k++] : same);
  }
  return SCREE_OK;
}

/* Reads the inertias if the payload or the last frame has any. */
static scree_status read_inertias(job *j, scree_error *error) {
  bool any = j->last && j->last->inertia;
  scree_status status = SCREE_OK;
  for (int id = SC_COLUMN_INERTIA; id <= SC_COLUMN_INERTIA_LAST; id++) any = any || has_column(j, id);
  if (!any) return SCREE_OK;
  if (!sc_frame_store_inertia(j->next)) return fail_memory(error);
  for (int id = SC_COLUMN_INERTIA; id <= SC_COLUMN_INERTIA_LAST && !status; id++)
    status = read_inertia(j, id, error);
  return status;
}

/* ---- shapes ---- */

/* Reads the `count` shapes of the payload into list. */
static scree_status read_stored_shapes(job *j, scree_shape_info *list, int64_t count, scree_error *error) {
  for (int id = SC_COLUMN_SHAPE_BODY; id <= SC_COLUMN_SHAPE_OWN; id++) {
    if (id == SC_COLUMN_SHAPE_GEOMETRY || (id == SC_COLUMN_SHAPE_OWN && !has_column(j, id))) continue;
    int components = sc_frame_shape_components(id);
    scree_status status = sc_decode_words(j, id, count, components, id <= SC_COLUMN_SHAPE_MATERIAL, error);
    if (status) return status;
    sc_frame_set_shape_words(list, count, id, j->codec->word);
  }
  for (int64_t i = 0; i < count; i++)
    if (list[i].type < 0 || list[i].type >= SCREE_SHAPE_TYPES)
      return sc_decode_fail(SC_COLUMN_SHAPE_TYPE, "names an unknown shape", error);
  if (!has_column(j, SC_COLUMN_SHAPE_GEOMETRY)) return SCREE_OK;
  /* a word is 1 + the index in the file's list of hulls and meshes; 0: the shape has none */
  scree_status status = sc_decode_words(j, SC_COLUMN_SHAPE_GEOMETRY, count, 1, true, error);
  for (int64_t i = 0; i < count && !status; i++)
    list[i].geometry = sc_geometries_at(&j->codec->geometries, (int64_t)j->codec->word[i] - 1);
  return status;
}

/* Fills the shapes of the next frame, body after body. New bodies have the shapes of the payload (`stored`),
 * surviving bodies those of the last frame. If j->all_shapes, all are from the payload. */
static scree_status line_up_shapes(
    job *j, const scree_shape_info *stored, int64_t count, scree_error *error) {
  int64_t s = 0, t = 0, n = 0;
  for (int64_t r = 0; r < j->bodies; r++) {
    uint64_t id = j->next->id[r];
    if (j->all_shapes || j->codec->before[r] < 0) {
      for (; s < count && stored[s].body == id; s++) {
        if (n == j->shapes) return sc_decode_fail(SC_COLUMN_SHAPE_BODY, "has too many rows", error);
        j->next->shape[n++] = stored[s];
      }
      continue;
    }
    while (t < j->last->shapes && j->last->shape[t].body < id) t++;
    for (; t < j->last->shapes && j->last->shape[t].body == id; t++) {
      if (n == j->shapes) return sc_decode_fail(SC_COLUMN_SHAPE_BODY, "has too many rows", error);
      j->next->shape[n++] = j->last->shape[t];
    }
  }
  if (n != j->shapes || s != count) return sc_fail(error, SCREE_E_FORMAT, "the frame's shapes do not add up");
  return SCREE_OK;
}

/* Swaps the shape lists of the last and the next frame. */
static void swap_shapes(job *j) {
  sc_frame_store *last = j->codec->store + j->codec->last, *next = j->next;
  scree_shape_info *list = last->shape;
  size_t capacity = last->shapes_capacity;
  last->shape = next->shape, last->shapes_capacity = next->shapes_capacity;
  next->shape = list, next->shapes_capacity = capacity;
  next->frame.shape = list, last->frame.shape = last->shape;
}

/* Returns whether every shape of the list belongs to a body of the frame, and shapes are in the order of
 * bodies. */
static bool is_lined_up(const job *j, const scree_shape_info *list, int64_t count) {
  int64_t s = 0;
  for (int64_t r = 0; r < j->bodies; r++)
    while (s < count && list[s].body == j->next->id[r]) s++;
  return s == count;
}

static scree_status read_shapes(job *j, scree_error *error) {
  int64_t count = (int64_t)j->column[SC_COLUMN_SHAPE_BODY].rows;
  if (!count && !j->all_shapes && has_last_bodies(j) && j->shapes == j->last->shapes)
    return swap_shapes(j), SCREE_OK;
  if (count && j->all_shapes && count == j->shapes) {
    memset(j->next->shape, 0, (size_t)count * sizeof *j->next->shape);
    scree_status read = read_stored_shapes(j, j->next->shape, count, error);
    return read || is_lined_up(j, j->next->shape, count)
        ? read
        : sc_fail(error, SCREE_E_FORMAT, "the frame's shapes do not add up");
  }
  scree_shape_info *stored = sc_alloc(((size_t)count + 1) * sizeof *stored);
  if (!stored) return fail_memory(error);
  scree_status status = count ? read_stored_shapes(j, stored, count, error) : SCREE_OK;
  if (!status) status = line_up_shapes(j, stored, count, error);
  sc_free(stored);
  return status;
}

/* ---- fields ---- */

/* Returns whether the column's predictor can be used: the arrays that it reads are not NULL. */
static bool can_predict(const job *j, const sc_column *column, const double *last,
    const double *last_velocity, const double *velocity) {
  switch (column->predictor) {
  case SC_PREDICT_FRAME: return j->last && last;
  case SC_PREDICT_MOTION:
    return j->last && last && last_velocity && velocity && column->word == SC_WORD_QUANTUM;
  default: return true;
  }
}

static scree_status read_field(job *j, int id, int components, const double *last,
    const double *last_velocity, const double *velocity, double *values, scree_error *error) {
  sc_frame_codec *codec = j->codec;
  const sc_column *column = j->column + id;
  int64_t n = j->bodies;
  if (column->rows != (uint64_t)n || column->components != components || column->word == SC_WORD_WHOLE)
    return sc_decode_fail(id, "has the wrong shape", error);
  if (!can_predict(j, column, last, last_velocity, velocity))
    return sc_decode_fail(id, "has a predictor that does not suit it", error);
  scree_status status = sc_column_unpack(column, &codec->scratch, error);
  if (status) return status;
  if (!SC_GROW(codec->word, codec->word_capacity, (size_t)n * (size_t)components + 1))
    return fail_memory(error);
  sc_prediction p = {.column = column,
      .before = j->last ? codec->before : NULL,
      .last = last,
      .last_velocity = last_velocity,
      .velocity = velocity,
      .dt = j->dt};
  sc_predict_words(&p, codec->scratch.rest, codec->word);
  sc_column_values(column, codec->word, values);
  return SCREE_OK;
}

static scree_status read_charted(job *j, scree_error *error) {
  sc_frame_codec *codec = j->codec;
  const scree_frame *last = j->last;
  const sc_column *column = j->column + SC_COLUMN_ORIENTATION;
  int64_t n = j->bodies;
  const double *q0 = last ? last->orientation : NULL, *w0 = last ? last->spin : NULL,
               *w1 = j->next->frame.spin;
  if (column->rows != (uint64_t)n || column->components != 3)
    return sc_decode_fail(SC_COLUMN_ORIENTATION, "has the wrong shape", error);
  if (column->predictor == SC_PREDICT_ROW || !can_predict(j, column, q0, w0, w1))
    return sc_decode_fail(SC_COLUMN_ORIENTATION, "has a predictor that does not suit it", error);
  scree_status status = sc_decode_words(j, SC_COLUMN_CHART, n, 1, true, error);
  if (!status) status = sc_column_unpack(column, &codec->scratch, error);
  if (status) return status;
  sc_prediction p = {.column = column,
      .before = last ? codec->before : NULL,
      .last = q0,
      .last_velocity = w0,
      .velocity = w1,
      .dt = j->dt};
  for (int64_t r = 0; r < n; r++) {
    double q[4];
    int64_t a[3] = {0, 0, 0};
    /* the chart is decoded first, because the predicted quanta must be in the same chart */
    bool is_predicted = sc_orient_expect(&p, r, q);
    int chart = (int)(((is_predicted ? (uint64_t)sc_orient_chart(q) : 0) + codec->word[r]) & 3);
    if (is_predicted) sc_orient_encode(q, chart, column->quantum, a);
    for (int k = 0; k < 3; k++) a[k] = (int64_t)((uint64_t)a[k] + codec->scratch.rest[k * n + r]);
    sc_orient_decode(chart, a, column->quantum, j->next->orientation + 4 * r);
  }
  return SCREE_OK;
}

/* Reads the names and units of the script columns into the next frame. */
static scree_status read_value_texts(job *j, scree_error *error) {
  const int64_t n = (int64_t)j->column[SC_COLUMN_VALUE_TEXTS].rows;
  const int32_t count = (int32_t)(n / SC_COLUMN_TEXTS);
  scree_column list[SCREE_COLUMNS_MOST];
  if (n % SC_COLUMN_TEXTS || n > SCREE_COLUMNS_MOST * SC_COLUMN_TEXTS)
    return sc_decode_fail(SC_COLUMN_VALUE_TEXTS, "has the wrong number of rows", error);
  scree_status status = sc_decode_words(j, SC_COLUMN_VALUE_TEXTS, n, 1, true, error);
  if (status) return status;
  sc_frame_set_column_words(list, count, j->codec->word);
  return sc_frame_store_columns(j->next, list, count) ? SCREE_OK : fail_memory(error);
}

static scree_status read_values(job *j, scree_error *error) {
  const bool texts = has_column(j, SC_COLUMN_VALUE_TEXTS), values = has_column(j, SC_COLUMN_VALUE);
  const scree_frame *last = j->last;
  scree_status status = SCREE_OK;
  if (texts) status = read_value_texts(j, error);
  else if (values && !last) return sc_decode_fail(SC_COLUMN_VALUE_TEXTS, "is missing", error);
  else if (last && last->columns && (values || !j->bodies) &&
      !sc_frame_store_columns(j->next, last->column, last->columns))
    return fail_memory(error);
  if (status || !j->next->frame.columns || !j->bodies) return status;
  if (!values) return sc_decode_fail(SC_COLUMN_VALUE, "is missing", error);
  return read_field(j, SC_COLUMN_VALUE, j->next->frame.columns, texts ? NULL : last->value, NULL, NULL,
      j->next->value, error);
}

static scree_status read_fields(job *j, scree_error *error) {
  const scree_frame *last = j->last;
  sc_frame_store *next = j->next;
  scree_status status = SCREE_OK;
  if (has_column(j, SC_COLUMN_VELOCITY))
    status = read_field(
        j, SC_COLUMN_VELOCITY, 3, last ? last->velocity : NULL, NULL, NULL, next->velocity, error);
  if (!status && has_column(j, SC_COLUMN_SPIN))
    status = read_field(j, SC_COLUMN_SPIN, 3, last ? last->spin : NULL, NULL, NULL, next->spin, error);
  if (!status && has_column(j, SC_COLUMN_POSITION))
    status = read_field(j, SC_COLUMN_POSITION, 3, last ? last->position : NULL, last ? last->velocity : NULL,
        next->frame.velocity, next->position, error);
  if (status || !has_column(j, SC_COLUMN_ORIENTATION)) return status;
  if (j->column[SC_COLUMN_ORIENTATION].word == SC_WORD_QUANTUM) return read_charted(j, error);
  return read_field(
      j, SC_COLUMN_ORIENTATION, 4, last ? last->orientation : NULL, NULL, NULL, next->orientation, error);
}

/* ---- the frame ---- */

static int find_fields(const job *j) {
  return (has_column(j, SC_COLUMN_POSITION) ? SCREE_FIELD_POSITION : 0) |
      (has_column(j, SC_COLUMN_ORIENTATION) ? SCREE_FIELD_ORIENTATION : 0) |
      (has_column(j, SC_COLUMN_VELOCITY) ? SCREE_FIELD_VELOCITY : 0) |
      (has_column(j, SC_COLUMN_SPIN) ? SCREE_FIELD_SPIN : 0);
}

static scree_status read_cell(job *j, scree_error *error) {
  double value[SC_CELL_ROWS];
  j->next->frame.has_cell = has_column(j, SC_COLUMN_CELL);
  if (!j->next->frame.has_cell) return SCREE_OK;
  scree_status status = sc_decode_words(j, SC_COLUMN_CELL, SC_CELL_ROWS, 1, false, error);
  for (int k = 0; k < SC_CELL_ROWS && !status; k++)
    value[k] = sc_word_value(
        j->column[SC_COLUMN_CELL].word, j->codec->word[k], j->column[SC_COLUMN_CELL].quantum);
  if (!status && !sc_frame_cell_unpack(value, &j->next->frame.cell))
    return sc_fail(error, SCREE_E_FORMAT, "the frame's cell has no volume");
  return status;
}

bool sc_frame_read_cell(const unsigned char *bytes, size_t count, scree_cell *cell) {
  SC_ASSERT((bytes || !count) && cell);
  const size_t skip = SC_FRAME_HEADER + sizeof(uint64_t);
  if (count >= skip && sc_get_u32(bytes) == SC_FRAME_PARTS_VERSION) bytes += skip, count -= skip;
  if (count < SC_FRAME_HEADER || sc_get_u32(bytes) != SC_FRAME_VERSION) return false;
  sc_frame_codec codec = {0};
  sc_frame_store store = {0};
  job j = {.codec = &codec, .next = &store};
  bool found = !read_columns(&j, bytes + SC_FRAME_HEADER, bytes + count, sc_get_u32(bytes + 56), NULL) &&
      !read_cell(&j, NULL) && store.frame.has_cell;
  if (found) *cell = store.frame.cell;
  sc_frame_codec_free(&codec);
  return found;
}

/* Removes the columns of fields that the reader does not request, from j->column. Keeps velocities and spins
 * if they predict positions and orientations that are requested. */
static void drop_unwanted(job *j) {
  int fields = j->codec->fields ? j->codec->fields : SCREE_FIELD_DEFAULT | SCREE_FIELD_CONTACTS;
  if (!(fields & SCREE_FIELD_ORIENTATION)) {
    j->column[SC_COLUMN_ORIENTATION].bytes = NULL;
    if (!(fields & SCREE_FIELD_SPIN)) j->column[SC_COLUMN_SPIN].bytes = NULL;
  }
  if (!(fields & (SCREE_FIELD_POSITION | SCREE_FIELD_VELOCITY))) j->column[SC_COLUMN_VELOCITY].bytes = NULL;
  if (!(fields & SCREE_FIELD_POSITION)) j->column[SC_COLUMN_POSITION].bytes = NULL;
  if (!(fields & SCREE_FIELD_CONTACTS)) j->contacts = 0;
}

/* Checks the numbers of shapes and contacts in the header against the columns, before memory is allocated for
 * them. */
static scree_status check_counts(const job *j, scree_error *error) {
  int64_t stored = (int64_t)j->column[SC_COLUMN_SHAPE_BODY].rows,
          kept = j->last && !j->all_shapes ? j->last->shapes : 0;
  if (j->shapes < 0 || j->shapes > stored + kept)
    return sc_fail(error, SCREE_E_FORMAT, "the frame counts more shapes than it holds");
  if (j->contacts < 0 || j->contacts != (int64_t)j->column[SC_COLUMN_CONTACT_BODY1].rows)
    return sc_fail(error, SCREE_E_FORMAT, "the frame counts other contacts than it holds");
  return SCREE_OK;
}

static scree_status decode_frame(
    job *j, const unsigned char *bytes, size_t count, int64_t number, scree_error *error) {
  if (count < SC_FRAME_HEADER) return sc_fail(error, SCREE_E_FORMAT, "a frame ends inside its header");
  uint32_t version = sc_get_u32(bytes), flags = sc_get_u32(bytes + 4);
  if (version != SC_FRAME_VERSION)
    return sc_fail(error, SCREE_E_FORMAT, "frame version %u is not known", version);
  if ((int64_t)sc_get_u64(bytes + 24) != number)
    return sc_fail(error, SCREE_E_FORMAT, "the frame has another number than its chunk");
  bool key = flags & SC_FRAME_KEY;
  if (!key && (!j->codec->valid || j->codec->number != number - 1))
    return sc_fail(error, SCREE_E_FORMAT, "the frame needs the one before it");
  j->last = key ? NULL : &j->codec->store[j->codec->last].frame;
  j->all_shapes = key || flags & SC_FRAME_ALL_SHAPES;
  j->time = sc_from_bits(sc_get_u64(bytes + 8));
  j->step = (int64_t)sc_get_u64(bytes + 16);
  j->step_dt = sc_from_bits(sc_get_u64(bytes + 64));
  j->dt = j->last ? j->time - j->last->time : 0;
  j->bodies = (int64_t)sc_get_u64(bytes + 32);
  j->shapes = (int64_t)sc_get_u64(bytes + 40);
  j->contacts = (int64_t)sc_get_u64(bytes + 48);
  scree_status status = read_columns(
      j, bytes + SC_FRAME_HEADER, bytes + count, sc_get_u32(bytes + 56), error);
  if (!status) status = check_counts(j, error);
  drop_unwanted(j);
  if (!status) status = read_ids(j, find_fields(j), error);
  for (int id = SC_COLUMN_GROUP; id <= SC_COLUMN_MASS && !status; id++) status = read_static(j, id, error);
  if (!status) status = read_inertias(j, error);
  if (!status) status = read_shapes(j, error);
  if (!status) status = read_cell(j, error);
  if (!status) status = read_values(j, error);
  if (!status) status = read_fields(j, error);
  if (!status && j->contacts) status = sc_decode_contacts(j, error);
  return status;
}

scree_status sc_frame_decode_one(
    sc_frame_codec *codec, const unsigned char *bytes, size_t count, int64_t number, scree_error *error) {
  job j = {.codec = codec, .next = &codec->store[!codec->last]};
  scree_status status = decode_frame(&j, bytes, count, number, error);
  codec->valid = !status;
  if (status) return status;
  codec->last = !codec->last;
  codec->number = number;
  codec->store[codec->last].frame.time = j.time;
  codec->store[codec->last].frame.step = j.step;
  codec->store[codec->last].frame.dt = j.step_dt;
  codec->store[codec->last].frame.forces = (sc_get_u32(bytes + 4) & SC_FRAME_FORCES) != 0;
  return SCREE_OK;
}
