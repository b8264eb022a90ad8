/* Geometry shared by shapes: convex hulls of points and triangle meshes, made once and used by any number of
 * shapes.
 *
 * Points lie in the frame of the shape [m]. A geometry never changes after it was made. It is reference
 * counted: its maker owns one reference, and every world that uses it in a shape owns another. */
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

/* Returns the convex hull of at least four points that do not lie in a plane. Faces are computed; points
 * inside or on a face are dropped. NULL with the reason: too few points, one not finite, all in a plane, on a
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
/* Returns a triangle mesh. Its triangles get one sense: those of a closed mesh face outwards, and inwards
 * around cavities; those of each piece of an open mesh agree with most triangles of the piece. Returns NULL
 * with the reason: an index out of range, a point not finite, no triangle with an area; if the mesh must
 * bound a volume, an open edge, an edge of more than two triangles, a surface with one side, no volume.
 * Points and triangles without area are dropped. */
scree_geometry *scree_geometry_mesh(const scree_mesh_def *def, scree_error *error);
/* A file of triangles: STL (binary or text), OBJ, PLY, glTF (.glb, .gltf) or COLLADA (.dae), recognised by
 * name and content. */
typedef struct scree_file_def {
  const char *path;
  double scale; /* coordinates are multiplied by this; 0: 1 */
  /* The axis of the file that becomes z: 1 x, 2 y, 3 z; 0: as in the file (glTF y, COLLADA its up_axis,
   * others z). COLLADA lengths are converted to metres by the file's unit. */
  int up;
  int closed;   /* mesh only, as in scree_mesh_def */
  int solid;    /* mesh only, as in scree_mesh_def */
  int64_t most; /* largest number of points of a hull; more are SCREE_E_MEMORY. 0: any number */
  /* Rows of a matrix: each rotated and scaled point x becomes place[i][0..2] . x + place[i][3], if
   * is_placed. */
  bool is_placed;
  double place[3][4];
  double weld; /* mesh only, as in scree_mesh_def; corners with equal coordinates are always merged */
} scree_file_def;
/* Returns the mesh of a file. Errors name the file and the line or triangle. glTF and COLLADA are read by
 * libassimp in a child process; a build without libassimp returns an error. */
scree_geometry *scree_geometry_mesh_file(const scree_file_def *def, scree_error *error);
/* Returns the hull of the points of a file. */
scree_geometry *scree_geometry_hull_file(const scree_file_def *def, scree_error *error);

/* Adds a reference (NULL: nothing). */
void scree_geometry_retain(const scree_geometry *geometry);
/* Drops a reference and frees the geometry with the last (NULL: nothing). */
void scree_geometry_release(const scree_geometry *geometry);

/* Read-only views, valid as long as the geometry; they return the counts. Triangles face outwards; those of a
 * hull are fans of its faces. */
int64_t scree_geometry_points(const scree_geometry *geometry, const double (**points)[3]);
/* Sets *triangles to the corners of the triangles, as indices of points. */
int64_t scree_geometry_triangles(const scree_geometry *geometry, const int32_t (**triangles)[3]);

typedef struct scree_geometry_info {
  int type;                         /* SCREE_HULL or SCREE_MESH */
  int closed;                       /* bounds a volume */
  int solid;                        /* a hull, or a mesh that was made as a solid */
  int64_t turned;                   /* triangles of a mesh whose sense was reversed */
  int64_t points, triangles, faces; /* faces: polygons of a hull, 0 for a mesh */
  double volume, centre[3];         /* of the solid, 0 unless closed */
  double min[3], max[3];
  int64_t welded;  /* points of a mesh that were merged with a point at other coordinates */
  int64_t dropped; /* triangles of a mesh dropped because they have no area */
} scree_geometry_info;
/* Reads the properties of a geometry. */
void scree_geometry_get_info(const scree_geometry *geometry, scree_geometry_info *info);

/* ---- balls that fill a solid ---- */

typedef struct scree_sphere {
  double centre[3], radius;
} scree_sphere;
typedef struct scree_spheres_def {
  int64_t count;    /* largest number of balls, >= 1 */
  double deviation; /* stop when the deviation is at most this [m]; 0: use all balls */
  double smallest;  /* smallest radius [m]; 0: a tenth of the largest */
  int64_t samples;  /* sample points on the surface, 100 to 20000 */
  /* called now and then unless NULL; if it returns true, the search stops with SCREE_E_NUMERIC */
  bool (*stop)(void *context);
  void *context;
} scree_spheres_def;
/* The table of its keys: count, deviation, smallest, samples. */
extern const scree_param scree_spheres_params[];
extern const int scree_spheres_params_count;
/* Returns the default values. */
scree_spheres_def scree_spheres_defaults(void);
typedef struct scree_spheres_result {
  int64_t count;
  /* largest distance of a sample or corner of the surface from the balls; its mean over the surface [m] */
  double deviation, mean;
} scree_spheres_result;
/* Fills a closed mesh or a hull with overlapping balls: a clump of its shape. out: array of def->count balls.
 * Same bits for the same geometry. */
scree_status scree_geometry_spheres(const scree_geometry *geometry, const scree_spheres_def *def,
    scree_sphere *out, scree_spheres_result *result, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
