/* Touches of convex shapes with triangle meshes (mesh.c). */
#ifndef SC_MESH_H
#define SC_MESH_H

#include "collide/narrow/box/box_lanes.h"

enum { SC_MESH_FOUND = 256 }; /* largest number of touches before they are thinned out */

/* Features under a touch: the edge (p < q) or corner (p = q) of the mesh, and the edge and the face of the
 * shape. */
typedef struct sc_mesh_place {
  int32_t p, q; /* points of the mesh; p = -1: the touch lies on neither edge nor corner */
  uint32_t own; /* ids of the shape's edge and face */
  uint16_t id;  /* feature id of the touch within its triangle (narrow/convex/clip_polygon.h) */
} sc_mesh_place;

/* A convex shape and a mesh while touches are collected. */
typedef struct sc_crossing {
  const sc_convex *shape;
  const sc_placed *mesh;
  const double *origin;     /* origin of the coordinates of `shape` and `middle`, in the world */
  double middle[3];         /* a point well inside the shape */
  double inside[3];         /* `middle` in the mesh's axes */
  double reach;             /* largest gap of a touch [m] */
  double beyond;            /* reach plus a tolerance: triangles at a larger distance have no touch [m] */
  double limit;             /* triangles up to this distance are stored in the triangle cache [m] */
  sc_triangle_cache *cache; /* triangle cache; NULL: there is none, or it must not be written */
  sc_triangle_lanes *lanes; /* triangles to be tested against a box; NULL: the shape is not a box */
  const sc_box_kernels *kernels;
  double turn[9], shift[3]; /* rotation and translation from the mesh's axes to the shape's */
  sc_touch *found;          /* [count] touches found so far */
  sc_mesh_place *place;     /* [count] place of each touch on the mesh */
  int count;
} sc_crossing;

/* Returns the feature id of a touch of a triangle. local: feature id of the touch within its triangle. */
static inline uint32_t sc_mesh_feature_id(int32_t triangle, uint32_t local) {
  return (uint32_t)triangle * 2654435761u ^ local;
}

/* Stores triangle t in the triangle cache, or marks the cache as full. cache: may be NULL. */
static inline void sc_triangle_cache_add(sc_triangle_cache *cache, int32_t t) {
  if (!cache) return;
  if (cache->count < SC_TRIANGLE_CACHE_MAX) cache->triangle[cache->count++] = t;
  else cache->full = true;
}

/* Correction of a normal. SC_KEPT: unchanged. SC_FLATTENED: set to the triangle's normal, because the shape
 * cannot touch the edge or corner. SC_TURNED: set to the triangle's normal, because the way out of the
 * triangle is not the way out of the solid. */
typedef enum sc_correction { SC_KEPT, SC_FLATTENED, SC_TURNED } sc_correction;

/* Corrects the normal of the nearest points of triangle t and a shape, and sets *correction. Returns false if
 * the shape has no contact here. corner, face: corners and normal of the triangle. inside: a point well
 * inside the shape. All vectors are in the mesh's axes. */
bool sc_mesh_correct_normal(const scree_geometry *g, int32_t t, const double corner[3][3],
    const double face[3], const double inside[3], sc_nearest *nearest, sc_correction *correction);
/* Adds the touches of triangle t, except those that repeat a touch in m->found. depth: signed distance of the
 * nearest points of shape and triangle [m]. */
void sc_mesh_add(
    sc_crossing *m, int32_t t, sc_correction correction, double depth, sc_touch *touch, int count);
/* Drops a touch between nearest points if at least three other touches have its normal and one of these
 * touches is as deep. Such a touch occurs if only the rim of a round base, between two corners of the base's
 * polygon, reaches a triangle. */
void sc_mesh_drop_slivers(sc_crossing *m);
/* Adds triangle t to the lanes of a box. There must be a free lane. */
void sc_mesh_add_to_lanes(const sc_crossing *m, int32_t t);
/* Adds the touches of a box with the triangle of a lane. Returns false if the general search is needed. */
bool sc_mesh_touch_box(sc_crossing *m, int lane);

/* Returns whether the box about any triangle of a mesh comes within `radius` of a point. */
bool sc_mesh_near(const sc_placed *mesh, const double centre[3], double radius);
/* Computes the touches of a ball and a mesh. Returns their number. cache: triangle cache, may be NULL. */
int sc_ball_touches(
    const sc_placed *a, const sc_placed *b, double reach, sc_triangle_cache *cache, sc_touch *out);
/* Computes the touches of a convex shape and a mesh. Returns their number. cache: triangle cache, may be
 * NULL. kernels: kernels that test several triangles beside a box together; NULL: triangles are tested one at
 * a time. */
int sc_mesh_touches(const sc_placed *a, const sc_placed *b, double reach, sc_triangle_cache *cache,
    const struct sc_box_kernels *kernels, sc_touch *out);
sc_narrow_function sc_narrow_sphere_mesh, sc_narrow_convex_mesh;

#endif
