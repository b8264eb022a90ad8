/* Inside of the meeting of convex shapes with triangle meshes (mesh.c). */
#ifndef SC_MESH_H
#define SC_MESH_H

#include "collide/narrow/box/box_lanes.h"

enum { SC_MESH_FOUND = 256 }; /* room for touches before they are thinned out */

/* The edge (p < q) or corner (p = q) of a mesh under a touch, and the edge and face of the shape over it;
 * p -1: it lies elsewhere. */
typedef struct sc_mesh_place {
  int32_t p, q;
  uint32_t own;
  uint16_t name; /* of the touch within its triangle (convex/outline.h) */
} sc_mesh_place;

typedef struct sc_crossing {
  const sc_convex *shape;
  const sc_placed *mesh;
  const double *origin;
  double middle[3];     /* a point well inside the shape */
  double inside[3];     /* `middle` in the mesh's axes */
  double reach, beyond; /* beyond: a distance that no search takes for reach */
  double limit;         /* triangles that are no further off are noted in near, which may be NULL */
  sc_near *near;
  sc_triangle_lanes *lanes; /* of a box: triangles that are to be looked at; else NULL */
  const sc_box_kernels *kernels;
  double turn[9], shift[3]; /* from the mesh's axes to the shape's, about its middle */
  sc_touch *found;
  sc_mesh_place *place; /* of each */
  int count;
} sc_crossing;

static inline uint32_t sc_mesh_name(int32_t triangle, uint32_t local) {
  return (uint32_t)triangle * 2654435761u ^ local;
}

/* Notes a triangle; where there is no room for it nothing is known. */
static inline void sc_mesh_note(sc_near *near, int32_t t) {
  if (!near) return;
  if (near->count < SC_NEAR_MOST) near->triangle[near->count++] = t;
  else near->full = true;
}

/* What became of a normal: kept, turned to the face because the edge or corner cannot be felt, or
 * because the way out of the triangle is not the way out of the solid. */
typedef enum sc_mending { SC_KEPT, SC_FLATTENED, SC_TURNED } sc_mending;

/* Corrects the normal of the nearest points of a triangle and a shape. Returns false if the shape has no
 * contact here. corner, face: corners and normal of the triangle. inside: middle of the shape. All arguments
 * are in the mesh's axes. */
bool sc_mesh_mend(const scree_geometry *g, int32_t t, const double corner[3][3], const double face[3],
    const double inside[3], sc_nearest *nearest, sc_mending *mended);
/* Adds touches of a triangle, but for those that are there already; depth: of its nearest points. */
void sc_mesh_add(sc_crossing *m, int32_t t, sc_mending mended, double depth, sc_touch *touch, int count);
/* Removes touches of a flat round base with triangles that only the rim between its corners reaches. */
void sc_mesh_drop_slivers(sc_crossing *m);
/* Puts a triangle into a lane; and what a box makes of the triangle of one, false where axes leave doubt. */
void sc_mesh_put(const sc_crossing *m, int32_t t);
bool sc_mesh_meet_box(sc_crossing *m, int lane);

/* Returns whether the box about any triangle of a mesh comes within `radius` of a point. */
bool sc_mesh_near(const sc_placed *mesh, const double centre[3], double radius);
/* Computes the touches of a ball and a mesh. Returns their number. near: cache of triangles, may be NULL. */
int sc_ball_touches(const sc_placed *a, const sc_placed *b, double reach, sc_near *near, sc_touch *out);
/* Computes the touches of a convex shape and a mesh. Returns their number. near: cache of triangles, may be
 * NULL. kernels: for several triangles beside a box; NULL: one triangle at a time. */
int sc_mesh_touches(const sc_placed *a, const sc_placed *b, double reach, sc_near *near,
    const struct sc_box_kernels *kernels, sc_touch *out);
sc_narrow_function sc_narrow_sphere_mesh, sc_narrow_convex_mesh;

#endif
