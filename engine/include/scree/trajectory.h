/* Trajectories: writes frames to a chunked, compressed file and reads them back. docs/file-format.md
 * describes the format. */
#ifndef SCREE_TRAJECTORY_H
#define SCREE_TRAJECTORY_H

#include <stdint.h>
#include "scree/frame.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Fields of a frame that are optional. id, radius, kind, group and shapes are always stored (written when
 * they change). */
enum {
  SCREE_FIELD_POSITION = 1,
  SCREE_FIELD_ORIENTATION = 2,
  SCREE_FIELD_VELOCITY = 4,
  SCREE_FIELD_SPIN = 8,
  SCREE_FIELD_CONTACTS = 16,
  SCREE_FIELD_DEFAULT = 15
};

typedef struct scree_trajectory_def {
  int fields;       /* fields that are written: bits SCREE_FIELD_... */
  double precision; /* largest error of stored positions [m]; 0: exact doubles */
  /* largest error of stored velocities [m/s]. 0: such that speed precision divided by the frame's largest
   * speed equals precision divided by the largest diameter. The precision of spins is the speed precision
   * divided by the largest radius, that of orientations is `precision` divided by the largest radius. */
  double speed_precision;
  int level; /* zlib level 1..9, 1 by default */
  /* a key frame can be decoded without other frames; number of frames from one key frame to the next, 16 by
   * default */
  int key_every;
  const char *meta;   /* provenance as JSON text, stored in the file; NULL: none */
  const char *source; /* text of the scene, stored in the file; NULL: none */
  /* 1 (default): a separate thread compresses and writes; 0: the caller's thread does. The bytes of the file
   * are the same */
  int background;
} scree_trajectory_def;
/* Returns a definition with default values. */
scree_trajectory_def scree_trajectory_defaults(void);

typedef struct scree_writer scree_writer;
/* Creates the file `path`, which must not exist. Returns NULL on error. */
scree_writer *scree_writer_open(const char *path, const scree_trajectory_def *def, scree_error *error);
/* Opens an existing file to continue after its first `frames` frames. Removes later frames. */
scree_writer *scree_writer_append(
    const char *path, int64_t frames, const scree_trajectory_def *def, scree_error *error);
/* Writes a frame. Its arrays may be changed after the call. This call, the next one, flush or close reports a
 * failed write. The file then remains readable up to its last whole frame and accepts no more frames.
 * SCREE_E_IO: the message has path and reason. */
scree_status scree_writer_frame(scree_writer *writer, const scree_frame *frame, scree_error *error);
/* Waits until all frames have been passed to the kernel, so that they survive the end of the process. With
 * sync, waits until they are stored on the medium, so that they survive a power cut. */
scree_status scree_writer_flush(scree_writer *writer, int sync, scree_error *error);
/* Returns the number of frames that the caller has written. */
int64_t scree_writer_frames(const scree_writer *writer);
/* Returns the number of frames that can still be read if the process is killed. */
int64_t scree_writer_durable(const scree_writer *writer);
/* Returns the size of the file so far [bytes]. */
int64_t scree_writer_bytes(const scree_writer *writer);
/* Returns CPU time [s]: of the writer's thread if `background` is not 0, else of writing in the caller's
 * thread. */
double scree_writer_seconds(const scree_writer *writer, int background);
/* Writes the index, closes the file and frees the writer, even after an error. In a forked child process only
 * closes the file. */
scree_status scree_writer_close(scree_writer *writer, scree_error *error);

/* ---- frames in parts: of worlds distributed over several processes (scree/dist.h) ----
 *
 * Each process packs its part of a frame (SCREE_FRAME_PART) with its own packer. The concatenated bytes of
 * all parts are sent to the process that has the writer. Readers see one frame. */
typedef struct scree_packer scree_packer;
/* Returns a packer, or NULL on error. def: same definition as for the writer. */
scree_packer *scree_packer_create(const scree_trajectory_def *def, scree_error *error);
/* Frees a packer. NULL is allowed. */
void scree_packer_destroy(scree_packer *packer);
/* Sets the place of a hull or mesh: the number under which the file stores it (scree_writer_place). All hulls
 * and meshes of a frame must have a place. */
scree_status scree_packer_name(
    scree_packer *packer, const scree_geometry *geometry, int64_t place, scree_error *error);
/* Number of values that scree_frame_largest computes. */
enum { SCREE_FRAME_LARGEST = 4 };
/* Packs a part of a frame. Sets *bytes and *count to the packed part, valid until the next call. number:
 * index of the frame, from 0. The first frame of a packer and every key_every-th frame are key frames.
 * largest: maximum of scree_frame_largest over all parts. */
scree_status scree_packer_frame(scree_packer *packer, const scree_frame *part, int64_t number,
    const double largest[SCREE_FRAME_LARGEST], const void **bytes, size_t *count, scree_error *error);
