/* The trajectory schema of the container: types of chunks, and frames in any order. */
#ifndef SC_TRAJECTORY_H
#define SC_TRAJECTORY_H

#include "io/container/container.h"
#include "io/trajectory/frame_codec.h"
#include "scree/trajectory.h"

enum {
  SC_CHUNK_META = SC_TAG('M', 'E', 'T', 'A'),   /* metadata of the run as JSON text */
  SC_CHUNK_SHAPES = SC_TAG('S', 'H', 'P', 'N'), /* names of the shape types, one per line */
  SC_CHUNK_SOURCE = SC_TAG('S', 'R', 'C', ' '), /* text of the scene file */
  /* a hull or mesh, written before the first frame that uses it; chunk.number: its place */
  SC_CHUNK_GEOMETRY = SC_TAG('G', 'E', 'O', 'M'),
  SC_CHUNK_SETTINGS = SC_TAG('S', 'E', 'T', 'S'), /* settings of the writer: fields, key_every, precisions */
  /* a frame; chunk.number: number of the frame; chunk.value: bits of its time; chunk.flags: SC_FRAME_KEY */
  SC_CHUNK_FRAME = SC_TAG('F', 'R', 'A', 'M'),
  SC_SETTINGS_BYTES = 24
};

/* Frames of an open container, decoded in any order. Used by readers and by writers that continue a
 * file. */
typedef struct sc_frames {
  const sc_container *container;
  const size_t *chunk; /* [count] index in container->chunk of each frame's chunk */
  int64_t count;
  sc_frame_codec codec;
  sc_bytes bytes; /* payload of the last chunk read */
} sc_frames;
/* Decodes frame `index` of the list into frames->codec. Starts at the nearest key frame before it if
 * necessary. */
scree_status sc_frames_seek(sc_frames *frames, int64_t index, scree_error *error);
/* Reads the hulls and meshes among the first `chunks` chunks into frames->codec. The place of a damaged one
 * stays empty. */
scree_status sc_frames_geometries(sc_frames *frames, size_t chunks, scree_error *error);

/* Checks that the numbers of def are within their bounds. Fails with SCREE_E_ARGUMENT. */
scree_status sc_trajectory_check(const scree_trajectory_def *def, scree_error *error);
/* Writes the settings of a trajectory to the chunk SC_CHUNK_SETTINGS of its file. */
void sc_settings_write(const scree_trajectory_def *def, unsigned char bytes[SC_SETTINGS_BYTES]);
/* Returns an error if the settings in the file differ from those of def, because all frames of a file have
 * the same settings. */
scree_status sc_settings_compare(
    const sc_container *file, const scree_trajectory_def *def, scree_error *error);

#endif
