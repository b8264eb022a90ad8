/* Geometry shared by shapes: convex hulls of points and triangle meshes, made once and used by any number of
 * shapes.
 *
 * Points are in the frame of the shape [m]. A geometry never changes after it was made. It is reference
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

/* Returns the convex hull of at least four points that do not lie in one plane. Computes the faces. Drops
 * points inside the hull or on a face. Returns NULL and the reason if there are too few points, if a point is
 * not finite, or if all points lie in a plane, on a line or in one point. */
scree_geometry *scree_geometry_hull(const double (*points)[3], int64_t count, scree_error *error);

/* Special value of `weld`: 4e-6 times the largest extent of the triangles. */
#define SCREE_WELD_AUTO (-1.0)

typedef struct scree_mesh_def {
  const double (*points)[3];
  int64_t points_count;
  const int32_t (*triangles)[3]; /* indices of corners in `points`, in any orientation */
  int64_t triangles_count;
  double scale; /* factor by which all coordinates are multiplied; 0: 1 */
  /* points are merged if none of their coordinates differs by more than this [m]; SCREE_WELD_AUTO; 0: no
   * points are merged */
  double weld;
  int closed; /* 1: the mesh must bound a volume, else an error is returned */
  /* 1: a solid, which must bound a volume and pushes out bodies inside; 0: a wall without thickness that acts
   * on both sides, closed or open */
  int solid;
} scree_mesh_def;
/* Returns a triangle mesh. Orients its triangles consistently. Those of a closed mesh face outwards, or
 * inwards around cavities. Those of each piece of an open mesh agree with most triangles of the piece. Drops
 * triangles without area, and points that no triangle uses. Returns NULL and the reason if an index is out of
 * range, if a point is not finite, or if no triangle has an area. A mesh that must bound a volume is also
 * refused for an open edge, an edge of more than two triangles, a surface with one side, and no volume. */
scree_geometry *scree_geometry_mesh(const scree_mesh_def *def, scree_error *error);
/* Names of units of length, as the choices of a parameter. */
#define SCREE_LENGTH_UNITS "m|mm|cm|um|km|in|ft"
/* Returns the size of a unit of SCREE_LENGTH_UNITS, given by its index [m]; 0 if the index does not exist. */
double scree_length_unit(int unit);

/* A file of triangles: STL (binary or text), OBJ, PLY, glTF (.glb, .gltf) or COLLADA (.dae). The format is
 * recognised from name and content. */
typedef struct scree_file_def {
  const char *path;
  double scale; /* factor by which all coordinates are multiplied; 0: 1 */
  /* axis of the file that becomes z: 1: x, 2: y, 3: z; 0: vertical axis of the format (glTF: y, COLLADA: its
   * up_axis, others: z). COLLADA lengths are converted to metres by the unit in the file. */
  int up;
  int closed;   /* meshes only: 1: the mesh must bound a volume, else an error is returned */
  int solid;    /* meshes only: 1: a solid, as in scree_mesh_def */
  int64_t most; /* largest number of points of a hull, SCREE_E_MEMORY if exceeded; 0: any number */
  /* if is_placed: component i of each point x, after rotation and scaling, becomes place[i][0..2] . x +
   * place[i][3] */
  bool is_placed;
  double place[3][4];
  double weld; /* meshes only, see scree_mesh_def; corners with equal coordinates are always merged */
  int unit;    /* unit of the coordinates, index in SCREE_LENGTH_UNITS; not for glTF and COLLADA */
} scree_file_def;
/* Parameter tables of the keys of hulls and of meshes. Points and triangles, which may be given instead of a
 * file, and the steps of `place` are opaque. */
extern const scree_param scree_hull_params[];
extern const int scree_hull_params_count;
extern const scree_param scree_mesh_params[];
extern const int scree_mesh_params_count;
/* Parameter table of the keys of scree_file_groups_read. */
extern const scree_param scree_groups_params[];
extern const int scree_groups_params_count;
/* Returns the parameter table of a hull (SCREE_HULL) or mesh (SCREE_MESH), and sets *count to the number of
 * its rows. Returns NULL for other types. */
const scree_param *scree_geometry_params(int type, int *count);
/* Returns a definition with default values, without a path. */
scree_file_def scree_file_defaults(void);
/* Scales, turns and places points as if they were the points of a file: by the members scale, unit, up and
 * place. Fails if unit or up is not an index of its choices. */
scree_status scree_file_place(
    const scree_file_def *def, double (*points)[3], int64_t count, scree_error *error);
