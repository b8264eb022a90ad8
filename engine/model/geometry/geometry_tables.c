/* Tables of the corners, edges and faces of a hull (scree_geometry), for the search of the distance between
 * shapes. */
#include <string.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

/* Sets near_first and near: the neighbours of each point along edges. Each edge is found twice, because its
 * two polygons contain it in opposite directions. */
static bool fill_neighbours(scree_geometry *g) {
  int32_t corners = g->first[g->faces];
  g->near_first = sc_alloc(((size_t)g->points + 2) * sizeof *g->near_first);
  g->near = sc_alloc((size_t)corners * sizeof *g->near);
  if (!g->near_first || !g->near) return false;
  for (int32_t k = 0; k < corners; k++) g->near_first[g->corner[k] + 2]++;
  for (int32_t p = 0; p < g->points; p++) g->near_first[p + 2] += g->near_first[p + 1];
  for (int32_t f = 0; f < g->faces; f++)
    for (int32_t k = g->first[f]; k < g->first[f + 1]; k++)
      g->near[g->near_first[g->corner[k] + 1]++] = g->corner[k + 1 < g->first[f + 1] ? k + 1 : g->first[f]];
  return true;
}

/* Returns the index k in `near` at which point p has the neighbour q. Returns near_first[p + 1] if q is no
 * neighbour of p. */
static int32_t neighbour_place_of(const scree_geometry *g, int32_t p, int32_t q) {
  int32_t k = g->near_first[p];
  while (k < g->near_first[p + 1] && g->near[k] != q) k++;
  return k;
}

/* Numbers the edges and sets their members end and way. most: expected number of edges. Returns false if an
 * edge exists in only one direction, or if the number of edges is not `most`. */
static bool number_edges(scree_geometry *g, int32_t most) {
  for (int32_t p = 0; p < g->points; p++)
    for (int32_t k = g->near_first[p]; k < g->near_first[p + 1]; k++) {
      const int32_t q = g->near[k], back = neighbour_place_of(g, q, p);
      if (q < p) continue;
      if (back == g->near_first[q + 1] || g->edges == most) return false;
      sc_edge *e = g->edge + g->edges;
      *e = (sc_edge){.end = {p, q}};
      sc_sub(g->point[q], g->point[p], e->way);
      g->near_edge[k] = g->near_edge[back] = g->edges++;
    }
  return g->edges == most;
}

static void set_edge_faces(scree_geometry *g) {
  for (int32_t f = 0; f < g->faces; f++)
    for (int32_t k = g->first[f]; k < g->first[f + 1]; k++) {
      const int32_t p = g->corner[k], q = g->corner[k + 1 < g->first[f + 1] ? k + 1 : g->first[f]];
      sc_edge *e = g->edge + g->near_edge[neighbour_place_of(g, p, q)];
      e->face[e->end[0] != p] = f;
    }
}

static void fill_edge_depths(const scree_geometry *g, sc_edge *e) {
  e->depth[0] = e->depth[1] = INFINITY;
  e->cosine = sc_dot(g->plane[e->face[0]], g->plane[e->face[1]]);
  for (int side = 0; side < 2; side++)
    for (int end = 0; end < 2; end++)
      for (int32_t k = g->near_first[e->end[end]]; k < g->near_first[e->end[end] + 1]; k++) {
        const double *plane = g->plane[e->face[side]];
        const int32_t *beside = g->edge[g->near_edge[k]].face;
        if (beside[0] == e->face[side] || beside[1] == e->face[side]) continue;
        e->depth[side] = fmin(e->depth[side], plane[3] - sc_dot(plane, g->point[g->near[k]]));
      }
}

/* Fills the table of edges. The table of a hull with more than 2^16 - 1 edges stays empty, because the pair
 * cache has 16 bits for the index of an edge. Returns false if out of memory. */
static bool fill_edges(scree_geometry *g) {
  const int32_t edges = g->first[g->faces] / 2;
  if (edges > UINT16_MAX) return true;
  g->near_edge = sc_alloc(2 * (size_t)edges * sizeof *g->near_edge);
  g->edge = sc_alloc((size_t)edges * sizeof *g->edge);
  if (!g->near_edge || !g->edge) return false;
  if (!number_edges(g, edges)) {
    g->edges = 0;
    return true;
  }
  set_edge_faces(g);
  for (int32_t k = 0; k < edges; k++) fill_edge_depths(g, g->edge + k);
  return true;
}

/* Returns the depth of face f (scree_geometry.depth): the smallest depth below the plane of f [m], over the
 * points that share an edge with a corner of f. The next and the previous corner of f do not count. */
