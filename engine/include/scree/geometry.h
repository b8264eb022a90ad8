/* Geometry shared by shapes: convex hulls of points and triangle meshes, made once and used by any
 * number of shapes.
 *
 * Points lie in the frame of the shape [m]. A geometry never changes after it was made. It lives until
 * its last owner releases it: the maker holds one share, and every world that uses it in a shape holds
 * another. */
#ifndef SCREE_GEOMETRY_H
#define SCREE_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>
#include "scree/status.h"
#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Convex hull of at least four points that do not lie in a plane. Faces are computed; points inside or
 * on a face are left out. NULL with the reason: too few points, one not finite, all in a plane, on a
 * line or in a point. */
scree_geometry *scree_geometry_hull(const double (*points)[3], int64_t count, scree_error *error);

/* Value of `weld` that means 4e-6 of the largest extent of the triangles. */
#define SCREE_WELD_AUTO (-1.0)

typedef struct scree_mesh_def {
  const double (*points)[3];
  int64_t points_count;
  const int32_t (*triangles)[3]; /* corners, in any sense */
  int64_t triangles_count;
  double scale; /* coordinates are multiplied by this; 0: 1 */
  /* Points are merged if no coordinate differs by more than this [m]; SCREE_WELD_AUTO; 0: no points are
   * merged. */
  double weld;
  int closed; /* 1: must bound a volume, else an error */
  /* 1: a solid, which pushes out bodies inside and must bound a volume; 0: a wall without thickness that acts
   * on both sides, closed or open */
  int solid;
} scree_mesh_def;
/* Triangle mesh. Triangles get one sense: those of a closed mesh look outwards, and inwards around cavities;
 * those of each piece of an open mesh look as most triangles of the piece do. Returns NULL with the reason:
 * an index out of range, a point not finite, no triangle with an area; if the mesh must bound a volume, an
 * open edge, an edge of more than two triangles, a surface with one side, no volume. Only points and
 * triangles of non-zero area are kept. */
scree_geometry *scree_geometry_mesh(const scree_mesh_def *def, scree_error *error);
/* A file of triangles: STL (binary or text), OBJ, PLY, glTF (.glb, .gltf) or COLLADA (.dae), told apart by
 * name and content. */
typedef struct scree_file_def {
  const char *path;
  double scale; /* coordinates are multiplied by this; 0: 1 */
  /* The axis of the file that becomes z: 1 x, 2 y, 3 z; 0: as the file says (glTF y, COLLADA its up_axis,
   * others z). COLLADA is taken to metres by its unit. */
  int up;
  int closed;   /* of a mesh, as in scree_mesh_def */
  int solid;    /* mesh only, as in scree_mesh_def */
  int64_t most; /* points that a hull is made of; more are SCREE_E_MEMORY. 0: any number */
  /* Rows of a matrix: each turned and scaled point x becomes place[i][0..2] . x + place[i][3], if
   * is_placed. */
  bool is_placed;
  double place[3][4];
  double weld; /* mesh only, as in scree_mesh_def; corners with equal coordinates are one in any case */
} scree_file_def;
/* Mesh of a file. Errors name the file and the line or
 * triangle. glTF and COLLADA are read by libassimp in a process of its own; a build without it says so. */
scree_geometry *scree_geometry_mesh_file(const scree_file_def *def, scree_error *error);
/* Hull of the points of such a file. */
scree_geometry *scree_geometry_hull_file(const scree_file_def *def, scree_error *error);

/* One more owner, one owner less (NULL allowed). */
void scree_geometry_retain(const scree_geometry *geometry);
void scree_geometry_release(const scree_geometry *geometry);

/* Read-only views, valid as long as the geometry. Triangles look outwards; those of a hull fan its faces. */
int64_t scree_geometry_points(const scree_geometry *geometry, const double (**points)[3]);
int64_t scree_geometry_triangles(const scree_geometry *geometry, const int32_t (**triangles)[3]);

typedef struct scree_geometry_info {
  int type;                         /* SCREE_HULL or SCREE_MESH */
  int closed;                       /* bounds a volume */
  int solid;                        /* a hull, or a mesh that was made as a solid */
  int64_t turned;                   /* triangles of a mesh whose sense was changed */
  int64_t points, triangles, faces; /* faces: polygons of a hull, 0 for a mesh */
  double volume, centre[3];         /* of the solid, 0 unless closed */
  double min[3], max[3];
  int64_t welded;  /* points of a mesh that were merged with a point at other coordinates */
  int64_t dropped; /* triangles of a mesh left out because they have no area */
} scree_geometry_info;
void scree_geometry_get_info(const scree_geometry *geometry, scree_geometry_info *info);

/* ---- balls that fill a solid ---- */

typedef struct scree_sphere {
  double centre[3], radius;
} scree_sphere;
typedef struct scree_spheres_def {
  int64_t count;    /* balls at most, >= 1 */
  double deviation; /* fewer, once it is down to this [m]; 0: all */
  double smallest;  /* no ball is smaller than this [m]; 0: a tenth of the largest */
  int64_t samples;  /* points of the surface that are looked at, 100 to 20000 */
  /* asked now and then, if given: where it says true the work ends, and SCREE_E_NUMERIC says so */
  bool (*stop)(void *context);
  void *context;
} scree_spheres_def;
scree_spheres_def scree_spheres_defaults(void);
typedef struct scree_spheres_result {
  int64_t count;
  /* largest distance of a sample or corner of the surface from the balls; its mean over the surface [m] */
  double deviation, mean;
} scree_spheres_result;
/* Balls within a closed mesh or a hull that lie over each other: a clump of its shape. out: room for
 * def->count of them. Same bits for the same geometry. */
scree_status scree_geometry_spheres(const scree_geometry *geometry, const scree_spheres_def *def,
    scree_sphere *out, scree_spheres_result *result, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
