/* Shared parts of the exporters: the loop over frames, the choice of bodies that are drawn as points, and
 * output files.  Dynamic bodies, and single balls of any kind, become points with radius and orientation.
 * Walls, obstacles and planes (fixed or kinematic bodies that are not one ball) go to stl and ply; csv and
 * npz list every body. */
#ifndef SC_EXPORT_H
#define SC_EXPORT_H

#include "io/container/out.h"
#include "io/trajectory/frame_store.h"
#include "scree/trajectory.h"

enum { SC_DRAWN_COMPOUND = SCREE_SHAPE_TYPES }; /* type of a body with several shapes */

/* Bodies drawn as points, in the order of the frame. */

typedef struct sc_drawn {
  int64_t count;
  int64_t *row;                   /* [count] row of the body in the frame */
  const scree_shape_info **shape; /* [count] first shape of the body; NULL: the frame has no shapes */
  int *type;                      /* [count] scree_shape_type of the body, or SC_DRAWN_COMPOUND */
  size_t row_capacity, shape_capacity, type_capacity;
  double low[3], high[3]; /* bounding box [m]; zeros if there are no bodies */
} sc_drawn;

/* A frame with a cell, for formats of points: positions are wrapped into the cell, and velocities are those
 * of the images inside the cell. */
typedef struct sc_wrapped {
  scree_frame frame;
  double *position, *velocity; /* [bodies x 3] wrapped positions [m]; velocities of the images [m/s] */
  int32_t *image;              /* [bodies x 3] unwrapped position = position + H image */
  size_t position_capacity, velocity_capacity, image_capacity;
} sc_wrapped;

enum { SC_LOADS = 7 }; /* columns of loads: force, torque, number of contacts */
/* A frame with columns of loads (loads.c). */
typedef struct sc_loaded {
  scree_frame frame;
  scree_column column[SCREE_COLUMNS_MOST];
  double *load;  /* [bodies x SC_LOADS] force [N], torque [N m], number of contacts */
  double *value; /* [bodies x columns] values of all columns */
  size_t load_capacity, value_capacity;
} sc_loaded;

typedef struct sc_export {
  const scree_export_def *def;
  const scree_frame *frame;     /* the present frame, after choice and wrapping */
  const scree_frame *unwrapped; /* the present frame before wrapping and before division into parts */
  const uint64_t *clump;        /* [rows] id of the body of each row if rows are parts, else NULL */
  const int32_t *image;         /* [bodies x 3] if positions are wrapped, else NULL */
  sc_frame_store chosen;        /* copy of the present frame with the chosen bodies only */
  sc_loaded loaded;
  int32_t force_column; /* first column of loads */
  sc_frame_store parts; /* a row per shape (parts.c) */
  uint64_t *clumps;     /* memory of `clump` */
  size_t clumps_capacity;
  sc_wrapped wrapped;
  int fields;                              /* SCREE_FIELD_... that are wanted and exist in the frame */
  scree_column column[SCREE_COLUMNS_MOST]; /* columns of the first frame; all frames must have them */
  int32_t columns;
  sc_bytes column_values; /* scratch for doubles (sc_export_column) */
  int64_t ordinal;        /* 0, 1, ... over the exported frames */
  /* whether contacts have compatible forces, and images; set by the first frame with contacts */
  bool forces, images;
  bool steps; /* whether contacts belong to a step of known length; set by the first frame with contacts */
  sc_drawn drawn; /* bodies of the present frame that are drawn as points */
  sc_out out;     /* file of formats with one file for all frames */
  /* collected over all frames: index or list of files in `list`, contacts in contact_list */
  sc_bytes list, contact_list;
  sc_bytes scratch; /* scratch for packed arrays */
  sc_bytes last;    /* contents of the last file */
  int64_t *files;   /* number of files written */
  void *own;        /* private data of the format, freed by its `forget` */
} sc_export;

/* A format. begin, end and forget may be NULL. forget frees `own`; it is called once, after failures too. */
typedef struct sc_exporter {
  const char *name;
  bool points;  /* the format draws bodies as points: it needs sc_export.drawn and positions */
  bool lists;   /* uses only the fields that it writes; other formats also need orientations to draw bodies */
  bool columns; /* writes columns, which are additional values of bodies */
  bool triangles; /* the format draws every shape by triangles */
  bool contacts;  /* the format writes contacts */
  scree_status (*begin)(sc_export *ex, scree_error *error);
  scree_status (*frame)(sc_export *ex, scree_error *error);
  scree_status (*end)(sc_export *ex, scree_error *error);
  void (*forget)(sc_export *ex);
} sc_exporter;

