/* Binary PLY of the surfaces of all bodies, grains and walls, one file per frame: vertices as floats, faces
 * with the body they belong to. Planes become squares that span the box around the grains of their frame.
 * Triangles of a shape share vertices.
 *
 * All round grains of a frame have the same number of sides: that of the user, or a number that is smaller in
 * frames with more grains (sc_grain_sides). Balls with fewer than 48 sides become icospheres. All vertices of
 * a PLY file precede its faces, so the frame is drawn twice: the first pass writes vertices, the second pass
 * writes faces. Only the vertices of one shape are in memory. The header has a fixed length; its counts are
 * written at the end. */
#include "io/export/polyhedron.h"
#include "io/export/surface.h"

#include <stdio.h>
#include <string.h>
#include "math/vec.h"

enum {
  VERTEX = 12,  /* size of a vertex in the file [bytes] */
  FACE = 22,    /* size of a face in the file [bytes] */
  SLOTS = 8192, /* number of slots of the hash table of vertices */
  TRIES = 16,   /* largest number of slots that a search visits */
  HEADER = 512  /* size of the header of the file [bytes] */
};

typedef struct ply {
  sc_out out;
  sc_bytes *vertices;   /* vertices of the present shape, VERTEX bytes each */
  int64_t count;        /* number of vertices of the earlier shapes of the frame */
  int64_t faces;        /* number of faces of the frame so far */
  uint32_t slot[SLOTS]; /* hash table of the present shape: index of a vertex + 1; 0: free */
  uint32_t body;        /* body of the present shape: its row in the frame, group and kind */
  int32_t group;
  uint8_t kind;
  bool writes_faces; /* true: second pass, which writes faces; false: first pass, which writes vertices */
  bool failed;       /* memory ran out, or there are more than INT32_MAX vertices */
  int sides;         /* number of sides of round grains */
  int level;         /* level of the icosphere; 0: balls are drawn like other round shapes */
  sc_polyhedron ball;
} ply;

/* Returns the level of icospheres with about `sides` edges along the equator; 0: balls are drawn like other
 * round shapes. */
static int choose_level(int sides) { return sides > 32 ? 0 : sides > 12 ? 2 : 1; }

/* Returns whether shape s belongs to a grain: its body is dynamic, or the shape is a ball. Shapes of walls
 * always have SC_FINE_SIDES sides. */
static bool is_grain(const scree_frame *f, int64_t row, const scree_shape_info *s) {
  return f->kind[row] == SCREE_DYNAMIC || s->type == SCREE_SPHERE;
}

/* ---- vertices and faces ---- */

static void put_vertex(unsigned char *at, const double point[3]) {
  for (int k = 0; k < 3; k++)
    sc_put_f32(at + 4 * k, (float)point[k] + 0.0f); // turns -0 into 0, so that equal points have equal bytes
}

/* Returns the index of the vertex at a point within the present shape. Adds a vertex if the shape has
 * none, or if TRIES slots are occupied by other vertices. */
static uint32_t find_vertex(ply *p, const double point[3]) {
  unsigned char bytes[VERTEX];
  put_vertex(bytes, point);
  const uint64_t hash = sc_hash(SC_HASH_START, bytes, VERTEX);
  uint32_t *slot = p->slot;
  for (uint64_t i = 0; i < TRIES; i++) {
    slot = p->slot + (hash + i) % SLOTS;
    if (!*slot || !memcmp(p->vertices->at + (size_t)VERTEX * (*slot - 1), bytes, VERTEX)) break;
    if (i + 1 == TRIES) *slot = 0;
  }
  if (*slot) return *slot - 1;
  p->failed = p->failed || !sc_bytes_add(p->vertices, bytes, VERTEX);
  *slot = (uint32_t)(p->vertices->count / VERTEX);
  return p->failed ? 0 : *slot - 1;
}

/* Counts a face of the present shape; writes it in the second pass. a, b, c: indices of vertices of the
 * shape. */
static void put_face(ply *p, uint32_t a, uint32_t b, uint32_t c) {
  p->faces++;
  if (!p->writes_faces) return;
  unsigned char at[FACE] = {3};
  const uint32_t corner[3] = {a, b, c};
  for (int k = 0; k < 3; k++) sc_put_u32(at + 1 + 4 * k, (uint32_t)p->count + corner[k]);
  sc_put_u32(at + 13, p->body);
  sc_put_u32(at + 17, (uint32_t)p->group);
  at[21] = p->kind;
  sc_out_bytes(&p->out, at, FACE);
}

static void put_triangle(void *to, const double corner[3][3]) {
  ply *p = to;
  uint32_t v[3] = {0};
  for (int k = 0; k < 3 && !p->failed; k++) v[k] = find_vertex(p, corner[k]);
  if (p->failed || v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) return;
  put_face(p, v[0], v[1], v[2]);
}

/* Counts the vertices of a finished shape. Sets p->failed beyond INT32_MAX vertices, because PLY files have
 * indices as signed 32-bit numbers. */
static void end_shape(ply *p, int64_t vertices) {
  p->count += vertices;
  p->failed = p->failed || p->count > INT32_MAX;
}

