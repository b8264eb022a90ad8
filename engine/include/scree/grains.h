/* Grains from files of other programs: positions, sizes, motion and further data, row by row.
 *
 * scree_grains_read recognises the format by content: tables of text, LAMMPS data files and dumps, YADE's
 * text, legacy VTK, VTP and VTU, extended XYZ, NumPy .npy and .npz, MercuryDPM .data and .restart, GSD. It
 * unpacks files that are compressed with gzip. scree_world_add_grains adds bodies for the rows. */
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

/* Fields of a grain that a column of a file may contain. */
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
/* Returns the name of a field, such as "diameter", as used for keys in tables; NULL if the index does not
 * exist. */
const char *scree_grain_field_name(int field);
/* Returns the SI unit of a field; "" for a field without a unit; NULL if the index does not exist. */
const char *scree_grain_field_unit(int field);

/* Callback: sets *factor to the factor that converts numbers in the unit `text` to the unit `si`. Returns 0
 * if `text` is not a unit of this dimension. */
typedef int scree_grains_unit(void *context, const char *text, const char *si, double *factor);

typedef struct scree_grains_def {
  const char *path;
  const char *format; /* name of a format (scree_grains_format); NULL: recognised by content */
  int64_t frame;      /* frame of a file with several frames: 1: first, -1: last, -2: last but one */
  /* name or number (from 1) of the column of each field. NULL: the column with a usual name for this field,
   * if the file has one. "": the field is not read. */
  const char *column[SCREE_GRAIN_FIELDS];
  /* factor that converts each field to its SI unit. 0: factor of the unit in the header, else computed from
   * the units below. */
  double factor[SCREE_GRAIN_FIELDS];
  int unit; /* unit of lengths in the file, index in SCREE_LENGTH_UNITS (scree/geometry.h) */
  /* names of units of the file. time_unit NULL: s. mass_unit NULL: masses are in kg and densities in kg/m3,
   * for any unit of lengths; else densities are in mass_unit per cube of the unit of lengths. */
  const char *mass_unit, *time_unit;
  /* reads units in headers, mass_unit and time_unit; NULL: such units are an error */
  scree_grains_unit *read_unit;
  void *unit_context;
  /* separator in tables of text: ",", ";", "\t", "|", or " " for blanks; NULL: recognised by content */
  const char *separator;
  const char *const *extra; /* names or numbers of further columns, for scree_grains_values */
  int extra_count;
  double radius; /* radius of all grains [m], if > 0; required if the file contains no sizes */
} scree_grains_def;
/* Parameter table of the keys of a file. */
extern const scree_param scree_grains_params[];
extern const int scree_grains_params_count;
/* Returns a definition that reads the last frame, in SI units. */
scree_grains_def scree_grains_defaults(void);

/* A row of a file in SI units. A member that the file does not contain is 0; the orientation is then (1, 0,
 * 0, 0). */
typedef struct scree_grain {
  double position[3], orientation[4], velocity[3], spin[3];
  double radius;                  /* radius of the grain [m] */
  double density, mass;           /* density [kg/m3]; mass [kg] */
  int64_t id, type, clump, group; /* clump: rows with the same number > 0 form one body */
  int is_fixed;                   /* 1: according to the file, the grain does not move */
} scree_grain;

typedef struct scree_grains_info {
  const char *format; /* name of the format (scree_grains_format) */
  int64_t count, frame, frames;
  double time;    /* time of the frame [s]; NAN if the file does not contain it */
  uint32_t found; /* bit 1 << field is set if the file contains this field */
  int has_cell;   /* 1: the file contains a box. Nonzero entries of cell.periodic mark its periodic edges */
  scree_cell cell;
  double min[3], max[3];         /* bounding box of the centres of the grains [m] */
  double radius_min, radius_max; /* smallest and largest radius of the grains [m] */
  int columns;                   /* number of columns of the file */
  /* number of different names in a column `type` of texts; types are then 1 .. kinds */
  int kinds;
  /* number of rows that were skipped because they are not moving grains, such as walls in scree's own
   * exports */
  int64_t left_out;
} scree_grains_info;

typedef struct scree_grains scree_grains;
/* Returns the grains of a file, to be freed with scree_grains_destroy. Returns NULL on error. The error names
 * the file and, in a file of lines, the line and column of the wrong value. */
