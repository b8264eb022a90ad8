/* GSD files (HOOMD schema): a header of 256 bytes, chunks of numbers, an index sorted by frames, and names.
 *
 * If a frame lacks a chunk, the reader uses the chunk of frame 0 if both frames have equally many particles.
 * Otherwise it uses the default of the chunk. Quaternions are (w, x, y, z); the box is centred on the origin.
 * Spins follow from angmom and moment_inertia. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "io/grains/grains.h"

enum { HEADER = 256, ENTRY = 32, NAME = 64, KINDS = 11 };

static const sc_grain_kind kinds[KINDS] = {{0, 0, 0}, {'u', 1, 0}, {'u', 2, 0}, {'u', 4, 0}, {'u', 8, 0},
    {'i', 1, 0}, {'i', 2, 0}, {'i', 4, 0}, {'i', 8, 0}, {'f', 4, 0}, {'f', 8, 0}};

static uint32_t read_gsd_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static uint64_t read_gsd_u64(const unsigned char *at) {
  return read_gsd_u32(at) | (uint64_t)read_gsd_u32(at + 4) << 32;
}

typedef struct file {
  sc_grain_table *t;
  const unsigned char *bytes, *index, *names;
  uint64_t size, entries, names_size;
  uint64_t frame;
} file;

typedef struct chunk {
  uint64_t rows;
  uint32_t columns;
  sc_grain_kind kind;
  const unsigned char *data;
} chunk;

static bool is_gsd(const sc_grain_table *t) {
  return t->end - t->bytes >= HEADER &&
      read_gsd_u64((const unsigned char *)t->bytes) == 0x65DF65DF65DF65DFull;
}

static scree_status open_gsd(file *f, scree_error *error) {
  const sc_grain_table *t = f->t;
  f->bytes = (const unsigned char *)t->bytes, f->size = (uint64_t)(t->end - t->bytes);
  const uint64_t index = read_gsd_u64(f->bytes + 8), entries = read_gsd_u64(f->bytes + 16),
                 names = read_gsd_u64(f->bytes + 24), blocks = read_gsd_u64(f->bytes + 32);
  if (index > f->size || entries > (f->size - index) / ENTRY || names > f->size ||
      blocks > (f->size - names) / NAME)
    return sc_fail(error, SCREE_E_FORMAT, "%s: its index or list of names lies behind the end", t->path);
  f->index = f->bytes + index, f->names = f->bytes + names, f->names_size = blocks * NAME;
  while (f->entries < entries && read_gsd_u64(f->index + ENTRY * f->entries + 16)) f->entries++;
  return SCREE_OK;
}

/* Returns the number of a chunk name in the list of names; -1: it is not in the list. Names have 64 bytes
 * each in files before version 2, and end with a zero byte in later files. */
static int find_name(const file *f, const char *name) {
  const bool fixed = read_gsd_u32(f->bytes + 44) < 2u << 16;
  uint64_t at = 0;
  for (int number = 0; at < f->names_size && f->names[at]; number++) {
    const char *text = (const char *)f->names + at;
    const size_t most = (size_t)(f->names_size - at), length = strnlen(text, most);
    if (length == strlen(name) && !memcmp(text, name, length)) return number;
    at += fixed ? NAME : length + 1;
  }
  return -1;
}

/* Sets *c to the chunk with name number `name` in a frame. Returns false if the frame has no such chunk, or
 * if it does not fit into the file. */
static bool find_chunk_of(const file *f, uint64_t frame, int name, chunk *c) {
  for (uint64_t k = 0; k < f->entries && name >= 0; k++) {
    const unsigned char *e = f->index + ENTRY * k;
    if (read_gsd_u64(e) != frame || ((uint32_t)e[28] | (uint32_t)e[29] << 8) != (uint32_t)name) continue;
    const uint64_t place = read_gsd_u64(e + 16);
    if (e[30] == 0 || e[30] >= KINDS || place > f->size) return false;
    *c = (chunk){read_gsd_u64(e + 8), read_gsd_u32(e + 24), kinds[e[30]], f->bytes + place};
    const uint64_t item = (uint64_t)c->columns * (uint64_t)c->kind.bytes;
    return item && c->rows <= (f->size - place) / item;
  }
  return false;
}

