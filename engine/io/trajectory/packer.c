/* Packs the part that one process has of each frame of a trajectory: an encoder without a file. */
#include "io/trajectory/trajectory.h"

struct scree_packer {
  scree_trajectory_def def;
  sc_frame_codec codec;
  sc_bytes bytes; /* number of bytes of the part (u64), then the part */
  size_t named;   /* number of hulls and meshes that have a place in the file */
};

scree_packer *scree_packer_create(const scree_trajectory_def *def, scree_error *error) {
  SC_DEMAND(def, error, NULL);
  if (sc_trajectory_check(def, error)) return NULL;
  scree_packer *packer = sc_alloc(sizeof *packer);
  if (!packer) {
    sc_fail(error, SCREE_E_MEMORY, "out of memory to pack frames");
    return NULL;
  }
  packer->def = *def;
  packer->def.meta = packer->def.source = NULL;
  return packer;
}

void scree_packer_destroy(scree_packer *packer) {
  if (!packer) return;
  sc_frame_codec_free(&packer->codec);
  sc_bytes_free(&packer->bytes);
  sc_free(packer);
}

scree_status scree_packer_name(
    scree_packer *packer, const scree_geometry *geometry, int64_t place, scree_error *error) {
  SC_DEMAND(packer && geometry, error, SCREE_E_ARGUMENT);
  if (place < 0 || place >= INT32_MAX)
    return sc_fail(error, SCREE_E_ARGUMENT, "%lld is no place of a hull or mesh", (long long)place);
  if (!sc_geometries_name(&packer->codec.geometries, geometry, place))
    return sc_fail(error, SCREE_E_MEMORY, "out of memory for a hull or mesh");
  packer->named = packer->codec.geometries.count;
  return SCREE_OK;
}

scree_status scree_packer_frame(scree_packer *packer, const scree_frame *part, int64_t number,
    const double largest[SCREE_FRAME_LARGEST], const void **bytes, size_t *count, scree_error *error) {
  SC_DEMAND(packer && part && bytes && count && number >= 0, error, SCREE_E_ARGUMENT);
  sc_frame_codec *codec = &packer->codec;
  bool key = !codec->valid || number % packer->def.key_every == 0;
  codec->largest = largest;
  scree_status status = sc_frame_encode(codec, &packer->def, part, number, key, error);
  codec->largest = NULL;
  if (status) return status;
  if (codec->geometries.count > packer->named)
    return sc_fail(error, SCREE_E_ARGUMENT, "a hull or mesh of the frame has no place yet");
  packer->bytes.count = 0;
  unsigned char *length = sc_bytes_take(&packer->bytes, 8);
  if (length) sc_put_u64(length, codec->payload.count);
  if (!length || !sc_bytes_add(&packer->bytes, codec->payload.at, codec->payload.count))
    return sc_fail(error, SCREE_E_MEMORY, "out of memory for a frame");
  *bytes = packer->bytes.at, *count = packer->bytes.count;
  return SCREE_OK;
}

void scree_frame_largest(const scree_frame *frame, double largest[SCREE_FRAME_LARGEST]) {
  SC_DEMAND(frame && largest, NULL, );
  sc_frame_largest(frame, largest);
}
