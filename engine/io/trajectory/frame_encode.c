/* Encoder of frames. It computes the payload from a frame and the last frame as readers see it. The frame as
 * readers see it then becomes the last frame.  A field is stored in whole quanta if the user set a precision.
 * It is stored as doubles without a precision, or if a value does not fit (not finite, or beyond 2^50
 * quanta). The encoder chooses the predictor whose deltas have the fewest bits on a sample of rows; the file
 * records the choice. Columns are in the order in which the decoder needs them: velocities before positions,
 * spins before orientations. */
#include "io/trajectory/frame_jobs.h"

#include <math.h>
#include <string.h>

typedef sc_encoding job;

static scree_status fail_encoding(scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "out of memory for a frame");
}

/* ---- columns ---- */

/* Writes the column of a field. values: [bodies x components]. last, last_velocity, velocity: see
 * sc_prediction. kept: receives the values as readers will see them. */
static scree_status put_field(job *j, int id, int components, const double *values, const double *last,
    const double *last_velocity, const double *velocity, double *kept, scree_error *error) {
  int64_t n = j->frame->bodies;
  double quantum = j->codec->quantum[id];
  int word = sc_words_fit(values, (size_t)n * (size_t)components, quantum) ? SC_WORD_QUANTUM : SC_WORD_DOUBLE;
  sc_column column = {.id = (uint16_t)id,
      .word = (uint8_t)word,
      .components = (uint8_t)components,
      .rows = (uint64_t)n,
      .quantum = quantum};
  sc_prediction p = {.column = &column,
      .before = j->last ? j->codec->before : NULL,
      .last = last,
      .last_velocity = last_velocity,
      .velocity = velocity,
      .dt = j->dt};
  if (!sc_encode_room(j, (size_t)n * (size_t)components)) return fail_encoding(error);
  uint64_t *w = j->codec->word;
  for (int c = 0; c < components; c++)
    for (int64_t r = 0; r < n; r++) {
      w[c * n + r] = sc_word_of(word, values[components * r + c], quantum);
      kept[components * r + c] = sc_word_value(word, w[c * n + r], quantum);
    }
  bool motion = last && last_velocity && velocity && word == SC_WORD_QUANTUM;
  sc_encode_predictor(j, &p, &column, w, (const bool[SC_PREDICTORS]){true, true, last != NULL, motion});
  sc_predict_rests(&p, w, j->codec->scratch.rest);
  return sc_encode_column(j, &column, error);
}

/* ---- bodies ---- */

/* Sets codec->before by merging the ids of both frames. Counts new and removed bodies. Lists the rows of
 * removed bodies in codec->word. */
static scree_status match_bodies(job *j, scree_error *error) {
  sc_frame_codec *codec = j->codec;
  const scree_frame *now = j->frame, *last = j->last;
  int64_t b = 0, lost = last ? last->bodies : 0;
  if (!SC_GROW(codec->before, codec->before_capacity, (size_t)now->bodies + 1) ||
      !sc_encode_room(j, (size_t)(lost > now->bodies ? lost : now->bodies)))
    return fail_encoding(error);
  for (int64_t r = 0; r < now->bodies; r++) {
    while (last && b < last->bodies && last->id[b] < now->id[r]) codec->word[j->deaths++] = (uint64_t)b++;
    bool same = last && b < last->bodies && last->id[b] == now->id[r];
    codec->before[r] = same ? b++ : -1;
    j->births += !same;
  }
  while (last && b < last->bodies) codec->word[j->deaths++] = (uint64_t)b++;
  return SCREE_OK;
}

static scree_status put_ids(job *j, scree_error *error) {
  scree_status status = SCREE_OK;
  if (j->deaths) status = sc_encode_words(j, SC_COLUMN_DEATHS, SC_WORD_WHOLE, 1, j->deaths, 0, error);
  if (status || !j->births) return status;
  int64_t k = 0;
  for (int64_t r = 0; r < j->frame->bodies; r++)
    if (j->codec->before[r] < 0) j->codec->word[k++] = j->frame->id[r];
  return sc_encode_words(j, SC_COLUMN_ID, SC_WORD_WHOLE, 1, k, 0, error);
}

/* ---- static data ---- */

/* Writes a static column (group, kind, radius, mass, inertia). If the value of a surviving body has changed,
 * the column has all rows, else the rows of new bodies. Writes nothing if there are no such rows. */