static double find_face_depth(const scree_geometry *g, int32_t f) {
  const int32_t *corner = g->corner + g->first[f], count = g->first[f + 1] - g->first[f];
  double least = INFINITY;
  for (int32_t c = 0; c < count; c++)
    for (int32_t k = g->near_first[corner[c]]; k < g->near_first[corner[c] + 1]; k++)
      if (g->near[k] != corner[(c + 1) % count] && g->near[k] != corner[(c + count - 1) % count])
        least = fmin(least, g->plane[f][3] - sc_dot(g->plane[f], g->point[g->near[k]]));
  return least;
}

static bool fill_face_depths(scree_geometry *g) {
  g->depth = sc_alloc((size_t)g->faces * sizeof *g->depth);
  for (int32_t f = 0; f < g->faces && g->depth; f++) g->depth[f] = find_face_depth(g, f);
  return g->depth != NULL;
}

static bool fill_rims(scree_geometry *g) {
  g->rim = sc_alloc((size_t)g->first[g->faces] * sizeof *g->rim);
  for (int32_t f = 0; f < g->faces && g->rim; f++)
    for (int32_t k = g->first[f]; k < g->first[f + 1]; k++) {
      const double *p = g->point[g->corner[k]],
                   *q = g->point[g->corner[k + 1 < g->first[f + 1] ? k + 1 : g->first[f]]];
      double way[3];
      sc_sub(q, p, way);
      sc_cross(g->plane[f], way, g->rim[k]);
      sc_normalise(g->rim[k], g->rim[k]);
      g->rim[k][3] = sc_dot(g->rim[k], p);
    }
  return g->rim != NULL;
}

/* Returns the bound `nearer` of face f: the cosine of half the angle between the normal of f and the nearest
 * other face normal, plus 1e-9 for rounding errors. For a hull with more than MANY faces, returns 2 to save
 * time; no cosine exceeds 2. */
static double nearer_of(const scree_geometry *g, int32_t f) {
  enum { MANY = 512 };
  double most = -1;
  if (g->faces > MANY) return 2;
  for (int32_t k = 0; k < g->faces; k++)
    if (k != f) most = fmax(most, sc_dot(g->plane[f], g->plane[k]));
  return sqrt(fmax(0, 0.5 * (1 + most))) + 1e-9;
}

static bool fill_nearer(scree_geometry *g) {
  g->nearer = sc_alloc((size_t)g->faces * sizeof *g->nearer);
  for (int32_t f = 0; f < g->faces && g->nearer; f++) g->nearer[f] = nearer_of(g, f);
  return g->nearer != NULL;
}

enum { FACES_AT_CORNER = 64 }; /* largest number of faces at a corner that has_side_faces tests */
/* Returns true if the normals of two of the faces at a corner have an angle of about 90 degrees or more
 * (SC_SQUARE). To save time, also returns true if there are more than FACES_AT_CORNER faces. face: [count]
 * indices of the faces. */
static bool has_side_faces(const scree_geometry *g, const int32_t *face, int32_t count) {
  if (count > FACES_AT_CORNER) return true;
  for (int32_t i = 0; i < count; i++)
    for (int32_t k = 0; k < i; k++)
      if (sc_dot(g->plane[face[i]], g->plane[face[k]]) <= SC_SQUARE) return true;
  return false;
}

/* Sets g->side_faces: true if the hull has a corner at which two face normals are perpendicular or at a
 * larger angle. The number of faces at a corner equals the number of its neighbours, so near_first gives the
 * size of the list of faces of each corner. Returns false if out of memory. */
static bool fill_side_faces(scree_geometry *g) {
  const int32_t corners = g->first[g->faces];
  int32_t *face = sc_alloc((size_t)corners * sizeof *face), *at = sc_alloc((size_t)g->points * sizeof *at);
  if (face && at) {
    memcpy(at, g->near_first, (size_t)g->points * sizeof *at);
    for (int32_t f = 0; f < g->faces; f++)
      for (int32_t k = g->first[f]; k < g->first[f + 1]; k++) face[at[g->corner[k]]++] = f;
    for (int32_t p = 0; p < g->points && !g->side_faces; p++)
      g->side_faces = has_side_faces(g, face + g->near_first[p], g->near_first[p + 1] - g->near_first[p]);
  }
  sc_free(face), sc_free(at);
  return face && at;
}

bool sc_geometry_tables(scree_geometry *g) {
  return fill_neighbours(g) && fill_edges(g) && fill_face_depths(g) && fill_rims(g) && fill_nearer(g) &&
      fill_side_faces(g);
}
