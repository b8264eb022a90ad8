/* Messages between ranks, and the growable buffers of bytes that hold them (exchange.c). */
#ifndef SD_POST_H
#define SD_POST_H

#include <stddef.h>

/* Growable byte buffer. A buffer of zeros is empty. The user frees `bytes`. */
typedef struct sd_buffer {
  unsigned char *bytes;
  size_t size, capacity;
} sd_buffer;
/* Appends `bytes` uninitialised bytes to the buffer. Returns the address of the first of them, NULL if out of
 * memory. */
void *sd_append(sd_buffer *buffer, size_t bytes);

/* Message to or from a rank. */
typedef struct sd_parcel {
  int rank;
  sd_buffer buffer;
} sd_parcel;
typedef struct sd_post {
  sd_parcel *parcel;
  int count;
  size_t capacity;
} sd_post;
/* Returns the buffer of the message to or from a rank; adds an empty message if the post has none for this
 * rank. Returns NULL if out of memory. */
sd_buffer *sd_post_to(sd_post *post, int rank);
/* Removes all messages. Later messages reuse their memory. */
void sd_post_clear(sd_post *post);
/* Frees all messages. */
void sd_post_free(sd_post *post);

#endif
