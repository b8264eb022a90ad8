/* Reads glTF and COLLADA files with libassimp, in a child process.
 *
 * The child reads the file and sends points and triangles through a pipe. If a faulty file crashes the
 * library, only the child ends. The memory of the child is limited to scree_memory_left(), its time to
 * MOST_SECONDS. Only the child loads the library, so other programs are not affected. */
#define _GNU_SOURCE
#include <string.h>
#include "base/base.h"
#include "model/geometry/geometry.h"

#ifdef SCREE_ASSIMP
#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/library.h"
#include "scree/memory.h"

enum { MOST_SECONDS = 120, MOST_DEPTH = 1000 };

/* First message from the child to the parent. Arrays of points and triangles follow. */
typedef struct letter {
  uint64_t points, triangles;
  char problem[SCREE_ERROR_TEXT]; /* text of an error; "": no error */
} letter;

/* ---- child: the library ---- */

typedef struct library {
  const struct aiScene *(*import)(const char *, unsigned, struct aiFileIO *, const struct aiPropertyStore *);
  const char *(*problem)(void);
  struct aiPropertyStore *(*store)(void);
  void (*set)(struct aiPropertyStore *, const char *, int);
  void (*attach)(const struct aiLogStream *);
} library;

static scree_status open_library(library *lib, scree_error *error) {
  static const char *const names[] = {"aiImportFileExWithProperties", "aiGetErrorString",
      "aiCreatePropertyStore", "aiSetImportPropertyInteger", "aiAttachLogStream"};
  void *found[sizeof names / sizeof *names];
  scree_status status = sc_library_open(
      SCREE_ASSIMP, "assimp", "glTF and COLLADA", names, found, sizeof names / sizeof *names, error);
  if (status == SCREE_OK) memcpy(lib, found, sizeof *lib);
  return status;
}

/* ---- child: files in memory ---- */

typedef struct content {
  struct aiFile file;
  const unsigned char *bytes;
  size_t count, at;
} content;

static size_t content_read(struct aiFile *file, char *to, size_t size, size_t count) {
  content *c = (content *)file;
  size_t whole = size ? (c->count - c->at) / size : 0;
  if (count < whole) whole = count;
  if (whole) memcpy(to, c->bytes + c->at, whole * size);
  c->at += whole * size;
  return whole;
}
static size_t content_write(struct aiFile *file, const char *from, size_t size, size_t count) {
  (void)file, (void)from, (void)size, (void)count;
  return 0;
}
static size_t content_tell(struct aiFile *file) { return ((content *)file)->at; }
static size_t content_size(struct aiFile *file) { return ((content *)file)->count; }
static void content_flush(struct aiFile *file) { (void)file; }
static enum aiReturn content_seek(struct aiFile *file, size_t by, enum aiOrigin from) {
  content *c = (content *)file;
  size_t to = from == aiOrigin_SET ? by : from == aiOrigin_CUR ? c->at + by : c->count - by;
  if (to > c->count) return aiReturn_FAILURE;
  c->at = to;
  return aiReturn_SUCCESS;
}

/* The scene file that the child reads: its path and its content. */
typedef struct asked {
  const char *path;
  const unsigned char *bytes;
  size_t count;
} asked;

/* Opens the scene file, or a file in its folder to which the scene file refers. Frees nothing, because the
 * child ends soon. */
static struct aiFile *open_content(struct aiFileIO *io, const char *name, const char *mode) {
  const asked *main = (const asked *)io->UserData;
  const char *slash = strrchr(main->path, '/');
  size_t folder = slash ? (size_t)(slash - main->path) + 1 : 0;
  if (strchr(mode, 'w') || strncmp(name, main->path, folder) || strchr(name + folder, '/')) return NULL;
  content *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->file = (struct aiFile){
      content_read, content_write, content_tell, content_size, content_seek, content_flush, NULL};
  c->bytes = main->bytes, c->count = main->count;
  unsigned char *bytes = NULL;
  if (!strcmp(name, main->path)) return &c->file;
  if (sc_soup_slurp(name, &bytes, &c->count, NULL)) return NULL;
  c->bytes = bytes;
  return &c->file;
}

static void close_content(struct aiFileIO *io, struct aiFile *file) { (void)io, (void)file; }

/* ---- child: triangles ---- */

typedef struct gather {
  const struct aiScene *scene;
  sc_soup *soup;
} gather;

