/* A contact problem of FCLib (HDF5) through solvers of Siconos (libsiconos-numerics-dev), for
 * tests/bench/problems/run.
 *
 *   siconos FILE SOLVER TOLERANCE SECONDS     SOLVER: prox, newton, admm, nsgs
 *
 * prints "CPU-SECONDS ERROR ITERATIONS", the error |r - P_K(r - (u + mu |u_t| e_n))|/|q| computed here from
 * its reaction, whatever the solver says of itself. Global problems are brought to local ones first, which
 * is not timed. SECONDS of CPU time end it: "- - -". */
#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>

typedef struct sparse {
  int m, n, count;
  int *row, *column;
  double *x;
} sparse;

static void give_up(const char *why) {
  fprintf(stderr, "siconos: %s\n", why);
  exit(2);
}

static void *read_all(hid_t file, const char *group, const char *name, hid_t type, size_t size, int *count) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", group, name);
  hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  if (set < 0) give_up(path);
  hid_t space = H5Dget_space(set);
  *count = (int)H5Sget_simple_extent_npoints(space);
  void *out = calloc((size_t)*count + 1, size);
  if (!out || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) give_up(path);
  H5Sclose(space), H5Dclose(set);
  return out;
}

static double *reals(hid_t file, const char *group, const char *name) {
  int count;
  return read_all(file, group, name, H5T_NATIVE_DOUBLE, sizeof(double), &count);
}

static int *wholes(hid_t file, const char *group, const char *matrix, const char *part, int *count) {
  char name[64];
  snprintf(name, sizeof name, "%s/%s", matrix, part);
  return read_all(file, group, name, H5T_NATIVE_INT, sizeof(int), count);
}

/* nz -1: compressed columns, -2: compressed rows, else triplets with columns p and rows i. */
static sparse matrix(hid_t file, const char *group, const char *name) {
  int count, points, indices, nz = *wholes(file, group, name, "nz", &count), *p, *i;
  char x[64];
  sparse out = {.m = *wholes(file, group, name, "m", &count), .n = *wholes(file, group, name, "n", &count)};
  p = wholes(file, group, name, "p", &points), i = wholes(file, group, name, "i", &indices);
  snprintf(x, sizeof x, "%s/x", name);
  out.x = reals(file, group, x);
  int lines = nz == -1 ? out.n : out.m;
  out.count = nz >= 0 ? nz : p[lines];
  out.row = calloc((size_t)out.count + 1, sizeof(int)),
  out.column = calloc((size_t)out.count + 1, sizeof(int));
  for (int line = 0; nz < 0 && line < lines; line++)
    for (int k = p[line]; k < p[line + 1]; k++) {
      out.row[k] = nz == -1 ? i[k] : line;
      out.column[k] = nz == -1 ? line : i[k];
    }
  for (int k = 0; nz >= 0 && k < nz; k++) out.row[k] = i[k], out.column[k] = p[k];
  return out;
}

typedef struct problem {
  int contacts;
  double *W, *q, *mu; /* W dense, by columns */
} problem;

/* A x = b for many b, A dense by columns, both overwritten. */
static void eliminate(int n, double *A, int columns, double *b) {
  for (int c = 0; c < n; c++) {
    int pivot = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(A[c * n + r]) > fabs(A[c * n + pivot])) pivot = r;
    for (int j = 0; j < n && pivot != c; j++) {
      double swap = A[j * n + c];
      A[j * n + c] = A[j * n + pivot], A[j * n + pivot] = swap;
    }
    for (int j = 0; j < columns && pivot != c; j++) {
      double swap = b[j * n + c];
      b[j * n + c] = b[j * n + pivot], b[j * n + pivot] = swap;
    }
    for (int r = c + 1; r < n; r++) {
      double share = A[c * n + r] / A[c * n + c];
      if (share == 0) continue;
      for (int j = c; j < n; j++) A[j * n + r] -= share * A[j * n + c];
      for (int j = 0; j < columns; j++) b[j * n + r] -= share * b[j * n + c];
    }
  }
  for (int j = 0; j < columns; j++)
    for (int r = n - 1; r >= 0; r--) {
      for (int k = r + 1; k < n; k++) b[j * n + r] -= A[k * n + r] * b[j * n + k];
      b[j * n + r] /= A[r * n + r];
    }
}

