/* Reads and writes FCLib problems in HDF5 files. */
#include <stdio.h>
#include <string.h>
#include "io/container/file.h"
#include "io/fclib/fclib.h"
#include "problem/operator/operator.h"

bool sc_fclib_is(const char *path) {
  static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  unsigned char start[8];
  sc_file file;
  uint64_t size; /* sc_file_size fails for anything but a regular file */
  if (sc_file_open_read(&file, path, NULL)) return false;
  bool same = !sc_file_size(&file, &size, NULL) && size >= sizeof start &&
      !sc_file_read(&file, 0, start, sizeof start, NULL) && !memcmp(start, signature, sizeof signature);
  sc_file_close(&file, NULL);
  return same;
}

#ifdef SCREE_HDF5
#include <math.h>
#include "io/hdf5/hdf5_library.h"

enum { MOST_NUMBERS = 1 << 28 }; /* largest number of entries of a data set */

/* ---- reading ---- */

typedef struct source {
  const sc_hdf5 *h5;
  hid_t file;
  const char *path, *group;
  sc_arena *arena;
  scree_error *error;
} source;

static scree_status fail_entry(const source *s, const char *name, const char *what) {
  return sc_fail(s->error, SCREE_E_FORMAT, "%s: %s/%s %s", s->path, s->group, name, what);
}

/* Reads all numbers of a data set as doubles or int64_t, according to `type`. Sets *count to their number. */
static scree_status read_numbers(const source *s, const char *name, hid_t type, void **out, int64_t *count) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", s->group, name);
  hid_t set = s->h5->Lexists(s->file, path, H5P_DEFAULT) > 0 ? s->h5->Dopen2(s->file, path, H5P_DEFAULT) : -1;
  if (set < 0) return fail_entry(s, name, "is missing");
  hid_t space = s->h5->Dget_space(set);
  hssize_t size = space < 0 ? -1 : s->h5->Sget_simple_extent_npoints(space);
  scree_status status = SCREE_OK;
  if (size < 0 || size > MOST_NUMBERS) status = fail_entry(s, name, "has no believable size");
  *out = status == SCREE_OK ? sc_arena_take(s->arena, ((size_t)size + 1) * 8) : NULL;
  if (status == SCREE_OK && !*out) status = sc_fail(s->error, SCREE_E_MEMORY, "no memory for %s", path);
  if (status == SCREE_OK && size > 0 && s->h5->Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out) < 0)
    status = fail_entry(s, name, "cannot be read");
  *count = size;
  if (space >= 0) s->h5->Sclose(space);
  s->h5->Dclose(set);
  return status;
}

static scree_status read_whole_number(const source *s, const char *name, int64_t *out) {
  void *value;
  int64_t count;
  scree_status status = read_numbers(s, name, s->h5->native_int64, &value, &count);
  if (status != SCREE_OK) return status;
  if (count < 1) return fail_entry(s, name, "is empty");
  *out = *(int64_t *)value;
  return SCREE_OK;
}

static scree_status read_reals(const source *s, const char *name, int64_t want, double **out) {
  void *value;
  int64_t count;
  scree_status status = read_numbers(s, name, s->h5->native_double, &value, &count);
  if (status != SCREE_OK) return status;
  *out = value;
  if (count < want) return fail_entry(s, name, "is too short");
  for (int64_t i = 0; i < want; i++)
    if (!isfinite((*out)[i])) return fail_entry(s, name, "has an entry that is not finite");
  return SCREE_OK;
}

/* A sparse matrix of m rows and n columns as it is stored in the file. nz >= 0: nz triplets (row i, column p,
 * value x). nz -1: compressed columns. nz -2: compressed rows. points, indices: lengths of p and i. */
typedef struct raw {
  int64_t m, n, nz, points, indices, *p, *i;
  double *x;
} raw;

/* Sets *row and *column to those of entry e. k: the compressed column or row that contains the entry. */
static void locate_entry(const raw *r, int64_t e, int64_t k, int64_t *row, int64_t *column) {
  *row = r->nz == -1 ? r->i[e] : r->nz >= 0 ? r->i[e] : k;
  *column = r->nz == -1 ? k : r->nz >= 0 ? r->p[e] : r->i[e];
}

/* Called twice. If out->column is NULL, counts the entries of each row r in fill[r]. Otherwise stores the
 * entries in out, those of row r from index fill[r] on. Returns false if an index is out of range. */