static scree_status put_static(job *j, int id, scree_error *error) {
  const scree_frame *now = j->frame;
  const int64_t *before = j->codec->before;
  bool all = !j->last;
  for (int64_t r = 0; !all && r < now->bodies; r++)
    all = before[r] >= 0 && sc_frame_static_word(now, id, r) != sc_frame_static_word(j->last, id, before[r]);
  int64_t k = 0;
  for (int64_t r = 0; r < now->bodies; r++)
    if (all || before[r] < 0) j->codec->word[k++] = sc_frame_static_word(now, id, r);
  int word = id >= SC_COLUMN_RADIUS ? SC_WORD_DOUBLE : SC_WORD_WHOLE;
  return k ? sc_encode_words(j, id, word, 1, k, 0, error) : SCREE_OK;
}

/* Writes the column `id`, one component of the inertias, as put_static does. Writes nothing if no surviving
 * body has changed and all new bodies have 0. */
static scree_status put_inertia(job *j, int id, scree_error *error) {
  const scree_frame *now = j->frame;
  bool any = false;
  for (int64_t r = 0; r < now->bodies && !any; r++) {
    const int64_t b = j->codec->before[r];
    any = sc_frame_static_word(now, id, r) != (j->last && b >= 0 ? sc_frame_static_word(j->last, id, b) : 0);
  }
  return any ? put_static(j, id, error) : SCREE_OK;
}

/* ---- shapes ---- */

/* Returns whether shape s of the frame equals `before`, a shape of the last frame, including its geometry. */
static bool is_kept_shape(const job *j, int64_t s, const scree_shape_info *before) {
  return sc_shape_same(j->frame->shape + s, before) && j->next->shape[s].geometry == before->geometry;
}

/* Returns whether all surviving bodies have the shapes that they had in the last frame. */
static bool has_kept_shapes(const job *j) {
  const scree_frame *now = j->frame, *last = j->last;
  int64_t s = 0, t = 0;
  for (int64_t r = 0; r < now->bodies; r++) {
    bool born = j->codec->before[r] < 0;
    while (!born && t < last->shapes && last->shape[t].body < now->id[r]) t++;
    for (; s < now->shapes && now->shape[s].body == now->id[r]; s++)
      if (!born &&
          (t == last->shapes || last->shape[t].body != now->id[r] || !is_kept_shape(j, s, last->shape + t++)))
        return false;
    if (!born && t < last->shapes && last->shape[t].body == now->id[r]) return false;
  }
  return true;
}

/* Returns 1 + the index of a shape's geometry in the file; 0: the shape has none. name_geometries has added
 * all geometries of the frame before. */
static uint64_t geometry_word(job *j, const scree_shape_info *shape) {
  bool none;
  return (uint64_t)(sc_geometries_place(&j->codec->geometries, shape->geometry, &none) + 1);
}

/* Writes the column `id` of shapes. chosen: [count] indices of the shapes in the frame. */
static scree_status put_shape_column(
    job *j, int id, const int64_t *chosen, int64_t count, scree_error *error) {
  int components = sc_frame_shape_components(id),
      word = id <= SC_COLUMN_SHAPE_MATERIAL ? SC_WORD_WHOLE : SC_WORD_DOUBLE;
  if (!sc_encode_room(j, (size_t)count * (size_t)components)) return fail_encoding(error);
  for (int64_t i = 0; i < count; i++)
    for (int c = 0; c < components; c++)
      j->codec->word[c * count + i] = sc_frame_shape_word(j->frame->shape + chosen[i], id, c);
  return sc_encode_words(j, id, word, components, count, 0, error);
}

static scree_status put_geometry_column(job *j, const int64_t *chosen, int64_t count, scree_error *error) {
  bool any = false;
  if (!sc_encode_room(j, (size_t)count)) return fail_encoding(error);
  for (int64_t i = 0; i < count; i++) {
    j->codec->word[i] = geometry_word(j, j->next->shape + chosen[i]);
    any = any || j->codec->word[i];
  }
  return any ? sc_encode_words(j, SC_COLUMN_SHAPE_GEOMETRY, SC_WORD_WHOLE, 1, count, 0, error) : SCREE_OK;
}

/* Sets the geometries of the next frame's shapes to the codec's own copies. Adds geometries that are new in
 * the file. */
