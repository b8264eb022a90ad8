/* Makes the senses (orders of corners) of the triangles of a mesh consistent, and tests whether a point is
 * inside a closed mesh.
 *
 * Two triangles with a common edge have consistent senses if their corners follow this edge in opposite
 * directions. A piece is a set of triangles that are connected by edges. Each piece of an open mesh gets the
 * sense of most of its triangles. The pieces of a closed mesh bound a volume. A piece inside an even number
 * of other pieces faces outwards. A piece inside an odd number of other pieces faces inwards, because it
 * bounds a cavity.
 *
 * A point is inside if the ray from it along x crosses an odd number of triangles. Triangles and rays are
 * projected onto the plane y, z. A ray becomes a point, and crosses a triangle if this point is inside the
 * triangle's projection. The rule for points on the rim of a projection is half-open: each edge is evaluated
 * from the point with the lower index to the other point. A ray through a shared edge therefore crosses
 * exactly one of the two triangles. */
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

/* ---- inside or outside ---- */

/* Returns true if, in the projection onto the plane y, z, the ray from x in the direction +y crosses the edge
 * between points p and q. */
static bool passes_beside(const scree_geometry *g, int32_t p, int32_t q, const double x[3]) {
  const double *a = g->point[p < q ? p : q], *b = g->point[p < q ? q : p];
  if ((a[2] <= x[2]) == (b[2] <= x[2])) return false;
  return a[1] + (x[2] - a[2]) / (b[2] - a[2]) * (b[1] - a[1]) > x[1];
}

/* Returns true if the ray from point x in the direction +x crosses triangle t. */
static bool is_crossed(const scree_geometry *g, int32_t t, const double x[3]) {
  const int32_t *c = g->triangle[t];
  if (passes_beside(g, c[0], c[1], x) == (passes_beside(g, c[1], c[2], x) != passes_beside(g, c[2], c[0], x)))
    return false;
  const double *a = g->point[c[0]], *n = g->normal[t];
  return a[0] - (n[1] * (x[1] - a[1]) + n[2] * (x[2] - a[2])) / n[0] > x[0];
}

typedef struct ray {
  const scree_geometry *g;
  const double *x;
  bool odd;
} ray;

static bool count_crossing(void *context, int32_t triangle) {
  ray *r = context;
  r->odd = r->odd != is_crossed(r->g, triangle, r->x);
  return true;
}

bool sc_geometry_holds(const scree_geometry *g, const double x[3]) {
  SC_ASSERT(g && x && g->type == SCREE_MESH);
  for (int k = 0; k < 3; k++)
    if (!(x[k] >= g->min[k] && x[k] <= g->max[k])) return false;
  ray r = {.g = g, .x = x};
  const double end[3] = {g->max[0], x[1], x[2]};
  sc_geometry_query(g, x, end, count_crossing, &r);
  return r.odd;
}

/* ---- pieces ---- */

/* Pieces of a mesh. Piece i consists of the triangles order[first[i]] .. order[first[i + 1] - 1]. */
typedef struct pieces {
  int32_t *order, *first, count;
  uint8_t *back;   /* [triangles] 1: the sense is opposite to that of the piece's first triangle */
  int32_t *piece;  /* [triangles] index of the piece; -1: not reached yet */
  uint8_t *turned; /* [pieces] 1: the first triangle of the piece must be reversed */
} pieces;

static void free_pieces(pieces *p) {
  sc_free(p->order);
  sc_free(p->first);
  sc_free(p->back);
  sc_free(p->piece);
  sc_free(p->turned);
}

/* Returns true if the corners of triangles t and `other` follow their common edge, from corner k to corner k
 * + 1 of t, in the same direction. */
static bool runs_alike(const scree_geometry *g, int32_t t, int k, int32_t other) {
  const int32_t from = g->triangle[t][k], to = g->triangle[t][(k + 1) % 3], *c = g->triangle[other];
  for (int i = 0; i < 3; i++)
    if (c[i] == from && c[(i + 1) % 3] == to) return true;
  return false;
}

/* Adds the neighbours of triangle t that are in no piece yet to the piece of t. *end: number of entries of
 * p->order. Returns false if a neighbour that already is in the piece has an inconsistent sense. The surface
 * then has only one side. */
static bool reach_neighbours(const scree_geometry *g, int32_t t, pieces *p, int32_t *end) {
  bool two_sided = true;
  for (int k = 0; k < 3; k++) {
    const int32_t other = g->across[t][k];
    if (other < 0) continue;
    const uint8_t back = p->back[t] ^ runs_alike(g, t, k, other);
    if (p->piece[other] >= 0) {
      two_sided = two_sided && p->back[other] == back;
      continue;
    }
    p->piece[other] = p->piece[t], p->back[other] = back;
    p->order[(*end)++] = other;
  }
  return two_sided;
}

/* Fills p with the pieces of a mesh. *two_sided: set to false if a piece has only one side, like a Moebius
 * strip. Returns false if out of memory. */
static bool find_pieces(const scree_geometry *g, pieces *p, bool *two_sided) {
  const size_t count = (size_t)g->triangles;
  p->order = sc_alloc(count * sizeof *p->order), p->first = sc_alloc((count + 1) * sizeof *p->first);
  p->back = sc_alloc(count), p->turned = sc_alloc(count), p->piece = sc_alloc(count * sizeof *p->piece);
  if (!p->order || !p->first || !p->back || !p->turned || !p->piece) return false;
  *two_sided = true;
  int32_t end = 0;
  for (int32_t t = 0; t < g->triangles; t++) p->piece[t] = -1;
  for (int32_t t = 0; t < g->triangles; t++) {
    if (p->piece[t] >= 0) continue;
    int32_t at = end;
    p->piece[t] = p->count;
    p->first[p->count++] = end;
    p->order[end++] = t;
    for (; at < end; at++) *two_sided = reach_neighbours(g, p->order[at], p, &end) && *two_sided;
  }
  p->first[p->count] = end;
  return true;
}