/* Sets largest to the largest finite values of a frame; 0 if there are none: radius of dynamic bodies [m],
 * radius of all bodies [m], speed [m/s], spin [rad/s]. */
void scree_frame_largest(const scree_frame *frame, double largest[SCREE_FRAME_LARGEST]);
/* Returns the place of a hull or mesh: the number under which the file stores it. Adds the geometry to the
 * file if it is new. Returns -1 on error. */
int64_t scree_writer_place(scree_writer *writer, const scree_geometry *geometry, scree_error *error);
/* Writes a frame from the concatenated bytes of all its parts. The frame is written when the function
 * returns. Errors: see scree_writer_frame. */
scree_status scree_writer_parts(scree_writer *writer, const void *bytes, size_t count, scree_error *error);

typedef struct scree_reader scree_reader;
typedef struct scree_trajectory_info {
  int64_t frames;     /* number of frames that can be read */
  int64_t bytes;      /* size of the file */
  int64_t lost_bytes; /* number of bytes after the last whole frame or in damaged chunks */
  int complete;       /* 1: the file has a valid index */
  int64_t damaged_chunks;
  int fields;
  double precision;
  double first_time, last_time;
  int64_t most_bodies;
  int64_t total_bodies; /* number of bodies, summed over the readable frames */
  char damage[256];     /* description of the first damage that was found in the file; "": no damage */
} scree_trajectory_info;
/* Opens a trajectory. All intact frames of a damaged trajectory can be read. Returns NULL on error. */
scree_reader *scree_reader_open(const char *path, scree_error *error);
/* Closes a reader and frees it. NULL is allowed. */
void scree_reader_close(scree_reader *reader);
/* Returns the properties of the file, which belong to the reader. */
const scree_trajectory_info *scree_reader_info(const scree_reader *reader);
/* Returns the provenance of the run as JSON text; "" if there is none. */
const char *scree_reader_meta(const scree_reader *reader);
/* Returns the text of the scene; "" if there is none. */
const char *scree_reader_source(const scree_reader *reader);
/* Checks every byte of the file, with or without an index. Frames that cannot be read no longer count.
 * Returns SCREE_OK even if there is damage; scree_reader_info describes it. */
scree_status scree_reader_verify(scree_reader *reader, scree_error *error);
/* Returns the time of a frame without decoding it. */
double scree_reader_time(const scree_reader *reader, int64_t frame);
/* Returns the last key frame at or before `frame`: a frame that is decoded without other frames. Returns -1
 * if `frame` does not exist. */
int64_t scree_reader_key(const scree_reader *reader, int64_t frame);
/* Reads the cell of a frame without decoding its bodies. Returns 1, or 0 if the frame has no cell or cannot
 * be read. */
int scree_reader_cell(scree_reader *reader, int64_t frame, scree_cell *cell);
/* Adds the frames that a run has appended since the file was opened or updated. Reads only the bytes after
 * the last whole chunk. Returns SCREE_E_FORMAT if the file must be opened again, because it was complete, had
 * no frame, or is now another file. */
scree_status scree_reader_update(scree_reader *reader, scree_error *error);
/* Sets the fields (SCREE_FIELD_...) that scree_reader_frame decodes in later calls; 0: all stored fields.
 * Other fields may be NULL. Decoding fewer fields takes less time. */
void scree_reader_want(scree_reader *reader, int fields);
/* Decodes a frame, 0 <= frame < frames. The result is valid until the next call. Fields that are not stored
 * are NULL. Returns NULL on error. */
const scree_frame *scree_reader_frame(scree_reader *reader, int64_t frame, scree_error *error);

/* ---- exports: a call writes frames in a common format (docs/export.md) ---- */
/* A new format is a file in engine/io/export and a row in this list. The row defines its name everywhere. */
// clang-format off
#define SCREE_FORMAT_LIST(first, row)               \
  first(VTP, vtp, "vtp")                            \
  row(DUMP, dump, "dump")                           \
  row(XYZ, xyz, "xyz")                              \
  row(GSD, gsd, "gsd")                              \
  row(NPZ, npz, "npz")                              \
  row(CSV, csv, "csv")                              \
  row(STL, stl, "stl")                              \
  row(PLY, ply, "ply")                              \
  row(VTKHDF, vtkhdf, "vtkhdf")                     \
  row(LAMMPS_DATA, lammps_data, "lammps-data")      \
  row(LIGGGHTS_DATA, liggghts_data, "liggghts-data")\
  row(YADE_TEXT, yade_text, "yade-text")
