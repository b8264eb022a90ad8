/* Trajectories: writing frames to a chunked, compressed file and reading them back. docs/file-format.md
 * describes the format. */
#ifndef SCREE_TRAJECTORY_H
#define SCREE_TRAJECTORY_H

#include <stdint.h>
#include "scree/frame.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Fields of a frame. id, radius, kind, group and shapes are always stored (written when they change). */
enum {
  SCREE_FIELD_POSITION = 1,
  SCREE_FIELD_ORIENTATION = 2,
  SCREE_FIELD_VELOCITY = 4,
  SCREE_FIELD_SPIN = 8,
  SCREE_FIELD_CONTACTS = 16,
  SCREE_FIELD_DEFAULT = 15
};

typedef struct scree_trajectory_def {
  int fields;       /* SCREE_FIELD_... */
  double precision; /* largest error of stored positions [m]; 0: exact doubles */
  /* precision of velocities [m/s]; 0: speed precision over the frame's largest speed equals precision over
   * the largest diameter. Spins: speed precision over the largest radius; orientations: precision over the
   * largest radius */
  double speed_precision;
  int level;          /* zlib level 1..9, 1 by default */
  int key_every;      /* number of frames from one key frame (decodable alone) to the next, 16 by default */
  const char *meta;   /* provenance as JSON text, stored in the file; may be NULL */
  const char *source; /* text of the scene, stored in the file; may be NULL */
  /* 1 (default): a separate thread compresses and writes; 0: the caller's thread does. The bytes do not
   * depend on it */
  int background;
} scree_trajectory_def;
/* Returns the default values. */
scree_trajectory_def scree_trajectory_defaults(void);

typedef struct scree_writer scree_writer;
/* Creates the file path, which must not exist. Returns NULL on error. */
scree_writer *scree_writer_open(const char *path, const scree_trajectory_def *def, scree_error *error);
/* Opens an existing file to continue after frame number `frames` - 1; later frames are removed. */
scree_writer *scree_writer_append(
    const char *path, int64_t frames, const scree_trajectory_def *def, scree_error *error);
/* Writes a frame; its arrays may be reused at once. A failed write is reported by this call or the next one,
 * by flush and by close. The file then remains readable up to its last whole frame and accepts no more
 * frames. SCREE_E_IO: the text has path and reason. */
scree_status scree_writer_frame(scree_writer *writer, const scree_frame *frame, scree_error *error);
/* Waits until every frame is passed to the kernel (it then survives a kill of the process); with sync, until
 * it is stored on the medium (it then survives a power cut). */
scree_status scree_writer_flush(scree_writer *writer, int sync, scree_error *error);
/* Returns the number of frames written by the caller. */
int64_t scree_writer_frames(const scree_writer *writer);
/* Returns the number of frames that remain readable if the process is killed. */
int64_t scree_writer_durable(const scree_writer *writer);
/* Returns the bytes of the file so far. */
int64_t scree_writer_bytes(const scree_writer *writer);
/* Returns the CPU time spent in the caller's thread, or in the writer's thread if `background` [s]. */
double scree_writer_seconds(const scree_writer *writer, int background);
/* Writes the index, closes the file and always frees the writer. In a forked child it only closes the
 * file. */
scree_status scree_writer_close(scree_writer *writer, scree_error *error);

/* ---- frames in parts: of worlds distributed over several processes (scree/dist.h) ----
 *
 * Each process packs its part of a frame (SCREE_FRAME_PART) with a packer of its own. The concatenated
 * bytes of all parts are sent to the one process that has the writer. Readers see one frame. */
typedef struct scree_packer scree_packer;
/* Returns a packer; def as for the writer. NULL on error. */
scree_packer *scree_packer_create(const scree_trajectory_def *def, scree_error *error);
/* Frees a packer. NULL is allowed. */
void scree_packer_destroy(scree_packer *packer);
/* Assigns to a hull or mesh its place in the file (scree_writer_place). All hulls and meshes of a frame must
 * have a place. */