/* Sets out to the product of the affine maps a and *m (3 x 4, row-major). */
static void multiply_maps(const double a[12], const struct aiMatrix4x4 *m, double out[12]) {
  const double b[12] = {m->a1, m->a2, m->a3, m->a4, m->b1, m->b2, m->b3, m->b4, m->c1, m->c2, m->c3, m->c4};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++)
      out[4 * i + k] = a[4 * i] * b[k] + a[4 * i + 1] * b[4 + k] + a[4 * i + 2] * b[8 + k] +
          (k == 3 ? a[4 * i + 3] : 0);
}

static bool is_mirroring(const double m[12]) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
      m[2] * (m[4] * m[9] - m[5] * m[8]) <
      0;
}

static bool add_mesh(const gather *g, const struct aiMesh *mesh, const double m[12]) {
  sc_soup *s = g->soup;
  const size_t first = s->points;
  bool mirrored = is_mirroring(m);
  if (first + mesh->mNumVertices > INT32_MAX ||
      !SC_GROW(s->point, s->point_capacity, first + mesh->mNumVertices) ||
      !SC_GROW(s->triangle, s->triangle_capacity, s->triangles + mesh->mNumFaces))
    return false;
  for (unsigned v = 0; v < mesh->mNumVertices; v++) {
    const double x[3] = {mesh->mVertices[v].x, mesh->mVertices[v].y, mesh->mVertices[v].z};
    for (int i = 0; i < 3; i++)
      s->point[first + v][i] = m[4 * i] * x[0] + m[4 * i + 1] * x[1] + m[4 * i + 2] * x[2] + m[4 * i + 3];
  }
  s->points += mesh->mNumVertices;
  for (unsigned f = 0; f < mesh->mNumFaces; f++) {
    const struct aiFace *face = mesh->mFaces + f;
    if (face->mNumIndices != 3) continue; /* skips lines and points */
    int32_t *corner = s->triangle[s->triangles++];
    for (int k = 0; k < 3; k++)
      corner[k] = (int32_t)first + (int32_t)face->mIndices[mirrored && k ? 3 - k : k];
  }
  return true;
}

static bool add_node(const gather *g, const struct aiNode *node, const double above[12], int depth) {
  double m[12];
  multiply_maps(above, &node->mTransformation, m);
  if (depth > MOST_DEPTH) return false;
  for (unsigned k = 0; k < node->mNumMeshes; k++)
    if (!add_mesh(g, g->scene->mMeshes[node->mMeshes[k]], m)) return false;
  for (unsigned k = 0; k < node->mNumChildren; k++)
    if (!add_node(g, node->mChildren[k], m, depth + 1)) return false;
  return true;
}

/* Collects the triangles of a scene in the soup. up = 0: rotates the y axis, to which the library has rotated
 * the file's up axis, to z. Any other value: leaves the axes unchanged. Returns false and sets l->problem on
 * failure. */
