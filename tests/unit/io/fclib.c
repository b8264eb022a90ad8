/* FCLib files written by the HDF5 library itself: global problems against the equivalent local problems, the
 * three ways to store a sparse matrix, and files in which one entry after the other is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "io/fclib/fclib.h"
#include "math/dense.h"

#ifdef SCREE_TEST_HDF5
#include <hdf5.h>

enum { V = 4, R = 6, CONTACTS = 2, TRIPLETS = 99 }; /* velocities; rows of contacts */

/* Two clusters of rows of M hang together, two stand alone. */
static const double M[V][V] = {{2, 1, 0, 0}, {1, 3, 0, 0}, {0, 0, 4, 0}, {0, 0, 0, 5}};
static const double H[V][R] = {
    {1, 0, 0, 0, 0, 0}, {0, 1, 0, 2, 0, 0}, {0, 0, 1, 0, 1, 1}, {0.5, 0, 0, 0, 0, 1}};
static const double f[V] = {1, -2, 3, 0.5}, w[R] = {-1, 0, 0.5, -2, 0.1, 0}, mu[CONTACTS] = {0.3, 0.7};

/* A change of a data set: it is left out (LEAVE), has one entry with this value (ENTRY), or none (EMPTY).
 * words: expected message. */
typedef struct change {
  const char *set;
  enum { NOTHING, LEAVE, ENTRY, EMPTY } what;
  double value;
  const char *words;
} change;

typedef struct sink {
  hid_t file;
  const char *group;
  const change *change;
} sink;

static void put(const sink *s, const char *name, hid_t type, hsize_t count, const void *data) {
  char path[128];
  unsigned char copy[8 * V * R];
  snprintf(path, sizeof path, "%s/%s", s->group, name);
  memcpy(copy, data, count * H5Tget_size(type));
  if (!strcmp(name, s->change->set)) {
    int whole = (int)fmax(-2e9, fmin(2e9, s->change->value));
    if (s->change->what == LEAVE) return;
    if (s->change->what == EMPTY) count = 0;
    else
      memcpy(copy, H5Tget_class(type) == H5T_FLOAT ? (const void *)&s->change->value : &whole,
          H5Tget_size(type));
  }
  hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &count, NULL);
  H5Pset_create_intermediate_group(links, 1);
  hid_t set = H5Dcreate2(s->file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(set >= 0 && (!count || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, copy) >= 0));
  H5Dclose(set), H5Sclose(space), H5Pclose(links);
}

/* By columns (nz = -1), by rows (-2), or by triplets. */
static void put_sparse(const sink *s, const char *name, int m, int n, const double *dense, int nz) {
  int p[64], i[64], count = 0, lines = nz == -1 ? n : m;
  double x[64];
  char set[64];
  for (int a = 0; a < lines; a++) {
    if (nz < 0) p[a] = count;
    for (int b = 0; b < (nz == -1 ? m : n); b++) {
      const int row = nz == -1 ? b : a, column = nz == -1 ? a : b;
      if (dense[row * n + column] == 0) continue;
      if (nz > 0) p[count] = column;
      i[count] = nz == -2 ? column : row;
      x[count++] = dense[row * n + column];
    }
  }
  if (nz < 0) p[lines] = count;
  const int numbers[] = {m, n, nz < 0 ? nz : count};
  for (int k = 0; k < 3; k++) {
    snprintf(set, sizeof set, "%s/%s", name, ((const char *[]){"m", "n", "nz"})[k]);
    put(s, set, H5T_NATIVE_INT, 1, numbers + k);
  }
  snprintf(set, sizeof set, "%s/p", name);
  put(s, set, H5T_NATIVE_INT, (hsize_t)(nz < 0 ? lines + 1 : count), p);
  snprintf(set, sizeof set, "%s/i", name);
  put(s, set, H5T_NATIVE_INT, (hsize_t)count, i);
  snprintf(set, sizeof set, "%s/x", name);
  put(s, set, H5T_NATIVE_DOUBLE, (hsize_t)count, x);
}

static char path[] = "/tmp/scree-fclib-XXXXXX";
static const change none = {"", NOTHING, 0, ""};
static const int three = 3;

