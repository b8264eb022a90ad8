/* Grains from files of other programs: positions, sizes, motion, and what else a file has, row by row.
 *
 * scree_grains_read recognises the format by content: tables of text, LAMMPS data files and dumps, YADE's
 * text, legacy VTK, VTP and VTU, extended XYZ, NumPy .npy and .npz, MercuryDPM .data and .restart, GSD.
 * Files packed with gzip are unpacked. scree_world_add_grains makes bodies of the rows. */
#ifndef SCREE_GRAINS_H
#define SCREE_GRAINS_H

#include <stdint.h>
#include "scree/body.h"
#include "scree/cell.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Fields of a grain that a column of a file may hold. */
enum {
  SCREE_GRAIN_X,
  SCREE_GRAIN_Y,
  SCREE_GRAIN_Z,
  SCREE_GRAIN_RADIUS,
  SCREE_GRAIN_DIAMETER,
  SCREE_GRAIN_DENSITY,
  SCREE_GRAIN_MASS,
  SCREE_GRAIN_VX,
  SCREE_GRAIN_VY,
  SCREE_GRAIN_VZ,
  SCREE_GRAIN_WX,
  SCREE_GRAIN_WY,
  SCREE_GRAIN_WZ,
  SCREE_GRAIN_QW,
  SCREE_GRAIN_QX,
  SCREE_GRAIN_QY,
  SCREE_GRAIN_QZ,
  SCREE_GRAIN_ID,
  SCREE_GRAIN_TYPE,
  SCREE_GRAIN_CLUMP,
  SCREE_GRAIN_GROUP,
  SCREE_GRAIN_FIELDS
};
/* Returns the name of a field in tables of keys, such as "diameter"; NULL if the index does not exist. */
const char *scree_grain_field_name(int field);
/* Returns the SI unit of a field, "" for numbers without one; NULL if the index does not exist. */
const char *scree_grain_field_unit(int field);

/* Finds the factor that takes numbers of a unit to an SI unit. Returns 0 if the text is no unit of that
 * dimension. */
typedef int scree_grains_unit(void *context, const char *text, const char *si, double *factor);

typedef struct scree_grains_def {
  const char *path;
  const char *format; /* name of a format, as scree_grains_format lists them; NULL: by content */
  int64_t frame;      /* of files with several: 1 the first, -1 the last, -2 the last but one */
  /* Name or number (from 1) of the column of each field. NULL: the column with one of the usual names, if the
   * file has such a column. "": the field is not read. */
  const char *column[SCREE_GRAIN_FIELDS];
  /* Factor to SI of each field. 0: by the unit in the header, else by length, mass and time. */
  double factor[SCREE_GRAIN_FIELDS];
  /* Units of the file in m, kg and s. mass_unit 0: kg, and densities are in kg/m3 whatever the length. */
  double length_unit, mass_unit, time_unit;
  scree_grains_unit *unit; /* reads units in headers; NULL: headers with units are refused */
  void *unit_context;
  const char *separator;    /* of tables of text: ",", ";", "\t", "|", " " for blanks; NULL: by content */
  const char *const *extra; /* names or numbers of further columns, for scree_grains_values */
  int extra_count;
  double radius; /* [m] of all grains, if > 0; needed if the file has no sizes */
} scree_grains_def;
/* Returns a definition with the last frame and SI units. */
scree_grains_def scree_grains_defaults(void);

/* A row of a file in SI units. Members that the file does not have are 0, orientation (1, 0, 0, 0). */
typedef struct scree_grain {
  double position[3], orientation[4], velocity[3], spin[3];
  double radius;                  /* [m] */
  double density, mass;           /* [kg/m3], [kg] */
  int64_t id, type, clump, group; /* clump: rows with the same number > 0 are one body */
  int is_fixed;                   /* the file says that it does not move */
} scree_grain;