static void draw_ball(ply *p, const sc_surface *surface, double radius) {
  const sc_polyhedron *ball = &p->ball;
  for (int i = 0; i < ball->vertices && !p->writes_faces; i++) {
    unsigned char bytes[VERTEX];
    double x[3];
    sc_mat_vec(surface->R, ball->vertex[i], x);
    for (int k = 0; k < 3; k++) x[k] = surface->origin[k] + radius * x[k];
    put_vertex(bytes, x);
    sc_out_bytes(&p->out, bytes, VERTEX);
  }
  for (int f = 0; f < ball->faces; f++)
    put_face(p, (uint32_t)ball->face[f][0], (uint32_t)ball->face[f][1], (uint32_t)ball->face[f][2]);
  end_shape(p, ball->vertices);
}

static void draw_shape(ply *p, sc_surface *surface, const scree_frame *f, int64_t row, int64_t s) {
  p->body = (uint32_t)row, p->group = (int32_t)f->group[row], p->kind = f->kind[row];
  if (p->level && f->shape[s].type == SCREE_SPHERE) {
    sc_surface_place(surface, f, row, f->shape + s);
    draw_ball(p, surface, f->shape[s].radius);
    return;
  }
  memset(p->slot, 0, sizeof p->slot);
  p->vertices->count = 0;
  surface->sides = is_grain(f, row, f->shape + s) ? p->sides : SC_FINE_SIDES;
  sc_surface_draw(surface, f, row, f->shape + s);
  if (!p->writes_faces) sc_out_bytes(&p->out, p->vertices->at, p->vertices->count);
  end_shape(p, (int64_t)(p->vertices->count / VERTEX));
}

/* Draws all shapes of the frame: writes their vertices, or their faces if p->writes_faces. */
static void draw_frame(const sc_export *ex, ply *p) {
  const scree_frame *f = ex->frame;
  sc_surface surface = {.put = put_triangle, .to = p};
  memcpy(surface.low, ex->drawn.low, sizeof surface.low);
  memcpy(surface.high, ex->drawn.high, sizeof surface.high);
  p->count = p->faces = 0;
  int64_t row = 0;
  for (int64_t s = 0; s < f->shapes && !p->failed; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    draw_shape(p, &surface, f, row, s);
  }
}

/* ---- the file ---- */

/* Fills the HEADER bytes of the file's header. A comment line of blanks pads it to this length. */
static void fill_header(char header[HEADER + 1], const ply *p, double time) {
  char when[32], balls[64];
  snprintf(balls, sizeof balls, "with %d sides", p->sides);
  sc_number_text(time, 17, when);
  if (p->level) snprintf(balls, sizeof balls, "of %d vertices and %d faces", p->ball.vertices, p->ball.faces);
  int used = snprintf(header, HEADER,
      "ply\nformat binary_little_endian 1.0\ncomment scree: surfaces [m]\ncomment time %s\n"
      "comment balls %s, other round grains with %d sides\nelement vertex %lld\nproperty float x\nproperty "
      "float y\nproperty float z\n"
      "element face %lld\nproperty list uchar int vertex_indices\nproperty uint body\nproperty int group\n"
      "property uchar kind\n",
      when, balls, p->sides, (long long)p->count, (long long)p->faces);
  static const char start[] = "comment", end[] = "\nend_header\n";
  const int last = HEADER - (int)strlen(end);
  SC_ASSERT(used > 0 && used + (int)strlen(start) <= last);
  memset(header + used, ' ', HEADER - (size_t)used);
  memcpy(header + used, start, strlen(start));
  memcpy(header + last, end, strlen(end));
}

static scree_status write_file(sc_export *ex, ply *p, scree_error *error) {
  char header[HEADER + 1];
  fill_header(header, p, ex->frame->time);
  sc_out_bytes(&p->out, header, HEADER);
  p->writes_faces = false;
  draw_frame(ex, p);
  p->writes_faces = true;
  if (!p->failed) draw_frame(ex, p);
  if (p->failed) {
    sc_out_abandon(&p->out);
    return sc_export_no_memory(error);
  }
  fill_header(header, p, ex->frame->time);
  sc_out_patch(&p->out, 0, header, HEADER);
  return sc_out_close(&p->out, error);
}

static scree_status write_ply_frame(sc_export *ex, scree_error *error) {
  ply *p = ex->own ? ex->own : (ex->own = sc_alloc(sizeof *p));
  if (!p) return sc_export_no_memory(error);
  const scree_frame *f = ex->frame;
  int64_t grains = 0;
  for (int64_t s = 0, row = 0; s < f->shapes; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    grains += is_grain(f, row, f->shape + s);
  }
  p->sides = sc_grain_sides(ex->def, grains);
  p->level = choose_level(p->sides);
  sc_polyhedron_icosphere(&p->ball, p->level);
  p->vertices = &ex->scratch;
  p->failed = false;
  p->count = p->faces = 0;
  scree_status status = sc_export_open_numbered(ex, &p->out, "", ".ply", false, error);
  return status ? status : write_file(ex, p, error);
}

static void free_ply(sc_export *ex) { sc_free(ex->own); }

const sc_exporter sc_export_ply = {
    .name = "ply", .points = true, .triangles = true, .frame = write_ply_frame, .forget = free_ply};