scree_grains *scree_grains_read(const scree_grains_def *def, scree_error *error);
/* Frees grains. NULL is allowed. */
void scree_grains_destroy(scree_grains *grains);
/* Sets *info to the properties of a file of grains. */
void scree_grains_get_info(const scree_grains *grains, scree_grains_info *info);
/* Returns the rows, which the caller may change. The pointer is valid until scree_grains_destroy. */
scree_grain *scree_grains_rows(scree_grains *grains);
/* Returns the values of the column def.extra[extra], one per row, in the file's units; NULL if the index does
 * not exist. */
const double *scree_grains_values(const scree_grains *grains, int extra);
/* Returns the name of column number `column` of the file, counted from 0; NULL if the index does not
 * exist. */
const char *scree_grains_column(const scree_grains *grains, int column);
/* Returns the name of type number `kind`, counted from 0; NULL if the index does not exist. */
const char *scree_grains_kind(const scree_grains *grains, int kind);
/* Returns the name of format number `format`, counted from 0; NULL past the last. */
const char *scree_grains_format(int format);

/* Overlaps of balls. */
typedef struct scree_overlaps {
  int64_t count;         /* number of pairs that overlap */
  double largest, mean;  /* largest and mean depth of overlapping pairs [m] */
  double share;          /* largest ratio of the depth of a pair to its smaller radius */
  int64_t first, second; /* rows of the pair with the largest depth; -1: none */
  double factor;         /* largest factor <= 1 of all radii for which no pair overlaps */
} scree_overlaps;
/* Finds the overlaps between rows that belong to different bodies. cell: periodic cell, across whose edges
 * overlaps are found, too; NULL: none. Fails with a message that names rows if a grain shares its place with
 * more than 100 grains that are not smaller. Two grains share a place if the centre of each is inside the
 * other. */
scree_status scree_grains_find_overlaps(
    const scree_grains *grains, const scree_cell *cell, scree_overlaps *out, scree_error *error);
/* Moves overlapping grains apart. Their mean position does not change, and they stay within the box that the
 * balls fill. No grain moves by more than the largest overlap in *overlaps, which scree_grains_find_overlaps
 * has computed. Walls are ignored. Fixed grains and balls of clumps do not move. Overlaps may remain. */
scree_status scree_grains_relax(
    scree_grains *grains, const scree_cell *cell, const scree_overlaps *overlaps, scree_error *error);
/* Multiplies all radii by `factor` > 0, and masses from the file by its cube. */
void scree_grains_scale(scree_grains *grains, double factor);
/* Options for bodies that are made from rows. */
typedef struct scree_grains_place {
  /* [materials] index of the material for the types 1, 2, ...; NULL: `otherwise` for all types */
  const int *material;
  int64_t materials;
  int otherwise; /* index of the material of types that `material` does not contain */
  /* > 0: density of all grains [kg/m3], whatever the file contains; 0: density in the file */
  double density;
  int has_group;           /* 0: the group of a body is that in the file, else its type, else 0 */
  int64_t group;           /* group of all bodies, if has_group is not 0 */
  uint32_t layers, avoids; /* see scree_shape_def */
  /* for scree_grains_separate. shrink: 1: multiplies all radii by the factor for which no grains overlap;
   * relax: 1: first moves overlapping grains apart */
  int shrink, relax;
} scree_grains_place;
/* Parameter table of the keys of bodies that are made from rows. */
extern const scree_param scree_grains_place_params[];
extern const int scree_grains_place_params_count;
/* Sets *found to the overlaps (scree_grains_find_overlaps), and then removes them by the methods that *place
 * selects. *factor: factor by which radii were multiplied, 1 if they were not. Fails if grains that must
 * shrink lie at the same place. */
scree_status scree_grains_separate(scree_grains *grains, const scree_cell *cell,
    const scree_grains_place *place, scree_overlaps *found, double *factor, scree_error *error);
/* Adds bodies for the rows. Rows with the same clump number form one body of several balls. Its mass is the
 * sum of the rows' masses, or that of the union with the density. body: [count] receives the body of each
 * row. Returns the number of bodies, or -1 if an error occurred and no body was added. */
int64_t scree_world_add_grains(scree_world *world, const scree_grains *grains,
    const scree_grains_place *place, scree_id *body, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