typedef struct scree_grains_info {
  const char *format; /* as scree_grains_format */
  int64_t count, frame, frames;
  double time;    /* [s]; NAN: the file does not say */
  uint32_t found; /* bit 1 << field: the file has it */
  int has_cell;   /* the file has a box; cell.periodic says along which edges it repeats itself */
  scree_cell cell;
  double min[3], max[3];         /* box of the centres [m] */
  double radius_min, radius_max; /* [m] */
  int columns;                   /* of the file */
  int kinds;                     /* names in a column `type` of text; types are then 1 .. kinds */
  int64_t left_out;              /* rows that are no moving grains: walls of scree's own exports */
} scree_grains_info;

typedef struct scree_grains scree_grains;
/* Returns the grains of a file for scree_grains_destroy; NULL with an error that names the file, and the line
 * and column of a wrong value where the file has lines. */
scree_grains *scree_grains_read(const scree_grains_def *def, scree_error *error);
/* Frees grains. NULL is allowed. */
void scree_grains_destroy(scree_grains *grains);
/* Reads what a file of grains holds. */
void scree_grains_get_info(const scree_grains *grains, scree_grains_info *info);
/* Returns the rows, valid until scree_grains_destroy; the caller may change them. */
scree_grain *scree_grains_rows(scree_grains *grains);
/* Returns the values of def.extra[k] by rows, in the file's units; NULL if the index does not exist. */
const double *scree_grains_values(const scree_grains *grains, int extra);
/* Returns the name of a column of the file, counted from 0; NULL if the index does not exist. */
const char *scree_grains_column(const scree_grains *grains, int column);
/* Returns the name of a type, counted from 0; NULL if the index does not exist. */
const char *scree_grains_kind(const scree_grains *grains, int kind);
/* Returns the name of a format, counted from 0; NULL past the last. */
const char *scree_grains_format(int format);

/* Overlaps of balls. */
typedef struct scree_overlaps {
  int64_t count;         /* pairs that overlap */
  double largest, mean;  /* depth over all overlapping pairs [m] */
  double share;          /* largest depth over the smaller radius of its pair */
  int64_t first, second; /* rows of the deepest pair; -1: none */
  double factor;         /* of all radii, <= 1, with which no pair overlaps */
} scree_overlaps;
/* Finds the overlaps of rows that belong to different bodies; across the periodic edges of a cell too (NULL:
 * none). */
scree_status scree_grains_find_overlaps(
    const scree_grains *grains, const scree_cell *cell, scree_overlaps *out, scree_error *error);
/* Moves overlapping grains apart: at the same mean position, within the box that the balls fill, and each
 * by no more than the largest of the overlaps that scree_grains_find_overlaps found. Walls are not looked
 * at. Fixed grains and balls of clumps stay. Overlaps may remain. */
scree_status scree_grains_relax(
    scree_grains *grains, const scree_cell *cell, const scree_overlaps *overlaps, scree_error *error);
/* Multiplies all radii by a factor > 0. Masses that the file gives scale with the cube. */
void scree_grains_scale(scree_grains *grains, double factor);

/* How rows become bodies. */
typedef struct scree_grains_place {
  const int *material; /* [materials] index of the material of types 1, 2, ...; NULL: otherwise for all */
  int64_t materials;
  int otherwise;           /* index of the material of other types */
  double density;          /* [kg/m3] of all, if > 0: what the file says is not used */
  int has_group;           /* 0: the group is that of the file, else the type, else 0 */
  int64_t group;           /* of all bodies, if has_group is set */
  uint32_t layers, avoids; /* as in scree_shape_def */
} scree_grains_place;
/* Adds the rows as bodies. Rows with the same clump are one body of several balls, whose mass is the sum
 * of the rows' masses, or follows from the union and the density. body: [count] receives the body of each
 * row. Returns the number of bodies, or -1 with an error; then none was added. */
int64_t scree_world_add_grains(scree_world *world, const scree_grains *grains,
    const scree_grains_place *place, scree_id *body, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