static bool spread_entries(const raw *r, int64_t *fill, sc_fclib_sparse *out) {
  int64_t lines = r->nz >= 0 ? 1 : r->nz == -1 ? r->n : r->m;
  for (int64_t k = 0; k < lines; k++) {
    int64_t begin = r->nz >= 0 ? 0 : r->p[k], end = r->nz >= 0 ? r->nz : r->p[k + 1];
    if (begin < 0 || end < begin || end > r->indices) return false;
    for (int64_t e = begin; e < end; e++) {
      int64_t row, column;
      locate_entry(r, e, k, &row, &column);
      if (row < 0 || row >= r->m || column < 0 || column >= r->n) return false;
      if (out->column) out->column[fill[row]] = (int32_t)column, out->value[fill[row]] = r->x[e];
      fill[row]++;
    }
  }
  return true;
}

static scree_status sort_by_rows(const source *s, const char *name, const raw *r, sc_fclib_sparse *out) {
  int64_t *fill = SC_TAKE(s->arena, int64_t, r->m + 1);
  *out = (sc_fclib_sparse){.rows = (int32_t)r->m, .columns = (int32_t)r->n};
  out->at = SC_TAKE(s->arena, int64_t, r->m + 1);
  if (!fill || !out->at) return sc_fail(s->error, SCREE_E_MEMORY, "no memory for %s", name);
  memset(fill, 0, ((size_t)r->m + 1) * sizeof *fill);
  if (!spread_entries(r, fill, out)) return fail_entry(s, name, "has an index out of range");
  int64_t sum = 0;
  for (int64_t row = 0; row < r->m; row++) {
    out->at[row] = sum;
    sum += fill[row];
    fill[row] = out->at[row];
  }
  out->at[r->m] = sum;
  out->column = SC_TAKE(s->arena, int32_t, sum + 1);
  out->value = SC_TAKE(s->arena, double, sum + 1);
  if (!out->column || !out->value) return sc_fail(s->error, SCREE_E_MEMORY, "no memory for %s", name);
  spread_entries(r, fill, out);
  return SCREE_OK;
}

static scree_status read_sparse(const source *s, const char *name, sc_fclib_sparse *out) {
  static const char *const part[] = {"m", "n", "nz"};
  raw r = {0};
  int64_t *to[] = {&r.m, &r.n, &r.nz};
  char path[64];
  for (int k = 0; k < 3; k++) {
    snprintf(path, sizeof path, "%s/%s", name, part[k]);
    scree_status status = read_whole_number(s, path, to[k]);
    if (status != SCREE_OK) return status;
  }
  if (!r.m || !r.n) return fail_entry(s, name, "is empty");
  if (r.m < 1 || r.n < 1 || r.m > MOST_NUMBERS || r.n > MOST_NUMBERS || r.nz < -2)
    return fail_entry(s, name, "has no believable size");
  snprintf(path, sizeof path, "%s/p", name);
  scree_status status = read_numbers(s, path, s->h5->native_int64, (void **)&r.p, &r.points);
  snprintf(path, sizeof path, "%s/i", name);
  if (status == SCREE_OK) status = read_numbers(s, path, s->h5->native_int64, (void **)&r.i, &r.indices);
  snprintf(path, sizeof path, "%s/x", name);
  if (status == SCREE_OK) status = read_reals(s, path, r.indices, &r.x);
  if (status != SCREE_OK) return status;
  int64_t want = r.nz >= 0 ? r.nz : (r.nz == -1 ? r.n : r.m) + 1;
  if (r.points < want || r.nz > r.indices) return fail_entry(s, name, "is too short");
  return sort_by_rows(s, name, &r, out);
}

/* Reads the coefficients of friction and sets the number of contacts. Fails if the number of rows is not
 * three times a number of contacts. */
static scree_status read_friction(const source *s, int64_t rows, sc_fclib *out) {
  int64_t dimension = 0;
  scree_status status = read_whole_number(s, "spacedim", &dimension);
  if (status != SCREE_OK) return status;
  if (dimension != 3) return fail_entry(s, "spacedim", "is not 3: problems in a plane are not read");
  if (rows % 3) return fail_entry(s, "vectors/mu", "belongs to rows that are not three a contact");
  out->contacts = (int32_t)(rows / 3);
  status = read_reals(s, "vectors/mu", out->contacts, &out->mu);
  for (int32_t c = 0; status == SCREE_OK && c < out->contacts; c++)
    if (out->mu[c] < 0) return fail_entry(s, "vectors/mu", "has an entry below 0");
  return status;
}