static problem read_problem(const char *path) {
  problem out;
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) give_up("cannot read the file");
  if (H5Lexists(file, "fclib_local", H5P_DEFAULT) > 0) {
    sparse W = matrix(file, "fclib_local", "W");
    size_t n = (size_t)W.m;
    out = (problem){.contacts = W.m / 3, .W = calloc(n * n, sizeof(double))};
    for (int k = 0; k < W.count; k++) out.W[(size_t)W.column[k] * n + (size_t)W.row[k]] += W.x[k];
    out.q = reals(file, "fclib_local", "vectors/q"), out.mu = reals(file, "fclib_local", "vectors/mu");
  } else {
    sparse M = matrix(file, "fclib_global", "M"), H = matrix(file, "fclib_global", "H");
    double *f = reals(file, "fclib_global", "vectors/f"), *w = reals(file, "fclib_global", "vectors/w");
    size_t d = (size_t)M.m, n = (size_t)H.n;
    double *A = calloc(d * d, sizeof *A), *B = calloc(d * (n + 1), sizeof *B);
    out = (problem){.contacts = H.n / 3, .W = calloc(n * n, sizeof(double)), .q = w};
    for (int k = 0; k < M.count; k++) A[(size_t)M.column[k] * d + (size_t)M.row[k]] += M.x[k];
    for (int k = 0; k < H.count; k++) B[(size_t)H.column[k] * d + (size_t)H.row[k]] += H.x[k];
    memcpy(B + d * n, f, d * sizeof *B);
    eliminate((int)d, A, (int)n + 1, B);
    for (int k = 0; k < H.count; k++) {
      for (size_t c = 0; c < n; c++)
        out.W[c * n + (size_t)H.column[k]] += H.x[k] * B[c * d + (size_t)H.row[k]];
      out.q[H.column[k]] += H.x[k] * B[n * d + (size_t)H.row[k]];
    }
    out.mu = reals(file, "fclib_global", "vectors/mu");
  }
  H5Fclose(file);
  return out;
}

/* Nearest point of the cone |x_t| <= mu x_n. */
static void project(double mu, double x[3]) {
  double t = sqrt(x[1] * x[1] + x[2] * x[2]);
  if (t <= mu * x[0]) return;
  if (mu * t <= -x[0]) {
    x[0] = x[1] = x[2] = 0;
    return;
  }
  double n = (x[0] + mu * t) / (1 + mu * mu);
  x[1] *= mu * n / t, x[2] *= mu * n / t, x[0] = n;
}

static double error_of(const problem *p, const double *r) {
  size_t n = 3 * (size_t)p->contacts;
  double sum = 0, size = 0;
  for (size_t c = 0; c < n; c += 3) {
    double u[3], x[3], slip;
    for (size_t k = 0; k < 3; k++) {
      u[k] = p->q[c + k], size += p->q[c + k] * p->q[c + k];
      for (size_t j = 0; j < n; j++) u[k] += p->W[j * n + c + k] * r[j];
    }
    slip = sqrt(u[1] * u[1] + u[2] * u[2]);
    for (size_t k = 0; k < 3; k++) x[k] = r[c + k] - u[k] - (k ? 0 : p->mu[c / 3] * slip);
    project(p->mu[c / 3], x);
    for (size_t k = 0; k < 3; k++) sum += (r[c + k] - x[k]) * (r[c + k] - x[k]);
  }
  return sqrt(sum / size);
}

static void out_of_time(int number) {
  (void)number;
  static const char text[] = "- - -\n";
  _exit(write(3, text, sizeof text - 1) < 0);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int id;
  } solver[] = {{"prox", SICONOS_FRICTION_3D_PROX}, {"newton", SICONOS_FRICTION_3D_NSN_AC},
      {"admm", SICONOS_FRICTION_3D_ADMM}, {"nsgs", SICONOS_FRICTION_3D_NSGS}};
  int id = 0;
  for (size_t i = 0; argc == 5 && i < sizeof solver / sizeof *solver; i++)
    if (!strcmp(argv[2], solver[i].name)) id = solver[i].id;
  if (!id) give_up("usage: siconos FILE prox|newton|admm|nsgs TOLERANCE SECONDS");
  problem p = read_problem(argv[1]);
  int n = 3 * p.contacts;
  /* what the library says goes elsewhere; the answer to descriptor 3 */
  dup2(1, 3);
  if (!freopen("/dev/null", "w", stdout)) give_up("no /dev/null");
  NumericsMatrix *M = NM_create(NM_SPARSE, n, n);
  NM_triplet_alloc(M, n);
  M->matrix2->origin = NSM_TRIPLET;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (p.W[(size_t)j * (size_t)n + (size_t)i] != 0)
        NM_zentry(M, i, j, p.W[(size_t)j * (size_t)n + (size_t)i], 0);
  FrictionContactProblem problem = {
      .dimension = 3, .numberOfContacts = p.contacts, .M = M, .q = p.q, .mu = p.mu};
  SolverOptions *options = solver_options_create(id);
  options->dparam[SICONOS_DPARAM_TOL] = atof(argv[3]);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 200000;
  double *r = calloc((size_t)n, sizeof *r), *u = calloc((size_t)n, sizeof *u);
  struct rlimit limit = {(rlim_t)atoi(argv[4]) + 1, (rlim_t)atoi(argv[4]) + 5};
  signal(SIGXCPU, out_of_time);
  setrlimit(RLIMIT_CPU, &limit);
  clock_t start = clock();
  fc3d_driver(&problem, r, u, options);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  dprintf(3, "%.6g %.3g %d\n", seconds, error_of(&p, r), options->iparam[SICONOS_IPARAM_ITER_DONE]);
  _exit(0);
}