/* Sets *c to the chunk `name` of the present frame, or else of frame 0. Returns false if neither frame has
 * it. */
static bool find_chunk(const file *f, const char *name, chunk *c) {
  const int number = find_name(f, name);
  return find_chunk_of(f, f->frame, number, c) || (f->frame && find_chunk_of(f, 0, number, c));
}

/* Adds the columns of a particle quantity to the table. fallback: [columns] default values, used if the chunk
 * is missing; NULL: a missing chunk adds no columns. Returns the index of the first column; -1: no columns.
 * Sets *fine to false if out of memory. */
static int add_quantity(const file *f, const char *chunk_name, const char *name, int columns,
    const double *fallback, bool *fine) {
  sc_grain_table *t = f->t;
  chunk c;
  const bool has = find_chunk(f, chunk_name, &c) && c.rows == (uint64_t)t->rows &&
      c.columns == (uint32_t)columns;
  if ((!has && !fallback) || !*fine) return -1;
  const int first = sc_grain_add_vector(t, name, strlen(name), columns);
  *fine = first >= 0 && sc_grain_reserve(t, t->rows);
  for (int k = 0; k < columns && *fine; k++) {
    double *out = t->column[first + k].value;
    if (has) sc_grain_take(c.kind, c.data + k * c.kind.bytes, t->rows, columns * c.kind.bytes, out, 1);
    for (int64_t i = 0; i < t->rows && !has; i++) out[i] = fallback[k];
  }
  return *fine ? first : -1;
}

/* Adds columns of spins in world axes. The spin in the body's axes is conj(q) p / 2 divided by the principal
 * moments of inertia. q is the orientation, p HOOMD's angular momentum (a quaternion). turn, moment,
 * momentum: first columns of q, the moments and p; turn < 0: q = 1 for all bodies. */
static bool add_spins(const file *f, int turn, int moment, int momentum) {
  sc_grain_table *t = f->t;
  const int first = sc_grain_add_vector(t, "spin", 4, 3);
  if (first < 0 || !sc_grain_reserve(t, t->rows)) return false;
  for (int64_t i = 0; i < t->rows; i++) {
    double q[4], p[4], w[3];
    for (int k = 0; k < 4; k++)
      q[k] = turn < 0 ? k == 0 : t->column[turn + k].value[i], p[k] = t->column[momentum + k].value[i];
    const double s[3] = {q[0] * p[1] - q[1] * p[0] - q[2] * p[3] + q[3] * p[2],
        q[0] * p[2] - q[2] * p[0] - q[3] * p[1] + q[1] * p[3],
        q[0] * p[3] - q[3] * p[0] - q[1] * p[2] + q[2] * p[1]};
    for (int k = 0; k < 3; k++) {
      const double m = t->column[moment + k].value[i];
      w[k] = m > 0 ? s[k] / 2 / m : 0;
    }
    const double u[3] = {
        2 * (q[2] * w[2] - q[3] * w[1]), 2 * (q[3] * w[0] - q[1] * w[2]), 2 * (q[1] * w[1] - q[2] * w[0])};
    t->column[first].value[i] = w[0] + q[0] * u[0] + q[2] * u[2] - q[3] * u[1];
    t->column[first + 1].value[i] = w[1] + q[0] * u[1] + q[3] * u[0] - q[1] * u[2];
    t->column[first + 2].value[i] = w[2] + q[0] * u[2] + q[1] * u[1] - q[2] * u[0];
  }
  return true;
}

/* Adds 1 to the values of a column; column < 0: does nothing. GSD numbers bodies and types from 0, with -1
 * for no body. Clumps and types of grains are numbered from 1, with 0 for no clump. */
static void count_from_one(const sc_grain_table *t, int column) {
  for (int64_t i = 0; i < t->rows && column >= 0; i++) t->column[column].value[i] += 1;
}