/* ---- senses ---- */

/* Returns six times the volume that a piece bounds [m^3]. The sign follows from the sense of its first
 * triangle. */
static double volume_of(const scree_geometry *g, const pieces *p, int32_t piece) {
  const double *origin = g->point[g->triangle[p->order[p->first[piece]]][0]];
  double volume = 0;
  for (int32_t i = p->first[piece]; i < p->first[piece + 1]; i++) {
    double c[3][3], n[3];
    const int32_t t = p->order[i];
    for (int k = 0; k < 3; k++) sc_sub(g->point[g->triangle[t][k]], origin, c[k]);
    sc_cross(c[1], c[2], n);
    volume += p->back[t] ? -sc_dot(c[0], n) : sc_dot(c[0], n);
  }
  return volume;
}

typedef struct piece_box {
  double min[3], max[3];
} piece_box;

static void box_piece(const scree_geometry *g, const pieces *p, int32_t piece, piece_box *b) {
  for (int k = 0; k < 3; k++) b->min[k] = INFINITY, b->max[k] = -INFINITY;
  for (int32_t i = p->first[piece]; i < p->first[piece + 1]; i++)
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) {
        const double x = g->point[g->triangle[p->order[i]][c]][k];
        b->min[k] = fmin(b->min[k], x), b->max[k] = fmax(b->max[k], x);
      }
}

/* Data of a query that counts the pieces that contain a point x of the piece with index `piece`. odd: true if
 * the number of these pieces is odd. */
typedef struct cover {
  const scree_geometry *g;
  const pieces *p;
  const piece_box *box;
  const double *x;
  int32_t piece;
  bool odd;
} cover;

/* Counts a triangle of another piece if the ray from c->x crosses the triangle. Skips pieces whose box does
 * not contain the box of c->piece, because such pieces cannot contain c->piece. A callback of
 * sc_geometry_query. */
static bool count_cover(void *context, int32_t triangle) {
  cover *c = context;
  const int32_t other = c->p->piece[triangle];
  const piece_box *in = c->box + c->piece, *out = c->box + other;
  if (other == c->piece) return true;
  for (int k = 0; k < 3; k++)
    if (in->min[k] < out->min[k] || in->max[k] > out->max[k]) return true;
  c->odd = c->odd != is_crossed(c->g, triangle, c->x);
  return true;
}

/* Returns true if the first triangle of a piece of a closed mesh must be reversed, because it does not face
 * outwards (or inwards around a cavity). */
static bool looks_wrong(const scree_geometry *g, const pieces *p, const piece_box *box, int32_t piece) {
  const double *x = g->point[g->triangle[p->order[p->first[piece]]][0]],
               end[3] = {g->node->max[0], x[1], x[2]};
  cover c = {.g = g, .p = p, .box = box, .x = x, .piece = piece};
  if (p->count > 1) sc_geometry_query(g, x, end, count_cover, &c);
  const double volume = volume_of(g, p, piece);
  return c.odd ? volume > 0 : volume < 0;
}

static void turn_triangle(scree_geometry *g, int32_t t) {
  const int32_t corner = g->triangle[t][1], beside = g->across[t][0];
  g->triangle[t][1] = g->triangle[t][2], g->triangle[t][2] = corner;
  g->across[t][0] = g->across[t][2], g->across[t][2] = beside;
  sc_scale(-1, g->normal[t], g->normal[t]);
  g->turned++;
}

static void turn_piece(scree_geometry *g, const pieces *p, int32_t piece, bool first) {
  for (int32_t i = p->first[piece]; i < p->first[piece + 1]; i++)
    if ((p->back[p->order[i]] != 0) != first) turn_triangle(g, p->order[i]);
}

/* Returns true if most triangles of a piece have the sense opposite to that of its first triangle. */
static bool is_outvoted(const pieces *p, int32_t piece) {
  int32_t back = 0, count = p->first[piece + 1] - p->first[piece];
  for (int32_t i = p->first[piece]; i < p->first[piece + 1]; i++) back += p->back[p->order[i]];
  return back > count - back;
}

bool sc_geometry_turn(scree_geometry *g, bool *two_sided) {
  SC_ASSERT(g && g->across && two_sided);
  pieces p = {0};
  piece_box *box = NULL;
  bool ok = find_pieces(g, &p, two_sided);
  const bool closed = g->closed && *two_sided;
  if (ok && closed) ok = (box = sc_alloc((size_t)p.count * sizeof *box)) != NULL;
  for (int32_t k = 0; ok && closed && k < p.count; k++) box_piece(g, &p, k, box + k);
  /* decides for all pieces before it reverses the first triangle, because the decisions depend on the
   * senses */
  for (int32_t k = 0; ok && k < p.count; k++)
    p.turned[k] = closed ? looks_wrong(g, &p, box, k) : is_outvoted(&p, k);
  for (int32_t k = 0; ok && *two_sided && k < p.count; k++) turn_piece(g, &p, k, p.turned[k]);
  free_pieces(&p);
  sc_free(box);
  return ok;
}