static scree_status load_local(const source *s, sc_fclib *out) {
  sc_fclib_sparse W;
  scree_status status = read_sparse(s, "W", &W);
  if (status == SCREE_OK && W.rows != W.columns) status = fail_entry(s, "W", "is not square");
  if (status == SCREE_OK) status = read_friction(s, W.rows, out);
  if (status == SCREE_OK) status = read_reals(s, "vectors/q", W.rows, &out->q);
  return status == SCREE_OK ? sc_fclib_blocks(&W, s->arena, out, s->error) : status;
}

static scree_status load_global(const source *s, sc_fclib *out) {
  sc_fclib_global g = {0};
  scree_status status = read_sparse(s, "M", &g.M);
  if (status == SCREE_OK) status = read_sparse(s, "H", &g.H);
  if (status == SCREE_OK && (g.M.rows != g.M.columns || g.H.rows != g.M.rows))
    status = fail_entry(s, "H", "has not as many rows as M");
  if (status == SCREE_OK) status = read_friction(s, g.H.columns, out);
  if (status == SCREE_OK) status = read_reals(s, "vectors/f", g.M.rows, &g.f);
  if (status == SCREE_OK) status = read_reals(s, "vectors/w", g.H.columns, &g.w);
  if (status == SCREE_OK && s->h5->Lexists(s->file, "fclib_global/G", H5P_DEFAULT) > 0)
    status = fail_entry(s, "G", "holds equality constraints, which are not read");
  return status == SCREE_OK ? sc_fclib_eliminate(&g, s->arena, out, s->error) : status;
}

scree_status sc_fclib_load(const char *path, sc_arena *arena, sc_fclib *out, scree_error *error) {
  sc_hdf5 h5;
  *out = (sc_fclib){0};
  scree_status status = sc_hdf5_open(&h5, "FCLib files", error);
  if (status != SCREE_OK) return status;
  source s = {&h5, h5.Fopen(path, SC_HDF5_READ, H5P_DEFAULT), path, "", arena, error};
  if (s.file < 0) return sc_fail(error, SCREE_E_FORMAT, "%s: not a readable HDF5 file", path);
  bool local = h5.Lexists(s.file, "fclib_local", H5P_DEFAULT) > 0,
       global = h5.Lexists(s.file, "fclib_global", H5P_DEFAULT) > 0;
  s.group = local ? "fclib_local" : "fclib_global";
  status = local ? load_local(&s, out)
      : global   ? load_global(&s, out)
                 : sc_fail(error, SCREE_E_FORMAT, "%s: holds neither fclib_local nor fclib_global", path);
  h5.Fclose(s.file);
  return status;
}

/* ---- writing ---- */

static bool write_set(
    const sc_hdf5 *h5, hid_t group, const char *name, hid_t type, hsize_t count, const void *data) {
  hid_t space = h5->Screate_simple(1, &count, NULL);
  hid_t set = h5->Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool good = set >= 0 && h5->Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
  if (set >= 0) h5->Dclose(set);
  h5->Sclose(space);
  return good;
}

/* The matrix W of an operator in compressed columns, and the coefficients of friction. Columns equal rows,
 * because W is symmetric. */
typedef struct compressed {
  int *p, *i, size, count;
  double *x, *mu;
} compressed;

static bool compress_operator(const sc_operator *op, sc_arena *arena, compressed *c) {
  sc_operator_graph graph;
  double A[9];
  if (!sc_operator_couplings(op, arena, &graph)) return false;
  int64_t blocks = graph.first[op->blocks], at = 0;
  c->size = 3 * op->blocks;
  c->p = SC_TAKE(arena, int, c->size + 1);
  c->i = SC_TAKE(arena, int, 9 * blocks + 1);
  c->x = SC_TAKE(arena, double, 9 * blocks + 1);
  c->mu = SC_TAKE(arena, double, op->blocks + 1);
  if (9 * blocks > INT32_MAX || !c->p || !c->i || !c->x || !c->mu) return false;
  for (int32_t b = 0; b < op->blocks; b++)
    for (int r = 0; r < 3; r++) {
      c->p[3 * b + r] = (int)at;
      for (int64_t e = graph.first[b]; e < graph.first[b + 1]; e++) {
        sc_operator_entries(op, b, graph.block[e], A);
        for (int k = 0; k < 3; k++, at++) c->i[at] = 3 * graph.block[e] + k, c->x[at] = A[3 * r + k];
      }
    }
  c->p[c->size] = c->count = (int)at;
  return true;
}