static scree_status name_geometries(job *j, scree_error *error) {
  for (int64_t s = 0; s < j->frame->shapes; s++) {
    bool none;
    int64_t place = sc_geometries_place(&j->codec->geometries, j->frame->shape[s].geometry, &none);
    if (place < 0 && !none) return fail_encoding(error);
    j->next->shape[s].geometry = sc_geometries_at(&j->codec->geometries, place);
  }
  return SCREE_OK;
}

/* Returns whether a chosen shape has parameters in `own` that are not 0. chosen: [count] indices of
 * shapes. */
static bool any_own(const job *j, const int64_t *chosen, int64_t count) {
  static const double none[SCREE_SHAPE_OWN];
  for (int64_t i = 0; i < count; i++)
    if (memcmp(j->frame->shape[chosen[i]].own, none, sizeof none)) return true;
  return false;
}

static scree_status put_shapes(job *j, bool all, scree_error *error) {
  const scree_frame *now = j->frame;
  int64_t *chosen = now->shapes ? sc_alloc((size_t)now->shapes * sizeof *chosen) : NULL, count = 0, row = 0;
  if (now->shapes && !chosen) return fail_encoding(error);
  for (int64_t s = 0; s < now->shapes; s++) {
    while (now->id[row] < now->shape[s].body) row++;
    if (all || j->codec->before[row] < 0) chosen[count++] = s;
  }
  scree_status status = SCREE_OK;
  for (int id = SC_COLUMN_SHAPE_BODY; count && id <= SC_COLUMN_SHAPE_ORIENTATION && !status; id++)
    status = put_shape_column(j, id, chosen, count, error);
  if (!status && count) status = put_geometry_column(j, chosen, count, error);
  if (!status && any_own(j, chosen, count))
    status = put_shape_column(j, SC_COLUMN_SHAPE_OWN, chosen, count, error);
  sc_free(chosen);
  return status;
}

/* ---- orientations ---- */

/* Returns whether all orientations are unit quaternions. Other orientations are stored as doubles, not as
 * quanta. */
static bool all_unit(const double *q, int64_t rows) {
  for (int64_t r = 0; r < rows; r++, q += 4)
    if (!(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-9)) return false;
  return true;
}

/* Returns the number of bits of the deltas of orientations, under the predictor of p->column, on a sample of
 * rows. If chart is not NULL, uses all rows and also sets chart: [bodies], rest: [3 x bodies] deltas, and the
 * next frame's orientations as readers will see them. */
static uint64_t orient_rests(job *j, const sc_prediction *p, uint64_t *chart, uint64_t *rest) {
  int64_t n = j->frame->bodies, stride = chart ? 1 : n / 2048 + 1;
  uint64_t bits = 0;
  for (int64_t r = 0; r < n; r += stride) {
    const double *q = j->frame->orientation + 4 * r;
    int c = sc_orient_chart(q);
    int64_t a[3];
    sc_orient_encode(q, c, p->column->quantum, a);
    sc_charted e = sc_orient_predict(p, r, c, true);
    if (chart) chart[r] = ((uint64_t)c - e.chart) & 3;
    for (int k = 0; k < 3; k++) {
      uint64_t left = (uint64_t)(a[k] - e.a[k]);
      bits += sc_column_cost(left, true);
      if (chart) rest[k * n + r] = left;
    }
    if (chart) sc_orient_decode(c, a, p->column->quantum, j->next->orientation + 4 * r);
  }
  return bits;
}

static scree_status put_exact_orientations(job *j, double quantum, scree_error *error) {
  int64_t n = j->frame->bodies;
  const double *last = j->last ? j->last->orientation : NULL, *values = j->frame->orientation;
  sc_column column = {.id = SC_COLUMN_ORIENTATION,
      .word = SC_WORD_DOUBLE,
      .components = 4,
      .rows = (uint64_t)n,
      .quantum = quantum};
  sc_prediction p = {.column = &column, .before = j->last ? j->codec->before : NULL, .last = last};
  for (int c = 0; c < 4; c++)
    for (int64_t r = 0; r < n; r++) j->codec->word[c * n + r] = sc_bits(values[4 * r + c]);
  if (n) memcpy(j->next->orientation, values, (size_t)n * 4 * sizeof(double));
  sc_encode_predictor(j, &p, &column, j->codec->word, (const bool[SC_PREDICTORS]){true, true, last != NULL});
  sc_predict_rests(&p, j->codec->word, j->codec->scratch.rest);
  return sc_encode_column(j, &column, error);
}

