/* What the exporters share: the loop over frames, the choice of bodies that are drawn as points, and
 * output files.
 *
 * Grains, and single balls of any kind, become points with radius and orientation. Walls, obstacles and
 * planes (fixed or kinematic bodies that are not one ball) are left to the stl export; csv and npz list
 * every body. */
#ifndef SC_EXPORT_H
#define SC_EXPORT_H

#include "io/container/out.h"
#include "io/trajectory/frame_store.h"
#include "scree/trajectory.h"

enum { SC_DRAWN_COMPOUND = SCREE_SHAPE_TYPES };

typedef struct sc_drawn {
  int64_t count;
  int64_t *row;                   /* row in the frame */
  const scree_shape_info **shape; /* its first shape, NULL without */
  int *type;                      /* scree_shape_type, or SC_DRAWN_COMPOUND */
  size_t row_capacity, shape_capacity, type_capacity;
  double low[3], high[3]; /* box around them */
} sc_drawn;

/* Of a frame with a cell, for formats of points: positions wrapped into the cell, velocities those of the
 * images that lie there, and which images these are. */
typedef struct sc_wrapped {
  scree_frame frame;
  double *position, *velocity; /* bodies x 3 */
  int32_t *image;
  size_t position_capacity, velocity_capacity, image_capacity;
} sc_wrapped;

typedef struct sc_export {
  const scree_export_def *def;
  const scree_frame *frame;     /* the present one */
  const scree_frame *unwrapped; /* for formats of points: the present one as it was read */
  const int32_t *image;         /* bodies x 3 where positions are wrapped, else NULL */
  sc_frame_store chosen;        /* the present frame with the chosen bodies alone */
  sc_wrapped wrapped;
  int fields;                              /* wanted and there */
  scree_column column[SCREE_COLUMNS_MOST]; /* columns of the first frame; all frames must have them */
  int32_t columns;
  sc_bytes column_values;                     /* doubles (sc_export_column) */
  int64_t ordinal;                            /* 0, 1, ... over the chosen frames */
  bool forces, images;                        /* what contacts of the first frame carry */
  sc_drawn drawn;                             /* of the present frame */
  sc_out out;                                 /* of formats with one file for all frames */
  sc_bytes list, contact_list, scratch, last; /* collections, packed arrays, the last file's bytes */
  int64_t *files;
  void *own; /* the exporter's */
} sc_export;

/* begin and end may be NULL; forget frees what `own` holds and is always called where it is there. */
typedef struct sc_exporter {
  const char *name;
  bool points; /* needs the drawn bodies and their positions */
  scree_status (*begin)(sc_export *ex, scree_error *error);
  scree_status (*frame)(sc_export *ex, scree_error *error);
  scree_status (*end)(sc_export *ex, scree_error *error);
  void (*forget)(sc_export *ex);
} sc_exporter;

/* Replaces the present frame by one of the chosen bodies, their shapes, and contacts that touch at least one
 * of them (choose.c). */
scree_status sc_export_choose(sc_export *ex, scree_error *error);
/* Wraps the present frame where it has a cell (wrap.c). */
scree_status sc_export_wrap(sc_export *ex, scree_error *error);
/* The image of each drawn shape, three i32 in file order, in scratch; NULL without memory. Of frames that are
 * wrapped. */
const unsigned char *sc_export_images(sc_export *ex);
/* Values of the drawn bodies as little-endian floats, in scratch. Returns NULL without memory. */
const unsigned char *sc_export_floats(sc_export *ex, const double *values, int components);
/* Returns the values of a column for all bodies of the present frame, valid until the next call. NULL without
 * memory. */
const double *sc_export_column(sc_export *ex, int32_t column);
/* Whether the cell's matrix is upper triangular with a positive diagonal, as boxes of other programs are. */
bool sc_export_boxed(const scree_frame *frame);
/* Returns directory/basename + ending for sc_free, or NULL without memory. */
char *sc_export_path(const sc_export *ex, const char *ending);
/* Opens directory/basename + ending and counts it. */
scree_status sc_export_open(sc_export *ex, sc_out *out, const char *ending, bool gzip, scree_error *error);
/* directory/basename_000012.ending of the present frame; ending with its dot, name may hold "contacts". */
scree_status sc_export_open_numbered(
    sc_export *ex, sc_out *out, const char *name, const char *ending, bool gzip, scree_error *error);
scree_status sc_export_no_memory(scree_error *error);
/* Returns the status of the file of all frames, with its first failure as the error. */
scree_status sc_export_state(const sc_export *ex, scree_error *error);
/* Closes the file of all frames. */
scree_status sc_export_close(sc_export *ex, scree_error *error);
/* Chooses the drawn bodies of the present frame (drawn.c). */
scree_status sc_drawn_choose(sc_export *ex, scree_error *error);
/* Name of a drawn type: that of its shape, or "compound". */
const char *sc_drawn_name(int type);
/* export_vtp.c, for walls: basename_walls_000012.vtp of triangles, whose corners (nine little-endian floats)
 * lie `stride` bytes apart; a line of the collection that says which of these files holds at the present
 * time; the collection. */
scree_status sc_vtp_walls(
    sc_export *ex, const unsigned char *corners, size_t stride, int64_t triangles, scree_error *error);
bool sc_vtp_walls_at(sc_export *ex, int64_t ordinal);
scree_status sc_vtp_walls_end(sc_export *ex, scree_error *error);

#endif