static bool gather_soup(const struct aiScene *scene, int up, sc_soup *soup, letter *l) {
  static const double as_given[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                      y_up[12] = {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0};
  gather g = {scene, soup};
  if (!scene->mRootNode || !add_node(&g, scene->mRootNode, up ? as_given : y_up, 0))
    snprintf(l->problem, sizeof l->problem, "no memory for its triangles");
  else if (!soup->triangles) snprintf(l->problem, sizeof l->problem, "holds no triangle");
  for (size_t p = 0; p < soup->points; p++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(soup->point[p][k]))
        snprintf(l->problem, sizeof l->problem, "point %zu has a coordinate that is not finite", p);
  return !*l->problem;
}

/* Callback for log messages of the library. Stores a warning about dropped data as an error in the letter,
 * because the mesh would have holes. */
static void note_warning(const char *message, char *user) {
  letter *l = (letter *)(void *)user;
  if (*l->problem || !strstr(message, "dropped")) return;
  if (strstr(message, "out-of-range indices"))
    snprintf(l->problem, sizeof l->problem, "a face names a point that its mesh does not have");
  else if (strstr(message, "TRIANGLES mode"))
    snprintf(l->problem, sizeof l->problem, "the indices of a mesh of triangles are no multiple of 3");
}

static void read_scene(const asked *file, int up, sc_soup *soup, letter *l) {
  library lib;
  scree_error error;
  if (open_library(&lib, &error)) {
    snprintf(l->problem, sizeof l->problem, "%s", error.text);
    return;
  }
  struct aiFileIO io = {open_content, close_content, (aiUserData)file};
  struct aiPropertyStore *store = lib.store();
  if (store && up) lib.set(store, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  const struct aiLogStream log = {note_warning, (char *)(void *)l};
  lib.attach(&log);
  const struct aiScene *scene = lib.import(file->path, aiProcess_Triangulate, &io, store);
  if (*l->problem) return;
  if (!scene) snprintf(l->problem, sizeof l->problem, "%s", lib.problem());
  else gather_soup(scene, up, soup, l);
}

/* ---- pipe between parent and child ---- */

static bool send_all(int to, const void *bytes, size_t count) {
  for (const char *at = bytes; count;) {
    ssize_t went = write(to, at, count);
    if (went < 0 && errno == EINTR) continue;
    if (went <= 0) return false;
    at += went, count -= (size_t)went;
  }
  return true;
}

static bool receive_all(int from, void *bytes, size_t count) {
  for (char *at = bytes; count;) {
    ssize_t got = read(from, at, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got, count -= (size_t)got;
  }
  return true;
}

/* Limits the resources of the child process: the address space to its present size plus scree_memory_left(),
 * and the CPU time to MOST_SECONDS. */
static void bound_child(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  size_t left = scree_memory_left();
  if (file && fscanf(file, "%lu", &pages) == 1 && left < SIZE_MAX / 2) {
    rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + left;
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
  }
  if (file) fclose(file);
  setrlimit(RLIMIT_CPU, &(struct rlimit){MOST_SECONDS, MOST_SECONDS});
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  scree_memory_limit(0);
}

static _Noreturn void run_child(const asked *file, int up, int to) {
  letter l = {0};
  sc_soup soup = {0};
  bound_child();
  read_scene(file, up, &soup, &l);
  if (!*l.problem) l.points = soup.points, l.triangles = soup.triangles;
  _exit(!(send_all(to, &l, sizeof l) && send_all(to, soup.point, l.points * sizeof *soup.point) &&
      send_all(to, soup.triangle, l.triangles * sizeof *soup.triangle)));
}

static scree_status receive_soup(const char *path, int from, sc_soup *soup, scree_error *error) {
  letter l;
  if (!receive_all(from, &l, sizeof l))
    return sc_fail(error, SCREE_E_FORMAT,
        "%s: cannot be read: the reader ran out of memory or of %d s, or fell", path, MOST_SECONDS);
  l.problem[sizeof l.problem - 1] = 0;
  if (*l.problem) return sc_fail(error, SCREE_E_FORMAT, "%s: %s", path, l.problem);
  if (l.points > INT32_MAX || l.triangles > INT32_MAX ||
      !SC_GROW(soup->point, soup->point_capacity, l.points) ||
      !SC_GROW(soup->triangle, soup->triangle_capacity, l.triangles))
    return sc_fail(error, SCREE_E_MEMORY, "%s: no memory for its triangles", path);
  soup->points = l.points, soup->triangles = l.triangles;
  if (receive_all(from, soup->point, l.points * sizeof *soup->point) &&
      receive_all(from, soup->triangle, l.triangles * sizeof *soup->triangle))
    return SCREE_OK;
  return sc_fail(error, SCREE_E_FORMAT, "%s: cannot be read: the reader ended too early", path);
}

scree_status sc_soup_scene(
    const char *path, const unsigned char *bytes, size_t count, int up, sc_soup *soup, scree_error *error) {
  int ends[2];
  if (pipe(ends)) return sc_fail(error, SCREE_E_IO, "%s: %s", path, strerror(errno));
  pid_t pid = fork();
  if (!pid) {
    close(ends[0]);
    run_child(&(asked){path, bytes, count}, up, ends[1]);
  }
  close(ends[1]);
  scree_status status = pid > 0 ? receive_soup(path, ends[0], soup, error)
                                : sc_fail(error, SCREE_E_IO, "%s: %s", path, strerror(errno));
  close(ends[0]);
  while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
  return status;
}

#else
scree_status sc_soup_scene(
    const char *path, const unsigned char *bytes, size_t count, int up, sc_soup *soup, scree_error *error) {
  (void)bytes, (void)count, (void)up, (void)soup;
  return sc_fail(error, SCREE_E_ARGUMENT,
      "%s: this scree was built without glTF and COLLADA; build it again with libassimp (Debian: "
      "libassimp-dev)",
      path);
}
#endif