static scree_status put_orientations(job *j, scree_error *error) {
  int64_t n = j->frame->bodies;
  double quantum = j->codec->quantum[SC_COLUMN_ORIENTATION];
  if (!sc_encode_room(j, (size_t)n * 4)) return fail_encoding(error);
  if (!(quantum > 0) || !all_unit(j->frame->orientation, n)) return put_exact_orientations(j, quantum, error);
  /* chooses the predictor with the fewest bits: none, the last frame, or the last frame rotated by the
   * spins */
  const scree_frame *last = j->last;
  sc_column column = {.id = SC_COLUMN_ORIENTATION,
      .word = SC_WORD_QUANTUM,
      .components = 3,
      .rows = (uint64_t)n,
      .quantum = quantum};
  sc_prediction p = {.column = &column,
      .before = last ? j->codec->before : NULL,
      .last = last ? last->orientation : NULL,
      .last_velocity = last ? last->spin : NULL,
      .velocity = j->next->frame.spin,
      .dt = j->dt};
  uint64_t best = orient_rests(j, &p, NULL, NULL);
  int winner = SC_PREDICT_NONE;
  for (int k = SC_PREDICT_FRAME; k <= SC_PREDICT_MOTION && p.last; k++) {
    if ((k == SC_PREDICT_MOTION && (!p.last_velocity || !p.velocity)) || j->codec->forbidden >> k & 1)
      continue;
    column.predictor = (uint8_t)k;
    uint64_t cost = orient_rests(j, &p, NULL, NULL);
    if (cost < best) {
      best = cost;
      winner = k;
    }
  }
  column.predictor = (uint8_t)winner;
  uint64_t *word = j->codec->word, *rest = j->codec->scratch.rest;
  orient_rests(j, &p, word, word + n);
  sc_column chart = {.id = SC_COLUMN_CHART, .word = SC_WORD_WHOLE, .components = 1, .rows = (uint64_t)n};
  memcpy(rest, word, (size_t)n * sizeof *rest);
  scree_status status = sc_encode_column(j, &chart, error);
  memcpy(rest, word + n, 3 * (size_t)n * sizeof *rest);
  return status ? status : sc_encode_column(j, &column, error);
}

/* ---- the frame ---- */

static scree_status put_cell(job *j, scree_error *error) {
  double value[SC_CELL_ROWS];
  if (!j->frame->has_cell) return SCREE_OK;
  if (!sc_encode_room(j, SC_CELL_ROWS)) return fail_encoding(error);
  sc_frame_cell_pack(&j->frame->cell, value);
  for (int k = 0; k < SC_CELL_ROWS; k++) j->codec->word[k] = sc_bits(value[k]);
  return sc_encode_words(j, SC_COLUMN_CELL, SC_WORD_DOUBLE, 1, SC_CELL_ROWS, 0, error);
}

/* Writes the names and units of the script columns, one byte per row. */
static scree_status put_value_texts(job *j, scree_error *error) {
  const scree_frame *now = j->frame;
  const int64_t n = (int64_t)now->columns * SC_COLUMN_TEXTS;
  if (!sc_encode_room(j, (size_t)n)) return fail_encoding(error);
  sc_frame_column_words(now->column, now->columns, j->codec->word);
  return sc_encode_words(j, SC_COLUMN_VALUE_TEXTS, SC_WORD_WHOLE, 1, n, 0, error);
}

/* Writes the values of the script columns without rounding. Also writes their names, unless the last frame
 * has the same. */
static scree_status put_values(job *j, scree_error *error) {
  const scree_frame *now = j->frame, *last = j->last;
  if (!now->columns) return SCREE_OK;
  const bool known = last && sc_frame_same_columns(last, now);
  scree_status status = known ? SCREE_OK : put_value_texts(j, error);
  if (status || !now->bodies) return status;
  return put_field(j, SC_COLUMN_VALUE, now->columns, now->value, known ? last->value : NULL, NULL, NULL,
      j->next->value, error);
}

