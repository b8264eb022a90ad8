/* Binary PLY of the surfaces of all bodies, grains and walls, one file a frame: vertices as floats, faces
 * with the body they belong to. Planes are squares that span the box around the grains of their frame.
 * Triangles of a shape share vertices. */
#include "io/export/surface.h"

#include <string.h>

enum { VERTEX = 12, FACE = 22, SLOTS = 8192, TRIES = 16 };

typedef struct ply {
  sc_bytes *vertices, *faces;
  uint32_t count;       /* vertices so far */
  uint32_t slot[SLOTS]; /* of the shape at hand: a vertex plus 1 by the hash of its bytes, 0: free */
  uint32_t body;
  int32_t group;
  uint8_t kind;
  bool failed;
} ply;

static void put_float(unsigned char *at, double x) {
  union {
    float f;
    uint32_t u;
  } b = {.f = (float)x + 0.0f}; // no negative zeros, which would be vertices of their own
  sc_put_u32(at, b.u);
}

/* The vertex at a point: one that the shape has, or a new one. After so many tries it is taken twice. */
static uint32_t vertex(ply *p, const double point[3]) {
  unsigned char bytes[VERTEX];
  for (int k = 0; k < 3; k++) put_float(bytes + 4 * k, point[k]);
  const uint64_t hash = sc_hash(SC_HASH_START, bytes, VERTEX);
  uint32_t *slot = p->slot;
  for (uint64_t i = 0; i < TRIES; i++) {
    slot = p->slot + (hash + i) % SLOTS;
    if (!*slot || !memcmp(p->vertices->at + (size_t)VERTEX * (*slot - 1), bytes, VERTEX)) break;
    if (i + 1 == TRIES) *slot = 0;
  }
  if (*slot) return *slot - 1;
  p->failed = p->failed || p->count == INT32_MAX || !sc_bytes_add(p->vertices, bytes, VERTEX);
  *slot = ++p->count;
  return p->count - 1;
}

static void triangle(void *to, const double corner[3][3]) {
  ply *p = to;
  uint32_t v[3] = {0};
  for (int k = 0; k < 3 && !p->failed; k++) v[k] = vertex(p, corner[k]);
  if (p->failed || v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) return;
  unsigned char *at = sc_bytes_take(p->faces, FACE);
  if (!at) {
    p->failed = true;
    return;
  }
  at[0] = 3;
  for (int k = 0; k < 3; k++) sc_put_u32(at + 1 + 4 * k, v[k]);
  sc_put_u32(at + 13, p->body);
  sc_put_u32(at + 17, (uint32_t)p->group);
  at[21] = p->kind;
}

/* Triangles of all shapes of the frame. */
static scree_status draw(sc_export *ex, ply *p, scree_error *error) {
  const scree_frame *f = ex->frame;
  sc_surface surface = {.put = triangle, .to = p};
  memcpy(surface.low, ex->drawn.low, sizeof surface.low);
  memcpy(surface.high, ex->drawn.high, sizeof surface.high);
  int64_t row = 0;
  for (int64_t s = 0; s < f->shapes && !p->failed; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    p->body = (uint32_t)row, p->group = (int32_t)f->group[row], p->kind = f->kind[row];
    memset(p->slot, 0, sizeof p->slot);
    sc_surface_draw(&surface, f, row, f->shape + s);
  }
  return p->failed ? sc_export_no_memory(error) : SCREE_OK;
}

static void put_header(sc_out *out, const ply *p, const scree_frame *f) {
  sc_out_text(out, "ply\nformat binary_little_endian 1.0\ncomment scree: surfaces [m]\ncomment time ");
  sc_out_number(out, "", f->time, 17);
  sc_out_text(out,
      "\nelement vertex %u\nproperty float x\nproperty float y\nproperty float z\nelement face %zu\n"
      "property list uchar int vertex_indices\nproperty uint body\nproperty int group\nproperty uchar kind\n"
      "end_header\n",
      p->count, p->faces->count / FACE);
}

static scree_status frame(sc_export *ex, scree_error *error) {
  ply *p = ex->own ? ex->own : (ex->own = sc_alloc(sizeof *p));
  if (!p) return sc_export_no_memory(error);
  *p = (ply){.vertices = &ex->scratch, .faces = &ex->list};
  ex->scratch.count = ex->list.count = 0;
  scree_status status = draw(ex, p, error);
  sc_out out;
  if (!status) status = sc_export_open_numbered(ex, &out, "", ".ply", false, error);
  if (status) return status;
  put_header(&out, p, ex->frame);
  sc_out_bytes(&out, ex->scratch.at, ex->scratch.count);
  sc_out_bytes(&out, ex->list.at, ex->list.count);
  return sc_out_close(&out, error);
}

static void forget(sc_export *ex) { sc_free(ex->own); }

const sc_exporter sc_export_ply = {.name = "ply", .points = true, .frame = frame, .forget = forget};
