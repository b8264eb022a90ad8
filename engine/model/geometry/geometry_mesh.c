/* Makes triangle meshes: checks triangles, finds neighbours, and marks edges that shapes can touch from the
 * side.
 *
 * An edge belongs to two triangles, or to one triangle if the mesh is open there. If more than two triangles
 * share an edge, or if the surface has only one side, the mesh bounds no volume. Triangles with inconsistent
 * senses are reversed (geometry_turn.c).
 *
 * An edge is sharp if a shape can touch it from the side. Ridges, borders, and all folds of a wall are sharp.
 * Flat edges inside a tessellated face and valleys of a solid are not sharp, so they do not affect rolling
 * bodies. */
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

/* Default tolerance of welding, divided by the largest extent of the triangles. Rounding makes equal
 * coordinates differ by 1e-6 in text with six digits and by 1.2e-7 in single precision. */
#define WELD_SHARE 4e-6

typedef struct edge {
  int32_t from, to, triangle, side;
} edge;

static int by_ends(const void *a, const void *b) {
  const edge *e = a, *f = b;
  int32_t el = e->from < e->to ? e->from : e->to, eh = e->from < e->to ? e->to : e->from;
  int32_t fl = f->from < f->to ? f->from : f->to, fh = f->from < f->to ? f->to : f->from;
  if (el != fl) return el < fl ? -1 : 1;
  if (eh != fh) return eh < fh ? -1 : 1;
  return (e->triangle > f->triangle) - (e->triangle < f->triangle);
}

static scree_status check_def(const scree_mesh_def *def, scree_error *error) {
  if (def->triangles_count < 1) return sc_fail(error, SCREE_E_ARGUMENT, "a mesh needs at least one triangle");
  if (def->points_count > INT32_MAX / 8 || def->triangles_count > INT32_MAX / 8)
    return sc_fail(error, SCREE_E_ARGUMENT, "a mesh of %lld points and %lld triangles is too large",
        (long long)def->points_count, (long long)def->triangles_count);
  if (!(def->scale >= 0 && isfinite(def->scale)))
    return sc_fail(error, SCREE_E_ARGUMENT, "scale must be positive and finite, not %g", def->scale);
  if (!(def->weld >= 0 && isfinite(def->weld)) && def->weld != SCREE_WELD_AUTO)
    return sc_fail(error, SCREE_E_ARGUMENT, "weld must be finite and not negative, not %g", def->weld);
  for (int64_t p = 0; p < def->points_count; p++)
    if (!isfinite(def->points[p][0] + def->points[p][1] + def->points[p][2]))
      return sc_fail(error, SCREE_E_ARGUMENT, "point %lld of the mesh is not finite", (long long)p + 1);
  for (int64_t t = 0; t < def->triangles_count; t++)
    for (int c = 0; c < 3; c++)
      if (def->triangles[t][c] < 0 || def->triangles[t][c] >= def->points_count)
        return sc_fail(error, SCREE_E_ARGUMENT, "triangle %lld names point %lld of %lld", (long long)t + 1,
            (long long)def->triangles[t][c] + 1, (long long)def->points_count);
  return SCREE_OK;
}

/* Returns the tolerance of welding [m]: def->weld, or WELD_SHARE times the largest extent of the triangles if
 * def->weld is SCREE_WELD_AUTO. */
static double find_tolerance(const scree_mesh_def *def, const scree_geometry *g) {
  double extent = 0;
  if (def->weld != SCREE_WELD_AUTO) return def->weld;
  for (int k = 0; k < 3; k++) {
    double min = INFINITY, max = -INFINITY;
    for (int64_t c = 0; c < 3 * def->triangles_count; c++) {
      const double x = g->point[def->triangles[c / 3][c % 3]][k];
      min = fmin(min, x), max = fmax(max, x);
    }
    extent = fmax(extent, max - min);
  }
  return isfinite(extent) ? WELD_SHARE * extent : 0;
}

/* Copies the points and triangles of a definition to the geometry and welds them. */
static scree_status copy_soup(const scree_mesh_def *def, scree_geometry *g, scree_error *error) {
  double scale = def->scale > 0 ? def->scale : 1;
  g->normal = sc_alloc((size_t)def->triangles_count * sizeof *g->normal);
  if (!sc_geometry_alloc(g, def->points_count, def->triangles_count) || !g->normal)
    return sc_fail(
        error, SCREE_E_MEMORY, "no memory for a mesh of %lld triangles", (long long)def->triangles_count);
  g->points = (int32_t)def->points_count;
  for (int32_t p = 0; p < g->points; p++) sc_scale(scale, def->points[p], g->point[p]);
  memcpy(g->triangle, def->triangles, (size_t)def->triangles_count * sizeof *g->triangle);
  const double tolerance = find_tolerance(def, g);
  if (tolerance > 0 &&
      !sc_weld_points(g->point, &g->points, g->triangle, (size_t)def->triangles_count, tolerance, &g->welded))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to weld %lld points", (long long)def->points_count);
  return SCREE_OK;
}

