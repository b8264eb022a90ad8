/* Shared parts of the exporters: the loop over frames, the choice of bodies that are drawn as points, and
 * output files. Dynamic bodies, and single balls of any kind, become points with radius and orientation. stl
 * and ply export walls, obstacles and planes (fixed or kinematic bodies that are not one ball). csv and npz
 * list every body. */
#ifndef SC_EXPORT_H
#define SC_EXPORT_H

#include "io/container/out.h"
#include "io/trajectory/frame_store.h"
#include "scree/trajectory.h"

enum { SC_DRAWN_COMPOUND = SCREE_SHAPE_TYPES }; /* value in sc_drawn.type of a body with several shapes */

/* Bodies drawn as points, in the order of the frame. */

typedef struct sc_drawn {
  int64_t count;
  int64_t *row;                   /* [count] row of the body in the frame */
  const scree_shape_info **shape; /* [count] first shape of the body; NULL: the frame has no shapes */
  int *type;                      /* [count] scree_shape_type of the body, or SC_DRAWN_COMPOUND */
  size_t row_capacity, shape_capacity, type_capacity;
  /* bounding box of the drawn bodies and their radii [m]; zeros if no body is drawn */
  double low[3], high[3];
} sc_drawn;

/* Copy of a frame with a periodic cell, for formats that draw points. Each body is shown as its periodic
 * image inside the cell. */
typedef struct sc_wrapped {
  scree_frame frame;
  double *position, *velocity; /* [bodies x 3] position [m] and velocity [m/s] of the image inside the cell */
  int32_t *image; /* [bodies x 3] unwrapped position = position + H image, H: matrix of the cell */
  size_t position_capacity, velocity_capacity, image_capacity;
} sc_wrapped;

enum { SC_LOADS = 7 }; /* number of columns of loads: force (3), torque (3), number of contacts (1) */
/* A frame with columns of loads (loads.c). */
typedef struct sc_loaded {
  scree_frame frame;
  scree_column column[SCREE_COLUMNS_MOST];
  double *load;  /* [bodies x SC_LOADS] force [N], torque [N m], number of contacts */
  double *value; /* [bodies x frame.columns] values of the script's columns, then of the loads */
  size_t load_capacity, value_capacity;
} sc_loaded;

typedef struct sc_export {
  const scree_export_def *def;
  const scree_frame *frame;     /* the frame to write: after choice of bodies, loads, parts and wrapping */
  const scree_frame *unwrapped; /* `frame` before wrapping and before division into parts */
  /* [frame->bodies] id of the body to which a part belongs; NULL: rows are bodies, not parts */
  const uint64_t *clump;
  const int32_t *image;  /* [frame->bodies x 3] wrapped.image; NULL: positions are not wrapped */
  sc_frame_store chosen; /* copy of the present frame with the chosen bodies only */
  sc_loaded loaded;
  int32_t force_column; /* index of the first column of loads (fx) in frame->column */
  sc_frame_store parts; /* copy of the present frame with a row per shape (parts.c) */
  uint64_t *clumps;     /* buffer to which `clump` points */
  size_t clumps_capacity;
  sc_wrapped wrapped;
  int fields; /* bits SCREE_FIELD_... of the quantities that the caller requested and the frame has */
  scree_column column[SCREE_COLUMNS_MOST]; /* columns of the first exported frame, and of all later frames */
  int32_t columns;
  sc_bytes column_values; /* result of sc_export_column */
  int64_t ordinal;        /* index of the present frame among the exported frames, from 0 */
  /* used by csv, set by the first frame with contacts. forces: contacts have compatible forces. images:
   * contacts have periodic images. */
  bool forces, images;
  bool steps;     /* used by csv, set by the first frame with contacts: the step length dt is known */
  sc_drawn drawn; /* bodies of the present frame that are drawn as points */
  sc_out out;     /* the file being written: of all frames or, in export_decks.c, of the present frame */
  /* bytes collected over all frames and written at the end. list: index of chunks (gsd) or lines of the .pvd
   * file (vtp, stl). contact_list: rows of contacts (csv) or lines of their .pvd file (vtp). */
  sc_bytes list, contact_list;
  sc_bytes scratch; /* scratch for packed arrays */
  sc_bytes last;    /* contents of the last file (stl), or the directory of the zip file (npz) */
  int64_t *files;   /* number of files written */
  void *own;        /* private data of the format, freed by its `forget` */
} sc_export;