/* Returns 1 if files with the ending of this name contain the unit of their coordinates (glTF, COLLADA), else
 * 0. The member `unit` must then be 0. */
int scree_file_has_unit(const char *path);
/* Returns the mesh of a file. Errors name the file and the line or triangle. libassimp reads glTF and COLLADA
 * in a child process. A build without libassimp returns an error for these formats. */
scree_geometry *scree_geometry_mesh_file(const scree_file_def *def, scree_error *error);
/* Returns the hull of the points of a file. */
scree_geometry *scree_geometry_hull_file(const scree_file_def *def, scree_error *error);

/* A group of the triangles of a file. The corners in `triangles` are indices into the group's own points. */
typedef struct scree_file_group {
  char name[64];
  int64_t points_count, triangles_count;
  double (*points)[3];
  int32_t (*triangles)[3];
} scree_file_group;
/* Reads the groups of a file, in the order of their first triangles. Groups of an OBJ file are its objects
 * (o), or its groups (g) if it has no objects. Groups of a PLY file, or of an OBJ file without objects and
 * groups, are the parts that share no vertex. Other formats are refused. Returns the number of groups, or -1.
 * The caller frees *groups with scree_file_groups_free. */
int64_t scree_file_groups_read(const scree_file_def *def, scree_file_group **groups, scree_error *error);
/* Frees groups from scree_file_groups_read. groups NULL: does nothing. */
void scree_file_groups_free(scree_file_group *groups, int64_t count);

/* Adds a reference to a geometry. Does nothing if geometry is NULL. */
void scree_geometry_retain(const scree_geometry *geometry);
/* Drops a reference to a geometry. Frees the geometry if it was the last reference. Does nothing if geometry
 * is NULL. */
void scree_geometry_release(const scree_geometry *geometry);

/* Sets *points to the points of a geometry and returns their number. The pointer is valid as long as the
 * geometry. */
int64_t scree_geometry_points(const scree_geometry *geometry, const double (**points)[3]);
/* Sets *triangles to the corners of the triangles, as indices of points, and returns the number of triangles.
 * Triangles face outwards. Faces of a hull are divided into fans. The pointer is valid as long as the
 * geometry. */
int64_t scree_geometry_triangles(const scree_geometry *geometry, const int32_t (**triangles)[3]);

typedef struct scree_geometry_info {
  int type;                         /* type of the geometry: SCREE_HULL or SCREE_MESH */
  int closed;                       /* 1: the geometry bounds a volume */
  int solid;                        /* 1: a hull, or a mesh that was made as a solid */
  int64_t turned;                   /* number of triangles of a mesh whose orientation was reversed */
  int64_t points, triangles, faces; /* counts; faces: polygons of a hull, 0 for a mesh */
  double volume, centre[3];         /* volume [m3] and centre of mass [m] of the solid; 0 unless closed */
  double min[3], max[3];
  int64_t welded;  /* number of points of a mesh that were merged with a point at other coordinates */
  int64_t dropped; /* number of triangles of a mesh that were dropped because they have no area */
} scree_geometry_info;
/* Reads the properties of a geometry. */
void scree_geometry_get_info(const scree_geometry *geometry, scree_geometry_info *info);

/* ---- balls that fill a solid ---- */

typedef struct scree_sphere {
  double centre[3], radius;
} scree_sphere;
typedef struct scree_spheres_def {
  int64_t count; /* largest number of balls, >= 1 */
  /* largest allowed deviation of the balls from the surface [m]; the search stops when it is reached; 0: use
   * all balls */
  double deviation;
  double smallest; /* smallest radius of a ball [m]; 0: a tenth of the largest radius */
  int64_t samples; /* number of sample points on the surface, 100 to 20000 */
  /* called from time to time; if it returns true, the search stops with SCREE_E_NUMERIC; NULL: none */
  bool (*stop)(void *context);
  void *context;
} scree_spheres_def;
/* Parameter table of the keys: count, deviation, smallest, samples. */
extern const scree_param scree_spheres_params[];
extern const int scree_spheres_params_count;
/* Returns a definition with default values. */
scree_spheres_def scree_spheres_defaults(void);
typedef struct scree_spheres_result {
  int64_t count;
  /* largest and mean distance between the balls and the samples and corners of the surface [m] */
  double deviation, mean;
} scree_spheres_result;
/* Fills a closed mesh or a hull with overlapping balls, which together form a clump of this shape. out: array
 * of def->count balls. Equal geometries give equal bits. */
scree_status scree_geometry_spheres(const scree_geometry *geometry, const scree_spheres_def *def,
    scree_sphere *out, scree_spheres_result *result, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
