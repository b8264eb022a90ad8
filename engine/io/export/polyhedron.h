/* Polyhedra that represent balls in formats of triangles, and the number of sides of round grains. */
#ifndef SC_POLYHEDRON_H
#define SC_POLYHEDRON_H

#include "io/export/export.h"

enum {
  SC_FINE_SIDES = 48, /* number of sides of round walls, and of grains in frames with few grains */
  SC_POLYHEDRON_VERTICES = 162,
  SC_POLYHEDRON_FACES = 320
};

/* A polyhedron of triangles whose vertices lie on a sphere of radius 1. Corners of a triangle are
 * counter-clockwise seen from outside. */
typedef struct sc_polyhedron {
  int vertices, faces;
  double vertex[SC_POLYHEDRON_VERTICES][3];
  int face[SC_POLYHEDRON_FACES][3];
} sc_polyhedron;

/* Builds an icosphere: an icosahedron whose faces are split into four `level` times. level: 0 to 2. */
void sc_polyhedron_icosphere(sc_polyhedron *p, int level);
/* Builds a dodecahedron with a flat pyramid on each face: 32 vertices, 60 faces. */
void sc_polyhedron_dodecahedron(sc_polyhedron *p);
/* Returns the number of sides of the polygons that represent round grains: def->detail if it is not 0, else a
 * number that falls with the number of grains. grains: number of shapes of grains in the frame. */
int sc_grain_sides(const scree_export_def *def, int64_t grains);

#endif