/* A format. begin, end and forget may be NULL. forget frees `own`; it is called once, after failures too. */
typedef struct sc_exporter {
  const char *name;
  bool points; /* the format draws bodies as points: it needs sc_export.drawn and positions */
  /* the format needs only the fields that it writes; other formats also need orientations to draw bodies */
  bool lists;
  bool columns;   /* the format writes columns: additional values of bodies */
  bool triangles; /* the format draws every shape by triangles */
  bool contacts;  /* the format writes contacts */
  scree_status (*begin)(sc_export *ex, scree_error *error);
  scree_status (*frame)(sc_export *ex, scree_error *error);
  scree_status (*end)(sc_export *ex, scree_error *error);
  void (*forget)(sc_export *ex);
} sc_exporter;

/* Replaces the present frame by a frame that has only the chosen bodies, their shapes, and contacts with at
 * least one chosen body (choose.c). */
scree_status sc_export_choose(sc_export *ex, scree_error *error);
/* Replaces the present frame by a frame with columns of loads (loads.c). */
scree_status sc_export_loads(sc_export *ex, scree_error *error);
/* Replaces the present frame by a frame with a row per shape, and sets ex->clump (parts.c). */
scree_status sc_export_parts(sc_export *ex, scree_error *error);
/* Returns how many columns, from `column` on, form one array: 3 for forces and torques, else 1. *name:
 * receives the name of the array (loads.c). */
int sc_export_components(const sc_export *ex, int32_t column, const char **name);
/* If the present frame has a cell and positions, replaces it by a frame with positions inside the cell and
 * sets ex->image. Otherwise sets ex->image to NULL (wrap.c). */
scree_status sc_export_wrap(sc_export *ex, scree_error *error);
/* Returns the cell images (sc_wrapped.image) of the drawn bodies, three little-endian int32 per body, in
 * ex->scratch. Returns NULL if out of memory. Call only if ex->image is set. */
const unsigned char *sc_export_images(sc_export *ex);
/* Mean force of a contact on its body 1 over a step: impulse / dt. force = normal n + friction, n: contact
 * normal. */
typedef struct sc_contact_load {
  double force[3], normal, friction[3]; /* [N]; normal > 0: the contact pushes */
  double moment[3];                     /* moment of rolling and torsional friction [N m] */
} sc_contact_load;
/* Returns the mean force and moment of a contact over a step. dt: length of the step, > 0 [s]. */
sc_contact_load sc_export_contact_load(const scree_frame_contact *contact, double dt);
/* Returns the values of the drawn bodies as little-endian floats in ex->scratch; NULL if out of memory.
 * values: [frame->bodies x components]. */
const unsigned char *sc_export_floats(sc_export *ex, const double *values, int components);
/* Returns the values of the columns from `column` to column + components - 1, [frame->bodies x components].
 * They are valid until the next call. Returns NULL if out of memory. */
const double *sc_export_column(sc_export *ex, int32_t column, int components);
/* Returns whether the frame has a cell whose matrix is upper triangular with a positive diagonal. Other
 * programs support only such boxes. */
bool sc_export_boxed(const scree_frame *frame);
/* Returns directory/basename + ending; NULL if out of memory. The caller frees it with sc_free. */
char *sc_export_path(const sc_export *ex, const char *ending);
/* Creates the file directory/basename + ending, for writing through `out`, and counts it. gzip: compresses
 * its contents. */
scree_status sc_export_open(sc_export *ex, sc_out *out, const char *ending, bool gzip, scree_error *error);
/* Creates the file directory/basename + name + _000012 + ending for the present frame and counts it. The
 * ending includes its dot. */
scree_status sc_export_open_numbered(
    sc_export *ex, sc_out *out, const char *name, const char *ending, bool gzip, scree_error *error);
/* Fails with the message "out of memory". */
scree_status sc_export_no_memory(scree_error *error);
/* Returns the status of the first failure of ex->out, with its message in error; SCREE_OK if there was
 * none. */
scree_status sc_export_state(const sc_export *ex, scree_error *error);
/* Closes ex->out. */
scree_status sc_export_close(sc_export *ex, scree_error *error);
/* Sets ex->drawn to the bodies of the present frame that are drawn as points (drawn.c). */
scree_status sc_drawn_choose(sc_export *ex, scree_error *error);
/* Returns the name of a value of sc_drawn.type: that of the kind of shape, or "compound". */
const char *sc_drawn_name(int type);
/* Writes triangles of walls to basename_walls_000012.vtp (export_vtp.c). The corners of a triangle are nine
 * little-endian floats; triangles start `stride` bytes apart. */
scree_status sc_vtp_walls(
    sc_export *ex, const unsigned char *corners, size_t stride, int64_t triangles, scree_error *error);
/* Adds a line to the list of wall files: at the present time, the walls are those of the file with number
 * `ordinal`. Returns false if out of memory. */
bool sc_vtp_walls_at(sc_export *ex, int64_t ordinal);
/* Writes the list of wall files as basename_walls.pvd. */
scree_status sc_vtp_walls_end(sc_export *ex, scree_error *error);

#endif