static bool write_local(const sc_hdf5 *h5, hid_t file, const sc_operator *op, const compressed *c) {
  const int three = 3, by_column = -1;
  hid_t local = h5->Gcreate2(file, "fclib_local", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        W = h5->Gcreate2(local, "W", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        vectors = h5->Gcreate2(local, "vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool good = write_set(h5, local, "spacedim", h5->native_int, 1, &three) &&
      write_set(h5, W, "m", h5->native_int, 1, &c->size) &&
      write_set(h5, W, "n", h5->native_int, 1, &c->size) &&
      write_set(h5, W, "nz", h5->native_int, 1, &by_column) &&
      write_set(h5, W, "nzmax", h5->native_int, 1, &c->count) &&
      write_set(h5, W, "p", h5->native_int, (hsize_t)c->size + 1, c->p) &&
      write_set(h5, W, "i", h5->native_int, (hsize_t)c->count, c->i) &&
      write_set(h5, W, "x", h5->native_double, (hsize_t)c->count, c->x) &&
      write_set(h5, vectors, "q", h5->native_double, (hsize_t)c->size, op->b) &&
      write_set(h5, vectors, "mu", h5->native_double, (hsize_t)op->blocks, c->mu);
  h5->Gclose(vectors);
  h5->Gclose(W);
  h5->Gclose(local);
  return good;
}

static scree_status write_problem(
    const sc_operator *op, const compressed *c, const char *path, scree_error *error) {
  sc_hdf5 h5;
  scree_status status = sc_hdf5_open(&h5, "FCLib files", error);
  if (status != SCREE_OK) return status;
  hid_t file = h5.Fcreate(path, SC_HDF5_TRUNCATE, H5P_DEFAULT, H5P_DEFAULT);
  bool good = file >= 0 && write_local(&h5, file, op, c);
  if (file >= 0 && h5.Fclose(file) < 0) good = false;
  return good ? SCREE_OK : sc_fail(error, SCREE_E_IO, "%s: cannot be written", path);
}

/* Returns whether a block has three rows, and Coulomb's law with one coefficient or a law without friction.
 * Sets *mu to the coefficient. */
static bool is_plain_coulomb(const sc_operator_block *b, double *mu) {
  if (!b->law || b->dim != 3 || b->law->params_count == 0) return *mu = 0, b->law && b->dim == 3;
  return !strcmp(b->law->name, "coulomb") && b->law->ball_mu(b->par, mu);
}

scree_status sc_fclib_save(const sc_problem *problem, const char *path, scree_error *error) {
  sc_arena arena = {0};
  sc_operator op;
  compressed c = {0};
  scree_status status = problem->couple
      ? sc_fail(error, SCREE_E_ARGUMENT, "FCLib holds no moments: torsion and rolling friction")
      : sc_operator_build(problem, &arena, &op, error);
  if (status == SCREE_OK && op.blocks < 1)
    status = sc_fail(error, SCREE_E_ARGUMENT, "FCLib: the problem has no contacts");
  if (status == SCREE_OK && !compress_operator(&op, &arena, &c))
    status = sc_fail(error, SCREE_E_MEMORY, "no memory for W of %d contacts", op.blocks);
  for (int32_t b = 0; status == SCREE_OK && b < op.blocks; b++)
    if (!is_plain_coulomb(op.block + b, c.mu + b))
      status = sc_fail(error, SCREE_E_ARGUMENT,
          "FCLib holds contacts with Coulomb's law and one coefficient alone, not %s",
          op.block[b].law ? op.block[b].law->name : "joints");
  if (status == SCREE_OK) status = write_problem(&op, &c, path, error);
  sc_arena_free(&arena);
  return status;
}

#else

static scree_status fail_missing(scree_error *error) {
  return sc_fail(error, SCREE_E_MISSING,
      "FCLib files need the HDF5 library; install it (Debian: libhdf5-dev) and build scree again");
}
scree_status sc_fclib_load(const char *path, sc_arena *arena, sc_fclib *out, scree_error *error) {
  (void)path, (void)arena, (void)out;
  return fail_missing(error);
}
scree_status sc_fclib_save(const sc_problem *problem, const char *path, scree_error *error) {
  (void)problem, (void)path;
  return fail_missing(error);
}

#endif