/* Replaces the present frame by one with the chosen bodies, their shapes, and contacts with at least one
 * chosen body (choose.c). */
scree_status sc_export_choose(sc_export *ex, scree_error *error);
/* Replaces the present frame by one with columns of loads (loads.c). */
scree_status sc_export_loads(sc_export *ex, scree_error *error);
/* Replaces the present frame by one with a row per shape, and sets ex->clump (parts.c). */
scree_status sc_export_parts(sc_export *ex, scree_error *error);
/* Returns how many columns, from `column` on, form one array: 3 for forces and torques, else 1. *name:
 * receives the name of the array (loads.c). */
int sc_export_components(const sc_export *ex, int32_t column, const char **name);
/* Replaces the present frame by a wrapped one if it has a cell (wrap.c). */
scree_status sc_export_wrap(sc_export *ex, scree_error *error);
/* Returns the images of the drawn bodies, three little-endian int32 each, in scratch; NULL if out of memory.
 * Call only if the frame is wrapped. */
const unsigned char *sc_export_images(sc_export *ex);
/* Mean force of a contact on body 1 over the step: impulse over dt. force = normal part + friction [N]. */
typedef struct sc_contact_load {
  double force[3], normal, friction[3]; /* [N]; normal > 0: the contact pushes */
  double moment[3];                     /* moment of rolling and torsional friction [N m] */
} sc_contact_load;
/* Computes the mean force of a contact. dt: length of the step, > 0 [s]. */
sc_contact_load sc_export_contact_load(const scree_frame_contact *contact, double dt);
/* Returns the values of the drawn bodies as little-endian floats in scratch; NULL if out of memory. values:
 * [bodies x components]. */
const unsigned char *sc_export_floats(sc_export *ex, const double *values, int components);
/* Returns the values of `components` columns for all bodies of the present frame, body after body, valid
 * until the next call. Returns NULL if out of memory. */
const double *sc_export_column(sc_export *ex, int32_t column, int components);
/* Returns whether the frame has a cell whose matrix is upper triangular with a positive diagonal. Other
 * programs support only such boxes. */
bool sc_export_boxed(const scree_frame *frame);
/* Returns directory/basename + ending; NULL if out of memory. The caller frees it with sc_free. */
char *sc_export_path(const sc_export *ex, const char *ending);
/* Creates the file directory/basename + ending and counts it. */
scree_status sc_export_open(sc_export *ex, sc_out *out, const char *ending, bool gzip, scree_error *error);
/* Creates the file directory/basename + name + _000012 + ending for the present frame and counts it. The
 * ending includes its dot. */
scree_status sc_export_open_numbered(
    sc_export *ex, sc_out *out, const char *name, const char *ending, bool gzip, scree_error *error);
/* Fails with the message "out of memory". */
scree_status sc_export_no_memory(scree_error *error);
/* Returns the first failure of sc_export.out, or SCREE_OK. */
scree_status sc_export_state(const sc_export *ex, scree_error *error);
/* Closes sc_export.out. */
scree_status sc_export_close(sc_export *ex, scree_error *error);
/* Chooses the drawn bodies of the present frame (drawn.c). */
scree_status sc_drawn_choose(sc_export *ex, scree_error *error);
/* Returns the name of a drawn type: the kind of shape, or "compound". */
const char *sc_drawn_name(int type);
/* Writes triangles of walls to basename_walls_000012.vtp (export_vtp.c). The corners of a triangle are nine
 * little-endian floats; triangles start `stride` bytes apart. */
scree_status sc_vtp_walls(
    sc_export *ex, const unsigned char *corners, size_t stride, int64_t triangles, scree_error *error);
/* Adds the present time to the collection of wall files, with the file of frame `ordinal`. Returns false if
 * out of memory. */
bool sc_vtp_walls_at(sc_export *ex, int64_t ordinal);
/* Writes the collection of wall files. */
scree_status sc_vtp_walls_end(sc_export *ex, scree_error *error);

#endif