scree_status scree_packer_name(
    scree_packer *packer, const scree_geometry *geometry, int64_t place, scree_error *error);
/* Packs a part of a frame to bytes, valid until the next call. number: of the frame, from 0. The first frame
 * of a packer and every key_every-th are key frames. largest: scree_frame_largest over all parts. */
enum { SCREE_FRAME_LARGEST = 4 };
/* Sets *bytes and *count to the packed part. */
scree_status scree_packer_frame(scree_packer *packer, const scree_frame *part, int64_t number,
    const double largest[SCREE_FRAME_LARGEST], const void **bytes, size_t *count, scree_error *error);
/* Computes the largest finite values of a frame, 0 if there are none: radius of dynamic bodies, and of all
 * bodies [m]; speed [m/s]; spin [rad/s]. */
void scree_frame_largest(const scree_frame *frame, double largest[SCREE_FRAME_LARGEST]);
/* Returns the place of a hull or mesh in the file, adding it if new; -1 on error. */
int64_t scree_writer_place(scree_writer *writer, const scree_geometry *geometry, scree_error *error);
/* Writes a frame from the bytes of all its parts. Like scree_writer_frame, but the frame is written before
 * the function returns. */
scree_status scree_writer_parts(scree_writer *writer, const void *bytes, size_t count, scree_error *error);

typedef struct scree_reader scree_reader;
typedef struct scree_trajectory_info {
  int64_t frames;     /* number of readable frames */
  int64_t bytes;      /* bytes of the file */
  int64_t lost_bytes; /* bytes after the last whole frame, or in damaged chunks */
  int complete;       /* 1 if the index exists and is valid */
  int64_t damaged_chunks;
  int fields;
  double precision;
  double first_time, last_time;
  int64_t most_bodies;
  int64_t total_bodies; /* total over the readable frames */
  char damage[256];     /* text of the first damage, "" if none */
} scree_trajectory_info;
/* Opens a trajectory, even if damaged; all intact frames can be read. Returns NULL on error. */
scree_reader *scree_reader_open(const char *path, scree_error *error);
/* Closes a reader and frees it. NULL is allowed. */
void scree_reader_close(scree_reader *reader);
/* Returns the properties of the file, which belong to the reader. */
const scree_trajectory_info *scree_reader_info(const scree_reader *reader);
/* Returns the provenance of the run. */
const char *scree_reader_meta(const scree_reader *reader);   /* JSON text, "" if none */
const char *scree_reader_source(const scree_reader *reader); /* scene text, "" if none */
/* Checks every byte of the file, with or without an index; frames that cannot be read are no longer counted.
 * Returns SCREE_OK even if there is damage; see the info. */
scree_status scree_reader_verify(scree_reader *reader, scree_error *error);
/* Returns the time of a frame without decoding it. */
double scree_reader_time(const scree_reader *reader, int64_t frame);
/* Returns the last frame at or before `frame` that is decoded without another one; -1 if `frame` does not
 * exist. */
int64_t scree_reader_key(const scree_reader *reader, int64_t frame);
/* Reads the cell of a frame without decoding its bodies. Returns 1, or 0 if the frame has no cell or cannot
 * be read. */
int scree_reader_cell(scree_reader *reader, int64_t frame, scree_cell *cell);
/* Adds the frames that a run has appended since the file was opened or updated. Reads only the bytes after
 * the last whole chunk. Returns SCREE_E_FORMAT if the file must be opened again: it was complete, had no
 * frame, or is now another file. */
scree_status scree_reader_update(scree_reader *reader, scree_error *error);
/* Sets the fields (SCREE_FIELD_...) that scree_reader_frame decodes from now on; 0: all stored fields. Other
 * fields may be NULL. Fewer fields take less time. */