/* Computes the unit normal of the triangle a, b, c. Returns false if the triangle has no area. */
static bool find_normal(const double a[3], const double b[3], const double c[3], double n[3]) {
  double e[3], f[3];
  sc_sub(b, a, e);
  sc_sub(c, a, f);
  sc_cross(e, f, n);
  if (!(sc_norm(n) > 1e-14 * (sc_dot(e, e) + sc_dot(f, f)))) return false;
  sc_normalise(n, n);
  return true;
}

/* Fails because no triangle has an area. If a triangle had an area before welding, the message names the
 * tolerance of welding. */
static scree_status reject_flat(const scree_mesh_def *def, scree_error *error) {
  const long long count = (long long)def->triangles_count;
  double n[3];
  for (int64_t t = 0; def->weld > 0 && t < def->triangles_count; t++) {
    const int32_t *c = def->triangles[t];
    if (find_normal(def->points[c[0]], def->points[c[1]], def->points[c[2]], n))
      return sc_fail(error, SCREE_E_ARGUMENT,
          "none of the %lld triangles has an area: weld = %g m joins their corners; take a smaller weld",
          count, def->weld);
  }
  return sc_fail(error, SCREE_E_ARGUMENT, "none of the %lld triangles has an area", count);
}

/* Removes triangles without an area. Computes the normals of all other triangles. */
static scree_status drop_flat_triangles(const scree_mesh_def *def, scree_geometry *g, scree_error *error) {
  for (int64_t t = 0; t < def->triangles_count; t++) {
    const int32_t c[3] = {g->triangle[t][0], g->triangle[t][1], g->triangle[t][2]};
    if (!find_normal(g->point[c[0]], g->point[c[1]], g->point[c[2]], g->normal[g->triangles])) {
      g->dropped++;
      continue;
    }
    memcpy(g->triangle[g->triangles++], c, sizeof c);
  }
  return g->triangles ? SCREE_OK : reject_flat(def, error);
}

/* The reason why a mesh is not closed. open: number of edges with one triangle; wrong: number of edges with
 * more than two triangles. triangle: two triangles at the first edge of either kind (-1: none); at: middle of
 * this edge [m]. */
typedef struct flaw {
  int32_t open, wrong, triangle[2];
  double at[3];
} flaw;

static void note_flaw(const scree_geometry *g, const edge *e, const edge *f, flaw *found) {
  if (found->open + found->wrong == 1) {
    found->triangle[0] = e->triangle, found->triangle[1] = f ? f->triangle : -1;
    for (int k = 0; k < 3; k++) found->at[k] = 0.5 * (g->point[e->from][k] + g->point[e->to][k]);
  }
}

/* Sets g->across: the neighbours of each triangle across its edges. Two triangles are neighbours if they
 * share an edge that no other triangle has. Records all other edges in *found. Returns false if out of
 * memory. */
static bool join_edges(scree_geometry *g, flaw *found) {
  int32_t count = 3 * g->triangles;
  edge *e = sc_alloc((size_t)count * sizeof *e);
  g->across = sc_alloc((size_t)g->triangles * sizeof *g->across);
  if (!e || !g->across) {
    sc_free(e);
    return false;
  }
  for (int32_t k = 0; k < count; k++)
    e[k] = (edge){g->triangle[k / 3][k % 3], g->triangle[k / 3][(k + 1) % 3], k / 3, k % 3},
    g->across[k / 3][k % 3] = -1;
  qsort(e, (size_t)count, sizeof *e, by_ends);
  for (int32_t k = 0, end; k < count; k = end) {
    for (end = k + 1; end < count &&
         (e[end].from == e[k].from ? e[end].to == e[k].to
                                   : e[end].from == e[k].to && e[end].to == e[k].from);)
      end++;
    if (end == k + 2) {
      g->across[e[k].triangle][e[k].side] = e[k + 1].triangle;
      g->across[e[k + 1].triangle][e[k + 1].side] = e[k].triangle;
    } else if (end == k + 1) {
      found->open++, note_flaw(g, e + k, NULL, found);
    } else {
      found->wrong++, note_flaw(g, e + k, e + k + 1, found);
    }
  }
  sc_free(e);
  return true;
}

/* Fails if a mesh must be closed but is not. */
static scree_status check_closed(
    const flaw *found, bool two_sided, const scree_mesh_def *def, scree_error *error) {
  const double *x = found->at;
  const char *wall = def->solid ? "; without solid = true it is a wall" : "";
  if (!def->closed && !def->solid) return SCREE_OK;
  if (found->wrong)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "the mesh is not closed: triangles %d and %d meet at (%g, %g, %g) with others at one edge (%d such "
        "edges)%s",
        (int)found->triangle[0] + 1, (int)found->triangle[1] + 1, x[0], x[1], x[2], (int)found->wrong, wall);
  if (found->open)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "the mesh is open: triangle %d has no neighbour across its edge at (%g, %g, %g) (%d open edges)%s",
        (int)found->triangle[0] + 1, x[0], x[1], x[2], (int)found->open, wall);
  if (!two_sided)
    return sc_fail(error, SCREE_E_ARGUMENT, "the mesh has no inside: its surface has one side%s", wall);
  return SCREE_OK;
}