// clang-format on
/* Formats of exports: SCREE_VTP = 0, SCREE_DUMP, ... */
typedef enum scree_format {
#define SCREE_FORMAT_ENUM(upper, name, word) SCREE_##upper,
  SCREE_FORMAT_LIST(SCREE_FORMAT_ENUM, SCREE_FORMAT_ENUM)
#undef SCREE_FORMAT_ENUM
      SCREE_FORMATS
} scree_format;
/* The names of all formats, "vtp, dump, ...", for messages and help. */
#define SCREE_FORMAT_FIRST(upper, name, word) word
#define SCREE_FORMAT_NEXT(upper, name, word) ", " word
#define SCREE_FORMAT_WORDS SCREE_FORMAT_LIST(SCREE_FORMAT_FIRST, SCREE_FORMAT_NEXT)
/* The names of all formats as the choices of a parameter, "vtp|dump|...". */
#define SCREE_FORMAT_CHOICE(upper, name, word) "|" word
#define SCREE_FORMAT_CHOICES SCREE_FORMAT_LIST(SCREE_FORMAT_FIRST, SCREE_FORMAT_CHOICE)
const char *scree_format_name(int format); /* Returns the name of a format; NULL past the last. */
/* Returns 1 if exports of a format can have contacts, else 0. */
int scree_format_has_contacts(int format);
typedef struct scree_export_def {
  int format;
  const char *directory; /* directory of the files, created if it does not exist */
  const char *basename;  /* prefix of the file names */
  /* frames first..last, every stride-th; last < 0 counts from the end, -1 is the last frame */
  int64_t first, last, stride;
  int fields;       /* fields that are written: bits SCREE_FIELD_... */
  int fields_named; /* 1: the user chose the fields; gsd then also writes orientation and spin of balls */
  int contacts;
  int single; /* npz: 1: one file for all frames */
  /* ply, stl: number of sides of round shapes, a multiple of 4 from 8 to 48; 0: chosen, fewer if there are
   * many grains */
  int64_t detail;
  int grains; /* stl: 1: also a file of the grains for each frame */
  int loads;  /* 1: force, torque and number of contacts of each body as columns */
  /* 1: one row per shape of a body with several shapes, with the body's id; not for stl and ply */
  int parts;
  int chosen; /* 1: exports only the bodies in `choice`, and the contacts that involve at least one of them */
  scree_frame_choice choice;
} scree_export_def;
/* Parameter table of all keys except numbers of frames, which count from 0 in C and from 1 in Lua. */
extern const scree_param scree_export_params[];
extern const int scree_export_params_count;
/* Returns a definition with default values. */
scree_export_def scree_export_defaults(void);
/* Writes the frames of a trajectory that *def selects. *files: number of written files. */
scree_status scree_export(
    scree_reader *reader, const scree_export_def *def, int64_t *files, scree_error *error);

/* ---- comparison ---- */
typedef enum scree_diff_field {
  SCREE_DIFF_TIME,
  SCREE_DIFF_STEP,
  SCREE_DIFF_BODY,
  SCREE_DIFF_GROUP,
  SCREE_DIFF_KIND,
  SCREE_DIFF_RADIUS,
  SCREE_DIFF_MASS,
  SCREE_DIFF_POSITION,
  SCREE_DIFF_ORIENTATION,
  SCREE_DIFF_VELOCITY,
  SCREE_DIFF_SPIN,
  SCREE_DIFF_SHAPE,
  SCREE_DIFF_CONTACT,
  SCREE_DIFF_COLUMN,
  SCREE_DIFF_FIELDS
} scree_diff_field;
/* Returns the name of a field, such as "time", "step", "body" (a body exists in only one file), "group",
 * "contact" (number of contacts), "column" (columns that scripts declared). */
const char *scree_diff_field_name(int field);
typedef struct scree_difference {
  int64_t frame; /* index of the frame in a; -1: no difference was found */
  scree_id body; /* body that differs; 0: the frame as a whole */
  int field, component;
  double a, b;     /* the two values; field body: 1 if the body exists, 0 if not */
  int64_t frame_b; /* index of the frame in b */
} scree_difference;
typedef struct scree_comparison {
  int same; /* 1: there is no difference, and each frame has a partner at its time in the other file */
  int64_t frames_a, frames_b;
  int64_t compared;    /* number of pairs of frames at equal times, within a relative error of 1e-9 */
  int64_t differences; /* number of values that differ */
  scree_difference first;
  scree_difference largest[SCREE_DIFF_FIELDS]; /* [field] difference with the largest |a - b| */
} scree_comparison;
/* Compares frames at equal times (within a relative error of 1e-9). Skips frames without a partner. Two
 * values are equal if their bits are, or if |a - b| <= tolerance times the largest absolute value of the
 * field in both frames. tolerance 0: all bits must be equal. Orientations q and -q are equal only if
 * tolerance > 0. */
scree_status scree_compare(
    scree_reader *a, scree_reader *b, double tolerance, scree_comparison *result, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
