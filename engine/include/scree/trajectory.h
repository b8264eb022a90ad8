/* Trajectories: writing frames to a chunked, compressed file and reading them back. docs/file-format.md
 * has the bytes. */
#ifndef SCREE_TRAJECTORY_H
#define SCREE_TRAJECTORY_H

#include <stdint.h>
#include "scree/frame.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* fields of a frame; id, radius, kind, group and shapes are always kept (written when they change) */
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
  double precision; /* positions are kept to within this length [m]; 0: exact doubles */
  /* [m/s]; 0: the same share of the frame's largest speed that precision is of the largest diameter; spins:
   * that over the largest radius, orientations: precision over it */
  double speed_precision;
  int level;          /* zlib level 1..9, 1 by default */
  int key_every;      /* a key frame (decodable alone) every so many frames, 16 by default */
  const char *meta;   /* provenance as JSON text, kept in the file; may be NULL */
  const char *source; /* text of the scene, kept in the file; may be NULL */
  /* 1 (default): a thread of its own packs and writes; 0: the caller's thread does. The bytes are the
   * same */
  int background;
} scree_trajectory_def;
scree_trajectory_def scree_trajectory_defaults(void);

typedef struct scree_writer scree_writer;
/* Creates path (must not exist). NULL on error. */
scree_writer *scree_writer_open(const char *path, const scree_trajectory_def *def, scree_error *error);
/* Opens an existing file to go on after frame number `frames` - 1 (later frames are cut off). */
scree_writer *scree_writer_append(
    const char *path, int64_t frames, const scree_trajectory_def *def, scree_error *error);
/* Hands a frame to the file; its arrays may be reused at once. A write that failed is reported by this
 * call or the next one, by flush and by close; the file then stays readable up to its last whole frame
 * and takes no more. SCREE_E_IO: the text has path and reason. */
scree_status scree_writer_frame(scree_writer *writer, const scree_frame *frame, scree_error *error);
/* Waits until every frame handed over is with the kernel (it then survives a kill of the process); with
 * sync until it is on the medium (it then survives a power cut). */
scree_status scree_writer_flush(scree_writer *writer, int sync, scree_error *error);
/* Frames handed over; frames that a kill of the process leaves readable; bytes of the file so far. */
int64_t scree_writer_frames(const scree_writer *writer);
int64_t scree_writer_durable(const scree_writer *writer);
int64_t scree_writer_bytes(const scree_writer *writer);
/* CPU seconds spent in the caller's thread and in the writer's own. */
double scree_writer_seconds(const scree_writer *writer, int background);
/* Writes the index and closes. Always frees the writer. In a forked child it only closes the file. */
scree_status scree_writer_close(scree_writer *writer, scree_error *error);

/* ---- frames in parts: of worlds spread over several processes (scree/dist.h) ----
 *
 * Each process packs the part of a frame that it has (SCREE_FRAME_PART) with a packer of its own; the
 * bytes of all, one behind the other, go to the one process that has the writer. Readers see one frame. */
typedef struct scree_packer scree_packer;
/* def as for the writer. NULL on error. */
scree_packer *scree_packer_create(const scree_trajectory_def *def, scree_error *error);
void scree_packer_destroy(scree_packer *packer);
/* A hull or mesh gets the place that it has in the file, as scree_writer_place tells; all that a frame
 * has must have been named. */
scree_status scree_packer_name(
    scree_packer *packer, const scree_geometry *geometry, int64_t place, scree_error *error);
/* The part as bytes, valid until the next call. number: the frame's, from 0; the first that a packer
 * packs is a key frame, as is every key_every-th. largest: over all parts, as scree_frame_largest tells. */
enum { SCREE_FRAME_LARGEST = 4 };
scree_status scree_packer_frame(scree_packer *packer, const scree_frame *part, int64_t number,
    const double largest[SCREE_FRAME_LARGEST], const void **bytes, size_t *count, scree_error *error);
/* Largest finite values of a frame, 0 where there is none: radius of the bodies that move by themselves, and
 * of any [m]; speed [m/s]; spin [rad/s]. */
void scree_frame_largest(const scree_frame *frame, double largest[SCREE_FRAME_LARGEST]);
/* Place of a hull or mesh in the file, entered where it is new; -1 on error. */
int64_t scree_writer_place(scree_writer *writer, const scree_geometry *geometry, scree_error *error);
/* A frame from the bytes of all its parts; as scree_writer_frame, but written before it returns. */
scree_status scree_writer_parts(scree_writer *writer, const void *bytes, size_t count, scree_error *error);

typedef struct scree_reader scree_reader;
typedef struct scree_trajectory_info {
  int64_t frames;     /* readable ones */
  int64_t bytes;      /* of the file */
  int64_t lost_bytes; /* after the last whole frame, or in damaged chunks */
  int complete;       /* 1 if the index is there and sound */
  int64_t damaged_chunks;
  int fields;
  double precision;
  double first_time, last_time;
  int64_t most_bodies;
  int64_t total_bodies; /* summed over the readable frames */
  char damage[256];     /* the first damage in words, "" if none */
} scree_trajectory_info;
/* Opens a trajectory, whole or damaged; everything that is intact can be read. NULL on error. */
scree_reader *scree_reader_open(const char *path, scree_error *error);
void scree_reader_close(scree_reader *reader);
const scree_trajectory_info *scree_reader_info(const scree_reader *reader);
const char *scree_reader_meta(const scree_reader *reader);   /* JSON text, "" if none */
const char *scree_reader_source(const scree_reader *reader); /* scene text, "" if none */
/* Checks every byte of the file, index or not; frames that cannot be read leave the count. SCREE_OK also
 * where damage was found: the info tells. */