enum { SC_AT_SHARP = 1, SC_AT_BORDER = 2 }; /* bits: kinds of edges at a corner */

/* Sets the bits of the edges of triangle t in g->sharp and g->fold. corner: [points] receives the kinds of
 * edges (SC_AT_ bits) at each point. */
static void mark_edges(scree_geometry *g, int32_t t, uint8_t *corner) {
  for (int k = 0; k < 3; k++) {
    const int32_t other = g->across[t][k], p = g->triangle[t][k], q = g->triangle[t][(k + 1) % 3];
    const double rise = other < 0 ? 0 : sc_geometry_rise(g, other, g->point[p], g->normal[t]);
    const bool bent = other >= 0 && sc_dot(g->normal[t], g->normal[other]) < 0.9999;
    const bool sharp = other < 0 || (bent && (!g->is_solid || rise < 0));
    if (sharp) g->sharp[t] |= (uint8_t)(1u << k);
    if (rise > 0) g->fold[t] |= (uint8_t)(1u << k);
    const uint8_t kinds = (sharp ? SC_AT_SHARP : 0) | (other < 0 ? SC_AT_BORDER : 0);
    corner[p] |= kinds, corner[q] |= kinds;
  }
}

/* Sets g->sharp and g->fold: marks sharp edges and folds of all triangles, and corners at which sharp edges
 * or borders end. Returns false if out of memory. */
static bool mark_sharp(scree_geometry *g) {
  g->sharp = sc_alloc((size_t)g->triangles);
  g->fold = sc_alloc((size_t)g->triangles);
  uint8_t *corner = sc_alloc((size_t)g->points + 1);
  if (!g->sharp || !g->fold || !corner) {
    sc_free(corner);
    return false;
  }
  for (int32_t t = 0; t < g->triangles; t++) mark_edges(g, t, corner);
  for (int32_t t = 0; t < g->triangles; t++)
    for (int k = 0; k < 3; k++) {
      if (corner[g->triangle[t][k]] & SC_AT_SHARP) g->sharp[t] |= (uint8_t)(8u << k);
      if (corner[g->triangle[t][k]] & SC_AT_BORDER) g->fold[t] |= (uint8_t)(8u << k);
    }
  sc_free(corner);
  return true;
}

/* Fails if a mesh that must bound a volume has overlapping parts. Any other mesh with overlapping parts
 * becomes open. */
static scree_status check_parts(const scree_mesh_def *def, scree_geometry *g, scree_error *error) {
  int32_t t[2];
  if (!g->closed) return SCREE_OK;
  if (!sc_geometry_overlap(g, t))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the parts of %d triangles", (int)g->triangles);
  if (t[0] < 0) return SCREE_OK;
  g->closed = false, g->solid = (sc_mass){0};
  if (!def->closed && !def->solid) return SCREE_OK;
  const double *x = g->point[g->triangle[t[0]][0]], *y = g->point[g->triangle[t[1]][0]];
  return sc_fail(error, SCREE_E_ARGUMENT,
      "two parts of the mesh overlap, so its volume is not known: the part of triangle %d at (%g, %g, %g) "
      "and the "
      "part of triangle %d at (%g, %g, %g); join them to one surface",
      (int)t[0] + 1, x[0], x[1], x[2], (int)t[1] + 1, y[0], y[1], y[2]);
}

static scree_status build_mesh(const scree_mesh_def *def, scree_geometry *g, scree_error *error) {
  flaw found = {0};
  bool two_sided = true;
  scree_status status = copy_soup(def, g, error);
  if (!status) status = drop_flat_triangles(def, g, error);
  if (status) return status;
  if (!join_edges(g, &found))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the edges of %d triangles", (int)g->triangles);
  g->type = SCREE_MESH, g->owners = 1;
  g->closed = !found.open && !found.wrong;
  if (!sc_geometry_tree(g) || !sc_geometry_turn(g, &two_sided) || !sc_geometry_widen(g))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the tree of %d triangles", (int)g->triangles);
  if ((status = check_closed(&found, two_sided, def, error))) return status;
  g->closed = g->closed && two_sided;
  sc_geometry_measure(g);
  if (g->closed && !(g->solid.mass > 0)) {
    if (def->closed || def->solid) return sc_fail(error, SCREE_E_ARGUMENT, "the mesh has no volume");
    g->closed = false;
  }
  if ((status = check_parts(def, g, error))) return status;
  g->is_solid = g->closed && def->solid;
  if (!mark_sharp(g))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the edges of %d triangles", (int)g->triangles);
  return SCREE_OK;
}

scree_geometry *scree_geometry_mesh(const scree_mesh_def *def, scree_error *error) {
  SC_DEMAND(def && def->points && def->triangles, error, NULL);
  if (check_def(def, error)) return NULL;
  scree_geometry *g = sc_alloc(sizeof *g);
  scree_status status = g ? build_mesh(def, g, error)
                          : sc_fail(error, SCREE_E_MEMORY, "no memory for a mesh");
  if (!status) return g;
  sc_geometry_free(g);
  return NULL;
}