static scree_status read_quantities(file *f, scree_error *error) {
  static const double one[1] = {1}, zero[3] = {0}, upright[4] = {1, 0, 0, 0};
  bool fine = true;
  add_quantity(f, "particles/position", "position", 3, zero, &fine);
  add_quantity(f, "particles/diameter", "diameter", 1, one, &fine);
  add_quantity(f, "particles/mass", "mass", 1, one, &fine);
  count_from_one(f->t, add_quantity(f, "particles/typeid", "type", 1, zero, &fine));
  count_from_one(f->t, add_quantity(f, "particles/body", "clump", 1, NULL, &fine));
  const int turn = add_quantity(f, "particles/orientation", "orientation", 4, upright, &fine);
  add_quantity(f, "particles/velocity", "velocity", 3, zero, &fine);
  add_quantity(f, "log/particles/id", "id", 1, NULL, &fine);
  const int spin = add_quantity(f, "log/particles/spin", "spin", 3, NULL, &fine),
            moment = add_quantity(f, "particles/moment_inertia", "moment_inertia", 3, NULL, &fine),
            momentum = add_quantity(f, "particles/angmom", "angmom", 4, NULL, &fine);
  if (fine && spin < 0 && moment >= 0 && momentum >= 0) fine = add_spins(f, turn, moment, momentum);
  return fine ? SCREE_OK : sc_grain_no_memory(f->t, error);
}

static void read_gsd_box(file *f) {
  sc_grain_table *t = f->t;
  chunk c;
  double b[6];
  if (!find_chunk(f, "configuration/box", &c) || c.rows * c.columns != 6) return;
  sc_grain_take(c.kind, c.data, 6, c.kind.bytes, b, 1);
  for (int k = 0; k < 3; k++)
    if (!(b[k] > 0)) return;
  t->has_cell = true;
  double *H = t->cell.matrix;
  H[0] = b[0], H[4] = b[1], H[8] = b[2];
  H[1] = b[3] * b[1], H[2] = b[4] * b[2], H[5] = b[5] * b[2];
  /* boxes of HOOMD are periodic; a file of scree has a chunk particles/image only if its cell is periodic */
  const bool repeats = memcmp(f->bytes + 48, "scree", 6) != 0 || find_chunk(f, "particles/image", &c);
  for (int k = 0; k < 3; k++) {
    t->cell.origin[k] = -(H[3 * k] + H[3 * k + 1] + H[3 * k + 2]) / 2;
    t->cell.periodic[k] = repeats;
  }
}

static scree_status read_gsd(sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  file f = {.t = t};
  chunk c;
  double count = 0;
  scree_status status = open_gsd(&f, error);
  uint64_t frames = 0;
  for (uint64_t k = 0; k < f.entries && !status; k++)
    if (read_gsd_u64(f.index + ENTRY * k) >= frames) frames = read_gsd_u64(f.index + ENTRY * k) + 1;
  if (!status && (!frames || frames > f.entries))
    return sc_fail(error, SCREE_E_FORMAT, "%s: no frames, or a damaged index", t->path);
  if (!status) status = sc_grain_choose_frame(t, def->frame, (int64_t)frames, error);
  if (status) return status;
  f.frame = (uint64_t)t->frame - 1;
  if (find_chunk(&f, "particles/N", &c) && c.rows * c.columns == 1)
    sc_grain_take(c.kind, c.data, 1, 8, &count, 1);
  if (!(count >= 0 && count <= (double)f.size)) /* bounds the memory that a damaged file can request */
    return sc_fail(error, SCREE_E_FORMAT, "%s: the file cannot contain %.0f particles", t->path, count);
  t->rows = (int64_t)count;
  if (find_chunk(&f, "log/time", &c) && c.rows * c.columns == 1)
    sc_grain_take(c.kind, c.data, 1, 8, &t->time, 1);
  read_gsd_box(&f);
  return read_quantities(&f, error);
}

const sc_grain_format sc_grain_gsd = {"gsd", is_gsd, read_gsd};