static hid_t create(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(file >= 0);
  return file;
}

static void write_global(const change *c, int nz) {
  const sink s = {create(), "fclib_global", c};
  put(&s, "spacedim", H5T_NATIVE_INT, 1, &three);
  put_sparse(&s, "M", V, V, *M, nz);
  put_sparse(&s, "H", V, R, *H, nz);
  put(&s, "vectors/f", H5T_NATIVE_DOUBLE, V, f);
  put(&s, "vectors/w", H5T_NATIVE_DOUBLE, R, w);
  put(&s, "vectors/mu", H5T_NATIVE_DOUBLE, CONTACTS, mu);
  H5Fclose(s.file);
}

/* W = H' M^-1 H, q = H' M^-1 f + w */
static void dense_local(double W[R][R], double q[R]) {
  double A[V * V], column[V], x[V];
  int order[V];
  memcpy(A, M, sizeof A);
  assert_true(sc_lu_factor(V, A, order));
  for (int c = 0; c <= R; c++) {
    for (int k = 0; k < V; k++) column[k] = c < R ? H[k][c] : f[k];
    sc_lu_solve(V, A, order, column, x);
    for (int r = 0; r < R; r++) {
      double sum = c < R ? 0 : w[r];
      for (int k = 0; k < V; k++) sum += H[k][r] * x[k];
      *(c < R ? &W[r][c] : q + r) = sum;
    }
  }
}

static void write_local(const change *c, int nz) {
  double W[R][R], q[R];
  dense_local(W, q);
  const sink s = {create(), "fclib_local", c};
  put(&s, "spacedim", H5T_NATIVE_INT, 1, &three);
  put_sparse(&s, "W", R, R, *W, nz);
  put(&s, "vectors/q", H5T_NATIVE_DOUBLE, R, q);
  put(&s, "vectors/mu", H5T_NATIVE_DOUBLE, CONTACTS, mu);
  H5Fclose(s.file);
}

static void is_the_local_one(void) {
  double W[R][R], q[R];
  sc_arena arena = {0};
  sc_fclib got;
  scree_error error = {SCREE_OK, ""};
  dense_local(W, q);
  assert_true(sc_fclib_is(path));
  if (sc_fclib_load(path, &arena, &got, &error)) fail_msg("%s", error.text);
  assert_int_equal(got.contacts, CONTACTS);
  for (int c = 0; c < CONTACTS; c++) assert_true(got.mu[c] == mu[c]);
  for (int r = 0; r < R; r++) {
    assert_true(fabs(got.q[r] - q[r]) <= 1e-14);
    for (int k = 0; k < R; k++) {
      const double *block = sc_matrix_block(&got.matrix, r / 3, k / 3);
      assert_true(fabs((block ? block[3 * (r % 3) + k % 3] : 0) - W[r][k]) <= 1e-14);
    }
  }
  sc_arena_free(&arena);
}

static void all_ways_to_store(void **state) {
  (void)state;
  static const int nz[] = {-1, -2, TRIPLETS};
  for (int k = 0; k < 3; k++) {
    write_global(&none, nz[k]);
    is_the_local_one();
    write_local(&none, nz[k]);
    is_the_local_one();
  }
}

static void refused(const change *c) {
  sc_arena arena = {0};
  sc_fclib got;
  scree_error error = {SCREE_OK, ""};
  const scree_status status = sc_fclib_load(path, &arena, &got, &error);
  sc_arena_free(&arena);
  if (status != SCREE_E_FORMAT || !strstr(error.text, c->words))
    fail_msg("%s (%d, %g): wanted '%s', got %d '%s'", c->set, (int)c->what, c->value, c->words, (int)status,
        error.text);
}

