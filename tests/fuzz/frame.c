/* Fuzzing the decoder of frames behind the checksums: the input holds payloads, each after its length in
 * 4 bytes, decoded as the frames 0, 1, ... of a trajectory. Corpus in corpus/frame. */
#include "io/trajectory/frame_codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sc_frame_codec codec = {0};
  volatile uint64_t sum = 0;
  for (int64_t number = 0; size >= 4 && number < 16; number++) {
    size_t count = sc_get_u32(data);
    data += 4;
    size -= 4;
    if (count > size) count = size;
    scree_error error;
    if (!sc_frame_decode(&codec, data, count, number, &error)) {
      const scree_frame *frame = &codec.store[codec.last].frame;
      if (frame->position) sum ^= sc_hash(0, frame->position, (size_t)frame->bodies * 24);
      if (frame->orientation) sum ^= sc_hash(0, frame->orientation, (size_t)frame->bodies * 32);
      sum ^= sc_hash(0, frame->shape, (size_t)frame->shapes * sizeof *frame->shape) ^
          sc_hash(0, frame->contact, (size_t)frame->contacts * sizeof *frame->contact);
    }
    data += count;
    size -= count;
  }
  (void)sum;
  sc_frame_codec_free(&codec);
  return 0;
}