void scree_reader_want(scree_reader *reader, int fields);
/* Decodes a frame (0 <= frame < frames). The result is valid until the next call. Fields that were not stored
 * are NULL. Returns NULL on error. */
const scree_frame *scree_reader_frame(scree_reader *reader, int64_t frame, scree_error *error);

/* ---- exports: each call writes one frame (or the end of a series) in a common format; docs/export.md
 * ---- */
/* A new format is a file in engine/io/export and a row here; the row defines its name everywhere. */
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
/* SCREE_VTP = 0, SCREE_DUMP, ... */
typedef enum scree_format {
#define SCREE_FORMAT_ENUM(upper, name, word) SCREE_##upper,
  SCREE_FORMAT_LIST(SCREE_FORMAT_ENUM, SCREE_FORMAT_ENUM)
#undef SCREE_FORMAT_ENUM
      SCREE_FORMATS
} scree_format;
/* "vtp, dump, ..." for messages and help. */
#define SCREE_FORMAT_FIRST(upper, name, word) word
#define SCREE_FORMAT_NEXT(upper, name, word) ", " word
#define SCREE_FORMAT_WORDS SCREE_FORMAT_LIST(SCREE_FORMAT_FIRST, SCREE_FORMAT_NEXT)
const char *scree_format_name(int format); /* NULL past the last */
/* Returns 1 if exports of a format can have contacts, else 0. */
int scree_format_has_contacts(int format);
typedef struct scree_export_def {
  int format;
  const char *directory;       /* created if missing */
  const char *basename;        /* prefix of the file names */
  int64_t first, last, stride; /* frames first..last (last < 0: counted from the end, -1 the last) */
  int fields;                  /* SCREE_FIELD_... */
  int fields_named; /* 1: the user named the fields, so gsd writes orientation and spin of balls too */
  int contacts;
  int single; /* npz: one file for all frames */
  int detail; /* ply, stl: sides of round shapes, a multiple of 4 from 8 to 48; 0: fewer for many grains */
  int loads;  /* 1: force, torque and number of contacts of each body as columns */
  int parts;  /* 1: a row per shape of bodies of several shapes, with the body's id; not stl and ply */
  int chosen; /* 1: only bodies of the choice, and contacts of at least one of them */
  scree_frame_choice choice;
} scree_export_def;
/* Returns the default values. */
scree_export_def scree_export_defaults(void);
/* Writes the chosen frames of a trajectory. *files: number of files written. */
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
  SCREE_DIFF_COLUMN, /* of scripts; component: index of the column; body 0: frames with other columns */
  SCREE_DIFF_FIELDS
} scree_diff_field;
/* Returns the name of a field: "time", "step", "body" (present in only one file), "group", ..., "contact"
 * (number of contacts), "column". */
const char *scree_diff_field_name(int field);
typedef struct scree_difference {
  int64_t frame; /* -1: none found */
  scree_id body; /* 0: the frame as a whole differs */
  int field, component;
  double a, b;     /* the two values; field body: 1 if present, 0 if not */
  int64_t frame_b; /* number of the frame in b; `frame` is its number in a */
} scree_difference;
typedef struct scree_comparison {
  int same; /* 1: no difference, and each frame has a partner at its time in the other file */
  int64_t frames_a, frames_b;
  int64_t compared;    /* pairs of frames at equal times, to a relative 1e-9 */
  int64_t differences; /* number of values that differ */
  scree_difference first;
  scree_difference largest[SCREE_DIFF_FIELDS]; /* per field, by |a - b| */
} scree_comparison;
/* Compares frames at equal times, to a relative 1e-9; frames without a partner are skipped. Two values are
 * equal if their bits are, or if |a - b| <= tolerance times the largest absolute value of the field in the
 * two frames. tolerance 0: every bit counts; orientations q and -q are equal only if tolerance > 0. */
scree_status scree_compare(
    scree_reader *a, scree_reader *b, double tolerance, scree_comparison *result, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