static void every_entry_wrong(void **state) {
  (void)state;
  static const change global[] = {{"spacedim", LEAVE, 0, "is missing"}, {"spacedim", EMPTY, 0, "is empty"},
      {"spacedim", ENTRY, 2, "problems in a plane"}, {"M/m", LEAVE, 0, "is missing"},
      {"M/m", ENTRY, 0, "M is empty"}, {"H/n", ENTRY, 0, "H is empty"}, {"M/n", ENTRY, -3, "size"},
      {"M/nz", ENTRY, -3, "size"}, {"M/m", ENTRY, 2e9, "size"}, {"M/n", ENTRY, 2e9, "size"},
      {"M/n", ENTRY, 3, ""}, {"M/p", LEAVE, 0, "is missing"}, {"M/p", EMPTY, 0, "too short"},
      {"M/p", ENTRY, -1, "out of range"}, {"M/p", ENTRY, 100, "out of range"},
      {"M/i", ENTRY, -1, "out of range"}, {"M/i", ENTRY, 4, "out of range"},
      {"M/i", EMPTY, 0, "out of range"}, {"M/x", EMPTY, 0, "too short"},
      {"M/x", ENTRY, INFINITY, "not finite"}, {"M/x", ENTRY, 1.0 / 3, "singular"},
      {"H/m", ENTRY, 5, "too short"}, {"H/n", ENTRY, 7, ""}, {"H/x", LEAVE, 0, "is missing"},
      {"vectors/f", EMPTY, 0, "too short"}, {"vectors/w", ENTRY, NAN, "not finite"},
      {"vectors/mu", ENTRY, -1, "below 0"}, {"vectors/mu", LEAVE, 0, "is missing"}};
  for (size_t k = 0; k < sizeof global / sizeof *global; k++)
    write_global(global + k, -2), refused(global + k);
  static const change triplets[] = {
      {"M/nz", ENTRY, 1000, "too short"}, {"M/p", EMPTY, 0, "too short"}, {"M/p", ENTRY, 9, "out of range"}};
  for (size_t k = 0; k < sizeof triplets / sizeof *triplets; k++)
    write_global(triplets + k, TRIPLETS), refused(triplets + k);
  static const change local[] = {{"W/n", ENTRY, 5, ""}, {"W/m", ENTRY, 3, ""},
      {"vectors/q", EMPTY, 0, "too short"}, {"W/i", LEAVE, 0, "is missing"}};
  for (size_t k = 0; k < sizeof local / sizeof *local; k++) write_local(local + k, -1), refused(local + k);
}

static scree_status load_and_forget(scree_error *error) {
  sc_arena arena = {0};
  sc_fclib got;
  *error = (scree_error){SCREE_OK, ""};
  const scree_status status = sc_fclib_load(path, &arena, &got, error);
  sc_arena_free(&arena);
  return status;
}

/* Each allocation of the reader fails once, which is an error every time. */
static void failing_memory(void **state) {
  (void)state;
  scree_error error;
  write_global(&none, -1);
  const uint64_t before = sc_alloc_count();
  assert_int_equal(load_and_forget(&error), SCREE_OK);
  const uint64_t calls = sc_alloc_count() - before;
  assert_true(calls > 20);
  for (uint64_t n = 1; n <= calls; n++) {
    sc_alloc_fail_at(n, false);
    const scree_status status = load_and_forget(&error);
    sc_alloc_fail_at(0, false);
    if (status != SCREE_E_MEMORY || !strstr(error.text, "no memory"))
      fail_msg("allocation %d of %d: %d '%s'", (int)n, (int)calls, (int)status, error.text);
  }
}

static void other_groups(void **state) {
  (void)state;
  const change equalities = {"", NOTHING, 0, "equality constraints"},
               nothing = {"", NOTHING, 0, "holds neither"};
  write_global(&none, -1);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "fclib_global/G", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  refused(&equalities);
  H5Fclose(create());
  refused(&nothing);
  const change no_file = {"", NOTHING, 0, "not a readable HDF5 file"};
  FILE *out = fopen(path, "w");
  fputs("nothing of the kind", out);
  fclose(out);
  assert_false(sc_fclib_is(path));
  refused(&no_file);
  assert_false(sc_fclib_is("/nowhere/at/all"));
}

int main(void) {
  int file = mkstemp(path);
  if (file < 0) return 1;
  close(file);
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_ways_to_store), cmocka_unit_test(every_entry_wrong),
      cmocka_unit_test(failing_memory), cmocka_unit_test(other_groups)};
  int bad = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return bad;
}

#else
int main(void) {
  printf("skipped: a build without HDF5 reads no such files\n");
  return 77;
}
#endif
