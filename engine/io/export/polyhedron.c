/* Computes polyhedra that represent balls: icospheres, and a dodecahedron with flat pyramids on its faces.
 * Both follow from an icosahedron with its vertices on a sphere of radius 1. */
#include "io/export/polyhedron.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"

enum {
  FINE = 100, /* frames with at most FINE grains use SC_FINE_SIDES: 62 kB per ball in PLY files */
  /* Frames with at most MIDDLE grains use MIDDLE_SIDES. Frames with more grains use COARSE_SIDES: 2.3 kB per
   * ball in PLY files, 3 kB in STL files. */
  MIDDLE = 1000,
  MIDDLE_SIDES = 16,
  COARSE_SIDES = 8
};

int sc_grain_sides(const scree_export_def *def, int64_t grains) {
  if (def->detail) return (int)def->detail;
  return grains <= FINE ? SC_FINE_SIDES : grains <= MIDDLE ? MIDDLE_SIDES : COARSE_SIDES;
}

static void build_icosahedron(sc_polyhedron *ball) {
  static const int face[20][3] = {{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9},
      {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8}, {3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9},
      {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1}};
  const double golden = (1 + sqrt(5)) / 2;
  ball->vertices = 12, ball->faces = 20;
  memcpy(ball->face, face, sizeof face);
  for (int i = 0; i < 12; i++) {
    double v[3] = {0};
    v[i / 4] = i & 1 ? 1 : -1;
    v[(i / 4 + 1) % 3] = i & 2 ? -golden : golden;
    sc_normalise(v, ball->vertex[i]);
  }
}

/* ---- icospheres ---- */

/* Returns the index of the vertex on the sphere above the middle of the edge from vertex a to vertex b. Adds
 * the vertex if it is new. */
static int split_edge(sc_polyhedron *ball, int a, int b) {
  double middle[3];
  sc_add(ball->vertex[a], ball->vertex[b], middle);
  sc_normalise(middle, middle);
  for (int i = 0; i < ball->vertices; i++) {
    double d[3];
    sc_sub(ball->vertex[i], middle, d);
    if (sc_dot(d, d) < 1e-6) return i;
  }
  memcpy(ball->vertex[ball->vertices], middle, sizeof middle);
  return ball->vertices++;
}

/* Splits every face into four faces. */
static void split_faces(sc_polyhedron *ball) {
  for (int f = ball->faces - 1; f >= 0; f--) {
    const int a = ball->face[f][0], b = ball->face[f][1], c = ball->face[f][2];
    const int ab = split_edge(ball, a, b), bc = split_edge(ball, b, c), ca = split_edge(ball, c, a);
    const int part[4][3] = {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}};
    memcpy(ball->face[4 * f], part, sizeof part);
  }
  ball->faces *= 4;
}

void sc_polyhedron_icosphere(sc_polyhedron *p, int level) {
  SC_ASSERT(p && level >= 0 && level <= 2);
  build_icosahedron(p);
  for (int i = 0; i < level; i++) split_faces(p);
}

/* ---- dodecahedron ---- */

/* Returns the face of the icosahedron that has the edge from vertex a to vertex b. */
static int find_face(const int face[20][3], int a, int b) {
  for (int f = 0; f < 20; f++)
    for (int k = 0; k < 3; k++)
      if (face[f][k] == a && face[f][(k + 1) % 3] == b) return f;
  return -1; /* does not happen: the icosahedron is closed */
}

/* Each vertex of the dodecahedron lies above the middle of a face of the icosahedron. An edge of the
 * icosahedron from a to b has two faces. The vertices above these faces form a triangle with a. */
void sc_polyhedron_dodecahedron(sc_polyhedron *p) {
  SC_ASSERT(p);
  build_icosahedron(p);
  int old[20][3];
  memcpy(old, p->face, sizeof old);
  p->faces = 0;
  for (int f = 0; f < 20; f++) {
    double middle[3];
    sc_add(p->vertex[old[f][0]], p->vertex[old[f][1]], middle);
    sc_add(middle, p->vertex[old[f][2]], middle);
    sc_normalise(middle, p->vertex[12 + f]);
    for (int k = 0; k < 3; k++) {
      const int a = old[f][k], other = find_face(old, old[f][(k + 1) % 3], a);
      const int part[3] = {a, 12 + other, 12 + f};
      memcpy(p->face[p->faces++], part, sizeof part);
    }
  }
  p->vertices = 32;
}