static scree_status put_fields(job *j, int fields, scree_error *error) {
  const scree_frame *now = j->frame, *last = j->last;
  sc_frame_store *next = j->next;
  scree_status status = SCREE_OK;
  if (fields & SCREE_FIELD_VELOCITY)
    status = put_field(j, SC_COLUMN_VELOCITY, 3, now->velocity, last ? last->velocity : NULL, NULL, NULL,
        next->velocity, error);
  if (!status && fields & SCREE_FIELD_SPIN)
    status = put_field(
        j, SC_COLUMN_SPIN, 3, now->spin, last ? last->spin : NULL, NULL, NULL, next->spin, error);
  if (!status && fields & SCREE_FIELD_POSITION)
    status = put_field(j, SC_COLUMN_POSITION, 3, now->position, last ? last->position : NULL,
        last ? last->velocity : NULL, next->frame.velocity, next->position, error);
  if (!status && fields & SCREE_FIELD_ORIENTATION) status = put_orientations(j, error);
  return !status && fields & SCREE_FIELD_CONTACTS && now->contacts ? sc_encode_contacts(j, error) : status;
}

static void write_frame_header(const job *j, int64_t number, uint32_t flags, int64_t contacts) {
  unsigned char *at = j->codec->payload.at;
  memset(at, 0, SC_FRAME_HEADER);
  sc_put_u32(at, SC_FRAME_VERSION);
  sc_put_u32(at + 4, flags);
  sc_put_u64(at + 8, sc_bits(j->frame->time));
  sc_put_u64(at + 16, (uint64_t)j->frame->step);
  sc_put_u64(at + 24, (uint64_t)number);
  sc_put_u64(at + 32, (uint64_t)j->frame->bodies);
  sc_put_u64(at + 40, (uint64_t)j->frame->shapes);
  sc_put_u64(at + 48, (uint64_t)contacts);
  sc_put_u32(at + 56, j->columns);
  sc_put_u64(at + 64, sc_bits(j->frame->dt));
}

/* Fills the next frame (as readers will see it) with the static data and shapes of the frame. Values of
 * fields are not yet set. Returns false if out of memory. */
static bool begin_next(job *j, int fields) {
  const scree_frame *now = j->frame;
  if (!sc_frame_store_copy(j->next, now, 0)) return false;
  sc_frame_store *s = j->next;
  if (!sc_frame_store_shape(s, now->bodies, now->shapes, 0, fields) ||
      !sc_frame_store_columns(s, now->column, now->columns) || (now->inertia && !sc_frame_store_inertia(s)))
    return false;
  s->frame.time = now->time;
  s->frame.step = now->step;
  s->frame.has_cell = now->has_cell, s->frame.cell = now->cell;
  return true;
}

scree_status sc_frame_encode(sc_frame_codec *codec, const scree_trajectory_def *def, const scree_frame *frame,
    int64_t number, bool key, scree_error *error) {
  SC_ASSERT(codec && def && frame && number >= 0);
  scree_status status = sc_frame_check(frame, error);
  if (status) return status;
  sc_frame_quanta(codec, def, frame, key);
  job j = {.codec = codec,
      .frame = frame,
      .last = key ? NULL : &codec->store[codec->last].frame,
      .next = &codec->store[!codec->last],
      .level = def->level};
  j.dt = j.last ? frame->time - j.last->time : 0;
  int fields = def->fields & (sc_frame_fields(frame) | SCREE_FIELD_CONTACTS);
  codec->payload.count = 0;
  codec->valid = false;
  if (!begin_next(&j, fields & SCREE_FIELD_DEFAULT) || !sc_bytes_take(&codec->payload, SC_FRAME_HEADER))
    return fail_encoding(error);
  status = name_geometries(&j, error);
  if (!status) status = match_bodies(&j, error);
  if (!status) status = put_ids(&j, error);
  for (int id = SC_COLUMN_GROUP; id <= SC_COLUMN_MASS && !status; id++) status = put_static(&j, id, error);
  for (int id = SC_COLUMN_INERTIA; id <= SC_COLUMN_INERTIA_LAST && !status; id++)
    status = put_inertia(&j, id, error);
  bool all = !j.last || !has_kept_shapes(&j);
  if (!status) status = put_shapes(&j, all, error);
  if (!status) status = put_cell(&j, error);
  if (!status) status = put_values(&j, error);
  if (!status) status = put_fields(&j, fields, error);
  if (status) return status;
  bool contacts = fields & SCREE_FIELD_CONTACTS, forces = contacts && frame->forces;
  uint32_t flags = (key ? SC_FRAME_KEY : 0) | (all ? SC_FRAME_ALL_SHAPES : 0) |
      (forces ? SC_FRAME_FORCES : 0);
  write_frame_header(&j, number, flags, contacts ? frame->contacts : 0);
  codec->last = !codec->last;
  codec->valid = true;
  codec->number = number;
  return SCREE_OK;
}