scree_status scree_reader_verify(scree_reader *reader, scree_error *error);
/* Time of a frame without decoding it. */
double scree_reader_time(const scree_reader *reader, int64_t frame);
/* Returns the last frame at or before `frame` that is decoded without another one; -1 if `frame` does not
 * exist. */
int64_t scree_reader_key(const scree_reader *reader, int64_t frame);
/* Reads the cell of a frame without decoding its bodies. Returns 1, or 0 if the frame has no cell or cannot
 * be read. */
int scree_reader_cell(scree_reader *reader, int64_t frame, scree_cell *cell);
/* Adds the frames that a run has appended since the file was opened or updated. Reads only the bytes behind
 * the last whole chunk. Returns SCREE_E_FORMAT if the file must be opened anew: it was complete, had no
 * frame, or is another file now. */
scree_status scree_reader_update(scree_reader *reader, scree_error *error);
/* Sets the fields (SCREE_FIELD_...) that scree_reader_frame decodes from now on; 0: all that were kept.
 * Fields that are not wanted may be NULL. Fewer fields take less time. */
void scree_reader_want(scree_reader *reader, int fields);
/* Decodes a frame (0 <= frame < frames). Valid until the next call. Fields that were not kept are NULL.
 * NULL on error. */
const scree_frame *scree_reader_frame(scree_reader *reader, int64_t frame, scree_error *error);

/* ---- exports: each call writes one frame (or the end of a series) in a format of the field;
 * docs/export.md ---- */
/* A new one is a file in engine/io/export and a row here; its name comes from here everywhere. */
// clang-format off
#define SCREE_FORMAT_LIST(first, row) \
  first(VTP, vtp)                     \
  row(DUMP, dump)                     \
  row(XYZ, xyz)                       \
  row(GSD, gsd)                       \
  row(NPZ, npz)                       \
  row(CSV, csv)                       \
  row(STL, stl)                       \
  row(PLY, ply)                       \
  row(VTKHDF, vtkhdf)
// clang-format on
/* SCREE_VTP = 0, SCREE_DUMP, ... */
typedef enum scree_format {
#define SCREE_FORMAT_ENUM(upper, name) SCREE_##upper,
  SCREE_FORMAT_LIST(SCREE_FORMAT_ENUM, SCREE_FORMAT_ENUM)
#undef SCREE_FORMAT_ENUM
      SCREE_FORMATS
} scree_format;
/* "vtp, dump, ..." for messages and help. */
#define SCREE_FORMAT_FIRST(upper, name) #name
#define SCREE_FORMAT_NEXT(upper, name) ", " #name
#define SCREE_FORMAT_WORDS SCREE_FORMAT_LIST(SCREE_FORMAT_FIRST, SCREE_FORMAT_NEXT)
const char *scree_format_name(int format); /* NULL past the last */
typedef struct scree_export_def {
  int format;
  const char *directory;       /* created if missing */
  const char *basename;        /* files are called basename... */
  int64_t first, last, stride; /* frames first..last (last < 0: counted from the end, -1 the last) */
  int fields;                  /* SCREE_FIELD_... */
  int fields_named; /* 1: the user named the fields, so gsd writes orientation and spin of balls too */
  int contacts;
  int single; /* npz: one file for all frames */
  int chosen; /* 1: only the bodies of the choice, and contacts that touch at least one of them */
  scree_frame_choice choice;
} scree_export_def;
scree_export_def scree_export_defaults(void);
/* Writes the chosen frames of a trajectory. *files receives the number of files written. */
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
/* "time", "step", "body" (present in one only), "group", ..., "contact" (their number), "column". */
const char *scree_diff_field_name(int field);
typedef struct scree_difference {
  int64_t frame; /* -1: none found */
  scree_id body; /* 0 where the frame as a whole differs */
  int field, component;
  double a, b;     /* the two values; body: 1 where it is present, 0 where not */
  int64_t frame_b; /* number in b of the frame of that time; `frame` is the number in a */
} scree_difference;
typedef struct scree_comparison {
  int same; /* 1: no difference, and each frame has a partner of its time in the other file */
  int64_t frames_a, frames_b;
  int64_t compared;    /* pairs of frames of the same time, to 1e-9 of it */
  int64_t differences; /* values that differ */
  scree_difference first;
  scree_difference largest[SCREE_DIFF_FIELDS]; /* per field, by |a - b| */
} scree_comparison;
/* Compares frames of the same time, to 1e-9 of it; frames without a partner are left out. Two values are
 * the same when their bits are, or when |a - b| <= tolerance times the largest absolute value of that
 * field in the two frames (0: every bit counts; orientations q and -q are the same only where tolerance >
 * 0). */
scree_status scree_compare(
    scree_reader *a, scree_reader *b, double tolerance, scree_comparison *result, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
